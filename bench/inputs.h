/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inputs of benchmarks and twin tests. A word depends on the seed and its index alone, not on
 * language, order or number of threads. Plain C, as CUDA programs include it too. */
#ifndef BENCH_INPUTS_H
#define BENCH_INPUTS_H

#include <stdint.h>

#ifdef __CUDACC__
#define BENCH_INLINE static __host__ __device__ inline
#else
#define BENCH_INLINE static inline
#endif

#define BENCH_SEED_KEYS 1u
#define BENCH_SEED_VALUES 2u
#define BENCH_SEED_FLAGS 3u
#define BENCH_SEED_BOXES 4u
#define BENCH_SEED_CULLED 5u

#define BENCH_STEP UINT64_C (0x9e3779b97f4a7c15)

/* Returns the low word of splitmix64 for the state @z. */
BENCH_INLINE uint32_t
bench_mix (uint64_t z)
{
  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return (uint32_t) (z ^ (z >> 31));
}

/* Returns word @i of the random stream @seed. */
BENCH_INLINE uint32_t
bench_random (uint32_t seed, uint64_t i)
{
  return bench_mix (((uint64_t) seed << 40) + (i + 1) * BENCH_STEP);
}

/* Returns a word of lower entropy: the AND of @n_and random ones, at least one. */
BENCH_INLINE uint32_t
bench_word (uint32_t seed, uint64_t i, uint32_t n_and)
{
  uint32_t word = 0xffffffffu, k;

  for (k = 0; k < n_and; k++)
    word &= bench_random (seed + 16 * k, i);
  return word;
}

/* ---- inputs by name; the speed of an algorithm should depend little on them ---- */

enum {
  BENCH_INPUT_RANDOM,
  BENCH_INPUT_AND_2, /* the AND of 2, 3, 4, 5 random words: decreasing entropy */
  BENCH_INPUT_AND_3,
  BENCH_INPUT_AND_4,
  BENCH_INPUT_AND_5,
  BENCH_INPUT_EQUAL,
  BENCH_INPUT_SORTED, /* evenly spread over all values */
  BENCH_INPUT_REVERSED,
  BENCH_INPUT_ALTERNATING, /* two values */
  BENCH_INPUT_OUTLIER,     /* equal keys but one */
  BENCH_N_INPUTS
};

#define BENCH_INPUT_NAMES                                                                          \
  {                                                                                                \
    "random", "and-2", "and-3", "and-4", "and-5", "equal", "sorted", "reversed", "alternating",    \
        "outlier"                                                                                  \
  }

/* Returns key @i of @n of an input that is not random. Narrower keys are its upper bits. */
BENCH_INLINE uint32_t
bench_key (uint32_t input, uint64_t i, uint64_t n)
{
  switch (input) {
    case BENCH_INPUT_SORTED:
      return (uint32_t) ((i << 32) / n);
    case BENCH_INPUT_REVERSED:
      return (uint32_t) (((n - 1 - i) << 32) / n);
    case BENCH_INPUT_ALTERNATING:
      return (i & 1) != 0 ? 0x01020304u : 0xfefdfcfbu;
    case BENCH_INPUT_OUTLIER:
      return i == n / 3 ? 5 : 0x40000000u;
    default:
      return 0x5a5a5a5au;
  }
}

/* Returns word @i of @n that hold keys of @key_bytes bytes: 1, 2, 4, or 8 (the lower word
 * first). */
BENCH_INLINE uint32_t
bench_input_word (uint32_t input, uint32_t seed, uint64_t i, uint64_t n, uint32_t key_bytes)
{
  const uint32_t per_word = key_bytes < 4 ? 4 / key_bytes : 1, bits = 32 / per_word;
  uint32_t word = 0, k;

  if (input <= BENCH_INPUT_AND_5)
    return bench_word (seed, i, 1 + input - BENCH_INPUT_RANDOM);
  if (key_bytes == 8)
    return bench_key (input, i / 2, n / 2);
  for (k = 0; k < per_word; k++)
    word |= bench_key (input, per_word * i + k, per_word * n) >> (32 - bits) << bits * k;
  return word;
}

/* Returns the number of copies of an input that launches use in turn, at most @wanted. Inputs that
 * are larger than all caches need only one. */
BENCH_INLINE uint32_t
bench_n_copies (uint64_t input_bytes, uint32_t wanted)
{
  const uint64_t room = (UINT64_C (256) << 20) / (input_bytes > 0 ? input_bytes : 1);

  return room < 1 ? 1 : room < wanted ? (uint32_t) room : wanted;
}

/* ---- frames and records ---- */

/* A gradient with noise: neighbours are similar, and all levels occur. */
BENCH_INLINE uint8_t
bench_pixel (uint32_t x, uint32_t y, uint32_t width)
{
  return (uint8_t) (200 * x / width +
      (bench_random (BENCH_SEED_VALUES, (uint64_t) y * width + x) & 63));
}

/* A record of tile lists, in pixels: the layout of GstGlesTileRecord. */
typedef struct {
  float min_x, min_y, max_x, max_y, depth, radius;
  uint32_t index, pad;
} BenchSplat;

#define BENCH_SPLATS_WIDTH 1920
#define BENCH_SPLATS_HEIGHT 1080
#define BENCH_SPLATS_TILE 16

/* Makes box @i, of 2 to 32 pixels, anywhere in the frame. Used on the host only, where each step is
 * rounded to float. */
static inline void
bench_splat (uint32_t i, BenchSplat *splat)
{
  const uint32_t place = bench_random (BENCH_SEED_BOXES, 2 * (uint64_t) i);
  const uint32_t other = bench_random (BENCH_SEED_BOXES, 2 * (uint64_t) i + 1);
  const float x = (float) (place & 0xffff) * (BENCH_SPLATS_WIDTH / 65536.0f);
  const float y = (float) (place >> 16) * (BENCH_SPLATS_HEIGHT / 65536.0f);
  const float radius = (float) (1 + (other & 0xf));

  splat->min_x = x - radius;
  splat->min_y = y - radius;
  splat->max_x = x + radius;
  splat->max_y = y + radius;
  splat->depth = (float) (other >> 8) / 16777216.0f;
  splat->radius = radius;
  splat->index = i;
  splat->pad = 0;
}

#endif
