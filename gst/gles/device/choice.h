/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which GPU `auto` takes for a stream: a choice among facts, without a driver
 * (docs/decisions/0017). */
#ifndef GST_GLES_CHOICE_H
#define GST_GLES_CHOICE_H

#include <gst/gles/core/prelude.h>
#include <gst/gles/device/vulkan.h>

G_BEGIN_DECLS

/* What identifies a GPU in the API that frames come from. */
typedef enum {
  GST_GLES_OWNER_HOST,      /* no GPU owns the memory */
  GST_GLES_OWNER_UUID,      /* of CUDA, EGL and Vulkan */
  GST_GLES_OWNER_NODE,      /* the number of its render node: 128 for /dev/dri/renderD128 */
  GST_GLES_OWNER_EGL_DEVICE /* its EGLDeviceEXT */
} GstGlesOwnerKind;

/* The owner of the memory of a frame. */
typedef struct {
  GstGlesOwnerKind kind;
  guint8 uuid[GST_GLES_UUID_BYTES];
  guint node;
  gpointer egl_device;
} GstGlesOwner;

/* One GPU: what identifies it, and how much it does. */
typedef struct {
  gboolean has_uuid;
  guint8 uuid[GST_GLES_UUID_BYTES];
  guint node;          /* 0: not known */
  gpointer egl_device; /* NULL: not known */
  guint n_users;       /* elements of this process that analyse on it */
  gint load_percent;   /* of all processes, as the driver tells; -1: not known */
  gboolean is_refused; /* it cannot be opened */
} GstGlesGpuFacts;

/* Returns the index of the GPU for frames of @owner: the one that owns them. Frames that none of
 * @gpus owns stay on @current, or go to the GPU with the fewest users if @current is -1; of
 * several, to that of the least known load; of several, to the first. Returns -1 if all are
 * refused. */
gint gst_gles_choose_gpu (
    const GstGlesGpuFacts *gpus, guint n_gpus, const GstGlesOwner *owner, gint current);

/* Returns the number of the render node in @path, 0 if it names none. */
guint gst_gles_node_of_path (const gchar *path);

G_END_DECLS

#endif
