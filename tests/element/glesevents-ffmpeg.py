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

SIZE = 'size=160x90:rate=25'
# one picture each, still or moving, with histograms that differ from each other
SCENES = ['testsrc2=', 'mandelbrot=', 'smptebars=', 'rgbtestsrc=', 'cellauto=rule=30:', 'testsrc=',
          'gradients=c0=red:c1=blue:n=2:']
FLASH = "eq=brightness='if(lt(mod(n+5,25),1)+lt(mod(n+5,50),2)+lt(mod(n+5,75),3),0.5,0)':eval=frame"
# clips without a cut: their seconds and filters
NO_CUTS = {'flashes': (4, FLASH), 'fade': (2.4, 'fade=in:0:20,fade=out:30:20'),
           'fade-and-back': (2.6, 'fade=out:20:15,fade=in:45:15'), 'noise': (2, 'noise=alls=30:allf=t')}
# A fixed camera: a textured still picture with a small moving object and sensor noise.
CAMERA = ('[0]loop=loop=-1:size=1:start=0,setpts=N/25/TB[still];'
          "[still][1]overlay=x='10+15*t':y=35:shortest=0,noise=alls=6:allf=t")
BLACK, FREEZE = (r'black_start:(\S+)', r'black_end:(\S+)'), (r'freeze_start: (\S+)', r'freeze_end: (\S+)')
# what FFmpeg finds as well: the kind of event, source, seconds, filters, glesevents' properties, FFmpeg's filter
SPANS = [
    ('black', 'testsrc2=', 11, "fade=in:0:30,drawbox=t=fill:c=black:enable='between(t,4,6.5)+between(t,8,9)'",
     'black-min-duration=0.5', 'blackdetect=d=0.5'),
    ('black', 'mandelbrot=', 10, 'fade=out:50:25,fade=in:150:25', '', 'blackdetect'),
    ('freeze', 'testsrc2=', 10, 'loop=loop=70:size=1:start=40,loop=loop=70:size=1:start=150,setpts=N/25/TB,'
     'noise=alls=1:allf=t', '', 'freezedetect'),
    # noise above the default threshold needs another one, with both
    ('freeze', 'testsrc2=', 6, 'loop=loop=80:size=1:start=30,setpts=N/25/TB,noise=alls=8:allf=t',
     'freeze-noise=0.02', 'freezedetect=n=0.02'),
]


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True).stdout


def make(name, *arguments, codec=('ffv1',)):
    run('ffmpeg', '-v', 'error', '-nostdin', '-y', *arguments, '-an', '-pix_fmt', 'yuv420p', '-c:v', *codec, name)
    return name


def make_filtered(name, source, seconds, filters):
    return make(name, '-f', 'lavfi', '-i', source + SIZE, '-vf', filters, '-t', str(seconds))


def events_of(clip, properties=''):
    """Numbers of frames with a cut, and by kind of other events from when to when they last, in seconds."""
    noise = properties.partition('freeze-noise=')[2] or '0.001'
    lines = subprocess.run(
        ['gst-launch-1.0', '-q', 'filesrc', f'location={clip}', '!', 'decodebin', '!', 'gleshistogram',
         'device=cpu', 'mad=true', f'mad-noise={noise}', '!', 'glesevents', *properties.split(), '!', 'glesjson',
         'counts=false', '!', 'fdsink'], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [json.loads(line) for line in lines.splitlines()]
    first = next(line['pts'] for line in lines if 'histogram' in line)
    events = [line for line in lines if 'event' in line]
    spans = {kind: [((e['start'] - first) / 1e9, (e['pts'] - first) / 1e9) for e in events
                    if e['event'] == kind and e['phase'] == 'end'] for kind in ('black', 'freeze')}
    return [event['frame'] for event in events if event['event'] == 'cut'], spans


def ffmpeg_says(clip, filters):
    return run('ffmpeg', '-hide_banner', '-nostdin', '-i', clip, '-an', '-vf', filters, '-f', 'null', '-')


def check_spans(found, kind, clip, filters):
    """The spans start and end within a frame of those of FFmpeg, at 25 frames a second."""
    said = ffmpeg_says(clip, filters)
    start, end = BLACK if kind == 'black' else FREEZE
    wanted = list(zip(map(float, re.findall(start, said)), map(float, re.findall(end, said))))
    same = len(found) == len(wanted) and all(abs(a - b) <= 0.041 for pair in zip(found, wanted) for a, b in zip(*pair))
    assert same, f'{clip}: {kind} {found}, FFmpeg says {wanted}'
    print(f'{clip}: {kind} {len(found)} times as FFmpeg')
    return len(found)


def check_cuts():
    inputs = [argument for scene in SCENES for argument in ('-f', 'lavfi', '-t', '1.2', '-i', scene + SIZE)]
    true = [30 * i for i in range(1, len(SCENES))]
    chain = ''.join(f'[{i}]format=yuv420p,setsar=1[v{i}];' for i in range(len(SCENES)))
    chain += ''.join(f'[v{i}]' for i in range(len(SCENES))) + f'concat=n={len(SCENES)}'
    clip = make('cuts.mkv', *inputs, '-filter_complex', chain)
    scores = re.findall(r'^lavfi.scd.score=(.*)$', ffmpeg_says(clip, 'scdet,metadata=print:file=-'), re.M)
    theirs = [i for i, score in enumerate(scores) if float(score) >= 10]
    # lossy, with a keyframe every 12 frames: each changes most samples by little, which is called a pulse
    for name in (clip, make('pulses.mp4', '-i', clip, codec=('mpeg4', '-q:v', '12', '-g', '12'))):
        found, _ = events_of(name)
        assert found == true, f'{name}: cuts at {found} instead of {true}; scdet {theirs}'
    print(f'{len(true)} cuts and nothing else; scdet finds {len(theirs)}')
    clips = [make_filtered(f'{name}.mkv', 'testsrc2=', *how) for name, how in NO_CUTS.items()]
    clips.append(make('camera.mkv', '-f', 'lavfi', '-i', f'mandelbrot={SIZE}:start_scale=0.3:end_pts=100000', '-f',
                      'lavfi', '-i', 'testsrc2=size=24x18:rate=25', '-filter_complex', CAMERA, '-t', '8',
                      codec=('mpeg4', '-b:v', '30k', '-g', '12')))
    for name in clips:
        found, _ = events_of(name)
        assert found == [], f'{name}: cuts at {found} where there is none'


def check_media(media):
    """Spans of frozen pictures of every clip, and the cuts of those clips whose cuts are known."""
    expected = {'bottle-detection.mp4': [], 'car-detection.mp4': [], 'full-range-720p.mp4': [],
                'hevc-10bit-200p.mp4': [], 'scene-cuts-yuv444.mp4': [30, 76, 137, 187, 242]}
    for name in sorted(os.listdir(media)):
        if name.endswith('.mp4'):
            clip = os.path.join(media, name)
            found, spans = events_of(clip)
            true = expected.get(name, found)
            assert found == true, f'{name}: cuts at {found} instead of {true}'
            check_spans(spans['freeze'], 'freeze', clip, 'freezedetect')


def main():
    if not shutil.which('ffmpeg'):
        print('no ffmpeg')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_cuts()
        for i, (kind, source, seconds, filters, properties, theirs) in enumerate(SPANS):
            clip = make_filtered(f'{kind}-{i}.mkv', source, seconds, filters)
            assert check_spans(events_of(clip, properties)[1][kind], kind, clip, theirs) > 0
            if 'freeze-noise' in properties:
                assert events_of(clip)[1]['freeze'] == []
    if os.environ.get('GLES_TEST_MEDIA'):
        check_media(os.environ['GLES_TEST_MEDIA'])


if __name__ == '__main__':
    main()
