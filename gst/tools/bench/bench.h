/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the benchmark know of each other. */
#ifndef BENCH_H
#define BENCH_H

#include <gst/gles/gl/submission.h>

#include "inputs.h"
#include "statistics.h"
#include "vqsort.h"

#define BENCH_MAX_ARRAYS 4
#define BENCH_MAX_COPIES 16

typedef struct _BenchExperiment BenchExperiment;
typedef struct _BenchRun BenchRun;

typedef struct {
  gchar *device_spec;
  GArray *sizes; /* of guint; NULL: the experiment's own, or the common ones */
  guint n_runs, n_warmup;
  GArray *inputs; /* of guint, BENCH_INPUT_…: those that keys are taken from in turn */
  guint n_copies; /* of inputs, which launches take in turns */
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
  gboolean gpu_times; /* timestamps tell what a GPU does; a software renderer's tell nothing more
                          than the wall clock */
  gdouble busy_ns;    /* until when it is known whether the device was at work; 0: never */
  gdouble idle_ns;    /* how long it was left alone since it was woken */
  gdouble floor_ns;   /* of an empty dispatch, the median; 0 on cpu */
  GHashTable *copies; /* bytes moved (guint64) -> what copying takes, ns (gdouble) */
  GPtrArray *results; /* of BenchResult */
  guint done, to_do;
  guint n_failed;
} Bench;

/* What an experiment produces: compared, word by word, with what the twin made of the same input. */
typedef struct {
  GstGlesBuffer
      *buffer;   /* (nullable): borrowed, of a plan, or owned by the run as one of `device` */
  guint32 *host; /* (nullable): instead of a buffer */
  gsize bytes;
  guint32 *want;  /* by the twin */
  guint32 *naive; /* by the naive baseline; allocated when that runs */
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
  gsize n_words;                           /* of input 0, when bench_run_words() made it */
  GstGlesBuffer *copies[BENCH_MAX_COPIES]; /* of device[0], itself first */
  guint n_copies, turn;
  gdouble own_ns;   /* set by a launch of which only a part counts: how long that took */
  gpointer scratch; /* of the twin */
  gpointer extra;   /* of the experiment; freed with g_free() */
  guint64 bytes;    /* that must be read and written at the least */
  gdouble work;     /* what the rate counts: elements, or floating-point operations */
};

/* Each returns FALSE with @error; launches queue work inside a submission and do not wait. */
typedef gboolean (*BenchStepFunc) (BenchRun *run, GError **error);
typedef void (*BenchHostFunc) (BenchRun *run);

struct _BenchExperiment {
  const gchar *name, *summary;
  const gchar *variable; /* (nullable): the environment variable that --variant sets */
  guint param;           /* bins and the like */
  BenchStepFunc setup;   /* inputs on host and device, plan; outputs with room for `want` */
  BenchStepFunc launch;
  BenchHostFunc native;             /* (nullable): the multi-threaded twin: fills `want` */
  BenchHostFunc naive;              /* (nullable): one thread, plain C: fills `naive` */
  BenchHostFunc peer_prepare, peer; /* (nullable): VQSort, and what is not timed of it */
  BenchHostFunc stable_sort;        /* (nullable): std::stable_sort () of what peer_prepare made */
  const guint32 *(*peer_words) (BenchRun *run); /* (nullable): what must equal output 0 */
  const guint *sizes; /* (nullable): 0-terminated: unless --sizes; fixed: always */
  gboolean fixed;
  gboolean by_input;  /* input 0 are keys of any kind: runs on each that is asked for */
  gboolean no_rivals; /* `native` makes what is wanted, and is no baseline */
  gboolean blocking;  /* launches wait themselves: no submission around them, no GPU time */
  const gchar *(*phase_of) (
      const gchar *kernel); /* (nullable): phases are always timed; NULL for none */
  const gchar *unit;        /* (nullable): of `work`, "elem" */
  gdouble naive_limit;      /* (0: none): n above which the naive baseline takes too long */
};

typedef struct {
  const BenchExperiment *experiment;
  guint n;
  guint input_kind; /* BENCH_N_INPUTS: not by_input */
  gboolean valid;
  gboolean refused; /* more than the device or the host can hold: not wrong */
  gchar *message;   /* why not */
  guint64 checksum; /* of all outputs, one behind the other: sum of word i * (2 i + 1) */
  guint batch;
  BenchStatistics gpu, wall, submit; /* ns per launch; gpu.n 0: no GPU times */
  guint64 bytes;
  gdouble work;
  gdouble copy_ns;                   /* what copying as many bytes takes */
  gdouble naive_ns, cpu_ns, peer_ns; /* medians; 0: not measured */
  gdouble stable_sort_ns;            /* likewise, of std::stable_sort () */
  GArray *passes;                    /* (nullable): of GstGlesPassTime */
} BenchResult;

/* What counts: GPU time where there is one. */
gdouble bench_result_ns (const BenchResult *result);
/* Times faster than the fastest CPU baseline; 0 without one. */
gdouble bench_result_speedup (const BenchResult *result);
/* Which that was. */
const gchar *bench_result_rival (const BenchResult *result);

#define BENCH_MAX_PHASES 8

typedef struct {
  const gchar *name;
  guint64 time_ns;
} BenchPhase;

/* The times of passes by phases, in order. Returns how many; 0 where there are none. */
guint bench_result_phases (const BenchResult *result, BenchPhase phases[BENCH_MAX_PHASES]);

/* ---- measure.c ---- */

gdouble bench_now_ns (void);
gboolean bench_measure_floor (Bench *bench, GError **error);
/* Validates and measures; never NULL: what goes wrong is in the result. */
BenchResult *bench_measure (
    Bench *bench, const BenchExperiment *experiment, guint n, guint input_kind);
void bench_result_free (BenchResult *result);

/* ---- run.c: what setups share ---- */

/* Whether there is memory enough on the host. */
gboolean bench_run_fits (const BenchRun *run, GError **error);
/* @n words of the kind of input that is asked for, holding keys of @key_bytes, as input @index, on host
 * and device. */
gboolean bench_run_words (
    BenchRun *run, guint index, guint32 seed, gsize n, guint key_bytes, GError **error);
/* Copies device[0], if bench_run_words() made it, as often as is asked for. */
gboolean bench_run_copy_input (BenchRun *run, GError **error);
/* Takes the next copy. */
void bench_run_next_input (BenchRun *run);
/* The same from @bytes of what is in input[index] already. */
gboolean bench_run_upload (BenchRun *run, guint index, gsize bytes, GError **error);
/* A device buffer @index of @bytes. */
gboolean bench_run_buffer (BenchRun *run, guint index, gsize bytes, GError **error);
/* The next output, in @buffer (borrowed). */
BenchOutput *bench_run_output (BenchRun *run, GstGlesBuffer *buffer, gsize bytes);
void bench_run_clear (BenchRun *run);

/* ---- kernels.c ---- */

GstGlesProgram *bench_kernel_copy (GstGlesQueue *queue, GError **error);
GstGlesProgram *bench_kernel_matmul (GstGlesQueue *queue, GError **error);
/* Queues the copy of the first @bytes; 0 is an empty dispatch. */
gboolean bench_copy_launch (Bench *bench, GstGlesProgram *program, GstGlesBuffer *source,
    GstGlesBuffer *target, gsize bytes, GError **error);
void bench_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* ---- experiments ---- */

/* Each a list that ends with one without a name. */
extern const BenchExperiment bench_ceilings[], bench_arrays[], bench_sorts[], bench_sort_uses[],
    bench_histograms[], bench_tiles[], bench_components[], bench_frames[], bench_frame_compact[],
    bench_frame_mad[], bench_frame_submit[], bench_transfers[];
extern const BenchExperiment bench_copy;

/* ---- report*.c ---- */

void bench_report_header (const Bench *bench);
void bench_report_row (const Bench *bench, const BenchResult *result);
void bench_report_summary (const Bench *bench);
gboolean bench_report_json (const Bench *bench, const gchar *path, GError **error);
gboolean bench_report_csv (const Bench *bench, const gchar *path, GError **error);
/* What the measurements were made on: (transfer full), name and value in turn, NULL-terminated. */
gchar **bench_report_facts (const Bench *bench);
/* On a terminal: which experiment runs; NULL wipes it. */
void bench_progress (const Bench *bench, const gchar *what);
gchar *bench_format_count (gdouble n);
/* Of BENCH_INPUT_…; "" of none. */
const gchar *bench_input_name (guint input_kind);
/* Of frames what people call it. */
gchar *bench_format_size (const BenchExperiment *experiment, guint n);

#endif
