/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the algorithms on arrays have in common that C and GLSL share. lib/layout.h has the
 * rules. */
#ifndef GST_GLES_ARRAY_LAYOUT_H
#define GST_GLES_ARRAY_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* Maps the bits of an f32 or i32 to a u32 with the same order, and back. The order of f32 is: NaNs
 * with the sign bit, -inf, ..., -0, +0, ..., +inf, NaNs without it. */
#define GST_GLES_F32_TO_KEY(bits) ((bits) ^ ((0u - ((bits) >> 31)) | 0x80000000u))
#define GST_GLES_KEY_TO_F32(key) ((key) ^ ((((key) >> 31) - 1u) | 0x80000000u))
#define GST_GLES_I32_TO_KEY(bits) ((bits) ^ 0x80000000u)
#define GST_GLES_KEY_TO_I32(key) ((key) ^ 0x80000000u)

/* Normalises the bits of an f32, before and after each addition of the summation tree: a denormal
 * becomes the zero of its sign, and every NaN becomes GST_GLES_F32_NAN. */
#define GST_GLES_F32_NAN 0x7fc00000u
#define GST_GLES_F32_MINUS_ZERO 0x80000000u
#define GST_GLES_F32_CLEAN(bits)                                                                   \
  (((bits) &0x7f800000u) == 0u                                                                     \
          ? ((bits) &0x80000000u)                                                                  \
          : (((bits) &0x7fffffffu) > 0x7f800000u ? GST_GLES_F32_NAN : (bits)))

/* Words at the head of a plan's state block. Partial results of teams and status words of tiles
 * follow. The first four words are the result that users see. */
#define GST_GLES_ARRAY_TOTAL 0 /* two words */
#define GST_GLES_ARRAY_COUNT 2
#define GST_GLES_ARRAY_STATUS 3 /* bits of GST_GLES_ARRAY_STATUS_ */
#define GST_GLES_ARRAY_TICKET 4 /* look-back: the next tile to begin; 0 between dispatches */
/* look-back: number of workgroups that have ended; 0 between dispatches */
#define GST_GLES_ARRAY_DONE 5
#define GST_GLES_ARRAY_WRAPS 6   /* look-back: how often the sum wrapped; 0 between dispatches */
#define GST_GLES_ARRAY_CLAMPED 7 /* initial status, when the device counts the values */
#define GST_GLES_ARRAY_N 8       /* number of values in all windows, when the device counts them */
/* An entry per window of the input: workgroups in x, y, z, values, sum of all earlier windows (two
 * words). */
#define GST_GLES_ARRAY_WINDOWS 16
#define GST_GLES_ARRAY_WINDOW_WORDS 8
#define GST_GLES_ARRAY_MAX_WINDOWS 32
/* number of words of the head; has one window entry more than there are windows */
#define GST_GLES_ARRAY_HEAD 288

/* The bits of GstGlesStatus. */
#define GST_GLES_ARRAY_STATUS_CLAMPED 1u
#define GST_GLES_ARRAY_STATUS_WRAPPED 2u
#define GST_GLES_ARRAY_STATUS_TRUNCATED 4u

/* One dispatch over a window of an array: the head of the parameters of every algorithm that works
 * on tiles of an array. */
GST_GLES_STRUCT (GstGlesArrayPass)
{
  GST_GLES_U32 n;       /* values in the window */
  GST_GLES_U32 total_n; /* values in the array */
  GST_GLES_U32 counted; /* 1: both numbers are in the state instead */
  GST_GLES_U32 window;  /* index of the window */
  GST_GLES_U32 first;   /* index of the window's first value in the array */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesArrayPass)

/* The parameters of lib/lookback.glsl. */
GST_GLES_STRUCT (GstGlesLookBackPass)
{
  GST_GLES_U32 epoch;        /* 1 to 16383, different in each dispatch */
  GST_GLES_U32 spin_limit;   /* how often a status word is read before its tile counts as stalled */
  GST_GLES_U32 status_words; /* word of the state: status words of the tiles */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesLookBackPass)

/* Prepares dispatches over as many values as a word of a buffer says. */
GST_GLES_STRUCT (GstGlesArraySetup)
{
  GST_GLES_U32 word;            /* index of the word in the binding */
  GST_GLES_U32 capacity;        /* the largest number of values */
  GST_GLES_U32 window_size;     /* values per window */
  GST_GLES_U32 n_windows;       /* number of windows for the capacity */
  GST_GLES_U32 tile;            /* values per tile */
  GST_GLES_U32 teams_per_group; /* tiles that a workgroup processes at a time */
  GST_GLES_U32 max_groups;      /* the most workgroups, each with several tiles; 0: no limit */
  GST_GLES_U32 max_groups_x;    /* the device's limit along an axis */
};
GST_GLES_STRUCT_END (GstGlesArraySetup)

/* The range of words that a kernel sets to zero. */
GST_GLES_STRUCT (GstGlesArrayClear)
{
  GST_GLES_U32 first;
  GST_GLES_U32 n;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesArrayClear)

#endif
