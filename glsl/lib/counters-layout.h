/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the users of lib/histogram_counters.glsl share with C. */
#ifndef GST_GLES_COUNTERS_LAYOUT_H
#define GST_GLES_COUNTERS_LAYOUT_H

/* The index of no counter, for samples and keys that are not counted and for unused lanes. */
#define GST_GLES_NO_COUNTER 0x40000000u

#endif
