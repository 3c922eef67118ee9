/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiled programs on disk. By default for hardware only, since Mesa's software renderer has its
 * own cache. An entry that is damaged, or that the driver refuses, counts as missing. The folder is
 * bounded: when it is full, the entries that were not used for the longest time are deleted. */
#include "config.h"

#include <string.h>
#include <utime.h>

#include <glib/gstdio.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/procs.h>
#include <gst/gles/gl/gl-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

#define MAGIC "GstGlesProgram2"

/* The header of an entry; the driver's binary follows. */
typedef struct {
  gchar magic[16];
  guint32 format;
  guint32 size_bytes;
  guint32 has_run;    /* the driver has what it makes at the first dispatch */
  gchar checksum[64]; /* SHA-256 of the binary, hexadecimal */
} Header;

/* GST_GLES_PROGRAM_CACHE: `off`, or `force` for software renderers too. The default is hardware
 * only. */
static gboolean
is_enabled (GstGlesShare *share)
{
  const gchar *setting = g_getenv ("GST_GLES_PROGRAM_CACHE");

  if (!share->limits.program_binary || g_strcmp0 (setting, "off") == 0)
    return FALSE;
  return share->kind == GST_GLES_DEVICE_HARDWARE || g_strcmp0 (setting, "force") == 0;
}

static gchar *
cache_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "gst-gles-compute", "programs", NULL);
}

gchar *
gst_gles_program_cache_get_path (GstGlesShare *share, const gchar *source)
{
  g_autofree gchar *key = NULL, *folder = NULL, *digest = NULL, *name = NULL;

  if (!is_enabled (share))
    return NULL;
  key = g_strjoin ("\n", share->renderer, share->version, share->display->vendor, source, NULL);
  folder = cache_folder ();
  digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
  name = g_strconcat (digest, ".bin", NULL);
  return g_build_filename (folder, name, NULL);
}

/* ---- the bound ---- */

#define DEFAULT_LIMIT_MIB 64

/* GST_GLES_PROGRAM_CACHE_MIB: the size that the folder may reach. */
static guint64
limit_bytes (void)
{
  const gchar *setting = g_getenv ("GST_GLES_PROGRAM_CACHE_MIB");
  guint64 mib;

  if (setting == NULL || !g_ascii_string_to_unsigned (setting, 10, 0, 1 << 20, &mib, NULL))
    mib = DEFAULT_LIMIT_MIB;
  return mib << 20;
}

typedef struct {
  gchar *path;
  gint64 used_at_us;
  guint64 size_bytes;
} Entry;

static void
clear_entry (gpointer data)
{
  g_free (((Entry *) data)->path);
}

static gint
compare_use (gconstpointer a, gconstpointer b)
{
  const Entry *x = a, *y = b;

  return (x->used_at_us > y->used_at_us) - (x->used_at_us < y->used_at_us);
}

/* Returns the files of @folder, those that were not used for the longest time first: (transfer
 * full). Includes what a process left behind that was killed while it stored an entry. */
static GArray *
list_entries (const gchar *folder, guint64 *total_bytes)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  g_array_set_clear_func (entries, clear_entry);
  *total_bytes = 0;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);
    GStatBuf status;

    if (g_stat (path, &status) == 0 && S_ISREG (status.st_mode)) {
      Entry entry = { g_steal_pointer (&path),
        status.st_mtim.tv_sec * G_USEC_PER_SEC + status.st_mtim.tv_nsec / 1000, status.st_size };
      g_array_append_val (entries, entry);
      *total_bytes += entry.size_bytes;
    }
  }
  g_array_sort (entries, compare_use);
  return entries;
}

/* Returns whether @folder has space for @bytes more, after deleting entries if it is full. The
 * folder is read again only when the space that was left is used up, and then a quarter of the
 * limit becomes free, so few entries pay for it. Processes that store at the same time know nothing
 * of each other, and can exceed the limit by the space that each of them found. */
static gboolean
make_space (const gchar *folder, guint64 bytes)
{
  static GMutex lock;
  static guint64 space_bytes;
  const guint64 limit = limit_bytes ();
  gboolean fits;

  if (bytes > limit - limit / 4)
    return FALSE;
  g_mutex_lock (&lock);
  if (bytes > space_bytes) {
    guint64 total;
    g_autoptr (GArray) entries = list_entries (folder, &total);
    guint64 kept = total + bytes > limit ? limit - limit / 4 - bytes : total;

    for (guint i = 0; i < entries->len && total > kept; i++) {
      const Entry *entry = &g_array_index (entries, Entry, i);
      if (g_unlink (entry->path) == 0)
        total -= entry->size_bytes;
    }
    space_bytes = limit > total ? limit - total : 0;
  }
  fits = bytes <= space_bytes;
  space_bytes -= fits ? bytes : 0;
  g_mutex_unlock (&lock);
  return fits;
}

/* ---- entries ---- */

static gboolean
is_intact (const gchar *data, gsize size)
{
  const Header *header = (const Header *) data;
  g_autofree gchar *digest = NULL;

  if (size < sizeof (Header) || memcmp (header->magic, MAGIC, sizeof (MAGIC)) != 0 ||
      header->size_bytes != size - sizeof (Header))
    return FALSE;
  digest = g_compute_checksum_for_data (
      G_CHECKSUM_SHA256, (const guchar *) data + sizeof (Header), header->size_bytes);
  return memcmp (digest, header->checksum, sizeof (header->checksum)) == 0;
}

gboolean
gst_gles_program_cache_load (const gchar *path, GLuint program, gboolean *has_run)
{
  g_autofree gchar *data = NULL;
  GLint linked = GL_FALSE;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, NULL))
    return FALSE;
  if (is_intact (data, size)) {
    const Header *header = (const Header *) data;
    glProgramBinary (program, header->format, data + sizeof (Header), header->size_bytes);
    gst_gles_forget_gl_errors ();
    glGetProgramiv (program, GL_LINK_STATUS, &linked);
    *has_run = header->has_run != 0;
  }
  if (linked)
    g_utime (path, NULL);
  else
    GST_INFO ("%s: not usable, ignored", path);
  return linked;
}

void
gst_gles_program_cache_store (const gchar *path, GLuint program, gboolean has_run)
{
  g_autofree gchar *folder = NULL;
  g_autofree gchar *data = NULL;
  g_autofree gchar *digest = NULL;
  g_autoptr (GError) error = NULL;
  Header header = { .magic = MAGIC, .has_run = has_run };
  GLint size = 0;
  GLsizei written = 0;
  GLenum format = 0;

  glGetProgramiv (program, GL_PROGRAM_BINARY_LENGTH, &size);
  if (size <= 0)
    return;
  data = g_malloc (sizeof (Header) + size);
  glGetProgramBinary (program, size, &written, &format, data + sizeof (Header));
  if (glGetError () != GL_NO_ERROR || written <= 0)
    return;
  header.format = format;
  header.size_bytes = written;
  digest = g_compute_checksum_for_data (
      G_CHECKSUM_SHA256, (const guchar *) data + sizeof (Header), written);
  memcpy (header.checksum, digest, sizeof (header.checksum));
  memcpy (data, &header, sizeof (header));

  folder = cache_folder ();
  /* GLib waits for the disk when it replaces a file, and this is the device's thread. */
  g_unlink (path);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    GST_INFO ("%s: not stored: no such folder", path);
  else if (!make_space (folder, sizeof (Header) + written))
    GST_INFO ("%s: not stored: larger than the cache may be", path);
  else if (!g_file_set_contents (path, data, sizeof (Header) + written, &error))
    GST_INFO ("%s: not stored: %s", path, error->message);
}
