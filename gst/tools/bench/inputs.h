/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What benchmarks and twin tests run on: words that are the same for the same seed and place, whatever
 * the language, the order and the number of threads. Plain C: CUDA programs include it too. */
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

#define BENCH_STEP UINT64_C (0x9e3779b97f4a7c15)

/* The low word of what splitmix64 makes of the state @z. */
BENCH_INLINE uint32_t
bench_mix (uint64_t z)
{
  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return (uint32_t) (z ^ (z >> 31));
}

/* Word @i of the random stream @seed. */
BENCH_INLINE uint32_t
bench_random (uint32_t seed, uint64_t i)
{
  return bench_mix (((uint64_t) seed << 40) + (i + 1) * BENCH_STEP);
}

/* A word of less entropy: the AND of @n_and random ones; 0 stands for equal words. */
BENCH_INLINE uint32_t
bench_word (uint32_t seed, uint64_t i, uint32_t n_and)
{
  uint32_t word = n_and > 0 ? 0xffffffffu : 0x12345678u, k;

  for (k = 0; k < n_and; k++)
    word &= bench_random (seed + 16 * k, i);
  return word;
}

#endif
