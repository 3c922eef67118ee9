/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What C and GLSL share of expressions. */
#ifndef GST_GLES_EXPRESSION_LAYOUT_H
#define GST_GLES_EXPRESSION_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* For 0 to 45 degrees: the tangent times 2^31, rounded. */
#define GST_GLES_N_TANGENTS 46
#define GST_GLES_TANGENTS                                                                          \
  0x00000000u, 0x023bf7b3u, 0x047848a5u, 0x06b54c51u, 0x08f35c9du, 0x0b32d41au, 0x0d740e3bu,       \
      0x0fb7678du, 0x11fd3df8u, 0x1445f0fcu, 0x1691e1ecu, 0x18e17437u, 0x1b350dacu, 0x1d8d16c1u,   \
      0x1fe9fae1u, 0x224c28bdu, 0x24b412a3u, 0x27222ed7u, 0x2996f7f7u, 0x2c12ed5fu, 0x2e96939eu,   \
      0x312274eau, 0x33b721a1u, 0x365530d7u, 0x38fd40e9u, 0x3baff827u, 0x3e6e057fu, 0x41382143u,   \
      0x440f0dfeu, 0x46f39958u, 0x49e69d16u, 0x4ce90032u, 0x4ffbb80bu, 0x531fc9bbu, 0x56564b8au,   \
      0x59a0668fu, 0x5cff5876u, 0x60747588u, 0x64012adbu, 0x67a700d2u, 0x6b679de1u, 0x6f44c9afu,   \
      0x73407092u, 0x775ca783u, 0x7b9bb095u, 0x80000000u

/* A map of arrays: parameter i is in word i % 4 of values[i / 4]. */
GST_GLES_STRUCT (GstGlesMapPass)
{
  GST_GLES_U32 n;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesMapPass)

#endif
