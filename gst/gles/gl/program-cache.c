/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiled programs on disk. By default for hardware only, since Mesa's software renderer has its
 * own cache. An entry that is damaged, or that the driver refuses, counts as missing. */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

#define MAGIC "GstGlesProgram1"

/* The header of an entry; the driver's binary follows. */
typedef struct {
  gchar magic[16];
  guint32 format;
  guint32 size_bytes;
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
entry_path (const gchar *key)
{
  g_autofree gchar *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
  g_autofree gchar *name = g_strconcat (digest, ".bin", NULL);

  return g_build_filename (g_get_user_cache_dir (), "gst-gles-compute", "programs", name, NULL);
}

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
gst_gles_program_cache_load (GstGlesShare *share, const gchar *key, GLuint program)
{
  g_autofree gchar *path = NULL;
  g_autofree gchar *data = NULL;
  GLint linked = GL_FALSE;
  gsize size;

  if (!is_enabled (share))
    return FALSE;
  path = entry_path (key);
  if (!g_file_get_contents (path, &data, &size, NULL))
    return FALSE;
  if (is_intact (data, size)) {
    const Header *header = (const Header *) data;
    glProgramBinary (program, header->format, data + sizeof (Header), header->size_bytes);
    while (glGetError () != GL_NO_ERROR)
      ;
    glGetProgramiv (program, GL_LINK_STATUS, &linked);
  }
  if (!linked)
    GST_INFO ("%s: not usable, ignored", path);
  return linked;
}

void
gst_gles_program_cache_store (GstGlesShare *share, const gchar *key, GLuint program)
{
  g_autofree gchar *path = NULL;
  g_autofree gchar *folder = NULL;
  g_autofree gchar *data = NULL;
  g_autofree gchar *digest = NULL;
  g_autoptr (GError) error = NULL;
  Header header = { MAGIC, 0, 0, { 0 } };
  GLint size = 0;
  GLsizei written = 0;
  GLenum format = 0;

  if (!is_enabled (share))
    return;
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

  path = entry_path (key);
  folder = g_path_get_dirname (path);
  if (g_mkdir_with_parents (folder, 0700) != 0 ||
      !g_file_set_contents (path, data, sizeof (Header) + written, &error))
    GST_INFO ("%s: not stored: %s", path, error != NULL ? error->message : "no such folder");
}
