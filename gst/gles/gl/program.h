/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compute programs: a kernel file, specialised by a preamble, compiled once per device. */
#ifndef GST_GLES_PROGRAM_H
#define GST_GLES_PROGRAM_H

#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

typedef struct _GstGlesProgram GstGlesProgram;

#define GST_GLES_PROGRAM_MAX_DEFINES 16

/* One `#define NAME VALUE` of the preamble. */
typedef struct {
  const gchar *name; /* static string; NULL ends the list */
  gint64 value;
} GstGlesDefine;

/* A specialisation: everything that determines a program's code. The preamble is written from it
 * alone; local_size becomes LOCAL_SIZE_X, _Y, _Z and the layout qualifier. */
typedef struct {
  const gchar *kernel; /* file name without ".comp": "frame-histogram_count" */
  guint local_size[3]; /* 0 counts as 1 */
  guint shared_bytes;  /* size of its shared variables, checked against the device's limit */
  guint n_storage;     /* storage blocks it declares, bindings 0 to n_storage - 1 */
  guint subgroups;     /* subgroup size of the device if the kernel uses subgroups, else 0. Enables
                         * the KHR_shader_subgroup extensions and defines SUBGROUPS */
  gboolean texels;     /* enables GL_EXT_texture_buffer, defines TEXELS */
  const gchar *code; /* (nullable): stands for the file "generated.glsl" that the kernel includes */
  GstGlesDefine defines[GST_GLES_PROGRAM_MAX_DEFINES];
} GstGlesProgramSpec;

#define GST_GLES_GENERATED_FILE "generated.glsl"

/* The path of the shaders in the GResource. G_RESOURCE_OVERLAYS can replace them. */
#define GST_GLES_SHADER_PATH "/gst-gles-compute/glsl/"

/* Returns the program for @spec on the device of @queue: (transfer full). The device makes a
 * program once: all who ask get the same one, and wait while it is in the making. The driver may
 * defer code generation to the first dispatch. Thread: any; waits for the device's thread unless
 * the program is built. Errors: COMPILE (with the log, in lines of the source files; all who waited
 * get it, and who asks later tries again), TOO_LARGE (over the device's limits), DEVICE_LOST. */
GstGlesProgram *gst_gles_program_get (
    GstGlesQueue *queue, const GstGlesProgramSpec *spec, GError **error);
/* Does the same for @n programs at once, which @programs receives (transfer full); on failure all
 * are NULL. A driver with GL_KHR_parallel_shader_compile is given all that are missing before the
 * first result is asked for, and the device's thread goes on with other work until they are built.
 * Elsewhere they are built one after the other.
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

GstGlesProgram *gst_gles_program_ref (GstGlesProgram *program);
/* NULL is safe. */
void gst_gles_program_unref (GstGlesProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesProgram, gst_gles_program_unref)

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
