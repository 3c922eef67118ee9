/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The result of the element brightest, on the buffer that it was found in. */
#ifndef BRIGHTEST_META_H
#define BRIGHTEST_META_H

#include <gst/gles/gles.h>

G_BEGIN_DECLS

/* What the kernel and its native twin find. */
typedef struct {
  guint32 value; /* the largest sample */
  guint32 place; /* row * columns + column of the first one, or G_MAXUINT32: there is no sample */
} BrightestFound;

/* Where the samples are that were looked at. */
typedef struct {
  guint left, top, columns, rows; /* of the component's samples */
  guint sub_x, sub_y;             /* log2 of the pixels that a sample stands for */
} BrightestArea;

typedef struct {
  GstMeta meta;
  GstGlesReadback *readback; /* of a BrightestFound: may still be on its way */
  BrightestArea area;
} BrightestMeta;

/* In pixels of the visible picture. */
typedef struct {
  guint x, y;
  guint value;
} BrightestPixel;

GType brightest_meta_api_get_type (void);
const GstMetaInfo *brightest_meta_get_info (void);

/* Adds a meta with a reference to @readback. @buffer must be writable. */
BrightestMeta *brightest_meta_add (
    GstBuffer *buffer, GstGlesReadback *readback, const BrightestArea *area);

/* Returns the meta of @buffer: (transfer none) (nullable). */
BrightestMeta *brightest_meta_get (GstBuffer *buffer);

/* Waits for the result. Errors: of gst_gles_readback_get(); GST_GLES_ERROR_OUTSIDE: the visible
 * picture has no sample of the component. Thread: any. */
gboolean brightest_meta_read (const BrightestMeta *meta, BrightestPixel *pixel, GError **error);

G_END_DECLS

#endif
