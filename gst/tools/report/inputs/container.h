/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the container of a file tells without decoding. */
#ifndef REPORT_INPUTS_CONTAINER_H
#define REPORT_INPUTS_CONTAINER_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns how the file @path ends before its container does: (transfer full). NULL if it does not,
 * or if that cannot be told. */
gchar *report_check_container (const gchar *path);
/* Returns what the checksums in the file @path say of it, and how many are wrong: (transfer full).
 * NULL if none is, or there are none. */
gchar *report_check_sums (const gchar *path, guint *n_wrong);
/* Returns whether @path is an MP4 or MOV whose video has no edit list. */
gboolean report_lacks_edits (const gchar *path);

G_END_DECLS

#endif
