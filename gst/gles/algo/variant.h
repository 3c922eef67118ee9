/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which way an array algorithm goes about its work, when a test or a measurement forces one. */
#ifndef GST_GLES_VARIANT_H
#define GST_GLES_VARIANT_H

#include <gst/gles/core/error.h>

G_BEGIN_DECLS

/* Who works on a tile together: see glsl/lib/subgroup_team.glsl. */
typedef enum {
  GST_GLES_TEAM_SERIAL,
  GST_GLES_TEAM_SHARED,
  GST_GLES_TEAM_SUBGROUP,
  GST_GLES_TEAM_EMULATED, /* subgroups of 4 that llvmpipe's SIMD vectors stand for: tests only */
  GST_GLES_TEAM_AUTO
} GstGlesTeam;

typedef enum {
  GST_GLES_SCHEME_AUTO,
  GST_GLES_SCHEME_TWO_PASS,
  GST_GLES_SCHEME_LOOK_BACK
} GstGlesScheme;

/* Which tile a workgroup of a look-back takes. */
typedef enum {
  GST_GLES_ORDER_AUTO,
  GST_GLES_ORDER_TICKETS, /* the next one */
  GST_GLES_ORDER_NUMBERED /* the one of its own number */
} GstGlesOrder;

/* What is forced; numbers that are 0 are left to the tuning table. */
typedef struct {
  GstGlesTeam team;
  GstGlesScheme scheme;
  GstGlesOrder order;
  guint invocations, rows, max_groups;
  guint max_polls;
  guint stuck;       /* look-back: tiles divisible by it never publish */
  guint first_epoch; /* look-back: where epochs begin, at most 16383 */
  guint window;      /* values per window, a multiple of all tiles and of 64, a power of two */
} GstGlesVariant;

/* Nothing forced. */
extern const GstGlesVariant gst_gles_variant_auto;

/* Reads @text (nullable), words joined by `+`: serial, portable, subgroup, emulated; two-pass, lookback; tickets,
 * numbered; and invocations=, rows=, groups=, polls=, stuck=, epoch=, window= with a number. "" and "auto" force
 * nothing. @name: the environment variable that it is from, for the message.
 * Errors: SETTINGS (a word that means nothing, or two of a kind). */
gboolean gst_gles_variant_parse (
    const gchar *name, const gchar *text, GstGlesVariant *variant, GError **error);

/* Takes a word that only one algorithm knows; FALSE if it is none. */
typedef gboolean (*GstGlesVariantWordFunc) (const gchar *word, gpointer user_data);

/* The same, with words that @take takes; @words says which these are, for the message. */
gboolean gst_gles_variant_parse_besides (const gchar *name, const gchar *text,
    GstGlesVariantWordFunc take, gpointer user_data, const gchar *words, GstGlesVariant *variant,
    GError **error);

/* The same as the first from the environment: GST_GLES_REDUCE_VARIANT, _SCAN_VARIANT, _COMPACT_VARIANT. */
gboolean gst_gles_variant_from_environment (
    const gchar *name, GstGlesVariant *variant, GError **error);

G_END_DECLS

#endif
