/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the device object and its queues have in common: one EGL share group and what is known of
 * it. It outlives the device object as long as a queue is held, and keeps no queue itself. */
#ifndef GST_GLES_SHARE_H
#define GST_GLES_SHARE_H

#include <gst/gles/device/device.h>
#include <gst/gles/device/display.h>
#include <gst/gles/device/vulkan.h>

/* What kind of GL object a deferred deletion is about. */
typedef enum {
  GST_GLES_TRASH_BUFFER,
  GST_GLES_TRASH_PROGRAM,
  GST_GLES_TRASH_TEXTURE,
  GST_GLES_TRASH_MEMORY /* a memory object */
} GstGlesTrashKind;

typedef struct {
  GstGlesTrashKind kind;
  guint name;
} GstGlesTrash;

/* Where the storage of buffers that only the device uses comes from. */
typedef enum {
  GST_GLES_MEMORY_GL,
  GST_GLES_MEMORY_LARGE_VULKAN, /* Vulkan gives that of large ones, GL what Vulkan cannot */
  GST_GLES_MEMORY_VULKAN,       /* Vulkan gives all, or it is an error: for tests */
  GST_GLES_MEMORY_SHORT         /* test: LARGE_VULKAN, but too little: GL refuses it */
} GstGlesMemory;

typedef struct _GstGlesShare GstGlesShare;

struct _GstGlesShare {
  gint ref_count;
  GstGlesDeviceKind kind;
  gchar *id;
  gchar *description;
  gchar *renderer, *version; /* as GL tells them; NULL on cpu */
  GstGlesDisplay *display;   /* NULL on cpu */
  EGLContext root;           /* context that the others share with; owned by its queue */
  GstGlesLimits limits;
  gboolean debug_context;
  gint lost; /* atomic */

  GMutex lock;
  GArray *trash;        /* of {kind, name}: deleted when a queue of the group is next current */
  GHashTable *programs; /* of gl/program.c; emptied when the device object goes */
  gboolean closed;      /* the device object is gone */
  gboolean gl_fences;   /* fences are GL's, and watched: see gl/watcher.c */
  gpointer watcher;     /* of gl/watcher.c; ended when the device object goes */
  GDestroyNotify watcher_end;

  GstGlesMemory memory;
  GstGlesUuids uuids;     /* with limits.memory_objects */
  GMutex vulkan_lock;     /* of what follows */
  GstGlesVulkan *vulkan;  /* opened by gst_gles_share_get_vulkan() */
  GError *vulkan_error;   /* why it could not be opened */
  gboolean vulkan_warned; /* that large buffers have memory from GL instead */
};

GstGlesShare *gst_gles_share_new (GstGlesDeviceKind kind, GstGlesDisplay *display);
GstGlesShare *gst_gles_share_ref (GstGlesShare *share);
void gst_gles_share_unref (GstGlesShare *share);

/* Leaves the GL object @name to be deleted by whoever next has a context of the group current.
 * Thread: any. */
void gst_gles_share_discard (GstGlesShare *share, GstGlesTrashKind kind, guint name);
/* ... and several in their order, by one thread. */
void gst_gles_share_discard_all (GstGlesShare *share, const GstGlesTrash *items, guint n_items);

/* Deletes what was discarded. A context of the group is current. */
void gst_gles_share_empty_trash (GstGlesShare *share);

/* Sets the flag and logs it the first time. */
void gst_gles_share_mark_lost (GstGlesShare *share, const gchar *reason);

/* The device's Vulkan side, opened when it is first asked for: (transfer none), NULL with @error, the
 * same each time. Thread: any; can take 100 ms. */
GstGlesVulkan *gst_gles_share_get_vulkan (GstGlesShare *share, GError **error);

/* FALSE with DEVICE_LOST when the device is lost. */
gboolean gst_gles_share_check (GstGlesShare *share, GError **error);

/* Reads limits, extensions, renderer and kind. A context of the group is current.
 * Errors: INIT (OpenGL ES below 3.1). */
gboolean gst_gles_share_probe (GstGlesShare *share, GError **error);

/* The device's share: (transfer none). */
GstGlesShare *gst_gles_device_get_share (GstGlesDevice *device);

#endif
