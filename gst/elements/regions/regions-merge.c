/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regions-merge.h"

#include <stdlib.h>

#include <gst/gles/core/error.h>
#include <gst/gst.h>

#define MAX_ROUNDS 8
#define MAX_PIXELS 65536
#define MAX_PERCENT 1000
#define AUTO_DISTANCE "25%"
#define AUTO_STACKED 95

gboolean
regions_length_parse (RegionsLength *length, const gchar *property, const gchar *text,
    const gchar *automatic, GError **error)
{
  const gboolean is_auto = automatic != NULL && g_str_equal (text, "auto");
  const gchar *const number = is_auto ? automatic : text;
  gchar *end = (gchar *) number;
  const guint64 value = g_ascii_isdigit (*number) ? g_ascii_strtoull (number, &end, 10) : 0;
  const gboolean percent = *end == '%';

  if (end == number || end[percent] != '\0' || value > (percent ? MAX_PERCENT : MAX_PIXELS)) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
        "%s=\"%s\" is not %spixels from 0 to %u, as in \"12\", or a share from 0%% to %u%%, as in "
        "\"50%%\"",
        property, text, automatic != NULL ? "\"auto\", " : "", MAX_PIXELS, MAX_PERCENT);
    return FALSE;
  }
  *length = (RegionsLength){ (guint) value, percent };
  return TRUE;
}

gboolean
regions_merge_set_distance (RegionsMerge *merge, const gchar *text, GError **error)
{
  merge->stacked = g_str_equal (text, "auto") ? AUTO_STACKED : 0;
  return regions_length_parse (&merge->distance, "merge-distance", text, AUTO_DISTANCE, error);
}

gboolean
regions_merge_is_needed (const RegionsMerge *merge)
{
  return merge->distance.value > 0 || merge->expand.value > 0 || merge->min_density > 0;
}

/* ---- which regions are one ---- */

/* Whether @a to @b and @c to @d, both included, have a gap of at most @distance. */
static gboolean
is_near (RegionsLength distance, guint64 a, guint64 b, guint64 c, guint64 d)
{
  const guint64 last = MIN (b, d) + 1, first = MAX (a, c);
  const guint64 gap = first > last ? first - last : 0;

  return distance.percent ? gap * 200 <= distance.value * (b - a + 1 + d - c + 1)
                          : gap <= distance.value;
}

/* Whether one is above the other, with a gap of at most @percent of the mean width. */
static gboolean
is_stacked (guint percent, const GstGlesRegion *a, const GstGlesRegion *b)
{
  const guint64 last = MIN (a->bottom, b->bottom) + (guint64) 1, first = MAX (a->top, b->top);
  const guint64 widths = (guint64) (a->right - a->left) + (b->right - b->left) + 2;

  return MAX (a->left, b->left) <= MIN (a->right, b->right) &&
      (first <= last || (first - last) * 200 <= percent * widths);
}

static guint
find_root (guint *parents, guint i)
{
  while (parents[i] != i) {
    parents[i] = parents[parents[i]];
    i = parents[i];
  }
  return i;
}

static int
compare_left (const void *a, const void *b)
{
  const GstGlesRegion *one = a, *other = b;

  return (one->left > other->left) - (one->left < other->left);
}

/* Adds @other to @region. */
static void
add (GstGlesRegion *region, const GstGlesRegion *other)
{
  region->first = MIN (region->first, other->first);
  region->left = MIN (region->left, other->left);
  region->top = MIN (region->top, other->top);
  region->right = MAX (region->right, other->right);
  region->bottom = MAX (region->bottom, other->bottom);
  region->pixels += other->pixels;
  region->max_value = MAX (region->max_value, other->max_value);
  region->sum_x += other->sum_x;
  region->sum_y += other->sum_y;
  region->sum_value += other->sum_value;
}

/* Links in @parents the @n @regions, sorted by their left edges, that are near. */
static void
link_near (
    RegionsLength distance, guint stacked, const GstGlesRegion *regions, guint n, guint *parents)
{
  guint widest = 1;

  for (guint i = 0; i < n; i++) {
    parents[i] = i;
    widest = MAX (widest, regions[i].right - regions[i].left + 1);
  }
  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *a = &regions[i];

    for (guint j = i + 1; j < n; j++) {
      const GstGlesRegion *b = &regions[j];

      /* as if it were the widest: none behind it is near either */
      if (!is_near (distance, a->left, a->right, b->left, b->left + widest - 1))
        break;
      if (is_near (distance, a->left, a->right, b->left, b->right) &&
          (is_near (distance, a->top, a->bottom, b->top, b->bottom) ||
              is_stacked (stacked, a, b))) {
        const guint one = find_root (parents, i), other = find_root (parents, j);

        parents[MAX (one, other)] = MIN (one, other);
      }
    }
  }
}

static guint
merge_once (RegionsLength distance, guint stacked, GstGlesRegion *regions, guint n, guint *parents)
{
  guint n_left = 0;

  qsort (regions, n, sizeof *regions, compare_left);
  link_near (distance, stacked, regions, n, parents);
  for (guint i = 0; i < n; i++) {
    const guint root = find_root (parents, i);

    if (root != i)
      add (&regions[root], &regions[i]);
  }
  for (guint i = 0; i < n; i++) {
    if (parents[i] == i)
      regions[n_left++] = regions[i];
  }
  return n_left;
}

/* ---- which regions stay ---- */

static gboolean
stays (const RegionsMerge *merge, const GstGlesRegion *region)
{
  const guint64 area =
      (region->right - region->left + (guint64) 1) * (region->bottom - region->top + (guint64) 1);

  return region->pixels >= merge->min_size &&
      region->pixels * (guint64) 100 >= area * merge->min_density;
}

/* Moves @first and @last apart, up to the ends of @size. */
static void
expand (RegionsLength by, guint32 *first, guint32 *last, guint size)
{
  const guint64 pixels =
      by.percent ? (*last - *first + (guint64) 1) * by.value / 100 : (guint64) by.value;

  *first -= (guint32) MIN (pixels, *first);
  *last = (guint32) MIN (*last + pixels, size - (guint64) 1);
}

/* The largest first, those of one size by their first cell, which only one has. */
static int
compare_size (const void *a, const void *b)
{
  const GstGlesRegion *one = a, *other = b;

  if (one->pixels != other->pixels)
    return one->pixels < other->pixels ? 1 : -1;
  return (one->first > other->first) - (one->first < other->first);
}

guint
regions_merge (const RegionsMerge *merge, GstGlesRegion *regions, guint n)
{
  g_autofree guint *parents = g_new (guint, MAX (n, 1));
  guint n_left = 0, before = n + 1;

  /* there may be no array */
  if (n == 0)
    return 0;
  for (guint i = 0; i < MAX_ROUNDS && n < before && merge->distance.value > 0; i++) {
    before = n;
    n = merge_once (merge->distance, merge->stacked, regions, n, parents);
  }
  for (guint i = 0; i < n; i++) {
    if (stays (merge, &regions[i]))
      regions[n_left++] = regions[i];
  }
  for (guint i = 0; i < n_left; i++) {
    expand (merge->expand, &regions[i].left, &regions[i].right, merge->width);
    expand (merge->expand, &regions[i].top, &regions[i].bottom, merge->height);
  }
  qsort (regions, n_left, sizeof *regions, compare_size);
  return n_left;
}
