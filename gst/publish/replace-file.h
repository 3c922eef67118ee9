/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes small files so that a kill of the process leaves the old or the new content. */
#ifndef PUBLISH_REPLACE_FILE_H
#define PUBLISH_REPLACE_FILE_H

#include <gio/gio.h>

G_BEGIN_DECLS

#define REPLACE_FILE_PART ".part" /* the suffix of a temporary file, which a kill may leave */

/* Replaces the content of the file @path by @text. Unlike g_file_set_contents() this does not wait
 * for the disk, and kills leave at most one temporary file. FALSE with @error. */
gboolean replace_file (const gchar *path, const gchar *text, GError **error);

G_END_DECLS

#endif
