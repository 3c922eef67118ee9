# SPDX-License-Identifier: LGPL-2.1-or-later
"""A gst-gles-watch-1.0 that runs, its figures and its lines."""
import contextlib
import datetime
import json
import signal
import subprocess
import urllib.error
import urllib.request

from pipelines import free_port

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


def number(text):
    """A number of a line, which has the fewest of 15, 16 or 17 digits, as glesjson writes it."""
    value = float(text)
    assert text == next(short for short in (f'%.{digits}g' % value for digits in (15, 16, 17)) if float(short) == value), text
    return value


def events_of(path):
    with contextlib.suppress(FileNotFoundError):
        return [json.loads(line, parse_float=number) for line in path.read_text().split('\n')[:-1]]
    return []


def starts_of(folder, camera, *kinds):
    return [event for event in events_of(folder / 'lines.ndjson')
            if event['tags']['camera'] == camera and event['event'] in kinds and event['phase'] == 'start']


def check_good(folder):
    """The events of the good camera are there so far, and came in time."""
    times = [datetime.datetime.strptime(event['utc'][:26], '%Y-%m-%dT%H:%M:%S.%f') for event in
             starts_of(folder, 'good', 'black')]
    gaps = [(after - before).total_seconds() for before, after in zip(times, [*times[1:], datetime.datetime.utcnow()])]
    assert len(times) > 3 and max(gaps) < 2.5, gaps


class Watch:
    def __init__(self, program, folder, text, **options):
        self.folder, self.port = folder, free_port()
        self.path = folder / 'watch.conf'
        self.write(text)
        self.log = folder / 'log'
        self.process = subprocess.Popen([program, self.path], cwd=folder, stderr=self.log.open('ab'), **options)

    def write(self, text):
        self.path.write_text(text + f'[metrics]\nport={self.port}\n')

    def metrics(self):
        """What Prometheus would get; nothing before the program listens."""
        with contextlib.suppress(ConnectionRefusedError, urllib.error.URLError), urllib.request.urlopen(
                f'http://127.0.0.1:{self.port}/metrics', timeout=5) as answer:
            assert answer.headers['Content-Type'].startswith('text/plain; version=0.0.4')
            lines = answer.read().decode().splitlines()
            return {line.rsplit(' ', 1)[0]: float(line.rsplit(' ', 1)[1]) for line in lines if not line.startswith('#')}
        return {}

    def get(self, name, camera):
        return self.metrics().get(f'gst_gles_watch_{name}{{camera="{camera}"}}', 0)

    def reload(self, text):
        self.write(text)
        self.process.send_signal(signal.SIGHUP)

    def end(self):
        """As a service manager, which does not wait for ever."""
        self.process.terminate()
        assert self.process.wait(timeout=10) == 0, self.log.read_text()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
