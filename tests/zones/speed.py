# SPDX-License-Identifier: LGPL-2.1-or-later
"""Processor time of gleszones a frame, with 200 tracks, 20 zones of 20 corners and 20 lines: when all tracks stand still;
when all move by a pixel and back, which is hardly ever an event; and when all go about, so that there are 28 events a frame.
Frames with tracks are made once; the same ones then go through gleszones, and in turns through identity. Prints the median of
their difference in milliseconds. Not a test: run it on a quiet machine."""
import math
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'element'))
import lines  # noqa: E402
from gi.repository import Gst, GstVideo  # noqa: E402

WIDTH, HEIGHT, SIDE = 1920, 1080, 30
N_TRACKS, N_ZONES, N_CORNERS, N_FRAMES, N_TURNS = 200, 20, 20, 1000, 7
CAPS = f'video/x-raw,format=GRAY8,width={WIDTH},height={HEIGHT},framerate=25/1'


def bounce(at, size):
    """A place in 0 to `size` that goes there and back."""
    return size - abs(at % (2 * size) - size)


def make_frame(number, speed, sway):
    buffer = Gst.Buffer.new()
    buffer.pts, buffer.duration = number * Gst.SECOND // 25, Gst.SECOND // 25
    for track in range(N_TRACKS):
        x = bounce(97 * track + speed * number * (1 + track % 5), WIDTH - SIDE - 1) + sway * (number % 2)
        y = bounce(53 * track + speed * number * (1 + track % 7), HEIGHT - SIDE)
        GstVideo.buffer_add_video_region_of_interest_meta(buffer, 'person', x, y, SIDE, SIDE)
    return buffer


def make_zone(i):
    """A star, whose corners are far and near in turns."""
    corners = ((f'{50 + 40 * math.cos(i) / 2 + (15 if k % 2 else 8) * math.cos(2 * math.pi * k / N_CORNERS):.4f}%',
                f'{50 + 40 * math.sin(i) / 2 + (15 if k % 2 else 8) * math.sin(2 * math.pi * k / N_CORNERS):.4f}%')
               for k in range(N_CORNERS))
    return f'zone{i}: ' + ' '.join(','.join(corner) for corner in corners)


ZONES = '; '.join(map(make_zone, range(N_ZONES)))
LINES = '; '.join(f'line{i}: {5 * i}%,0% {100 - 5 * i}%,100%' for i in range(N_ZONES))


def pipeline(elements):
    return Gst.parse_launch(f'appsrc name=source format=time max-buffers=0 max-bytes=0 caps={CAPS} ! {elements}')


def push(started, buffers):
    source = started.get_by_name('source')
    for buffer in buffers:
        source.emit('push-buffer', buffer)
    source.emit('end-of-stream')


def make_tracks(*motion):
    started = pipeline('glestrack roi=false ! appsink name=sink sync=false')
    started.set_state(Gst.State.PLAYING)
    push(started, (make_frame(number, *motion) for number in range(N_FRAMES)))
    sink, found = started.get_by_name('sink'), []
    while (sample := sink.emit('pull-sample')) is not None:
        found.append(sample.get_buffer())
    started.set_state(Gst.State.NULL)
    return found


def measure(name, buffers):
    """Milliseconds a frame."""
    started = pipeline(f'{name} name=measured ! fakesink sync=false')
    if name == 'gleszones':
        started.get_by_name('measured').set_property('zones', ZONES)
        started.get_by_name('measured').set_property('lines', LINES)
    started.set_state(Gst.State.PAUSED)
    push(started, buffers)
    began = time.process_time()
    started.set_state(Gst.State.PLAYING)
    lines.wait_for_end(started)
    taken = time.process_time() - began
    started.set_state(Gst.State.NULL)
    return 1000 * taken / len(buffers)


def main():
    for name, speed, sway in (('still', 0, 0), ('swaying', 0, 1), ('moving', 1, 0)):
        buffers = make_tracks(speed, sway)
        found = [measure('gleszones', buffers) - measure('identity', buffers) for _ in range(N_TURNS)]
        print(f'{N_TRACKS} tracks, {name}, {N_ZONES} zones of {N_CORNERS} corners, {N_ZONES} lines: '
              f'{statistics.median(found):.4f} ms a frame ({min(found):.4f} to {max(found):.4f})')


if __name__ == '__main__':
    main()
