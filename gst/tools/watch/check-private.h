/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WATCH_CHECK_PRIVATE_H
#define WATCH_CHECK_PRIVATE_H

#include "config-keys.h"
#include "watch-config.h"

G_BEGIN_DECLS

typedef struct {
  const gchar *file;
  GPtrArray *errors, *missing;
  GHashTable *tried; /* values and settings of analyses that are right */
} WatchChecker;

/* @errors: those of the checker, or what is missing. @text: begins with the key, or gets it. */
void watch_checker_add_error (const WatchChecker *self, GPtrArray *errors,
    const WatchSection *section, const gchar *key, const gchar *text);

/* Checks the value of @key, if there is one, by the type of the key. */
void watch_check_value (const WatchChecker *self, const WatchSection *section, const WatchKey *key);
/* Tries mask, region and set of a camera whose values are right otherwise. */
void watch_check_settings (const WatchChecker *self, const WatchCameraConfig *config);

G_END_DECLS

#endif
