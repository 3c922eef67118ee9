#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cameras that misbehave beside one that does not: peers.py PROGRAM. What they do stays with them, whatever it is; the
program tells it, goes on, reads its configuration again, and ends."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from hostile import MODES  # noqa: E402
from pipelines import running, wait_for  # noqa: E402
from watching import GOOD, Watch, check_good, starts_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])


def peak_mb(pid):
    return int(pathlib.Path(f'/proc/{pid}/status').read_text().split('VmHWM:')[1].split()[0]) // 1024


def count_cameras(watch):
    return len([name for name in watch.metrics() if 'camera_up' in name])


def play(folder, evil):
    begin = time.monotonic()
    # rtspsrc asks for the 2 GB that an answer announces, which that variable would have filled
    with Watch(PROGRAM, folder, GOOD + evil, env={**os.environ, 'MALLOC_PERTURB_': '0'}) as watch:
        for mode in MODES:
            wait_for(lambda: starts_of(folder, mode, 'lost', 'stalled'), f'{mode}: lost or stalled')
            wait_for(lambda: watch.get('restarts_total', mode) > 0, f'{mode}: a new pipeline')
        wait_for(lambda: watch.metrics()['gst_gles_watch_abandoned'] == 0, 'the end of all pipelines')
        watch.reload(GOOD)
        wait_for(lambda: count_cameras(watch) == 1, 'the reload', 2)
        watch.reload(GOOD + evil)
        wait_for(lambda: count_cameras(watch) == 1 + len(MODES), 'another reload', 2)
        time.sleep(2)
        peak = peak_mb(watch.process.pid)
        assert watch.get('restarts_total', 'good') == 0
        check_good(folder)
        watch.end()
    # 300 MB come in less time than the program looks; ThreadSanitizer has shadows of what is written
    assert peak < (4000 if 'TSAN_OPTIONS' in os.environ else 2000), f'{peak} MB'
    print(f'{time.monotonic() - begin:.1f} s, {peak} MB at most')


def main():
    with tempfile.TemporaryDirectory() as folder, running(
            [sys.executable, HERE / 'hostile.py', *MODES], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as servers:
        ports = servers.stdout.readline().decode().split()
        play(pathlib.Path(folder),
             ''.join(f'[camera {mode}]\nuri=rtsp://127.0.0.1:{port}/x\n' for mode, port in zip(MODES, ports)))


main()
