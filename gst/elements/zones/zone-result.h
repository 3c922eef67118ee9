/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The result of a frame: zones, lines, and what is inside. */
#ifndef ZONE_RESULT_H
#define ZONE_RESULT_H

#include "zone-state.h"

G_BEGIN_DECLS

/* Makes the result of the frame that was pushed last (transfer full). @boxes: of ZoneBox, those of
 * the frame; NULL: it had tracks. */
GstGlesZonesResult *zone_result_new (const ZoneState *state, const ZoneRules *rules,
    const GArray *boxes, const GstGlesFrameInfo *frame);

G_END_DECLS

#endif
