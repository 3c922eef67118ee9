/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of the sort: buffers, calls, and their expected output. */
#ifndef SORT_DATA_H
#define SORT_DATA_H

#include <gst/gles/algo/sort/sort-private.h>

#include "sort-cases.h"

#define CANARY_WORDS 16
#define CANARY 0xa5c3a5c3u

typedef struct {
  GstGlesDevice *device;
  GstGlesQueue *queue;
} SortTest;

extern SortTest sort_test;

/* The parameters of one sort. */
typedef struct {
  GstGlesSortConfig config;
  gboolean indexed; /* payloads are places */
  gboolean in_place;
  gboolean indirect; /* the count is on the device */
  Pattern pattern;
} Case;

/* Buffers on the device and their expected contents, for up to a number of keys. */
typedef struct {
  guint capacity;
  guint key_words;
  guint32 *keys, *payloads, *got_keys, *got_payloads, *want_keys, *want_payloads;
  GstGlesBuffer *keys_in, *payloads_in, *keys_out, *payloads_out, *count;
} Data;

guint key_words_of (GstGlesValueType type);
GstGlesBuffer *new_buffer (gsize n_words);
Data *data_new (guint capacity, guint key_words);
void data_free (Data *data);
void upload (GstGlesBuffer *buffer, const guint32 *words, gsize n);
void download (GstGlesBuffer *buffer, guint32 *words, gsize n);
void fill (Data *data, const Case *c, guint n);
void sort_natively (Data *data, const Case *c, guint n);
void run (GstGlesSort *sort, Data *data, const Case *c, guint n);
void assert_words (
    const guint32 *got, const guint32 *want, gsize n, const gchar *what, const gchar *where);
void assert_result (
    GstGlesSort *sort, guint64 total, guint count, guint status, const gchar *where);
void check_on (GstGlesSort *sort, Data *data, const Case *c, guint n);
GstGlesSort *new_sort (const GstGlesSortConfig *config, guint capacity);
Case case_of (GstGlesValueType type, gboolean payload);
void check_sizes (Case c, const guint *sizes, guint n_sizes);

#endif
