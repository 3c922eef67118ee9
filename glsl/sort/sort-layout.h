/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of sorts that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_SORT_LAYOUT_H
#define GST_GLES_SORT_LAYOUT_H

#ifdef GL_ES
#include "lib/array-layout.h"
#else
#include <array-layout.h>
#endif

/* Words at the head of a sort's state block. The totals of each pass's digits and the words per
 * tile follow. The first four words are the result that users see. */
#define GST_GLES_SORT_TOTAL 0 /* two words */
#define GST_GLES_SORT_COUNT 2
#define GST_GLES_SORT_STATUS 3
#define GST_GLES_SORT_N 4 /* number of keys, when the device counts them */
/* three words: the grid with one workgroup per tile, when the device counts */
#define GST_GLES_SORT_GROUPS 8
#define GST_GLES_SORT_TICKETS 16 /* look-back: one word per pass, the next tile to begin */
#define GST_GLES_SORT_HEAD 32    /* number of words of the head */

/* A pass by one digit. */
GST_GLES_STRUCT (GstGlesSortPass)
{
  GST_GLES_U32 n;         /* keys */
  GST_GLES_U32 counted;   /* 1: the number of keys is in the state instead */
  GST_GLES_U32 shift;     /* first bit of the digit */
  GST_GLES_U32 mask;      /* of the digit, after the shift */
  GST_GLES_U32 flip;      /* XORed to each word of a key to get unsigned order */
  GST_GLES_U32 sign_flip; /* additionally XORed to words whose highest bit is set */
  GST_GLES_U32 indexed;   /* 1: the payload is the index in the input */
  GST_GLES_U32 totals;    /* word of the state: totals of this pass's digits */
  /* word of the state: this pass's words per tile, counts or status words */
  GST_GLES_U32 tile_words;
  GST_GLES_U32 next_tile_words; /* look-back: the same for the next pass; this pass clears them */
  GST_GLES_U32 pass_index;
  GST_GLES_U32 n_passes;
  GST_GLES_U32 begin_bit; /* of the whole sort */
  GST_GLES_U32 end_bit;
  /* look-back: how often a status word is read before its tile counts as stalled */
  GST_GLES_U32 spin_limit;
  GST_GLES_U32 next_totals; /* look-back: totals of the next sort; this sort clears them */
  GST_GLES_U32 tile_keys;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesSortPass)

/* Prepares a sort whose number of keys is a word of a buffer. */
GST_GLES_STRUCT (GstGlesSortSetup)
{
  GST_GLES_U32 word;         /* index of the word in the binding */
  GST_GLES_U32 capacity;     /* the largest number of keys */
  GST_GLES_U32 tile;         /* keys per tile */
  GST_GLES_U32 max_groups_x; /* the device's limit along an axis */
};
GST_GLES_STRUCT_END (GstGlesSortSetup)

/* Copies one or two words of each item. */
GST_GLES_STRUCT (GstGlesSortCopy)
{
  GST_GLES_U32 n;
  GST_GLES_U32 counted;       /* 1: the number of items is in the state instead */
  GST_GLES_U32 words;         /* per item */
  GST_GLES_U32 source_stride; /* words from item to item; 0: the word is the number of the item */
  GST_GLES_U32 source_first;  /* word of item 0 */
  GST_GLES_U32 target_stride;
  GST_GLES_U32 write_result; /* 1: no other kernel writes the result */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesSortCopy)

#endif
