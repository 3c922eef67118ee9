/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "track-input.h"

#include "../base/settings.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

void
track_input_install (GObjectClass *klass, guint id, gsize offset)
{
  settings_install (klass, id, offset + G_STRUCT_OFFSET (TrackInputSettings, regions),
      g_param_spec_boolean (
          "regions", "Regions", "Follow the regions of glesregions", TRUE, SETTING_FLAGS));
}

/* The picture that boxes are in, and where they go. */
typedef struct {
  TrackInput *input;
  guint width, height;
} Target;

/* Adds what of a box is in the picture, unless it is there already. */
static void
add_box (const Target *target, gint64 x, gint64 y, gint64 width, gint64 height, GQuark label)
{
  TrackInput *input = target->input;
  TrackerBox box;

  if (!tracker_box_set (&box, x, y, width, height, label, target->width, target->height))
    return;
  for (guint i = 0; i < input->n_boxes; i++) {
    if (tracker_box_equal (&input->boxes[i], &box))
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
add_regions (const Target *target, GstGlesRegionsResult *result)
{
  const GstGlesRegionsInfo *info = gst_gles_regions_result_get_info (result);
  const guint n = gst_gles_regions_result_get_count (result);
  const guint from_x = info->frame.width, from_y = info->frame.height;
  const GQuark label = g_quark_from_string (info->label);

  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
    const guint x = scale (region->left, from_x, target->width, FALSE);
    const guint y = scale (region->top, from_y, target->height, FALSE);

    add_box (target, x, y, scale (region->right + 1, from_x, target->width, TRUE) - x,
        scale (region->bottom + 1, from_y, target->height, TRUE) - y, label);
  }
}

static void
add_interests (const Target *target, GstBuffer *buffer)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    const GstVideoRegionOfInterestMeta *roi = (const GstVideoRegionOfInterestMeta *) meta;

    add_box (target, roi->x, roi->y, roi->w, roi->h, roi->roi_type);
  }
}

#if HAVE_ANALYTICS
static void
add_detections (const Target *target, GstBuffer *buffer)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  gpointer state = NULL;
  GstAnalyticsODMtd found;

  while (meta != NULL &&
      gst_analytics_relation_meta_iterate (
          meta, &state, gst_analytics_od_mtd_get_mtd_type (), &found)) {
    gint x, y, width, height;
    gfloat confidence;

    if (gst_analytics_od_mtd_get_location (&found, &x, &y, &width, &height, &confidence))
      add_box (target, x, y, width, height, gst_analytics_od_mtd_get_obj_type (&found));
  }
}
#endif

GstFlowReturn
track_input_take (TrackInput *input, const TrackInputSettings *settings, GstBuffer *buffer,
    guint width, guint height, GstPad *pad, GError **error)
{
  const Target target = { input, width, height };
  Results results;
  GstFlowReturn flow;

  input->n_boxes = 0;
  input->n_found = 0;
  results_collect (&results, settings->regions ? RESULTS_REGIONS : 0, buffer);
  flow = results_wait (&results, pad, error);
  if (flow == GST_FLOW_OK && results.regions != NULL) {
    input->expects_regions = TRUE;
    add_regions (&target, results.regions);
  }
  add_interests (&target, buffer);
#if HAVE_ANALYTICS
  add_detections (&target, buffer);
#endif
  input->found = results.regions != NULL || input->n_found > 0;
  input->analysed = input->found || !input->expects_regions;
  results_clear (&results);
  return flow;
}
