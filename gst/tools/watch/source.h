/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements that bring the decoded frames of a camera. */
#ifndef WATCH_SOURCE_H
#define WATCH_SOURCE_H

#include "gate.h"
#include "tally.h"
#include "tracks.h"
#include "watch-config.h"

#include <gst/gst.h>

G_BEGIN_DECLS

#define WATCH_SOURCE_WAITS (-1) /* it waits until other cameras have set up their decoders */

typedef struct {
  const WatchCameraConfig *config;
  WatchTracks *tracks; /* (nullable): gets what can be recorded */
  /* atomic: how many buffers of coded data came; stays 0 for sources of raw video */
  gint64 n_data;
  /* atomic, of g_get_monotonic_time(): when the decoder got data; 0: not yet; or
   * WATCH_SOURCE_WAITS */
  gint64 decoding_since;
  WatchTally *tally;    /* the name of the decoder in use is stored there */
  WatchGateTicket gate; /* of the gate that limits how many decoders are set up at once */
} WatchSourceFacts;

/* Adds the elements to @pipeline and links the frames to @target, a sink pad of @pipeline's, when
 * they come. @facts live as long as @pipeline. FALSE with @error. */
gboolean watch_source_add (
    GstPipeline *pipeline, GstPad *target, WatchSourceFacts *facts, GError **error);

/* Checks the address without opening it. */
gboolean watch_source_check (const WatchCameraConfig *config, GError **error);

/* Returns whether the source is a file, which has an end and is not live. */
gboolean watch_source_is_file (const WatchCameraConfig *config);

G_END_DECLS

#endif
