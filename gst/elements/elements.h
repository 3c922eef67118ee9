/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements of the plugin, each in a folder of its own, in one table. */
#ifndef GST_GLES_ELEMENTS_H
#define GST_GLES_ELEMENTS_H

#include "config.h"

#include <gst/gst.h>

#if HAVE_CAIRO
#define GLES_ELEMENTS_OF_CAIRO(_) _ (glesoverlay)
#else
#define GLES_ELEMENTS_OF_CAIRO(_)
#endif

/* Calls _ (NAME) for each element that is built. */
#define GLES_ELEMENTS(_)                                                                           \
  _ (glescompact)                                                                                  \
  _ (glesevents)                                                                                   \
  _ (gleshistogram)                                                                                \
  _ (glesjson)                                                                                     \
  _ (glespublish)                                                                                  \
  _ (glesregions)                                                                                  \
  _ (glestiles)                                                                                    \
  _ (glestrack)                                                                                    \
  _ (gleszones)                                                                                    \
  GLES_ELEMENTS_OF_CAIRO (_)

G_BEGIN_DECLS

GLES_ELEMENTS (GST_ELEMENT_REGISTER_DECLARE)

G_END_DECLS

#endif
