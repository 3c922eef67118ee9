/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of gleshistogram: frames, elements under test, and an oracle that counts
 * samples one by one. */
#ifndef GLESHISTOGRAM_COMMON_H
#define GLESHISTOGRAM_COMMON_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <gst/gles/device/device.h>
#include <gst/gles/meta/histogram.h>

#define TEST_FRAME_DURATION (40 * GST_MSECOND)
#define TEST_CAPS "video/x-raw,format=I420,width=48,height=32,framerate=25/1"

/* ---- the device under test ---- */

/* GLES_TEST_DEVICE, "cpu" without it. */
const gchar *test_device (void);
gboolean test_device_is_cpu (void);

/* Initialises GStreamer, runs @suite or what @add_tests adds; 77 when the device under test is a GL
 * one that is not there (1 with GLES_TEST_REQUIRE=gl). */
gint test_main (gint *argc, gchar ***argv, Suite *(*suite) (void) );
gint test_run (gint argc, gchar **argv, void (*add_tests) (TCase *tcase));
#define TEST_MAIN(add_tests)                                                                       \
  int main (int argc, char **argv)                                                                 \
  {                                                                                                \
    return test_run (argc, argv, add_tests);                                                       \
  }

/* ---- errors ---- */

/* Fails the test when there is an @error: (nullable). */
void test_no_error (const GError *error);
/* The error of the next error message on @bus; other messages before it are lost: (transfer full)
 * (nullable). */
GError *test_bus_pop_error (GstBus *bus);

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

void test_stream_push_event (TestStream *stream, GstEvent *event);
/* Pushes the events of a flushing seek. */
void test_stream_flush (TestStream *stream);
/* Stops the element in @state and starts it anew, with the same caps. */
void test_stream_restart (TestStream *stream, GstState state);

/* These push @buffer (transfer full), stamped by its number. The first three return what comes out,
 * or the result on it: (transfer full) (nullable). */
GstBuffer *test_stream_push (TestStream *stream, GstBuffer *buffer);
GstBuffer *test_stream_push_noise (TestStream *stream, guint32 seed);
GstGlesHistogramResult *test_stream_push_for_result (TestStream *stream, GstBuffer *buffer);
/* ... must fail with one element error of @domain and @code that has @word in it. */
void test_stream_check_bad (
    TestStream *stream, GstBuffer *buffer, GQuark domain, gint code, const gchar *word);
/* ... comes out without a result and is counted as skipped. */
void test_stream_check_skipped (TestStream *stream, GstBuffer *buffer, const gchar *what);
/* ... is skipped twice with one warning of @domain; with on-bad-frame=error it is that error. */
void test_stream_check_refused (
    TestStream *stream, GstBuffer *buffer, GQuark domain, gint code, const gchar *word);

/* Asserts that there is one warning with @domain and @word on the bus, or none for @word NULL. */
void test_stream_check_warning (
    TestStream *stream, GQuark domain, const gchar *word, const gchar *what);
/* ---- frames ---- */

void test_info_from_string (GstVideoInfo *info, const gchar *caps);
/* Every byte of every plane is noise, padding included. */
GstBuffer *test_frame_noise (const GstVideoInfo *info, guint32 seed);
/* Adds a GstVideoMeta that moves the planes apart and pads the rows: (transfer full). */
GstBuffer *test_frame_odd_strides (const GstVideoInfo *info, guint32 seed);
/* Gives @frame a GstVideoCropMeta. */
void test_frame_crop (GstBuffer *frame, guint x, guint y, guint width, guint height);

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

/* Formats of every kind that the oracle knows. */
const GstVideoFormat *test_formats (guint *n_formats);

/* Counts @buffer's samples one by one: (transfer full). @crop: GstVideoCropMeta applies. */
TestExpected *test_expect (GstBuffer *buffer, const GstVideoInfo *info, const TestConfig *config);
void test_expected_free (TestExpected *expected);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestExpected, test_expected_free)

/* What of @result differs from @expected first: (transfer full), NULL for nothing. */
gchar *test_find_wrong (GstGlesHistogramResult *result, const TestExpected *expected);

/* @buffer has one result, and it is right: its own number is @frame. @what names the case. */
void test_check_buffer (GstBuffer *buffer, const GstVideoInfo *info, const TestConfig *config,
    guint64 frame, const gchar *what);
/* The same of a frame of noise that is pushed; and of @frame (transfer full), whose result also
 * differs as it should from *@previous (inout, nullable: not at all), which becomes its own. */
void test_stream_check_noise (
    TestStream *stream, const TestConfig *config, guint64 number, const gchar *what);
void test_stream_check_frame (TestStream *stream, GstBuffer *frame, const TestConfig *config,
    TestExpected **previous, const gchar *what);

/* ---- settings ---- */

/* Changes one property of @element, to something that a frame of 48x32 allows. */
void test_change_something (GstElement *element, GRand *rand);

/* The configuration that a result reports. */
TestConfig test_config_of (GstGlesHistogramResult *result);

#endif
