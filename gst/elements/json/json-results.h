/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results as the objects that docs/json.md describes. */
#ifndef GST_GLES_JSON_RESULTS_H
#define GST_GLES_JSON_RESULTS_H

#include "../base/json-writer.h"
#include "../base/results.h"

G_BEGIN_DECLS

/* Which long lists to write. */
typedef struct {
  gboolean counts, points, indices;
} JsonLists;

/* Writes the line of @results, which are ready and one at least. FALSE with @error. */
gboolean json_results_write (
    JsonWriter *writer, const Results *results, const JsonLists *lists, GError **error);

/* Writes the line of an event of glesevents: a structure of the field "events". FALSE when it is
 * none. */
gboolean json_results_write_event (JsonWriter *writer, const GstStructure *event);

G_END_DECLS

#endif
