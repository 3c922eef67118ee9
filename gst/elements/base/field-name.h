/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FIELD_NAME_H
#define FIELD_NAME_H

#include <gst/gles/meta/frame-info.h>

G_BEGIN_DECLS

/* The name of @field in messages and lines of JSON: static; NULL for a whole frame. */
static inline const gchar *
field_get_name (GstGlesField field)
{
  static const gchar *const names[GST_GLES_N_FIELDS] = { NULL, "top", "bottom" };

  return names[field];
}

G_END_DECLS

#endif
