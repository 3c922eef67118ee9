/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the results of all analysers have in common: arrays that arrive from a device. */
#ifndef GST_GLES_META_RESULT_H
#define GST_GLES_META_RESULT_H

#include <gst/gles/gl/late-reads.h>
#include <gst/gles/meta/frame-info.h>

G_BEGIN_DECLS

#define GST_GLES_RESULT_MAX_ARRAYS 3

/* An array of a result: @fixed_bytes, and @item_bytes for each item that the device has counted. */
typedef struct {
  const gchar *what; /* plural, for messages */
  gsize fixed_bytes, item_bytes;
  GstGlesReadback *readback; /* on its way to the host, or NULL; of a result with late reads: under
                              * the lock until it is set */
  GstGlesBuffer *buffer;     /* on the device, or NULL; under the lock */
  gconstpointer data;        /* once the result is ready; owned by the readback */
} GstGlesResultArray;

/* The beginning of every result. Its arrays come to the host together, or none does. */
typedef struct {
  GstMiniObject parent;
  GstGlesFrameInfo *frame; /* in the info of the result */
  guint n_arrays;
  GMutex lock;
  GstGlesResultArray arrays[GST_GLES_RESULT_MAX_ARRAYS];
  GstGlesBuffer *counts; /* a GstGlesResult on the device, or NULL; under the lock */
  /* nullable: brings what has no readback; without, that stays on the device */
  GstGlesLateReads *late;
  gboolean late_noted; /* under the lock: a reader has come */
  /* atomic; set when the next one and the data are, which do not change any more then */
  gint ready;
  GstGlesResult counted;
  /* nullable: changes what came, once and under the lock, before the result is ready */
  void (*finish) (gpointer result);
} GstGlesResultBase;

/* A type of results. */
typedef struct {
  gsize size_bytes;
  GType type;
  GstMiniObjectFreeFunction free_func;
} GstGlesResultType;

/* Makes a result of @type, whose other members are 0. Keeps references to what @arrays and @counts
 * name. gst_gles_result_set_info() must follow. */
gpointer gst_gles_result_new (const GstGlesResultType *type, const GstGlesResultArray *arrays,
    guint n_arrays, GstGlesBuffer *counts);
/* Copies @info, which begins with the frame, to @target in @result, and keeps its origin. */
void gst_gles_result_set_info (
    gpointer result, gpointer target, gconstpointer info, gsize size_bytes);
/* Has @late bring arrays that are on the device without a readback to the host when somebody waits
 * for them, asks whether they are ready, or lets their buffers go. Without it they stay on the
 * device. For who made @result, before others see it. */
GST_GLES_API void gst_gles_result_set_late_reads (gpointer result, GstGlesLateReads *late);
/* Drops what the base holds, and frees @result. */
void gst_gles_result_free (gpointer result);

gboolean gst_gles_result_is_ready (gpointer result);
/* As gst_gles_points_result_wait(). */
gboolean gst_gles_result_wait (gpointer result, guint64 timeout_ns, GError **error);
/* Waits for the arrays and returns the counts; zeros where they do not come. */
GstGlesResult gst_gles_result_get_counted (gpointer result);
/* (transfer full): what a caller passes, at an address that words of 64 bits can have. */
GBytes *gst_gles_result_align (GBytes *bytes);
/* (transfer full): @size_bytes from @data on, in an array of @result, which they keep. */
GBytes *gst_gles_result_get_bytes (gpointer result, gconstpointer data, gsize size_bytes);
/* (transfer full) (nullable): what is on the device. */
GstGlesBuffer *gst_gles_result_get_buffer (gpointer result, guint i);
GstGlesBuffer *gst_gles_result_get_counts (gpointer result);
/* Has the arrays come to the host and drops those on the device, unless they cannot come. */
GST_GLES_API void gst_gles_result_release_device (gpointer result);

/* Says that what the caller of a public constructor passed is wrong. */
#define gst_gles_result_refuse(error, ...)                                                         \
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID, __VA_ARGS__)

/* Stores @value where the caller of a getter asked for it. */
static inline void
gst_gles_result_tell (guint *target, guint value)
{
  if (target != NULL)
    *target = value;
}

/* Defines the functions that each public header declares for its GstGles##Name##Result, a structure
 * with the members base and info, which begins with the frame. */
#define GST_GLES_DEFINE_RESULT(Name, name)                                                         \
  GST_DEFINE_MINI_OBJECT_TYPE (GstGles##Name##Result, gst_gles_##name##_result);                   \
                                                                                                   \
  GstGles##Name##Result *gst_gles_##name##_result_ref (GstGles##Name##Result *result)              \
  {                                                                                                \
    g_return_val_if_fail (result != NULL, NULL);                                                   \
    return (GstGles##Name##Result *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (result));          \
  }                                                                                                \
  void gst_gles_##name##_result_unref (GstGles##Name##Result *result)                              \
  {                                                                                                \
    if (result != NULL)                                                                            \
      gst_mini_object_unref (GST_MINI_OBJECT_CAST (result));                                       \
  }                                                                                                \
  const GstGles##Name##Info *gst_gles_##name##_result_get_info (GstGles##Name##Result *result)     \
  {                                                                                                \
    g_return_val_if_fail (result != NULL, NULL);                                                   \
    return &result->info;                                                                          \
  }                                                                                                \
  const GstGlesFrameInfo *gst_gles_##name##_result_get_frame (GstGles##Name##Result *result)       \
  {                                                                                                \
    g_return_val_if_fail (result != NULL, NULL);                                                   \
    return &result->info.frame;                                                                    \
  }                                                                                                \
  gboolean gst_gles_##name##_result_is_ready (GstGles##Name##Result *result)                       \
  {                                                                                                \
    g_return_val_if_fail (result != NULL, FALSE);                                                  \
    return gst_gles_result_is_ready (result);                                                      \
  }                                                                                                \
  gboolean gst_gles_##name##_result_wait (                                                         \
      GstGles##Name##Result *result, guint64 timeout_ns, GError **error)                           \
  {                                                                                                \
    g_return_val_if_fail (result != NULL, FALSE);                                                  \
    return gst_gles_result_wait (result, timeout_ns, error);                                       \
  }

/* Likewise those of results whose items the device counts. */
#define GST_GLES_DEFINE_COUNTED_RESULT(Name, name)                                                 \
  GST_GLES_DEFINE_RESULT (Name, name)                                                              \
  guint64 gst_gles_##name##_result_get_total (GstGles##Name##Result *result)                       \
  {                                                                                                \
    g_return_val_if_fail (result != NULL, 0);                                                      \
    return gst_gles_result_get_counted (result).total;                                             \
  }                                                                                                \
  guint gst_gles_##name##_result_get_count (GstGles##Name##Result *result)                         \
  {                                                                                                \
    g_return_val_if_fail (result != NULL, 0);                                                      \
    return gst_gles_result_get_counted (result).count;                                             \
  }                                                                                                \
  gboolean gst_gles_##name##_result_is_truncated (GstGles##Name##Result *result)                   \
  {                                                                                                \
    GstGlesResult counted;                                                                         \
    g_return_val_if_fail (result != NULL, FALSE);                                                  \
    counted = gst_gles_result_get_counted (result);                                                \
    return counted.total > counted.count;                                                          \
  }                                                                                                \
  GstGlesBuffer *gst_gles_##name##_result_get_device_counts (GstGles##Name##Result *result)        \
  {                                                                                                \
    g_return_val_if_fail (result != NULL, NULL);                                                   \
    return gst_gles_result_get_counts (result);                                                    \
  }

G_END_DECLS

#endif
