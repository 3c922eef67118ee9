// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sums the tables of narrow counters that histogram_tables.comp wrote, corrects the sums by
 * the recorded carries, and clears the carries. docs/algorithms/histogram.md has the formula.
 *
 * Defines: FIELD_BITS: bits of a counter; LOCAL_SIZE_X: a multiple of 32
 * Bindings: uniform 0: the pass; storage 0: the tables; storage 1: the carries, then the number of
 *   tables; storage 2: the counts; storage 3: the plan's state
 * Grid: x * 1 workgroups, one per 32 words of a table. */
#include "histogram/histogram-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesHistogramPass params;
};

#include "histogram/histogram_fields.glsl"
#include "lib/barrier.glsl"

layout (std430, binding = 0) readonly buffer Tables
{
  uint tables[];
};

layout (std430, binding = 1) buffer Carries
{
  uint carries[];
};

layout (std430, binding = 2) buffer Counts
{
  uint counts[];
};

layout (std430, binding = 3) readonly buffer State
{
  uint state[];
};

#define WORDS 32u
/* Slices of 32 invocations. A slice sums every SLICES-th table. */
#define SLICES uint (LOCAL_SIZE_X / 32)
#define FIELD_MAX ((1u << FIELD_BITS) - 1u)

shared uint sums[FIELDS * uint (LOCAL_SIZE_X)];

void
add_fields (inout uint totals[FIELDS], uint word)
{
  for (uint field = 0u; field < FIELDS; field++)
    totals[field] += (word >> (field * uint (FIELD_BITS))) & FIELD_MAX;
}

void
sum_tables (uint n_tables, uint word, uint slice)
{
  uint totals[FIELDS], i = slice;

  for (uint field = 0u; field < FIELDS; field++)
    totals[field] = 0u;
  /* Four loads are in flight at a time. */
  for (; i + 3u * SLICES < n_tables; i += 4u * SLICES) {
    uint at = i * TABLE_WORDS + word;
    uvec4 words = uvec4 (tables[at], tables[at + SLICES * TABLE_WORDS],
        tables[at + 2u * SLICES * TABLE_WORDS], tables[at + 3u * SLICES * TABLE_WORDS]);

    for (int k = 0; k < 4; k++)
      add_fields (totals, words[k]);
  }
  for (; i < n_tables; i += SLICES)
    add_fields (totals, tables[i * TABLE_WORDS + word]);
  for (uint field = 0u; field < FIELDS; field++)
    sums[field * uint (LOCAL_SIZE_X) + gl_LocalInvocationIndex] = totals[field];
}

/* Writes the count of field @field of the workgroup's word @local, unless no bin belongs to it. */
void
write_count (uint field, uint word, uint local)
{
  uint permuted = word + field * BINS_PER_FIELD, bin = unpermute_bin (permuted);
  uint count = carries[permuted] << FIELD_BITS;

  if (field > 0u)
    count -= carries[permuted - BINS_PER_FIELD];
  for (uint slice = 0u; slice < SLICES; slice++)
    count += sums[field * uint (LOCAL_SIZE_X) + slice * WORDS + local];
  if (permute_bin (bin) == permuted && bin < params.bins)
    counts[bin] = params.array.window == 0u ? count : counts[bin] + count;
}

/* The number of tables. An indirect dispatch over an empty window runs no workgroup that could
 * store it, so the number is 0 there. The first window always has a workgroup. */
uint
n_tables_of_window ()
{
  uint window =
      uint (GST_GLES_ARRAY_WINDOWS) + params.array.window * uint (GST_GLES_ARRAY_WINDOW_WORDS);

  if (params.array.counted != 0u && params.array.window != 0u && state[window + 3u] == 0u)
    return 0u;
  return carries[FIELDS * BINS_PER_FIELD];
}

void
main ()
{
  uint local = gl_LocalInvocationIndex % WORDS;
  uint slice = gl_LocalInvocationIndex / WORDS;
  uint word = gl_WorkGroupID.x * WORDS + local;
  uint n_tables = n_tables_of_window ();
  uint fields = word < BINS_PER_FIELD ? FIELDS : 0u;

  sum_tables (n_tables, word, slice);
  workgroup_barrier ();
  for (uint field = slice; field < fields; field += SLICES)
    write_count (field, word, local);
  /* Clear only after all invocations have read. */
  memoryBarrierBuffer ();
  workgroup_barrier ();
  for (uint field = slice; field < fields; field += SLICES)
    carries[field * BINS_PER_FIELD + word] = 0u;
}
