/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "frame.h"

void
watch_frame_clear (WatchFrame *self)
{
  g_clear_pointer (&self->sample, gst_sample_unref);
}
