/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/device/candidates.h>
#include <gst/gles/device/display.h>

#define FIRST_RENDER_NODE 128
#define LAST_RENDER_NODE 191

gchar **
gst_gles_candidate_specs (void)
{
  GPtrArray *specs = g_ptr_array_new ();
  guint n_devices;

  /* Nodes are found by testing for files, since udev may be absent in containers. */
  for (guint i = FIRST_RENDER_NODE; i <= LAST_RENDER_NODE; i++) {
    gchar *path = g_strdup_printf ("/dev/dri/renderD%u", i);
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      g_ptr_array_add (specs, path);
    else
      g_free (path);
  }
  n_devices = gst_gles_display_count_egl_devices ();
  for (guint i = 0; i < n_devices; i++)
    g_ptr_array_add (specs, g_strdup_printf ("egl:%u", i));
  g_ptr_array_add (specs, g_strdup ("surfaceless"));
  g_ptr_array_add (specs, g_strdup ("cpu"));
  g_ptr_array_add (specs, NULL);
  return (gchar **) g_ptr_array_free (specs, FALSE);
}

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
  g_auto (GStrv) specs = gst_gles_candidate_specs ();

  g_array_set_clear_func (candidates, candidate_clear);
  for (guint i = 0; specs[i] != NULL; i++) {
    GstGlesCandidate candidate = { g_strdup (specs[i]), NULL, NULL };
    candidate.device = gst_gles_device_open (specs[i], &candidate.error);
    g_array_append_val (candidates, candidate);
  }
  return candidates;
}
