/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What CUB takes for the experiments of gst-gles-bench-1.0, on the same inputs. tests/bench/compare-cub
 * builds this with nvcc and runs it; by hand:
 *
 *   nvcc -O3 -std=c++17 -arch=native -I gst/tools/bench -o compare-cub tests/bench/compare-cub.cu
 *   ./compare-cub [--sizes N,N,...] [--runs N] [--warmup N] [--entropy N] [EXPERIMENT...]
 *
 * Prints JSON. Times are between two events around what one call queues, initialisation of CUB's
 * temporary memory included, its allocation not; launches are measured in batches of about
 * 400 us, 20 launches at most. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cub/cub.cuh>

#include "inputs.h"

#define BATCH_US 400.0f
#define MAX_BATCH 20

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t check_error = (call);                                                              \
    if (check_error != cudaSuccess) {                                                              \
      std::fprintf (stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
          cudaGetErrorString (check_error));                                                       \
      std::exit (1);                                                                               \
    }                                                                                              \
  } while (0)

struct Options {
  std::vector<long> sizes = { 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28 };
  std::vector<std::string> names;
  int runs = 30, warmup = 3;
  uint32_t entropy = 1;
};

/* One experiment at one size: arrays on the device, and the result for the checksum. */
struct Arrays {
  int n;
  uint32_t *input, *indices, *output, *output_indices;
  unsigned long long *total; /* of the sum; a count */
  void *temporary;
  size_t temporary_bytes;
  uint32_t *result; /* what is summed up */
  size_t result_words;
};

__global__ void
fill_words (uint32_t *words, size_t n, uint32_t seed, uint32_t entropy)
{
  size_t step = (size_t) gridDim.x * blockDim.x;

  for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    words[i] = bench_word (seed, i, entropy);
}

__global__ void
fill_indices (uint32_t *words, size_t n)
{
  size_t step = (size_t) gridDim.x * blockDim.x;

  for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    words[i] = (uint32_t) i;
}

/* ---- calls: with temporary == NULL each only says how much it needs ---- */

struct AddWide {
  __host__ __device__ unsigned long long
  operator() (unsigned long long a, unsigned long long b) const
  {
    return a + b;
  }
};

struct UpperHalf {
  __host__ __device__ bool
  operator() (uint32_t value) const
  {
    return value >= 0x80000000u;
  }
};

typedef cudaError_t (*Call) (Arrays *a);

static cudaError_t
call_reduce (Arrays *a)
{
  return cub::DeviceReduce::Reduce (
      a->temporary, a->temporary_bytes, a->input, a->total, a->n, AddWide (), 0ull);
}

static cudaError_t
call_scan (Arrays *a)
{
  return cub::DeviceScan::ExclusiveSum (
      a->temporary, a->temporary_bytes, a->input, a->output, a->n);
}

static cudaError_t
call_compact (Arrays *a)
{
  return cub::DeviceSelect::If (a->temporary, a->temporary_bytes, a->input, a->output, a->total,
      a->n, UpperHalf ());
}

static cudaError_t
call_sort_keys (Arrays *a)
{
  return cub::DeviceRadixSort::SortKeys (
      a->temporary, a->temporary_bytes, a->input, a->output, a->n);
}

static cudaError_t
call_sort_pairs (Arrays *a)
{
  return cub::DeviceRadixSort::SortPairs (a->temporary, a->temporary_bytes, a->input, a->output,
      a->indices, a->output_indices, a->n);
}

static cudaError_t
call_sort_u64 (Arrays *a)
{
  return cub::DeviceRadixSort::SortKeys (a->temporary, a->temporary_bytes,
      reinterpret_cast<const unsigned long long *> (a->input),
      reinterpret_cast<unsigned long long *> (a->output), a->n);
}

static cudaError_t
call_histogram_256 (Arrays *a)
{
  return cub::DeviceHistogram::HistogramEven (a->temporary, a->temporary_bytes,
      reinterpret_cast<const unsigned char *> (a->input), a->output, 257, 0, 256, a->n);
}

template <int BINS>
static cudaError_t
call_histogram (Arrays *a)
{
  return cub::DeviceHistogram::HistogramEven (a->temporary, a->temporary_bytes,
      reinterpret_cast<const unsigned short *> (a->input), a->output, BINS + 1, 0, 65536, a->n);
}

enum Result {
  RESULT_TOTAL,  /* two words */
  RESULT_OUTPUT, /* n words */
  RESULT_COUNTED /* as many words as the total says */
};

static const struct Experiment {
  const char *name;
  Call call;
  uint32_t seed;
  int bytes; /* of an input */
  Result result;
  int bins; /* 0: no histogram */
} experiments[] = {
  { "reduce", call_reduce, BENCH_SEED_VALUES, 4, RESULT_TOTAL, 0 },
  { "scan", call_scan, BENCH_SEED_VALUES, 4, RESULT_OUTPUT, 0 },
  { "compact", call_compact, BENCH_SEED_VALUES, 4, RESULT_COUNTED, 0 },
  { "sort-keys", call_sort_keys, BENCH_SEED_KEYS, 4, RESULT_OUTPUT, 0 },
  { "sort-pairs", call_sort_pairs, BENCH_SEED_KEYS, 4, RESULT_OUTPUT, 0 },
  { "sort-u64", call_sort_u64, BENCH_SEED_KEYS, 8, RESULT_OUTPUT, 0 },
  { "histogram-256", call_histogram_256, BENCH_SEED_KEYS, 1, RESULT_OUTPUT, 256 },
  { "histogram-1024", call_histogram<1024>, BENCH_SEED_KEYS, 2, RESULT_OUTPUT, 1024 },
  { "histogram-4096", call_histogram<4096>, BENCH_SEED_KEYS, 2, RESULT_OUTPUT, 4096 },
  { "histogram-12288", call_histogram<12288>, BENCH_SEED_KEYS, 2, RESULT_OUTPUT, 12288 },
  { "histogram-65536", call_histogram<65536>, BENCH_SEED_KEYS, 2, RESULT_OUTPUT, 65536 },
};

/* ---- measuring ---- */

/* Microseconds per call, of @batch calls between two events. */
static float
time_calls (const Experiment *x, Arrays *a, int batch, cudaEvent_t begin, cudaEvent_t end)
{
  float ms = 0;

  CHECK (cudaDeviceSynchronize ());
  CHECK (cudaEventRecord (begin));
  for (int i = 0; i < batch; i++)
    CHECK (x->call (a));
  CHECK (cudaEventRecord (end));
  CHECK (cudaEventSynchronize (end));
  CHECK (cudaEventElapsedTime (&ms, begin, end));
  return ms * 1000 / batch;
}

static double
quantile (const std::vector<double> &sorted, double q)
{
  double at = q * (sorted.size () - 1);
  size_t i = (size_t) at;

  return i + 1 < sorted.size () ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i])
                                : sorted.back ();
}

/* Drops what the quartiles call outliers, as gst-gles-bench-1.0 does. Returns how many. */
static size_t
drop_outliers (std::vector<double> *times)
{
  size_t n = times->size ();

  std::sort (times->begin (), times->end ());
  double q1 = quantile (*times, 0.25), q3 = quantile (*times, 0.75), fence = 1.5 * (q3 - q1);
  times->erase (std::remove_if (times->begin (), times->end (),
                    [=] (double t) { return t < q1 - fence || t > q3 + fence; }),
      times->end ());
  return n - times->size ();
}

/* The sum of words times odd numbers: what gst-gles-bench-1.0 calls the checksum. */
static unsigned long long
checksum (const Experiment *x, Arrays *a)
{
  size_t n = (size_t) a->n * (x->bytes == 8 ? 2 : 1);
  const uint32_t *source = a->output;
  unsigned long long sum = 0, total = 0;

  if (x->result != RESULT_OUTPUT)
    CHECK (cudaMemcpy (&total, a->total, sizeof (total), cudaMemcpyDeviceToHost));
  if (x->bins > 0)
    n = x->bins;
  else if (x->result == RESULT_TOTAL) {
    n = 2;
    source = reinterpret_cast<const uint32_t *> (a->total);
  } else if (x->result == RESULT_COUNTED)
    n = (size_t) total;
  std::vector<uint32_t> words (n);
  if (n > 0)
    CHECK (cudaMemcpy (words.data (), source, 4 * n, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++)
    sum += words[i] * (2ull * i + 1);
  return sum;
}

static void
allocate (const Experiment *x, Arrays *a, uint32_t entropy)
{
  size_t bytes = (size_t) a->n * x->bytes, words = (bytes + 3) / 4;
  size_t out_bytes = std::max (bytes, (size_t) 4 * x->bins) + 16;

  CHECK (cudaMalloc (&a->input, 4 * words + 16));
  CHECK (cudaMalloc (&a->output, out_bytes));
  CHECK (cudaMalloc (&a->total, 16));
  CHECK (cudaMemset (a->total, 0, 16));
  fill_words<<<4096, 256>>> (a->input, words, x->seed, entropy);
  CHECK (cudaGetLastError ());
  if (x->call == call_sort_pairs) {
    CHECK (cudaMalloc (&a->indices, 4 * (size_t) a->n));
    CHECK (cudaMalloc (&a->output_indices, 4 * (size_t) a->n));
    fill_indices<<<4096, 256>>> (a->indices, a->n);
    CHECK (cudaGetLastError ());
  }
  /* the first call only asks */
  CHECK (x->call (a));
  a->temporary_bytes = std::max (a->temporary_bytes, (size_t) 1);
  CHECK (cudaMalloc (&a->temporary, a->temporary_bytes));
  CHECK (cudaDeviceSynchronize ());
}

static void
release (Arrays *a)
{
  CHECK (cudaFree (a->input));
  CHECK (cudaFree (a->output));
  CHECK (cudaFree (a->total));
  CHECK (cudaFree (a->indices));
  CHECK (cudaFree (a->output_indices));
  CHECK (cudaFree (a->temporary));
}

static void
measure (const Experiment *x, long n, const Options &options, bool first)
{
  Arrays a = {};
  std::vector<double> times;
  cudaEvent_t begin, end;
  float us = 0;

  a.n = (int) n;
  allocate (x, &a, options.entropy);
  CHECK (cudaEventCreate (&begin));
  CHECK (cudaEventCreate (&end));
  for (int i = 0; i < std::max (options.warmup, 1); i++)
    us = time_calls (x, &a, 1, begin, end);
  int batch = std::min ((int) (BATCH_US / us) + 1, MAX_BATCH);
  for (int i = 0; i < options.runs; i++)
    times.push_back (1000.0 * time_calls (x, &a, batch, begin, end));
  size_t n_outliers = drop_outliers (&times);
  std::printf ("%s\n{\"experiment\": \"%s\", \"n\": %ld, \"batch\": %d, \"gpu_ns\": {\"median\": %.1f, "
               "\"min\": %.1f, \"max\": %.1f, \"runs\": %zu, \"outliers\": %zu}, \"checksum\": %llu}",
      first ? "" : ",", x->name, n, batch, quantile (times, 0.5), times.front (), times.back (),
      times.size (), n_outliers, checksum (x, &a));
  std::fflush (stdout);
  CHECK (cudaEventDestroy (begin));
  CHECK (cudaEventDestroy (end));
  release (&a);
}

/* ---- options ---- */

static std::vector<long>
parse_sizes (const char *text)
{
  std::vector<long> sizes;
  char *end;

  do {
    long n = std::strtol (text, &end, 10);
    if (n < 1 || n > (1l << 30) || (*end != '\0' && *end != ',')) {
      std::fprintf (stderr, "--sizes takes numbers from 1 to 2^30 with commas between\n");
      std::exit (2);
    }
    sizes.push_back (n);
    text = end + 1;
  } while (*end != '\0');
  return sizes;
}

static Options
parse_options (int argc, char **argv)
{
  Options options;

  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (std::strcmp (argv[i], "--sizes") == 0)
      options.sizes = parse_sizes (value), i++;
    else if (std::strcmp (argv[i], "--runs") == 0)
      options.runs = std::max (std::atoi (value), 1), i++;
    else if (std::strcmp (argv[i], "--warmup") == 0)
      options.warmup = std::atoi (value), i++;
    else if (std::strcmp (argv[i], "--entropy") == 0)
      options.entropy = (uint32_t) std::atoi (value), i++;
    else
      options.names.push_back (argv[i]);
  }
  return options;
}

int
main (int argc, char **argv)
{
  Options options = parse_options (argc, argv);
  cudaDeviceProp properties;
  int runtime = 0;
  bool first = true;

  CHECK (cudaGetDeviceProperties (&properties, 0));
  CHECK (cudaRuntimeGetVersion (&runtime));
  std::printf ("{\"tool\": \"CUB\", \"cub_version\": %d, \"cuda_runtime\": %d, \"device\": \"%s\", "
               "\"l2_bytes\": %d, \"entropy\": %u,\n\"results\": [",
      CUB_VERSION, runtime, properties.name, properties.l2CacheSize, options.entropy);
  for (const Experiment &x : experiments) {
    if (!options.names.empty () &&
        std::find (options.names.begin (), options.names.end (), x.name) == options.names.end ())
      continue;
    for (long n : options.sizes) {
      measure (&x, n, options, first);
      first = false;
    }
  }
  std::printf ("\n]}\n");
  return 0;
}
