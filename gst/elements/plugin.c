/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "elements.h"

#include <gst/gles/meta/kinds.h>

static gboolean
plugin_init (GstPlugin *plugin)
{
  gboolean registered = FALSE;

  /* Registers the metas, so that processes that receive them (unixfdsrc) find them by name. */
#define REGISTER_META(Name, name, NAME, coordinates) gst_gles_##name##_meta_get_info ();
  GST_GLES_RESULT_KINDS (REGISTER_META)
#define REGISTER_ELEMENT(name) registered |= GST_ELEMENT_REGISTER (name, plugin);
  GLES_ELEMENTS (REGISTER_ELEMENT)
  return registered;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, glescompute,
    "Video analysis with OpenGL ES compute shaders, without a display", plugin_init, VERSION,
    GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
