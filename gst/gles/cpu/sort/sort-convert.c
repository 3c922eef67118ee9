/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts between the caller's arrays and the elements that the sort moves, four words at a
 * time. */
#include <string.h>

#include <gst/gles/cpu/sort/sort-private.h>
#include <gst/gles/cpu/lib/vector.h>

typedef GstGlesCpuSortArrays Arrays;

static inline GstGlesU32x4
splat (guint32 word)
{
  return (GstGlesU32x4){ word, word, word, word };
}

static inline GstGlesU32x4
flip_four_by_sign (const Arrays *arrays, GstGlesU32x4 words)
{
  return words ^ ((GstGlesU32x4) ((GstGlesI32x4) words >> 31) & splat (arrays->sign_mask));
}

static inline guint32
key_of_word (const Arrays *arrays, guint32 word)
{
  return gst_gles_cpu_flip_by_sign (arrays, word) ^ (guint32) arrays->flip;
}

static inline GstGlesU32x4
keys_of_four (const Arrays *arrays, const guint32 *words)
{
  return flip_four_by_sign (arrays, gst_gles_u32x4_load (words)) ^ splat ((guint32) arrays->flip);
}

static inline GstGlesU32x4
words_of_four (const Arrays *arrays, GstGlesU32x4 keys)
{
  return flip_four_by_sign (arrays, keys ^ splat ((guint32) arrays->flip));
}

static inline guint64
key_of_words (const Arrays *arrays, const guint32 *words)
{
  return (words[0] | (guint64) words[1] << 32) ^ arrays->flip;
}

/* ---- from the caller's arrays to elements ---- */

void
gst_gles_cpu_sort_load_keys (const Arrays *arrays, gsize first, gsize n, gpointer to)
{
  const guint32 *keys = arrays->keys_in + first * arrays->words;
  guint64 *wide = to;
  guint32 *e = to;
  gsize i = 0;

  if (arrays->words == 2) {
    for (; i < n; i++)
      wide[i] = key_of_words (arrays, keys + 2 * i);
    return;
  }
  for (; i + 4 <= n; i += 4)
    gst_gles_u32x4_store (e + i, keys_of_four (arrays, keys + i));
  for (; i < n; i++)
    e[i] = key_of_word (arrays, keys[i]);
}

static void
load_pairs (const Arrays *arrays, gsize first, gsize n, guint32 *e)
{
  const guint32 *keys = arrays->keys_in + first;
  const guint32 *payload = arrays->payload_in != NULL ? arrays->payload_in + first : NULL;
  const GstGlesU32x4 ramp = { 0, 1, 2, 3 };
  gsize i = 0;

  for (; i + 4 <= n; i += 4) {
    GstGlesU32x4 k = keys_of_four (arrays, keys + i);
    GstGlesU32x4 p =
        payload != NULL ? gst_gles_u32x4_load (payload + i) : splat ((guint32) (first + i)) + ramp;

    gst_gles_u32x4_store (e + 2 * i, GST_GLES_SHUFFLE (k, p, 0, 4, 1, 5));
    gst_gles_u32x4_store (e + 2 * i + 4, GST_GLES_SHUFFLE (k, p, 2, 6, 3, 7));
  }
  for (; i < n; i++) {
    e[2 * i] = key_of_word (arrays, keys[i]);
    e[2 * i + 1] = payload != NULL ? payload[i] : (guint32) (first + i);
  }
}

static void
load_wide_pairs (const Arrays *arrays, gsize first, gsize n, GstGlesCpuWideElement *e)
{
  const guint32 *keys = arrays->keys_in + 2 * first;

  for (gsize i = 0; i < n; i++) {
    e[i].key = key_of_words (arrays, keys + 2 * i);
    e[i].payload =
        arrays->payload_in != NULL ? arrays->payload_in[first + i] : (guint32) (first + i);
  }
}

void
gst_gles_cpu_sort_load (const Arrays *arrays, gsize first, gsize n, gpointer to)
{
  if (arrays->payload_out == NULL)
    gst_gles_cpu_sort_load_keys (arrays, first, n, to);
  else if (arrays->words == 1)
    load_pairs (arrays, first, n, to);
  else
    load_wide_pairs (arrays, first, n, to);
}

/* ---- from elements to the caller's arrays ---- */

static void
store_keys (const Arrays *arrays, gsize first, gsize n, const guint32 *e)
{
  guint32 *keys = arrays->keys_out + first;
  gsize i = 0;

  for (; i + 4 <= n; i += 4)
    gst_gles_u32x4_store (keys + i, words_of_four (arrays, gst_gles_u32x4_load (e + i)));
  for (; i < n; i++)
    keys[i] = gst_gles_cpu_word_of_key (arrays, e[i]);
}

static void
store_pairs (const Arrays *arrays, gsize first, gsize n, const guint32 *e)
{
  guint32 *keys = arrays->keys_out + first, *payload = arrays->payload_out + first;
  gsize i = 0;

  for (; i + 4 <= n; i += 4) {
    GstGlesU32x4 a = gst_gles_u32x4_load (e + 2 * i), b = gst_gles_u32x4_load (e + 2 * i + 4);

    gst_gles_u32x4_store (keys + i, words_of_four (arrays, GST_GLES_SHUFFLE (a, b, 0, 2, 4, 6)));
    gst_gles_u32x4_store (payload + i, GST_GLES_SHUFFLE (a, b, 1, 3, 5, 7));
  }
  for (; i < n; i++) {
    keys[i] = gst_gles_cpu_word_of_key (arrays, e[2 * i]);
    payload[i] = e[2 * i + 1];
  }
}

static void
store_wide (const Arrays *arrays, gsize first, gsize n, const guint64 *e)
{
  guint32 *keys = arrays->keys_out + 2 * first;
  guint step = arrays->payload_out != NULL ? 2 : 1; /* 64-bit words per element */

  for (gsize i = 0; i < n; i++) {
    guint64 key = e[i * step] ^ arrays->flip;

    keys[2 * i] = (guint32) key;
    keys[2 * i + 1] = (guint32) (key >> 32);
    if (step == 2)
      arrays->payload_out[first + i] = (guint32) e[i * step + 1];
  }
}

void
gst_gles_cpu_sort_store (const Arrays *arrays, gsize first, gsize n, gconstpointer from)
{
  if (arrays->words == 2)
    store_wide (arrays, first, n, from);
  else if (arrays->payload_out != NULL)
    store_pairs (arrays, first, n, from);
  else
    store_keys (arrays, first, n, from);
}
