/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies that bypass the caches: every alignment and many sizes, with canaries around the
 * target. */
#include <gst/gles/core/stream-copy.h>

#include <string.h>

#define ALIGNMENTS 67
#define MAX_BYTES 20000

static guint8 source[MAX_BYTES + ALIGNMENTS], target[MAX_BYTES + 2 * ALIGNMENTS];

static void
check (gsize size, gsize source_at, gsize target_at)
{
  memset (target, 0xa5, sizeof (target));
  gst_gles_stream_copy (target + target_at, source + source_at, size);
  g_assert_cmpmem (target + target_at, size, source + source_at, size);
  for (gsize i = 0; i < target_at; i++)
    g_assert_cmphex (target[i], ==, 0xa5);
  for (gsize i = target_at + size; i < sizeof (target); i++)
    g_assert_cmphex (target[i], ==, 0xa5);
}

static void
test_sizes_and_alignments (void)
{
  const gsize sizes[] = { 0, 1, 15, 63, 64, 65, 4095, 4096, 4097, 4159, 4160, 4161, 8191, 19997,
    MAX_BYTES };

  for (gsize i = 0; i < sizeof (source); i++)
    source[i] = (guint8) (i * 2654435761u >> 24);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    for (gsize at = 0; at < ALIGNMENTS; at++) {
      check (sizes[s], 0, at);
      check (sizes[s], at, 3);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stream-copy/sizes-and-alignments", test_sizes_and_alignments);
  return g_test_run ();
}
