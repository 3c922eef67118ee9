/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of an expression on frames of a format: names that the format stores become samples,
 * and others are calculated from them. */
#ifndef GST_GLES_EXPRESSION_BIND_H
#define GST_GLES_EXPRESSION_BIND_H

#include <gst/gles/expression/graph.h>
#include <gst/gles/expression/names.h>
#include <gst/gles/expression/parser.h>
#include <gst/gles/glsl/layout.h>

G_BEGIN_DECLS

#define GST_GLES_EXPRESSION_MAX_COMPONENTS 4

/* What a format stores, and how colours are calculated. */
typedef struct {
  guint n_components;
  const gchar *names[GST_GLES_EXPRESSION_MAX_COMPONENTS]; /* "Y", "U", "V", "R", "G", "B", "A" */
  GstGlesComponent components[GST_GLES_EXPRESSION_MAX_COMPONENTS];
  guint kr, kg, kb; /* of the matrix, in 1/65536; their sum is 65536 */
  gboolean full_range;
} GstGlesSamples;

/* The kinds of leaves of a bound graph, and their numbers. Parameters are as in a parsed one. */
typedef enum {
  GST_GLES_BOUND_SAMPLE, /* its component, a GstGlesMoment, the offset */
  GST_GLES_BOUND_PARAMETER,
  GST_GLES_BOUND_PLACE /* a GstGlesPlace */
} GstGlesBoundKind;

/* The most operations of a bound graph, inputs and numbers not counted. */
#define GST_GLES_EXPRESSION_MAX_OPERATIONS 128

/* Returns the node @result of a parsed @graph on frames as @samples says: (transfer full).
 * @result is replaced by its number in the returned graph, which has only what it needs. Errors:
 * SETTINGS: the format lacks a name, too many operations. */
GstGlesGraph *gst_gles_expression_bind (
    const GstGlesGraph *graph, guint *result, const GstGlesSamples *samples, GError **error);

G_END_DECLS

#endif
