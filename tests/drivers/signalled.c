/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loaded before OpenGL ES by tests/drivers/run. Jobs do nothing on a drm-shim, and the fences of
 * some drivers (Adreno, AMD) never pass there, since nobody signals them. Here, every fence has
 * passed. */
#include <GLES3/gl31.h>

GL_APICALL GLenum GL_APIENTRY
glClientWaitSync (GLsync sync, GLbitfield flags, GLuint64 timeout)
{
  return GL_ALREADY_SIGNALED;
}

GL_APICALL void GL_APIENTRY
glWaitSync (GLsync sync, GLbitfield flags, GLuint64 timeout)
{
}
