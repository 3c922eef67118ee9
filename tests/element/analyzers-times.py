# SPDX-License-Identifier: LGPL-2.1-or-later
"""Analysers in streams whose buffers have the flag GAP, no timestamps, or come in reverse."""
import json
import os
import tempfile

import lines
from gi.repository import Gst

CAPS = 'video/x-raw,format=GRAY8,width=16,height=16'
MS = Gst.MSECOND
EVENTS = ('gleshistogram device=cpu mad=true ! '
          'glesevents black-min-duration=1 freeze-duration=1 exposure-min-duration=1000')
# elements, the key of their results
ANALYSERS = {'gleshistogram device=cpu': 'histogram', 'glescompact device=cpu lower=0': 'points',
             'glescompact device=cpu lower=0 ! glesregions device=cpu': 'regions',
             'glescompact device=cpu lower=0 ! glestiles device=cpu': 'tiles'}
# caps, timestamp of frame 0, a later frame, and what is in its line. Decoders of raw streams give a timestamp to the
# first frame, and durations to some: frame 2 then lasts for 30 ms.
COUNTED = (
    (f'{CAPS},framerate=25/1', None, 2, {'pts': 80 * MS, 'duration': 40 * MS, 'running_time': 80 * MS}),
    (f'{CAPS},framerate=0/1', None, 2, {'pts': 80 * MS, 'duration': 40 * MS, 'running_time': 80 * MS}),
    (CAPS, None, 2, {'pts': 80 * MS, 'duration': 40 * MS, 'running_time': 80 * MS}),
    (f'{CAPS},framerate=30000/1001', None, 2, {'pts': 66733333, 'duration': 33366667}),
    (f'{CAPS},framerate=30000/1001', None, 300, {'pts': 10010000000, 'duration': 33366666}),
    (f'{CAPS},framerate=50/1', Gst.SECOND, 2, {'pts': 1040 * MS, 'duration': 30 * MS}),
    (f'{CAPS},framerate=50/1', Gst.SECOND, 4, {'pts': 1090 * MS, 'duration': 20 * MS}),
)


def black(pts=None, duration=None, flags=0):
    buffer = Gst.Buffer.new_wrapped(bytes(16 * 16))
    buffer.pts = Gst.CLOCK_TIME_NONE if pts is None else pts
    buffer.duration = Gst.CLOCK_TIME_NONE if duration is None else duration
    buffer.set_flags(flags)
    return buffer


def empty():
    buffer = Gst.Buffer.new()
    buffer.set_flags(Gst.BufferFlags.GAP)
    return buffer


def push(elements, caps, buffers):
    found, warned, _ = lines.push(elements + ' ! glesjson', caps, buffers, stamp=False)
    return [json.loads(line) for line in found], warned


def check_gaps(elements, key):
    """videorate and intervideosrc mark pictures that they repeat. A buffer without memory is a gap."""
    found, _ = push(elements, f'{CAPS},framerate=25/1', [
        black(), empty(), black(flags=Gst.BufferFlags.GAP), empty(), black(flags=Gst.BufferFlags.GAP), empty()])
    assert [line['frame'] for line in found] == [0, 1, 2] and all(key in line for line in found), (elements, found)


def check_counted(caps, first, frame, expected):
    """Frames that `interval` leaves out have their times, too. One analyser says once that times are counted, but not
    for a single picture."""
    elements = 'gleshistogram device=cpu interval=2 ! glescompact device=cpu interval=2'
    found, warned = push(elements, caps, [black(first)])
    assert found[0]['pts'] == (first or 0) and not warned, (caps, found, warned)
    durations = {2: 30 * MS if first is not None else None}
    found, warned = push(elements, caps, [black(first if i == 0 else None, durations.get(i)) for i in range(frame + 1)])
    assert len(found) == frame // 2 + 1 and len(warned) == 1, (caps, found, warned)
    assert expected.items() <= found[-1].items(), (caps, found[-1])


def ends(pipeline):
    """Events of black and frozen pictures that end: (event, start, end, duration), in frames."""
    found = []
    types = Gst.MessageType.ELEMENT | Gst.MessageType.EOS | Gst.MessageType.ERROR
    while (message := pipeline.get_bus().timed_pop_filtered(lines.PATIENCE, types)).type == Gst.MessageType.ELEMENT:
        structure = message.get_structure()
        if structure.get_string('event') in ('black', 'freeze') and structure.has_field('duration'):
            times = (structure.get_clock_time(name)[1] for name in ('start', 'timestamp', 'duration'))
            found.append((structure.get_string('event'), *(time / (40 * MS) for time in times)))
    assert message.type == Gst.MessageType.EOS, message.parse_error()
    pipeline.set_state(Gst.State.NULL)
    return found


def check_events_without_timestamps():
    pipeline = Gst.parse_launch(f'appsrc name=in format=time caps={CAPS},framerate=0/1 ! {EVENTS} ! fakesink')
    pipeline.set_state(Gst.State.PLAYING)
    for _ in range(26):
        pipeline.get_by_name('in').emit('push-buffer', black())
    pipeline.get_by_name('in').emit('end-of-stream')
    assert sorted(ends(pipeline)) == [('black', 0, 26, 26), ('freeze', 0, 26, 26)]


def check_reverse(folder):
    """Plays a clip from its end to its start: black for one second, noise for half of it, black for one second. The
    last frame after the seek is the first of the clip, and its event ends before time 0, which no timestamp can tell,
    though its duration does."""
    path = os.path.join(folder, 'clip.mkv')
    clip = Gst.parse_launch(f'concat name=c ! jpegenc ! matroskamux ! filesink location={path} ' + ' '.join(
        f'videotestsrc num-buffers={n} pattern={pattern} ! {CAPS},framerate=25/1 ! c.'
        for n, pattern in ((25, 'black'), (12, 'snow'), (25, 'black'))))
    clip.set_state(Gst.State.PLAYING)
    lines.wait_for_end(clip)
    clip.set_state(Gst.State.NULL)
    pipeline = Gst.parse_launch(f'filesrc location={path} ! matroskademux ! jpegdec ! {EVENTS} ! fakesink')
    pipeline.set_state(Gst.State.PAUSED)
    assert pipeline.get_state(lines.PATIENCE)[0] == Gst.StateChangeReturn.SUCCESS
    assert pipeline.seek(-1.0, Gst.Format.TIME, Gst.SeekFlags.FLUSH, Gst.SeekType.SET, 0, Gst.SeekType.SET,
                         62 * 40 * MS)
    pipeline.set_state(Gst.State.PLAYING)
    assert ends(pipeline) == [('black', 61, 36, 25), ('freeze', 61, 36, 25),
                              ('black', 24, 0, 25), ('freeze', 24, 0, 25)]


for elements_, key_ in ANALYSERS.items():
    check_gaps(elements_, key_)
for row_ in COUNTED:
    check_counted(*row_)
check_events_without_timestamps()
with tempfile.TemporaryDirectory() as folder_:
    check_reverse(folder_)
