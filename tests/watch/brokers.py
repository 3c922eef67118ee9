#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-watch-1.0 and brokers: one that forgets, Home Assistant that starts, topics that no longer hold, events that a kill
interrupts, a broker that never acknowledges."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'publish'))
from pipelines import Subscriber, broker, free_port, retained, running, wait_for  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
BALL = '[camera {}]\nuri=test:ball,160x120,10\ndevice=cpu\nevents=motion\n'


def publish(port, text=''):
    return f'[publish p]\naddress=127.0.0.1:{port}\n{text}'


def watch(folder, text):
    (folder / 'watch.conf').write_text(text + '[watch]\nstate-directory=state\n')
    return running([PROGRAM, 'watch.conf'], cwd=folder, stderr=(folder / 'log').open('ab'))


def end(process, number=signal.SIGTERM):
    process.send_signal(number)
    status = process.wait(timeout=20)
    assert status == (0 if number == signal.SIGTERM else -number), status


def check_forgetful_broker(folder):
    """A broker without a memory has all again on the next connection; Home Assistant, when it says that it is there."""
    port = free_port()
    text = BALL.format('a') + publish(port, 'home-assistant=true\nsnapshots=true\n')
    with watch(folder, text) as process:
        with broker(folder, port):
            wait_for(lambda: 'gles/a/snapshot' in retained(port), 'the picture')
            wait_for(lambda: retained(port).get('gles/a/motion') == 'ON', 'motion')
            before = retained(port)
        with broker(folder, port):
            wait_for(lambda: retained(port).keys() >= before.keys(), 'what was retained')
            after = retained(port)
            assert after['gles/a/motion'] == 'ON' and after['gles/available'] == 'online', after
            assert {topic for topic in before if topic.startswith('homeassistant')} <= after.keys()
            subscriber = Subscriber(folder, port, topic='homeassistant/+/+/config')
            wait_for(lambda: len(subscriber.read()) >= 3, 'discovery')
            n = len(subscriber.read())
            subprocess.run(['mosquitto_pub', '-p', str(port), '-t', 'homeassistant/status', '-m', 'online'], check=True)
            wait_for(lambda: len(subscriber.read()) >= 2 * n, 'discovery again')
            subscriber.close()
            end(process)


def check_what_no_longer_holds(folder):
    """Whatever a stopped program had published goes with its reason, and nothing else; pictures of former runs stay."""
    port = free_port()
    with broker(folder, port):
        full = 'home-assistant=true\nsnapshots=true\n'
        with watch(folder, BALL.format('a') + BALL.format('b') + publish(port, full)) as process:
            wait_for(lambda: {'gles/a/snapshot', 'gles/b/snapshot'} <= retained(port).keys(), 'pictures')
            end(process)
        first = retained(port)
        with watch(folder, BALL.format('a') + publish(port, full)) as process:
            wait_for(lambda: not any('/b/' in topic or 'gles_b' in topic for topic in retained(port)), 'the end of a camera')
            assert retained(port).keys() == {topic for topic in first if '/b/' not in topic and 'gles_b' not in topic}
            # while it runs, the same for a publisher
            (folder / 'watch.conf').write_text(BALL.format('a') + publish(port, 'snapshots=true\n') +
                                               '[watch]\nstate-directory=state\n')
            process.send_signal(signal.SIGHUP)
            wait_for(lambda: not any(topic.startswith('homeassistant') for topic in retained(port)), 'the end of discovery')
            assert 'gles/a/snapshot' in retained(port)
            end(process)
        with watch(folder, BALL.format('a') + publish(port, 'base-topic=other\n')) as process:
            wait_for(lambda: retained(port).keys() == {f'other/{level}' for level in (
                'available', 'a/available', 'a/motion', 'a/lost', 'a/stalled')}, 'another base topic')
            subscriber = Subscriber(folder, port, topic='other/a/events')
            (folder / 'watch.conf').write_text(BALL.format('a') + '[publish file]\nmethod=file\naddress=lines\n')
            process.send_signal(signal.SIGHUP)
            wait_for(lambda: not retained(port), 'the end of a publisher')
            end(process)
        subscriber.close()


def check_base_topic(folder):
    port = free_port()
    with broker(folder, port):
        for settings, topic in (('base-topic=home\n', 'home/a/events'), ('base-topic=home\ntopic=t/{event}\n', 't/motion')):
            subscriber = Subscriber(folder, port, topic=topic)
            with watch(folder, BALL.format('a') + publish(port, settings)):
                wait_for(subscriber.read, f'lines of {topic}')
            subscriber.close()


def check_interrupted(folder):
    """What a kill interrupts ends once at the next start, also of cameras that are gone, and leaves no state."""
    port = free_port()
    with broker(folder, port):
        subscriber = Subscriber(folder, port, topic='gles/+/events')
        text = BALL.format('a') + '[camera c]\nuri=file:///no/file\n' + publish(port)
        with watch(folder, text) as process:
            wait_for(lambda: len(subscriber.read()) >= 2, 'motion and lost')
            end(process, signal.SIGKILL)
        killed = [json.loads(line) for _, line in subscriber.read()]
        assert {(event['event'], event['phase']) for event in killed} == {('motion', 'start'), ('lost', 'start')}, killed
        with watch(folder, BALL.format('other') + publish(port)) as process:
            wait_for(lambda: len(subscriber.read()) >= 4, 'the ends')
            wait_for(lambda: [path.name for path in (folder / 'state/open').iterdir() if '.' in path.name] == [], 'the files')
            end(process)
        ends = [json.loads(line) for _, line in subscriber.read()][2:]
        ends = {event['id']: event for event in ends if event['id'] in {one['id'] for one in killed}}
        assert len(ends) == 2 and {event['cause'] for event in ends.values()} == {'interrupted'}, ends
        for event in killed:
            last = ends[event['id']]
            assert last['tags'] == event['tags'] and last['event'] == event['event'] and last['duration'] > 0, last
            assert 'picture' not in last and last['utc_source'] == 'arrival', last
        assert not any(topic.startswith(('gles/a/', 'gles/c/')) for topic in retained(port)), retained(port)
        with contextlib.suppress(ImportError):
            import jsonschema
            root = pathlib.Path(os.environ['GLES_TEST_SOURCE_ROOT'])
            schema = json.loads((root / 'docs/json-schema/gles-ndjson.schema.json').read_text())
            for event in ends.values():
                jsonschema.validate(event, schema)
        # a clean end leaves nothing to end
        n = len(subscriber.read())
        with watch(folder, '[camera d]\nuri=test:black\ndevice=cpu\nevents=motion\n' + publish(port)) as process:
            wait_for(lambda: retained(port).get('gles/d/available') == 'online', 'pictures')
            end(process)
        assert len(subscriber.read()) == n, subscriber.read()[n:]
        subscriber.close()


def check_events_that_ended_are_forgotten(folder):
    """Also where lines come all the time."""
    port = free_port()
    with broker(folder, port):
        subscriber = Subscriber(folder, port, topic='gles/+/events')
        text = ''.join(f'[camera {name}]\nuri=test:blink,64x48,{rate}\ndevice=cpu\nevents=black\n'
                       'set=glesevents.black-min-duration=0\n' for rate, name in enumerate('abcdef', 7))
        with watch(folder, text + publish(port)) as process:
            wait_for(lambda: sum('"phase":"end"' in line for _, line in subscriber.read()) >= 40, 'events that end')
            assert len(list((folder / 'state/open').glob('*.end'))) <= 3
            end(process)
        subscriber.close()


class Silent(threading.Thread):
    """A broker that accepts, and acknowledges nothing but pings."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.create_server(('127.0.0.1', 0))
        self.port = self.socket.getsockname()[1]

    def run(self):
        peer, _ = self.socket.accept()
        with contextlib.suppress(OSError), peer:
            peer.recv(1000)
            peer.sendall(bytes([0x20, 3, 0, 0, 0]))
            while data := peer.recv(65536):
                if data == bytes([0xc0, 0]):
                    peer.sendall(bytes([0xd0, 0]))


def check_silence(folder):
    """Metrics tell of a broker that does not acknowledge; the log does after a minute, which is too long for a test."""
    server, port = Silent(), free_port()
    server.start()
    with watch(folder, BALL.format('a') + publish(server.port) + f'[metrics]\nport={port}\n'):
        def silence():
            with contextlib.suppress(OSError), urllib.request.urlopen(f'http://127.0.0.1:{port}/metrics') as answer:
                lines = answer.read().decode().splitlines()
                return next(float(line.split()[1]) for line in lines if line.startswith('gst_gles_watch_publish_silence_s'))

        wait_for(lambda: (silence() or 0) >= 2, 'the metric')


def main():
    if not all(shutil.which(name) for name in ('mosquitto', 'mosquitto_sub', 'mosquitto_pub')):
        sys.exit(77)
    for check in (check_forgetful_broker, check_what_no_longer_holds, check_base_topic, check_interrupted,
                  check_events_that_ended_are_forgotten, check_silence):
        with tempfile.TemporaryDirectory() as name:
            check(pathlib.Path(name))
            print(check.__name__, flush=True)


main()
