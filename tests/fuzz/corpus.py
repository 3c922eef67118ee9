# SPDX-License-Identifier: LGPL-2.1-or-later
"""Inputs for the fuzz targets, the same ones each time: valid ones, ones that once broke something, and
both with a few bytes changed.

corpus.py TARGET FOLDER          writes them to FOLDER
corpus.py --replay TARGET PROGRAM  writes them to a temporary folder and runs PROGRAM on it"""
import itertools
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib

N_MUTATIONS = 300
NONE = 0xffffffffffffffff
EXTREMES = (0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
            0xffffffff)


# ---- results of another process ----

def text(content):
    """None, or bytes with the 0 that ends them, behind their number."""
    return struct.pack('<I', 0) if content is None else struct.pack('<I', len(content) + 1) + content + b'\0'


def frame_info(width, height, form, origin=(None, None), utc=NONE, colours=(0, 0), field=0):
    """What every serialised result begins with."""
    return struct.pack('<6Q6I', 3, 40000000, NONE, 0, NONE, utc, width, height, form, *colours, field) + \
        b''.join(map(text, origin))


ORIGIN = {'origin': (b'analyser0', b'abc/video:0'), 'colours': (2, 3), 'utc': 1795395723123456789, 'field': 2}


def box_list(boxes):
    return b''.join(struct.pack('<4Ii', *box[:5]) + text(box[5]) for box in boxes)


def histogram(width=8, height=4, columns=1, rows=1, bins=4, depth=2, counts=(2, 0, 1, 1), n_words=None,
              difference=0, emd=0, overview=(), overview_depth=8, boxes=(), n_boxes=None, box_words=None, **where):
    """A serialised histogram of one channel. overview: its words, behind the others; box_words: those of all boxes."""
    n_values = 1 << depth
    cells = [1] * (columns * rows * bins) if columns * rows > 1 and columns * rows < 1000 else []
    words = list(counts)[:n_values] + [0] * (n_values - len(counts)) + [difference] + cells
    at = len(words) if overview else 0
    words += overview
    n_boxes = len(boxes) if n_boxes is None else n_boxes
    box_words = [1] * (len(boxes) << depth) if box_words is None else box_words
    head = struct.pack('<15I', 0, 0, width, height, columns, rows, bins, 0, at, overview_depth, n_boxes > 0, n_boxes, 1,
                       1, len(words) if n_words is None else n_words)
    channel = text(b'Y') + struct.pack('<Q7I', 4, depth, 0, n_values, n_values + 1, emd, 0, 0)
    return b'\0' + frame_info(width, height, 25, **where) + head + channel + struct.pack(f'<{len(words)}I', *words) + \
        box_list(boxes) + struct.pack(f'<{len(box_words)}I', *box_words)


def overview_words(n_samples=(2, 2, 2, 2), sums=(3, 0)):
    """The words of an 8x4 picture, of which the first row is visited, or of one that has other numbers."""
    counters = [n_samples[area] if area < 4 and bin == area else 0 for area in range(16) for bin in range(32)]
    return counters + list(sums) + [0] * 30


def points(width=640, height=480, found=((1, 2, 3), (639, 479, 4)), count=None, total=None, form=2, channel=0xffffffff,
           **where):
    """Serialised points."""
    count = len(found) if count is None else count
    head = struct.pack('<Q12I', count if total is None else total, 0, 0, width, height, 1, channel, 24, 255, 100, 8, 0,
                       count)
    return b'\1' + frame_info(width, height, form, **where) + head + b''.join(
        struct.pack('<HHI', *point) for point in found)


def tiles(width=40, height=30, tile=(16, 16), offsets=(0, 1, 1, 3, 3, 5, 5), count=5, total=77, boxes=(), **where):
    """Serialised tiles."""
    n = offsets[-1] if offsets else 0
    head = struct.pack('<Q10I', total, *tile, 3, 2, 1 if boxes else 2, 2, 1, 100, count, len(boxes))
    return b'\3' + frame_info(width, height, 0, **where) + head + \
        struct.pack(f'<{len(offsets) + 2 * n}I', *offsets, *range(2 * n)) + \
        box_list(boxes)


def regions(width=40, height=30, found=((3, 1, 2, 5, 2, 4, 9, 13, 8, 20),), count=None, label=b'region'):
    """Serialised regions."""
    head = struct.pack('<Q7I', 77, 2, 2, 8, 1, 1, 100, len(found) if count is None else count)
    return b'\2' + frame_info(width, height, 2) + head + text(label) + b''.join(
        struct.pack('<8I4Q', *region[:7], 0, *region[7:], 0) for region in found)


def tracks(width=40, height=30, found=((3, 1, 2, 5, 2, 0, 1, 9, 8, 400, 0, -1.5, 2.25, 7.5),), count=None,
           labels=(b'car',), n_labels=None, seconds=1.0, path=0, ends=(), positions=()):
    """Serialised tracks."""
    head = struct.pack('<Qd4I', 77, seconds, 3, len(labels) if n_labels is None else n_labels, path,
                       len(found) if count is None else count)
    paths = struct.pack(f'<{len(ends)}I{len(positions)}f', *ends, *positions)
    return b'\4' + frame_info(width, height, 2) + head + b''.join(map(text, labels)) + b''.join(
        struct.pack('<Q8I2Q3d', *track) for track in found) + (struct.pack('<I', len(paths)) + paths if path else b'')


def zones(width=40, height=30, found=((0, 1, 0, 3, 0, 1, 5, 3), (1, 0, 3, 2, 1, 0, 7, 8)),
          vertices=(0, 0, 256, 0, 0, 256, -9, -9, 9, 9), members=((3, 40, 0, 0),), names=(b'yard', b'gate'),
          labels=(b'car',), n_labels=None, sizes=None):
    """Serialised zones."""
    arrays = (b''.join(struct.pack('<6I2Q', *zone) for zone in found), struct.pack(f'<{len(vertices)}i', *vertices),
              b''.join(struct.pack('<2Q2I', *member) for member in members))
    head = struct.pack('<5I', 1, len(labels) if n_labels is None else n_labels, *(sizes or map(len, arrays)))
    return b'\5' + frame_info(width, height, 2) + head + b''.join(arrays) + b''.join(map(text, names + labels))


def serial():
    """For fuzz-serial."""
    yield histogram()
    yield histogram(**ORIGIN)
    yield points(**ORIGIN)
    yield points(origin=(b'\xff', None))
    yield points(origin=(None, b'stream'))
    yield tiles(boxes=((1, 2, 3, 4, -5, b'car'), (0, 0, 0xffffffff, 1, 6, b'')), **ORIGIN)
    yield tiles(boxes=((1, 2, 3, 4, 5, None),))
    yield histogram(columns=2, rows=2, bins=3)
    yield histogram(depth=8, counts=range(256), bins=256)
    yield histogram(depth=16, counts=[7] * 65536, bins=65536)[:2000]
    yield histogram(counts=(0xffffffff,) * 4)
    yield histogram(counts=(0x7fffffff, 0, 0, 0), difference=0xfffffffe)
    yield histogram(columns=0xffffffff, rows=0xffffffff)
    yield histogram(columns=4096, rows=4096, bins=65536)
    yield histogram(n_words=0xffffffff)
    yield points()
    yield points(found=())
    yield points(0xffffffff, 0xffffffff)
    yield points(65536, 65536, ((65535, 65535, 0xffffffff),))
    yield points(total=NONE, count=0xffffffff)
    yield points(form=0x0d000000, channel=0)
    yield tiles()
    yield tiles(offsets=(0,) * 7, count=0, total=0)
    yield tiles(0xffffffff, 0xffffffff, (1, 1), (), 0xffffffff, NONE)
    yield tiles(0x7fffffff, 0x7fffffff, (1, 1), (), 0xffffffff, NONE)
    yield tiles(65536, 65536, (1, 1), (0,), 0x7fffffff, NONE)
    yield tiles(offsets=(0, 5, 1, 3, 3, 5, 5))
    yield histogram(overview=overview_words())
    yield histogram(overview=overview_words(), overview_depth=16, **ORIGIN)
    yield histogram(overview=overview_words(), overview_depth=17)
    yield histogram(overview=overview_words(), overview_depth=0)
    yield histogram(overview=overview_words((3, 1, 2, 2)))
    yield histogram(overview=overview_words(sums=(0, 1)))
    yield histogram(overview=overview_words()[:-1])
    yield histogram(0x7fffffff, 0x7fffffff, overview=overview_words((0xffffffff,) * 4, (0xffffffff,) * 2))
    yield histogram(boxes=((1, 2, 3, 2, -5, b'car'), (8, 4, 0, 0, 6, b'')), **ORIGIN)
    yield histogram(boxes=((1, 2, 8, 2, -5, b'car'),))
    yield histogram(boxes=((1, 2, 3, 2, -5, b'car'),), box_words=[0xffffffff] * 4)
    yield histogram(boxes=((1, 2, 3, 2, -5, b'car'),), box_words=[1] * 3)
    yield histogram(n_boxes=0xffffffff)
    yield histogram(depth=16, counts=[7] * 65536, bins=65536, boxes=((0, 0, 1, 1, 0, b''),) * 9, n_boxes=0x40000000)
    yield histogram(emd=1)
    yield histogram(emd=0xffffffff)
    yield regions()
    yield regions(found=(), label=b'')
    yield regions(65536, 65536, ((0, 0, 0, 65535, 65535, 1, 1, 65535, 0, 1),) * 9)
    yield regions(found=((0,) * 10,))
    yield regions(count=0xffffffff)
    yield regions(label=b'\xff' * 300)
    yield regions(label='möwe'.encode() * 60)
    yield tracks()
    yield tracks(found=(), labels=())
    yield tracks(path=2, ends=(0, 2), positions=(1.5, 2, 3, 4))
    yield tracks(path=2, ends=(0, 0xffffffff), positions=(float('nan'),))
    yield tracks(65536, 65536, [(i + 1, i, i, 1, 1, i % 2, i % 3, i, i, NONE, i, 1e300, -1e300, 1e300) for i in range(9)],
                 labels=(b'', 'möwe'.encode()))
    yield tracks(found=((1, 0, 0, 1, 1, 0, 3, 0, 1, 0, 0, 0, 0, 0),))
    yield tracks(found=((1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, float('nan'), float('inf'), 0),))
    yield tracks(found=((0,) * 14,))
    yield tracks(seconds=float('nan'))
    yield tracks(count=0xffffffff)
    yield tracks(n_labels=0xffffffff)
    yield tracks(labels=(None,))
    yield zones()
    yield zones(found=(), vertices=(), members=(), names=(), labels=())
    yield zones(vertices=(2**28 + 1,) * 10)
    yield zones(members=((0, 0, 1, 1),))
    yield zones(found=((1, 0, 0, 2**32 - 1, 0, 2**32 - 1, 0, 0),))
    yield zones(n_labels=0xffffffff)
    yield zones(sizes=(0xffffffff,) * 3)
    yield zones(names=(b'\xff', None))


# ---- splats ----

def splats():
    """For fuzz-splats."""
    def stream(records, width=200, height=100, tile=(16, 16), sort=0, order=0, max_items=1000):
        return struct.pack('<4HBBH', width, height, tile[0] - 1, tile[1] - 1, sort,
                           order, max_items - 1) + b''.join(
            struct.pack('<5f3I', *record, 0, 0, 0) for record in records)

    nan, infinity = float('nan'), float('inf')
    yield stream([])
    yield stream([(0, 0, 10, 10, 1), (5, 5, 199, 99, 0.5)])
    yield stream([(-1e30, -1e30, 1e30, 1e30, nan)] * 20, max_items=7)
    yield stream([(nan, nan, nan, nan, nan), (infinity, -infinity, infinity, infinity, -infinity)])
    yield stream([(9, 9, 1, 1, -0.0), (-5, -5, -1, -1, 3), (200, 100, 300, 300, 3)])
    yield stream([(0, 0, 65535, 65535, i) for i in range(40)], 65535, 65535, (300, 300), 3, 1, 65535)
    yield stream([(0, 0, 5, 5, 2)], tile=(1, 1), sort=2, order=1)
    yield stream([(0, 0, 5, 5, 2)], 0, 0)
    yield stream([(2147483648.0, 4294967296.0, 1e38, 3.4e38, 1e-45)], 1, 1, (65535, 65535))
    yield stream([(0, 0, 10, 10, 1)])[:-1]


# ---- frames ----

def frame(element, form, width, height, flags, size, meta=None, crop=None, box=None):
    """form and the formats of metas are numbers of GstVideoFormat."""
    data = struct.pack('<BBHHBI', element, form, width, height, flags, size)
    if flags & 1:
        data += struct.pack('<BBHH', *meta[:4])
        for i in range(4):
            data += struct.pack('<iI', meta[4][i] if i < len(meta[4]) else 0,
                                meta[5][i] if i < len(meta[5]) else 0)
    if flags & 2:
        data += struct.pack('<4I', *crop)
    if flags & 16:
        data += struct.pack('<4I', *box)
    return data + bytes(range(0, 256, 3))


def frames():
    """For fuzz-frames."""
    i420, rgba, gray, nv12, rgb, p010, v210 = 2, 11, 25, 23, 15, 62, 21
    for element in range(12):
        yield frame(element, i420, 32, 16, 0, 32 * 24)
        yield frame(element, i420, 32, 16, 32, 32 * 24)
        yield frame(element, i420, 32, 17, 96, 32 * 16)
        yield frame(element, nv12, 30, 10, 67, 64 * 64 * 3 // 2, (nv12, 2, 64, 64, (64, 64), (0, 2048)), (9, 11, 30, 10))
        yield frame(element, rgba, 7, 5, 9, 7 * 5 * 4 + 5, (rgba, 1, 7, 5, (29,), (0,)))
        yield frame(element, p010, 20, 40, 1, 80 * 60, (p010, 2, 176, 40, (80, 80), (0, 3200)))
        yield frame(element, nv12, 30, 20, 3, 64 * 64 * 3 // 2, (nv12, 2, 64, 64, (64, 64), (0, 4096)),
                    (3, 5, 30, 20))
        yield frame(element, gray, 65535, 65535, 0, 100)
        yield frame(element, gray, 16, 16, 1, 256, (gray, 1, 16, 16, (-16,), (240,)))
        yield frame(element, gray, 16, 16, 2, 256, None, (0xffffffff, 1, 2, 0xfffffff0))
        yield frame(element, rgb, 13, 3, 8, 40 * 3)
        yield frame(element, v210, 11, 4, 0, 128 * 4)
        yield frame(element, 0, 200, 100, 16, 0, box=(0xffffffff, 0, 0xffffffff, 1))
        yield frame(element, i420, 32, 16, 4, 32 * 24)
        yield frame(element, i420, 32, 16, 1, 100, (i420, 4, 32, 16, (32, 16, 16), (0, 512, 0xfffffff0)))
    for form in range(2, 110):
        yield frame(form % 12, form, 17, 9, 0, 17 * 9 * 8 + 600)


# ---- properties, numbers ----

def properties():
    """For fuzz-properties."""
    lines = {
        0: ['bins 256', 'bins 65536', 'grid-columns 3', 'region <0,0,32,16>', 'region <1,2,-3,4>',
            'region <>', 'channels luma', 'interval 3', 'post-messages true', 'readback false',
            'validate true', 'region <0,0,2147483647,1>', 'grid-rows 16', 'custom-meta true',
            'region <1,2,-3,<1,2,-3,4>>'],
        1: ['predicate motion', 'predicate edge', 'lower 300', 'upper 0', 'max-points 1', 'channel 3',
            'channel luma', 'region <31,15,1,1>', 'region <32,0,1,1>', 'max-points 0'],
        2: ['source points', 'source roi', 'tile-width 1', 'tile-height 4294967295', 'sort-by depth',
            'order descending', 'max-items 1', 'sort-by value', 'max-items 4294967295'],
        3: ['opacity 0.5', 'opacity nan', 'opacity 1e999', 'position top-left', 'labels false',
            'points false', 'histogram 0', 'position 77', 'trails 4294967295', 'trails 1000', 'sizes true'],
        5: ['cell-width 1', 'cell-height 0', 'label möwe', 'connectivity 5', 'min-size 4294967295', 'max-regions 1'],
        6: ['freeze-noise nan', 'black-min-duration 1e30', 'cut-threshold -1', 'events all', 'events cut+black',
            'events none', 'session möwe', 'update-interval 1e-9', 'update-interval -1'],
        7: ['track-lost nan', 'track-lost 3600', 'iou-score-threshold 2', 'max-distance 0', 'min-hits 0', 'min-hits 1000',
            'same-label false', 'regions false', 'roi false'],
        8: ['what both', 'topic {event}/{tags.x}', 'topic {', 'qos 3', 'retain true', 'queue-bytes 16384', 'spool-bytes 0',
            'tags {"x":1}', 'client-id möwe', 'ca-file /dev/null', 'drain-timeout 0'],
        4: ['counts false', 'points maybe', 'indices 1', 'counts', 'name glesjson', 'frames false', 'events false',
            'tags {"a":[1,-2.5,null,true,{"b":"ü"}]}', 'tags {"a":1e999}', 'tags [1]', 'tags {"a"', 'tags {"":{}}'],
    }
    for element, known in lines.items():
        for line in known:
            yield bytes([element, len(line) % 2]) + line.encode()
        for late in range(2):
            yield bytes([element, late]) + '\n'.join(known).encode()


def json_values():
    """For fuzz-json."""
    for number in (0, 9, 10, 99, 100, 9999, 10000, 0xffffffff, 0x100000000, 0x7fffffffffffffff):
        yield struct.pack('<QdBB', number, number / 3, 3, 1) + b'\xff\xff\xff\xff\0' * 4 + b'text "\\\n'
    for real in (0.1, -0.0, 1e308, 5e-324, 1.7976931348623157e308, 123456789.123456789, 1e15, 1e16, 1e17):
        yield struct.pack('<QdBB', 1, real, 0, 0) + 'ümlaut \x01 \x1f \x7f \u2028'.encode()


# ---- lines of JSON ----

def replaced(value):
    """Copies of value in which one member, at any depth, is "@"."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        for changed in ('@', *replaced(member)):
            copy = value.copy()
            copy[key] = changed
            yield copy


def lines():
    """For fuzz-lines."""
    channel = ('{"name":"Y","depth":8,"count":4,"mean":1.5,"p1":0,"p5":0,"p10":0,"p50":1,"p90":2,"p95":2,"p99":3,'
               '"emd":0.5,"mad":1,"counts":[1,2,1,0]}')
    frame = ('{"version":1,"frame":0,"pts":3600000000000,"duration":40000000,"stream_time":0,"width":2,"height":2,'
             '"format":"GRAY8","histogram":{"bins":4,"grid":[1,1],"channels":[' + channel + ']}}')
    event = '{"event":"black","phase":"start","frame":0,"pts":3600000000000,"score":1}'
    end = event.replace('start', 'end').replace('"pts":36', '"pts":37')
    whole = '\n'.join((frame, event, end, event.replace('start', 'instant'), frame.replace('00,', '40,')))
    yield whole.encode()
    for line in ('', '{}', '[]', '5', 'null', '{"event":null}', '{"event":5}', '{"event":"cut","phase":"unknown"}',
                 '{"event":"cut","phase":"end","pts":0}', '[' * 3000, '{"a":' * 500, '{"histogram":5}'):
        yield (frame + '\n' + line + '\n' + event).encode()
    values = ('null', 'true', '-1', '1e308', '1e999', '9223372036854775807', '99999999999999999999', '"text"', '[]',
              '{}', '[null]', '[[1]]', '"\\ud800</script>\\u0000"')
    motion = ('{"event":"motion","phase":"update","id":"0123456789abcdef","element":"e","stream_id":"s","frame":9,'
              '"pts":9,"stream_time":5,"utc":"2026-11-23T01:02:03Z","start_frame":1,"start":1,"duration":8,"score":1,'
              '"cause":"gap","tags":{"camera":"gate"},"union":[1,2,3,4],"regions":2}')
    phases = 'start', 'update', 'end', 'update', 'start'
    yield '\n'.join([*(motion.replace('update', phase) for phase in phases), event]).encode()
    for line in map(json.loads, (frame, event, motion)):
        for copy, value in itertools.product(replaced(line), values):
            yield (frame + '\n' + json.dumps(copy).replace('"@"', value)).encode()


def expressions():
    """For fuzz-expressions."""
    texts = ['in(hue, 15, 45) && Y > 100', 'uvhue % 7 ? sat : uvsat', 'prev.Y[1,-1] - bg.L', '$a*3+min(b,8bit(200))',
             'max(R, max(G, B)) - min(R, min(G, B))', 'Y < 16 || Y > 235 || U < 16 || U > 240', '50% + 12.5%',
             'a * 3 + min(long_name, 255) << b', '-2147483648 / -1 % 0x80000000', 'isqrt(mix(a, b, 128))',
             'x*y+w*h-t', '~-!Y', '(' * 70 + 'Y' + ')' * 70, '1+' * 300 + '1', 'Y > 10 && stat > 3', '0x', '8bit(', '$',
             'Y[4,4]+Y[-4,-4]', 'clamp(Y, $low, $high) == Y', 'ÿþ', 'Y ? : 1', 'abs(U-128) >> 33', '1e5', '.5%']
    for number, content in enumerate(texts):
        for form in range(4):
            yield bytes((form, 37 * number % 256)) + content.encode('latin-1')


def png(kind, rows, width=2, cut=0, flip=None):
    """A picture of rows with their filters in front, of colour type kind; cut: bytes that the end lacks; flip: a byte
    with another bit."""
    def chunk(name, data):
        return len(data).to_bytes(4, 'big') + name + data + zlib.crc32(name + data).to_bytes(4, 'big')

    height = len(rows) // (1 + 2 * {0: 1, 2: 3, 6: 4}[kind])
    data = bytearray(b'\x89PNG\r\n\x1a\n' + chunk(
        b'IHDR', width.to_bytes(4, 'big') + height.to_bytes(4, 'big') + bytes((8, kind, 0, 0, 0))) +
        chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
    if flip is not None:
        data[flip] ^= 1
    return bytes(data[:len(data) - cut])


def masks():
    """For fuzz-masks."""
    contents = [b'0,0 1,0 1,0.4 0,0.4; !0.2,0.1 0.3,0.1 0.3,0.2', b'!.1,.1 .9,.1 .5,.9', b'-10,-10 10,-10 10,10 -10,10',
                b'0,0 1,1 1,0 0,1', b'0,0 0,0 0,0;;', b'0,0 1,0', b'0.00000049,1 1,99999999999 1,1', b'0 , 0 1,0 1,1 ;',
                b';'.join([b'0,0 1,0.3 .2,1'] * 60), b'0,0 ' * 1100, 'ÿ,0'.encode(), b'!', b'-,- +,+ .,.',
                b'P5 4 2 255\n' + bytes(range(120, 136, 2)), b'P5 2 1 65535 ' + bytes([127, 255, 128, 0]),
                b'P2\n# text\n3 2 7\n0 3 4 5 6 7', b'P5 16384 16384 255\n', b'P5 0 1 255\n', b'P2 1 1 9 99', b'P5 3 3 255']
    contents += [png(kind, rows, **wrong) for kind, rows in ((0, b'\0\x10\xff' * 2), (2, b'\0' + b'\x90' * 6),
                                                            (6, b'\0' + b'\xff\x00\x80\x7f' * 2))
                 for wrong in ({}, {'width': 16385}, {'width': 1 << 31}, {'cut': 9}, {'flip': 40}, {'flip': 20})]
    for number, content in enumerate(contents):
        for size in (0, 0), (1, 3), (79, 65):
            yield bytes(size) + content


def topics():
    """For fuzz-topics."""
    patterns = ['gles/{event}', 'gles/{tags.camera}/{event}/{phase}', '{tags.a/b}/{tags.a.b}{event}', '{event', 'event}', '{}',
                '{{event}}', '{event}}', 'a/#', '+/a', '', '/', '//', '{event}/', '$SYS/{event}', 'a\x01b', 'a\x7fb', 'ü\x85',
                'a\uffff', 'x' * 65535, 'x' * 65536, '{tags.' + 'y' * 300 + '}']
    values = ['black', 'a/b+c#d', '', 'ü', '\x01\x1f\x7f', '\x80\x9f\xa0', '\ufdcf\ufdd0\ufdef\ufffd\ufffe\uffff\U0001ffff',
              '{event}', 'z' * 70000]
    for pattern in patterns:
        for value in values if len(pattern) < 100 else values[:2]:
            yield '\n'.join((pattern, *[value] * 3)).encode()
        yield pattern.encode() + b'\n\xff\xfe\xc3\n\xed\xa0\x80\n\xf4\x90\x80\x80'
    yield b'\xff/{event}\nblack'


def watch():
    """For fuzz-watch."""
    whole = """# cameras of a house
[defaults]
device=cpu
events=motion+black
set=glesevents.motion-hold=0.5;glesevents.black-min-duration=0.5
[camera gate]
uri=rtsp://192.0.2.1/live
user=me
password-file=/etc/password
mask=0,0 1,0 1,0.4 0,0.4
region=1,2,3,4
tags={"site":{"name":"north"}}
rate=5
latency=0
stall-timeout=3600
decoder=avdec_h264,openh264dec
decoder-threads=0
thumbnails=false
record=/var/lib/clips
record-duration=60
record-bytes=18446744073709551615
[camera the yard]
uri=test:ball,320x240,15
detector=identity ! videoscale
detect-every=3
[zone drive]
camera=the yard
polygon=0,0 1,0 1,1
types=person,car
dwell=10
[zone gate]
camera=gate
line=50%,0% 50%,100%
[publish home]
method=mqtt
address=mqtts://broker.example:8883
topic=gles/{tags.camera}/{event}
qos=2
retain=true
states=false
snapshots=true
home-assistant=true
spool-bytes=0
[publish archive]
method=file
address=lines.ndjson
[thumbnails]
directory=pictures
width=80
quality=100
max-files=1
max-bytes=1
[metrics]
address=::1
port=9100
[watch]
state-directory=/var/lib/watch
"""
    camera = '[camera a]\nuri=test:ball\n'
    yield whole.encode()
    yield whole.replace('\n', '\r\n').encode()
    yield whole.encode()[:-1]
    yield camera.replace('ball', '\xff').encode('latin-1')
    yield camera.encode() + b'\0'
    for text in ('', '[camera a]\n', camera + 'event=motion\n', camera + 'uri=test:snow\n', camera + '\n' + camera,
                 camera + '[camera  a]\nuri=test:ball\n', 'uri=test:ball\n', '[camera a]\n# a comment\nuri test\n',
                 camera.replace('a]', 'a/b]'), camera.replace('camera', 'kamera'), camera.replace(' a', ''), '[defaults]\nrate=x\n' + camera + camera.replace('a]', 'b]'), camera + '[publish p]\nmethod=kafka\n',
                 camera + '[publish p]\nmethod=file\n', camera + '[publish]\n', camera + '[watch me]\n', '[]\n', '[ ]\n', '[\n',
                 '=\n', '[camera ]\nuri=test:ball\n', '[camera a]b\nuri=test:ball\n', ' [camera a] \n uri = test:ball \n',
                 camera + 'tags[de]={}\n', camera + 'tags=\\x\n', camera + 'tags=a\\\n', camera + '[camera b]\nuri=\n',
                 camera + '\x1f=1\n', camera + 'ä=1\n', camera.replace('a]', 'a]]'), camera.replace('a]', '[a]'),
                 camera.replace('a]', 'ä' * 33 + ']'), camera.replace('a]', '.a]'), camera.replace('a]', 'a\tb]'),
                 *(camera + key for key in ('stall-timeout=0', 'stall-timeout=-1', 'latency=60001', 'rate=1e3', 'thumbnails=yes',
                                            'record-bytes=18446744073709551616', 'set=;;a.b=c', 'set=a\\;b', 'uri', '=x'))):
        yield text.encode()


TARGETS = {'expressions': expressions, 'masks': masks, 'serial': serial, 'splats': splats, 'frames': frames,
           'properties': properties, 'json': json_values, 'lines': lines, 'topics': topics, 'watch': watch}


def mutate(data, rng):
    """data with a few bytes, words or runs changed."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data)) if data else 0
        what = rng.randrange(5)
        if what == 0 and data:
            data[at] = rng.randrange(256)
        elif what == 1 and data:
            data[at] ^= 1 << rng.randrange(8)
        elif what == 2:
            at -= at % 4
            data[at:at + 4] = struct.pack('<I', rng.choice(EXTREMES))
        elif what == 3:
            del data[at:]
        else:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 9)))
    return bytes(data)


def write(target, folder):
    """Writes the corpus of target to folder."""
    seeds = list(TARGETS[target]())
    rng = random.Random(target)
    os.makedirs(folder, exist_ok=True)
    inputs = seeds + [mutate(rng.choice(seeds), rng) for _ in range(N_MUTATIONS)]
    for number, data in enumerate(inputs):
        with open(os.path.join(folder, f'{number:04}'), 'wb') as file:
            file.write(data)


def main():
    if len(sys.argv) == 4 and sys.argv[1] == '--replay':
        with tempfile.TemporaryDirectory() as folder:
            write(sys.argv[2], folder)
            sys.exit(subprocess.run([sys.argv[3], folder], check=False).returncode)
    if len(sys.argv) != 3 or sys.argv[1] not in TARGETS:
        sys.exit(__doc__)
    write(sys.argv[1], sys.argv[2])


if __name__ == '__main__':
    main()
