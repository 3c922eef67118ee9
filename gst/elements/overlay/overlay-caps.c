/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "overlay-caps.h"

static GstStaticCaps blendable_caps = GST_STATIC_CAPS (OVERLAY_BLENDABLE_CAPS);

GstCaps *
overlay_caps_with_composition (GstCaps *caps, gboolean with)
{
  GstCaps *changed = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstCapsFeatures *features = gst_caps_get_features (caps, i);

    if (features != NULL && gst_caps_features_is_any (features)) {
      features = gst_caps_features_new_any ();
    } else {
      features =
          features != NULL ? gst_caps_features_copy (features) : gst_caps_features_new_empty ();
      if (!with)
        gst_caps_features_remove (features, GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
      else if (!gst_caps_features_contains (
                   features, GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION))
        gst_caps_features_add (features, GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
    }
    gst_caps_append_structure_full (
        changed, gst_structure_copy (gst_caps_get_structure (caps, i)), features);
  }
  return changed;
}

gboolean
overlay_caps_has_composition (GstCaps *caps)
{
  return gst_caps_features_contains (
      gst_caps_get_features (caps, 0), GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
}

gboolean
overlay_caps_can_blend (GstCaps *caps)
{
  g_autoptr (GstCaps) blendable = gst_static_caps_get (&blendable_caps);

  return gst_caps_is_subset (caps, blendable);
}

GstCaps *
overlay_caps_query (GstPad *pad, GstPad *other, gboolean add, GstCaps *filter)
{
  g_autoptr (GstCaps) template = gst_pad_get_pad_template_caps (pad);
  g_autoptr (GstCaps) peer = gst_pad_peer_query_caps (other, NULL);
  g_autoptr (GstCaps) blendable = gst_static_caps_get (&blendable_caps);
  g_autoptr (GstCaps) changed = NULL;
  GstCaps *caps;

  if (gst_caps_is_any (peer)) {
    caps = gst_caps_ref (template);
  } else if (add) {
    changed = overlay_caps_with_composition (peer, TRUE);
    g_autoptr (GstCaps) blended = gst_caps_intersect (peer, blendable);
    g_autoptr (GstCaps) both = gst_caps_merge (gst_caps_ref (blended), gst_caps_ref (changed));
    caps = gst_caps_intersect_full (both, template, GST_CAPS_INTERSECT_FIRST);
  } else {
    g_autoptr (GstCaps) attached = gst_caps_new_empty ();

    for (guint i = 0; i < gst_caps_get_size (peer); i++) {
      GstCapsFeatures *features = gst_caps_get_features (peer, i);

      if (gst_caps_features_is_any (features) ||
          gst_caps_features_contains (
              features, GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION))
        gst_caps_append_structure_full (attached,
            gst_structure_copy (gst_caps_get_structure (peer, i)),
            gst_caps_features_copy (features));
    }
    changed = overlay_caps_with_composition (attached, FALSE);
    g_autoptr (GstCaps) blended = gst_caps_intersect (peer, blendable);
    /* A composition that is attached already may stay. */
    g_autoptr (GstCaps) both = gst_caps_merge (
        gst_caps_ref (blended), gst_caps_merge (gst_caps_ref (attached), gst_caps_ref (changed)));
    caps = gst_caps_intersect_full (both, template, GST_CAPS_INTERSECT_FIRST);
  }
  if (filter != NULL) {
    GstCaps *filtered = gst_caps_intersect_full (filter, caps, GST_CAPS_INTERSECT_FIRST);

    gst_caps_unref (caps);
    caps = filtered;
  }
  return caps;
}
