/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What glescompact posts on the bus of a frame. */
#ifndef COMPACT_MESSAGE_H
#define COMPACT_MESSAGE_H

#include "../base/gstglesanalyzer.h"

G_BEGIN_DECLS

/* Adds what is known of the points of @object, a #GstGlesPointsResult, to @message. Waits for
 * it. */
gboolean compact_message_describe (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, GstStructure *message, GError **error);

G_END_DECLS

#endif
