/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the map. */
#ifndef GST_GLES_CPU_MAP_H
#define GST_GLES_CPU_MAP_H

#include <gst/gles/cpu/expression/expression.h>

G_BEGIN_DECLS

#define GST_GLES_CPU_MAP_MAX_ARRAYS 3

/* Leaves of @graph are arrays and parameters, as gst_gles_graph_limit_arrays() leaves them. */
typedef struct {
  const GstGlesGraph *graph;
  const GstGlesCpuExpression *expression; /* of a node of it */
  const guint8 *arrays[GST_GLES_CPU_MAP_MAX_ARRAYS];
  guint bytes[GST_GLES_CPU_MAP_MAX_ARRAYS]; /* of their values: 1, 2 or 4 */
  const gint32 *parameters;
  gint32 *output; /* may be an array of words */
  guint n;
} GstGlesCpuMapCall;

/* Calculates the expression for each place. Errors: NO_MEMORY. */
gboolean gst_gles_cpu_map (const GstGlesCpuMapCall *call, GError **error);

G_END_DECLS

#endif
