/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gst-gles-info-1.0 lists every candidate device: what it can do, or why it cannot be used. */
#include "config.h"

#include <locale.h>
#include <stdio.h>

#include <gst/gles/algo/variants.h>
#include <gst/gles/device/candidates.h>
#include <gst/gles/import/caps.h>
#include <gst/gles/gl/engine.h>
#include <gst/gles/gl/link.h>

#include "../json/writer.h"

static gboolean as_json;
static gboolean show_version;

static const GOptionEntry options[] = {
  { "json", 'j', 0, G_OPTION_ARG_NONE, &as_json, "Print JSON instead of a table", NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &show_version, "Print the version", NULL },
  { NULL },
};

static const gchar *
kind_name (GstGlesDevice *device)
{
  static const gchar *const names[] = { "hardware", "software", "cpu" };

  return names[gst_gles_device_get_kind (device)];
}

/* ---- the properties of a device, in the order of the output ---- */

static GstStructure *
limits_of (GstGlesDevice *device)
{
  const GstGlesLimits *l = gst_gles_device_get_limits (device);
  GstStructure *limits = gst_structure_new_empty ("limits");

  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU)
    return limits;
  gst_structure_set (limits, "storage-blocks", G_TYPE_UINT, l->storage_blocks, NULL);
  gst_structure_set (limits, "storage-block-bytes", G_TYPE_UINT64, l->storage_block_bytes, NULL);
  gst_structure_set (limits, "storage-alignment", G_TYPE_UINT, l->storage_alignment, NULL);
  gst_structure_set (limits, "uniform-block-bytes", G_TYPE_UINT, l->uniform_block_bytes, NULL);
  gst_structure_set (limits, "uniform-alignment", G_TYPE_UINT, l->uniform_alignment, NULL);
  gst_structure_set (limits, "shared-bytes", G_TYPE_UINT, l->shared_bytes, NULL);
  gst_structure_set (limits, "invocations", G_TYPE_UINT, l->invocations, NULL);
  gst_structure_set (limits, "groups-x", G_TYPE_UINT, l->groups[0], NULL);
  gst_structure_set (limits, "groups-y", G_TYPE_UINT, l->groups[1], NULL);
  gst_structure_set (limits, "groups-z", G_TYPE_UINT, l->groups[2], NULL);
  gst_structure_set (limits, "subgroup-size", G_TYPE_UINT, l->subgroup_size, NULL);
  gst_structure_set (limits, "subgroup-features", G_TYPE_UINT, l->subgroup_features, NULL);
  gst_structure_set (limits, "buffer-storage", G_TYPE_BOOLEAN, l->buffer_storage, NULL);
  gst_structure_set (limits, "timer-queries", G_TYPE_BOOLEAN, l->timer_queries, NULL);
  gst_structure_set (limits, "robustness", G_TYPE_BOOLEAN, l->robustness, NULL);
  gst_structure_set (limits, "program-binary", G_TYPE_BOOLEAN, l->program_binary, NULL);
  gst_structure_set (limits, "memory-objects", G_TYPE_BOOLEAN, l->memory_objects, NULL);
  gst_structure_set (limits, "clamped", G_TYPE_BOOLEAN, l->clamped, NULL);
  return limits;
}

static void
add_variant (const gchar *algorithm, const gchar *variant, gpointer user_data)
{
  gst_structure_set (user_data, algorithm, G_TYPE_STRING, variant, NULL);
}

/* How the device reads frames in each kind of memory, or why it does not. */
static GstStructure *
memories_of (GstGlesDevice *device)
{
  GstStructure *memories = gst_structure_new_empty ("memories");

  for (guint i = 0; i < GST_GLES_FRAME_N_MEMORIES; i++) {
    gboolean reads;
    g_autofree gchar *how = gst_gles_frame_memory_describe (device, (GstGlesFrameMemory) i, &reads);

    gst_structure_set (
        memories, gst_gles_frame_memory_name ((GstGlesFrameMemory) i), G_TYPE_STRING, how, NULL);
  }
  return memories;
}

static void
set_gb_per_s (GstStructure *link, const gchar *name, gdouble bytes_per_s)
{
  gst_structure_set (link, name, G_TYPE_DOUBLE, bytes_per_s / 1e9, NULL);
}

/* Adds what the link to the device gives, and how frames are therefore read, to @all. */
static void
add_link (GstGlesDevice *device, GstStructure *all)
{
  g_autoptr (GstStructure) link = gst_structure_new_empty ("link");
  g_autofree gchar *words = NULL, *choice = NULL;
  GstGlesLink figures;

  gst_gles_engine_find (device);
  gst_gles_link_get (device, &figures);
  if (gst_gles_device_get_kind (device) != GST_GLES_DEVICE_HARDWARE &&
      !gst_gles_link_is_known (&figures))
    return;
  words = gst_gles_link_describe (&figures);
  choice = gst_gles_link_describe_choice (&figures);
  set_gb_per_s (link, "mapped-read-gb-per-s", figures.mapped_read);
  set_gb_per_s (link, "copy-gb-per-s", figures.copy);
  set_gb_per_s (link, "readback-gb-per-s", figures.readback);
  set_gb_per_s (link, "transfer-gb-per-s", figures.transfer);
  gst_structure_set (link, "figures", G_TYPE_STRING, words, "frames", G_TYPE_STRING, choice, NULL);
  gst_structure_set (all, "link", GST_TYPE_STRUCTURE, link, NULL);
}

/* Returns the members of a device in JSON: (transfer full). */
static GstStructure *
describe (const GstGlesCandidate *candidate)
{
  GstStructure *all = gst_structure_new ("device", "device", G_TYPE_STRING, candidate->spec, NULL);
  g_autoptr (GstStructure) limits = NULL, memories = NULL, variants = NULL;

  if (candidate->device == NULL) {
    gst_structure_set (all, "refused", G_TYPE_STRING, candidate->error->message, NULL);
    return all;
  }
  limits = limits_of (candidate->device);
  memories = memories_of (candidate->device);
  variants = gst_structure_new_empty ("variants");
  gst_gles_variants_foreach (candidate->device, add_variant, variants);
  gst_structure_set (all, "kind", G_TYPE_STRING, kind_name (candidate->device), "description",
      G_TYPE_STRING, gst_gles_device_get_description (candidate->device), "limits",
      GST_TYPE_STRUCTURE, limits, "memories", GST_TYPE_STRUCTURE, memories, "variants",
      GST_TYPE_STRUCTURE, variants, NULL);
  add_link (candidate->device, all);
  return all;
}

/* ---- table ---- */

static gboolean
print_row (GQuark field, const GValue *value, gpointer user_data)
{
  g_autofree gchar *text =
      G_VALUE_HOLDS_STRING (value) ? g_value_dup_string (value) : gst_value_serialize (value);

  g_print ("    %-22s %s\n", g_quark_to_string (field), text);
  return TRUE;
}

static void
print_link (const GValue *value)
{
  const GstStructure *link = value != NULL ? gst_value_get_structure (value) : NULL;

  if (link != NULL)
    g_print ("  link: %s; %s\n", gst_structure_get_string (link, "figures"),
        gst_structure_get_string (link, "frames"));
}

static void
print_device (const GstStructure *device)
{
  static const gchar *const sections[][2] = { { "limits", "limits" },
    { "memories", "memory of frames" }, { "variants", "kernel variants" } };
  const gchar *spec = gst_structure_get_string (device, "device");
  const gchar *refused = gst_structure_get_string (device, "refused");

  if (refused != NULL) {
    g_print ("%s: refused\n  %s\n\n", spec, refused);
    return;
  }
  g_print ("%s: %s\n  %s\n", spec, gst_structure_get_string (device, "kind"),
      gst_structure_get_string (device, "description"));
  print_link (gst_structure_get_value (device, "link"));
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++) {
    const GstStructure *rows =
        gst_value_get_structure (gst_structure_get_value (device, sections[i][0]));

    if (gst_structure_n_fields (rows) > 0)
      g_print ("  %s\n", sections[i][1]);
    gst_structure_foreach (rows, print_row, NULL);
  }
  g_print ("\n");
}

static void
print_table (GArray *candidates, const gchar *chosen)
{
  for (guint i = 0; i < candidates->len; i++) {
    g_autoptr (GstStructure) device = describe (&g_array_index (candidates, GstGlesCandidate, i));

    print_device (device);
  }
  g_print ("device=auto takes: %s\n", chosen);
}

/* ---- JSON ---- */

typedef struct {
  JsonWriter *json;
  const gchar *before; /* what stands between the next member and the one before */
} Members;

static gboolean
write_member (GQuark field, const GValue *value, gpointer user_data)
{
  Members *self = user_data, inner = { self->json, "{" };

  json_writer_raw (self->json, self->before);
  json_writer_string (self->json, g_quark_to_string (field));
  json_writer_raw (self->json, ": ");
  self->before = ", ";
  if (G_VALUE_HOLDS_STRING (value)) {
    json_writer_string (self->json, g_value_get_string (value));
  } else if (GST_VALUE_HOLDS_STRUCTURE (value)) {
    gst_structure_foreach (gst_value_get_structure (value), write_member, &inner);
    json_writer_raw (self->json, inner.before[0] == '{' ? "{}" : "}");
  } else if (G_VALUE_HOLDS_DOUBLE (value)) {
    gchar text[G_ASCII_DTOSTR_BUF_SIZE];

    json_writer_raw (
        self->json, g_ascii_formatd (text, sizeof (text), "%.1f", g_value_get_double (value)));
  } else {
    g_autofree gchar *text = gst_value_serialize (value);

    json_writer_raw (self->json, text);
  }
  return TRUE;
}

/* JSON is UTF-8 in every locale, so it does not go through g_print(). */
static gboolean
print_json (GArray *candidates, const gchar *chosen, GError **error)
{
  g_autofree gchar *text = NULL;
  JsonWriter json;
  gsize size;

  json_writer_init (&json, 4096);
  json_writer_raw (&json, "{\"devices\": [");
  for (guint i = 0; i < candidates->len; i++) {
    Members members = { &json, i > 0 ? ",\n  {" : "\n  {" };
    g_autoptr (GstStructure) device = describe (&g_array_index (candidates, GstGlesCandidate, i));

    gst_structure_foreach (device, write_member, &members);
    json_writer_raw (&json, "}");
  }
  json_writer_raw (&json, "\n], \"auto\": ");
  json_writer_string (&json, chosen);
  json_writer_raw (&json, "}\n");
  text = json_writer_steal (&json, &size, error);
  if (text != NULL)
    fwrite (text, 1, size, stdout);
  return text != NULL;
}

gint
main (gint argc, gchar **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) candidates = NULL;
  GstGlesDevice *chosen;
  gboolean ok = TRUE;

  setlocale (LC_ALL, "");
  g_option_context_set_summary (context,
      "Lists the devices that gst-gles-compute can use, why one is refused, and what the others "
      "can do.");
  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (show_version) {
    g_print ("gst-gles-info-1.0 %s\n", VERSION);
    return 0;
  }
  candidates = gst_gles_candidates_probe ();
  chosen = gst_gles_device_new ("auto", &error);
  if (chosen == NULL) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  if (as_json)
    ok = print_json (candidates, gst_gles_device_get_description (chosen), &error);
  else
    print_table (candidates, gst_gles_device_get_description (chosen));
  if (!ok)
    g_printerr ("%s\n", error->message);
  gst_object_unref (chosen);
  return ok ? 0 : 1;
}
