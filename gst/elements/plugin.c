/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "elements.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  gboolean registered = FALSE;

  registered |= GST_ELEMENT_REGISTER (glescompact, plugin);
  registered |= GST_ELEMENT_REGISTER (gleshistogram, plugin);
  registered |= GST_ELEMENT_REGISTER (glesjson, plugin);
  registered |= GST_ELEMENT_REGISTER (glestiles, plugin);
#if HAVE_CAIRO
  registered |= GST_ELEMENT_REGISTER (glesoverlay, plugin);
#endif
  return registered;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, glescompute,
    "Video analysis with OpenGL ES compute shaders, without a display", plugin_init, VERSION,
    GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
