/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the results of all analysers have in common. */
#ifndef GST_GLES_META_RESULT_PRIVATE_H
#define GST_GLES_META_RESULT_PRIVATE_H

#include <gst/gles/gl/readback.h>

G_BEGIN_DECLS

/* Waits for the bytes of frame @frame: NULL with @error, INVALID where @readback is NULL: @what (a
 * plural) stayed on the device. */
gconstpointer gst_gles_result_wait (GstGlesReadback *readback, const gchar *what, guint64 frame,
    guint64 timeout_ns, gsize *size_bytes, GError **error);

G_END_DECLS

#endif
