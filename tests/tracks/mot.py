# SPDX-License-Identifier: LGPL-2.1-or-later
"""glestrack on composed clips with known truth, behind glescompact and glesregions, and behind a detector that misses
things and measures them wrongly: IDF1, MOTA and switches of ids. Arguments: the least IDF1 where things do not touch;
--seeds A,B,...: other scenes, whose figures are printed and not judged."""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'element'))
import lines  # noqa: E402

lines.need('GstVideo')
from gi.repository import Gst, GstVideo  # noqa: E402

import metrics  # noqa: E402
import scenes  # noqa: E402

CAPS = f'video/x-raw,format=GRAY8,width={scenes.WIDTH},height={scenes.HEIGHT},framerate=25/1'
# the things are found whole, so that nothing has to be merged
REGIONS = ('glescompact device=cpu lower=120 ! glesregions device=cpu cell-width=4 cell-height=4 min-size=12 '
           'merge-distance=0 ! glestrack ! glesjson points=false')
DETECTOR = 'glestrack ! glesjson'
# scenes, and whether their things do not touch
SCENES = {'lanes': (scenes.lanes, True), 'fast': (scenes.fast, True), 'convoy': (scenes.convoy, True),
          'comebacks': (scenes.comebacks, True), 'crossing': (scenes.crossing, False)}
SEEDS = (1, 2, 3)


def tracks_of(found):
    """The confirmed tracks of each frame."""
    frames = [json.loads(line)['tracks'] for line in found]
    return [{track['id']: tuple(track['box']) for track in frame if track['state'] == 'confirmed'} for frame in frames]


def follow_pictures(truth, seed):
    return tracks_of(lines.push(REGIONS, CAPS, scenes.render(truth, seed))[0])


def detections(truth, seed):
    pixels = bytes(scenes.WIDTH * scenes.HEIGHT)
    for boxes in scenes.detect(truth, seed):
        buffer = Gst.Buffer.new_wrapped(pixels)
        for box in boxes:
            GstVideo.buffer_add_video_region_of_interest_meta(buffer, 'thing', *box)
        yield buffer


def follow_detections(truth, seed):
    return tracks_of(lines.push(DETECTOR, CAPS, detections(truth, seed))[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('least', type=float)
    parser.add_argument('--seeds', type=lambda text: list(map(int, text.split(','))))
    options = parser.parse_args()
    metrics.check()
    failed = []
    for name, (make, apart) in SCENES.items():
        for how, follow in (('pictures', follow_pictures), ('detector', follow_detections)):
            scores = []
            for seed in options.seeds or SEEDS:
                truth = make(seed)
                scores.append(metrics.evaluate(truth, follow(truth, seed)))
            idf1 = [score.idf1 for score in scores]
            print(f'{name:9} {how}: IDF1 ' + ' '.join(f'{value:.3f}' for value in idf1) + ', MOTA ' +
                  ' '.join(f'{score.mota:.3f}' for score in scores) + ', switches ' +
                  ' '.join(str(score.switches) for score in scores) +
                  f' of {sum(score.n_truth for score in scores)} boxes', flush=True)
            if apart and min(idf1) < options.least:
                failed.append(f'{name}, {how}: {min(idf1)}')
    assert options.seeds or not failed, failed


if __name__ == '__main__':
    main()
