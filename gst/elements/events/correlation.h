/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_CORRELATION_H
#define GST_GLES_CORRELATION_H

#include <glib.h>

G_BEGIN_DECLS

/* Returns the coefficient of correlation of @n values each, 0 where those of one of them are equal
 * or have a standard deviation below @least. */
gdouble get_correlation (const gdouble *x, const gdouble *y, guint n, gdouble least);

G_END_DECLS

#endif
