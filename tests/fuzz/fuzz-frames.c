/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames whose caps, size, GstVideoMeta and GstVideoCropMeta contradict each other, into every
 *   element: u8 element, u8 format, u16 width, height, u8 flags (1 video meta, 2 crop meta, 4 no
 *   format in the caps, 8 misaligned memory, 16 region of interest, 32 twice, 64 a field), u32 size
 *   of the memory; with a video meta: u8 format, u8 planes, u16 width, height, four times i32
 *   stride and u32 offset; with a crop meta: four times u32; then bytes of the picture, over and
 *   over. */
#include "fuzz.h"

#include <gst/video/video.h>
#include <gst/gles/import/format.h>

#include <string.h>

#define HAS_META 1
#define HAS_CROP 2
#define NO_FORMAT 4
#define MISALIGNED 8
#define HAS_BOX 16
#define TWICE 32
#define FIELD 64
#define MAX_BYTES (1 << 18)
/* caps may claim 65535x65535: that many small tiles take gigabytes */
#define TILES "tile-width=999 tile-height=777"

static const gchar *const descriptions[] = {
  "glescompact device=cpu lower=99 max-points=3000 ! "
  "glesregions device=cpu cell-width=16 cell-height=16 ! glesjson",
  "gleshistogram device=cpu ! glesevents ! glescompact device=cpu max-points=3000 ! "
  "glesregions device=cpu cell-width=16 cell-height=16 ! glesoverlay",
  "gleshistogram device=cpu ! glesjson counts=false",
  "gleshistogram device=cpu channels=luma grid-columns=3 grid-rows=2 validate=true ! glesoverlay",
  "glescompact device=cpu lower=100 max-points=3000 ! glesjson",
  "glescompact device=cpu predicate=edge lower=9 max-points=3000 ! glesoverlay",
  "glescompact device=cpu predicate=motion validate=true ! glestiles device=cpu max-items=99 " TILES
  " ! glesjson",
  "glescompact device=cpu lower=250 max-points=3000 ! glestiles device=cpu max-items=5000 " TILES
  " ! glesoverlay",
  "glestiles device=cpu source=roi max-items=5000 " TILES " ! glesjson",
  "gleshistogram device=cpu post-messages=true custom-meta=true ! "
  "glescompact device=cpu max-points=9 ! glesoverlay",
  "glescompact device=cpu lower=99 max-points=3000 ! glesregions device=cpu ! glestrack ! glesjson",
  "glestrack min-hits=1 ! glesoverlay",
  "glestrack min-hits=1 ! gleszones zones=\"all crowd=1:0,0 1,0 1,1 0,1\" lines=\"l:0,0 1,1\" "
  "! glesoverlay ! glesjson",
  "gleszones zones=\"all:0,0 1,0 1,1 0,1\" ! glesjson",
  "gleshistogram device=cpu ! glesevents ! glespublish address=/dev/null what=both",
};

static void
add_video_meta (FuzzInput *input, GstBuffer *buffer)
{
  const GstVideoFormat format = (GstVideoFormat) fuzz_take_8 (input);
  const guint n_planes = fuzz_take_8 (input) % (GST_VIDEO_MAX_PLANES + 1);
  const guint width = fuzz_take_16 (input), height = fuzz_take_16 (input);
  gsize offsets[GST_VIDEO_MAX_PLANES];
  gint strides[GST_VIDEO_MAX_PLANES];

  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++) {
    strides[i] = (gint) fuzz_take_32 (input);
    offsets[i] = fuzz_take_32 (input);
  }
  gst_buffer_add_video_meta_full (
      buffer, GST_VIDEO_FRAME_FLAG_NONE, format, width, height, n_planes, offsets, strides);
}

static void
add_crop_meta (FuzzInput *input, GstBuffer *buffer)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = fuzz_take_32 (input);
  crop->y = fuzz_take_32 (input);
  crop->width = fuzz_take_32 (input);
  crop->height = fuzz_take_32 (input);
}

/* On the heap and of exactly this size, so that sanitizers see what is behind it. */
static GstBuffer *
new_frame (FuzzInput *input, guint flags, gsize size)
{
  const gsize skip = (flags & MISALIGNED) != 0 ? 1 : 0;
  guint8 *block = g_malloc0 (MAX (size + skip, 1));
  GstBuffer *buffer = gst_buffer_new_wrapped_full (0, block + skip, size, 0, size, block, g_free);

  if ((flags & HAS_META) != 0)
    add_video_meta (input, buffer);
  if ((flags & HAS_CROP) != 0)
    add_crop_meta (input, buffer);
  if ((flags & HAS_BOX) != 0)
    gst_buffer_add_video_region_of_interest_meta (buffer, "box", fuzz_take_32 (input),
        fuzz_take_32 (input), fuzz_take_32 (input), fuzz_take_32 (input));
  for (gsize i = 0; i < size && input->size > 0; i++)
    block[skip + i] = (guint8) (input->data[i % input->size] + i / input->size);
  GST_BUFFER_PTS (buffer) = 0;
  if ((flags & FIELD) != 0)
    GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_TOP_FIELD);
  return buffer;
}

static void
check_output (GstBuffer *buffer, const gchar *description)
{
  if (buffer != NULL && strstr (description, "glesjson") != NULL)
    fuzz_check_line (buffer);
  else if (buffer != NULL)
    gst_buffer_unref (buffer);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  FuzzInput input = { data, size };
  const gchar *description = descriptions[fuzz_take_8 (&input) % G_N_ELEMENTS (descriptions)];
  const GstVideoFormat format = (GstVideoFormat) fuzz_take_8 (&input);
  const guint width = fuzz_take_16 (&input), height = fuzz_take_16 (&input);
  const guint flags = fuzz_take_8 (&input);
  const guint n_bytes = fuzz_take_32 (&input) % (MAX_BYTES + 1);
  g_autoptr (GstCaps) caps = NULL;
  const gchar *name;
  FuzzStream stream;
  GstBuffer *frame;

  fuzz_init ();
  name = gst_gles_format_name (format);
  caps = gst_caps_new_simple ("video/x-raw", "width", G_TYPE_INT, (gint) width, "height",
      G_TYPE_INT, (gint) height, "framerate", GST_TYPE_FRACTION, 25, 1, NULL);
  if (name != NULL && (flags & NO_FORMAT) == 0)
    gst_caps_set_simple (caps, "format", G_TYPE_STRING, name, NULL);
  else
    gst_caps_set_features (caps, 0, gst_caps_features_new ("memory:DMABuf", NULL));
  if ((flags & FIELD) != 0) {
    gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, "alternate", NULL);
    gst_caps_features_add (gst_caps_get_features (caps, 0), GST_CAPS_FEATURE_FORMAT_INTERLACED);
  }
  if (!fuzz_stream_init (&stream, description))
    g_error ("%s cannot be made", description);
  gst_harness_set_src_caps (stream.harness, g_steal_pointer (&caps));
  frame = new_frame (&input, flags, n_bytes);
  if ((flags & TWICE) != 0)
    check_output (fuzz_stream_push (&stream, gst_buffer_copy (frame)), description);
  check_output (fuzz_stream_push (&stream, frame), description);
  fuzz_stream_clear (&stream);
  return 0;
}
