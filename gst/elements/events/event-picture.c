/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-picture.h"
#include "correlation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers here were chosen on half a of the clips of tests/events. */

/* A change of the areas counts as at this spread of luma, in percent of full scale. Pictures
 * without contrast differ by noise, which the other number stands for. */
#define NORMAL_SPREAD 15.0
#define NOISE_SPREAD 2.0

/* An area with so many samples in the black bins, below 24 of 256, is black. */
#define BLACK_BINS 3
#define BLACK_SHARE 0.95f

/* Pictures are the same in another light where the means of this many areas are in a linear
 * relation, up to this coefficient of correlation. An area counts when it changed by this share of
 * the mean change, and when this share of it is not black in both. */
#define RELIT_AREAS 10
#define RELIT_CORRELATION 0.9
#define RELIT_SHARE 0.1f

/* The half of a split screen that goes on moves by at least so many percent: the still half of a
 * picture belongs to the shot. All but one of its areas change by at most so much beyond what is
 * usual. */
#define LEAST_MOTION 0.02f
#define LASTING_FACTOR 1.5f
#define LASTING_OFFSET 0.8f

/* A picture with less spread of luma, in percent, this near to the end of the scale is black or
 * white. */
#define PLAIN_SPREAD 2.0
#define PLAIN_LUMA 0.12

/* A change is confined when so much of it lies in two rows of areas, as a caption or bars, or in
 * four areas, as a picture in the picture, and at most this share of the samples has another
 * luma. */
#define CONFINED_CHANGE 0.8f
#define CONFINED_SAMPLES 0.4f

typedef guint32 U32x4 __attribute__ ((vector_size (16)));
typedef gfloat F32x4 __attribute__ ((vector_size (16)));

static F32x4
load (const gfloat *x)
{
  F32x4 v;

  memcpy (&v, x, sizeof v);
  return v;
}

static F32x4
absolute (F32x4 x)
{
  U32x4 bits;

  memcpy (&bits, &x, sizeof bits);
  bits &= G_MAXINT32;
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* ---- a picture ---- */

static guint32
sum_up (const guint32 *x, guint n)
{
  guint32 sum = 0;
  guint i = 0;

  if (n >= 4) {
    U32x4 sums = { 0 };

    for (; i + 4 <= n; i += 4) {
      U32x4 v;

      memcpy (&v, x + i, sizeof v);
      sums += v;
    }
    for (guint k = 0; k < 4; k++)
      sum += sums[k];
  }
  for (; i < n; i++)
    sum += x[i];
  return sum;
}

/* Reads the histogram of a channel into @groups. Returns their number. */
static guint
get_groups (GstGlesHistogramResult *result, guint channel, guint32 groups[EVENT_PICTURE_GROUPS])
{
  guint n;
  const guint32 *counts = gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL);
  const guint n_groups = MIN (n, EVENT_PICTURE_GROUPS), per_group = n / n_groups;

  for (guint i = 0; i < n_groups; i++)
    groups[i] = per_group == 1 ? counts[i] : sum_up (counts + i * per_group, per_group);
  return n_groups;
}

static void
add_channel (EventPicture *picture, const GstGlesHistogramChannelInfo *info, const guint32 *groups,
    guint n_groups)
{
  EventPictureChannel *channel = &picture->channels[picture->n_channels++];
  const gfloat scale = 1.0f / (gfloat) MAX (info->n_samples, 1);
  guint64 sum = 0;

  channel->name = g_intern_string (info->name);
  channel->n = n_groups;
  for (guint i = 0; i < n_groups; i++) {
    sum += groups[i];
    channel->sums[i] = (gfloat) sum * scale;
  }
}

/* The bins of the overview are wide. The histogram of luma tells where in them the samples lie. */
static void
set_centres (EventPicture *picture, const guint32 *luma, guint n)
{
  const guint per_bin = luma != NULL ? n / EVENT_PICTURE_BINS : 0;

  for (guint bin = 0; bin < EVENT_PICTURE_BINS; bin++) {
    guint64 sum = 0, count = 0;

    for (guint i = bin * per_bin; i < (bin + 1) * per_bin; i++) {
      sum += (guint64) i * luma[i];
      count += luma[i];
    }
    picture->centres[bin] = count > 0 ? (gfloat) ((gdouble) sum / ((gdouble) count * n))
                                      : ((gfloat) bin + 0.5f) / EVENT_PICTURE_BINS;
  }
}

static void
set_areas (EventPicture *picture, const GstGlesOverview *overview)
{
  gdouble squares = 0.0, mean = 0.0;

  for (guint a = 0; a < EVENT_PICTURE_AREAS; a++) {
    const gfloat scale = 1.0f / (gfloat) overview->n_samples[a];
    gfloat sum = 0.0f, square = 0.0f, black = 0.0f;

    for (guint bin = 0; bin < EVENT_PICTURE_BINS; bin++) {
      const gfloat share = (gfloat) overview->counts[a][bin] * scale;
      const gfloat part = share * picture->centres[bin];

      picture->shares[bin][a] = share;
      sum += part;
      square += part * picture->centres[bin];
      black += bin < BLACK_BINS ? share : 0.0f;
    }
    picture->means[a] = sum;
    picture->black[a] = black;
    picture->details[a] = MAX (square - sum * sum, 0.0f);
    squares += square / EVENT_PICTURE_AREAS;
    mean += sum / EVENT_PICTURE_AREAS;
  }
  picture->mean = mean;
  picture->spread = 100.0 * sqrt (MAX (squares - mean * mean, 0.0));
}

static gboolean
has_samples (const GstGlesOverview *overview)
{
  for (guint a = 0; overview != NULL && a < EVENT_PICTURE_AREAS; a++) {
    if (overview->n_samples[a] == 0)
      return FALSE;
  }
  return overview != NULL;
}

EventPicture *
event_picture_new (GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const GstGlesOverview *overview = gst_gles_histogram_result_get_overview (result, NULL);
  const gboolean has_luma = event_input_has_luma (result);
  EventPicture *picture = g_rc_box_new (EventPicture);

  picture->n_channels = 0;
  picture->spread = picture->mean = 0.0;
  picture->has_areas = has_samples (overview);
  for (guint i = 0; i < info->n_channels && !info->channels[i].computed; i++) {
    guint32 groups[EVENT_PICTURE_GROUPS];
    const guint n = get_groups (result, i, groups);

    add_channel (picture, &info->channels[i], groups, n);
    if (i == 0 && picture->has_areas)
      set_centres (picture, has_luma ? groups : NULL, n);
  }
  if (picture->has_areas)
    set_areas (picture, overview);
  return picture;
}

EventPicture *
event_picture_ref (EventPicture *picture)
{
  return g_rc_box_acquire (picture);
}

void
event_picture_unref (EventPicture *picture)
{
  g_rc_box_release (picture);
}

/* ---- changes ---- */

/* Returns the earth mover's distance between the histograms, in percent of full scale. */
static gdouble
get_distance (const EventPictureChannel *a, const EventPictureChannel *b)
{
  const guint n = MIN (a->n, b->n), step_a = a->n / n, step_b = b->n / n;
  gdouble sum = 0.0;
  guint i = 0;

  if (step_a == 1 && step_b == 1 && n >= 4) {
    F32x4 sums = { 0 };

    for (; i + 4 <= n; i += 4)
      sums += absolute (load (a->sums + i) - load (b->sums + i));
    for (guint k = 0; k < 4; k++)
      sum += sums[k];
  }
  for (; i < n; i++)
    sum += fabsf (a->sums[(i + 1) * step_a - 1] - b->sums[(i + 1) * step_b - 1]);
  return 100.0 * sum / n;
}

gdouble
event_picture_get_distance (const EventPicture *a, const EventPicture *b)
{
  gdouble distance = 0.0;

  for (guint i = 0; i < a->n_channels; i++) {
    for (guint k = 0; k < b->n_channels; k++) {
      if (a->channels[i].name == b->channels[k].name)
        distance += get_distance (&a->channels[i], &b->channels[k]);
    }
  }
  return distance;
}

/* Walks along luma, through the bins of both, and sums up how much of the samples lies lower in
 * one of them than in the other. */
static void
get_areas_change (const EventPicture *a, const EventPicture *b, EventPictureAreas areas)
{
  for (guint first = 0; first < EVENT_PICTURE_AREAS; first += 4) {
    F32x4 below = { 0 }, sum = { 0 };
    gfloat at = 0.0f;

    for (guint bin = 0; bin < EVENT_PICTURE_BINS; bin++) {
      const F32x4 x = load (a->shares[bin] + first), y = load (b->shares[bin] + first);
      const gboolean a_first = a->centres[bin] <= b->centres[bin];
      const gfloat low = MIN (a->centres[bin], b->centres[bin]);
      const gfloat high = MAX (a->centres[bin], b->centres[bin]);

      sum +=
          absolute (below) * (low - at) + absolute (a_first ? below + x : below - y) * (high - low);
      below += x - y;
      at = high;
    }
    sum *= 100.0f;
    memcpy (areas + first, &sum, sizeof sum);
  }
}

static gdouble
get_mean (const EventPictureAreas areas)
{
  gdouble sum = 0.0;

  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++)
    sum += areas[i];
  return sum / EVENT_PICTURE_AREAS;
}

gdouble
event_picture_get_change (const EventPicture *a, const EventPicture *b, EventPictureAreas areas)
{
  const gdouble distance = event_picture_get_distance (a, b);
  gdouble placed;

  memset (areas, 0, sizeof (EventPictureAreas));
  if (!a->has_areas || !b->has_areas)
    return distance;
  get_areas_change (a, b, areas);
  placed = get_mean (areas) - 50.0 * fabs (a->mean - b->mean);
  placed *= NORMAL_SPREAD / (MAX (a->spread, b->spread) + NOISE_SPREAD);
  return MAX (distance, placed);
}

/* ---- what is no cut ---- */

/* Returns the mean of luma over the samples of an area without @common of the black ones. */
static gdouble
get_mean_without (const EventPicture *picture, guint area, gfloat common)
{
  gfloat sum = picture->means[area];

  for (guint bin = 0; bin < BLACK_BINS; bin++) {
    if (picture->black[area] > 0.0f)
      sum -= common * picture->shares[bin][area] / picture->black[area] * picture->centres[bin];
  }
  return sum / (1.0f - common);
}

gboolean
event_picture_is_plain (const EventPicture *picture)
{
  return picture->has_areas && picture->spread < PLAIN_SPREAD &&
      (picture->mean < PLAIN_LUMA || picture->mean > 1.0 - PLAIN_LUMA);
}

gboolean
event_picture_is_relit (const EventPicture *a, const EventPicture *b, const EventPictureAreas areas)
{
  const gdouble least = 0.1 * get_mean (areas);
  gdouble x[EVENT_PICTURE_AREAS], y[EVENT_PICTURE_AREAS];
  guint n = 0;

  if (!a->has_areas || !b->has_areas)
    return FALSE;
  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++) {
    const gfloat common = MIN (a->black[i], b->black[i]);

    if (areas[i] < least || 1.0f - common < RELIT_SHARE)
      continue;
    x[n] = get_mean_without (a, i, common);
    y[n++] = get_mean_without (b, i, common);
  }
  return n >= RELIT_AREAS && get_correlation (x, y, n, EVENT_PICTURE_STEP) >= RELIT_CORRELATION;
}

static int
compare_floats (gconstpointer a, gconstpointer b)
{
  const gfloat x = *(const gfloat *) a, y = *(const gfloat *) b;

  return (x > y) - (x < y);
}

/* Returns the share of the samples of an area that have luma of another bin. */
static gfloat
get_other (const EventPicture *a, const EventPicture *b, guint area)
{
  gfloat sum = 0.0f;

  for (guint bin = 0; bin < EVENT_PICTURE_BINS; bin++)
    sum += fabsf (a->shares[bin][area] - b->shares[bin][area]);
  return sum / 2.0f;
}

/* Returns the sum of the @n largest of @n_values, which it sorts. */
static gfloat
sum_largest (gfloat *values, guint n_values, guint n)
{
  gfloat sum = 0.0f;

  qsort (values, n_values, sizeof values[0], compare_floats);
  for (guint i = 0; i < n; i++)
    sum += values[n_values - 1 - i];
  return sum;
}

/* Whether the change is that of one half of a split screen: the other half moves, and hardly
 * changes @beyond what is usual. */
static gboolean
is_half (const EventPictureAreas beyond, const EventPictureAreas usual, gfloat all)
{
  for (guint half = 0; half < 4; half++) { /* left, right, upper, lower */
    gfloat motion = 0.0f, lasting = 0.0f;
    guint n_changed = 0;

    for (guint i = 0; i < EVENT_PICTURE_AREAS; i++) {
      if ((half < 2 ? i % 4 / 2 : i / 8) != half % 2)
        continue;
      motion += usual[i];
      lasting += beyond[i];
      n_changed += beyond[i] > LASTING_FACTOR * usual[i] + LASTING_OFFSET;
    }
    if (n_changed <= 1 && motion >= LEAST_MOTION * EVENT_PICTURE_AREAS / 2 &&
        lasting <= (1.0f - CONFINED_CHANGE) * all)
      return TRUE;
  }
  return FALSE;
}

gboolean
event_picture_is_confined (const EventPicture *a, const EventPicture *b,
    const EventPictureAreas areas, const EventPictureAreas usual)
{
  EventPictureAreas beyond;
  gfloat rows[4] = { 0 }, all = 0.0f, other = 0.0f;
  guint n_live = 0;

  if (!a->has_areas || !b->has_areas)
    return FALSE;
  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++) {
    beyond[i] = MAX (areas[i] - usual[i], 0.0f);
    rows[i / 4] += beyond[i];
    all += beyond[i];
    if (MIN (a->black[i], b->black[i]) < BLACK_SHARE) {
      n_live++;
      other += get_other (a, b, i);
    }
  }
  if (is_half (beyond, usual, all))
    return TRUE;
  if (other >= CONFINED_SAMPLES * (gfloat) n_live)
    return FALSE;
  return sum_largest (rows, 4, 2) >= CONFINED_CHANGE * all ||
      sum_largest (beyond, EVENT_PICTURE_AREAS, 4) >= CONFINED_CHANGE * all;
}
