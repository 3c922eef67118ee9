/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/core/stream-copy.h>

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

#define LINE_BYTES 64
/* Shorter copies use memcpy(): a fence per row would cost more than the cache misses. */
#define MIN_BYTES 4096

void
gst_gles_stream_copy (gpointer target, gconstpointer source, gsize size_bytes)
{
  const gsize head = -(guintptr) target % LINE_BYTES;
  guint8 *to = target;
  const guint8 *from = source;
  gsize n_lines;

  if (size_bytes < MIN_BYTES) {
    memcpy (to, from, size_bytes);
    return;
  }
  memcpy (to, from, head);
  to += head;
  from += head;
  n_lines = (size_bytes - head) / LINE_BYTES;
  for (gsize i = 0; i < n_lines; i++) {
    for (guint j = 0; j < LINE_BYTES; j += sizeof (__m128i))
      _mm_stream_si128 ((__m128i *) (to + j), _mm_loadu_si128 ((const __m128i *) (from + j)));
    to += LINE_BYTES;
    from += LINE_BYTES;
  }
  memcpy (to, from, size_bytes - head - n_lines * LINE_BYTES);
  /* Streaming stores are not ordered by the locks that hand the work over, only by a fence. */
  _mm_sfence ();
}

#else

void
gst_gles_stream_copy (gpointer target, gconstpointer source, gsize size_bytes)
{
  memcpy (target, source, size_bytes);
}

#endif
