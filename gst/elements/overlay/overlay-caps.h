/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The caps of glesoverlay: those of the frame, with or without the feature of an attached
 * composition. */
#ifndef GST_GLES_OVERLAY_CAPS_H
#define GST_GLES_OVERLAY_CAPS_H

#include <gst/video/video.h>

G_BEGIN_DECLS

#ifdef GST_VIDEO_FORMATS_ANY
#define OVERLAY_ATTACHABLE_CAPS GST_VIDEO_CAPS_MAKE_WITH_FEATURES ("ANY", GST_VIDEO_FORMATS_ANY)
#else
#define OVERLAY_ATTACHABLE_CAPS GST_VIDEO_CAPS_MAKE_WITH_FEATURES ("ANY", GST_VIDEO_FORMATS_ALL)
#endif
#define OVERLAY_BLENDABLE_CAPS                                                                     \
  GST_VIDEO_CAPS_MAKE (GST_VIDEO_OVERLAY_COMPOSITION_BLEND_FORMATS)                                \
  "; " GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_FORMAT_INTERLACED,                      \
      GST_VIDEO_OVERLAY_COMPOSITION_BLEND_FORMATS) ", interlace-mode = (string) alternate"

/* Returns @caps with, or where possible without, the feature that says that a composition is
 * attached: (transfer full). */
GstCaps *overlay_caps_with_composition (GstCaps *caps, gboolean with);

/* Whether fixed @caps have that feature. */
gboolean overlay_caps_has_composition (GstCaps *caps);

/* Whether a composition can be blended into frames of @caps. */
gboolean overlay_caps_can_blend (GstCaps *caps);

/* Returns the caps that @pad can have, from the caps of the peer of @other: (transfer full). For
 * the sink pad: the caps of the downstream peer without a composition, as it is attached or blended
 * here. For the source pad, with @add: the caps of the upstream peer, also with a composition. */
GstCaps *overlay_caps_query (GstPad *pad, GstPad *other, gboolean add, GstCaps *filter);

G_END_DECLS

#endif
