/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The detector of a camera. It stands beside the frames, so that the format and the size that it
 * needs are not those of pictures and of other analyses. Every Nth frame goes to it, and the boxes
 * that it attaches go onto the frame that glestrack gets next: the same frame, if the detector
 * works in the thread that brings it frames. */
#ifndef WATCH_DETECTOR_H
#define WATCH_DETECTOR_H

#include "watch-config.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* Appends what goes in front of glestrack, in the syntax of gst-launch-1.0. */
void watch_detector_describe (const WatchCameraConfig *config, GString *text);

/* To be called for the bin of such a text, which has a glestrack0 and a gleszones0. gleszones gets
 * its zones with the first frame that the detector has looked at: before, nothing is known. */
void watch_detector_attach (const WatchCameraConfig *config, GstBin *bin);

/* Returns whether @message is the warning of glestrack0 that nothing attaches boxes, which means
 * nothing here: a detector that sees nobody may attach nothing. */
gboolean watch_detector_sees_nothing (GstMessage *message);

/* Returns whether @text describes elements that frames can pass: FALSE with @error. */
gboolean watch_detector_check (const gchar *text, GError **error);

G_END_DECLS

#endif
