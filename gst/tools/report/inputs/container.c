/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Containers say how long their parts are. Demuxers take a part that is cut off for the end of the
 * file and say nothing. Only the outermost parts are read. */
#include "container.h"

#include <string.h>

typedef struct {
  const guint8 *data;
  guint64 size;
} File;

/* Returns the number of @n bytes at any address, the highest first. */
static guint64
read_bytes (const guint8 *data, guint n)
{
  guint64 number = 0;

  for (guint i = 0; i < n; i++)
    number = number << 8 | data[i];
  return number;
}

/* Returns (transfer full): that @part ends behind the end of the file. */
static gchar *
describe (const File *file, const gchar *part, guint64 end)
{
  return g_strdup_printf (
      "the file ends %" G_GUINT64_FORMAT " bytes before the end of its %s", end - file->size, part);
}

/* ISO 14496-12: boxes of a size and a type. */
static gchar *
check_boxes (const File *file)
{
  for (guint64 at = 0; at + 8 <= file->size;) {
    const guint8 *box = file->data + at;
    guint64 size = read_bytes (box, 4);

    for (guint i = 4; i < 8; i++) {
      if (!g_ascii_isprint ((gchar) box[i]) && box[i] != 0xa9)
        return NULL; /* something else follows */
    }
    if (size == 1 && at + 16 <= file->size)
      size = read_bytes (box + 8, 8);
    if (size < 8) /* 0: until the end of the file */
      return NULL;
    if (size > file->size - at) {
      g_autofree gchar *part = g_strdup_printf ("box %.4s", (const gchar *) box + 4);

      return size > G_MAXINT64 / 2 ? NULL : describe (file, part, at + size);
    }
    at += size;
  }
  return NULL;
}

/* Returns the contents of the first box @type, one of those in @parent that follow @after: .data is
 * NULL without one. */
static File
find_box (const File *parent, const gchar *type, const guint8 *after)
{
  guint64 at = after != NULL ? (guint64) (after - parent->data) : 0;

  while (at + 8 <= parent->size) {
    const guint8 *box = parent->data + at;
    guint64 size = read_bytes (box, 4), head = 8;

    if (size == 1 && at + 16 <= parent->size) {
      size = read_bytes (box + 8, 8);
      head = 16;
    }
    if (size < head || size > parent->size - at)
      break;
    if (memcmp (box + 4, type, 4) == 0)
      return (File){ box + head, size - head };
    at += size;
  }
  return (File){ NULL, 0 };
}

static gboolean
lacks_edits (const File *file)
{
  const File movie = find_box (file, "moov", NULL);
  gboolean has_video = FALSE;
  File track = { NULL, 0 };

  while (movie.data != NULL && !has_video) {
    File media, handler;

    track = find_box (&movie, "trak", track.data != NULL ? track.data + track.size : NULL);
    if (track.data == NULL)
      break;
    media = find_box (&track, "mdia", NULL);
    handler = find_box (&media, "hdlr", NULL);
    has_video = handler.size >= 12 && memcmp (handler.data + 8, "vide", 4) == 0;
  }
  return has_video && find_box (&track, "edts", NULL).data == NULL;
}

static gchar *
check_riff (const File *file)
{
  const guint32 size = GUINT32_SWAP_LE_BE ((guint32) read_bytes (file->data + 4, 4));

  /* both mean that the writer did not know */
  if (size == 0 || size == G_MAXUINT32 || (guint64) size + 8 <= file->size)
    return NULL;
  return describe (file, "RIFF chunk", (guint64) size + 8);
}

/* RFC 8794: reads a number whose first bits tell its length, and moves *@at behind it. Returns
 * G_MAXUINT64 for an unknown size and when there is none. */
static guint64
read_number (const File *file, guint64 *at, gboolean keep_marker)
{
  guint64 value, ones;
  guint length = 1;

  if (*at >= file->size || file->data[*at] == 0)
    return G_MAXUINT64;
  while (!(file->data[*at] & (0x80 >> (length - 1))))
    length++;
  if (file->size - *at < length)
    return G_MAXUINT64;
  value = keep_marker ? file->data[*at] : file->data[*at] & (0x7f >> (length - 1));
  for (guint i = 1; i < length; i++)
    value = value << 8 | file->data[*at + i];
  *at += length;
  ones = (G_GUINT64_CONSTANT (1) << 7 * length) - 1;
  return !keep_marker && value == ones ? G_MAXUINT64 : value;
}

static gchar *
check_ebml (const File *file)
{
  guint64 at = 0;

  while (at < file->size) {
    const guint64 id = read_number (file, &at, TRUE);
    const guint64 size = read_number (file, &at, FALSE);

    if (id == G_MAXUINT64 || size > G_MAXINT64 / 2)
      return NULL;
    if (size > file->size - at)
      return describe (file, id == 0x18538067 ? "Segment" : "last element", at + size);
    at += size;
  }
  return NULL;
}

static gchar *
check_flv (const File *file)
{
  guint64 at = read_bytes (file->data + 5, 4) + 4;

  while (at < file->size) {
    const guint64 end = at + 15 + (file->size - at >= 11 ? read_bytes (file->data + at + 1, 3) : 0);

    if (end > file->size)
      return describe (file, "last tag", end);
    at = end;
  }
  return NULL;
}

/* IVF: a header of a length of its own, then frames with a size and a time. */
static gchar *
check_ivf (const File *file)
{
  guint64 at = file->data[6] | (guint) file->data[7] << 8;

  while (at < file->size) {
    const guint64 end = at + 12 +
        (file->size - at >= 4 ? GUINT32_SWAP_LE_BE ((guint32) read_bytes (file->data + at, 4)) : 0);

    if (end > file->size)
      return describe (file, "last frame", end);
    at = end;
  }
  return NULL;
}

/* RFC 3533: pages, whose head ends with the sizes of up to 255 segments. Returns where the page at
 * @at ends, which may be behind the file, or 0 if none begins there. */
static guint64
find_page_end (const File *file, guint64 at)
{
  guint64 end = at + 27;

  if (memcmp (file->data + at, "OggS", MIN (file->size - at, 4)) != 0)
    return 0;
  if (end < file->size) {
    const guint n = file->data[at + 26];

    end += n;
    for (guint i = 0; i < n && end <= file->size; i++)
      end += file->data[at + 27 + i];
  }
  return end;
}

static gchar *
check_ogg (const File *file)
{
  guint64 at = 0;

  while (at < file->size) {
    const guint64 end = find_page_end (file, at);

    if (end == 0)
      return NULL; /* something else follows */
    if (end > file->size)
      return describe (file, "last page", end);
    at = end;
  }
  return NULL;
}

/* What a byte adds to a checksum of Ogg. */
static void
make_sums (guint32 table[256])
{
  for (guint i = 0; i < 256; i++) {
    table[i] = i << 24;
    for (guint bit = 0; bit < 8; bit++)
      table[i] = table[i] << 1 ^ (table[i] & 0x80000000 ? 0x04c11db7 : 0);
  }
}

/* The checksum of a page is that of its bytes with 0 in place of the checksum itself, which are
 * those from 22 to 25. */
static gboolean
has_right_sum (const guint32 table[256], const guint8 *page, guint64 size)
{
  guint32 sum = 0;

  for (guint64 i = 0; i < size; i++)
    sum = sum << 8 ^ table[sum >> 24 ^ (i >= 22 && i < 26 ? 0 : page[i])];
  return GUINT32_SWAP_LE_BE (sum) == (guint32) read_bytes (page + 22, 4);
}

/* The demuxer leaves out damaged pages without a word. */
static gchar *
check_page_sums (const File *file, guint *n_wrong)
{
  guint64 at = 0, first = 0;
  guint32 table[256];

  make_sums (table);
  *n_wrong = 0;
  while (at < file->size) {
    const guint64 end = find_page_end (file, at);
    const guint8 *next = file->data + end;

    if (end == 0 || end > file->size || !has_right_sum (table, file->data + at, end - at)) {
      next = memmem (file->data + at + 1, file->size - at - 1, "OggS", 4);
      if (next == NULL && (end == 0 || end > file->size)) /* no page, or a truncated one */
        break;
      first = (*n_wrong)++ == 0 ? at : first;
    }
    at = next != NULL ? (guint64) (next - file->data) : file->size;
  }
  return *n_wrong == 0
      ? NULL
      : g_strdup_printf (
            "pages with a wrong checksum, the first at byte %" G_GUINT64_FORMAT, first);
}

static gchar *
check_packets (const File *file)
{
  const guint64 rest = file->size % 188;

  return rest == 0 ? NULL : describe (file, "last packet", file->size + 188 - rest);
}

/* Returns (transfer full) (nullable): the contents of @path, if they are a file that is long
 * enough. A FIFO can be read once only. */
static GMappedFile *
map (const gchar *path, File *file)
{
  GMappedFile *mapped =
      g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_mapped_file_new (path, FALSE, NULL) : NULL;

  if (mapped == NULL)
    return NULL;
  file->data = (const guint8 *) g_mapped_file_get_contents (mapped);
  file->size = g_mapped_file_get_length (mapped);
  if (file->size <= 3 * 188)
    g_clear_pointer (&mapped, g_mapped_file_unref);
  return mapped;
}

static gboolean
is_mp4 (const File *file)
{
  static const gchar *const boxes[] = { "ftyp", "moov", "mdat", "free", "skip", "wide", NULL };
  gchar type[5] = { 0 };

  memcpy (type, file->data + 4, 4);
  return g_strv_contains (boxes, type);
}

gboolean
report_lacks_edits (const gchar *path)
{
  File file;
  GMappedFile *mapped = map (path, &file);
  const gboolean lacks = mapped != NULL && is_mp4 (&file) && lacks_edits (&file);

  g_clear_pointer (&mapped, g_mapped_file_unref);
  return lacks;
}

gchar *
report_check_container (const gchar *path)
{
  gchar *text = NULL;
  File file;
  GMappedFile *mapped = map (path, &file);

  if (mapped == NULL)
    return NULL;
  if (is_mp4 (&file))
    text = check_boxes (&file);
  else if (memcmp (file.data, "RIFF", 4) == 0)
    text = check_riff (&file);
  else if (memcmp (file.data, "\x1a\x45\xdf\xa3", 4) == 0)
    text = check_ebml (&file);
  else if (memcmp (file.data, "FLV\1", 4) == 0)
    text = check_flv (&file);
  else if (memcmp (file.data, "DKIF", 4) == 0)
    text = check_ivf (&file);
  else if (memcmp (file.data, "OggS", 4) == 0)
    text = check_ogg (&file);
  else if (file.data[0] == 0x47 && file.data[188] == 0x47 && file.data[376] == 0x47)
    text = check_packets (&file);
  g_mapped_file_unref (mapped);
  return text;
}

gchar *
report_check_sums (const gchar *path, guint *n_wrong)
{
  gchar *text = NULL;
  File file;
  GMappedFile *mapped = map (path, &file);

  if (mapped == NULL)
    return NULL;
  if (memcmp (file.data, "OggS", 4) == 0)
    text = check_page_sums (&file, n_wrong);
  g_mapped_file_unref (mapped);
  return text;
}
