# SPDX-License-Identifier: LGPL-2.1-or-later
"""The section of docs/accuracy.md on tracks: glestrack on the public detections of MOT15. Prints it in Markdown."""
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tracks'))
import mot15  # noqa: E402
import metrics  # noqa: E402

# with tests/tracks/metrics.py, on the same detections
OTHERS = """| SORT | 0.511 | 0.502 | 286 |
| ByteTrack (minimum of 3 frames) | 0.523 | 0.487 | 238 |
| norfair (IoU) | 0.492 | 0.422 | 327 |"""


def evaluate(settings='', every=1):
    return [metrics.evaluate(mot15.truth(name), mot15.follow(name, settings, every)) for name in mot15.sequences()]


def main():
    scores = dict(zip(mot15.sequences(), evaluate()))
    print('| sequence | IDF1 | MOTA | switches | boxes of truth |\n|---|---|---|---|---|')
    for name, score in scores.items():
        print(f'| {name} | {score.idf1:.3f} | {score.mota:.3f} | {score.switches} | {score.n_truth} |')
    total = mot15.total(scores.values())
    print(f'\n| tracker | IDF1 | MOTA | switches |\n|---|---|---|---|\n'
          f'| glestrack | {total.idf1:.3f} | {total.mota:.3f} | {total.switches} |\n{OTHERS}')
    print('\n| the detector looks at each | 2nd frame | 3rd | 5th |\n|---|---|---|---|\n| IDF1 |', end='')
    for every in (2, 3, 5):
        print(f' {mot15.total(evaluate(f"detect-every={every}", every)).idf1:.3f} |', end='')
    print()


if __name__ == '__main__':
    main()
