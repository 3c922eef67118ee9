# SPDX-License-Identifier: LGPL-2.1-or-later
"""The section of docs/accuracy.md on zones: what crosses a line through the middle of MOT15's sequences of fixed cameras,
by gleszones on the tracks of glestrack, by the same rules on the true tracks, and by LineZone of supervision on the tracks
that its ByteTrack makes of the same detections. Prints it in Markdown.

supervision is at https://github.com/roboflow/supervision (MIT) and on PyPI. The table is of its version 0.27.0, whose folder
`supervision` was found through PYTHONPATH, with the Debian packages python3-scipy, python3-opencv, python3-matplotlib,
python3-defusedxml, python3-pil, python3-requests, python3-tqdm and python3-yaml. Skips without it."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for _folder in ('tracks', 'zones'):
    sys.path.insert(0, os.path.join(HERE, '..', _folder))
import mot15  # noqa: E402
import lines  # noqa: E402
import evaluator  # noqa: E402
import numpy  # noqa: E402
try:
    import supervision
except ImportError as missing:
    lines.skip(f'supervision cannot be imported ({missing}); the head of {__file__} says where it is')

SEQUENCES = ('ADL-Rundle-6', 'PETS09-S2L1', 'TUD-Campus')
LINE = evaluator.Definition('middle', True, [((500000, 'share'), (0, 'share')), ((500000, 'share'), (1000000, 'share'))],
                            None, None, None, None)
# of LineZone: the four corners by default, or the point that counts by default in gleszones
ANCHORS = ({}, {'triggering_anchors': [supervision.Position.BOTTOM_CENTER]})
DEFAULTS = evaluator.Rules('bottom', [], 0, 0, 0, 100, 0, 10**9)


def clip(box, size):
    """The part of a box inside of the picture, in whole pixels, or None."""
    x, y, width, height = box
    left, top = max(round(x), 0), max(round(y), 0)
    right, bottom = min(round(x + width), size[0]), min(round(y + height), size[1])
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def count_true(name):
    """Crossings in and out of the true tracks."""
    sequence = mot15.describe(name)
    size, rate = (int(sequence['imWidth']), int(sequence['imHeight'])), int(sequence['frameRate'])
    judge = evaluator.Evaluator([LINE], DEFAULTS)
    for number, boxes in enumerate(mot15.truth(name)):
        clipped = {track: clip(box, size) for track, box in sorted(boxes.items())}
        judge.push(number, number * 10**9 // rate, size, [
            evaluator.Track(track, 'person', 'confirmed', box) for track, box in clipped.items() if box is not None])
    judge.end('eos')
    return judge.zones[0].n_in, judge.zones[0].n_out


def count_found(name, every=1):
    """Crossings in and out of the tracks that glestrack makes of the detections of each `every`th frame."""
    sequence = mot15.describe(name)
    caps = (f'video/x-raw,format=GRAY8,width={sequence["imWidth"]},height={sequence["imHeight"]},'
            f'framerate={sequence["frameRate"]}/1')
    found = lines.push(f'glestrack detect-every={every} ! gleszones lines="middle: 50%,0% 50%,100%" ! glesjson', caps,
                       mot15.buffers(name, every), stamp=False)[0]
    crossings = [line['direction'] for line in map(json.loads, found) if line.get('event') == 'cross']
    return crossings.count('in'), crossings.count('out')


def count_supervision(name, anchors):
    """Crossings in and out by supervision, with its defaults but for the points of the box that must be beyond the line."""
    sequence = mot15.describe(name)
    middle, height = int(sequence['imWidth']) / 2, int(sequence['imHeight'])
    # its `in` is to the side that is on the left for who looks from start to end
    line = supervision.LineZone(start=supervision.Point(middle, height), end=supervision.Point(middle, 0), **anchors)
    tracker = supervision.ByteTrack(frame_rate=int(sequence['frameRate']))
    for boxes in mot15.detections(name):
        x, y, width, height, score = numpy.array(boxes).reshape(-1, 5).T
        line.trigger(tracker.update_with_detections(supervision.Detections(
            xyxy=numpy.stack((x, y, x + width, y + height), axis=1), confidence=score,
            class_id=numpy.zeros(len(boxes), int))))
    return line.in_count, line.out_count


def main():
    missing = set(SEQUENCES) - set(mot15.sequences())
    if missing:
        lines.skip(f'GLES_PUBLIC_DATA lacks {", ".join(sorted(missing))} of MOT15')
    print('| sequence | true: in, out, all | found: in, out, all | supervision, corners | supervision, lower edge '
          '| found: each 2nd frame | each 3rd frame |\n|---|---|---|---|---|---|---|')
    for name in SEQUENCES:
        counts = [count_true(name), count_found(name)] + [count_supervision(name, anchors) for anchors in ANCHORS] + [
            count_found(name, every) for every in (2, 3)]
        print(f'| {name} | ' + ' | '.join(f'{a}, {b}, {a + b}' for a, b in counts) + ' |')


if __name__ == '__main__':
    main()
