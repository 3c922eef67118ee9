/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of gleshistogram: frames, elements under test, and an oracle that counts
 * samples one by one, with its own table of where formats store them. */
#ifndef GLESHISTOGRAM_COMMON_H
#define GLESHISTOGRAM_COMMON_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <gst/gles/device/device.h>
#include <gst/gles/meta/histogram.h>

#define TEST_FRAME_DURATION (40 * GST_MSECOND)

/* ---- the device under test ---- */

/* GLES_TEST_DEVICE, "cpu" without it. */
const gchar *test_device (void);
gboolean test_device_is_cpu (void);

/* Initialises GStreamer, runs @suite; 77 when the device under test is a GL one that is not there
 * (1 with GLES_TEST_REQUIRE=gl). */
gint test_main (gint *argc, gchar ***argv, Suite *(*suite) (void) );

/* Fails the test when there is an @error: (nullable). */
void test_no_error (const GError *error);

/* ---- elements ---- */

/* gleshistogram on the device under test with @properties, as in a gst-launch line: (transfer
 * full), not floating. */
GstElement *test_element_new (const gchar *properties);
/* A number of the element's "stats". */
guint64 test_get_stat (GstElement *element, const gchar *name);

typedef struct {
  GstHarness *harness;
  GstElement *element; /* borrowed */
  GstBus *bus;
  GstVideoInfo info;
  guint64 n_pushed;
} TestStream;

/* An element in PLAYING between two pads; @caps (nullable) are pushed. */
TestStream *test_stream_new (const gchar *properties, const gchar *caps);
void test_stream_set_caps (TestStream *stream, const gchar *caps);
/* Asserts that no error is left on the bus. */
void test_stream_free (TestStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestStream, test_stream_free)

/* Pushes @buffer (transfer full), stamped by its number, and returns what comes out:
 * (transfer full). */
GstBuffer *test_stream_push (TestStream *stream, GstBuffer *buffer);
/* The same with a new frame of noise. @copy (nullable) receives a ref of what was pushed. */
GstBuffer *test_stream_push_noise (TestStream *stream, guint32 seed);
/* Pushes @buffer (transfer full), which must fail with one element error: (transfer full). */
GError *test_stream_push_bad (TestStream *stream, GstBuffer *buffer);
/* Pushes @frame (transfer full), which comes out without a result and is counted as skipped. */
void test_stream_check_skipped (TestStream *stream, GstBuffer *frame, const gchar *what);
/* Asserts that there is one warning with @domain and @word on the bus, or none for @word NULL. */
void test_stream_check_warning (
    TestStream *stream, GQuark domain, const gchar *word, const gchar *what);
/* Asserts that there is one error on the bus, of RESOURCE/SETTINGS. */
void test_stream_check_settings_error (TestStream *stream, const gchar *what);
/* The next element message in the bus: (transfer full) (nullable). */
GstMessage *test_stream_pop_message (TestStream *stream);

/* The error of the next error message on @bus: (transfer full) (nullable). */
GError *test_bus_pop_error (GstBus *bus);

/* ---- frames ---- */

void test_info_from_string (GstVideoInfo *info, const gchar *caps);
/* Every byte of every plane is noise, padding included. */
GstBuffer *test_frame_noise (const GstVideoInfo *info, guint32 seed);
/* Adds a GstVideoMeta that moves the planes apart and pads the rows: (transfer full). */
GstBuffer *test_frame_odd_strides (const GstVideoInfo *info, guint32 seed);

/* ---- the oracle ---- */

typedef struct {
  guint x, y, width, height; /* region; width 0: the whole picture */
  guint columns, rows;       /* 0: 1 */
  guint bins;                /* 0: 256 */
  gboolean luma;
} TestConfig;

typedef struct {
  guint n_channels;
  const gchar *names[4];
  guint depths[4];
  guint32 *counts[4]; /* cell by cell, bins each */
  guint32 *native[4]; /* by code value, whole region */
  guint n_cells, bins;
} TestExpected;

/* The formats that the oracle knows. */
const GstVideoFormat *test_formats (guint *n_formats);

/* By the oracle's table: bits per sample of channel @index (0: there is no such channel), samples
 * per row and rows, and a sample that is to be @value. */
guint test_frame_get_depth (const GstVideoFrame *frame, guint index);
void test_frame_get_grid (const GstVideoFrame *frame, guint index, guint *width, guint *height);
void test_frame_set_sample (GstVideoFrame *frame, guint index, guint x, guint y, guint value);

/* Counts @buffer's samples one by one: (transfer full). @crop: GstVideoCropMeta applies. */
TestExpected *test_expect (GstBuffer *buffer, const GstVideoInfo *info, const TestConfig *config);
void test_expected_free (TestExpected *expected);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestExpected, test_expected_free)

/* Statistics from the native counts, computed the slow way; @previous is nullable. */
void test_expect_statistics (const TestExpected *expected, const TestExpected *previous,
    guint channel, GstGlesHistogramStatistics *statistics);

/* Asserts that @result equals @expected: names, depths, counters, statistics (the difference too
 * when @previous is given or @first). @what names the case in messages. */
void test_check_result (GstGlesHistogramResult *result, const TestExpected *expected,
    const TestExpected *previous, const gchar *what);

/* @buffer has one result, and it is right: its own number is @frame. */
void test_check_buffer (GstBuffer *buffer, const GstVideoInfo *info, const TestConfig *config,
    guint64 frame, const gchar *what);

/* ---- settings ---- */

typedef struct {
  TestConfig config;
  guint interval;
  gboolean attach_meta, readback;
} TestSettings;

/* Changes one property of @element, to something that a frame of 48x32 allows. */
void test_change_something (GstElement *element, GRand *rand, TestSettings *now);

/* The configuration that a result reports. */
TestConfig test_config_of (GstGlesHistogramResult *result);

#endif
