/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Entry points of extensions of EGL and OpenGL ES. */
#ifndef GST_GLES_DEVICE_PROCS_H
#define GST_GLES_DEVICE_PROCS_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>
#include <glib.h>

G_BEGIN_DECLS

/* Missing in gl2ext.h of some distributions. */
#ifndef GL_KHR_parallel_shader_compile
typedef void (GL_APIENTRYP PFNGLMAXSHADERCOMPILERTHREADSKHRPROC) (GLuint count);
#endif

/* X (TYPE, MEMBER, NAME) */
#define GST_GLES_PROCS(X)                                                                          \
  X (PFNEGLGETPLATFORMDISPLAYEXTPROC, get_platform_display, eglGetPlatformDisplayEXT)              \
  X (PFNEGLQUERYDEVICESEXTPROC, query_devices, eglQueryDevicesEXT)                                 \
  X (PFNEGLQUERYDEVICESTRINGEXTPROC, query_device_string, eglQueryDeviceStringEXT)                 \
  X (PFNEGLQUERYDEVICEBINARYEXTPROC, query_device_binary, eglQueryDeviceBinaryEXT)                 \
  X (PFNEGLQUERYDISPLAYATTRIBEXTPROC, query_display_attrib, eglQueryDisplayAttribEXT)              \
  X (PFNEGLCREATEIMAGEKHRPROC, create_image, eglCreateImageKHR)                                    \
  X (PFNEGLDESTROYIMAGEKHRPROC, destroy_image, eglDestroyImageKHR)                                 \
  X (PFNEGLCREATESYNCKHRPROC, create_sync, eglCreateSyncKHR)                                       \
  X (PFNEGLDESTROYSYNCKHRPROC, destroy_sync, eglDestroySyncKHR)                                    \
  X (PFNEGLWAITSYNCKHRPROC, wait_sync, eglWaitSyncKHR)                                             \
  X (PFNEGLCLIENTWAITSYNCKHRPROC, client_wait_sync, eglClientWaitSyncKHR)                          \
  X (PFNEGLQUERYDMABUFMODIFIERSEXTPROC, query_modifiers, eglQueryDmaBufModifiersEXT)               \
  X (PFNGLEGLIMAGETARGETTEXTURE2DOESPROC, image_target_texture, glEGLImageTargetTexture2DOES)      \
  X (PFNGLDEBUGMESSAGECALLBACKKHRPROC, set_debug_callback, glDebugMessageCallbackKHR)              \
  X (PFNGLGETGRAPHICSRESETSTATUSEXTPROC, get_reset_status, glGetGraphicsResetStatusKHR)            \
  X (PFNGLGETGRAPHICSRESETSTATUSEXTPROC, get_reset_status_ext, glGetGraphicsResetStatusEXT)        \
  X (PFNGLMAXSHADERCOMPILERTHREADSKHRPROC, max_compiler_threads, glMaxShaderCompilerThreadsKHR)    \
  X (PFNGLBUFFERSTORAGEEXTPROC, buffer_storage, glBufferStorageEXT)                                \
  X (PFNGLTEXBUFFEREXTPROC, tex_buffer, glTexBufferEXT)                                            \
  X (PFNGLGETQUERYIVEXTPROC, get_query, glGetQueryivEXT)                                           \
  X (PFNGLQUERYCOUNTEREXTPROC, query_counter, glQueryCounterEXT)                                   \
  X (PFNGLGETQUERYOBJECTUI64VEXTPROC, get_query_object_ui64, glGetQueryObjectui64vEXT)             \
  X (PFNGLGETUNSIGNEDBYTEVEXTPROC, get_bytes, glGetUnsignedBytevEXT)                               \
  X (PFNGLGETUNSIGNEDBYTEI_VEXTPROC, get_indexed_bytes, glGetUnsignedBytei_vEXT)                   \
  X (PFNGLCREATEMEMORYOBJECTSEXTPROC, create_memory_objects, glCreateMemoryObjectsEXT)             \
  X (PFNGLDELETEMEMORYOBJECTSEXTPROC, delete_memory_objects, glDeleteMemoryObjectsEXT)             \
  X (PFNGLMEMORYOBJECTPARAMETERIVEXTPROC, set_memory_parameter, glMemoryObjectParameterivEXT)      \
  X (PFNGLIMPORTMEMORYFDEXTPROC, import_memory_fd, glImportMemoryFdEXT)                            \
  X (PFNGLBUFFERSTORAGEMEMEXTPROC, buffer_storage_mem, glBufferStorageMemEXT)

/* Members are NULL where libEGL or the driver lacks them. GstGlesDisplay, GstGlesImageSupport and
 * GstGlesLimits say what can be used; an extension without its entry points counts as missing. */
typedef struct {
#define GST_GLES_PROC(type, member, name) type member;
  GST_GLES_PROCS (GST_GLES_PROC)
#undef GST_GLES_PROC
} GstGlesProcs;

/* The table is filled once per process. Thread: any. */
const GstGlesProcs *gst_gles_procs (void);

/* Forgets the errors of earlier calls. A driver that reports an error for ever, as a lost context
 * may, does not hold the caller. Thread: that of the context. */
void gst_gles_forget_gl_errors (void);

G_END_DECLS

#endif
