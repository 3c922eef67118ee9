/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The choice of one video in a file. */
#ifndef REPORT_INPUTS_VIDEO_CHOICE_H
#define REPORT_INPUTS_VIDEO_CHOICE_H

#include "failure.h"

G_BEGIN_DECLS

/* Makes @decode, a decodebin that lives no longer than @failure, decode only the first video. */
void report_choose_video (GstElement *decode, ReportFailure *failure);

G_END_DECLS

#endif
