/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A step of a test of a driver: its time, and what the driver says of its shaders. */
#ifndef DRIVERS_STEP_H
#define DRIVERS_STEP_H

#include <gst/gst.h>

/* Call once, after gst_init() and before a device is opened. */
void step_init (void);

/* Begins a step. A step that takes more than 25 s of processor time prints TIMEOUT and ends the
 * process with 99. @name must outlive the step. */
void step_begin (const gchar *name);

/* Returns the processor time of all threads of the process. */
gint64 step_cpu_us (void);

/* Prints @kind, @name and the time, and of the shaders that the driver described since the step
 * began: the number, how many spill, how much, and the least threads per core (0: not told). */
void step_print_ok (const gchar *kind, const gchar *name, gint64 time_us);
void step_print_failure (const gchar *name, const gchar *text);

#endif
