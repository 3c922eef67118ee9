/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts what a driver is asked to compile: functions that stand in for the driver's, exported so
 * that the library's calls arrive here. Included by one source file of a program, which is linked
 * with export_dynamic. */
#ifndef COMPILATIONS_H
#define COMPILATIONS_H

#include <dlfcn.h>

#include <GLES3/gl31.h>
#include <glib.h>

#define REAL(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

static gint n_compilations; /* atomic: since the last reset */
static GMutex sources_lock;
static GHashTable *sources; /* text: how often it was given to the driver since the last reset */

static inline void
compilations_reset (void)
{
  g_mutex_lock (&sources_lock);
  g_clear_pointer (&sources, g_hash_table_unref);
  g_mutex_unlock (&sources_lock);
  g_atomic_int_set (&n_compilations, 0);
}

/* Returns how many programs differ among those that were given to the driver. */
static inline guint
compilations_distinct (void)
{
  guint n;

  g_mutex_lock (&sources_lock);
  n = sources != NULL ? g_hash_table_size (sources) : 0;
  g_mutex_unlock (&sources_lock);
  return n;
}

/* Returns how many programs were given to the driver more than once. */
static inline guint
compilations_repeated (void)
{
  GHashTableIter iter;
  gpointer times;
  guint n = 0;

  g_mutex_lock (&sources_lock);
  if (sources != NULL) {
    g_hash_table_iter_init (&iter, sources);
    while (g_hash_table_iter_next (&iter, NULL, &times))
      n += GPOINTER_TO_UINT (times) > 1;
  }
  g_mutex_unlock (&sources_lock);
  return n;
}

#pragma GCC visibility push(default)

GL_APICALL void GL_APIENTRY
glShaderSource (GLuint shader, GLsizei count, const GLchar *const *strings, const GLint *lengths)
{
  guint times;

  g_mutex_lock (&sources_lock);
  if (sources == NULL)
    sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  times = GPOINTER_TO_UINT (g_hash_table_lookup (sources, strings[0]));
  g_hash_table_insert (sources, g_strdup (strings[0]), GUINT_TO_POINTER (times + 1));
  g_mutex_unlock (&sources_lock);
  REAL (glShaderSource) (shader, count, strings, lengths);
}

GL_APICALL void GL_APIENTRY
glCompileShader (GLuint shader)
{
  g_atomic_int_inc (&n_compilations);
  REAL (glCompileShader) (shader);
}

#pragma GCC visibility pop

#endif
