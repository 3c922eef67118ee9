#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""glespublish without a broker, with one that is killed, with one that answers nonsense, killed itself, and without room."""
import json
import os
import pathlib
import resource
import signal
import socket
import tempfile
import threading
import time

import pipelines
from pipelines import Subscriber, broker, free_port, line, pipeline, running, wait_for, warnings

KEEP = 'persistence true\npersistence_location {}/\nautosave_interval 1\nautosave_on_changes true\nallow_anonymous true'


def frames(settings, n=100000, live='is-live=true'):
    """A line for each frame, which says which frame it is, to the broker and before that to a file."""
    return line(f'glespublish method=mqtt what=frames topic=f/a {settings} ! fakesink', n=n, live=live)


def numbers(messages):
    return [json.loads(text)['frame'] for _, text in messages]


def check_late_broker(folder):
    """A broker that is not there is no error, and what waits arrives when it comes."""
    port = free_port()
    with pipeline(frames(f'address=127.0.0.1:{port}')):
        time.sleep(1)
        with broker(folder, port, KEEP.format(folder)):
            subscriber = Subscriber(folder, port, topic='f/#')
            got = numbers(subscriber.wait(30))
            assert got == list(range(got[0], got[0] + len(got))), got
            subscriber.close()


def check_killed_broker(folder):
    """A broker that is killed and comes back gets all, in order."""
    port = free_port()
    subscriber = Subscriber(folder, port, '-c', '-i', 'failures', topic='f/#')
    with broker(folder, port, KEEP.format(folder)):
        # it does not answer at once, so the subscriber is there before the frames
        subscriber.close()
        subscriber = Subscriber(folder, port, '-c', '-i', 'failures', topic='f/#')
        time.sleep(0.5)
        with pipeline(frames(f'address=127.0.0.1:{port}')):
            subscriber.wait(20)
            os.kill(find_broker(folder), signal.SIGKILL)
            time.sleep(1.5)
            with broker(folder, port, KEEP.format(folder)):
                wait_for(lambda: numbers(subscriber.read())[-1] > 90, 'the frames after the kill')
    got = list(dict.fromkeys(numbers(subscriber.read())))
    assert got == list(range(got[-1] + 1)), got
    subscriber.close()


def find_broker(folder):
    """The process that has our configuration."""
    name = f'{folder}/mosquitto.conf'.encode()
    for path in pathlib.Path('/proc').glob('[0-9]*/cmdline'):
        try:
            if name in path.read_bytes().split(b'\0'):
                return int(path.parent.name)
        except OSError:
            continue
    raise AssertionError('no broker')


def check_killed_element(folder):
    """What is in the spool is sent by the next process; doubles are equal."""
    port = free_port()
    spool = folder / 'spool'
    settings = f'address=127.0.0.1:{port} spool-directory={spool}'
    for _ in range(3):
        before = spooled(spool)
        with pipeline(frames(settings)) as process:
            wait_for(lambda: spooled(spool) > before + 20, 'lines in the spool')  # pylint: disable=cell-var-from-loop
            process.kill()
    with broker(folder, port, KEEP.format(folder)):
        subscriber = Subscriber(folder, port, topic='f/#')
        time.sleep(0.5)
        with pipeline(frames(settings)):
            wait_for(lambda: [len(run) > 10 for run in runs(numbers(subscriber.read()))] == [True] * 4,
                     'the frames of four processes')
        got = numbers(subscriber.read())
        assert all(run == list(range(len(run))) and len(run) > 10 for run in runs(got)), runs(got)
        # sent, so not sent again
        before = len(subscriber.read())
        warnings(frames(settings, n=5, live=''))
        wait_for(lambda: numbers(subscriber.read()[before:])[-5:] == list(range(5)), 'the frames of the last process')
        subscriber.close()


def spooled(spool):
    """How many lines are in the spool."""
    return sum(path.read_bytes().count(b'"frame":') for path in spool.glob('*') if path.name != 'position')


def runs(got):
    """Parts of @got that begin with 0, without what came twice in a row of the same."""
    parts = []
    for number in got:
        if number == 0 and (not parts or parts[-1] != [0]):
            parts.append([])
        if parts and number not in parts[-1][-64:]:
            parts[-1].append(number)
    return parts


def check_bounds(folder):
    """The oldest go, which is told once, and no stream waits for it."""
    port = free_port()
    said = warnings(frames(f'address=127.0.0.1:{port} spool-directory={folder}/small spool-bytes=262144 counts=true '
                           'drain-timeout=0', n=1000, live=''))
    assert said.count('records are dropped, the oldest first') == 1, said
    assert sum(path.stat().st_size for path in (folder / 'small').iterdir()) < 400000
    said = warnings(frames(f'address=127.0.0.1:{port} queue-bytes=16384 counts=true drain-timeout=0', n=200, live=''))
    assert said.count('records are dropped, the oldest first') == 1 and 'a spool keeps them' in said, said


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))


def check_full_disk(folder):
    """Lines that the disk does not take wait in memory, and arrive."""
    port = free_port()
    with pipeline(frames(f'address=127.0.0.1:{port} spool-directory={folder}/full counts=true'), preexec_fn=limit):
        time.sleep(2.5)
        with broker(folder, port, KEEP.format(folder)):
            subscriber = Subscriber(folder, port, topic='f/#')
            wait_for(lambda: numbers(subscriber.read())[-1:] > [100], 'the frames')
            got = numbers(subscriber.read())
            assert got == list(range(got[0], got[0] + len(got))), got
            subscriber.close()


class Nonsense(threading.Thread):
    """A broker that answers with what a client must not believe."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.socket = socket.create_server(('127.0.0.1', 0))
        self.answer, self.n = answer, 0

    def run(self):
        while True:
            peer, _ = self.socket.accept()
            self.n += 1
            try:
                with peer:
                    peer.recv(1000)
                    peer.sendall(self.answer)
                    time.sleep(0.05)
            except OSError:
                pass


def check_nonsense():
    accepted, accepted_5 = bytes([0x20, 2, 0, 0]), bytes([0x20, 3, 0, 0, 0])
    # libmosquitto ends the process where it finds a property that does not exist
    unknown = bytes([0x20, 5, 0, 0, 2, 0x7f, 0])
    acknowledged, unknown_later = bytes([0x40, 2, 0, 1]), bytes([0x40, 6, 0, 2, 0, 2, 0x7f, 0])
    for answer in (unknown, accepted_5 + acknowledged + unknown_later, b'', os.urandom(3000), b'HTTP/1.0 400 Bad Request\r\n\r\n', bytes([0x20, 2, 0, 9]), accepted,
                   accepted + bytes([0x40, 2, 0, 77]) * 20, accepted + bytes([0x30, 0xff, 0xff, 0xff, 0x7f]),
                   bytes([0x20, 0xff, 0xff, 0xff, 0xff, 0xff])):
        server = Nonsense(answer)
        server.start()
        with pipeline(frames(f'address=127.0.0.1:{server.socket.getsockname()[1]} drain-timeout=1200')) as process:
            wait_for(lambda: server.n >= 2, f'a second connection after {answer[:10]}')  # pylint: disable=cell-var-from-loop
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 0


class Deaf(Nonsense):
    """A broker that reads nothing of its first client but the greeting, and all of the next one."""

    def __init__(self):
        super().__init__(bytes([0x20, 2, 0, 0]))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.n_bytes = 0

    def run(self):
        peer, _ = self.socket.accept()
        with peer:
            peer.recv(1000)
            peer.sendall(self.answer)
            time.sleep(4)
        peer, _ = self.socket.accept()
        with peer:
            peer.recv(1000)
            peer.sendall(self.answer)
            while data := peer.recv(65536):
                self.n_bytes += len(data)


def check_lost_without_answers():
    """With QoS 0 nothing tells of lines that a lost connection took along; those behind them are sent."""
    server = Deaf()
    server.start()
    tags = '{"camera":"' + 'x' * 16000 + '"}'
    settings = f'address=127.0.0.1:{server.socket.getsockname()[1]} qos=0 tags={tags}'
    with pipeline(frames(settings).replace('25/1', '250/1')):
        wait_for(lambda: server.n_bytes > 30 * len(tags), 'the lines after the connection that was lost')


def check_busy_spool(folder):
    with pipeline(frames(f'address=127.0.0.1:1 spool-directory={folder}/one')):
        wait_for((folder / 'one' / 'position').exists, 'the spool')
        with running(['gst-launch-1.0', *frames(f'address=127.0.0.1:1 spool-directory={folder}/one').split()],
                     stderr=-1) as other:
            assert b'belongs to another publisher' in other.communicate(timeout=30)[1]


def main():
    pipelines.skip_without('mosquitto', 'mosquitto_sub')
    with tempfile.TemporaryDirectory() as name:
        for check in (check_late_broker, check_killed_broker, check_killed_element, check_bounds, check_full_disk,
                      check_busy_spool):
            folder = pathlib.Path(name) / check.__name__
            folder.mkdir()
            check(folder)
        check_nonsense()
        check_lost_without_answers()


main()
