# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sequences of MOT15 in the folder mot15 of GLES_PUBLIC_DATA: detections, truth, and what glestrack makes of them."""
import configparser
import json
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'element'))
import lines  # noqa: E402
import metrics  # noqa: E402

lines.need('GstVideo')
from gi.repository import Gst, GstVideo  # noqa: E402

FOLDER = pathlib.Path(os.environ.get('GLES_PUBLIC_DATA', ''), 'mot15')


def sequences():
    names = sorted(path.stem for path in FOLDER.glob('*.det'))
    if 'GLES_PUBLIC_DATA' not in os.environ or not names:
        lines.skip('GLES_PUBLIC_DATA names no folder with a folder mot15')
    return names


def describe(name):
    config = configparser.ConfigParser()
    config.read(FOLDER / f'{name}.ini')
    return config['Sequence']


def rows(path):
    with open(path) as file:
        for line in file:
            yield [float(value) for value in line.split(',')]


def truth(name):
    """The boxes that count of each frame."""
    frames = [{} for _ in range(int(describe(name)['seqLength']))]
    for row in rows(FOLDER / f'{name}.gt'):
        if row[6] != 0:
            frames[int(row[0]) - 1][int(row[1])] = tuple(row[2:6])
    return frames


def detections(name):
    """The boxes of each frame with their scores: (x, y, width, height, score)."""
    frames = [[] for _ in range(int(describe(name)['seqLength']))]
    for row in rows(FOLDER / f'{name}.det'):
        frames[int(row[0]) - 1].append(tuple(row[2:7]))
    return frames


def buffers(name, every=1):
    """Frames without pixels, which glestrack does not read, with the detections of each `every`th one."""
    rate = int(describe(name)['frameRate'])
    for number, boxes in enumerate(detections(name)):
        buffer = Gst.Buffer.new_wrapped(b'\0')
        buffer.pts, buffer.duration = number * Gst.SECOND // rate, Gst.SECOND // rate
        for x, y, width, height, score in boxes if number % every == 0 else []:
            # negative coordinates are stored modulo 2^32
            meta = GstVideo.buffer_add_video_region_of_interest_meta(
                buffer, 'person', round(x) % 2**32, round(y) % 2**32, round(width), round(height))
            structure = Gst.Structure.new_empty('detection')
            structure.set_value('confidence', score)
            meta.add_param(structure)
        yield buffer


def follow(name, settings='', every=1):
    """The confirmed tracks of each frame: {id: box}."""
    sequence = describe(name)
    caps = (f'video/x-raw,format=GRAY8,width={sequence["imWidth"]},height={sequence["imHeight"]},'
            f'framerate={sequence["frameRate"]}/1')
    found = lines.push(f'glestrack {settings} ! glesjson', caps, buffers(name, every), stamp=False)[0]
    return [{track['id']: tuple(track['box']) for track in json.loads(line)['tracks']
             if track['state'] in ('confirmed', 'predicted')} for line in found]


def total(scores):
    """One score of many sequences: IDF1 is weighted by boxes of truth."""
    scores = list(scores)
    n_truth, n_missed, n_false, switches = (
        sum(getattr(score, name) for score in scores) for name in ('n_truth', 'n_missed', 'n_false', 'switches'))
    return metrics.Score(sum(score.idf1 * score.n_truth for score in scores) / n_truth,
                         1 - (n_missed + n_false + switches) / n_truth, switches, n_truth, n_missed, n_false)
