/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What other algorithms need of segments. */
#ifndef GST_GLES_SEGMENTS_PLAN_H
#define GST_GLES_SEGMENTS_PLAN_H

#include <gst/gles/algo/plan/array.h>

G_BEGIN_DECLS

/* Specifies the kernel that counts runs, which is the first pass of unique too. */
void gst_gles_segments_count_spec (
    const GstGlesShape *shape, guint key_words, GstGlesProgramSpec *spec);

G_END_DECLS

#endif
