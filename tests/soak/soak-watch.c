/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Measures the resources of the process: memory, descriptors, threads, and objects of OpenGL ES,
 * which are counted by wrapping the functions that make and delete them. */
#include "soak.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <GLES3/gl31.h>

static const gchar *const names[SOAK_N_OBJECTS] = { "descriptors", "threads", "contexts", "buffers",
  "textures", "programs" };
static gint alive[SOAK_N_OBJECTS]; /* atomic: of OpenGL ES */
static guint n_contexts_made;

/* Returns the driver's function. RTLD_NEXT does not find libraries that only a plugin loads. */
static gpointer
find (const gchar *name)
{
  static const gchar *const libraries[] = { "libEGL.so.1", "libGLESv2.so.2" };
  gpointer function = dlsym (RTLD_NEXT, name);

  for (guint i = 0; function == NULL && i < G_N_ELEMENTS (libraries); i++)
    function = dlsym (dlopen (libraries[i], RTLD_LAZY | RTLD_LOCAL), name);
  return function;
}

#define REAL(name) ((__typeof__ (&name)) find (#name))

static gint
count_names (GLsizei n, const GLuint *of)
{
  gint count = 0;

  for (GLsizei i = 0; i < n; i++)
    count += of[i] != 0;
  return count;
}

/* ---- exported by the program, so that the library's calls arrive here ---- */

#pragma GCC visibility push(default)

#define COUNT_OBJECTS(Objects, object)                                                             \
  GL_APICALL void GL_APIENTRY glGen##Objects (GLsizei n, GLuint *of)                               \
  {                                                                                                \
    REAL (glGen##Objects) (n, of);                                                                 \
    g_atomic_int_add (&alive[object], count_names (n, of));                                        \
  }                                                                                                \
  GL_APICALL void GL_APIENTRY glDelete##Objects (GLsizei n, const GLuint *of)                      \
  {                                                                                                \
    g_atomic_int_add (&alive[object], -count_names (n, of));                                       \
    REAL (glDelete##Objects) (n, of);                                                              \
  }

COUNT_OBJECTS (Buffers, SOAK_BUFFERS)
COUNT_OBJECTS (Textures, SOAK_TEXTURES)

GL_APICALL GLuint GL_APIENTRY
glCreateProgram (void)
{
  GLuint name = REAL (glCreateProgram) ();

  g_atomic_int_add (&alive[SOAK_PROGRAMS], name != 0);
  return name;
}

GL_APICALL void GL_APIENTRY
glDeleteProgram (GLuint name)
{
  g_atomic_int_add (&alive[SOAK_PROGRAMS], -(name != 0));
  REAL (glDeleteProgram) (name);
}

EGLAPI EGLContext EGLAPIENTRY
eglCreateContext (EGLDisplay display, EGLConfig config, EGLContext shared, const EGLint *attributes)
{
  EGLContext context = REAL (eglCreateContext) (display, config, shared, attributes);

  g_atomic_int_add (&alive[SOAK_CONTEXTS], context != NULL);
  g_atomic_int_add (&n_contexts_made, context != NULL);
  return context;
}

/* Destroying the last context also deletes its objects. */
EGLAPI EGLBoolean EGLAPIENTRY
eglDestroyContext (EGLDisplay display, EGLContext context)
{
  if (g_atomic_int_dec_and_test (&alive[SOAK_CONTEXTS])) {
    for (guint i = SOAK_BUFFERS; i < SOAK_N_OBJECTS; i++)
      g_atomic_int_set (&alive[i], 0);
  }
  return REAL (eglDestroyContext) (display, context);
}

#pragma GCC visibility pop

/* ---- what is measured ---- */

guint
soak_contexts_made (void)
{
  return g_atomic_int_get (&n_contexts_made);
}

static gint
count_entries (const gchar *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  gint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  g_clear_pointer (&dir, g_dir_close);
  return n;
}

void
soak_measure (SoakUsage *usage)
{
  const struct mallinfo2 heap = mallinfo2 ();
  FILE *statm = fopen ("/proc/self/statm", "r");
  long pages = 0;

  if (statm != NULL) {
    if (fscanf (statm, "%*s %ld", &pages) != 1)
      pages = 0;
    fclose (statm);
  }
  usage->resident_kib = (gint64) pages * sysconf (_SC_PAGESIZE) / 1024;
  usage->heap_kib = (gint64) ((heap.uordblks + heap.hblkhd) / 1024);
  for (guint i = 0; i < SOAK_N_OBJECTS; i++)
    usage->n[i] = g_atomic_int_get (&alive[i]);
  /* the folder that is read is one of them */
  usage->n[SOAK_DESCRIPTORS] = count_entries ("/proc/self/fd") - 1;
  usage->n[SOAK_THREADS] = count_entries ("/proc/self/task");
}

gchar *
soak_usage_text (const SoakUsage *usage)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%" G_GINT64_FORMAT " KiB resident, %" G_GINT64_FORMAT " KiB of heap",
      usage->resident_kib, usage->heap_kib);
  for (guint i = 0; i < SOAK_N_OBJECTS; i++)
    g_string_append_printf (text, ", %d %s", usage->n[i], names[i]);
  return g_string_free (text, FALSE);
}
