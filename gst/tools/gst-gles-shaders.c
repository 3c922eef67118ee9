/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes the source of every specialisation that the library can build to a folder, for the offline
 * compile of the build. Not installed. */
#include "config.h"

#include <gst/gles/algo/specialisations.h>

#include <bench/kernels.h>

typedef struct {
  const gchar *folder;
  guint n_written;
  gboolean failed;
} Writer;

static void
write_one (const GstGlesProgramSpec *spec, gpointer user_data)
{
  Writer *writer = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *source = gst_gles_program_flatten (spec, NULL, &error);
  g_autofree gchar *name = g_strdup_printf ("%s-%03u.comp", spec->kernel, writer->n_written);
  g_autofree gchar *path = g_build_filename (writer->folder, name, NULL);

  if (source == NULL || !g_file_set_contents (path, source, -1, &error)) {
    g_printerr ("%s: %s\n", spec->kernel, error->message);
    writer->failed = TRUE;
    return;
  }
  writer->n_written++;
}

gint
main (gint argc, gchar **argv)
{
  Writer writer = { NULL, 0, FALSE };

  if (argc != 2) {
    g_printerr ("usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  writer.folder = argv[1];
  gst_gles_specialisations_foreach (write_one, &writer);
  bench_specialisations (write_one, &writer);
  g_print ("%u specialisations\n", writer.n_written);
  return writer.failed || writer.n_written == 0 ? 1 : 0;
}
