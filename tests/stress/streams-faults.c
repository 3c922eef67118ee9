/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The dynamic linker finds a function of the program before that of a library, so that the library
 * under test calls these in place of the driver's. */
#include "streams-faults.h"

#include <dlfcn.h>

#include <GLES3/gl31.h>

static gsize fail_from; /* atomic: bytes; 0: no copy fails */
static __thread GLenum pending_error;

void
streams_fail_next_copy (gsize size_bytes)
{
  g_atomic_pointer_set (&fail_from, size_bytes);
}

gboolean
streams_copy_failed (void)
{
  return (gsize) g_atomic_pointer_get (&fail_from) == 0;
}

G_GNUC_EXTENSION __attribute__ ((visibility ("default"))) GL_APICALL void GL_APIENTRY
glCopyBufferSubData (
    GLenum source, GLenum target, GLintptr source_offset, GLintptr target_offset, GLsizeiptr size)
{
  const gsize from = (gsize) g_atomic_pointer_get (&fail_from);
  PFNGLCOPYBUFFERSUBDATAPROC real =
      (PFNGLCOPYBUFFERSUBDATAPROC) dlsym (RTLD_NEXT, "glCopyBufferSubData");

  real (source, target, source_offset, target_offset, size);
  if (from != 0 && (gsize) size >= from &&
      g_atomic_pointer_compare_and_exchange (&fail_from, from, 0))
    pending_error = GL_OUT_OF_MEMORY;
}

G_GNUC_EXTENSION __attribute__ ((visibility ("default"))) GL_APICALL GLenum GL_APIENTRY
glGetError (void)
{
  const GLenum error = pending_error;
  PFNGLGETERRORPROC real = (PFNGLGETERRORPROC) dlsym (RTLD_NEXT, "glGetError");

  pending_error = GL_NO_ERROR;
  return error != GL_NO_ERROR ? error : real ();
}
