/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lets SIGINT and SIGTERM end the analysis, also where a thread waits for the other end of a FIFO.
 */
#ifndef REPORT_FILES_STOP_H
#define REPORT_FILES_STOP_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* Handles SIGINT and SIGTERM until the first of them; the second one ends the process. Called once,
 * before the functions below. Returns what becomes TRUE: (transfer none). */
gint *report_stop_init (GError **error);
/* Return (transfer none): what the signal cancels. Reading ends at once; writing ends two seconds
 * later, so that outputs can be completed with what was analysed. Thread: any. */
GCancellable *report_stop_get_reading (void);
GCancellable *report_stop_get_writing (void);

G_END_DECLS

#endif
