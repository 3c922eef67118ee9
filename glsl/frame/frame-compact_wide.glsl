// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tiles of sixteen neighbouring bytes, one load each, for teams of one invocation (TEAM 0, ROWS 4,
 * ACCESS 2). Replaces frame/frame-compact_tile.glsl. Include compact/compact_common.glsl first.
 *
 * This file is written for llvmpipe, which executes the following once for each of 8 invocations,
 * one after the other: loads of storage and uniform blocks, and divisions. Tiles are therefore
 * texel fetches, which it transposes; parameters are read once, in begin_wide(); positions are
 * stepped, not divided.
 *
 * Defines: FRAME (frame/frame-compact_tile.glsl), OUTPUTS
 * Bindings: texture 1: the picture; texture 2: the previous one (FRAME 2); storage 3: the points */

layout (binding = 1) uniform usamplerBuffer image;
#define LOAD(at) texelFetch (image, int (at))

#if FRAME == 2
layout (binding = 2) uniform usamplerBuffer previous;
#endif

/* The position of a tile: column and row in the region, and the index of its load. */
struct Place {
  uint x, y;
  uint at;
};

uint row_width; /* width of the region */
uint row_gap;   /* loads between the end of a row and the start of the next */
uint lower, upper;

void
begin_wide ()
{
  row_width = frame.width;
  row_gap = frame.stride - (frame.width >> 4);
#if FRAME == 3
  lower = params.lower;
  upper = params.upper;
#else
  /* Bounds for two bytes at a time, 16 bits each. */
  lower = (256u - min (params.lower, 256u)) * 0x00010001u;
  upper = (256u + min (params.upper, 255u)) * 0x00010001u;
#endif
}

Place
place_of (uint tile)
{
  uint i = params.array.first + 16u * tile;
  Place place;

  place.y = i / row_width;
  place.x = i - place.y * row_width;
  place.at = frame.base + place.y * frame.stride + (place.x >> 4);
  return place;
}

void
step_place (inout Place place)
{
  bool ends;

  place.x += 16u;
  ends = place.x >= row_width;
  place.at += 1u + (ends ? row_gap : 0u);
  place.y += ends ? 1u : 0u;
  place.x = ends ? 0u : place.x;
}

#if FRAME == 3

/* Four rows of four values. */
struct Samples {
  uvec4 rows[4];
};

/* Loads the gradients of sixteen samples. Samples outside the visible picture repeat its border. */
Samples
load_samples (Place place)
{
  uint x = frame.x + place.x, y = frame.y + place.y;
  bool first = x == frame.left, last = x + 15u == frame.right;
  uvec4 words[3];
  uvec3 left, right;
  Samples samples;

  for (int k = 0; k < 3; k++) {
    uint at = place.at;

    if (k == 0)
      at -= y > frame.top ? frame.stride : 0u;
    if (k == 2)
      at += y < frame.bottom ? frame.stride : 0u;
    words[k] = LOAD (at);
    left[k] = first ? words[k].x & 255u : LOAD (first ? at : at - 1u).w >> 24;
    right[k] = last ? words[k].w >> 24 : LOAD (last ? at : at + 1u).x & 255u;
  }
  for (int r = 0; r < 4; r++) {
    uvec3 here = uvec3 (words[0][r], words[1][r], words[2][r]);
    uvec3 before = left, after = right;

    if (r > 0)
      before = uvec3 (words[0][r - 1], words[1][r - 1], words[2][r - 1]) >> 24;
    if (r < 3)
      after = uvec3 (words[0][r + 1], words[1][r + 1], words[2][r + 1]) & 255u;
    samples.rows[r] = gradients (here, before, after);
  }
  return samples;
}

/* Returns a bit per value: bit i says that value i passes. */
uint
passing_of (Samples samples)
{
  uint bits = 0u;

  for (int r = 0; r < 4; r++) {
    uvec4 row = samples.rows[r];
    uvec4 passes = uvec4 (greaterThanEqual (row, uvec4 (lower))) *
        uvec4 (lessThanEqual (row, uvec4 (upper)));

    passes <<= uvec4 (0u, 1u, 2u, 3u) + uint (4 * r);
    bits |= passes.x | passes.y | passes.z | passes.w;
  }
  return bits;
}

/* Returns how many pass, as two partial counts of 16 bits. */
uint
count_passing (Samples samples)
{
  return count_bits (passing_of (samples));
}

uint
value_at (Samples samples, uint i)
{
  uvec4 low = i < 4u ? samples.rows[0] : samples.rows[1];
  uvec4 high = i < 12u ? samples.rows[2] : samples.rows[3];
  uvec4 row = i < 8u ? low : high;
  uvec2 half_row = (i & 2u) == 0u ? row.xy : row.zw;

  return (i & 1u) == 0u ? half_row.x : half_row.y;
}

#else

struct Samples {
  uvec4 words;
};

#if FRAME == 2
uint
packed_distance (uint a, uint b)
{
  uvec4 d = distance_of (bytes_of (a), bytes_of (b));

  return d.x | (d.y << 8) | (d.z << 16) | (d.w << 24);
}
#endif

Samples
load_samples (Place place)
{
  Samples samples;

  samples.words = LOAD (place.at);
#if FRAME == 2
  uvec4 before = texelFetch (previous, int (place.at));
  for (int r = 0; r < 4; r++)
    samples.words[r] = packed_distance (samples.words[r], before[r]);
#endif
  return samples;
}

/* Sets bits 8 and 24 of each word for bytes 0 and 2 (@even), or 1 and 3 (@odd), that lie within
 * the bounds. */
void
test_samples (Samples samples, out uvec4 even, out uvec4 odd)
{
  even = samples.words & 0x00ff00ffu;
  odd = (samples.words >> 8) & 0x00ff00ffu;
  even = (even + lower) & (upper - even) & 0x01000100u;
  odd = (odd + lower) & (upper - odd) & 0x01000100u;
}

/* Returns a bit per value: bit i says that value i passes. */
uint
passing_of (Samples samples)
{
  uvec4 even, odd;
  uint bits;

  test_samples (samples, even, odd);
  bits = (even.x >> 8) | (even.y >> 4) | even.z | (even.w << 4) |
      (((odd.x >> 8) | (odd.y >> 4) | odd.z | (odd.w << 4)) << 1);
  return (bits & 0x3333u) | ((bits >> 14) & 0xccccu);
}

/* Returns how many pass, as two partial counts of 16 bits. */
uint
count_passing (Samples samples)
{
  uvec4 even, odd;

  test_samples (samples, even, odd);
  even += odd;
  return (even.x + even.y + even.z + even.w) >> 8;
}

uint
value_at (Samples samples, uint i)
{
  uint low = i < 4u ? samples.words.x : samples.words.y;
  uint high = i < 12u ? samples.words.z : samples.words.w;

  return ((i < 8u ? low : high) >> ((i & 3u) << 3)) & 255u;
}

#endif

/* Returns how many values of a contiguous range of tiles (first, number) pass. The partial counts
 * fit 16 bits: an invocation has at most 1024 tiles (frame-compact-tuning.c), each of which adds
 * at most 16. */
uint
count_tiles (uvec2 tiles, uint n)
{
  uint parts = 0u;
  Place place;

  begin_wide ();
  place = place_of (tiles.x);
  for (uint i = 0u; i < tiles.y; i++) {
    parts += count_passing (load_samples (place));
    step_place (place);
  }
  return (parts & 0xffffu) + (parts >> 16);
}

#if OUTPUTS
layout (std430, binding = 3) writeonly buffer OutPoints
{
  uvec2 out_points[];
};

/* The same buffer, for two points at a time. */
layout (std430, binding = 3) writeonly buffer OutPairs
{
  uvec4 out_pairs[];
};

/* The state of a team's output. Points are stored in pairs; the unpaired ones are written last. */
struct Output {
  uint at;     /* index of the next pair, even */
  uvec2 kept;  /* the point with index `at`, if `keeps` */
  bool keeps;
  /* the point with the odd index that the team begins at; its pair belongs to another team too */
  uvec2 first;
  bool odd;    /* `first` is not known yet, and `kept` stands for the other team's point */
  uvec2 last;  /* the point with the last index of the output, if that index is even */
  bool ends;   /* `last` is known */
};

uvec2
first_point (Samples samples, uint corner, uint step, uint passing)
{
  uint i = uint (findLSB (passing));

  return uvec2 (corner + (i << step), value_at (samples, i));
}

/* Stores the points of one tile. The loop has as many rounds as the busiest invocation of a SIMD
 * vector has pairs of points, at least one, because a store costs all of them the same. The
 * condition is at the end, where llvmpipe evaluates it: a test before the first round would cost
 * one more round. */
void
write_samples (Samples samples, uint corner, uint step, uint out_count, inout Output o)
{
  uint passing = passing_of (samples);

  do {
    uint rest = o.keeps ? passing : passing & (passing - 1u);
    uvec2 point = o.keeps ? o.kept : first_point (samples, corner, step, passing);
    uvec2 next = first_point (samples, corner, step, rest);
    bool two = rest != 0u;
    bool ends = two && !o.odd && o.at + 1u == out_count;

    if (two && !o.odd && o.at + 1u < out_count)
      out_pairs[o.at >> 1] = uvec4 (point, next);
    o.first = two && o.odd ? next : o.first;
    o.last = ends ? point : o.last;
    o.ends = o.ends || ends;
    o.odd = o.odd && !two;
    o.keeps = o.keeps && !two;
    o.at += two ? 2u : 0u;
    passing = two ? rest & (rest - 1u) : passing;
  } while ((passing & (passing - 1u)) != 0u);
  o.kept = passing != 0u ? first_point (samples, corner, step, passing) : o.kept;
  o.keeps = o.keeps || passing != 0u;
}

/* Stores the points that are in no pair. @begin is the index of the team's first point. */
void
write_unpaired (uint begin, uint out_count, Output o)
{
  if ((begin & 1u) != 0u && !o.odd && begin < out_count)
    out_points[begin] = o.first;
  if (o.keeps && !o.odd && o.at < out_count)
    out_points[o.at] = o.kept;
  if (o.ends)
    out_points[out_count - 1u] = o.last;
}

/* Writes the entries of a range of tiles, from entry @prefix on. */
void
write_tiles (uvec2 tiles, uint n, uint prefix)
{
  uint begin = OUT_PLACE (prefix);
  uint out_count = params.out_count;
  uvec2 sub = uvec2 (frame.sub_x, frame.sub_y);
  uvec2 first = (uvec2 (frame.x, frame.y) << sub) - uvec2 (frame.origin_x, frame.origin_y);
  bool odd = (begin & 1u) != 0u;
  Output o = Output (begin & ~1u, uvec2 (0u), odd, uvec2 (0u), odd, uvec2 (0u), false);
  Place place;

  begin_wide ();
  place = place_of (tiles.x);
  for (uint i = 0u; i < tiles.y; i++) {
    uvec2 point = first + (uvec2 (place.x, place.y) << sub);

    write_samples (load_samples (place), (point.y << 16) | point.x, sub.x, out_count, o);
    step_place (place);
  }
  write_unpaired (begin, out_count, o);
}
#endif
