/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that gleshistogram imports: textures of a GstGLContext and DMABufs. Who waits for what was
 * drawn, how long the images of a memory live, and which images belong to it. */
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <gst/allocators/allocators.h>
#include <gst/gl/gl.h>

#include "config.h"
#include "gleshistogram-common.h"

#if HAVE_GBM
#include <gbm.h>
#endif

#define WIDTH 64
#define HEIGHT 48

/* ---- functions of EGL, counted ---- */

/* Defines a function that counts its calls that succeed. */
#define COUNT(type, name, parameters, arguments)                                                   \
  static gint n_##name; /* atomic */                                                               \
  static type (*real_##name) parameters;                                                           \
                                                                                                   \
  static type EGLAPIENTRY name parameters                                                          \
  {                                                                                                \
    const type result = real_##name arguments;                                                     \
                                                                                                   \
    g_atomic_int_add (&n_##name, result != 0 ? 1 : 0);                                             \
    return result;                                                                                 \
  }

COUNT (EGLImageKHR, create,
    (EGLDisplay display, EGLContext context, EGLenum target, EGLClientBuffer buffer,
        const EGLint *attributes),
    (display, context, target, buffer, attributes))
COUNT (EGLBoolean, destroy, (EGLDisplay display, EGLImageKHR image), (display, image))
COUNT (EGLint, wait_on_device, (EGLDisplay display, EGLSyncKHR sync, EGLint flags),
    (display, sync, flags))
COUNT (EGLint, wait_on_host,
    (EGLDisplay display, EGLSyncKHR sync, EGLint flags, EGLTimeKHR timeout),
    (display, sync, flags, timeout))

typedef void (*Proc) (void);

static const struct {
  const gchar *name;
  Proc *real;
  Proc counted;
} counted[] = {
  { "eglCreateImageKHR", (Proc *) &real_create, (Proc) create },
  { "eglDestroyImageKHR", (Proc *) &real_destroy, (Proc) destroy },
  { "eglWaitSyncKHR", (Proc *) &real_wait_on_device, (Proc) wait_on_device },
  { "eglClientWaitSyncKHR", (Proc *) &real_wait_on_host, (Proc) wait_on_host },
};

/* Functions of the program take precedence over those of libEGL, for calls of the library too. */
__attribute__ ((visibility ("default"))) EGLAPI Proc EGLAPIENTRY
eglGetProcAddress (const char *name)
{
  Proc (*real) (const char *) = (Proc (*) (const char *)) dlsym (RTLD_NEXT, "eglGetProcAddress");
  Proc proc = real (name);

  for (guint i = 0; proc != NULL && i < G_N_ELEMENTS (counted); i++) {
    if (g_str_equal (name, counted[i].name)) {
      *counted[i].real = proc;
      return counted[i].counted;
    }
  }
  return proc;
}

/* ---- textures ---- */

static GstGLContext *context;

static void
setup (void)
{
  g_autoptr (GError) error = NULL;
  GstGLDisplay *display = gst_gl_display_new ();

  gst_gl_memory_init_once ();
  GST_OBJECT_LOCK (display);
  gst_gl_display_create_context (display, NULL, &context, &error);
  GST_OBJECT_UNLOCK (display);
  test_no_error (error);
  gst_object_unref (display);
}

static void
teardown (void)
{
  gst_clear_object (&context);
}

#define GL_CAPS(format)                                                                            \
  "video/x-raw(memory:GLMemory),format=" #format ",width=64,height=48,framerate=25/1,"             \
  "texture-target=2D"

/* A frame of noise in new textures: (transfer full). Its pixels come to them with its first reader,
 * as glupload leaves them. */
static GstBuffer *
gl_frame_new (GstVideoInfo *info, guint32 seed)
{
  GstBuffer *noise = test_frame_noise (info, seed);
  GstBuffer *buffer = gst_buffer_new ();
  GstGLMemoryAllocator *allocator = gst_gl_memory_allocator_get_default (context);
  GstGLVideoAllocationParams *params = gst_gl_video_allocation_params_new (
      context, NULL, info, 0, NULL, GST_GL_TEXTURE_TARGET_2D, GST_GL_R8);
  GstVideoFrame from, to;

  fail_unless (gst_gl_memory_setup_buffer (allocator, buffer, params, NULL, NULL, 0));
  fail_unless (gst_video_frame_map (&from, info, noise, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&to, info, buffer, GST_MAP_WRITE));
  fail_unless (gst_video_frame_copy (&to, &from));
  gst_video_frame_unmap (&to);
  gst_video_frame_unmap (&from);
  gst_buffer_unref (noise);
  gst_gl_allocation_params_free ((GstGLAllocationParams *) params);
  gst_object_unref (allocator);
  return buffer;
}

/* Pushes @buffer (transfer full), whose result must be right, and returns it: (transfer full). */
static GstBuffer *
push (TestStream *stream, GstBuffer *buffer)
{
  const guint64 number = stream->n_pushed;

  buffer = test_stream_push (stream, buffer);
  test_check_buffer (buffer, &stream->info, &(TestConfig){ 0 }, number, "imported");
  fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-imported"), number + 1);
  return buffer;
}

/* Frees @stream and then the frames in @held, with which all images go. */
static void
end (TestStream *stream, GPtrArray *held)
{
  test_stream_free (stream);
  g_ptr_array_unref (held);
  fail_unless_equals_int (g_atomic_int_get (&n_create), g_atomic_int_get (&n_destroy));
}

static void
remove_result (GstBuffer *buffer)
{
  gst_buffer_remove_meta (buffer, (GstMeta *) gst_buffer_get_gles_histogram_meta (buffer));
}

/* ---- who waits for what was drawn ---- */

static gint n_meta_waits, n_meta_host_waits;

static void
count_wait (GstGLSyncMeta *meta, GstGLContext *waiting)
{
  fail_unless (waiting == context);
  n_meta_waits++;
}

static void
count_host_wait (GstGLSyncMeta *meta, GstGLContext *waiting)
{
  n_meta_host_waits++;
}

static void
nothing_to_free (GstGLSyncMeta *meta, GstGLContext *owner)
{
}

/* The context waits for what the meta stands for, and the device for the context. The host waits
 * for neither, except for a software device, whose threads are the host's. */
GST_START_TEST (test_sync)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, GL_CAPS (GRAY8));
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (test_device (), NULL);
  const gboolean hardware = gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE;

  n_meta_waits = n_meta_host_waits = 0;
  g_atomic_int_set (&n_wait_on_device, 0);
  g_atomic_int_set (&n_wait_on_host, 0);
  for (guint i = 0; i < 5; i++) {
    GstBuffer *buffer = gl_frame_new (&stream->info, i);
    GstGLSyncMeta *meta = gst_buffer_add_gl_sync_meta_full (context, buffer, NULL);

    meta->wait_gl = count_wait;
    meta->wait_cpu_gl = count_host_wait;
    meta->free = nothing_to_free;
    gst_buffer_unref (push (stream, buffer));
  }
  fail_unless_equals_int (n_meta_waits, 5);
  fail_unless_equals_int (n_meta_host_waits, 0);
  fail_unless_equals_int (g_atomic_int_get (&n_wait_on_device), hardware ? 5 : 0);
  fail_unless_equals_int (g_atomic_int_get (&n_wait_on_host), hardware ? 0 : 5);
}

GST_END_TEST;

/* ---- how long images live ---- */

/* A memory has one image for each plane, however often it comes, and loses it when it is freed,
 * while the stream goes on. */
GST_START_TEST (test_images_go_with_memory)
{
  TestStream *stream = test_stream_new (NULL, GL_CAPS (I420));
  const gint made = g_atomic_int_get (&n_create);
  const gint before = made - g_atomic_int_get (&n_destroy);
  GstBuffer *buffer = gl_frame_new (&stream->info, 7);

  for (guint i = 0; i < 4; i++) {
    buffer = push (stream, buffer);
    remove_result (buffer);
    fail_unless_equals_int (g_atomic_int_get (&n_create) - made, 3);
  }
  gst_buffer_unref (buffer);
  for (guint i = 4; i < 6; i++)
    gst_buffer_unref (push (stream, gl_frame_new (&stream->info, i)));
  /* what the last frame's memory had may still wait for the device's thread */
  fail_unless (g_atomic_int_get (&n_create) - g_atomic_int_get (&n_destroy) <= before + 3);
  end (stream, g_ptr_array_new ());
}

GST_END_TEST;

/* An application that keeps every frame: all are imported, and nothing waits. They outlive the
 * element and the device. */
GST_START_TEST (test_held_for_ever)
{
  GPtrArray *held = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_mini_object_unref);
  TestStream *stream = test_stream_new (NULL, GL_CAPS (NV12));

  for (guint i = 0; i < 100; i++)
    g_ptr_array_add (held, push (stream, gl_frame_new (&stream->info, i)));
  fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-copied"), 0);
  end (stream, held);
}

GST_END_TEST;

/* ---- DMABufs ---- */

#if HAVE_GBM

/* A buffer object of @node whose samples are all @value. Returns its descriptor. */
static gint
dmabuf_new (struct gbm_device *gbm, guint8 value, guint32 *stride)
{
  struct gbm_bo *bo =
      gbm_bo_create (gbm, WIDTH, HEIGHT, GBM_FORMAT_R8, GBM_BO_USE_RENDERING | GBM_BO_USE_LINEAR);
  guint32 mapped_stride;
  gpointer mapping = NULL;
  guint8 *at;
  gint fd;

  fail_unless (bo != NULL);
  at = gbm_bo_map (bo, 0, 0, WIDTH, HEIGHT, GBM_BO_TRANSFER_WRITE, &mapped_stride, &mapping);
  fail_unless (at != NULL);
  for (guint y = 0; y < HEIGHT; y++)
    memset (at + y * mapped_stride, value, WIDTH);
  gbm_bo_unmap (bo, mapping);
  *stride = gbm_bo_get_stride (bo);
  fd = gbm_bo_get_fd (bo);
  gbm_bo_destroy (bo);
  return fd;
}

/* Pushes @buffer, whose samples must all be @value, and returns it. */
static GstBuffer *
push_dmabuf (TestStream *stream, GstBuffer *buffer, guint value)
{
  g_autoptr (GstGlesHistogramResult) result = NULL;
  guint n;

  buffer = test_stream_push (stream, buffer);
  result = gst_gles_histogram_result_from_buffer (buffer);
  fail_unless_equals_int (
      gst_gles_histogram_result_get_counts (result, 0, 0, &n, NULL)[value], WIDTH * HEIGHT);
  remove_result (buffer);
  return buffer;
}

/* The number of a descriptor is used again for another DMABuf, which the inode tells. */
GST_START_TEST (test_descriptor_used_again)
{
  const gint node = open (g_getenv ("GLES_TEST_DMABUF_NODE"), O_RDWR | O_CLOEXEC);
  struct gbm_device *gbm = gbm_create_device (node);
  TestStream *stream =
      test_stream_new (NULL, "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1");
  GstAllocator *allocator = gst_dmabuf_allocator_new ();
  const gint made = g_atomic_int_get (&n_create);
  GstBuffer *buffer = gst_buffer_new ();
  guint32 stride, other_stride;
  gint fd = dmabuf_new (gbm, 10, &stride);
  gint other = dmabuf_new (gbm, 200, &other_stride);

  fail_unless_equals_int (stride, other_stride);
  gst_buffer_append_memory (buffer, gst_dmabuf_allocator_alloc (allocator, fd, stride * HEIGHT));
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, WIDTH,
      HEIGHT, 1, (gsize[GST_VIDEO_MAX_PLANES]){ 0 }, (gint[GST_VIDEO_MAX_PLANES]){ (gint) stride });
  buffer = push_dmabuf (stream, buffer, 10);
  buffer = push_dmabuf (stream, buffer, 10);
  fail_unless_equals_int (g_atomic_int_get (&n_create) - made, 1);
  fail_unless_equals_int (dup2 (other, fd), fd);
  buffer = push_dmabuf (stream, buffer, 200);
  fail_unless_equals_int (g_atomic_int_get (&n_create) - made, 2);
  fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-imported"), 3);
  gst_buffer_unref (buffer);
  gst_object_unref (allocator);
  end (stream, g_ptr_array_new ());
  close (other);
  gbm_device_destroy (gbm);
  close (node);
}

GST_END_TEST;

#endif

static Suite *
frames_imported_suite (void)
{
  Suite *suite = suite_create ("frames-imported");
  TCase *textures = tcase_create ("textures");

  tcase_add_checked_fixture (textures, setup, teardown);
  tcase_add_test (textures, test_sync);
  tcase_add_test (textures, test_images_go_with_memory);
  tcase_add_test (textures, test_held_for_ever);
  suite_add_tcase (suite, textures);
#if HAVE_GBM
  if (g_getenv ("GLES_TEST_DMABUF_NODE") != NULL) {
    TCase *dmabufs = tcase_create ("dmabufs");

    tcase_add_test (dmabufs, test_descriptor_used_again);
    suite_add_tcase (suite, dmabufs);
  }
#endif
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, frames_imported_suite);
}
