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

/* Blocks that are freed behind the limit, for what is small: GLib ends a process that gets none. */
enum {
  NO_MEMORY_N_SMALL = 4096,
  NO_MEMORY_SMALL = 512,
  NO_MEMORY_N_MEDIUM = 64,
  NO_MEMORY_MEDIUM = NO_MEMORY_LARGE / 2
};

static gpointer no_memory_rest;

/* Every second block stays allocated, so that free blocks are not merged into a large one. */
static inline void
no_memory_free_half (gpointer *blocks, guint n)
{
  for (guint i = 0; i < n; i += 2)
    free (blocks[i]);
}

/* From here on this process has only @extra bytes more than it has now, and blocks for small
 * allocations. What the heap holds besides is taken, because its amount depends on the environment
 * of the process: a test must not pass or fail by it. */
static inline void
no_memory_begin (gsize extra)
{
  static gpointer small[NO_MEMORY_N_SMALL], medium[NO_MEMORY_N_MEDIUM];
  gpointer *block;

  for (guint i = 0; i < NO_MEMORY_N_SMALL; i++)
    small[i] = g_malloc (NO_MEMORY_SMALL);
  for (guint i = 0; i < NO_MEMORY_N_MEDIUM; i++)
    medium[i] = g_malloc (NO_MEMORY_MEDIUM);
  no_memory_set_limit (no_memory_address_space () + extra);
  while (extra == 0 && (block = malloc (NO_MEMORY_MEDIUM / 16)) != NULL) {
    *block = no_memory_rest;
    no_memory_rest = block;
  }
  no_memory_free_half (small, NO_MEMORY_N_SMALL);
  no_memory_free_half (medium, NO_MEMORY_N_MEDIUM);
}

static inline void
no_memory_end (void)
{
  no_memory_set_limit (RLIM_INFINITY);
  while (no_memory_rest != NULL) {
    gpointer next = *(gpointer *) no_memory_rest;

    free (no_memory_rest);
    no_memory_rest = next;
  }
}

#endif
