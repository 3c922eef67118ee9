/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The choices of a sort: what there is to choose, the tuning table, and the forced variant. */
#ifndef GST_GLES_SORT_TUNING_H
#define GST_GLES_SORT_TUNING_H

#include <gst/gles/algo/plan/variant.h>
#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

/* How the keys of a tile are matched: MATCH of glsl/sort/digit_rank.glsl. */
typedef enum {
  GST_GLES_SORT_COUNTERS,
  GST_GLES_SORT_BALLOT,
  GST_GLES_SORT_EMULATED, /* tests: ballots through shared memory */
  GST_GLES_SORT_N_MATCHES
} GstGlesSortMatch;

/* Words of the widest record: u64 keys with a payload. */
#define GST_GLES_SORT_MAX_WORDS 3

typedef struct {
  GstGlesSortMatch match;
  gboolean look_back;
  gboolean numbered; /* look-back: workgroups take the tiles of their own numbers */
  guint invocations; /* per workgroup */
  /* per invocation and tile, indexed by the words of a record minus one */
  guint keys[GST_GLES_SORT_MAX_WORDS];
  guint lanes;        /* lanes of a subgroup; 0: the device's */
  guint stalled_tile; /* tests, look-back: as in the variant */
} GstGlesSortShape;

typedef struct {
  GstGlesSortShape best;
  GstGlesSortShape portable; /* GST_GLES_SORT_COUNTERS, without look-back */
  /* look-back: how often a status word is read before its tile counts as stalled */
  guint spin_limit;
  guint histogram_invocations; /* look-back: for sort_histogram */
  guint histogram_groups;
  guint spine_invocations;
} GstGlesSortTuning;

/* Returns the row for @device, which must have GL. Thread: any. */
const GstGlesSortTuning *gst_gles_sort_tuning (GstGlesDevice *device);
/* All rows, for the offline compile. */
const GstGlesSortTuning *gst_gles_sort_tuning_row (guint index);
guint gst_gles_sort_tuning_n_rows (void);

/* The forced choices; numbers that are 0 are left to the table. */
typedef struct {
  GstGlesVariant common;
  GstGlesSortMatch match; /* GST_GLES_SORT_N_MATCHES: not forced */
  guint keys;             /* per invocation */
  guint lanes;            /* emulated subgroups: 4 to 64 */
  gboolean separate;      /* keys and payloads are separate arrays between passes */
} GstGlesSortVariant;

extern const GstGlesSortVariant gst_gles_sort_variant_auto;

/* Parses @text (nullable): the words of gst_gles_variant_parse(), whose teams stand for
 * counters and ballot; and ballot, separate, keys=; in builds with tests also emulated and
 * lanes=. Errors: SETTINGS. */
gboolean gst_gles_sort_variant_parse (
    const gchar *text, GstGlesSortVariant *variant, GError **error);

/* What is sorted: records, by digits. */
typedef struct {
  guint words; /* of a record */
  guint digit_bits;
} GstGlesSortRecords;

/* Returns the shape for @device with the forced choices, after a check that the device can run it
 * for @records. Errors: SETTINGS. */
gboolean gst_gles_sort_choose (GstGlesDevice *device, const GstGlesSortVariant *variant,
    const GstGlesSortRecords *records, GstGlesSortShape *shape, GError **error);

/* Returns whether keys are matched by the device's subgroups. */
gboolean gst_gles_sort_uses_subgroups (GstGlesSortMatch match);
/* Returns the shared memory of a scatter kernel of @shape. */
guint gst_gles_sort_shared_bytes (
    const GstGlesSortShape *shape, guint record_words, guint digit_bits);

G_END_DECLS

#endif
