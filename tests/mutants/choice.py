# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which tests a quick run holds: the short ones and those that are kept, then those that together kill most mutants, take
most branches and run most programs in a given time. What a test finds is a Finds of three masks, in which each bit is
one mutant, branch or program."""
import collections

# Errors of threads, leaks, texts and examples are no mutants, and a short test costs little.
SHORT = 3
# Tests that find what no mutant and no branch shows.
KEPT = {
    'element/doc-lines': 'lines of the documentation',
    'element/examples': 'programs outside of gst/',
    'element/reference': 'pages',
    'twin/loop-rounds-serial': 'the rounds of loops that the tuning table states',
}

Finds = collections.namedtuple('Finds', 'mutants branches programs')


class Bits:
    """Gives each name a bit."""

    def __init__(self):
        self.bits = {}

    def mask(self, names):
        return sum(1 << self.bits.setdefault(name, len(self.bits)) for name in set(names))


def finds_of(traced, branch_rows, kills):
    """What each test finds. traced: the tests that passed; kills: test to the mutants that it kills."""
    mutants, programs, offsets, end = Bits(), Bits(), {}, 0
    taken = {row['test']: row['branches'] for row in branch_rows}
    longest = {}
    for masks in taken.values():
        for name, mask in masks.items():
            longest[name] = max(longest.get(name, 0), 4 * len(mask))
    for name in sorted(longest):
        offsets[name], end = end, end + longest[name]
    return {row['test']: Finds(
        mutants.mask(kills.get(row['test'], ())),
        sum(int(mask, 16) << offsets[name] for name, mask in taken.get(row['test'], {}).items()),
        programs.mask(row['sources'])) for row in traced}


def union(finds):
    total = Finds(0, 0, 0)
    for found in finds:
        total = Finds(*(a | b for a, b in zip(total, found)))
    return total


def counts(found):
    return [mask.bit_count() for mask in found]


def only(finds):
    """How much of each kind no other test finds, by test."""
    once, twice = Finds(0, 0, 0), Finds(0, 0, 0)
    for found in finds.values():
        twice = Finds(*(t | o & f for t, o, f in zip(twice, once, found)))
        once = Finds(*(o | f for o, f in zip(once, found)))
    return {test: [(f & ~t).bit_count() for f, t in zip(found, twice)] for test, found in finds.items()}


def choose(finds, seconds, limit):
    """Tests of at most limit seconds, the one that adds most a second first. A mutant, a branch and a program weigh by
    how many of them there are, mutants twice, because they show what is compared, not only what is executed."""
    whole = counts(union(finds.values()))
    weights = [weight / max(count, 1) for weight, count in zip((2, 1, 1), whole)]
    chosen = sorted((test for test in finds if seconds[test] <= SHORT or test in KEPT), key=lambda t: (seconds[t], t))
    left, have = set(finds) - set(chosen), union(finds[test] for test in chosen)
    rest = limit - sum(seconds[test] for test in chosen)

    def gain(test):
        added = sum(w * (f & ~h).bit_count() for w, f, h in zip(weights, finds[test], have))
        return added / max(seconds[test], 0.05)

    bounds = {test: float('inf') for test in left}
    while True:
        # what a test adds only shrinks, so an old value is an upper bound
        best = None
        for test in sorted(left, key=lambda t: (-bounds[t], seconds[t], t)):
            if seconds[test] > rest:
                continue
            if best is not None and bounds[test] <= bounds[best]:
                break
            bounds[test] = gain(test)
            if best is None or bounds[test] > bounds[best]:
                best = test
        if best is None or bounds[best] == 0:
            return chosen
        chosen.append(best)
        left.remove(best)
        rest -= seconds[best]
        have = union((have, finds[best]))
