/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "elements.h"

#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tiles.h>
#include <gst/gles/meta/tracks.h>
#include <gst/gles/meta/zones.h>

static gboolean
plugin_init (GstPlugin *plugin)
{
  gboolean registered = FALSE;

  /* Registers the metas, so that processes that receive them (unixfdsrc) find them by name. */
  gst_gles_histogram_meta_get_info ();
  gst_gles_points_meta_get_info ();
  gst_gles_regions_meta_get_info ();
  gst_gles_tiles_meta_get_info ();
  gst_gles_tracks_meta_get_info ();
  gst_gles_zones_meta_get_info ();
  registered |= GST_ELEMENT_REGISTER (glescompact, plugin);
  registered |= GST_ELEMENT_REGISTER (glesevents, plugin);
  registered |= GST_ELEMENT_REGISTER (gleshistogram, plugin);
  registered |= GST_ELEMENT_REGISTER (glesjson, plugin);
  registered |= GST_ELEMENT_REGISTER (glespublish, plugin);
  registered |= GST_ELEMENT_REGISTER (glesregions, plugin);
  registered |= GST_ELEMENT_REGISTER (glestiles, plugin);
  registered |= GST_ELEMENT_REGISTER (glestrack, plugin);
  registered |= GST_ELEMENT_REGISTER (gleszones, plugin);
#if HAVE_CAIRO
  registered |= GST_ELEMENT_REGISTER (glesoverlay, plugin);
#endif
  return registered;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, glescompute,
    "Video analysis with OpenGL ES compute shaders, without a display", plugin_init, VERSION,
    GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
