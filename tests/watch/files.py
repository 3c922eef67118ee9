#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-watch-1.0 without a network: --once, --replay, pictures, states."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])


def watch(folder, text, *options, seconds=60):
    (folder / 'watch.conf').write_text(text)
    return subprocess.run([PROGRAM, *options, 'watch.conf'], cwd=folder, capture_output=True, text=True, timeout=seconds)


def check_once(folder):
    """Nothing is written but what is printed."""
    text = ('[camera a]\nuri=test:black\ndevice=cpu\nset=glesevents.black-min-duration=0\n[publish p]\nmethod=file\n'
            'address=lines\n[thumbnails]\ndirectory=pictures\n')
    assert watch(folder, text, '--once').returncode == 0
    assert not (folder / 'lines').exists() and not (folder / 'pictures').exists()
    done = watch(folder, '[camera a]\nuri=test:ball,320x240,15\ndevice=cpu\n', '--once')
    assert done.returncode == 0 and done.stdout.startswith('a: 320x240 I420 in memory:SystemMemory, decoder none, analysed on '
                                                           'native code'), done
    done = watch(folder, '[camera a]\nuri=test:ball\ndevice=cpu\n[camera b]\nuri=file:///no/file\n', '--once')
    assert done.returncode == 1 and 'b: no picture: ' in done.stdout and '/no/file' in done.stdout, done


def make_video(path):
    environment = {**os.environ, 'LD_PRELOAD': ''}  # a sanitizer's runtime makes FFmpeg fail
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i',
                    'testsrc2=d=2:s=320x180:r=25,tpad=stop_mode=clone:stop_duration=3,fade=out:st=3:d=0.1', '-c:v', 'libx264',
                    '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', path], check=True, env=environment)


def events_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


CONFIG = '''
[defaults]
device=cpu
events=motion+black+cut
set=glesevents.motion-hold=0.5;glesevents.black-min-duration=0.5
[camera one]
uri=test:ball
tags={"site":{"name":"north"}}
[camera two]
uri=test:ball
thumbnails=false
[publish file]
method=file
address=lines.ndjson
[thumbnails]
directory=pictures
width=80
max-files=MAX
'''


def check_replay(folder):
    """The same files make the same lines but for pictures, whatever the speed."""
    make_video(folder / 'video.mp4')
    got = []
    for options in (['--fast'], []):
        done = watch(folder, CONFIG.replace('MAX', '100'), '--replay', 'video.mp4', *options)
        assert done.returncode == 0, done
        events = events_of(folder / 'lines.ndjson')
        (folder / 'lines.ndjson').unlink()
        one = [event for event in events if event['tags'] == {'camera': 'one', 'site': {'name': 'north'}}]
        assert {(event['event'], event['phase']) for event in one} == {
            ('motion', 'start'), ('motion', 'end'), ('cut', 'instant'), ('black', 'start'), ('black', 'end')}, one
        assert all('picture_frame' in event for event in one), one
        assert all((folder / event['picture']).read_bytes().startswith(b'\xff\xd8') for event in one)
        assert all('picture' not in event for event in events if event['tags'] == {'camera': 'two'})
        assert len(events) == 2 * len(one)
        assert {event['utc'] for event in events} == {None}
        got.append([{key: value for key, value in event.items() if key != 'picture'} for event in sorted(
            events, key=lambda event: (event['tags']['camera'], event['frame'], event['event'], event['phase']))])
    assert got[0] == got[1], got
    assert len({event['id'] for event in got[0]}) == len(got[0]) / 2 + 1, 'a cut has one line'
    done = watch(folder, CONFIG.replace('MAX', '1'), '--replay', 'video.mp4', '--replay', 'video.mp4', '--fast')
    assert done.returncode == 0 and len(list((folder / 'pictures').iterdir())) <= 2
    done = watch(folder, CONFIG, '--replay', 'no-video.mp4')
    assert done.returncode in (1, 2), done


def check_noise(folder):
    """Noise is no motion with the defaults, and is when frames are compared with a fixed bound. The decoder pads the
    rows of the frames, but not as the caps say."""
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10', '-t', '6',
                    '-vf', 'loop=loop=-1:size=1:start=0,setpts=N/10/TB,noise=alls=16:allf=t:all_seed=1', '-pix_fmt', 'yuv420p',
                    '-c:v', 'ffv1', 'noise.mkv'], check=True, cwd=folder, env={**os.environ, 'LD_PRELOAD': ''})
    for setting, found in (('', set()), ('set=glescompact.reference=previous;glescompact.lower=16\n', {'motion'})):
        done = watch(folder, f'[camera one]\nuri=test:ball\ndevice=cpu\n{setting}'
                     '[publish p]\nmethod=file\naddress=lines.ndjson\n', '--replay', 'noise.mkv', '--fast')
        path = folder / 'lines.ndjson'
        assert done.returncode == 0, done
        kinds = {event['event'] for event in events_of(path)} if path.exists() else set()
        assert kinds == found, (setting, kinds)
        path.unlink(missing_ok=True)


def check_lines_are_those_of_the_schema(folder):
    try:
        import jsonschema
    except ImportError:
        return
    root = pathlib.Path(os.environ['GLES_TEST_SOURCE_ROOT'])
    schema = json.loads((root / 'docs/json-schema/gles-ndjson.schema.json').read_text())
    (folder / 'lines.ndjson').unlink(missing_ok=True)
    text = '[camera a]\nuri=file:///no/file\n[camera b]\nuri=test:black\nevents=black\ndevice=cpu\n[publish p]\nmethod=file\n' \
        'address=lines.ndjson\n[thumbnails]\ndirectory=pictures\n'
    (folder / 'watch.conf').write_text(text)
    with subprocess.Popen([PROGRAM, 'watch.conf'], cwd=folder, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(4)
        except subprocess.TimeoutExpired:
            process.terminate()
    events = events_of(folder / 'lines.ndjson')
    assert {(event['event'], event['phase']) for event in events} == {
        ('lost', 'start'), ('lost', 'end'), ('black', 'start'), ('black', 'end')}, events
    for event in events:
        jsonschema.validate(event, schema)


def main():
    if not shutil.which('ffmpeg'):
        sys.exit(77)
    for check in (check_once, check_replay, check_noise, check_lines_are_those_of_the_schema):
        with tempfile.TemporaryDirectory() as name:
            check(pathlib.Path(name))


main()
