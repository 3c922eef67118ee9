/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gst-gles-info-1.0 lists every candidate device: what it can do, or why it cannot be used. */
#include "config.h"

#include <locale.h>
#include <string.h>

#include <gst/gles/algo/variants.h>
#include <gst/gles/device/candidates.h>
#include <gst/gles/frame/caps.h>

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

/* ---- the properties of a device, for both output formats ---- */

typedef struct {
  const gchar *name;
  gchar *value;
  gboolean is_text; /* quoted in JSON */
} Fact;

static void
fact_clear (gpointer data)
{
  g_free (((Fact *) data)->value);
}

static void G_GNUC_PRINTF (4, 5)
    add_fact (GArray *facts, gboolean is_text, const gchar *name, const gchar *format, ...)
{
  Fact fact = { name, NULL, is_text };
  va_list args;

  va_start (args, format);
  fact.value = g_strdup_vprintf (format, args);
  va_end (args);
  g_array_append_val (facts, fact);
}

static void
add_flag (GArray *facts, const gchar *name, gboolean value)
{
  add_fact (facts, FALSE, name, "%s", value ? "true" : "false");
}

static GArray *
limits_of (GstGlesDevice *device)
{
  const GstGlesLimits *l = gst_gles_device_get_limits (device);
  GArray *facts = g_array_new (FALSE, FALSE, sizeof (Fact));

  g_array_set_clear_func (facts, fact_clear);
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU)
    return facts;
  add_fact (facts, FALSE, "storage-blocks", "%u", l->storage_blocks);
  add_fact (facts, FALSE, "storage-block-bytes", "%" G_GUINT64_FORMAT, l->storage_block_bytes);
  add_fact (facts, FALSE, "storage-alignment", "%u", l->storage_alignment);
  add_fact (facts, FALSE, "uniform-block-bytes", "%u", l->uniform_block_bytes);
  add_fact (facts, FALSE, "uniform-alignment", "%u", l->uniform_alignment);
  add_fact (facts, FALSE, "shared-bytes", "%u", l->shared_bytes);
  add_fact (facts, FALSE, "invocations", "%u", l->invocations);
  for (guint i = 0; i < 3; i++) {
    static const gchar *const names[] = { "groups-x", "groups-y", "groups-z" };
    add_fact (facts, FALSE, names[i], "%u", l->groups[i]);
  }
  add_fact (facts, FALSE, "subgroup-size", "%u", l->subgroup_size);
  add_fact (facts, FALSE, "subgroup-features", "%u", l->subgroup_features);
  add_flag (facts, "buffer-storage", l->buffer_storage);
  add_flag (facts, "timer-queries", l->timer_queries);
  add_flag (facts, "robustness", l->robustness);
  add_flag (facts, "program-binary", l->program_binary);
  add_flag (facts, "memory-objects", l->memory_objects);
  add_flag (facts, "clamped", l->clamped);
  return facts;
}

static void
add_variant (const gchar *algorithm, const gchar *variant, gpointer user_data)
{
  add_fact (user_data, TRUE, algorithm, "%s", variant);
}

static GArray *
variants_of (GstGlesDevice *device)
{
  GArray *facts = g_array_new (FALSE, FALSE, sizeof (Fact));

  g_array_set_clear_func (facts, fact_clear);
  gst_gles_variants_foreach (device, add_variant, facts);
  return facts;
}

/* How the device reads frames in each kind of memory, or why it does not. */
static GArray *
memories_of (GstGlesDevice *device)
{
  GArray *facts = g_array_new (FALSE, FALSE, sizeof (Fact));

  g_array_set_clear_func (facts, fact_clear);
  for (guint i = 0; i < GST_GLES_FRAME_N_MEMORIES; i++) {
    GstGlesFrameMemory memory = (GstGlesFrameMemory) i;
    g_autofree gchar *how = NULL;
    gboolean reads;

    how = gst_gles_frame_memory_describe (device, memory, &reads);
    add_fact (facts, TRUE, gst_gles_frame_memory_name (memory), "%s", how);
  }
  return facts;
}

/* ---- table ---- */

static void
print_facts (const gchar *title, GArray *facts)
{
  if (facts->len > 0)
    g_print ("  %s\n", title);
  for (guint i = 0; i < facts->len; i++) {
    const Fact *fact = &g_array_index (facts, Fact, i);
    g_print ("    %-22s %s\n", fact->name, fact->value);
  }
}

static void
print_table (GArray *candidates, const gchar *chosen)
{
  for (guint i = 0; i < candidates->len; i++) {
    const GstGlesCandidate *candidate = &g_array_index (candidates, GstGlesCandidate, i);
    g_autoptr (GArray) limits = NULL;
    g_autoptr (GArray) memories = NULL;
    g_autoptr (GArray) variants = NULL;

    if (candidate->device == NULL) {
      g_print ("%s: refused\n  %s\n\n", candidate->spec, candidate->error->message);
      continue;
    }
    limits = limits_of (candidate->device);
    memories = memories_of (candidate->device);
    variants = variants_of (candidate->device);
    g_print ("%s: %s\n  %s\n", candidate->spec, kind_name (candidate->device),
        gst_gles_device_get_description (candidate->device));
    print_facts ("limits", limits);
    print_facts ("memory of frames", memories);
    print_facts ("kernel variants", variants);
    g_print ("\n");
  }
  g_print ("device=auto takes: %s\n", chosen);
}

/* ---- JSON ---- */

static void
print_string (const gchar *text)
{
  g_print ("\"");
  for (const gchar *c = text; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      g_print ("\\%c", *c);
    else if ((guchar) *c < 0x20)
      g_print ("\\u%04x", (guchar) *c);
    else
      g_print ("%c", *c);
  }
  g_print ("\"");
}

static void
print_member (const gchar *name, const gchar *text)
{
  g_print (", \"%s\": ", name);
  print_string (text);
}

static void
print_object (const gchar *name, GArray *facts)
{
  g_print (", \"%s\": {", name);
  for (guint i = 0; i < facts->len; i++) {
    const Fact *fact = &g_array_index (facts, Fact, i);
    g_print ("%s\"%s\": ", i > 0 ? ", " : "", fact->name);
    if (fact->is_text)
      print_string (fact->value);
    else
      g_print ("%s", fact->value);
  }
  g_print ("}");
}

static void
print_json (GArray *candidates, const gchar *chosen)
{
  g_print ("{\"devices\": [");
  for (guint i = 0; i < candidates->len; i++) {
    const GstGlesCandidate *candidate = &g_array_index (candidates, GstGlesCandidate, i);
    g_print ("%s\n  {\"device\": ", i > 0 ? "," : "");
    print_string (candidate->spec);
    if (candidate->device == NULL) {
      print_member ("refused", candidate->error->message);
    } else {
      g_autoptr (GArray) limits = limits_of (candidate->device);
      g_autoptr (GArray) memories = memories_of (candidate->device);
      g_autoptr (GArray) variants = variants_of (candidate->device);
      print_member ("kind", kind_name (candidate->device));
      print_member ("description", gst_gles_device_get_description (candidate->device));
      print_object ("limits", limits);
      print_object ("memories", memories);
      print_object ("variants", variants);
    }
    g_print ("}");
  }
  g_print ("\n]");
  print_member ("auto", chosen);
  g_print ("}\n");
}

gint
main (gint argc, gchar **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) candidates = NULL;
  GstGlesDevice *chosen;

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
    print_json (candidates, gst_gles_device_get_description (chosen));
  else
    print_table (candidates, gst_gles_device_get_description (chosen));
  gst_object_unref (chosen);
  return 0;
}
