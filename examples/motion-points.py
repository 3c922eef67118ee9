#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the pixels that moved, the strongest first: frame, how many, and up to five of them.

  meson devenv -C build python3 ../examples/motion-points.py VIDEO

Needs PyGObject."""
import struct
import sys
import threading

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstApp', '1.0')
gi.require_version('GstGles', '1.0')
from gi.repository import Gst, GstApp, GstGles  # noqa: E402  (GstApp: try_pull_sample)

LOWER = 24  # how much a pixel's luma must have changed since the frame before


def samples(pipeline, name):
    """The samples of the appsink "sink", to the end; what goes wrong ends the program. An appsink is not
    told of errors in other elements: they are on the bus."""
    sink, bus = pipeline.get_by_name('sink'), pipeline.get_bus()
    without_video = threading.Event()  # of a short file without video decodebin says nothing else
    pipeline.get_by_name('decode').connect(
        'no-more-pads', lambda decode: any(pad.is_linked() for pad in decode.srcpads) or without_video.set())
    pipeline.set_state(Gst.State.PLAYING)
    error = None
    while error is None and not sink.is_eos():
        if (sample := sink.try_pull_sample(Gst.SECOND // 10)) is not None:
            yield sample
        else:
            error = bus.pop_filtered(Gst.MessageType.ERROR)
            if error is None and without_video.is_set():
                pipeline.set_state(Gst.State.NULL)
                sys.exit(f'{name}: there is no video in it')
    error = error or bus.pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if error:
        sys.exit(f'{name}: {error.parse_error().gerror.message}')


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: motion-points.py VIDEO')
    Gst.init(None)
    pipeline = Gst.parse_launch(
        'filesrc name=file ! decodebin name=decode ! videoconvert ! '
        f'glescompact predicate=motion lower={LOWER} ! queue ! appsink name=sink sync=false')
    pipeline.get_by_name('file').set_property('location', sys.argv[1])
    for sample in samples(pipeline, sys.argv[1]):
        result = GstGles.PointsResult.from_buffer(sample.get_buffer())
        # x, y and value of each, as they lie in memory: one call for any number of points
        points = list(struct.iter_unpack('=HHI', result.get_bytes().get_data()))
        points.sort(key=lambda point: -point[2])
        some = ' '.join(f'{x},{y}:{value}' for x, y, value in points[:5])
        print(f'frame {result.get_frame_number()}: {result.get_total()} points {some}'.rstrip())


if __name__ == '__main__':
    main()
