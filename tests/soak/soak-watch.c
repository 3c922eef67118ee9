/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Measures the resources of the process: memory, descriptors, threads, and objects of OpenGL ES,
 * which are counted by wrapping the functions that make and delete them. */
#include "soak.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

static gint n_contexts, n_buffers, n_textures, n_programs;
static guint n_contexts_made;

/* exported by the program, so that the library's calls arrive here */
#define INTERPOSED __attribute__ ((visibility ("default")))

/* Returns the driver's function. RTLD_NEXT does not find libraries that only a plugin loads. */
static gpointer
real (const gchar *name)
{
  static const gchar *const libraries[] = { "libEGL.so.1", "libGLESv2.so.2" };
  gpointer function = dlsym (RTLD_NEXT, name);

  for (guint i = 0; function == NULL && i < G_N_ELEMENTS (libraries); i++)
    function = dlsym (dlopen (libraries[i], RTLD_LAZY | RTLD_LOCAL), name);
  return function;
}

typedef void (*GenFunc) (int n, unsigned *names);
typedef void (*DeleteFunc) (int n, const unsigned *names);

static gint
count_names (int n, const unsigned *names)
{
  gint count = 0;

  for (int i = 0; i < n; i++)
    count += names[i] != 0;
  return count;
}

#define COUNT_OBJECTS(Objects, counter)                                                            \
  INTERPOSED void glGen##Objects (int n, unsigned *names);                                         \
  INTERPOSED void glDelete##Objects (int n, const unsigned *names);                                \
  INTERPOSED void glGen##Objects (int n, unsigned *names)                                          \
  {                                                                                                \
    ((GenFunc) real ("glGen" #Objects)) (n, names);                                                \
    g_atomic_int_add (&counter, count_names (n, names));                                           \
  }                                                                                                \
  INTERPOSED void glDelete##Objects (int n, const unsigned *names)                                 \
  {                                                                                                \
    g_atomic_int_add (&counter, -count_names (n, names));                                          \
    ((DeleteFunc) real ("glDelete" #Objects)) (n, names);                                          \
  }

COUNT_OBJECTS (Buffers, n_buffers)
COUNT_OBJECTS (Textures, n_textures)

INTERPOSED unsigned glCreateProgram (void);
INTERPOSED void glDeleteProgram (unsigned name);

INTERPOSED unsigned
glCreateProgram (void)
{
  unsigned name = ((unsigned (*) (void)) real ("glCreateProgram")) ();

  g_atomic_int_add (&n_programs, name != 0);
  return name;
}

INTERPOSED void
glDeleteProgram (unsigned name)
{
  g_atomic_int_add (&n_programs, -(name != 0));
  ((void (*) (unsigned)) real ("glDeleteProgram")) (name);
}

INTERPOSED void *eglCreateContext (
    void *display, void *config, void *shared, const int *attributes);
INTERPOSED unsigned eglDestroyContext (void *display, void *context);

INTERPOSED void *
eglCreateContext (void *display, void *config, void *shared, const int *attributes)
{
  void *context = ((void *(*) (void *, void *, void *, const int *) ) real ("eglCreateContext")) (
      display, config, shared, attributes);

  g_atomic_int_add (&n_contexts, context != NULL);
  g_atomic_int_add (&n_contexts_made, context != NULL);
  return context;
}

/* Destroying the last context also deletes its objects. */
INTERPOSED unsigned
eglDestroyContext (void *display, void *context)
{
  if (g_atomic_int_dec_and_test (&n_contexts)) {
    g_atomic_int_set (&n_buffers, 0);
    g_atomic_int_set (&n_textures, 0);
    g_atomic_int_set (&n_programs, 0);
  }
  return ((unsigned (*) (void *, void *)) real ("eglDestroyContext")) (display, context);
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

guint
soak_contexts_made (void)
{
  return g_atomic_int_get (&n_contexts_made);
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
  /* the folder that is read is one of them */
  usage->descriptors = count_entries ("/proc/self/fd") - 1;
  usage->threads = count_entries ("/proc/self/task");
  usage->contexts = g_atomic_int_get (&n_contexts);
  usage->buffers = g_atomic_int_get (&n_buffers);
  usage->textures = g_atomic_int_get (&n_textures);
  usage->programs = g_atomic_int_get (&n_programs);
}
