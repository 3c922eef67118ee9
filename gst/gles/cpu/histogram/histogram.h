/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the histogram of an array. */
#ifndef GST_GLES_CPU_HISTOGRAM_H
#define GST_GLES_CPU_HISTOGRAM_H

#include <glib.h>

G_BEGIN_DECLS

/* Bins of equal width over [lower, lower + width): bin = floor ((key - lower) * bins / width).
 * It is computed without a division as whole * d + floor (d * fraction / 2^64), where d = key -
 * lower.
 *
 * This is exact. The fraction is rounded up by less than 2^-64, so the product with d < 2^32 is
 * too large by less than 2^-32. The true product is at least 1 / width >= 2^-32 below the next
 * integer. */
typedef struct {
  guint32 lower;
  guint64 width;    /* 1 to 2^32 */
  guint bins;       /* 1 to 65536 */
  guint32 whole;    /* bins / width */
  guint64 fraction; /* ceil ((bins % width) * 2^64 / width) */
} GstGlesCpuBinning;

void gst_gles_cpu_binning_init (
    GstGlesCpuBinning *binning, guint32 lower, guint64 width, guint bins);

/* Whether @key lies in a bin. */
static inline gboolean
gst_gles_cpu_binning_has (const GstGlesCpuBinning *binning, guint32 key)
{
  return (guint32) (key - binning->lower) <= (guint32) (binning->width - 1);
}

/* The bin of a key for which gst_gles_cpu_binning_has() is TRUE. */
static inline guint
gst_gles_cpu_binning_bin (const GstGlesCpuBinning *binning, guint32 key)
{
  guint32 d = key - binning->lower;
  guint64 low = (guint64) d * (guint32) binning->fraction;
  guint64 high = (guint64) d * (guint32) (binning->fraction >> 32);

  return d * binning->whole + (guint32) ((high + (low >> 32)) >> 32);
}

typedef struct {
  gconstpointer data;
  gsize n;
  guint bytes; /* of a key: 1, 2 or 4 */
} GstGlesCpuKeys;

/* Counts @keys into @counts, which has @binning->bins words and is overwritten. Uses the shared
 * pool. Errors: GST_GLES_ERROR_NO_MEMORY. */
gboolean gst_gles_cpu_histogram (
    const GstGlesCpuBinning *binning, const GstGlesCpuKeys *keys, guint32 *counts, GError **error);

G_END_DECLS

#endif
