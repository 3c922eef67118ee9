/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_EXPRESSION_LEXER_H
#define GST_GLES_EXPRESSION_LEXER_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_TOKEN_END,
  GST_GLES_TOKEN_NUMBER,    /* value */
  GST_GLES_TOKEN_SHARE,     /* `50%`: value in thousandths of a percent */
  GST_GLES_TOKEN_BITS,      /* `8bit`: value */
  GST_GLES_TOKEN_NAME,      /* text: letters, digits, `_` and `.`; begins with a letter */
  GST_GLES_TOKEN_PARAMETER, /* `$name`: text without `$` */
  GST_GLES_TOKEN_SIGN       /* text: an operator, bracket or comma */
} GstGlesTokenKind;

typedef struct {
  GstGlesTokenKind kind;
  const gchar *text; /* in the expression, `length` bytes */
  gsize length;
  guint32 value;
} GstGlesToken;

/* Reads the token at *at, behind spaces, and moves *at behind it. @expression is the text as a
 * whole, which ends with a zero. On failure stores what is wrong in *wrong: (transfer full), of
 * the bytes of @token. */
gboolean gst_gles_lexer_read (const gchar **at, GstGlesToken *token, gchar **wrong);

gboolean gst_gles_token_is (const GstGlesToken *token, const gchar *sign);

G_END_DECLS

#endif
