/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the rounds of loops that kernels take on llvmpipe. llvmpipe of Mesa 22.3 lets the
 * invocations of a SIMD vector execute 65535 rounds in all, and then leaves every further loop
 * after one round. A loop behind the kernel's main() executes the rounds that are left, so they are
 * counted as the driver counts them: a loop that it unrolls takes none.
 *
 * The functions of OpenGL ES that the library calls by name are wrapped: a program that has this
 * file exports its symbols, or it is preloaded. It ends the process at the first dispatch that
 * takes more rounds than a kernel may take; the variable GLES_TEST_ROUNDS=print lists all kernels
 * at the end instead. */
#include "rounds-probe.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include <GLES3/gl31.h>

/* A binding that no kernel uses. */
#define BINDING 15
/* Workgroups of a dispatch that are measured, spread over the grid, besides the last. */
#define PROBED_GROUPS 8u
#define LIMIT 65535u
/* half of them for tiles, a quarter for the rest */
#define MAX_ROUNDS 49152u

static const gchar prologue[] = "#define main kernel_main\n";
static const gchar epilogue[] =
    "\n#undef main\n"
    "layout (std430, binding = 15) buffer Probe { uint most, limit, every, hash; } probe;\n"
    "void\n"
    "main ()\n"
    "{\n"
    "  kernel_main ();\n"
    "  uint group = (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) *\n"
    "      gl_NumWorkGroups.x + gl_WorkGroupID.x;\n"
    "  uint last = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z - 1u;\n"
    "  bool probed = group % probe.every == 0u || group == last;\n"
    "  uint limit = probed ? probe.limit : 0u, n = 0u, hash = probe.hash;\n"
    /* a product that no compiler can compute without the rounds */
    "  while (n < limit) {\n"
    "    n++;\n"
    "    hash = (hash ^ (hash >> 3)) * 1664525u + n;\n"
    "  }\n"
    "  if (limit != 0u)\n"
    "    atomicMax (probe.most, limit - n);\n"
    "  if (hash == 1u)\n"
    "    probe.hash = hash;\n"
    "}\n";

static GMutex lock;
/* by name of shader, by name of program; of RoundsKernel, by text */
static GHashTable *shaders, *programs, *kernels;
static GLuint current;
static gboolean prints;

#define REAL(name)                                                                                 \
  static __typeof__ (name) *real;                                                                  \
                                                                                                   \
  if (real == NULL)                                                                                \
  real = (__typeof__ (real)) dlsym (RTLD_NEXT, #name)

void
rounds_foreach (RoundsFunc func, gpointer user_data)
{
  GHashTableIter iter;
  gpointer kernel;

  g_mutex_lock (&lock);
  if (kernels != NULL) {
    g_hash_table_iter_init (&iter, kernels);
    while (g_hash_table_iter_next (&iter, NULL, &kernel))
      func (kernel, user_data);
  }
  g_mutex_unlock (&lock);
}

static void
print_kernel (RoundsKernel *kernel, gpointer user_data)
{
  fprintf (stderr, "%6u rounds: %s\n", kernel->rounds, kernel->name);
}

static void
print_kernels (void)
{
  rounds_foreach (print_kernel, NULL);
}

__attribute__ ((constructor)) static void
begin (void)
{
  prints = g_strcmp0 (g_getenv ("GLES_TEST_ROUNDS"), "print") == 0;
  if (prints)
    atexit (print_kernels);
}

/* ---- sources ---- */

/* Returns "kernel NAME VALUE...", with the defines of the preamble: (transfer full). */
static gchar *
name_of (const gchar *source)
{
  const gchar *at = strstr (source, "/* "), *end = strstr (at, " */");
  const gchar *last = strstr (source, "layout (local_size_x");
  GString *name = g_string_new_len (at + 3, end - at - 3);

  for (at = strstr (source, "#define "); at != NULL && at < last; at = strstr (end, "#define ")) {
    end = strchr (at, '\n');
    if (strstr (at, "LOCAL_SIZE_Y 1\n") == at + 8 || strstr (at, "LOCAL_SIZE_Z 1\n") == at + 8)
      continue;
    g_string_append_c (name, ' ');
    g_string_append_len (name, at + 8, end - at - 8);
  }
  return g_string_free (name, FALSE);
}

static RoundsKernel *
kernel_of (const gchar *source)
{
  gchar *name = name_of (source);
  RoundsKernel *kernel;

  if (kernels == NULL)
    kernels = g_hash_table_new (g_str_hash, g_str_equal);
  kernel = g_hash_table_lookup (kernels, name);
  if (kernel == NULL) {
    kernel = g_new0 (RoundsKernel, 1);
    kernel->name = name;
    g_hash_table_insert (kernels, name, kernel);
  } else {
    g_free (name);
  }
  return kernel;
}

static void
set (GHashTable **table, GLuint name, RoundsKernel *kernel)
{
  if (*table == NULL)
    *table = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (*table, GUINT_TO_POINTER (name), kernel);
}

void
glShaderSource (GLuint shader, GLsizei n, const GLchar *const *strings, const GLint *lengths)
{
  REAL (glShaderSource);
  const gchar *at = strstr (strings[0], "precision highp float;");
  g_autofree gchar *head = at != NULL ? g_strndup (strings[0], at - strings[0]) : NULL;
  const gchar *parts[] = { head, prologue, at, epilogue };

  if (at == NULL || n != 1)
    g_error ("a shader that the library has not made");
  g_mutex_lock (&lock);
  set (&shaders, shader, kernel_of (strings[0]));
  g_mutex_unlock (&lock);
  real (shader, G_N_ELEMENTS (parts), parts, NULL);
}

void
glAttachShader (GLuint program, GLuint shader)
{
  REAL (glAttachShader);

  g_mutex_lock (&lock);
  set (&programs, program, g_hash_table_lookup (shaders, GUINT_TO_POINTER (shader)));
  g_mutex_unlock (&lock);
  real (program, shader);
}

void
glUseProgram (GLuint program)
{
  REAL (glUseProgram);

  current = program;
  real (program);
}

/* ---- dispatches ---- */

typedef struct {
  GLuint buffer;
  GLint before;
} Probe;

static void
begin_probe (Probe *probe, guint groups)
{
  const guint32 words[4] = { 0, LIMIT, MAX (groups / PROBED_GROUPS, 1), 7 };

  glGetIntegerv (GL_SHADER_STORAGE_BUFFER_BINDING, &probe->before);
  glGenBuffers (1, &probe->buffer);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, BINDING, probe->buffer);
  glBufferData (GL_SHADER_STORAGE_BUFFER, sizeof (words), words, GL_DYNAMIC_COPY);
}

static void
end_probe (Probe *probe)
{
  RoundsKernel *kernel;
  guint32 *words;

  glMemoryBarrier (GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, probe->buffer);
  words = glMapBufferRange (GL_SHADER_STORAGE_BUFFER, 0, 16, GL_MAP_READ_BIT);
  g_mutex_lock (&lock);
  kernel = g_hash_table_lookup (programs, GUINT_TO_POINTER (current));
  kernel->rounds = MAX (kernel->rounds, words[0]);
  g_mutex_unlock (&lock);
  glUnmapBuffer (GL_SHADER_STORAGE_BUFFER);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, BINDING, 0);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, (GLuint) probe->before);
  glDeleteBuffers (1, &probe->buffer);
  if (!prints && kernel->rounds > MAX_ROUNDS)
    g_error ("a dispatch takes %u of the %u rounds that llvmpipe executes: %s", kernel->rounds,
        LIMIT, kernel->name);
}

void
glDispatchCompute (GLuint x, GLuint y, GLuint z)
{
  REAL (glDispatchCompute);
  Probe probe;

  begin_probe (&probe, x * y * z);
  real (x, y, z);
  end_probe (&probe);
}

void
glDispatchComputeIndirect (GLintptr offset)
{
  REAL (glDispatchComputeIndirect);
  Probe probe;

  begin_probe (&probe, PROBED_GROUPS);
  real (offset);
  end_probe (&probe);
}
