/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements of the plugin, each in its own file; plugin.c registers them. */
#ifndef GST_GLES_ELEMENTS_H
#define GST_GLES_ELEMENTS_H

#include <gst/gst.h>

G_BEGIN_DECLS

GST_ELEMENT_REGISTER_DECLARE (glescompact)
GST_ELEMENT_REGISTER_DECLARE (glesevents)
GST_ELEMENT_REGISTER_DECLARE (gleshistogram)
GST_ELEMENT_REGISTER_DECLARE (glesjson)
GST_ELEMENT_REGISTER_DECLARE (glesoverlay)
GST_ELEMENT_REGISTER_DECLARE (glespublish)
GST_ELEMENT_REGISTER_DECLARE (glesregions)
GST_ELEMENT_REGISTER_DECLARE (glestiles)
GST_ELEMENT_REGISTER_DECLARE (glestrack)
GST_ELEMENT_REGISTER_DECLARE (gleszones)

G_END_DECLS

#endif
