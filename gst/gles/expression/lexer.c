/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words, numbers and signs of an expression. Nothing here depends on the locale. */
#include <gst/gles/expression/lexer.h>

#include <string.h>

/* The longer ones first. */
static const gchar *const signs[] = { "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*",
  "/", "%", "&", "|", "^", "~", "<", ">", "!", "?", ":", "(", ")", "[", "]", "," };

gboolean
gst_gles_token_is (const GstGlesToken *token, const gchar *sign)
{
  return token->kind == GST_GLES_TOKEN_SIGN && strlen (sign) == token->length &&
      memcmp (token->text, sign, token->length) == 0;
}

static gboolean
is_of_name (gchar c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.';
}

/* Whether @text begins an operand, so that a `%` before it divides. */
static gboolean
begins_operand (const gchar *text)
{
  return text[0] != '\0' && (g_ascii_isalnum (text[0]) || strchr ("$(~!", text[0]) != NULL) &&
      !g_str_has_prefix (text, "!=");
}

/* Reads the digits at *at in @base. Returns FALSE if the number needs more than 32 bits. */
static gboolean
read_digits (const gchar **at, guint base, guint32 *value)
{
  guint64 sum = 0;
  gboolean fits = TRUE;

  for (; base == 16 ? g_ascii_isxdigit (**at) : g_ascii_isdigit (**at); (*at)++) {
    sum = sum * base + (guint) g_ascii_xdigit_value (**at);
    fits = fits && sum <= G_MAXUINT32;
    sum = MIN (sum, G_MAXUINT32);
  }
  *value = (guint32) sum;
  return fits;
}

/* Reads up to three digits behind a point as thousandths. */
static gboolean
read_thousandths (const gchar **at, guint32 *value)
{
  guint32 sum = 0, n = 0;

  for (; g_ascii_isdigit (**at); (*at)++, n++)
    sum = n < 3 ? sum * 10 + (guint) g_ascii_digit_value (**at) : sum;
  for (guint i = n; i < 3; i++)
    sum *= 10;
  *value = sum;
  return n >= 1 && n <= 3;
}

static gboolean
read_share (const gchar **at, GstGlesToken *token, gchar **wrong)
{
  guint32 fraction = 0;
  gboolean ok = TRUE;

  if (**at == '.') {
    (*at)++;
    ok = read_thousandths (at, &fraction) && **at == '%';
  }
  if (!ok || token->value > 100 || (token->value == 100 && fraction > 0)) {
    *wrong = g_strdup (ok ? "a share of full scale is at most 100%"
                          : "a number with a point is a share of full scale with at most three "
                            "digits behind it, such as 12.5%");
    return FALSE;
  }
  (*at)++; /* the `%` */
  token->kind = GST_GLES_TOKEN_SHARE;
  token->value = token->value * 1000 + fraction;
  return TRUE;
}

static gboolean
read_number (const gchar **at, GstGlesToken *token, gchar **wrong)
{
  const gboolean hex = (*at)[0] == '0' && ((*at)[1] | 0x20) == 'x';
  const gchar *next;

  *at += hex ? 2 : 0;
  if (hex && !g_ascii_isxdigit (**at)) {
    *wrong = g_strdup ("0x needs hexadecimal digits behind it");
    return FALSE;
  }
  token->kind = GST_GLES_TOKEN_NUMBER;
  if (!read_digits (at, hex ? 16 : 10, &token->value)) {
    *wrong = g_strdup ("the number needs more than 32 bits");
    return FALSE;
  }
  for (next = *at + 1; *at[0] == '%' && (*next == ' ' || *next == '\t'); next++)
    ;
  if (!hex && (**at == '.' || (**at == '%' && !begins_operand (next))))
    return read_share (at, token, wrong);
  if (!hex && strncmp (*at, "bit", 3) == 0 && !is_of_name ((*at)[3])) {
    *at += 3;
    token->kind = GST_GLES_TOKEN_BITS;
    if (token->value >= 1 && token->value <= 16)
      return TRUE;
    *wrong = g_strdup ("samples have 1 to 16 bits");
    return FALSE;
  }
  if (!is_of_name (**at))
    return TRUE;
  *wrong = g_strdup ("a number ends here, and no operator follows");
  return FALSE;
}

static gboolean
read_name (const gchar **at, GstGlesToken *token, gchar **wrong)
{
  const gboolean is_parameter = **at == '$';

  token->kind = is_parameter ? GST_GLES_TOKEN_PARAMETER : GST_GLES_TOKEN_NAME;
  *at += is_parameter;
  token->text = *at;
  if (!g_ascii_isalpha (**at) && **at != '_') {
    *wrong = g_strdup ("$ needs the name of a parameter behind it");
    return FALSE;
  }
  while (is_of_name (**at))
    (*at)++;
  token->length = (gsize) (*at - token->text);
  return TRUE;
}

static gboolean
read_sign (const gchar **at, GstGlesToken *token, gchar **wrong)
{
  token->kind = GST_GLES_TOKEN_SIGN;
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++) {
    if (!g_str_has_prefix (*at, signs[i]))
      continue;
    *at += strlen (signs[i]);
    return TRUE;
  }
  *wrong = g_ascii_isprint (**at)
      ? g_strdup_printf ("`%c` means nothing", **at)
      : g_strdup_printf ("byte 0x%02x is no part of an expression", (guchar) * *at);
  (*at)++;
  return FALSE;
}

gboolean
gst_gles_lexer_read (const gchar **at, GstGlesToken *token, gchar **wrong)
{
  gboolean ok = TRUE;

  while (**at == ' ' || **at == '\t' || **at == '\n' || **at == '\r')
    (*at)++;
  *token = (GstGlesToken){ .kind = GST_GLES_TOKEN_END, .text = *at };
  if (**at == '\0')
    return TRUE;
  if (g_ascii_isdigit (**at))
    ok = read_number (at, token, wrong);
  else if (g_ascii_isalpha (**at) || **at == '_' || **at == '$')
    ok = read_name (at, token, wrong);
  else
    ok = read_sign (at, token, wrong);
  if (token->length == 0)
    token->length = (gsize) (*at - token->text);
  return ok;
}
