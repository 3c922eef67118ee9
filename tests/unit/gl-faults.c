/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A driver whose calls fail. It does not hold the device's thread, and the error reaches the
 * submission that it belongs to and no other one. A buffer that the driver does not clear is not
 * given out. The device's thread binds only what is not bound already: after a failed call the next
 * submission, of another stream, must not believe that it is. */
#include <dlfcn.h>

#include <EGL/egl.h>
#include <gst/gles/gl/submission.h>

#include "gl-common.h"

#define N_WORDS 64

/* used on the device's thread, and by the test after that has reported its work: */
static guint fails_in; /* the call of those below that fails, from 1 on; 0: none */
static gboolean has_failed;
static GLenum gl_code = GL_INVALID_OPERATION;
static guint n_errors; /* that glGetError() reports, G_MAXUINT: for ever */
static guint n_asked;
static gboolean fails_copies, fails_fences;

/* ---- replaced functions, exported so that the library's calls arrive here ---- */

#pragma GCC visibility push(default)

static gboolean
is_due (void)
{
  if (fails_in == 0 || --fails_in > 0)
    return FALSE;
  has_failed = TRUE;
  gl_code = GL_OUT_OF_MEMORY;
  n_errors = 1;
  return TRUE;
}

#define REAL(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

#define STAND_IN(name, params, args)                                                               \
  GL_APICALL void GL_APIENTRY name params                                                          \
  {                                                                                                \
    if (!is_due ())                                                                                \
      REAL (name) args;                                                                            \
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
  __eglMustCastToProperFunctionPointerType proc = REAL (eglGetProcAddress) (name);

  if (!g_str_equal (name, "glTexBufferEXT"))
    return proc;
  real_tex_buffer = (PFNGLTEXBUFFEREXTPROC) proc;
  return (__eglMustCastToProperFunctionPointerType) tex_buffer;
}

GL_APICALL GLsync GL_APIENTRY
glFenceSync (GLenum condition, GLbitfield flags)
{
  n_errors += fails_fences;
  return fails_fences ? NULL : REAL (glFenceSync) (condition, flags);
}

GL_APICALL void GL_APIENTRY
glCopyBufferSubData (
    GLenum source, GLenum target, GLintptr source_offset, GLintptr target_offset, GLsizeiptr size)
{
  n_errors += fails_copies;
  if (!fails_copies)
    REAL (glCopyBufferSubData) (source, target, source_offset, target_offset, size);
}

GLenum
glGetError (void)
{
  n_asked++;
  if (n_errors == 0)
    return REAL (glGetError) ();
  if (n_errors != G_MAXUINT)
    n_errors--;
  return gl_code;
}

#pragma GCC visibility pop

/* ---- errors that a call leaves behind ---- */

/* On this thread, which has no context. */
static void
test_forget_errors (void)
{
  n_errors = G_MAXUINT;
  gst_gles_forget_gl_errors ();
  n_errors = 5;
  n_asked = 0;
  gst_gles_forget_gl_errors ();
  g_assert_cmpuint (n_errors, ==, 0);
  g_assert_cmpuint (n_asked, ==, 6);
}

static void
test_uncleared_buffer (void)
{
  gl_code = GL_INVALID_OPERATION;
  fails_copies = TRUE;
  assert_fails (gst_gles_buffer_new (device, 5000, &error), FAILED);
  fails_copies = FALSE;
  g_assert_cmpuint (n_errors, ==, 0);
  gst_gles_buffer_unref (new_buffer (5000));
}

/* A fence that fails leaves an error behind. The next submission, of another queue, must not get
 * it. */
static void
test_failing_fence (void)
{
  g_autoptr (GstGlesQueue) other = gst_gles_queue_new (device, NULL);
  g_autoptr (GstGlesBuffer) buffer = new_buffer (4);
  guint32 word = 5;

  fails_fences = TRUE;
  assert_ok (gst_gles_buffer_upload (buffer, queue, 0, &word, sizeof (word), &error));
  (void) gst_gles_buffer_download (buffer, queue, 0, &word, sizeof (word), NULL);
  fails_fences = FALSE;
  assert_ok (gst_gles_buffer_download (buffer, other, 0, &word, sizeof (word), &error));
  g_assert_cmpuint (word, ==, 5);
}

/* ---- failed bindings ---- */

static gboolean
set_fault (GstGlesShare *share, gpointer user_data, GError **failure)
{
  fails_in = GPOINTER_TO_UINT (user_data);
  return TRUE;
}

/* One of two streams, and what it works on. */
typedef struct {
  GstGlesQueue *queue;
  GstGlesBuffer *input, *output, *result;
} Stream;

/* output = input + the addend of @program, and result = output, in the open submission */
static void
add_and_copy (Stream *stream, GstGlesProgram *program, GstGlesBuffer *result)
{
  queue_add (stream->queue, program, stream->input, stream->output, N_WORDS, 1);
  assert_ok (gst_gles_queue_copy (stream->queue,
      &(GstGlesCopy){ .source = stream->output, .target = result, .size_bytes = 4 * N_WORDS },
      &error));
}

/* Queues submissions before the first is executed: one that binds other things, then one of each
 * stream. Call @number fails in these two, if at all. @is_open: an atomic flag. */
static void
queue_all (Stream *first, Stream *streams, gboolean shared, guint number, gint *is_open)
{
  g_autoptr (GstGlesProgram) other = add_program (5), program = add_program (3);

  assert_ok (gst_gles_queue_finish (queue, &error));
  assert_ok (gst_gles_queue_begin (first->queue, &error));
  gst_gles_queue_record_call (first->queue, wait_for_flag, is_open);
  add_and_copy (first, other, first->result);
  gst_gles_queue_record_call (first->queue, set_fault, GUINT_TO_POINTER (number));
  assert_ok (gst_gles_queue_end (first->queue, &error));
  for (guint i = 0; i < 2; i++) {
    Stream used = streams[shared ? 0 : i];

    used.queue = streams[i].queue;
    assert_ok (gst_gles_queue_begin (used.queue, &error));
    add_and_copy (&used, program, streams[i].result);
    assert_ok (gst_gles_queue_end (used.queue, &error));
  }
  assert_ok (gst_gles_queue_begin (first->queue, &error));
  gst_gles_queue_record_call (first->queue, set_fault, NULL);
  assert_ok (gst_gles_queue_end (first->queue, &error));
  g_atomic_int_set (is_open, TRUE);
}

/* Runs two streams, which use the same program, the same parameters and, if @shared, the same
 * buffers; call @number fails. Returns whether one has failed. */
static gboolean
run (guint number, gboolean shared)
{
  Stream streams[3]; /* and what is bound before them */
  gint is_open = FALSE;

  has_failed = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    streams[i] = (Stream){ gst_gles_queue_new (device, NULL), words (N_WORDS, i == 2 ? 1000 : 100),
      words (N_WORDS, 7), words (N_WORDS, 9) };
  queue_all (&streams[2], streams, shared, number, &is_open);
  gst_gles_queue_finish (streams[2].queue, NULL);
  for (guint i = 0; i < 2; i++) {
    if (gst_gles_queue_finish (streams[i].queue, NULL) &&
        !has_words (streams[i].result, N_WORDS, 103))
      g_error ("call %u failed; stream %u has a wrong result and no error", number, i);
  }
  for (guint i = 0; i < G_N_ELEMENTS (streams); i++) {
    gst_gles_buffer_unref (streams[i].input);
    gst_gles_buffer_unref (streams[i].output);
    gst_gles_buffer_unref (streams[i].result);
    gst_object_unref (streams[i].queue);
  }
  return has_failed;
}

static void
test_each_binding (void)
{
  for (guint shared = FALSE; shared <= TRUE; shared++) {
    guint number = 1;

    while (run (number, shared))
      number++;
    g_assert_cmpuint (number, >, 5);
  }
}

int
main (int argc, char **argv)
{
  gint status;

  device = gles_test_begin (&argc, &argv, FALSE);
  if (device == NULL)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  reads_texels = gst_gles_device_get_limits (device)->texel_buffer_texels > 0;
  g_test_add_func ("/gl-faults/forget-errors", test_forget_errors);
  g_test_add_func ("/gl-faults/uncleared-buffer", test_uncleared_buffer);
  g_test_add_func ("/gl-faults/failing-fence", test_failing_fence);
  g_test_add_func ("/gl-faults/each-binding", test_each_binding);
  status = g_test_run ();
  gst_clear_object (&device);
  return status;
}
