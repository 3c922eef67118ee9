/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All keys of a configuration, each declared once: where it stands, what it may say, and what it
 * needs. watch-config.c has the tables and checks what the text alone tells; check.c asks elements
 * and the machine about the rest. */
#ifndef WATCH_CONFIG_KEYS_H
#define WATCH_CONFIG_KEYS_H

#include "config-section.h"

G_BEGIN_DECLS

/* The type of a value. All but the first five are stored as texts, which check-values.c checks by
 * their type. */
typedef enum {
  TEXT,
  NUMBER,
  BOOLEAN,
  LIST,   /* texts, separated by semicolons */
  CHOICE, /* one of the words of WatchKey.value; the member is its number */
  URI,
  FILE_TO_READ,
  FOLDER, /* a folder that is made if needed, and in which files are written */
  DEVICE,
  DECODERS,
  DETECTOR,
  EVENTS,
  TAGS,
  TARGET, /* the address of a publisher */
  LINES_TOPIC,
  TOPIC,
  LISTEN,
  N_TYPES,
} WatchKeyType;

typedef struct {
  const gchar *name;
  WatchKeyType type;
  gsize offset;
  /* (nullable): the default; a text that has one is not empty; of a choice the values, | between,
   * of which the first is the default */
  const gchar *value;
  guint64 min, max; /* of numbers */
  const gchar *about;
  /* (nullable): conditions, separated by spaces, without which the key has no effect. KEY: that key
   * is set. KEY=BEGIN|BEGIN: its value begins with one of these. */
  const gchar *needs;
} WatchKey;

typedef struct _WatchKind {
  const gchar *name;
  gboolean named; /* there can be many of these sections, each with a name */
  gsize size;
  const WatchKey *keys;
} WatchKind;

/* Returns the key @name of @keys, the keys of a kind of section: (nullable). */
const WatchKey *watch_key_find (const WatchKey *keys, const gchar *name);
/* (transfer full) (nullable). */
gchar *watch_key_get_default (const WatchKey *key);

/* Returns the value of a key that is a text: (nullable). */
const gchar *watch_key_get_text (const WatchKey *key, const WatchSection *section);
/* Returns whether the file says something other than the default. */
gboolean watch_key_is_set (const WatchKey *key, const WatchSection *section);
/* Returns whether the value is that of [defaults]. */
gboolean watch_key_is_inherited (const WatchKey *key, const WatchSection *section);
/* Returns the condition of @key that does not hold: (transfer full), or NULL. */
gchar *watch_key_find_unmet (
    const WatchKey *key, const WatchKind *kind, const WatchSection *section);

G_END_DECLS

#endif
