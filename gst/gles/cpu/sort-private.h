/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements, the form in which the sort moves keys with their payload, and loops over them. */
#ifndef GST_GLES_CPU_SORT_PRIVATE_H
#define GST_GLES_CPU_SORT_PRIVATE_H

#include <glib.h>

G_BEGIN_DECLS

/* The widest digit of a leaf, and the widest of all. */
#define GST_GLES_CPU_LEAF_DIGIT_BITS 8
#define GST_GLES_CPU_DIGIT_BITS 11

/* A digit of the key. */
typedef struct {
  guint shift;
  guint mask;
} GstGlesCpuDigit;

/* Bits that some key has set, and that some key has not: what is in both varies. */
typedef struct {
  guint64 set;
  guint64 clear;
} GstGlesCpuKeyBits;

/* Lines not yet written. */
typedef struct {
  guint8 lines[1 << GST_GLES_CPU_DIGIT_BITS][64]; /* aligned to 64 bytes */
  gsize begin[1 << GST_GLES_CPU_DIGIT_BITS];      /* what lies before is not ours */
} GstGlesCpuCombiner;

/* Loops over one type of element. Arrays of elements are aligned to 64 bytes where said. */
typedef struct {
  gsize size; /* of an element, a power of two up to 16 */

  /* Adds the bits that are set in a key, and those that are not. */
  void (*look) (gconstpointer elements, gsize n, GstGlesCpuKeyBits *bits);

  /* Adds to @counts how many elements have each digit. */
  void (*count) (gconstpointer elements, gsize n, GstGlesCpuDigit digit, gsize *counts);

  /* Moves the elements to @to [places [digit]++], in their order. */
  void (*scatter) (gconstpointer from, gsize n, GstGlesCpuDigit digit, gsize *places, gpointer to);

  /* Sorts up to 2^32 - 1 @elements by the bits of @window. Uses @temps, each as large as @elements,
   * and leaves the result in one of the three, which it returns. */
  gpointer (*leaf) (gpointer elements, gsize n, guint64 window, gpointer temps[2]);

  /* scatter in more than one call, for targets larger than caches: whole cache lines are written at
   * once. @to is aligned to 64 bytes. begin, calls of scatter with the same digit, then end. */
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

/* Four: a u64 key, a payload, and nothing. */
extern const GstGlesCpuElements gst_gles_cpu_elements_128;

typedef struct {
  guint64 key;
  guint64 payload;
} GstGlesCpuWideElement;

/* ---- sort-convert.c ---- */

/* The caller's arrays, and how their keys become unsigned integers of which the smaller comes first. */
typedef struct {
  guint words;       /* per key */
  guint64 flip;      /* of all keys */
  guint32 sign_mask; /* what is flipped too when the highest bit is set */
  const guint32 *keys_in, *payload_in;
  guint32 *keys_out, *payload_out;
} GstGlesCpuSortArrays;

/* Without a branch on the sign, which nobody can predict. */
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

/* Elements of keys alone, and of all that is sorted: @n from number @first on. */
void gst_gles_cpu_sort_load_keys (
    const GstGlesCpuSortArrays *arrays, gsize first, gsize n, gpointer to);
void gst_gles_cpu_sort_load (const GstGlesCpuSortArrays *arrays, gsize first, gsize n, gpointer to);
void gst_gles_cpu_sort_store (
    const GstGlesCpuSortArrays *arrays, gsize first, gsize n, gconstpointer from);

/* ---- sort-groups.c ---- */

/* Whether the processor has what the next takes. */
gboolean gst_gles_cpu_sort_groups_available (void);

/* Sorts @keys, elements without payload that differ at most in the bits of @varying, and stores them
 * from number @first on. @keys and @temp are @n words each, 65536 at most, and clobbered. */
void gst_gles_cpu_sort_groups (const GstGlesCpuSortArrays *arrays, guint32 *keys, gsize first,
    gsize n, guint64 varying, guint32 *temp);

G_END_DECLS

#endif
