/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structures that C and GLSL share. In GLSL they are in std140 uniform blocks or std430 storage
 * blocks, so every structure consists of u32 words and its size is a multiple of 16 bytes. C
 * asserts the sizes. */
#ifndef GST_GLES_LAYOUT_H
#define GST_GLES_LAYOUT_H

#ifdef GL_ES
#define GST_GLES_U32 uint
#define GST_GLES_STRUCT(name) struct name
#define GST_GLES_STRUCT_END(name)
#define GST_GLES_NESTED(name, member)
#else
#include <glib.h>
#define GST_GLES_U32 guint32
#define GST_GLES_STRUCT(name)                                                                      \
  typedef struct _##name name;                                                                     \
  struct _##name
#define GST_GLES_STRUCT_END(name) G_STATIC_ASSERT (sizeof (name) % 16 == 0);
/* std140 aligns a structure within a structure to 16 bytes. */
#define GST_GLES_NESTED(name, member) G_STATIC_ASSERT (G_STRUCT_OFFSET (name, member) % 16 == 0);
#endif

/* One stored component of an image: the position and encoding of its samples. Sample (x, y), 0 <=
 * x < width, 0 <= y < height, lies in the word of `word_bytes` bytes (1, 2 or 4, big-endian when
 * `big_endian`) at byte offset + y * stride + x * step; its value is (word >> shift) & ((1 <<
 * depth) - 1). It stands for the luma positions (x << sub_x, y << sub_y) and following. */
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

/* Scales a sample of `depth` bits to 8 bits, rounded; max = (1 << depth) - 1. Luma is computed
 * from such values where R, G and B differ in depth. The identity for 8 bits. */
#define GST_GLES_SCALE_TO_8(v, max) (((v) *255u + ((max) >> 1)) / (max))

/* Luma of R, G, B; kr + kg + kb = 65536, so the sum fits a u32 up to 16 bits per sample. */
#define GST_GLES_LUMA(kr, kg, kb, r, g, b) (((kr) * (r) + (kg) * (g) + (kb) * (b) + 32768u) >> 16)

/* ---- textures ---- */

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

/* ---- histogram ---- */

#define GST_GLES_FRAME_HISTOGRAM_MAX_JOBS 4

/* The index of no counter, for samples outside the cell and for unused lanes. */
#define GST_GLES_FRAME_HISTOGRAM_NO_COUNTER 0x40000000u

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
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
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

/* ---- array algorithms ---- */

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

/* A rectangle that is to be listed in the tiles it covers. The f32 words are stored as bits,
 * because a load as float may change denormals and NaNs. */
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

/* The size of a frame in pixels, and the grid of tiles over it. The last column and the last row
 * of tiles may exceed the frame. */
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

/* Copies the items of a result, whose number the result has. */
GST_GLES_STRUCT (GstGlesReadbackItems)
{
  GST_GLES_U32 first_row; /* the 16-byte row that is row 0 of the bindings */
  GST_GLES_U32 n_rows;    /* rows that the bindings cover */
  GST_GLES_U32 item_bytes;
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesReadbackItems)

/* ---- sort ---- */

/* Words at the head of a sort's state block. The totals of each pass's digits and the words per
 * tile follow. The first four words are the result that users see. */
#define GST_GLES_SORT_TOTAL 0 /* two words */
#define GST_GLES_SORT_COUNT 2
#define GST_GLES_SORT_STATUS 3
#define GST_GLES_SORT_N 4 /* number of keys, when the device counts them */
/* three words: the grid with one workgroup per tile, when the device counts */
#define GST_GLES_SORT_GROUPS 8
#define GST_GLES_SORT_TICKETS 16 /* look-back: one word per pass, the next tile to begin */
/* serial: three words each: the grids of the kernels of either way; 0 for the way that is not
 * taken */
#define GST_GLES_SORT_CHUNKS_IF_SPLIT 32
#define GST_GLES_SORT_BUCKETS_IF_SPLIT 36
#define GST_GLES_SORT_CHUNKS_IF_WHOLE 40
#define GST_GLES_SORT_SPINE_IF_WHOLE 44
#define GST_GLES_SORT_HEAD 48 /* number of words of the head */

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
  /* word of the state: this pass's words per tile or chunk, counts or status words */
  GST_GLES_U32 tile_words;
  GST_GLES_U32 next_tile_words; /* look-back: the same for the next pass; this pass clears them */
  GST_GLES_U32 pass_index;
  GST_GLES_U32 n_passes;
  GST_GLES_U32 begin_bit; /* of the whole sort */
  GST_GLES_U32 end_bit;
  GST_GLES_U32 n_chunks; /* serial: chunks of keys, one per invocation */
  /* look-back: how often a status word is read before its tile counts as stalled */
  GST_GLES_U32 spin_limit;
  /* serial: word of the state: table of buckets from sort_serial_decide */
  GST_GLES_U32 buckets;
  GST_GLES_U32 n_buckets;
  GST_GLES_U32 next_totals; /* look-back: totals of the next sort; this sort clears them */
  GST_GLES_U32 tile_keys;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
  GST_GLES_U32 pad_3;
};
GST_GLES_STRUCT_END (GstGlesSortPass)

/* The decision whether a sort splits keys by their most significant digit first. */
GST_GLES_STRUCT (GstGlesSortDecide)
{
  GST_GLES_U32 totals; /* word of the state: totals of the most significant digits */
  /* word of the state: receives the first key of each bucket, and the end */
  GST_GLES_U32 buckets;
  GST_GLES_U32 n_buckets;    /* number of values of the most significant digit */
  GST_GLES_U32 lanes;        /* buckets that a workgroup sorts at a time */
  GST_GLES_U32 largest;      /* the most keys that a bucket may have */
  GST_GLES_U32 forced;       /* test: 1: split even if the buckets are unequal */
  GST_GLES_U32 chunk_groups; /* grids: of the kernels that process chunks, and of the spine */
  GST_GLES_U32 spine_groups;
};
GST_GLES_STRUCT_END (GstGlesSortDecide)

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

/* ---- reduce, scan, compact ---- */

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

GST_GLES_STRUCT (GstGlesScanPass)
{
  GstGlesArrayPass array;
  GstGlesLookBackPass look_back;
  GST_GLES_U32 inclusive;
  GST_GLES_U32 block_size;   /* values per block */
  GST_GLES_U32 block_factor; /* 2^32 - 1 divided by block_size, rounded down */
  GST_GLES_U32 first_block;  /* the block whose total is word 0 of the binding */
  GST_GLES_U32 write_totals; /* 1: write the totals of blocks */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesScanPass)
GST_GLES_NESTED (GstGlesScanPass, look_back)

GST_GLES_STRUCT (GstGlesReducePass)
{
  GstGlesArrayPass array;
  GST_GLES_U32 max_teams; /* capacity for partial results */
  GST_GLES_U32 is_signed; /* the sum is of i32 */
  GST_GLES_U32 flip;      /* XORed to a word to make it an unsigned key */
  GST_GLES_U32 sign_flip; /* additionally XORed to words whose highest bit is set */
};
GST_GLES_STRUCT_END (GstGlesReducePass)

/* Bounds of PREDICATE in compact/compact_tile.glsl. */
GST_GLES_STRUCT (GstGlesCompactPass)
{
  GstGlesArrayPass array;
  GstGlesLookBackPass look_back;
  GST_GLES_U32 lower;     /* the smallest key, or integer, that passes */
  GST_GLES_U32 upper;     /* the largest key that passes */
  GST_GLES_U32 span;      /* of integers: the largest that passes, minus lower */
  GST_GLES_U32 flip;      /* XORed to a word to make it an unsigned key */
  GST_GLES_U32 sign_flip; /* additionally XORed to words whose highest bit is set */
  GST_GLES_U32 max_count; /* capacity of the outputs, in entries */
  GST_GLES_U32 out_first; /* the entry that is word 0 of the bindings */
  GST_GLES_U32 out_count; /* number of entries that the bindings cover */
};
GST_GLES_STRUCT_END (GstGlesCompactPass)
GST_GLES_NESTED (GstGlesCompactPass, look_back)

/* Frame compaction: the samples that the values of the pass are. Value i is sample (x + i % width,
 * y + i / width). */
GST_GLES_STRUCT (GstGlesFramePass)
{
  GST_GLES_U32 width; /* samples per row, at least 1 */
  GST_GLES_U32 x;
  GST_GLES_U32 y;
  GST_GLES_U32 base; /* byte samples: index of the load that begins with value 0 */
  GST_GLES_U32 left; /* edge: the first and the last visible samples */
  GST_GLES_U32 top;
  GST_GLES_U32 right;
  GST_GLES_U32 bottom;
  GST_GLES_U32 sub_x; /* point = (sample << sub) - origin */
  GST_GLES_U32 sub_y;
  GST_GLES_U32 origin_x;
  GST_GLES_U32 origin_y;
  GST_GLES_U32 stride;    /* byte samples: loads from one row to the next */
  GST_GLES_U32 last_word; /* last word of the image that the components cover */
  GST_GLES_U32 scale_to_8;
  GST_GLES_U32 kr; /* weights of R, G and B for luma */
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 row_samples; /* samples per row of the whole picture */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesFramePass)

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

/* ---- histogram of an array ---- */

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

/* ---- segments ---- */

/* log2 of the values below a node of the lowest stored level. */
#define GST_GLES_SEGMENTS_LEAF_BITS 4

/* Lists the runs of equal keys. */
GST_GLES_STRUCT (GstGlesSegmentsRunsPass)
{
  GstGlesArrayPass array;
  GST_GLES_U32 max_count; /* capacity for runs */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesSegmentsRunsPass)

/* A step after the heads of the runs are known. */
GST_GLES_STRUCT (GstGlesSegmentsPass)
{
  GST_GLES_U32 n;         /* values */
  GST_GLES_U32 counted;   /* 1: the number of values is in the state instead */
  GST_GLES_U32 tree;      /* word of the scratch block: the first node */
  GST_GLES_U32 leaves;    /* capacity for nodes on the lowest level, a power of two */
  GST_GLES_U32 level;     /* the level that is read when nodes are made */
  GST_GLES_U32 flip;      /* XORed to a value to make it an unsigned key */
  GST_GLES_U32 sign_flip; /* additionally XORed to values whose highest bit is set */
  GST_GLES_U32 is_signed; /* 64-bit sums of i32 */
  GST_GLES_U32 high;      /* 64-bit sums: 1: write the high words */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesSegmentsPass)

/* ---- top-k ---- */

/* Additional words at the head of the state. */
#define GST_GLES_TOP_K_PREFIX 12 /* the digits of the k-th key that are known */
#define GST_GLES_TOP_K_LEFT 13   /* number of keys with these digits that are among the first k */

/* One step of the search for the k-th key, or of the selection of the first k keys. */
GST_GLES_STRUCT (GstGlesTopKPass)
{
  GstGlesArrayPass array;
  GST_GLES_U32 k;
  GST_GLES_U32 shift;     /* search: first bit of the digit: 24, 16, 8, 0 */
  GST_GLES_U32 flip;      /* XORed to a key to get unsigned order */
  GST_GLES_U32 sign_flip; /* additionally XORed to keys whose highest bit is set */
};
GST_GLES_STRUCT_END (GstGlesTopKPass)

#endif
