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

shared uint ballots[MATCH_GROUPS];

uint
ballot (bool vote)
{
  if (lane_index () == 0u)
    ballots[subgroup_index ()] = 0u;
  TEAM_BARRIER ();
  if (vote)
    atomicOr (ballots[subgroup_index ()], 1u << lane_index ());
  TEAM_BARRIER ();
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
