/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data that gst-gles-report-1.0 collects from a video, and the page that it writes. */
#ifndef GST_GLES_REPORT_H
#define GST_GLES_REPORT_H

#include <gst/gles/meta/histogram.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define REPORT_HEAT_BINS 64

/* Percentiles 1, 5, 10, 50, 90, 95, 99 and the mean. */
#define REPORT_N_LEVELS 8

#define REPORT_MAX_CHANNELS 8

/* A channel of a frame. What is not known is 0, and @previous NAN. */
typedef struct {
  const gchar *name;
  guint depth;
  GstGlesHistogramStatistics statistics;
  gboolean has_emd, has_mad; /* of the statistics */
  const guint32 *counts;     /* (nullable): the histogram, of @n_counts bins */
  guint n_counts;
  gdouble previous; /* mean absolute difference of the samples from the previous frame */
} ReportChannel;

/* The results of a frame. */
typedef struct {
  guint64 number;
  GstClockTime pts;            /* may be NONE */
  GstClockTime time, duration; /* in stream time; the duration may be NONE */
  guint width, height;
  const gchar *format;        /* nullable */
  const gchar *stored_format; /* (nullable): of the file, where another one was analysed */
  guint n_channels;
  ReportChannel channels[REPORT_MAX_CHANNELS]; /* the first is that of the page */
  gboolean key;                                /* it is known to be a key frame */
  gdouble tout, brng;                          /* FFmpeg's measures: shares of the pixels, or NAN */
} ReportResults;

typedef struct _Report Report;

Report *report_new (const gchar *title);
void report_free (Report *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Report, report_free)

/* Only frames and events from @start on and before @stop, in stream time, are wanted. NONE is no
 * limit. The caller leaves the others out. */
void report_set_range (Report *report, GstClockTime start, GstClockTime stop);
gboolean report_covers (Report *report, GstClockTime time);
/* Whether @time is not before @stop. */
gboolean report_is_behind (Report *report, GstClockTime time);
/* @format, @stored: as of ReportResults. */
void report_set_format (
    Report *report, guint width, guint height, const gchar *format, const gchar *stored);
/* Adds a frame to the report and its outputs. */
void report_add_results (Report *report, const ReportResults *results);
/* Adds a line of glesjson, without its line feed, to the outputs that have lines. What it says is
 * added apart. @is_event: it is about an event. */
void report_add_line (Report *report, const gchar *text, gsize size, gboolean is_event);
/* @line: (transfer none): the members of a line of glesjson about an event, which the report may
 * change. @time: in stream time. What is no such line, and another phase than "instant", "start",
 * "update" and "end", adds nothing. */
void report_add_event (Report *report, JsonObject *line, GstClockTime time);

/* Pictures of the strip. report_wants_picture() returns TRUE when the next one is due. @jpeg:
 * (transfer none). */
gboolean report_wants_picture (Report *report, GstClockTime time);
void report_add_picture (Report *report, GstClockTime time, GBytes *jpeg);
/* Events that have a picture. */
#define REPORT_MAX_EVENT_PICTURES 200

/* Returns TRUE while events wait for a picture and the limit of pictures is not reached. An event
 * has the picture of the frame with which it began. */
gboolean report_wants_event_picture (Report *report);
/* Gives all events that wait the picture. @jpeg: (nullable), NULL: they have none. */
void report_add_event_picture (Report *report, GBytes *jpeg);

guint report_get_n_frames (Report *report);
guint report_get_n_events (Report *report);
/* Returns the number of the first frame at @time or later. */
guint report_get_frame_at (Report *report, GstClockTime time);

/* Returns FALSE when an output cannot be written. */
gboolean report_check (Report *report, GError **error);
/* Completes all outputs. Those that cannot be written leave no file; the error names each on a line
 * of its own. @partial: the video was not analysed to its end. */
gboolean report_finish (Report *report, gboolean partial, GError **error);

/* Returns the page: (transfer full). @partial: the video was not analysed to its end. */
GString *report_to_html (Report *report, gboolean partial);

/* Each of these writes @before, such as the name of a member, and then the value. */
void report_append_text (GString *page, const gchar *before, const gchar *text);
void report_append_seconds (GString *page, const gchar *before, GstClockTime time);
/* Writes a member "src". */
void report_append_picture (GString *page, GBytes *jpeg);

/* ---- report-events.c ---- */

typedef struct _ReportEvents ReportEvents;

ReportEvents *report_events_new (void);
void report_events_free (ReportEvents *self);
/* As report_add_event(). A line that repeats one with the same id is counted and adds nothing. */
void report_events_add (ReportEvents *self, JsonObject *line, GstClockTime time);
guint report_events_get_n (ReportEvents *self);

typedef struct {
  JsonObject *line;   /* that of the start, with what later lines changed; belongs to the events */
  GstClockTime start; /* in stream time */
  GstClockTime end;   /* NONE while it goes on */
  gboolean instant;   /* its end is its start */
} ReportEvent;

/* Returns all events by their start: (transfer full), of ReportEvent. */
GArray *report_events_list (ReportEvents *self);
/* *@begin: NONE without events. */
void report_events_get_range (ReportEvents *self, GstClockTime *begin, GstClockTime *end);
gboolean report_events_want_picture (ReportEvents *self);
/* @jpeg: (nullable). */
void report_events_add_picture (ReportEvents *self, GBytes *jpeg);
/* Writes the members of the page's data. @end: of the events that are still open. */
void report_events_append (ReportEvents *self, GString *page, GstClockTime end);

/* ---- report-times.c ---- */

typedef struct _ReportTimes ReportTimes;

ReportTimes *report_times_new (void);
void report_times_free (ReportTimes *self);
void report_times_add (ReportTimes *self, GstClockTime time);
guint report_times_get_n (const ReportTimes *self);
/* Returns the number of the first that is @time or later, or how many there are. */
guint report_times_find (const ReportTimes *self, GstClockTime time);

/* ---- report-members.c: what is missing or has another type counts as not there ---- */

/* Returns (nullable). */
JsonNode *report_get_member (JsonObject *object, const gchar *name, GType type);
/* @node: (nullable). */
gboolean report_is_number (JsonNode *node);
/* Return a finite number, 0 for all else. @node: (nullable). */
gdouble report_get_number (JsonNode *node);
gdouble report_get_double (JsonObject *object, const gchar *name);
/* Returns a number from 0 to @max, or one below 0. */
gint64 report_get_int (JsonObject *object, const gchar *name, gint64 max);
/* Returns (nullable): a string. */
const gchar *report_get_text (JsonObject *object, const gchar *name);
/* Returns a string as it is, all else as JSON: (transfer full). */
gchar *report_describe_member (JsonNode *node);

/* ---- report-lines.c ---- */

typedef struct _ReportLines ReportLines;

/* Adds lines of glesjson to @report. */
ReportLines *report_lines_new (Report *report);
void report_lines_free (ReportLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReportLines, report_lines_free)

/* Adds the frame or the event of a line, @text of @size bytes from any source. A line of another
 * kind, or a member of another type than docs/json.md says, adds nothing. Errors: no JSON object.
 */
gboolean report_lines_add (ReportLines *self, const gchar *text, gsize size, GError **error);

/* Adds the frames and events of the glesjson lines in @path. Returns early, without error, when
 * *@stop becomes TRUE. */
gboolean report_read_lines (Report *report, const gchar *path, gint *stop, GError **error);

/* ---- report-jpeg.c ---- */

typedef struct _ReportJpeg ReportJpeg;

/* Encodes small JPEGs of single frames. */
ReportJpeg *report_jpeg_new (void);
void report_jpeg_free (ReportJpeg *self);
/* Returns a JPEG of @buffer, turned upright: (transfer full) (nullable). Returns NULL from the
 * first failure on, which it reports. @caps: (nullable). */
GBytes *report_jpeg_encode (
    ReportJpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation);
/* Returns whether width and height change places when the picture is turned upright. */
gboolean report_is_sideways (GstVideoOrientationMethod orientation);

/* As jpeg_shrink(). */
GstSample *report_jpeg_shrink (
    ReportJpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation);

/* ---- report-recent.c ---- */

typedef struct _ReportRecent ReportRecent;

/* Keeps the pictures that were added last, @max_size bytes of them: an event may be found some time
 * after the frame with which it began. */
ReportRecent *report_recent_new (gsize max_size, GDestroyNotify free_picture);
void report_recent_free (ReportRecent *self);
/* @picture: (transfer full), that of the frame of @time. @size: its bytes. */
void report_recent_add (ReportRecent *self, GstClockTime time, gpointer picture, gsize size);
/* Returns the picture of the frame of @time: (transfer none) (nullable). */
gpointer report_recent_find (ReportRecent *self, GstClockTime time);
/* Bytes of the JPEGs of events that lines have. */
#define REPORT_RECENT_JPEGS ((gsize) 4 << 20)

/* ---- report-failure.c ---- */

typedef struct _ReportFailure ReportFailure;

/* Collects what explains a failure of the pipeline. */
ReportFailure *report_failure_new (void);
void report_failure_free (ReportFailure *self);
/* Watches the elements that will be added to @pipeline, which must not outlive @self. */
void report_failure_watch (ReportFailure *self, GstElement *pipeline);
/* Returns an error that an element posted, and that may not arrive at the bus of the pipeline:
 * decodebin drops those of an element that starts at that moment. (transfer full) (nullable). */
GstMessage *report_failure_get_lost (ReportFailure *self);
/* Notes a stream of the file. Any thread. */
void report_failure_note_stream (ReportFailure *self, GstCaps *caps);
/* Notes @message if it says that a plugin is missing. */
void report_failure_note_message (ReportFailure *self, GstMessage *message);
/* Returns what went wrong, for the user: (transfer full). @message: an error; @has_video: a video
 * was decoded; @position: of the last frame, or NONE. */
GError *report_failure_describe (
    ReportFailure *self, GstMessage *message, gboolean has_video, GstClockTime position);
/* The same after @seconds without data. Error: G_IO_ERROR_TIMED_OUT. */
GError *report_failure_describe_stall (guint seconds, GstClockTime position);

/* ---- report-elements.c ---- */

/* Checks settings, ELEMENT.PROPERTY=VALUE each. The error tells what there is instead. */
gboolean report_check_settings (gchar **settings, GError **error);
/* Reads a list such as "sat,hue". */
gboolean report_parse_measures (const gchar *text, guint *measures, GError **error);

/* ---- report-video.c ---- */

/* Measures of FFmpeg's signalstats that need more passes over a frame. */
typedef enum {
  REPORT_MEASURES_SAT = 1 << 0,
  REPORT_MEASURES_HUE = 1 << 1,
  REPORT_MEASURES_TOUT = 1 << 2,
  REPORT_MEASURES_BRNG = 1 << 3,
} ReportMeasures;

typedef struct {
  const gchar *device;    /* (nullable) */
  guint timeout;          /* seconds without data after which the analysis fails; 0: none */
  gboolean progress;      /* show it */
  gboolean sound;         /* analyse it too */
  const gchar *stream_id; /* (nullable): what ids of streams are made of in place of the path */
  gchar **settings;       /* (nullable): ELEMENT.PROPERTY=VALUE each */
  gboolean pictures;      /* take them for the page */
  guint measures;         /* ReportMeasures beside those of the page */
  gboolean lines;         /* add lines of glesjson to the report */
  GstClockTime start;     /* where to begin, NONE: at the beginning */
  gboolean part;          /* begin with the key frame before @start, and take all from there on */
  gboolean replay;        /* the path is that of lines with results, see packed.h */
  gboolean replayable;    /* add such lines; @lines is set */
} ReportOptions;

/* Analyses the video @path. Returns early, without error, when *@stop becomes TRUE. After
 * G_IO_ERROR_TIMED_OUT threads may still run, and the process must end by _exit(). */
gboolean report_analyse (
    Report *report, const gchar *path, const ReportOptions *options, gint *stop, GError **error);

/* ---- report-damage.c ---- */

/* Analyses the sound of the video @path alone. Returns early, without error, when *@stop becomes
 * TRUE. */
gboolean report_analyse_sound (
    Report *report, const gchar *path, const ReportOptions *options, gint *stop, GError **error);

G_END_DECLS

#endif
