# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the comparisons with filters of FFmpeg share: clips as raw frames, and what filters say of each."""
import glob
import os
import re
import shutil
import subprocess
import sys

FORMS = {'yuv420p': 'i420', 'yuv422p10le': 'i422-10le', 'yuv420p10le': 'i420-10le', 'yuv444p12le': 'y444-12le',
         'yuv444p16le': 'y444-16le', 'gray': 'gray8'}
DEVICE = os.environ.get('GLES_TEST_DEVICE', 'cpu')
FFMPEG = os.environ.get('GLES_TEST_FFMPEG', 'ffmpeg')
MEDIA = sorted(glob.glob(os.path.join(os.environ.get('GLES_TEST_MEDIA', '/nowhere'), '*.mp4')))


def need_ffmpeg():
    if not shutil.which(FFMPEG):
        print('no', FFMPEG)
        sys.exit(77)


def ffmpeg(*arguments):
    return subprocess.run([FFMPEG, '-v', 'error', '-nostdin', *arguments], check=True, capture_output=True,
                          text=True).stdout


def clips_of(made):
    """The name, the input's arguments and the filters of made clips, and of those of the folder GLES_TEST_MEDIA."""
    for name, (source, filters) in made.items():
        yield name, ['-f', 'lavfi', '-i', source], filters
    for path in MEDIA:
        yield os.path.basename(path), ['-i', path], 'null'


def decode(source, filters, form, folder, n_frames=40):
    """A file with raw frames, and their size."""
    raw = os.path.join(folder, 'frames.yuv')
    said = subprocess.run([FFMPEG, '-y', '-nostdin', *source, '-vf', f'{filters},format={form},showinfo', '-frames:v',
                           str(n_frames), '-f', 'rawvideo', raw], check=True, capture_output=True, text=True).stderr
    return raw, tuple(map(int, re.search(r' s:(\d+)x(\d+) ', said).groups()))


def said_by(raw, size, form, filters):
    """What filters print of each frame; nothing of those that they leave out."""
    said = ffmpeg('-f', 'rawvideo', '-video_size', f'{size[0]}x{size[1]}', '-pixel_format', form, '-i', raw,
                  '-filter_complex', f'{filters},metadata=print:file=-', '-f', 'null', '-')
    parts = [part.split(maxsplit=1) for part in said.split('frame:')[1:]]
    measures = {int(number): dict(re.findall(r'lavfi\.(\S+)=(\S+)', part)) for number, part in parts}
    return [measures.get(number, {}) for number in range(os.path.getsize(raw) // frame_bytes(size, form))]


def frame_bytes(size, form):
    depth = 2 if form.endswith('le') else 1
    luma = size[0] * size[1]
    chroma = {'gray': 0, '420': -(-size[0] // 2) * -(-size[1] // 2), '422': -(-size[0] // 2) * size[1], '444': luma}
    return (luma + 2 * chroma[form if form == 'gray' else form[3:6]]) * depth


def lines_of(raw, size, form, elements):
    """The lines of glesjson behind @elements."""
    line = ['gst-launch-1.0', '-q', 'filesrc', f'location={raw}', '!', 'rawvideoparse', f'width={size[0]}',
            f'height={size[1]}', f'format={FORMS[form]}', 'framerate=10/1', *elements, '!', 'glesjson', 'counts=false',
            '!', 'fdsink']
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout.split('\n')[:-1]


def table_of(report, raw, size, form, measures, folder):
    """The rows of the table of frames, as dicts."""
    clip, table = os.path.join(folder, 'clip.mkv'), os.path.join(folder, 'clip.csv')
    ffmpeg('-y', '-f', 'rawvideo', '-video_size', f'{size[0]}x{size[1]}', '-pixel_format', form, '-i', raw, '-c:v', 'ffv1',
           clip)
    subprocess.run([report, '-q', '-d', DEVICE, '--no-page', '--csv', table, '--signalstats', measures, clip], check=True)
    with open(table, encoding='utf-8', newline='') as file:
        names, *rows = [line.split(',') for line in file.read().split('\r\n')[:-1]]
    return [dict(zip(names, row)) for row in rows]


def check(name, what, ours, theirs):
    if ours != theirs:
        sys.exit(f'{name}: {what} is {theirs} in FFmpeg, and {ours} here')
