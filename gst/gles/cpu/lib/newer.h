/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions that are compiled twice: for each processor of the architecture, and for newer ones,
 * which have vectors of 32 bytes and count bits with one instruction. */
#ifndef GST_GLES_CPU_NEWER_H
#define GST_GLES_CPU_NEWER_H

#include <glib.h>

G_BEGIN_DECLS

#if defined(__x86_64__)
#define GST_GLES_CPU_NEWER __attribute__ ((target ("avx2,bmi,popcnt")))
#else
#define GST_GLES_CPU_NEWER
#endif

/* Whether functions with GST_GLES_CPU_NEWER may be called, and are other than those without.
 * Thread: any. */
gboolean gst_gles_cpu_is_newer (void);

G_END_DECLS

#endif
