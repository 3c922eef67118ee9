/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the metas of all results have in common: each is a GstMeta with a reference to a result. */
#ifndef GST_GLES_META_RESULT_META_H
#define GST_GLES_META_RESULT_META_H

#include <gst/base/gstbytereader.h>
#include <gst/base/gstbytewriter.h>
#include <gst/video/gstvideometa.h>

G_BEGIN_DECLS

/* One kind of meta. The functions serialise its results; see serial.h. */
typedef struct {
  const gchar *name;
  const gchar *api_name;
  /* Results with coordinates are for the whole picture: a copy of part of a buffer drops them, and
   * so does a transformation other than scaling. Other results survive everything. */
  gboolean has_coordinates;
  gboolean (*serialize) (gpointer result, GstByteWriter *writer);
  gpointer (*parse) (GstByteReader *reader);
} GstGlesResultMetaKind;

/* Registers the API type and the meta of @kind, which is static. Called once for each kind. */
GType gst_gles_result_meta_register_api (const GstGlesResultMetaKind *kind);
const GstMetaInfo *gst_gles_result_meta_register (const GstGlesResultMetaKind *kind, GType api);

/* Adds a meta that keeps a reference to @result. */
gpointer gst_gles_result_meta_add (GstBuffer *buffer, const GstMetaInfo *info, gpointer result);
/* Returns the meta of @buffer that was added last, or its result with a new reference; NULL if
 * there is none. */
gpointer gst_gles_result_meta_get_last (GstBuffer *buffer, GType api);
gpointer gst_gles_result_meta_ref_last_result (GstBuffer *buffer, GType api);

G_END_DECLS

#endif
