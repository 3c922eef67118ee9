/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The numbers of the lines of a configuration file, for errors. GKeyFile tells neither these nor
 * what a file says twice. */
#ifndef WATCH_CONFIG_LINES_H
#define WATCH_CONFIG_LINES_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const gchar *file;
  GPtrArray *errors; /* of texts: "FILE:LINE: what is wrong" */
  GHashTable *lines; /* of "SECTION" and "SECTION\nKEY": the number of the line */
} WatchConfigLines;

/* @file and @errors: outlive it. To be cleared. */
void watch_config_lines_init (WatchConfigLines *self, const gchar *file, GPtrArray *errors);
void watch_config_lines_clear (WatchConfigLines *self);
/* Notes the lines of @text, and adds an error for each that is no line of such a file. */
void watch_config_lines_scan (WatchConfigLines *self, const gchar *text);
/* Returns the number of the line, 0: there is none. @key: NULL for the head of the section. */
guint watch_config_lines_get (const WatchConfigLines *self, const gchar *section, const gchar *key);
void watch_config_lines_fail (const WatchConfigLines *self, guint line, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Adds "FILE:LINE: TEXT" to @errors, unless it is there: what is wrong in the defaults is wrong for
 * each camera. */
void watch_config_add_error (GPtrArray *errors, const gchar *file, guint line, const gchar *text);

G_END_DECLS

#endif
