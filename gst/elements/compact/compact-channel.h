/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The property "channel" of glescompact: luma, a component by number, or one by name. */
#ifndef COMPACT_CHANNEL_H
#define COMPACT_CHANNEL_H

#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_COMPACT_CHANNEL (gst_gles_compact_channel_get_type ())
GType gst_gles_compact_channel_get_type (void);

/* Values from this one on stand for names, which denote a component only for a given format. */
#define GST_GLES_COMPACT_FIRST_NAME 16

/* Replaces a name in *@channel by the number of the component of @image with that name. Returns
 * FALSE with SETTINGS if there is none; *@channel is unchanged then. */
gboolean gst_gles_compact_channel_resolve (
    gint *channel, const GstGlesImage *image, GError **error);

G_END_DECLS

#endif
