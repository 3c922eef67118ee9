# SPDX-License-Identifier: LGPL-2.1-or-later
"""Results travel to another process with the buffers that carry them: unixfdsink ! unixfdsrc.

glesjson writes the same lines on both sides. Skips where there is no unixfdsink (GStreamer < 1.24)."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

N_FRAMES = 30
ANALYSE = (f'videotestsrc num-buffers={N_FRAMES} pattern=ball ! '
           'video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! '
           'gleshistogram device=cpu grid-columns=2 ! glescompact device=cpu predicate=motion lower=24 {compact} ! '
           'glestiles device=cpu ! {rest}')
WRITE = 'glesjson ! filesink location={file}'
# slowly: who comes a little late must find frames left
SEND = 'identity sleep-time=50000 ! queue ! unixfdsink socket-path={socket} sync=false'
RECEIVE = 'unixfdsrc socket-path={socket} ! ' + WRITE


def launch(line):
    return subprocess.Popen(['gst-launch-1.0', '-q', *line.split()])


def read(name):
    """Lines without the stream's id, which a test source draws at random."""
    with open(name, encoding='utf-8') as file:
        return [re.sub('"stream_id":"[^"]*",', '', line) for line in file]


def send(compact):
    """The lines that one process writes, and those of another one that got the same frames."""
    with tempfile.TemporaryDirectory() as folder:
        here, there, socket = (os.path.join(folder, name) for name in ('here', 'there', 'socket'))
        assert launch(ANALYSE.format(compact=compact, rest=WRITE.format(file=here))).wait() == 0
        sender = launch(ANALYSE.format(compact=compact, rest=SEND.format(socket=socket)))
        while not os.path.exists(socket):
            assert sender.poll() is None, 'the sender ended before it began'
            time.sleep(0.005)
        receiver = launch(RECEIVE.format(socket=socket, file=there))
        assert sender.wait() == 0 and receiver.wait() == 0
        return read(here), read(there)


def main():
    if subprocess.run(['gst-inspect-1.0', '--exists', 'unixfdsink']).returncode != 0:
        print('no unixfdsink: GStreamer 1.24 and its "bad" plugins have one')
        sys.exit(77)
    sent, received = send('')
    assert len(sent) == N_FRAMES
    # the first frames may have gone before there was anybody to receive them
    assert len(received) > N_FRAMES // 2, f'{len(received)} of {N_FRAMES} lines arrived'
    assert received == sent[-len(received):], 'lines differ'
    last = json.loads(received[-1])
    assert last['frame'] == N_FRAMES - 1 and last['tiles']['total'] == last['points']['total'] > 0
    assert len(last['histogram']['channels'][0]['counts']) == 2
    # what stayed on the device cannot travel; the rest does
    sent, received = send('readback=false')
    assert len(received) > N_FRAMES // 2 and received == sent[-len(received):]
    assert list(json.loads(received[-1]))[-2:] == ['histogram', 'tiles']
    print('lines of both processes are the same')


if __name__ == '__main__':
    main()
