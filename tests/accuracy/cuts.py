#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the section `cuts` of docs/accuracy.md: cuts and transitions that glesevents finds, beside FFmpeg's scdet and
the two detectors of PySceneDetect, which are written here from their published definition, at their defaults.

GLES_PUBLIC_DATA names a folder with `cuts`, in which are the clips of PySceneDetect's branch `resources`
(tests/resources), `pairs` with the frames of MaxReimann/Shot-Boundary-Detection (resources/frames/anni009, of all
commits), `ref_anni009.xml` from there, and `a` to `d`, which tests/events/sets.py made. Without pairs or composed
clips, their tables are left out.
Needs ffmpeg, numpy and OpenCV. Exits with 77 without the clips."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'events'))
import score  # noqa: E402

# first frames of shots, as a viewer sees them; those of the first clip that fade are transitions
CLIPS = {'testvideo.mp4': [30, 180], 'goldeneye-vfr-drop3.mp4': [60, 140], 'issue-134-rotate.mp4': [90, 210],
         'issue-195-aspect-ratio.mp4': [70, 170, 301, 421, 484], 'issue-236-split-copy.mkv': [19], 'fades.mp4': [],
         'counter.mp4': []}
# kinds of composed clips in which what decides about strobes, split screens and dissolves was not in the tree before
NEW = ('strobes', 'split', 'rolling', 'dissolves')
NAMES = ('glesevents', 'AdaptiveDetector', 'ContentDetector', 'scdet')


def content(clip):
    """The score of ContentDetector for each frame: the mean change of hue, saturation and value of a small picture."""
    video, scores, last = cv2.VideoCapture(clip), [], None
    while True:
        found, frame = video.read()
        if not found:
            return np.array(scores)
        factor = max(1, frame.shape[1] // 256)
        small = cv2.resize(frame, (round(frame.shape[1] / factor), round(frame.shape[0] / factor)))
        hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV).astype(np.int32)
        scores.append(0 if last is None else np.abs(hsv - last).mean((0, 1)).mean())
        last = hsv


def apart(frames, least=15):
    """Those of the frames that are so many after the last one that is kept, and after the first frame."""
    kept, last = [], 0
    for frame in frames:
        if frame - last >= least:
            kept.append(int(frame))
            last = frame
    return kept


def adaptive(scores, ratio=3.0, least=15.0, window=2):
    found = []
    for i in range(window, len(scores) - window):
        around = np.r_[scores[i - window:i], scores[i + 1:i + 1 + window]].mean()
        if scores[i] >= least and (scores[i] >= ratio * around if around > 1e-5 else True):
            found.append(i)
    return apart(found)


def all_cuts(clip):
    """What each of NAMES finds, and the transitions of glesevents."""
    cuts, transitions = score.glesevents(clip)
    scores = content(clip)
    return (cuts, adaptive(scores), apart(np.nonzero(scores >= 27.0)[0]), score.scdet(clip)), transitions


def table(rows):
    """Markdown of (what, [(true, found, wrong) for each of NAMES]), with F1 of the sum."""
    print('| clips | true cuts |', ' | '.join(NAMES), '|')
    print('|---|---|' + '---|' * len(NAMES))
    for what, counts in rows:
        cells = [f'{found}, {wrong}' for _, found, wrong in counts]
        print(f'| {what} | {counts[0][0]} |', ' | '.join(cells), '|')
    sums = [[sum(counts[i][k] for _, counts in rows) for k in range(3)] for i in range(len(NAMES))]
    print(f'| all | {sums[0][0]} |', ' | '.join(f'{found}, {wrong}' for _, found, wrong in sums), '|')
    print('| recall, precision, F1 | |', ' | '.join(
        f'{found / true:.3f}, {found / max(1, found + wrong):.3f}, {2 * found / (true + found + wrong):.3f}'
        for true, found, wrong in sums), '|')


def counts_of(true, found):
    missed, wrong = score.compare(true, found)
    return len(true), len(true) - len(missed), len(wrong)


def public(folder):
    rows = []
    for name, true in CLIPS.items():
        found, _ = all_cuts(os.path.join(folder, name))
        rows.append((name, [counts_of(true, cuts) for cuts in found]))
    table(rows)


def pairs(folder):
    """Each pair of neighbouring frames as a clip of 16 frames of either."""
    with open(os.path.join(folder, 'ref_anni009.xml'), encoding='utf-8') as file:
        cuts = {int(n) for n in re.findall(r'type="CUT" preFNum="(\d+)"', file.read())}
    numbers = {int(os.path.basename(path)[:-4]) for path in glob.glob(f'{folder}/pairs/*.jpg')}
    rows = {True: [(0, 0, 0)] * len(NAMES), False: [(0, 0, 0)] * len(NAMES)}
    sizes = {True: 0, False: 0}
    with tempfile.TemporaryDirectory() as work:
        for n in sorted(n for n in numbers if n + 1 in numbers):
            clip = os.path.join(work, f'{n}.mkv')
            inputs = [a for i in (n, n + 1) for a in ('-framerate', '25', '-loop', '1', '-t', '0.64', '-i',
                                                      f'{folder}/pairs/{i}.jpg')]
            subprocess.run(['ffmpeg', '-v', 'error', *inputs, '-filter_complex', 'concat,format=yuv420p', '-c:v',
                            'ffv1', clip], check=True)
            is_cut = n in cuts
            sizes[is_cut] += 1
            found, _ = all_cuts(clip)
            rows[is_cut] = [tuple(map(sum, zip(total, counts_of([16] if is_cut else [], one))))
                            for total, one in zip(rows[is_cut], found)]
    print()
    table([(f'{sizes[True]} pairs that are cuts', rows[True]),
           (f'{sizes[False]} other pairs', rows[False])])


def composed(folder, half):
    rows, transitions = {}, {}

    def judge(path):
        with open(path, encoding='utf-8') as file:
            truth = json.load(file)
        clip = next(c for c in glob.glob(f'{path[:-5]}.*') if c.endswith(('.mkv', '.h264')))
        return truth, *all_cuts(clip)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for truth, found, ours in pool.map(judge, sorted(glob.glob(f'{folder}/{half}/*.json'))):
            kind = truth['kind'] if truth['kind'] in NEW else 'other kinds'
            rows[kind] = [tuple(map(sum, zip(total, counts_of(truth['cuts'], one)))) for total, one in
                          zip(rows.get(kind, [(0, 0, 0)] * len(NAMES)), found)]
            hit, wrong = score.compare_transitions(truth['transitions'], ours)
            total = transitions.get(kind, (0, 0, 0))
            transitions[kind] = tuple(map(sum, zip(total, (len(truth['transitions']), hit, wrong))))
    chosen = 'of other clips; kept aside, used once' if half == 'd' else 'the rules were chosen on it'
    print(f'\nComposed clips, set {half} ({chosen}):\n')
    table(sorted(rows.items()))
    true, hit, wrong = (sum(counts[i] for counts in transitions.values()) for i in range(3))
    print(f'\nTransitions: glesevents finds {hit} of {true}, of them {transitions["dissolves"][1]} of the '
          f'{transitions["dissolves"][0]} dissolves of 12, 25 and 50 frames between moving pictures; {wrong} wrong.')


def main():
    folder = os.path.join(os.environ.get('GLES_PUBLIC_DATA', ''), 'cuts')
    if not all(os.path.exists(os.path.join(folder, name)) for name in CLIPS):
        return 77
    version = subprocess.run(['ffmpeg', '-version'], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[2]
    print(f'Cuts found, and wrong ones, at defaults. AdaptiveDetector and ContentDetector are those of PySceneDetect '
          f'0.6, written\nanew from their definition (OpenCV {cv2.__version__}); scdet is that of FFmpeg {version}. '
          f'The clips of PySceneDetect\n(branch `resources`), with cuts as a viewer sees them; nothing was chosen on '
          'them:\n')
    public(folder)
    if os.path.isdir(os.path.join(folder, 'pairs')):
        print('\nNeighbouring frames of MaxReimann/Shot-Boundary-Detection (TRECVID anni009), each as a still picture '
              'of 16 frames:')
        pairs(folder)
    for half in 'a', 'b', 'c', 'd':
        if os.path.isdir(os.path.join(folder, half)):
            composed(folder, half)
    print('\nTransNetV2 states F1 scores of 0.779 (ClipShots), 0.962 (BBC Planet Earth) and 0.939 (RAI) in its '
          'paper (arXiv\n2008.04838); it was not run here.')
    return 0


if __name__ == '__main__':
    sys.exit(main())
