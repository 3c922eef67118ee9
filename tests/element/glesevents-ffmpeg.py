# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares glesevents with FFmpeg's scdet, blackdetect and freezedetect: recall and precision of cuts are at least
those of scdet, and black and freezes start and end within a frame of FFmpeg's.

Makes its clips with ffmpeg, and skips without it. The MP4 files in the folder that GLES_TEST_MEDIA names, if
it is set, are compared too."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SIZE = '320x180'
# one picture each, still or moving, with histograms that differ from each other
SCENES = ['testsrc2', 'mandelbrot', 'smptebars', 'rgbtestsrc', 'cellauto=rule=30', 'testsrc', 'gradients=c0=red:c1=blue:n=2']
FLASH = "eq=brightness='if(lt(mod(n+5,25),1)+lt(mod(n+5,50),2)+lt(mod(n+5,75),3),0.5,0)':eval=frame"


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True).stdout


def make(path, *arguments):
    run('ffmpeg', '-v', 'error', '-nostdin', '-y', *arguments, '-an', '-pix_fmt', 'yuv420p', '-c:v', 'ffv1', path)
    return path


def events_of(clip, properties='', noise=0.001):
    lines = subprocess.run(
        ['gst-launch-1.0', '-q', 'filesrc', f'location={clip}', '!', 'decodebin', '!', 'gleshistogram',
         'device=cpu', 'mad=true', f'mad-noise={noise}', '!', 'glesevents', *properties.split(), '!', 'glesjson',
         'counts=false', '!', 'fdsink'], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [json.loads(line) for line in lines.splitlines()]
    start = next(line['pts'] for line in lines if 'histogram' in line)
    return [line for line in lines if 'event' in line], start


def cuts_of(clip):
    return [event['frame'] for event in events_of(clip)[0] if event['event'] == 'cut']


def spans_of(clip, kind, properties='', noise=0.001):
    events, first = events_of(clip, properties, noise)
    return [((e['start'] - first) / 1e9, (e['pts'] - first) / 1e9) for e in events
            if e['event'] == kind and e['phase'] == 'end']


def scdet(clip):
    said = run('ffmpeg', '-hide_banner', '-nostdin', '-i', clip, '-an', '-vf', 'scdet,metadata=print:file=-',
               '-f', 'null', '-')
    scores = [float(s) for s in re.findall(r'^lavfi.scd.score=(.*)$', said, re.M)]
    return [i for i, score in enumerate(scores) if score >= 10]


def detected(clip, filters, start, end):
    said = run('ffmpeg', '-hide_banner', '-nostdin', '-i', clip, '-an', '-vf', filters, '-f', 'null', '-')
    return list(zip(map(float, re.findall(start, said)), map(float, re.findall(end, said))))


def near(found, wanted, what):
    """Asserts that the spans start and end within a frame at 25 frames a second."""
    assert len(found) == len(wanted), f'{what}: {found}, FFmpeg says {wanted}'
    for a, b in zip(found, wanted):
        assert abs(a[0] - b[0]) <= 0.041 and abs(a[1] - b[1]) <= 0.041, f'{what}: {found}, FFmpeg says {wanted}'
    print(f'{what}: {len(found)} as FFmpeg')


def still_camera(folder, name, encoder):
    """A fixed camera: a textured still picture with a small moving object and sensor noise, 8 s, encoded with a
    keyframe every 12 frames. Each keyframe changes most samples by little, which is called a pulse."""
    clip = os.path.join(folder, name + '.mkv')
    run('ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-t', '8', '-i',
        f'mandelbrot=size={SIZE}:rate=25:start_scale=0.3:end_pts=100000', '-f', 'lavfi', '-i',
        'testsrc2=size=48x36:rate=25', '-filter_complex',
        '[0]loop=loop=-1:size=1:start=0,setpts=N/25/TB[still];'
        "[still][1]overlay=x='10+30*t':y=70:shortest=0,noise=alls=6:allf=t", '-t', '8', '-an', '-pix_fmt', 'yuv420p',
        *encoder, clip)
    return clip


def check_no_cuts(folder):
    """Keyframe pulses, flashes, fades and noise are no cuts."""
    clips = [(name, make(os.path.join(folder, name + '.mkv'), '-f', 'lavfi', '-t', '4', '-i',
                         f'testsrc2=size={SIZE}:rate=25', '-vf', filters))
             for name, filters in (('flashes', FLASH), ('fade', 'fade=in:0:20,fade=out:30:20'),
                                   ('fade-and-back', 'fade=out:20:15,fade=in:45:15'),
                                   ('noise', 'noise=alls=30:allf=t'))]
    clips.append(('pulses', still_camera(folder, 'fixed', ['-c:v', 'mpeg4', '-b:v', '60k', '-g', '12'])))
    wrong = 0
    for name, clip in clips:
        found, theirs = cuts_of(clip), scdet(clip)
        assert found == [], f'{name}: cuts at {found} where there is none; scdet {theirs}'
        wrong += len(theirs)
    print(f'{len(clips)} clips without a cut: none is found; scdet finds {wrong}')


def check_cuts(folder):
    inputs, true = [], []
    for i, scene in enumerate(SCENES):
        separator = ':' if '=' in scene else '='
        inputs += ['-f', 'lavfi', '-t', '1.2', '-i', f'{scene}{separator}size={SIZE}:rate=25']
        true += [30 * i] if i > 0 else []
    chain = ''.join(f'[{i}]format=yuv420p,setsar=1[v{i}];' for i in range(len(SCENES)))
    chain += ''.join(f'[v{i}]' for i in range(len(SCENES))) + f'concat=n={len(SCENES)}'
    clip = make(os.path.join(folder, 'cuts.mkv'), *inputs, '-filter_complex', chain)
    found, theirs = cuts_of(clip), scdet(clip)
    assert found == true, f'cuts at {found} instead of {true}; scdet {theirs}'
    # lossy, with a keyframe every 12 frames
    pulses = os.path.join(folder, 'pulses.mp4')
    run('ffmpeg', '-v', 'error', '-nostdin', '-y', '-i', clip, '-c:v', 'mpeg4', '-q:v', '12', '-g', '12', pulses)
    found = cuts_of(pulses)
    assert found == true, f'with keyframes: cuts at {found} instead of {true}'
    print(f'{len(true)} cuts and nothing else; scdet finds {len(theirs)}')


def check_spans(folder):
    clip = make(os.path.join(folder, 'black.mkv'), '-f', 'lavfi', '-t', '12', '-i',
                f'testsrc2=size={SIZE}:rate=25', '-vf',
                "fade=in:0:30,drawbox=t=fill:c=black:enable='between(t,4,6.5)+between(t,8,9)'")
    near(spans_of(clip, 'black', 'black-min-duration=0.5'),
         detected(clip, 'blackdetect=d=0.5', r'black_start:(\S+)', r'black_end:(\S+)'), 'black')
    clip = make(os.path.join(folder, 'fade-to-black.mkv'), '-f', 'lavfi', '-t', '10', '-i',
                f'mandelbrot=size={SIZE}:rate=25', '-vf', 'fade=out:50:25,fade=in:150:25')
    near(spans_of(clip, 'black'),
         detected(clip, 'blackdetect', r'black_start:(\S+)', r'black_end:(\S+)'), 'fade to black and back')
    clip = make(os.path.join(folder, 'freeze.mkv'), '-f', 'lavfi', '-t', '10', '-i',
                f'testsrc2=size={SIZE}:rate=25', '-vf',
                'loop=loop=70:size=1:start=40,loop=loop=70:size=1:start=150,setpts=N/25/TB,noise=alls=1:allf=t',
                '-frames:v', '300')
    near(spans_of(clip, 'freeze'),
         detected(clip, 'freezedetect', r'freeze_start: (\S+)', r'freeze_end: (\S+)'), 'freeze')
    # noise above the default threshold needs another one, with both
    clip = make(os.path.join(folder, 'noisy-freeze.mkv'), '-f', 'lavfi', '-t', '10', '-i',
                f'testsrc2=size={SIZE}:rate=25', '-vf',
                'loop=loop=80:size=1:start=60,setpts=N/25/TB,noise=alls=8:allf=t', '-frames:v', '250')
    assert spans_of(clip, 'freeze') == []
    near(spans_of(clip, 'freeze', 'freeze-noise=0.02', 0.02),
         detected(clip, 'freezedetect=n=0.02', r'freeze_start: (\S+)', r'freeze_end: (\S+)'), 'freeze with noise')


def check_media(media):
    """Spans of frozen pictures of every clip, and the cuts of those clips whose cuts are known."""
    expected = {'bottle-detection.mp4': [], 'car-detection.mp4': [], 'full-range-720p.mp4': [],
                'hevc-10bit-200p.mp4': [], 'scene-cuts-yuv444.mp4': [30, 76, 137, 187, 242]}
    for name in sorted(os.listdir(media)):
        if not name.endswith('.mp4'):
            continue
        clip = os.path.join(media, name)
        found = cuts_of(clip)
        true = expected.get(name, found)
        assert found == true, f'{name}: cuts at {found} instead of {true}'
        frozen = detected(clip, 'freezedetect', r'freeze_start: (\S+)', r'freeze_end: (\S+)')
        near(spans_of(clip, 'freeze'), frozen, f'{name}: freeze')


def main():
    if not shutil.which('ffmpeg'):
        print('no ffmpeg')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        check_cuts(folder)
        check_no_cuts(folder)
        check_spans(folder)
    if os.environ.get('GLES_TEST_MEDIA'):
        check_media(os.environ['GLES_TEST_MEDIA'])


if __name__ == '__main__':
    main()
