/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Faults: the program wraps calls of EGL, OpenGL ES, allocation and mapping, counts them, and makes
 * one of them fail. */
#ifndef GLES_FAULT_H
#define GLES_FAULT_H

#include <glib.h>

G_BEGIN_DECLS

#define FAULT_MAX_CALLS 16384
#define FAULT_NAME_BYTES 32

/* The calls of a run, in order, in memory that processes share. */
typedef struct {
  gint n_calls;   /* atomic */
  gint n_foreign; /* atomic; calls of EGL and OpenGL ES that no thread of a device made */
  gchar names[FAULT_MAX_CALLS][FAULT_NAME_BYTES];
} FaultRecord;

typedef enum {
  FAULT_FAIL, /* the call fails in the way that its specification allows */
  FAULT_LATE, /* it times out many times */
} FaultKind;

/* From here on calls are counted from 0; number @target fails, none if it is negative. @record
 * takes their names, or is NULL. */
void fault_arm (FaultKind kind, gint target, FaultRecord *record);
/* From here on calls are not counted and do not fail. */
void fault_disarm (void);

/* The name of the call that failed since fault_arm(), or "". It may be another than the call with
 * that number in a run without a fault. */
const gchar *fault_get_due (void);

/* For wrappers: whether this call is to fail. */
gboolean fault_is_due (const gchar *name);
/* The same, of calls that come from the library or the plugin at @caller. */
gboolean fault_is_due_for (const gchar *name, gpointer caller);
/* Whether calls time out instead of failing. */
gboolean fault_is_late (void);
/* Returns the real function @name. */
gpointer fault_real (const gchar *name);

/* Defines @name, which does @failure if @due, and else calls the real function. */
#define FAULT_STAND_IN(type, name, params, args, due, failure)                                     \
  __attribute__ ((visibility ("default"))) type name params;                                       \
  type name params                                                                                 \
  {                                                                                                \
    static __typeof__ (name) *real;                                                                \
                                                                                                   \
    if (due) {                                                                                     \
      failure;                                                                                     \
    }                                                                                              \
    if (real == NULL)                                                                              \
      real = fault_real (#name);                                                                   \
    return real args;                                                                              \
  }

/* Opens each display that the library may choose, with a context for a moment. A display keeps
 * descriptors and threads until the process ends, and a fault may have led to another display than
 * the first: with all of them open, both can be compared. */
void fault_open_displays (void);

G_END_DECLS

#endif
