# SPDX-License-Identifier: LGPL-2.1-or-later
"""Fields in buffers of their own (interlace-mode=alternate): the results of the fields of one parity are those of a
progressive video that consists of these fields; glesevents finds one cut where frames change, and the fields of
GStreamer's `interlace` arrive.

Arguments: the devices to test."""
import json
import sys

import lines

lines.need()
import numpy  # noqa: E402
from gi.repository import Gst, GstVideo  # noqa: E402

N_FRAMES = 8
WIDTH, ROWS = 40, 16
# type of samples and bits of them
FORMATS = {'I420': ('u1', 0xff), 'Y444': ('u1', 0xff), 'P010_10LE': ('<u2', 0xffc0)}
PROGRESSIVE = f'video/x-raw,format={{}},width={WIDTH},height={ROWS},framerate=25/1'
ALTERNATE = (f'video/x-raw(format:Interlaced),format={{}},width={WIDTH},height={2 * ROWS},framerate=25/1,'
             'interlace-mode=alternate,field-order=top-field-first')


def make_fields(name):
    """Top and bottom fields: noise that changes by little, and more in one parity than in the other."""
    dtype, bits = FORMATS[name]
    size = GstVideo.VideoInfo.new_from_caps(Gst.Caps.from_string(PROGRESSIVE.format(name))).size
    random = numpy.random.default_rng(3)
    fields = [[], []]
    for i in range(N_FRAMES):
        for parity, changing in enumerate((0.02, 0.06)):
            noise = numpy.frombuffer(random.bytes(size), dtype) & bits
            changed = random.random(noise.shape) < changing
            fields[parity].append(noise if i == 0 else numpy.where(changed, noise, fields[parity][-1]))
    return [[field.astype(dtype).tobytes() for field in of_parity] for of_parity in fields]


def run(elements, name, tops, bottoms=None):
    """The lines of fields, the top one first; of frames without bottom fields."""
    if bottoms is None:
        found, *_ = lines.push(elements + ' ! glesjson', PROGRESSIVE.format(name), tops)
    else:
        buffers = []
        for pair in zip(tops, bottoms):
            for field, flag in zip(pair, (GstVideo.VideoBufferFlags.TOP_FIELD, GstVideo.VideoBufferFlags.BOTTOM_FIELD)):
                buffers.append(Gst.Buffer.new_wrapped(field))
                buffers[-1].mini_object.flags |= int(flag)
        found, *_ = lines.push(elements + ' ! glesjson', ALTERNATE.format(name), buffers)
    return [json.loads(line) for line in found]


def results(found):
    """What lines tell of the pictures."""
    kinds = ('histogram', 'points', 'regions')
    text = json.dumps([(line['width'], line['height'], *(line.get(kind) for kind in kinds)) for line in found])
    return json.loads(text, parse_float=lambda number: round(float(number), 9))


def check(device, name):
    fields = make_fields(name)
    motion = f'glescompact name=c device={device} predicate=motion unit=percent lower=25 validate=true'
    for elements in (f'gleshistogram name=h device={device} bins=256 emd=true mad=true validate=true ! {motion} ! '
                     f'glesregions name=r device={device}', f'{motion} reference=background adaptation=20',
                     f'{motion} reference=samples lower=12'):
        found = run(elements, name, *fields)
        assert [line['field'] for line in found] == ['top', 'bottom'] * N_FRAMES
        assert [line['frame'] for line in found] == list(range(2 * N_FRAMES))
        assert sum(line['points']['count'] for line in found) > 100
        for parity in (0, 1):
            assert results(found[parity::2]) == results(run(elements, name, fields[parity])), (elements, name, parity)


def check_events(device):
    """Two scenes, in whose frames the two fields differ much; a flash in the first."""
    random = numpy.random.default_rng(5)
    scenes = [[random.integers(low, low + 40, (3, ROWS, WIDTH), 'u1').tobytes() for low in (dark, dark + 90)]
              for dark in (10, 100)]
    flash = [b'\xff' * len(scenes[0][0])] * 2
    frames = [flash if i in (6, 7) else scenes[i // 14] for i in range(28)]
    found = run(f'gleshistogram device={device} mad=true ! glesevents', 'Y444', *zip(*frames))
    cuts = [line['frame'] for line in found if line.get('event') == 'cut']
    assert cuts == [28], f'cuts at {cuts}'


def check_interlace(device):
    """In GStreamer 1.22 its bottom fields have the rows of the top ones, so rows are not compared."""
    if Gst.ElementFactory.find('interlace') is None:
        return
    samples = lines.play(
        'videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=64,height=48 ! interlace field-pattern=2:2 ! '
        f'video/x-raw(format:Interlaced) ! gleshistogram device={device} validate=true ! '
        f'glescompact device={device} ! glesregions ! glestiles ! glesevents ! queue ! glesjson points=false')
    found = [json.loads(sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())) for sample in samples]
    assert [line['field'] for line in found] == ['bottom', 'top'] * 3
    assert all((line['width'], line['height']) == (64, 24) for line in found)


for device_ in sys.argv[1:]:
    for name_ in FORMATS:
        check(device_, name_)
    check_events(device_)
    check_interlace(device_)
