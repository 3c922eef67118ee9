/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties that users of the tools set by text. */
#ifndef ELEMENT_SETTING_H
#define ELEMENT_SETTING_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Sets a property of @element. @setting: PROPERTY=VALUE; @whole: how the user wrote it, for errors,
 * which tell what there is instead. Errors: G_OPTION_ERROR_BAD_VALUE. */
gboolean element_setting_apply (
    GstElement *element, const gchar *setting, const gchar *whole, GError **error);

/* Sets @error, "WHOLE: WHY: THERE", and returns FALSE. */
gboolean element_setting_refuse (
    GError **error, const gchar *whole, const gchar *why, const gchar *there);

G_END_DECLS

#endif
