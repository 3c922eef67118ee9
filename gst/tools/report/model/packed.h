/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines from which all outputs can be made again without the video: beside what glesjson writes,
 * they have the complete results and pictures. */
#ifndef REPORT_MODEL_PACKED_H
#define REPORT_MODEL_PACKED_H

#include "results.h"

G_BEGIN_DECLS

/* The time between two pictures for the strip. */
#define REPORT_KEPT_PICTURES (2 * GST_SECOND)

/* What a frame has beside its histograms. */
typedef struct {
  gdouble brng; /* as in ReportResults, as is what follows */
  gboolean key;
} ReportExtra;

/* Returns the member `results` of a line, behind its comma, for the histograms of @buffer, and
 * members for what @results has beside them: (transfer full). NULL: there are none, or they did not
 * arrive. The number and the running time of the frame are those of a part, and are not in it. */
gchar *report_pack (GstBuffer *buffer, const ReportResults *results);
/* Returns the histograms of the member `results` of a line, with the number and the running time
 * that the line has: (transfer full) (nullable), of #GstGlesHistogramResult. *@size becomes that of
 * the line in front of the member: without its last brace. Fills @extra. NULL: there is no such
 * member. */
GPtrArray *report_unpack (const gchar *text, gsize *size, ReportExtra *extra);

/* A picture that lines keep. One of the strip follows the line of its frame, that of other events
 * precedes their lines, and that of a problem follows its lines. */
typedef struct {
  GBytes *jpeg;
  GstClockTime time;
  /* the picture is for the strip, which has one every REPORT_KEPT_PICTURES; otherwise it is for an
   * event alone */
  gboolean of_strip;
  gboolean sideways; /* it was turned by a quarter */
} ReportPicture;

/* Returns the line of @picture without its line feed: (transfer full). */
gchar *report_pack_picture (const ReportPicture *picture);
/* Whether a line is that of a picture. */
gboolean report_is_picture_line (const gchar *text);
/* Fills @picture, whose JPEG is (transfer full). FALSE: @line is no such line. */
gboolean report_unpack_picture (JsonObject *line, ReportPicture *picture);

G_END_DECLS

#endif
