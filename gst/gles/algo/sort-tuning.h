/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How sorts go about their work: what there is to choose, what is chosen by class of device, and what
 * a test or a measurement forces. */
#ifndef GST_GLES_SORT_TUNING_H
#define GST_GLES_SORT_TUNING_H

#include <gst/gles/algo/variant.h>
#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

/* How keys of a tile are told apart: see glsl/lib/digit_rank.glsl for all but the first. */
typedef enum {
  GST_GLES_SORT_SERIAL, /* no tiles: stretches of keys, one an invocation */
  GST_GLES_SORT_COUNTERS,
  GST_GLES_SORT_BALLOT,
  GST_GLES_SORT_PARTITIONED,
  GST_GLES_SORT_EMULATED, /* ballots through shared memory */
  GST_GLES_SORT_N_MATCHES
} GstGlesSortMatch;

/* Single invocations that split keys by their highest digit: its bits, and of the other digits at most. */
#define GST_GLES_SORT_SPLIT_BITS 8
#define GST_GLES_SORT_BUCKET_DIGIT_BITS 12

/* Words of the widest record: u64 keys with a payload. */
#define GST_GLES_SORT_MAX_WORDS 3

typedef struct {
  GstGlesSortMatch match;
  gboolean look_back;
  gboolean
      numbered; /* look-back: workgroups begin in the order of their numbers, and take those tiles */
  guint invocations;                   /* of a workgroup */
  guint keys[GST_GLES_SORT_MAX_WORDS]; /* per invocation and tile, by the words of a record */
  guint lanes;                         /* of a subgroup; 0: the device's */
} GstGlesSortShape;

typedef struct {
  GstGlesSortShape best;
  GstGlesSortShape portable; /* GST_GLES_SORT_COUNTERS, without look-back */
  guint max_polls;           /* look-back: looks at a silent tile before its work is done for it */
  guint histogram_invocations; /* look-back: of the kernel that counts all digits */
  guint histogram_groups;
  guint spine_invocations;
  guint serial_groups_per_processor;
  guint serial_split_from, serial_split_to; /* keys: when they may be split by the highest digit */
} GstGlesSortTuning;

/* The row for @device, which has GL. Thread: any. */
const GstGlesSortTuning *gst_gles_sort_tuning (GstGlesDevice *device);
/* All rows, for the offline compile: n of them. */
const GstGlesSortTuning *gst_gles_sort_tuning_row (guint index);
guint gst_gles_sort_tuning_n_rows (void);

/* What is forced; numbers that are 0 are left to the table. */
typedef struct {
  GstGlesVariant common;
  GstGlesSortMatch match; /* GST_GLES_SORT_N_MATCHES: not forced */
  guint keys;             /* per invocation */
  guint lanes;            /* emulated subgroups: 4, 8, 16 or 32 */
  gboolean separate;      /* keys and payloads in arrays of their own between passes */
  gboolean split;         /* single invocations: split by the highest digit, whatever the keys */
} GstGlesSortVariant;

extern const GstGlesSortVariant gst_gles_sort_variant_auto;

/* Reads @text (nullable): what gst_gles_variant_parse() takes (its teams stand for serial, counters and
 * ballot), and ballot, partitioned, emulated, split, separate, keys=, lanes=. Errors: SETTINGS. */
gboolean gst_gles_sort_variant_parse (
    const gchar *text, GstGlesSortVariant *variant, GError **error);

/* The shape for @device with what @variant forces, and whether the device can run it for records of
 * @record_words words and digits of @digit_bits. Errors: SETTINGS. */
gboolean gst_gles_sort_choose (GstGlesDevice *device, const GstGlesSortTuning *tuning,
    const GstGlesSortVariant *variant, guint record_words, guint digit_bits,
    GstGlesSortShape *shape, GError **error);

/* Whether keys are told apart by the device's subgroups. */
gboolean gst_gles_sort_uses_subgroups (GstGlesSortMatch match);
/* Shared memory of a scatter kernel of @shape. */
guint gst_gles_sort_shared_bytes (
    const GstGlesSortShape *shape, guint record_words, guint digit_bits);

G_END_DECLS

#endif
