// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prefixes from the partial results of the first pass, for the second pass of reduce-then-scan. */

#if SEGMENTED

/* Returns the exclusive prefix of a team's first tile. Must be called by all invocations of the
 * team, of which each combines a contiguous range of the partial results. */
uint
prefix_of_team (uint team)
{
  uint each = (team + TEAM_SIZE - 1u) / TEAM_SIZE;
  uint first = min (team_rank () * each, team);
  uint last = min (first + each, team);
  Element rows[SCAN_ROWS];
  Element total;

  for (int r = 0; r < SCAN_ROWS; r++)
    rows[r] = ELEMENT_ZERO;
  for (uint i = first; i < last; i++)
    rows[0] = combine (rows[0], read_partial (i));
  team_scan (rows, total);
  return total.y != 0u ? total.x : window_carry ().x + total.x;
}

#else

uint
prefix_of_team (uint team)
{
  uint sum = 0u;

  for (uint i = team_rank (); i < team; i += TEAM_SIZE)
    sum += state[partial_word (i)];
  return window_carry ().x + team_sum (sum);
}

/* Returns the sum up to the end of the window. */
uvec2
sum_of_teams (uint teams)
{
  uvec2 sum = uvec2 (0u);

  for (uint i = team_rank (); i < teams; i += TEAM_SIZE)
    sum = add_64 (sum, read_partial (i));
  return add_64 (team_sum_64 (sum), window_carry ());
}

#endif
