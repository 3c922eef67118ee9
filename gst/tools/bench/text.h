/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON and CSV as text, and facts about the machine. Uses GLib only. */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include <glib.h>

/* Appends @text as a JSON string, with quotes and escapes. */
void bench_text_string (GString *out, const gchar *text);

/* Appends `"name": "text"`. */
void bench_text_member (GString *out, const gchar *name, const gchar *text);

/* Appends `, "name": number`; null if @number is 0 or less, which means "not measured". */
void bench_text_number (GString *out, const gchar *name, gdouble number);

/* Writes @text to the file @path; "-" is standard output. */
gboolean bench_text_write (const GString *text, const gchar *path, GError **error);

/* The name of the processor: (transfer full), "unknown" where /proc/cpuinfo does not have it. */
gchar *bench_machine_cpu (void);

/* Name, release and architecture of the kernel: (transfer full). */
gchar *bench_machine_kernel (void);

/* The time of the call in UTC, ISO 8601: (transfer full). */
gchar *bench_machine_time (void);

/* Returns the bytes of memory that are available; 0 if the kernel does not report them. */
guint64 bench_machine_available_bytes (void);

#endif
