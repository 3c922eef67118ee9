/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of histograms of arrays that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_HISTOGRAM_LAYOUT_H
#define GST_GLES_HISTOGRAM_LAYOUT_H

#ifdef GL_ES
#include "lib/array-layout.h"
#else
#include <array-layout.h>
#endif

/* Counts the keys of a window of an array. The bin of a key is floor ((key - lower) * bins / width
 * of the range). It is computed without a division: (key - lower) times whole, plus the integer
 * part of (key - lower) times the binary fraction 0.scale_high scale_low. */
GST_GLES_STRUCT (GstGlesHistogramPass)
{
  GstGlesArrayPass array;
  GST_GLES_U32 lower; /* the first key of bin 0 */
  GST_GLES_U32 span;  /* the last key of the last bin, minus lower */
  GST_GLES_U32 whole;
  GST_GLES_U32 scale_high;
  GST_GLES_U32 scale_low;
  GST_GLES_U32 bins;
  GST_GLES_U32 n_ranges;      /* packed: ranges of counters, one per workgroup; 1: all fit */
  GST_GLES_U32 replica_shift; /* log2 of the replicas of each counter in shared memory */
  GST_GLES_U32 task_units;    /* the most units of keys that are counted into one narrow table */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesHistogramPass)

/* Tables of narrow counters; docs/algorithms/histogram.md explains the terms. Words of shared
 * memory that are not part of the table: the carry slots, the privatised words and some more. */
#define GST_GLES_ARRAY_TABLE_SLOT_BITS 10
#define GST_GLES_ARRAY_TABLE_SPARE ((1 << GST_GLES_ARRAY_TABLE_SLOT_BITS) + 40)
/* Bins are multiplied by a factor modulo 2^16; the other factor is its inverse. */
#define GST_GLES_ARRAY_PERMUTE_FACTOR 31711u
#define GST_GLES_ARRAY_UNPERMUTE_FACTOR 31u
/* Then the product is added to itself, shifted right by this. */
#define GST_GLES_ARRAY_PERMUTE_SHIFT 10
#define GST_GLES_ARRAY_PERMUTED_BINS (65536 + (65536 >> GST_GLES_ARRAY_PERMUTE_SHIFT))
/* Permuted bins per field, rounded up, plus 1, which makes the division by field_factor exact. */
#define GST_GLES_ARRAY_BINS_PER_FIELD(n) ((GST_GLES_ARRAY_PERMUTED_BINS + (n) -1) / (n) + 1)
/* Words of a table of @n fields: a multiple of 32. */
#define GST_GLES_ARRAY_TABLE_WORDS(n) ((GST_GLES_ARRAY_BINS_PER_FIELD (n) + 31) / 32 * 32)
/* The field of a permuted bin is (permuted * factor) >> shift, in 32 bits. */
#define GST_GLES_ARRAY_FIELD_SHIFT(n) ((n) == 6 ? 29 : 28)
#define GST_GLES_ARRAY_FIELD_FACTOR(n)                                                             \
  ((1 << GST_GLES_ARRAY_FIELD_SHIFT (n)) / GST_GLES_ARRAY_BINS_PER_FIELD (n) + 1)

#endif
