/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results as the objects that docs/json.md describes. */
#ifndef GST_GLES_JSON_RESULTS_H
#define GST_GLES_JSON_RESULTS_H

#include "../../json/writer.h"
#include "../base/results.h"

G_BEGIN_DECLS

/* What to write. */
typedef struct {
  gboolean counts, points, indices; /* long lists */
  gboolean frames, events;          /* lines; for the caller */
  gchar *tags;                      /* a JSON object that each line repeats, or NULL */
} JsonOptions;

/* Writes the line of @results, which are ready and one at least, and of @flash (nullable), what
 * glesevents counts of flashes. FALSE with @error. */
gboolean json_results_write (JsonWriter *writer, const Results *results, const GstStructure *flash,
    const JsonOptions *options, GError **error);

/* Writes the line of an event of glesevents: a structure of the field "events". FALSE when it is
 * none. */
gboolean json_results_write_event (
    JsonWriter *writer, const GstStructure *event, const JsonOptions *options);

G_END_DECLS

#endif
