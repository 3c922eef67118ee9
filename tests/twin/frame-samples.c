/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The background that keeps samples: kernels against the native twin, and the twin against a plain
 * loop, bit for bit. The whole state is compared by the values of the frames after it, each picture
 * of which is compared. */
#include <string.h>

#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/algo/frame/frame-samples.h>
#include <gst/gles/gl/queue.h>

#include "array-cases.h"
#include "frame-cases.h"

#define N_FRAMES 10
#define N_LEARNT 4 /* frames that samples are learnt from */
#define N_SAMPLES 8

/* A picture of 8 bits in a light that changes by all steps, with a thing in it. */
#define CONTENT_LIGHT N_CONTENTS

/* ---- the plain loop ---- */

typedef struct {
  guint width, height, frame, n_learnt;
  guint8 *smooth, *values;
  guint8 *kept[N_SAMPLES];
} Model;

static void
model_init (Model *model, const GstGlesComponent *c)
{
  const gsize n = (gsize) c->width * c->height;

  *model = (Model){ c->width, c->height, 0, 0, g_malloc (n), g_malloc0 (n), { NULL } };
  for (guint k = 0; k < N_SAMPLES; k++)
    model->kept[k] = g_malloc (n);
}

static void
model_clear (Model *model)
{
  g_free (model->smooth);
  g_free (model->values);
  for (guint k = 0; k < N_SAMPLES; k++)
    g_free (model->kept[k]);
}

/* The place of (@x, @y), or of the nearest pixel of the picture. */
static gsize
place (const Model *model, gint64 x, gint64 y)
{
  return (gsize) CLAMP (y, 0, model->height - 1) * model->width +
      (gsize) CLAMP (x, 0, model->width - 1);
}

static guint
mean (guint a, guint b)
{
  return (a + b + 1) / 2;
}

static void
model_smooth (Model *model, const guint8 *picture)
{
  for (gint64 y = 0; y < model->height; y++) {
    for (gint64 x = 0; x < model->width; x++) {
      guint rows[3];

      for (gint64 i = -1; i <= 1; i++)
        rows[i + 1] =
            mean (mean (picture[place (model, x - 1, y + i)], picture[place (model, x + 1, y + i)]),
                picture[place (model, x, y + i)]);
      model->smooth[place (model, x, y)] = (guint8) mean (mean (rows[0], rows[2]), rows[1]);
    }
  }
}

static guint64
hash_of (guint64 x, guint64 y, guint64 frame)
{
  guint64 h = (x + y * 0x9e3779b1 + frame * 0x85ebca77) % (1ull << 32);

  h = (h ^ h / 65536) * 0x7feb352d % (1ull << 32);
  h = (h ^ h / 32768) * 0x846ca68b % (1ull << 32);
  return h ^ h / 65536;
}

static gsize
neighbour_of (const Model *model, gint64 x, gint64 y, guint n)
{
  static const gint offsets[8][2] = { { -1, -1 }, { 0, -1 }, { 1, -1 }, { -1, 0 }, { 1, 0 },
    { -1, 1 }, { 0, 1 }, { 1, 1 } };

  return place (model, x + offsets[n][0], y + offsets[n][1]);
}

/* Learns all samples from the first frame, or two of them from a later one. */
static void
model_learn (Model *model)
{
  const guint first = 2 * model->n_learnt, end = first > 0 ? first + 2 : N_SAMPLES;

  for (guint y = 0; y < model->height; y++) {
    for (guint x = 0; x < model->width; x++) {
      const guint64 order = hash_of (x, y, model->frame);

      for (guint k = first; k < end; k++)
        model->kept[k][place (model, x, y)] =
            model->smooth[k == 0 || k == 1 || k == 2 * model->n_learnt
                    ? place (model, x, y)
                    : neighbour_of (model, x, y, order >> 3 * k & 7)];
    }
  }
  memset (model->values, 0, (gsize) model->width * model->height);
  model->n_learnt++;
}

static void
model_compare (Model *model, guint radius)
{
  for (gsize i = 0; i < (gsize) model->width * model->height; i++) {
    guint nearest = 0, second = 255;

    for (guint k = 1; k < N_SAMPLES; k++) {
      if (ABS (model->kept[k][i] - model->smooth[i]) <
          ABS (model->kept[nearest][i] - model->smooth[i]))
        nearest = k;
    }
    for (guint k = 0; k < N_SAMPLES; k++) {
      if (k != nearest)
        second = MIN (second, (guint) ABS (model->kept[k][i] - model->smooth[i]));
    }
    model->values[i] = (guint8) (second < radius ? 0 : second);
  }
}

static void
model_replace (Model *model, guint64 chance)
{
  for (guint y = 0; y < model->height; y++) {
    const guint64 of_row = hash_of (0xffffffff, y, model->frame);

    for (guint x = 0; x < model->width; x += 16) {
      const guint64 order = hash_of (x, y, model->frame);
      const guint own = x + order % 16, other = x + order / 16 % 16;
      const gsize giver = neighbour_of (model, other, y, order / 256 % 8);
      const gsize at = place (model, own, y);

      if (own < model->width && (model->values[at] == 0 || order / 65536 < chance))
        model->kept[of_row % 8][at] = model->smooth[at];
      if (other < model->width && model->values[giver] == 0)
        model->kept[of_row / 8 % 8][place (model, other, y)] = model->smooth[giver];
    }
  }
}

/* Returns by how much the samples follow the light, below 0 to darker ones: what most pixels of
 * every eighth row have changed by. */
static gint
model_find_light (const Model *model)
{
  gint64 balance = 0, n = 0, n_changed[9] = { 0 };
  gint sign, step = 1;

  for (guint pass = 0; pass < 2; pass++) {
    sign = balance > 0 ? 1 : -1;
    for (guint y = 0; y < model->height; y += 8) {
      for (guint x = 0; x < model->width; x++) {
        const gint change =
            model->smooth[place (model, x, y)] - model->kept[0][place (model, x, y)];

        if (pass == 0) {
          balance += (change > 0) - (change < 0);
          n++;
        }
        for (gint least = 2; pass == 1 && least <= 8; least *= 2)
          n_changed[least] += sign * change >= least;
      }
    }
  }
  for (gint least = 2; least <= 8; least *= 2) {
    if (2 * n_changed[least] > n - n % 2)
      step = least;
  }
  return ABS (balance) > n / 2 ? sign * step : 0;
}

/* Whether most pixels of every eighth row differ from their first sample by 8 or more. */
static gboolean
model_has_changed (const Model *model)
{
  gint64 n = 0, n_changed = 0;

  for (guint y = 0; y < model->height; y += 8) {
    for (guint x = 0; x < model->width; x++, n++)
      n_changed +=
          ABS (model->smooth[place (model, x, y)] - model->kept[0][place (model, x, y)]) >= 8;
  }
  return n_changed > n / 2;
}

static void
model_follow_light (Model *model, gint light)
{
  for (gsize i = 0; i < (gsize) model->width * model->height; i++) {
    for (guint k = 0; k < N_SAMPLES; k++) {
      const gint kept = model->kept[k][i], way = model->smooth[i] - kept;

      if (model->values[i] > 0)
        model->kept[k][i] = (guint8) CLAMP (kept + light, 0, 255);
      else if (way > 0 && light > 0)
        model->kept[k][i] = (guint8) (kept + MIN (way, light));
      else if (way < 0 && light < 0)
        model->kept[k][i] = (guint8) (kept + MAX (way, light));
    }
  }
}

static void
model_run (Model *model, const guint8 *picture, const GstGlesFrameSamplesCall *call)
{
  const gsize n = (gsize) model->width * model->height;
  gsize n_moving = 0;
  gint light;

  model_smooth (model, picture);
  if (model->frame == 0) {
    model_learn (model);
  } else {
    light = model_find_light (model);
    model_compare (model, call->radius);
    for (gsize i = 0; i < n; i++)
      n_moving += model->values[i] > 0;
    if (n_moving > n / 2 || (n_moving > n / 16 && model_has_changed (model)))
      model->n_learnt = 0;
    if (model->n_learnt < N_LEARNT) {
      model_learn (model);
    } else {
      model_replace (model, MIN (2097152 / MAX (call->adaptation, 1), 65536));
      model_follow_light (model, light);
    }
  }
  model->frame++;
}

/* ---- checking ---- */

/* Checks the picture that native code or the device wrote. */
static void
check_values (const GstGlesImage *picture, const Model *model, const gchar *where)
{
  const GstGlesComponent *c = picture->components;
  const gsize bytes = c->offset + (gsize) c->stride * c->height;
  g_autofree guint8 *copy = NULL;
  const guint8 *memory = picture->planes[0];

  if (picture->buffer != NULL) {
    GError *error = NULL;

    memory = copy = g_malloc (bytes);
    assert_ok (
        gst_gles_buffer_download (picture->buffer, array_test.queue, 0, copy, bytes, &error));
  }
  for (guint y = 0; y < c->height; y++) {
    const guint8 *row = memory + c->offset + (gsize) y * c->stride;

    for (guint x = 0; x < c->width; x++) {
      if (row[x] != model->values[place (model, x, y)])
        g_error ("%s, frame %u: value (%u, %u) is %u instead of %u", where, model->frame, x, y,
            row[x], model->values[place (model, x, y)]);
    }
  }
}

static void
run_device (GstGlesFrameSamples *samples, const Picture *picture,
    const GstGlesFrameSamplesCall *call, const Model *model, const gchar *where)
{
  GError *error = NULL;
  GstGlesImage values;

  assert_ok (gst_gles_frame_samples_run (samples, picture_input (picture), call, &values, &error));
  check_values (&values, model, where);
}

/* A frame in native code and on the device; @twice: the latter once more, after it was saved. */
static void
check_frame (GstGlesFrameSamples *samples, const Picture *picture,
    const GstGlesFrameSamplesCall *call, guint8 **kept, const Model *model, gboolean twice,
    const gchar *where)
{
  GError *error = NULL;
  GstGlesImage values;

  assert_ok (gst_gles_frame_samples_run_native (
      samples, &(GstGlesFrameNative){ &picture->host, kept, NULL }, call, &values, &error));
  check_values (&values, model, where);
  if (twice) {
    g_assert_true (gst_gles_queue_begin (array_test.queue, &error) &&
        gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (samples), &error) &&
        gst_gles_queue_end (array_test.queue, &error));
    run_device (samples, picture, call, model, where);
    gst_gles_frame_plan_restore (GST_GLES_FRAME_PLAN (samples));
  }
  run_device (samples, picture, call, model, where);
}

/* Frames of a still picture with what moves over it: so values are small, and some are not. */
static void
fill_light (Picture *picture, guint frame)
{
  static const gint light[N_FRAMES + 1] = { 0, 1, -1, 1, 0, 1, 4, 9, 1, -2, -20 };
  const GstGlesComponent *c = picture->host.components;

  for (guint y = 0; y < c->height; y++) {
    guint8 *row = (guint8 *) picture->host.planes[0] + c->offset + (gsize) y * c->stride;

    for (guint x = 0; x < c->width; x++) {
      const gint luma = x < c->width / 3 && frame % 2 == 1 ? 200 : (gint) ((7 * x + 13 * y) % 160);

      row[x] = (guint8) CLAMP (luma + 2 * light[frame], 0, 255);
    }
  }
}

/* A second picture begins while the first one is learnt, and stays until it is learnt, too. */
static void
fill_frame (Picture *picture, Content content, guint frame)
{
  if (content == CONTENT_LIGHT)
    fill_light (picture, frame);
  else
    picture_fill (picture, content, frame < 2 ? 1 : frame < 7 ? 2 : frame);
  picture_upload (picture);
}

static void
check (GstVideoFormat format, gint channel, guint width, guint height, Placement placement,
    Content content)
{
  const GstGlesFrameSamplesCall calls[] = { { 40, 500 }, { 100, 20 }, { 1, 10000 } };
  g_autofree gchar *where =
      g_strdup_printf ("%s%s %ux%u channel %d content %d", gst_video_format_to_string (format),
          placement == UNALIGNED ? " unaligned" : "", width, height, channel, content);
  g_autoptr (GstGlesFrameSamples) samples = NULL;
  GError *error = NULL;
  Picture picture;

  g_test_message ("%s", where);
  picture_init (&picture, format, width, height, placement);
  if (channel < (gint) picture.host.n_components) {
    samples =
        gst_gles_frame_samples_new (array_test.queue, picture_input (&picture), channel, &error);
    g_assert_no_error (error);
  }
  for (guint turn = 0; samples != NULL && turn < 2; turn++) {
    g_autofree guint8 *kept = NULL;
    Model model;

    g_assert_false (gst_gles_frame_plan_has_reference (GST_GLES_FRAME_PLAN (samples)));
    model_init (&model, &picture.host.components[MAX (channel, 0)]);
    for (guint i = 0; i < N_FRAMES; i++) {
      const GstGlesFrameSamplesCall *call = &calls[(width + i / 2) % G_N_ELEMENTS (calls)];
      g_autofree guint8 *bytes = NULL;

      fill_frame (&picture, content, i + turn);
      bytes = picture_read_8_bits (&picture.host, channel);
      model_run (&model, bytes, call);
      check_frame (samples, &picture, call, &kept, &model, i % 3 == turn, where);
    }
    model_clear (&model);
    g_assert_true (gst_gles_frame_plan_has_reference (GST_GLES_FRAME_PLAN (samples)));
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (samples));
  }
  picture_clear (&picture);
}

/* ---- tests ---- */

static void
test_formats (void)
{
  for (guint i = 0; i < n_formats; i++) {
    check (formats[i], GST_GLES_FRAME_LUMA, 67, 35, i % 2 == 0 ? STAGED : UNALIGNED, CONTENT_NOISE);
    if (i < n_basic_formats) {
      check (formats[i], 1, 64, 32, STAGED, CONTENT_NOISE);
      check (formats[i], 2, 45, 29, UNALIGNED, CONTENT_NOISE);
    }
  }
}

/* Around blocks and vectors, and rows and columns of one. */
static void
test_sizes (void)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 1 }, { 1, 3 }, { 3, 2 }, { 1, 65 }, { 7, 4 },
    { 15, 5 }, { 16, 6 }, { 17, 7 }, { 18, 1 }, { 31, 3 }, { 32, 2 }, { 33, 33 }, { 34, 9 },
    { 35, 8 }, { 63, 10 }, { 64, 11 }, { 65, 12 }, { 129, 31 }, { 255, 17 }, { 257, 67 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check (GST_VIDEO_FORMAT_GRAY8, 0, sizes[i][0], sizes[i][1], STAGED, CONTENT_NOISE);
    check (GST_VIDEO_FORMAT_NV12, 0, sizes[i][0], sizes[i][1], UNALIGNED, CONTENT_NOISE);
  }
}

static void
test_contents (void)
{
  for (Content content = 0; content < N_CONTENTS; content++) {
    check (GST_VIDEO_FORMAT_I420, 0, 161, 119, STAGED, content);
    check (GST_VIDEO_FORMAT_P010_10LE, 0, 161, 37, STAGED, content);
  }
}

/* Samples follow the light. */
static void
test_light (void)
{
  check (GST_VIDEO_FORMAT_GRAY8, 0, 67, 35, STAGED, CONTENT_LIGHT);
  check (GST_VIDEO_FORMAT_I420, 0, 642, 361, STAGED, CONTENT_LIGHT);
}

/* Several bands of rows, and many blocks to an invocation. */
static void
test_large (void)
{
  check (GST_VIDEO_FORMAT_NV12, 0, 1280, 720, STAGED, CONTENT_SLOPE);
  check (GST_VIDEO_FORMAT_RGB, GST_GLES_FRAME_LUMA, 643, 359, STAGED, CONTENT_NOISE);
}

static void
test_refusals (void)
{
  const GstGlesFrameSamplesCall call = { 12, 500 };
  g_autoptr (GstGlesFrameSamples) samples = NULL;
  GError *error = NULL;
  Picture picture, other;
  GstGlesImage values;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 64, 48, STAGED);
  picture_init (&other, GST_VIDEO_FORMAT_I420, 64, 48, UNALIGNED);
  samples = gst_gles_frame_samples_new (array_test.queue, picture_input (&picture), 0, &error);
  g_assert_no_error (error);
  if (gst_gles_device_get_kind (array_test.device) == GST_GLES_DEVICE_CPU) {
    /* decoders pad rows otherwise than caps say */
    gst_gles_frame_samples_run (samples, picture_input (&other), &call, &values, &error);
    g_assert_no_error (error);
  } else {
    assert_fails (
        gst_gles_frame_samples_run (samples, picture_input (&other), &call, &values, &error),
        INVALID);
  }
  picture_clear (&picture);
  picture_clear (&other);
}

static void
add (void)
{
  g_test_add_func ("/frame-samples/refusals", test_refusals);
  g_test_add_func ("/frame-samples/formats", test_formats);
  g_test_add_func ("/frame-samples/sizes", test_sizes);
  g_test_add_func ("/frame-samples/contents", test_contents);
  g_test_add_func ("/frame-samples/light", test_light);
  g_test_add_func ("/frame-samples/large", test_large);
}

ARRAY_TEST_MAIN (NULL, add)
