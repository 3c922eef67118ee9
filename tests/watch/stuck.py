#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pipelines that never end, because opening a named pipe waits: stuck.py PROGRAM."""
import concurrent.futures
import contextlib
import os
import pathlib
import socket
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from pipelines import wait_for  # noqa: E402
from watching import GOOD, Watch, check_good, events_of, starts_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])


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
    with Watch(PROGRAM, folder, GOOD + stuck(folder, 1)) as watch:
        wait_for(lambda: starts_of(folder, 'stuck0', 'stalled'), 'stalled', 20)
        wait_for(lambda: watch.metrics()['gst_gles_watch_abandoned'] == 1, 'an abandoned pipeline')
        assert 'stuck0: the pipeline does not end' in watch.log.read_text()
        wait_for(lambda: watch.get('restarts_total', 'stuck0') == 1, 'another pipeline')
        wait_for(lambda: release(folder / 'pipe0') and watch.metrics()['gst_gles_watch_abandoned'] == 0, 'its end')
        assert watch.metrics()['gst_gles_watch_abandoned_total'] == 1
        time.sleep(2)
        check_good(folder)
        watch.end()


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


def check_idle_clients(folder):
    """Those of the metrics are bounded in number and time."""
    with Watch(PROGRAM, folder, GOOD) as watch:
        wait_for(watch.metrics, 'the metrics')
        files = pathlib.Path(f'/proc/{watch.process.pid}/fd')
        before = len(list(files.iterdir()))
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(socket.create_connection(('127.0.0.1', watch.port))) for _ in range(150)]
            for client in clients:
                client.sendall(b'GET /metrics HTTP/1.1\r\nX: ')
            assert watch.metrics() and len(list(files.iterdir())) < before + 50
            clients[-1].settimeout(20)
            clients[-1].recv(1000)
            wait_for(lambda: len(list(files.iterdir())) < before + 10, 'the end of connections')
        watch.end()


def check_quiet_camera(folder):
    """Nothing is kept of the frames of a camera without events."""
    text = '[camera quiet]\nuri=test:smpte75,32x32,1000\ndevice=cpu\nevents=black\n'
    with Watch(PROGRAM, folder, text) as watch:
        status = pathlib.Path(f'/proc/{watch.process.pid}/status')
        sizes = []
        for frames in (3000, 9000):
            wait_for(lambda: watch.get('frames_analysed_total', 'quiet') > frames, 'frames', 40)
            sizes.append(int(status.read_text().split('VmRSS:')[1].split()[0]))
        assert sizes[1] < sizes[0] + 2000, f'{sizes} KB'
        watch.end()


def run(check):
    with tempfile.TemporaryDirectory() as name:
        check(pathlib.Path(name))


def main():
    checks = [check_pipeline_that_does_not_end, check_too_many_that_do_not_end, check_idle_clients]
    # a sanitizer keeps what was freed
    if 'LD_PRELOAD' not in os.environ:
        checks.append(check_quiet_camera)
    # they wait most of the time
    with concurrent.futures.ThreadPoolExecutor(len(checks)) as pool:
        for check, done in [(check, pool.submit(run, check)) for check in checks]:
            done.result()
            print(check.__name__, flush=True)


main()
