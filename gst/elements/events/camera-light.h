/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares views, whatever the light. */
#ifndef GST_GLES_CAMERA_LIGHT_H
#define GST_GLES_CAMERA_LIGHT_H

#include "camera-view.h"

G_BEGIN_DECLS

/* Returns the areas that look the same in the same light. */
guint camera_find_same (const CameraView *reference, const CameraView *view);

/* Returns the areas that do not look the same, neither in the light of the reference nor in that in
 * which most do. Each area suggests changes of light, so that areas that something hides do not
 * matter. */
guint camera_find_changed (const CameraView *reference, const CameraView *view);

G_END_DECLS

#endif
