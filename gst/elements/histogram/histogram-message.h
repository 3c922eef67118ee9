/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What gleshistogram posts on the bus of a frame. */
#ifndef HISTOGRAM_MESSAGE_H
#define HISTOGRAM_MESSAGE_H

#include "../base/gstglesanalyzer.h"

G_BEGIN_DECLS

/* Adds the statistics of @object, a complete #GstGlesHistogramResult, to @message. */
gboolean histogram_message_describe (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, GstStructure *message, GError **error);

G_END_DECLS

#endif
