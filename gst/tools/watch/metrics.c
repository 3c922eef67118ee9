/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "metrics.h"

#include "http.h"
#include "label.h"

#include <math.h>

#define PREFIX "gst_gles_watch_"

struct _WatchMetrics {
  WatchHttp *http;
  WatchCameras *cameras;
  WatchOutlet *outlet;
};

/* ---- text ---- */

typedef struct {
  const gchar *name, *type, *help;
  gdouble (*get) (const WatchCameraStats *stats); /* NAN: unknown, and left out */
} Metric;

static gdouble
get_up (const WatchCameraStats *stats)
{
  return stats->state == WATCH_UP;
}

static gdouble
get_frames (const WatchCameraStats *stats)
{
  return (gdouble) stats->frames;
}

static gdouble
get_analysed (const WatchCameraStats *stats)
{
  return (gdouble) stats->analysed;
}

static gdouble
get_restarts (const WatchCameraStats *stats)
{
  return (gdouble) stats->restarts;
}

static gdouble
get_device_bytes (const WatchCameraStats *stats)
{
  return (gdouble) stats->device_bytes;
}

static gdouble
get_lag (const WatchCameraStats *stats)
{
  return (gdouble) stats->lag_us / G_USEC_PER_SEC;
}

static gdouble
get_clock_offset (const WatchCameraStats *stats)
{
  return stats->has_clock ? (gdouble) stats->clock_offset_us / G_USEC_PER_SEC : NAN;
}

static gdouble
get_recording (const WatchCameraStats *stats)
{
  return stats->records ? stats->is_recording : NAN;
}

static const Metric metrics[] = {
  { "camera_up", "gauge", "1 while the camera has pictures", get_up },
  { "frames_total", "counter", "Frames that were decoded", get_frames },
  { "frames_analysed_total", "counter", "Frames that were analysed", get_analysed },
  { "restarts_total", "counter", "Pipelines that were started again", get_restarts },
  { "device_memory_bytes", "gauge", "Storage of buffers on the device, which cameras share",
      get_device_bytes },
  { "lag_seconds", "gauge", "From the time of the last frame to its analysis", get_lag },
  { "recording", "gauge", "1 while files are written, of cameras that are recorded",
      get_recording },
  { "clock_offset_seconds", "gauge",
      "The camera's clock minus this machine's, if it tells the time", get_clock_offset },
};

static void
append_metric (GString *text, const Metric *metric, GPtrArray *names, GArray *stats)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "# HELP " PREFIX "%s %s.\n# TYPE " PREFIX "%s %s\n", metric->name,
      metric->help, metric->name, metric->type);
  for (guint i = 0; i < names->len; i++) {
    const gdouble value = metric->get (&g_array_index (stats, WatchCameraStats, i));

    if (!isnan (value))
      g_string_append_printf (text, PREFIX "%s{camera=\"%s\"} %s\n", metric->name,
          (const gchar *) names->pdata[i], g_ascii_dtostr (number, sizeof number, value));
  }
}

static void
append_events (GString *text, GPtrArray *names, GArray *stats)
{
  g_string_append (text,
      "# HELP " PREFIX "events_total Events that began.\n"
      "# TYPE " PREFIX "events_total counter\n");
  for (guint i = 0; i < names->len; i++) {
    GHashTableIter iter;
    gpointer event, n;

    g_hash_table_iter_init (&iter, g_array_index (stats, WatchCameraStats, i).events);
    while (g_hash_table_iter_next (&iter, &event, &n))
      g_string_append_printf (text,
          PREFIX "events_total{camera=\"%s\",event=\"%s\"} %" G_GSIZE_FORMAT "\n",
          (const gchar *) names->pdata[i], (const gchar *) event, GPOINTER_TO_SIZE (n));
  }
}

static void
append_abandoned (GString *text, WatchCameras *cameras)
{
  guint total;
  const guint now = watch_cameras_get_abandoned (cameras, &total);

  g_string_append_printf (text,
      "# HELP " PREFIX "abandoned Pipelines that do not end, and that nobody waits for.\n"
      "# TYPE " PREFIX "abandoned gauge\n" PREFIX "abandoned %u\n"
      "# HELP " PREFIX "abandoned_total Pipelines that did not end in time.\n"
      "# TYPE " PREFIX "abandoned_total counter\n" PREFIX "abandoned_total %u\n",
      now, total);
}

static void
append_about (GString *text, GPtrArray *names, GArray *stats)
{
  g_string_append (text,
      "# HELP " PREFIX "camera_info What the camera sends, and who works on it.\n"
      "# TYPE " PREFIX "camera_info gauge\n");
  for (guint i = 0; i < names->len; i++) {
    const WatchCameraStats *one = &g_array_index (stats, WatchCameraStats, i);
    g_autofree gchar *device = watch_label_escape (one->device != NULL ? one->device : "");

    g_string_append_printf (text,
        PREFIX "camera_info{camera=\"%s\",state=\"%s\",size=\"%ux%u\",format=\"%s\",memory=\"%s\","
               "decoder=\"%s\",device=\"%s\",clock=\"%s\"} 1\n",
        (const gchar *) names->pdata[i], watch_state_get_name (one->state), one->width, one->height,
        one->format != NULL ? one->format : "", one->memory != NULL ? one->memory : "",
        one->decoder != NULL ? one->decoder : "", device, one->sender_clock ? "sender" : "arrival");
  }
}

static gchar *
make_text (gpointer user_data)
{
  WatchMetrics *self = user_data;
  GPtrArray *cameras = watch_cameras_list (self->cameras);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) stats = g_array_new (FALSE, TRUE, sizeof (WatchCameraStats));
  GString *text = g_string_new (NULL);

  g_array_set_clear_func (stats, (GDestroyNotify) watch_camera_stats_clear);
  for (guint i = 0; i < cameras->len; i++) {
    WatchCameraStats one;

    watch_camera_get_stats (cameras->pdata[i], &one);
    g_array_append_val (stats, one);
    g_ptr_array_add (
        names, watch_label_escape (watch_camera_get_config (cameras->pdata[i])->section.name));
  }
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    append_metric (text, &metrics[i], names, stats);
  append_events (text, names, stats);
  append_about (text, names, stats);
  append_abandoned (text, self->cameras);
  watch_outlet_append_metrics (self->outlet, text);
  return g_string_free (text, FALSE);
}

/* ---- object ---- */

WatchMetrics *
watch_metrics_new (
    const WatchMetricsConfig *config, WatchCameras *cameras, WatchOutlet *outlet, GError **error)
{
  g_autoptr (GSocketAddress) address =
      g_inet_socket_address_new_from_string (config->address, (guint) config->port);
  WatchHttpPage page = { "/metrics", "text/plain; version=0.0.4; charset=utf-8", make_text, NULL };
  WatchMetrics *self;

  if (address == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "metrics: address=%s: an address of IPv4 or IPv6, such as 127.0.0.1", config->address);
    return NULL;
  }
  self = g_new0 (WatchMetrics, 1);
  self->cameras = cameras;
  self->outlet = outlet;
  page.user_data = self;
  self->http = watch_http_new (address, &page, error);
  if (self->http == NULL) {
    g_prefix_error (
        error, "metrics: %s, port %" G_GUINT64_FORMAT ": ", config->address, config->port);
    g_clear_pointer (&self, watch_metrics_free);
  }
  return self;
}

void
watch_metrics_free (WatchMetrics *self)
{
  if (self == NULL)
    return;
  watch_http_free (self->http);
  g_free (self);
}
