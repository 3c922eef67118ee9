# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which tests a quick run holds: the short ones and those that are kept, then those that together kill most mutants, take
most branches and run most programs in a given time. What a test finds is a Finds of three masks, in which each bit is
one mutant, branch or program."""
import collections
import fnmatch

# Errors of threads, leaks, texts and examples are no mutants, and a short test costs little.
SHORT = 3
# Tests that find what no mutant and no branch shows.
KEPT = {
    'element/doc-lines': 'lines of the documentation',
    'element/examples': 'programs outside of gst/',
    'element/reference': 'pages',
}
# Tests that a quick run leaves out, whatever the tables say: patterns of names, and why. The driver of Debian 13 takes
# two to three times as long to compile a kernel as that of Debian 12, and the tables are of Debian 12.
LEFT_OUT = {
    'element/gleshistogram-*-egl_0': 'on Mesa the device of -software',
    'element/gleshistogram-*-surfaceless': 'likewise',
    'golden/golden-histogram-egl_0': 'likewise',
    'golden/golden-histogram-surfaceless': 'likewise',
    'element/caller-egl-surfaceless': 'likewise',
    'element/glescompact-points-_dev_null': 'on Mesa the device of -software',
    'element/gleshistogram-memory-_dev_null': 'likewise',
    'element/crop-software': 'the pictures of -cpu; twins compare the kernels',
    'element/outliers-*': 'report-tables compares both numbers with FFmpeg, the twins the kernels',
    'element/memories-egl-0-all': 'the formats that memories-egl-0 leaves out',
    'element/*-minimum': 'the limits that the twins run with; each element is a chain of these kernels',
    'stress/cold-streams-no-parallel-compile': 'compiles all of cold-streams-software once more',
    'element/signalstats-software': 'the expressions of -cpu; expressions-frames-software compares the kernels',
    'fault/fault-gleshistogram-boxes': 'the calls of fault-glestrack',
    'fault/fault-gleszones': 'likewise',
    'fault/fault-exit*': 'fault-exit and the proof that it can fail',
    'lint/lint checks can fail': 'a proof, which changes with the checks alone',
    'soak/soak fails for a planted descriptor': 'likewise',
    'soak/valgrind-*': 'memory of elements, which AddressSanitizer looks at',
    'twin/frame-flash-minimum': 'the kernel of -auto with other limits',
    'twin/frame-crop-*': 'likewise; -auto and -cpu stay',
    'twin/frame-outliers-*': 'likewise',
    'twin/frame-flash-cpu-5': 'threads of cpu-pool and frame-boxes-cpu-5',
    'twin/frame-samples-minimum': 'the kernel of -auto with other limits',
    'twin/frame-samples-cpu-5': 'threads of cpu-pool and frame-boxes-cpu-5',
    'twin/frame-histogram-auto': 'the kernels of -global, -scatter and -generic, which the elements choose by themselves',
    'twin/map-cpu-whole': 'other sizes of -cpu',
    'twin/frame-boxes-minimum': 'the kernels of -auto with other limits',
    'unit/compare-cub': 'a script for machines with CUB, which changes alone',
    'unit/bench-software': 'each experiment compares with the twin, as the twin tests do',
    'twin/*-stalled*': 'look-back is one file, which scan-portable-numbered-stalled and the sort test with stalled tiles',
    'twin/*-emulated-64': 'subgroups of another size; tiles-emulated-64 and sort-emulated+lanes=64 stay',
    'twin/compact-*': 'the teams and look-back of scan; -auto and -cpu stay',
    'twin/frame-compact-*': 'likewise; -cpu, -cpu-plain and -emulated-lookback stay',
    'twin/components-bands': 'the bands of components-portable-bands',
    'twin/components-minimum*': 'shared memory of 16 KiB, which is bands',
    'twin/relational-minimum': 'the kernels of -auto with other limits',
    'twin/arrays-*': '-auto and -cpu stay; relational-vulkan has the memory of -vulkan',
    'twin/histogram-minimum': 'the kernels of -shared and -global',
    'twin/histogram-*window*': 'the windows of scan-lookback-windows',
    'twin/loop-rounds-serial': 'what the tuning table states, which changes with the kernels alone',
    'twin/frame-histogram-shared+direct': 'one loop of reading, which the offline check compiles',
    'twin/reduce-minimum': 'the teams of -portable',
    'twin/*-whole': 'other sizes of -auto',
    'twin/sort-*separate': 'passes of a kernel each, which sort-minimum-lookback has',
    'twin/sort-emulated+lanes=8': 'the ranks of sort-emulated+lookback+stalled=3',
    'twin/tiles-local_emulated': 'the lists of -local_minimum',
    'twin/tiles-portable': 'the sorts of -keep',
    'twin/top-k-portable': 'on Mesa the kernels of -auto',
    'twin/segments-portable': 'the teams of reduce-portable',
    'twin/unique-emulated': 'the teams of reduce-emulated',
    'twin/unique-one-row': 'the shape of reduce-one-row',
    'twin/scan-portable-windows': 'the windows of -lookback-windows',
    'twin/scan-emulated-numbered': 'the order of scan-portable-numbered-stalled',
    'twin/frame-overview-cpu-5': 'threads of cpu-pool and frame-boxes-cpu-5',
}
# Those of them that stay.
STAY = {
    'twin/compact-auto', 'twin/compact-cpu', 'twin/frame-crop-auto', 'twin/frame-crop-cpu',
    'twin/frame-outliers-auto', 'twin/frame-outliers-cpu',
    'twin/frame-compact-cpu', 'twin/frame-compact-cpu-plain',
    'twin/frame-compact-emulated-lookback', 'twin/arrays-auto', 'twin/arrays-cpu', 'twin/tiles-emulated-64',
    'twin/scan-portable-numbered-stalled', 'twin/sort-emulated+lookback+stalled=3',
    'element/gleshistogram-device-egl_0', 'element/gleshistogram-device-surfaceless',
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


def is_left_out(test):
    return test not in STAY and any(fnmatch.fnmatchcase(test, pattern) for pattern in LEFT_OUT)


def choose(finds, seconds, limit):
    """Tests of at most limit seconds, the one that adds most a second first. A mutant, a branch and a program weigh by
    how many of them there are, mutants twice, because they show what is compared, not only what is executed."""
    whole = counts(union(finds.values()))
    weights = [weight / max(count, 1) for weight, count in zip((2, 1, 1), whole)]
    left_out = {test for test in finds if is_left_out(test)}
    chosen = sorted((test for test in finds if seconds[test] <= SHORT or test in KEPT), key=lambda t: (seconds[t], t))
    chosen = [test for test in chosen if test not in left_out]
    left, have = set(finds) - set(chosen) - left_out, union(finds[test] for test in chosen)
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
