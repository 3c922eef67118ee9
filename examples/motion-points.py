#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the pixels that moved, the strongest first: frame, how many, and up to five of them.

  meson devenv -C build python3 ../examples/motion-points.py VIDEO

Needs PyGObject."""
import struct
import sys

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstApp', '1.0')
gi.require_version('GstGles', '1.0')
from gi.repository import Gst, GstApp, GstGles  # noqa: E402  (GstApp: try_pull_sample)

LOWER = 24  # how much a pixel's luma must have changed since the frame before


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: motion-points.py VIDEO')
    Gst.init(None)
    pipeline = Gst.parse_launch(
        'filesrc name=file ! decodebin ! videoconvert ! '
        f'glescompact predicate=motion lower={LOWER} ! queue ! appsink name=sink sync=false')
    pipeline.get_by_name('file').set_property('location', sys.argv[1])
    sink = pipeline.get_by_name('sink')
    pipeline.set_state(Gst.State.PLAYING)
    while (sample := sink.try_pull_sample(Gst.CLOCK_TIME_NONE)) is not None:
        result = GstGles.PointsResult.from_buffer(sample.get_buffer())
        # x, y and value of each, as they lie in memory: one call for any number of points
        points = list(struct.iter_unpack('=HHI', result.get_bytes().get_data()))
        points.sort(key=lambda point: -point[2])
        some = ' '.join(f'{x},{y}:{value}' for x, y, value in points[:5])
        print(f'frame {result.get_frame_number()}: {result.get_total()} points {some}'.rstrip())
    error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if error:
        sys.exit(f'{sys.argv[1]}: {error.parse_error().gerror.message}')


if __name__ == '__main__':
    main()
