/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declarations that the files of the soak test share. */
#ifndef GLES_SOAK_H
#define GLES_SOAK_H

#include <gst/video/video.h>
#include <gst/gles/gles.h>

G_BEGIN_DECLS

/* The longest that anything may take before it counts as a hang. */
#define SOAK_PATIENCE_SECONDS 120

typedef struct {
  gint n_streams;
  gint seconds;
  gchar *device; /* of three streams in four, never auto; the others are on cpu */
  gint seed;
  gboolean large; /* most pictures are as large as video is */
  gdouble load;   /* processor time per time that passes, 0: no limit */
  gchar *plant;   /* what a test of the soak test does wrong, NULL: nothing */
} SoakOptions;

/* What is counted while streams run. */
enum {
  SOAK_FRAMES,
  SOAK_COMPARED,
  SOAK_DISCARDED,
  SOAK_PIPELINES,
  SOAK_RESTARTS,
  SOAK_SEEKS,
  SOAK_ENDS,
  SOAK_CAPS,
  SOAK_SETTINGS,
  SOAK_SOURCE_ERRORS,
  SOAK_LOST,
  SOAK_HELD,
  SOAK_KEPT,
  SOAK_N_COUNTS
};

typedef struct {
  SoakOptions options;
  gint counts[SOAK_N_COUNTS]; /* atomic */
  GPtrArray *formats;         /* of gchar *: what the source makes and the analyzers read */
  gint64 start_us;
  GstGlesDevice *shared; /* of many pipelines, another one after each quiet point */
  guint contexts_before; /* made before the first pipeline */
  gint n_devices;        /* atomic: of the device under test, opened for pipelines */
  gint held;             /* atomic: a stream is paused until others have advanced */
  gint stop;             /* atomic: streams end or rest, as soon as they can */

  GMutex lock;
  GCond cond;
  gboolean over;
  gint n_resting;
  gchar *failure; /* the first; never replaced */
} Soak;

/* Records the first failure and ends the run. */
void soak_fail (Soak *soak, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* Sleeps where the process has used more processor time than it may. */
void soak_throttle (Soak *soak);

/* ---- a stream: a thread that runs one pipeline after the other ---- */

typedef struct _SoakStream SoakStream;

SoakStream *soak_stream_start (Soak *soak, guint index);
/* Seconds since the thread was last known to advance, and what it is doing, for the message about a
 * hang. Call with the lock of the soak. */
gdouble soak_stream_silence (SoakStream *stream, const gchar **activity);
void soak_stream_join (SoakStream *stream);

/* ---- what a stream consists of ---- */

/* A property of an analyzer, and values of which one is chosen. */
typedef struct {
  const gchar *name;
  const gchar *values; /* separated by | */
  gboolean both;       /* of the element that results are compared with as well */
} SoakSetting;

typedef struct {
  const gchar *name;
  const gchar *analyzer;
  const gchar *before; /* an element that the analyzer reads results of, or NULL */
  const SoakSetting *settings;
  guint n_settings;
  gboolean splats; /* not video */
  gboolean boxes;  /* regions of interest are put on frames */
  gboolean motion; /* compares with the frame before, so the reference leaves out none */
} SoakKind;

extern const SoakKind soak_kinds[];
extern const guint soak_n_kinds;

/* A random number below @n. */
#define soak_pick(rand, n) (g_rand_int_range (rand, 0, (gint32) (n)))
/* (transfer full) caps of random format and size; NULL @formats: what glesoverlay can draw on. */
gchar *soak_random_caps (GRand *rand, const GPtrArray *formats, gboolean large);
/* (transfer full): one of the values of @setting. */
gchar *soak_random_value (GRand *rand, const SoakSetting *setting);
/* Formats that the video source makes and analyzers read: of gchar *. */
GPtrArray *soak_formats (void);
/* Puts a few regions of interest on @buffer. */
void soak_add_boxes (GRand *rand, GstBuffer *buffer);
/* (transfer full): a list of splats for a frame of up to 400 x 400. */
GstBuffer *soak_make_splats (GRand *rand);

/* Returns the results of one kind on @buffer that the reference must reproduce: (transfer full)
 * (nullable). */
GstMiniObject *soak_result_of (const SoakKind *kind, GstBuffer *buffer);
/* How @result differs from @expected, (transfer full); NULL: not at all. *discarded: a flush took
 * the result back, or its device is lost. */
gchar *soak_difference (GstMiniObject *result, GstMiniObject *expected, gboolean *discarded);

/* ---- what is watched ---- */

enum {
  SOAK_DESCRIPTORS,
  SOAK_THREADS,
  SOAK_CONTEXTS,
  SOAK_BUFFERS,
  SOAK_TEXTURES,
  SOAK_PROGRAMS,
  SOAK_N_OBJECTS
};

typedef struct {
  gint64 resident_kib, heap_kib; /* heap: what malloc() gave and free() did not get back */
  gint n[SOAK_N_OBJECTS];        /* objects that are alive */
} SoakUsage;

void soak_measure (SoakUsage *usage);
/* (transfer full): a list for people. */
gchar *soak_usage_text (const SoakUsage *usage);
/* How many contexts of OpenGL ES the process has made. */
guint soak_contexts_made (void);

G_END_DECLS

#endif
