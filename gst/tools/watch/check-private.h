/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WATCH_CHECK_PRIVATE_H
#define WATCH_CHECK_PRIVATE_H

#include "config-keys.h"
#include "watch-config.h"

G_BEGIN_DECLS

typedef struct {
  const gchar *file;
  GPtrArray *errors, *missing;
  GHashTable *tried; /* a set of values, and of settings of analyses, that were found right */
} WatchChecker;

/* Adds an error to @errors, which is one of the two lists of the checker. If @text does not begin
 * with the name of the key, it is put before it. */
void watch_checker_add_error (const WatchChecker *self, GPtrArray *errors,
    const WatchSection *section, const gchar *key, const gchar *text);

/* Checks the value of @key, if it has one, as the type of the key demands. */
void watch_check_value (const WatchChecker *self, const WatchSection *section, const WatchKey *key);
/* Tries the keys mask, region and set on real elements. All other values of the camera are right.
 */
void watch_check_settings (const WatchChecker *self, const WatchCameraConfig *config);
/* Tries the polygon or line, and the types, on gleszones. */
void watch_check_zone (const WatchChecker *self, const WatchZoneConfig *zone);

G_END_DECLS

#endif
