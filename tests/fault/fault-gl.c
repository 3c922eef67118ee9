/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Wraps EGL and OpenGL ES functions that the library calls by name or by pointer. A failing call
 * does nothing, and the next query of the error state returns an error. */
#include "fault.h"

#include <string.h>

/* exported by the program, so that the library's calls arrive here */
#pragma GCC visibility push(default)
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

static GLenum gl_error;
static EGLint egl_error;

/* ---- calls by name ---- */

#define STAND_IN(type, name, params, args, failure)                                                \
  FAULT_STAND_IN (type, name, params, args, fault_is_due (#name), failure)

#define FAIL_GL(value)                                                                             \
  gl_error = GL_OUT_OF_MEMORY;                                                                     \
  return value
#define FAIL_EGL(value)                                                                            \
  egl_error = EGL_BAD_ALLOC;                                                                       \
  return value

#define GL_VOID(name, params, args) STAND_IN (void, name, params, args, FAIL_GL ())
#define GL_MAKES(type, name, params, args) STAND_IN (type, name, params, args, FAIL_GL (0))
/* names that stay 0 */
#define GL_NAMES(name)                                                                             \
  STAND_IN (void, name, (GLsizei n, GLuint * names), (n, names),                                   \
            memset (names, 0, (size_t) n * sizeof (*names));                                       \
            FAIL_GL ())

STAND_IN (EGLBoolean, eglBindAPI, (EGLenum api), (api), FAIL_EGL (EGL_FALSE))
/* A new context has no error: one of a context that was lost and destroyed does not outlive it. */
EGLContext
eglCreateContext (EGLDisplay display, EGLConfig config, EGLContext shared, const EGLint *attributes)
{
  static __typeof__ (eglCreateContext) *real;

  if (fault_is_due ("eglCreateContext")) {
    FAIL_EGL (EGL_NO_CONTEXT);
  }
  gl_error = GL_NO_ERROR;
  if (real == NULL)
    real = fault_real ("eglCreateContext");
  return real (display, config, shared, attributes);
}

STAND_IN (EGLBoolean, eglDestroyContext, (EGLDisplay display, EGLContext context),
    (display, context), FAIL_EGL (EGL_FALSE))
STAND_IN (EGLBoolean, eglInitialize, (EGLDisplay display, EGLint *major, EGLint *minor),
    (display, major, minor), FAIL_EGL (EGL_FALSE))
STAND_IN (EGLBoolean, eglMakeCurrent,
    (EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context),
    (display, draw, read, context), FAIL_EGL (EGL_FALSE))
STAND_IN (const char *, eglQueryString, (EGLDisplay display, EGLint name), (display, name),
    FAIL_EGL (NULL))
STAND_IN (EGLBoolean, eglReleaseThread, (void), (), FAIL_EGL (EGL_FALSE))

GL_VOID (glActiveTexture, (GLenum texture), (texture))
GL_VOID (glAttachShader, (GLuint program, GLuint shader), (program, shader))
GL_VOID (glBindBuffer, (GLenum target, GLuint name), (target, name))
GL_VOID (glBindBufferBase, (GLenum target, GLuint index, GLuint name), (target, index, name))
GL_VOID (glBindBufferRange,
    (GLenum target, GLuint index, GLuint name, GLintptr offset, GLsizeiptr size),
    (target, index, name, offset, size))
GL_VOID (glBindTexture, (GLenum target, GLuint name), (target, name))
GL_VOID (glBufferData, (GLenum target, GLsizeiptr size, const void *data, GLenum usage),
    (target, size, data, usage))
GL_VOID (glBufferSubData, (GLenum target, GLintptr offset, GLsizeiptr size, const void *data),
    (target, offset, size, data))
STAND_IN (GLenum, glClientWaitSync, (GLsync sync, GLbitfield flags, GLuint64 timeout),
    (sync, flags, timeout), return fault_is_late () ? GL_TIMEOUT_EXPIRED : GL_WAIT_FAILED)
GL_VOID (glCompileShader, (GLuint shader), (shader))
GL_VOID (glCopyBufferSubData,
    (GLenum from, GLenum to, GLintptr read, GLintptr write, GLsizeiptr size),
    (from, to, read, write, size))
GL_MAKES (GLuint, glCreateProgram, (void), ())
GL_MAKES (GLuint, glCreateShader, (GLenum type), (type))
GL_VOID (glDeleteBuffers, (GLsizei n, const GLuint *names), (n, names))
GL_VOID (glDeleteProgram, (GLuint name), (name))
GL_VOID (glDeleteQueries, (GLsizei n, const GLuint *names), (n, names))
GL_VOID (glDeleteShader, (GLuint name), (name))
GL_VOID (glDeleteSync, (GLsync sync), (sync))
GL_VOID (glDeleteTextures, (GLsizei n, const GLuint *names), (n, names))
GL_VOID (glDispatchCompute, (GLuint x, GLuint y, GLuint z), (x, y, z))
GL_VOID (glDispatchComputeIndirect, (GLintptr offset), (offset))
GL_VOID (glEnable, (GLenum what), (what))
GL_MAKES (GLsync, glFenceSync, (GLenum condition, GLbitfield flags), (condition, flags))
GL_VOID (glFinish, (void), ())
GL_VOID (glFlush, (void), ())
GL_NAMES (glGenBuffers)
GL_NAMES (glGenQueries)
GL_NAMES (glGenTextures)
GL_VOID (glGetInteger64v, (GLenum what, GLint64 *value), (what, value))
GL_VOID (glGetIntegeri_v, (GLenum what, GLuint index, GLint *value), (what, index, value))
GL_VOID (glGetIntegerv, (GLenum what, GLint *value), (what, value))
GL_VOID (glGetProgramBinary,
    (GLuint program, GLsizei size, GLsizei *length, GLenum *format, void *binary),
    (program, size, length, format, binary))
GL_VOID (glGetProgramInfoLog, (GLuint program, GLsizei size, GLsizei *length, GLchar *log),
    (program, size, length, log))
GL_VOID (glGetProgramiv, (GLuint program, GLenum what, GLint *value), (program, what, value))
GL_VOID (glGetShaderInfoLog, (GLuint shader, GLsizei size, GLsizei *length, GLchar *log),
    (shader, size, length, log))
GL_VOID (glGetShaderiv, (GLuint shader, GLenum what, GLint *value), (shader, what, value))
GL_MAKES (const GLubyte *, glGetString, (GLenum what), (what))
GL_VOID (glLinkProgram, (GLuint program), (program))
GL_MAKES (void *, glMapBufferRange,
    (GLenum target, GLintptr offset, GLsizeiptr size, GLbitfield access),
    (target, offset, size, access))
GL_VOID (glMemoryBarrier, (GLbitfield barriers), (barriers))
GL_VOID (glProgramBinary, (GLuint program, GLenum format, const void *binary, GLsizei size),
    (program, format, binary, size))
GL_VOID (glProgramParameteri, (GLuint program, GLenum what, GLint value), (program, what, value))
GL_VOID (glShaderSource,
    (GLuint shader, GLsizei n, const GLchar *const *strings, const GLint *lengths),
    (shader, n, strings, lengths))
GL_MAKES (GLboolean, glUnmapBuffer, (GLenum target), (target))
GL_VOID (glUseProgram, (GLuint program), (program))

/* ---- errors ---- */

/* A query that fails returns @failure; the next one after a failed call returns its @error. */
#define QUERY(type, name, error, none, failure)                                                    \
  type name (void)                                                                                 \
  {                                                                                                \
    static __typeof__ (name) *real;                                                                \
    const type last = error;                                                                       \
                                                                                                   \
    error = none;                                                                                  \
    if (fault_is_due (#name))                                                                      \
      return failure;                                                                              \
    if (last != none)                                                                              \
      return last;                                                                                 \
    if (real == NULL)                                                                              \
      real = fault_real (#name);                                                                   \
    return real ();                                                                                \
  }

QUERY (GLenum, glGetError, gl_error, GL_NO_ERROR, GL_OUT_OF_MEMORY)
QUERY (EGLint, eglGetError, egl_error, 0, EGL_BAD_ALLOC)

#pragma GCC visibility pop

/* ---- calls by pointer ---- */

#define EXTENSIONS(EXTENSION)                                                                      \
  EXTENSION (void, glBufferStorageEXT,                                                             \
      (GLenum target, GLsizeiptr size, const void *data, GLbitfield flags),                        \
      (target, size, data, flags), FAIL_GL ())                                                     \
  EXTENSION (void, glTexBufferEXT, (GLenum target, GLenum format, GLuint name),                    \
      (target, format, name), FAIL_GL ())                                                          \
  EXTENSION (void, glQueryCounterEXT, (GLuint id, GLenum target), (id, target), FAIL_GL ())        \
  EXTENSION (void, glGetQueryivEXT, (GLenum target, GLenum what, GLint * value),                   \
      (target, what, value), FAIL_GL ())                                                           \
  EXTENSION (GLenum, glGetGraphicsResetStatusKHR, (void), (), return GL_UNKNOWN_CONTEXT_RESET_KHR) \
  EXTENSION (GLenum, glGetGraphicsResetStatusEXT, (void), (), return GL_UNKNOWN_CONTEXT_RESET_EXT) \
  EXTENSION (EGLDisplay, eglGetPlatformDisplayEXT,                                                 \
      (EGLenum platform, void *native, const EGLint *attributes), (platform, native, attributes),  \
      FAIL_EGL (EGL_NO_DISPLAY))                                                                   \
  EXTENSION (EGLBoolean, eglQueryDevicesEXT, (EGLint max, EGLDeviceEXT * devices, EGLint * n),     \
      (max, devices, n), FAIL_EGL (EGL_FALSE))                                                     \
  EXTENSION (const char *, eglQueryDeviceStringEXT, (EGLDeviceEXT device, EGLint name),            \
      (device, name), FAIL_EGL (NULL))                                                             \
  EXTENSION (EGLBoolean, eglQueryDisplayAttribEXT,                                                 \
      (EGLDisplay display, EGLint attribute, EGLAttrib * value), (display, attribute, value),      \
      FAIL_EGL (EGL_FALSE))

#define DEFINE(type, name, params, args, failure)                                                  \
  static type (*real_##name) params;                                                               \
  static type stand_in_##name params                                                               \
  {                                                                                                \
    if (fault_is_due (#name)) {                                                                    \
      failure;                                                                                     \
    }                                                                                              \
    return real_##name args;                                                                       \
  }
EXTENSIONS (DEFINE)

#define ENTRY(type, name, params, args, failure)                                                   \
  { #name, (gpointer *) &real_##name, (gpointer) stand_in_##name },
static const struct {
  const gchar *name;
  gpointer *real;
  gpointer stand_in;
} extensions[] = { EXTENSIONS (ENTRY) };

__attribute__ ((visibility ("default"))) __eglMustCastToProperFunctionPointerType
eglGetProcAddress (const char *name)
{
  static __typeof__ (eglGetProcAddress) *real;
  gpointer proc;

  if (fault_is_due ("eglGetProcAddress"))
    return NULL;
  if (real == NULL)
    real = fault_real ("eglGetProcAddress");
  proc = (gpointer) real (name);
  for (guint i = 0; proc != NULL && i < G_N_ELEMENTS (extensions); i++) {
    if (g_str_equal (extensions[i].name, name)) {
      *extensions[i].real = proc;
      return (__eglMustCastToProperFunctionPointerType) extensions[i].stand_in;
    }
  }
  return (__eglMustCastToProperFunctionPointerType) proc;
}

/* ---- displays ---- */

/* Makes a context and destroys it: llvmpipe starts threads of a display with its first context. */
static void
open_display (EGLDisplay display)
{
  static const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE };
  EGLContext context;

  if (!eglInitialize (display, NULL, NULL) || !eglBindAPI (EGL_OPENGL_ES_API))
    return;
  context = eglCreateContext (display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (context != EGL_NO_CONTEXT)
    eglDestroyContext (display, context);
}

void
fault_open_displays (void)
{
  PFNEGLQUERYDEVICESEXTPROC query = (gpointer) eglGetProcAddress ("eglQueryDevicesEXT");
  PFNEGLGETPLATFORMDISPLAYEXTPROC get = (gpointer) eglGetProcAddress ("eglGetPlatformDisplayEXT");
  EGLDeviceEXT devices[16];
  EGLint n = 0;

  if (get == NULL)
    return;
  open_display (get (EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
  if (query == NULL || !query (G_N_ELEMENTS (devices), devices, &n))
    return;
  for (EGLint i = 0; i < n; i++)
    open_display (get (EGL_PLATFORM_DEVICE_EXT, devices[i], NULL));
}
