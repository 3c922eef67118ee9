/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which changes of a structured picture are cuts for glesevents, and which transitions: another
 * scene, also a dark one or half of one; another light; graphics that come and go. */
#include "lines.h"

#define CAPS_OF(size)                                                                              \
  "video/x-raw,format=GRAY8,width=" size ",height=" size ",framerate=25/1,colorimetry=2:3:5:1"
#define FRAME (GST_SECOND / 25)
#define CELLS 8 /* of a picture, in each direction: one shade each */

/* What a picture shows. */
typedef struct {
  guint scene; /* a pattern of shades */
  guint light; /* percent */
  guint other; /* scene of the graphic, or of what is mixed in */
  enum {
    NOTHING,
    CAPTION, /* the lower third is white */
    BARS,    /* black, above and below */
    INSET,   /* `other` in a corner */
    HALF,    /* the right half is that of `other` */
    SPLIT,   /* the same, and the left half moves */
    MIXED,   /* with each frame more of `other` is mixed in */
    MOVING,  /* the same, and both pictures move */
    LIT,     /* as MIXED, and the left half gets lighter meanwhile, and darker again */
    STROBE,  /* two frames of four are black */
    FLASHES, /* of three frames one has half of the light */
    DIMMED,  /* with each frame it is darker */
    ROLLING, /* as MIXED, with a flash that begins and ends within a frame */
    LIGHTER  /* a plain one, with each frame lighter */
  } with;
} Picture;

typedef struct {
  guint n; /* frames of this picture */
  Picture picture;
  const gchar *caps;    /* pushed before; NULL: none */
  GstClockTime segment; /* 0: none; else another one begins so long after the last frame begins */
} Step;

typedef struct {
  const gchar *what;
  Step steps[4];
  const gchar *events; /* until the end of the stream */
} Case;

#define SCENE(number)                                                                              \
  {                                                                                                \
    number, 100                                                                                    \
  }
#define AT(number, light)                                                                          \
  {                                                                                                \
    number, light                                                                                  \
  }
#define WITH(graphic)                                                                              \
  {                                                                                                \
    1, 100, 2, graphic                                                                             \
  }

#define SPLIT_INTO(other)                                                                          \
  {                                                                                                \
    1, 100, other, SPLIT                                                                           \
  }
#define STROBE_OF(number, kind)                                                                    \
  {                                                                                                \
    number, 100, 0, kind                                                                           \
  }

static const Case cases[] = {
  { "another scene", { { 8, SCENE (1) }, { 8, SCENE (2) } }, "cut 8" },
  { "at night", { { 8, AT (1, 8) }, { 8, AT (2, 8) } }, "cut 8" },
  { "another light", { { 8, SCENE (1) }, { 8, AT (1, 50) }, { 8, AT (1, 80) } }, "" },
  { "another light and scene", { { 8, SCENE (1) }, { 8, AT (2, 50) } }, "cut 8" },
  { "caption", { { 8, SCENE (1) }, { 8, WITH (CAPTION) }, { 8, SCENE (1) } }, "" },
  { "bars", { { 8, SCENE (1) }, { 8, WITH (BARS) }, { 8, SCENE (1) } }, "" },
  { "inset", { { 8, SCENE (1) }, { 8, WITH (INSET) }, { 8, SCENE (1) } }, "" },
  { "half of it stays", { { 8, SCENE (1) }, { 8, WITH (HALF) } }, "cut 8" },
  { "dissolve", { { 8, SCENE (1) }, { 12, WITH (MIXED) }, { 8, SCENE (2) } },
      "dissolve 8-; dissolve 8-19" },
  { "dissolve of moving pictures", { { 8, SCENE (1) }, { 24, WITH (MOVING) }, { 16, SCENE (2) } },
      "dissolve 8-; dissolve 8-31" },
  { "dissolve while a light passes", { { 8, SCENE (1) }, { 24, WITH (LIT) }, { 16, SCENE (2) } },
      "dissolve 9-; dissolve 9-31" },
  { "a plain picture gets lighter", { { 48, WITH (LIGHTER) } }, "" },
  { "dimmed slowly", { { 8, SCENE (1) }, { 16, WITH (DIMMED) }, { 16, AT (1, 20) } }, "" },
  { "rolling flash in motion", { { 8, SCENE (1) }, { 12, WITH (ROLLING) }, { 8, SCENE (2) } }, "" },
  { "rolling flash in motion at first", { { 12, WITH (ROLLING) }, { 8, SCENE (2) } }, "" },
  { "half of a split screen", { { 8, SPLIT_INTO (2) }, { 8, SPLIT_INTO (3) } }, "" },
  { "in a black strobe", { { 16, STROBE_OF (1, STROBE) }, { 16, STROBE_OF (2, STROBE) } },
      "cut 16" },
  { "in a strobe", { { 15, STROBE_OF (1, FLASHES) }, { 15, STROBE_OF (2, FLASHES) } }, "cut 15" },
  { "the same in another size", { { 8, SCENE (1) }, { 8, SCENE (1), CAPS_OF ("128") } }, "" },
  { "the next item", { { 8, SCENE (1) }, { 8, SCENE (2), NULL, FRAME } }, "cut 8" },
  { "the next item in another size", { { 8, SCENE (1) }, { 8, SCENE (2), CAPS_OF ("128"), FRAME } },
      "cut 8" },
  { "after a pause", { { 8, SCENE (1) }, { 8, SCENE (2), NULL, GST_SECOND } }, "" },
  { "another in another size", { { 8, SCENE (1) }, { 8, SCENE (2), CAPS_OF ("128") } }, "cut 8" },
};

/* Shades of 40 to 210 that look random, with stripes in each area of four cells, across those of
 * the next scene. */
static guint
get_shade (guint scene, guint x, guint y)
{
  guint32 hash = (scene * 64 + y / 2 * 8 + x / 2) * 2654435761u;

  hash = (hash ^ hash >> 15) * 2246822519u;
  return 40 + (hash ^ hash >> 13) % 120 + (scene % 2 ? x : y) % 2 * 50;
}

static guint
mix (guint a, guint b, guint part, guint parts)
{
  return (a * (parts - part) + b * part) / parts;
}

static guint
get_sample (const Picture *picture, guint x, guint y, guint part, guint parts)
{
  const guint own = get_shade (picture->scene, x, y), other = get_shade (picture->other, x, y);
  const guint motion = (part * 5 + x / 2 * 3 + y / 2 * 7) % 11;
  guint shade = own, light = picture->light;

  switch (picture->with) {
    case NOTHING:
      break;
    case CAPTION:
      shade = y >= 6 ? 235 : own;
      break;
    case BARS:
      shade = y == 0 || y == CELLS - 1 ? 16 : own;
      break;
    case INSET:
      shade = x >= 5 && y >= 5 ? other : own;
      break;
    case HALF:
      shade = x >= CELLS / 2 ? other : own;
      break;
    case SPLIT:
      shade = x >= CELLS / 2 ? other : own + motion;
      break;
    case MIXED:
      shade = mix (own, other, part, parts);
      break;
    case MOVING:
      shade = mix (own, other, part, parts) + motion;
      break;
    case LIT:
      shade = mix (own, other, part, parts);
      shade += x < CELLS / 2 ? 60 * MIN (part, parts - part) / parts : 0;
      break;
    case LIGHTER:
      shade = mix (60, 200, part, parts);
      break;
    case STROBE:
      shade = part % 4 < 2 ? own : 16;
      break;
    case FLASHES:
      light = part % 3 == 0 ? 50 : 100;
      break;
    case ROLLING:
      shade = mix (own, other, part, parts);
      if (part == 6 || (part == 5 && y >= 2) || (part == 7 && y < 5))
        shade = MIN (shade + 60, 235);
      break;
    case DIMMED:
      light = mix (100, 20, part, parts);
      break;
  }
  return 16 + (shade - 16) * light / 100;
}

static void
push_picture (TestStream *chain, const Picture *picture, guint part, guint parts)
{
  GstBuffer *frame = test_frame_noise (&chain->info, 0);
  const guint size = (guint) GST_VIDEO_INFO_WIDTH (&chain->info);
  GstMapInfo map;

  fail_unless (gst_buffer_map (frame, &map, GST_MAP_WRITE));
  for (guint y = 0; y < size; y++) {
    for (guint x = 0; x < size; x++)
      map.data[y * size + x] =
          (guint8) get_sample (picture, x * CELLS / size, y * CELLS / size, part, parts);
  }
  gst_buffer_unmap (frame, &map);
  line_try_push (chain, frame);
}

/* "cut 8; dissolve 8-; dissolve 8-20" */
static gchar *
take_events (TestStream *chain)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GPtrArray) events = line_take_posted (chain);

  for (guint i = 0; i < events->len; i++) {
    const GstStructure *event = g_ptr_array_index (events, i);
    const gchar *transition = gst_structure_get_string (event, "transition");
    const gboolean ends = g_str_equal (gst_structure_get_string (event, "phase"), "end");
    guint64 frame, start = 0;

    fail_unless (gst_structure_get_uint64 (event, "frame", &frame));
    fail_unless (!ends || gst_structure_get_uint64 (event, "start-frame", &start));
    g_string_append_printf (text, "%s%s ", text->len > 0 ? "; " : "",
        transition != NULL ? transition : gst_structure_get_string (event, "event"));
    if (ends)
      g_string_append_printf (text, "%u-", (guint) start);
    g_string_append_printf (text, "%u%s", (guint) frame, transition != NULL && !ends ? "-" : "");
  }
  return g_string_free (text, FALSE);
}

/* @n frames were pushed. */
static void
begin_segment (TestStream *chain, guint n, GstClockTime after)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = n * FRAME;
  segment.base = (n - 1) * FRAME + after;
  gst_harness_push_event (chain->harness, gst_event_new_segment (&segment));
}

GST_START_TEST (test_cuts)
{
  const Case *c = &cases[__i__];
  g_autoptr (TestStream) chain =
      line_stream (CAPS_OF ("64"), "gleshistogram mad=true ! glesevents events=cut+transition");
  g_autofree gchar *events = NULL;
  guint n = 0;

  for (const Step *step = c->steps; step->n > 0; step++) {
    if (step->segment != 0)
      begin_segment (chain, n, step->segment);
    n += step->n;
    if (step->caps != NULL)
      line_set_caps (chain, step->caps);
    for (guint i = 0; i < step->n; i++)
      push_picture (chain, &step->picture, i + 1, step->n);
  }
  gst_harness_push_event (chain->harness, gst_event_new_eos ());
  events = take_events (chain);
  g_print ("# %s: %s\n", c->what, events);
  fail_unless_equals_string (events, c->events);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_cuts, 0, G_N_ELEMENTS (cases));
}

LINES_MAIN (add_tests)
