/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "track-input.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

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
  settings_install (klass, id, offset + G_STRUCT_OFFSET (TrackInputSettings, detect_every),
      g_param_spec_uint ("detect-every", "Detect every",
          "The detector looks at every so many frames: fewer frames in a row without boxes were "
          "not looked at, and tracks go on as predicted",
          1, 1000, 1, SETTING_FLAGS));
}

/* The frame that boxes are on. */
typedef struct {
  TrackInput *input;
  guint width, height;
  GstGlesRegionsResult *regions; /* NULL: none */
  guint region_boxes[TRACKER_MAX_BOXES];
  guint n_regions;
  guint next_region; /* that a detection may repeat */
} Target;

/* ---- boxes ---- */

/* Returns where @box is in the boxes, to which it is added unless it is there; TRACK_NO_BOX if
 * there are too many. */
static guint
add_box (TrackInput *input, const TrackerBox *box)
{
  const gpointer known = g_hash_table_lookup (input->indices, box);
  guint index = TRACK_NO_BOX;

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  input->n_found++;
  if (input->n_boxes < TRACKER_MAX_BOXES) {
    index = input->n_boxes++;
    input->boxes[index] = *box;
  }
  /* TRACK_NO_BOX becomes 0, of which there is an entry, too */
  g_hash_table_insert (input->indices, g_memdup2 (box, sizeof *box), GUINT_TO_POINTER (index + 1));
  return index;
}

/* ---- regions ---- */

/* Scales a coordinate from a size of @from to one of @to pixels, rounding down, or up with @up, as
 * glesregions does for regions of interest. */
static guint
scale (guint at, guint from, guint to, gboolean up)
{
  return (guint) (((guint64) at * to + (up ? from - 1 : 0)) / from);
}

static void
add_regions (Target *target)
{
  const GstGlesRegionsInfo *info = gst_gles_regions_result_get_info (target->regions);
  const guint n = gst_gles_regions_result_get_count (target->regions);
  const guint from_x = info->frame.width, from_y = info->frame.height;
  const GQuark label = g_quark_from_string (info->label);

  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (target->regions, i, NULL);
    const guint x = scale (region->left, from_x, target->width, FALSE);
    const guint y = scale (region->top, from_y, target->height, FALSE);
    TrackerBox box = { .x = x,
      .y = y,
      .width = scale (region->right + 1, from_x, target->width, TRUE) - x,
      .height = scale (region->bottom + 1, from_y, target->height, TRUE) - y,
      .label = label };
    guint index = TRACK_NO_BOX;

    if (track_box_cut (&box, target->width, target->height))
      index = add_box (target->input, &box);
    if (i < TRACKER_MAX_BOXES)
      target->region_boxes[target->n_regions++] = index;
  }
}

/* Returns the box of the region that glesregions attached as @region, too; FALSE if it is not of
 * this result. */
static gboolean
find_region (const Target *target, const GstStructure *region, guint *box)
{
  const GstGlesOrigin *origin =
      target->regions != NULL ? gst_gles_regions_result_get_frame (target->regions)->origin : NULL;
  const gchar *element = gst_structure_get_string (region, "element");
  guint index;

  if (origin == NULL || g_strcmp0 (element, origin->element) != 0 ||
      !gst_structure_get_uint (region, "index", &index) || index >= target->n_regions)
    return FALSE;
  *box = target->region_boxes[index];
  return TRUE;
}

static gboolean
is_near (gdouble a, gdouble b)
{
  return a - b <= 1 && b - a <= 1;
}

/* A GstAnalyticsODMtd has no name of who made it. Those of glesregions are in the order of the
 * regions, and as they are scaled they may be a pixel off. */
static gboolean
find_next_region (Target *target, const TrackerBox *box, guint *index)
{
  for (guint i = target->next_region; i < target->n_regions; i++) {
    const TrackerBox *region = target->region_boxes[i] != TRACK_NO_BOX
        ? &target->input->boxes[target->region_boxes[i]]
        : NULL;

    if (region != NULL && region->label == box->label && is_near (region->x, box->x) &&
        is_near (region->y, box->y) && is_near (region->x + region->width, box->x + box->width) &&
        is_near (region->y + region->height, box->y + box->height)) {
      *index = target->region_boxes[i];
      target->next_region = i + 1;
      return TRUE;
    }
  }
  return FALSE;
}

/* ---- boxes of others ---- */

static void
add_upstream (const UpstreamBox *upstream, gpointer data)
{
  Target *target = data;
  TrackSource source = { upstream->roi, (guint) upstream->id };
  TrackerBox box = { .x = upstream->x,
    .y = upstream->y,
    .width = upstream->width,
    .height = upstream->height,
    .label = upstream->type,
    .is_detection = upstream->region == NULL,
    .score = upstream->score };

  if (!track_box_cut (&box, target->width, target->height))
    return;
  if (!(upstream->region != NULL && find_region (target, upstream->region, &source.box)) &&
      !(upstream->roi == NULL && find_next_region (target, &box, &source.box)))
    source.box = add_box (target->input, &box);
  if (source.box != TRACK_NO_BOX)
    g_array_append_val (target->input->sources, source);
}

static gboolean
has_analytics (GstBuffer *buffer, const TrackInputSettings *settings)
{
#if HAVE_ANALYTICS
  return (settings->boxes & BOXES_ANALYTICS) != 0 &&
      gst_buffer_get_analytics_relation_meta (buffer) != NULL;
#else
  return FALSE;
#endif
}

/* ---- a frame ---- */

static void
begin (TrackInput *input)
{
  if (input->sources == NULL) {
    input->sources = g_array_new (FALSE, FALSE, sizeof (TrackSource));
    input->indices = g_hash_table_new_full (track_box_hash, track_box_equal, g_free, NULL);
  }
  input->n_boxes = 0;
  input->n_found = 0;
  g_array_set_size (input->sources, 0);
  g_hash_table_remove_all (input->indices);
}

/* Whether somebody looked for boxes in the frame. A frame with a result of glesregions, or with a
 * GstAnalyticsRelationMeta, was looked at, even if these are empty. */
static gboolean
was_looked_at (TrackInput *input, const TrackInputSettings *settings, gboolean has_regions,
    gboolean has_relations)
{
  input->expects_regions |= has_regions;
  input->expects_analytics |= has_relations;
  if (has_regions || has_relations || input->n_found > 0)
    return TRUE;
  return !input->expects_regions && !input->expects_analytics &&
      input->n_passed + 1 >= settings->detect_every;
}

void
track_input_take (TrackInput *input, const TrackInputSettings *settings, GstBuffer *buffer,
    const GstGlesFrameInfo *picture, GstGlesRegionsResult *regions)
{
  Target target = {
    .input = input, .width = picture->width, .height = picture->height, .regions = regions
  };

  begin (input);
  if (regions != NULL)
    add_regions (&target);
  boxes_foreach (buffer, settings->boxes, settings->box_type, add_upstream, &target);
  input->found = regions != NULL || input->n_found > 0;
  input->looked =
      was_looked_at (input, settings, regions != NULL, has_analytics (buffer, settings));
  input->n_passed = input->looked ? 0 : input->n_passed + 1;
}

void
track_input_clear (TrackInput *input)
{
  g_clear_pointer (&input->sources, g_array_unref);
  g_clear_pointer (&input->indices, g_hash_table_unref);
  *input = (TrackInput){ 0 };
}
