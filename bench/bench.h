/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Experiments, and how they are measured. An experiment is an entry of a table: a name, sizes, a
 * function that sets it up, one that launches it, and baselines. */
#ifndef BENCH_H
#define BENCH_H

#include <gst/gles/gl/submission.h>

#include "files.h"
#include "inputs.h"
#include "statistics.h"

#define BENCH_MAX_ARRAYS 4
#define BENCH_MAX_COPIES 16

typedef struct _BenchExperiment BenchExperiment;
typedef struct _BenchRun BenchRun;

typedef struct {
  gchar *device_spec;
  GArray *sizes; /* of guint; NULL: the experiment's own, or the common ones */
  gint n_runs, n_warmup;
  GArray *inputs; /* of guint, BENCH_INPUT_…: kinds of keys, each of which is measured */
  gint n_copies;  /* of inputs, which launches use in turn */
  const gchar *variant;
  gboolean profile;
  gboolean no_baselines, no_ceilings;
  BenchFiles files;
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
  GHashTable *copies; /* words of a copy (guint) -> its time, ns (gdouble) */
  GPtrArray *results; /* of BenchResult */
  JsonObject *report;
} Bench;

/* An output of an experiment, compared word by word with that of the twin for the same input. */
typedef struct {
  GstGlesBuffer *buffer; /* (nullable): borrowed */
  guint32 *host;         /* used where there is no buffer */
  gsize bytes;
} BenchOutput;

/* An experiment at one size. */
struct _BenchRun {
  Bench *bench;
  const BenchExperiment *experiment;
  gsize n;
  guint input_kind; /* BENCH_INPUT_…, of bench_words() */
  GError *error;    /* the first one of the set-up */
  GArray *kept;     /* what bench_keep() frees */
  gpointer plan, plan_2;
  guint32 *in[BENCH_MAX_ARRAYS]; /* host */
  GstGlesBuffer *device[BENCH_MAX_ARRAYS];
  BenchOutput output[BENCH_MAX_ARRAYS];
  guint n_outputs;
  guint32 *want[BENCH_MAX_ARRAYS];         /* the twin's outputs */
  gsize n_words;                           /* of input 0, if bench_words() made it */
  GstGlesBuffer *copies[BENCH_MAX_COPIES]; /* of device[0]; the first is device[0] itself */
  guint n_copies, turn;
  gdouble own_ns;   /* set by a launch of which only a part is timed: the time of that part */
  gpointer data;    /* of the experiment */
  gpointer scratch; /* of the twin */
  gpointer peer;    /* the keys that peers sort */
  guint64 bytes;    /* the minimum that must be read and written */
  gdouble work;     /* the unit of the rate: elements, or floating-point operations; 0: n */
};

/* Makes inputs on host and device, the plan, and outputs. Errors are left in run->error. */
typedef void (*BenchSetupFunc) (BenchRun *run);
/* Queues work inside a submission and does not wait. */
typedef gboolean (*BenchLaunchFunc) (BenchRun *run, GError **error);
/* Computes the outputs on the host into the arrays @to. */
typedef void (*BenchHostFunc) (BenchRun *run, guint32 *const *to);

struct _BenchExperiment {
  const gchar *name, *summary;
  const gchar *variable; /* (nullable): the environment variable that --variant sets */
  guint param;           /* for instance the number of bins */
  BenchSetupFunc setup;
  BenchLaunchFunc launch;
  BenchHostFunc native; /* the multi-threaded twin */
  /* (nullable): fills run->peer for the sorts of peers, which must give output 0. Returns whether
   * its keys have 8 bytes, of which the upper word is compared if output 0 has 4. */
  gboolean (*peer_keys) (BenchRun *run);
  const guint *sizes; /* (nullable): 0-terminated; --sizes replaces them unless `fixed` */
  gboolean fixed;
  gboolean by_input;  /* input 0 are keys of any kind; the experiment runs on each requested kind */
  gboolean no_rivals; /* `native` computes the expected output and is no baseline */
  gboolean blocking;  /* launches wait themselves: no submission around them, no GPU time */
  const gchar *const (*phases)[2]; /* (nullable): prefixes of kernels and the phases that they are
                                      part of, up to NULL; phases are always timed */
  const gchar *unit;               /* (nullable): of `work`; the default is "elem" */
};

/* The members that every experiment has. @algorithm: whose variable it is, any for none */
#define BENCH_EXPERIMENT(name_, what, algorithm, setup_, launch_, native_)                         \
  .name = name_, .summary = what, .variable = "GST_GLES_" algorithm "_VARIANT", .setup = setup_,   \
  .launch = launch_, .native = native_

/* Baselines on the CPU. */
enum {
  BENCH_CPU,
  BENCH_PEER_VQSORT,
  BENCH_PEER_PARALLEL,
  BENCH_PEER_STABLE, /* is no rival: not among those that the verdict is about */
  BENCH_N_BASELINES
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
  gdouble copy_ns;                        /* time of a copy that moves as many bytes */
  gdouble baseline_ns[BENCH_N_BASELINES]; /* medians; 0: not measured */
  JsonArray *passes;                      /* (nullable): of objects with "kernel" and "ns" */
  JsonObject *phases;                     /* (nullable): ns by phase */
} BenchResult;

/* ---- measure.c ---- */

gdouble bench_now_ns (void);
gboolean bench_measure_floor (Bench *bench, GError **error);
/* Validates and measures. Never returns NULL: errors are in the result. */
BenchResult *bench_measure (
    Bench *bench, const BenchExperiment *experiment, guint n, guint input_kind);
void bench_result_free (BenchResult *result);

/* ---- run.c: helpers of set-up functions. After an error they do nothing. ---- */

/* Where a call in a set-up function reports an error: NULL after the first one. */
GError **bench_error (BenchRun *run);
/* Frees @what (nullable) with @run. Returns it. */
gpointer bench_keep (BenchRun *run, gpointer what, GDestroyNotify destroy);
/* Makes a plan of the type with the prefix @type, NULL after an error. */
#define BENCH_PLAN(run, type, ...)                                                                 \
  bench_keep (run, type##_new ((run)->bench->queue, __VA_ARGS__, bench_error (run)),               \
      (GDestroyNotify) type##_unref)
/* Returns host memory, and some to spare behind it. */
gpointer bench_alloc (BenchRun *run, gsize bytes);
/* Makes @n words of the requested kind of input, holding keys of @key_bytes, as input @index on
 * host and device. */
void bench_words (BenchRun *run, guint index, guint32 seed, gsize n, guint key_bytes);
/* Makes device[@index] from the first @bytes of in[@index], which the caller has filled. */
void bench_upload (BenchRun *run, guint index, gsize bytes);
/* Makes and returns device[@index]. */
GstGlesBuffer *bench_buffer (BenchRun *run, guint index, gsize bytes);
/* Adds an output in @buffer (borrowed; NULL: in host memory, which this makes). */
void bench_output (BenchRun *run, GstGlesBuffer *buffer, gsize bytes);

/* For measure.c: whether the host has enough memory; copies of device[0], if bench_words() made it,
 * and the next of them; and the end. */
gboolean bench_run_fits (const BenchRun *run, GError **error);
void bench_run_copy_input (BenchRun *run);
void bench_run_next_input (BenchRun *run);
void bench_run_clear (BenchRun *run);

/* ---- experiments ---- */

/* Each list ends with an experiment without a name. The first of the ceilings is the copy. */
extern const BenchExperiment bench_ceilings[], bench_arrays[], bench_sorts[], bench_tiles[],
    bench_frames[];

/* Queues the copy of the first @bytes of device[0] to device[1]; 0 makes an empty dispatch. */
gboolean bench_copy_launch (BenchRun *run, gsize bytes, GError **error);

/* ---- report.c ---- */

void bench_report_header (const Bench *bench);
void bench_report_row (const Bench *bench, const BenchResult *result);
void bench_report_summary (const Bench *bench);
/* Makes the report of a run without results: (transfer full). */
JsonObject *bench_report_begin (const Bench *bench);
/* Adds @result to the report as JSON. */
void bench_report_result (const Bench *bench, const BenchResult *result);
/* Returns the name of BENCH_INPUT_…; "" for BENCH_N_INPUTS. */
const gchar *bench_input_name (guint input_kind);
/* Returns the time that is reported: GPU time if there is one, else wall time. */
gdouble bench_result_ns (const BenchResult *result);
/* Formats a size; frames have their usual names. */
gchar *bench_format_size (const BenchExperiment *experiment, guint n);

#endif
