/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structures that C and GLSL share, written once. In GLSL they sit in std140 uniform blocks or
 * std430 storage blocks, so every structure is a whole number of 16-byte rows of u32 words and
 * holds nothing but u32; C asserts the sizes where it includes this file. */
#ifndef GST_GLES_LAYOUT_H
#define GST_GLES_LAYOUT_H

#ifdef GL_ES
#define GST_GLES_U32 uint
#define GST_GLES_STRUCT(name) struct name
#define GST_GLES_STRUCT_END(name)
#else
#include <glib.h>
#define GST_GLES_U32 guint32
#define GST_GLES_STRUCT(name)                                                                      \
  typedef struct _##name name;                                                                     \
  struct _##name
#define GST_GLES_STRUCT_END(name) G_STATIC_ASSERT (sizeof (name) % 16 == 0);
#endif

/* One stored component of an image: where its samples lie and how to read one.
 * Sample (x, y), 0 <= x < width, 0 <= y < height, lies in the word of `word_bytes` bytes (1, 2 or
 * 4, big-endian when `big_endian`) at byte offset + y * stride + x * step; its value is
 * (word >> shift) & ((1 << depth) - 1). It stands for the luma positions
 * (x << sub_x, y << sub_y) and following. */
GST_GLES_STRUCT (GstGlesComponent)
{
  GST_GLES_U32 offset;     /* bytes from the start of the plane's data to sample (0, 0) */
  GST_GLES_U32 stride;     /* bytes from one row of samples to the next */
  GST_GLES_U32 step;       /* bytes from one sample to the next on its right */
  GST_GLES_U32 word_bytes; /* 1, 2 or 4 */
  GST_GLES_U32 big_endian; /* 0 or 1 */
  GST_GLES_U32 shift;      /* bits below the sample in its word */
  GST_GLES_U32 depth;      /* bits per sample, 1 to 16 */
  GST_GLES_U32 sub_x;      /* log2 of the horizontal subsampling */
  GST_GLES_U32 sub_y;      /* log2 of the vertical subsampling */
  GST_GLES_U32 width;      /* samples per row */
  GST_GLES_U32 height;     /* rows of samples */
  GST_GLES_U32 plane;      /* index of the GstVideoFrame plane that holds it */
};
GST_GLES_STRUCT_END (GstGlesComponent)

/* A sample of `depth` bits, max = (1 << depth) - 1, on the 8-bit scale, rounded: what luma is made
 * of where R, G and B differ in depth. The identity for 8 bits. */
#define GST_GLES_SCALE_TO_8(v, max) (((v) *255u + ((max) >> 1)) / (max))

/* Luma of R, G, B; kr + kg + kb = 65536, so the sum fits a u32 up to 16 bits per sample. */
#define GST_GLES_LUMA(kr, kg, kb, r, g, b) (((kr) * (r) + (kg) * (g) + (kb) * (b) + 32768u) >> 16)

/* ---- histogram ---- */

#define GST_GLES_HISTOGRAM_MAX_JOBS 4

/* An index that stands for no counter: samples outside the cell, unused lanes. */
#define GST_GLES_HISTOGRAM_NO_COUNTER 0x40000000u

/* What the jobs of a dispatch have in common. */
GST_GLES_STRUCT (GstGlesHistogramShape)
{
  GST_GLES_U32 x; /* the region, in luma positions */
  GST_GLES_U32 y;
  GST_GLES_U32 width;
  GST_GLES_U32 height;
  GST_GLES_U32 columns; /* cells over it */
  GST_GLES_U32 rows;
  GST_GLES_U32 n_jobs;
  GST_GLES_U32 n_groups;   /* workgroups with work; the grid may hold more */
  GST_GLES_U32 last_word;  /* generic: the last word of the image's buffer */
  GST_GLES_U32 scale_to_8; /* generic luma: bring every component to 8 bits first */
  /* the last workgroup to come moves the counters out: */
  GST_GLES_U32 n_all_groups; /* of all dispatches of the frame; 0: that is done elsewhere */
  GST_GLES_U32 ticket;       /* word of the counters that numbers workgroups as they end */
  GST_GLES_U32 n_channels;
  GST_GLES_U32 has_previous;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesHistogramShape)

/* One pass over the samples of a plane. Wide access sees a row as periods of four (or three) lanes,
 * a lane being one word of BYTES bytes; lane i of period p holds the sample that stands for luma
 * column (p << period_shift) + lane_x_i and counts from counter lane_base_i on. */
GST_GLES_STRUCT (GstGlesHistogramJob)
{
  GST_GLES_U32 first_group; /* the job's workgroups: cells * ranges * parts of them */
  GST_GLES_U32 parts;       /* workgroups that share a cell */
  GST_GLES_U32 ranges;      /* ranges of counters, one per workgroup, when not all fit at once */
  GST_GLES_U32 n_counters;  /* n channels * bins */
  GST_GLES_U32 base;        /* wide: where row 0 begins, in 16-byte rows of the buffer */
  GST_GLES_U32 stride;      /* wide: from one row to the next, in 16-byte rows */
  GST_GLES_U32 n_units;     /* without masks: the units of the one long row that the plane is */
  GST_GLES_U32 sub_y;
  GST_GLES_U32 sub_x;        /* generic */
  GST_GLES_U32 period_shift; /* log2 of the luma columns that a period stands for */
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
  GST_GLES_U32 out_base;       /* word of the first counter of cell 0 of the first channel */
  GST_GLES_U32 channel_stride; /* words from one channel's counters to the next one's */
  GST_GLES_U32 kr;             /* luma: weights, and where the components lie in a word */
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 component; /* generic: index of the (first) component in the block */
  GST_GLES_U32 shift_r;
  GST_GLES_U32 shift_g;
  GST_GLES_U32 shift_b;
  GST_GLES_U32 replica_shift; /* log2 of the copies of each counter in shared memory */
};
GST_GLES_STRUCT_END (GstGlesHistogramJob)

/* From histograms of cells at native depth to those of the whole region and of `bins`. */
GST_GLES_STRUCT (GstGlesHistogramFold)
{
  GST_GLES_U32 source_offset; /* words: cells * n_values counters of this channel */
  GST_GLES_U32 native_offset; /* words of the counts buffer */
  GST_GLES_U32 cells_offset;
  GST_GLES_U32 depth;
  GST_GLES_U32 bins;
  GST_GLES_U32 n_cells;
  GST_GLES_U32 cells_per_group;
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesHistogramFold)

/* The native histogram of a channel, in the counts buffer and in the one before. */
GST_GLES_STRUCT (GstGlesHistogramDifference)
{
  GST_GLES_U32 native_offset;     /* in units of 4 words */
  GST_GLES_U32 n_rows;            /* of 4 words */
  GST_GLES_U32 difference_offset; /* in units of 4 words */
  GST_GLES_U32 emd;               /* whether the earth mover's distance is wanted too */
};
GST_GLES_STRUCT_END (GstGlesHistogramDifference)

/* ---- differences between frames ---- */

/* What the channels of a comparison have in common. */
GST_GLES_STRUCT (GstGlesFrameMadShape)
{
  GST_GLES_U32 n_jobs;
  GST_GLES_U32 n_groups;
  GST_GLES_U32 last_word;  /* of the image's buffer */
  GST_GLES_U32 scale_to_8; /* luma: bring every component to 8 bits first */
  GST_GLES_U32 kr;
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 has_reference;
  GST_GLES_U32 limit_low; /* of the sums, scaled to 16 bits, for the picture to be kept */
  GST_GLES_U32 limit_high;
  GST_GLES_U32 out_word; /* word of the sums where the first channel's row begins */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesFrameMadShape)

/* One channel. The reference has its samples four to a word, or two where they are deeper than 8 bits;
 * rows begin with a word. */
GST_GLES_STRUCT (GstGlesFrameMadJob)
{
  GST_GLES_U32 first_group; /* the job's workgroups: n_groups of them */
  GST_GLES_U32 n_groups;
  GST_GLES_U32 component; /* index of the (first) component in the block */
  GST_GLES_U32 luma;
  GST_GLES_U32 depth;
  GST_GLES_U32 x; /* the first sample */
  GST_GLES_U32 y;
  GST_GLES_U32 width; /* samples per row */
  GST_GLES_U32 row_words;
  GST_GLES_U32 n_words;
  GST_GLES_U32 reference; /* the first word there */
  GST_GLES_U32 dense;     /* bytes side by side: a word of the reference is one of the image */
};
GST_GLES_STRUCT_END (GstGlesFrameMadJob)

/* Words to be zeroed. */
GST_GLES_STRUCT (GstGlesHistogramClear)
{
  GST_GLES_U32 n_rows; /* of 4 words */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesHistogramClear)

/* ---- array algorithms ---- */

/* Bits of an f32 or i32 to a u32 that sorts alike, and back. f32: NaNs with the sign bit, -inf, ...,
 * -0, +0, ..., +inf, NaNs without it. */
#define GST_GLES_F32_TO_KEY(bits) ((bits) ^ ((0u - ((bits) >> 31)) | 0x80000000u))
#define GST_GLES_KEY_TO_F32(key) ((key) ^ ((((key) >> 31) - 1u) | 0x80000000u))
#define GST_GLES_I32_TO_KEY(bits) ((bits) ^ 0x80000000u)
#define GST_GLES_KEY_TO_I32(key) ((key) ^ 0x80000000u)

/* Bits of an f32 as the summation tree has them, before and after each addition: a denormal is the
 * zero of its sign, and there is one NaN. */
#define GST_GLES_F32_NAN 0x7fc00000u
#define GST_GLES_F32_MINUS_ZERO 0x80000000u
#define GST_GLES_F32_CLEAN(bits)                                                                   \
  (((bits) &0x7f800000u) == 0u                                                                     \
          ? ((bits) &0x80000000u)                                                                  \
          : (((bits) &0x7fffffffu) > 0x7f800000u ? GST_GLES_F32_NAN : (bits)))

/* A rectangle to be listed in the tiles it covers. The f32 words are held as bits: a load as float
 * may change denormals and NaNs. */
GST_GLES_STRUCT (GstGlesTileRecord)
{
  GST_GLES_U32 min_x; /* f32 bits, pixels */
  GST_GLES_U32 min_y;
  GST_GLES_U32 max_x; /* the pixel at floor (max_x) is covered too */
  GST_GLES_U32 max_y;
  GST_GLES_U32 depth;  /* f32 bits */
  GST_GLES_U32 radius; /* carried, not used */
  GST_GLES_U32 index;  /* carried, not used */
  GST_GLES_U32 pad;
};
GST_GLES_STRUCT_END (GstGlesTileRecord)

/* A frame, in pixels, and the tiles over it; those at the right and bottom may stick out. */
GST_GLES_STRUCT (GstGlesTileGrid)
{
  GST_GLES_U32 width; /* 1 to 2^24, so that an f32 holds it exactly */
  GST_GLES_U32 height;
  GST_GLES_U32 tile_width; /* at least 1 */
  GST_GLES_U32 tile_height;
  GST_GLES_U32 columns; /* ceil (width / tile_width) */
  GST_GLES_U32 rows;
  GST_GLES_U32 n_tiles; /* columns * rows, at most 2^30 */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesTileGrid)

/* ---- readback ---- */

/* Copies as many items as a result counts. */
GST_GLES_STRUCT (GstGlesReadbackItems)
{
  GST_GLES_U32 first_row; /* of 16 bytes: the row that is row 0 of the bindings */
  GST_GLES_U32 n_rows;    /* that the bindings cover */
  GST_GLES_U32 item_bytes;
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesReadbackItems)

/* ---- sort ---- */

/* Words at the head of a sort's state block; behind them the digits' totals of each pass, and what
 * tiles tell each other. The first four are the result that users see. */
#define GST_GLES_SORT_TOTAL 0 /* two words */
#define GST_GLES_SORT_COUNT 2
#define GST_GLES_SORT_STATUS 3
#define GST_GLES_SORT_N 4        /* keys, when the device counts them */
#define GST_GLES_SORT_GROUPS 8   /* three words: a workgroup per tile, likewise */
#define GST_GLES_SORT_TICKETS 16 /* look-back: a word per pass, the next tile to begin */
/* serial: three words each: workgroups of the kernels that go one way, 0 if the other way is gone */
#define GST_GLES_SORT_CHUNKS_IF_SPLIT 32
#define GST_GLES_SORT_BUCKETS_IF_SPLIT 36
#define GST_GLES_SORT_CHUNKS_IF_WHOLE 40
#define GST_GLES_SORT_SPINE_IF_WHOLE 44
#define GST_GLES_SORT_HEAD 48 /* words of the head */

/* A pass by one digit. */
GST_GLES_STRUCT (GstGlesSortPass)
{
  GST_GLES_U32 n;       /* keys */
  GST_GLES_U32 counted; /* 1: their number is in the state instead */
  GST_GLES_U32 shift;   /* first bit of the digit */
  GST_GLES_U32 mask;    /* of the digit, shifted down */
  GST_GLES_U32 flip;    /* XORed to each word of a key, so that unsigned order is the one wanted */
  GST_GLES_U32 sign_flip;  /* XORed to words whose highest bit is set, besides */
  GST_GLES_U32 indexed;    /* 1: the payload is the place in the input */
  GST_GLES_U32 totals;     /* the word of the state where the totals of this pass's digits begin */
  GST_GLES_U32 tiles;      /* the word where what tiles tell each other in this pass begins */
  GST_GLES_U32 next_tiles; /* look-back: the same of the next pass, to be cleared */
  GST_GLES_U32 pass_index;
  GST_GLES_U32 n_passes;
  GST_GLES_U32 begin_bit; /* of the whole sort */
  GST_GLES_U32 end_bit;
  GST_GLES_U32 n_chunks;  /* serial: stretches of keys, one an invocation */
  GST_GLES_U32 max_polls; /* look-back: how often to look before doing another tile's work */
  GST_GLES_U32 stuck;     /* test: tiles divisible by it never publish; 0: none */
  GST_GLES_U32 buckets;   /* serial: the word where sort_serial_decide tells them */
  GST_GLES_U32 n_buckets;
  GST_GLES_U32 next_totals; /* look-back: where the totals of the next sort begin, to be cleared */
  GST_GLES_U32 tile_keys;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesSortPass)

/* Decides whether a sort splits keys by their highest digit first. */
GST_GLES_STRUCT (GstGlesSortDecide)
{
  GST_GLES_U32 totals;    /* the word of the state where the totals of the highest digits begin */
  GST_GLES_U32 buckets;   /* the word where to tell the first key of each bucket, and the end */
  GST_GLES_U32 n_buckets; /* as many as highest digits */
  GST_GLES_U32 lanes;     /* buckets sorted side by side */
  GST_GLES_U32 largest;   /* no bucket may have more keys */
  GST_GLES_U32 forced;    /* test: 1: however uneven buckets are */
  GST_GLES_U32 chunk_groups; /* workgroups of the kernels that work by chunks, and of the spine */
  GST_GLES_U32 spine_groups;
};
GST_GLES_STRUCT_END (GstGlesSortDecide)

/* Prepares a sort of as many keys as a word of a buffer says. */
GST_GLES_STRUCT (GstGlesSortSetup)
{
  GST_GLES_U32 word;         /* which word of the binding */
  GST_GLES_U32 capacity;     /* at most so many keys */
  GST_GLES_U32 tile;         /* keys per tile */
  GST_GLES_U32 max_groups_x; /* the device's limit along an axis */
};
GST_GLES_STRUCT_END (GstGlesSortSetup)

/* Copies one word or two of each item. */
GST_GLES_STRUCT (GstGlesSortCopy)
{
  GST_GLES_U32 n;
  GST_GLES_U32 counted;       /* 1: the number is in the state instead */
  GST_GLES_U32 words;         /* per item */
  GST_GLES_U32 source_stride; /* words from item to item; 0: the item's number is the word */
  GST_GLES_U32 source_first;  /* word of item 0 */
  GST_GLES_U32 target_stride;
  GST_GLES_U32 write_result; /* 1: nothing else does */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesSortCopy)

/* ---- reduce, scan, compact ---- */

/* Words at the head of a plan's state block; behind them partial results of teams, or what tiles tell
 * each other. The first four are the result that users see. */
#define GST_GLES_ARRAY_TOTAL 0 /* two words */
#define GST_GLES_ARRAY_COUNT 2
#define GST_GLES_ARRAY_STATUS 3  /* bits of GST_GLES_ARRAY_STATUS_ */
#define GST_GLES_ARRAY_TICKET 4  /* look-back: the next tile to begin, 0 between dispatches */
#define GST_GLES_ARRAY_DONE 5    /* look-back: workgroups that have ended, 0 between dispatches */
#define GST_GLES_ARRAY_WRAPS 6   /* look-back: how often the sum wrapped, 0 between dispatches */
#define GST_GLES_ARRAY_CLAMPED 7 /* status to start from, when the device counts the values */
#define GST_GLES_ARRAY_N 8       /* values in all, when the device counts them */
/* A record per window of the input: workgroups in x, y, z, values, sum of the windows before (two
 * words). */
#define GST_GLES_ARRAY_WINDOWS 16
#define GST_GLES_ARRAY_WINDOW_WORDS 8
#define GST_GLES_ARRAY_MAX_WINDOWS 32
#define GST_GLES_ARRAY_HEAD 288 /* words of the head; a record more than there are windows */

/* The same as GstGlesStatus. */
#define GST_GLES_ARRAY_STATUS_CLAMPED 1u
#define GST_GLES_ARRAY_STATUS_WRAPPED 2u
#define GST_GLES_ARRAY_STATUS_TRUNCATED 4u

/* One dispatch over a window of an array: as much of it as one binding covers. */
GST_GLES_STRUCT (GstGlesArrayPass)
{
  GST_GLES_U32 n;       /* values in the window */
  GST_GLES_U32 total_n; /* values in the array */
  GST_GLES_U32 counted; /* 1: both are in the state instead */
  GST_GLES_U32 window;  /* which window */
  GST_GLES_U32 first;   /* where in the array it begins */
  GST_GLES_U32 inclusive;
  GST_GLES_U32 block_size;   /* scan by blocks: values per block */
  GST_GLES_U32 first_block;  /* the block whose total is word 0 of the binding */
  GST_GLES_U32 write_totals; /* scan by blocks: 1 */
  GST_GLES_U32 epoch;        /* look-back: 1 to 16383, another one in each dispatch */
  GST_GLES_U32 max_polls;    /* look-back: how often to look before doing another tile's work */
  GST_GLES_U32 stuck;        /* test: tiles divisible by it never publish; 0: none */
  GST_GLES_U32 lower;        /* compact: bounds, as PREDICATE of lib/compact_tile.glsl wants them */
  GST_GLES_U32 upper;
  GST_GLES_U32 flip;       /* XORed to a word to make it an unsigned key */
  GST_GLES_U32 sign_flip;  /* XORed to words whose highest bit is set, besides */
  GST_GLES_U32 max_count;  /* compact: entries the outputs have room for */
  GST_GLES_U32 out_first;  /* compact: the entry that is word 0 of the bindings */
  GST_GLES_U32 out_count;  /* compact: entries that the bindings cover */
  GST_GLES_U32 max_teams;  /* reduce: partial results there is room for */
  GST_GLES_U32 is_signed;  /* reduce: the sum is of i32 */
  GST_GLES_U32 tile_words; /* look-back: where in the state tiles publish */
  GST_GLES_U32 order;      /* tiles: as in GstGlesTilesPass */
  GST_GLES_U32 counts;     /* tiles: likewise */
  GST_GLES_U32 sort_tile;  /* tiles: keys to a tile of the sort of entries */
  GST_GLES_U32 sort_max_groups_x;
  GST_GLES_U32 block_factor; /* scan by blocks: 2^32 - 1 divided by block_size, rounded down */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesArrayPass)

/* Frame compaction: which samples the values of the pass are. Sample (x + i % width, y + i / width) is
 * value i. */
GST_GLES_STRUCT (GstGlesFramePass)
{
  GST_GLES_U32 width; /* samples to a row, at least 1 */
  GST_GLES_U32 x;
  GST_GLES_U32 y;
  GST_GLES_U32 base; /* of bytes: the load that begins with value 0 */
  GST_GLES_U32 left; /* edge: samples that can be seen, first and last */
  GST_GLES_U32 top;
  GST_GLES_U32 right;
  GST_GLES_U32 bottom;
  GST_GLES_U32 sub_x; /* point = (sample << sub) - origin */
  GST_GLES_U32 sub_y;
  GST_GLES_U32 origin_x;
  GST_GLES_U32 origin_y;
  GST_GLES_U32 stride;    /* of bytes: loads from one row to the next */
  GST_GLES_U32 last_word; /* that the components reach */
  GST_GLES_U32 scale_to_8;
  GST_GLES_U32 kr; /* luma of R, G, B */
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesFramePass)

/* Prepares dispatches over as many values as a word of a buffer says. */
GST_GLES_STRUCT (GstGlesArraySetup)
{
  GST_GLES_U32 word;            /* which word of the binding */
  GST_GLES_U32 capacity;        /* at most so many values */
  GST_GLES_U32 window_size;     /* values per window */
  GST_GLES_U32 n_windows;       /* that the capacity takes */
  GST_GLES_U32 tile;            /* values per tile */
  GST_GLES_U32 teams_per_group; /* tiles that a workgroup takes at a time */
  GST_GLES_U32 max_groups;   /* at most so many workgroups, with several tiles each; 0: no limit */
  GST_GLES_U32 max_groups_x; /* the device's limit along an axis */
};
GST_GLES_STRUCT_END (GstGlesArraySetup)

/* Words to be zeroed, from `first` on. */
GST_GLES_STRUCT (GstGlesArrayClear)
{
  GST_GLES_U32 first;
  GST_GLES_U32 n;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesArrayClear)

/* ---- histogram of an array ---- */

/* Counts the keys of a window of an array: as much of it as one binding covers. A key's bin is
 * floor ((key - lower) * bins / width of the range), got without a division: it is
 * whole * (key - lower) plus what the binary fraction 0.scale_high scale_low makes of it. */
GST_GLES_STRUCT (GstGlesArrayHistogramPass)
{
  GST_GLES_U32 n;       /* keys in the window */
  GST_GLES_U32 total_n; /* keys in the array */
  GST_GLES_U32 counted; /* 1: both are in the state instead */
  GST_GLES_U32 window;  /* which window */
  GST_GLES_U32 lower;   /* the first key of bin 0 */
  GST_GLES_U32 span;    /* the last key of the last bin, minus lower */
  GST_GLES_U32 whole;
  GST_GLES_U32 scale_high;
  GST_GLES_U32 scale_low;
  GST_GLES_U32 bins;
  GST_GLES_U32 n_ranges;      /* of counters, which workgroups take turns at; 1: all fit */
  GST_GLES_U32 replica_shift; /* log2 of the copies of each counter in shared memory */
  /* tables of narrow counters */
  GST_GLES_U32 field_spots;  /* spots of a field */
  GST_GLES_U32 field_factor; /* 2^GST_GLES_ARRAY_FIELD_SHIFT / field_spots, rounded up */
  GST_GLES_U32 table_words;  /* a multiple of 32 */
  GST_GLES_U32 task_units;   /* the most 16-byte rows of keys that share a table */
};
GST_GLES_STRUCT_END (GstGlesArrayHistogramPass)

/* A table of narrow counters: slots for carries and some more words beside it in shared memory, words behind
 * it in the buffer of tables. */
#define GST_GLES_ARRAY_TABLE_SLOT_BITS 10
#define GST_GLES_ARRAY_TABLE_SPARE ((1 << GST_GLES_ARRAY_TABLE_SLOT_BITS) + 40)
#define GST_GLES_ARRAY_TABLE_TAIL 32
/* A spot's field is a product of 32 bits, moved so far to the right. */
#define GST_GLES_ARRAY_FIELD_SHIFT(field_bits)                                                     \
  ((field_bits) == 3 ? 28 : (field_bits) == 5 ? 29 : 30)
/* Bins of tables with narrow fields are scattered by a product, and gathered by its inverse, both modulo 2^16. */
#define GST_GLES_ARRAY_SCATTERS(field_bits) ((field_bits) <= 5)
#define GST_GLES_ARRAY_SCATTER 31711u
#define GST_GLES_ARRAY_UNSCATTER 31u
/* Then their upper bits are added. */
#define GST_GLES_ARRAY_SPREAD_SHIFT 10
#define GST_GLES_ARRAY_SPOTS (65536 + (65536 >> GST_GLES_ARRAY_SPREAD_SHIFT))
/* One more than there have to be: so many are told by that product. */
#define GST_GLES_ARRAY_FIELD_SPOTS(fields) ((GST_GLES_ARRAY_SPOTS + (fields) -1) / (fields) + 1)

/* ---- segments ---- */

/* Values below a node of the lowest level that is kept. */
#define GST_GLES_SEGMENTS_LEAF_BITS 4

/* What comes after the heads of the runs are known. */
GST_GLES_STRUCT (GstGlesSegmentsPass)
{
  GST_GLES_U32 n;         /* values */
  GST_GLES_U32 counted;   /* 1: their number is in the state instead */
  GST_GLES_U32 tree;      /* the word of the scratch block where nodes begin */
  GST_GLES_U32 leaves;    /* room for nodes on the lowest level, a power of two */
  GST_GLES_U32 level;     /* read, when nodes are made */
  GST_GLES_U32 flip;      /* XORed to a value to make it an unsigned key */
  GST_GLES_U32 sign_flip; /* XORed to those whose highest bit is set, besides */
  GST_GLES_U32 is_signed; /* 64-bit sums of i32 */
  GST_GLES_U32 high;      /* 64-bit sums: 1: write the high word */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesSegmentsPass)

/* ---- top-k ---- */

/* Words at the head of the state, besides those of all arrays. */
#define GST_GLES_TOP_K_PREFIX 12 /* digits of the k-th key found so far */
#define GST_GLES_TOP_K_LEFT 13   /* how many keys with these digits are among the first k */

/* A step of the search for the k-th key. */
GST_GLES_STRUCT (GstGlesTopKPass)
{
  GST_GLES_U32 n;
  GST_GLES_U32 counted; /* 1: the number of keys is in the state instead */
  GST_GLES_U32 k;
  GST_GLES_U32 shift;     /* of the digit: 24, 16, 8, 0 */
  GST_GLES_U32 flip;      /* XORed to a key, so that unsigned order is the one wanted */
  GST_GLES_U32 sign_flip; /* XORed to keys whose highest bit is set, besides */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesTopKPass)

/* ---- tiles ---- */

/* Key order. */
#define GST_GLES_TILES_SORTED 0u  /* in scratch, from word 0 on */
#define GST_GLES_TILES_FORWARD 1u /* that of the input */
#define GST_GLES_TILES_BACKWARD 2u

/* A step on the way from records to tile lists. Scratch has the places of records in key order, from
 * word 0 on; from word `offsets` on how many tiles each covers, in that order, later where its entries
 * begin in the list expanded in key order, and where the last one's end; from word `counts` on how many
 * tiles each covers in the order of the input. */
GST_GLES_STRUCT (GstGlesTilesPass)
{
  GstGlesTileGrid grid;
  GST_GLES_U32 n;       /* records */
  GST_GLES_U32 counted; /* 1: their number is in the state instead */
  GST_GLES_U32 order;   /* what key order is: GST_GLES_TILES_SORTED and so on */
  GST_GLES_U32 by;      /* what keys are: 0 a depth, 1 a value, 2 the place in the input */
  GST_GLES_U32 flip;    /* XORed to keys before they are sorted */
  GST_GLES_U32 offsets; /* word of scratch: where the entries of each record begin, in key order */
  GST_GLES_U32 head;    /* word of scratch: the number of records, that of entries */
  GST_GLES_U32 counts;  /* word of scratch: tiles of each record, in the order of the input */
  GST_GLES_U32 run;     /* entries per invocation */
  /* lists sorted one by one: words of the block where entries are counted, in this call and in the next one,
   * and for how many there is room */
  GST_GLES_U32 tally;
  GST_GLES_U32 next_tally;
  GST_GLES_U32 max_entries;
};
GST_GLES_STRUCT_END (GstGlesTilesPass)

/* Words of the block that sorting lists one by one has to itself. Behind them two counts of entries: two
 * words for all of them, then, from GST_GLES_TILES_TALLY_HEAD on, one for each tile, later where its next entry
 * goes; then tasks of two words: a tile, and which chunk of its list. */
#define GST_GLES_TILES_LOCAL_N 0     /* records */
#define GST_GLES_TILES_LOCAL_TASKS 1 /* how many there are */
/* a key, a place, a number: there is room for all entries of records before these, and for so many of that
 * one */
#define GST_GLES_TILES_LOCAL_CUT 4
#define GST_GLES_TILES_LOCAL_HEAD 16
#define GST_GLES_TILES_TALLY_HEAD 4

/* Sorts lists one by one. */
GST_GLES_STRUCT (GstGlesTilesLists)
{
  GST_GLES_U32 tasks; /* word of the block */
  GST_GLES_U32 chunk; /* entries */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesTilesLists)

#endif
