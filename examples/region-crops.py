#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cuts what moves out of a video: a PPM for each region of each frame, the largest first.

  meson devenv -C build python3 ../examples/region-crops.py VIDEO PREFIX

Needs PyGObject and NumPy."""
import sys

import gi
import numpy
from video_samples import samples

gi.require_version('Gst', '1.0')
gi.require_version('GstGles', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.repository import Gst, GstGles, GstVideo  # noqa: E402


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
    for i, region in enumerate(result.regions):
        # right and bottom are the last pixels
        crop = picture[region['top']:region['bottom'] + 1, region['left']:region['right'] + 1]
        height, width = crop.shape[:2]
        name = f'{prefix}-{result.get_frame().number}-{i}.ppm'
        with open(name, 'wb') as file:
            file.write(b'P6 %d %d 255\n' % (width, height) + crop.tobytes())
        print(f'{name}: {width}x{height} pixels at {region["left"]},{region["top"]}')


def main():
    if len(sys.argv) != 3:
        sys.exit('usage: region-crops.py VIDEO PREFIX')
    for sample in samples(sys.argv[1],
                          'video/x-raw,format=RGB ! glescompact predicate=motion lower=24 readback=false ! '
                          'glesregions cell-width=16 cell-height=16 min-size=20 roi=false'):
        save_crops(sample, sys.argv[2])


if __name__ == '__main__':
    main()
