/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The limit of llvmpipe's loops (GST_GLES_MAX_ROUNDS): the rounds that a tile takes are those that
 * the tuning table states, and a workgroup whose teams have the most tiles each is right. The
 * variants in the environment have groups=1, so that a plan has one workgroup as long as that may
 * be. */
#include <string.h>

#include <gst/gles/algo/frame/frame-compact-private.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/gles.h>

#include "../../bench/masks.h"
#include "array-cases.h"
#include "arrays-table.h"
#include "frame-cases.h"
#include "rounds-probe.h"

/* Workgroups whose teams' partial results are counted, and twice as many. */
#define PARTIAL_GROUPS 128u
/* The largest arrays, of values and of records. */
#define LARGE ((1u << 23) + 4099)
#define LARGE_RECORDS ((1u << 20) + 4099)
/* The numbers of tiles that a team is measured with. The most that it takes are 64 in components,
 * and more elsewhere. */
#define FEW 16
#define MANY 48

static GstGlesDevice *native;
static GstGlesQueue *native_queue;

/* What was measured of the plans of an algorithm. */
typedef struct {
  guint stated, most;
  const gchar *kernel; /* the one that takes most rounds a tile */
} Recorded;

/* The algorithms that have rows of their own. */
typedef enum {
  ROWS_REDUCE,
  ROWS_SCAN,
  ROWS_COMPACT,
  ROWS_FRAME_COMPACT,
  ROWS_COMPONENTS,
  N_ROWS
} Rows;

static Recorded recorded[N_ROWS];

/* ---- measuring; the probe fails if a kernel takes more rounds than one may take ---- */

static void
forget (RoundsKernel *kernel, gpointer unused)
{
  kernel->before = kernel->rounds;
  kernel->rounds = 0;
}

/* Records the rounds a tile: the call before had FEW tiles a team, this one had MANY. */
static void
record (RoundsKernel *kernel, gpointer user_data)
{
  const guint tiles = MANY - FEW, more = kernel->rounds - MIN (kernel->before, kernel->rounds);
  Recorded *of = user_data;

  g_test_message ("%.2f rounds a tile: %s", (gdouble) more / tiles, kernel->name);
  /* other kernels have no tiles */
  if (strstr (kernel->name, " ROWS ") != NULL && (more + tiles - 1) / tiles > of->most) {
    of->most = (more + tiles - 1) / tiles;
    of->kernel = kernel->name;
  }
}

/* Makes a call over @n values and checks its result. */
typedef void (*RunFunc) (guint n, gconstpointer data);

/* Records the rounds a tile in plans of @shape, and runs a workgroup whose teams have the most
 * tiles. */
static void
measure (Rows algorithm, const GstGlesShape *shape, RunFunc run, gconstpointer data)
{
  const guint each = gst_gles_shape_tile (shape) * gst_gles_shape_teams_per_group (shape);

  recorded[algorithm].stated = shape->rounds;
  rounds_foreach (forget, NULL);
  run (FEW * each, data);
  rounds_foreach (forget, NULL);
  run (MANY * each, data);
  rounds_foreach (record, &recorded[algorithm]);
  run (gst_gles_shape_max_tiles (shape) * each, data);
}

static void
test_stated (void)
{
  guint most = 0;

  for (guint i = 0; i < N_ROWS; i++) {
    if (recorded[i].stated == 0)
      g_error ("nothing of algorithm %u was measured before this test", i);
    most = MAX (most, recorded[i].most);
  }
  if (most == 0) {
    g_test_skip ("the driver does not limit loops");
    return;
  }
  for (guint i = 0; i < N_ROWS; i++) {
    if (recorded[i].kernel != NULL && recorded[i].most != recorded[i].stated)
      g_error ("a tile takes %u rounds, and the tuning table states %u for algorithm %u: %s",
          recorded[i].most, recorded[i].stated, i, recorded[i].kernel);
  }
}

/* ---- components ---- */

#define MASK_WIDTH 256  /* eight words of 32 pixels */
#define MAX_REGIONS 300 /* more than a workgroup selects */

static gpointer
components_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  const GstGlesComponentsConfig config = { .width = MASK_WIDTH,
    .height = MAX (capacity / (MASK_WIDTH / 32), 1),
    .connectivity = 4,
    .max_regions = MAX_REGIONS };

  return gst_gles_components_new (queue, &config, error);
}

/* Every second pixel is a component, the most that there can be. */
static void
fill_mask (guint32 *words, guint n, guint32 seed)
{
  for (guint i = 0; i < 32 * n; i++)
    words[i] = bench_mask_word (
        BENCH_MASK_CHECKERBOARD, i % MASK_WIDTH, i / MASK_WIDTH, MASK_WIDTH, 32 * n / MASK_WIDTH);
}

static gboolean
run_components (gpointer plan, const ArraysCall *call, GError **error)
{
  return gst_gles_components_run (
      plan, call->buffers[0], BENCH_MASK_LOWER, 255, 0, call->buffers[1], NULL, error);
}

/* A value is a word of the mask. */
static const ArraysAlgorithm components = { .name = "components",
  .roles = { { "pixels", 32, .fill = fill_mask },
      { "regions", .fixed = sizeof (GstGlesRegion) / 4 * MAX_REGIONS, .written = TRUE } },
  .plan_new = components_new,
  .plan_free = (void (*) (gpointer)) gst_gles_components_unref,
  .get_result = (GstGlesBuffer * (*) (gpointer)) gst_gles_components_get_result,
  .run = run_components };

/* ---- arrays ---- */

static void
fill_passing (guint32 *words, guint n, guint32 seed)
{
  for (guint i = 0; i < n; i++)
    words[i] = 0x20000000u + seed;
}

static void
fill_distinct (guint32 *words, guint n, guint32 seed)
{
  for (guint i = 0; i < n; i++)
    words[i] = 0x20000000u + i;
}

/* Every value passes and is a head, or every value is a run of its own, or the table's inputs. */
static void (*const fills[]) (guint32 *, guint, guint32) = { NULL, fill_passing, fill_distinct };

/* Records and masks have their own inputs only. */
static guint
n_fills (const ArraysAlgorithm *algorithm)
{
  return algorithm->roles[0].words > 2 ? 1 : G_N_ELEMENTS (fills);
}

typedef struct {
  const ArraysAlgorithm *table;
  guint fill;
} ArrayCase;

static void
run_array (guint n, gconstpointer data)
{
  const ArraysAlgorithm *table = ((const ArrayCase *) data)->table;
  const guint fill = ((const ArrayCase *) data)->fill;
  g_autofree gchar *where = g_strdup_printf ("%s of %u values, input %u", table->name, n, fill);
  ArraysAlgorithm algorithm = *table;
  gpointer plans[2];
  ArraysSet *sets[2];
  guint32 *words[2];
  guint n_words[2];

  for (guint i = 0; fills[fill] != NULL && i < ARRAYS_MAX_ROLES; i++) {
    if (algorithm.roles[i].words == 1 && algorithm.roles[i].fill != NULL)
      algorithm.roles[i].fill = fills[fill];
  }
  for (guint i = 0; i < 2; i++) {
    GstGlesQueue *queue = i == 0 ? array_test.queue : native_queue;

    plans[i] = arrays_plan_new (&algorithm, queue, n);
    sets[i] = arrays_set_new (&algorithm, queue, n, 0, 3);
    arrays_set_run (sets[i], plans[i], n, FALSE);
    words[i] = arrays_set_read (sets[i], plans[i], &n_words[i]);
  }
  g_assert_cmpuint (n_words[0], ==, n_words[1]);
  if (memcmp (words[0], words[1], 4 * (gsize) n_words[0]) != 0)
    g_error ("%s: the device's result is not that of native code", where);
  for (guint i = 0; i < 2; i++) {
    arrays_set_free (sets[i]);
    algorithm.plan_free (plans[i]);
    g_free (words[i]);
  }
}

static Rows
row_of (const gchar *name)
{
  if (g_str_has_prefix (name, "reduce"))
    return ROWS_REDUCE;
  if (g_str_equal (name, components.name))
    return ROWS_COMPONENTS;
  return g_str_has_prefix (name, "scan") ? ROWS_SCAN : ROWS_COMPACT;
}

/* Whether the tiles of @algorithm are those of the tuning table. */
static gboolean
has_row (const ArraysAlgorithm *algorithm)
{
  return !g_str_has_prefix (algorithm->name, "sort") &&
      !g_str_has_prefix (algorithm->name, "histogram") && !g_str_equal (algorithm->name, "tiles");
}

static GstGlesShape
shape_of (const ArraysAlgorithm *algorithm)
{
  gpointer plan = arrays_plan_new (algorithm, array_test.queue, 1);
  const GstGlesShape shape = ((const GstGlesArray *) plan)->two_pass;

  algorithm->plan_free (plan);
  return shape;
}

static void
test_array (gconstpointer data)
{
  ArrayCase array = { data, 0 };
  const GstGlesShape shape = shape_of (array.table);

  for (; array.fill < n_fills (array.table); array.fill++)
    measure (row_of (array.table->name), &shape, run_array, &array);
}

/* The call before had PARTIAL_GROUPS workgroups, this one has twice as many. */
static void
check_partials (RoundsKernel *kernel, gpointer unused)
{
  const guint partials = 8 * PARTIAL_GROUPS;
  const gint more = (gint) kernel->rounds - (gint) kernel->before;

  if (kernel->rounds == 0 || strstr (kernel->name, " TEAM 0 ") == NULL)
    return;
  g_test_message ("%.2f rounds a partial result: %s", (gdouble) more / partials, kernel->name);
  /* besides one or two for a larger power of two */
  if (more > (gint) (partials * GST_GLES_PARTIAL_ROUNDS + 2))
    g_error ("%d rounds for %u more partial results, over %u each: %s", more, partials,
        GST_GLES_PARTIAL_ROUNDS, kernel->name);
}

/* Single invocations only. Each team has one tile: only the number of partial results differs. */
static void
test_partials (gconstpointer data)
{
  static const gchar *const names[] = { "REDUCE", "SCAN", "COMPACT", "SEGMENTS", "UNIQUE",
    "TOP_K" };
  const ArrayCase array = { data, 0 };

  for (guint groups = PARTIAL_GROUPS; groups <= 2 * PARTIAL_GROUPS; groups *= 2) {
    g_autofree gchar *variant = g_strdup_printf ("groups=%u", groups);

    for (guint k = 0; k < G_N_ELEMENTS (names); k++) {
      g_autofree gchar *variable = g_strdup_printf ("GST_GLES_%s_VARIANT", names[k]);
      g_setenv (variable, variant, TRUE);
    }
    const GstGlesShape shape = shape_of (data);
    rounds_foreach (forget, NULL);
    run_array (gst_gles_shape_max_teams (&shape) * gst_gles_shape_tile (&shape), &array);
  }
  rounds_foreach (check_partials, NULL);
}

static void
test_large (gconstpointer data)
{
  ArrayCase array = { data, 0 };
  const guint n = n_fills (array.table) == 1 ? LARGE_RECORDS : LARGE;

  for (; array.fill < n_fills (array.table); array.fill++)
    run_array (n, &array);
}

/* ---- frames: each way to read samples, each predicate ---- */

/* Rows of sixteen bytes, of words, and of samples; two bytes; three components, in one plane and in
 * three; the luma of them. */
static const struct {
  GstVideoFormat format;
  guint width;
  gint channel;
} frames[] = {
  { GST_VIDEO_FORMAT_GRAY8, 64, 0 },
  { GST_VIDEO_FORMAT_GRAY8, 68, 0 },
  { GST_VIDEO_FORMAT_GRAY8, 67, 0 },
  { GST_VIDEO_FORMAT_GRAY16_BE, 64, 0 },
  { GST_VIDEO_FORMAT_RGB, 64, 1 },
  { GST_VIDEO_FORMAT_RGB, 64, GST_GLES_FRAME_LUMA },
  { GST_VIDEO_FORMAT_RGB16, 64, GST_GLES_FRAME_LUMA },
  { GST_VIDEO_FORMAT_GBR_12LE, 63, GST_GLES_FRAME_LUMA },
};

static const struct {
  GstGlesPointsPredicate predicate;
  gboolean background;
  guint adaptation;
} predicates[] = {
  { GST_GLES_POINTS_THRESHOLD, FALSE, 0 },
  { GST_GLES_POINTS_MOTION, FALSE, 0 },
  { GST_GLES_POINTS_EDGE, FALSE, 0 },
  { GST_GLES_POINTS_MOTION, TRUE, 5 },
};

typedef struct {
  guint frame, predicate;
} FrameCase;

static GstGlesFrameCompact *
plan_new (const FrameCase *c, guint height, Picture *picture)
{
  const GstGlesFrameCompactConfig config = { predicates[c->predicate].predicate,
    frames[c->frame].channel, predicates[c->predicate].background };
  GstGlesFrameCompact *compact;
  GError *error = NULL;

  picture_init (picture, frames[c->frame].format, frames[c->frame].width, height, STAGED);
  compact = gst_gles_frame_compact_new (array_test.queue, &picture->device, &config, &error);
  g_assert_no_error (error);
  return compact;
}

/* Every sample passes, which costs most. */
static void
run_frames (guint samples, gconstpointer data)
{
  const FrameCase *c = data;
  const guint width = frames[c->frame].width, height = samples / width;
  const GstGlesFrameCompactCall call = { 0, 0, width, height, 0, G_MAXUINT, G_MAXUINT,
    predicates[c->predicate].adaptation };
  g_autofree guint8 *kept = NULL;
  g_autofree gchar *where = NULL;
  Picture picture;
  g_autoptr (GstGlesFrameCompact) compact = plan_new (c, height, &picture);
  const guint capacity = gst_gles_frame_compact_capacity (compact, &call);
  GError *error = NULL;

  where = g_strdup_printf ("%s of %ux%u, predicate %u", picture.name, width, height, c->predicate);
  for (guint i = 0; i < 2; i++) {
    g_auto (GstGlesFramePoints)
        points = { array_buffer (2 * capacity), array_buffer (sizeof (GstGlesResult) / 4) };
    g_autofree guint32 *want_points = NULL;
    GstGlesResult want;

    picture_fill (&picture, CONTENT_NOISE, 7 + i);
    want_points = gst_gles_frame_compact_run_native (
        compact, &(GstGlesFrameNative){ &picture.host, &kept, NULL }, &call, &want, NULL);
    assert_ok (gst_gles_frame_compact_run (compact, &picture.device, &call, &points, &error));
    array_check_result (points.counts, want.total, want.count, want.status, where);
    array_check (points.points, want_points, 2 * want.count, where);
  }
  picture_clear (&picture);
}

static void
test_frame (gconstpointer data)
{
  FrameCase c = { GPOINTER_TO_UINT (data), 0 };

  for (; c.predicate < G_N_ELEMENTS (predicates); c.predicate++) {
    Picture picture;
    GstGlesFrameCompact *compact = plan_new (&c, 16, &picture);
    const GstGlesShape shape = compact->array.two_pass;

    gst_gles_frame_compact_unref (compact);
    picture_clear (&picture);
    measure (ROWS_FRAME_COMPACT, &shape, run_frames, &c);
  }
}

/* ---- running ---- */

static void
add_one (const gchar *kind, const gchar *name, gconstpointer data, GTestDataFunc func)
{
  g_autofree gchar *path = g_strdup_printf ("/loop-rounds/%s/%s", kind, name);

  g_test_add_data_func (path, data, func);
}

/* The rounds of plans of one workgroup, which the variants with groups=1 have. */
static void
add_most (gboolean is_serial)
{
  for (guint i = 0; i < arrays_table_size; i++) {
    if (!has_row (&arrays_table[i]))
      continue;
    add_one ("most", arrays_table[i].name, &arrays_table[i], test_array);
    if (is_serial)
      add_one ("partials", arrays_table[i].name, &arrays_table[i], test_partials);
  }
  add_one ("most", components.name, &components, test_array);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_autofree gchar *name = g_strdup_printf ("%s-%u-channel-%d",
        gst_video_format_to_string (frames[i].format), frames[i].width, frames[i].channel);

    add_one ("most", name, GUINT_TO_POINTER (i), test_frame);
  }
  /* GLib runs the tests of one suite in this order, and those of a suite before its own suites */
  g_test_add_func ("/loop-rounds/most/stated", test_stated);
}

static void
add (void)
{
  if (gst_gles_device_get_kind (array_test.device) != GST_GLES_DEVICE_SOFTWARE)
    return;
  native = gst_gles_device_new ("cpu", NULL);
  native_queue = gst_gles_device_get_queue (native);
  if (array_test.variant.max_groups == 1)
    add_most (g_str_equal (g_getenv ("GST_GLES_SCAN_VARIANT"), "groups=1"));
  for (guint i = 0; g_getenv ("GLES_TEST_LARGE") != NULL && i < arrays_table_size; i++)
    add_one ("large", arrays_table[i].name, &arrays_table[i], test_large);
}

ARRAY_TEST_MAIN ("GST_GLES_SCAN_VARIANT", add)
