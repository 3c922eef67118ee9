/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state that a device object, its queues and its programs share: the thread with the OpenGL ES
 * context, and the properties of the driver. It lives as long as one of them holds a reference. The
 * last reference may be dropped on any thread, including the device's own. */
#ifndef GST_GLES_SHARE_H
#define GST_GLES_SHARE_H

#include <gst/gles/core/error.h>
#include <gst/gles/device/display.h>
#include <gst/gles/device/images.h>
#include <gst/gles/device/limits.h>
#include <gst/gles/device/vulkan.h>

typedef struct _GstGlesShare GstGlesShare;
typedef struct _GstGlesThread GstGlesThread;

/* The kind of object that a deferred deletion refers to. */
typedef enum {
  GST_GLES_TRASH_BUFFER,
  GST_GLES_TRASH_PROGRAM,
  GST_GLES_TRASH_TEXTURE,
  GST_GLES_TRASH_MEMORY, /* a memory object */
  GST_GLES_TRASH_IMAGE,  /* an EGL image */
  GST_GLES_TRASH_SYNC    /* a sync of EGL */
} GstGlesTrashKind;

typedef struct {
  GstGlesTrashKind kind;
  guint name;
  gpointer object; /* of EGL, instead of name */
} GstGlesTrash;

/* The allocator of buffers that only the device uses. */
typedef enum {
  GST_GLES_MEMORY_GL,
  GST_GLES_MEMORY_LARGE_VULKAN, /* Vulkan for large buffers; GL for others and if Vulkan fails */
  GST_GLES_MEMORY_VULKAN        /* tests: Vulkan for all buffers; an error if it fails */
} GstGlesMemory;

/* What gl/engine.c found. */
typedef enum {
  GST_GLES_ENGINE_UNKNOWN,
  GST_GLES_ENGINE_USED,
  GST_GLES_ENGINE_NONE
} GstGlesEngine;

struct _GstGlesShare {
  gint ref_count;
  GstGlesDeviceKind kind;
  gchar *id;
  gchar *description;
  gchar *renderer, *version; /* as GL reports them; NULL on cpu */
  GstGlesLimits limits;
  GstGlesImageSupport images;
  gint lost;             /* atomic */
  GstGlesThread *thread; /* NULL on cpu */

  /* used on the device's thread only: */
  GstGlesDisplay *display;
  EGLContext context;
  gpointer replay; /* owned by gl/replay.c, made with the first work */
  void (*replay_unbind) (gpointer replay);
  GDestroyNotify replay_free;
  guint64 n_batches;    /* counts those of gl/batch.c */
  guint zeros;          /* a buffer of gl/buffer.c, or 0 */
  gboolean takes_turns; /* see driver.h */

  GMutex lock;
  GArray *trash;        /* of GstGlesTrash: objects that the thread will delete */
  GHashTable *programs; /* cache of gl/program.c; emptied when the device object is destroyed */
  gboolean closed;      /* the device object is destroyed */

  guint64 buffer_bytes; /* atomic: storage of buffers */

  /* of gl/engine.c: */
  gint engine;          /* atomic: a GstGlesEngine */
  gint n_host_frames;   /* atomic */
  GCond searched;       /* with lock */
  gboolean searches;    /* protected by lock */
  gint engine_measures; /* atomic; changed with lock */

  GstGlesMemory memory;
  GstGlesUuids uuids;     /* with limits.memory_objects */
  GMutex vulkan_lock;     /* protects the fields below */
  GstGlesVulkan *vulkan;  /* opened by gst_gles_share_get_vulkan() */
  GError *vulkan_error;   /* the reason why it could not be opened */
  gboolean vulkan_warned; /* the fallback of large buffers to GL was logged */
};

/* Make the share of the cpu device, or of the device that @spec names: a path, "egl:N" or
 * "surfaceless". Wait until the device is open. Errors: as gst_gles_device_new(). */
GstGlesShare *gst_gles_share_new_cpu (void);
GstGlesShare *gst_gles_share_new_gl (const gchar *spec, GError **error);
GstGlesShare *gst_gles_share_ref (GstGlesShare *share);
void gst_gles_share_unref (GstGlesShare *share);

/* Whether the device has OpenGL ES, and therefore a thread. */
gboolean gst_gles_share_is_gl (GstGlesShare *share);

/* Queues objects for deletion on the device's thread, in their order; those without a name or an
 * object are skipped. Thread: any. */
void gst_gles_share_discard (GstGlesShare *share, const GstGlesTrash *items, guint n_items);

/* Sets the flag, logs @reason the first time, and wakes all waiters. Thread: any. */
void gst_gles_share_mark_lost (GstGlesShare *share, const gchar *reason);

/* Returns the Vulkan device (transfer none), which the first call opens; or NULL with @error, the
 * same each time. Thread: any. The first call can take 100 ms. */
GstGlesVulkan *gst_gles_share_get_vulkan (GstGlesShare *share, GError **error);

/* Returns FALSE with DEVICE_LOST if the device is lost. */
gboolean gst_gles_share_check (GstGlesShare *share, GError **error);

/* ---- on the device's thread ---- */

/* Deletes the queued objects. Returns whether there were any. */
gboolean gst_gles_share_empty_trash (GstGlesShare *share);

/* Unbinds everything that submissions left bound. Called when the thread is idle, since bindings
 * keep the storage of deleted buffers alive, and before other code binds objects. */
void gst_gles_share_unbind (GstGlesShare *share);

/* Asks the driver whether the GPU was reset; returns FALSE with DEVICE_LOST if so. */
gboolean gst_gles_share_check_reset (GstGlesShare *share, GError **error);

/* Reads limits, extensions, renderer and kind. Errors: INIT (OpenGL ES below 3.1). */
gboolean gst_gles_share_probe (GstGlesShare *share, GError **error);

/* Makes the context and makes it current on this thread until gst_gles_share_close(). Errors:
 * INIT. */
gboolean gst_gles_share_make_context (GstGlesShare *share, GError **error);

/* Releases EGL at the end of the thread, and destroys its objects unless the process @exits: then
 * another thread may still be writing to mapped memory of the context. */
void gst_gles_share_close (GstGlesShare *share, gboolean exits);

#endif
