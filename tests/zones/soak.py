# SPDX-License-Identifier: LGPL-2.1-or-later
"""gleszones in a live pipeline, for hours if wanted, while its properties change all the time: texts of zones and lines that
are right, wrong, or right ones of which some bytes were changed, and all other settings. What cannot be used must be a
warning, leave what was set before, and cost no frame. Prints a line a minute, and fails if frames are missing, if GLib
complains, or if resident memory, descriptors or threads grow.

  soak.py [HOURS] [--seed S]      without HOURS: some seconds

Beside a picture in which something moves, 40 boxes walk, jump, and come and go, so that glestrack has much to do."""
import argparse
import ctypes
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'element'))
import lines  # noqa: E402
from gi.repository import GLib, Gst, GstVideo  # noqa: E402

WIDTH, HEIGHT, RATE = 320, 240, 25
N_BOXES = 40
# what the heap and the lists of what ended may add once the first minutes are over, in KiB
GROWTH = 2048
WRONG = ('a', 'a:', 'a: 0,0 1', 'a: 0,0 1,1 2', ': 0,0 1,0 1,1', 'a: 0,0 1,0 1,1; a: 0,0 1,0 1,1', 'a: 0,0 1,0 99,99',
         'a dwell=x: 0,0 1,0 1,1', 'a what=1: 0,0 1,0 1,1', 'a: 0,0 1e9,0 1,1', 'a: 1px1,2 3,4 5,6',
         'ä' * 64 + ': 0,0 1,0 1,1')


VALUES = {'anchor': ('bottom', 'centre'), 'types': ('', 'person', 'car,dog', ',,', 'x' * 300), 'crowd': (0, 1, 5, 2**31 - 1),
          'hysteresis': (0, 0.1, 1), 'boxes': ('none', 'roi', 'all'), 'session': ('', 'a', 'b' * 100)}


class Camera:
    """Makes frames in which a square goes around, with the boxes of a detector: people and cars that walk, jump, and are not
    there at times."""

    def __init__(self, rng):
        self.rng, self.n_frames, self.n_boxes = rng, 0, 0
        self.things = [self.appear() for _ in range(N_BOXES)]

    def take(self):
        picture, x = bytearray(b'\x40' * (WIDTH * HEIGHT)), 7 * self.n_frames % (WIDTH - 40)
        for y in range(100, 140):
            picture[y * WIDTH + x:y * WIDTH + x + 40] = b'\xc0' * 40
        buffer = Gst.Buffer.new_wrapped(bytes(picture))
        self.n_frames += 1
        self.add_boxes(buffer)
        return buffer

    def appear(self):
        rng = self.rng
        return [rng.uniform(0, WIDTH - 30), rng.uniform(0, HEIGHT - 30), rng.uniform(-4, 4), rng.uniform(-4, 4),
                rng.randrange(6, 30), rng.choice(('person', 'car', 'dog'))]

    def add_boxes(self, buffer):
        rng = self.rng
        for i, (x, y, dx, dy, side, label) in enumerate(self.things):
            if rng.random() < 0.005:
                self.things[i] = self.appear()
                continue
            x, y = x + dx, y + dy
            dx = -dx if not 0 <= x <= WIDTH - side else dx
            dy = -dy if not 0 <= y <= HEIGHT - side else dy
            self.things[i][:4] = min(max(x, 0), WIDTH - side), min(max(y, 0), HEIGHT - side), dx, dy
            if rng.random() > 0.05:
                GstVideo.buffer_add_video_region_of_interest_meta(
                    buffer, label, int(self.things[i][0]), int(self.things[i][1]), side, side)
                self.n_boxes += 1


def make_text(rng, is_zone):
    """Zones or lines that can be used; names repeat, so that some texts stay the same from one to the next."""
    made = []
    for i in rng.sample(range(12), rng.randrange(0, 9)):
        place = random.Random(i if rng.random() < 0.5 else rng.random())
        unit = place.choice(('%', '', 'px'))
        scale = {'%': (100, 100), '': (1, 1), 'px': (WIDTH, HEIGHT)}[unit]
        vertices = ' '.join(','.join(f'{place.uniform(-0.1, 1.1) * side:.3f}{unit}' for side in scale)
                            for _ in range(place.randrange(3 if is_zone else 2, 20)))
        options = place.choice(('', ' types=person', ' types=car,dog')) + (
            place.choice(('', ' min-time=0.2', ' dwell=0.5 crowd=3', ' crowd=1')) if is_zone else '')
        made.append(f'{"zone" if is_zone else "line"}{i}{options}: {vertices}')
    return '; '.join(made)


def damage(rng, text):
    """The text with some bytes deleted, repeated or replaced."""
    text = list(text)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(text) + 1)
        text[at:at + rng.randrange(3)] = rng.choice((list('; :,=%.-0x'), []))[:rng.randrange(1, 10)]
    return ''.join(text)


def change(rng, zones):
    """Sets one property to something. Returns whether it must be refused."""
    name = rng.choice(('zones', 'zones', 'zones', 'lines', 'lines', 'anchor', 'types', 'min-time', 'dwell', 'crowd',
                       'hysteresis', 'empty-time', 'track-lost', 'boxes', 'session'))
    if name in ('zones', 'lines'):
        return change_text(rng, zones, name)
    value = rng.choice(VALUES.get(name, (0, 0.1, 1, 1000000)))
    if isinstance(value, str):
        Gst.util_set_object_arg(zones, name, value)
    else:
        zones.set_property(name, value)
    return False


def change_text(rng, zones, name):
    before, text = zones.get_property(name), make_text(rng, name == 'zones')
    kind = rng.choice(('right', 'right', 'damaged', 'wrong'))
    text = {'right': text, 'damaged': damage(rng, text), 'wrong': rng.choice(WRONG)}[kind]
    zones.set_property(name, text)
    now = zones.get_property(name)
    assert kind == 'damaged' or now == (text if kind == 'right' else before), (kind, text, now)
    return now != text


def resources():
    """Resident memory in KiB, descriptors, threads. What malloc() could give back is not counted."""
    ctypes.CDLL(None).malloc_trim(0)
    with open('/proc/self/status', encoding='ascii') as file:
        status = dict(line.split(':', 1) for line in file)
    return int(status['VmRSS'].split()[0]), len(os.listdir('/proc/self/fd')), int(status['Threads'])


class Run:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.pipeline = Gst.parse_launch(
            f'appsrc name=source format=time is-live=true do-timestamp=true '
            f'caps=video/x-raw,format=GRAY8,width={WIDTH},height={HEIGHT},framerate={RATE}/1 ! '
            'gleshistogram device=cpu ! glescompact device=cpu predicate=motion lower=24 ! '
            'glesregions device=cpu label=square ! '
            'glestrack min-hits=2 ! gleszones name=zones min-time=0.1 dwell=1 crowd=3 ! glesevents ! identity name=out ! '
            'glesjson ! fakesink name=sink sync=false')
        self.source, self.zones = (self.pipeline.get_by_name(name) for name in ('source', 'zones'))
        self.camera = Camera(random.Random(seed + 1))
        self.n_out = self.n_json = self.n_bytes = self.n_changes = self.n_refused = 0
        self.pipeline.get_by_name('out').get_static_pad('src').add_probe(Gst.PadProbeType.BUFFER, self.count)
        self.pipeline.get_by_name('sink').get_static_pad('sink').add_probe(Gst.PadProbeType.BUFFER, self.count_json)
        self.messages = {}
        self.complaints = []
        GLib.log_set_writer_func(self.complain)

    def complain(self, level, fields, n_fields, *_data):
        if level & (GLib.LogLevelFlags.LEVEL_ERROR | GLib.LogLevelFlags.LEVEL_CRITICAL | GLib.LogLevelFlags.LEVEL_WARNING):
            self.complaints.append((int(level), n_fields))
        return GLib.log_writer_default(level, fields, None)

    def count(self, _pad, _info):
        self.n_out += 1
        return Gst.PadProbeReturn.OK

    def count_json(self, _pad, info):
        self.n_json += 1
        self.n_bytes += info.get_buffer().get_size()
        return Gst.PadProbeReturn.OK

    def drain(self, bus):
        while (message := bus.pop()) is not None:
            assert message.type != Gst.MessageType.ERROR, message.parse_error()
            name = message.type.first_value_nick
            if message.type == Gst.MessageType.ELEMENT:
                structure = message.get_structure()
                name = structure.get_string('event') or structure.get_name()
            elif message.type == Gst.MessageType.WARNING:
                name = f'warning of {message.src.get_name()}'
            self.messages[name] = self.messages.get(name, 0) + 1

    def go(self, seconds):
        """Plays for so long, and returns what resources() said each minute, or in five parts of a short time."""
        bus, found = self.pipeline.get_bus(), []
        self.pipeline.set_state(Gst.State.PLAYING)
        began, told = time.monotonic(), 0
        while (at := time.monotonic() - began) < seconds:
            time.sleep(max(0, self.camera.n_frames / RATE - at))
            self.source.emit('push-buffer', self.camera.take())
            if self.rng.random() < (0.02 if seconds > 600 else 0.5):
                self.n_refused += change(self.rng, self.zones)
                self.n_changes += 1
            self.drain(bus)
            if at >= told:
                told += min(60, seconds / 5)
                found.append(resources())
                print(f'{at:.0f} s: {found[-1][0]} KiB, {found[-1][1]} descriptors, {found[-1][2]} threads, '
                      f'{self.n_out} frames, '
                      f'{self.n_changes} changes, {self.n_refused} refused, {self.messages}', flush=True)
        found.append(resources())
        self.drain(bus)
        self.source.emit('end-of-stream')
        while bus.timed_pop_filtered(lines.PATIENCE, Gst.MessageType.EOS) is None:
            sys.exit('the pipeline does not end')
        self.pipeline.set_state(Gst.State.NULL)
        return found


def verdict(run, found, seconds):
    """What is wrong, as texts."""
    wrong = [f'GLib complains: {run.complaints}'] if run.complaints else []
    if run.n_out != run.camera.n_frames:
        wrong.append(f'{run.camera.n_frames} frames went in, {run.n_out} came out')
    if run.n_out < 0.5 * seconds * RATE:
        wrong.append(f'{run.n_out} frames in {seconds:.0f} s')
    if run.messages.get('warning of zones', 0) != run.n_refused or run.n_refused == 0:
        wrong.append(f'{run.n_refused} texts were refused, with {run.messages.get("warning of zones", 0)} warnings')
    kinds = ('enter', 'leave', 'occupied', 'empty', 'cross')
    wrong += [f'no message "{kind}"' for kind in kinds if kind not in run.messages]
    settled = found[len(found) // 6 + 1:]
    for i, (name, most) in enumerate((('memory in KiB', GROWTH), ('descriptors', 0), ('threads', 0))):
        early, late = (max(sample[i] for sample in part) for part in (
            settled[:len(settled) // 2], settled[len(settled) // 2:]))
        if late > early + most:
            wrong.append(f'{name} grows: at most {early} in the first half, {late} in the second')
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('hours', type=float, nargs='?', default=8 / 3600)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    run = Run(arguments.seed)
    found = run.go(arguments.hours * 3600)
    wrong = verdict(run, found, arguments.hours * 3600)
    print(f'{run.n_out} frames, {run.camera.n_boxes} boxes, {run.n_changes} changes, {run.n_bytes} bytes of JSON')
    for text in wrong:
        print(f'WRONG: {text}')
    print('verdict: ' + ('fails' if wrong else 'nothing grows, nothing is lost'))
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
