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

#define WATCH_SOURCE_WAITS (-1) /* until other cameras have decoders */

typedef struct {
  const WatchCameraConfig *config;
  WatchTracks *tracks; /* (nullable): gets what can be recorded */
  gint64 n_data;       /* atomic: buffers that came, not decoded; 0 where there are none */
  /* atomic, of g_get_monotonic_time(): when the decoder got data; 0: not yet; or
   * WATCH_SOURCE_WAITS */
  gint64 decoding_since;
  WatchTally *tally;    /* gets the factory of the decoder in use */
  WatchGateTicket gate; /* entered before the first data is decoded */
} WatchSourceFacts;

/* Adds the elements to @pipeline and links the frames to @target, a sink pad of @pipeline's, when
 * they come. @facts live as long as @pipeline. FALSE with @error. */
gboolean watch_source_add (
    GstPipeline *pipeline, GstPad *target, WatchSourceFacts *facts, GError **error);

/* Checks the address without opening it. */
gboolean watch_source_check (const WatchCameraConfig *config, GError **error);

/* Whether the source has an end and no clock of its own. */
gboolean watch_source_is_file (const WatchCameraConfig *config);

G_END_DECLS

#endif
