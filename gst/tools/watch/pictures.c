/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of files begin with the time of day, so that their order is that of time. */
#include "pictures.h"

#include "../common/jpeg.h"
#include "folder.h"

#include <errno.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#define SUFFIX ".jpg"

/* Each is a pipeline, which has six descriptors or so: a bus and pools of buffers. So cameras of
 * one format share one. */
#define MAX_ENCODERS 8

typedef struct {
  GstCaps *caps;
  Jpeg *jpeg;
} Encoder;

struct _WatchPictures {
  const WatchThumbnailsConfig *config;
  GQueue encoders; /* of Encoder, the one that was used last first */
  guint n_files;
  guint64 n_bytes;
};

WatchPictures *
watch_pictures_new (const WatchThumbnailsConfig *config, GError **error)
{
  WatchPictures *self;

  if (config->directory != NULL && g_mkdir_with_parents (config->directory, 0750) != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
        "thumbnails: cannot make the folder %s: %s", config->directory, g_strerror (errno));
    return NULL;
  }
  self = g_new0 (WatchPictures, 1);
  self->config = config;
  g_queue_init (&self->encoders);
  if (config->directory != NULL) {
    const WatchFolderBounds bounds = {
      .suffix = SUFFIX, .max_files = config->max_files, .max_bytes = config->max_bytes
    };

    self->n_files = watch_folder_prune (config->directory, &bounds, &self->n_bytes);
  }
  return self;
}

static void
free_encoder (gpointer data)
{
  Encoder *encoder = data;

  jpeg_free (encoder->jpeg);
  gst_caps_unref (encoder->caps);
  g_free (encoder);
}

void
watch_pictures_free (WatchPictures *self)
{
  if (self == NULL)
    return;
  g_queue_clear_full (&self->encoders, free_encoder);
  g_free (self);
}

guint64
watch_pictures_get_bytes (WatchPictures *self)
{
  return __atomic_load_n (&self->n_bytes, __ATOMIC_RELAXED);
}

/* Returns the encoder for frames of @caps. */
static Encoder *
get_encoder (WatchPictures *self, GstCaps *caps)
{
  g_autoptr (GstCaps) still = gst_caps_copy (caps);
  Encoder *encoder;
  GList *item;

  /* a picture has no rate, and cameras have many */
  gst_structure_remove_field (gst_caps_get_structure (still, 0), "framerate");
  for (item = self->encoders.head; item != NULL; item = item->next) {
    if (gst_caps_is_equal (((Encoder *) item->data)->caps, still))
      break;
  }
  if (item != NULL) {
    g_queue_unlink (&self->encoders, item);
    g_queue_push_head_link (&self->encoders, item);
    return item->data;
  }
  if (g_queue_get_length (&self->encoders) >= MAX_ENCODERS)
    free_encoder (g_queue_pop_tail (&self->encoders));
  encoder = g_new0 (Encoder, 1);
  encoder->caps = g_steal_pointer (&still);
  encoder->jpeg = jpeg_new ((guint) self->config->width, (guint) self->config->quality);
  g_queue_push_head (&self->encoders, encoder);
  return encoder;
}

/* Returns the path of a new file: (transfer full). */
static gchar *
make_path (const WatchPictures *self, const WatchNotice *notice)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree gchar *time = g_date_time_format (now, "%Y-%m-%dT%H-%M-%S.%fZ");
  g_autofree gchar *name =
      g_strdup_printf ("%s %s %s %s" SUFFIX, time, notice->camera, notice->event, notice->id);
  g_autofree gchar *escaped = watch_folder_escape (name);

  return g_build_filename (self->config->directory, escaped, NULL);
}

/* Whether @path (nullable) is of a file in the folder, which may have changed. */
static gboolean
is_ours (const WatchPictures *self, const gchar *path)
{
  g_autofree gchar *folder = path != NULL ? g_path_get_dirname (path) : NULL;

  return folder != NULL && g_str_equal (folder, self->config->directory);
}

/* Counts a file of @size bytes at @path, in place of what is there. */
static void
count (WatchPictures *self, const gchar *path, guint64 size)
{
  GStatBuf before;

  if (g_stat (path, &before) == 0)
    __atomic_sub_fetch (
        &self->n_bytes, MIN (self->n_bytes, (guint64) before.st_size), __ATOMIC_RELAXED);
  else
    self->n_files++;
  __atomic_add_fetch (&self->n_bytes, size, __ATOMIC_RELAXED);
}

/* Writes @path. FALSE with @error. */
static gboolean
store (WatchPictures *self, GBytes *jpeg, const gchar *path, GError **error)
{
  gsize size;
  const gchar *data = g_bytes_get_data (jpeg, &size);
  guint64 bytes;

  if (self->n_files >= self->config->max_files || self->n_bytes + size > self->config->max_bytes) {
    /* room for some more, as the folder is read each time */
    const WatchFolderBounds bounds = { .suffix = SUFFIX,
      .max_files = MAX (self->config->max_files - self->config->max_files / 16 - 1, 1),
      .max_bytes = self->config->max_bytes - self->config->max_bytes / 16 };

    self->n_files = watch_folder_prune (self->config->directory, &bounds, &bytes);
    __atomic_store_n (&self->n_bytes, bytes, __ATOMIC_RELAXED);
  }
  count (self, path, size);
  return g_file_set_contents_full (
      path, data, (gssize) size, G_FILE_SET_CONTENTS_CONSISTENT, 0640, error);
}

GBytes *
watch_pictures_write (WatchPictures *self, const WatchNotice *notice, gchar **path, GError **error)
{
  const WatchFrame *frame = &notice->frame;
  const Encoder *encoder = get_encoder (self, gst_sample_get_caps (frame->sample));
  const JpegBox box = { frame->x, frame->y, frame->width, frame->height, frame->of_width,
    frame->of_height };
  g_autoptr (GBytes) jpeg = NULL;

  jpeg_set_box (encoder->jpeg, self->config->boxes && frame->width > 0 ? &box : NULL);
  jpeg = jpeg_encode (encoder->jpeg, gst_sample_get_buffer (frame->sample), encoder->caps,
      GST_VIDEO_ORIENTATION_IDENTITY);
  if (jpeg == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
        "no picture: are videoscale, videoconvert and jpegenc installed? In memory of a device, "
        "other than that of CUDA and GL, frames cannot be encoded");
    return NULL;
  }
  if (self->config->directory != NULL) {
    g_autofree gchar *target = is_ours (self, *path) ? g_strdup (*path) : make_path (self, notice);

    if (!store (self, jpeg, target, error))
      return NULL;
    g_free (*path);
    *path = g_steal_pointer (&target);
  }
  return g_steal_pointer (&jpeg);
}
