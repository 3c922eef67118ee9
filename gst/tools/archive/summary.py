# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the collection knows of a file: its streams, events and problems, a row a second, a strip of pictures.

Sums over samples are whole numbers: the mean of a frame times its count is one, as a double is exact up to 2^53. Means
and percentiles of a second are computed from such sums, and never from means."""
import gzip
import hashlib
import json
import operator
import zlib

from .folder import replacing

SECOND = 10**9
RANKS = (1, 5, 10, 50, 90, 95, 99)
STRIP = 8  # pictures of a file
SPARK = 64  # points of its curve
NAMES = ('second', 'frames', 'min', 'mean', 'max', *(f'p{rank}' for rank in RANKS), 'mad', 'motion')


def whole(mean, count):
    return round(mean * count)


class Second:
    """Samples of the first channel (luma of YUV) in all frames of a second."""

    def __init__(self, number):
        self.number, self.frames, self.count, self.sum = number, 0, 0, 0
        self.min, self.max, self.counts, self.depth = None, None, None, 8
        self.mad, self.motion = None, None

    def add(self, channel):
        count = channel['count']
        self.frames += 1
        self.count += count
        self.sum += whole(channel['mean'], count)
        self.min = channel['min'] if self.min is None else min(self.min, channel['min'])
        self.max = channel['max'] if self.max is None else max(self.max, channel['max'])
        self.depth = channel['depth']
        for name, key in (('mad', 'mad'), ('motion', 'mad_previous')):
            if key in channel:
                setattr(self, name, (getattr(self, name) or 0) + whole(channel[key], count))
        counts = channel.get('counts')
        if counts and isinstance(counts[0], list):  # a grid of cells
            counts = [sum(cells) for cells in zip(*counts)]
        if counts and self.counts and len(counts) == len(self.counts):
            self.counts = list(map(operator.add, self.counts, counts))
        else:
            self.counts = counts

    def percentile(self, rank):
        """By nearest rank; of bins that hold several code values the smallest one of the bin."""
        if not self.counts or not self.count:
            return None
        needed, seen = -(-rank * self.count // 100), 0
        for number, count in enumerate(self.counts):
            seen += count
            if seen >= needed:
                return -(-(number << self.depth) // len(self.counts))
        return None

    def row(self):
        def share(value):
            return value / self.count if self.count and value is not None else None

        return [self.number, self.frames, self.min, share(self.sum), self.max, *map(self.percentile, RANKS),
                share(self.mad), share(self.motion)]


class Strip:
    """Some pictures of a file, evenly spread, of however many there are."""

    def __init__(self):
        self.pictures, self.step, self.seen = [], 1, 0

    def add(self, line):
        if self.seen % self.step == 0:
            picture = json.loads(line)
            self.pictures.append([picture['stream_time'] / SECOND, picture['jpeg']])
            if len(self.pictures) == 4 * STRIP:
                self.pictures, self.step = self.pictures[::2], self.step * 2
        self.seen += 1

    def chosen(self):
        n = len(self.pictures)
        return [self.pictures[i * n // min(n, STRIP)] for i in range(min(n, STRIP))]


def _seconds(time):
    return None if time is None else time / SECOND


class Events:
    """Events from their lines: start, update, end or instant."""
    KNOWN = {'version', 'event', 'phase', 'id', 'element', 'stream_id', 'frame', 'pts', 'running_time', 'stream_time',
             'utc', 'start_frame', 'start', 'duration', 'cause', 'score', 'transition', 'stream'}

    def __init__(self):
        self.events = []
        self.open = {}

    def add(self, line):
        key = (line['event'], line.get('id'))
        phase = line['phase']
        event = self.open.get(key)
        if event is None:
            event = {'event': line['event'], 'id': line.get('id'), 'start': _seconds(line.get('stream_time')),
                     'end': None, 'frame': line.get('frame'), 'end_frame': None}
            if phase == 'end':
                event.update(start=_seconds((line.get('stream_time') or 0) - line.get('duration', 0)),
                             frame=line.get('start_frame'))
            self.events.append(event)
        if phase == 'end':
            event.update(end=_seconds(line.get('stream_time')), end_frame=line.get('frame'))
            self.open.pop(key, None)
        elif phase != 'instant':
            self.open[key] = event
        for name in ('score', 'cause', 'transition', 'stream'):
            if name in line:
                event[name] = line[name]
        more = {name: value for name, value in line.items() if name not in self.KNOWN}
        if more:
            event['more'] = more


class Summary:
    """Takes the lines that the report wrote of a file."""

    def __init__(self):
        self.streams, self.seconds, self.events = {}, {}, Events()
        self.frames, self.first, self.end = 0, None, None

    def add(self, text):
        line = json.loads(text)
        if 'event' in line:
            self.events.add(line)
        elif 'frame' in line:
            self._add_frame(line)

    def _add_frame(self, line):
        self.frames += 1
        stored = line.get('stored_format')
        time, key = line['stream_time'], (line['stream_id'], line['width'], line['height'], line['format'], stored)
        stream = self.streams.setdefault(key, {
            'stream_id': line['stream_id'], 'width': line['width'], 'height': line['height'], 'format': line['format'],
            'stored_format': stored, 'range': line['range'], 'matrix': line['matrix'], 'frames': 0, 'first_pts': line['pts'], 'last_pts': None})
        stream['frames'] += 1
        stream['last_pts'] = line['pts']
        if time is None:
            return
        self.first = time if self.first is None else min(self.first, time)
        self.end = max(self.end or 0, time + (line['duration'] or 0))
        channels = line.get('histogram', {}).get('channels')
        if channels:
            number = time // SECOND
            self.seconds.setdefault(number, Second(number)).add(channels[0])

    def spark(self):
        """Means of luma, 0 to 255, of up to SPARK equal pieces."""
        seconds = [self.seconds[number] for number in sorted(self.seconds)]
        n = min(len(seconds), SPARK)
        pieces = [seconds[i * len(seconds) // n:(i + 1) * len(seconds) // n] for i in range(n)]
        return [round(sum(s.sum * 255 // ((1 << s.depth) - 1) for s in piece) / max(1, sum(s.count for s in piece)))
                for piece in pieces]

    def luma(self):
        count = sum(second.count for second in self.seconds.values())
        total = sum(second.sum * 255 // ((1 << second.depth) - 1) for second in self.seconds.values())
        return total / count if count else None

    def facts(self, strip):
        events = self.events.events
        return {'frames': self.frames, 'duration': _seconds((self.end or 0) - (self.first or 0)), 'luma': self.luma(),
                'streams': list(self.streams.values()),
                'events': [event for event in events if event['event'] != 'problem'],
                'problems': [event for event in events if event['event'] == 'problem'],
                'seconds': [self.seconds[number].row() for number in sorted(self.seconds)],
                'spark': self.spark(), 'strip': strip.chosen()}


def save(path, facts):
    """Writes the facts and, in a line behind them, their SHA-256."""
    data = json.dumps(facts, separators=(',', ':')).encode()
    with replacing(path) as raw, gzip.GzipFile('', 'wb', 6, raw, mtime=0) as file:
        file.write(data + b'\n' + hashlib.sha256(data).hexdigest().encode())


def load(path):
    """The facts, or None where they are not there or damaged: they are made again."""
    try:
        with gzip.open(path) as file:
            data, _, digest = file.read().rpartition(b'\n')
    except (OSError, EOFError, zlib.error):
        return None
    return json.loads(data) if digest == hashlib.sha256(data).hexdigest().encode() else None
