#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cameras of HTTP: JPEGs without end, passwords, redirects and playlists: web.py PROGRAM."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from web_camera import PASSWORD, USER, Cameras, Leaders  # noqa: E402
from pipelines import free_port, running, wait_for  # noqa: E402
from watching import Watch, starts_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
HEAD = ('[defaults]\ndevice=cpu\nevents=black+motion\nstall-timeout=2\n[publish file]\nmethod=file\naddress=lines.ndjson\n')
QUOTED = PASSWORD.replace(':', '%3A')


def section(name, uri, *keys):
    return '\n'.join([f'[camera {name}]', f'uri={uri}', *keys, ''])


# a sanitizer's runtime makes the programs of others hang
OTHERS = {**os.environ, 'LD_PRELOAD': ''}


def make_part(folder):
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=d=2:s=160x120:r=10', '-c:v',
                    'libx264', '-g', '10', '-pix_fmt', 'yuv420p', folder / 'part.ts'], check=True, env=OTHERS)
    return (folder / 'part.ts').read_bytes()


def check_of_others(folder, cameras):
    """The camera of the test is right: ffmpeg reads it, and curl's digest is accepted."""
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-f', 'mpjpeg', '-i', cameras.uri('plain'), '-frames:v', '3', '-f',
                    'null', '-'], check=True, timeout=20, env=OTHERS)
    if shutil.which('curl'):
        done = subprocess.run(['curl', '-s', '--noproxy', '*', '--digest', '-u', f'{USER}:{PASSWORD}', '-m', '1', '-o',
                               folder / 'curl', cameras.uri('digest')], timeout=20, env=OTHERS)
        assert done.returncode == 28 and (folder / 'curl').stat().st_size > 10000, done


def serve_ffmpeg(folder, port):
    """ffmpeg as a camera, for one client: heads without lengths."""
    return running(['ffmpeg', '-v', 'error', '-nostdin', '-re', '-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10', '-c:v', 'mjpeg',
                    '-f', 'mpjpeg', '-listen', '1', f'http://127.0.0.1:{port}/'], stderr=(folder / 'ffmpeg').open('wb'), env=OTHERS)


def check_times(folder):
    """Pictures have the time of their arrival: events are where they were, and not in a burst."""
    for event in starts_of(folder, 'plain', 'motion'):
        assert event['utc_source'] == 'arrival' and event['running_time'] < 15e9, event


def check_secrets(folder, watch, cameras):
    """No output has the password, and nobody else was sent it."""
    check = subprocess.run([PROGRAM, '--check', watch.path], cwd=folder, capture_output=True, text=True, timeout=60)
    once = subprocess.run([PROGRAM, '--once', 'missing.conf'], cwd=folder, capture_output=True, text=True, timeout=60)
    assert once.returncode == 1 and '404' in once.stdout, once
    said = [watch.log.read_text(), (folder / 'lines.ndjson').read_text(), json.dumps(watch.metrics()), check.stdout,
            check.stderr, once.stdout, once.stderr]
    assert '404' in said[0] and '404' in said[1], said[:2]
    for text in said:
        assert PASSWORD not in text and QUOTED not in text, text
    (folder / 'wrong.conf').write_text(section('a', f'ftp://me:{QUOTED}@host/') + f'uri rtsp://me:{QUOTED}@host/\n')
    wrong = subprocess.run([PROGRAM, '--check', 'wrong.conf'], cwd=folder, capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 2 and QUOTED not in wrong.stderr, wrong
    assert set(cameras.asked('127.0.0.2', '/basic')) == {''}, cameras.asked('127.0.0.2')
    assert any(cameras.asked('127.0.0.1', '/basic'))


def check_rates(watch, started):
    """Ten pictures a second, and no more of those that came at once: those are 100 a second. A machine that is busy
    with something else for a while is sent what waits, so that their number is told by all that passed."""
    begin, before = time.monotonic(), {name: watch.get('frames_total', name) for name in ('plain', 'burst')}
    time.sleep(3)
    frames = {name: watch.get('frames_total', name) for name in before}
    seconds = time.monotonic() - begin
    for name, number in frames.items():
        assert (number - before[name]) / seconds > 6 and number < 14 * (time.monotonic() - started), (name, frames, before)


def check_recording(folder):
    """All pictures, by the time of their arrival; the file was not ended, as after a kill."""
    path = sorted((folder / 'record' / 'burst').iterdir())[0]
    lines = subprocess.run(['ffprobe', '-v', 'error', '-show_entries', 'stream=codec_name:packet=pts_time', '-of', 'csv=p=0', path],
                           check=True, capture_output=True, text=True).stdout.split()
    times = [float(line.rstrip(',')) for line in lines if line[0].isdigit()]
    assert 'mjpeg' in lines and len(times) > 150 and times == sorted(times) and 2 < times[-1] < 15, (lines[:5], times)


def main():
    if not shutil.which('ffmpeg'):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cameras, port = Cameras(make_part(folder)), free_port()
        (folder / 'password').write_text(PASSWORD + '\n')
        keys = f'user={USER}', 'password-file=password'
        other = 'follow=any',
        with_password = cameras.uri('missing').replace('//', f'//me:{QUOTED}@')
        (folder / 'missing.conf').write_text(section('missing', with_password))
        check_of_others(folder, cameras)
        up = {'plain': (), 'burst': ('record=record',), 'basic': keys, 'digest': keys, 'near': keys, 'elsewhere': (*keys, *other)}
        text = HEAD + ''.join(section(camera, cameras.uri(camera), *keys) for camera, keys in up.items())
        text += section('others', f'http://127.0.0.1:{port}/') + section('hls', cameras.uri('live.m3u8'), *other)
        text += section('stays', cameras.uri('elsewhere')) + section('thief', cameras.uri('thief'), *keys, *other)
        text += section('hls-stays', cameras.uri('live.m3u8')) + section('nobody', cameras.uri('basic'))
        leads, stays = Leaders(), Leaders()
        text += section('rtsp-thief', f'rtsp://127.0.0.1:{leads.port}/x', *keys, *other)
        text += section('rtsp-stays', f'rtsp://127.0.0.1:{stays.port}/x', *keys)
        text += section('closed', f'rtsp://me:{QUOTED}@127.0.0.1:{free_port()}/x')
        text += section('garbage', cameras.uri('garbage')) + section('missing', with_password)
        started = time.monotonic()
        with serve_ffmpeg(folder, port), Watch(PROGRAM, folder, text) as watch:
            for camera in [*up, 'others', 'hls']:
                wait_for(lambda: watch.get('frames_total', camera) > 5, f'{camera}: pictures')
            for camera in ('thief', 'nobody', 'missing', 'stays', 'hls-stays', 'rtsp-thief', 'rtsp-stays', 'closed'):
                wait_for(lambda: starts_of(folder, camera, 'lost'), f'{camera}: lost')
            stalled = wait_for(lambda: starts_of(folder, 'garbage', 'stalled', 'lost'), 'garbage: stalled')
            assert stalled[0]['outage'] in ('no-pictures', 'error'), stalled
            check_rates(watch, started)
            for camera in ('stays', 'hls-stays', 'rtsp-stays'):
                text = json.dumps(starts_of(folder, camera, 'lost'))
                assert 'follow=any' in text and watch.get('frames_total', camera) == 0, text
            check_times(folder)
            check_secrets(folder, watch, cameras)
            assert set(leads.other.asked) == {''} and not stays.other.asked, (leads.other.asked, stays.other.asked)
            watch.end()
            check_recording(folder)


main()
