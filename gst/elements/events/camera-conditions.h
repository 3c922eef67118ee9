/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What covers, defocus and another view do to the areas of a picture. @structured are the areas of
 * the reference with structure, @changed those that look different in any light. */
#ifndef GST_GLES_CAMERA_CONDITIONS_H
#define GST_GLES_CAMERA_CONDITIONS_H

#include "camera-view.h"

G_BEGIN_DECLS

/* Whether most areas of @structured are as bright as before. */
gboolean camera_is_as_bright (
    const CameraView *reference, const CameraView *view, guint structured);

/* Returns the share of areas with structure that lost it, 0 if the rest of the picture is not
 * plain. */
gdouble camera_get_lost (const CameraView *reference, const CameraView *view, guint structured);

/* Returns the number of areas of @changed most of which is of the one brightness that most of them
 * have, if that is new to the picture. */
guint camera_count_hidden (const CameraView *reference, const CameraView *view, guint changed);

/* Returns the share of the detail of all areas that is left, noise left out, in whatever light. */
gdouble camera_get_left (const CameraView *reference, const CameraView *view);

/* Whether the shades of the areas have little to do with those before, whatever the light. */
gboolean camera_is_unlike (const CameraView *reference, const CameraView *view);

/* Whether most areas changed, or such that differed look alike. */
gboolean camera_is_hidden (const CameraView *reference, const CameraView *view, guint changed);

/* Returns the share of detail that @view has of that of @reference, 1 where too few areas lost
 * detail but not their contrast. */
gdouble camera_get_detail (const CameraView *reference, const CameraView *view, guint structured);

/* Returns the share of areas with structure, before or now, that changed. Returns 0 where few have
 * structure unless the changed ones reach all edges of the picture that have some: what hides a
 * half of the picture does not. */
gdouble camera_get_moved (
    const CameraView *reference, const CameraView *view, guint structured, guint changed);

G_END_DECLS

#endif
