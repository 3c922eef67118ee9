/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the sort kernels: stable radix sort of keys, with a payload. Runs on the shared
 * pool; thread: any. */
#ifndef GST_GLES_CPU_SORT_H
#define GST_GLES_CPU_SORT_H

#include <gst/gles/cpu/lib/key.h>

G_BEGIN_DECLS

typedef struct {
  GstGlesValueType type;
  gboolean descending; /* equal keys keep their input order here too */
  /* Only the bits begin_bit <= b < end_bit of keys are sorted by; end_bit is at most 32 (u64: 64).
   * They are bits of the key that gst_gles_cpu_to_key() makes of i32 and f32, or of the value for
   * u32 and u64. For an empty range the order stays. */
  guint begin_bit;
  guint end_bit;
} GstGlesCpuSortConfig;

/* Sorts by all bits of @type. */
static inline GstGlesCpuSortConfig
gst_gles_cpu_sort_config (GstGlesValueType type, gboolean descending)
{
  GstGlesCpuSortConfig config = { type, descending, 0, 32 * gst_gles_cpu_type_words (type) };

  return config;
}

/* Returns the bytes of scratch memory for up to @n keys; 0 if they exceed the address space. */
gsize gst_gles_cpu_sort_scratch_bytes (
    const GstGlesCpuSortConfig *config, gsize n, gboolean with_payload);

/* The arrays of a sort. Each output may be its input, and must not overlap any other array. */
typedef struct {
  const guint32 *keys_in;
  const guint32 *payload_in; /* NULL: the payload is the index in the input, modulo 2^32 */
  guint32 *keys_out;
  guint32 *payload_out; /* NULL: there is no payload */
} GstGlesCpuSortBuffers;

/* Sorts @n keys, with a payload of one word each. @scratch: gst_gles_cpu_sort_scratch_bytes()
 * bytes, aligned to 8, overwritten. */
void gst_gles_cpu_sort (const GstGlesCpuSortConfig *config, const GstGlesCpuSortBuffers *buffers,
    gsize n, gpointer scratch);

G_END_DECLS

#endif
