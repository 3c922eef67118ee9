/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A common interface to every array algorithm, so that common requirements are tested once: which
 * buffers a call takes, how a plan is made, and how a call is made. */
#ifndef ARRAYS_TABLE_H
#define ARRAYS_TABLE_H

#include <gst/gles/algo/plan/array.h>

#define ARRAYS_MAX_ROLES 9
/* words of garbage behind what a call may write, unless a test wants none */
#define ARRAYS_SPARE 13
#define ARRAYS_GARBAGE 0xa5a5a5a5u

/* What one buffer of a call is for. */
typedef struct {
  const gchar *name;
  guint words; /* per value ... */
  guint every; /* ... or one per so many values ... */
  guint fixed; /* ... or a constant number, for every n */
  gboolean written;
  gboolean any_size; /* written as far as it goes: a small one is no error */
  guint in_place;    /* 1 + the role whose buffer it may be; 0: none */
  void (*fill) (guint32 *words, guint n_values, guint32 seed);
} ArraysRole;

typedef struct {
  GstGlesCount count;
  guint room; /* values that the buffers are made for */
  GstGlesBuffer *buffers[ARRAYS_MAX_ROLES];
} ArraysCall;

typedef struct {
  const gchar *name;
  ArraysRole roles[ARRAYS_MAX_ROLES];
  gpointer (*plan_new) (GstGlesQueue *queue, guint capacity, GError **error);
  void (*plan_free) (gpointer plan);
  GstGlesBuffer *(*get_result) (gpointer plan);
  gboolean (*run) (gpointer plan, const ArraysCall *call, GError **error);
} ArraysAlgorithm;

extern const ArraysAlgorithm arrays_table[];
extern const guint arrays_table_size;

guint arrays_n_roles (const ArraysAlgorithm *algorithm);
/* Words that a call over @n values reads or writes at most. */
guint arrays_role_words (const ArraysRole *role, guint n);

/* Buffers for calls over up to a number of values, and their contents before a call. */
typedef struct {
  const ArraysAlgorithm *algorithm;
  GstGlesQueue *queue;
  ArraysCall call;
  guint n_roles;
  guint sizes[ARRAYS_MAX_ROLES]; /* words */
  guint32 *initial[ARRAYS_MAX_ROLES];
  GstGlesBuffer *count; /* where calls with a count on the device have it, at byte 12 */
} ArraysSet;

#define ARRAYS_COUNT_OFFSET 12

ArraysSet *arrays_set_new (
    const ArraysAlgorithm *algorithm, GstGlesQueue *queue, guint room, guint spare, guint32 seed);
void arrays_set_free (ArraysSet *set);
/* Fills outputs with garbage again; with in_place, the input is copied to those that share its
 * buffer. */
void arrays_set_reset (ArraysSet *set);
/* Makes a call over @n values; the host or the device knows @n. Fails the test if the call is
 * refused. */
void arrays_set_run (ArraysSet *set, gpointer plan, guint n, gboolean indirect);
/* Returns the contents of all buffers, concatenated, and the result: (transfer full). */
guint32 *arrays_set_read (ArraysSet *set, gpointer plan, guint *n_words);

gpointer arrays_plan_new (const ArraysAlgorithm *algorithm, GstGlesQueue *queue, guint capacity);

#endif
