# SPDX-License-Identifier: LGPL-2.1-or-later
"""gleszones on random scenes against the evaluator: every event, counter and member is equal. Tracks walk, rest, jump,
tremble at borders and hit them exactly, are lost, predicted and found again, or are not listed for a while; frames have
equal times; sizes and boxes without tracks are mixed in.

  scenes.py [--full | --scenes N] [--seed S]"""
import argparse
import collections
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'element'))
import lines  # noqa: E402

lines.need('GstGles')
import numpy  # noqa: E402
from gi.repository import GLib, Gst, GstGles, GstVideo  # noqa: E402

import evaluator  # noqa: E402

STATES = {'new': 0, 'confirmed': 1, 'lost': 2, 'predicted': 3}
LABELS = ('car', 'person', 'dog')
MS = 1000000


# ---- making scenes ----

def make_vertex(rng, size):
    """A coordinate of each axis with its text. Whole pixels are hit by anchors."""
    made = []
    for side in size:
        kind = rng.randrange(4)
        if kind < 2:
            pixel = rng.randrange(-2, side + 3)
            made.append(((pixel * 1000000, 'pixel'), f'{pixel}px'))
        elif kind == 2:
            value = rng.randrange(-100000, 1100000)
            made.append(((value, 'share'), f'{"-" if value < 0 else ""}{abs(value) // 1000000}.{abs(value) % 1000000:06}'))
        else:
            percent = rng.randrange(0, 101)
            made.append(((percent * 10000, 'share'), f'{percent}%'))
    return (made[0][0], made[1][0]), f'{made[0][1]},{made[1][1]}'


def make_definition(rng, i, is_line, size):
    vertices = [make_vertex(rng, size) for _ in range(rng.randrange(2 if is_line else 3, 8))]
    if rng.random() < 0.1:
        vertices[1] = vertices[0]
    head, types, numbers = f'{"l" if is_line else "z"}{i}', None, {}
    if rng.random() < 0.3:
        types = rng.sample(LABELS, 2)
        head += f' types={",".join(types)}'
    for name, most in (('min-time', 300), ('dwell', 600), ('crowd', 4)):
        if not is_line and rng.random() < 0.3:
            numbers[name] = rng.randrange(most)
            head += f' {name}={numbers[name] if name == "crowd" else numbers[name] / 1000}'
    scaled = {name: value if name == 'crowd' else value * MS for name, value in numbers.items()}
    text = head + ': ' + ' '.join(vertex[1] for vertex in vertices)
    return evaluator.Definition(f'{"l" if is_line else "z"}{i}', is_line, [v[0] for v in vertices], types,
                                *(scaled.get(name) for name in ('min-time', 'dwell', 'crowd'))), text


def make_rules(rng):
    some = rng.random() < 0.5
    return evaluator.Rules(
        rng.choice(('bottom', 'centre')), rng.choice(([], [], ['car', 'person'])),
        rng.choice((0, 0, 80, 200)) * MS, rng.choice((0, 160, 400)) * MS, rng.choice((0, 1, 3)),
        rng.choice((0, 100, 250, 1000)) if some else 100, rng.choice((0, 120)) * MS, rng.choice((0, 100, 1000)) * MS)


def settings_of(rules):
    return (f'anchor={rules.anchor} types="{",".join(rules.types)}" min-time={rules.min_time / 1e9} '
            f'dwell={rules.dwell / 1e9} crowd={rules.crowd} hysteresis={rules.hysteresis / 1000} '
            f'empty-time={rules.empty_time / 1e9} track-lost={rules.track_lost / 1e9}')


class Walker:
    """One thing. Its box is even in both sides, or odd, so that anchors lie on whole and half pixels."""

    def __init__(self, rng, number, size):
        self.rng, self.id, self.size = rng, number, size
        self.width, self.height = (rng.randrange(1, min(9, side)) for side in size)
        self.x, self.y = (rng.randrange(side - extent) for side, extent in zip(size, (self.width, self.height)))
        self.step = rng.choice(((0, 0), (1, 0), (0, 1), (-1, -1), (3, 2), (-5, 1)))
        self.kind = rng.choice(('walk', 'walk', 'tremble', 'jump', 'rest'))
        self.label, self.hits, self.absent = rng.choice(LABELS), 0, 0

    def move(self):
        rng = self.rng
        if self.kind == 'jump' or rng.random() < 0.03:
            self.x, self.y = rng.randrange(self.size[0]), rng.randrange(self.size[1])
        elif self.kind == 'walk':
            self.x, self.y = self.x + self.step[0], self.y + self.step[1]
            if rng.random() < 0.1:
                self.step = (-self.step[0], self.step[1] + rng.randrange(-1, 2))
        elif self.kind == 'tremble':
            self.x, self.y = self.x + rng.randrange(-1, 2), self.y + rng.randrange(-1, 2)
        self.x = min(max(self.x, 0), self.size[0] - self.width)
        self.y = min(max(self.y, 0), self.size[1] - self.height)

    def list(self):
        """The track of this frame, or None."""
        self.move()
        if self.absent > 0:
            self.absent -= 1
            return None
        if self.rng.random() < 0.04:
            self.absent = self.rng.randrange(1, 6)
            return None
        state = 'new' if self.hits < 3 and self.rng.random() < 0.8 else 'confirmed'
        if state == 'confirmed' and self.rng.random() < 0.15:
            state = self.rng.choice(('lost', 'predicted'))
        self.hits += state in ('new', 'confirmed')
        return evaluator.Track(self.id, self.label, state, (self.x, self.y, self.width, self.height))


Frame = collections.namedtuple('Frame', 'pts size tracks')
Scene = collections.namedtuple('Scene', 'definitions texts rules frames is_boxes')


def make_scene(seed):
    rng = random.Random(seed)
    size = rng.choice(((24, 16), (40, 30), (64, 48), (1920, 1080)))
    made = [[make_definition(rng, i, is_line, size) for i in range(rng.randrange(1, 5))] for is_line in (False, True)]
    n = rng.randrange(5, 101)
    walkers = [Walker(rng, 3 * i + rng.randrange(3) + 1, size) for i in range(n)]
    begins = [rng.choice((0, 0, rng.randrange(12))) for _ in walkers]
    pts, frames = 0, []
    n_frames = rng.randrange(6, 40) if n < 40 else rng.randrange(6, 16)
    resized = rng.randrange(n_frames) if rng.random() < 0.15 else n_frames
    for i in range(n_frames):
        tracks = [walker.list() for walker, begin in zip(walkers, begins) if i >= begin]
        frames.append(Frame(pts, size if i < resized else (size[0] + 7, size[1] + 5), [t for t in tracks if t]))
        pts += rng.choice((0, 40, 40, 40, 33, 200)) * MS
    return Scene([m[0] for group in made for m in group], ['; '.join(m[1] for m in group) for group in made],
                 make_rules(rng), frames, rng.random() < 0.1)


# ---- what the evaluator says ----

def expect(scene):
    """The events of each frame, those among them that frames carry, the summary of each, and the events of the end."""
    judge = evaluator.Evaluator(scene.definitions, scene.rules)
    events, carried, summaries, any_box = [], [], [], False
    for i, frame in enumerate(scene.frames):
        if scene.is_boxes:
            any_box = any_box or len(frame.tracks) > 0
            if any_box:
                judge.push_boxes(i, frame.pts, scene.frames[0].size, [(t.label, t.box) for t in frame.tracks])
        else:
            judge.push(i, frame.pts, frame.size, frame.tracks)
        n_before = judge.n_before if judge.events else 0
        events.append(judge.take_events())
        carried.append(events[-1][n_before:])
        summaries.append(judge.summary() if any_box or not scene.is_boxes else None)
    judge.end('eos')
    return events, carried, summaries, judge.take_events()


# ---- what gleszones says ----

RECORD = numpy.dtype({'names': ['id', 'box', 'label', 'state', 'age_frames', 'hits', 'age', 'lost', 'numbers'],
                      'formats': ['=u8', '(4,)=u4', '=u4', '=u4', '=u4', '=u4', '=u8', '=u8', '(3,)=f8']})


def make_buffer(frame, i, is_boxes):
    buffer = Gst.Buffer.new_wrapped(b'\0')
    buffer.pts = frame.pts
    if is_boxes:
        for track in frame.tracks:
            GstVideo.buffer_add_video_region_of_interest_meta(buffer, track.label, *track.box)
        return buffer
    records = numpy.zeros(len(frame.tracks), RECORD)
    for record, track in zip(records, frame.tracks):
        record['id'], record['box'], record['hits'] = track.id, track.box, 1
        record['label'], record['state'] = LABELS.index(track.label), STATES[track.state]
    info = GstGles.FrameInfo.new(*frame.size, GstVideo.VideoFormat.GRAY8, None)
    info.number = i
    result = GstGles.TracksResult.new(info, LABELS, GLib.Bytes.new(records.tobytes()), len(records))
    GstGles.buffer_add_gles_tracks_meta(buffer, result)
    return buffer


def read_event(event):
    if event.track is None:
        box = None
    else:
        box = (event.box_x, event.box_y, event.box_width, event.box_height)
    return evaluator.Event(event.event, event.phase, event.zone or event.line, event.frame, event.pts, event.start,
                           event.duration, event.cause, event.track, event.label, event.direction, event.members,
                           event.n_in, event.n_out, event.score, box)


def read_summary(buffer):
    result = GstGles.ZonesResult.from_buffer(buffer)
    if result is None:
        return None
    zones, members, labels = result.zones, result.members, result.labels
    return [(name, int(zone['n_in']), int(zone['n_out']), bool(zone['occupied']), [
        (int(m['track']), labels[m['label']], int(m['inside']))
        for m in members[zone['first_member']:zone['first_member'] + zone['n_members']]])
        for name, zone in zip(result.names, zones)]


def run(scene):
    pipeline = Gst.parse_launch(
        f'appsrc name=source format=time ! gleszones name=zones {settings_of(scene.rules)} ! appsink name=sink sync=false')
    for name, text in zip(('zones', 'lines'), scene.texts):
        pipeline.get_by_name('zones').set_property(name, text)
    source, sink = pipeline.get_by_name('source'), pipeline.get_by_name('sink')
    source.set_property('caps', Gst.Caps.from_string(
        'video/x-raw,format=GRAY8,width=%d,height=%d,framerate=25/1' % scene.frames[0].size))
    pipeline.set_state(Gst.State.PLAYING)
    for i, frame in enumerate(scene.frames):
        source.emit('push-buffer', make_buffer(frame, i, scene.is_boxes))
    source.emit('end-of-stream')
    on_buffers, summaries, posted = [], [], []
    while (sample := sink.try_pull_sample(lines.PATIENCE)) is not None:
        events = GstGles.EventsResult.from_buffer(sample.get_buffer()) or []
        on_buffers.append([read_event(event) for event in events])
        summaries.append(read_summary(sample.get_buffer()))
    bus = pipeline.get_bus()
    while (message := bus.pop()) is not None:
        assert message.type != Gst.MessageType.ERROR, message.parse_error()
        if message.type == Gst.MessageType.ELEMENT:
            posted += [read_event(event) for event in GstGles.EventsResult.from_message(message) or []]
    pipeline.set_state(Gst.State.NULL)
    return on_buffers, summaries, posted


# ---- comparison ----

def check_equal(seed, what, found, expected):
    if found == expected:
        return
    for i, (a, b) in enumerate(zip(found, expected)):
        if a != b:
            sys.exit(f'scene {seed}: {what} {i} differs:\n  gleszones {a}\n  evaluator {b}')
    sys.exit(f'scene {seed}: {len(found)} {what}s, the evaluator has {len(expected)}: {(found + expected)[-1]}')


def check(seed):
    scene = make_scene(seed)
    events, carried, summaries, last = expect(scene)
    on_buffers, found_summaries, posted = run(scene)
    flat = [event for frame in events for event in frame]
    check_equal(seed, 'event', posted, flat + last)
    if scene.is_boxes:
        # of boxes, members have no track
        for i, summary in enumerate(summaries):
            found = found_summaries[i]
            assert (summary is None) == (found is None), (seed, i)
            if found is not None:
                check_equal(seed, 'zone', [zone[:4] for zone in found], [zone[:4] for zone in summary])
    else:
        check_equal(seed, 'frame', found_summaries, summaries)
    # what a change of size ends is sent before the frame, not with it
    for i, frame in enumerate(carried):
        check_equal(seed, f'event of frame {i}', on_buffers[i], frame)
    return collections.Counter(event.event for event in posted)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--full', action='store_true')
    parser.add_argument('--scenes', type=int, default=60)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    n = 2000 if arguments.full else arguments.scenes
    totals = collections.Counter()
    for seed in range(arguments.seed, arguments.seed + n):
        totals += check(seed)
    for kind in ('enter', 'leave', 'dwell', 'occupied', 'empty', 'crowd', 'cross'):
        assert totals[kind] > n / 4, f'the scenes hardly test {kind}: {totals}'
    print(f'{n} scenes: {dict(totals)}: all equal')


if __name__ == '__main__':
    main()
