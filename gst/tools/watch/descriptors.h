/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The limit of file descriptors that the process may have open. */
#ifndef WATCH_DESCRIPTORS_H
#define WATCH_DESCRIPTORS_H

#include "watch-config.h"

G_BEGIN_DECLS

/* Raises the soft limit of descriptors to the hard one, as no part of the program uses select(). */
void watch_descriptors_raise (void);
/* Warns if @config probably needs more than the limit. */
void watch_descriptors_check (const WatchConfig *config);

G_END_DECLS

#endif
