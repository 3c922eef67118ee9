/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks that the machine has what a configuration names: files, folders, devices. Unlike the text
 * of a configuration, these may come and go. */
#ifndef WATCH_CHECK_MACHINE_H
#define WATCH_CHECK_MACHINE_H

#include "watch-config.h"

G_BEGIN_DECLS

/* All of these return FALSE with @error if something is not there or cannot be written. */

gboolean watch_check_file (const WatchSection *section, const gchar *path, GError **error);
/* Tries to make a file in the folder, or in the one in which the folder would be made, and removes
 * it again: permissions alone do not tell whether that is possible. */
gboolean watch_check_folder (const WatchSection *section, const gchar *path, GError **error);
/* @section: a WatchPublishConfig. */
gboolean watch_check_target (const WatchSection *section, const gchar *address, GError **error);
/* FALSE, too, if @text cannot be the name of a device on any machine. */
gboolean watch_check_device_name (const WatchSection *section, const gchar *device, GError **error);
gboolean watch_check_device (const WatchSection *section, const gchar *device, GError **error);

G_END_DECLS

#endif
