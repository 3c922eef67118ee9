# SPDX-License-Identifier: LGPL-2.1-or-later
"""Masks against an implementation of fractions, pixel by pixel: mask.py PROGRAM"""
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

PROGRAM = sys.argv[1]
RNG = random.Random(41)


def draw(text, *numbers):
    done = subprocess.run([PROGRAM, text, *map(str, numbers)], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def place(share, size):
    return Fraction((Fraction(share) * size * 256 + Fraction(1, 2)).__floor__(), 256)


def is_inside(polygon, x, y):
    """Even-odd: how many edges lie to the left of the centre of the pixel, or on it."""
    count = 0
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
        if (ay <= y) != (by <= y):
            count += ax + (y - ay) * (bx - ax) / (by - ay) <= x
    return count % 2 == 1


def expected(polygons, width, height):
    begin = all(excludes for excludes, _ in polygons)
    placed = [(excludes, [(place(x, width), place(y, height)) for x, y in vertices]) for excludes, vertices in polygons]
    rows = []
    for y in range(height):
        row = ''
        for x in range(width):
            value = begin
            for excludes, vertices in placed:
                if is_inside(vertices, Fraction(2 * x + 1, 2), Fraction(2 * y + 1, 2)):
                    value = not excludes
            row += '01'[value]
        rows.append(row)
    return rows


def text_of(polygons):
    return '; '.join('!' * excludes + ' '.join(f'{x},{y}' for x, y in vertices) for excludes, vertices in polygons)


def some_share():
    return RNG.choice(['0', '1', '.5', '-0.25', '1.5', '0.333333', f'{RNG.randrange(1000001) / 1000000:.6f}'])


def check_polygons():
    sizes = [(1, 1), (2, 3), (17, 13), (64, 9), (65, 9), (40, 31)]
    for i in range(30):
        polygons = [(RNG.random() < 0.4, [(some_share(), some_share()) for _ in range(RNG.randrange(3, 8))])
                    for _ in range(RNG.randrange(1, 4))]
        width, height = sizes[i % len(sizes)]
        got = draw(text_of(polygons), width, height)
        assert got == expected(polygons, width, height), (text_of(polygons), width, height, got)


def check_adjacency():
    """A fan of triangles around a point covers each pixel of the frame exactly once."""
    for _ in range(4):
        hub = (some_share().replace('-', ''), f'{RNG.random():.6f}')
        if not 0 <= float(hub[0]) <= 1:
            continue
        border = sorted(f'{RNG.random():.6f}' for _ in range(4))
        ring = [('0', '0'), *((x, '0') for x in border), ('1', '0'), *(('1', y) for y in border), ('1', '1'),
                *((x, '1') for x in reversed(border)), ('0', '1'), *(('0', y) for y in reversed(border))]
        total = [[0] * 131 for _ in range(77)]
        for a, b in zip(ring, ring[1:] + ring[:1]):
            for row, sums in zip(draw(text_of([(False, [hub, a, b])]), 131, 77), total):
                for x, c in enumerate(row):
                    sums[x] += c == '1'
        assert all(n == 1 for row in total for n in row), hub


def check_crop():
    whole = draw('0,0 1,0 0,1; !0.3,0.3 0.6,0.3 0.6,0.6', 30, 20)
    cropped = draw('0,0 1,0 0,1; !0.3,0.3 0.6,0.3 0.6,0.6', 75, 27, 43, 5, 30, 20)
    assert [row[43:73] for row in cropped[5:25]] == whole
    assert '1' not in ''.join(cropped[:5] + cropped[25:] + [row[:43] + row[73:] for row in cropped])


def check_files():
    width, height = 7, 5
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'mask.pgm')
        for plain, most in ((True, 255), (False, 255), (True, 65535), (False, 1000), (False, 1)):
            values = [RNG.choice([0, most, most // 2, (most + 1) // 2]) for _ in range(width * height)]
            head = f'P{2 if plain else 5} # a comment\n{width}\n# another\n {height} {most}\n'.encode()
            body = ' '.join(map(str, values)).encode() if plain else \
                b''.join(v.to_bytes(2 if most > 255 else 1, 'big') for v in values)
            with open(path, 'wb') as file:
                file.write(head + body)
            for w, h in ((7, 5), (1, 1), (20, 3), (3, 20)):
                want = [''.join('01'[2 * values[(2 * y + 1) * height // (2 * h) * width + (2 * x + 1) * width // (2 * w)]
                                     >= most] for x in range(w)) for y in range(h)]
                assert draw(path, w, h) == want, (plain, most, w, h)
            for bad in (head + body[:len(body) // 2], b'P5', b'P5 99999 1 255\n', b'P6' + head[2:] + body, b'',
                        b'P5 0 4 255\n', b'P2 2 1 9\n10 1'):
                with open(path, 'wb') as file:
                    file.write(bad)
                assert 'PGM' in draw(path, 3, 3)[0], bad


def check_errors():
    for text, column, word in (('', 1, 'three'), ('0,0 1,1', 1, 'three'), ('0,0 1;', 6, 'comma'), ('0,0 1,x', 7, 'y of'),
                               ('0,0 1,0 11,1', 9, '-10 to 10'), ('0,0 1,0 1,1; !', 14, 'three'), ('mask', 1, 'x of'),
                               ('0,0 1,0 1,1z', 12, 'space'), ('0,0 1,0 1,1;;', 13, 'three'), ('0,0,1', 4, 'space'),
                               ('\xff', 1, 'x of'), ('0,0 ' * 5000, 16385, '4096')):
        message = draw(text, 4, 4)[0]
        assert f'column {column}: ' in message and word in message, (text[:20], message)
    assert draw('99999999999999999999,0 1,0 1,1', 2, 2)[0].startswith('mask, column 1')
    assert draw('0.0000005,0 1 , 0  1.0000004,1.;', 2, 2) == draw('0.000001,0 1,0 1,1', 2, 2)


check_polygons()
check_adjacency()
check_crop()
check_files()
check_errors()
