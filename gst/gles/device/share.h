/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the device object, its queues and its programs have in common: the thread with the OpenGL ES
 * context, and what is known of the driver. It outlives the device object as long as one of the
 * others is held. The last reference may go on any thread, the device's own included. */
#ifndef GST_GLES_SHARE_H
#define GST_GLES_SHARE_H

#include <gst/gles/device/device.h>
#include <gst/gles/device/display.h>
#include <gst/gles/device/thread.h>
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

struct _GstGlesShare {
  gint ref_count;
  GstGlesDeviceKind kind;
  gchar *id;
  gchar *description;
  gchar *renderer, *version; /* as GL tells them; NULL on cpu */
  GstGlesLimits limits;
  gint lost;             /* atomic */
  GstGlesThread *thread; /* NULL on cpu */

  /* of the thread */
  GstGlesDisplay *display;
  EGLContext context;
  gpointer replay; /* of gl/replay.c, made with the first work */
  void (*replay_rest) (gpointer replay);
  GDestroyNotify replay_free;

  GMutex lock;
  GArray *trash;        /* of {kind, name}: deleted by the thread */
  GHashTable *programs; /* of gl/program.c; emptied when the device object goes */
  gboolean closed;      /* the device object is gone */

  GstGlesMemory memory;
  GstGlesUuids uuids;     /* with limits.memory_objects */
  GMutex vulkan_lock;     /* of what follows */
  GstGlesVulkan *vulkan;  /* opened by gst_gles_share_get_vulkan() */
  GError *vulkan_error;   /* why it could not be opened */
  gboolean vulkan_warned; /* that large buffers have memory from GL instead */
};

/* A share of the cpu device, or of the device that @spec names: a path, "egl:N" or "surfaceless".
 * Waits until the device is open. Errors: as gst_gles_device_new(). */
GstGlesShare *gst_gles_share_new_cpu (void);
GstGlesShare *gst_gles_share_new_gl (const gchar *spec, GError **error);
GstGlesShare *gst_gles_share_ref (GstGlesShare *share);
void gst_gles_share_unref (GstGlesShare *share);

/* Whether there is OpenGL ES, and a thread for it. */
gboolean gst_gles_share_is_gl (GstGlesShare *share);

/* Leaves the GL object @name to be deleted by the thread. Thread: any. */
void gst_gles_share_discard (GstGlesShare *share, GstGlesTrashKind kind, guint name);
/* The same for several objects, in their order. */
void gst_gles_share_discard_all (GstGlesShare *share, const GstGlesTrash *items, guint n_items);

/* Sets the flag, logs it the first time, and wakes whoever waits. Thread: any. */
void gst_gles_share_mark_lost (GstGlesShare *share, const gchar *reason);

/* The device's Vulkan side, opened when it is first asked for: (transfer none), NULL with @error, the
 * same each time. Thread: any; can take 100 ms. */
GstGlesVulkan *gst_gles_share_get_vulkan (GstGlesShare *share, GError **error);

/* FALSE with DEVICE_LOST when the device is lost. */
gboolean gst_gles_share_check (GstGlesShare *share, GError **error);

/* The device's share: (transfer none). */
GstGlesShare *gst_gles_device_get_share (GstGlesDevice *device);

/* ---- on the thread ---- */

/* Deletes what was discarded. */
void gst_gles_share_empty_trash (GstGlesShare *share);

/* Unbinds what submissions have left bound: there is nothing to do, and idle bindings would keep storage,
 * or something else is about to bind. */
void gst_gles_share_rest (GstGlesShare *share);

/* Asks the driver whether the GPU was reset: FALSE with DEVICE_LOST. */
gboolean gst_gles_share_check_reset (GstGlesShare *share, GError **error);

/* Reads limits, extensions, renderer and kind. Errors: INIT (OpenGL ES below 3.1). */
gboolean gst_gles_share_probe (GstGlesShare *share, GError **error);

/* Makes the context and makes it current, for good. Errors: INIT. */
gboolean gst_gles_share_make_context (GstGlesShare *share, GError **error);

/* The end of the thread: lets go of EGL, and destroys what it has made unless the process @exits. Other
 * threads may be in the middle of a frame then, with mapped memory of the context. */
void gst_gles_share_close (GstGlesShare *share, gboolean exits);

#endif
