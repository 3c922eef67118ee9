/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a configuration needs of the machine, which may come and go. */
#ifndef WATCH_CHECK_MACHINE_H
#define WATCH_CHECK_MACHINE_H

#include "watch-config.h"

G_BEGIN_DECLS

/* All of these: FALSE with @error, which tells what is not there or cannot be written. */

gboolean watch_check_file (const WatchSection *section, const gchar *path, GError **error);
/* Makes something in the folder, or in the one in which it would be made, and removes it: what
 * permissions say is not all that decides. */
gboolean watch_check_folder (const WatchSection *section, const gchar *path, GError **error);
/* @section: a WatchPublishConfig. */
gboolean watch_check_target (const WatchSection *section, const gchar *address, GError **error);
/* FALSE also where no machine can have it. */
gboolean watch_check_device_name (const WatchSection *section, const gchar *device, GError **error);
gboolean watch_check_device (const WatchSection *section, const gchar *device, GError **error);

G_END_DECLS

#endif
