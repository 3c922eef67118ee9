/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The `mask` property: a mask in shares of the frame, and its bits for the frames of a stream. */
#ifndef MASK_SETTING_H
#define MASK_SETTING_H

#include <gst/gles/core/mask.h>
#include <gst/gles/gl/image.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* Protected by the object lock. All zero: no mask. */
typedef struct {
  gchar *text;
  GstGlesMask *mask;
} MaskSetting;

/* Parses a PNG picture of up to 8 bits: a pixel is included if its luma is at least half of white.
 * (transfer full). Errors: SETTINGS, also in builds without cairo. */
GstGlesMask *mask_new_from_png (const guint8 *data, gsize size_bytes, GError **error);

/* The mask as it was last drawn, for the streaming thread. All zero: none. */
typedef struct {
  GstGlesMask *mask;
  GstGlesMaskBits *bits; /* nullable */
  GstGlesMaskPicture picture;
} MaskInput;

/* Returns the property, a string. @what: what the mask is for, the beginning of the blurb. */
GParamSpec *mask_setting_spec (const gchar *what);
/* Sets the mask of @object under its lock; an empty text is no mask. Reads the file, if @value
 * names one. If @value is not a mask, warns and changes nothing. */
void mask_setting_set (GObject *object, MaskSetting *setting, const GValue *value);
void mask_setting_get (GObject *object, const MaskSetting *setting, GValue *value);
void mask_setting_clear (MaskSetting *setting);

/* Takes the mask of @object for a frame, and draws it anew if it or the size of @image has changed.
 * Errors: NO_MEMORY. */
gboolean mask_input_update (MaskInput *input, GstObject *object, const MaskSetting *setting,
    const GstGlesImage *image, GError **error);
void mask_input_clear (MaskInput *input);

G_END_DECLS

#endif
