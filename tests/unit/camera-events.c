/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The detectors of camera events on overviews and regions that are made up: which events start and
 * end when, at several rates of frames. */
#include <glib.h>

#include <math.h>

#include "gst/elements/events/camera-detector.h"
#include "gst/elements/events/light-detector.h"
#include "gst/elements/events/motion-detector.h"

#include <gst/gles/meta/regions.h>

/* ---- events as text ---- */

/* The position is in seconds: frame numbers do not matter. */
static EventTime
time_at (guint frame, guint rate)
{
  const GstClockTime time = gst_util_uint64_scale_int (frame, GST_SECOND, (gint) rate);

  return (EventTime){ frame, time, GST_SECOND / rate, time, time, GST_CLOCK_TIME_NONE,
    (gint64) time, 1.0 };
}

/* "covered 10-; covered 10-20": a start and an end, in whole seconds. */
static void
add_texts (GString *text, GArray *events)
{
  for (guint i = 0; i < events->len; i++) {
    const Event *event = &g_array_index (events, Event, i);

    g_string_append_printf (text, "%s%s %.0f-", text->len > 0 ? "; " : "",
        event_kind_get_name (event->kind), (gdouble) event->start.pts / GST_SECOND);
    if (event->phase == EVENT_END)
      g_string_append_printf (text, "%.0f", (gdouble) event->at.pts / GST_SECOND);
  }
  g_array_set_size (events, 0);
}

/* ---- overviews ---- */

/* An area has as many samples of each value up to @amplitude from its @mean. */
typedef struct {
  gdouble mean, amplitude, sharpness;
} Area;

static void
draw_area (GstGlesOverview *overview, guint a, Area area)
{
  const guint n = 640;

  for (guint i = 0; i < n; i++) {
    const gdouble value = area.mean + area.amplitude * (2.0 * i / (n - 1) - 1.0);

    overview->counts[a][(guint) CLAMP (value, 0.0, 255.0) / 8]++;
  }
  overview->depth = 8;
  overview->n_samples[a] = n;
  overview->n_gradients[a] = 2 * n;
  overview->gradients[a] = (guint64) (area.sharpness * 2 * n);
}

static Area
usual (guint a)
{
  return (Area){ 70.0 + 7.0 * (a * 5 % 16), 14.0 + 5.0 * (a * 3 % 7), 3.0 + a % 5 };
}

/* What happens to the view after so many seconds; @progress is 0 to 1 within the change. */
typedef Area (*Change) (guint a, gdouble progress);

static Area
nothing (guint a, gdouble progress)
{
  return usual (a);
}

static Area
cover_dark (guint a, gdouble progress)
{
  return (Area){ 20.0, 2.0, 0.1 };
}

static Area
cover_noisy (guint a, gdouble progress)
{
  return (Area){ 120.0, 6.0, 4.0 };
}

static Area
defocus (guint a, gdouble progress)
{
  const Area area = usual (a);

  return (Area){ area.mean, 0.9 * area.amplitude, 0.4 * area.sharpness };
}

static Area
turn (guint a, gdouble progress)
{
  return usual ((a * 7 + 3) % 16);
}

static Area
brighten (guint a, gdouble progress)
{
  const Area area = usual (a);

  return (Area){ 16.0 + 1.3 * (area.mean - 16.0), 1.3 * area.amplitude, 1.3 * area.sharpness };
}

static Area
dusk (guint a, gdouble progress)
{
  const gdouble light = 1.0 - 0.85 * progress;
  const Area area = usual (a);

  return (
      Area){ 16.0 + light * (area.mean - 16.0), light * area.amplitude, light * area.sharpness };
}

static Area
rain (guint a, gdouble progress)
{
  const Area area = usual (a);

  return (Area){ area.mean, area.amplitude + 8.0, area.sharpness + 6.0 };
}

static Area
lorry (guint a, gdouble progress)
{
  return a % 4 < 2 ? (Area){ 150.0, 20.0, 1.0 } : usual (a);
}

/* The first area is plain, and all have the noise of a sensor, which no lens takes away. */
static Area
add_noise (guint a, Area area, gdouble noise)
{
  return (Area){ area.mean, area.amplitude, (a == 0 ? 0.0 : area.sharpness) + noise };
}

static Area
noisy_usual (guint a, gdouble progress)
{
  return add_noise (a, usual (a), 4.0);
}

static Area
defocus_noisy (guint a, gdouble progress)
{
  return add_noise (a, defocus (a, progress), 4.0);
}

/* Each copy of the film begins with 3 s of noise that the coder removes from the others. */
static Area
loop_of_film (guint a, gdouble progress)
{
  return add_noise (a, usual (a), fmod (progress * 5.0, 1.0) < 0.5 ? 3.5 : 0.2);
}

static Area
hand (guint a, gdouble progress)
{
  return (Area){ 105.0 + 9.0 * (a * 7 % 4), 26.0, 1.0 };
}

static Area
fog (guint a, gdouble progress)
{
  Area area = usual (a);

  area.mean = 0.4 * area.mean + 0.6 * 190.0;
  area.amplitude *= 0.4;
  area.sharpness *= 0.4;
  return add_noise (a, area, 4.0);
}

typedef struct {
  const gchar *name;
  Change change;
  guint start, end, seconds;
  const gchar *events;
} ViewCase;

static const ViewCase views[] = {
  { "nothing", nothing, 10, 20, 30, "" },
  { "covered", cover_dark, 10, 20, 30, "covered 10-; covered 10-20" },
  { "covered for half a second less than it takes", cover_dark, 10, 10, 30, "" },
  { "covered by something with noise", cover_noisy, 10, 20, 30, "covered 10-; covered 10-20" },
  { "blurred", defocus, 10, 20, 30, "blurred 10-; blurred 10-20" },
  { "moved", turn, 10, 20, 30, "moved 10-; moved 10-20" },
  { "moved for good: another minute later it is the usual view", turn, 10, 200, 100,
      "moved 10-; moved 10-70" },
  { "brighter", brighten, 10, 20, 30, "" },
  { "night", dusk, 10, 70, 100, "" },
  { "rain", rain, 10, 20, 40, "" },
  { "half of it hidden", lorry, 10, 20, 40, "" },
  { "a hand with folds and shades", hand, 10, 20, 30, "covered 10-; covered 10-20" },
  /* there is no usual view yet */
  { "covered from the start", cover_dark, 0, 30, 30, "" },
};

static const ViewCase noisy_views[] = {
  { "blurred behind the noise of the sensor", defocus_noisy, 10, 20, 30,
      "blurred 10-; blurred 10-20" },
  { "fog", fog, 10, 20, 40, "" },
  { "a film that loops", loop_of_film, 0, 30, 30, "" },
};

/* @before is what is seen when nothing happens. */
static void
draw_view (GstGlesOverview *overview, const ViewCase *c, Change before, gdouble seconds)
{
  const gdouble end = MAX (c->end, c->start + 0.5);
  const gdouble progress = CLAMP ((seconds - c->start) / (end - c->start), 0.0, 1.0);
  const gboolean changes = seconds >= c->start && (seconds < end || c->change == dusk);

  for (guint a = 0; a < 16; a++)
    draw_area (overview, a, changes ? c->change (a, progress) : before (a, 0.0));
}

static void
check_view (const ViewCase *c, Change before, guint rate)
{
  const EventSettings settings = { .kinds = EVENT_KINDS_ALL, .moved_min_duration = 1.5 };
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_autoptr (GString) text = g_string_new (NULL);
  EventSpan spans[N_EVENT_KINDS] = { 0 };
  CameraDetector detector = { 0 };

  for (guint frame = 0; frame < c->seconds * rate; frame++) {
    const EventTime at = time_at (frame, rate);
    GstGlesOverview overview = { 0 };
    CameraView view;

    draw_view (&overview, c, before, (gdouble) frame / rate);
    camera_view_make (&view, &overview, &at);
    camera_detector_push (&detector, spans, &settings, &view, events);
    add_texts (text, events);
  }
  g_test_message ("%s, %u frames/s", c->name, rate);
  g_assert_cmpstr (text->str, ==, c->events);
}

static void
test_views (void)
{
  static const guint rates[] = { 4, 25, 60 };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++) {
    for (guint r = 0; r < G_N_ELEMENTS (rates); r++)
      check_view (&views[i], nothing, rates[r]);
  }
}

static void
test_noisy_views (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (noisy_views); i++)
    check_view (&noisy_views[i], noisy_usual, 10);
}

/* The depth does not matter, nor does a picture that is too small to have samples in each area. */
static void
test_no_samples (void)
{
  const EventSettings settings = { .kinds = EVENT_KINDS_ALL };
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  EventSpan spans[N_EVENT_KINDS] = { 0 };
  CameraDetector detector = { 0 };

  for (guint frame = 0; frame < 200; frame++) {
    GstGlesOverview overview = { .depth = 16 };
    const EventTime at = time_at (frame, 10);
    CameraView view;

    if (frame % 100 >= 50)
      draw_area (&overview, 5, usual (5));
    camera_view_make (&view, &overview, &at);
    camera_detector_push (&detector, spans, &settings, &view, events);
  }
  g_assert_cmpuint (events->len, ==, 0);
}

/* ---- light ---- */

static Area
switch_off (guint a, gdouble progress)
{
  const Area area = usual (a);

  return (Area){ 16.0 + 0.5 * (area.mean - 16.0), 0.5 * area.amplitude, 0.5 * area.sharpness };
}

/* Each area in a light of its own. */
static Area
infrared (guint a, gdouble progress)
{
  const Area area = usual (a);

  return (Area){ a % 2 == 0 ? 200.0 - 0.5 * area.mean : area.mean + 50.0, 0.7 * area.amplitude,
    0.7 * area.sharpness };
}

/* By less than 16 code values in two seconds. */
static Area
slow_light (guint a, gdouble progress)
{
  const Area area = usual (a);

  return (Area){ area.mean + 70.0 * progress, area.amplitude, area.sharpness };
}

static const ViewCase lights[] = {
  { "switched", switch_off, 10, 20, 30, "light 10-; light 10-11; light 20-; light 20-21" },
  { "infrared", infrared, 10, 20, 30, "light 10-; light 10-11; light 20-; light 20-21" },
  { "slow", slow_light, 10, 20, 20, "" },
  { "nothing", nothing, 10, 20, 30, "" },
  { "covered", cover_dark, 10, 20, 30, "" },
  { "covered by something with noise", cover_noisy, 10, 20, 30, "" },
  { "blurred", defocus, 10, 20, 30, "" },
  { "moved", turn, 10, 20, 30, "" },
  { "half of it hidden", lorry, 10, 20, 40, "" },
};

static void
test_light (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lights); i++) {
    const ViewCase *c = &lights[i];
    g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
    g_autoptr (GString) text = g_string_new (NULL);
    EventSpan span = { 0 };
    LightDetector detector = { 0 };

    for (guint frame = 0; frame < c->seconds * 10; frame++) {
      const EventTime at = time_at (frame, 10);
      GstGlesOverview overview = { 0 };
      CameraView view;

      draw_view (&overview, c, nothing, frame / 10.0);
      camera_view_make (&view, &overview, &at);
      light_detector_push (&detector, &span, &view, TRUE, events);
      add_texts (text, events);
    }
    g_test_message ("%s", c->name);
    g_assert_cmpstr (text->str, ==, c->events);
  }
}

/* While something else has happened to the camera no light changes. */
static void
test_light_of_something_else (void)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  EventSpan span = { 0 };
  LightDetector detector = { 0 };

  for (guint frame = 0; frame < 200; frame++) {
    const EventTime at = time_at (frame, 10);
    GstGlesOverview overview = { 0 };
    CameraView view;

    draw_view (&overview, &lights[0], nothing, frame / 10.0);
    camera_view_make (&view, &overview, &at);
    light_detector_push (&detector, &span, &view, frame < 90 || frame > 130, events);
  }
  g_assert_cmpuint (events->len, ==, 0);
}

/* ---- regions ---- */

/* Squares of 10 pixels at these distances from the left, the first of them with more points. */
static GstGlesRegionsResult *
make_regions (guint n, const guint *left, guint pixels)
{
  const GstGlesFrameInfo frame = { .width = 200, .height = 100, .format = GST_VIDEO_FORMAT_GRAY8 };
  GstGlesRegion regions[4] = { 0 };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  GstGlesRegionsResult *result;

  for (guint i = 0; i < n; i++) {
    const guint64 size = pixels - i;

    regions[i] = (GstGlesRegion){ .left = left[i],
      .top = 20,
      .right = left[i] + 9,
      .bottom = 29,
      .pixels = (guint32) size,
      .max_value = 1,
      .sum_x = size * left[i],
      .sum_y = size * 20,
      .sum_value = size };
  }
  bytes = g_bytes_new (regions, n * sizeof regions[0]);
  result = gst_gles_regions_result_new (&frame, "motion", bytes, n, &error);
  g_assert_no_error (error);
  return result;
}

static void
push_regions (EventSpan *span, const EventSettings *settings, guint frame, guint n,
    const guint *left, guint pixels, GArray *events)
{
  const EventTime at = time_at (frame, 1);
  g_autoptr (GstGlesRegionsResult) regions = make_regions (n, left, pixels);

  motion_detector_follow (span, settings, regions, &at, events);
}

static void
check_box (const EventBox *box, guint x, guint y, guint width, guint height)
{
  g_assert_cmpuint (box->x, ==, x);
  g_assert_cmpuint (box->y, ==, y);
  g_assert_cmpuint (box->width, ==, width);
  g_assert_cmpuint (box->height, ==, height);
}

/* Frames come once a second, and a region of at least 20 points is motion. */
static void
test_motion (void)
{
  const EventSettings settings = {
    .kinds = EVENT_KINDS_ALL, .motion_min_size = 0.001, .motion_hold = 3.0
  };
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_autoptr (GString) text = g_string_new (NULL);
  EventSpan span = { 0 };
  const Event *event;

  push_regions (&span, &settings, 0, 1, (guint[]){ 50 }, 19, events);
  g_assert_cmpuint (events->len, ==, 0);
  push_regions (&span, &settings, 1, 1, (guint[]){ 50 }, 20, events);
  g_assert_cmpuint (events->len, ==, 1);
  event = &g_array_index (events, Event, 0);
  g_assert_cmpfloat (event->score, ==, 0.001);
  check_box (&event->details.motion.largest, 50, 20, 10, 10);
  add_texts (text, events);
  push_regions (&span, &settings, 2, 2, (guint[]){ 60, 5 }, 80, events);
  /* less than motion-hold without a region, then one that is smaller than the largest */
  push_regions (&span, &settings, 3, 0, NULL, 0, events);
  push_regions (&span, &settings, 5, 0, NULL, 0, events);
  push_regions (&span, &settings, 6, 1, (guint[]){ 90 }, 30, events);
  for (guint frame = 7; frame < 10; frame++)
    push_regions (&span, &settings, frame, 1, (guint[]){ 90 }, 19, events);
  g_assert_cmpuint (events->len, ==, 0);
  push_regions (&span, &settings, 10, 0, NULL, 0, events);
  g_assert_cmpuint (events->len, ==, 1);
  event = &g_array_index (events, Event, 0);
  g_assert_cmpfloat (event->score, ==, 0.004);
  g_assert_cmpuint (event->details.motion.n_regions, ==, 2);
  check_box (&event->details.motion.largest, 60, 20, 10, 10);
  check_box (&event->details.motion.all, 5, 20, 95, 10);
  add_texts (text, events);
  /* the next event knows nothing of it */
  push_regions (&span, &settings, 20, 1, (guint[]){ 150 }, 20, events);
  event = &g_array_index (events, Event, 0);
  check_box (&event->details.motion.all, 150, 20, 10, 10);
  add_texts (text, events);
  g_assert_cmpstr (text->str, ==, "motion 1-; motion 1-7; motion 20-");
}

/* Times at the ends of 64 bits make long events, and no overflow of signed numbers. */
static void
test_ends_of_64_bits (void)
{
  EventTime first = time_at (0, 25), last = time_at (0, 25);

  event_time_move (&first, 0, -1, G_MAXUINT64 - 1);
  event_time_move (&last, 0, 1, (guint64) 1 << 63);
  g_assert_cmpuint (event_get_duration (&first, &last), ==, (guint64) 2 * EVENT_FARTHEST);
  last.duration = G_MAXUINT64 - 1;
  last.rate = 1e-9;
  event_time_advance (&last);
  g_assert_cmpint (last.position, ==, EVENT_FARTHEST);
  last.rate = -1;
  event_time_advance (&last);
  event_time_advance (&last);
  event_time_advance (&last);
  g_assert_cmpint (last.position, ==, -EVENT_FARTHEST);
  g_assert_true (event_has_lasted (&first, &first, 0));
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/camera-events/views", test_views);
  g_test_add_func ("/camera-events/noisy-views", test_noisy_views);
  g_test_add_func ("/camera-events/no-samples", test_no_samples);
  g_test_add_func ("/camera-events/light", test_light);
  g_test_add_func ("/camera-events/light-of-something-else", test_light_of_something_else);
  g_test_add_func ("/camera-events/motion", test_motion);
  g_test_add_func ("/camera-events/ends-of-64-bits", test_ends_of_64_bits);
  return g_test_run ();
}
