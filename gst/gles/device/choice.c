/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/device/choice.h>

#define RENDER_NODE "/dev/dri/renderD"

static gboolean
owns (const GstGlesGpuFacts *gpu, const GstGlesOwner *owner)
{
  switch (owner->kind) {
    case GST_GLES_OWNER_UUID:
      return gpu->has_uuid && memcmp (gpu->uuid, owner->uuid, GST_GLES_UUID_BYTES) == 0;
    case GST_GLES_OWNER_NODE:
      return gpu->node != 0 && gpu->node == owner->node;
    case GST_GLES_OWNER_EGL_DEVICE:
      return gpu->egl_device != NULL && gpu->egl_device == owner->egl_device;
    case GST_GLES_OWNER_HOST:
      break;
  }
  return FALSE;
}

/* Whether @a has less to do than @b. The users of this process come first: the load of streams that
 * have just begun is not measured yet, and streams that begin together would all follow the
 * smallest difference of loads. */
static gboolean
has_less_to_do (const GstGlesGpuFacts *a, const GstGlesGpuFacts *b)
{
  if (a->n_users != b->n_users)
    return a->n_users < b->n_users;
  return a->load_percent >= 0 && b->load_percent >= 0 && a->load_percent < b->load_percent;
}

gint
gst_gles_choose_gpu (
    const GstGlesGpuFacts *gpus, guint n_gpus, const GstGlesOwner *owner, gint current)
{
  gint least = -1;

  for (guint i = 0; i < n_gpus; i++) {
    if (!gpus[i].is_refused && owns (&gpus[i], owner))
      return (gint) i;
  }
  if (current >= 0 && !gpus[current].is_refused)
    return current;
  for (guint i = 0; i < n_gpus; i++) {
    if (!gpus[i].is_refused && (least < 0 || has_less_to_do (&gpus[i], &gpus[least])))
      least = (gint) i;
  }
  return least;
}

guint
gst_gles_node_of_path (const gchar *path)
{
  guint64 node = 0;

  if (path == NULL || !g_str_has_prefix (path, RENDER_NODE) ||
      !g_ascii_string_to_unsigned (path + strlen (RENDER_NODE), 10, 1, G_MAXUINT, &node, NULL))
    return 0;
  return (guint) node;
}
