#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A detector's boxes become tracks, with the brightness in each box, and the zone that they are in.

  meson devenv -C build python3 ../examples/detector-tracks.py VIDEO

A probe in Python sees buffers that it cannot write to: PyGObject holds a reference while it runs. So frames leave the
first pipeline at an appsink, get boxes on a copy that shares their pixels, and enter the second one at an appsrc.

Needs PyGObject and NumPy."""
import sys

import gi
import numpy
from video_samples import samples

gi.require_version('Gst', '1.0')
gi.require_version('GstGles', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.repository import Gst, GstGles, GstVideo  # noqa: E402

BRIGHT = 128
WHOLE = (Gst.BufferCopyFlags.FLAGS | Gst.BufferCopyFlags.TIMESTAMPS | Gst.BufferCopyFlags.META |
         Gst.BufferCopyFlags.MEMORY)


def picture_of(sample):
    """The pixels of a frame of GRAY8: rows, columns."""
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    buffer = sample.get_buffer()
    data = numpy.frombuffer(buffer.extract_dup(0, buffer.get_size()), numpy.uint8)
    return data[:info.height * info.stride[0]].reshape(info.height, info.stride[0])[:, :info.width]


def detect(picture):
    """Stands for a network: a box (label, x, y, width, height) around the bright pixels."""
    rows, columns = numpy.nonzero(picture > BRIGHT)
    if len(rows) == 0:
        return []
    left, top = int(columns.min()), int(rows.min())
    return [('ball', left, top, int(columns.max()) - left + 1, int(rows.max()) - top + 1)]


def with_boxes(sample):
    """The frame with boxes on it, which elements behind an appsrc read."""
    buffer = sample.get_buffer().copy_region(WHOLE, 0, 2**64 - 1)
    for label, *box in detect(picture_of(sample)):
        GstVideo.buffer_add_video_region_of_interest_meta(buffer, label, *box)
    return Gst.Sample.new(buffer, sample.get_caps(), sample.get_segment(), None)


def print_tracks(buffer):
    result = GstGles.TracksResult.from_buffer(buffer)
    histogram = GstGles.HistogramResult.from_buffer(buffer)
    zones = GstGles.ZonesResult.from_buffer(buffer)
    # glestrack has set the ids of the boxes
    means = {box.id: histogram.get_box_statistics(i, 0)[1].mean for i, box in enumerate(histogram.get_boxes())}
    for track in result.tracks:
        print(f'frame {result.get_frame().number}: {result.labels[track["label"]]} #{track["id"]} in '
              f'{track["width"]}x{track["height"]}+{track["x"]}+{track["y"]}, '
              f'mean {means.get(track["id"], 0):.1f}')
    for name, zone in zip(zones.names, zones.zones):
        print(f'  {name}: {zone["n_members"]} inside, {zone["n_in"]} entered')


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: detector-tracks.py VIDEO')
    Gst.init(None)
    tracker = Gst.parse_launch('appsrc name=source format=time ! glestrack min-hits=1 ! gleshistogram boxes=roi ! '
                               'gleszones zones="left: 0,0 0.5,0 0.5,1 0,1; right: 0.5,0 1,0 1,1 0.5,1" ! '
                               'appsink name=sink sync=false')
    source, sink = tracker.get_by_name('source'), tracker.get_by_name('sink')
    tracker.set_state(Gst.State.PLAYING)
    for sample in samples(sys.argv[1], 'video/x-raw,format=GRAY8'):
        source.emit('push-sample', with_boxes(sample))
        print_tracks(sink.emit('pull-sample').get_buffer())
    tracker.set_state(Gst.State.NULL)


if __name__ == '__main__':
    main()
