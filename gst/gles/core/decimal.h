/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decimals in settings, as integers. Not installed. */
#ifndef GST_GLES_DECIMAL_H
#define GST_GLES_DECIMAL_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

/* Reads a decimal at *@at as a multiple of 10 to the power of -@digits, and moves *@at behind it.
 * Further digits round it half away from zero. A number beyond @most or -@most is stored as some
 * number beyond it. Returns how many digits there were that count; if 0, there is no decimal. */
GST_GLES_API guint gst_gles_read_decimal (
    const gchar **at, guint digits, gint64 most, gint64 *number);

G_END_DECLS

#endif
