#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-watch-1.0 that is killed at random moments of reloads, with a broker that answers or does not: each line that a
spool had arrives, in order, and what began ends once.

kills.py PROGRAM [--kills N] [--seed N]: the test takes 8 kills; 200 take some minutes."""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'publish'))
from pipelines import Subscriber, broker, free_port, running, wait_for  # noqa: E402

HEAD = struct.Struct('=IIIIQ')
MAGIC = 0x47505231


def read_spool(folder):
    """The lines that were not acknowledged, oldest first. A program that runs may remove what it has sent."""
    lines = []
    position = (folder / 'position').read_text().split() if (folder / 'position').exists() else []
    segment, offset = (int(text, 16) for text in position) if position else (0, 0)
    for path in sorted(folder.glob('*.spool')):
        try:
            number, data = int(path.stem, 16), path.read_bytes()
        except FileNotFoundError:
            continue  # a program that runs has sent it
        at = offset if number == segment else 0
        while number >= segment and at + HEAD.size <= len(data):
            magic, n_topic, n_data, _, _ = HEAD.unpack_from(data, at)
            end = at + HEAD.size + n_topic + n_data
            if magic != MAGIC or end > len(data):
                break  # what the kill left of a record
            lines.append(data[end - n_data:end].decode())
            at = end
    return lines


class Stage:
    def __init__(self, folder, program, seed):
        self.folder, self.program, self.random = folder, program, random.Random(seed)
        self.port = free_port()
        self.promised = []

    def configure(self):
        """Cameras come and go or change, and so do publishers."""
        text = '[defaults]\ndevice=cpu\nevents=black+cut\nset=glesevents.black-min-duration=0\n'
        for number in range(4):
            kind = self.random.choice(('blink,64x48,10', 'blink,64x48,15', None)) if number else 'blink,64x48,10'
            if kind:
                text += f'[camera c{number}]\nuri=test:{kind}\n'
        text += f'[publish p]\naddress=127.0.0.1:{self.port}\nqueue-bytes={self.random.choice((4194304, 8388608))}\n'
        text += f'home-assistant={self.random.choice(("true", "false"))}\n'
        if self.random.random() < 0.3:
            text += '[publish file]\nmethod=file\naddress=lines\n'
        text += '[camera away]\nuri=file:///no/file\n[watch]\nstate-directory=state\n'
        (self.folder / 'watch.conf').write_text(text)

    def log(self):
        return (self.folder / 'log').read_text(errors='replace')[-2000:]

    def start(self):
        self.configure()
        return running([self.program, 'watch.conf'], cwd=self.folder, stderr=(self.folder / 'log').open('ab'))

    def kill_once(self, mosquitto):
        stopped = self.random.random() < 0.5
        with self.start() as process:
            time.sleep(self.random.uniform(0.3, 1.3))
            if stopped:
                mosquitto.send_signal(signal.SIGSTOP)
                time.sleep(self.random.uniform(0, 0.5))
            self.configure()
            process.send_signal(signal.SIGHUP)
            time.sleep(self.random.uniform(0, 0.6))
            # a signal before the first instruction of the program is a kill, too
            assert process.poll() in (None, -signal.SIGHUP), self.log()
            process.kill()
        mosquitto.send_signal(signal.SIGCONT)
        self.promised.append(read_spool(self.folder / 'state/spool/p'))

    def end(self, subscriber):
        """A program that ends well: all is sent, and nothing lasts."""
        spool = self.folder / 'state/spool/p'
        for _ in range(5):
            before = len(subscriber.read())
            with self.start() as process:
                wait_for(lambda: len(subscriber.read()) > before and not read_spool(spool), 'the lines of the spool', 30)
                # what waited in the broker may arrive before the program runs
                time.sleep(1)
                process.terminate()
                assert process.wait(timeout=20) == 0, self.log()
            # a slow machine does not send all in the second of its end
            if not read_spool(spool):
                break
        assert not read_spool(spool)
        left = [path.name for path in (self.folder / 'state/open').iterdir() if path.name != 'lock']
        assert not left, left
        time.sleep(1)
        return [text for _, text in subscriber.read()]


def check(promised, received):
    places = {line: number for number, line in reversed(list(enumerate(received)))}
    missing = [line for lines in promised for line in lines if line not in places]
    assert not missing, f'{len(missing)} lines did not arrive: {missing[:3]}'
    for lines in promised:
        # ends may have been sent before, and again by the next process
        order = [places[line] for line in lines if '"phase":"end"' not in line]
        assert order == sorted(order), 'lines arrived in another order'
    texts = collections.defaultdict(set)
    for line in received:
        event = json.loads(line)
        texts[event['id'], event['phase']].add(line)
    twice = {key: value for key, value in texts.items() if len(value) > 1}
    assert not twice, twice
    endless = [key for key, phase in texts if phase == 'start' and (key, 'end') not in texts]
    assert not endless, f'{len(endless)} events did not end: {[texts[key, "start"] for key in endless[:3]]}'
    n_interrupted = sum('"cause":"interrupted"' in line for line in set(received))
    print(f'{sum(map(len, promised))} promised lines, all arrived; {len(set(received))} lines, {len(received)} with doubles; '
          f'{n_interrupted} events were interrupted')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('unused', nargs='*')
    parser.add_argument('--kills', type=int, default=8)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    if not all(shutil.which(name) for name in ('mosquitto', 'mosquitto_sub')):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stage = Stage(folder, os.path.abspath(arguments.program), arguments.seed)
        with broker(folder, stage.port) as mosquitto:
            subscriber = Subscriber(folder, stage.port, '-W', str(60 + 10 * arguments.kills), topic='gles/+/events')
            subprocess.run(['mosquitto_pub', '-p', str(stage.port), '-t', 'gles/x/events', '-m', '{}', '-r'], check=True)
            wait_for(subscriber.read, 'the subscriber')
            for _ in range(arguments.kills):
                stage.kill_once(mosquitto)
            received = stage.end(subscriber)[1:]
            subscriber.close()
        check(stage.promised, received)


main()
