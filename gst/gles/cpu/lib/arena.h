/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Divides scratch memory into arrays. The same calls without memory compute its size. */
#ifndef GST_GLES_CPU_ARENA_H
#define GST_GLES_CPU_ARENA_H

#include <gst/gles/core/checked.h>

G_BEGIN_DECLS

typedef struct {
  guint8 *memory; /* NULL: only the size is computed */
  gsize size;     /* bytes taken so far; G_MAXSIZE: the size overflowed */
} GstGlesCpuArena;

/* Returns an array of @n times @each bytes. If @memory is aligned to 64 bytes, so is the array. */
static inline gpointer
gst_gles_cpu_arena_take (GstGlesCpuArena *arena, gsize n, gsize each)
{
  gpointer memory = arena->memory != NULL ? arena->memory + arena->size : NULL;
  gsize bytes;

  if (arena->size == G_MAXSIZE || !gst_gles_size_mul (n, each, &bytes) ||
      !gst_gles_size_add (bytes, 63, &bytes) ||
      !gst_gles_size_add (arena->size, bytes & ~(gsize) 63, &arena->size))
    arena->size = G_MAXSIZE;
  return memory;
}

G_END_DECLS

#endif
