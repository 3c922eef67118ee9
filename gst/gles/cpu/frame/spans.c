/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/cpu/frame/spans.h>

/* The next sample of a row, from @x on, that is included, or that is not; the width if there is
 * none. Words without a change are passed at once where each position has a sample. */
static guint
find (const GstGlesMaskBits *mask, const GstGlesComponent *c, guint y, guint x, gboolean included)
{
  const guint64 *row = mask->bits + (gsize) (y << c->sub_y) * mask->row_words;
  const guint64 other = included ? 0 : G_MAXUINT64;

  while (x < c->width) {
    const guint luma = x << c->sub_x;

    if (c->sub_x == 0 && luma % 64 == 0 && row[luma / 64] == other)
      x = MIN (x + 64, c->width);
    else if ((row[luma / 64] >> luma % 64 & 1) == (guint64) included)
      return x;
    else
      x++;
  }
  return c->width;
}

GstGlesCpuSpans *
gst_gles_cpu_spans_new (
    const GstGlesMaskBits *mask, const GstGlesComponent *component, gboolean inside)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (GstGlesCpuSpan));
  GstGlesCpuSpans *made = g_new (GstGlesCpuSpans, 1);

  made->first = g_new (guint, (gsize) component->height + 1);
  for (guint y = 0; y < component->height; y++) {
    guint x = 0;

    made->first[y] = spans->len;
    while ((x = find (mask, component, y, x, inside)) < component->width) {
      const GstGlesCpuSpan span = { x, find (mask, component, y, x, !inside) };

      g_array_append_val (spans, span);
      x = span.end;
    }
  }
  made->first[component->height] = spans->len;
  made->spans = (GstGlesCpuSpan *) (gpointer) g_array_free (spans, FALSE);
  return made;
}

void
gst_gles_cpu_spans_free (GstGlesCpuSpans *spans)
{
  if (spans == NULL)
    return;
  g_free (spans->first);
  g_free (spans->spans);
  g_free (spans);
}

guint64
gst_gles_cpu_spans_count (const GstGlesCpuSpans *spans, guint x, guint y, guint width, guint height)
{
  guint64 n = 0;

  for (guint row = y; row < y + height; row++) {
    GstGlesCpuSpanWalk walk = gst_gles_cpu_spans_walk (spans, row, x, x + width);

    while (gst_gles_cpu_span_next (&walk))
      n += walk.end - walk.from;
  }
  return n;
}
