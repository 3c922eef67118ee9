/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_EXPRESSION_ARRAYS_H
#define GST_GLES_EXPRESSION_ARRAYS_H

#include <gst/gles/expression/graph.h>

G_BEGIN_DECLS

/* Returns the node @result of a parsed @graph for arrays whose values are from least[i] to most[i]:
 * (transfer full). The kinds of leaves stay. @result is replaced by its number there. */
GstGlesGraph *gst_gles_graph_limit_arrays (
    const GstGlesGraph *graph, guint *result, const gint32 *least, const gint32 *most);

G_END_DECLS

#endif
