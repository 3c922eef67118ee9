# SPDX-License-Identifier: LGPL-2.1-or-later
"""Joins the parts of a file: the lines that one serial run over it writes, but for its events.

A part begins before its range and goes on behind it. What it knows of the frames before its beginning is wrong at first:
the previous frame, an older reference, pictures that a decoder could not make without others. Nothing is assumed about
how long that lasts: parts are joined where the last frames of one and those of the next one at the same times have
equal lines, statistics and counts."""
import array
import bisect
import json
import re

from . import blocks, unitfile

EQUAL_FRAMES = 8  # lines that have to be equal at the end of a part
EVENT_FRAME = re.compile(rb'("(?:start_)?frame":)\d+')


class Unjoinable(Exception):
    """The parts do not make the file: it has to be one unit."""


class _Frame:
    """The line of a frame, and what stays the same wherever decoding began."""
    __slots__ = ('line', 'match', 'time')

    def __init__(self, line, match):
        if match.group(6) == b'null' or match.group(5) == b'null':
            raise Unjoinable('frames have no time')
        self.line, self.match, self.time = line, match, int(match.group(6))

    def equals(self, other):
        return (self.match.group(3) == other.match.group(3) and
                self.line[self.match.end(5):] == other.line[other.match.end(5):])

    @property
    def running_time(self):
        return int(self.match.group(5))

    def renumbered(self, number, running_time):
        match = self.match
        return b'%s%d%s%d%s' % (match.group(1), number, match.group(3), running_time, self.line[match.end(5):])


def _time_of(line):
    return json.loads(line)['stream_time']


class Part:
    """Lines of a part, one after the other: pairs of a frame or None, and the line of a picture or None."""

    def __init__(self, path, unit):
        self.unit, self.facts = unit, None
        self.lines = unitfile.read(path, unit.id)
        self.ahead = None
        self.first_time = None
        self.pending = []  # read to find the first frame

        for item in self._items():
            self.pending.append(item)
            if isinstance(item, _Frame):
                self.first_time = item.time
                break

    def _items(self):
        for line in self.lines:
            if isinstance(line, dict):
                self.facts = line
                return
            match = unitfile.FRAME.match(line)
            if match:
                yield _Frame(line, match)
            elif line.startswith(blocks.PICTURES):
                yield line
            else:
                self._check_event(json.loads(line))

    def _check_event(self, event):
        """Problems before a part's range are those of decoding that begins in the middle; the part before has seen the
        same place, and has none."""
        if event.get('event') != 'problem':
            raise Unjoinable(f'a line of kind {event.get("event", event.get("type"))} in a part')
        time = event.get('stream_time')
        if time is None or time >= self.unit.start:
            raise Unjoinable(f'problem in the part from {self.unit.start / 1e9:.3f} s on: {event.get("text")}')

    def __iter__(self):
        """Yields what comes next; goes on where it was left."""
        while self.pending:
            yield self.pending.pop(0)
        yield from self._items()

    def until(self, time):
        """All items whose time is not behind @time."""
        taken = []
        for item in self:
            if (item.time if isinstance(item, _Frame) else _time_of(item)) > time:
                self.pending.insert(0, item)
                break
            taken.append(item)
        return taken


def _seam(unit, tail, head):
    """Checks that the last frames of a part and those at the same times of the next one are equal. Returns what to add to
    the next one's running times, but for what the former adds to its own."""
    equal = 0
    while equal < min(len(tail), len(head)) and tail[-1 - equal].equals(head[-1 - equal]):
        equal += 1
    if equal < EQUAL_FRAMES:
        raise Unjoinable(f'the part from {unit.start / 1e9:.3f} s on differs from the one before: of '
                         f'{len(tail)} and {len(head)} frames at the same times the last {equal} are equal')
    return tail[-1].running_time - head[-1].running_time


class Joined:
    """Yields the lines of all parts of a file, then those of its sound; times has the stream times of its frames."""

    def __init__(self, parts, sound=None):
        self.parts, self.sound = parts, sound
        self.times = array.array('q')

    def _out(self, item, offset):
        if not isinstance(item, _Frame):
            return item
        self.times.append(item.time)
        return item.renumbered(len(self.times) - 1, item.running_time + offset)

    def __iter__(self):
        offset, part, head = 0, self.parts[0], []
        for following in [*self.parts[1:], None]:
            border = following.first_time if following else None
            if following and border is None:
                raise Unjoinable(f'the part from {following.unit.start / 1e9:.3f} s on has no frames')
            # of a short part all frames may have been compared with those of the one before
            tail = [item for item in head if border is not None and item.time >= border]
            for item in part:
                if isinstance(item, _Frame) and border is not None and item.time >= border:
                    tail.append(item)
                yield self._out(item, offset)
            if following is None:
                break
            if not tail:
                raise Unjoinable(f'the part before {following.unit.start / 1e9:.3f} s ends too early')
            head = [item for item in following.until(tail[-1].time) if isinstance(item, _Frame)]
            offset += _seam(following.unit, tail, head)
            part = following
        yield from self._sound_lines()

    def _sound_lines(self):
        """Events of sound, whose frames are counted now that there are frames, and its measures."""
        for line in self.sound or ():
            if isinstance(line, dict):
                return
            event = json.loads(line)
            if event.get('event') == 'problem':
                raise Unjoinable(f'problem in the sound: {event.get("text")}')
            numbers = {'frame': event.get('stream_time'), 'start_frame': event.get('start')}

            def number(match):
                time = numbers[match.group(1)[1:-2].decode()]
                found = bisect.bisect_left(self.times, time) if time is not None else 0
                return b'%s%d' % (match.group(1), found)

            yield EVENT_FRAME.sub(number, line)
