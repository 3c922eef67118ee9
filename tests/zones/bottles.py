# SPDX-License-Identifier: LGPL-2.1-or-later
"""gleszones on bottle-detection.mp4, in which hands take three bottles away and put them back: when each place is occupied,
by the blue caps, beside what a person read off the frames. Skips where the folder of GLES_TEST_MEDIA has no such clip.

The clip is of https://github.com/intel-iot-devkit/sample-videos, CC BY 4.0."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'element'))
import lines  # noqa: E402

# seconds from which on a bottle stands at its place, or does not: read off five frames a second. Hands cover caps before and
# after, for at most 1.5 s, which empty-time bridges.
TRUTH = {'left': [(6.7, False), (12.2, True), (17.4, False), (28.0, True)],
         'middle': [(17.3, False), (23.2, True)],
         'right': [(31.7, False), (35.7, True)]}
TOLERANCE = 0.6
ZONES = 'left: 4%,28% 24%,28% 24%,42% 4%,42%; middle: 38%,28% 60%,28% 60%,42% 38%,42%; right: 72%,28% 94%,28% 94%,42% 72%,42%'


def changes(clip):
    """When places became occupied or empty, in seconds, after the first one."""
    found = {name: [] for name in TRUTH}
    for sample in lines.play(
            f'filesrc location="{clip}" ! decodebin ! glescompact device=cpu predicate=expression '
            'expression="in(hue, 210, 260) && sat > 110" ! glesregions device=cpu cell-width=8 cell-height=8 min-points=6 '
            f'min-size=60 label=cap ! glestrack track-lost=0.2 ! gleszones track-lost=0.2 empty-time=1.5 zones="{ZONES}" ! glesjson frames=false'):
        buffer = sample.get_buffer()
        line = json.loads(buffer.extract_dup(0, buffer.get_size()))
        if line['event'] in ('occupied', 'empty') and line.get('cause', 'condition') == 'condition':
            found[line['zone']].append((round(line['running_time'] / 1e9, 2), line['event'] == 'occupied'))
    return {name: [change for change in of_zone if change[0] >= 1] for name, of_zone in found.items()}


def main():
    clip = os.path.join(os.environ.get('GLES_TEST_MEDIA', ''), 'bottle-detection.mp4')
    if not os.path.exists(clip):
        lines.skip('GLES_TEST_MEDIA names no folder with bottle-detection.mp4')
    wrong = 0
    for name, found in changes(clip).items():
        right = [is_there for _, is_there in found] == [is_there for _, is_there in TRUTH[name]] and all(
            abs(at - true) <= TOLERANCE for (at, _), (true, _) in zip(found, TRUTH[name]))
        wrong += not right
        print(f'{name}: {found}' + ('' if right else f'  WRONG: {TRUTH[name]}'))
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
