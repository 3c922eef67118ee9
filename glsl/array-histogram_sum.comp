// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sums up tables of narrow counters, and what was carried out of them and into them
 * (array-histogram_tables.comp). Leaves the carries zero.
 *
 * Defines: FIELD_BITS; LOCAL_SIZE_X: a multiple of 32
 * Bindings: uniform 0: the pass; storage 0: the tables; storage 1: the carries, and the number of tables;
 *   storage 2: the counts; storage 3: the plan's state
 * Grid: x * 1 workgroups, one for 32 words of the tables */
#include "lib/layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesArrayHistogramPass params;
};

#include "lib/array-histogram_fields.glsl"
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
/* each of which sums up every SLICES-th table */
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
sum_tables (uint n_tables, uint stride, uint place, uint slice)
{
  uint totals[FIELDS], i = slice;

  for (uint field = 0u; field < FIELDS; field++)
    totals[field] = 0u;
  /* four loads on their way at a time */
  for (; i + 3u * SLICES < n_tables; i += 4u * SLICES) {
    uint at = i * stride + place;
    uvec4 words = uvec4 (tables[at], tables[at + SLICES * stride],
        tables[at + 2u * SLICES * stride], tables[at + 3u * SLICES * stride]);

    for (int k = 0; k < 4; k++)
      add_fields (totals, words[k]);
  }
  for (; i < n_tables; i += SLICES)
    add_fields (totals, tables[i * stride + place]);
  for (uint field = 0u; field < FIELDS; field++)
    sums[field * uint (LOCAL_SIZE_X) + gl_LocalInvocationIndex] = totals[field];
}

/* What was counted aside, where it concerns words of this workgroup. */
void
add_frequent (uint n_tables, uint stride)
{
  for (uint i = gl_LocalInvocationIndex; i < n_tables; i += uint (LOCAL_SIZE_X)) {
    uint bin = tables[i * stride + params.table_words];

    if (bin >= params.bins)
      continue;
    uint spot = spot_of (bin), field = field_of (spot), place = place_of (word_of (spot, field));
    if (place / WORDS == gl_WorkGroupID.x)
      atomicAdd (sums[field * uint (LOCAL_SIZE_X) + place % WORDS],
          tables[i * stride + params.table_words + 1u]);
  }
}

/* The count of a field of the workgroup's word @local, if it is a bin's. */
void
write_count (uint field, uint word, uint local)
{
  uint spot = word + field * FIELD_SPOTS, bin = bin_of_spot (spot);
  uint count = carries[spot] << FIELD_BITS;

  if (field > 0u)
    count -= carries[spot - FIELD_SPOTS];
  for (uint slice = 0u; slice < SLICES; slice++)
    count += sums[field * uint (LOCAL_SIZE_X) + slice * WORDS + local];
  if (spot_of (bin) == spot && bin < params.bins)
    counts[bin] = params.window == 0u ? count : counts[bin] + count;
}

/* The number of tables. A window without keys had no workgroups to tell: but for the first, which has one. */
uint
n_tables_of_window ()
{
  uint window =
      uint (GST_GLES_ARRAY_WINDOWS) + params.window * uint (GST_GLES_ARRAY_WINDOW_WORDS);

  if (params.counted != 0u && params.window != 0u && state[window + 3u] == 0u)
    return 0u;
  return carries[FIELDS * FIELD_SPOTS];
}

void
main ()
{
  uint local = gl_LocalInvocationIndex % WORDS;
  uint slice = gl_LocalInvocationIndex / WORDS;
  uint place = gl_WorkGroupID.x * WORDS + local;
  uint word = place_of (place);
  uint stride = params.table_words + uint (GST_GLES_ARRAY_TABLE_TAIL);
  uint n_tables = n_tables_of_window ();
  uint fields = word < FIELD_SPOTS ? FIELDS : 0u;

  sum_tables (n_tables, stride, place, slice);
  workgroup_barrier ();
  add_frequent (n_tables, stride);
  workgroup_barrier ();
  for (uint field = slice; field < fields; field += SLICES)
    write_count (field, word, local);
  /* all have been read */
  memoryBarrierBuffer ();
  workgroup_barrier ();
  for (uint field = slice; field < fields; field += SLICES)
    carries[field * FIELD_SPOTS + word] = 0u;
}
