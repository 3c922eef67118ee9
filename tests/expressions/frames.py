# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random expressions on random pictures: a device finds what Python's integers find in the same samples.

Arguments: the program run-frames, how many pictures, a seed. With - for the program, the lines for it are printed, of
expressions that reach the most operations."""
import math
import subprocess
import sys

import samples
import trees

YUV = ('I420', 'NV12', 'YUY2', 'VYUY', 'Y41B', 'Y42B', 'Y444', 'AYUV', 'A420', 'NV21', 'NV16', 'I420_10LE', 'I422_12LE',
       'P010_10LE', 'P010_10BE', 'P016_LE', 'Y210', 'Y410', 'Y412_BE', 'A420_10BE', 'Y444_16BE', 'v216')
RGB = ('RGBx', 'BGRA', 'ARGB', 'RGB', 'RGB16', 'BGR15', 'RGB10A2_LE', 'r210', 'ARGB64', 'GBR', 'GBR_10BE', 'GBRA_12LE')
GREY = ('GRAY8', 'GRAY16_LE', 'GRAY16_BE')
N_FRAMES = 3


def ceil_shift(value, bits):
    return value + (1 << bits) - 1 >> bits


class Picture:
    """The components of the frames so far, and what expressions name in them."""

    def __init__(self, case):
        self.case, self.frames, self.averages, self.cache = case, [], {}, {}

    def add(self, components):
        self.frames.append(components)
        self.cache = {}
        first = components['Y' if 'Y' in components else 'R']
        self.depths = {name: c['depth'] for name, c in components.items()}
        if not self.averages:
            self.averages = {name: [v << 16 for v in c['samples']] for name, c in components.items()}
        self.backgrounds = {name: [a + 0x8000 >> 16 for a in averages] for name, averages in self.averages.items()}
        if 'U' in components or 'R' in components:
            names = samples.YUV if 'U' in components else samples.RGB
            self.form = samples.Format(names, tuple(self.depths[n] for n in names),
                                       (self.case['kr'] / 65536, self.case['kb'] / 65536), self.case['full'])
            self.depth = self.form.depth
        else:
            self.depth = first['depth']

    def move(self):
        ad = self.case['adaptation']
        weight = 65536 if ad <= 3 else (3 * 65536 + ad // 2) // ad
        for name, component in self.frames[-1].items():
            for i, v in enumerate(component['samples']):
                target, average = v << 16, self.averages[name][i]
                distance = abs(target - average)
                change = (distance >> 16) * weight + ((distance & 0xffff) * weight >> 16)
                self.averages[name][i] += change if target > average else -change

    def named(self, leaf):
        """The components that a name stands for."""
        name = leaf.split('.')[-1].split('[')[0]
        stored = self.frames[-1]
        if name in stored:
            return [name]
        if name == 'L' and 'Y' in stored:
            return ['Y']
        if name in ('uvhue', 'uvsat') and 'U' in stored:
            return ['U', 'V']
        if name in ('Y', 'U', 'V', 'R', 'G', 'B', 'L', 'hue', 'sat', 'uvhue', 'uvsat', 'lum', 'red'):
            return [n for n in stored if n != 'A']
        return []

    def grid(self, leaves):
        components = [self.frames[-1][n] for leaf in leaves for n in self.named(leaf)]
        components.sort(key=lambda c: c['sub'][0] + c['sub'][1])
        return components[0] if components else next(iter(self.frames[-1].values()))

    def stored(self, name, moment, x, y, offset):
        """A sample for a place in luma positions."""
        frames = self.frames
        component = frames[-1][name] if moment != 'prev' or len(frames) == 1 else frames[-2][name]
        (sx, sy), width = component['sub'], component['width']
        x, y = x >> sx, y >> sy
        if offset != (0, 0):
            cx, cy, cw, ch = self.case['crop']
            right = max(min(ceil_shift(cx + cw, sx), width), 1) - 1
            bottom = max(min(ceil_shift(cy + ch, sy), component['height']), 1) - 1
            x = min(max(x + offset[0], min(ceil_shift(cx, sx), right)), right)
            y = min(max(y + offset[1], min(ceil_shift(cy, sy), bottom)), bottom)
        return (self.backgrounds[name] if moment == 'bg' else component['samples'])[y * width + x]

    def value(self, leaf, x, y):
        case = self.case
        # expressions.md: "`x` and `y` are of luma pixels on every grid"
        if leaf in ('x', 'y', 'w', 'h', 't'):
            return {'x': x - case['crop'][0], 'y': y - case['crop'][1], 'w': case['crop'][2], 'h': case['crop'][3],
                    't': len(self.frames) - 1}[leaf]
        if leaf.startswith('$'):
            return case['parameters'][leaf[1]]
        # expressions.md: "Where red, green and blue differ (RGB16), it is 8 bits" (the depth of samples.Format)
        if leaf.startswith('(') and leaf.endswith('%)'):
            thousandths = round(float(leaf[1:-2]) * 1000)
            return (thousandths * (2 ** self.depth - 1) + 50000) // 100000
        if leaf.startswith('8bit'):
            value = int(leaf[5:-1])
            return value << self.depth - 8 if self.depth >= 8 else value >> 8 - self.depth
        moment, name = leaf.split('.') if '.' in leaf else ('', leaf)
        offset = (0, 0)
        if '[' in name:
            name, inner = name[:-1].split('[')
            offset = tuple(map(int, inner.split(',')))
        if name == 'L' and 'Y' in self.frames[-1]:
            name = 'Y'
        if name in self.frames[-1]:
            return self.stored(name, moment, x, y, offset)
        key = (moment, x, y, offset)
        if key not in self.cache:
            self.cache[key] = self.form.values([self.stored(n, moment, x, y, offset) for n in self.form.names])
        return self.cache[key][name]


class Place(dict):
    def __init__(self, picture, x, y):
        super().__init__()
        self.picture, self.x, self.y = picture, x, y

    def __missing__(self, leaf):
        return self.picture.value(leaf, self.x, self.y)


def leaves_of(tree):
    if isinstance(tree, str):
        return [tree]
    return [leaf for part in tree[1:] for leaf in leaves_of(part)] if isinstance(tree, tuple) else []


def random_leaves(rng, form, predicate):
    """Names for one expression."""
    deep = form in ('ARGB64', 'P016_LE', 'Y444_16BE', 'Y412_BE', 'v216')
    stored = list('Y' if form in GREY else 'YUV' if form in YUV else 'RGB')
    if form in ('AYUV', 'A420', 'Y412_BE', 'A420_10BE', 'Y410', 'BGRA', 'ARGB', 'RGB10A2_LE', 'ARGB64', 'GBRA_12LE'):
        stored.append('A')
    derived = [] if form in GREY else ['sat', 'uvsat', 'hue', 'lum', 'red', *('RGB' if form in YUV else 'YUV')]
    derived += [] if deep or form in GREY else ['uvhue']
    places = ['x', 'y', 'w', 'h', 't', '$p', '$q', '(50%)', '(12.5%)', '8bit(200)']
    moments = ['prev.'] + (['bg.'] if predicate else [])
    if rng.random() < 0.3:
        return [rng.choice(stored + ['L']), '$p']  # often a table
    leaves = [rng.choice(stored + ['L']) for _ in range(3)] + [rng.choice(places)]
    if derived and rng.random() < 0.5:
        leaves.append(rng.choice(derived))
    if rng.random() < 0.3:
        leaves.append('prev.' + rng.choice(stored + ['L'] + derived))
    if rng.random() < 0.5:
        near = f'[{rng.randrange(-4, 5)},{rng.randrange(-4, 5)}]'
        leaves.append(rng.choice(['', '', *moments]) + rng.choice(stored + ['L']) + near)
    if predicate and rng.random() < 0.2:
        leaves.append('bg.' + rng.choice(stored + ['L']))
    return leaves


def random_case(rng, depth=4):
    form = rng.choice(rng.choice((YUV, YUV, RGB, GREY)))
    size = rng.randrange(1, 16), rng.randrange(1, 7)
    crop, whole = (0, 0, *size), rng.random() < 0.5
    if not whole:
        x, y = rng.randrange(size[0]), rng.randrange(size[1])
        crop = (x, y, rng.randrange(1, size[0] - x + 1), rng.randrange(1, size[1] - y + 1))
    x, y = rng.randrange(crop[2]), rng.randrange(crop[3])
    region = (0, 0, crop[2], crop[3]) if whole else \
        (x, y, rng.randrange(1, crop[2] - x + 1), rng.randrange(1, crop[3] - y + 1))
    kr, kb = (math.floor(65536 * k + 0.5) for k in rng.choice(list(samples.MATRICES.values())))
    predicate = rng.random() < 0.6
    bounds = (0, 0) if predicate else rng.choice(((0, 255), (10, 300), (0, 359), (5, 32767), (0, 1), (100, 127)))
    leaves = random_leaves(rng, form, predicate)
    tree = trees.random_tree(rng, leaves, rng.randrange(1, depth + 1))
    if rng.random() < 0.3:
        tree = rng.choice(list(trees.variants(tree, rng)))
    if not predicate and rng.random() < 0.6:
        tree = ('&', tree, rng.choice((255, 511, 2047)))
    value = None
    if predicate and rng.random() < 0.3:
        value = trees.random_tree(rng, random_leaves(rng, form, True), rng.randrange(1, 4))
    return {'form': form, 'size': size, 'crop': crop, 'region': region, 'kr': kr, 'kb': kb,
            'full': rng.random() < 0.5, 'unaligned': rng.random() < 0.25, 'adaptation': rng.choice((1, 3, 10, 50)),
            'bounds': bounds, 'predicate': predicate, 'tree': tree, 'value': value,
            'parameters': {'p': rng.choice(trees.NUMBERS[:18]), 'q': -rng.randrange(300)}}


def line_of(case, rng):
    numbers = [*case['size'], *case['crop'], *case['region'], case['kr'], case['kb'], int(case['full']),
               int(case['unaligned']), case['adaptation'], *case['bounds'], *case['parameters'].values()]
    text = trees.text_of(case['tree'], rng)
    if case['value'] is not None:
        text += '\t' + trees.text_of(case['value'], rng)
    return f'{case["form"]} {" ".join(map(str, numbers))}|{text}'


def expected(case, picture):
    """What each sample of the region becomes."""
    # expressions.md: "`expression` alone chooses the grid: `value` is calculated for its places"
    grid = picture.grid(leaves_of(case['tree']))
    (sx, sy), (cx, cy, _, _), (rx, ry, rw, rh) = grid['sub'], case['crop'], case['region']
    columns = range(min(ceil_shift(cx + rx, sx), grid['width']), min(ceil_shift(cx + rx + rw, sx), grid['width']))
    rows = range(min(ceil_shift(cy + ry, sy), grid['height']), min(ceil_shift(cy + ry + rh, sy), grid['height']))
    found = []
    for y in rows:
        for x in columns:
            place = Place(picture, x << sx, y << sy)
            value = trees.evaluate(case['tree'], place)
            if not case['predicate']:
                found.append(value if case['bounds'][0] <= value <= case['bounds'][1] else None)
            elif value == 0:
                found.append(None)
            else:
                found.append(value if case['value'] is None else trees.evaluate(case['value'], place))
    return found


def read_component(words):
    depth, sx, sy, width, height = map(int, words[1:6])
    return words[0], {'depth': depth, 'sub': (sx, sy), 'width': width, 'height': height,
                      'samples': list(map(int, words[6:]))}


def check(case, lines, line):
    picture, components, checked = Picture(case), {}, 0
    for text in lines:
        words = text.split()
        if words[0] == 'error':
            if 'operations' not in text:
                sys.exit(f'{line}\n{text}')
            return False
        if words[0] not in ('values', 'points'):
            name, component = read_component(words)
            components[name] = component
            continue
        picture.add(components)
        got = [None if word == '-' else int(word) for word in words[1:]]
        want = expected(case, picture)
        if got != want:
            sys.exit(f'{line}\nframe {len(picture.frames) - 1}\nwanted {want}\nfound  {got}')
        picture.move()
        components, checked = {}, checked + 1
    if checked != N_FRAMES:
        sys.exit(f'{line}\n{checked} frames')
    return True


def main():
    program, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = trees.seeded(seed)
    cases = [random_case(rng, 7 if program == '-' else 4) for _ in range(n)]
    lines = [line_of(case, rng) for case in cases]
    if program == '-':
        print('\n'.join(lines))
        return
    result = subprocess.run([program], input='\n'.join(lines) + '\n', capture_output=True, text=True)
    if result.returncode == 77:
        sys.exit(77)
    found = [[line[1:] for line in part.split('\n') if line.startswith('=')]
             for part in result.stdout.split('=end')[:-1]]
    if len(found) != n:
        sys.exit(f'{len(found)} pictures of {n}: {result.stderr[-2000:]} {result.stdout[-300:]}')
    right = sum(check(case, part, line) for case, part, line in zip(cases, found, lines))
    if right < n * 0.9:
        sys.exit(f'only {right} of {n} expressions have few enough operations')
    print(f'{right} expressions in {N_FRAMES} frames each are right; {n - right} have too many operations')


main()
