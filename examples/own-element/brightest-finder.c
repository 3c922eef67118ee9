/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "brightest-finder.h"

#define INVOCATIONS 128
#define SAMPLES_PER_INVOCATION 64
/* results that are on their way or unread before the oldest one is moved out of the ring */
#define SLOTS 8

/* The uniform block of the kernel. */
typedef struct {
  GstGlesComponent component;
  guint32 left, top, columns, n;
} Params;

struct _BrightestFinder {
  GstGlesQueue *queue;
  /* on a device with OpenGL ES; NULL on a cpu device */
  GstGlesProgram *programs[2]; /* that find the value and the place */
  GstGlesBuffer *found;        /* a BrightestFound */
  GstGlesReadbackRing *ring;
  guint max_groups;
};

/* ---- plans ---- */

BrightestFinder *
brightest_finder_new (GstGlesQueue *queue, GError **error)
{
  BrightestFinder *finder = g_new0 (BrightestFinder, 1);
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (queue);

  finder->queue = gst_object_ref (queue);
  finder->max_groups = gst_gles_device_get_limits (device)->groups[0];
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU)
    return finder;
  for (guint i = 0; i < G_N_ELEMENTS (finder->programs); i++) {
    const GstGlesProgramSpec spec = { .kernel = "own_brightest",
      .local_size = { INVOCATIONS, 1, 1 },
      .n_storage = 2,
      .defines = { { "PLACE", i } } };

    finder->programs[i] = gst_gles_program_get (queue, &spec, error);
    if (finder->programs[i] == NULL)
      goto failed;
  }
  finder->found = gst_gles_buffer_new (device, sizeof (BrightestFound), error);
  if (finder->found == NULL)
    goto failed;
  finder->ring = gst_gles_readback_ring_new (queue, SLOTS, sizeof (BrightestFound), error);
  if (finder->ring == NULL)
    goto failed;
  return finder;
failed:
  brightest_finder_free (finder);
  return NULL;
}

void
brightest_finder_free (BrightestFinder *finder)
{
  if (finder == NULL)
    return;
  gst_gles_readback_ring_free (finder->ring);
  gst_gles_buffer_unref (finder->found);
  for (guint i = 0; i < G_N_ELEMENTS (finder->programs); i++)
    gst_gles_program_unref (finder->programs[i]);
  gst_object_unref (finder->queue);
  g_free (finder);
}

/* ---- the native twin ---- */

/* Returns the first of @n samples at or behind the pixel @position. */
static guint
first_sample (guint position, guint sub, guint n)
{
  return MIN ((position + (1u << sub) - 1) >> sub, n);
}

BrightestArea
brightest_area (const GstGlesImage *image, guint component)
{
  const GstGlesComponent *c = &image->components[component];
  BrightestArea area = { .left = first_sample (image->crop_x, c->sub_x, c->width),
    .top = first_sample (image->crop_y, c->sub_y, c->height),
    .sub_x = c->sub_x,
    .sub_y = c->sub_y };

  area.columns = first_sample (image->crop_x + image->crop_width, c->sub_x, c->width) - area.left;
  area.rows = first_sample (image->crop_y + image->crop_height, c->sub_y, c->height) - area.top;
  return area;
}

static guint32
read_sample (const GstGlesComponent *c, const guint8 *plane, guint x, guint y)
{
  const guint8 *at = plane + c->offset + (gsize) y * c->stride + (gsize) x * c->step;
  guint32 word = 0;

  for (guint i = 0; i < c->word_bytes; i++)
    word |= (guint32) at[i] << 8 * (c->big_endian ? c->word_bytes - 1 - i : i);
  return word >> c->shift & ((1u << c->depth) - 1);
}

BrightestFound
brightest_find_native (const GstGlesImage *image, guint component)
{
  const GstGlesComponent *c = &image->components[component];
  const BrightestArea area = brightest_area (image, component);
  BrightestFound found = { 0, G_MAXUINT32 };

  for (guint y = 0; y < area.rows; y++) {
    for (guint x = 0; x < area.columns; x++) {
      const guint32 value = read_sample (c, image->planes[c->plane], area.left + x, area.top + y);

      if (value > found.value || found.place == G_MAXUINT32)
        found = (BrightestFound){ value, y * area.columns + x };
    }
  }
  return found;
}

/* ---- the kernel ---- */

static gboolean
dispatch (BrightestFinder *finder, const GstGlesImage *image, guint component, GError **error)
{
  static const BrightestFound nothing = { 0, G_MAXUINT32 };
  const BrightestArea area = brightest_area (image, component);
  const Params params = { image->components[component], area.left, area.top, area.columns,
    area.columns * area.rows };
  const GstGlesBinding bindings[] = { { image->buffer, 0, 0, GST_GLES_READ },
    { finder->found, 0, 0, GST_GLES_READ_WRITE } };
  const guint per_group = INVOCATIONS * SAMPLES_PER_INVOCATION;
  const guint groups[3] = { CLAMP (params.n / per_group + 1, 1, finder->max_groups), 1, 1 };

  if (!gst_gles_buffer_upload (finder->found, finder->queue, 0, &nothing, sizeof nothing, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (finder->programs); i++) {
    if (!gst_gles_queue_dispatch (finder->queue,
            GST_GLES_DISPATCH (finder->programs[i], bindings, G_N_ELEMENTS (bindings), &params),
            groups, error))
      return FALSE;
  }
  return TRUE;
}

GstGlesReadback *
brightest_finder_run (
    BrightestFinder *finder, const GstGlesImage *image, guint component, GError **error)
{
  const GstGlesReadbackCopy copy = { .source = finder->found,
    .size_bytes = sizeof (BrightestFound) };

  if (finder->ring == NULL) {
    const BrightestFound found = brightest_find_native (image, component);

    return gst_gles_readback_new_complete (g_bytes_new (&found, sizeof found));
  }
  if (!dispatch (finder, image, component, error))
    return NULL;
  return gst_gles_readback_ring_copy (finder->ring, &copy, NULL, error);
}
