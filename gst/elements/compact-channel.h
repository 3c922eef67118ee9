/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The property "channel" of glescompact: luma, a component by number, or one by name. */
#ifndef COMPACT_CHANNEL_H
#define COMPACT_CHANNEL_H

#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_COMPACT_CHANNEL (gst_gles_compact_channel_get_type ())
GType gst_gles_compact_channel_get_type (void);

/* Values from this one on are names, which mean a component only together with a format. */
#define GST_GLES_COMPACT_FIRST_NAME 16

/* Turns a name in *@channel into the number of the component that @image has by it. FALSE with SETTINGS
 * when there is none, and *@channel stays as it is. */
gboolean gst_gles_compact_channel_resolve (
    gint *channel, const GstGlesImage *image, GError **error);

G_END_DECLS

#endif
