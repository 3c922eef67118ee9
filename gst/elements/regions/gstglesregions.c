/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glesregions
 * @title: glesregions
 * @short_description: bounding boxes of points that are close together, as metadata
 *
 * Sorts the points of an upstream glescompact into cells and finds the connected regions of these
 * cells, with OpenGL ES compute shaders (or native code, with the same result bit for bit). The
 * regions, each with its bounding box, its number of points and its centroid, go onto the buffer as
 * #GstGlesRegionsMeta and as #GstVideoRegionOfInterestMeta. The buffer passes through unchanged.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=3 pattern=ball ! glescompact lower=100 \
 *     ! glesregions post-messages=true ! fakesink
 * ]|
 */
#include "config.h"

#include <gst/gles/core/error.h>

#include "../elements.h"
#include "../base/settings.h"
#include "../base/gstglesanalyzer.h"
#include "regions-finder.h"
#include "regions-forms.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_regions_element_debug);
#define GST_CAT_DEFAULT gst_gles_regions_element_debug

/* No pixel is read, so any format and any memory is accepted. */
#define CAPS "video/x-raw; video/x-raw(ANY)"

/* Points have 16 bits per coordinate. */
#define MAX_CELL 65536

/* min-size=0: a point for so many pixels of the picture. */
#define PIXELS_PER_POINT 3072

/* The property values of a frame. */
typedef struct {
  guint cell_width, cell_height, min_points, min_size, max_regions;
  gint connectivity;
  const gchar *label; /* interned */
  gboolean roi, analytics;
  const gchar *merge_distance, *expand; /* interned */
  guint min_density;
} Request;

#define GST_TYPE_GLES_REGIONS_ELEMENT (gst_gles_regions_element_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGlesRegionsElement, gst_gles_regions_element, GST, GLES_REGIONS_ELEMENT, GstGlesAnalyzer)

struct _GstGlesRegionsElement {
  GstGlesAnalyzer parent;

  Request wanted; /* protected by the object lock */

  /* used on the streaming thread only: */
  Request taken;            /* for the current frame */
  GstGlesFrameInfo picture; /* size and format of the caps */
  guint most_points;        /* of a frame, on this device; 0: not known */
  RecordsInput input;       /* set by take_input, used by analyze */
  MaskInput mask;
  RegionsFinder *finder;
};

G_DEFINE_TYPE (GstGlesRegionsElement, gst_gles_regions_element, GST_TYPE_GLES_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE (
    glesregions, "glesregions", GST_RANK_NONE, GST_TYPE_GLES_REGIONS_ELEMENT)

static const GEnumValue connectivities[] = {
  { 4, "Cells that share an edge", "4" },
  { 8, "Cells that share an edge or a corner", "8" },
  { 0, NULL, NULL },
};

/* ---- properties of a frame ---- */

/* Converts the properties for a frame of the input's size. */
static GstGlesRegionsInfo
make_info (
    const GstGlesRegionsElement *self, const GstGlesFrameInfo *frame, const RecordsInput *input)
{
  GstGlesRegionsInfo info = { .frame = *frame,
    .cell_width = self->taken.cell_width,
    .cell_height = self->taken.cell_height,
    .connectivity = self->taken.connectivity,
    .min_points = self->taken.min_points,
    .min_size = self->taken.min_size != 0
        ? self->taken.min_size
        : (guint) MAX ((guint64) input->width * input->height / PIXELS_PER_POINT, 1),
    .max_regions = self->taken.max_regions,
    .label = self->taken.label };

  info.frame.width = input->width;
  info.frame.height = input->height;
  info.frame.format = self->picture.format;
  return info;
}

/* Tells the finder how to merge what is found in @info. Errors: SETTINGS. */
static gboolean
set_merge (GstGlesRegionsElement *self, const GstGlesRegionsInfo *info, GError **error)
{
  RegionsMerge merge = { .min_density = self->taken.min_density,
    .min_size = info->min_size,
    .max_regions = info->max_regions,
    .width = info->frame.width,
    .height = info->frame.height };

  if (!regions_merge_set_distance (&merge, self->taken.merge_distance, error) ||
      !regions_length_parse (&merge.expand, "expand", self->taken.expand, NULL, error))
    return FALSE;
  regions_finder_set_merge (self->finder, &merge);
  return TRUE;
}

static gboolean
gst_gles_regions_element_set_caps (GstGlesAnalyzer *analyzer, GstCaps *caps, GError **error)
{
  GstGlesRegionsElement *self = GST_GLES_REGIONS_ELEMENT (analyzer);

  self->most_points = records_query_points (GST_BASE_TRANSFORM_SINK_PAD (GST_BASE_TRANSFORM (self)),
      gst_gles_analyzer_get_device (analyzer));
  return gst_gles_analyzer_parse_picture (analyzer, caps, &self->picture, error);
}

static gboolean
gst_gles_regions_element_prepare (GstGlesAnalyzer *analyzer, GError **error)
{
  GstGlesRegionsElement *self = GST_GLES_REGIONS_ELEMENT (analyzer);
  RecordsInput nothing = { .kind = GST_GLES_TILES_INPUT_POINTS,
    .width = self->picture.width,
    .height = self->picture.height };
  GstGlesRegionsInfo info;
  gboolean ok;

  self->finder = regions_finder_new (gst_gles_analyzer_get_queue (analyzer));
  info = make_info (self, &(GstGlesFrameInfo){ 0 }, &nothing);
  ok = set_merge (self, &info, error) &&
      records_input_expect_points (
          &nothing, self->most_points, gst_gles_analyzer_get_device (analyzer), error) &&
      regions_finder_prepare (self->finder, &info, &nothing, error);
  records_input_clear (&nothing);
  return ok;
}

static void
gst_gles_regions_element_drop_plan (GstGlesAnalyzer *analyzer)
{
  GstGlesRegionsElement *self = GST_GLES_REGIONS_ELEMENT (analyzer);

  records_input_clear (&self->input);
  mask_input_clear (&self->mask);
  g_clear_pointer (&self->finder, regions_finder_free);
}

/* Does nothing: no result depends on earlier frames. */
static void
gst_gles_regions_element_reset (GstGlesAnalyzer *analyzer)
{
  records_input_clear (&GST_GLES_REGIONS_ELEMENT (analyzer)->input);
}

/* ---- one frame ---- */

static gboolean
gst_gles_regions_element_accept (GstGlesAnalyzer *analyzer, GstBuffer *buffer)
{
  return gst_buffer_get_gles_points_meta (buffer) != NULL;
}

static gboolean
gst_gles_regions_element_take_input (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error)
{
  GstGlesRegionsElement *self = GST_GLES_REGIONS_ELEMENT (analyzer);
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (frame->buffer);
  const GstGlesFrameInfo *size = gst_gles_points_result_get_frame (points);
  const GstGlesImage image = { .width = size->width,
    .height = size->height,
    .crop_width = size->width,
    .crop_height = size->height };

  if (!gst_gles_analyzer_take_mask (analyzer, &image, &self->mask, error))
    return FALSE;
  if (self->mask.bits != NULL)
    return records_input_take_masked_points (&self->input, points, self->mask.bits, error);
  return records_input_take_points (
      &self->input, points, gst_gles_analyzer_get_device (analyzer), error);
}

static GstMiniObject *
gst_gles_regions_element_analyze (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error)
{
  GstGlesRegionsElement *self = GST_GLES_REGIONS_ELEMENT (analyzer);
  GstGlesRegionsInfo info = make_info (self, &frame->info, &self->input);
  GstGlesRegionsResult *result;
  const RecordsCost *cost;

  result = set_merge (self, &info, error)
      ? regions_finder_run (self->finder, &info, &self->input, frame->readback, error)
      : NULL;
  records_input_clear (&self->input);
  if (result == NULL)
    return NULL;
  cost = regions_finder_get_cost (self->finder);
  gst_gles_analyzer_count_upload (analyzer, cost->uploaded_bytes, FALSE);
  gst_gles_analyzer_count_readback (analyzer, cost->readback_bytes, cost->waited);
  return GST_MINI_OBJECT_CAST (result);
}

static void
gst_gles_regions_element_attach (
    GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result)
{
  gst_buffer_add_gles_regions_meta (buffer, (GstGlesRegionsResult *) result);
}

static gboolean
gst_gles_regions_element_annotates (GstGlesAnalyzer *analyzer)
{
  const Request *taken = &GST_GLES_REGIONS_ELEMENT (analyzer)->taken;

  return taken->roi || taken->analytics;
}

static gboolean
gst_gles_regions_element_annotate (
    GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *object, GError **error)
{
  GstGlesRegionsElement *self = GST_GLES_REGIONS_ELEMENT (analyzer);
  GstGlesRegionsResult *result = (GstGlesRegionsResult *) object;

  if (!self->taken.roi && !self->taken.analytics)
    return TRUE;
  if (!gst_gles_regions_result_wait (result, G_MAXUINT64, error))
    return FALSE;
  if (self->taken.roi)
    regions_add_roi (buffer, result, self->picture.width, self->picture.height);
#if HAVE_ANALYTICS
  if (self->taken.analytics)
    regions_add_analytics (buffer, result, self->picture.width, self->picture.height);
#endif
  return TRUE;
}

static gsize
gst_gles_regions_element_take_readback_bytes (GstGlesAnalyzer *analyzer)
{
  GstGlesRegionsElement *self = GST_GLES_REGIONS_ELEMENT (analyzer);

  return self->finder != NULL ? regions_finder_take_bytes (self->finder) : 0;
}

static gboolean
gst_gles_regions_element_describe (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, GstStructure *message, GError **error)
{
  GstGlesRegionsResult *result = (GstGlesRegionsResult *) object;
  guint x = 0, y = 0, width = 0, height = 0, pixels = 0;

  if (!gst_gles_regions_result_wait (result, G_MAXUINT64, error))
    return FALSE;
  if (gst_gles_regions_result_get_count (result) > 0) {
    const GstGlesRegion *largest = gst_gles_regions_result_get_region (result, 0, NULL);
    gst_gles_region_get_box (largest, &x, &y, &width, &height);
    pixels = largest->pixels;
  }
  gst_structure_set (message, "frame", G_TYPE_UINT64,
      gst_gles_regions_result_get_frame (result)->number, "label", G_TYPE_STRING,
      gst_gles_regions_result_get_info (result)->label, "total", G_TYPE_UINT64,
      gst_gles_regions_result_get_total (result), "count", G_TYPE_UINT,
      gst_gles_regions_result_get_count (result), "truncated", G_TYPE_BOOLEAN,
      gst_gles_regions_result_is_truncated (result), "largest-pixels", G_TYPE_UINT, pixels,
      "largest-x", G_TYPE_UINT, x, "largest-y", G_TYPE_UINT, y, "largest-width", G_TYPE_UINT, width,
      "largest-height", G_TYPE_UINT, height, NULL);
  return TRUE;
}

static gboolean
gst_gles_regions_element_expect (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame,
    GstMiniObject *result, ValidationTwin *twin, GError **error)
{
  return regions_finder_expect (GST_GLES_REGIONS_ELEMENT (analyzer)->finder,
      gst_gles_regions_result_get_info ((GstGlesRegionsResult *) result), twin, error);
}

static gboolean
gst_gles_regions_element_read_words (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, ValidationWords *words, GError **error)
{
  GstGlesRegionsResult *result = (GstGlesRegionsResult *) object;

  validation_words_add_counts (words, gst_gles_regions_result_get_total (result),
      gst_gles_regions_result_get_count (result));
  return validation_words_add (words, "regions", sizeof (GstGlesRegion) / 4,
      gst_gles_regions_result_get_bytes (result, error));
}

static gchar *
gst_gles_regions_element_describe_plan (GstGlesAnalyzer *analyzer)
{
  return regions_finder_describe (GST_GLES_REGIONS_ELEMENT (analyzer)->finder);
}

/* ---- properties ---- */

#define MEMBER(name) G_STRUCT_OFFSET (Request, name)

static void
install_properties (GstGlesAnalyzerClass *klass)
{
  gst_gles_analyzer_install_mask (klass, "take points from");
  gst_gles_analyzer_install (klass, MEMBER (cell_width),
      g_param_spec_uint ("cell-width", "Cell width",
          "Width of the cells that points are put into, in pixels; 1: pixels are connected", 1,
          MAX_CELL, 8, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (cell_height),
      g_param_spec_uint ("cell-height", "Cell height",
          "Height of the cells that points are put into, in pixels", 1, MAX_CELL, 8,
          SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (min_points),
      g_param_spec_uint ("min-points", "Minimum of points",
          "A cell with fewer points belongs to no region", 1, G_MAXUINT, 1, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (min_size),
      g_param_spec_uint ("min-size", "Minimum of size",
          "Regions of fewer points are left out; 0: one for 3072 pixels of the picture", 0,
          G_MAXUINT, 0, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (max_regions),
      g_param_spec_uint ("max-regions", "Maximum of regions",
          "The most regions that are listed; the largest stay, and the total tells how many there "
          "are",
          1, 1u << 20, 256, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (merge_distance),
      g_param_spec_string ("merge-distance", "Merge distance",
          "The widest gap between regions that become one, in pixels (\"12\") or as a share of "
          "their mean size (\"50%\"); auto: 25%, or 95% of their mean width from one to what is "
          "below it; 0: none",
          "auto", SETTING_FLAGS));
  gst_gles_analyzer_install (klass, MEMBER (min_density),
      g_param_spec_uint ("min-density", "Minimum of density",
          "Regions are left out whose points are fewer percent of the pixels of their box", 0, 100,
          0, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (expand),
      g_param_spec_string ("expand", "Expand",
          "How far boxes grow on each side, in pixels (\"4\") or as a share of their size "
          "(\"10%\")",
          "0", SETTING_FLAGS));
  gst_gles_analyzer_install (klass, MEMBER (connectivity),
      g_param_spec_enum ("connectivity", "Connectivity", "Which cells are neighbours",
          enum_type ("GstGlesRegionsConnectivity", connectivities), 8, SETTING_FLAGS));
  gst_gles_analyzer_install (klass, MEMBER (label),
      g_param_spec_string ("label", "Label",
          "What regions are called, in the result and as the type of regions of interest", "motion",
          SETTING_FLAGS));
  gst_gles_analyzer_install (klass, MEMBER (roi),
      g_param_spec_boolean ("roi", "Regions of interest",
          "Attach a GstVideoRegionOfInterestMeta for each region, too; frames then wait for the "
          "device",
          TRUE, SETTING_FLAGS));
#if HAVE_ANALYTICS
  gst_gles_analyzer_install (klass, MEMBER (analytics),
      g_param_spec_boolean ("analytics", "Analytics",
          "Attach a GstAnalyticsRelationMeta with a GstAnalyticsODMtd for each region, too; frames "
          "then wait for the device",
          FALSE, SETTING_FLAGS));
#endif
}

static void
gst_gles_regions_element_class_init (GstGlesRegionsElementClass *klass)
{
  GstGlesAnalyzerClass *analyzer_class = GST_GLES_ANALYZER_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);

  GST_DEBUG_CATEGORY_INIT (
      gst_gles_regions_element_debug, "glesregions", 0, "Connected regions of points");

  GST_GLES_ANALYZER_SETTINGS (analyzer_class, GstGlesRegionsElement);
  install_properties (analyzer_class);
  gst_gles_analyzer_add_pads (analyzer_class, caps);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "OpenGL ES regions",
      "Filter/Analyzer/Video",
      "Finds the connected regions of the points of a frame, with OpenGL ES compute shaders, "
      "headlessly, and attaches their boxes as metadata",
      "The gst-gles-compute developers");

  analyzer_class->makes = RESULTS_REGIONS;
  analyzer_class->reads = RESULTS_POINTS;
  analyzer_class->set_caps = gst_gles_regions_element_set_caps;
  analyzer_class->prepare = gst_gles_regions_element_prepare;
  analyzer_class->input = "points of glescompact";
  analyzer_class->accept = gst_gles_regions_element_accept;
  analyzer_class->take_input = gst_gles_regions_element_take_input;
  analyzer_class->analyze = gst_gles_regions_element_analyze;
  analyzer_class->attach = gst_gles_regions_element_attach;
  analyzer_class->annotates = gst_gles_regions_element_annotates;
  analyzer_class->annotate = gst_gles_regions_element_annotate;
  analyzer_class->wait = (ResultsWaitFunc) gst_gles_regions_result_wait;
  analyzer_class->take_readback_bytes = gst_gles_regions_element_take_readback_bytes;
  analyzer_class->describe = gst_gles_regions_element_describe;
  analyzer_class->compared =
      "the regions with those that native code finds in the same points; whether "
      "the points are right is for validate of glescompact";
  analyzer_class->expect = gst_gles_regions_element_expect;
  analyzer_class->read_words = gst_gles_regions_element_read_words;
  analyzer_class->describe_plan = gst_gles_regions_element_describe_plan;
  analyzer_class->reset = gst_gles_regions_element_reset;
  analyzer_class->drop_plan = gst_gles_regions_element_drop_plan;
}

static void
gst_gles_regions_element_init (GstGlesRegionsElement *self)
{
}
