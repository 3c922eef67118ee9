/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Light levels from the histogram of max(R, G, B): PQ rises with light, so that the largest of the
 * components is the same before and behind the transfer. */
#include <gst/gles/meta/light.h>

#include <math.h>
#include <string.h>

#define MIN_DEPTH 8
#define MAX_DEPTH 12
#define FRACTION_BITS 16 /* of the table's values */

static GstGlesLight *
gst_gles_light_copy (const GstGlesLight *light)
{
  return g_memdup2 (light, sizeof *light);
}

static void
gst_gles_light_free (GstGlesLight *light)
{
  g_free (light);
}

G_DEFINE_BOXED_TYPE (GstGlesLight, gst_gles_light, gst_gles_light_copy, gst_gles_light_free)

/* The EOTF of PQ, ITU-R BT.2100 table 4: in cd/m², of a signal from 0 to 1. */
static gdouble
get_pq (gdouble signal)
{
  const gdouble m1 = 2610.0 / 16384.0, m2 = 2523.0 / 4096.0 * 128.0;
  const gdouble c1 = 3424.0 / 4096.0, c2 = 2413.0 / 4096.0 * 32.0, c3 = 2392.0 / 4096.0 * 32.0;
  const gdouble root = pow (signal, 1.0 / m2);

  return 10000.0 * pow (MAX (root - c1, 0.0) / (c2 - c3 * root), 1.0 / m1);
}

/* Returns the light of each value of @depth bits, in 1/65536 cd/m². */
static const guint32 *
get_table (guint depth)
{
  static guint32 tables[MAX_DEPTH - MIN_DEPTH + 1][1 << MAX_DEPTH];
  static gsize made[MAX_DEPTH - MIN_DEPTH + 1];
  guint32 *table = tables[depth - MIN_DEPTH];

  if (g_once_init_enter (&made[depth - MIN_DEPTH])) {
    const guint full = (1u << depth) - 1;

    for (guint value = 0; value <= full; value++)
      table[value] = (guint32) floor (get_pq ((gdouble) value / full) * (1 << FRACTION_BITS) + 0.5);
    g_once_init_leave (&made[depth - MIN_DEPTH], 1);
  }
  return table;
}

static gdouble
get_level (guint32 light)
{
  return (gdouble) light / (1 << FRACTION_BITS);
}

/* Nearest rank. */
static void
get_percentiles (const guint64 *counts, guint64 n_pixels, const guint32 *table, GstGlesLight *light)
{
  const struct {
    guint share; /* in 1/10000 */
    gdouble *target;
  } percentiles[] = { { 100, &light->p1 }, { 500, &light->p5 }, { 1000, &light->p10 },
    { 2500, &light->p25 }, { 5000, &light->p50 }, { 7500, &light->p75 }, { 9000, &light->p90 },
    { 9500, &light->p95 }, { 9800, &light->p98 }, { 9900, &light->p99 }, { 9998, &light->p99_98 } };
  guint64 below = counts[0];
  guint value = 0;

  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++) {
    const guint64 rank = (n_pixels * percentiles[i].share + 9999) / 10000;

    while (below < rank)
      below += counts[++value];
    *percentiles[i].target = get_level (table[value]);
  }
}

void
gst_gles_light_compute (const guint64 *counts, guint n, GstGlesLight *light)
{
  const guint depth = (guint) g_bit_storage (n) - 1;
  const guint32 *table;
  guint64 n_pixels = 0, whole = 0, fraction = 0;

  g_return_if_fail (counts != NULL && light != NULL);
  g_return_if_fail (n == 1u << depth && depth >= MIN_DEPTH && depth <= MAX_DEPTH);

  memset (light, 0, sizeof *light);
  table = get_table (depth);
  for (guint value = 0; value < n; value++) {
    if (counts[value] == 0)
      continue;
    n_pixels += counts[value];
    whole += counts[value] * (table[value] >> FRACTION_BITS);
    fraction += counts[value] * (table[value] & ((1 << FRACTION_BITS) - 1));
    light->max = get_level (table[value]);
  }
  if (n_pixels == 0)
    return;
  light->mean = ((gdouble) whole + (gdouble) fraction / (1 << FRACTION_BITS)) / (gdouble) n_pixels;
  get_percentiles (counts, n_pixels, table, light);
}

gboolean
gst_gles_histogram_result_get_light (
    GstGlesHistogramResult *result, GstGlesLight *light, GError **error)
{
  g_autofree guint64 *sums = NULL;
  const GstGlesHistogramInfo *info;
  const guint32 *counts;
  guint channel = 0, n;

  g_return_val_if_fail (result != NULL && light != NULL, FALSE);

  info = gst_gles_histogram_result_get_info (result);
  while (channel < info->n_channels &&
      strcmp (info->channels[channel].name, GST_GLES_LIGHT_CHANNEL) != 0)
    channel++;
  if (channel == info->n_channels || info->channels[channel].depth < MIN_DEPTH ||
      info->channels[channel].depth > MAX_DEPTH)
    return FALSE;
  counts = gst_gles_histogram_result_get_native_counts (result, channel, &n, error);
  if (counts == NULL)
    return FALSE;
  sums = g_new (guint64, n);
  for (guint i = 0; i < n; i++)
    sums[i] = counts[i];
  gst_gles_light_compute (sums, n, light);
  return TRUE;
}
