/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/plan/array.h>
#include <gst/gles/algo/plan/tuning-class.h>
#include <gst/gles/algo/sort/sort-tuning.h>

static const GstGlesSortTuning rows[GST_GLES_N_CLASSES] = {
  /* llvmpipe: the place of tests, which force what GPUs choose. */
  [GST_GLES_CLASS_SOFTWARE] = {
      .best = { GST_GLES_SORT_COUNTERS, FALSE, FALSE, 128, { 8, 8, 8 }, 0 },
      .portable = { GST_GLES_SORT_COUNTERS, FALSE, FALSE, 128, { 8, 8, 8 }, 0 },
      .spin_limit = 16,
      .histogram_invocations = 64,
      .histogram_groups = 8,
      .spine_invocations = 64,
  },
  [GST_GLES_CLASS_NVIDIA] = {
      /* Measured on an H100, in us, for 1 Mi and 16 Mi keys, then pairs (invocations x keys):
       *   256 x 19: 101 652, 141 768     256 x 9: 102 676, 130 794     512 x 8: 98 673, 123 764
       *   512 x 9: 98 631, 125 740       512 x 10: 99 604, 145 987     512 x 13: 118 805, 158 933
       *   384 x 15: 102 597, 165 1015    1024 x 5: 117 878, 150 974
       * A shape that needs a few more registers can be slower by a third. The present kernel,
       * which has fewer instructions:
       *   512 x 8: 75 625, 90 730        512 x 9: 73 590, 92 712       512 x 10: 75 564, 93 705
       *   512 x 11: 91 737, 111 850 (one workgroup less fits a multiprocessor) */
      .best = { GST_GLES_SORT_BALLOT, TRUE, TRUE, 512, { 10, 10, 7 }, 0 },
      /* In us for 16 Mi, by keys of an invocation:
       *   keys: 9 993, 13 900, 15 879, 17 846, 19 811, 21 2733
       *   pairs: 9 1208, 11 1118, 15 1130, 19 1087    u64 keys: 7 2767, 9 2483, 11 2314, 15 2366
       *   u64 pairs: 7 3882, 9 3624, 15 3474 */
      .portable = { GST_GLES_SORT_COUNTERS, FALSE, FALSE, 256, { 19, 11, 9 }, 0 },
      .spin_limit = 256,
      .histogram_invocations = 512,
      .histogram_groups = 528,
      .spine_invocations = 512,
  },
  [GST_GLES_CLASS_HARDWARE] = {
      .best = { GST_GLES_SORT_BALLOT, FALSE, FALSE, 256, { 8, 8, 6 }, 0 },
      .portable = { GST_GLES_SORT_COUNTERS, FALSE, FALSE, 256, { 8, 8, 6 }, 0 },
      .spin_limit = 256,
      .histogram_invocations = 256,
      .histogram_groups = 256,
      .spine_invocations = 128,
  },
  [GST_GLES_CLASS_FEW_REGISTERS] = {
      .best = { GST_GLES_SORT_COUNTERS, FALSE, FALSE, 128, { 4, 4, 4 }, 0 },
      .portable = { GST_GLES_SORT_COUNTERS, FALSE, FALSE, 128, { 4, 4, 4 }, 0 },
      .spin_limit = 256,
      .histogram_invocations = 128,
      .histogram_groups = 64,
      .spine_invocations = 128,
  },
  [GST_GLES_CLASS_MINIMUM] = {
      .best = { GST_GLES_SORT_COUNTERS, FALSE, FALSE, 128, { 8, 8, 8 }, 0 },
      .portable = { GST_GLES_SORT_COUNTERS, FALSE, FALSE, 128, { 8, 8, 8 }, 0 },
      .spin_limit = 16,
      .histogram_invocations = 128,
      .histogram_groups = 64,
      .spine_invocations = 128,
  },
};

const GstGlesSortTuning *
gst_gles_sort_tuning (GstGlesDevice *device)
{
  return &rows[gst_gles_tuning_class (device)];
}

const GstGlesSortTuning *
gst_gles_sort_tuning_row (guint index)
{
  return &rows[index];
}

guint
gst_gles_sort_tuning_n_rows (void)
{
  return G_N_ELEMENTS (rows);
}

/* ---- forced variants ---- */

const GstGlesSortVariant gst_gles_sort_variant_auto = {
  .common = { .team = GST_GLES_TEAM_AUTO },
  .match = GST_GLES_SORT_N_MATCHES,
};

static const gchar *const match_words[GST_GLES_SORT_N_MATCHES] = {
  [GST_GLES_SORT_BALLOT] = "ballot",
#ifdef GST_GLES_TEST_HOOKS
  [GST_GLES_SORT_EMULATED] = "emulated",
#endif
};

static gboolean
parse_number (const gchar *word, const gchar *name, guint max, guint *number)
{
  guint64 value;

  if (*number != 0 || !g_str_has_prefix (word, name) ||
      !g_ascii_string_to_unsigned (word + strlen (name), 10, 1, max, &value, NULL))
    return FALSE;
  *number = value;
  return TRUE;
}

static gboolean
take_word (const gchar *word, gpointer user_data)
{
  GstGlesSortVariant *variant = user_data;

  for (guint i = 0; i < GST_GLES_SORT_N_MATCHES; i++) {
    if (g_strcmp0 (word, match_words[i]) == 0 && variant->match == GST_GLES_SORT_N_MATCHES) {
      variant->match = i;
      return TRUE;
    }
  }
  if (g_str_equal (word, "separate")) {
    variant->separate = TRUE;
    return TRUE;
  }
#ifdef GST_GLES_TEST_HOOKS
  if (parse_number (word, "lanes=", 64, &variant->lanes))
    return TRUE;
#endif
  return parse_number (word, "keys=", 64, &variant->keys);
}

gboolean
gst_gles_sort_variant_parse (const gchar *text, GstGlesSortVariant *variant, GError **error)
{
  static const GstGlesSortMatch by_team[] = {
    [GST_GLES_TEAM_SERIAL] = GST_GLES_SORT_COUNTERS,
    [GST_GLES_TEAM_SHARED] = GST_GLES_SORT_COUNTERS,
    [GST_GLES_TEAM_SUBGROUP] = GST_GLES_SORT_BALLOT,
    [GST_GLES_TEAM_AUTO] = GST_GLES_SORT_N_MATCHES,
  };

  static const GstGlesVariantWords own = { "GST_GLES_SORT_VARIANT", take_word,
    "ballot, separate and keys=N" };

  *variant = gst_gles_sort_variant_auto;
  if (!gst_gles_variant_parse_besides (&own, text, variant, &variant->common, error))
    return FALSE;
  if (variant->match == GST_GLES_SORT_N_MATCHES)
    variant->match = by_team[variant->common.team];
  return TRUE;
}

/* ---- shapes ---- */

gboolean
gst_gles_sort_uses_subgroups (GstGlesSortMatch match)
{
  return match == GST_GLES_SORT_BALLOT;
}

static guint
match_lanes (const GstGlesSortShape *shape)
{
  return shape->match == GST_GLES_SORT_COUNTERS ? 0 : shape->lanes;
}

guint
gst_gles_sort_shared_bytes (const GstGlesSortShape *shape, guint record_words, guint digit_bits)
{
  guint n = shape->invocations;
  guint radix = 1u << digit_bits;
  guint lanes = match_lanes (shape);
  GstGlesShape team = { GST_GLES_TEAM_SHARED, n, 0, 0 };
  guint tile = shape->keys[record_words - 1] * n;
  /* tile_counts, digit_targets, two words of look-back */
  guint words = 2 * radix + 2;

  if (shape->match == GST_GLES_SORT_COUNTERS)
    words += MAX (tile, 8 * n + 8 * n / 32 + 1);
  else
    words += MAX (tile, n / lanes * radix) + n / lanes * ((lanes + 31) / 32);
  if (gst_gles_sort_uses_subgroups (shape->match))
    team.team = GST_GLES_TEAM_SUBGROUP;
  return 4 * words + gst_gles_shape_scan_bytes (&team, 2, 1);
}

static gboolean
has_subgroups (const GstGlesLimits *limits)
{
  /* basic, vote, arithmetic, ballot, shuffle, shuffle relative */
  return limits->subgroup_size >= 4 && (limits->subgroup_features & 0x3f) == 0x3f;
}

static gboolean
is_power_of_two (guint value)
{
  return value != 0 && (value & (value - 1)) == 0;
}

static void
force_shape (const GstGlesSortTuning *tuning, const GstGlesSortVariant *variant,
    const GstGlesLimits *limits, gboolean software, GstGlesSortShape *shape)
{
  *shape = tuning->best;
  if (shape->match >= GST_GLES_SORT_BALLOT && !has_subgroups (limits))
    *shape = tuning->portable;
  if (variant->match != GST_GLES_SORT_N_MATCHES && variant->match != shape->match) {
    *shape = tuning->portable;
    shape->match = variant->match;
  }
  if (variant->common.scheme != GST_GLES_SCHEME_AUTO)
    shape->look_back = variant->common.scheme == GST_GLES_SCHEME_LOOK_BACK;
  if (variant->common.order != GST_GLES_ORDER_AUTO)
    shape->numbered = variant->common.order == GST_GLES_ORDER_NUMBERED;
  /* see force_shape() of array.c */
  if (software)
    shape->numbered = FALSE;
  if (variant->common.invocations != 0)
    shape->invocations = variant->common.invocations;
  for (guint i = 0; i < GST_GLES_SORT_MAX_WORDS && variant->keys != 0; i++)
    shape->keys[i] = variant->keys;
  shape->stalled_tile = variant->common.stalled_tile;
  if (shape->match == GST_GLES_SORT_EMULATED)
    shape->lanes = variant->lanes != 0 ? variant->lanes : 16;
  else
    shape->lanes = limits->subgroup_size;
}

gboolean
gst_gles_sort_choose (GstGlesDevice *device, const GstGlesSortVariant *variant,
    const GstGlesSortRecords *records, GstGlesSortShape *shape, GError **error)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (device);
  gboolean subgroups;
  const gchar *why = NULL;

  force_shape (gst_gles_sort_tuning (device), variant, limits,
      gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE, shape);
  subgroups = gst_gles_sort_uses_subgroups (shape->match);
  if (subgroups && !has_subgroups (limits))
    why = "the device has no subgroups in compute shaders";
  else if (shape->match >= GST_GLES_SORT_BALLOT &&
      (!is_power_of_two (shape->lanes) || shape->invocations % shape->lanes != 0))
    why = "workgroups are not made of whole subgroups";
  else if (shape->invocations < 128 || (!subgroups && !is_power_of_two (shape->invocations)))
    why = "a workgroup has at least 128 invocations, and a power of two without subgroups";
  else if (shape->keys[records->words - 1] * shape->invocations > 32768)
    why = "a tile has at most 32768 keys";
  else if (gst_gles_sort_shared_bytes (shape, records->words, records->digit_bits) >
      limits->shared_bytes)
    why = "a tile does not fit the shared memory of the device";
  if (why == NULL)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "sort: %s; use another GST_GLES_SORT_VARIANT", why);
  return FALSE;
}
