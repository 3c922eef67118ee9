/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loops of GstGlesCpuElements for one type. There is no include guard: sort-elements.c
 * includes this file once per type, with
 *
 *   NAME(name)     returns the name of a function or type
 *   ELEMENT        the type
 *   KEY(element)   its key, an unsigned integer
 *   LOOK           optional: an implementation of `look`; undefined by this file */

#define PER_LINE (64 / sizeof (ELEMENT))

#ifndef LOOK
static void
NAME (look) (gconstpointer elements, gsize n, GstGlesCpuKeyBits *bits)
{
  const ELEMENT *e = elements;
  guint64 set = bits->set, clear = bits->clear;

  for (gsize i = 0; i < n; i++) {
    set |= KEY (e[i]);
    clear |= ~KEY (e[i]);
  }
  bits->set = set;
  bits->clear = clear;
}
#define LOOK NAME (look)
#endif

static void
NAME (count) (gconstpointer elements, gsize n, GstGlesCpuDigit digit, gsize *counts)
{
  const ELEMENT *e = elements;

  for (gsize i = 0; i < n; i++)
    counts[(guint) (KEY (e[i]) >> digit.shift) & digit.mask]++;
}

static void
NAME (scatter) (gconstpointer from, gsize n, GstGlesCpuDigit digit, gsize *places, gpointer to)
{
  const ELEMENT *e = from;
  ELEMENT *out = to;

  for (gsize i = 0; i < n; i++)
    out[places[(guint) (KEY (e[i]) >> digit.shift) & digit.mask]++] = e[i];
}

/* ---- whole lines ---- */

static void
NAME (combine_begin) (GstGlesCpuCombiner *combiner, GstGlesCpuDigit digit, const gsize *places)
{
  memcpy (combiner->begin, places, (digit.mask + 1) * sizeof places[0]);
}

/* Stores the elements of a digit that are in its line: from the start of the line, or from the
 * first of the caller's elements, to the one before @end. */
static void
NAME (combine_flush) (GstGlesCpuCombiner *combiner, guint digit, gsize end, ELEMENT *out)
{
  const ELEMENT *line = (const ELEMENT *) combiner->lines[digit];
  gsize i = (end - 1) / PER_LINE * PER_LINE;

  for (i = MAX (i, combiner->begin[digit]); i < end; i++)
    out[i] = line[i % PER_LINE];
}

static void
NAME (combine_scatter) (GstGlesCpuCombiner *combiner, gconstpointer from, gsize n,
    GstGlesCpuDigit digit, gsize *places, gpointer to)
{
  const ELEMENT *e = from;
  ELEMENT *out = to;

  for (gsize i = 0; i < n; i++) {
    guint d = (guint) (KEY (e[i]) >> digit.shift) & digit.mask;
    gsize place = places[d]++;

    ((ELEMENT *) combiner->lines[d])[place % PER_LINE] = e[i];
    if (place % PER_LINE == PER_LINE - 1) {
      gsize line = place - (PER_LINE - 1);

      if (G_LIKELY (line >= combiner->begin[d]))
        write_line (out + line, combiner->lines[d]);
      else
        NAME (combine_flush) (combiner, d, place + 1, out);
    }
  }
}

static void
NAME (combine_end) (
    GstGlesCpuCombiner *combiner, GstGlesCpuDigit digit, const gsize *places, gpointer to)
{
  for (guint d = 0; d <= digit.mask; d++) {
    if (places[d] > combiner->begin[d] && places[d] % PER_LINE != 0)
      NAME (combine_flush) (combiner, d, places[d], to);
  }
  finish_lines ();
}

/* ---- leaves: what fits a cache ---- */

static void
NAME (insertion_sort) (ELEMENT *e, gsize n, guint64 window)
{
  for (gsize i = 1; i < n; i++) {
    ELEMENT element = e[i];
    guint64 key = KEY (element) & window;
    gsize at = i;

    for (; at > 0 && (KEY (e[at - 1]) & window) > key; at--)
      e[at] = e[at - 1];
    e[at] = element;
  }
}

/* Counts @n_digits digits, 1 to 3 and a constant in each inlined copy, in one sweep. */
G_ALWAYS_INLINE static inline void
NAME (count_digits) (const ELEMENT *e, guint n, guint n_digits, const GstGlesCpuDigit *digits,
    guint32 (*counts)[LEAF_RADIX])
{
  GstGlesCpuDigit a = digits[0], b = digits[n_digits / 2], c = digits[n_digits - 1];

  memset (counts, 0, n_digits * sizeof counts[0]);
  for (guint i = 0; i < n; i++) {
    counts[0][(guint) (KEY (e[i]) >> a.shift) & a.mask]++;
    if (n_digits > 1)
      counts[1][(guint) (KEY (e[i]) >> b.shift) & b.mask]++;
    if (n_digits > 2)
      counts[2][(guint) (KEY (e[i]) >> c.shift) & c.mask]++;
  }
}

static void
NAME (scatter_leaf) (
    const ELEMENT *e, guint n, GstGlesCpuDigit digit, guint32 *places, ELEMENT *out)
{
  for (guint i = 0; i < n; i++)
    out[places[(guint) (KEY (e[i]) >> digit.shift) & digit.mask]++] = e[i];
}

static gpointer
NAME (leaf) (gpointer elements, gsize n, guint64 window, gpointer temps[2])
{
  guint32 counts[MAX_LEAF_DIGITS][LEAF_RADIX];
  GstGlesCpuDigit digits[MAX_LEAF_DIGITS];
  ELEMENT *from = elements;
  GstGlesCpuKeyBits bits = { 0, 0 };
  guint n_digits;

  if (n <= INSERTION) {
    NAME (insertion_sort) (elements, n, window);
    return elements;
  }
  LOOK (elements, n, &bits);
  n_digits = choose_digits (bits.set & bits.clear & window, digits);
  for (guint d = 0; d < n_digits; d += 3) {
    if (n_digits - d >= 3)
      NAME (count_digits) (from, (guint) n, 3, digits + d, counts + d);
    else if (n_digits - d == 2)
      NAME (count_digits) (from, (guint) n, 2, digits + d, counts + d);
    else
      NAME (count_digits) (from, (guint) n, 1, digits + d, counts + d);
  }
  for (guint d = 0; d < n_digits; d++) {
    ELEMENT *to = temps[0] == (gpointer) from ? temps[1] : temps[0];

    if (counts[d][(guint) (KEY (from[0]) >> digits[d].shift) & digits[d].mask] == n)
      continue;
    counts_to_places (counts[d]);
    NAME (scatter_leaf) (from, (guint) n, digits[d], counts[d], to);
    from = to;
  }
  return from;
}

const GstGlesCpuElements NAME (elements) = { .size = sizeof (ELEMENT),
  .look = LOOK,
  .count = NAME (count),
  .scatter = NAME (scatter),
  .leaf = NAME (leaf),
  .combine_begin = NAME (combine_begin),
  .combine_scatter = NAME (combine_scatter),
  .combine_end = NAME (combine_end) };

#undef LOOK
#undef PER_LINE
