/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the library makes programs: several at once, their sources, and what the device's thread
 * knows of them. */
#ifndef GST_GLES_PROGRAM_H
#define GST_GLES_PROGRAM_H

#include <gst/gles/gl/kernel.h>

G_BEGIN_DECLS

#define GST_GLES_GENERATED_FILE "generated.glsl"

/* The path of the shaders in the GResource. G_RESOURCE_OVERLAYS can replace them. */
#define GST_GLES_SHADER_PATH "/gst-gles-compute/glsl/"

/* Does what gst_gles_program_get() does for @n programs at once, which @programs receives (transfer
 * full); on failure all are NULL. A driver with GL_KHR_parallel_shader_compile is given all that
 * are missing before the first result is asked for, and the device's thread goes on with other work
 * until they are built. Elsewhere they are built one after the other.
 *
 * With such a driver this does not wait while the calling thread has a submission open on @queue:
 * the programs may be in the making, and gst_gles_queue_end() waits for them and returns COMPILE.
 * So a plan made of plans gives the driver the programs of all of them. */
gboolean gst_gles_programs_get (GstGlesQueue *queue, const GstGlesProgramSpec *specs, guint n,
    GstGlesProgram **programs, GError **error);

/* Programs that a plan gets at once. */
#define GST_GLES_PROGRAM_LIST_MAX 32
typedef struct {
  GstGlesProgramSpec specs[GST_GLES_PROGRAM_LIST_MAX];
  GstGlesProgram **targets[GST_GLES_PROGRAM_LIST_MAX];
  guint n;
} GstGlesProgramList;

/* Adds the program for @spec, which *@target will receive; nothing where *@target has one. */
void gst_gles_program_list_add (
    GstGlesProgramList *list, const GstGlesProgramSpec *spec, GstGlesProgram **target);
/* Gets what was added with gst_gles_programs_get(). On failure no target changes. */
gboolean gst_gles_program_list_get (GstGlesProgramList *list, GstGlesQueue *queue, GError **error);

/* Whether it is more than in the making. Thread: any. */
gboolean gst_gles_program_is_built (GstGlesProgram *program);

/* Returns the number of invocations of a workgroup. */
guint gst_gles_program_get_invocations (GstGlesProgram *program);

/* Returns the name of the GL object. */
guint gst_gles_program_get_name (GstGlesProgram *program);
/* Returns what the program was made from, with the kernel's name interned. */
const GstGlesProgramSpec *gst_gles_program_get_spec (GstGlesProgram *program);
/* Called before a dispatch. Returns TRUE for the first one of a program. */
gboolean gst_gles_program_is_first_run (GstGlesProgram *program);
/* Called after the first dispatch, which took the driver @time_us, when no error of OpenGL ES is
 * pending. Some drivers generate code in that dispatch, so the cache on disk gets the program once
 * more. Thread: the device's. */
void gst_gles_program_has_run (GstGlesProgram *program, gint64 time_us);

/* In the flattened source, line n of file i has the number i * GST_GLES_PROGRAM_LINES_PER_FILE +
 * n. */
#define GST_GLES_PROGRAM_LINES_PER_FILE 10000

/* Returns the complete flattened source of @spec: (transfer full). *files (nullable) receives the
 * NULL-terminated list of files that the indices of `#line N <index>` refer to. Needs no device.
 * Errors: NOT_FOUND (a kernel or include that does not exist). */
gchar *gst_gles_program_flatten (const GstGlesProgramSpec *spec, gchar ***files, GError **error);

/* Receives the specialisations of a kernel family, one per call, for the build's offline
 * compilation. */
typedef void (*GstGlesSpecialisationFunc) (const GstGlesProgramSpec *spec, gpointer user_data);

/* Calls @func for the programs that readbacks use, and that measure the link. */
void gst_gles_readback_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);
void gst_gles_link_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
