/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expressions on random pictures, for the script beside this. A line of standard input has a
 * format, width and height, the crop, the region in it, Kr and Kb in 1/65536, 1 for full range,
 * 1 where the picture lies anywhere in memory, the adaptation of the background, the bounds of
 * values (0 0: a predicate), two parameters, and behind `|` the expression and perhaps, behind
 * another, the value of points. For each of three frames it writes lines of the samples of each
 * component, and of the values, `-` where there is none. Values are those of native code, which
 * the device's have to equal; or `error` and why. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/algo/frame/frame-expression.h>
#include <gst/gles/gl/queue.h>

#include "../twin/array-cases.h"
#include "../twin/frame-cases.h"

#define N_FRAMES 3
#define N_NUMBERS 19

static gchar line[1 << 16];

typedef struct {
  GstVideoFormat format;
  gint numbers[N_NUMBERS];
  GstGlesFrameExpressionConfig config;
  GstGlesFrameExpressionCall call;
  gint32 parameters[2][GST_GLES_EXPRESSION_MAX_PARAMETERS];
  GstGlesFrameExpression *plan;
  GstGlesFrameCompact *compact; /* of predicates */
  guint8 *kept;
} Case;

static void
set_image (const gint *n, GstGlesImage *image)
{
  image->crop_x = (guint) n[2];
  image->crop_y = (guint) n[3];
  image->crop_width = (guint) n[4];
  image->crop_height = (guint) n[5];
  image->kr = (guint) n[10];
  image->kb = (guint) n[11];
  image->kg = 65536 - image->kr - image->kb;
  image->full_range = n[12];
}

/* $p and $q by name: in the order of the expression. */
static void
set_parameters (GstGlesExpression *expression, const gint *values, gint32 *parameters)
{
  const gchar *const *names = gst_gles_expression_get_parameters (expression);

  for (guint i = 0; names[i] != NULL; i++)
    parameters[i] = values[names[i][0] == 'q'];
}

static gboolean
read_case (Case *job, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (line, "|", -1);
  g_auto (GStrv) texts = g_strsplit (strchr (line, '|') + 1, "\t", -1);
  g_auto (GStrv) words = g_strsplit (parts[0], " ", -1);
  const gint *n = job->numbers;

  job->format = gst_video_format_from_string (words[0]);
  for (guint i = 0; i < N_NUMBERS; i++)
    job->numbers[i] = atoi (words[1 + i]);
  job->config.predicate = n[16] == 0;
  job->config.lower = (guint) n[15];
  job->config.upper = (guint) n[16];
  job->config.expression = gst_gles_expression_new (texts[0], error);
  if (job->config.expression == NULL)
    return FALSE;
  set_parameters (job->config.expression, n + 17, job->parameters[0]);
  if (texts[1] != NULL) {
    job->config.point_value = gst_gles_expression_new (texts[1], error);
    if (job->config.point_value == NULL)
      return FALSE;
    set_parameters (job->config.point_value, n + 17, job->parameters[1]);
  }
  job->call = (GstGlesFrameExpressionCall){ .x = (guint) (n[2] + n[6]),
    .y = (guint) (n[3] + n[7]),
    .width = (guint) n[8],
    .height = (guint) n[9],
    .parameters = job->parameters[0],
    .value_parameters = job->parameters[1],
    .adaptation = (guint) n[14] };
  return TRUE;
}

static void
print_samples (const Picture *picture)
{
  for (guint i = 0; i < picture->host.n_components; i++) {
    const GstGlesComponent *c = &picture->host.components[i];

    printf ("=%s %u %u %u %u %u", picture->host.names[i], c->depth, c->sub_x, c->sub_y, c->width,
        c->height);
    for (guint y = 0; y < c->height; y++) {
      for (guint x = 0; x < c->width; x++)
        printf (" %u", picture_value (&picture->host, i, FALSE, x, y));
    }
    printf ("\n");
  }
}

/* ---- values ---- */

static guint32
code_at (const GstGlesImage *picture, guint x, guint y)
{
  return picture_value (picture, 0, FALSE, x, y);
}

/* Checks the picture of the device, and returns its host's copy: (transfer full). */
static guint8 *
download (const GstGlesImage *picture)
{
  const GstGlesComponent *c = picture->components;
  const gsize bytes = (gsize) c->stride * c->height;
  guint8 *memory = g_malloc (bytes);
  GError *error = NULL;

  if (array_test.is_cpu)
    memcpy (memory, picture->planes[0], bytes);
  else
    gst_gles_buffer_download (picture->buffer, array_test.queue, 0, memory, bytes, &error);
  g_assert_no_error (error);
  return memory;
}

typedef struct {
  guint x, y, right, bottom; /* of the grid */
} Span;

static Span
span_of (const Case *job, const GstGlesComponent *c)
{
  const GstGlesFrameExpressionCall *call = &job->call;
  const guint x = (1u << c->sub_x) - 1, y = (1u << c->sub_y) - 1;

  return (Span){ MIN ((call->x + x) >> c->sub_x, c->width),
    MIN ((call->y + y) >> c->sub_y, c->height),
    MIN ((call->x + call->width + x) >> c->sub_x, c->width),
    MIN ((call->y + call->height + y) >> c->sub_y, c->height) };
}

static void
compare (const Case *job, const GstGlesImage *native, const GstGlesImage *device)
{
  g_autofree guint8 *memory = download (device);
  GstGlesImage copy = *native;
  const Span span = span_of (job, native->components);

  copy.planes[0] = memory;
  for (guint y = span.y; y < span.bottom; y++) {
    for (guint x = span.x; x < span.right; x++) {
      if (code_at (native, x, y) != code_at (&copy, x, y))
        g_error ("%s: %u on the device, %u in native code at %u, %u", line, code_at (&copy, x, y),
            code_at (native, x, y), x, y);
    }
  }
}

static void
print_values (const Case *job, const GstGlesImage *native)
{
  const Span span = span_of (job, native->components);
  const guint beyond = 1u << (native->components[0].depth - 1);

  printf ("=values");
  for (guint y = span.y; y < span.bottom; y++) {
    for (guint x = span.x; x < span.right; x++) {
      if (gst_gles_frame_expression_has_outside (job->plan) && code_at (native, x, y) >= beyond)
        printf (" -");
      else
        printf (" %u", code_at (native, x, y));
    }
  }
  printf ("\n");
}

/* ---- points ---- */

/* The points of the device, whose number is that of native code: (transfer full). */
static guint32 *
list_on_device (Case *job, const GstGlesImage *image, const GstGlesImage *picture,
    const GstGlesFrameCompactCall *call, GstGlesResult *result)
{
  g_auto (GstGlesFramePoints) points = { .points = NULL };
  guint32 *words = NULL;
  GError *error = NULL;
  gsize bytes;

  g_assert_true (gst_gles_frame_compact_run (job->compact, picture, call, &points, &error) &&
      (!gst_gles_frame_expression_needs_values (job->plan) ||
          gst_gles_frame_expression_write_values (job->plan, image, &job->call, &points, &error)) &&
      gst_gles_buffer_download (
          points.counts, array_test.queue, 0, result, sizeof (*result), &error));
  bytes = 8 * (gsize) result->count;
  words = g_malloc (MAX (bytes, 1));
  g_assert_true (bytes == 0 ||
      gst_gles_buffer_download (points.points, array_test.queue, 0, words, bytes, &error));
  g_assert_no_error (error);
  return words;
}

static void
print_points (
    Case *job, const Picture *picture, const GstGlesImage *native, const GstGlesImage *device)
{
  const GstGlesFrameCompactCall call = { .x = job->call.x,
    .y = job->call.y,
    .width = job->call.width,
    .height = job->call.height,
    .lower = 1,
    .upper = G_MAXUINT,
    .max_points = G_MAXUINT };
  const Span span = span_of (job, native->components);
  GstGlesResult result, of_device;
  g_autofree guint32 *points = NULL, *others = NULL;
  guint8 *nothing = NULL;
  GError *error = NULL;
  guint at = 0;

  points = gst_gles_frame_compact_run_native (
      job->compact, &(GstGlesFrameNative){ native, &nothing, NULL }, &call, &result, &error);
  if (gst_gles_frame_expression_needs_values (job->plan))
    g_assert_true (gst_gles_frame_expression_write_values_native (job->plan,
        &(GstGlesFrameNative){ &picture->host, &job->kept, NULL }, &job->call,
        &(GstGlesFramePointList){ points, result.count }, &error));
  others = list_on_device (job, picture_input (picture), device, &call, &of_device);
  if (result.count != of_device.count || memcmp (points, others, 8 * (gsize) result.count) != 0)
    g_error ("%s: other points on the device than in native code", line);
  printf ("=points");
  for (guint y = span.y; y < span.bottom; y++) {
    for (guint x = span.x; x < span.right; x++) {
      if (code_at (native, x, y) == 0)
        printf (" -");
      else
        printf (" %d", (gint32) points[2 * at++ + 1]);
    }
  }
  g_assert_cmpuint (at, ==, result.count);
  printf ("\n");
}

/* ---- cases ---- */

static void
run_frame (Case *job, Picture *picture, guint8 **values)
{
  GstGlesImage native, device;
  GError *error = NULL;

  g_assert_true (gst_gles_frame_expression_run (
      job->plan, picture_input (picture), &job->call, &device, &error));
  g_assert_true (gst_gles_frame_expression_run_native (job->plan,
      &(GstGlesFrameNative){ &picture->host, &job->kept, values }, &job->call, &native, &error));
  compare (job, &native, &device);
  print_samples (picture);
  if (job->config.predicate)
    print_points (job, picture, &native, &device);
  else
    print_values (job, &native);
  g_assert_true (
      gst_gles_frame_expression_finish (job->plan, picture_input (picture), &job->call, &error));
  gst_gles_frame_expression_finish_native (job->plan, &picture->host, &job->call, job->kept);
}

static gboolean
make_plans (Case *job, const GstGlesImage *image, GError **error)
{
  const GstGlesFrameCompactConfig config = { GST_GLES_POINTS_THRESHOLD, 0, FALSE };
  GstGlesImage picture;

  job->plan = gst_gles_frame_expression_new (array_test.queue, image, &job->config, error);
  if (job->plan == NULL)
    return FALSE;
  gst_gles_frame_expression_get_picture (job->plan, image, &picture);
  if (job->config.predicate)
    job->compact = gst_gles_frame_compact_new (array_test.queue, &picture, &config, error);
  return !job->config.predicate || job->compact != NULL;
}

static void
run_case (guint number)
{
  Case job = { 0 };
  g_autoptr (GError) error = NULL;
  Picture picture = { 0 };
  guint8 *values = NULL;

  if (read_case (&job, &error)) {
    picture_init (&picture, job.format, (guint) job.numbers[0], (guint) job.numbers[1],
        job.numbers[13] ? UNALIGNED : STAGED);
    set_image (job.numbers, &picture.host);
    set_image (job.numbers, &picture.device);
  }
  if (error == NULL && make_plans (&job, picture_input (&picture), &error)) {
    for (guint i = 0; i < N_FRAMES; i++) {
      picture_fill (&picture, i == 1 && number % 3 == 0 ? CONTENT_RAMP : CONTENT_NOISE, number + i);
      job.call.frame = i;
      run_frame (&job, &picture, &values);
    }
  }
  if (error != NULL)
    printf ("=error %s\n", strtok (error->message, "\n"));
  gst_gles_frame_compact_unref (job.compact);
  gst_gles_frame_expression_unref (job.plan);
  gst_gles_expression_unref (job.config.expression);
  gst_gles_expression_unref (job.config.point_value);
  if (picture.memory != NULL)
    picture_clear (&picture);
  g_free (job.kept);
  g_free (values);
}

static void
run_lines (void)
{
  for (guint number = 0; fgets (line, sizeof (line), stdin) != NULL; number++) {
    line[strcspn (line, "\n")] = '\0';
    run_case (number);
    printf ("=end\n");
  }
}

static void
add (void)
{
  g_test_add_func ("/frames", run_lines);
}

ARRAY_TEST_MAIN ("GST_GLES_FRAME_COMPACT_VARIANT", add)
