# SPDX-License-Identifier: LGPL-2.1-or-later
"""The points of glescompact predicate=motion reference=background are those that numpy finds, in frames of noise
of several formats. With OpenCV the average is also within one code value of cv2.accumulateWeighted().

Arguments: the devices to test."""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print('python3-numpy is not installed')
    sys.exit(77)
try:
    import cv2
except ImportError:
    cv2 = None

ADAPTATION = 20
N_FRAMES = 12


def noise(shape, dtype, top):
    """Frames of a noisy scene whose level drifts, so that values rise and fall."""
    random = numpy.random.default_rng(7)
    base = random.integers(0, top + 1, shape[1:])
    frames = [base + random.integers(-top // 8, top // 8 + 1, shape[1:]) + (top // 3 if i in (5, 6, 9) else 0)
              for i in range(shape[0])]
    return numpy.clip(frames, 0, top).astype(dtype)


# format, channel, depth, lower, and how the samples of a width x height frame lie: (row bytes, rows, dtype,
# first sample and step in the row, shift)
FORMATS = [
    ('GRAY8', 'luma', 8, 30, lambda w, h: (h, -w % 4 + w, '<u1', 0, 1, 0)),
    ('GRAY16_LE', '0', 16, 8000, lambda w, h: (h, (2 * w + 2 * w % 4) // 2, '<u2', 0, 1, 0)),
    ('GRAY16_BE', '0', 16, 8000, lambda w, h: (h, (2 * w + 2 * w % 4) // 2, '>u2', 0, 1, 0)),
    ('RGBA', '2', 8, 30, lambda w, h: (h, 4 * w, '<u1', 2, 4, 0)),
    ('P010_10LE', 'luma', 10, 120, lambda w, h: ((h + h % 2) // 2 * 3, (2 * w + 2 * w % 4) // 2, '<u2', 0, 1, 6)),
]


def expected(frames, lower, box):
    """The points of each frame within box, by the arithmetic of docs/elements/glescompact.md."""
    weight = min(65536, (3 * 65536 + ADAPTATION // 2) // ADAPTATION)
    x, y, width, height = box
    average = float_average = None
    for frame in frames:
        target = frame.astype(numpy.int64) << 16
        if average is None:
            yield []
            average = target
            float_average = frame.astype(numpy.float32)
            continue
        background = (average + 0x8000) >> 16
        difference = numpy.abs(frame.astype(numpy.int64) - background)
        rows, columns = numpy.nonzero(difference[y:y + height, x:x + width] >= lower)
        yield [[int(c) + x, int(r) + y, int(difference[r + y, c + x])] for r, c in zip(rows, columns)]
        distance = numpy.abs(target - average)
        average = average + numpy.sign(target - average) * ((distance * weight) >> 16)
        if cv2 is not None:
            cv2.accumulateWeighted(frame.astype(numpy.float32), float_average, 3 / ADAPTATION)
            # 2^-16 of the weight, and the fraction that is cut off, add up to less than a code value
            assert numpy.abs(average / 65536 - float_average).max() < 1


def check(lines, frames, lower, box, what):
    lines = [json.loads(line)['points'] for line in lines.splitlines()]
    assert len(lines) == len(frames), f'{what}: {len(lines)} lines for {len(frames)} frames'
    assert any(line['total'] > 0 for line in lines), f'{what}: no point in any frame'
    for i, (line, points) in enumerate(zip(lines, expected(frames, lower, box))):
        assert (line['reference'], line['adaptation']) == ('background', ADAPTATION), line
        assert line['total'] == len(points), f'{what}: {line["total"]} points in frame {i}, not {len(points)}'
        assert line['points'] == points, f'{what}: other points in frame {i}'


def check_format(device, folder, name, channel, depth, lower, layout):
    for width, height, box in ((64, 32, None), (67, 35, (5, 3, 31, 22))):
        rows, row_samples, dtype, first, step, shift = layout(width, height)
        raw = noise((N_FRAMES, rows, row_samples), dtype, (1 << depth) - 1) << shift
        raw.astype(dtype).tofile(os.path.join(folder, 'raw'))
        frames = (raw >> shift)[:, :height, first:first + step * width:step]
        region = ['region=' + ','.join(map(str, box))] if box is not None else []
        lines = subprocess.run(
            ['gst-launch-1.0', '-q', 'filesrc', f'location={folder}/raw', f'blocksize={raw[0].nbytes}', '!',
             'rawvideoparse', 'use-sink-caps=false', f'format={name.lower().replace("_", "-")}', f'width={width}',
             f'height={height}', 'framerate=25/1', f'frame-size={raw[0].nbytes}', '!',
             'glescompact', f'device={device}', 'predicate=motion', 'reference=background', 'max-points=10000000',
             f'adaptation={ADAPTATION}', f'lower={lower}', f'channel={channel}', 'unit=code', *region, '!',
             'glesjson', 'points=true', '!', 'fdsink'], check=True, stdout=subprocess.PIPE).stdout
        check(lines, frames, lower, box or (0, 0, width, height), f'{device} {name} {width}x{height} {box}')


def main():
    with tempfile.TemporaryDirectory() as folder:
        for device in sys.argv[1:]:
            for case in FORMATS:
                check_format(device, folder, *case)


if __name__ == '__main__':
    main()
