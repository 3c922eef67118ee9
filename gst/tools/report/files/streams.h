/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What paths name that are no regular files: FIFOs, devices, and open descriptors. */
#ifndef REPORT_FILES_STREAMS_H
#define REPORT_FILES_STREAMS_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* Follows symbolic links from @path: (transfer full). What comes last may be missing. Open
 * descriptors of this process are links in /proc, which do not always name a file; they are not
 * followed: *@descriptor is theirs then, and -1 otherwise. */
gchar *report_follow_links (const gchar *path, gint *descriptor);
gboolean report_is_fifo (const gchar *path);
/* Returns TRUE if @path is no regular file, and not a new one: a device, a FIFO, or an open
 * descriptor of this process such as /dev/stdout. */
gboolean report_is_stream (const gchar *path);
/* Returns the open descriptor of this process that @path names, such as /dev/stdin, or -1. */
gint report_find_descriptor (const gchar *path);
/* Opens @path, also a FIFO, to read lines with report_stop_get_reading(). Does not wait. (transfer
 * full), NULL with @error. */
GDataInputStream *report_open_lines (const gchar *path, GError **error);
/* Returns a descriptor of the FIFO @path, or -1 with @error. Does not wait for a writer. */
gint report_open_fifo_to_read (const gchar *path, GError **error);
/* Waits for a reader of the FIFO @path, at most until report_stop_get_reading() is cancelled.
 * Returns a descriptor, or -1 with errno: ENXIO if there was no reader. */
gint report_open_fifo_to_write (const gchar *path);

G_END_DECLS

#endif
