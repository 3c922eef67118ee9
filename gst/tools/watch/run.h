/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pipeline of a camera, from its first element to its last, in a thread of its own. That thread
 * and those of the pipeline may wait for ever, so nobody waits for them: a run is cut, after which
 * it tells nothing and uses nothing of others, and is then told to stop. References are counted;
 * the thread has one, so that what does not end keeps what it needs. */
#ifndef WATCH_RUN_H
#define WATCH_RUN_H

#include "outlet.h"
#include "tally.h"
#include "watch-config.h"

G_BEGIN_DECLS

typedef struct _WatchRun WatchRun;

typedef enum {
  WATCH_RUN_UP,     /* there are pictures */
  WATCH_RUN_FAILED, /* an element had an error, which the text says */
  WATCH_RUN_EOS,    /* the stream has ended */
  /* files cannot be written, for the reason in the text; it will be tried again */
  WATCH_RUN_NO_RECORDING,
  WATCH_RUN_RECORDING, /* files are written */
} WatchRunNews;

/* Called in the context of the settings, but not after watch_run_cut(). @text: (nullable): why. */
typedef void (*WatchRunFunc) (WatchRunNews news, const gchar *text, gpointer user_data);

typedef struct {
  WatchConfig *owner; /* of config */
  const WatchCameraConfig *config;
  gboolean replay; /* the uri is a file, after whose end the run is over */
  gboolean fast;   /* a replay does not wait for the clock */
  WatchOutlet *outlet;
  WatchTally *tally;
  GMainContext *context;
  WatchRunFunc tell;
  gpointer user_data;
} WatchRunSettings;

/* What the pipeline does. Times are those of g_get_monotonic_time(). */
typedef struct {
  gint64 n_data;         /* buffers that came, not decoded; 0 where there are none */
  gint64 decoding_since; /* as of WatchSourceFacts */
  gint64 last_frame;     /* 0: none so far */
  gboolean ended;        /* the thread has freed the pipeline */
} WatchRunFacts;

/* Starts it. NULL with @error: there is no thread. Does not wait. */
WatchRun *watch_run_new (const WatchRunSettings *settings, GError **error);
WatchRun *watch_run_ref (WatchRun *self);
void watch_run_unref (WatchRun *self);

/* Ends all events that have not ended; afterwards the run reports nothing. In the context of the
 * settings; does not wait. */
void watch_run_cut (WatchRun *self);
/* Tells the thread to end the pipeline; does not wait. To be called after watch_run_cut(). */
void watch_run_stop (WatchRun *self);
/* Shuts down the connections of a pipeline that does not end otherwise; does not wait. */
void watch_run_shut (WatchRun *self);
/* Any thread. */
void watch_run_get_facts (WatchRun *self, WatchRunFacts *facts);
/* Returns how many bytes have come over the connections that are open now. Any thread. */
guint64 watch_run_get_received (WatchRun *self);
/* Returns the storage of buffers on the device. Any thread. */
guint64 watch_run_get_device_bytes (WatchRun *self);
const gchar *watch_run_get_camera (const WatchRun *self);

G_END_DECLS

#endif
