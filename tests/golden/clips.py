# SPDX-License-Identifier: LGPL-2.1-or-later
"""Decoded clips: gleshistogram's lines compared, frame by frame, with numpy.bincount of the very frames
that it saw, and with FFmpeg's signalstats of the same file.

GLES_TEST_MEDIA names a folder of MP4 files to test with. Without it the test makes a clip of each format
in MADE with ffmpeg. Without ffmpeg, NumPy or a decoder this is skipped (exit status 77).
GLES_TEST_DEVICE says where to count."""
import glob
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
N_FRAMES = 10
DEVICE = os.environ.get('GLES_TEST_DEVICE', 'cpu')
# how much of itself a statistic may differ from what NumPy says; others not at all
NEAR = {'mean': 1e-9, 'stddev': 1e-9, 'entropy': 1e-9, 'difference': 1e-12, 'emd': 1e-9}
# file name: encoder, pixel format, colour range, size
MADE = {'h264': ('libx264', 'yuv420p', 'tv', '322x182'),
        'h264-full-range': ('libx264', 'yuvj420p', 'pc', '320x180'),
        'h264-444': ('libx264', 'yuv444p', 'tv', '320x180'),
        'hevc-10bit': ('libx265', 'yuv420p10le', 'tv', '200x200')}


def skip(why):
    print(f'skipped: {why}')
    sys.exit(SKIP)


make = importlib.import_module('histogram-make')  # skips without NumPy
np = make.np


def round_up(value, step):
    return -(-value // step) * step


def layout(form, width, height):
    """Planes (name, dtype, depth, offset, stride in samples, width, height) and the size of a frame, as
    GStreamer lays out frames that nothing is known of."""
    deep = form.endswith('_10LE')
    sample = 2 if deep else 1
    sub = 0 if form.startswith('Y444') else 1
    planes, offset = [], 0
    for name in 'YUV':
        shift = 0 if name == 'Y' else sub
        w, h = (width + (1 << shift) - 1) >> shift, (height + (1 << shift) - 1) >> shift
        rows = round_up(height, 2) >> shift if sub else height
        stride = round_up(w * sample, 4)
        planes.append((name, '<u2' if deep else 'u1', 10 if deep else 8, offset, stride // sample, w,
                       h))
        offset += stride * rows
    return planes, offset


def decode(clip, folder):
    """Lines of glesjson, and the file with the frames that they are about."""
    raw, lines = os.path.join(folder, 'frames.raw'), os.path.join(folder, 'lines.ndjson')
    # behind the end that identity makes, decoders hand out a few frames more, out of their row
    line = (f'filesrc location={clip} ! decodebin ! video/x-raw ! identity eos-after={N_FRAMES + 1} ! '
            f'gleshistogram device={DEVICE} emd=true ! tee name=t '
            f't. ! queue ! filesink location={raw} '
            f't. ! queue ! glesjson ! filesink location={lines}')
    done = subprocess.run(['gst-launch-1.0', '-q', *line.split()], capture_output=True, text=True,
                          timeout=300, check=False)
    if done.returncode != 0:
        raise AssertionError(f'gst-launch-1.0 failed: {done.stderr}')
    with open(lines, encoding='utf-8') as f:
        return [json.loads(text) for text in f], raw


def check_channel(channel, values, depth, bins, previous, where):
    """One channel of a line against the samples that it stands for. Returns how often there is each value."""
    wanted = np.bincount(values.astype(np.int64) * bins >> depth, minlength=bins).tolist()
    assert channel['counts'] == wanted, f'{where}: counts differ from numpy.bincount'
    native = np.bincount(values, minlength=2 ** depth)
    for key, value in zip(make.STATISTICS, make.statistics(values, native, previous)):
        near = NEAR.get(key, 0) * max(1, value)
        assert abs(channel[key] - value) <= near, f'{where}: {key} is {channel[key]}, NumPy says {value}'
    return native


def check_frames(lines, raw):
    planes, size = layout(lines[0]['format'], lines[0]['width'], lines[0]['height'])
    assert os.path.getsize(raw) == len(lines) * size, \
        f'{os.path.getsize(raw)} bytes are not {len(lines)} frames of {size}'
    previous = [None] * len(planes)
    with open(raw, 'rb') as f:
        for number, line in enumerate(lines):
            frame = f.read(size)
            assert line['frame'] == number
            histogram = line['histogram']
            for i, (name, dtype, depth, offset, stride, w, h) in enumerate(planes):
                where = f'frame {number} {name}'
                rows = np.frombuffer(frame, dtype, count=stride * (h - 1) + w, offset=offset)
                rows = np.lib.stride_tricks.as_strided(
                    rows, (h, w), (stride * rows.itemsize, rows.itemsize), writeable=False)
                channel = histogram['channels'][i]
                assert channel['name'] == name
                previous[i] = check_channel(channel, rows.reshape(-1), depth, histogram['bins'], previous[i], where)


def signalstats(clip):
    """A dictionary of FFmpeg's numbers per frame."""
    command = ['ffmpeg', '-nostdin', '-v', 'error', '-i', clip, '-an', '-frames:v', str(N_FRAMES),
               '-vf', 'signalstats,metadata=mode=print:file=-', '-f', 'null', '-']
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    frames = []
    for line in done.stdout.split('\n'):
        if line.startswith('frame:'):
            frames.append({})
        elif line.startswith('lavfi.signalstats.'):
            key, value = line[len('lavfi.signalstats.'):].split('=')
            frames[-1][key] = value
    return frames


def check_signalstats(lines, clip):
    """Minimum, maximum and mean; FFmpeg writes the mean with six digits. How many were compared."""
    frames = signalstats(clip)
    for number, (line, frame) in enumerate(zip(lines[:N_FRAMES], frames)):
        for channel in line['histogram']['channels']:
            name = channel['name']
            got = str(channel['min']), str(channel['max']), f'{channel["mean"]:g}'
            wanted = frame[f'{name}MIN'], frame[f'{name}MAX'], frame[f'{name}AVG']
            assert got == wanted, \
                f'frame {number} {name}: {got}, signalstats says {wanted} (min, max, mean)'
    return min(N_FRAMES, len(frames))


def make_clips(folder):
    """A moving picture with noise in each of the formats of MADE."""
    for name, (encoder, pixels, colours, size) in MADE.items():
        subprocess.run(
            ['ffmpeg', '-nostdin', '-v', 'error', '-f', 'lavfi', '-i', f'testsrc2=size={size}:rate=25',
             '-vf', 'noise=alls=20:allf=t', '-frames:v', str(2 * N_FRAMES), '-c:v', encoder,
             '-preset', 'ultrafast', '-pix_fmt', pixels, '-color_range', colours,
             os.path.join(folder, name + '.mp4')], check=True, capture_output=True, timeout=300)


def skip_without_needs():
    if os.environ.get('GLES_TEST_SANITIZE'):
        skip('gst-launch-1.0 was not built with the sanitizer that the plugin needs')
    if not shutil.which('ffmpeg'):
        skip('no ffmpeg')
    for decoder in ('avdec_h264', 'avdec_h265', 'qtdemux'):
        if subprocess.run(['gst-inspect-1.0', '--exists', decoder], check=False).returncode != 0:
            skip(f'no {decoder}')
    probe = f'videotestsrc num-buffers=1 ! gleshistogram device={DEVICE} ! fakesink'
    if DEVICE != 'cpu' and os.environ.get('GLES_TEST_REQUIRE') != 'gl' and subprocess.run(
            ['gst-launch-1.0', '-q', *probe.split()], check=False).returncode != 0:
        skip(f'no OpenGL ES by {DEVICE}')


def check_clip(clip, folder):
    """What was compared, in words."""
    lines, raw = decode(os.path.realpath(clip), folder)
    assert len(lines) >= N_FRAMES, f'only {len(lines)} lines'
    check_frames(lines, raw)
    return (f'{len(lines)} frames of {lines[0]["format"]} equal NumPy, '
            f'{check_signalstats(lines, clip)} equal signalstats')


def main():
    skip_without_needs()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        media = os.environ.get('GLES_TEST_MEDIA')
        if not media:
            media = folder
            make_clips(media)
        clips = sorted(glob.glob(os.path.join(media, '*.mp4')))
        assert clips, f'no .mp4 file in GLES_TEST_MEDIA, {media}'
        for clip in clips:
            try:
                print(f'ok: {os.path.basename(clip)}: {check_clip(clip, folder)}')
            except AssertionError as error:
                print(f'FAILED: {os.path.basename(clip)}: {error}')
                failed += 1
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
