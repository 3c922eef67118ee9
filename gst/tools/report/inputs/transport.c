/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ISO/IEC 13818-1. Packets belong to streams, each with a counter of 4 bits; the packets of a unit,
 * which is one or several frames, follow each other. tsdemux warns of counters only in the middle
 * of a unit. */
#include "transport.h"

#include <string.h>

#define SYNC 0x47
#define PACKET 188
#define N_STREAMS 8192
#define RATE 90000       /* the ticks of timestamps in a second */
#define WRAP (1LL << 33) /* timestamps start again from 0 at this value */
/* the largest step between units; a larger one means that the clock was set */
#define MAX_STEP (10 * RATE)
/* the earliest timestamp of the file is among the first units of each stream, so many of them */
#define N_EARLY 20
#define MEDIA_SIZE 14 /* the size of the header of a unit up to the end of its timestamp */

typedef struct {
  /* the distance between packets in the file, and where the first one begins */
  guint stride, offset;
} Layout;

typedef struct {
  gboolean counted; /* the counter is known */
  guint8 counter;
  gboolean media; /* units of pictures or sound were seen */
  /* how many bytes of the unit are still to come; 0: none, or that is not known */
  guint64 left;
  guint n_units;        /* how many units had a timestamp */
  gint64 time, elapsed; /* the last timestamp, and how long after the first one of the file */
} Stream;

typedef struct {
  gint64 first; /* the first timestamp of the file; -1 before it */
  /* the earliest timestamp of the first units, less @first, so it is not above 0 */
  gint64 earliest;
} Beginning;

static gboolean
find_layout (const ReportBytes *file, Layout *layout)
{
  static const Layout layouts[] = { { 188, 0 }, { 192, 4 }, { 204, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++) {
    const guint8 *first = file->data + layouts[i].offset;

    *layout = layouts[i];
    if (first[0] == SYNC && first[layout->stride] == SYNC && first[2 * layout->stride] == SYNC)
      return TRUE;
  }
  return FALSE;
}

gboolean
report_is_transport (const ReportBytes *file)
{
  Layout layout;

  return find_layout (file, &layout);
}

gchar *
report_check_transport_end (const ReportBytes *file)
{
  Layout layout;
  guint64 rest;

  if (!find_layout (file, &layout))
    return NULL;
  rest = file->size % layout.stride;
  return rest == 0
      ? NULL
      : report_file_describe_end (file, "last packet", file->size + layout.stride - rest);
}

/* ---- units ---- */

/* Notes the timestamp of a unit. */
static void
note_time (Beginning *beginning, Stream *stream, gint64 time)
{
  gint64 step;

  if (beginning->first < 0)
    beginning->first = time;
  step = (time - (stream->n_units > 0 ? stream->time : beginning->first) + WRAP + WRAP / 2) % WRAP -
      WRAP / 2;
  if (ABS (step) <= MAX_STEP)
    stream->elapsed += step;
  stream->time = time;
  if (stream->n_units++ < N_EARLY)
    beginning->earliest = MIN (beginning->earliest, stream->elapsed);
}

static void
begin_unit (Beginning *beginning, Stream *stream, const guint8 *unit, guint size)
{
  guint64 length;

  stream->left = 0;
  /* pictures, sound, and what has no kind of its own, such as AC-3 */
  if (size < MEDIA_SIZE || memcmp (unit, "\0\0\1", 3) != 0 ||
      !(unit[3] == 0xbd || unit[3] == 0xfd || (unit[3] >= 0xc0 && unit[3] <= 0xef)))
    return;
  stream->media = TRUE;
  length = report_file_read (unit + 4, 2);
  if (length > 0)
    stream->left = length + 6 - MIN (length + 6, size);
  if (unit[7] & 0x80)
    note_time (beginning, stream,
        (gint64) (unit[9] & 0x0e) << 29 |
            (gint64) (report_file_read (unit + 10, 2) & 0xfffe) << 14 |
            (gint64) report_file_read (unit + 12, 2) >> 1);
}

/* ---- counters ---- */

/* Takes a packet. Returns TRUE if one is missing before it. Where streams were joined, units begin
 * with a counter of their own, and the ones before are complete. */
static gboolean
take_packet (Beginning *beginning, Stream *stream, const guint8 *packet)
{
  const gboolean begins = (packet[1] & 0x40) != 0;
  const gboolean adapts = (packet[3] & 0x20) != 0;
  const guint head = MIN (4 + (adapts ? 1 + packet[4] : 0), PACKET);
  const guint8 counter = packet[3] & 0x0f;
  gboolean lost;

  /* the packet says that its counter does not continue the former */
  if (adapts && packet[4] > 0 && packet[5] & 0x80)
    stream->counted = FALSE;
  if (!(packet[3] & 0x10)) /* the packet has no payload */
    return FALSE;
  if (stream->counted && counter == stream->counter) /* the packet is a repetition */
    return FALSE;
  lost = stream->counted && counter != ((stream->counter + 1) & 0x0f) && stream->media &&
      (!begins || stream->left > 0);
  stream->counted = TRUE;
  stream->counter = counter;
  if (begins)
    begin_unit (beginning, stream, packet + head, PACKET - head);
  else
    stream->left -= MIN (stream->left, PACKET - head);
  return lost;
}

static GstClockTime
get_time (const Beginning *beginning, const Stream *stream)
{
  return gst_util_uint64_scale (
      (guint64) MAX (stream->elapsed - beginning->earliest, 0), GST_SECOND, RATE);
}

/* Returns where the next packet is, behind one at @at that does not begin as one. */
static guint64
find_sync (const ReportBytes *file, const Layout *layout, guint64 at)
{
  do
    at++;
  while (at + layout->stride < file->size &&
      !(file->data[at] == SYNC && file->data[at + layout->stride] == SYNC));
  return at;
}

void
report_check_transport (const ReportBytes *file, const ReportContent *content)
{
  g_autofree Stream *streams = g_new0 (Stream, N_STREAMS);
  Beginning beginning = { .first = -1 };
  Layout layout;

  if (!find_layout (file, &layout))
    return;
  for (guint64 at = layout.offset; at + PACKET <= file->size;) {
    const guint8 *packet = file->data + at;
    const guint number = (guint) report_file_read (packet + 1, 2) & 0x1fff;
    Stream *stream = &streams[number];

    if (packet[0] != SYNC) {
      at = find_sync (file, &layout, at);
      continue;
    }
    at += layout.stride;
    /* the demodulator that received the packet has marked it as damaged */
    if (packet[1] & 0x80)
      continue;
    if (take_packet (&beginning, stream, packet)) {
      const GstClockTime time = get_time (&beginning, stream);
      g_autofree gchar *text = g_strdup_printf (
          "packets of the stream 0x%04x are missing before byte %" G_GUINT64_FORMAT, number,
          (guint64) (packet - file->data));

      report_problems_add_unless_known (content->problems, REPORT_PROBLEM_GAP, time, time, text);
    }
  }
}
