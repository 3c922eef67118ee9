/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GstVideoFormatInfo describes where the samples of a component are: plane, byte offset, pixel
 * stride, shift, depth, subsampling. It is wrong or incomplete for packed words, byte order and
 * the second component of an interleaved 16-bit plane. The table below overrides it with what the
 * format's own unpack function reads. A unit test compares the two for every listed format. */
#include <gst/gles/import/format.h>

#include <gst/gles/core/error.h>

/* The newest format that the table was checked against. A newer GStreamer may have more formats,
 * and their infos may be wrong in the same ways. */
#if GST_CHECK_VERSION(1, 26, 0)
#define LAST_CHECKED_FORMAT GST_VIDEO_FORMAT_GRAY10_LE16
#elif GST_CHECK_VERSION(1, 24, 0)
#define LAST_CHECKED_FORMAT GST_VIDEO_FORMAT_RBGA
#else
#define LAST_CHECKED_FORMAT GST_VIDEO_FORMAT_NV12_10BE_8L128
#endif

/* The position of a component's word in a pixel, and of the sample in the word. */
typedef struct {
  guint8 offset; /* bytes from the first byte of a pixel (or of a group of subsampled ones) */
  guint8 shift;
} Place;

/* Overrides, for the components in the order of the format info. Planes, pixel strides, depths and
 * subsampling come from the info, which is right about them. */
typedef struct {
  GstVideoFormat format;
  guint8 word_bytes;
  gboolean big_endian;
  Place places[GST_GLES_MAX_COMPONENTS];
} Override;

#define NATIVE_BE (G_BYTE_ORDER == G_BIG_ENDIAN)

static const Override overrides[] = {
  /* the info places V one byte after U instead of one sample */
  { GST_VIDEO_FORMAT_P010_10BE, 2, TRUE, { { 0, 6 }, { 0, 6 }, { 2, 6 } } },
  { GST_VIDEO_FORMAT_P010_10LE, 2, FALSE, { { 0, 6 }, { 0, 6 }, { 2, 6 } } },
  { GST_VIDEO_FORMAT_P012_BE, 2, TRUE, { { 0, 4 }, { 0, 4 }, { 2, 4 } } },
  { GST_VIDEO_FORMAT_P012_LE, 2, FALSE, { { 0, 4 }, { 0, 4 }, { 2, 4 } } },
  { GST_VIDEO_FORMAT_P016_BE, 2, TRUE, { { 0, 0 }, { 0, 0 }, { 2, 0 } } },
  { GST_VIDEO_FORMAT_P016_LE, 2, FALSE, { { 0, 0 }, { 0, 0 }, { 2, 0 } } },
  /* the info lacks offsets */
  { GST_VIDEO_FORMAT_Y210, 2, FALSE, { { 0, 6 }, { 2, 6 }, { 6, 6 } } },
  { GST_VIDEO_FORMAT_Y212_BE, 2, TRUE, { { 0, 4 }, { 2, 4 }, { 6, 4 } } },
  { GST_VIDEO_FORMAT_Y212_LE, 2, FALSE, { { 0, 4 }, { 2, 4 }, { 6, 4 } } },
  { GST_VIDEO_FORMAT_Y412_BE, 2, TRUE, { { 2, 4 }, { 0, 4 }, { 4, 4 }, { 6, 4 } } },
  { GST_VIDEO_FORMAT_Y412_LE, 2, FALSE, { { 2, 4 }, { 0, 4 }, { 4, 4 }, { 6, 4 } } },
#if GST_CHECK_VERSION(1, 26, 0)
  { GST_VIDEO_FORMAT_Y216_BE, 2, TRUE, { { 0, 0 }, { 2, 0 }, { 6, 0 } } },
  { GST_VIDEO_FORMAT_Y216_LE, 2, FALSE, { { 0, 0 }, { 2, 0 }, { 6, 0 } } },
  { GST_VIDEO_FORMAT_Y416_BE, 2, TRUE, { { 2, 0 }, { 0, 0 }, { 4, 0 }, { 6, 0 } } },
  { GST_VIDEO_FORMAT_Y416_LE, 2, FALSE, { { 2, 0 }, { 0, 0 }, { 4, 0 }, { 6, 0 } } },
#endif
  /* the info swaps U and V */
  { GST_VIDEO_FORMAT_VYUY, 1, FALSE, { { 1, 0 }, { 2, 0 }, { 0, 0 } } },
  /* little-endian, but the info lacks the flag */
  { GST_VIDEO_FORMAT_v216, 2, FALSE, { { 2, 0 }, { 0, 0 }, { 4, 0 } } },
  /* one word per pixel; the info lacks the shifts */
  { GST_VIDEO_FORMAT_Y410, 4, FALSE, { { 0, 10 }, { 0, 0 }, { 0, 20 }, { 0, 30 } } },
  { GST_VIDEO_FORMAT_r210, 4, TRUE, { { 0, 20 }, { 0, 10 }, { 0, 0 } } },
  { GST_VIDEO_FORMAT_BGR10A2_LE, 4, FALSE, { { 0, 20 }, { 0, 10 }, { 0, 0 }, { 0, 30 } } },
  { GST_VIDEO_FORMAT_RGB10A2_LE, 4, FALSE, { { 0, 0 }, { 0, 10 }, { 0, 20 }, { 0, 30 } } },
  /* native byte order, red in the lowest bits; the info has the shifts of RGB */
  { GST_VIDEO_FORMAT_BGR16, 2, NATIVE_BE, { { 0, 0 }, { 0, 5 }, { 0, 11 } } },
  { GST_VIDEO_FORMAT_BGR15, 2, NATIVE_BE, { { 0, 0 }, { 0, 5 }, { 0, 10 } } },
};

static const Override *
find_override (GstVideoFormat format)
{
  for (guint i = 0; i < G_N_ELEMENTS (overrides); i++) {
    if (overrides[i].format == format)
      return &overrides[i];
  }
  return NULL;
}

/* Returns whether each sample is at offset + y * stride + x * step. Tiled and palette formats are
 * not linear, nor are formats whose samples straddle words (COMPLEX flag, or pixel stride 0). */
static gboolean
is_linear (const GstVideoFormatInfo *finfo)
{
  const guint not_linear =
      GST_VIDEO_FORMAT_FLAG_COMPLEX | GST_VIDEO_FORMAT_FLAG_TILED | GST_VIDEO_FORMAT_FLAG_PALETTE;

  if (finfo->format <= GST_VIDEO_FORMAT_ENCODED || finfo->format > LAST_CHECKED_FORMAT)
    return FALSE;
  if ((finfo->flags & not_linear) != 0 || finfo->n_components == 0 ||
      finfo->n_components > GST_GLES_MAX_COMPONENTS)
    return FALSE;
  for (guint i = 0; i < finfo->n_components; i++) {
    if (finfo->pixel_stride[i] <= 0 || finfo->depth[i] == 0 || finfo->depth[i] > 16)
      return FALSE;
  }
  return TRUE;
}

static void
describe_component (
    const GstVideoInfo *info, const Override *override, guint i, GstGlesComponent *component)
{
  const GstVideoFormatInfo *finfo = info->finfo;
  guint bits = finfo->shift[i] + finfo->depth[i];

  *component = (GstGlesComponent){
    .offset = finfo->poffset[i],
    .stride = (guint32) info->stride[finfo->plane[i]],
    .step = (guint32) finfo->pixel_stride[i],
    .word_bytes = bits <= 8 ? 1
        : bits <= 16        ? 2
                            : 4,
    .shift = finfo->shift[i],
    .depth = finfo->depth[i],
    .sub_x = finfo->w_sub[i],
    .sub_y = finfo->h_sub[i],
    .width = (guint32) GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (finfo, i, info->width),
    .height =
        (guint32) GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (finfo, i, GST_VIDEO_INFO_FIELD_HEIGHT (info)),
    .plane = finfo->plane[i],
  };
  component->big_endian = component->word_bytes > 1 && !GST_VIDEO_FORMAT_INFO_IS_LE (finfo);
  if (override != NULL) {
    component->offset = override->places[i].offset;
    component->shift = override->places[i].shift;
    component->word_bytes = override->word_bytes;
    component->big_endian = override->big_endian;
  }
}

/* Sets the weights of luma in 16-bit fixed point, by the matrix that the caps name, and the range.
 * The three weights add up to 65536 exactly, so that white stays white. */
static void
describe_matrix (const GstVideoInfo *info, GstGlesImage *image)
{
  gdouble kr, kb;

  if (!gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &kr, &kb))
    gst_video_color_matrix_get_Kr_Kb (GST_VIDEO_COLOR_MATRIX_BT709, &kr, &kb);
  image->kr = (guint) (65536.0 * kr + 0.5);
  image->kb = (guint) (65536.0 * kb + 0.5);
  image->kg = 65536 - image->kr - image->kb;
  image->full_range = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
}

static void
describe_luma_of_rgb (GstGlesImage *image)
{
  image->luma = GST_GLES_LUMA_MATRIX;
  for (guint i = 1; i < 3; i++) {
    /* mixed depths: each sample is scaled to 8 bits first, see GST_GLES_SCALE_TO_8 */
    if (image->components[i].depth != image->components[0].depth)
      image->luma_depth = 8;
  }
}

gboolean
gst_gles_format_describe (const GstVideoInfo *info, GstGlesImage *image, GError **error)
{
  static const gchar *const yuv_names[] = { "Y", "U", "V", "A" };
  static const gchar *const rgb_names[] = { "R", "G", "B", "A" };
  const GstVideoFormatInfo *finfo;
  const Override *override;
  gboolean is_rgb;

  g_return_val_if_fail (info != NULL && info->finfo != NULL, FALSE);
  g_return_val_if_fail (image != NULL, FALSE);

  finfo = info->finfo;
  if (!is_linear (finfo)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "Video format %s is not supported: its samples are not at fixed steps in memory. Put a "
        "videoconvert element before this one.",
        finfo->name != NULL ? finfo->name : "UNKNOWN");
    return FALSE;
  }

  *image = (GstGlesImage){
    .width = (guint) info->width,
    .height = (guint) GST_VIDEO_INFO_FIELD_HEIGHT (info),
    .n_components = finfo->n_components,
  };
  image->crop_width = image->width;
  image->crop_height = image->height;

  override = find_override (finfo->format);
  is_rgb = GST_VIDEO_FORMAT_INFO_IS_RGB (finfo);
  for (guint i = 0; i < image->n_components; i++) {
    describe_component (info, override, i, &image->components[i]);
    image->names[i] = is_rgb ? rgb_names[i] : yuv_names[i];
  }
  image->luma_depth = image->components[0].depth;
  describe_matrix (info, image);
  if (is_rgb)
    describe_luma_of_rgb (image);
  return TRUE;
}

static GArray *
list_formats (void)
{
  GArray *formats = g_array_new (FALSE, FALSE, sizeof (GstVideoFormat));

  for (gint i = GST_VIDEO_FORMAT_ENCODED + 1; i <= (gint) LAST_CHECKED_FORMAT; i++) {
    GstVideoFormat format = (GstVideoFormat) i;
    const GstVideoFormatInfo *finfo = gst_video_format_get_info (format);

    if (finfo != NULL && is_linear (finfo))
      g_array_append_val (formats, format);
  }
  return formats;
}

const GstVideoFormat *
gst_gles_format_list (guint *n_formats)
{
  static gsize once = 0;
  GArray *formats;

  if (g_once_init_enter (&once))
    g_once_init_leave (&once, (gsize) list_formats ());
  formats = (GArray *) once;
  if (n_formats != NULL)
    *n_formats = formats->len;
  return (const GstVideoFormat *) (gpointer) formats->data;
}

const gchar *
gst_gles_format_name (GstVideoFormat format)
{
  /* gst_video_format_to_string() of GStreamer 1.26 logs a critical warning for unknown numbers */
  GEnumClass *formats = g_type_class_ref (GST_TYPE_VIDEO_FORMAT);
  gboolean known = g_enum_get_value (formats, format) != NULL;

  g_type_class_unref (formats);
  if (!known || format == GST_VIDEO_FORMAT_UNKNOWN ||
      g_str_equal (gst_video_format_to_string (format), "DMA_DRM"))
    return NULL;
  return gst_video_format_to_string (format);
}
