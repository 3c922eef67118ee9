#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What cameras of RTSP say and send beside their pictures: streams.py PROGRAM CLOCK."""
import contextlib
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from pipelines import free_port, running, wait_for  # noqa: E402
from watching import Watch, events_of, starts_of  # noqa: E402

PROGRAM, CLOCK = map(os.path.abspath, sys.argv[1:3])
HEAD = ('[defaults]\ndevice=cpu\nevents=black\nset=glesevents.black-min-duration=0\n[publish file]\nmethod=file\n'
        'address=lines.ndjson\n')


def encode(path, *more):
    """Black and white in turn, twice a second, with a keyframe every second."""
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'color=white:s=160x120:r=10:d=30,'
                    "drawbox=c=black:t=fill:enable='lt(mod(t,1),.5)'", *more, '-c:a', 'aac', '-c:v', 'libx264', '-preset', 'ultrafast', '-g',
                    '10', '-pix_fmt', 'yuv420p', path], check=True, env={**os.environ, 'LD_PRELOAD': ''})


def serve(port, *mounts, **environment):
    return running([sys.executable, HERE / 'server.py', str(port), *mounts], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                   env={**os.environ, **environment})


def section(name, uri, *keys):
    return '\n'.join([f'[camera {name}]', f'uri={uri}', *keys, ''])


def offset_of(event):
    """How far the time of day of the line is ahead of this machine's."""
    time = datetime.datetime.strptime(event['utc'][:19], '%Y-%m-%dT%H:%M:%S')
    return (time - datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)).total_seconds()


def told(folder, camera, key):
    return [event for event in events_of(folder / 'lines.ndjson') if event['tags']['camera'] == camera and key in event]


def check_clocks(folder, watch):
    """A camera whose clock is two hours ahead, and one whose clock is right."""
    for camera in ('right', 'auto', 'camera', 'arrival'):
        wait_for(lambda: len(told(folder, camera, 'clock_offset')) > 2, f'{camera}: the time of the camera')
        lines = told(folder, camera, 'clock_offset')
        source = 'sender' if camera in ('right', 'camera') else 'arrival'
        ahead = 7200 if camera == 'camera' else 0
        assert all(event['utc_source'] == source for event in lines), lines
        assert abs(offset_of(lines[-1]) - ahead) < 20, lines[-1]
        for seconds in (lines[-1]['clock_offset'], watch.get('clock_offset_seconds', camera)):
            assert abs(seconds - 7200 * (camera != 'right')) < 2, (camera, seconds)
    log = watch.log.read_text()
    assert "auto: the camera's clock is 7" in log and 'lines have the time of arrival' in log, log
    assert "right: the camera's clock" not in log, log


def probe(path, *what):
    return subprocess.run(['ffprobe', '-v', 'error', *what, '-of', 'csv=p=0', path], check=True, capture_output=True,
                          text=True).stdout.split()


def read_frames(path):
    """Seconds from the beginning and brightness of each frame, by ffmpeg."""
    times = [float(line.split(',')[0]) for line in probe(path, '-select_streams', 'v', '-show_entries', 'frame=pts_time')]
    pixels = subprocess.run(['ffmpeg', '-v', 'fatal', '-nostdin', '-i', path, '-an', '-vf', 'scale=1:1', '-fps_mode', 'passthrough',
                             '-f', 'rawvideo', '-pix_fmt', 'gray', '-'], check=True, stdout=subprocess.PIPE).stdout
    assert len(pixels) == len(times), (path, len(pixels), len(times))
    return list(zip(times, pixels))


def check_places(folder, camera):
    """Lines name the file and the second of their frame, which is the first that is black, or the first that is not."""
    frames, n = {}, 0
    files = sorted((folder / 'record' / camera).iterdir())
    for event in told(folder, camera, 'recording'):
        place, before = event['recording'], event['recording']['pre_roll']
        if place['file'] not in map(str, files[3:5]):
            continue
        for path in (place['file'], before['file']):
            frames.setdefault(path, read_frames(path))
        number = min(range(len(frames[place['file']])), key=lambda i: abs(frames[place['file']][i][0] - place['offset']))
        time, pixel = frames[place['file']][number]
        assert abs(time - place['offset']) < 0.06 and (pixel < 60) == (event['phase'] == 'start'), (event, time, pixel)
        assert (before['file'], before['offset']) <= (place['file'], place['offset']), event
        n += before['file'] != place['file']
    assert n > 1, 'no file ended before the seconds that a line is about'


def check_recordings(folder, watch):
    for camera in ('sound', 'pause', 'mute'):
        wait_for(lambda: len(list((folder / 'record' / camera).iterdir())) > 5, f'{camera}: files')
        assert watch.get('recording', camera) == 1, camera
        # times jump until RTCP has told the clock, which takes longer on a busy machine; the last file is being written
        first, *_, later, _ = sorted((folder / 'record' / camera).iterdir())
        codecs = set(probe(first, '-show_entries', 'stream=codec_name'))
        assert codecs == ({'h264'} if camera == 'mute' else {'h264', 'aac'}), (camera, codecs)
        packets = [line.split(',')[:2] for line in probe(later, '-show_entries', 'packet=codec_type,pts_time')]
        times = {kind: [float(time) for of, time in packets if of == kind] for kind in ('video', 'audio')}
        assert times['video'][0] < 0.06 and times['video'][-1] < 2.2 and len(times['video']) > 15, (camera, times)
        assert camera != 'sound' or 30 < len(times['audio']) < 110, f'{times} of packets of 23 ms in 2 s'
    check_places(folder, 'sound')


def check_bounds(folder):
    """What is too old, or is in the way, goes; what is not of the recording stays."""
    left = {name: sorted(path.name for path in (folder / 'record' / name).iterdir()) for name in ('days', 'full')}
    assert 'old.txt' in left['days'] and '2020-01-01T00-00-00.000000Z.mkv' not in left['days'] and len(left['days']) > 3, left
    assert len(left['full']) <= 3 and not any(name.startswith('2020') for name in left['full']), left


def check_no_folder(folder, watch):
    """It is watched."""
    wait_for(lambda: starts_of(folder, 'nowhere', 'unrecorded'), 'unrecorded')
    assert watch.get('recording', 'nowhere') == 0 and watch.get('frames_total', 'nowhere') > 10
    assert '/proc/none' in starts_of(folder, 'nowhere', 'unrecorded')[0]['text']


@contextlib.contextmanager
def small_disk(path):
    """A full one, if this user may have one."""
    path.mkdir()
    mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=4m', 'none', path], stderr=subprocess.DEVNULL).returncode == 0
    try:
        if mounted:
            with contextlib.suppress(OSError):
                (path / 'filler').write_bytes(bytes(8 << 20))
        yield mounted
    finally:
        if mounted:
            subprocess.run(['umount', '-l', path], check=True)


def make_room(folder, watch):
    wait_for(lambda: starts_of(folder, 'disk', 'unrecorded'), 'unrecorded')
    assert watch.get('recording', 'disk') == 0
    (folder / 'disk' / 'filler').unlink()


def check_room(folder, watch):
    """What was full is tried again, and pictures went on."""
    ends = wait_for(lambda: [event for event in told(folder, 'disk', 'cause') if event['event'] == 'unrecorded'], 'recorded again')
    assert ends[0]['cause'] == 'condition' and ends[0]['duration'] < 20e9 and watch.get('frames_total', 'disk') > 50, ends
    assert watch.get('restarts_total', 'disk') == 0 and watch.get('recording', 'disk') == 1


def check_schema(folder):
    with contextlib.suppress(ImportError):
        import jsonschema
        path = pathlib.Path(os.environ['GLES_TEST_SOURCE_ROOT']) / 'docs/json-schema/gles-ndjson.schema.json'
        schema = json.loads(path.read_text())
        for event in events_of(folder / 'lines.ndjson')[-200::5] + starts_of(folder, 'nowhere', 'unrecorded'):
            jsonschema.validate(event, schema)


def configure(folder, wrong, right):
    text = HEAD + section('right', f'rtsp://127.0.0.1:{right}/a')
    for time in ('auto', 'camera', 'arrival'):
        text += section(time, f'rtsp://127.0.0.1:{wrong}/a', f'time={time}')
    keys = f'record={folder}/record', 'record-duration=2'
    for camera, mount, more in (
            ('sound', 'sound', ()), ('pause', 'pause', ()), ('mute', 'sound', ('record-audio=false',)),
            ('days', 'a', ('record-days=30',)), ('full', 'a', (f'record-keep-free={1 << 60}',))):
        text += section(camera, f'rtsp://127.0.0.1:{right}/{mount}', *keys, *more)
    text += section('disk', f'rtsp://127.0.0.1:{right}/a', f'record={folder}/disk/record')
    text += section('nowhere', f'rtsp://127.0.0.1:{right}/a', 'record=/proc/none')
    for camera in ('days', 'full'):
        (folder / 'record' / camera).mkdir(parents=True)
        for name in ('2020-01-01T00-00-00.000000Z.mkv', 'old.txt'):
            (folder / 'record' / camera / name).write_bytes(b'')
    return text


def play(folder):
    wrong, right = free_port(), free_port()
    mounts = [f'{name}={folder}/sound.mov' for name in ('sound', 'pause')]
    # a sanitizer's runtime comes first
    preload = ':'.join(filter(None, (os.environ.get('LD_PRELOAD'), CLOCK)))
    with serve(wrong, f'a={folder}/video.mp4', LD_PRELOAD=preload, CLOCK_OFFSET='7200') as first, \
            serve(right, f'a={folder}/video.mp4', *mounts) as second, small_disk(folder / 'disk') as is_full:
        assert first.stdout.readline() == second.stdout.readline() == b'ready\n'
        with Watch(PROGRAM, folder, configure(folder, wrong, right)) as watch:
            if is_full:
                make_room(folder, watch)
            check_clocks(folder, watch)
            check_no_folder(folder, watch)
            if is_full:
                check_room(folder, watch)
            check_bounds(folder)
            check_recordings(folder, watch)
            watch.end()
            check_schema(folder)


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
        encode(folder / 'sound.mov', '-f', 'lavfi', '-i', 'sine=d=30:r=44100')
        play(folder)


main()
