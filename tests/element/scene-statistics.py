# SPDX-License-Identifier: LGPL-2.1-or-later
"""examples/scene-statistics.py finds the cuts and black frames that FFmpeg finds, as
docs/scene-statistics.md says.

Argument: the source folder. Skips without the clips (../shared/media beside it) or ffmpeg."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

CUTS = [30, 76, 137, 187, 242]


def load(root):
    path = os.path.join(root, 'examples', 'scene-statistics.py')
    spec = importlib.util.spec_from_file_location('scene_statistics', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def analyse(program, clip, folder):
    lines = os.path.join(folder, 'lines.ndjson')
    subprocess.run(['gst-launch-1.0', '-q', 'filesrc', f'location={clip}', '!', 'decodebin', '!',
                    'gleshistogram', 'device=cpu', '!', 'glesjson', '!', 'filesink',
                    f'location={lines}'], check=True)
    return program.read(lines)


def ffmpeg(clip, filters):
    """What FFmpeg logs, and its metadata, of a clip."""
    return subprocess.run(['ffmpeg', '-hide_banner', '-nostdin', '-i', clip, '-an', '-vf',
                           filters + ',metadata=print:file=-', '-f', 'null', '-'], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def cuts_of(program, frames):
    return [i for i, score in enumerate(program.cut_scores(frames)) if score >= 0.095]


def check_cuts(program, media, folder):
    clip = os.path.join(media, 'scene-cuts-yuv444.mp4')
    found = cuts_of(program, analyse(program, clip, folder))
    assert found == CUTS, f'cuts at {found}'
    scores = [float(s) for s in re.findall(r'^lavfi.scd.score=(.*)$', ffmpeg(clip, 'scdet'), re.M)]
    assert [i for i, score in enumerate(scores) if score >= 5] == CUTS
    calm = os.path.join(media, 'car-detection.mp4')
    found = cuts_of(program, analyse(program, calm, folder))
    assert found == [], f'cuts at {found} of traffic without any'


def check_black(program, media, folder):
    faded = os.path.join(folder, 'faded.mkv')
    subprocess.run(['ffmpeg', '-loglevel', 'error', '-nostdin', '-y', '-i',
                    os.path.join(media, 'car-detection.mp4'), '-frames:v', '120', '-an', '-vf',
                    'fade=out:20:60', '-c:v', 'ffv1', '-pix_fmt', 'yuv420p', faded], check=True)
    frames = analyse(program, faded, folder)
    said = ffmpeg(faded, 'blackdetect=d=0,blackframe=amount=0')
    percent = [int(p) for p in re.findall(r'^lavfi.blackframe.pblack=(\d+)$', said, re.M)]
    assert len(percent) == len(frames) == 120
    luma = [frame['histogram']['channels'][0] for frame in frames]
    assert percent == [sum(c['counts'][:32]) * 100 // c['count'] for c in luma]
    start, end = map(float, re.search(r'black_start:(\S+) black_end:(\S+)', said).groups())
    black = program.spans([program.shares(f, False)[0] >= 0.98 for f in frames])
    assert [[frames[a]['pts'] / 1e9, frames[b]['pts'] / 1e9] for a, b in black] == [[start, end]]


def main(root):
    media = os.path.join(root, '..', 'shared', 'media')
    if not os.path.isdir(media) or not shutil.which('ffmpeg'):
        print('no clips in ../shared/media, or no ffmpeg')
        sys.exit(77)
    program = load(root)
    with tempfile.TemporaryDirectory() as folder:
        check_cuts(program, media, folder)
        check_black(program, media, folder)
    print('cuts and black frames are those of FFmpeg')


if __name__ == '__main__':
    main(sys.argv[1])
