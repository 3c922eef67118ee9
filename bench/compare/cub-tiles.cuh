/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of splats by tiles, made as the renderers of 3D Gaussian splatting make them
 * (https://github.com/graphdeco-inria/diff-gaussian-rasterization): tiles counted per splat, prefix sum,
 * one key of 64 bits (tile, depth) per splat and tile, one sort of those, where each tile begins. */
#ifndef COMPARE_CUB_TILES_CUH
#define COMPARE_CUB_TILES_CUH

#include <algorithm>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/device_vector.h>

#include "inputs.h"

#define COLUMNS ((BENCH_SPLATS_WIDTH + BENCH_SPLATS_TILE - 1) / BENCH_SPLATS_TILE)
#define ROWS ((BENCH_SPLATS_HEIGHT + BENCH_SPLATS_TILE - 1) / BENCH_SPLATS_TILE)
#define N_TILES (COLUMNS * ROWS)
#define BLOCK 256

struct Tiles {
  int n, n_entries;
  thrust::device_vector<BenchSplat> splats;
  thrust::device_vector<uint32_t> counts, ends;      /* tiles of each splat; prefix sums */
  thrust::device_vector<unsigned long long> keys[2]; /* tile << 32 | depth, and sorted */
  thrust::device_vector<uint32_t> values[2];         /* numbers of splats, likewise: the lists */
  thrust::device_vector<uint32_t> offsets;           /* of each tile's list, and the end */
};

struct Span {
  uint32_t min_x, min_y, max_x, max_y; /* tiles, inclusive */
};

/* The tiles of a splat; false for none. */
static __host__ __device__ bool
span_of (const BenchSplat &s, Span *span)
{
  if (!(s.min_x <= s.max_x) || !(s.min_y <= s.max_y) || s.max_x < 0 || s.max_y < 0 ||
      s.min_x >= BENCH_SPLATS_WIDTH || s.min_y >= BENCH_SPLATS_HEIGHT)
    return false;
  span->min_x = (uint32_t) fmaxf (s.min_x, 0) / BENCH_SPLATS_TILE;
  span->min_y = (uint32_t) fmaxf (s.min_y, 0) / BENCH_SPLATS_TILE;
  span->max_x = (uint32_t) fminf (s.max_x, BENCH_SPLATS_WIDTH - 1) / BENCH_SPLATS_TILE;
  span->max_y = (uint32_t) fminf (s.max_y, BENCH_SPLATS_HEIGHT - 1) / BENCH_SPLATS_TILE;
  return true;
}

static __host__ __device__ uint32_t
count_of (const BenchSplat &s)
{
  Span span;

  return span_of (s, &span) ? (span.max_x - span.min_x + 1) * (span.max_y - span.min_y + 1) : 0;
}

__global__ void
count_tiles (const BenchSplat *splats, int n, uint32_t *counts)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    counts[i] = count_of (splats[i]);
}

/* Depths are not negative: their bits are in order. */
__global__ void
duplicate_with_keys (const BenchSplat *splats, int n, const uint32_t *ends,
    unsigned long long *keys, uint32_t *values)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Span span;

  if (i >= n)
    return;
  uint32_t at = i > 0 ? ends[i - 1] : 0;
  const BenchSplat s = splats[i];
  if (!span_of (s, &span))
    return;
  for (uint32_t y = span.min_y; y <= span.max_y; y++) {
    for (uint32_t x = span.min_x; x <= span.max_x; x++) {
      keys[at] = (unsigned long long) (y * COLUMNS + x) << 32 | __float_as_uint (s.depth);
      values[at++] = i;
    }
  }
}

/* Where each tile's list begins: the first of its entries, or of those of a later tile. */
__global__ void
find_ranges (const unsigned long long *keys, int n_entries, uint32_t *offsets)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i > n_entries)
    return;
  int first = i > 0 ? (int) (keys[i - 1] >> 32) + 1 : 0;
  int last = i < n_entries ? (int) (keys[i] >> 32) : N_TILES;
  for (int tile = first; tile <= last; tile++)
    offsets[tile] = i;
}

static inline void
make_tiles (Tiles *t, int n)
{
  std::vector<BenchSplat> splats (n);

  for (int i = 0; i < n; i++) {
    bench_splat ((uint32_t) i, &splats[i]);
    t->n_entries += count_of (splats[i]);
  }
  t->n = n;
  t->splats = splats;
  t->counts.resize (n);
  t->ends.resize (n);
  for (int i = 0; i < 2; i++) {
    t->keys[i].resize (t->n_entries);
    t->values[i].resize (t->n_entries);
  }
  t->offsets.resize (N_TILES + 1);
}

static inline int
tile_bits ()
{
  int bits = 0;

  while (N_TILES - 1 >> bits)
    bits++;
  return bits;
}

template <typename T>
static T *
raw (thrust::device_vector<T> &vector)
{
  return vector.data ().get ();
}

/* Queues all of it; with @temporary == NULL only says how much of that is needed. How many entries
 * there are is taken as known: the renderers ask for it, which costs a wait. */
static inline cudaError_t
list_tiles (Tiles *t, void *temporary, size_t *temporary_bytes)
{
  size_t scan_bytes = *temporary_bytes, sort_bytes = *temporary_bytes;
  const int n_blocks = (t->n + BLOCK - 1) / BLOCK;
  cudaError_t error;

  if (temporary != NULL)
    count_tiles<<<n_blocks, BLOCK>>> (raw (t->splats), t->n, raw (t->counts));
  error =
      cub::DeviceScan::InclusiveSum (temporary, scan_bytes, raw (t->counts), raw (t->ends), t->n);
  if (error != cudaSuccess)
    return error;
  if (temporary != NULL)
    duplicate_with_keys<<<n_blocks, BLOCK>>> (
        raw (t->splats), t->n, raw (t->ends), raw (t->keys[0]), raw (t->values[0]));
  error = cub::DeviceRadixSort::SortPairs (temporary, sort_bytes, raw (t->keys[0]),
      raw (t->keys[1]), raw (t->values[0]), raw (t->values[1]), t->n_entries, 0, 32 + tile_bits ());
  if (error != cudaSuccess)
    return error;
  if (temporary != NULL)
    find_ranges<<<t->n_entries / BLOCK + 1, BLOCK>>> (
        raw (t->keys[1]), t->n_entries, raw (t->offsets));
  else
    *temporary_bytes = std::max (scan_bytes, sort_bytes);
  return cudaGetLastError ();
}

#endif
