/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports as files, JSON and CSV, and facts about the machine, for both programs. A report is an
 * object: strings that describe the machine and the run, and an array "results" of objects. */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include <json-glib/json-glib.h>

typedef struct {
  const gchar *json, *csv; /* (nullable): paths; "-" is standard output */
} BenchFiles;

/* Whether a file goes to standard output, which then holds nothing else. */
gboolean bench_files_silent (const BenchFiles *files);

/* Makes a report of @tool with the version, the time and the machine: (transfer full). */
JsonObject *bench_report_new (const gchar *tool);

/* Adds an object to the results of @report: (transfer none). */
JsonObject *bench_report_add (JsonObject *report);

/* Prints the strings of @report as a table. */
void bench_report_print_facts (JsonObject *report);

/* Adds a number; null if it is 0 or less, which means "not measured". */
void bench_add_number (JsonObject *object, const gchar *name, gdouble number);

/* Adds an object of numbers to @object: pairs of a name and a gdouble, up to NULL. */
void bench_add_numbers (JsonObject *object, const gchar *name, ...) G_GNUC_NULL_TERMINATED;

/* Adds a string that is made as printf() does. */
void bench_add_text (JsonObject *object, const gchar *name, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Writes the files that are asked for. In CSV a member of an object in a result is a column
 * "outer.inner", and arrays are left out. */
gboolean bench_report_write (JsonObject *report, const BenchFiles *files, GError **error);

/* Returns whether @bytes of memory are available, or not known. If not, @why says so: (transfer
 * full). */
gboolean bench_memory_fits (guint64 bytes, gchar **why);

#endif
