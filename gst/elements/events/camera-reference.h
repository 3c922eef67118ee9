/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The usual view of a fixed camera, which follows the frames slowly. */
#ifndef GST_GLES_CAMERA_REFERENCE_H
#define GST_GLES_CAMERA_REFERENCE_H

#include "camera-view.h"

G_BEGIN_DECLS

/* Until the reference is known for this time, in seconds, it is a mean and decides nothing. */
#define CAMERA_LEARNING_TIME 1.0
/* After this time it follows the frames at its usual speed. */
#define CAMERA_HASTE_TIME 10.0

/* All zero before the first frame. */
typedef struct {
  CameraView view;
  gdouble known;                     /* seconds that went into it */
  guint structured;                  /* areas that have structure and kept it for some time */
  gdouble steady[CAMERA_AREAS];      /* seconds for which an area has had structure */
  gdouble changed_for[CAMERA_AREAS]; /* seconds for which it has looked different */
} CameraReference;

/* Follows @view, @seconds after the last one. @changed are the areas that look different. */
void camera_reference_learn (
    CameraReference *reference, const CameraView *view, guint changed, gdouble seconds);

G_END_DECLS

#endif
