/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Folders of bounded size, from which the oldest files are removed. */
#ifndef WATCH_FOLDER_H
#define WATCH_FOLDER_H

#include <glib.h>

G_BEGIN_DECLS

/* What may be left in a folder; 0 or NULL: no bound. */
typedef struct {
  const gchar *suffix; /* how names end; the names sort by time; other files stay */
  guint64 max_files, max_bytes;
  guint64 keep_free;    /* bytes of the file system */
  const gchar *oldest;  /* files whose names sort before this one are removed */
  gboolean keep_newest; /* the newest file stays in any case, because it is being written */
} WatchFolderBounds;

/* Removes the oldest files until @bounds hold. Returns the number of files that are left, and their
 * *@bytes. */
guint watch_folder_prune (const gchar *directory, const WatchFolderBounds *bounds, guint64 *bytes);

/* Makes the folder and those above it. FALSE with @error. */
gboolean watch_folder_make (const gchar *directory, GError **error);

/* Writes a file of @bytes and removes it. FALSE with @error: there is no room. */
gboolean watch_folder_probe (const gchar *directory, gsize bytes, GError **error);

/* Returns @name as a part of a path: (transfer full). */
gchar *watch_folder_escape (const gchar *name);

G_END_DECLS

#endif
