#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""300 cameras with pictures of events, begun with the soft limit of descriptors that a service manager gives; and a hard
limit that is too low: many.py PROGRAM."""
import contextlib
import os
import pathlib
import resource
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from pipelines import wait_for  # noqa: E402
from watching import Watch, events_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
N = 300
DEFAULTS = '''[defaults]
device=cpu
events=black
stall-timeout=60
set=glesevents.black-min-duration=0
[thumbnails]
directory=pictures
width=64
[publish file]
method=file
address=lines.ndjson
'''


def cameras(n):
    return DEFAULTS + ''.join(f'[camera c{number}]\nuri=test:blink,160x120,2\n' for number in range(n))


def count_pictures(folder):
    return len([event for event in events_of(folder / 'lines.ndjson') if 'picture' in event])


def count_up(watch):
    """0 while the program is too busy to answer."""
    with contextlib.suppress(TimeoutError):
        return sum(value for name, value in watch.metrics().items() if 'camera_up' in name)
    return 0


def check_many(folder):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 5000:
        print(f'not more than {hard} descriptors here')
        sys.exit(77)
    with Watch(PROGRAM, folder, cameras(N),
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))) as watch:
        # some cameras have two before others have their first
        wait_for(lambda: count_pictures(folder) > N, 'pictures', 60)
        wait_for(lambda: count_up(watch) == N, 'all cameras', 60)
        n = len(os.listdir(f'/proc/{watch.process.pid}/fd'))
        # two for the bus of each pipeline, and two for a pool of buffers
        assert n < 5 * N, f'{n} descriptors'
        assert count_up(watch) == N
        begin = time.monotonic()
        watch.reload(cameras(N) + '[camera more]\nuri=test:blink,160x120,2\n')
        wait_for(lambda: watch.get('camera_up', 'more') == 1, 'one more', 10)
        print(f'{n} descriptors; one more after {time.monotonic() - begin:.1f} s')
        watch.end()
        assert not any(word in watch.log.read_text() for word in ('CRITICAL', 'WARNING')), watch.log.read_text()


def check_low_limit(folder):
    with Watch(PROGRAM, folder, cameras(10),
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))) as watch:
        wait_for(lambda: '10 cameras may need 288 descriptors, and the limit is 200' in watch.log.read_text(), 'a warning')
        watch.end()


def main():
    for check in (check_many, check_low_limit):
        with tempfile.TemporaryDirectory() as name:
            check(pathlib.Path(name))


main()
