/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of scenes. */
#ifndef REPORT_OUTPUTS_SCENES_H
#define REPORT_OUTPUTS_SCENES_H

#include "../model/output.h"

G_BEGIN_DECLS

/* Where a scene begins. */
typedef struct {
  guint64 frame; /* counted from 0 */
  GstClockTime time;
} ReportScene;

/* Returns the starts of all scenes and the end of the last, of type ReportScene, as far as they are
 * known: (transfer full). @number: of the first frame, as events count them. */
GArray *report_find_scenes (Report *report, guint64 number, guint64 n_frames);

/* PySceneDetect's list of scenes. */
ReportOutput *report_scenes_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
