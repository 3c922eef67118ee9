/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of histograms of pictures that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_FRAME_HISTOGRAM_LAYOUT_H
#define GST_GLES_FRAME_HISTOGRAM_LAYOUT_H

#ifdef GL_ES
#include "lib/counters-layout.h"
#include "lib/layout.h"
#else
#include <counters-layout.h>
#include <layout.h>
#endif

#define GST_GLES_FRAME_HISTOGRAM_MAX_JOBS 4

/* The parameters that the jobs of a dispatch share. */
GST_GLES_STRUCT (GstGlesFrameHistogramShape)
{
  GST_GLES_U32 x; /* the region, in luma positions */
  GST_GLES_U32 y;
  GST_GLES_U32 width;
  GST_GLES_U32 height;
  GST_GLES_U32 columns; /* cells that divide the region */
  GST_GLES_U32 rows;
  GST_GLES_U32 n_jobs;
  GST_GLES_U32 n_groups;   /* workgroups with work; the grid can have more */
  GST_GLES_U32 last_word;  /* generic: index of the last word of the image's buffer */
  GST_GLES_U32 scale_to_8; /* generic luma: 1: scale every component to 8 bits first */
  /* Last-block flush: */
  GST_GLES_U32 n_all_groups; /* workgroups of all dispatches of the frame; 0: no last-block flush */
  GST_GLES_U32 ticket;       /* index of the counter word that numbers workgroups as they end */
  GST_GLES_U32 n_channels;
  GST_GLES_U32 has_previous;
  GST_GLES_U32 big_endian; /* wide: 1: the bytes of a word are swapped */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesFrameHistogramShape)

/* A job: one sweep over the samples of a plane. Wide access divides a row into periods of four (or
 * three) lanes. A lane is a word of BYTES bytes. The sample in lane i of period p covers the luma
 * column (p << period_shift) + lane_x_i; its channel has its counters from index lane_base_i on. */
GST_GLES_STRUCT (GstGlesFrameHistogramJob)
{
  GST_GLES_U32 first_group; /* the first of the job's cells * ranges * parts workgroups */
  GST_GLES_U32 parts;       /* workgroups that share a cell */
  GST_GLES_U32 ranges;      /* ranges of counters, one per workgroup; 1: all counters fit */
  GST_GLES_U32 n_counters;  /* channels of the job * bins */
  GST_GLES_U32 base;        /* wide: offset of row 0, in units */
  GST_GLES_U32 stride;      /* wide: distance between two rows, in units */
  GST_GLES_U32 n_units;     /* wide without masks: units of the plane, which is one long row */
  GST_GLES_U32 sub_y;
  GST_GLES_U32 sub_x;        /* generic */
  GST_GLES_U32 period_shift; /* log2 of the luma columns that a period covers */
  GST_GLES_U32 shift;        /* value = (word >> shift) & mask */
  GST_GLES_U32 mask;
  GST_GLES_U32 lane_base_0;
  GST_GLES_U32 lane_base_1;
  GST_GLES_U32 lane_base_2;
  GST_GLES_U32 lane_base_3;
  GST_GLES_U32 lane_x_0;
  GST_GLES_U32 lane_x_1;
  GST_GLES_U32 lane_x_2;
  GST_GLES_U32 lane_x_3;
  GST_GLES_U32 bins;           /* counters per channel and cell */
  GST_GLES_U32 depth;          /* scaled: bin = value * bins >> depth */
  GST_GLES_U32 out_base;       /* index of the first counter of cell 0 of the first channel */
  GST_GLES_U32 channel_stride; /* words between the counters of two channels */
  GST_GLES_U32 kr;             /* luma: the weights; shift_r, shift_g, shift_b: wide, in a word */
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 component; /* generic: index of the (first) component in the block */
  GST_GLES_U32 shift_r;
  GST_GLES_U32 shift_g;
  GST_GLES_U32 shift_b;
  GST_GLES_U32 replica_shift; /* log2 of the replicas of each counter in shared memory */
  /* MASK: the word of the bits with which row 0 begins, and words per row. Wide: 16 bits for each
   * unit of the row, bit k for its word k. Generic: a bit for each sample. */
  GST_GLES_U32 mask_base;
  GST_GLES_U32 mask_stride;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesFrameHistogramJob)

/* Converts histograms of cells at native depth to the histogram of the region and to `bins`. */
GST_GLES_STRUCT (GstGlesFrameHistogramFold)
{
  GST_GLES_U32 source_offset; /* index of the channel's cells * n_values counters at native depth */
  GST_GLES_U32 native_offset; /* index of the region's counters in the counts buffer */
  GST_GLES_U32 cells_offset;
  GST_GLES_U32 depth;
  GST_GLES_U32 bins;
  GST_GLES_U32 n_cells;
  GST_GLES_U32 cells_per_group;
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesFrameHistogramFold)

/* Compares the native histogram of a channel with that of the frame before. */
GST_GLES_STRUCT (GstGlesFrameHistogramDifference)
{
  GST_GLES_U32 native_offset;     /* in units of 4 words */
  GST_GLES_U32 n_rows;            /* rows of 4 words */
  GST_GLES_U32 difference_offset; /* in units of 4 words */
  GST_GLES_U32 emd;               /* 1: also compute the earth mover's distance */
};
GST_GLES_STRUCT_END (GstGlesFrameHistogramDifference)

/* Zeroes words. */
GST_GLES_STRUCT (GstGlesFrameHistogramClear)
{
  GST_GLES_U32 n_rows; /* rows of 4 words */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesFrameHistogramClear)

#endif
