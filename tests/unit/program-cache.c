/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiled programs on disk: an entry is used where it is whole and the driver takes it, a damaged
 * one is replaced, a folder that cannot be written is no error, and the folder stays within its
 * bound. */
#include <string.h>
#include <utime.h>

#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/program.h>

#include "gles-test.h"

/* The header of an entry, as gst/gles/gl/program-cache.c writes it: 16 bytes of magic, the format,
 * the size, 64 bytes of checksum. */
#define FORMAT_AT 16
#define SIZE_AT 20
#define CHECKSUM_AT 24
#define BINARY_AT 88

static GstGlesDevice *device;
static gchar *folder;
static gint n_loaded, n_built; /* atomic */

static void
on_log (GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function,
    gint line, GObject *object, GstDebugMessage *message, gpointer user_data)
{
  const gchar *text = gst_debug_message_get (message);

  if (strstr (text, "kernel test_add loaded in") != NULL)
    g_atomic_int_inc (&n_loaded);
  else if (strstr (text, "kernel test_add built in") != NULL)
    g_atomic_int_inc (&n_built);
}

/* Gets a program on a device that has none in memory. Returns whether it came from the disk. */
static gboolean
get_program (gint64 addend)
{
  g_autoptr (GError) error = NULL;
  GstGlesDevice *fresh = gst_gles_device_new (gst_gles_device_get_id (device), &error);
  const GstGlesProgramSpec spec = { .kernel = "test_add",
    .local_size = { 64, 1, 1 },
    .n_storage = 2,
    .defines = { { "ADDEND", addend } } };
  GstGlesProgram *program;
  const gint loaded = g_atomic_int_get (&n_loaded), built = g_atomic_int_get (&n_built);

  g_assert_no_error (error);
  program = gst_gles_program_get (gst_gles_device_get_queue (fresh), &spec, &error);
  g_assert_no_error (error);
  g_assert_nonnull (program);
  gst_gles_program_unref (program);
  gst_object_unref (fresh);
  g_assert_cmpint (
      g_atomic_int_get (&n_loaded) + g_atomic_int_get (&n_built), ==, loaded + built + 1);
  return g_atomic_int_get (&n_loaded) > loaded;
}

/* Returns the sum of the sizes in the folder; *path (nullable) receives a file of it. */
static guint64
folder_bytes (gchar **path, guint *n_files)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;
  guint64 bytes = 0;

  *n_files = 0;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *at = g_build_filename (folder, name, NULL);
    GStatBuf status;
    g_assert_cmpint (g_stat (at, &status), ==, 0);
    bytes += status.st_size;
    (*n_files)++;
    if (path != NULL) {
      g_free (*path);
      *path = g_steal_pointer (&at);
    }
  }
  g_clear_pointer (&dir, g_dir_close);
  return bytes;
}

static gchar *
only_entry (void)
{
  gchar *path = NULL;
  guint n_files;

  folder_bytes (&path, &n_files);
  g_assert_cmpuint (n_files, ==, 1);
  return path;
}

/* Entries that were not used for the longest time go first, and one that was used stays. */
static void
test_bound (void)
{
  const guint64 limit = 1 << 20;
  g_autofree gchar *used = NULL, *unused = NULL;
  guint n = 1, n_files = 0, n_before;

  g_setenv ("GST_GLES_PROGRAM_CACHE_MIB", "1", TRUE);
  gles_test_remove_tree (folder);
  g_assert_false (get_program (0));
  used = only_entry ();
  do {
    n_before = n_files;
    g_assert_false (get_program (n++));
    g_assert_cmpuint (folder_bytes (NULL, &n_files), <=, limit);
    if (n == 3) {
      GDir *dir = g_dir_open (folder, 0, NULL);
      const struct utimbuf long_ago = { 1000, 1000 };
      const gchar *name;
      while ((name = g_dir_read_name (dir)) != NULL) {
        g_autofree gchar *path = g_build_filename (folder, name, NULL);
        g_assert_cmpint (utime (path, &long_ago), ==, 0);
        if (strcmp (path, used) != 0 && unused == NULL)
          unused = g_steal_pointer (&path);
      }
      g_dir_close (dir);
      g_assert_true (get_program (0)); /* is used, which its time must tell */
    }
    g_assert_cmpuint (n, <, 2000);
  } while (n_files > n_before);
  g_assert_cmpuint (n, >, 4);
  g_assert_cmpuint (n_files, >, n_before / 2);
  g_assert_false (g_file_test (unused, G_FILE_TEST_EXISTS));
  g_assert_true (get_program (n - 1)); /* the newest */
  g_test_message ("%u programs until the first was evicted, %u files left", n, n_files);
  g_unsetenv ("GST_GLES_PROGRAM_CACHE_MIB");
}

/* A limit of 0 stores nothing. */
static void
test_no_space (void)
{
  guint n_files;

  gles_test_remove_tree (folder);
  g_setenv ("GST_GLES_PROGRAM_CACHE_MIB", "0", TRUE);
  g_assert_false (get_program (1));
  g_assert_false (get_program (1));
  folder_bytes (NULL, &n_files);
  g_assert_cmpuint (n_files, ==, 0);
  g_unsetenv ("GST_GLES_PROGRAM_CACHE_MIB");
}

typedef enum {
  DAMAGE_EMPTY,
  DAMAGE_CUT_HEADER,
  DAMAGE_CUT_BINARY,
  DAMAGE_LONGER,
  DAMAGE_MAGIC,
  DAMAGE_SIZE,
  DAMAGE_CHECKSUM,
  DAMAGE_BINARY,
  DAMAGE_FORMAT,  /* not in the checksum: only the driver can tell */
  DAMAGE_FOREIGN, /* a right checksum of bytes that the driver never wrote */
  N_DAMAGES
} Damage;

/* Damages the @size bytes at @data, which has space for one more. Returns the new size. */
static gsize
damage (Damage how, gchar *data, gsize size)
{
  static const gsize flipped[N_DAMAGES] = { [DAMAGE_MAGIC] = 14,
    [DAMAGE_SIZE] = SIZE_AT + 1,
    [DAMAGE_CHECKSUM] = CHECKSUM_AT + 63,
    [DAMAGE_FORMAT] = FORMAT_AT };
  g_autofree gchar *digest = NULL;

  switch (how) {
    case DAMAGE_EMPTY:
      return 0;
    case DAMAGE_CUT_HEADER:
      return BINARY_AT - 1;
    case DAMAGE_CUT_BINARY:
      return size - 1;
    case DAMAGE_LONGER:
      data[size] = 0;
      return size + 1;
    case DAMAGE_BINARY:
      data[size - 1] ^= 1;
      return size;
    case DAMAGE_FOREIGN:
      memset (data + BINARY_AT, 0x5a, size - BINARY_AT);
      digest = g_compute_checksum_for_data (
          G_CHECKSUM_SHA256, (const guchar *) data + BINARY_AT, size - BINARY_AT);
      memcpy (data + CHECKSUM_AT, digest, 64);
      return size;
    default:
      data[flipped[how]] ^= 1;
      return size;
  }
}

static void
test_damage (void)
{
  for (guint how = 0; how < N_DAMAGES; how++) {
    g_autofree gchar *path = NULL, *data = NULL, *spoilt = NULL;
    gsize size, spoilt_size;

    gles_test_remove_tree (folder);
    g_assert_false (get_program (77));
    g_assert_true (get_program (77));
    path = only_entry ();
    g_assert_true (g_file_get_contents (path, &data, &size, NULL));
    g_assert_cmpuint (size, >, BINARY_AT);
    spoilt = g_malloc (size + 1);
    memcpy (spoilt, data, size);
    spoilt_size = damage (how, spoilt, size);
    g_assert_true (g_file_set_contents (path, spoilt, spoilt_size, NULL));
    if (get_program (77))
      g_error ("damage %u went unnoticed", how);
    g_assert_true (get_program (77)); /* the entry was replaced */
  }
}

/* A file where the folder should be, and a folder where the entry should be. */
static void
test_no_folder (void)
{
  g_autofree gchar *path = NULL;

  gles_test_remove_tree (folder);
  g_assert_true (g_file_set_contents (folder, "", 0, NULL));
  g_assert_false (get_program (5));
  g_assert_false (get_program (5));
  g_assert_cmpint (g_remove (folder), ==, 0);
  g_assert_false (get_program (5));
  path = only_entry ();
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_assert_false (get_program (5));
  g_assert_false (get_program (5));
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

int
main (int argc, char **argv)
{
  g_autofree gchar *cache = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  cache = gles_test_private_cache ();
  folder = g_build_filename (cache, "gst-gles-compute", "programs", NULL);
  gst_debug_set_threshold_from_string ("gles:5", TRUE);
  gst_debug_remove_log_function (NULL);
  gst_debug_add_log_function (on_log, NULL, NULL);
  device = gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  if (!gst_gles_device_get_limits (device)->program_binary) {
    g_printerr ("the driver has no program binaries: skipped\n");
    gst_object_unref (device);
    return GLES_TEST_SKIP;
  }
  g_test_add_func ("/program-cache/bound", test_bound);
  g_test_add_func ("/program-cache/no-space", test_no_space);
  g_test_add_func ("/program-cache/damage", test_damage);
  g_test_add_func ("/program-cache/no-folder", test_no_folder);
  result = g_test_run ();
  gst_object_unref (device);
  g_free (folder);
  return result;
}
