/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Folders whose oldest files go when there are too many. */
#ifndef WATCH_FOLDER_H
#define WATCH_FOLDER_H

#include <glib.h>

G_BEGIN_DECLS

/* Removes the oldest files whose names end with @suffix and are in order of time, until at most
 * @max_files and @max_bytes (0: no bound) are left. Returns the number of files and *@bytes. */
guint watch_folder_prune (const gchar *directory, const gchar *suffix, guint64 max_files,
    guint64 max_bytes, guint64 *bytes);

/* Returns @name as a part of a path: (transfer full). */
gchar *watch_folder_escape (const gchar *name);

G_END_DECLS

#endif
