#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""glespublish writes what glesjson writes, to files and descriptors, and passes buffers through."""
import os
import pathlib
import subprocess
import tempfile

import pipelines
from pipelines import launch, line, warnings

# what differs from run to run: videotestsrc has another stream id each time
SAME = 'sed s/"stream_id":"[0-9a-f]*"/"stream_id":null/;s/"id":"[0-9a-f]*"/"id":null/'.split()


def without_ids(text):
    return subprocess.run(SAME, input=text, check=True, capture_output=True, text=True).stdout


def check_lines():
    for what, options in (('events', 'frames=false'), ('frames', 'events=false'), ('both', '')):
        wanted, _ = launch(line(f'glesjson tags={{"camera":"a"}} counts=false points=false {options} ! fdsink'))
        got, _ = launch(line(f'glespublish method=fd tags={{"camera":"a"}} what={what} ! fakesink'))
        assert without_ids(got) == without_ids(wanted), (what, got, wanted)
        assert len(got.splitlines()) == {'events': 2, 'frames': 20, 'both': 22}[what], (what, got)


def check_buffers():
    """Behind the element there is what is there without it."""
    wanted, _ = launch(line('glesjson ! fdsink'))
    got, _ = launch(line('glespublish method=file address=/dev/null what=both ! glesjson ! fdsink'))
    assert without_ids(got) == without_ids(wanted)


def check_file(folder):
    """A file is appended to, and a last event that no frame brings is there."""
    path = folder / 'lines.ndjson'
    for n in (2, 4):
        launch(line(f'glespublish address={path} ! fakesink'))
        assert len(path.read_text().splitlines()) == n, path.read_text()
    assert '"cause":"eos"' in path.read_text().splitlines()[-1]


def check_mistakes(folder):
    os.mkfifo(folder / 'pipe')
    for settings, said in ((f'address={folder}/no/where', 'cannot open'), ('method=fd address=77', 'descriptor 77'),
                           (f'address={folder}/pipe', 'cannot open'),
                           ('', 'address is not set'), ('method=fd topic=a/{b}', '{b}; there are {event}'),
                           ('method=fd topic=a/#', 'subscribers'), ('method=fd tags=5', 'object'),
                           ('method=mqtt address=h:99999', 'HOST[:PORT]'),
                           ('method=mqtt user=u password-file=/no/file', 'password-file')):
        done = subprocess.run(['gst-launch-1.0', '-q', *line(f'glespublish {settings} ! fakesink').split()], timeout=60,
                              capture_output=True, text=True)
        assert done.returncode != 0 and said in done.stderr, (settings, done.stderr)


def check_pipe_that_nobody_reads():
    """Neither the stream nor the end waits for it."""
    reader, writer = os.pipe()
    launch(line(f'glespublish method=fd address={writer} what=both counts=true drain-timeout=100 queue-bytes=16384 '
                '! fakesink', n=300), pass_fds=[writer])
    os.close(writer)
    os.close(reader)


def check_full_disk():
    said = warnings(line('glespublish address=/dev/full drain-timeout=100 ! fakesink'))
    assert 'No space left' in said and '2 records could not be sent' in said, said


def main():
    pipelines.skip_without('gst-launch-1.0')
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_lines()
        check_buffers()
        check_file(folder)
        check_mistakes(folder)
        check_pipe_that_nobody_reads()
        check_full_disk()

main()
