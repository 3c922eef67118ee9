/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loops that move averages, for vectors of one size. There is no include guard:
 * frame-background.c includes this file once per size, with
 *
 *   NAME(name)           returns the name of a function or type
 *   LANES                samples per vector
 *   TARGET               an attribute of the functions, or nothing
 *   MULTIPLY_HIGH(a, b)  optional: the upper halves of products; undefined by this file */

typedef guint8 NAME (Bytes) __attribute__ ((vector_size (LANES)));
typedef guint16 NAME (Halves) __attribute__ ((vector_size (2 * LANES)));
typedef gint16 NAME (Signed) __attribute__ ((vector_size (2 * LANES)));
typedef guint32 NAME (Words) __attribute__ ((vector_size (4 * LANES)));

#ifndef MULTIPLY_HIGH
#define MULTIPLY_HIGH(a, b)                                                                        \
  __builtin_convertvector(                                                                         \
      __builtin_convertvector(a, NAME (Words)) * __builtin_convertvector(b, NAME (Words)) >> 16,   \
      NAME (Halves))
#endif

/* The average, whole and fraction, moves by (target - average) * weight, rounded towards 0. That is
 * (target - whole) * weight, less fraction * weight / 2^16, which is rounded up where the average
 * rises and down where it falls. A comparison that is true is -1, so that carries and borrows are
 * subtracted and added. @narrow: targets are less than 2^15. */
G_ALWAYS_INLINE TARGET static inline void
NAME (move) (const NAME (Halves) * target, const NAME (Halves) * weight, NAME (Halves) * whole,
    NAME (Halves) * fraction, gboolean narrow)
{
  typedef NAME (Halves) Halves;
  typedef NAME (Signed) Signed;
  const Halves distance = *target - *whole;
  const Halves rises =
      narrow ? (Halves) ((Signed) *target > (Signed) *whole) : (Halves) (*target > *whole);
  const Halves falls =
      narrow ? (Halves) ((Signed) *target < (Signed) *whole) : (Halves) (*target < *whole);
  const Halves low = distance * *weight;
  const Halves high = MULTIPLY_HIGH (distance, *weight) - (falls & *weight);
  const Halves part =
      MULTIPLY_HIGH (*fraction, *weight) - (rises & (Halves) (*fraction * *weight != 0));
  const Halves sum = *fraction + low;

  *whole += high - (Halves) (sum < low) + (Halves) (sum < part);
  *fraction = sum - part;
}

/* Moves the averages of @n samples, at most LANES. */
G_ALWAYS_INLINE TARGET static inline void
NAME (move_samples) (const guint8 *samples, guint8 *rounded, guint16 *fractions, guint n,
    const NAME (Halves) * weight, gboolean bytes)
{
  NAME (Halves) target = { 0 }, whole = { 0 }, fraction = { 0 };
  NAME (Bytes) narrow = { 0 };

  if (bytes) {
    memcpy (&narrow, samples, n);
    target = __builtin_convertvector(narrow, NAME (Halves));
    memcpy (&narrow, rounded, n);
    whole = __builtin_convertvector(narrow, NAME (Halves));
  } else {
    memcpy (&target, samples, 2 * n);
    memcpy (&whole, rounded, 2 * n);
  }
  memcpy (&fraction, fractions, 2 * n);
  whole -= fraction >> 15;
  NAME (move) (&target, weight, &whole, &fraction, bytes);
  whole += fraction >> 15;
  memcpy (fractions, &fraction, 2 * n);
  narrow = __builtin_convertvector(whole, NAME (Bytes));
  if (bytes)
    memcpy (rounded, &narrow, n);
  else
    memcpy (rounded, &whole, 2 * n);
}

#define MOVE_SAMPLES NAME (move_samples)

G_ALWAYS_INLINE TARGET static inline void
NAME (move_all) (const guint8 *samples, guint8 *rounded, guint16 *fractions, guint n,
    guint16 weight, gboolean bytes)
{
  const guint size = bytes ? 1 : 2;
  NAME (Halves) weights = { 0 };
  guint i = 0;

  weights += weight;
  for (; i + LANES <= n; i += LANES)
    MOVE_SAMPLES (samples + size * i, rounded + size * i, fractions + i, LANES, &weights, bytes);
  if (i < n)
    MOVE_SAMPLES (samples + size * i, rounded + size * i, fractions + i, n - i, &weights, bytes);
}

/* Moves the averages of @n samples of one byte each. */
TARGET static void
NAME (move_bytes) (
    const guint8 *samples, guint8 *rounded, guint16 *fractions, guint n, guint16 weight)
{
  NAME (move_all) (samples, rounded, fractions, n, weight, TRUE);
}

/* The same for samples of two bytes each. */
TARGET static void
NAME (move_halves) (
    const guint8 *samples, guint8 *rounded, guint16 *fractions, guint n, guint16 weight)
{
  NAME (move_all) (samples, rounded, fractions, n, weight, FALSE);
}

#undef MOVE_SAMPLES
#undef MULTIPLY_HIGH
