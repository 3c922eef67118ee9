#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cuts what moves out of a video: a PPM for each region of each frame, the largest first.

  meson devenv -C build python3 ../examples/region-crops.py VIDEO PREFIX

Needs PyGObject and NumPy."""
import sys
import threading

import gi
import numpy

gi.require_version('Gst', '1.0')
gi.require_version('GstApp', '1.0')
gi.require_version('GstGles', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.repository import Gst, GstApp, GstGles, GstVideo  # noqa: E402  (GstApp: try_pull_sample)

# a region as it lies in memory
REGION = numpy.dtype([(name, '=u4') for name in ('first', 'left', 'top', 'right', 'bottom', 'pixels',
                                                 'max_value', 'reserved_0')] +
                     [(name, '=u8') for name in ('sum_x', 'sum_y', 'sum_value', 'reserved_1')])


def picture_of(sample):
    """The pixels of an RGB frame: rows, columns, three."""
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    success, mapped = sample.get_buffer().map(Gst.MapFlags.READ)
    if not success:
        sys.exit('a frame cannot be mapped')
    data = numpy.frombuffer(mapped.data, numpy.uint8).copy()
    sample.get_buffer().unmap(mapped)
    rows = data[:info.height * info.stride[0]].reshape(info.height, info.stride[0])
    return rows[:, :3 * info.width].reshape(info.height, info.width, 3)


def save_crops(sample, prefix):
    result = GstGles.RegionsResult.from_buffer(sample.get_buffer())
    picture = picture_of(sample)
    regions = numpy.frombuffer(result.get_bytes().get_data(), REGION)
    for i, region in enumerate(regions):
        # right and bottom are the last pixels
        crop = picture[region['top']:region['bottom'] + 1, region['left']:region['right'] + 1]
        height, width = crop.shape[:2]
        name = f'{prefix}-{result.get_frame_number()}-{i}.ppm'
        with open(name, 'wb') as file:
            file.write(b'P6 %d %d 255\n' % (width, height) + crop.tobytes())
        print(f'{name}: {width}x{height} pixels at {region["left"]},{region["top"]}')


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
    if len(sys.argv) != 3:
        sys.exit('usage: region-crops.py VIDEO PREFIX')
    Gst.init(None)
    pipeline = Gst.parse_launch(
        'filesrc name=file ! decodebin name=decode ! videoconvert ! video/x-raw,format=RGB ! '
        'glescompact predicate=motion lower=24 readback=false ! '
        'glesregions cell-width=16 cell-height=16 min-size=20 roi=false ! '
        'queue ! appsink name=sink sync=false')
    pipeline.get_by_name('file').set_property('location', sys.argv[1])
    for sample in samples(pipeline, sys.argv[1]):
        save_crops(sample, sys.argv[2])


if __name__ == '__main__':
    main()
