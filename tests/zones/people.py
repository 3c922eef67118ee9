# SPDX-License-Identifier: LGPL-2.1-or-later
"""gleszones on one-by-one-person-detection.mp4, in which six people come one after the other, stand at a table and go away to
the right: when each came and went, who stayed longer than 15 s, and who crossed a line on the right, beside what was read off
the frames by eye. Skips where the folder `cameras` of GLES_PUBLIC_DATA has no such clip.

The clip is of https://github.com/intel-iot-devkit/sample-videos, CC BY 4.0."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'element'))
import lines  # noqa: E402

# seconds, read off five frames a second: the head comes to 24 % of the height, so that the middle of what is seen of the
# person comes above 62 %; and the middle of the person, halfway between left and right, goes past 72 % of the width
TRUTH = ((7.0, 18.7), (23.6, 43.8), (51.2, 68.9), (75.6, 85.6), (93.2, 118.5), (124.5, 134.7))
DWELL = 15
TOLERANCE = 0.6
ZONE = f'table dwell={DWELL}: 30%,-10% 72%,-10% 72%,62% 30%,62%'
LINE = 'exit: 72%,0% 72%,100%'


def play(clip):
    """Events of the zone and the line: (kind, seconds, event)."""
    found = []
    for sample in lines.play(
            f'filesrc location="{clip}" ! decodebin ! glescompact device=cpu predicate=motion reference=background '
            'adaptation=10000 lower=40 ! glesregions device=cpu cell-width=16 cell-height=16 min-points=20 min-size=4000 '
            'merge-distance=48 label=person ! glestrack ! '
            f'gleszones anchor=centre zones="{ZONE}" lines="{LINE}" ! glesjson frames=false'):
        buffer = sample.get_buffer()
        line = json.loads(buffer.extract_dup(0, buffer.get_size()))
        found.append((line['event'], line['running_time'] / 1e9, line))
    return found


def judge(what, found, expected):
    """Whether as many times as expected were found, each within the tolerance. Prints them."""
    right = len(found) == len(expected) and all(abs(a - b) <= TOLERANCE for a, b in zip(found, expected))
    print(f'{what}: {" ".join(f"{at:.1f}" for at in found)}' + ('' if right else f'  WRONG: {expected}'))
    return right


def main():
    clip = os.path.join(os.environ.get('GLES_PUBLIC_DATA', ''), 'cameras', 'one-by-one-person-detection.mp4')
    if not os.path.exists(clip):
        lines.skip('GLES_PUBLIC_DATA names no folder with cameras/one-by-one-person-detection.mp4')
    found = play(clip)
    came, went = zip(*TRUTH)
    stayed = [a + DWELL for a, b in TRUTH if b - a >= DWELL]
    directions = [line['direction'] for kind, _, line in found if kind == 'cross']
    tracks = [[line['track'] for kind, _, line in found if kind == what] for what in ('enter', 'leave', 'cross')]
    right = [judge(what, [at for kind, at, _ in found if kind == what], expected) for what, expected in (
        ('enter', came), ('leave', went), ('dwell', stayed), ('occupied', came), ('cross', went))]
    print(f'directions: {" ".join(directions)}; tracks: {tracks}')
    right.append(directions == ['out'] * len(TRUTH))
    right.append(len(set(tracks[0])) == len(TRUTH) and tracks[1:] == [tracks[0]] * 2)
    sys.exit(0 if all(right) else 1)


if __name__ == '__main__':
    main()
