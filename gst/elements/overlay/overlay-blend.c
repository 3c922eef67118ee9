/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Blends a composition into a frame, like gst_video_overlay_composition_blend(), for formats with
 * 8-bit components. That function converts a whole row of the frame to 32 bits and back for each
 * row of a rectangle; this code accesses only the bytes under the drawing. The drawing is sparse
 * and has few colours: empty blocks of a row are skipped, and converted colours are cached. */
#include "overlay-blend.h"

#include <string.h>

#include <gst/gles/core/error.h>

#define BLOCK 16 /* pixels that are tested and skipped together */
#define CACHED_COLOURS 256
#define FIXED 16 /* fractional bits of the matrix */

typedef struct {
  GstVideoFrame *frame;
  guint n_components;
  /* component = (m[0] r + m[1] g + m[2] b + m[3] a) >> FIXED, from premultiplied bytes */
  gint matrix[3][4];
  gint alpha;                     /* of the whole rectangle, << FIXED */
  guint left, top, width, height; /* of the rectangle in the frame */
  /* cache of converted colours */
  struct {
    guint32 pixel, word;
  } cache[CACHED_COLOURS];
} Blender;

/* A converted row of the layer, one word per pixel. Bytes 0 to 2 are added to components 0 to 2 of
 * the frame; byte 3 is the factor of the frame's own value, 255 for 1. */
typedef struct {
  guint32 *words;
  guint8 *drawn; /* per block: whether anything is drawn in it */
} Row;

#define NOTHING 0xff000000u

/* ---- colours ---- */

static gboolean
has_byte_components (const GstVideoFormatInfo *info)
{
  const guint n = GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info);

  if ((n != 1 && n != 3) || GST_VIDEO_FORMAT_INFO_IS_COMPLEX (info) ||
      GST_VIDEO_FORMAT_INFO_HAS_ALPHA (info) || GST_VIDEO_FORMAT_INFO_HAS_PALETTE (info) ||
      GST_VIDEO_FORMAT_INFO_IS_TILED (info))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (GST_VIDEO_FORMAT_INFO_DEPTH (info, i) != 8 || GST_VIDEO_FORMAT_INFO_SHIFT (info, i) != 0 ||
        GST_VIDEO_FORMAT_INFO_W_SUB (info, i) > (i > 0 ? 1 : 0) ||
        GST_VIDEO_FORMAT_INFO_H_SUB (info, i) > GST_VIDEO_FORMAT_INFO_W_SUB (info, i))
      return FALSE;
  return TRUE;
}

/* Sets a row of the matrix from the weights of @rgb. */
static void
set_row (gint row[4], const gdouble rgb[3], gdouble offset, gdouble alpha)
{
  const gdouble one = alpha * (1 << FIXED);

  for (guint i = 0; i < 3; i++)
    row[i] = (gint) (rgb[i] * one);
  row[3] = (gint) (offset / 255 * one);
}

/* Computes the conversion from full-range RGB to the frame's components of 8 bits, times the
 * rectangle's alpha. */
static void
set_matrix (Blender *blender, gdouble alpha)
{
  const GstVideoInfo *info = &blender->frame->info;
  gint offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  gdouble kr, kb, luma, chroma;

  blender->alpha = (gint) (alpha * (1 << FIXED));
  gst_video_color_range_offsets (info->colorimetry.range, info->finfo, offset, scale);
  if (GST_VIDEO_INFO_IS_RGB (info)) {
    for (guint i = 0; i < 3; i++) {
      gdouble rgb[3] = { 0, 0, 0 };

      rgb[i] = scale[i] / 255.0;
      set_row (blender->matrix[i], rgb, offset[i], alpha);
    }
    return;
  }
  if (!gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &kr, &kb))
    gst_video_color_matrix_get_Kr_Kb (GST_VIDEO_COLOR_MATRIX_BT709, &kr, &kb);
  gst_video_color_range_offsets (
      info->colorimetry.range, gst_video_format_get_info (GST_VIDEO_FORMAT_AYUV), offset, scale);
  luma = scale[0] / 255.0;
  set_row (blender->matrix[0], (const gdouble[]){ luma * kr, luma * (1 - kr - kb), luma * kb },
      offset[0], alpha);
  if (blender->n_components == 1)
    return;
  chroma = scale[1] / 255.0 / (2 * (1 - kb));
  set_row (blender->matrix[1],
      (const gdouble[]){ -chroma * kr, -chroma * (1 - kr - kb), chroma * (1 - kb) }, offset[1],
      alpha);
  chroma = scale[2] / 255.0 / (2 * (1 - kr));
  set_row (blender->matrix[2],
      (const gdouble[]){ chroma * (1 - kr), -chroma * (1 - kr - kb), -chroma * kb }, offset[2],
      alpha);
}

/* ---- rows of the layer ---- */

static guint32
convert (const Blender *blender, guint32 pixel)
{
  const gint half = 1 << (FIXED - 1);
  const gint a = (gint) (pixel >> 24), r = (gint) (pixel >> 16 & 0xff);
  const gint g = (gint) (pixel >> 8 & 0xff), b = (gint) (pixel & 0xff);
  guint32 word = 255u - (guint) ((a * blender->alpha + half) >> FIXED);

  word <<= 24;
  for (guint c = 0; c < blender->n_components; c++) {
    const gint *m = blender->matrix[c];
    const gint value = (m[0] * r + m[1] * g + m[2] * b + m[3] * a + half) >> FIXED;

    word |= (guint32) CLAMP (value, 0, 255) << (8 * c);
  }
  return word;
}

static inline guint32
convert_cached (Blender *blender, guint32 pixel)
{
  const guint index = pixel * 0x9e3779b1u >> 24;

  if (blender->cache[index].pixel != pixel) {
    blender->cache[index].pixel = pixel;
    blender->cache[index].word = convert (blender, pixel);
  }
  return blender->cache[index].word;
}

static gboolean
is_empty (const guint32 *pixels, guint n)
{
  guint32 any = 0;

  if (n == BLOCK)
    for (guint i = 0; i < BLOCK; i++)
      any |= pixels[i];
  else
    for (guint i = 0; i < n; i++)
      any |= pixels[i];
  return any == 0;
}

/* Converts a row. Returns whether anything is drawn in it. */
static gboolean
convert_row (Blender *blender, const guint32 *pixels, Row *row)
{
  const guint width = blender->width;
  gboolean drawn = FALSE;

  for (guint at = 0; at < width; at += BLOCK) {
    const guint n = MIN (BLOCK, width - at);

    row->drawn[at / BLOCK] = !is_empty (pixels + at, n);
    if (!row->drawn[at / BLOCK]) {
      for (guint i = 0; i < BLOCK; i++)
        row->words[at + i] = NOTHING;
      continue;
    }
    drawn = TRUE;
    for (guint i = 0; i < n; i++)
      row->words[at + i] = convert_cached (blender, pixels[at + i]);
    /* In a row of odd width the last pixel is duplicated, for the chroma sample that it has
     * alone. */
    if (n < BLOCK)
      row->words[at + n] = row->words[at + n - 1];
  }
  return drawn;
}

/* ---- rows of the frame ---- */

/* 16-bit arithmetic lets compilers put more pixels into a vector. */
static inline guint8
blended (guint8 value, guint8 left, guint8 added)
{
  const guint16 product = (guint16) (value * left + 128);
  const guint16 kept = (guint16) (product + (product >> 8)) >> 8, sum = (guint16) (added + kept);

  return (guint8) MIN (sum, 255);
}

static void
blend_full (guint8 *target, guint step, const Row *row, guint c, guint width)
{
  for (guint at = 0; at < width; at += BLOCK) {
    const guint32 *words = row->words + at;
    guint8 *samples = target + (gsize) at * step;
    const guint n = MIN (BLOCK, width - at);

    if (!row->drawn[at / BLOCK])
      continue;
    if (n == BLOCK && step == 1) {
      /* Separate simple loops, which compilers vectorise. */
      guint8 left[BLOCK], added[BLOCK];

      for (guint i = 0; i < BLOCK; i++) {
        left[i] = (guint8) (words[i] >> 24);
        added[i] = (guint8) (words[i] >> (8 * c));
      }
      for (guint i = 0; i < BLOCK; i++)
        samples[i] = blended (samples[i], left[i], added[i]);
      continue;
    }
    for (guint i = 0; i < n; i++)
      samples[i * step] =
          blended (samples[i * step], (guint8) (words[i] >> 24), (guint8) (words[i] >> (8 * c)));
  }
}

/* A block averaged over two columns and two rows, per chroma sample. */
typedef struct {
  guint8 left[BLOCK / 2], u[BLOCK / 2], v[BLOCK / 2];
} Shared;

static void
share (const guint32 *a, const guint32 *b, Shared *shared)
{
  for (guint i = 0; i < BLOCK / 2; i++) {
    /* Adds bytes 0 and 2, and bytes 1 and 3, of four words at a time. */
    const guint32 even = (a[2 * i] & 0xff00ff) + (a[2 * i + 1] & 0xff00ff) + (b[2 * i] & 0xff00ff) +
        (b[2 * i + 1] & 0xff00ff) + 0x20002;
    const guint32 odd = (a[2 * i] >> 8 & 0xff00ff) + (a[2 * i + 1] >> 8 & 0xff00ff) +
        (b[2 * i] >> 8 & 0xff00ff) + (b[2 * i + 1] >> 8 & 0xff00ff) + 0x20002;

    shared->u[i] = (guint8) (odd >> 2);
    shared->v[i] = (guint8) (even >> 18);
    shared->left[i] = (guint8) (odd >> 18);
  }
}

static void
blend_samples (guint8 *samples, guint step, const guint8 *left, const guint8 *added, guint n)
{
  if (n == BLOCK / 2 && step == 1)
    for (guint i = 0; i < BLOCK / 2; i++)
      samples[i] = blended (samples[i], left[i], added[i]);
  else
    for (guint i = 0; i < n; i++)
      samples[i * step] = blended (samples[i * step], left[i], added[i]);
}

/* Blends components 1 and 2, whose samples cover two columns and the rows @upper and @lower, which
 * may be the same row. */
static void
blend_shared (guint8 *const targets[2], guint step, const Row *upper, const Row *lower, guint width)
{
  for (guint at = 0; at < width; at += BLOCK) {
    const guint n = (MIN (BLOCK, width - at) + 1) / 2;
    const gsize offset = at / 2 * (gsize) step;
    Shared shared;

    if (!upper->drawn[at / BLOCK] && !lower->drawn[at / BLOCK])
      continue;
    share (upper->words + at, lower->words + at, &shared);
    blend_samples (targets[0] + offset, step, shared.left, shared.u, n);
    blend_samples (targets[1] + offset, step, shared.left, shared.v, n);
  }
}

static guint8 *
sample_at (GstVideoFrame *frame, guint c, guint x, guint y)
{
  const GstVideoFormatInfo *info = frame->info.finfo;

  return (guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, c) +
      (y >> GST_VIDEO_FORMAT_INFO_H_SUB (info, c)) *
      (gsize) GST_VIDEO_FRAME_COMP_STRIDE (frame, c) +
      (x >> GST_VIDEO_FORMAT_INFO_W_SUB (info, c)) *
      (gsize) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c);
}

/* Blends two rows, from the even row @y of the frame on; only one in the last row of a frame of odd
 * height. */
static void
blend_rows (const Blender *blender, const Row *rows, guint n_rows, guint y)
{
  const guint x = blender->left, width = blender->width;
  GstVideoFrame *frame = blender->frame;
  const GstVideoFormatInfo *info = frame->info.finfo;
  const gboolean shared = blender->n_components > 1 && GST_VIDEO_FORMAT_INFO_W_SUB (info, 1) > 0;
  const guint n_full = shared ? 1 : blender->n_components;
  const guint h_sub = shared ? GST_VIDEO_FORMAT_INFO_H_SUB (info, 1) : 0;

  for (guint i = 0; i < n_rows; i++)
    for (guint c = 0; c < n_full; c++)
      blend_full (sample_at (frame, c, x, y + i), (guint) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c),
          &rows[i], c, width);
  for (guint i = 0; shared && i < n_rows; i += 1u << h_sub) {
    guint8 *const targets[] = { sample_at (frame, 1, x, y + i), sample_at (frame, 2, x, y + i) };

    blend_shared (targets, (guint) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, 1), &rows[i],
        &rows[MIN (i + h_sub, n_rows - 1)], width);
  }
}

static void
blend_layer (Blender *blender, const GstVideoFrame *layer)
{
  const guint n_blocks = blender->width / BLOCK + 1;
  g_autofree guint32 *words = g_new (guint32, 2 * (gsize) n_blocks * BLOCK);
  g_autofree guint8 *drawn = g_malloc (2 * (gsize) n_blocks);
  Row rows[2] = { { words, drawn }, { words + (gsize) n_blocks * BLOCK, drawn + n_blocks } };

  for (guint y = 0; y < blender->height; y += 2) {
    const guint n = MIN (2, blender->height - y);
    gboolean any = FALSE;

    for (guint i = 0; i < n; i++) {
      const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (layer, 0) +
          (y + i) * (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (layer, 0);

      any |= convert_row (blender, (const guint32 *) (gconstpointer) row, &rows[i]);
    }
    if (any)
      blend_rows (blender, rows, n, blender->top + y);
  }
}

/* Layers begin at even coordinates, so that no chroma sample is covered in part. */
static gboolean
is_inside (const GstVideoFrame *layer, gint x, gint y, const GstVideoFrame *frame)
{
  return x >= 0 && y >= 0 && x % 2 == 0 && y % 2 == 0 &&
      x + GST_VIDEO_FRAME_WIDTH (layer) <= GST_VIDEO_FRAME_WIDTH (frame) &&
      y + GST_VIDEO_FRAME_HEIGHT (layer) <= GST_VIDEO_FRAME_HEIGHT (frame);
}

/* Returns FALSE without @error if GStreamer must blend the rectangle instead. */
static gboolean
blend_rectangle (GstVideoFrame *frame, GstVideoOverlayRectangle *rectangle, GError **error)
{
  /* The transparent pixel 0 hashes to entry 0; all other entries are invalid at first. */
  Blender blender = { .frame = frame, .cache[0] = { 0, NOTHING } };
  GstBuffer *pixels = gst_video_overlay_rectangle_get_pixels_unscaled_raw (
      rectangle, gst_video_overlay_rectangle_get_flags (rectangle));
  GstVideoMeta *meta = gst_buffer_get_video_meta (pixels);
  GstVideoFrame layer;
  GstVideoInfo info;
  gboolean inside;
  gint x, y;

  gst_video_overlay_rectangle_get_render_rectangle (rectangle, &x, &y, NULL, NULL);
  gst_video_info_set_format (&info, meta->format, meta->width, meta->height);
  if (!gst_video_frame_map (&layer, &info, pixels, GST_MAP_READ)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "a layer of %ux%u pixels that was drawn cannot be mapped again", meta->width, meta->height);
    return FALSE;
  }
  inside = is_inside (&layer, x, y, frame);
  if (inside) {
    blender.n_components = GST_VIDEO_FRAME_N_COMPONENTS (frame);
    blender.left = (guint) x;
    blender.top = (guint) y;
    blender.width = meta->width;
    blender.height = meta->height;
    set_matrix (&blender, gst_video_overlay_rectangle_get_global_alpha (rectangle));
    blend_layer (&blender, &layer);
  }
  gst_video_frame_unmap (&layer);
  return inside;
}

/* GStreamer converts RGB to YUV with the matrix of BT.709 in limited range, whatever the frame has.
 * Returns a rectangle in the frame's own colours: (transfer full), or NULL with @error. */
static GstVideoOverlayRectangle *
to_colours_of (GstVideoFrame *frame, GstVideoOverlayRectangle *rectangle, GError **error)
{
  Blender blender = { .frame = frame, .n_components = 3 };
  GstBuffer *pixels = gst_video_overlay_rectangle_get_pixels_unscaled_raw (
      rectangle, gst_video_overlay_rectangle_get_flags (rectangle));
  const GstVideoMeta *meta = gst_buffer_get_video_meta (pixels);
  const gsize n = (gsize) meta->width * meta->height;
  guint8 *converted = g_try_malloc0_n (n, 4);
  g_autoptr (GstBuffer) buffer = NULL;
  GstVideoOverlayRectangle *result;
  GstMapInfo map;
  gint x, y;

  if (converted == NULL || !gst_buffer_map (pixels, &map, GST_MAP_READ)) {
    g_free (converted);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot convert a layer of %ux%u pixels to the colours of the frame", meta->width,
        meta->height);
    return NULL;
  }
  set_matrix (&blender, 1.0);
  for (gsize i = 0; i < n; i++) {
    const guint32 pixel = ((const guint32 *) (gconstpointer) map.data)[i], a = pixel >> 24;
    guint32 opaque = 0xff000000u, word;

    if (a == 0)
      continue;
    for (guint shift = 0; shift < 24; shift += 8)
      opaque |= MIN (((pixel >> shift & 0xff) * 255 + a / 2) / a, 255) << shift;
    word = convert_cached (&blender, opaque);
    converted[4 * i] = (guint8) a;
    converted[4 * i + 1] = (guint8) word;
    converted[4 * i + 2] = (guint8) (word >> 8);
    converted[4 * i + 3] = (guint8) (word >> 16);
  }
  gst_buffer_unmap (pixels, &map);
  buffer = gst_buffer_new_wrapped (converted, n * 4);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_YUV, meta->width, meta->height);
  gst_video_overlay_rectangle_get_render_rectangle (rectangle, &x, &y, NULL, NULL);
  result = gst_video_overlay_rectangle_new_raw (
      buffer, x, y, meta->width, meta->height, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  gst_video_overlay_rectangle_set_global_alpha (
      result, gst_video_overlay_rectangle_get_global_alpha (rectangle));
  return result;
}

/* Lets GStreamer blend. */
static gboolean
blend_any_format (GstVideoFrame *frame, GstVideoOverlayRectangle *rectangle, GError **error)
{
  g_autoptr (GstVideoOverlayRectangle) converted = NULL;
  g_autoptr (GstVideoOverlayComposition) composition = NULL;

  if (!GST_VIDEO_INFO_IS_RGB (&frame->info)) {
    converted = to_colours_of (frame, rectangle, error);
    if (converted == NULL)
      return FALSE;
  }
  composition = gst_video_overlay_composition_new (converted != NULL ? converted : rectangle);
  gst_video_overlay_composition_blend (composition, frame);
  return TRUE;
}

gboolean
overlay_blend (GstVideoOverlayComposition *composition, GstVideoFrame *frame, GError **error)
{
  for (guint i = 0; i < gst_video_overlay_composition_n_rectangles (composition); i++) {
    GstVideoOverlayRectangle *rectangle =
        gst_video_overlay_composition_get_rectangle (composition, i);
    GError *failure = NULL;

    if (has_byte_components (frame->info.finfo) && blend_rectangle (frame, rectangle, &failure))
      continue;
    if (failure != NULL) {
      g_propagate_error (error, failure);
      return FALSE;
    }
    if (!blend_any_format (frame, rectangle, error))
      return FALSE;
  }
  return TRUE;
}
