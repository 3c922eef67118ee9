/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "track-input.h"

#include "../base/settings.h"

void
track_input_install (GObjectClass *klass, guint id, gsize offset)
{
  settings_install (klass, id, offset + G_STRUCT_OFFSET (TrackInputSettings, regions),
      g_param_spec_boolean (
          "regions", "Regions", "Follow the regions of glesregions", TRUE, SETTING_FLAGS));
}

/* Adds a box that is not there yet. */
static void
add_box (TrackInput *input, guint x, guint y, guint width, guint height, GQuark label)
{
  const TrackerBox box = { x, y, width, height, label };

  for (guint i = 0; i < input->n_boxes; i++) {
    const TrackerBox *other = &input->boxes[i];

    if (other->x == box.x && other->y == box.y && other->width == box.width &&
        other->height == box.height && other->label == box.label)
      return;
  }
  input->n_found++;
  if (input->n_boxes < TRACKER_MAX_BOXES)
    input->boxes[input->n_boxes++] = box;
}

/* Scales a coordinate from a size of @from to one of @to pixels, rounding down, or up with @up, as
 * glesregions does for regions of interest. */
static guint
scale (guint at, guint from, guint to, gboolean up)
{
  return (guint) (((guint64) at * to + (up ? from - 1 : 0)) / from);
}

static void
add_regions (TrackInput *input, GstGlesRegionsResult *result, guint width, guint height)
{
  const GstGlesRegionsInfo *info = gst_gles_regions_result_get_info (result);
  const guint n = gst_gles_regions_result_get_count (result);
  const GQuark label = g_quark_from_string (info->label);

  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
    const guint x = scale (region->left, info->frame.width, width, FALSE);
    const guint y = scale (region->top, info->frame.height, height, FALSE);

    add_box (input, x, y, scale (region->right + 1, info->frame.width, width, TRUE) - x,
        scale (region->bottom + 1, info->frame.height, height, TRUE) - y, label);
  }
}

static void
add_interests (TrackInput *input, GstBuffer *buffer, guint width, guint height)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    const GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;

    if (roi->x < width && roi->y < height && roi->w > 0 && roi->h > 0)
      add_box (input, roi->x, roi->y, roi->w, roi->h, roi->roi_type);
  }
}

GstFlowReturn
track_input_take (TrackInput *input, const TrackInputSettings *settings, GstBuffer *buffer,
    guint width, guint height, GstPad *pad, GError **error)
{
  Results results;
  GstFlowReturn flow;

  input->n_boxes = 0;
  input->n_found = 0;
  results_collect (&results, settings->regions ? RESULTS_REGIONS : 0, buffer);
  flow = results_wait (&results, pad, error);
  if (flow == GST_FLOW_OK && results.regions != NULL) {
    input->expects_regions = TRUE;
    add_regions (input, results.regions, width, height);
  }
  add_interests (input, buffer, width, height);
  input->found = results.regions != NULL || input->n_found > 0;
  input->analysed = input->found || !input->expects_regions;
  results_clear (&results);
  return flow;
}
