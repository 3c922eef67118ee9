/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/decimal.h>

guint
gst_gles_read_decimal (const gchar **at, guint digits, gint64 most, gint64 *number)
{
  const gchar *p = *at;
  const gboolean is_negative = *p == '-';
  gint64 value = 0;
  guint n = 0;

  p += *p == '-' || *p == '+' ? 1 : 0;
  for (; g_ascii_isdigit (*p); p++, n++)
    value = MIN (value * 10 + *p - '0', most + 1);
  if (*p == '.')
    p++;
  for (guint i = 0; i < digits; i++) {
    const gboolean has = g_ascii_isdigit (*p);

    value = MIN (value * 10 + (has ? *p - '0' : 0), most + 1);
    p += has ? 1 : 0;
    n += has ? 1 : 0;
  }
  value += n > 0 && *p >= '5' && *p <= '9' ? 1 : 0;
  while (n > 0 && g_ascii_isdigit (*p))
    p++;
  *at = p;
  *number = is_negative ? -value : value;
  return n;
}
