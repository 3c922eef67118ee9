/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by program.c (programs and how plans ask for them) and program-build.c (their making). */
#ifndef GST_GLES_PROGRAM_PRIVATE_H
#define GST_GLES_PROGRAM_PRIVATE_H

#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/program.h>

typedef struct _GstGlesProgramBuild GstGlesProgramBuild;

struct _GstGlesProgram {
  gint ref_count;
  GstGlesShare *share;
  GstGlesProgramSpec spec;
  GLuint name;
  gint is_built; /* atomic */
  gint has_run;  /* atomic */

  /* used on the device's thread, and when nobody else has the program: */
  GstGlesProgramBuild *build; /* until it is built, and of one that could not be */
  gchar *unstored; /* the entry of the cache on disk that lacks what the driver made at the first
                    * run; NULL: none */
};

/* A program that somebody asks for. */
typedef struct {
  GstGlesShare *share;
  const GstGlesProgramSpec *spec;
  gchar *source;
  gchar **files;           /* of the source; the program that is started takes them */
  GstGlesProgram *program; /* NULL until it is found or started */
  gint64 time_us;          /* that it took, if this request finished it */
} GstGlesProgramRequest;

/* Gives the driver the programs of @requests that are neither built nor in the making, and unless
 * @starts_only waits until all are built. Thread: any. Errors: COMPILE, DEVICE_LOST. */
gboolean gst_gles_program_build_all (GstGlesShare *share, GstGlesProgramRequest *requests, guint n,
    gboolean starts_only, GError **error);

/* Returns the program of @source, which may be in the making: (transfer full) (nullable). Thread:
 * any. */
GstGlesProgram *gst_gles_program_lookup (GstGlesShare *share, const gchar *source);

/* NULL is safe. */
void gst_gles_program_build_free (GstGlesProgramBuild *build);

#endif
