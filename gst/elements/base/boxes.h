/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The boxes that elements upstream, such as detectors, put on a frame. */
#ifndef BOXES_H
#define BOXES_H

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The most boxes that are read from a frame. */
#define BOXES_MAX 256

/* Which metas are read, as bits. */
typedef enum {
  BOXES_NONE = 0,
  BOXES_ROI = 1 << 0,       /* GstVideoRegionOfInterestMeta */
  BOXES_ANALYTICS = 1 << 1, /* GstAnalyticsODMtd; none without gst-analytics 1.24 */
  BOXES_ALL = BOXES_ROI | BOXES_ANALYTICS
} BoxesSource;

/* A box in pixels of the frame. It may lie outside of the frame, in part or altogether. */
typedef struct {
  gint id;                           /* of the meta: unique for its source at most */
  GQuark type;                       /* what was detected; 0: unknown */
  gint x, y;                         /* the top left corner */
  gint width, height;                /* at least 0 */
  BoxesSource source;                /* one of BOXES_ROI and BOXES_ANALYTICS */
  gdouble score;                     /* how sure the detector is, 0 to 1; 1 if it does not tell */
  GstVideoRegionOfInterestMeta *roi; /* that has the box; NULL: a GstAnalyticsODMtd does, @id */
  const GstStructure *region; /* "gles-region", if glesregions attached @roi; otherwise NULL */
} UpstreamBox;

typedef void (*BoxesFunc) (const UpstreamBox *box, gpointer data);

typedef struct {
  UpstreamBox box[BOXES_MAX]; /* in the order of the metas */
  guint n;
  guint n_found; /* with those beyond BOXES_MAX */
} UpstreamBoxes;

/* Reads the boxes of @buffer from the metas of @sources whose type is one of @types, names with
 * commas between them; all types if @types has no name. White space around a name does not count.
 * glesregions may attach a region in both forms; from BOXES_ALL such a region is one box, of
 * BOXES_ROI. Thread: any. */
void boxes_read (UpstreamBoxes *boxes, GstBuffer *buffer, BoxesSource sources, const gchar *types);

/* Calls @func with each box of boxes_read(), however many there are, and with regions in both
 * forms: in the order of the metas. Metas may not be removed meanwhile. Thread: any. */
void boxes_foreach (
    GstBuffer *buffer, BoxesSource sources, const gchar *types, BoxesFunc func, gpointer data);

/* Whether @types, names with commas between them, names @name, or names nothing. White space around
 * a name does not count. */
gboolean boxes_type_is_wanted (const gchar *types, const gchar *name);

/* Warns once that a frame had more boxes than are read: *@has_warned becomes TRUE. */
void boxes_warn (const UpstreamBoxes *boxes, GstElement *element, gboolean *has_warned);

G_END_DECLS

#endif
