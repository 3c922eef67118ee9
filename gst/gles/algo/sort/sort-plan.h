/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What other algorithms need of the sort. */
#ifndef GST_GLES_SORT_PLAN_H
#define GST_GLES_SORT_PLAN_H

#include <gst/gles/algo/sort/sort.h>
#include <gst/gles/gl/submission.h>

G_BEGIN_DECLS

/* For kernels that count the keys and initialise a sort of them (sort/sort_setup.glsl): returns the
 * state that they must bind and the parameters that they need. */
void gst_gles_sort_get_setup (
    GstGlesSort *sort, GstGlesBinding *state, guint *tile, guint *max_groups_x);
/* Sorts the keys that such a kernel has counted in place, limited to what the plan and the buffers
 * can hold. */
gboolean gst_gles_sort_run_prepared (GstGlesSort *sort, GstGlesBuffer *keys,
    GstGlesBuffer *payloads_in, GstGlesBuffer *payloads_out, GError **error);

G_END_DECLS

#endif
