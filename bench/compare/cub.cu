/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What CUB takes for an experiment of gst-gles-bench-1.0, on the same inputs. bench/compare/cub
 * builds this with nvcc and runs it; by hand:
 *
 *   nvcc -O3 -std=c++17 -arch=native -I bench -o compare-cub bench/compare/cub.cu
 *   ./compare-cub EXPERIMENT N INPUT ROTATE RUNS
 *
 * INPUT is a number: BENCH_INPUT_…. Tiles are listed as the renderers of 3D Gaussian splatting do
 * it, by one sort of 64-bit keys.
 *
 * Prints JSON, with the times of all runs. Times are between two events around what one call
 * queues, initialisation of CUB's temporary memory included, its allocation not; launches are
 * measured in batches of about 400 us, 20 launches at most. */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

#include "cub-tiles.cuh"
#include "inputs.h"

#define BATCH_US 400.0f
#define MAX_BATCH 20
#define WARM_UP 3
/* A GPU that is idle lowers its clock, and raises it after this time of work. */
#define WAKE_S 0.5

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t check_error = (call);                                                              \
    if (check_error != cudaSuccess) {                                                              \
      std::fprintf (                                                                               \
          stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString (check_error)); \
      std::exit (1);                                                                               \
    }                                                                                              \
  } while (0)

typedef unsigned long long Wide;

/* One experiment at one size: arrays on the device. */
struct Arrays {
  int n;
  std::vector<thrust::device_vector<uint32_t>> inputs; /* copies that calls take in turns */
  size_t turn;
  thrust::device_vector<uint32_t> indices, output, output_indices;
  thrust::device_vector<Wide> total; /* of the sum; a count */
  thrust::device_vector<char> temporary;
  Tiles tiles;

  template <typename T> T *in ()
  {
    return reinterpret_cast<T *> (inputs[turn % inputs.size ()].data ().get ());
  }
  template <typename T = uint32_t> T *out ()
  {
    return reinterpret_cast<T *> (output.data ().get ());
  }
};

__global__ void
fill_words (uint32_t *words, size_t n, uint32_t seed, uint32_t input, uint32_t key_bytes)
{
  size_t step = (size_t) gridDim.x * blockDim.x;

  for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    words[i] = bench_input_word (input, seed, i, n, key_bytes);
}

__global__ void
nothing ()
{
}

struct AddWide {
  __host__ __device__ Wide operator() (Wide a, Wide b) const
  {
    return a + b;
  }
};

struct UpperHalf {
  __host__ __device__ bool operator() (uint32_t value) const
  {
    return value >= 0x80000000u;
  }
};

/* ---- calls: with @temporary == NULL each only says in @bytes how much of it is needed ---- */

typedef cudaError_t (*Call) (Arrays *a, void *temporary, size_t *bytes);

static cudaError_t
call_reduce (Arrays *a, void *temporary, size_t *bytes)
{
  return cub::DeviceReduce::Reduce (
      temporary, *bytes, a->in<uint32_t> (), a->total.data ().get (), a->n, AddWide (), (Wide) 0);
}

static cudaError_t
call_scan (Arrays *a, void *temporary, size_t *bytes)
{
  return cub::DeviceScan::ExclusiveSum (temporary, *bytes, a->in<uint32_t> (), a->out (), a->n);
}

static cudaError_t
call_compact (Arrays *a, void *temporary, size_t *bytes)
{
  return cub::DeviceSelect::If (temporary, *bytes, a->in<uint32_t> (), a->out (),
      a->total.data ().get (), a->n, UpperHalf ());
}

template <typename Key>
static cudaError_t
call_sort_keys (Arrays *a, void *temporary, size_t *bytes)
{
  return cub::DeviceRadixSort::SortKeys (
      temporary, *bytes, a->in<const Key> (), a->out<Key> (), a->n);
}

static cudaError_t
call_sort_pairs (Arrays *a, void *temporary, size_t *bytes)
{
  return cub::DeviceRadixSort::SortPairs (temporary, *bytes, a->in<uint32_t> (), a->out (),
      a->indices.data ().get (), a->output_indices.data ().get (), a->n);
}

template <typename Key, int BINS>
static cudaError_t
call_histogram (Arrays *a, void *temporary, size_t *bytes)
{
  return cub::DeviceHistogram::HistogramEven (
      temporary, *bytes, a->in<const Key> (), a->out (), BINS + 1, 0, 1 << 8 * sizeof (Key), a->n);
}

static cudaError_t
call_tiles (Arrays *a, void *temporary, size_t *bytes)
{
  return list_tiles (&a->tiles, temporary, bytes);
}

static cudaError_t
call_nothing (Arrays *, void *, size_t *)
{
  nothing<<<1, 32>>> ();
  return cudaGetLastError ();
}

#define HISTOGRAM(bins)                                                                            \
  {                                                                                                \
    "histogram-" #bins, call_histogram<unsigned short, bins>, BENCH_SEED_KEYS, 2, bins             \
  }

static const struct Experiment {
  const char *name;
  Call call;
  uint32_t seed;
  int bytes; /* of an input; 0: splats */
  int bins;  /* 0: no histogram */
} experiments[] = {
  { "reduce", call_reduce, BENCH_SEED_VALUES, 4, 0 },
  { "scan", call_scan, BENCH_SEED_VALUES, 4, 0 },
  { "compact", call_compact, BENCH_SEED_VALUES, 4, 0 },
  { "sort-keys", call_sort_keys<uint32_t>, BENCH_SEED_KEYS, 4, 0 },
  { "sort-pairs", call_sort_pairs, BENCH_SEED_KEYS, 4, 0 },
  { "sort-u64", call_sort_keys<Wide>, BENCH_SEED_KEYS, 8, 0 },
  { "histogram-256", call_histogram<unsigned char, 256>, BENCH_SEED_KEYS, 1, 256 },
  HISTOGRAM (512),
  HISTOGRAM (1024),
  HISTOGRAM (2048),
  HISTOGRAM (4096),
  HISTOGRAM (12288),
  HISTOGRAM (65536),
  { "tiles", call_tiles, BENCH_SEED_BOXES, 0, 0 },
};

/* ---- set-up ---- */

static void
allocate (const Experiment *x, Arrays *a, uint32_t input, int rotate)
{
  const size_t bytes = (size_t) a->n * x->bytes, words = (bytes + 3) / 4;
  size_t temporary_bytes = 0;

  a->total.resize (1);
  if (x->bytes == 0)
    make_tiles (&a->tiles, a->n);
  else
    a->inputs.resize (bench_n_copies (bytes, rotate));
  for (auto &copy : a->inputs) {
    copy.resize (words + 4);
    fill_words<<<4096, 256>>> (copy.data ().get (), words, x->seed, input, x->bytes);
    CHECK (cudaGetLastError ());
  }
  a->output.resize (std::max (words, (size_t) x->bins) + 4);
  if (x->call == call_sort_pairs) {
    a->indices.resize (a->n);
    a->output_indices.resize (a->n);
    thrust::sequence (a->indices.begin (), a->indices.end ());
  }
  CHECK (x->call (a, NULL, &temporary_bytes));
  a->temporary.resize (std::max (temporary_bytes, (size_t) 1));
  CHECK (cudaDeviceSynchronize ());
}

/* ---- measuring ---- */

/* Microseconds per call, of @batch calls between two events. */
static float
time_calls (Call call, Arrays *a, int batch)
{
  static cudaEvent_t begin, end;
  size_t bytes = a->temporary.size ();
  float ms = 0;

  if (begin == NULL) {
    CHECK (cudaEventCreate (&begin));
    CHECK (cudaEventCreate (&end));
  }
  CHECK (cudaDeviceSynchronize ());
  CHECK (cudaEventRecord (begin));
  for (int i = 0; i < batch; i++, a->turn++)
    CHECK (call (a, a->temporary.data ().get (), &bytes));
  CHECK (cudaEventRecord (end));
  CHECK (cudaEventSynchronize (end));
  CHECK (cudaEventElapsedTime (&ms, begin, end));
  return ms * 1000 / batch;
}

/* Prints the times of @runs batches in ns, as an array, once the device is awake. */
static void
print_times (const char *name, Call call, Arrays *a, int runs)
{
  const auto start = std::chrono::steady_clock::now ();
  const std::chrono::duration<double> wake (WAKE_S);
  float us = 0;

  for (int i = 0; i < WARM_UP || std::chrono::steady_clock::now () - start < wake; i++)
    us = time_calls (call, a, i < WARM_UP ? 1 : MAX_BATCH);
  const int batch = std::min ((int) (BATCH_US / us) + 1, MAX_BATCH);
  std::printf ("\"%s\": [", name);
  for (int i = 0; i < runs; i++)
    std::printf ("%s%.1f", i > 0 ? ", " : "", 1000.0 * time_calls (call, a, batch));
  std::printf ("],\n");
}

/* ---- the checksum: the sum of words times odd numbers, as in gst-gles-bench-1.0 ---- */

struct Checksum {
  Wide sum = 0, at = 0;

  template <typename T> void add (const thrust::device_vector<T> &source, size_t n)
  {
    const thrust::host_vector<T> host (source.begin (), source.begin () + n);
    const uint32_t *words = reinterpret_cast<const uint32_t *> (host.data ());

    for (size_t i = 0; i < n * sizeof (T) / 4; i++)
      sum += words[i] * (2 * at++ + 1);
  }
};

static Wide
checksum (const Experiment *x, const Arrays *a)
{
  Checksum c;

  if (x->bytes == 0) {
    c.add (a->tiles.offsets, N_TILES + 1);
    c.add (a->tiles.values[1], a->tiles.n_entries);
  } else if (x->bins > 0) {
    c.add (a->output, x->bins);
  } else if (x->call == call_compact) {
    c.add (a->output, a->total[0]);
  } else if (x->call != call_reduce) {
    c.add (a->output, (size_t) a->n * x->bytes / 4);
    c.add (a->output_indices, a->output_indices.size ());
  }
  if (x->call == call_compact || x->call == call_reduce)
    c.add (a->total, 1);
  return c.sum;
}

int
main (int argc, char **argv)
{
  const Experiment *x = argc == 6 ? experiments : std::end (experiments);
  cudaDeviceProp properties;
  int runtime = 0;
  Arrays a = {};

  while (x != std::end (experiments) && argv[1] != std::string (x->name))
    x++;
  if (x == std::end (experiments)) {
    std::fprintf (stderr, "Usage: compare-cub EXPERIMENT N INPUT ROTATE RUNS\n");
    return 2;
  }
  a.n = std::atoi (argv[2]);
  CHECK (cudaGetDeviceProperties (&properties, 0));
  CHECK (cudaRuntimeGetVersion (&runtime));
  std::printf (
      "{\"cub_version\": %d, \"cuda_runtime\": %d, \"device\": \"%s\", \"l2_bytes\": %d,\n",
      CUB_VERSION, runtime, properties.name, properties.l2CacheSize);
  allocate (x, &a, std::atoi (argv[3]), std::atoi (argv[4]));
  print_times ("floor_ns", call_nothing, &a, 30);
  print_times ("gpu_ns", x->call, &a, std::atoi (argv[5]));
  std::printf ("\"checksum\": %llu}\n", checksum (x, &a));
  return 0;
}
