/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "boxes.h"

#include <string.h>

#include <gst/video/video.h>

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

typedef struct {
  const gchar *types;
  BoxesFunc func;
  gpointer data;
} Reader;

gboolean
boxes_type_is_wanted (const gchar *types, const gchar *name)
{
  const gsize length = strlen (name);
  gboolean is_empty = TRUE;

  while (*types != '\0') {
    const gchar *start = types + strspn (types, ", \t\n");
    const gchar *end = start + strcspn (start, ",");

    types = end;
    while (end > start && g_ascii_isspace (end[-1]))
      end--;
    if (end == start)
      continue;
    is_empty = FALSE;
    if ((gsize) (end - start) == length && memcmp (start, name, length) == 0)
      return TRUE;
  }
  return is_empty;
}

static void
pass_box (const Reader *reader, const UpstreamBox *box)
{
  if (boxes_type_is_wanted (reader->types, box->type != 0 ? g_quark_to_string (box->type) : ""))
    reader->func (box, reader->data);
}

/* Detectors tell their confidence in a structure of their own: "confidence" or "score", which is a
 * gdouble or a gfloat. */
static gdouble
get_score (const GstVideoRegionOfInterestMeta *roi)
{
  static const gchar *const names[] = { "confidence", "score" };

  for (const GList *item = roi->params; item != NULL; item = item->next) {
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
      const GValue *value = gst_structure_get_value (item->data, names[i]);
      gdouble score = -1;

      if (value != NULL && G_VALUE_HOLDS_DOUBLE (value))
        score = g_value_get_double (value);
      else if (value != NULL && G_VALUE_HOLDS_FLOAT (value))
        score = g_value_get_float (value);
      if (score >= 0)
        return MIN (score, 1);
    }
  }
  return 1;
}

static void
read_roi (const Reader *reader, GstVideoRegionOfInterestMeta *roi)
{
  /* detectors store negative coordinates in these unsigned members */
  const UpstreamBox box = { .id = roi->id,
    .type = roi->roi_type,
    .x = (gint) roi->x,
    .y = (gint) roi->y,
    .width = (gint) MIN (roi->w, G_MAXINT),
    .height = (gint) MIN (roi->h, G_MAXINT),
    .source = BOXES_ROI,
    .score = get_score (roi),
    .roi = roi,
    .region = gst_video_region_of_interest_meta_get_param (roi, "gles-region") };

  pass_box (reader, &box);
}

#if HAVE_ANALYTICS
static void
read_analytics (const Reader *reader, GstAnalyticsRelationMeta *meta)
{
  gpointer state = NULL;
  GstAnalyticsODMtd detection;

  while (gst_analytics_relation_meta_iterate (
      meta, &state, gst_analytics_od_mtd_get_mtd_type (), &detection)) {
    UpstreamBox box = { .id = (gint) detection.id,
      .type = gst_analytics_od_mtd_get_obj_type (&detection),
      .source = BOXES_ANALYTICS };
    gfloat confidence;

    if (!gst_analytics_od_mtd_get_location (
            &detection, &box.x, &box.y, &box.width, &box.height, &confidence))
      continue;
    box.width = MAX (box.width, 0);
    box.height = MAX (box.height, 0);
    box.score = confidence >= 0 ? MIN (confidence, 1) : 1;
    pass_box (reader, &box);
  }
}
#endif

void
boxes_foreach (
    GstBuffer *buffer, BoxesSource sources, const gchar *types, BoxesFunc func, gpointer data)
{
  const Reader reader = { types, func, data };
  gpointer state = NULL;
  GstMeta *meta;

  if (sources == BOXES_NONE)
    return;
  while ((meta = gst_buffer_iterate_meta (buffer, &state)) != NULL) {
    if ((sources & BOXES_ROI) != 0 && meta->info->api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
      read_roi (&reader, (GstVideoRegionOfInterestMeta *) meta);
#if HAVE_ANALYTICS
    if ((sources & BOXES_ANALYTICS) != 0 && meta->info->api == GST_ANALYTICS_RELATION_META_API_TYPE)
      read_analytics (&reader, (GstAnalyticsRelationMeta *) meta);
#endif
  }
}

/* ---- the first boxes ---- */

typedef struct {
  UpstreamBoxes *boxes;
  GstBuffer *buffer;
  BoxesSource sources;
} Target;

/* Whether glesregions attached @box as a region of interest, too. */
static gboolean
is_own_region (GstBuffer *buffer, const UpstreamBox *box)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;

    if (roi->roi_type == box->type && (gint) roi->x == box->x && (gint) roi->y == box->y &&
        (gint) roi->w == box->width && (gint) roi->h == box->height &&
        gst_video_region_of_interest_meta_get_param (roi, "gles-region") != NULL)
      return TRUE;
  }
  return FALSE;
}

static void
take_box (const UpstreamBox *box, gpointer data)
{
  const Target *target = data;
  UpstreamBoxes *boxes = target->boxes;

  if (box->roi == NULL && (target->sources & BOXES_ROI) != 0 && is_own_region (target->buffer, box))
    return;
  boxes->n_found++;
  if (boxes->n < BOXES_MAX)
    boxes->box[boxes->n++] = *box;
}

void
boxes_read (UpstreamBoxes *boxes, GstBuffer *buffer, BoxesSource sources, const gchar *types)
{
  Target target = { boxes, buffer, sources };

  boxes->n = 0;
  boxes->n_found = 0;
  boxes_foreach (buffer, sources, types, take_box, &target);
}

void
boxes_warn (const UpstreamBoxes *boxes, GstElement *element, gboolean *has_warned)
{
  if (boxes->n_found <= boxes->n || *has_warned)
    return;
  *has_warned = TRUE;
  GST_ELEMENT_WARNING (element, STREAM, DECODE,
      ("A frame has more than %u boxes; the first %u are read", BOXES_MAX, BOXES_MAX),
      ("set box-type to leave some out; this is said once"));
}
