/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glestiles
 * @title: glestiles
 * @short_description: which points, boxes or splats touch which tile, as metadata
 *
 * Lists, for every tile of the frame, the points of an upstream glescompact, the
 * #GstVideoRegionOfInterestMeta boxes of the frame or the records of a stream of splats that touch
 * it, in depth order or by another key, with OpenGL ES compute shaders (or native code, with the
 * same result bit for bit), and puts the lists on the buffer as #GstGlesTilesMeta. The buffer
 * passes through unchanged.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=3 ! glescompact lower=200 \
 *     ! glestiles post-messages=true ! fakesink
 * ]|
 */
#include "config.h"

#include <gst/gles/core/error.h>

#include "../elements.h"
#include "../base/settings.h"
#include "../base/gstglesanalyzer.h"
#include "../base/results.h"
#include "tiles-lister.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_tiles_element_debug);
#define GST_CAT_DEFAULT gst_gles_tiles_element_debug

#define SPLATS_TYPE "application/x-gles-splats"
/* The largest frame size: a 32-bit float represents its coordinates exactly. */
#define SPLATS_CAPS                                                                                \
  SPLATS_TYPE ", format=(string)rect32le, width=(int)[1, 16777216], height=(int)[1, 16777216], "   \
              "framerate=(fraction)[0, max]"
/* No pixel is read, so any format and any memory is accepted. */
#define CAPS "video/x-raw; video/x-raw(ANY); " SPLATS_CAPS

#define MAX_TILE 65536

typedef enum {
  SOURCE_AUTO,
  SOURCE_POINTS,
  SOURCE_ROI
} Source;

typedef enum {
  ORDER_ASCENDING,
  ORDER_DESCENDING
} Order;

/* The property values of a frame. */
typedef struct {
  Source source;
  guint tile_width, tile_height;
  GstGlesTilesSortBy sort_by;
  Order order;
  guint max_items;
} Request;

#define GST_TYPE_GLES_TILES_ELEMENT (gst_gles_tiles_element_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGlesTilesElement, gst_gles_tiles_element, GST, GLES_TILES_ELEMENT, GstGlesAnalyzer)

struct _GstGlesTilesElement {
  GstGlesAnalyzer parent;

  Request wanted; /* protected by the object lock */

  /* used on the streaming thread only: */
  Request taken; /* for the current frame */
  gboolean splats;
  GstGlesFrameInfo picture; /* size and format of the caps */
  guint most_points;        /* of a frame, on this device; 0: not known */
  RecordsInput input;       /* set by take_input, used by analyze */
  TilesLister *lister;
};

G_DEFINE_TYPE (GstGlesTilesElement, gst_gles_tiles_element, GST_TYPE_GLES_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE (glestiles, "glestiles", GST_RANK_NONE, GST_TYPE_GLES_TILES_ELEMENT)

static const GEnumValue sources[] = {
  { SOURCE_AUTO, "Points where a frame has them, else boxes", "auto" },
  { SOURCE_POINTS, "Points of an upstream glescompact", "points" },
  { SOURCE_ROI, "Boxes of GstVideoRegionOfInterestMeta", "roi" },
  { 0, NULL, NULL },
};

static const GEnumValue sort_keys[] = {
  { GST_GLES_TILES_SORT_BY_AUTO, "Depth of splats, else index", "auto" },
  { GST_GLES_TILES_SORT_BY_INDEX, "Place in the input", "index" },
  { GST_GLES_TILES_SORT_BY_VALUE, "Value of points, id of boxes, the depth's bits of splats",
      "value" },
  { GST_GLES_TILES_SORT_BY_DEPTH, "Depth of splats, area of boxes", "depth" },
  { 0, NULL, NULL },
};

static const GEnumValue orders[] = {
  { ORDER_ASCENDING, "Smallest key first", "ascending" },
  { ORDER_DESCENDING, "Largest key first", "descending" },
  { 0, NULL, NULL },
};

/* ---- properties of a frame ---- */

/* Sets the properties and the picture in @info, for @input. */
static gboolean
describe_lists (
    GstGlesTilesElement *self, const RecordsInput *input, GstGlesTilesInfo *info, GError **error)
{
  const GstGlesTilesInput kind = input->kind;
  GstGlesTilesSortBy sort_by = self->taken.sort_by;

  if (sort_by == GST_GLES_TILES_SORT_BY_AUTO)
    sort_by = kind == GST_GLES_TILES_INPUT_SPLATS ? GST_GLES_TILES_SORT_BY_DEPTH
                                                  : GST_GLES_TILES_SORT_BY_INDEX;
  if (sort_by == GST_GLES_TILES_SORT_BY_DEPTH && kind == GST_GLES_TILES_INPUT_POINTS) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "points have no depth; set sort-by to value or index");
    return FALSE;
  }
  info->frame.width = input->width;
  info->frame.height = input->height;
  info->frame.format = self->picture.format;
  info->input = kind;
  info->tile_width = self->taken.tile_width;
  info->tile_height = self->taken.tile_height;
  info->sort_by = sort_by;
  info->descending = self->taken.order == ORDER_DESCENDING;
  info->max_items = self->taken.max_items;
  return TRUE;
}

static gboolean
gst_gles_tiles_element_set_caps (GstGlesAnalyzer *analyzer, GstCaps *caps, GError **error)
{
  GstGlesTilesElement *self = GST_GLES_TILES_ELEMENT (analyzer);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  self->splats = gst_structure_has_name (structure, SPLATS_TYPE);
  if (!gst_gles_analyzer_parse_picture (analyzer, caps, &self->picture, error))
    return FALSE;
  self->most_points = records_query_points (GST_BASE_TRANSFORM_SINK_PAD (GST_BASE_TRANSFORM (self)),
      gst_gles_analyzer_get_device (analyzer));
  if (!self->splats || self->taken.source == SOURCE_AUTO)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "a stream of splats has neither points nor boxes; set source to auto");
  return FALSE;
}

static gboolean
gst_gles_tiles_element_prepare (GstGlesAnalyzer *analyzer, GError **error)
{
  GstGlesTilesElement *self = GST_GLES_TILES_ELEMENT (analyzer);
  RecordsInput nothing = { 0 };
  GstGlesTilesInfo info = { 0 };
  gboolean ok;

  nothing.kind = GST_GLES_TILES_INPUT_POINTS;
  if (self->splats)
    nothing.kind = GST_GLES_TILES_INPUT_SPLATS;
  else if (self->taken.source == SOURCE_ROI || self->taken.sort_by == GST_GLES_TILES_SORT_BY_DEPTH)
    nothing.kind = GST_GLES_TILES_INPUT_ROI;
  nothing.width = self->picture.width;
  nothing.height = self->picture.height;
  self->lister = tiles_lister_new (gst_gles_analyzer_get_queue (analyzer));
  ok = describe_lists (self, &nothing, &info, error) &&
      (nothing.kind != GST_GLES_TILES_INPUT_POINTS ||
          records_input_expect_points (
              &nothing, self->most_points, gst_gles_analyzer_get_device (analyzer), error)) &&
      tiles_lister_prepare (self->lister, &info, &nothing, error);
  records_input_clear (&nothing);
  return ok;
}

static void
gst_gles_tiles_element_drop_plan (GstGlesAnalyzer *analyzer)
{
  GstGlesTilesElement *self = GST_GLES_TILES_ELEMENT (analyzer);

  records_input_clear (&self->input);
  g_clear_pointer (&self->lister, tiles_lister_free);
}

/* The input of an earlier stream is no input of the next one. */
static void
gst_gles_tiles_element_reset (GstGlesAnalyzer *analyzer)
{
  records_input_clear (&GST_GLES_TILES_ELEMENT (analyzer)->input);
}

/* ---- one frame ---- */

static gboolean
gst_gles_tiles_element_accept (GstGlesAnalyzer *analyzer, GstBuffer *buffer)
{
  GstGlesTilesElement *self = GST_GLES_TILES_ELEMENT (analyzer);

  /* With source=roi a frame without boxes is analysed too: its lists are empty. */
  return self->splats || self->taken.source == SOURCE_ROI ||
      gst_buffer_get_gles_points_meta (buffer) != NULL ||
      (self->taken.source == SOURCE_AUTO && results_has_interests (buffer));
}

static gboolean
gst_gles_tiles_element_take_input (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error)
{
  GstGlesTilesElement *self = GST_GLES_TILES_ELEMENT (analyzer);
  g_autoptr (GstGlesPointsResult) points = NULL;

  if (self->splats)
    return records_input_take_splats (
        &self->input, frame->buffer, self->picture.width, self->picture.height, error);
  if (self->taken.source != SOURCE_ROI)
    points = gst_gles_points_result_from_buffer (frame->buffer);
  if (points != NULL)
    return records_input_take_points (
        &self->input, points, gst_gles_analyzer_get_device (analyzer), error);
  records_input_take_boxes (&self->input, frame->buffer, self->picture.width, self->picture.height,
      self->taken.sort_by == GST_GLES_TILES_SORT_BY_VALUE);
  return TRUE;
}

static GstMiniObject *
gst_gles_tiles_element_analyze (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error)
{
  GstGlesTilesElement *self = GST_GLES_TILES_ELEMENT (analyzer);
  GstGlesTilesInfo info = { .frame = frame->info };
  GstGlesTilesResult *result = NULL;
  const RecordsCost *cost;

  if (describe_lists (self, &self->input, &info, error))
    result = tiles_lister_run (self->lister, &info, &self->input, frame->readback, error);
  records_input_clear (&self->input);
  if (result == NULL)
    return NULL;
  cost = tiles_lister_get_cost (self->lister);
  gst_gles_analyzer_count_upload (analyzer, cost->uploaded_bytes, FALSE);
  gst_gles_analyzer_count_readback (analyzer, cost->readback_bytes, cost->waited);
  return GST_MINI_OBJECT_CAST (result);
}

static void
gst_gles_tiles_element_attach (GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result)
{
  gst_buffer_add_gles_tiles_meta (buffer, (GstGlesTilesResult *) result);
}

static gsize
gst_gles_tiles_element_take_readback_bytes (GstGlesAnalyzer *analyzer)
{
  GstGlesTilesElement *self = GST_GLES_TILES_ELEMENT (analyzer);

  return self->lister != NULL ? tiles_lister_take_bytes (self->lister) : 0;
}

static gboolean
gst_gles_tiles_element_describe (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, GstStructure *message, GError **error)
{
  static const gchar *const inputs[] = { "points", "roi", "splats" };
  GstGlesTilesResult *result = (GstGlesTilesResult *) object;
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  guint occupied, largest;

  if (!gst_gles_tiles_result_get_occupancy (result, &occupied, &largest, error))
    return FALSE;
  gst_structure_set (message, "frame", G_TYPE_UINT64, info->frame.number, "source", G_TYPE_STRING,
      inputs[info->input], "total", G_TYPE_UINT64, gst_gles_tiles_result_get_total (result),
      "count", G_TYPE_UINT, gst_gles_tiles_result_get_count (result), "truncated", G_TYPE_BOOLEAN,
      gst_gles_tiles_result_is_truncated (result), "columns", G_TYPE_UINT, info->columns, "rows",
      G_TYPE_UINT, info->rows, "occupied", G_TYPE_UINT, occupied, "max-per-tile", G_TYPE_UINT,
      largest, NULL);
  return TRUE;
}

static gboolean
gst_gles_tiles_element_expect (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame,
    GstMiniObject *result, ValidationTwin *twin, GError **error)
{
  return tiles_lister_expect (GST_GLES_TILES_ELEMENT (analyzer)->lister, twin, error);
}

static gboolean
gst_gles_tiles_element_read_words (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, ValidationWords *words, GError **error)
{
  GstGlesTilesResult *result = (GstGlesTilesResult *) object;
  GBytes *offsets, *indices, *keys;

  if (!gst_gles_tiles_result_get_bytes (result, &offsets, &indices, &keys, error))
    return FALSE;
  validation_words_add_counts (
      words, gst_gles_tiles_result_get_total (result), gst_gles_tiles_result_get_count (result));
  validation_words_add (words, "offsets", 1, offsets);
  validation_words_add (words, "indices", 1, indices);
  return validation_words_add (words, "keys", 1, keys);
}

static gchar *
gst_gles_tiles_element_describe_plan (GstGlesAnalyzer *analyzer)
{
  return tiles_lister_describe (GST_GLES_TILES_ELEMENT (analyzer)->lister);
}

/* ---- properties ---- */

#define MEMBER(name) G_STRUCT_OFFSET (Request, name)

static void
install_properties (GstGlesAnalyzerClass *klass)
{
  gst_gles_analyzer_install (klass, MEMBER (source),
      g_param_spec_enum ("source", "Source",
          "What to list on video; a stream of splats has its records",
          enum_type ("GstGlesTilesSource", sources), SOURCE_AUTO, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (tile_width),
      g_param_spec_uint ("tile-width", "Tile width", "Width of a tile in pixels", 1, MAX_TILE, 16,
          SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (tile_height),
      g_param_spec_uint ("tile-height", "Tile height", "Height of a tile in pixels", 1, MAX_TILE,
          16, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (sort_by),
      g_param_spec_enum ("sort-by", "Sort by",
          "What the entries of a tile are sorted by; equal ones keep the order of the input",
          enum_type ("GstGlesTilesSort", sort_keys), GST_GLES_TILES_SORT_BY_AUTO,
          SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (order),
      g_param_spec_enum ("order", "Order", "Which key comes first",
          enum_type ("GstGlesTilesOrder", orders), ORDER_ASCENDING, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (max_items),
      g_param_spec_uint ("max-items", "Maximum of items",
          "The most entries of all lists together; the first in key order stay, and the total "
          "tells how many there would be",
          1, G_MAXUINT / 16, 4u << 20, SETTING_CONTROLLABLE));
}

static void
gst_gles_tiles_element_class_init (GstGlesTilesElementClass *klass)
{
  GstGlesAnalyzerClass *analyzer_class = GST_GLES_ANALYZER_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);

  GST_DEBUG_CATEGORY_INIT (
      gst_gles_tiles_element_debug, "glestiles", 0, "Tile lists of points, boxes and splats");

  GST_GLES_ANALYZER_SETTINGS (analyzer_class, GstGlesTilesElement);
  install_properties (analyzer_class);
  gst_gles_analyzer_add_pads (analyzer_class, caps);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "OpenGL ES tile lists",
      "Filter/Analyzer/Video",
      "Lists the points, boxes or splats of each tile of a frame, sorted, with OpenGL ES compute "
      "shaders, headlessly, and attaches the lists as metadata",
      "The gst-gles-compute developers");

  analyzer_class->makes = RESULTS_TILES;
  analyzer_class->reads = RESULTS_POINTS;
  analyzer_class->is_large = TRUE;
  analyzer_class->set_caps = gst_gles_tiles_element_set_caps;
  analyzer_class->prepare = gst_gles_tiles_element_prepare;
  analyzer_class->input =
      "points of glescompact, or boxes (GstVideoRegionOfInterestMeta) of a detector";
  analyzer_class->accept = gst_gles_tiles_element_accept;
  analyzer_class->take_input = gst_gles_tiles_element_take_input;
  analyzer_class->analyze = gst_gles_tiles_element_analyze;
  analyzer_class->attach = gst_gles_tiles_element_attach;
  analyzer_class->wait = (ResultsWaitFunc) gst_gles_tiles_result_wait;
  analyzer_class->take_readback_bytes = gst_gles_tiles_element_take_readback_bytes;
  analyzer_class->describe = gst_gles_tiles_element_describe;
  analyzer_class->compared =
      "the lists with those that native code makes of the same points, boxes or "
      "splats; whether points are right is for validate of glescompact";
  analyzer_class->expect = gst_gles_tiles_element_expect;
  analyzer_class->read_words = gst_gles_tiles_element_read_words;
  analyzer_class->describe_plan = gst_gles_tiles_element_describe_plan;
  analyzer_class->reset = gst_gles_tiles_element_reset;
  analyzer_class->drop_plan = gst_gles_tiles_element_drop_plan;
}

static void
gst_gles_tiles_element_init (GstGlesTilesElement *self)
{
}
