/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Masks (which pixels of a picture are set) as inputs of connected components, for benchmarks and
 * tests. Plain C, as CUDA programs include it too. */
#ifndef BENCH_MASKS_H
#define BENCH_MASKS_H

#include "inputs.h"

enum {
  BENCH_MASK_EMPTY,
  BENCH_MASK_FULL,
  BENCH_MASK_CHECKERBOARD, /* one component with 8 neighbours; with 4, one component per pixel */
  BENCH_MASK_SPIRAL,       /* one line of pixels, from the edge to the middle */
  BENCH_MASK_SERPENTINE,   /* one line of pixels, row after row */
  BENCH_MASK_COMB,         /* columns that are joined in the last row */
  BENCH_MASK_RINGS,        /* nested rings */
  BENCH_MASK_STRIPES,      /* diagonal stripes */
  BENCH_MASK_BLOBS,        /* some thousand overlapping squares */
  BENCH_MASK_NOISE,        /* 0 % of all pixels; BENCH_MASK_NOISE + p: p % */
  BENCH_N_MASKS = BENCH_MASK_NOISE + 101
};

BENCH_INLINE uint32_t
bench_mask_ring (uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
  uint32_t right = width - 1 - x, below = height - 1 - y;
  uint32_t across = x < right ? x : right, down = y < below ? y : below;

  return across < down ? across : down;
}

/* Every second ring is set; each is cut at its left edge and joined to the next one there. */
BENCH_INLINE int
bench_mask_spiral (uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
  uint32_t ring = bench_mask_ring (x, y, width, height);

  if (ring % 2 == 0)
    return !(x == ring && y == ring + 1);
  return x == ring && y == ring + 1;
}

/* Whether the pixel is set. Depends on the arguments alone. */
BENCH_INLINE int
bench_mask (uint32_t mask, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
  uint64_t i = (uint64_t) y * width + x;

  switch (mask) {
    case BENCH_MASK_EMPTY:
      return 0;
    case BENCH_MASK_FULL:
      return 1;
    case BENCH_MASK_CHECKERBOARD:
      return (x + y) % 2 == 0;
    case BENCH_MASK_SPIRAL:
      return bench_mask_spiral (x, y, width, height);
    case BENCH_MASK_SERPENTINE:
      return y % 2 == 0 || x == (y % 4 == 1 ? width - 1 : 0);
    case BENCH_MASK_COMB:
      return x % 2 == 0 || y == height - 1;
    case BENCH_MASK_RINGS:
      return bench_mask_ring (x, y, width, height) % 2 == 0;
    case BENCH_MASK_STRIPES:
      return (x + 2 * y) % 7 < 3;
    case BENCH_MASK_BLOBS:
      return bench_random (BENCH_SEED_FLAGS, (uint64_t) (y / 12) * 65536 + x / 12) % 100 < 30;
    default:
      return bench_random (BENCH_SEED_FLAGS, i) % 100 < mask - BENCH_MASK_NOISE;
  }
}

/* In words made from a mask, values from BENCH_MASK_LOWER on are set. */
#define BENCH_MASK_LOWER 128u

BENCH_INLINE uint32_t
bench_mask_word (uint32_t mask, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
  uint32_t value = bench_random (BENCH_SEED_VALUES, (uint64_t) y * width + x);

  return bench_mask (mask, x, y, width, height) ? BENCH_MASK_LOWER + value % 128
                                                : value % BENCH_MASK_LOWER;
}

#endif
