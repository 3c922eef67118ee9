/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the detectors keep of a picture to compare it with later ones. All is in shares of the scale
 * and of the samples, so that pictures of different sizes and depths compare. */
#ifndef GST_GLES_EVENT_PICTURE_H
#define GST_GLES_EVENT_PICTURE_H

#include "event-input.h"

G_BEGIN_DECLS

#define EVENT_PICTURE_AREAS 16
#define EVENT_PICTURE_BINS 32

/* Histograms of more code values are compared in this many groups, which bounds the time per
 * frame. */
#define EVENT_PICTURE_GROUPS 256

/* A histogram, summed up: the share of the samples in each group and in those below it. */
typedef struct {
  const gchar *name; /* interned */
  guint n;           /* groups */
  gfloat sums[EVENT_PICTURE_GROUPS];
} EventPictureChannel;

typedef struct {
  guint n_channels;
  EventPictureChannel channels[GST_GLES_HISTOGRAM_MAX_CHANNELS];

  /* of the overview: */
  gboolean has_areas;
  gfloat shares[EVENT_PICTURE_BINS][EVENT_PICTURE_AREAS]; /* of the samples of the area */
  gfloat centres[EVENT_PICTURE_BINS];  /* the mean luma of the samples in the bin */
  gfloat means[EVENT_PICTURE_AREAS];   /* of luma */
  gfloat details[EVENT_PICTURE_AREAS]; /* the variances of luma within the areas */
  gfloat black[EVENT_PICTURE_AREAS];   /* the share of the samples in the black bins */
  gdouble mean;                        /* of the means */
  gdouble spread;                      /* standard deviation of luma, percent of full scale */
} EventPicture;

/* How much each area differs between two pictures: the earth mover's distance of luma, percent. */
typedef gfloat EventPictureAreas[EVENT_PICTURE_AREAS];

/* Returns a picture, to be unreferenced. */
EventPicture *event_picture_new (GstGlesHistogramResult *result);

EventPicture *event_picture_ref (EventPicture *picture);
void event_picture_unref (EventPicture *picture);

/* Returns how much the histograms differ, in percent: the earth mover's distance, summed over the
 * channels that both have. */
gdouble event_picture_get_distance (const EventPicture *a, const EventPicture *b);

/* Returns the change from @a to @b in percent, see docs/elements/glesevents.md. */
gdouble event_picture_get_change (
    const EventPicture *a, const EventPicture *b, EventPictureAreas areas);

/* Means of luma that deviate by less than one of 256 code values, as those of a plain picture, tell
 * nothing. */
#define EVENT_PICTURE_STEP (1.0 / 256.0)

/* Whether all of the picture is black or white. */
gboolean event_picture_is_plain (const EventPicture *picture);

/* Whether both show the same in another light. @areas: their difference. */
gboolean event_picture_is_relit (
    const EventPicture *a, const EventPicture *b, const EventPictureAreas areas);

/* Whether the change from @a to @b is that of a graphic: confined to a part of the picture. @areas:
 * their difference; @usual: their median difference in the frames around. */
gboolean event_picture_is_confined (const EventPicture *a, const EventPicture *b,
    const EventPictureAreas areas, const EventPictureAreas usual);

G_END_DECLS

#endif
