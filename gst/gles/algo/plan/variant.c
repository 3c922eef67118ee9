/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/plan/variant.h>

const GstGlesVariant gst_gles_variant_auto = { .team = GST_GLES_TEAM_AUTO };

static const struct {
  const gchar *word;
  GstGlesTeam team;
} teams[] = {
  { "serial", GST_GLES_TEAM_SERIAL },
  { "portable", GST_GLES_TEAM_SHARED },
  { "subgroup", GST_GLES_TEAM_SUBGROUP },
#ifdef GST_GLES_TEST_HOOKS
  { "emulated", GST_GLES_TEAM_EMULATED },
#endif
};

static const struct {
  const gchar *word;
  GstGlesScheme scheme;
} schemes[] = {
  { "two-pass", GST_GLES_SCHEME_TWO_PASS },
  { "lookback", GST_GLES_SCHEME_LOOK_BACK },
};

static const struct {
  const gchar *word;
  GstGlesOrder order;
} orders[] = {
  { "tickets", GST_GLES_ORDER_TICKETS },
  { "numbered", GST_GLES_ORDER_NUMBERED },
};

static const struct {
  const gchar *word; /* including the = */
  gsize offset;
  guint min, max;
} numbers[] = {
  { "invocations=", G_STRUCT_OFFSET (GstGlesVariant, invocations), 1, 1024 },
  { "rows=", G_STRUCT_OFFSET (GstGlesVariant, rows), 1, 16 },
  { "groups=", G_STRUCT_OFFSET (GstGlesVariant, max_groups), 1, 65535 },
  { "spin-limit=", G_STRUCT_OFFSET (GstGlesVariant, spin_limit), 1, G_MAXUINT },
#ifdef GST_GLES_TEST_HOOKS
  { "lanes=", G_STRUCT_OFFSET (GstGlesVariant, lanes), 4, 64 },
  { "stalled=", G_STRUCT_OFFSET (GstGlesVariant, stalled_tile), 1, G_MAXUINT },
#endif
  { "epoch=", G_STRUCT_OFFSET (GstGlesVariant, first_epoch), 1, 16383 },
  { "window=", G_STRUCT_OFFSET (GstGlesVariant, window), 64, 1u << 30 },
};

static gboolean
parse_team (const gchar *word, GstGlesVariant *variant)
{
  for (guint i = 0; i < G_N_ELEMENTS (teams); i++) {
    if (strcmp (word, teams[i].word) == 0 && variant->team == GST_GLES_TEAM_AUTO) {
      variant->team = teams[i].team;
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
parse_scheme (const gchar *word, GstGlesVariant *variant)
{
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++) {
    if (strcmp (word, schemes[i].word) == 0 && variant->scheme == GST_GLES_SCHEME_AUTO) {
      variant->scheme = schemes[i].scheme;
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
parse_order (const gchar *word, GstGlesVariant *variant)
{
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++) {
    if (strcmp (word, orders[i].word) == 0 && variant->order == GST_GLES_ORDER_AUTO) {
      variant->order = orders[i].order;
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
parse_number (const gchar *word, GstGlesVariant *variant)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    guint *number = (guint *) ((guint8 *) variant + numbers[i].offset);
    guint64 value;
    if (g_str_has_prefix (word, numbers[i].word) && *number == 0 &&
        g_ascii_string_to_unsigned (
            word + strlen (numbers[i].word), 10, numbers[i].min, numbers[i].max, &value, NULL)) {
      *number = value;
      return TRUE;
    }
  }
  return FALSE;
}

gboolean
gst_gles_variant_parse (
    const gchar *name, const gchar *text, GstGlesVariant *variant, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", "+", -1);

  *variant = gst_gles_variant_auto;
  for (guint i = 0; words[i] != NULL; i++) {
    if (strcmp (words[i], "auto") == 0 || parse_team (words[i], variant) ||
        parse_scheme (words[i], variant) || parse_order (words[i], variant) ||
        parse_number (words[i], variant))
      continue;
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "%s=%s: `%s` means nothing there; it takes one of serial, portable, subgroup, one of "
        "two-pass, lookback, one of tickets, numbered, and invocations=N, rows=N, groups=N, "
        "spin-limit=N, epoch=N, window=N, joined by +",
        name, text, words[i]);
    return FALSE;
  }
  if (variant->window != 0 && (variant->window & (variant->window - 1)) != 0) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "%s=%s: a window is a power of two", name, text);
    return FALSE;
  }
  return TRUE;
}

gboolean
gst_gles_variant_parse_besides (const GstGlesVariantWords *own, const gchar *text,
    gpointer user_data, GstGlesVariant *variant, GError **error)
{
  g_auto (GStrv) all = g_strsplit (text != NULL ? text : "", "+", -1);
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  g_autofree gchar *rest = NULL;

  for (guint i = 0; all[i] != NULL; i++) {
    if (!own->take (all[i], user_data))
      g_ptr_array_add (others, all[i]);
  }
  g_ptr_array_add (others, NULL);
  rest = g_strjoinv ("+", (gchar **) others->pdata);
  if (gst_gles_variant_parse (own->name, rest, variant, error))
    return TRUE;
  g_prefix_error (error, "besides %s: ", own->words);
  return FALSE;
}

gboolean
gst_gles_variant_from_environment (const gchar *name, GstGlesVariant *variant, GError **error)
{
  return gst_gles_variant_parse (name, g_getenv (name), variant, error);
}
