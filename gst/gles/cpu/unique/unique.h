/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the unique kernels. Runs on the shared pool; thread: any. */
#ifndef GST_GLES_CPU_UNIQUE_H
#define GST_GLES_CPU_UNIQUE_H

#include <glib.h>

G_BEGIN_DECLS

/* Writes the first key of every run of equal neighbouring keys to @output, in input order. A key
 * has @key_words words, 1 or 2; @n is at most 2^32. At most the first @capacity keys are written,
 * and no later word is touched. @output must not overlap @keys. Returns the number of runs,
 * regardless of @capacity. */
guint64 gst_gles_cpu_unique (
    guint key_words, const guint32 *keys, gsize n, guint32 *output, gsize capacity);

G_END_DECLS

#endif
