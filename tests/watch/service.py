#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-watch-1.0 as a service: what the service manager, Prometheus, Home Assistant and a dashboard get; a configuration
that changes; a disk that is full; a clock that steps."""
import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from pipelines import Subscriber, broker, free_port, running, wait_for  # noqa: E402
from watching import Watch, events_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
CLOCK, EARLY_SIGNAL = map(os.path.abspath, sys.argv[2:])
CAMERAS = '''[defaults]
device=cpu
events=motion+black
[camera yard+1 #2]
uri=test:ball,160x120,10
[camera gate]
uri=test:black,160x120,10
set=glesevents.black-min-duration=0.5
'''


def check_service_manager(folder):
    path = folder / 'notify'
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        manager.settimeout(20)
        environment = {**os.environ, 'NOTIFY_SOCKET': str(path), 'WATCHDOG_USEC': '600000',
                       'STATE_DIRECTORY': str(folder / 'state')}
        with Watch(PROGRAM, folder, CAMERAS + '[publish p]\naddress=127.0.0.1:1\n', env=environment) as watch:
            said = []
            while not all(any(word in text for text in said) for word in ('READY=1', 'WATCHDOG=1', 'STATUS=2 of 2')):
                said.append(manager.recv(1000).decode())
            watch.process.send_signal(signal.SIGHUP)
            while 'RELOADING=1' not in said:
                said.append(manager.recv(1000).decode())
            watch.process.terminate()
            while 'STOPPING=1' not in said:
                said.append(manager.recv(1000).decode())
            assert watch.process.wait(timeout=20) == 0
    assert (folder / 'state' / 'spool' / 'p' / 'position').exists()


def check_body(watch):
    """Nothing of it is kept, and the connection ends."""
    status = pathlib.Path(f'/proc/{watch.process.pid}/status')
    before = int(status.read_text().split('VmRSS:')[1].split()[0])
    with contextlib.suppress(ConnectionError), socket.create_connection(('127.0.0.1', watch.port)) as client:
        client.sendall(b'POST /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
        for _ in range(100000):
            client.sendall(b'100000\r\n' + 0x100000 * b'A' + b'\r\n')
    assert int(status.read_text().split('VmRSS:')[1].split()[0]) < before + 50000
    with contextlib.suppress(urllib.error.HTTPError):
        urllib.request.urlopen(urllib.request.Request(f'http://127.0.0.1:{watch.port}/metrics', method='DELETE'))
        raise AssertionError('only GET')


def check_metrics(folder):
    with Watch(PROGRAM, folder, CAMERAS) as watch:
        wait_for(lambda: watch.get('camera_up', 'gate') == 1 and watch.get('frames_total', 'yard+1 #2') > 5, 'frames')
        found = watch.metrics()
        assert found['gst_gles_watch_events_total{camera="gate",event="stalled"}'] == 0, found
        assert found['gst_gles_watch_abandoned'] == found['gst_gles_watch_abandoned_total'] == 0, found
        for name in ('frames_total', 'frames_analysed_total', 'restarts_total', 'lag_seconds', 'camera_up',
                     'device_memory_bytes'):
            assert f'gst_gles_watch_{name}{{camera="gate"}}' in found, (name, found)
        assert 0 <= watch.get('lag_seconds', 'gate') < 2
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(f'http://127.0.0.1:{watch.port}/other')
            raise AssertionError('only /metrics is there')
        files = pathlib.Path(f'/proc/{watch.process.pid}/fd')
        before = len(list(files.iterdir()))
        for _ in range(20):
            watch.metrics()
        wait_for(lambda: len(list(files.iterdir())) < before + 10, 'the end of connections')
        check_body(watch)
        other = subprocess.run([PROGRAM, watch.path], capture_output=True, text=True, timeout=30)
        assert other.returncode == 1 and f'port {watch.port}' in other.stderr, other
        watch.end()


def check_reload(folder):
    """Cameras that did not change go on; others stop, start, or start anew; a mistake changes nothing."""
    with Watch(PROGRAM, folder, CAMERAS) as watch:
        wait_for(lambda: watch.get('frames_total', 'gate') > 20, 'frames')
        watch.write(CAMERAS.replace('test:ball', 'test:snow') + '[camera new]\nuri=test:ball\n')
        watch.process.send_signal(signal.SIGHUP)
        wait_for(lambda: watch.get('camera_up', 'new') == 1, 'the new camera')
        assert watch.get('frames_total', 'gate') > 20 and watch.get('frames_total', 'yard+1 #2') < 15
        watch.write(CAMERAS + '[camera new]\nuri=nonsense\n')
        watch.process.send_signal(signal.SIGHUP)
        wait_for(lambda: 'the former configuration stays' in watch.log.read_text(), 'the refusal')
        assert watch.get('camera_up', 'new') == 1
        watch.write('[camera gate]\n' + CAMERAS.split('[camera gate]\n')[1].replace('set=', 'device=cpu\nset='))
        watch.process.send_signal(signal.SIGHUP)
        wait_for(lambda: not any('new' in name or 'yard' in name for name in watch.metrics()), 'the end of two cameras')
        watch.end()


def check_early_signals(folder):
    """Signals of the first instants wait for the program; what a reload would do before main() is done anyway."""
    def start(variable, number):
        preload = ':'.join(filter(None, (os.environ.get('LD_PRELOAD'), EARLY_SIGNAL)))
        return Watch(PROGRAM, folder, CAMERAS, env={**os.environ, 'LD_PRELOAD': preload, variable: str(int(number))})

    with start('EARLY_SIGNAL', signal.SIGHUP) as watch:
        wait_for(lambda: 'configuration read again: 2 of 2' in watch.log.read_text(), 'the reload')
        watch.end()
    with start('FIRST_SIGNAL', signal.SIGHUP) as watch:
        wait_for(watch.metrics, 'the program')
        watch.end()
    with start('EARLY_SIGNAL', signal.SIGTERM) as watch:
        assert watch.process.wait(timeout=20) == 0


def check_dashboard(folder):
    port = free_port()
    text = CAMERAS + (f'[publish p]\naddress=127.0.0.1:{port}\nhome-assistant=true\nsnapshots=true\n'
                      '[thumbnails]\nwidth=32\n')
    with broker(folder, port), Watch(PROGRAM, folder, text) as watch:
        subscriber = Subscriber(folder, port)
        wait_for(lambda: ('gles/gate/black', 'ON') in subscriber.read(), 'black')
        last = dict(subscriber.read())
        assert last['gles/available'] == 'online' and last['gles/gate/available'] == 'online', last
        assert last['gles/yard_1 _2/motion'] == 'ON' and last['gles/gate/lost'] == 'OFF', last
        configurations = {topic: json.loads(payload) for topic, payload in subscriber.read()
                          if topic.startswith('homeassistant/')}
        assert len(configurations) == 8, sorted(configurations)
        black = configurations['homeassistant/binary_sensor/gles_gate_black/config']
        assert black['state_topic'] == 'gles/gate/black' and black['device']['name'] == 'gate', black
        assert len({one['unique_id'] for one in configurations.values()}) == 8
        image = configurations['homeassistant/image/gles_gate_snapshot/config']
        picture = subprocess.run(['mosquitto_sub', '-p', str(port), '-t', image['image_topic'], '-C', '1', '-N'], timeout=20,
                                 capture_output=True, check=True).stdout
        assert picture.startswith(b'\xff\xd8') and picture.endswith(b'\xff\xd9')
        # what is retained is there for a dashboard that comes later
        later = Subscriber(folder, port, topic='gles/gate/+')
        wait_for(lambda: {('gles/gate/black', 'ON'), ('gles/gate/available', 'online')} <= set(later.read()), 'states')
        watch.write(text.replace('[camera yard+1 #2]\nuri=test:ball,160x120,10\n', ''))
        watch.process.send_signal(signal.SIGHUP)
        gone = [topic for topic, _ in subscriber.read() if 'yard' in topic and not topic.endswith('/events')]
        wait_for(lambda: all(dict(subscriber.read())[topic] == '' for topic in gone), 'the end of a camera')
        assert dict(subscriber.read())['gles/gate/black'] == 'ON' and len(set(gone)) > 8, gone
        watch.end()
        wait_for(lambda: dict(subscriber.read())['gles/available'] == 'offline', 'the end')
        assert dict(subscriber.read())['gles/gate/black'] == 'OFF'
        subscriber.close()
        later.close()


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def check_full_disk(folder):
    """Recording stops, pictures are missing, and the analysis goes on."""
    video = folder / 'video.mp4'
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=d=20:s=320x180:r=25', '-c:v',
                    'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', video], check=True)
    port = free_port()
    with running([sys.executable, HERE / 'server.py', str(port), f'a={video}'], stdin=subprocess.PIPE,
                 stdout=subprocess.PIPE) as server:
        assert server.stdout.readline() == b'ready\n'
        text = (f'[camera a]\nuri=rtsp://127.0.0.1:{port}/a\ndevice=cpu\nrecord={folder}/record\nrecord-duration=1\n'
                f'[camera b]\nuri=test:ball,1920x1080\ndevice=cpu\n[thumbnails]\ndirectory={folder}/pictures\nwidth=1900\n'
                'quality=100\n')
        with Watch(PROGRAM, folder, text, preexec_fn=limit) as watch:
            unrecorded = 'gst_gles_watch_events_total{camera="a",event="unrecorded"}'
            wait_for(lambda: watch.metrics().get(unrecorded), 'the end of the recording')
            before = watch.get('frames_total', 'a')
            wait_for(lambda: watch.get('frames_total', 'a') > before + 50, 'the analysis')
            wait_for(lambda: watch.metrics()['gst_gles_watch_pictures_missing_total'] > 0, 'a picture too large')
            assert watch.get('camera_up', 'a') == 1 and watch.get('restarts_total', 'a') == 0
            watch.end()


def check_clock(folder):
    """Time of day steps; nothing is lost or stalled, and events go on."""
    text = (CAMERAS.replace('events=', 'tags={"height":0.1,"note":"\\\\n"}\nevents=') +
            '[camera blink]\nuri=test:blink,64x48,10\nevents=cut+black\n[publish p]\nmethod=file\naddress=lines.ndjson\n')
    with Watch(PROGRAM, folder, text, env={**os.environ, 'LD_PRELOAD': CLOCK}) as watch:
        time.sleep(8)
        assert watch.get('restarts_total', 'gate') == 0 and watch.get('camera_up', 'gate') == 1
        before = watch.get('frames_total', 'gate')
        wait_for(lambda: watch.get('frames_total', 'gate') > before + 5, 'frames')
        watch.end()
    events = events_of(folder / 'lines.ndjson')
    # lines of elements and of the program are written by the same code
    assert {'stopped'} == {event['cause'] for event in events if event['phase'] == 'end'}
    assert all('"height":0.1,"note":"\\u000a"}' in line for line in (folder / 'lines.ndjson').read_text().splitlines())
    assert {event['event'] for event in events} & {'lost', 'stalled', 'back'} == set(), events
    assert {('black', 'start'), ('black', 'end')} <= {(event['event'], event['phase']) for event in events}


def main():
    if not all(shutil.which(name) for name in ('mosquitto', 'mosquitto_sub', 'ffmpeg')):
        sys.exit(77)
    try:
        import gi
        gi.require_version('GstRtspServer', '1.0')
    except (ImportError, ValueError):
        sys.exit(77)
    checks = [check_service_manager, check_metrics, check_reload, check_early_signals, check_dashboard,
              check_full_disk]
    if 'LD_PRELOAD' not in os.environ:
        checks.append(check_clock)
    for check in checks:
        with tempfile.TemporaryDirectory() as name:
            check(pathlib.Path(name))
            print(check.__name__, flush=True)


main()
