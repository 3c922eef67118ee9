/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structure of copies of textures that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_TEXTURE_LAYOUT_H
#define GST_GLES_TEXTURE_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* A rectangle of a texture that is copied to a buffer. A unit is 16 bytes. */
GST_GLES_STRUCT (GstGlesTextureCopy)
{
  GST_GLES_U32 x; /* in texels */
  GST_GLES_U32 y;
  GST_GLES_U32 width; /* in texels; what follows them in a row's last unit is zero */
  GST_GLES_U32 row_units;
  GST_GLES_U32 first_unit; /* of the target */
  GST_GLES_U32 stride_units;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesTextureCopy)

#endif
