/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an expression is inside the library. */
#ifndef GST_GLES_EXPRESSION_INFO_H
#define GST_GLES_EXPRESSION_INFO_H

#include <gst/gles/expression/expression.h>
#include <gst/gles/expression/graph.h>

G_BEGIN_DECLS

#define GST_GLES_EXPRESSION_MAX_ARRAYS 8

struct _GstGlesExpression {
  gint ref_count;
  gchar *text;
  GPtrArray *parameters; /* of names, and NULL */
  gchar **array_names;   /* NULL: on frames */
  guint n_arrays;        /* 0: on frames */
  guint names;           /* a bit for each GstGlesName in the text */
  GstGlesGraph *graph;   /* pruned; its leaves are those of parser.h */
  guint result;
};

G_END_DECLS

#endif
