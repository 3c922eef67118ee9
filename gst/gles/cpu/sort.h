/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the sort kernels: stable radix sort of keys, with a payload. Runs on the shared
 * pool; thread: any. */
#ifndef GST_GLES_CPU_SORT_H
#define GST_GLES_CPU_SORT_H

#include <gst/gles/cpu/key.h>

G_BEGIN_DECLS

typedef struct {
  GstGlesCpuType type;
  gboolean descending; /* stable too: equal keys keep the order of the input */
  /* Only the bits begin_bit <= b < end_bit of keys count, end_bit at most 32 (u64: 64): of the u32
   * that gst_gles_cpu_to_key() makes of i32 and f32, of the value itself for u32 and u64. An empty
   * range leaves the order as it is. */
  guint begin_bit;
  guint end_bit;
} GstGlesCpuSortConfig;

/* All bits of @type. */
static inline GstGlesCpuSortConfig
gst_gles_cpu_sort_config (GstGlesCpuType type, gboolean descending)
{
  GstGlesCpuSortConfig config = { type, descending, 0, 32 * gst_gles_cpu_type_words (type) };

  return config;
}

/* Bytes of scratch memory for sorting up to @n keys; with_payload: there are payloads. A result of 0
 * means that they cannot be addressed. */
gsize gst_gles_cpu_sort_scratch_bytes (
    const GstGlesCpuSortConfig *config, gsize n, gboolean with_payload);

/* Sorts @n keys, with their payload of one word, from @keys_in, @payload_in to @keys_out,
 * @payload_out. Without @payload_out there is no payload; without @payload_in it is the place in the
 * input, modulo 2^32. Each output may be its input, and must not overlap any array otherwise.
 * @scratch: gst_gles_cpu_sort_scratch_bytes() bytes, aligned to 8, clobbered. */
void gst_gles_cpu_sort (const GstGlesCpuSortConfig *config, const guint32 *keys_in,
    const guint32 *payload_in, guint32 *keys_out, guint32 *payload_out, gsize n, gpointer scratch);

G_END_DECLS

#endif
