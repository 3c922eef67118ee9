/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replays inputs where there is no libFuzzer: fuzz-TARGET FOLDER */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static void
replay (const gchar *path)
{
  g_autofree guint8 *exact = NULL;
  g_autofree gchar *data = NULL;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, NULL))
    g_error ("%s cannot be read", path);
  /* the last one named is the one that failed */
  if (g_getenv ("FUZZ_VERBOSE") != NULL)
    fprintf (stderr, "%s\n", path);
  /* of exactly this size, for sanitizers; g_file_get_contents() adds a byte */
  exact = g_memdup2 (data, MAX (size, 1));
  LLVMFuzzerTestOneInput (exact, size);
}

int
main (int argc, char **argv)
{
  g_autoptr (GDir) folder = argc > 1 ? g_dir_open (argv[1], 0, NULL) : NULL;
  const gchar *name;
  guint n = 0;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
    g_autofree gchar *path = g_build_filename (argv[1], name, NULL);

    replay (path);
    n++;
  }
  printf ("%u inputs\n", n);
  return n > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
