/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Members of the objects that docs/json.md describes. @key has the punctuation: ",\"count\":". */
#ifndef GST_GLES_JSON_MEMBERS_H
#define GST_GLES_JSON_MEMBERS_H

#include <gst/gles/meta/box.h>
#include <gst/gles/meta/frame-info.h>

#include "../../json/writer.h"

G_BEGIN_DECLS

void json_member_uint (JsonWriter *writer, const gchar *key, guint64 value);
void json_member_boolean (JsonWriter *writer, const gchar *key, gboolean value);
void json_member_double (JsonWriter *writer, const gchar *key, gdouble value);
void json_member_time (JsonWriter *writer, const gchar *key, GstClockTime time);
void json_member_text (JsonWriter *writer, const gchar *key, const gchar *text);
void json_member_box (JsonWriter *writer, const gchar *key, const guint32 box[4]);
void json_member_element (JsonWriter *writer, const gchar *key, const GstGlesOrigin *origin);
void json_member_picture (JsonWriter *writer, const gchar *key, const GstGlesFrameInfo *frame);
void json_upstream_box (JsonWriter *writer, const GstGlesBox *box);

G_END_DECLS

#endif
