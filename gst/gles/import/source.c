/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The layout of images, and the choice of the carrier that brings a frame to the device. */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/log.h>
#include <gst/gles/import/format.h>
#include <gst/gles/import/source-private.h>
#include <gst/gles/gl/link.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* In the order in which they are asked: the last one declines nothing. */
static const GstGlesCarrier *const carriers[] = {
#if HAVE_GST_GL
  &gst_gles_carrier_gl,
#endif
#if HAVE_CUDA
  &gst_gles_carrier_cuda,
#endif
  &gst_gles_carrier_dmabuf,
  &gst_gles_carrier_memory,
  &gst_gles_carrier_reuse,
  &gst_gles_carrier_copy,
};

/* Computes which part of each plane has samples. */
static void
measure_planes (GstGlesFrameSource *source)
{
  memset (source->planes, 0, sizeof (source->planes));
  source->n_planes = 0;
  source->align_x = source->align_y = 1;
  for (guint i = 0; i < source->described.n_components; i++) {
    const GstGlesComponent *c = &source->described.components[i];
    GstGlesStagedPlane *plane = &source->planes[c->plane];
    gsize end = c->offset + (gsize) (c->width - 1) * c->step + c->word_bytes;

    plane->row_bytes = MAX (plane->row_bytes, end);
    plane->rows = MAX (plane->rows, c->height);
    source->n_planes = MAX (source->n_planes, c->plane + 1);
    source->align_x = MAX (source->align_x, 1u << c->sub_x);
    source->align_y = MAX (source->align_y, 1u << c->sub_y);
  }
}

/* Describes images whose planes were placed and end before @size_bytes. */
static void
stage_image (GstGlesFrameSource *source, gsize size_bytes)
{
  source->staged_bytes = size_bytes;
  source->staged = source->described;
  for (guint i = 0; i < source->staged.n_components; i++) {
    GstGlesComponent *c = &source->staged.components[i];
    c->offset += (guint32) source->planes[c->plane].offset;
    c->stride = (guint32) source->planes[c->plane].stride;
  }
}

/* Rows of whole 16-byte units are placed without gaps, so that kernels can read the plane as one
 * stream. Other rows begin at a multiple of 16 bytes. */
static gboolean
stage_planes (GstGlesFrameSource *source, GError **error)
{
  gsize at = 0;

  for (guint p = 0; p < source->n_planes; p++) {
    GstGlesStagedPlane *plane = &source->planes[p];
    gsize bytes;
    plane->stride = gst_gles_align_up (plane->row_bytes, 16);
    plane->offset = at;
    if (!gst_gles_size_mul (plane->stride, plane->rows, &bytes) || bytes > G_MAXUINT32 / 2 ||
        at + bytes > G_MAXUINT32 / 2) {
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
          "frames of %dx%d in %s are larger than kernels can address",
          GST_VIDEO_INFO_WIDTH (&source->info), GST_VIDEO_INFO_HEIGHT (&source->info),
          GST_VIDEO_INFO_NAME (&source->info));
      return FALSE;
    }
    at = gst_gles_align_up (at + bytes, 64);
  }
  stage_image (source, at);
  return TRUE;
}

/* Drops what belongs to the current layout. */
static void
clear_carriers (GstGlesFrameSource *source)
{
  for (guint i = 0; i < G_N_ELEMENTS (carriers); i++) {
    if (carriers[i]->clear != NULL)
      carriers[i]->clear (source);
  }
}

gboolean
gst_gles_frame_source_lay_out (
    GstGlesFrameSource *source, guint width, guint height, GError **error)
{
  GstVideoInfo info;

  source->is_laid_out = FALSE;
  if (!gst_video_info_set_format (&info, GST_VIDEO_INFO_FORMAT (&source->info), width, height)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE, "%ux%u is no size for %s", width,
        height, GST_VIDEO_INFO_NAME (&source->info));
    return FALSE;
  }
  info.colorimetry = source->info.colorimetry;
  if (!gst_gles_format_describe (&info, &source->described, error))
    return FALSE;
  measure_planes (source);
  clear_carriers (source);
  source->is_laid_out = !source->on_device ||
      (stage_planes (source, error) &&
          gst_gles_upload_check_size (source->queue, source->staged_bytes, error));
  return source->is_laid_out;
}

void
gst_gles_frame_source_adopt (
    GstGlesFrameSource *source, const GstGlesStagedPlane *planes, gsize size_bytes)
{
  clear_carriers (source);
  memcpy (source->planes, planes, sizeof (source->planes));
  stage_image (source, size_bytes);
}

GstGlesFrameSource *
gst_gles_frame_source_new (GstGlesQueue *queue, const GstVideoInfo *info, GError **error)
{
  g_autoptr (GstGlesFrameSource) source = NULL;
  g_autoptr (GstGlesDevice) device = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && info != NULL, NULL);
  device = gst_gles_queue_get_device (queue);
  g_return_val_if_fail (device != NULL, NULL);
  source = g_new0 (GstGlesFrameSource, 1);
  source->queue = gst_object_ref (queue);
  source->info = *info;
  source->used_planes = G_MAXUINT;
  source->on_device = gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU;
  if (!gst_gles_frame_source_lay_out (
          source, GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_FIELD_HEIGHT (info), error))
    return NULL;
  return g_steal_pointer (&source);
}

void
gst_gles_frame_source_free (GstGlesFrameSource *source)
{
  if (source == NULL)
    return;
  gst_gles_frame_source_release (source);
  clear_carriers (source);
  gst_gles_uploads_unref (source->uploads);
  gst_object_unref (source->queue);
  gst_gles_hold_unref (source->hold);
  g_free (source->refused);
  g_free (source);
}

void
gst_gles_frame_source_use_components (GstGlesFrameSource *source, guint components)
{
  g_return_if_fail (source != NULL);
  source->used_planes = 0;
  for (guint i = 0; i < source->described.n_components; i++) {
    if ((components & (1u << i)) != 0)
      source->used_planes |= 1u << source->described.components[i].plane;
  }
}

void
gst_gles_frame_source_set_n_reads (GstGlesFrameSource *source, guint n_reads)
{
  g_return_if_fail (source != NULL);
  source->n_reads = n_reads;
}

gboolean
gst_gles_frame_source_is_in_place (GstGlesFrameSource *source)
{
  if (source->n_reads == 0)
    return FALSE;
  if (!source->has_chosen) {
    g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (source->queue);

    source->reads_in_place = gst_gles_link_choose_reads_in_place (device);
    source->has_chosen = TRUE;
  }
  return source->n_reads <= source->reads_in_place;
}

void
gst_gles_frame_source_adopt_layout (GstGlesFrameSource *source, gboolean adopt)
{
  g_return_if_fail (source != NULL);
  source->adopts_layout = adopt;
}

void
gst_gles_frame_source_share_copies (GstGlesFrameSource *source, gboolean share)
{
  g_return_if_fail (source != NULL);
  g_clear_pointer (&source->uploads, gst_gles_uploads_unref);
  if (share && source->on_device)
    source->uploads = gst_gles_uploads_new ();
}

void
gst_gles_frame_source_set_modifier (GstGlesFrameSource *source, guint64 modifier)
{
  g_return_if_fail (source != NULL);
  source->modifier = modifier;
}

const gchar *
gst_gles_frame_source_get_refusal (GstGlesFrameSource *source)
{
  g_return_val_if_fail (source != NULL, NULL);
  return source->refused;
}

void
gst_gles_frame_source_get_layout (GstGlesFrameSource *source, GstGlesImage *image)
{
  *image = source->on_device ? source->staged : source->described;
}

GstCaps *
gst_gles_format_caps (void)
{
  guint n_formats;
  const GstVideoFormat *formats = gst_gles_format_list (&n_formats);

  return gst_video_make_raw_caps (formats, n_formats);
}

/* ---- one frame ---- */

gboolean
gst_gles_frame_source_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  GstGlesFrameCost spent;

  g_return_val_if_fail (source != NULL && source->carrier == NULL, FALSE);
  source->buffer = buffer;
  for (guint i = 0; i < G_N_ELEMENTS (carriers); i++) {
    GstGlesCarry carry;

    spent = (GstGlesFrameCost){ 0 };
    carry = carriers[i]->acquire (source, buffer, image, &spent, error);
    if (carry == GST_GLES_CARRY_TAKEN)
      source->carrier = carriers[i];
    else
      gst_gles_frame_source_unmap (source);
    if (cost != NULL)
      *cost = spent;
    if (carry != GST_GLES_CARRY_DECLINED)
      return carry == GST_GLES_CARRY_TAKEN;
  }
  g_return_val_if_reached (FALSE);
}

gboolean
gst_gles_frame_source_commit (GstGlesFrameSource *source, GError **error)
{
  g_return_val_if_fail (source != NULL && source->carrier != NULL, FALSE);
  return source->carrier->commit (source, error);
}

void
gst_gles_frame_source_release (GstGlesFrameSource *source)
{
  g_return_if_fail (source != NULL);
  if (source->carrier != NULL && source->carrier->release != NULL)
    source->carrier->release (source);
  source->carrier = NULL;
  source->buffer = NULL;
  gst_gles_frame_source_unmap (source);
}
