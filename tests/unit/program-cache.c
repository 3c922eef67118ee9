/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiled programs on disk: an entry is used where it is whole and the driver takes it, a damaged
 * one is replaced, a folder that cannot be written is no error, the folder stays within its bound,
 * and an entry has what a driver makes at the first dispatch. */
#include <utime.h>

#include "gl-common.h"

#include "compilations.h"

/* The header of an entry, as gst/gles/gl/program-cache.c writes it: 16 bytes of magic, the format,
 * the size, whether the program has run, 64 bytes of checksum. */
#define FORMAT_AT 16
#define SIZE_AT 20
#define CHECKSUM_AT 28
#define BINARY_AT 92

/* ---- a driver that generates code at the first dispatch ---- */

#define MAX_PROGRAMS 64

/* used on the device's thread, and by the test while that is idle: */
static gboolean is_late;                    /* the driver does so */
static gboolean is_generated[MAX_PROGRAMS]; /* by name: the program has that code */
static GLuint current;
static guint n_generated;

#pragma GCC visibility push(default)

GLuint
glCreateProgram (void)
{
  const GLuint name = REAL (glCreateProgram) ();

  g_assert_cmpuint (name, <, MAX_PROGRAMS);
  is_generated[name] = FALSE;
  return name;
}

GL_APICALL void GL_APIENTRY
glUseProgram (GLuint name)
{
  current = name;
  REAL (glUseProgram) (name);
}

GL_APICALL void GL_APIENTRY
glDispatchCompute (GLuint x, GLuint y, GLuint z)
{
  n_generated += !is_generated[current];
  is_generated[current] = TRUE;
  REAL (glDispatchCompute) (x, y, z);
}

/* The last byte of a binary tells whether it has the code. */
GL_APICALL void GL_APIENTRY
glGetProgramBinary (GLuint name, GLsizei size, GLsizei *length, GLenum *format, void *binary)
{
  REAL (glGetProgramBinary) (name, size - is_late, length, format, binary);
  if (is_late)
    ((guint8 *) binary)[(*length)++] = (guint8) is_generated[name];
}

GL_APICALL void GL_APIENTRY
glGetProgramiv (GLuint name, GLenum what, GLint *value)
{
  REAL (glGetProgramiv) (name, what, value);
  if (is_late && what == GL_PROGRAM_BINARY_LENGTH)
    (*value)++;
}

GL_APICALL void GL_APIENTRY
glProgramBinary (GLuint name, GLenum format, const void *binary, GLsizei length)
{
  if (is_late)
    is_generated[name] = ((const guint8 *) binary)[--length];
  REAL (glProgramBinary) (name, format, binary, length);
}

#pragma GCC visibility pop

/* ---- */

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
  const gint loaded = g_atomic_int_get (&n_loaded), built = g_atomic_int_get (&n_built);

  gst_clear_object (&device);
  assert_ok (device = gst_gles_device_new (g_getenv ("GLES_TEST_DEVICE"), &error));
  queue = gst_gles_device_get_queue (device);
  gst_gles_program_unref (add_program (addend));
  g_assert_cmpint (
      g_atomic_int_get (&n_loaded) + g_atomic_int_get (&n_built), ==, loaded + built + 1);
  return g_atomic_int_get (&n_loaded) > loaded;
}

/* Returns the sum of the sizes in the folder; *entry (optional) receives the last entry's path. */
static guint64
folder_bytes (gchar **entry, guint *n_files)
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
    if (entry != NULL && g_str_has_suffix (name, ".bin")) {
      g_free (*entry);
      *entry = g_steal_pointer (&at);
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

static void
make_file (const gchar *path, gsize size_bytes, time_t used)
{
  g_autofree gchar *bytes = g_malloc0 (size_bytes);
  const struct utimbuf times = { used, used };

  g_assert_true (g_file_set_contents (path, bytes, (gssize) size_bytes, NULL));
  g_assert_cmpint (utime (path, &times), ==, 0);
}

/* What was not used for the longest time goes first, until a quarter of the limit is free, and an
 * entry that was used stays. Files that are no entries count, too: a process that was killed left
 * them. This test is the first: what was free in the folder is remembered. */
static void
test_bound (void)
{
  enum {
    LIMIT = 1 << 20,
    N_FILES = 50,
    FILE_BYTES = 20000
  };
  const struct utimbuf long_ago = { 500, 500 };
  g_autofree gchar *used = NULL;
  gchar *files[N_FILES];
  guint64 total, before, entry_bytes;
  guint n = 1, n_files;

  g_setenv ("GST_GLES_PROGRAM_CACHE_MIB", "1", TRUE);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (guint i = 0; i < N_FILES; i++) {
    files[i] = g_strdup_printf ("%s/%u", folder, i);
    make_file (files[i], FILE_BYTES, 1000 + i);
  }
  g_assert_false (get_program (0));
  total = folder_bytes (&used, &n_files);
  entry_bytes = total - N_FILES * FILE_BYTES;
  g_assert_cmpint (utime (used, &long_ago), ==, 0);
  g_assert_true (get_program (0)); /* is used, which its time must tell */
  do {
    g_assert_cmpuint (n, <, 2000);
    before = total;
    g_assert_false (get_program (n++));
    total = folder_bytes (NULL, &n_files);
    g_assert_cmpuint (total, <=, LIMIT);
  } while (total > before);
  g_assert_cmpuint (before + 2 * entry_bytes, >, LIMIT);
  g_assert_cmpuint (total, <=, LIMIT - LIMIT / 4);
  g_assert_cmpuint (total, >, LIMIT - LIMIT / 4 - FILE_BYTES);
  for (guint i = 0; i < N_FILES; i++) {
    g_assert_true (g_file_test (files[i], G_FILE_TEST_EXISTS) == (i >= N_FILES + n - n_files));
    g_free (files[i]);
  }
  g_assert_true (get_program (0));
  g_assert_true (get_program (n - 1)); /* the newest */
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

/* What happened to an entry on disk. Sizes and places from END on count from the entry's end. */
#define END (1 << 30)

static const struct {
  const gchar *name;
  gsize size, flipped; /* 0: no byte is flipped */
} damages[] = {
  { "empty", 0, 0 }, { "header cut", BINARY_AT - 1, 0 }, { "binary cut", END - 1, 0 },
  { "longer", END + 1, 0 }, { "magic", END, 14 }, { "size", END, SIZE_AT + 1 },
  { "checksum", END, CHECKSUM_AT + 63 }, { "binary", END, END - 1 },
  { "format, which the checksum leaves out: only the driver can tell", END, FORMAT_AT },
  { "foreign", END, 0 }, /* a right checksum of bytes that the driver never wrote */
};

static void
test_damage (void)
{
  g_autofree gchar *path = NULL, *data = NULL;
  gsize size;

  gles_test_remove_tree (folder);
  g_assert_false (get_program (77));
  g_assert_true (get_program (77));
  path = only_entry ();
  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  g_assert_cmpuint (size, >, BINARY_AT);
  for (guint i = 0; i < G_N_ELEMENTS (damages); i++) {
    const gsize flipped = damages[i].flipped, cut = damages[i].size;
    g_autofree gchar *spoilt = g_malloc0 (size + 1), *digest = NULL;

    memcpy (spoilt, data, size);
    if (flipped > 0)
      spoilt[flipped < END / 2 ? flipped : size - END + flipped] ^= 1;
    if (g_str_equal (damages[i].name, "foreign")) {
      memset (spoilt + BINARY_AT, 0x5a, size - BINARY_AT);
      digest = g_compute_checksum_for_data (
          G_CHECKSUM_SHA256, (const guchar *) spoilt + BINARY_AT, size - BINARY_AT);
      memcpy (spoilt + CHECKSUM_AT, digest, 64);
    }
    g_assert_true (g_file_set_contents (
        path, spoilt, (gssize) (cut < END / 2 ? cut : size - END + cut), NULL));
    if (get_program (77))
      g_error ("damage went unnoticed: %s", damages[i].name);
    g_assert_true (get_program (77)); /* the entry was replaced */
  }
}

/* Gets a program on a device that has none in memory and dispatches it if @runs. Returns whether it
 * came from the disk; *generated: the driver generated code. */
static gboolean
use_program (gint64 addend, gboolean runs, gboolean *generated)
{
  const gboolean loaded = get_program (addend);

  n_generated = 0;
  compilations_reset ();
  if (runs) {
    g_autoptr (GstGlesProgram) program = add_program (addend);
    g_autoptr (GstGlesBuffer) input = words (64, 0), output = words (64, 0);

    queue_add (queue, program, input, output, 64, 1);
    g_assert_true (has_words (output, 64, (guint32) addend));
  }
  g_assert_cmpint (g_atomic_int_get (&n_compilations), ==, 0);
  *generated = n_generated > 0;
  return loaded;
}

/* What the driver generates at the first dispatch is there in the next process, also where the
 * first one did not dispatch the program. */
static void
test_late_code (void)
{
  gboolean generated;

  gles_test_remove_tree (folder);
  is_late = TRUE;
  g_assert_false (use_program (3, TRUE, &generated));
  g_assert_true (generated);
  g_assert_true (use_program (3, TRUE, &generated));
  g_assert_false (generated);

  g_assert_false (use_program (4, FALSE, &generated));
  g_assert_true (use_program (4, TRUE, &generated));
  g_assert_true (generated);
  for (guint i = 0; i < 2; i++) {
    g_assert_true (use_program (4, TRUE, &generated));
    g_assert_false (generated);
  }
  is_late = FALSE;
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
  int result;

  device = gles_test_begin (&argc, &argv, FALSE);
  if (device == NULL)
    return gles_test_no_gl ();
  if (!gst_gles_device_get_limits (device)->program_binary) {
    g_printerr ("the driver has no program binaries: skipped\n");
    gst_object_unref (device);
    return GLES_TEST_SKIP;
  }
  folder = g_build_filename (g_get_user_cache_dir (), "gst-gles-compute", "programs", NULL);
  gst_debug_set_threshold_from_string ("gles:5", TRUE);
  gst_debug_remove_log_function (NULL);
  gst_debug_add_log_function (on_log, NULL, NULL);
  g_test_add_func ("/program-cache/bound", test_bound);
  g_test_add_func ("/program-cache/no-space", test_no_space);
  g_test_add_func ("/program-cache/damage", test_damage);
  g_test_add_func ("/program-cache/late-code", test_late_code);
  g_test_add_func ("/program-cache/no-folder", test_no_folder);
  result = g_test_run ();
  gst_object_unref (device);
  g_free (folder);
  return result;
}
