#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-watch-1.0 without a network: configurations that are wrong, --once, --replay, pictures, states."""
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


# what is wrong, in which line, and what is said of it
WRONG = [
    ('', 1, 'no [camera NAME]'),
    ('[camera a]\n', 1, 'needs a uri'),
    ('[camera a]\nuri=test:ball\nevent=motion\n', 3, 'no key event in [camera a]; there are uri, '),
    ('[camera a]\nuri=test:ball\nuri=test:snow\n', 3, 'line 2'),
    ('[camera a]\nuri=test:ball\n\n[camera a]\nrate=1\n', 4, 'line 1'),
    ('[camera a]\nuri=test:ball\n[camera  a]\nuri=test:ball\n', 3, 'line 1'),
    ('uri=test:ball\n', 1, 'before the first'),
    ('[camera a]\n# a comment\nuri test\n', 3, 'neither'),
    ('[camera a/b]\nuri=test:ball\n', 1, 'slash'),
    ('[kamera a]\nuri=test:ball\n', 1, 'there is no [kamera a]'),
    ('[camera]\nuri=test:ball\n', 1, 'there is no [camera]'),
    ('[camera a]\nuri=ftp://x\n', 1, 'there are rtsp://'),
    ('[camera a]\nuri=test:nonsense\n', 1, 'nonsense'),
    ('[camera a]\nuri=test:ball,0x5\n', 1, 'test:PATTERN'),
    ('[camera a]\nuri=test:ball\nevents=motion+nothing\n', 1, 'cut, transition'),
    ('[camera a]\nuri=test:ball\nevents=stalled\n', 1, 'always detected'),
    ('[camera a]\nuri=test:ball\nstall-timeout=0\n', 3, 'a number from 1 to 3600'),
    ('[camera a]\nuri=test:ball\nthumbnails=yes\n', 3, 'true or false'),
    ('[camera a]\nuri=test:ball\ntags=[1]\n', 1, 'not an object'),
    ('[camera a]\nuri=test:ball\ntags=' + 100000 * '{"a":' + '1' + 100000 * '}' + '\n', 1, 'more than 16000 bytes'),
    ('[camera a]\nuri=test:ball\ntags={"a":' + 24 * '[' + 24 * ']' + '}\n', 1, 'more than 24 levels'),
    ('[camera a]\nuri=test:ball\ntags={/*"*/"a":' + 40 * '[' + 40 * ']' + '}\n', 1, 'neither comments'),
    ('[camera a]\nuri=test:ball\ntags={"a":\n', 1, 'tags'),
    ('[camera a]\nuri=test:ball\ndecoder=nodec\n', 1, 'nodec'),
    ('[camera a]\nuri=test:ball\ndevice=cpu\nset=gleshistogram.bins=1\n', 1, '2 to 65536'),
    ('[camera a]\nuri=test:ball\ndevice=cpu\nset=glestiles.size=1\n', 1, 'ELEMENT.PROPERTY=VALUE'),
    ('[camera a]\nuri=test:ball\ndevice=cpu\nmask=0,0 1,0\n', 1, 'mask'),
    ('[camera a]\nuri=test:ball\ndevice=cpu\nmask=/no/mask.png\n', 1, 'mask=/no/mask.png: the element refuses it'),
    ('[camera a]\nuri=test:ball\ndevice=cpu\nregion=1,2,3\n', 1, 'region'),
    ('[defaults]\nrate=x\n[camera a]\nuri=test:ball\n[camera b]\nuri=test:ball\n', 2, 'rate=x'),
    ('[camera a]\nuri=test:ball\n[publish p]\nmethod=kafka\n', 3, 'mqtt, file or fd'),
    ('[camera a]\nuri=test:ball\n[publish p]\nmethod=file\n', 3, 'address'),
    ('[camera a]\nuri=test:ball\n[publish p]\ntopic=a/{element}\n', 3, '{element}; there are {event}'),
    ('[camera a]\nuri=test:ball\n[publish p]\nbase-topic=gles/#\n', 3, 'subscribers'),
    ('[camera a]\nuri=test:ball\n[publish p]\ndiscovery-prefix=+\n', 3, 'subscribers'),
    ('[camera a+b]\nuri=test:ball\n[camera a#b]\nuri=test:ball\n', 3, 'camera a+b in line 1'),
    ('[camera a_b]\nuri=test:ball\n[camera a+b]\nuri=test:ball\n', 3, 'the name is a_b'),
]


def check_mistakes(folder):
    failed = []
    for text, number, said in WRONG:
        done = watch(folder, text, '--check')
        lines = [line for line in done.stderr.splitlines() if line.startswith('watch.conf')]
        if not (done.returncode == 2 and len(lines) == 1 and lines[0].startswith(f'watch.conf:{number}: ') and
                said in lines[0]):
            failed.append((text, number, said, done.returncode, lines))
    assert not failed, failed
    two = watch(folder, '[camera a]\nuri=ftp://x\n[camera b]\nuri=test:nonsense\n', '--check')
    assert len(two.stderr.splitlines()) == 2, two.stderr
    (folder / 'bytes').write_bytes(b'[camera a]\nuri=test:\xff\xfe\n')
    done = subprocess.run([PROGRAM, '--check', folder / 'bytes'], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and 'UTF-8' in done.stderr
    assert watch(folder, '[camera a]\nuri=test:ball\n', '--once', '--check', 'too', 'many').returncode == 2
    done = subprocess.run([PROGRAM, '--defaults'], capture_output=True, text=True, check=True, timeout=60)
    keys = done.stdout.replace('#uri=', 'uri=test:ball').replace('NAME', 'a')
    done = watch(folder, keys, '--check')
    assert done.returncode == 0, (keys, done.stderr)


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
        assert all(('picture' in event) == (event['phase'] != 'end') for event in one), one
        assert all((folder / event['picture']).read_bytes().startswith(b'\xff\xd8') for event in one if 'picture' in event)
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
    for check in (check_mistakes, check_once, check_replay, check_noise, check_lines_are_those_of_the_schema):
        with tempfile.TemporaryDirectory() as name:
            check(pathlib.Path(name))


main()
