/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Small files that a kill leaves as they were or as they should be. */
#ifndef PUBLISH_REPLACE_FILE_H
#define PUBLISH_REPLACE_FILE_H

#include <gio/gio.h>

G_BEGIN_DECLS

#define REPLACE_FILE_PART ".part" /* behind the name, what a kill may leave beside the file */

/* Has the file @path say @text. Does not wait for the disk to keep it, as g_file_set_contents()
 * does, and a kill leaves one more file at most. FALSE with @error. */
gboolean replace_file (const gchar *path, const gchar *text, GError **error);

G_END_DECLS

#endif
