/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements do about frames that cannot be read, and about those that `region` leaves. */
#ifndef BAD_FRAME_H
#define BAD_FRAME_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The values of the property on-bad-frame. */
typedef enum {
  BAD_FRAME_SKIP,
  BAD_FRAME_ERROR
} BadFrameAction;

/* Protected by the object lock of the element. All zero at the start of a run. */
typedef struct {
  guint64 n_skipped; /* for `stats` */
  guint warned;      /* bits of the codes of errors that a warning was posted for */
} BadFrames;

/* Returns the property on-bad-frame, a BadFrameAction. */
GParamSpec *bad_frame_spec (void);

/* Whether @error concerns one frame alone, so that the frame can be skipped. */
gboolean bad_frame_matches (const GError *error);

/* Counts a frame that is skipped because of @error, and posts one warning for each kind of error in
 * a run. Takes the object lock. */
void bad_frame_skip (GstElement *element, BadFrames *frames, const GError *error);

G_END_DECLS

#endif
