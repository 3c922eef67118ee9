/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RFC 8794 and RFC 9559: elements of an identifier, a size, and data. A segment has clusters of
 * some seconds, which may begin with a checksum. matroskademux does not read it. */
#include "matroska.h"

#include <string.h>

#include <zlib.h>

#define ID_SEGMENT 0x18538067
#define ID_INFO 0x1549a966
#define ID_SCALE 0x2ad7b1
#define ID_CLUSTER 0x1f43b675
#define ID_TIMESTAMP 0xe7
#define ID_SUM 0xbf

#define UNKNOWN G_MAXUINT64
#define DEFAULT_SCALE GST_MSECOND /* nanoseconds of a step of the clock */

typedef struct {
  guint64 id;
  guint64 begin; /* of the data, in the file */
  guint64 size;  /* of the data; UNKNOWN: not stated */
} Element;

gboolean
report_is_matroska (const ReportBytes *file)
{
  return memcmp (file->data, "\x1a\x45\xdf\xa3", 4) == 0;
}

/* Reads a number whose first bits tell its length, and moves *@at behind it. Returns UNKNOWN for an
 * unknown size and when there is none. */
static guint64
read_number (const ReportBytes *file, guint64 *at, gboolean keep_marker)
{
  guint64 value, ones;
  guint length = 1;

  if (*at >= file->size || file->data[*at] == 0)
    return UNKNOWN;
  while (!(file->data[*at] & (0x80 >> (length - 1))))
    length++;
  if (file->size - *at < length)
    return UNKNOWN;
  value = keep_marker ? file->data[*at] : file->data[*at] & (0x7f >> (length - 1));
  for (guint i = 1; i < length; i++)
    value = value << 8 | file->data[*at + i];
  *at += length;
  ones = (G_GUINT64_CONSTANT (1) << 7 * length) - 1;
  return !keep_marker && value == ones ? UNKNOWN : value;
}

/* Reads the head at *@at, and moves *@at to the data. Returns FALSE if none is there. */
static gboolean
read_head (const ReportBytes *file, guint64 *at, Element *element)
{
  element->id = read_number (file, at, TRUE);
  element->size = read_number (file, at, FALSE);
  element->begin = *at;
  return element->id != UNKNOWN;
}

gchar *
report_check_matroska_end (const ReportBytes *file)
{
  Element element;
  guint64 at = 0;

  while (at < file->size) {
    if (!read_head (file, &at, &element) || element.size > G_MAXINT64 / 2)
      return NULL;
    if (element.size > file->size - at)
      return report_file_describe_end (
          file, element.id == ID_SEGMENT ? "Segment" : "last element", at + element.size);
    at += element.size;
  }
  return NULL;
}

/* ---- checksums ---- */

/* Reads the next element that is whole, one of those before @end. */
static gboolean
read_element (const ReportBytes *file, guint64 *at, guint64 end, Element *element)
{
  if (*at >= end || !read_head (file, at, element) || *at > end || element->size > end - *at)
    return FALSE;
  *at += element->size;
  return TRUE;
}

/* Returns the number that the element @id in @parent has, or @otherwise. */
static guint64
find_number (const ReportBytes *file, const Element *parent, guint64 id, guint64 otherwise)
{
  guint64 at = parent->begin;
  Element element;

  while (read_element (file, &at, parent->begin + parent->size, &element)) {
    if (element.id == id && element.size <= 8)
      return report_file_read (file->data + element.begin, (guint) element.size);
  }
  return otherwise;
}

/* A checksum comes first, is that of what follows, and has its lowest byte first. */
static gboolean
has_wrong_sum (const ReportBytes *file, const Element *element)
{
  const guint64 end = element->begin + element->size;
  guint64 at = element->begin;
  Element sum;

  return read_element (file, &at, end, &sum) && sum.id == ID_SUM && sum.size == 4 &&
      crc32_z (0, file->data + at, end - at) != report_file_read_swapped (file->data + sum.begin);
}

/* Returns when @cluster begins, in stream time. */
static GstClockTime
get_time (const ReportBytes *file, const Element *cluster, guint64 scale, GstClockTimeDiff origin)
{
  const guint64 ticks = find_number (file, cluster, ID_TIMESTAMP, 0);
  GstClockTimeDiff time;

  if (ticks > G_MAXINT64 / MAX (scale, 1))
    return 0;
  time = (GstClockTimeDiff) (ticks * scale) - origin;
  return (GstClockTime) MAX (time, 0);
}

/* An element that is not checked yet: when a cluster ends, the next one tells. */
typedef struct {
  Element element;
  GstClockTime begin, end; /* in stream time */
  gboolean waits;
} Part;

static gboolean
find_segment (const ReportBytes *file, Element *segment)
{
  guint64 at = 0;

  while (read_head (file, &at, segment) && segment->id != ID_SEGMENT) {
    if (segment->size > file->size - at)
      return FALSE;
    at += segment->size;
  }
  segment->size = MIN (segment->size, file->size - at);
  return segment->id == ID_SEGMENT;
}

static void
check_part (const ReportBytes *file, const ReportContent *content, const Part *part)
{
  g_autofree gchar *text = NULL;

  if (!report_covers (content->report, part->begin) && !report_covers (content->report, part->end))
    return;
  if (!has_wrong_sum (file, &part->element))
    return;
  text = g_strdup_printf ("the checksum of the %s at byte %" G_GUINT64_FORMAT " is wrong",
      part->element.id == ID_CLUSTER ? "cluster" : "element", part->element.begin);
  report_problems_add_unless_known (
      content->problems, REPORT_PROBLEM_CORRUPTED, part->begin, part->end, text);
}

/* Ends a cluster at @time. */
static void
end_cluster (
    const ReportBytes *file, const ReportContent *content, Part *cluster, GstClockTime time)
{
  if (!cluster->waits)
    return;
  cluster->end = MAX (time, cluster->begin);
  check_part (file, content, cluster);
  cluster->waits = FALSE;
}

void
report_check_matroska (const ReportBytes *file, const ReportContent *content)
{
  guint64 scale = DEFAULT_SCALE, at;
  Part part = { 0 }, cluster = { 0 };
  Element segment;

  if (!find_segment (file, &segment))
    return;
  at = segment.begin;
  while (read_element (file, &at, segment.begin + segment.size, &part.element)) {
    if (part.element.id == ID_INFO)
      scale = find_number (file, &part.element, ID_SCALE, DEFAULT_SCALE);
    if (part.element.id != ID_CLUSTER) { /* what concerns the whole file is told at its beginning */
      check_part (file, content, &part);
      continue;
    }
    end_cluster (file, content, &cluster, get_time (file, &part.element, scale, content->origin));
    cluster.element = part.element;
    cluster.begin = get_time (file, &part.element, scale, content->origin);
    cluster.waits = TRUE;
  }
  end_cluster (file, content, &cluster, content->end);
}
