// SPDX-License-Identifier: LGPL-2.1-or-later
/* MATCH 2 of sort/digit_rank.glsl: as 1, with emulated subgroups that communicate through shared
 * memory. It tests 1 on devices without subgroups. A build without tests has
 * lib/no_test_hooks.glsl in place of this file. */

#if MATCH == 2

/* This order differs from the usual one on purpose: no code may depend on the order of lanes. */
uint
lane_index ()
{
  return gl_LocalInvocationIndex / uint (MATCH_GROUPS);
}

uint
subgroup_index ()
{
  return gl_LocalInvocationIndex % uint (MATCH_GROUPS);
}

#define BALLOT_WORDS ((LANES + 31) / 32)

shared uint ballots[MATCH_GROUPS * BALLOT_WORDS];

/* Sets the vote of this lane, and makes all votes of the workgroup visible. */
void
set_vote (bool vote)
{
  uint first = subgroup_index () * uint (BALLOT_WORDS), lane = lane_index ();

  if (lane < uint (BALLOT_WORDS))
    ballots[first + lane] = 0u;
  TEAM_BARRIER ();
  if (vote)
    atomicOr (ballots[first + lane / 32u], 1u << (lane % 32u));
  TEAM_BARRIER ();
}

#if LANES > 32
#define LANES_ALL uvec4 (0xffffffffu, 0xffffffffu, 0u, 0u)

uvec4
ballot (bool vote)
{
  set_vote (vote);
  uint first = 2u * subgroup_index ();
  uvec4 votes = uvec4 (ballots[first], ballots[first + 1u], 0u, 0u);
  TEAM_BARRIER ();
  return votes;
}

/* Returns the number of @lanes that precede this one. */
uint
lanes_below (uvec4 lanes)
{
  uint lane = lane_index ();
  uint low = lane < 32u ? (1u << lane) - 1u : 0xffffffffu;
  uint high = lane < 32u ? 0u : (1u << (lane - 32u)) - 1u;

  return uint (bitCount (lanes.x & low) + bitCount (lanes.y & high));
}

uint
last_lane (uvec4 lanes)
{
  return lanes.y != 0u ? 32u + uint (findMSB (lanes.y)) : uint (findMSB (lanes.x));
}

uint
from_last_lane (uint before, uint last, uint at, uvec4 peers)
{
  TEAM_BARRIER ();
  return lane_index () == last ?
      before :
      lane_counts[at] - uint (bitCount (peers.x) + bitCount (peers.y));
}

#else

uint
ballot (bool vote)
{
  set_vote (vote);
  uint votes = ballots[subgroup_index ()];
  TEAM_BARRIER ();
  return votes;
}

uint
from_last_lane (uint before, uint last, uint at, uint peers)
{
  TEAM_BARRIER ();
  return lane_index () == last ? before : lane_counts[at] - uint (bitCount (peers));
}

#endif

#endif
