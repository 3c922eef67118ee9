# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pipelines as a user writes them, a broker, and what is read of both."""
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time

FRAMES = ('videotestsrc num-buffers={n} pattern={pattern} {live} ! video/x-raw,format=I420,width=64,height=48,framerate=25/1 '
          '! gleshistogram device=cpu ! glesevents events=black black-min-duration=0.2 name=glesevents0')


def skip_without(*programs):
    missing = [name for name in programs if not shutil.which(name)]
    if missing:
        print('not installed:', *missing)
        sys.exit(77)


def line(behind, n=20, pattern='black', live=''):
    return FRAMES.format(n=n, pattern=pattern, live=live) + ' ! ' + behind


def launch(description, **options):
    """Runs a pipeline to its end. Returns what it wrote, and its messages."""
    done = subprocess.run(['gst-launch-1.0', '-q', *description.split()], check=True, capture_output=True, text=True,
                          timeout=120, **options)
    return done.stdout, done.stderr


def warnings(description):
    """Runs a pipeline that has to end well. Returns the warnings of glespublish."""
    done = subprocess.run(['gst-launch-1.0', '-q', *description.split()], check=True, capture_output=True, text=True,
                          timeout=120, env={**os.environ, 'GST_DEBUG': 'glespublish:2', 'GST_DEBUG_NO_COLOR': '1'})
    return done.stderr


@contextlib.contextmanager
def running(command, **options):
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def pipeline(description, **options):
    return running(['gst-launch-1.0', '-q', *description.split()], **options)


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def wait_for(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f'{what}: not within {seconds} s')


def retained(port):
    """What the broker keeps."""
    done = subprocess.run(['mosquitto_sub', '-p', str(port), '-t', '#', '--retained-only', '-W', '1', '-F', '%t\t%x'],
                          capture_output=True, timeout=30)
    return {topic: text_of(data) for topic, data in (line.split('\t') for line in done.stdout.decode().splitlines())}


def text_of(data):
    """Of hexadecimal digits: a picture may have line feeds, and is no text."""
    return bytes.fromhex(data).decode(errors='replace')


def answers(port):
    with contextlib.suppress(OSError), socket.create_connection(('127.0.0.1', port), timeout=1):
        return True
    return False


@contextlib.contextmanager
def broker(folder, port, settings='allow_anonymous true'):
    (folder / 'mosquitto.conf').write_text(f'listener {port} 127.0.0.1\nuser root\nmax_queued_messages 0\n{settings}\n')
    with running(['mosquitto', '-c', folder / 'mosquitto.conf'], stdout=subprocess.DEVNULL,
                 stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: answers(port), 'mosquitto')
        yield process


class Subscriber:
    """What arrives: pairs of topic and text."""

    def __init__(self, folder, port, *options, topic='#'):
        self.path = folder / f'sub{port}-{time.monotonic_ns()}.txt'
        self.file = self.path.open('wb')
        self.process = subprocess.Popen(['mosquitto_sub', '-h', '127.0.0.1', '-p', str(port), '-F', '%r\\t%t\\t%x', '-q', '1',
                                         '-W', '250',
                                         '-t', topic, *options], stdout=self.file, stderr=subprocess.DEVNULL)

    def read(self):
        # the last line may be written at present
        lines = self.path.read_text().split('\n')[:-1]
        return [(topic, text_of(data)) for _, topic, data in (line.split('\t') for line in lines)]

    def wait(self, n):
        wait_for(lambda: len(self.read()) >= n, f'{n} messages instead of {len(self.read())}')
        return self.read()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.file.close()
