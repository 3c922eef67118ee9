# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes histogram.golden: histograms and statistics of frames that a formula describes, by NumPy.

    /usr/bin/python3 tests/golden/histogram-make.py >tests/golden/histogram.golden

was run with Python 3.11.2 and NumPy 1.24.2 of Debian 12. histogram.c makes the same frames and
compares. With --check FILE this compares its output with FILE; exit status 77 without NumPy."""
import sys

try:
    import numpy as np
except ImportError:
    print('no NumPy')
    sys.exit(77)

# name, channels (name, depth, sub_x, sub_y), width, height, element properties, and the same as
# numbers: bins, grid, region (or None), luma
YUV420 = [('Y', 8, 0, 0), ('U', 8, 1, 1), ('V', 8, 1, 1)]
YUV422 = [('Y', 8, 0, 0), ('U', 8, 1, 0), ('V', 8, 1, 0)]
YUV420_10 = [('Y', 10, 0, 0), ('U', 10, 1, 1), ('V', 10, 1, 1)]
RGB = [('R', 8, 0, 0), ('G', 8, 0, 0), ('B', 8, 0, 0)]
RGB565 = [('R', 5, 0, 0), ('G', 6, 0, 0), ('B', 5, 0, 0)]
RGB_10 = [('R', 10, 0, 0), ('G', 10, 0, 0), ('B', 10, 0, 0)]
GRAY16 = [('Y', 16, 0, 0)]
CASES = [
    ('I420', YUV420, 176, 144, 256, (1, 1), None, False),
    ('NV12', YUV420, 97, 61, 16, (3, 2), None, False),
    ('NV21', YUV420, 64, 64, 100, (1, 1), (11, 7, 33, 40), False),
    ('YUY2', YUV422, 65, 33, 8, (5, 4), (3, 1, 51, 29), False),
    ('P010_10LE', YUV420_10, 64, 48, 64, (2, 1), None, False),
    ('I420_10LE', YUV420_10, 50, 50, 3, (1, 1), None, False),
    ('GRAY16_LE', GRAY16, 50, 40, 10, (2, 2), (1, 1, 48, 37), False),
    ('GRAY16_BE', GRAY16, 31, 17, 1000, (1, 1), None, False),
    ('BGRx', RGB, 40, 30, 4, (4, 3), None, False),
    ('RGB', RGB, 80, 60, 32, (1, 1), None, True),
    ('RGB16', RGB565, 33, 47, 256, (1, 1), None, True),
    ('r210', RGB_10, 48, 20, 16, (2, 2), None, True),
]
FRAMES = 2
STATISTICS = ('count', 'min', 'max', 'mean', 'stddev', 'entropy', 'p1', 'p5', 'p10', 'p50', 'p90',
              'p95', 'p99', 'difference', 'emd')


def samples(frame, channel, depth, width, height):
    """The formula: a slope with noise on it, in unsigned 32-bit arithmetic."""
    y, x = np.mgrid[0:height, 0:width].astype(np.uint32)
    h = (x * np.uint32(2654435761) + y * np.uint32(2246822519) +
         np.uint32((channel * 3266489917 + frame * 668265263) & 0xffffffff))
    h ^= h >> np.uint32(15)
    h *= np.uint32(2246822519)
    h ^= h >> np.uint32(13)
    slope = (x + np.uint32(2) * y + np.uint32(11 * frame + 29 * channel)) & np.uint32(255)
    noise = h >> np.uint32(24)
    value = (slope * np.uint32(3) + noise) >> np.uint32(2)
    # the low bits of deep samples are noise alone
    return (((value << np.uint32(8)) | (h & np.uint32(255))) >> np.uint32(16 - depth)).astype(
        np.int64)


def luma(planes, depths):
    """BT.709 in 16-bit fixed point; depths that differ are scaled to 8 bits first."""
    kr, kb = round(65536 * 0.2126), round(65536 * 0.0722)
    kg = 65536 - kr - kb
    depth = depths[0]
    if len(set(depths)) > 1:
        planes = [np.floor(p * 255 / (2 ** d - 1) + 0.5).astype(np.int64)
                  for p, d in zip(planes, depths)]
        depth = 8
    return (kr * planes[0] + kg * planes[1] + kb * planes[2] + 2 ** 15) >> 16, depth


def channels_of(case, frame):
    """(name, depth, samples with their luma columns and rows) of each channel that is counted."""
    _, channels, width, height, _, _, _, use_luma = case
    found = []
    for i, (name, depth, sub_x, sub_y) in enumerate(channels):
        shape = ((width + (1 << sub_x) - 1) >> sub_x, (height + (1 << sub_y) - 1) >> sub_y)
        values = samples(frame, i, depth, *shape)
        rows, columns = np.mgrid[0:shape[1], 0:shape[0]]
        found.append((name, depth, values, columns << sub_x, rows << sub_y))
    if not use_luma:
        return found
    values, depth = luma([f[2] for f in found], [f[1] for f in found])
    return [('luma', depth, values, *found[0][3:])]


def statistics(values, native, previous):
    n = len(values)
    if n == 0:
        return [0] * len(STATISTICS)
    share = native[native > 0] / n
    ranks = [int(np.percentile(values, p, method='inverted_cdf')) for p in (1, 5, 10, 50, 90, 95, 99)]
    difference = 0.0 if previous is None else np.abs(native - previous).sum() / (2 * n)
    emd = 0.0 if previous is None else np.abs(np.cumsum(native - previous)).sum() / n
    return [n, values.min(), values.max(), values.mean(), values.std(), -(share * np.log2(share)).sum(),
            *ranks, difference, emd]


def print_case(case, write):
    form, _, width, height, bins, (columns, rows), region, use_luma = case
    x, y, w, h = region or (0, 0, width, height)
    properties = f'bins={bins} grid-columns={columns} grid-rows={rows}'
    if region:
        properties += f' region="<{x},{y},{w},{h}>"'
    if use_luma:
        properties += ' channels=luma'
    write(f'case {form} {width} {height} {properties}\n')
    previous = {}
    for frame in range(FRAMES):
        for name, depth, values, sample_x, sample_y in channels_of(case, frame):
            inside = (sample_x >= x) & (sample_x < x + w) & (sample_y >= y) & (sample_y < y + h)
            values = values[inside]
            cells = ((sample_y[inside] - y) * rows // h * columns +
                     (sample_x[inside] - x) * columns // w)
            native = np.bincount(values, minlength=2 ** depth)
            numbers = statistics(values, native, previous.get(name))
            previous[name] = native
            write(f'channel {frame} {name} ' + ' '.join(f'{v:.17g}' for v in numbers) + '\n')
            for cell in range(columns * rows):
                counts = np.bincount(values[cells == cell] * bins >> depth, minlength=bins)
                write('cell ' + ' '.join(map(str, counts)) + '\n')


def main():
    lines = ['# made by histogram-make.py; statistics are ' + ' '.join(STATISTICS) + '\n']
    for case in CASES:
        print_case(case, lines.append)
    text = ''.join(lines)
    if len(sys.argv) < 3:
        sys.stdout.write(text)
        return
    with open(sys.argv[2], encoding='utf-8') as f:
        golden = f.read()
    # the last digits of sums differ between versions of NumPy
    made, kept = text.split(), golden.split()
    wrong = [(a, b) for a, b in zip(made, kept) if a != b and not close(a, b)]
    if len(made) != len(kept) or wrong:
        print(f'{sys.argv[2]} is not what this script makes: {wrong[:3]}')
        sys.exit(1)


def close(a, b):
    try:
        return abs(float(a) - float(b)) <= 1e-12 * max(1.0, abs(float(b)))
    except ValueError:
        return False


if __name__ == '__main__':
    main()
