#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the pixels that moved, the strongest first: frame, how many, and up to five of them.

  meson devenv -C build python3 ../examples/motion-points.py VIDEO

Needs PyGObject and NumPy."""
import sys

import gi
import numpy
from video_samples import samples

gi.require_version('GstGles', '1.0')
from gi.repository import GstGles  # noqa: E402

LOWER = 24  # how much a pixel's luma must have changed since the frame before


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: motion-points.py VIDEO')
    for sample in samples(sys.argv[1], f'glescompact predicate=motion lower={LOWER}'):
        result = GstGles.PointsResult.from_buffer(sample.get_buffer())
        points = result.points
        strongest = points[numpy.argsort(-points['value'].astype(int), kind='stable')[:5]]
        some = ' '.join(f'{x},{y}:{value}' for x, y, value in strongest)
        print(f'frame {result.get_frame().number}: {result.get_total()} points {some}'.rstrip())


if __name__ == '__main__':
    main()
