/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Containers say how long their parts are. Demuxers take a part that is cut off for the end of the
 * file and say nothing. Only the outermost parts are read. */
#include "container.h"
#include "matroska.h"
#include "ogg.h"
#include "riff.h"
#include "transport.h"

#include <string.h>

/* ISO 14496-12: boxes of a size and a type. */
static gchar *
check_boxes (const ReportBytes *file)
{
  for (guint64 at = 0; at + 8 <= file->size;) {
    const guint8 *box = file->data + at;
    guint64 size = report_file_read (box, 4);

    for (guint i = 4; i < 8; i++) {
      if (!g_ascii_isprint ((gchar) box[i]) && box[i] != 0xa9)
        return NULL; /* something else follows */
    }
    if (size == 1 && at + 16 <= file->size)
      size = report_file_read (box + 8, 8);
    if (size < 8) /* 0: until the end of the file */
      return NULL;
    if (size > file->size - at) {
      g_autofree gchar *part = g_strdup_printf ("box %.4s", (const gchar *) box + 4);

      return size > G_MAXINT64 / 2 ? NULL : report_file_describe_end (file, part, at + size);
    }
    at += size;
  }
  return NULL;
}

/* Returns the contents of the first box @type, one of those in @parent that follow @after: .data is
 * NULL without one. */
static ReportBytes
find_box (const ReportBytes *parent, const gchar *type, const guint8 *after)
{
  guint64 at = after != NULL ? (guint64) (after - parent->data) : 0;

  while (at + 8 <= parent->size) {
    const guint8 *box = parent->data + at;
    guint64 size = report_file_read (box, 4), head = 8;

    if (size == 1 && at + 16 <= parent->size) {
      size = report_file_read (box + 8, 8);
      head = 16;
    }
    if (size < head || size > parent->size - at)
      break;
    if (memcmp (box + 4, type, 4) == 0)
      return (ReportBytes){ box + head, size - head };
    at += size;
  }
  return (ReportBytes){ NULL, 0 };
}

static gboolean
lacks_edits (const ReportBytes *file)
{
  const ReportBytes movie = find_box (file, "moov", NULL);
  gboolean has_video = FALSE;
  ReportBytes track = { NULL, 0 };

  while (movie.data != NULL && !has_video) {
    ReportBytes media, handler;

    track = find_box (&movie, "trak", track.data != NULL ? track.data + track.size : NULL);
    if (track.data == NULL)
      break;
    media = find_box (&track, "mdia", NULL);
    handler = find_box (&media, "hdlr", NULL);
    has_video = handler.size >= 12 && memcmp (handler.data + 8, "vide", 4) == 0;
  }
  return has_video && find_box (&track, "edts", NULL).data == NULL;
}

static gboolean
is_mp4 (const ReportBytes *file)
{
  static const gchar *const boxes[] = { "ftyp", "moov", "mdat", "free", "skip", "wide", NULL };
  gchar type[5] = { 0 };

  memcpy (type, file->data + 4, 4);
  return g_strv_contains (boxes, type);
}

gboolean
report_lacks_edits (const gchar *path)
{
  ReportBytes file;
  GMappedFile *mapped = report_file_map (path, &file);
  const gboolean lacks = mapped != NULL && is_mp4 (&file) && lacks_edits (&file);

  g_clear_pointer (&mapped, g_mapped_file_unref);
  return lacks;
}

static gchar *
check_flv (const ReportBytes *file)
{
  guint64 at = report_file_read (file->data + 5, 4) + 4;

  while (at < file->size) {
    const guint64 end =
        at + 15 + (file->size - at >= 11 ? report_file_read (file->data + at + 1, 3) : 0);

    if (end > file->size)
      return report_file_describe_end (file, "last tag", end);
    at = end;
  }
  return NULL;
}

/* IVF: a header of a length of its own, then frames with a size and a time. */
static gchar *
check_ivf (const ReportBytes *file)
{
  guint64 at = file->data[6] | (guint) file->data[7] << 8;

  while (at < file->size) {
    const guint64 end =
        at + 12 + (file->size - at >= 4 ? report_file_read_swapped (file->data + at) : 0);

    if (end > file->size)
      return report_file_describe_end (file, "last frame", end);
    at = end;
  }
  return NULL;
}

/* ITU-T T.81: returns where the picture at @at ends: behind the file if that ends before, or 0 if
 * what is there is no picture. */
static guint64
find_picture_end (const ReportBytes *file, guint64 at)
{
  const guint64 behind = file->size + 1;
  gboolean coded = FALSE; /* bytes of 0xff that begin no segment are followed by 0 or a restart */

  for (at += 2; at + 2 <= file->size;) {
    const guint8 *next =
        coded ? memchr (file->data + at, 0xff, file->size - at - 1) : file->data + at;
    guint8 marker;

    if (next == NULL)
      return behind;
    at = (guint64) (next - file->data);
    marker = next[1];
    if (next[0] != 0xff)
      return 0;
    if (marker == 0xd9)
      return at + 2;
    if (marker == 0xff || marker == 0 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += marker == 0xff ? 1 : 2;
    } else {
      if (at + 4 > file->size)
        return behind;
      at += 2 + report_file_read (next + 2, 2);
      coded = marker == 0xda;
    }
  }
  return behind;
}

/* A stream of pictures without a container. */
static gchar *
check_jpeg (const ReportBytes *file)
{
  for (guint64 at = 0; at + 2 <= file->size;) {
    if (memcmp (file->data + at, "\xff\xd8", 2) != 0)
      return NULL; /* something else follows */
    at = find_picture_end (file, at);
    if (at == 0)
      return NULL;
    if (at > file->size)
      return g_strdup ("the file ends within its last picture");
  }
  return NULL;
}

/* ---- all of them ---- */

static gboolean
is_flv (const ReportBytes *file)
{
  return memcmp (file->data, "FLV\1", 4) == 0;
}

static gboolean
is_ivf (const ReportBytes *file)
{
  return memcmp (file->data, "DKIF", 4) == 0;
}

static gboolean
is_jpeg (const ReportBytes *file)
{
  return memcmp (file->data, "\xff\xd8\xff", 3) == 0;
}

static const struct {
  gboolean (*is) (const ReportBytes *file);
  gchar *(*check_end) (const ReportBytes *file);
  void (*check_content) (const ReportBytes *file, const ReportContent *content); /* nullable */
} containers[] = {
  { is_mp4, check_boxes, NULL },
  { report_is_riff, report_check_riff_end, report_check_riff },
  { report_is_matroska, report_check_matroska_end, report_check_matroska },
  { is_flv, check_flv, NULL },
  { is_ivf, check_ivf, NULL },
  { report_is_ogg, report_check_ogg_end, report_check_ogg },
  { is_jpeg, check_jpeg, NULL },
  { report_is_transport, report_check_transport_end, report_check_transport },
};

/* Returns the index of the container of @file, or -1. */
static gint
find_container (const ReportBytes *file)
{
  for (guint i = 0; i < G_N_ELEMENTS (containers); i++) {
    if (containers[i].is (file))
      return (gint) i;
  }
  return -1;
}

gchar *
report_check_container (const gchar *path)
{
  gchar *text = NULL;
  ReportBytes file;
  GMappedFile *mapped = report_file_map (path, &file);
  const gint found = mapped != NULL ? find_container (&file) : -1;

  if (found >= 0)
    text = containers[found].check_end (&file);
  g_clear_pointer (&mapped, g_mapped_file_unref);
  return text;
}

void
report_check_content (const gchar *path, const ReportContent *content)
{
  ReportBytes file;
  GMappedFile *mapped = report_file_map (path, &file);
  const gint found = mapped != NULL ? find_container (&file) : -1;

  if (found >= 0 && containers[found].check_content != NULL)
    containers[found].check_content (&file, content);
  g_clear_pointer (&mapped, g_mapped_file_unref);
}
