/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the overview tells of a frame, and when. Sets of areas have a bit for each area. */
#ifndef GST_GLES_CAMERA_VIEW_H
#define GST_GLES_CAMERA_VIEW_H

#include "event.h"

#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

#define CAMERA_AREAS 16
#define CAMERA_ALL_AREAS 0xffffu

#define CAMERA_QUANTILES 7 /* 3, 10, 25, 50, 75, 90 and 97 percent */
#define CAMERA_MEDIAN 3

/* Black in limited range. The error in full range matters little. */
#define CAMERA_BLACK 16.0

/* An area has structure if its luma has such a deviation, in code values of 8 bits, besides noise.
 * */
#define CAMERA_STRUCTURE 5.0

/* Area by area, in code values of 8 bits. */
typedef struct {
  EventTime time;
  gdouble luma[CAMERA_AREAS][CAMERA_QUANTILES];
  gdouble deviation[CAMERA_AREAS];  /* standard, of luma */
  gdouble mode[CAMERA_AREAS];       /* the middle of the fullest 24 code values */
  gdouble mode_share[CAMERA_AREAS]; /* of samples in them */
  gdouble sharpness[CAMERA_AREAS];  /* mean absolute difference of neighbours */
} CameraView;

/* Sets @view to what the frame at @time shows. */
void camera_view_make (CameraView *view, const GstGlesOverview *overview, const EventTime *time);

/* Returns the range between the lowest and the highest quantile of an area. */
gdouble camera_view_get_spread (const CameraView *view, guint area);

/* Returns the areas whose deviation exceeds that of the plainest area by @structure: what all areas
 * have in common is noise. */
guint camera_view_find_structure (const CameraView *view, gdouble structure);

/* Returns the number of @areas. */
guint camera_count (guint areas);

gdouble camera_get_least (const gdouble values[CAMERA_AREAS]);

/* Returns how much a value rose or fell in all areas, 0 where only in some. */
gdouble camera_get_common_change (
    const gdouble before[CAMERA_AREAS], const gdouble now[CAMERA_AREAS]);

/* Compares numbers for qsort(). */
gint camera_compare (gconstpointer a, gconstpointer b);

G_END_DECLS

#endif
