/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The samples of a component that a mask includes, as spans of each row. */
#ifndef GST_GLES_CPU_SPANS_H
#define GST_GLES_CPU_SPANS_H

#include <gst/gles/core/mask.h>
#include <layout.h>

G_BEGIN_DECLS

/* Samples @from to before @end. */
typedef struct {
  guint from, end;
} GstGlesCpuSpan;

/* The spans of row y are those from first[y] to before first[y + 1], from left to right, with gaps
 * between them. Immutable. */
typedef struct {
  guint *first;
  GstGlesCpuSpan *spans;
} GstGlesCpuSpans;

/* The samples whose top left luma position @mask includes; with @inside FALSE all others. (transfer
 * full) */
GstGlesCpuSpans *gst_gles_cpu_spans_new (
    const GstGlesMaskBits *mask, const GstGlesComponent *component, gboolean inside);
/* NULL is safe. */
void gst_gles_cpu_spans_free (GstGlesCpuSpans *spans);

/* A walk over the parts of a row that lie in a range of samples: call gst_gles_cpu_span_next()
 * first. */
typedef struct {
  const GstGlesCpuSpans *spans; /* nullable: all is included */
  guint at, last;
  guint begin, stop; /* the range, to before @stop */
  guint from, end;   /* the part, to before @end */
} GstGlesCpuSpanWalk;

static inline GstGlesCpuSpanWalk
gst_gles_cpu_spans_walk (const GstGlesCpuSpans *spans, guint y, guint begin, guint stop)
{
  return (GstGlesCpuSpanWalk){ spans, spans != NULL ? spans->first[y] : 0,
    spans != NULL ? spans->first[y + 1] : 1, begin, stop, 0, 0 };
}

/* Sets walk->from and walk->end to the next part that is not empty. FALSE: there is none. */
static inline gboolean
gst_gles_cpu_span_next (GstGlesCpuSpanWalk *walk)
{
  while (walk->at < walk->last) {
    const GstGlesCpuSpan *span = walk->spans != NULL ? &walk->spans->spans[walk->at] : NULL;

    walk->at++;
    walk->from = span != NULL ? MAX (span->from, walk->begin) : walk->begin;
    walk->end = span != NULL ? MIN (span->end, walk->stop) : walk->stop;
    if (walk->from < walk->end)
      return TRUE;
  }
  return FALSE;
}

/* How many samples of the @width * @height from (@x, @y) on are included. */
guint64 gst_gles_cpu_spans_count (
    const GstGlesCpuSpans *spans, guint x, guint y, guint width, guint height);

G_END_DECLS

#endif
