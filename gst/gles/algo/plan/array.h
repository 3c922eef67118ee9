/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The base of the plans of array algorithms, and of frame-compact and components: shapes of tiles
 * and teams, windows of arrays that exceed one binding, counts known to the host or only to the
 * device, and the state block. */
#ifndef GST_GLES_ARRAY_H
#define GST_GLES_ARRAY_H

#include <gst/gles/core/types.h>
#include <gst/gles/algo/plan/variant.h>
#include <gst/gles/gl/submission.h>
#include <array-layout.h>

G_BEGIN_DECLS

/* llvmpipe of Mesa 22.3 executes 65535 rounds of loops for an invocation, over all its loops, and
 * then ends every loop after one round, without an error. The tiles of a team take half of them at
 * most, partial results and counters a quarter (tests/twin/loop-rounds.c). */
#define GST_GLES_MAX_ROUNDS 32768u
/* The most rounds that a single invocation takes for a team's partial result. */
#define GST_GLES_PARTIAL_ROUNDS 3u

/* How a kernel divides an array: a tile has invocations * rows * 4 values (serial: rows * 4). */
typedef struct {
  GstGlesTeam team;
  guint invocations; /* per workgroup */
  guint rows;        /* rows of four values per invocation and tile */
  guint max_groups;  /* two passes: the most workgroups; look-back: 0 */
  /* Two passes, on devices that limit loops (GST_GLES_MAX_ROUNDS): the rounds that a tile takes in
   * the kernel that needs most. 0: no limit. tests/twin/loop-rounds.c measures them. */
  guint rounds;
  gboolean numbered;  /* look-back: workgroups take the tiles of their own numbers */
  guint lanes;        /* lanes of a subgroup, in a plan; 0 in tables */
  guint stalled_tile; /* tests, look-back: as in the variant */
} GstGlesShape;

/* One row of the tuning table for one algorithm. */
typedef struct {
  GstGlesShape two_pass;  /* with the best team of the device class */
  GstGlesShape portable;  /* two passes with GST_GLES_TEAM_SHARED */
  GstGlesShape look_back; /* invocations 0: not used on this class, unless forced */
  GstGlesShape small;     /* replaces look_back in plans for up to small_capacity values */
  guint small_capacity;
  /* look-back: how often a status word is read before its tile counts as stalled */
  guint spin_limit;
} GstGlesArrayTuning;

/* Tiles that a look-back without subgroups reads at a time. */
#define GST_GLES_LOOK_BACK_TILES 32

/* The base of every plan. */
typedef struct {
  gint ref_count;
  const gchar *name; /* "scan", for messages */
  GstGlesQueue *queue;
  GstGlesDevice *device;
  gboolean is_cpu;
  guint capacity; /* values */
  GstGlesVariant variant;

  GstGlesShape two_pass, look_back; /* look_back.invocations 0: never */
  guint spin_limit;
  guint window_size, n_windows; /* values per window; windows for the capacity */
  guint epoch;
  guint status_words; /* word of the state: status words of the tiles */
  GstGlesBuffer *state;
  GstGlesProgram *setup, *clear;
} GstGlesArray;

/* A number of values: n, or a word of a buffer. */
typedef struct {
  guint n;
  GstGlesBuffer *buffer; /* (nullable) */
  gsize offset_bytes;
} GstGlesCount;

#define GST_GLES_COUNT_HOST(n) ((GstGlesCount){ n, NULL, 0 })
#define GST_GLES_COUNT_DEVICE(buffer, offset) ((GstGlesCount){ 0, buffer, offset })

typedef struct {
  const gchar *name; /* static */
  guint capacity;
  const GstGlesArrayTuning *tuning; /* ignored on a cpu device */
  const GstGlesVariant *variant;
} GstGlesArrayConfig;

/* Initialises @array. Errors: as for buffers and programs, SETTINGS (a variant that the device
 * cannot run), TOO_LARGE (capacity). */
gboolean gst_gles_array_init (
    GstGlesArray *array, GstGlesQueue *queue, const GstGlesArrayConfig *config, GError **error);
/* Returns a description of the plan for people: (transfer full). */
gchar *gst_gles_array_describe (const GstGlesArray *array);
/* Safe after a failed gst_gles_array_init(). */
void gst_gles_array_clear (GstGlesArray *array);

/* Defines the boxed type of a plan whose structure begins with `GstGlesArray array`, and its
 * functions NAME_ref(), NAME_unref() and NAME_get_result(). The file defines plan_finish(), which
 * releases what the plan has besides the array. A plan that failed before gst_gles_array_init() has
 * a reference count of 0. */
#define GST_GLES_DEFINE_PLAN(Type, name)                                                           \
  static void plan_finish (Type *plan);                                                            \
                                                                                                   \
  G_DEFINE_BOXED_TYPE (Type, name, name##_ref, name##_unref)                                       \
                                                                                                   \
  Type *name##_ref (Type *plan)                                                                    \
  {                                                                                                \
    g_return_val_if_fail (plan != NULL, NULL);                                                     \
    g_atomic_int_inc (&plan->array.ref_count);                                                     \
    return plan;                                                                                   \
  }                                                                                                \
                                                                                                   \
  void name##_unref (Type *plan)                                                                   \
  {                                                                                                \
    if (plan == NULL ||                                                                            \
        (plan->array.ref_count > 0 && !g_atomic_int_dec_and_test (&plan->array.ref_count)))        \
      return;                                                                                      \
    plan_finish (plan);                                                                            \
    gst_gles_array_clear (&plan->array);                                                           \
    g_free (plan);                                                                                 \
  }                                                                                                \
                                                                                                   \
  GstGlesBuffer *name##_get_result (Type *plan)                                                    \
  {                                                                                                \
    g_return_val_if_fail (plan != NULL, NULL);                                                     \
    return plan->array.state;                                                                      \
  }

/* Defines NAME_new(), which reads the variant from the environment @variable and calls
 * NAME_new_full(), and NAME_get_array(). */
#define GST_GLES_DEFINE_PLAN_NEW(Type, name, variable)                                             \
  Type *name##_new (GstGlesQueue *queue, guint capacity, GError **error)                           \
  {                                                                                                \
    GstGlesVariant variant;                                                                        \
    Type *plan;                                                                                    \
                                                                                                   \
    g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), NULL);                                        \
    if (!gst_gles_variant_from_environment (variable, &variant, error) ||                          \
        !gst_gles_queue_begin (queue, error))                                                      \
      return NULL;                                                                                 \
    plan = name##_new_full (queue, capacity, &variant, error);                                     \
    if (!gst_gles_queue_end (queue, plan != NULL ? error : NULL))                                  \
      g_clear_pointer (&plan, name##_unref);                                                       \
    return plan;                                                                                   \
  }                                                                                                \
                                                                                                   \
  const GstGlesArray *name##_get_array (Type *plan)                                                \
  {                                                                                                \
    return &plan->array;                                                                           \
  }

/* ---- shapes and programs ---- */

guint gst_gles_shape_tile (const GstGlesShape *shape);
guint gst_gles_shape_teams_per_group (const GstGlesShape *shape);
guint gst_gles_shape_max_teams (const GstGlesShape *shape);
/* Returns the most tiles of a team, a power of two, or 0 if there is no limit. */
guint gst_gles_shape_max_tiles (const GstGlesShape *shape);

/* Starts @spec: local size, TEAM, ROWS, subgroups. Returns the number of defines; more can be
 * appended. */
guint gst_gles_shape_spec (
    const GstGlesShape *shape, const gchar *kernel, guint n_storage, GstGlesProgramSpec *spec);
/* Upper limits for the shared memory of scan/scan.glsl, with elements of @words words, and of
 * lib/lookback.glsl. */
guint gst_gles_shape_scan_bytes (const GstGlesShape *shape, guint scan_rows, guint words);
guint gst_gles_shape_look_back_bytes (const GstGlesShape *shape);
/* Appends the defines of lib/lookback.glsl to @n defines. Returns their new number. */
guint gst_gles_shape_look_back_defines (
    const GstGlesShape *shape, GstGlesProgramSpec *spec, guint n);

/* Calls @func for each program of the kernels that the algorithms share. */
void gst_gles_array_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* ---- arguments ---- */

/* One buffer of a call. */
typedef struct {
  const gchar *name; /* for messages */
  GstGlesBuffer *buffer;
  gboolean written;
} GstGlesArgument;

/* Checks the number of values against the capacity, and the buffer that holds a count. Errors:
 * TOO_LARGE, INVALID. */
gboolean gst_gles_array_check_count (
    const GstGlesArray *array, const GstGlesCount *count, GError **error);
/* Fails with INVALID if @argument belongs to another device or has less than @n_values words. */
gboolean gst_gles_array_check_buffer (
    const GstGlesArray *array, const GstGlesArgument *argument, guint64 n_values, GError **error);
/* Fails with INVALID if two of the arguments are the same buffer; either may be NULL. */
gboolean gst_gles_array_check_distinct (
    const GstGlesArray *array, const GstGlesArgument *a, const GstGlesArgument *b, GError **error);

/* Returns the largest number of values of a call: n, or for a count on the device what the plan
 * and @buffers (NULL-terminated, one word per value) can hold. */
guint gst_gles_array_limit (
    const GstGlesArray *array, const GstGlesCount *count, GstGlesBuffer *const *buffers);

/* ---- inside a submission ---- */

/* Returns the words of a buffer of a cpu device; NULL for NULL. */
guint32 *gst_gles_array_words (GstGlesBuffer *buffer);
/* A count that was read on a cpu device, with GST_GLES_STATUS_COUNT_CLAMPED or 0. */
typedef struct {
  guint n, status;
} GstGlesCounted;

/* Reads the count on a cpu device. */
gboolean gst_gles_array_read_count (GstGlesArray *array, const GstGlesCount *count, guint limit,
    GstGlesCounted *counted, GError **error);
/* Writes the result on a cpu device. */
gboolean gst_gles_array_write_result (
    GstGlesArray *array, guint64 total, guint32 count, guint32 status, GError **error);

/* One window of a call. */
typedef struct {
  guint index;
  guint first; /* index of the first value in the array */
  guint n;     /* values; with a count on the device, the largest number */
  guint groups[3];
  GstGlesArrayPass pass; /* the head of the parameters */
} GstGlesWindow;

/* Returns the number of windows for a call with at most @limit values, at least 1. */
guint gst_gles_array_n_windows (const GstGlesArray *array, guint limit);
/* Queues the computation of the grids, if the count is on the device. */
gboolean gst_gles_array_setup (GstGlesArray *array, const GstGlesShape *shape,
    const GstGlesCount *count, guint limit, GError **error);
GstGlesWindow gst_gles_array_window (const GstGlesArray *array, const GstGlesShape *shape,
    const GstGlesCount *count, guint limit, guint index);
/* Binds @n words of @buffer from @first on; NULL: no binding. */
GstGlesBinding gst_gles_array_binding (
    GstGlesBuffer *buffer, guint64 first, guint64 n, GstGlesUsage usage);
/* Binds the state as storage block 0. */
GstGlesBinding gst_gles_array_state (GstGlesArray *array);
/* Queues @dispatch for one window. Its parameters begin with the window's pass. */
gboolean gst_gles_array_dispatch (GstGlesArray *array, const GstGlesDispatch *dispatch,
    const GstGlesWindow *window, GError **error);
/* Sets the parameters of a look-back, which has a new epoch, and clears the status words when all
 * epochs are used. */
gboolean gst_gles_array_next_epoch (GstGlesArray *array, GstGlesLookBackPass *pass, GError **error);

G_END_DECLS

#endif
