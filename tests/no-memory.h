/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs code in a process that has no address space left: allocations of 64 KiB and more fail,
 * smaller ones are served from memory that malloc() holds. */
#ifndef NO_MEMORY_H
#define NO_MEMORY_H

#include <malloc.h>
#include <sys/resource.h>

#include <gst/gst.h>

#define NO_MEMORY_LARGE (64 * 1024)

static inline gsize
no_memory_address_space (void)
{
  g_autofree gchar *text = NULL;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    g_error ("/proc/self/statm cannot be read");
  return (gsize) g_ascii_strtoull (text, NULL, 10) * 4096;
}

/* To be called before anything is allocated: malloc() keeps what is freed. */
static inline void
no_memory_init (void)
{
  mallopt (M_MMAP_THRESHOLD, NO_MEMORY_LARGE);
  mallopt (M_TRIM_THRESHOLD, G_MAXINT);
  mallopt (M_ARENA_MAX, 1);
}

static inline void
no_memory_set_limit (rlim_t bytes)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_AS, &limit) != 0)
    g_error ("RLIMIT_AS cannot be read");
  limit.rlim_cur = bytes;
  if (setrlimit (RLIMIT_AS, &limit) != 0)
    g_error ("RLIMIT_AS cannot be set");
}

/* From here on this process has only @extra bytes more than it has now, and pieces for small
 * allocations. */
static inline void
no_memory_begin (gsize extra)
{
  enum {
    N_PIECES = 4096,
    PIECE = 512
  };
  gpointer *pieces = g_new (gpointer, N_PIECES);

  for (guint i = 0; i < N_PIECES; i++)
    pieces[i] = g_malloc (PIECE);
  /* Every second block stays allocated, so that free blocks are not merged into a large one. */
  for (guint i = 0; i < N_PIECES; i += 2)
    g_free (pieces[i]);
  no_memory_set_limit (no_memory_address_space () + extra);
}

static inline void
no_memory_end (void)
{
  no_memory_set_limit (RLIM_INFINITY);
}

#endif
