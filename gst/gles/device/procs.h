/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Entry points of OpenGL ES extensions. */
#ifndef GST_GLES_DEVICE_PROCS_H
#define GST_GLES_DEVICE_PROCS_H

#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>
#include <glib.h>

G_BEGIN_DECLS

/* Entries are NULL where the driver lacks them. GstGlesLimits says whether a device can use an
 * extension; it treats an extension without its entry points as missing. */
typedef struct {
  PFNGLBUFFERSTORAGEEXTPROC buffer_storage;
  PFNGLTEXBUFFEREXTPROC tex_buffer;
  PFNGLGETQUERYIVEXTPROC get_query;
  PFNGLQUERYCOUNTEREXTPROC query_counter;
  PFNGLGETQUERYOBJECTUI64VEXTPROC get_query_object_ui64;
  PFNGLGETUNSIGNEDBYTEVEXTPROC get_bytes;
  PFNGLGETUNSIGNEDBYTEI_VEXTPROC get_indexed_bytes;
  PFNGLCREATEMEMORYOBJECTSEXTPROC create_memory_objects;
  PFNGLDELETEMEMORYOBJECTSEXTPROC delete_memory_objects;
  PFNGLMEMORYOBJECTPARAMETERIVEXTPROC memory_object_parameteriv;
  PFNGLIMPORTMEMORYFDEXTPROC import_memory_fd;
  PFNGLBUFFERSTORAGEMEMEXTPROC buffer_storage_mem;
} GstGlesGlProcs;

/* The table is filled once per process. Thread: any. */
const GstGlesGlProcs *gst_gles_gl_procs (void);

/* Forgets the errors of earlier calls. A driver that reports an error for ever, as a lost context
 * may, does not hold the caller. Thread: that of the context. */
void gst_gles_forget_gl_errors (void);

G_END_DECLS

#endif
