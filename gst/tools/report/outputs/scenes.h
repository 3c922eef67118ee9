/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of scenes. */
#ifndef REPORT_OUTPUTS_SCENES_H
#define REPORT_OUTPUTS_SCENES_H

#include "../model/output.h"

G_BEGIN_DECLS

/* PySceneDetect's list of scenes. */
ReportOutput *report_scenes_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
