// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tests the values of a tile, ranks those that pass, and writes them.
 *
 * Defines:
 *   PREDICATE  0: lower <= key <= upper; 1: a word per value that is not 0; 2: lower <= value <=
 *              lower + span, modulo 2^32: for integers the same as 0, in fewer steps
 *   OUTPUTS    bits: 1 values, 2 indices; 0: values are counted only
 *   STAGED     rows of the tile that are staged in shared memory at a time, so that neighbouring
 *              invocations write neighbouring words; 0: not staged, as with TEAM 0
 *   ROWS       even or 1
 *   FRAME      the input is samples of a picture, the output is points
 *              (frame/frame-compact_tile.glsl)
 * Bindings: storage 1: the words that are tested; then, where they exist: the values (PREDICATE 1
 *   with OUTPUTS 1), the values that pass, their indices */
#include "compact/compact_common.glsl"
#ifdef FRAME
#include "frame/frame-compact_tile.glsl"
#else
#include "scan/scan_tile.glsl"
#endif

#ifdef FRAME
#if OUTPUTS
layout (std430, binding = 3) writeonly buffer OutPoints
{
  uvec2 out_points[];
};
#endif
#elif PREDICATE == 1 && (OUTPUTS & 1)
layout (std430, binding = 2) readonly buffer Source
{
  uvec4 source[];
};
#if OUTPUTS & 1
layout (std430, binding = 3) writeonly buffer OutValues
{
  uint out_values[];
};
#endif
#if OUTPUTS & 2
layout (std430, binding = 4) writeonly buffer OutIndices
{
  uint out_indices[];
};
#endif
#else
#if OUTPUTS & 1
layout (std430, binding = 2) writeonly buffer OutValues
{
  uint out_values[];
};
#if OUTPUTS & 2
layout (std430, binding = 3) writeonly buffer OutIndices
{
  uint out_indices[];
};
#endif
#elif OUTPUTS & 2
layout (std430, binding = 2) writeonly buffer OutIndices
{
  uint out_indices[];
};
#endif
#endif

bool
passes (uint word)
{
#if PREDICATE == 1
  return word != 0u;
#elif PREDICATE == 2
  return word - params.lower <= params.span;
#else
  uint key = word ^ params.flip ^ (uint (int (word) >> 31) & params.sign_flip);

  return key >= params.lower && key <= params.upper;
#endif
}

/* Returns a bit per value: bit c says that value c of the row passes. */
uint
row_passes (uvec4 row, uint count)
{
  uint bits = (passes (row.x) ? 1u : 0u) | (passes (row.y) ? 2u : 0u) |
      (passes (row.z) ? 4u : 0u) | (passes (row.w) ? 8u : 0u);

  return bits & ((1u << count) - 1u);
}

uint
tile_passes (uint tile, uint n, uvec4 rows[ROWS], out uint bits[ROWS])
{
  uint count = 0u;

  for (int r = 0; r < ROWS; r++) {
    bits[r] = row_passes (rows[r], row_count (row_at (tile, r), n));
    count += count_bits (bits[r]);
  }
  return count;
}

/* Returns how many values of a tile pass. Must be called by all invocations of the team. */
uint
tile_count (uint tile, uint n)
{
  uvec4 rows[ROWS];
  uint bits[ROWS];

  load_tile (tile, n, rows);
  return team_sum (tile_passes (tile, n, rows, bits));
}

/* Finds the rank of each row: ranks[r] is the number of values of the tile that pass before the
 * invocation's row r. Returns how many values of the tile pass. */
uint
tile_ranks (uint bits[ROWS], out uint ranks[ROWS])
{
  uint counts[SCAN_ROWS];
  uint total;

#if ROWS == 1
  counts[0] = count_bits (bits[0]);
  team_scan (counts, total);
  ranks[0] = counts[0];
  return total;
#else
#if ROWS == 4 && defined (SCANS_BYTES)
  team_scan_bytes (count_bits (bits[0]) | (count_bits (bits[1]) << 8) |
          (count_bits (bits[2]) << 16) | (count_bits (bits[3]) << 24),
      counts, total);
#else
  for (int r = 0; r < SCAN_ROWS; r++)
    counts[r] = count_bits (bits[r]) | (count_bits (bits[r + SCAN_ROWS]) << 16);
  team_scan (counts, total);
#endif
  for (int r = 0; r < SCAN_ROWS; r++) {
    ranks[r] = counts[r] & 0xffffu;
    ranks[r + SCAN_ROWS] = (total & 0xffffu) + (counts[r] >> 16);
  }
  return (total & 0xffffu) + (total >> 16);
#endif
}

#if STAGED

/* The entries of STAGED rows. Staging few rows at a time raises the occupancy: NVIDIA's driver
 * seems to give all workgroups of a multiprocessor 48 KiB of shared memory. On an H100, look-back
 * over 64 Mi values took 228 us with whole tiles and 177 us with single rows. */
shared uint staged[4 * STAGED * LOCAL_SIZE_X];
/* row_begins[r]: the number of entries of the tile before row r. */
shared uint row_begins[ROWS];

void
stage_row (uvec4 row, uint bits, uint at)
{
  for (int c = 0; c < 4; c++) {
    if ((bits & (1u << c)) != 0u)
      staged[at++] = row[c];
  }
}

void
share_row_begins (uint ranks[ROWS])
{
  if (team_rank () == 0u) {
    for (int r = 0; r < ROWS; r++)
      row_begins[r] = ranks[r];
  }
}

/* Stages STAGED rows. ROW(r) yields row r. The first of the rows begins @begin entries after the
 * start of the tile. */
#define STAGE_ROWS(ROW, tile, rows, bits, ranks, first, begin)                                     \
  for (int s = 0; s < STAGED; s++)                                                                 \
    stage_row (ROW (tile, rows, (first) + s), bits[(first) + s], ranks[(first) + s] - (begin))

/* Returns the first and the end of the tile's entries that lie in the bound part of the output. */
uvec2
bound_entries (uint count, uint prefix)
{
  uint end = params.out_first + params.out_count;

  return uvec2 (prefix < params.out_first ? min (params.out_first - prefix, count) : 0u,
      prefix < end ? min (end - prefix, count) : 0u);
}

/* Writes the tile's entries. The first STAGED rows must be staged, with a barrier after them. */
#define WRITE_ROWS(target, ROW, tile, rows, bits, ranks, count, prefix)                            \
  {                                                                                                \
    uvec2 bound = bound_entries (count, prefix);                                                   \
    uint first = OUT_PLACE (prefix);                                                               \
    uint begin = 0u;                                                                               \
                                                                                                   \
    for (int r = 0; r < ROWS; r += STAGED) {                                                       \
      uint end = r + STAGED < ROWS ? row_begins[r + STAGED] : (count);                             \
      uint last = min (end, bound.y);                                                              \
                                                                                                   \
      for (uint i = max (begin, bound.x) + team_rank (); i < last; i += TEAM_SIZE)                 \
        target[first + i] = staged[i - begin];                                                     \
      if (r + STAGED < ROWS) {                                                                     \
        TEAM_BARRIER ();                                                                           \
        STAGE_ROWS (ROW, tile, rows, bits, ranks, r + STAGED, end);                                \
        TEAM_BARRIER ();                                                                           \
      }                                                                                            \
      begin = end;                                                                                 \
    }                                                                                              \
  }

#else

#define WRITE_ROW(target, bits, prefix, row)                                                       \
  {                                                                                                \
    uint place = OUT_PLACE (prefix);                                                               \
    for (int c = 0; c < 4; c++) {                                                                  \
      if (((bits) & (1u << c)) != 0u) {                                                            \
        if (place < params.out_count)                                                              \
          target[place] = (row)[c];                                                                \
        place++;                                                                                   \
      }                                                                                            \
    }                                                                                              \
  }

#endif

uvec4
row_indices (uint tile, int r)
{
  return uvec4 (params.array.first + 4u * row_at (tile, r)) + uvec4 (0u, 1u, 2u, 3u);
}

/* The caller stages, executes a barrier, and writes. Without STAGED, write_staged_tile() does
 * both. */
#if !STAGED
#define stage_tile(tile, rows, bits, ranks)
#define write_staged_tile write_tile
#endif

#ifdef FRAME

#if OUTPUTS
/* Writes points: x in the low and y in the high half of a word, the value in the next word. */
void
write_tile (uint tile, uint n, uvec4 rows[ROWS], uint bits[ROWS], uint ranks[ROWS], uint count,
    uint prefix)
{
  for (int r = 0; r < ROWS; r++) {
    if (bits[r] != 0u) {
      uint out_at = OUT_PLACE (prefix + ranks[r]);
      uvec2 place = row_place (row_at (tile, r));

      for (int c = 0; c < 4; c++) {
        if ((bits[r] & (1u << c)) != 0u) {
          uint x = ((frame.x + place.x) << frame.sub_x) - frame.origin_x;
          uint y = ((frame.y + place.y) << frame.sub_y) - frame.origin_y;

          if (out_at < params.out_count)
            out_points[out_at] = uvec2 ((y << 16) | x, rows[r][c]);
          out_at++;
        }
        place.x++;
        if (place.x == frame.width)
          place = uvec2 (0u, place.y + 1u);
      }
    }
  }
}
#endif

#else

#if OUTPUTS & 1
/* With flags: replaces the flags in @rows by the values that they belong to. */
void
load_source (uint tile, inout uvec4 rows[ROWS], uint bits[ROWS])
{
#if PREDICATE == 1
  for (int r = 0; r < ROWS; r++) {
    rows[r] = uvec4 (0u);
    if (bits[r] != 0u)
      rows[r] = source[row_at (tile, r)];
  }
#endif
}
#endif

#if STAGED

#define ROW_OF_VALUES(tile, rows, r) rows[r]
#define ROW_OF_INDICES(tile, rows, r) row_indices (tile, r)

/* Stages the first rows of the first output. */
void
stage_tile (uint tile, inout uvec4 rows[ROWS], uint bits[ROWS], uint ranks[ROWS])
{
#if OUTPUTS & 1
  load_source (tile, rows, bits);
  STAGE_ROWS (ROW_OF_VALUES, tile, rows, bits, ranks, 0, 0u);
#else
  STAGE_ROWS (ROW_OF_INDICES, tile, rows, bits, ranks, 0, 0u);
#endif
  share_row_begins (ranks);
}

/* Writes all rows of all outputs, @count entries of each, from entry @prefix on. */
void
write_staged_tile (uint tile, uint n, uvec4 rows[ROWS], uint bits[ROWS], uint ranks[ROWS],
    uint count, uint prefix)
{
#if OUTPUTS & 1
  WRITE_ROWS (out_values, ROW_OF_VALUES, tile, rows, bits, ranks, count, prefix);
#endif
#if OUTPUTS == 3
  TEAM_BARRIER ();
  STAGE_ROWS (ROW_OF_INDICES, tile, rows, bits, ranks, 0, 0u);
  TEAM_BARRIER ();
#endif
#if OUTPUTS & 2
  WRITE_ROWS (out_indices, ROW_OF_INDICES, tile, rows, bits, ranks, count, prefix);
#endif
}

/* Writes the entries of a tile, @count of them, from entry @prefix on. Must be called by all
 * invocations of the team. */
void
write_tile (uint tile, uint n, uvec4 rows[ROWS], uint bits[ROWS], uint ranks[ROWS], uint count,
    uint prefix)
{
  stage_tile (tile, rows, bits, ranks);
  TEAM_BARRIER ();
  write_staged_tile (tile, n, rows, bits, ranks, count, prefix);
  /* The next tile may be staged after this. */
  TEAM_BARRIER ();
}

#else

/* Writes the entries of a tile, @count of them, from entry @prefix on. */
void
write_tile (uint tile, uint n, uvec4 rows[ROWS], uint bits[ROWS], uint ranks[ROWS], uint count,
    uint prefix)
{
#if OUTPUTS & 1
  load_source (tile, rows, bits);
  for (int r = 0; r < ROWS; r++)
    WRITE_ROW (out_values, bits[r], prefix + ranks[r], rows[r]);
#endif
#if OUTPUTS & 2
  for (int r = 0; r < ROWS; r++)
    WRITE_ROW (out_indices, bits[r], prefix + ranks[r], row_indices (tile, r));
#endif
}

#endif

#endif

/* Returns how many values of a contiguous range of tiles (first, number) pass, as counted by this
 * invocation. */
uint
count_tiles (uvec2 tiles, uint n)
{
  uint count = 0u;

  for (uint i = 0u; i < tiles.y; i++) {
    uvec4 rows[ROWS];
    uint bits[ROWS];
    load_tile (tiles.x + i, n, rows);
    count += tile_passes (tiles.x + i, n, rows, bits);
  }
  return count;
}

#if OUTPUTS
/* Writes the entries of the team's tiles, from entry @prefix on. */
void
write_tiles (uvec2 tiles, uint n, uint prefix)
{
#if BACKWARDS
  prefix += state[partial_word (team_index ())];
#endif
  for (uint i = 0u; i < tiles.y; i++) {
#if BACKWARDS
    uint tile = tiles.x + tiles.y - 1u - i;
#else
    uint tile = tiles.x + i;
#endif
    uvec4 rows[ROWS];
    uint bits[ROWS];
    uint ranks[ROWS];

    load_tile (tile, n, rows);
    tile_passes (tile, n, rows, bits);
    uint count = tile_ranks (bits, ranks);
#if BACKWARDS
    prefix -= count;
#endif
    write_tile (tile, n, rows, bits, ranks, count, prefix);
#if !BACKWARDS
    prefix += count;
#endif
  }
}
#endif
