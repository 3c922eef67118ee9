/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include <gst/gles/core/error.h>

#include "mask-setting.h"
#include "settings.h"

GParamSpec *
mask_setting_spec (const gchar *what)
{
  g_autofree gchar *blurb = g_strdup_printf (
      "Pixels of the frame to %s: polygons in shares of its width and height, later ones over "
      "earlier ones, those with a sign ! excluded (\"0,0 1,0 1,0.5 0,0.5; !0.2,0.1 0.3,0.1 "
      "0.3,0.2\"), or the path of a PGM or PNG file (\"mask.pgm\"); \"\" for all",
      what);

  return g_param_spec_string ("mask", "Mask", g_intern_string (blurb), "", SETTING_FLAGS);
}

/* A PGM picture of text has up to six characters a pixel. */
#define MAX_FILE_BYTES ((goffset) GST_GLES_MASK_MAX_SIDE * GST_GLES_MASK_MAX_SIDE * 6 + (1 << 20))

/* Returns the bytes of @file, which was opened for @path: (transfer full) (nullable). */
static gchar *
read_file (FILE *file, const gchar *path, gsize *size, GError **error)
{
  struct stat about;
  gchar *data;

  if (fstat (fileno (file), &about) != 0 || !S_ISREG (about.st_mode) ||
      about.st_size > MAX_FILE_BYTES) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "%s is not a regular file of up to %" G_GOFFSET_FORMAT " bytes", path, MAX_FILE_BYTES);
    return NULL;
  }
  data = g_try_malloc ((gsize) about.st_size + 1);
  if (data == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate the %" G_GOFFSET_FORMAT " bytes of %s", (goffset) about.st_size, path);
    return NULL;
  }
  *size = fread (data, 1, (gsize) about.st_size, file);
  return data;
}

/* The setter of a property waits for no other process, such as the writer of a FIFO. */
static gchar *
read_path (const gchar *path, gsize *size, GError **error)
{
  const gint fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
  FILE *file = fd >= 0 ? fdopen (fd, "rb") : NULL;
  gchar *data;

  if (file == NULL) {
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "Failed to open %s: %s",
        path, g_strerror (errno));
    if (fd >= 0)
      close (fd);
    return NULL;
  }
  data = read_file (file, path, size, error);
  fclose (file);
  return data;
}

static GstGlesMask *
load (const gchar *path, GError **error)
{
  g_autofree gchar *data = NULL;
  GstGlesMask *mask;
  gsize size;

  data = read_path (path, &size, error);
  if (data == NULL)
    return NULL;
  mask = size >= 8 && memcmp (data, "\x89PNG\r\n\x1a\n", 8) == 0
      ? mask_new_from_png ((const guint8 *) data, size, error)
      : gst_gles_mask_new_from_pgm ((const guint8 *) data, size, error);
  if (mask == NULL)
    g_prefix_error (error, "%s: ", path);
  return mask;
}

static gboolean
is_path (const gchar *text)
{
  const gchar *end = strrchr (text, '.');

  return text[0] == '/' ||
      (end != NULL &&
          (g_ascii_strcasecmp (end, ".pgm") == 0 || g_ascii_strcasecmp (end, ".png") == 0));
}

void
mask_setting_set (GObject *object, MaskSetting *setting, const GValue *value)
{
  const gchar *text = g_value_get_string (value) != NULL ? g_value_get_string (value) : "";
  const gboolean is_empty = text[strspn (text, " \t\r\n")] == '\0';
  g_autoptr (GError) error = NULL;
  MaskSetting wanted = { NULL, NULL }, old;

  if (!is_empty)
    wanted.mask = is_path (text) ? load (text, &error) : gst_gles_mask_new (text, &error);
  if (error != NULL) {
    g_warning ("%s: mask \"%s\" is refused, and the mask stays as it was: %s",
        GST_OBJECT_NAME (object), text, error->message);
    return;
  }
  wanted.text = g_strdup (text);
  GST_OBJECT_LOCK (object);
  old = *setting;
  *setting = wanted;
  GST_OBJECT_UNLOCK (object);
  mask_setting_clear (&old);
}

void
mask_setting_get (GObject *object, const MaskSetting *setting, GValue *value)
{
  GST_OBJECT_LOCK (object);
  g_value_set_string (value, setting->text != NULL ? setting->text : "");
  GST_OBJECT_UNLOCK (object);
}

void
mask_setting_clear (MaskSetting *setting)
{
  g_clear_pointer (&setting->text, g_free);
  g_clear_pointer (&setting->mask, gst_gles_mask_unref);
}

gboolean
mask_input_update (MaskInput *input, GstObject *object, const MaskSetting *setting,
    const GstGlesImage *image, GError **error)
{
  const GstGlesMaskPicture picture = { image->width, image->height, image->crop_x, image->crop_y,
    image->crop_width, image->crop_height };
  g_autoptr (GstGlesMask) mask = NULL;

  GST_OBJECT_LOCK (object);
  if (setting->mask != NULL)
    mask = gst_gles_mask_ref (setting->mask);
  GST_OBJECT_UNLOCK (object);
  if (mask == input->mask && memcmp (&picture, &input->picture, sizeof (picture)) == 0)
    return TRUE;
  mask_input_clear (input);
  if (mask == NULL)
    return TRUE;
  input->bits = gst_gles_mask_draw (mask, &picture);
  if (input->bits == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate the mask of a picture of %ux%u", picture.width, picture.height);
    return FALSE;
  }
  input->mask = g_steal_pointer (&mask);
  input->picture = picture;
  return TRUE;
}

void
mask_input_clear (MaskInput *input)
{
  g_clear_pointer (&input->mask, gst_gles_mask_unref);
  g_clear_pointer (&input->bits, gst_gles_mask_bits_unref);
}
