# SPDX-License-Identifier: LGPL-2.1-or-later
"""The measures of docs/signalstats.json equal those of FFmpeg's filter signalstats, frame by frame.

Argument: the file. Makes clips with ffmpeg, and skips without it; the MP4 files in the folder that GLES_TEST_MEDIA
names, if it is set, are compared as well."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FRAMES = 8
# colours in and out of range, noise of single pixels
MADE = {'bars': ('smptehdbars=s=160x90', 'null'), 'mandelbrot': ('mandelbrot=s=168x90', 'null'),
        'noise': ('testsrc2=s=152x70', 'noise=alls=60:allf=t'), 'specks': ('color=gray:s=64x48', 'noise=c0s=90:c0f=t'),
        'plane': ('yuvtestsrc=s=48x32', 'null')}
PERCENT = {'p10': 10, 'p90': 90}


def ffmpeg(*arguments):
    return subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', *arguments], check=True, capture_output=True,
                          text=True).stdout


def decode(source, filters, form, folder):
    """Raw frames, their size, and what FFmpeg measures in them. It measures them in a process of its own: behind the
    filter `noise` of the same process, FFmpeg 7 counts the first samples of each thread's slice wrongly for HUEAVG."""
    raw = os.path.join(folder, 'frames.yuv')
    ffmpeg('-y', *source, '-vf', f'{filters},format={form}', '-frames:v', str(FRAMES), '-f', 'rawvideo', raw)
    size = subprocess.run(['ffprobe', '-v', 'error', *source, '-show_entries', 'stream=width,height', '-of', 'csv=p=0'],
                          check=True, capture_output=True, text=True).stdout
    width, height = map(int, size.strip().split('\n')[0].strip(',').split(',')[:2])
    said = ffmpeg('-f', 'rawvideo', '-video_size', f'{width}x{height}', '-pixel_format', form, '-i', raw, '-vf',
                  'signalstats=stat=brng+tout,metadata=print:file=-', '-f', 'null', '-')
    measures = [dict(re.findall(r'signalstats\.(\w+)=(\S+)', part)) for part in said.split('frame:')[1:]]
    return raw, (width, height), measures


def measure(preset, raw, size, form, device):
    """The result of each frame: a number, or the histogram's channel."""
    element = preset['element'].split()
    line = ['gst-launch-1.0', '-q', 'filesrc', f'location={raw}', '!', 'rawvideoparse', f'width={size[0]}',
            f'height={size[1]}', f'format={form}', '!', *element, f'expression={preset["expression"]}',
            f'device={device}', '!', 'glesjson', '!', 'fdsink']
    lines = subprocess.run(line, check=True, capture_output=True, text=True).stdout.split('\n')[:-1]
    results = [json.loads(text) for text in lines]
    if 'points' in results[0]:
        return [line['points'] for line in results]
    return [line['histogram']['channels'][-1] for line in results]


def ranked(counts, rank):
    """The value of the sample with a rank from 1."""
    for value, count in enumerate(counts):
        rank -= count
        if rank <= 0:
            return value
    return len(counts) - 1


def check(preset, found, said, pixels, name):
    want = float(said[preset['measure']])
    result, n = preset['result'], found.get('count')
    if result == 'total / pixels':
        got, allowed = found['total'] / pixels, 6e-6
    elif result in PERCENT:
        # FFmpeg rounds the rank, and we round it up
        got, allowed = ranked(found['counts'], round(n * PERCENT[result] / 100)), 0
        assert got <= found[result] <= ranked(found['counts'], round(n * PERCENT[result] / 100) + 1)
    elif result == 'p50':
        # of an even number of samples FFmpeg takes the upper of the two in the middle
        got, allowed = ranked(found['counts'], n // 2 + 1), 0
        assert found['p50'] == ranked(found['counts'], (n + 1) // 2)
    else:
        got, allowed = found[result], max(1e-5 * found[result], 6e-6)
    if abs(got - want) > allowed:
        sys.exit(f'{name}: {preset["measure"]} is {want} in FFmpeg, and {got} here')


def compare(presets, source, filters, forms, name, folder, device):
    for ffmpeg_form, form in forms.items():
        raw, size, measures = decode(source, filters, ffmpeg_form, folder)
        seen = {}
        for preset in presets:
            key = preset['element'] + preset['expression']
            if key not in seen:
                seen[key] = measure(preset, raw, size, form, device)
            assert 0 < len(seen[key]) == len(measures), (name, len(seen[key]), len(measures))
            for found, said in zip(seen[key], measures):
                check(preset, found, said, size[0] * size[1], f'{name} {ffmpeg_form}')


def main():
    if not shutil.which('ffmpeg'):
        print('no ffmpeg')
        sys.exit(77)
    with open(sys.argv[1], encoding='utf-8') as file:
        presets = json.load(file)
    device = os.environ.get('GLES_TEST_DEVICE', 'cpu')
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, filters) in MADE.items():
            compare(presets, ['-f', 'lavfi', '-i', source], filters, {'yuv420p': 'i420', 'yuv444p': 'y444'}, name,
                    folder, device)
        for clip in sorted(glob.glob(os.path.join(os.environ.get('GLES_TEST_MEDIA', '/nowhere'), '*.mp4'))):
            compare(presets, ['-i', clip], 'null', {'yuv420p': 'i420'}, os.path.basename(clip), folder, device)
    print(f'{len(presets)} measures of {len(MADE)} clips are equal')


main()
