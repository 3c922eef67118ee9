/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replays inputs where there is no libFuzzer: fuzz-TARGET FILE-OR-FOLDER... */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static guint
replay (const gchar *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *data = NULL;
  const gchar *name;
  guint n = 0;
  gsize size;

  if (folder != NULL) {
    while ((name = g_dir_read_name (folder)) != NULL) {
      g_autofree gchar *child = g_build_filename (path, name, NULL);

      n += replay (child);
    }
    return n;
  }
  if (!g_file_get_contents (path, &data, &size, &error)) {
    fprintf (stderr, "%s\n", error->message);
    exit (EXIT_FAILURE);
  }
  /* the last one named is the one that failed */
  if (g_getenv ("FUZZ_VERBOSE") != NULL)
    fprintf (stderr, "%s\n", path);
  {
    /* of exactly this size, for sanitizers; g_file_get_contents() adds a byte */
    g_autofree guint8 *exact = g_memdup2 (data, MAX (size, 1));

    LLVMFuzzerTestOneInput (exact, size);
  }
  return 1;
}

int
main (int argc, char **argv)
{
  guint n = 0;

  for (int i = 1; i < argc; i++)
    n += replay (argv[i]);
  printf ("%u inputs\n", n);
  return n > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
