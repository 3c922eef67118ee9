#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What cameras of RTSP say and send beside their pictures: streams.py PROGRAM CLOCK."""
import datetime
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from pipelines import free_port, running, wait_for  # noqa: E402
from watching import Watch, events_of  # noqa: E402

PROGRAM, CLOCK = map(os.path.abspath, sys.argv[1:3])
HEAD = ('[defaults]\ndevice=cpu\nevents=black\nset=glesevents.black-min-duration=0\n[publish file]\nmethod=file\n'
        'address=lines.ndjson\n')


def encode(path, *more):
    """Black and white in turn, twice a second, with a keyframe every second."""
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'color=white:s=160x120:r=10:d=30,'
                    "drawbox=c=black:t=fill:enable='lt(mod(t,1),.5)'", *more, '-c:v', 'libx264', '-preset', 'ultrafast', '-g',
                    '10', '-pix_fmt', 'yuv420p', path], check=True, env={**os.environ, 'LD_PRELOAD': ''})


def serve(port, *mounts, **environment):
    return running([sys.executable, HERE / 'server.py', str(port), *mounts], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                   env={**os.environ, **environment})


def section(name, uri, *keys):
    return '\n'.join([f'[camera {name}]', f'uri={uri}', *keys, ''])


def offset_of(event):
    """How far the time of day of the line is ahead of this machine's."""
    time = datetime.datetime.strptime(event['utc'][:19], '%Y-%m-%dT%H:%M:%S')
    return (time - datetime.datetime.utcnow()).total_seconds()


def check_clocks(folder):
    """A camera whose clock is two hours ahead, and one whose clock is right."""
    wrong, right = free_port(), free_port()
    with serve(wrong, f'a={folder}/video.mp4', LD_PRELOAD=CLOCK, CLOCK_OFFSET='7200') as first, \
            serve(right, f'a={folder}/video.mp4') as second:
        assert first.stdout.readline() == second.stdout.readline() == b'ready\n'
        text = HEAD + section('right', f'rtsp://127.0.0.1:{right}/a') + ''.join(
            section(time, f'rtsp://127.0.0.1:{wrong}/a', f'time={time}') for time in ('auto', 'camera', 'arrival'))
        with Watch(PROGRAM, folder, text) as watch:
            def told(camera):
                return [event for event in events_of(folder / 'lines.ndjson') if event['tags']['camera'] == camera and
                        'clock_offset' in event]

            for camera in ('right', 'auto', 'camera', 'arrival'):
                wait_for(lambda: len(told(camera)) > 2, f'{camera}: the time of the camera')
                source = 'sender' if camera in ('right', 'camera') else 'arrival'
                ahead = 7200 if camera == 'camera' else 0
                assert all(event['utc_source'] == source for event in told(camera)), told(camera)
                assert abs(offset_of(told(camera)[-1]) - ahead) < 20, told(camera)[-1]
                for seconds in (told(camera)[-1]['clock_offset'], watch.get('clock_offset_seconds', camera)):
                    assert abs(seconds - 7200 * (camera != 'right')) < 2, (camera, seconds)
            log = watch.log.read_text()
            assert "auto: the camera's clock is 7" in log and 'lines have the time of arrival' in log, log
            assert "right: the camera's clock" not in log, log
            watch.end()


def main():
    if not shutil.which('ffmpeg'):
        sys.exit(77)
    try:
        import gi
        gi.require_version('GstRtspServer', '1.0')
    except (ImportError, ValueError):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        encode(folder / 'video.mp4')
        check_clocks(folder)


main()
