/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What reduce, scan and compact have in common: tiles and who works on them, windows of arrays that
 * one binding cannot cover, counts that the host or the device knows, and the state block. */
#ifndef GST_GLES_ARRAY_H
#define GST_GLES_ARRAY_H

#include <gst/gles/algo/types.h>
#include <gst/gles/algo/variant.h>
#include <gst/gles/gl/submission.h>
#include <layout.h>

G_BEGIN_DECLS

/* How a kernel works through an array: tiles of invocations * rows * 4 values (serial: rows * 4). */
typedef struct {
  GstGlesTeam team;
  guint invocations; /* of a workgroup */
  guint rows;        /* of four values, per invocation and tile */
  guint max_groups;  /* two passes: at most so many workgroups; look-back: 0 */
  /* ... but more where teams would get more tiles than that each. llvmpipe leaves every loop when an
   * invocation has been through 65535 iterations in all. 0: no limit */
  guint max_tiles;
  gboolean numbered; /* look-back: workgroups begin in the order of their numbers, and take those */
  guint lanes;       /* of a subgroup, in a plan; 0 in tables */
} GstGlesShape;

/* What an algorithm does on a class of devices. */
typedef struct {
  GstGlesShape two_pass;  /* with the best team that the class has */
  GstGlesShape portable;  /* the same with GST_GLES_TEAM_SHARED */
  GstGlesShape look_back; /* invocations 0: not on this class, unless forced */
  guint look_back_min_n;  /* below, two passes */
  GstGlesShape small;     /* look_back of plans for up to small_capacity values */
  guint small_capacity;
  guint max_polls; /* look-back: looks at a silent tile before its work is done for it */
} GstGlesArrayTuning;

/* Tiles that look-back without subgroups looks at together. */
#define GST_GLES_LOOK 32

/* What every plan of the three is. */
typedef struct {
  gint ref_count;
  const gchar *name; /* "scan", for messages */
  GstGlesQueue *queue;
  GstGlesDevice *device;
  gboolean is_cpu;
  guint capacity; /* values */
  GstGlesVariant variant;

  GstGlesShape two_pass, look_back; /* look_back.invocations 0: never */
  guint look_back_min_n, max_polls;
  guint window_size, n_windows; /* values per window; windows of the capacity */
  guint epoch;
  guint tile_words; /* where in the state tiles publish */
  GstGlesBuffer *state;
  GstGlesProgram *setup, *clear;
} GstGlesArray;

/* How many values: n, or what a word of a buffer says. */
typedef struct {
  guint n;
  GstGlesBuffer *buffer; /* (nullable) */
  gsize offset_bytes;
} GstGlesCount;

#define GST_GLES_COUNT_HOST(n) ((GstGlesCount){ n, NULL, 0 })
#define GST_GLES_COUNT_DEVICE(buffer, offset) ((GstGlesCount){ 0, buffer, offset })

/* Fills @array; @tuning is not looked at on a cpu device. Errors: those of buffers and programs,
 * SETTINGS (a variant that the device cannot run), TOO_LARGE (capacity). */
gboolean gst_gles_array_init (GstGlesArray *array, const gchar *name, GstGlesQueue *queue,
    guint capacity, const GstGlesArrayTuning *tuning, const GstGlesVariant *variant,
    GError **error);
/* What the plan does, in words: (transfer full). */
gchar *gst_gles_array_describe (const GstGlesArray *array);
/* Safe on what gst_gles_array_init() failed on. */
void gst_gles_array_clear (GstGlesArray *array);

/* ---- shapes and programs ---- */

guint gst_gles_shape_tile (const GstGlesShape *shape);
guint gst_gles_shape_teams_per_group (const GstGlesShape *shape);
guint gst_gles_shape_max_teams (const GstGlesShape *shape);

/* Starts @spec: local size, TEAM, ROWS, subgroups. Returns how many defines there are; more can
 * follow. */
guint gst_gles_shape_spec (
    const GstGlesShape *shape, const gchar *kernel, guint n_storage, GstGlesProgramSpec *spec);
/* Shared memory, at the most, of lib/scan.glsl for elements of @words words, and of lib/lookback.glsl. */
guint gst_gles_shape_scan_bytes (const GstGlesShape *shape, guint scan_rows, guint words);
guint gst_gles_shape_look_back_bytes (const GstGlesShape *shape);
/* Adds the defines of lib/lookback.glsl behind @n; returns how many there are then. */
guint gst_gles_shape_look_back_defines (
    const GstGlesShape *shape, GstGlesProgramSpec *spec, guint n);

/* The kernels that the three share: calls @func for each. */
void gst_gles_array_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* ---- arguments ---- */

/* One buffer of a call. */
typedef struct {
  const gchar *name; /* for messages */
  GstGlesBuffer *buffer;
  gboolean written;
} GstGlesArgument;

/* Whether the plan can take so many values, and read the count. Errors: TOO_LARGE, INVALID. */
gboolean gst_gles_array_check_count (
    const GstGlesArray *array, const GstGlesCount *count, GError **error);
/* FALSE with INVALID when @argument is of another device or has less than @n_values words. */
gboolean gst_gles_array_check_buffer (
    const GstGlesArray *array, const GstGlesArgument *argument, guint64 n_values, GError **error);
/* FALSE with INVALID when two of the arguments are one buffer; those may be NULL. */
gboolean gst_gles_array_check_distinct (
    const GstGlesArray *array, const GstGlesArgument *a, const GstGlesArgument *b, GError **error);

/* The most values a call can work on: n, or for a count on the device what the plan and @buffers
 * (NULL-terminated, one word per value) have room for. */
guint gst_gles_array_limit (
    const GstGlesArray *array, const GstGlesCount *count, GstGlesBuffer *const *buffers);

/* ---- inside a submission ---- */

/* The words of a buffer of a cpu device; NULL for NULL. */
guint32 *gst_gles_array_words (GstGlesBuffer *buffer);
/* The count on a cpu device; *status receives GST_GLES_STATUS_COUNT_CLAMPED or 0. */
gboolean gst_gles_array_read_count (GstGlesArray *array, const GstGlesCount *count, guint limit,
    guint *n, guint *status, GError **error);
/* Writes the result on a cpu device. */
gboolean gst_gles_array_write_result (
    GstGlesArray *array, guint64 total, guint32 count, guint32 status, GError **error);

/* One window of a call, with what all kernels want to know filled in. */
typedef struct {
  guint index;
  guint first; /* value */
  guint n;     /* values; with a count on the device, at most so many */
  guint groups[3];
  GstGlesArrayPass params;
} GstGlesWindow;

/* How many windows a call over at most @limit values takes, at least 1. */
guint gst_gles_array_n_windows (const GstGlesArray *array, guint limit);
/* Queues what makes the workgroup counts, if the device counts. */
gboolean gst_gles_array_setup (GstGlesArray *array, const GstGlesShape *shape,
    const GstGlesCount *count, guint limit, GError **error);
void gst_gles_array_window (const GstGlesArray *array, const GstGlesShape *shape,
    const GstGlesCount *count, guint limit, guint index, GstGlesWindow *window);
/* @n words of @buffer from @first on; NULL: nothing. */
GstGlesBinding gst_gles_array_binding (
    GstGlesBuffer *buffer, guint64 first, guint64 n, GstGlesUsage usage);
/* The state as storage block 0. */
GstGlesBinding gst_gles_array_state (GstGlesArray *array);
/* Queues @program over a window. */
gboolean gst_gles_array_dispatch (GstGlesArray *array, GstGlesProgram *program,
    const GstGlesBinding *bindings, guint n_bindings, const GstGlesCount *count,
    const GstGlesWindow *window, GError **error);
/* Gives the window's look-back an epoch; clears the state when they have run out. */
gboolean gst_gles_array_next_epoch (GstGlesArray *array, GstGlesWindow *window, GError **error);

G_END_DECLS

#endif
