# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-report-1.0 --replayable, --replay, --part and --only-sound, on which archives rest: what is made of lines
equals what a serial run over the video writes, byte for byte; and the lines of a part become equal to those of the
whole file in front of its own first frame.

Argument: the program. FFmpeg makes the clips."""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import clips

VIDEO = '-f lavfi -i testsrc2=s=192x108:r=25:d=9'
CUTS = ('-f lavfi -i testsrc2=s=192x108:r=25:d=3 -f lavfi -i color=black:s=192x108:r=25:d=3 -f lavfi -i '
        'mandelbrot=s=192x108:r=25 -filter_complex [2:v]trim=end=3[m];[0:v][1:v][m]concat=n=3')
H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
SOUND = "-f lavfi -i sine=d=9 -af volume=enable='between(t,3,6)':volume=0 -c:a aac"
# options of FFmpeg, and frames behind the first key frame of a part whose lines may differ: a picture has no previous
# one there, a decoder may need the next key frame where GOPs are open, and pictures that refresh row by row are whole
# after a period
CLIPS = {
    'open.mp4': (f'{VIDEO} -c:v libx264 -preset veryfast -pix_fmt yuv420p -x264-params '
                 'keyint=50:min-keyint=50:scenecut=0:open-gop=1:bframes=3', 50),
    'refresh.mkv': (f'{VIDEO} {H264} -x264-params keyint=40:intra-refresh=1:scenecut=0', 60),
    'cuts.mp4': (f'{CUTS} {H264} -g 40', 2),
    '10bit.mkv': (f'{VIDEO} -c:v libx264 -preset ultrafast -pix_fmt yuv420p10le -g 45', 2),
    'vfr.mkv': (f"{VIDEO} -vf select='not(mod(n\\,3))+gt(mod(n\\,7)\\,4)' -vsync vfr {H264} -g 30", 2),
    'sound.mp4': (f'{VIDEO} {SOUND} {H264} -g 40', 2),
    'cuts.ts': (f'{CUTS} -c:v mpeg2video -g 12 -bf 2', None),
}


def run(program, *arguments, status=0):
    done = subprocess.run([program, '--device', 'cpu', '--quiet', '--no-page', *arguments], stderr=subprocess.PIPE,
                          text=True, check=False)
    assert done.returncode == status, f'{arguments}: {done.returncode} {done.stderr}'
    return done.stderr


def contents(*paths):
    return [open(path, 'rb').read() for path in paths]


def lines_of(path):
    """The frames' lines by stream time without what is that of a part; the lines of events; of pictures."""
    frames, events, pictures = {}, [], []
    with open(path, encoding='utf-8') as file:
        for line in map(json.loads, file):
            if 'event' in line:
                events.append(line)
            elif line.get('type') in ('event-picture', 'sound'):
                continue
            elif 'type' in line:
                pictures.append(line)
            else:
                del line['frame'], line['running_time']
                frames[line['stream_time']] = line
    return frames, events, pictures


def outputs(name):
    return [f'--{what}={name}.{ending}' for what, ending in
            (('ndjson', 'ndjson'), ('csv', 'csv'), ('events', 'vtt'), ('qctools', 'gz'))], \
        [f'{name}.{e}' for e in ('ndjson', 'csv', 'vtt', 'gz')]


def measures_of(clip):
    return ['--signalstats', 'all'] if clip in ('10bit.mkv', 'cuts.mp4') else []


def check_replay(program, clip):
    serial, expected = outputs('serial')
    measures = measures_of(clip)
    run(program, *serial, *measures, clip)
    run(program, '--replayable', '--ndjson', 'lines', *measures, clip)
    for mode in ['--replay'], []:
        again, found = outputs('again')
        # the XML names its video, as the lines are named
        os.makedirs('kept', exist_ok=True)
        shutil.copy('lines', f'kept/{clip}')
        run(program, *again, '--from', f'kept/{clip}', *mode)
        for a, b, path in zip(contents(*expected), contents(*found), expected):
            assert a == b, f'{clip} {mode}: {path} is another one'
    frames, events, pictures = lines_of('lines')
    times = [picture['stream_time'] for picture in pictures]
    assert [time // 2000000000 for time in times] == list(range(5)) and set(times) <= set(frames), times
    return frames, events


def check_stream_ids(program):
    """With --stream-id nothing depends on where a file is, also where its demuxer pushes, and in its sound."""
    os.makedirs('elsewhere', exist_ok=True)
    for clip in 'sound.mp4', 'cuts.ts':
        shutil.copy(clip, 'elsewhere')
        for options, equal in (['--stream-id', 'a/b'], True), ([], False):
            for number, folder in enumerate(('.', 'elsewhere')):
                run(program, *options, '--ndjson', f'{number}.ndjson', f'{folder}/{clip}')
            one, other = contents('0.ndjson', '1.ndjson')
            assert (one == other) == equal and b'"stream_id":"' in one, (clip, options)


def events_of(page):
    with open(page, encoding='utf-8') as file:
        return json.loads(re.search(r'id="data">(.*?)</script>', file.read(), re.S).group(1))['events']


def page(program, *arguments, status=0):
    done = subprocess.run(['taskset', '--cpu-list', str(min(os.sched_getaffinity(0))), program, '--device', 'cpu', '--quiet',
                           *arguments], check=False)
    assert done.returncode == status, f'{arguments}: {done.returncode}'


def grey(data):
    said = subprocess.run('ffmpeg -v error -i - -vf scale=1:1,format=gray -f rawvideo -'.split(), input=data, check=True,
                          stdout=subprocess.PIPE).stdout
    return said[0]


def check_event_pictures(program):
    """Each event of the page of lines has the picture that it has in the page of the video: that of the frame with which
    it began. Black and the freeze last for their minimum duration, so they are found at the next scene."""
    greys = {('cut', 1.0): 0, ('black', 1.0): 0, ('freeze', 1.0): 0, ('cut', 3.0): 144, ('low-contrast', 3.0): 144, ('freeze', 3.0): 144,
             ('cut', 5.0): 255}
    scenes = ';'.join(f'color=0x{c}:s=160x120:r=25:d={d}[{n}]' for n, c, d in
                      (('a', '606060', 1), ('b', '000000', 2), ('c', '909090', 2), ('d', 'ffffff', 0.6)))
    subprocess.run(['ffmpeg', '-v', 'error', '-y', '-filter_complex', f'{scenes};[a][b][c][d]concat=n=4,format=yuv420p',
                    '-c:v', 'ffv1', 'scenes.mkv'], check=True)
    clips.flip('cuts.ts', 'damaged.ts', 20, seed=3)
    for clip, status in ('scenes.mkv', 0), ('damaged.ts', 3):
        page(program, '-o', 'video.html', clip, status=status)
        page(program, '--replayable', '--ndjson', 'lines', '--no-page', clip, status=status)
        expected = [(event['kind'], event['start'], event.get('src')) for event in events_of('video.html')]
        assert sum(src is not None for *_, src in expected) >= 3, expected
        for mode in ['--replay'], []:
            page(program, '-o', 'lines.html', '--from', 'lines', *mode, status=status)
            found = [(event['kind'], event['start'], event.get('src')) for event in events_of('lines.html')]
            assert found == expected, [(a[:2], b[:2]) for a, b in zip(found, expected) if a != b]
        if status:
            assert any(kind == 'problem' and src for kind, _, src in expected), [event[:2] for event in expected]
            continue
        seen = {(kind, start): grey(base64.b64decode(src.split(',')[1])) for kind, start, src in expected}
        assert seen.keys() == greys.keys() and all(abs(seen[t] - greys[t]) < 25 for t in seen), seen


def check_parts(program, clip, frames, n_warm_up):
    """Two parts that begin at key frames, of which FFmpeg knows."""
    found = subprocess.run(['ffprobe', '-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time,flags',
                            '-of', 'csv=p=0', clip], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    first = min(float(line.split(',')[0]) for line in found)
    keys = [float(line.split(',')[0]) - first for line in found if ',K' in line]
    places = [min(frames, key=lambda time, key=key: abs(time - key * 1e9)) for key in keys]
    for start, stop in (places[2], places[3]), (places[-1], None):
        run(program, '--part', f'{start},{stop or ""}', '--replayable', '--ndjson', 'part', *measures_of(clip), clip)
        part, events, _ = lines_of('part')
        assert not events, events
        times = list(part)
        wrong = [i for i, time in enumerate(times) if part[time] != frames.get(time)]
        assert times[0] < start and all(i <= n_warm_up for i in wrong), f'{clip} {start}: frames {wrong}'
        # where it takes longer, the part before goes on
        assert all(times[i] <= start + 1900000000 * (n_warm_up > 50) for i in wrong), [times[i] for i in wrong]
        last = max(frames) if stop is None else min(max(frames), stop + 1900000000)
        assert times[-1] >= last and set(times) >= {time for time in frames if start <= time <= last}


def check_sound(program, clip, events):
    run(program, '--only-sound', '--events', 'sound.ndjson', clip)
    alone = [json.loads(line) for line in open('sound.ndjson', encoding='utf-8')]
    there = [line for line in events if line['event'] in ('silence', 'clipping')]
    assert alone and len(alone) == len(there), (alone, there)
    for a, b in zip(alone, there):
        assert {**a, 'frame': 0, 'start_frame': 0} == {**b, 'frame': 0, 'start_frame': 0}, (a, b)


def check_refused(program):
    for arguments, word in ((['--part', '5,4', '--ndjson', 'x', 'cuts.ts'], 'START,STOP'),
                            (['--part', '5', '--ndjson', 'x', 'cuts.ts'], 'START,STOP'),
                            (['--part', '5,', '--csv', 'x', 'cuts.ts'], '--ndjson'),
                            (['--part', '5,', '--start', '1', '--ndjson', 'x', 'cuts.ts'], 'alone'),
                            (['--replay', '--csv', 'x', 'cuts.ts'], '--from'),
                            (['--only-sound', '--no-sound', '--csv', 'x', 'cuts.ts'], 'contradicts')):
        assert word in run(program, *arguments, status=2), arguments
    assert 'Matroska' in run(program, '--part', '3000000000,', '--ndjson', 'x', 'cuts.ts', status=1)
    with open('nested', 'w', encoding='utf-8') as file:
        file.write('{"a":' * 100000 + '1' + '}' * 100000 + '\n')
    for mode in [], ['--replay']:
        assert 'line 1 ' in run(program, '--from', 'nested', *mode, '--csv', 'x', status=1)
    run(program, '--ndjson', 'bare', 'cuts.ts')
    assert '--replayable' in run(program, '--from', 'bare', '--replay', '--csv', 'x', status=1)
    with open('lines', encoding='utf-8') as file:
        text = file.read()
    with open('broken', 'w', encoding='utf-8') as file:
        file.write(text.replace('"results":["', '"results":["AAAA', 1))
    assert 'line 1 ' in run(program, '--from', 'broken', '--replay', '--csv', 'x', status=1)


def main(program):
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for clip, (options, n_warm_up) in CLIPS.items():
            try:
                subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', *options.split(), clip], check=True)
            except FileNotFoundError:
                print('ffmpeg is not installed')
                sys.exit(77)
            frames, events = check_replay(program, clip)
            if n_warm_up is not None:
                check_parts(program, clip, frames, n_warm_up)
            if clip == 'sound.mp4':
                check_sound(program, clip, events)
            print(clip, len(frames), 'frames', len(events), 'lines of events')
        check_stream_ids(program)
        check_event_pictures(program)
        check_refused(program)


main(*sys.argv[1:])
