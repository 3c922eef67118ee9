/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/gl/queue.h>

#include "gstglesstats.h"

typedef struct {
  const gchar *name;
  guint64 time_ns;
  guint64 runs;
} PassTotal;

void
gst_gles_stats_clear (GstGlesStats *stats)
{
  g_clear_pointer (&stats->passes, g_array_unref);
  *stats = (GstGlesStats){ 0 };
}

static void
add_to (GArray *totals, const gchar *name, guint64 time_ns)
{
  PassTotal total = { name, time_ns, 1 };

  for (guint i = 0; i < totals->len; i++) {
    PassTotal *known = &g_array_index (totals, PassTotal, i);
    if (known->name == name) {
      known->time_ns += time_ns;
      known->runs++;
      return;
    }
  }
  g_array_append_val (totals, total);
}

void
gst_gles_stats_add_pass (GstGlesStats *stats, const gchar *name, guint64 time_ns)
{
  if (stats->passes == NULL)
    stats->passes = g_array_new (FALSE, FALSE, sizeof (PassTotal));
  add_to (stats->passes, name, time_ns);
}

static const gchar *const picture_fields[GST_GLES_FRAME_N_KINDS] = {
  [GST_GLES_FRAME_COPIED] = "frames-copied",
  [GST_GLES_FRAME_RESIDENT] = "frames-resident",
  [GST_GLES_FRAME_REUSED] = "frames-reused",
  [GST_GLES_FRAME_IMPORTED] = "frames-imported",
};

/* Sets a field `passes`: nanoseconds per kernel. */
static void
set_passes (GstStructure *structure, const GArray *totals)
{
  g_autoptr (GstStructure) passes = gst_structure_new_empty ("passes");

  for (guint i = 0; totals != NULL && i < totals->len; i++) {
    const PassTotal *total = &g_array_index (totals, PassTotal, i);
    gst_structure_set (passes, total->name, G_TYPE_UINT64, total->time_ns, NULL);
  }
  gst_structure_set (structure, "passes", GST_TYPE_STRUCTURE, passes, NULL);
}

GstStructure *
gst_gles_stats_to_structure (const GstGlesStats *stats, GstGlesDevice *device)
{
  GstStructure *structure = gst_structure_new ("stats", "frames", G_TYPE_UINT64, stats->frames,
      "skipped-bad", G_TYPE_UINT64, stats->bad.n_skipped, "bytes-uploaded", G_TYPE_UINT64,
      stats->uploaded_bytes, "bytes-read-back", G_TYPE_UINT64, stats->readback_bytes,
      "upload-waits", G_TYPE_UINT64, stats->upload_waits, "readback-waits", G_TYPE_UINT64,
      stats->readback_waits, "late-reads", G_TYPE_UINT64, stats->late_reads, NULL);

  for (guint i = 0; i < GST_GLES_FRAME_N_KINDS; i++)
    gst_structure_set (structure, picture_fields[i], G_TYPE_UINT64, stats->pictures[i], NULL);
  gst_structure_set (structure, "allocator-fallbacks", G_TYPE_UINT64, stats->allocator_fallbacks,
      "device-bytes", G_TYPE_UINT64, device != NULL ? gst_gles_device_get_buffer_bytes (device) : 0,
      NULL);
  if (stats->passes != NULL)
    set_passes (structure, stats->passes);
  return structure;
}

void
gst_gles_stats_describe_passes (GArray *passes, GstStructure *message)
{
  g_autoptr (GArray) totals = g_array_new (FALSE, FALSE, sizeof (PassTotal));

  for (guint i = 0; i < passes->len; i++) {
    const GstGlesPassTime *pass = &g_array_index (passes, GstGlesPassTime, i);
    add_to (totals, pass->name, pass->time_ns);
  }
  set_passes (message, totals);
}
