// SPDX-License-Identifier: LGPL-2.1-or-later
/* Accumulates the totals of a component and adds them to its record.
 *
 * Defines: TABLE: components in the table in shared memory, 0: no table; LOCAL_SIZE_X
 * Bindings: storage 3: the records */

#define NOT_LISTED 0xffffffffu

/* The words of a GstGlesComponentRecord. */
#define RECORD_WORDS 16u
#define RECORD_LEFT 1u
#define RECORD_TOP 2u
#define RECORD_RIGHT 3u
#define RECORD_BOTTOM 4u
#define RECORD_PIXELS 5u
#define RECORD_MAX 6u
#define RECORD_X 8u
#define RECORD_Y 10u
#define RECORD_VALUE 12u

layout (std430, binding = 3) coherent buffer Regions
{
  uint regions[];
};

struct Totals {
  uint slot;
  uvec4 box; // left, top, right, bottom
  uint pixels;
  uint max_value;
  uvec2 x; // sums in 64 bits, the low word first
  uvec2 y;
  uvec2 value;
};

void
totals_begin (out Totals totals)
{
  totals = Totals (NOT_LISTED, uvec4 (0xffffffffu, 0xffffffffu, 0u, 0u), 0u, 0u, uvec2 (0u),
      uvec2 (0u), uvec2 (0u));
}

uvec2
sum_64 (uvec2 sum, uint value)
{
  uint low = sum.x + value;

  return uvec2 (low, sum.y + (low < value ? 1u : 0u));
}

/* Adds @n pixels of a row: the first and the last of them, and the sum of their columns. */
void
totals_add_row (inout Totals totals, uint left, uint right, uint row, uint n, uint sum)
{
  totals.box = uvec4 (min (totals.box.x, left), min (totals.box.y, row),
      max (totals.box.z, right), max (totals.box.w, row));
  totals.pixels += n;
  totals.x = sum_64 (totals.x, sum);
  totals.y = sum_64 (totals.y, row * n);
}

void
totals_add_value (inout Totals totals, uint value)
{
  totals.max_value = max (totals.max_value, value);
  totals.value = sum_64 (totals.value, value);
}

/* Adds a 64-bit sum to the two words of @array from @at on. */
#define ADD_64(array, at, sum)                                                                     \
  {                                                                                                \
    uint before = atomicAdd (array[at], (sum).x);                                                  \
    uint high = (sum).y + (before + (sum).x < before ? 1u : 0u);                                   \
    if (high != 0u)                                                                                \
      atomicAdd (array[(at) + 1u], high);                                                          \
  }

#define ADD_TOTALS(array, at, totals)                                                              \
  {                                                                                                \
    atomicMin (array[(at) + RECORD_LEFT], (totals).box.x);                                         \
    atomicMin (array[(at) + RECORD_TOP], (totals).box.y);                                          \
    atomicMax (array[(at) + RECORD_RIGHT], (totals).box.z);                                        \
    atomicMax (array[(at) + RECORD_BOTTOM], (totals).box.w);                                       \
    atomicAdd (array[(at) + RECORD_PIXELS], (totals).pixels);                                      \
    atomicMax (array[(at) + RECORD_MAX], (totals).max_value);                                      \
    ADD_64 (array, (at) + RECORD_X, (totals).x)                                                    \
    ADD_64 (array, (at) + RECORD_Y, (totals).y)                                                    \
    ADD_64 (array, (at) + RECORD_VALUE, (totals).value)                                            \
  }

#if TABLE

/* The table holds records without their last two words, which are padding. */
#define TABLE_WORDS 14u

shared uint table[TABLE * 14];

void
table_begin ()
{
  for (uint i = gl_LocalInvocationIndex; i < uint (TABLE) * TABLE_WORDS; i += uint (LOCAL_SIZE_X)) {
    uint word = i % TABLE_WORDS;
    table[i] = word == RECORD_LEFT || word == RECORD_TOP ? 0xffffffffu : 0u;
  }
  workgroup_barrier ();
}

void
totals_flush (inout Totals totals)
{
  if (totals.slot < uint (TABLE)) {
    uint at = totals.slot * TABLE_WORDS;
    ADD_TOTALS (table, at, totals)
  } else if (totals.slot != NOT_LISTED) {
    uint at = totals.slot * RECORD_WORDS;
    ADD_TOTALS (regions, at, totals)
  }
}

uvec2
table_pair (uint at)
{
  return uvec2 (table[at], table[at + 1u]);
}

/* Adds the table to the records. */
void
table_flush ()
{
  workgroup_barrier ();
  for (uint slot = gl_LocalInvocationIndex; slot < uint (TABLE); slot += uint (LOCAL_SIZE_X)) {
    uint at = slot * TABLE_WORDS;
    if (table[at + RECORD_PIXELS] != 0u) {
      Totals totals = Totals (slot,
          uvec4 (table[at + RECORD_LEFT], table[at + RECORD_TOP], table[at + RECORD_RIGHT],
              table[at + RECORD_BOTTOM]),
          table[at + RECORD_PIXELS], table[at + RECORD_MAX], table_pair (at + RECORD_X),
          table_pair (at + RECORD_Y), table_pair (at + RECORD_VALUE));
      at = slot * RECORD_WORDS;
      ADD_TOTALS (regions, at, totals)
    }
  }
}

#else

void
table_begin ()
{
}

void
totals_flush (inout Totals totals)
{
  if (totals.slot != NOT_LISTED) {
    uint at = totals.slot * RECORD_WORDS;
    ADD_TOTALS (regions, at, totals)
  }
}

void
table_flush ()
{
}

#endif

/* Switches to the component with list index @slot; flushes the totals of the component before. */
void
totals_take (inout Totals totals, uint slot)
{
  if (slot == totals.slot)
    return;
  totals_flush (totals);
  totals_begin (totals);
  totals.slot = slot;
}
