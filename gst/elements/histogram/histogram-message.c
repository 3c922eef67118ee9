/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "histogram-message.h"

#include <gst/gles/meta/light.h>

/* What is known of a histogram alone: (transfer full). */
static GstStructure *
new_distribution (const gchar *name, const GstGlesHistogramStatistics *s)
{
  return gst_structure_new (name, "count", G_TYPE_UINT64, s->count, "min", G_TYPE_UINT, s->min,
      "max", G_TYPE_UINT, s->max, "mean", G_TYPE_DOUBLE, s->mean, "stddev", G_TYPE_DOUBLE,
      s->stddev, "entropy", G_TYPE_DOUBLE, s->entropy, "p1", G_TYPE_UINT, s->p1, "p5", G_TYPE_UINT,
      s->p5, "p10", G_TYPE_UINT, s->p10, "p50", G_TYPE_UINT, s->p50, "p90", G_TYPE_UINT, s->p90,
      "p95", G_TYPE_UINT, s->p95, "p99", G_TYPE_UINT, s->p99, NULL);
}

static gboolean
describe_channels (GstGlesHistogramResult *result, GstStructure *message, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  for (guint i = 0; i < info->n_channels; i++) {
    const gchar *name = info->channels[i].name;
    g_autoptr (GstStructure) channel = NULL;
    GstGlesHistogramStatistics s;

    if (!gst_gles_histogram_result_get_statistics (result, i, &s, error))
      return FALSE;
    channel = new_distribution (name, &s);
    gst_structure_set (channel, "difference", G_TYPE_DOUBLE, s.difference, NULL);
    if (gst_gles_histogram_result_has_emd (result))
      gst_structure_set (channel, "emd", G_TYPE_DOUBLE, s.emd, NULL);
    if (info->channels[i].mad_offset != 0)
      gst_structure_set (channel, "mad", G_TYPE_DOUBLE, s.mad, "mad-previous", G_TYPE_DOUBLE,
          s.mad_previous, NULL);
    gst_structure_set (message, name, GST_TYPE_STRUCTURE, channel, NULL);
  }
  return TRUE;
}

/* A box, with a structure for each channel: (transfer full) (nullable). */
static GstStructure *
describe_box (GstGlesHistogramResult *result, const GstGlesBox *box, guint at, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  g_autoptr (GstStructure) structure = gst_structure_new ("box", "id", G_TYPE_INT, box->id, "type",
      G_TYPE_STRING, box->type, "x", G_TYPE_UINT, box->x, "y", G_TYPE_UINT, box->y, "width",
      G_TYPE_UINT, box->width, "height", G_TYPE_UINT, box->height, NULL);

  for (guint i = 0; i < gst_gles_histogram_result_get_n_box_channels (result); i++) {
    g_autoptr (GstStructure) channel = NULL;
    GstGlesHistogramStatistics s;

    if (!gst_gles_histogram_result_get_box_statistics (result, at, i, &s, error))
      return NULL;
    channel = new_distribution (info->channels[i].name, &s);
    gst_structure_set (structure, info->channels[i].name, GST_TYPE_STRUCTURE, channel, NULL);
  }
  return g_steal_pointer (&structure);
}

static gboolean
describe_boxes (GstGlesHistogramResult *result, GstStructure *message, GError **error)
{
  guint n;
  const GstGlesBox *boxes = gst_gles_histogram_result_get_boxes (result, &n);
  g_auto (GValue) list = G_VALUE_INIT;

  gst_value_list_init (&list, n);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GstStructure) box = describe_box (result, &boxes[i], i, error);
    GValue value = G_VALUE_INIT;

    if (box == NULL)
      return FALSE;
    g_value_init (&value, GST_TYPE_STRUCTURE);
    gst_value_set_structure (&value, box);
    gst_value_list_append_and_take_value (&list, &value);
  }
  gst_structure_set_value (message, "boxes", &list);
  return TRUE;
}

/* Adds nothing where there are none. */
static gboolean
describe_light (GstGlesHistogramResult *result, GstStructure *message, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (GstStructure) levels = NULL;
  GstGlesLight l;

  if (gst_gles_histogram_result_get_light (result, &l, &failure)) {
    levels = gst_structure_new ("light-levels", "max", G_TYPE_DOUBLE, l.max, "mean", G_TYPE_DOUBLE,
        l.mean, "p1", G_TYPE_DOUBLE, l.p1, "p5", G_TYPE_DOUBLE, l.p5, "p10", G_TYPE_DOUBLE, l.p10,
        "p25", G_TYPE_DOUBLE, l.p25, "p50", G_TYPE_DOUBLE, l.p50, "p75", G_TYPE_DOUBLE, l.p75,
        "p90", G_TYPE_DOUBLE, l.p90, "p95", G_TYPE_DOUBLE, l.p95, "p98", G_TYPE_DOUBLE, l.p98,
        "p99", G_TYPE_DOUBLE, l.p99, "p99-98", G_TYPE_DOUBLE, l.p99_98, NULL);
    gst_structure_set (message, "light-levels", GST_TYPE_STRUCTURE, levels, NULL);
  }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
histogram_message_describe (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, GstStructure *message, GError **error)
{
  GstGlesHistogramResult *result = (GstGlesHistogramResult *) object;
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  gst_structure_set (message, "frame", G_TYPE_UINT64, info->frame.number, NULL);
  return describe_channels (result, message, error) && describe_light (result, message, error) &&
      (!info->has_boxes || describe_boxes (result, message, error));
}
