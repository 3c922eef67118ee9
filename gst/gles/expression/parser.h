/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text to graph. Names stay names: binding replaces them (bind.h). */
#ifndef GST_GLES_EXPRESSION_PARSER_H
#define GST_GLES_EXPRESSION_PARSER_H

#include <gst/gles/expression/graph.h>

G_BEGIN_DECLS

/* Longer texts and deeper nesting are refused before anything is read of them. */
#define GST_GLES_EXPRESSION_MAX_BYTES 8192
#define GST_GLES_EXPRESSION_MAX_DEPTH 64

/* GST_GLES_EXPRESSION_MAX_PARAMETERS of the public header */
#define GST_GLES_PARSER_MAX_PARAMETERS 16
/* The farthest neighbour. */
#define GST_GLES_EXPRESSION_MAX_OFFSET 4

/* The kinds of leaves, and their numbers. */
typedef enum {
  GST_GLES_LEAF_NAME,      /* its place among the names, a GstGlesMoment, the offset */
  GST_GLES_LEAF_PARAMETER, /* its number */
  GST_GLES_LEAF_SHARE,     /* of full scale, in thousandths of a percent */
  GST_GLES_LEAF_DEPTH      /* bits of a sample */
} GstGlesLeafKind;

typedef enum {
  GST_GLES_MOMENT_NOW,
  GST_GLES_MOMENT_PREVIOUS,
  GST_GLES_MOMENT_BACKGROUND
} GstGlesMoment;

/* An offset of a leaf, from the columns and rows of a neighbour. */
#define GST_GLES_OFFSET(dx, dy) ((dy) *16 + (dx))
#define GST_GLES_OFFSET_X(offset) ((((offset) + 8 * 17) & 15) - 8)
#define GST_GLES_OFFSET_Y(offset) ((((offset) + 8 * 17) >> 4) - 8)

/* What an expression can name. */
typedef struct {
  const gchar *const *names;
  guint n_names;
  guint n_samples;    /* the first names are samples: prev., bg. and neighbours */
  gboolean has_depth; /* shares of full scale and 8bit() mean something */
} GstGlesVocabulary;

/* Returns the graph of @text, whose value is the node *result: (transfer full). The names of its
 * parameters, in order, are added to @parameters. Errors: SETTINGS, with the column, a caret below
 * the text, what was expected and perhaps a suggestion. */
GstGlesGraph *gst_gles_expression_parse (const gchar *text, const GstGlesVocabulary *vocabulary,
    GPtrArray *parameters, guint *result, GError **error);

G_END_DECLS

#endif
