# SPDX-License-Identifier: LGPL-2.1-or-later
"""gleszones on car-detection.mp4, which shows four cars: one line across the road counts each of them once and in the
right direction, at four rates and in five sizes. Skips where the folder of GLES_TEST_MEDIA has no such clip.

The clip is of https://github.com/intel-iot-devkit/sample-videos, CC BY 4.0."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'element'))
import lines  # noqa: E402

# the clip has 12.5 frames a second: at 25 each is shown twice, and the second one differs from the background alone
RATES = {'25/1': 'reference=background', '25/2': '', '6/1': '', '3/1': ''}
SIZES = ((768, 432), (640, 360), (512, 288), (384, 216), (1280, 720))
EXPECTED = [2, 2]


def count(clip, rate, size):
    width, height = size
    cell, least = max(2, 16 * width // 768), max(10, 250 * width * height // (768 * 432))
    samples = lines.play(
        f'filesrc location="{clip}" ! decodebin ! videorate ! videoscale ! videoconvert ! '
        f'video/x-raw,format=I420,width={width},height={height},framerate={rate} ! '
        f'glescompact device=cpu predicate=motion {RATES[rate]} lower=20 ! glesregions device=cpu cell-width={cell} '
        f'cell-height={cell} min-points=6 min-size={least} label=car ! glestrack min-hits={1 if rate == "3/1" else 2} ! '
        'gleszones anchor=centre lines="road: 0%,50% 100%,50%" ! glesjson frames=false')
    crossings = []
    for sample in samples:
        buffer = sample.get_buffer()
        line = json.loads(buffer.extract_dup(0, buffer.get_size()))
        if line['event'] == 'cross':
            crossings.append((line['direction'], line['track'], line['frame']))
    return crossings


def main():
    clip = os.path.join(os.environ.get('GLES_TEST_MEDIA', ''), 'car-detection.mp4')
    if not os.path.exists(clip):
        lines.skip('GLES_TEST_MEDIA names no folder with car-detection.mp4')
    wrong = 0
    for rate in RATES:
        for size in SIZES:
            found = count(clip, rate, size)
            directions = [direction for direction, _, _ in found]
            right = [directions.count('in'), directions.count('out')] == EXPECTED
            wrong += not right
            print(f'{rate} frames/s, {size[0]}x{size[1]}: {directions.count("in")} in, {directions.count("out")} out'
                  + ('' if right else f'  WRONG: {found}'))
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
