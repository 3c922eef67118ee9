/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sidecar of QCTools. */
#ifndef REPORT_OUTPUTS_QCTOOLS_H
#define REPORT_OUTPUTS_QCTOOLS_H

#include "../model/output.h"

G_BEGIN_DECLS

/* The gzipped XML of ffprobe that QCTools opens. */
ReportOutput *report_qctools_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
