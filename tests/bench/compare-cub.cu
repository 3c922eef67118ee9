/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What CUB takes for the experiments of gst-gles-bench-1.0, on the same inputs. tests/bench/compare-cub
 * builds this with nvcc and runs it; by hand:
 *
 *   nvcc -O3 -std=c++17 -arch=native -I gst/tools/bench -o compare-cub tests/bench/compare-cub.cu
 *   ./compare-cub [--sizes N,N,...] [--inputs NAME,NAME,...] [--rotate N] [--runs N] [--warmup N]
 *                 [EXPERIMENT...]
 *
 * Tiles are listed as the renderers of 3D Gaussian splatting do it, by one sort of 64-bit keys.
 *
 * Prints JSON. Times are between two events around what one call queues, initialisation of CUB's
 * temporary memory included, its allocation not; launches are measured in batches of about
 * 400 us, 20 launches at most. */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cub/cub.cuh>

#include "compare-cub-tiles.cuh"
#include "inputs.h"

#define BATCH_US 400.0f
#define MAX_BATCH 20
/* as gst-gles-bench-1.0: a GPU that was left alone for long, be it in many pauses, has lowered its clock */
#define IDLE_S 0.1
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

static const char *const input_names[] = BENCH_INPUT_NAMES;

struct Options {
  std::vector<long> sizes = { 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28 };
  std::vector<std::string> names;
  std::vector<uint32_t> inputs = { BENCH_INPUT_RANDOM };
  int runs = 30, warmup = 3, rotate = 1;
};

/* One experiment at one size: arrays on the device, and the result for the checksum. */
struct Arrays {
  int n;
  std::vector<uint32_t *> inputs; /* copies that calls take in turns */
  uint32_t *input, *indices, *output, *output_indices;
  unsigned long long *total; /* of the sum; a count */
  void *temporary;
  size_t temporary_bytes;
  Tiles tiles;
};

__global__ void
fill_words (uint32_t *words, size_t n, uint32_t seed, uint32_t input, uint32_t key_bytes)
{
  size_t step = (size_t) gridDim.x * blockDim.x;

  for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    words[i] = bench_input_word (input, seed, i, n, key_bytes);
}

__global__ void
fill_indices (uint32_t *words, size_t n)
{
  size_t step = (size_t) gridDim.x * blockDim.x;

  for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    words[i] = (uint32_t) i;
}

__global__ void
nothing ()
{
}

/* ---- calls: with temporary == NULL each only says how much it needs ---- */

struct AddWide {
  __host__ __device__ unsigned long long operator() (
      unsigned long long a, unsigned long long b) const
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
  return cub::DeviceSelect::If (
      a->temporary, a->temporary_bytes, a->input, a->output, a->total, a->n, UpperHalf ());
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
  return cub::DeviceRadixSort::SortPairs (
      a->temporary, a->temporary_bytes, a->input, a->output, a->indices, a->output_indices, a->n);
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

static cudaError_t
call_tiles (Arrays *a)
{
  return list_tiles (&a->tiles, a->temporary, &a->temporary_bytes);
}

enum Result {
  RESULT_TOTAL,   /* two words */
  RESULT_OUTPUT,  /* n words; of pairs the others too */
  RESULT_COUNTED, /* as many words as the total says, and the total */
  RESULT_BINS,
  RESULT_TILES /* offsets, lists */
};

#define HISTOGRAM(bins)                                                                            \
  {                                                                                                \
    "histogram-" #bins, call_histogram<bins>, BENCH_SEED_KEYS, 2, RESULT_BINS, bins                \
  }

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
  { "histogram-256", call_histogram_256, BENCH_SEED_KEYS, 1, RESULT_BINS, 256 },
  HISTOGRAM (512),
  HISTOGRAM (1024),
  HISTOGRAM (2048),
  HISTOGRAM (4096),
  HISTOGRAM (12288),
  HISTOGRAM (65536),
  { "tiles", call_tiles, BENCH_SEED_BOXES, 0, RESULT_TILES, 0 },
};

/* ---- measuring ---- */

/* Microseconds per call, of @batch calls between two events. */
static float
time_calls (Call call, Arrays *a, int batch, cudaEvent_t begin, cudaEvent_t end)
{
  static size_t turn;
  float ms = 0;

  CHECK (cudaDeviceSynchronize ());
  CHECK (cudaEventRecord (begin));
  for (int i = 0; i < batch; i++) {
    if (!a->inputs.empty ())
      a->input = a->inputs[turn++ % a->inputs.size ()];
    CHECK (call (a));
  }
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

/* The sum of words times odd numbers: what gst-gles-bench-1.0 calls the checksum. Goes on at word
 * *at. */
static void
add_words (const void *source, size_t n, size_t *at, unsigned long long *sum)
{
  std::vector<uint32_t> words (n);

  if (n > 0)
    CHECK (cudaMemcpy (words.data (), source, 4 * n, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++)
    *sum += words[i] * (2ull * (*at)++ + 1);
}

static unsigned long long
checksum (const Experiment *x, const Arrays *a)
{
  unsigned long long sum = 0, total = 0;
  size_t at = 0, n = (size_t) a->n;

  CHECK (cudaMemcpy (&total, a->total, sizeof (total), cudaMemcpyDeviceToHost));
  switch (x->result) {
    case RESULT_TOTAL:
      add_words (a->total, 2, &at, &sum);
      break;
    case RESULT_OUTPUT:
      add_words (a->output, x->bytes == 8 ? 2 * n : n, &at, &sum);
      if (a->output_indices != NULL)
        add_words (a->output_indices, n, &at, &sum);
      break;
    case RESULT_COUNTED:
      add_words (a->output, (size_t) total, &at, &sum);
      add_words (a->total, 2, &at, &sum);
      break;
    case RESULT_BINS:
      add_words (a->output, x->bins, &at, &sum);
      break;
    case RESULT_TILES:
      add_words (a->tiles.offsets, N_TILES + 1, &at, &sum);
      add_words (a->tiles.values[1], a->tiles.n_entries, &at, &sum);
      break;
  }
  return sum;
}

static void
allocate_tiles (Tiles *t, int n)
{
  std::vector<BenchSplat> splats (n);
  size_t n_entries = 0;

  for (int i = 0; i < n; i++) {
    bench_splat ((uint32_t) i, &splats[i]);
    n_entries += count_of (splats[i]);
  }
  t->n = n;
  t->n_entries = (int) n_entries;
  CHECK (cudaMalloc (&t->splats, n * sizeof (BenchSplat)));
  CHECK (cudaMemcpy (t->splats, splats.data (), n * sizeof (BenchSplat), cudaMemcpyHostToDevice));
  CHECK (cudaMalloc (&t->counts, 4 * (size_t) n));
  CHECK (cudaMalloc (&t->ends, 4 * (size_t) n));
  for (int i = 0; i < 2; i++) {
    CHECK (cudaMalloc (&t->keys[i], 8 * n_entries));
    CHECK (cudaMalloc (&t->values[i], 4 * n_entries));
  }
  CHECK (cudaMalloc (&t->offsets, 4 * (N_TILES + 1)));
}

static void
allocate_words (const Experiment *x, Arrays *a, uint32_t input, int rotate)
{
  size_t bytes = (size_t) a->n * x->bytes, words = (bytes + 3) / 4;

  for (uint32_t i = 0; i < bench_n_copies (bytes, rotate); i++) {
    CHECK (cudaMalloc (&a->input, 4 * words + 16));
    fill_words<<<4096, 256>>> (a->input, words, x->seed, input, x->bytes);
    CHECK (cudaGetLastError ());
    a->inputs.push_back (a->input);
  }
  CHECK (cudaMalloc (&a->output, std::max (bytes, (size_t) 4 * x->bins) + 16));
  if (x->call == call_sort_pairs) {
    CHECK (cudaMalloc (&a->indices, 4 * (size_t) a->n));
    CHECK (cudaMalloc (&a->output_indices, 4 * (size_t) a->n));
    fill_indices<<<4096, 256>>> (a->indices, a->n);
    CHECK (cudaGetLastError ());
  }
}

static void
allocate (const Experiment *x, Arrays *a, uint32_t input, int rotate)
{
  CHECK (cudaMalloc (&a->total, 16));
  CHECK (cudaMemset (a->total, 0, 16));
  if (x->result == RESULT_TILES)
    allocate_tiles (&a->tiles, a->n);
  else
    allocate_words (x, a, input, rotate);
  /* the first call only asks */
  CHECK (x->call (a));
  a->temporary_bytes = std::max (a->temporary_bytes, (size_t) 1);
  CHECK (cudaMalloc (&a->temporary, a->temporary_bytes));
  CHECK (cudaDeviceSynchronize ());
}

static void
release (Arrays *a)
{
  Tiles *t = &a->tiles;

  for (uint32_t *input : a->inputs)
    CHECK (cudaFree (input));
  for (void *memory : { (void *) a->output, (void *) a->total, (void *) a->indices,
           (void *) a->output_indices, a->temporary, (void *) t->splats, (void *) t->counts,
           (void *) t->ends, (void *) t->keys[0], (void *) t->keys[1], (void *) t->values[0],
           (void *) t->values[1], (void *) t->offsets })
    CHECK (cudaFree (memory));
}

static double
now_s ()
{
  return std::chrono::duration<double> (std::chrono::steady_clock::now ().time_since_epoch ()).count ();
}

/* What one call takes, us, once the device is awake, which was at work until @busy_s. */
static float
warm_up (Call call, Arrays *a, int calls, double busy_s, cudaEvent_t begin, cudaEvent_t end)
{
  static double idle_s; /* since it was woken */
  const double start_s = now_s ();
  float us = 0;

  idle_s += start_s - busy_s;
  const bool asleep = idle_s > IDLE_S;
  if (asleep)
    idle_s = 0;

  for (int i = 0; i < std::max (calls, 1) || (asleep && now_s () - start_s < WAKE_S); i++)
    us = time_calls (call, a, i < calls ? 1 : MAX_BATCH, begin, end);
  return us;
}

static void
measure (const Experiment *x, long n, uint32_t input, const Options &options, bool first)
{
  Arrays a = {};
  std::vector<double> times;
  cudaEvent_t begin, end;
  static double busy_s;

  a.n = (int) n;
  allocate (x, &a, input, options.rotate);
  CHECK (cudaEventCreate (&begin));
  CHECK (cudaEventCreate (&end));
  const float us = warm_up (x->call, &a, options.warmup, busy_s, begin, end);
  int batch = std::min ((int) (BATCH_US / us) + 1, MAX_BATCH);
  for (int i = 0; i < options.runs; i++)
    times.push_back (1000.0 * time_calls (x->call, &a, batch, begin, end));
  busy_s = now_s ();
  size_t n_outliers = drop_outliers (&times);
  std::printf ("%s\n{\"experiment\": \"%s\", \"input\": \"%s\", \"n\": %ld, \"batch\": %d, "
               "\"gpu_ns\": {\"median\": %.1f, \"min\": %.1f, \"max\": %.1f, \"runs\": %zu, "
               "\"outliers\": %zu}, \"checksum\": %llu}",
      first ? "" : ",", x->name, input_names[input], n, batch, quantile (times, 0.5),
      times.front (), times.back (), times.size (), n_outliers, checksum (x, &a));
  std::fflush (stdout);
  CHECK (cudaEventDestroy (begin));
  CHECK (cudaEventDestroy (end));
  release (&a);
}

/* What a kernel costs that does nothing, ns. */
static double
measure_floor ()
{
  Arrays a = {};
  cudaEvent_t begin, end;
  std::vector<double> times;
  const Call call = [] (Arrays *) {
    nothing<<<1, 32>>> ();
    return cudaGetLastError ();
  };

  CHECK (cudaEventCreate (&begin));
  CHECK (cudaEventCreate (&end));
  warm_up (call, &a, 1, 0, begin, end);
  for (int i = 0; i < 30; i++)
    times.push_back (1000.0 * time_calls (call, &a, MAX_BATCH, begin, end));
  drop_outliers (&times);
  CHECK (cudaEventDestroy (begin));
  CHECK (cudaEventDestroy (end));
  return quantile (times, 0.5);
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

static std::vector<uint32_t>
parse_inputs (const std::string &text)
{
  std::vector<uint32_t> inputs;
  size_t at = 0, comma;

  do {
    comma = std::min (text.find (',', at), text.size ());
    std::string name = text.substr (at, comma - at);
    uint32_t input = 0;
    while (input < BENCH_N_INPUTS && name != input_names[input])
      input++;
    if (input == BENCH_N_INPUTS) {
      std::fprintf (stderr, "--inputs: there is no input \"%s\"\n", name.c_str ());
      std::exit (2);
    }
    inputs.push_back (input);
    at = comma + 1;
  } while (comma < text.size ());
  return inputs;
}

static Options
parse_options (int argc, char **argv)
{
  Options options;

  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (std::strcmp (argv[i], "--sizes") == 0)
      options.sizes = parse_sizes (value), i++;
    else if (std::strcmp (argv[i], "--inputs") == 0)
      options.inputs = parse_inputs (value), i++;
    else if (std::strcmp (argv[i], "--rotate") == 0)
      options.rotate = std::min (std::max (std::atoi (value), 1), 64), i++;
    else if (std::strcmp (argv[i], "--runs") == 0)
      options.runs = std::max (std::atoi (value), 1), i++;
    else if (std::strcmp (argv[i], "--warmup") == 0)
      options.warmup = std::atoi (value), i++;
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
               "\"l2_bytes\": %d, \"rotate\": %d, \"floor_ns\": %.1f,\n\"results\": [",
      CUB_VERSION, runtime, properties.name, properties.l2CacheSize, options.rotate,
      measure_floor ());
  for (const Experiment &x : experiments) {
    if (!options.names.empty () &&
        std::find (options.names.begin (), options.names.end (), x.name) == options.names.end ())
      continue;
    for (long n : options.sizes) {
      for (uint32_t input : options.inputs) {
        measure (&x, n, input, options, first);
        first = false;
      }
    }
  }
  std::printf ("\n]}\n");
  return 0;
}
