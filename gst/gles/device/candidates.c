/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/device/candidates.h>
#include <gst/gles/device/device-share.h>

static void
candidate_clear (gpointer data)
{
  GstGlesCandidate *candidate = data;

  g_free (candidate->spec);
  g_clear_pointer (&candidate->device, gst_object_unref);
  g_clear_error (&candidate->error);
}

GArray *
gst_gles_candidates_probe (void)
{
  GArray *candidates = g_array_new (FALSE, TRUE, sizeof (GstGlesCandidate));
  g_auto (GStrv) specs = gst_gles_display_specs ();

  g_array_set_clear_func (candidates, candidate_clear);
  for (guint i = 0; specs[i] != NULL; i++) {
    GstGlesCandidate candidate = { g_strdup (specs[i]), NULL, NULL };
    candidate.device = gst_gles_device_open (specs[i], &candidate.error);
    g_array_append_val (candidates, candidate);
  }
  return candidates;
}
