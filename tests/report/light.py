# SPDX-License-Identifier: LGPL-2.1-or-later
"""Light levels of gst-gles-report-1.0: the table of shots and the page have those of BT.2100 for made clips in PQ, with short
and long shots, from the video and from its lines; a clip that is not PQ has none.

Arguments: the program."""
import base64
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print('python3-numpy is not installed')
    sys.exit(77)

WIDTH, HEIGHT = 64, 48
SHARES = {'p1': 1, 'p5': 5, 'p10': 10, 'p25': 25, 'p50': 50, 'p75': 75, 'p90': 90, 'p95': 95, 'p98': 98, 'p99': 99,
          'p99_98': 99.98}
# frames of the shots; the third one is longer than the table keeps counters
SHOTS = (40, 25, 700, 30)


def light_of(code):
    """Table 4 of BT.2100: in cd/m2."""
    root = (numpy.asarray(code) / 1023.0) ** (32 / 2523)
    return 10000 * (numpy.maximum(root - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * root)) ** (16384 / 2610)


def make():
    """Frames of luma of limited range: noise about a level of the shot, which drifts."""
    random = numpy.random.default_rng(9)
    frames = []
    for shot, n in enumerate(SHOTS):
        level = (200, 620, 330, 760)[shot] + 40 * random.normal(size=(HEIGHT // 8, WIDTH // 8)).repeat(8, 0).repeat(8, 1)
        for i in range(n):
            frames.append(numpy.clip(level + 20 * i / n + random.normal(0, 3, (HEIGHT, WIDTH)), 64, 940).astype('<u2'))
    return frames


def write(frames, name, transfer):
    # FFmpeg 7 takes these from the pictures, and not from options of the encoder
    grey = numpy.full((HEIGHT // 2, WIDTH // 2), 512, '<u2').tobytes() * 2
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', '-s',
                    f'{WIDTH}x{HEIGHT}', '-r', '25', '-i', '/dev/stdin', '-vf',
                    f'setparams=range=tv:color_primaries=bt2020:color_trc={transfer}:colorspace=bt2020nc', '-c:v', 'ffv1', name],
                   input=b''.join(frame.tobytes() + grey for frame in frames), check=True)


def expected(frames):
    light = [light_of(((frame.astype(int) - 64) * round(8192 * 1023 / 876) + 4096) >> 13) for frame in frames]
    means = [pixels.mean() for pixels in light]
    pixels = numpy.sort(numpy.concatenate([part.ravel() for part in light]))
    row = {'frames': len(frames), 'max_cll': pixels[-1], 'max_fall': max(means), 'mean': sum(means) / len(means)}
    row.update((name, pixels[-(-len(pixels) * round(100 * share) // 10000) - 1]) for name, share in SHARES.items())
    return row, [part.max() for part in light], means


def run(*arguments):
    subprocess.run([TOOL, '--quiet', '--device', 'cpu', *arguments], check=True, timeout=120)
    with open('light.csv', encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def check_rows(rows, frames, percentiles=True):
    assert [row['shot'] for row in rows] == [str(i + 1) for i in range(len(SHOTS))] + ['all'], rows
    first = 0
    for row, n in zip(rows, (*SHOTS, len(frames))):
        if row['shot'] == 'all':
            first = 0
        want = expected(frames[first:first + n])[0]
        assert (float(row['start']), float(row['end'])) == (first / 25, (first + n) / 25), row
        first += n
        for name, value in want.items():
            if name in SHARES and not percentiles:
                assert row[name] == '', row
            else:
                assert abs(float(row[name]) - value) <= 2.0 ** -17 + 1e-6 * value, (row['shot'], name, row[name], value)


def check_page(name, frames):
    with open(name, encoding='utf-8') as file:
        data = json.loads(re.search(r'id="data">(.*?)</script>', file.read(), re.S)[1])
    levels = numpy.frombuffer(base64.b64decode(data['light']), '<f4').reshape(2, -1)
    want = expected(frames)[1:]
    assert levels.shape == (2, len(frames)) and numpy.allclose(levels, want, 1e-5, 1e-4)


def main():
    frames = make()
    write(frames, 'pq.mkv', 'smpte2084')
    check_rows(run('--light', 'light.csv', '-o', 'pq.html', '--replayable', '--ndjson', 'all.ndjson',
                   '--csv', 'frames.csv', 'pq.mkv'), frames)
    with open('frames.csv', encoding='utf-8', newline='') as file:
        rows = [(float(row['light_max']), float(row['light_mean'])) for row in csv.DictReader(file)]
    assert numpy.allclose(rows, numpy.transpose(expected(frames)[1:]), 1e-6, 2.0 ** -17)
    check_page('pq.html', frames)
    check_rows(run('--no-page', '--light', 'light.csv', '--from', 'all.ndjson'), frames)
    check_rows(run('--no-page', '--light', 'light.csv', '--replay', '--from', 'all.ndjson'), frames)
    # lines with fewer bins than code values have the levels of frames alone
    run('--no-page', '--light', 'light.csv', '--ndjson', 'few.ndjson', '--set', 'glesjson.counts=false', 'pq.mkv')
    check_rows(run('-o', 'few.html', '--light', 'light.csv', '--from', 'few.ndjson'), frames, percentiles=False)
    check_page('few.html', frames)
    write(frames[:50], 'sdr.mkv', 'bt709')
    assert run('-o', 'sdr.html', '--light', 'light.csv', 'sdr.mkv') == []
    with open('sdr.html', encoding='utf-8') as file:
        assert '"light":' not in file.read()


if shutil.which('ffmpeg') is None:
    print('ffmpeg is not installed')
    sys.exit(77)
TOOL = os.path.abspath(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
