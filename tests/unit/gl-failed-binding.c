/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A call that binds something fails in the submission of one stream. The device's thread binds only
 * what is not bound already, so the next submission, of another stream, must not believe that it
 * is. */
#include <dlfcn.h>

#include <EGL/egl.h>
#include <gst/check/gstcheck.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/program.h>
#include <gst/gles/gl/submission.h>

#include "gles-test.h"

#define N_WORDS 64

/* used on the device's thread, and by the test after that has reported its work: */
static guint fails_in; /* the call that fails, from 1 on; 0: none */
static gboolean has_failed;
static GLenum gl_code;

/* ---- replaced functions, exported so that the library's calls arrive here ---- */

#pragma GCC visibility push(default)

static gboolean
is_due (void)
{
  if (fails_in == 0 || --fails_in > 0)
    return FALSE;
  has_failed = TRUE;
  gl_code = GL_OUT_OF_MEMORY;
  return TRUE;
}

#define STAND_IN(name, params, args)                                                               \
  GL_APICALL void GL_APIENTRY name params                                                          \
  {                                                                                                \
    __typeof__ (&name) real = (__typeof__ (&name)) dlsym (RTLD_NEXT, #name);                       \
                                                                                                   \
    if (!is_due ())                                                                                \
      real args;                                                                                   \
  }

STAND_IN (glBindBufferRange,
    (GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size),
    (target, index, buffer, offset, size))
STAND_IN (glBindBuffer, (GLenum target, GLuint buffer), (target, buffer))
STAND_IN (glUseProgram, (GLuint program), (program))

static PFNGLTEXBUFFEREXTPROC real_tex_buffer;

static void GL_APIENTRY
tex_buffer (GLenum target, GLenum format, GLuint buffer)
{
  if (!is_due ())
    real_tex_buffer (target, format, buffer);
}

__eglMustCastToProperFunctionPointerType
eglGetProcAddress (const char *name)
{
  __typeof__ (&eglGetProcAddress) real =
      (__typeof__ (&eglGetProcAddress)) dlsym (RTLD_NEXT, "eglGetProcAddress");
  __eglMustCastToProperFunctionPointerType proc = real (name);

  if (!g_str_equal (name, "glTexBufferEXT"))
    return proc;
  real_tex_buffer = (PFNGLTEXBUFFEREXTPROC) proc;
  return (__eglMustCastToProperFunctionPointerType) tex_buffer;
}

GLenum
glGetError (void)
{
  PFNGLGETERRORPROC real = (PFNGLGETERRORPROC) dlsym (RTLD_NEXT, "glGetError");
  const GLenum code = gl_code;

  gl_code = GL_NO_ERROR;
  return code != GL_NO_ERROR ? code : real ();
}

#pragma GCC visibility pop

/* ---- the test ---- */

typedef struct {
  guint n, factor, pad[2];
} Params;

static GstGlesDevice *device;

/* Whether inputs are buffer textures. */
static gboolean
reads_texels (void)
{
  return gst_gles_device_get_limits (device)->texel_buffer_texels > 0;
}

static GstGlesProgram *
add_program (GstGlesQueue *queue, gint64 addend)
{
  const GstGlesProgramSpec spec = { .kernel = "test_add",
    .local_size = { N_WORDS, 1, 1 },
    .n_storage = 2,
    .texels = reads_texels (),
    .defines = { { "ADDEND", addend } } };
  GError *error = NULL;
  GstGlesProgram *program = gst_gles_program_get (queue, &spec, &error);

  fail_unless (program != NULL, "%s", error != NULL ? error->message : "");
  return program;
}

/* A buffer of N_WORDS words, each @value. */
static GstGlesBuffer *
words (GstGlesQueue *queue, guint32 value)
{
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, 4 * N_WORDS, NULL);
  guint32 values[N_WORDS];

  for (guint i = 0; i < N_WORDS; i++)
    values[i] = value;
  fail_unless (gst_gles_buffer_upload (buffer, queue, 0, values, sizeof (values), NULL));
  return buffer;
}

/* output = input + the addend of @program, and result = output, in the open submission */
static void
add_and_copy (GstGlesQueue *queue, GstGlesProgram *program, GstGlesBuffer *input,
    GstGlesBuffer *output, GstGlesBuffer *result)
{
  const Params params = { N_WORDS, 1, { 0 } };
  const guint reads = GST_GLES_READ | (reads_texels () ? GST_GLES_TEXELS : 0);
  const GstGlesBinding bindings[] = { { input, 0, 0, reads },
    { output, 0, 0, GST_GLES_READ_WRITE } };
  const guint groups[3] = { 1, 1, 1 };

  fail_unless (gst_gles_queue_dispatch (queue, program, bindings, G_N_ELEMENTS (bindings), &params,
      sizeof (params), groups, GST_GLES_DISPATCH_NONE, NULL));
  fail_unless (gst_gles_queue_copy (queue, output, 0, result, 0, 4 * N_WORDS, NULL));
}

/* What holds the device's thread until further submissions are queued. */
typedef struct {
  gint is_open; /* atomic */
  guint fails_in;
} Gate;

static gboolean
pass_gate (GstGlesShare *share, gpointer user_data, GError **error)
{
  Gate *gate = user_data;

  while (!g_atomic_int_get (&gate->is_open))
    g_usleep (100);
  return TRUE;
}

static gboolean
arm (GstGlesShare *share, gpointer user_data, GError **error)
{
  fails_in = ((Gate *) user_data)->fails_in;
  return TRUE;
}

static gboolean
disarm (GstGlesShare *share, gpointer user_data, GError **error)
{
  fails_in = 0;
  return TRUE;
}

/* Whether all words of @buffer are @value. */
static gboolean
has_words (GstGlesQueue *queue, GstGlesBuffer *buffer, guint32 value)
{
  guint32 values[N_WORDS];
  gboolean same = TRUE;

  fail_unless (gst_gles_buffer_download (buffer, queue, 0, values, sizeof (values), NULL));
  for (guint i = 0; i < N_WORDS; i++)
    same = same && values[i] == value;
  return same;
}

/* One of two streams, and what it works on. */
typedef struct {
  GstGlesQueue *queue;
  GstGlesBuffer *input, *output, *result;
} Stream;

static void
stream_init (Stream *stream, GstGlesQueue *queue)
{
  stream->queue = gst_gles_queue_new (device, NULL);
  stream->input = words (queue, 100);
  stream->output = words (queue, 7);
  stream->result = words (queue, 9);
}

static void
stream_finish (Stream *stream)
{
  gst_gles_buffer_unref (stream->input);
  gst_gles_buffer_unref (stream->output);
  gst_gles_buffer_unref (stream->result);
  gst_object_unref (stream->queue);
}

/* Queues submissions before the first is executed: one that binds other things, then one of each
 * stream. A call fails in these two, if at all. */
static void
queue_all (GstGlesQueue *first, Stream *streams, gboolean shared, Gate *gate)
{
  g_autoptr (GstGlesProgram) other = add_program (first, 5);
  g_autoptr (GstGlesProgram) program = add_program (first, 3);
  g_autoptr (GstGlesBuffer) other_input = words (first, 1000);
  g_autoptr (GstGlesBuffer) spare = words (first, 0);
  g_autoptr (GstGlesBuffer) rest = words (first, 0);

  fail_unless (gst_gles_queue_finish (first, NULL));
  fail_unless (gst_gles_queue_begin (first, NULL));
  gst_gles_queue_record_call (first, pass_gate, gate);
  add_and_copy (first, other, other_input, spare, rest);
  gst_gles_queue_record_call (first, arm, gate);
  fail_unless (gst_gles_queue_end (first, NULL));
  for (guint i = 0; i < 2; i++) {
    const Stream *used = &streams[shared ? 0 : i];

    fail_unless (gst_gles_queue_begin (streams[i].queue, NULL));
    add_and_copy (streams[i].queue, program, used->input, used->output, streams[i].result);
    fail_unless (gst_gles_queue_end (streams[i].queue, NULL));
  }
  fail_unless (gst_gles_queue_begin (first, NULL));
  gst_gles_queue_record_call (first, disarm, NULL);
  fail_unless (gst_gles_queue_end (first, NULL));
  g_atomic_int_set (&gate->is_open, TRUE);
}

/* Runs two streams, which use the same program, the same parameters and, if @shared, the same
 * buffers; call @number fails. Returns whether one has failed. */
static gboolean
run (guint number, gboolean shared)
{
  g_autoptr (GstGlesQueue) first = gst_gles_queue_new (device, NULL);
  Gate gate = { FALSE, number };
  Stream streams[2];

  has_failed = FALSE;
  for (guint i = 0; i < 2; i++)
    stream_init (&streams[i], first);
  queue_all (first, streams, shared, &gate);
  gst_gles_queue_finish (first, NULL);
  for (guint i = 0; i < 2; i++) {
    if (gst_gles_queue_finish (streams[i].queue, NULL))
      fail_unless (has_words (first, streams[i].result, 103),
          "call %u failed; stream %u has a wrong result and no error", number, i);
  }
  for (guint i = 0; i < 2; i++)
    stream_finish (&streams[i]);
  return has_failed;
}

GST_START_TEST (test_each_call)
{
  guint number = 1;

  while (run (number, __i__))
    number++;
  fail_unless (number > 5, "only %u calls", number);
}

GST_END_TEST;

static Suite *
gl_failed_binding_suite (void)
{
  Suite *suite = suite_create ("gl-failed-binding");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_each_call, FALSE, TRUE + 1);
  return suite;
}

int
main (int argc, char **argv)
{
  gint status;

  gst_check_init (&argc, &argv);
  device = gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  status = gst_check_run_suite (gl_failed_binding_suite (), "gl-failed-binding", __FILE__);
  gst_clear_object (&device);
  return status;
}
