# SPDX-License-Identifier: LGPL-2.1-or-later
"""Scores cuts and transitions that glesevents and FFmpeg's scdet find in the clips that sets.py made.

    score.py FOLDER [--each] [NAME ...]

Prints for each kind of clips how many true cuts there are, and how many of them either finds and how many more it
reports. A cut counts as found within two frames, and once. --each prints the clips one by one, with the frames."""
import glob
import json
import os
import re
import subprocess
import sys


def glesevents(clip):
    """Numbers of the frames with a cut, and first and last frame and kind of transitions."""
    lines = subprocess.run(
        ['gst-launch-1.0', '-q', 'filesrc', f'location={clip}', '!', 'decodebin', '!', 'videoconvert', '!',
         'gleshistogram', 'device=cpu', 'mad=true', 'mad-noise=0.001', '!', 'glesevents', '!', 'glesjson',
         'counts=false', '!', 'fdsink'], check=True, stdout=subprocess.PIPE, text=True).stdout
    events = [e for e in map(json.loads, lines.splitlines()) if 'event' in e]
    return ([e['frame'] for e in events if e['event'] == 'cut'],
            [(e['start_frame'], e['frame'], e.get('transition', ''))
             for e in events if e['event'] == 'transition' and e['phase'] == 'end'])


def scdet(clip):
    said = subprocess.run(['ffmpeg', '-hide_banner', '-nostdin', '-i', clip, '-an', '-vf',
                           'scdet,metadata=print:file=-', '-f', 'null', '-'], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout
    scores = re.findall(r'^lavfi.scd.score=(.*)$', said, re.M)
    return [i for i, score in enumerate(scores) if float(score) >= 10]


def compare(true, found, within=2):
    """The true ones that were missed, and those found that are wrong."""
    wrong, missed = list(found), []
    for cut in true:
        near = min(wrong, key=lambda f: abs(f - cut), default=None)
        if near is None or abs(near - cut) > within:
            missed.append(cut)
        else:
            wrong.remove(near)
    return missed, wrong


def compare_transitions(true, found):
    """How many true ones are overlapped by one found, and how many found overlap none."""
    def hit(a, b):
        return min(a[1], b[1]) - max(a[0], b[0]) >= 0
    return (sum(any(hit(t, f) for f in found) for t in true), sum(not any(hit(t, f) for t in true) for f in found))


def main():
    each = '--each' in sys.argv
    folder, *names = [a for a in sys.argv[1:] if a != '--each']
    total = {}
    for path in sorted(glob.glob(f'{folder}/*.json')):
        name = os.path.basename(path)[:-5]
        if names and name not in names:
            continue
        with open(path, encoding='utf-8') as file:
            truth = json.load(file)
        clip = next(clip for clip in glob.glob(f'{path[:-5]}.*') if clip != path)
        cuts, transitions = glesevents(clip)
        theirs = scdet(clip)
        row = [len(truth['cuts'])]
        for found in cuts, theirs:
            missed, wrong = compare(truth['cuts'], found)
            row += [len(truth['cuts']) - len(missed), len(wrong)]
            if each:
                print(name, 'glesevents' if found is cuts else 'scdet', 'missed', missed, 'wrong', wrong)
        found, wrong = compare_transitions(truth['transitions'], transitions)
        row += [truth['frames'], len(truth['transitions']), found, wrong]
        if each:
            print(name, 'transitions', transitions, 'true', truth['transitions'])
        print(f'{name:20} {truth["kind"]:10}', row, flush=True)
        for key in truth['kind'], 'all':
            total[key] = [a + b for a, b in zip(total.get(key, [0] * len(row)), row)]
    print('kind: true, glesevents found, wrong, scdet found, wrong, frames, true transitions, found, wrong')
    for key, row in total.items():
        print(f'{key:10}', row)


if __name__ == '__main__':
    main()
