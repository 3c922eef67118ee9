/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "track-input.h"

#include "../base/boxes-setting.h"
#include "../base/settings.h"

void
track_input_install (GObjectClass *klass, guint id, gsize offset)
{
  settings_install (klass, id, offset + G_STRUCT_OFFSET (TrackInputSettings, regions),
      g_param_spec_boolean (
          "regions", "Regions", "Follow the regions of glesregions", TRUE, SETTING_FLAGS));
  settings_install (klass, id, offset + G_STRUCT_OFFSET (TrackInputSettings, boxes),
      boxes_spec ("Follow", BOXES_ALL));
  settings_install (
      klass, id, offset + G_STRUCT_OFFSET (TrackInputSettings, box_type), boxes_type_spec ());
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
add_upstream (const Target *target, const TrackInputSettings *settings, GstBuffer *buffer)
{
  UpstreamBoxes boxes;

  boxes_read (&boxes, buffer, settings->boxes, settings->box_type);
  for (guint i = 0; i < boxes.n; i++) {
    const UpstreamBox *box = &boxes.box[i];

    add_box (target, box->x, box->y, box->width, box->height, box->type);
  }
  target->input->n_found += boxes.n_found - boxes.n;
}

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
  add_upstream (&target, settings, buffer);
  input->found = results.regions != NULL || input->n_found > 0;
  input->analysed = input->found || !input->expects_regions;
  results_clear (&results);
  return flow;
}
