/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declarations that the files of the benchmark share. */
#ifndef BENCH_H
#define BENCH_H

#include <gst/gles/gl/submission.h>

#include "inputs.h"
#include "statistics.h"
#include "parallel-sort.h"
#include "vqsort.h"

#define BENCH_MAX_ARRAYS 4
#define BENCH_MAX_COPIES 16

typedef struct _BenchExperiment BenchExperiment;
typedef struct _BenchRun BenchRun;

typedef struct {
  gchar *device_spec;
  GArray *sizes; /* of guint; NULL: the experiment's own, or the common ones */
  guint n_runs, n_warmup;
  GArray *inputs; /* of guint, BENCH_INPUT_…: kinds of keys, each of which is measured */
  guint n_copies; /* of inputs, which launches use in turn */
  const gchar *variant;
  gboolean profile;
  gboolean no_baselines, no_ceilings;
  const gchar *json_file, *csv_file;
} BenchOptions;

typedef struct {
  BenchOptions options;
  GstGlesDevice *device;
  GstGlesQueue *queue;
  gboolean is_cpu, is_hardware;
  gboolean gpu_times; /* use timestamps; a software renderer's are no better than the wall clock */
  gdouble busy_ns;    /* the time up to which idle_ns is known; 0: never */
  gdouble idle_ns;    /* idle time of the device since its last warm-up */
  gdouble floor_ns;   /* median time of an empty dispatch; 0 on cpu */
  GHashTable *copies; /* words of a copy (guint) -> time per byte moved, ns (gdouble) */
  GPtrArray *results; /* of BenchResult */
  guint done, to_do;
  guint n_failed;
} Bench;

/* An output of an experiment, compared word by word with that of the twin for the same input. */
typedef struct {
  GstGlesBuffer
      *buffer;   /* (nullable): borrowed, of a plan, or owned by the run as one of `device` */
  guint32 *host; /* (nullable): used instead of a buffer */
  gsize bytes;
  guint32 *want;  /* the twin's output */
  guint32 *naive; /* the naive baseline's output; allocated when that runs */
} BenchOutput;

/* An experiment at one size. */
struct _BenchRun {
  Bench *bench;
  const BenchExperiment *experiment;
  guint n;
  gpointer plan, plan_2;
  GDestroyNotify free_plan, free_plan_2;
  guint input_kind;                 /* BENCH_INPUT_…, of bench_run_words() */
  guint32 *input[BENCH_MAX_ARRAYS]; /* host */
  GstGlesBuffer *device[BENCH_MAX_ARRAYS], *more[BENCH_MAX_ARRAYS];
  BenchOutput output[BENCH_MAX_ARRAYS];
  guint n_outputs;
  gsize n_words;                           /* of input 0, if bench_run_words() made it */
  GstGlesBuffer *copies[BENCH_MAX_COPIES]; /* of device[0]; the first is device[0] itself */
  guint n_copies, turn;
  gdouble own_ns;   /* set by a launch of which only a part is timed: the time of that part */
  gpointer scratch; /* of the twin */
  gpointer extra;   /* of the experiment; freed with g_free() */
  guint64 bytes;    /* the minimum that must be read and written */
  gdouble work;     /* the unit of the rate: elements, or floating-point operations */
};

/* A step of an experiment. Returns FALSE with @error. Launches queue work inside a submission and
 * do not wait. */
typedef gboolean (*BenchStepFunc) (BenchRun *run, GError **error);
typedef void (*BenchHostFunc) (BenchRun *run);

struct _BenchExperiment {
  const gchar *name, *summary;
  const gchar *variable; /* (nullable): the environment variable that --variant sets */
  guint param;           /* for instance the number of bins */
  BenchStepFunc setup;   /* makes inputs on host and device, the plan, and outputs with `want` */
  BenchStepFunc launch;
  BenchHostFunc native; /* (nullable): the multi-threaded twin: fills `want` */
  BenchHostFunc naive;  /* (nullable): one thread, plain C: fills `naive` */
  BenchHostFunc peer_prepare,
      peer;                  /* (nullable): VQSort, and its preparation, which is not timed */
  BenchHostFunc stable_sort; /* (nullable): std::stable_sort() of peer_prepare's output */
  BenchHostFunc parallel;    /* (nullable): tbb::parallel_sort() of it */
  const guint32 *(*peer_words) (BenchRun *run); /* (nullable): must equal output 0 */
  const guint *sizes; /* (nullable): 0-terminated; --sizes replaces them unless `fixed` */
  gboolean fixed;
  gboolean by_input;  /* input 0 are keys of any kind; the experiment runs on each requested kind */
  gboolean no_rivals; /* `native` computes the expected output and is no baseline */
  gboolean blocking;  /* launches wait themselves: no submission around them, no GPU time */
  const gchar *(*phase_of) (const gchar
          *kernel);    /* (nullable): the phase of a kernel, or NULL; phases are always timed */
  const gchar *unit;   /* (nullable): of `work`; the default is "elem" */
  gdouble naive_limit; /* the naive baseline is skipped above this n; 0: no limit */
};

typedef struct {
  const BenchExperiment *experiment;
  guint n;
  guint input_kind; /* BENCH_N_INPUTS if not by_input */
  gboolean valid;
  gboolean refused; /* more than the device or the host can hold; not a failure */
  gchar *message;   /* the reason if not valid */
  guint64 checksum; /* of all outputs, concatenated: sum of word i * (2 i + 1) */
  guint batch;
  BenchStatistics gpu, wall, submit; /* ns per launch; gpu.n 0: no GPU times */
  guint64 bytes;
  gdouble work;
  gdouble copy_ns;                   /* time of a copy that moves as many bytes */
  gdouble naive_ns, cpu_ns, peer_ns; /* medians; 0: not measured */
  gdouble stable_sort_ns;            /* median of std::stable_sort(); 0: not measured */
  gdouble parallel_ns;               /* median of tbb::parallel_sort(); 0: not measured */
  GArray *passes;                    /* (nullable): of GstGlesPassTime */
} BenchResult;

/* Returns the time that is reported: GPU time if there is one, else wall time. */
gdouble bench_result_ns (const BenchResult *result);
/* Returns the speedup over the fastest CPU baseline; 0 without one. */
gdouble bench_result_speedup (const BenchResult *result);
/* Returns the name of that baseline. */
const gchar *bench_result_rival (const BenchResult *result);

#define BENCH_MAX_PHASES 8

typedef struct {
  const gchar *name;
  guint64 time_ns;
} BenchPhase;

/* Adds up the times of passes by phase, in order. Returns the number of phases; 0 if there are
 * none. */
guint bench_result_phases (const BenchResult *result, BenchPhase phases[BENCH_MAX_PHASES]);

/* ---- measure.c ---- */

gdouble bench_now_ns (void);
gboolean bench_measure_floor (Bench *bench, GError **error);
/* Validates and measures. Never returns NULL: errors are in the result. */
BenchResult *bench_measure (
    Bench *bench, const BenchExperiment *experiment, guint n, guint input_kind);
void bench_result_free (BenchResult *result);

/* ---- run.c: helpers of setup functions ---- */

/* Whether the host has enough memory. */
gboolean bench_run_fits (const BenchRun *run, GError **error);
/* Makes @n words of the requested kind of input, holding keys of @key_bytes, as input @index on
 * host and device. */
gboolean bench_run_words (
    BenchRun *run, guint index, guint32 seed, gsize n, guint key_bytes, GError **error);
/* Makes the requested number of copies of device[0], if bench_run_words() made it. */
gboolean bench_run_copy_input (BenchRun *run, GError **error);
/* Makes the next copy the input. */
void bench_run_next_input (BenchRun *run);
/* Makes a device buffer from the first @bytes of input[index], which the caller has filled. */
gboolean bench_run_upload (BenchRun *run, guint index, gsize bytes, GError **error);
/* Makes a device buffer of @bytes as device[index]. */
gboolean bench_run_buffer (BenchRun *run, guint index, gsize bytes, GError **error);
/* Adds an output in @buffer (borrowed). */
BenchOutput *bench_run_output (BenchRun *run, GstGlesBuffer *buffer, gsize bytes);
void bench_run_clear (BenchRun *run);

/* ---- kernels.c ---- */

GstGlesProgram *bench_kernel_copy (GstGlesQueue *queue, GError **error);
GstGlesProgram *bench_kernel_matmul (GstGlesQueue *queue, GError **error);
/* Queues the copy of the first @bytes; 0 makes an empty dispatch. */
gboolean bench_copy_launch (Bench *bench, GstGlesProgram *program, GstGlesBuffer *source,
    GstGlesBuffer *target, gsize bytes, GError **error);
void bench_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* ---- experiments ---- */

/* Each list ends with an experiment without a name. */
extern const BenchExperiment bench_ceilings[], bench_reductions[], bench_arrays[], bench_sorts[],
    bench_sort_uses[], bench_histograms[], bench_tiles[], bench_components[], bench_frames[],
    bench_frame_compact[], bench_frame_mad[], bench_frame_submit[], bench_transfers[];
extern const BenchExperiment bench_copy;

/* ---- report*.c ---- */

void bench_report_header (const Bench *bench);
void bench_report_row (const Bench *bench, const BenchResult *result);
void bench_report_summary (const Bench *bench);
gboolean bench_report_json (const Bench *bench, const gchar *path, GError **error);
gboolean bench_report_csv (const Bench *bench, const gchar *path, GError **error);
/* Describes the machine and the build: (transfer full), alternating names and values,
 * NULL-terminated. */
gchar **bench_report_facts (const Bench *bench);
/* Shows the running experiment if standard error is a terminal; NULL erases it. */
void bench_progress (const Bench *bench, const gchar *what);
gchar *bench_format_count (gdouble n);
/* Returns the name of BENCH_INPUT_…; "" for BENCH_N_INPUTS. */
const gchar *bench_input_name (guint input_kind);
/* Formats a size; frames have their usual names. */
gchar *bench_format_size (const BenchExperiment *experiment, guint n);

#endif
