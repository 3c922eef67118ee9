#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cameras of gst-gles-watch-1.0, and processes of gst-gles-report-1.0, decode on all GPUs, for which decoders of the
processor stand: decoders.py PROGRAM PLUGIN REPORT."""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'publish'))
from pipelines import wait_for  # noqa: E402
from watching import Watch  # noqa: E402

PROGRAM, PLUGIN, REPORT = map(os.path.abspath, sys.argv[1:])
N_CAMERAS = 4
SECTION = '[camera c%d]\nuri=%s\ndevice=cpu\n'


def make_clip(folder):
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=4', '-c:v', 'mjpeg',
                    folder / 'clip.mkv'], check=True, env={**os.environ, 'LD_PRELOAD': ''})


def decoders_of_cameras(folder, environment, *keys):
    section = '\n'.join(['[camera c%d]', f'uri={(folder / "clip.mkv").as_uri()}', 'device=cpu', *keys, ''])
    (folder / 'watch.conf').write_text(''.join(section % i for i in range(N_CAMERAS)) +
                                       '[publish file]\nmethod=file\naddress=lines\n')
    told = subprocess.run([PROGRAM, '--once', 'watch.conf'], cwd=folder, text=True, timeout=200, check=True,
                          stdout=subprocess.PIPE, env=environment).stdout
    return sorted(re.findall(r'decoder (\w+),', told))


def check_loss(folder, environment):
    """Cameras of a GPU that is lost go on at the other one, in the time in which docs/watch.md has them tried again."""
    text = ''.join(SECTION % (i, (folder / 'clip.mkv').as_uri()) for i in range(N_CAMERAS))
    cameras = [f'c{i}' for i in range(N_CAMERAS)]
    with Watch(PROGRAM, folder, text, env=environment | {'GPU_DECODERS_LOST': '60'}) as watch:
        moved = set()

        def decoders():
            """The decoder of each camera that has one."""
            return dict(re.findall(r'camera_info{camera="(\w+)".*decoder="(\w+)"', '\n'.join(watch.metrics())))

        def all_moved():
            used = decoders()
            moved.update(camera for camera in used if used[camera] == 'gpu1dec')
            return len(moved) == 2 and list(used.values()) == ['gpu0dec'] * N_CAMERAS
        wait_for(all_moved, 'cameras of the lost GPU at the other one', 20)
        before = {camera: watch.get('frames_total', camera) for camera in cameras}
        wait_for(lambda: all(watch.get('frames_total', camera) > before[camera] + 50 for camera in cameras), 'frames of all', 20)


def main():
    if not shutil.which('ffmpeg') or len(os.sched_getaffinity(0)) < 2:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_clip(folder)
        environment = os.environ | {'GST_PLUGIN_PATH': f'{os.environ["GST_PLUGIN_PATH"]}:{os.path.dirname(PLUGIN)}',
                                    'GST_REGISTRY': str(folder / 'registry')}
        found = decoders_of_cameras(folder, environment)
        assert found == ['gpu0dec', 'gpu0dec', 'gpu1dec', 'gpu1dec'], found
        found = decoders_of_cameras(folder, environment, 'decoder=gpu0dec')
        assert found == ['gpu0dec'] * N_CAMERAS, found
        check_loss(folder, environment)
        used = collections.Counter()
        for cpu in sorted(os.sched_getaffinity(0))[:2]:
            done = subprocess.run(['taskset', '--cpu-list', str(cpu), REPORT, '--no-page', '--ndjson', 'lines', '-d', 'cpu',
                                   'clip.mkv'], cwd=folder, env=environment | {'GST_DEBUG': 'GST_ELEMENT_FACTORY:4'},
                                  text=True, stderr=subprocess.PIPE, timeout=60, check=True)
            # it makes one of each to ask for their GPUs, and a second one of that which decodes
            made = collections.Counter(re.findall(r'creating element "(gpu\ddec)"', done.stderr))
            used[max(made, key=made.get)] += 1
        assert used == {'gpu0dec': 1, 'gpu1dec': 1}, used


main()
