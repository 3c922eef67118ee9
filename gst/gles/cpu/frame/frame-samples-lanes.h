/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loops over rows of pixels, for vectors of one size. There is no include guard:
 * frame-samples.c includes this file once per size, with
 *
 *   NAME(name)      returns the name of a function or type
 *   LANES           pixels per vector
 *   TARGET          an attribute of the functions, or nothing
 *   LESSER(a, b)    optional, as the three others: the lesser bytes of two vectors
 *   GREATER(a, b)   the greater ones
 *   AVERAGE(a, b)   their means, rounded up
 *   HAS_ANY(v)      whether the highest bit of any byte is set, where that of a byte says all
 *
 * This file undefines all of them. */

typedef guint8 NAME (Bytes) __attribute__ ((vector_size (LANES)));
typedef guint32 NAME (Words) __attribute__ ((vector_size (LANES)));

#ifndef LESSER
#define LESSER(a, b) ((((NAME (Bytes)) ((a) < (b))) & (a)) | (~((NAME (Bytes)) ((a) < (b))) & (b)))
#define GREATER(a, b) ((((NAME (Bytes)) ((a) > (b))) & (a)) | (~((NAME (Bytes)) ((a) > (b))) & (b)))
#define AVERAGE(a, b) (((a) | (b)) - ((((a) ^ (b)) >> 1) & 0x7f))
#endif

G_ALWAYS_INLINE TARGET static inline NAME (Bytes) NAME (load) (const guint8 *bytes)
{
  NAME (Bytes) v;

  memcpy (&v, bytes, sizeof v);
  return v;
}

/* The mean of each pixel and of the mean of its neighbours on the left and on the right. */
G_ALWAYS_INLINE TARGET static inline NAME (Bytes) NAME (smooth_one) (const guint8 *row)
{
  return AVERAGE (AVERAGE (NAME (load) (row - 1), NAME (load) (row + 1)), NAME (load) (row));
}

/* Smooths the pixels of @rows, which are above, here and below, that have neighbours on either
 * side. Vectors may overlap. Returns FALSE if @width is too small for one. */
TARGET static gboolean
NAME (smooth_inner) (const guint8 *const rows[3], guint width, guint8 *smooth)
{
  const guint last = width > LANES + 1 ? width - 1 - LANES : 0;

  if (last == 0)
    return FALSE;
  for (guint x = 1;; x = MIN (x + LANES, last)) {
    const NAME (Bytes) v =
        AVERAGE (AVERAGE (NAME (smooth_one) (rows[0] + x), NAME (smooth_one) (rows[2] + x)),
            NAME (smooth_one) (rows[1] + x));

    memcpy (smooth + x, &v, sizeof v);
    if (x == last)
      return TRUE;
  }
}

/* Returns ~0 for each byte that is not less than that of @bound. */
G_ALWAYS_INLINE TARGET static inline NAME (Bytes)
    NAME (not_less) (NAME (Bytes) v, NAME (Bytes) bound)
{
  return (NAME (Bytes)) (GREATER (v, bound) == v);
}

#ifndef HAS_ANY
G_ALWAYS_INLINE TARGET static inline gboolean
NAME (has_any) (NAME (Bytes) v)
{
  guint64 words[LANES / 8], any = 0;

  memcpy (words, &v, sizeof words);
  for (guint i = 0; i < LANES / 8; i++)
    any |= words[i];
  return any != 0;
}
#define HAS_ANY NAME (has_any)
#endif

/* Returns how many bytes are ~0, where the others are 0. */
G_ALWAYS_INLINE TARGET static inline guint
NAME (count) (NAME (Bytes) v)
{
  const guint64 ones = 0x0101010101010101;
  guint64 words[LANES / 8];
  guint n = 0;

  memcpy (words, &v, sizeof words);
  for (guint i = 0; i < LANES / 8; i++)
    n += (guint) ((words[i] & ones) * ones >> 56);
  return n;
}

/* Writes how far each pixel is from the second nearest of its samples: 0 where that is less than
 * @radius. Most pixels are background, which their first samples show: the others are not read
 * then. Returns how many are not. Behind the last pixel all samples are equal. */
TARGET static guint
NAME (compare_row) (const guint8 *smooth, const guint8 *samples, gsize plane, guint n,
    guint8 radius, guint8 *values)
{
  const NAME (Bytes) bound = (NAME (Bytes)){ 0 } + radius;
  guint count = 0;

  for (guint x = 0; x < n; x += LANES) {
    const NAME (Bytes) v = NAME (load) (smooth + x);
    NAME (Bytes) least = ~(NAME (Bytes)){ 0 }, second = least, moving;

    for (guint k = 0; k < GST_GLES_FRAME_SAMPLES_N; k++) {
      const NAME (Bytes) kept = NAME (load) (samples + k * plane + x);
      const NAME (Bytes) distance = GREATER (kept, v) - LESSER (kept, v);
      const NAME (Bytes) greater = GREATER (least, distance);

      second = LESSER (second, greater);
      least = LESSER (least, distance);
      if (k > 0 && !HAS_ANY (NAME (not_less) (second, bound)))
        break;
    }
    moving = NAME (not_less) (second, bound);
    second &= moving;
    memcpy (values + x, &second, sizeof second);
    if (HAS_ANY (moving))
      count += NAME (count) (moving);
  }
  return count;
}

/* Vectors after which the bytes of @n_of_lane below would overflow. */
#define MAX_VECTORS 255

/* Adds how many pixels are brighter and darker than their first sample by each step to @counts.
 * Each lane counts in bytes of its own, which are added up at the end of a chunk. */
TARGET static void
NAME (count_light) (const guint8 *smooth, const guint8 *samples, guint n, guint *counts)
{
  const NAME (Bytes) zero = { 0 };

  for (guint from = 0; from < n; from += MAX_VECTORS * LANES) {
    const guint end = MIN (n, from + MAX_VECTORS * LANES);
    NAME (Bytes) n_of_lane[2 * GST_GLES_FRAME_SAMPLES_STEPS] = { zero };

    for (guint x = from; x < end; x += LANES) {
      const NAME (Bytes) v = NAME (load) (smooth + x), kept = NAME (load) (samples + x);
      const NAME (Bytes) brighter = GREATER (v, kept) - kept, darker = GREATER (v, kept) - v;

      for (guint i = 0; i < GST_GLES_FRAME_SAMPLES_STEPS; i++) {
        const NAME (Bytes) step = zero + (guint8) (1 << i);

        n_of_lane[i] -= NAME (not_less) (brighter, step);
        n_of_lane[GST_GLES_FRAME_SAMPLES_DARKER + i] -= NAME (not_less) (darker, step);
      }
    }
    for (guint i = 0; i < 2 * GST_GLES_FRAME_SAMPLES_STEPS; i++) {
      for (guint lane = 0; lane < LANES; lane++)
        counts[i] += n_of_lane[i][lane];
    }
  }
}

/* Writes the hashes of @n numbers, @first and each @step after it, rounded up to whole vectors. */
TARGET static void
NAME (hash_many) (guint32 first, guint32 step, guint n, guint32 *hashes)
{
  NAME (Words) x;

  for (guint i = 0; i < LANES / 4; i++)
    x[i] = first + i * step;
  for (guint i = 0; i < n; i += LANES / 4, x += LANES / 4 * step) {
    NAME (Words) h = x;

    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    h ^= h >> 16;
    memcpy (hashes + i, &h, sizeof h);
  }
}

/* Moves the samples of a row by @step where something else is seen, and by @step to the pixels at
 * most where they are background. */
TARGET static void
NAME (follow_light_row) (const guint8 *smooth, const guint8 *values, guint8 *samples, gsize plane,
    guint n, gboolean brighter, guint8 step)
{
  const NAME (Bytes) zero = { 0 }, steps = zero + step;

  for (guint x = 0; x < n; x += LANES) {
    const NAME (Bytes) v = NAME (load) (smooth + x);
    const NAME (Bytes) moving = NAME (not_less) (NAME (load) (values + x), zero + 1);

    for (guint k = 0; k < GST_GLES_FRAME_SAMPLES_N; k++) {
      const NAME (Bytes) kept = NAME (load) (samples + k * plane + x);
      const NAME (Bytes) way = brighter ? GREATER (v, kept) - kept : GREATER (v, kept) - v;
      const NAME (Bytes) room = brighter ? ~kept : kept;
      const NAME (Bytes) moved = LESSER (steps, (moving & room) | (~moving & way));
      const NAME (Bytes) next = brighter ? kept + moved : kept - moved;

      memcpy (samples + k * plane + x, &next, sizeof next);
    }
  }
}

#undef MAX_VECTORS
#undef NAME
#undef LANES
#undef TARGET
#undef LESSER
#undef GREATER
#undef AVERAGE
#undef HAS_ANY
