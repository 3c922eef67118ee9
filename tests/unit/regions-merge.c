/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Merging of regions: against a plain loop that knows no order, in any order, by hand. */
#include <string.h>

#include <gst/gst.h>

#include "../../gst/elements/regions/regions-merge.h"

#define SIZE 4096

static GstGlesRegion
box (guint x, guint y, guint width, guint height)
{
  static guint32 n_boxes;
  const guint32 first = n_boxes++;

  return (GstGlesRegion){ .first = first,
    .left = x,
    .top = y,
    .right = x + width - 1,
    .bottom = y + height - 1,
    .pixels = width * height,
    .max_value = 1 + first % 255,
    .sum_x = (guint64) x * width * height,
    .sum_y = (guint64) y * width * height,
    .sum_value = width * height };
}

static RegionsMerge
settings (const gchar *distance)
{
  RegionsMerge merge = { .max_regions = 256, .min_size = 1, .width = SIZE, .height = SIZE };

  g_assert_true (regions_merge_set_distance (&merge, distance, NULL));
  return merge;
}

/* ---- the plain loop ---- */

static gboolean
touches (RegionsLength d, gint64 a, gint64 b, gint64 c, gint64 e)
{
  const gint64 gap = MAX (MAX (c - b, a - e) - 1, 0);

  return d.percent ? 2 * gap * 100 <= d.value * ((b - a + 1) + (e - c + 1)) : gap <= d.value;
}

static gboolean
is_one (const RegionsMerge *merge, const GstGlesRegion *a, const GstGlesRegion *b)
{
  const gint64 gap = MAX ((gint64) b->top - a->bottom, (gint64) a->top - b->bottom) - 1;
  const gint64 widths = (gint64) a->right - a->left + b->right - b->left + 2;
  const gboolean same_columns = a->left <= b->right && b->left <= a->right;

  return (same_columns && 2 * gap * 100 <= merge->stacked * widths) ||
      (touches (merge->distance, a->left, a->right, b->left, b->right) &&
          touches (merge->distance, a->top, a->bottom, b->top, b->bottom));
}

/* Spreads the least group over neighbours until none changes; then adds the groups up. */
static guint
plain_round (const RegionsMerge *merge, GstGlesRegion *r, guint n)
{
  g_autofree guint *group = g_new (guint, n);
  gboolean changed = TRUE;
  guint out = 0;

  for (guint i = 0; i < n; i++)
    group[i] = i;
  while (changed) {
    changed = FALSE;
    for (guint i = 0; i < n * n; i++) {
      const guint a = i / n, b = i % n;

      if (group[b] < group[a] && is_one (merge, &r[a], &r[b])) {
        group[a] = group[b];
        changed = TRUE;
      }
    }
  }
  for (guint i = 0; i < n; i++) {
    if (group[i] == i)
      continue;
    GstGlesRegion *to = &r[group[i]];
    to->first = MIN (to->first, r[i].first);
    to->left = MIN (to->left, r[i].left);
    to->top = MIN (to->top, r[i].top);
    to->right = MAX (to->right, r[i].right);
    to->bottom = MAX (to->bottom, r[i].bottom);
    to->pixels += r[i].pixels;
    to->max_value = MAX (to->max_value, r[i].max_value);
    to->sum_x += r[i].sum_x;
    to->sum_y += r[i].sum_y;
    to->sum_value += r[i].sum_value;
  }
  for (guint i = 0; i < n; i++) {
    if (group[i] == i)
      r[out++] = r[i];
  }
  return out;
}

static const GstGlesRegion *
find (const GstGlesRegion *regions, guint n, guint32 first)
{
  for (guint i = 0; i < n; i++) {
    if (regions[i].first == first)
      return &regions[i];
  }
  return NULL;
}

static void
check_random (GRand *rand, guint n, const gchar *distance)
{
  const RegionsMerge merge = settings (distance);
  const guint space = g_rand_int_range (rand, 100, SIZE - 60);
  g_autofree GstGlesRegion *plain = g_new (GstGlesRegion, n);
  g_autofree GstGlesRegion *one = g_new (GstGlesRegion, n);
  g_autofree GstGlesRegion *other = g_new (GstGlesRegion, n);
  guint n_plain = n, n_one, rounds = 0, before = 0;

  for (guint i = 0; i < n; i++)
    plain[i] = one[i] = other[n - 1 - i] =
        box (g_rand_int_range (rand, 0, space), g_rand_int_range (rand, 0, space),
            g_rand_int_range (rand, 1, 60), g_rand_int_range (rand, 1, 60));
  for (; rounds < 8 && before != n_plain; rounds++) {
    before = n_plain;
    n_plain = plain_round (&merge, plain, n_plain);
  }
  n_one = regions_merge (&merge, one, n);
  g_assert_cmpuint (n_one, ==, n_plain);
  g_assert_cmpuint (regions_merge (&merge, other, n), ==, n_one);
  g_assert_cmpmem (one, n_one * sizeof *one, other, n_one * sizeof *other);
  for (guint i = 0; i < n_one; i++) {
    const GstGlesRegion *same = find (plain, n_plain, one[i].first);

    g_assert_nonnull (same);
    g_assert_cmpmem (&one[i], sizeof *one, same, sizeof *same);
    g_assert_true (i == 0 || one[i - 1].pixels >= one[i].pixels);
  }
}

static void
test_random (void)
{
  static const gchar *const distances[] = { "auto", "1", "20", "5%", "100%" };
  static const guint sizes[] = { 1, 2, 7, 64, 256 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (41);

  for (guint i = 0; i < 100; i++)
    check_random (rand, sizes[i % 5], distances[i / 5 % 5]);
}

/* ---- by hand ---- */

/* Two things with a gap of their own width stay two, at all sizes; a quarter of it is one thing. */
static void
test_two_things (void)
{
  const RegionsMerge merge = settings ("auto");

  for (guint size = 1; size < 1000; size++) {
    GstGlesRegion apart[] = { box (5, 9, size, 3 * size), box (5 + 2 * size, 9, size, 3 * size) };
    GstGlesRegion below[] = { box (5, 9, size, size), box (5, 9 + 2 * size, size, size) };
    GstGlesRegion near[] = { box (9, 5, 3 * size, size),
      box (9, 5 + size + size / 4, 3 * size, size) };

    g_assert_cmpuint (regions_merge (&merge, apart, 2), ==, 2);
    g_assert_cmpuint (regions_merge (&merge, below, 2), ==, 2);
    g_assert_cmpuint (regions_merge (&merge, near, 2), ==, 1);
    g_assert_cmpuint (near[0].pixels, ==, 6 * size * size);
  }
}

/* Two people of a head, a body and legs each. */
static void
test_people (void)
{
  const RegionsMerge merge = settings ("auto");
  GstGlesRegion parts[8];
  guint n = 0;

  for (guint x = 100; x <= 180; x += 80) {
    parts[n++] = box (x + 12, 50, 16, 20);
    parts[n++] = box (x, 76, 40, 50);
    parts[n++] = box (x + 2, 132, 14, 60);
    parts[n++] = box (x + 24, 132, 14, 60);
  }
  g_assert_cmpuint (regions_merge (&merge, parts, n), ==, 2);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpuint (parts[i].left, ==, 100 + 80 * i);
    g_assert_cmpuint (parts[i].right, ==, 139 + 80 * i);
    g_assert_cmpuint (parts[i].top, ==, 50);
    g_assert_cmpuint (parts[i].bottom, ==, 191);
  }
}

static void
test_what_stays (void)
{
  RegionsMerge merge = settings ("10");
  GstGlesRegion all[] = { box (0, 0, 10, 10), box (15, 0, 10, 10), box (100, 100, 5, 5),
    box (SIZE - 4, SIZE - 4, 4, 4) };
  GstGlesRegion regions[4];

  /* the first two are 200 of 250 pixels */
  merge.min_size = 17;
  merge.min_density = 80;
  memcpy (regions, all, sizeof all);
  g_assert_cmpuint (regions_merge (&merge, regions, 4), ==, 2);
  g_assert_cmpuint (regions[0].pixels, ==, 200);
  merge.min_density = 81;
  memcpy (regions, all, sizeof all);
  g_assert_cmpuint (regions_merge (&merge, regions, 4), ==, 1);
  g_assert_cmpuint (regions[0].pixels, ==, 25);
  merge = settings ("0");
  merge.expand = (RegionsLength){ 50, TRUE };
  memcpy (regions, all, sizeof all);
  g_assert_cmpuint (regions_merge (&merge, regions, 4), ==, 4);
  g_assert_cmpuint (regions[0].left, ==, 0);
  g_assert_cmpuint (regions[0].right, ==, 14);
  g_assert_cmpuint (regions[1].left, ==, 10);
  g_assert_cmpuint (regions[3].left, ==, SIZE - 6);
  g_assert_cmpuint (regions[3].right, ==, SIZE - 1);
}

static void
test_lengths (void)
{
  static const gchar *const bad[] = { "", "-1", "x", "5 %", "5%%", "65537", "1001%", " 5", "%",
    "99999999999999999999", "auto%" };
  RegionsLength length = { 7, TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_false (regions_length_parse (&length, "merge-distance", bad[i], "50%", &error));
    g_assert_nonnull (strstr (error->message, "merge-distance"));
    g_assert_true (length.value == 7 && length.percent);
  }
  g_assert_false (regions_length_parse (&length, "expand", "auto", NULL, NULL));
  g_assert_true (regions_length_parse (&length, "expand", "65536", NULL, NULL));
  g_assert_true (length.value == 65536 && !length.percent);
}

/* Thousands that are all far apart, and all near. */
static void
test_thousands (void)
{
  g_autofree GstGlesRegion *regions = g_new (GstGlesRegion, 4096);
  RegionsMerge merge = settings ("auto");

  for (guint i = 0; i < 4096; i++)
    regions[i] = box (i % 64 * 64, i / 64 * 64, 16, 16);
  g_assert_cmpuint (regions_merge (&merge, regions, 4096), ==, 4096);
  merge.distance = (RegionsLength){ 48, FALSE };
  g_assert_cmpuint (regions_merge (&merge, regions, 4096), ==, 1);
  g_assert_cmpuint (regions[0].pixels, ==, 4096 * 256);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/regions-merge/random", test_random);
  g_test_add_func ("/regions-merge/two-things", test_two_things);
  g_test_add_func ("/regions-merge/people", test_people);
  g_test_add_func ("/regions-merge/what-stays", test_what_stays);
  g_test_add_func ("/regions-merge/lengths", test_lengths);
  g_test_add_func ("/regions-merge/thousands", test_thousands);
  return g_test_run ();
}
