#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Time of GstGles.Arrays and of what NumPy and OpenCV have for the same, from a NumPy array to a NumPy array:
conversion, upload, Python and all.

Both take turns, a run each, so that a machine that slows down slows both; what is reported is the median of each, and
the median of the ratios of neighbouring runs. That both find as much is checked first. Run it in a release build with
introspection: meson devenv -C build, PYTHONPATH=the source folder. Needs python3-opencv."""
import argparse
import os
import statistics
import time

import cv2
import numpy
import gi
gi.require_version('GstGles', '1.0')
from gi.repository import GstGles  # noqa: E402

RNG = numpy.random.default_rng(1)
SIZE = (1080, 1920)
N = 1000000
NOISE = (1, 5, 10, 20, 50)


def discs(n):
    """A mask of 0 and 255 as OpenCV makes them."""
    mask = numpy.zeros(SIZE, 'u1')
    for _ in range(n):
        x, y, radius = (int(RNG.integers(low, high)) for low, high in ((0, SIZE[1]), (0, SIZE[0]), (5, 60)))
        cv2.circle(mask, (x, y), radius, 255, -1)
    return mask


def masks():
    share = RNG.random(SIZE, 'f4') * 100
    return {
        '40 discs': discs(40),
        '1000 discs': discs(1000),
        'empty': numpy.zeros(SIZE, 'u1'),
        'full': numpy.full(SIZE, 255, 'u1'),
        **{f'noise of {percent} %': (share < percent) for percent in NOISE},
    }


def with_stats(mask):
    return cv2.connectedComponentsWithStats(mask.view('u1'), connectivity=8)


def numpy_groups(keys, values):
    kept, places = numpy.unique(keys, return_inverse=True)
    return kept, numpy.bincount(places, values)


def cases(arrays):
    """(name, ours, the peer's name, the peer's, what both return in the same form) of each."""
    for name, mask in masks().items():
        kind = f'{mask.dtype.name}, {name}'
        yield (f'components of 1080p {kind}', lambda mask=mask: arrays.components(mask), 'OpenCV',
               lambda mask=mask: with_stats(mask), lambda found: found.size, lambda found: found[0] - 1)
        if name in ('40 discs', 'noise of 5 %'):
            yield (f'the same with labels, {kind}', lambda mask=mask: arrays.components(mask, labels=True), 'OpenCV',
                   lambda mask=mask: with_stats(mask), lambda found: (found[1] != 2**32 - 1).sum(),
                   lambda found: (found[1] > 0).sum())
    floats = RNG.random(N, 'f4')
    keys = RNG.integers(0, 1000, N).astype('u4')
    picture = RNG.integers(0, 256, SIZE).astype('u1')
    yield ('the 100 largest of 1 M float32', lambda: arrays.top_k(floats, 100), 'numpy.partition and sort',
           lambda: numpy.sort(numpy.partition(floats, N - 100)[-100:]), lambda found: found.values.tolist(),
           lambda found: found[::-1].tolist())
    yield ('sort 1 M float32', lambda: arrays.sort(floats), 'numpy.sort', lambda: numpy.sort(floats), list, list)
    yield ('1 M uint32 of 1000 values, unique', lambda: arrays.unique(keys), 'numpy.unique', lambda: numpy.unique(keys),
           list, list)
    yield ('the same with sums of float32', lambda: arrays.group_by(keys, floats), 'numpy.unique and bincount',
           lambda: numpy_groups(keys, floats), lambda found: list(found.keys), lambda found: list(found[0]))
    yield ('256 counts of 1080p uint8', lambda: arrays.histogram(picture), 'OpenCV calcHist',
           lambda: cv2.calcHist([picture], [0], None, [256], [0, 256]), list, lambda found: list(found[:, 0]))


def timed(call):
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--device', default='cpu')
    parser.add_argument('--runs', type=int, default=31)
    options = parser.parse_args()
    cv2.setNumThreads(len(os.sched_getaffinity(0)))
    print(f'NumPy {numpy.__version__}, OpenCV {cv2.__version__} with {cv2.getNumThreads()} threads; device '
          f'{options.device}; {options.runs} runs in turns; ms')
    print(f'{"":52} {"ours":>8} {"theirs":>8} {"times as fast":>14}')
    for name, ours, peer, theirs, of_ours, of_theirs in cases(GstGles.Arrays(options.device)):
        if of_ours(ours()) != of_theirs(theirs()):
            raise SystemExit(f'{name}: {peer} finds something else')
        turns = [(timed(ours), timed(theirs)) for _ in range(options.runs)]
        ratio = statistics.median(turn[1] / turn[0] for turn in turns)
        mine, other = (statistics.median(turn[i] for turn in turns) for i in range(2))
        print(f'{name:52} {mine:8.2f} {other:8.2f} {ratio:14.2f}  {peer}', flush=True)


main()
