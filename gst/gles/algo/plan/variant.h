/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The forced variant of an array algorithm, for tests and measurements. */
#ifndef GST_GLES_VARIANT_H
#define GST_GLES_VARIANT_H

#include <gst/gles/core/error.h>

G_BEGIN_DECLS

/* The team that processes a tile: see glsl/lib/subgroup_team.glsl. */
typedef enum {
  GST_GLES_TEAM_SERIAL,
  GST_GLES_TEAM_SHARED,
  GST_GLES_TEAM_SUBGROUP,
  GST_GLES_TEAM_EMULATED, /* subgroups through shared memory, on llvmpipe */
  GST_GLES_TEAM_AUTO
} GstGlesTeam;

/* Emulated subgroups and stalled tiles exist only in builds with tests. */
#ifdef GST_GLES_TEST_HOOKS
#define gst_gles_team_is_emulated(team) ((team) == GST_GLES_TEAM_EMULATED)
#define gst_gles_stalled_tile(stalled_tile) (stalled_tile)
#else
#define gst_gles_team_is_emulated(team) FALSE
#define gst_gles_stalled_tile(stalled_tile) 0u
#endif

typedef enum {
  GST_GLES_SCHEME_AUTO,
  GST_GLES_SCHEME_TWO_PASS,
  GST_GLES_SCHEME_LOOK_BACK
} GstGlesScheme;

/* The tile that a workgroup of a look-back takes. */
typedef enum {
  GST_GLES_ORDER_AUTO,
  GST_GLES_ORDER_TICKETS, /* the next one, by a ticket */
  GST_GLES_ORDER_NUMBERED /* the one with the workgroup's number */
} GstGlesOrder;

/* The forced choices; numbers that are 0 are left to the tuning table. */
typedef struct {
  GstGlesTeam team;
  GstGlesScheme scheme;
  GstGlesOrder order;
  guint invocations, rows, max_groups;
  guint lanes; /* tests: of emulated subgroups */
  guint spin_limit;
  guint stalled_tile; /* tests, look-back: tiles whose number is a multiple never publish */
  guint first_epoch;  /* look-back: the first epoch, at most 16383 */
  guint window;       /* values per window: a power of two, a multiple of all tiles and of 64 */
} GstGlesVariant;

/* Nothing forced. */
extern const GstGlesVariant gst_gles_variant_auto;

/* Parses @text (nullable), words joined by `+`: serial, portable, subgroup; two-pass, lookback;
 * tickets, numbered; and invocations=, rows=, groups=, spin-limit=, epoch=, window= with a number;
 * in builds with tests also emulated, lanes=, and stalled= (stalled tiles). "" and
 * "auto" force nothing. @name is the environment variable that the text comes from, for the
 * message. Errors: SETTINGS (an unknown word, or two of a kind). */
gboolean gst_gles_variant_parse (
    const gchar *name, const gchar *text, GstGlesVariant *variant, GError **error);

/* Parses a word that only one algorithm has. Returns FALSE if it is not such a word. */
typedef gboolean (*GstGlesVariantWordFunc) (const gchar *word, gpointer user_data);

/* The environment variable of an algorithm that has words of its own. */
typedef struct {
  const gchar *name;
  GstGlesVariantWordFunc take;
  const gchar *words; /* what @take parses, for the message */
} GstGlesVariantWords;

/* As above, with the additional words of @own. */
gboolean gst_gles_variant_parse_besides (const GstGlesVariantWords *own, const gchar *text,
    gpointer user_data, GstGlesVariant *variant, GError **error);

/* As gst_gles_variant_parse(), from the environment variable GST_GLES_NAME_VARIANT. */
gboolean gst_gles_variant_from_environment (
    const gchar *name, GstGlesVariant *variant, GError **error);

G_END_DECLS

#endif
