/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements, the form in which the sort moves keys with their payload, and the loops over them. */
#ifndef GST_GLES_CPU_SORT_PRIVATE_H
#define GST_GLES_CPU_SORT_PRIVATE_H

#include <glib.h>

G_BEGIN_DECLS

/* The widest digit of a leaf, and the widest of all digits. */
#define GST_GLES_CPU_LEAF_DIGIT_BITS 8
#define GST_GLES_CPU_DIGIT_BITS 11

/* A digit of the key. */
typedef struct {
  guint shift;
  guint mask;
} GstGlesCpuDigit;

/* The bits that some key has set, and those that some key has clear: bits in both vary. */
typedef struct {
  guint64 set;
  guint64 clear;
} GstGlesCpuKeyBits;

/* Cache lines that are collected before they are written. */
typedef struct {
  guint8 lines[1 << GST_GLES_CPU_DIGIT_BITS][64]; /* aligned to 64 bytes */
  /* the first element of this combiner; earlier ones in the line belong to others */
  gsize begin[1 << GST_GLES_CPU_DIGIT_BITS];
} GstGlesCpuCombiner;

/* The loops over one type of element. Arrays of elements are aligned to 64 bytes where said. */
typedef struct {
  gsize size; /* of an element, a power of two up to 16 */

  /* Adds the bits that some key has set, and those that some key has clear. */
  void (*look) (gconstpointer elements, gsize n, GstGlesCpuKeyBits *bits);

  /* Adds the number of elements with each digit to @counts. */
  void (*count) (gconstpointer elements, gsize n, GstGlesCpuDigit digit, gsize *counts);

  /* Moves each element, in order, to to[places[digit]++]. */
  void (*scatter) (gconstpointer from, gsize n, GstGlesCpuDigit digit, gsize *places, gpointer to);

  /* Sorts up to 2^32 - 1 @elements by the bits of @window. Uses @temps, each as large as
   * @elements. Returns the one of the three arrays that holds the result. */
  gpointer (*leaf) (gpointer elements, gsize n, guint64 window, gpointer temps[2]);

  /* scatter for targets larger than the caches, which writes whole cache lines. @to is aligned to
   * 64 bytes. Call begin, any number of scatter with the same digit, then end. */
  void (*combine_begin) (GstGlesCpuCombiner *combiner, GstGlesCpuDigit digit, const gsize *places);
  void (*combine_scatter) (GstGlesCpuCombiner *combiner, gconstpointer from, gsize n,
      GstGlesCpuDigit digit, gsize *places, gpointer to);
  void (*combine_end) (
      GstGlesCpuCombiner *combiner, GstGlesCpuDigit digit, const gsize *places, gpointer to);
} GstGlesCpuElements;

/* One word: a u32 key. */
extern const GstGlesCpuElements gst_gles_cpu_elements_32;

/* Two words: a u64 key, or a u32 key with a payload in the high word, which no window includes. */
extern const GstGlesCpuElements gst_gles_cpu_elements_64;

/* Four words: a u64 key, a payload, and an unused word. */
extern const GstGlesCpuElements gst_gles_cpu_elements_128;

typedef struct {
  guint64 key;
  guint64 payload;
} GstGlesCpuWideElement;

/* ---- sort-convert.c ---- */

/* The caller's arrays, and the mapping of their keys to unsigned integers in ascending order. */
typedef struct {
  guint words;       /* per key */
  guint64 flip;      /* XORed to all keys */
  guint32 sign_mask; /* additionally XORed to keys whose highest bit is set */
  const guint32 *keys_in, *payload_in;
  guint32 *keys_out, *payload_out;
} GstGlesCpuSortArrays;

/* There is no branch on the sign, which would be unpredictable. */
static inline guint32
gst_gles_cpu_flip_by_sign (const GstGlesCpuSortArrays *arrays, guint32 word)
{
  return word ^ ((guint32) - (gint32) (word >> 31) & arrays->sign_mask);
}

static inline guint32
gst_gles_cpu_word_of_key (const GstGlesCpuSortArrays *arrays, guint32 key)
{
  return gst_gles_cpu_flip_by_sign (arrays, key ^ (guint32) arrays->flip);
}

/* Load elements of keys alone, or of keys and payloads, and store them: @n from index @first on. */
void gst_gles_cpu_sort_load_keys (
    const GstGlesCpuSortArrays *arrays, gsize first, gsize n, gpointer to);
void gst_gles_cpu_sort_load (const GstGlesCpuSortArrays *arrays, gsize first, gsize n, gpointer to);
void gst_gles_cpu_sort_store (
    const GstGlesCpuSortArrays *arrays, gsize first, gsize n, gconstpointer from);

/* ---- sort-groups.c ---- */

/* Returns whether the processor supports gst_gles_cpu_sort_groups(). */
gboolean gst_gles_cpu_sort_groups_available (void);

/* Sorts @keys, elements without payload that differ at most in the bits of @varying, and stores
 * them from index @first on. @keys and @temp have @n words each, at most 65536, and are
 * overwritten. */
void gst_gles_cpu_sort_groups (const GstGlesCpuSortArrays *arrays, guint32 *keys, gsize first,
    gsize n, guint64 varying, guint32 *temp);

G_END_DECLS

#endif
