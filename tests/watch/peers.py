#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cameras that misbehave beside one that does not: peers.py PROGRAM. What they do stays with them, whatever it is; the
program tells it, goes on, reads its configuration again, and ends."""
import contextlib
import datetime
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from hostile import MODES  # noqa: E402
from pipelines import running, wait_for  # noqa: E402
from watching import Watch, events_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
# black and white in turn, so that an event begins every second
GOOD = '''[defaults]
device=cpu
events=black
stall-timeout=1
[camera good]
uri=test:blink,64x48,2
set=glesevents.black-min-duration=0
[publish file]
method=file
address=lines.ndjson
'''


def starts_of(folder, camera, *kinds):
    return [event for event in events_of(folder / 'lines.ndjson')
            if event['tags']['camera'] == camera and event['event'] in kinds and event['phase'] == 'start']


def check_good(folder, seconds):
    """The events of the good camera are there, and came in time."""
    times = [datetime.datetime.strptime(event['utc'][:26], '%Y-%m-%dT%H:%M:%S.%f') for event in
             starts_of(folder, 'good', 'black')]
    gaps = [(after - before).total_seconds() for before, after in zip(times, times[1:])]
    assert len(times) >= seconds - 4 and max(gaps) < 2.5, (seconds, len(times), gaps)


def peak_mb(pid):
    return int(pathlib.Path(f'/proc/{pid}/status').read_text().split('VmHWM:')[1].split()[0]) // 1024


def end_in_time(watch, status=0):
    watch.process.terminate()
    assert watch.process.wait(timeout=10) == status, watch.log.read_text()


def check_hostile_cameras(folder):
    begin = time.monotonic()
    with running([sys.executable, HERE / 'hostile.py', *MODES], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as servers:
        ports = servers.stdout.readline().split()
        evil = ''.join(f'[camera {mode}]\nuri=rtsp://127.0.0.1:{port.decode()}/x\n' for mode, port in zip(MODES, ports))
        with Watch(PROGRAM, folder, GOOD + evil) as watch:
            for mode in MODES:
                wait_for(lambda: starts_of(folder, mode, 'lost', 'stalled'), f'{mode}: lost or stalled')
                wait_for(lambda: watch.get('restarts_total', mode) > 0, f'{mode}: a new pipeline')
            wait_for(lambda: watch.metrics()['gst_gles_watch_abandoned'] == 0, 'the end of all pipelines')
            watch.write(GOOD)
            watch.process.send_signal(signal.SIGHUP)
            wait_for(lambda: len([name for name in watch.metrics() if 'camera_up' in name]) == 1, 'the reload', 5)
            watch.write(GOOD + evil)
            watch.process.send_signal(signal.SIGHUP)
            wait_for(lambda: len([name for name in watch.metrics() if 'camera_up' in name]) == 1 + len(MODES), 'another', 5)
            time.sleep(2)
            peak = peak_mb(watch.process.pid)
            assert watch.get('restarts_total', 'good') == 0
            end_in_time(watch)
    check_good(folder, time.monotonic() - begin)
    assert peak < 2000, f'{peak} MB'
    print(f'{time.monotonic() - begin:.1f} s, {peak} MB at most')


def stuck(folder, n):
    """Returns cameras that read from named pipes, which opening waits for, whatever is done to the pipeline."""
    for number in range(n):
        os.mkfifo(folder / f'pipe{number}')
    return ''.join(f'[camera stuck{number}]\nuri=file://{folder}/pipe{number}\n' for number in range(n))


def release(pipe):
    """Lets those go on that open the pipe, which an element does several times."""
    with contextlib.suppress(OSError):
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    return True


def check_pipeline_that_does_not_end(folder):
    """It is counted and replaced, and is over when it ends after all. The end of the program does not wait for it."""
    begin = time.monotonic()
    with Watch(PROGRAM, folder, GOOD + stuck(folder, 1)) as watch:
        wait_for(lambda: starts_of(folder, 'stuck0', 'stalled'), 'stalled', 8)
        wait_for(lambda: watch.metrics()['gst_gles_watch_abandoned'] == 1, 'an abandoned pipeline')
        assert 'stuck0: the pipeline does not end' in watch.log.read_text()
        wait_for(lambda: watch.get('restarts_total', 'stuck0') == 1, 'another pipeline')
        wait_for(lambda: release(folder / 'pipe0') and watch.metrics()['gst_gles_watch_abandoned'] == 0, 'its end')
        assert watch.metrics()['gst_gles_watch_abandoned_total'] == 1
        time.sleep(2)
        end_in_time(watch)
    check_good(folder, time.monotonic() - begin)


def check_too_many_that_do_not_end(folder):
    """The program ends with a status of its own, and what waits for the broker is kept."""
    text = GOOD + stuck(folder, 65) + '[publish broker]\naddress=127.0.0.1:1\n[watch]\nstate-directory=state\n'
    with Watch(PROGRAM, folder, text) as watch:
        assert watch.process.wait(timeout=40) == 3, watch.log.read_text()
        assert 'more than 64 pipelines do not end' in watch.log.read_text()
    spooled = b''.join(path.read_bytes() for path in (folder / 'state/spool/broker').iterdir())
    lines = events_of(folder / 'lines.ndjson')
    missing = [event['id'] for event in lines if event['id'].encode() not in spooled]
    assert not missing and len(starts_of(folder, 'stuck64', 'stalled')) == 1, missing


def main():
    for check in (check_hostile_cameras, check_pipeline_that_does_not_end, check_too_many_that_do_not_end):
        with tempfile.TemporaryDirectory() as name, contextlib.suppress(ProcessLookupError):
            check(pathlib.Path(name))
            print(check.__name__, flush=True)


main()
