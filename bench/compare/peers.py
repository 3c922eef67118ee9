# SPDX-License-Identifier: LGPL-2.1-or-later
"""Time per frame of our histograms and lists of points and of what other projects compute, on the
same frames.

All contenders take turns (one round each, then the next round), so that a machine that slows down
slows all of them down; what is reported is the median over the rounds and its spread, and the ratio
to each of ours. Frames are in memory (a tmpfs for ffmpeg) before a clock runs. GStreamer elements
are measured by `gst-gles-bench-1.0 streams`, which pushes frames into the element and waits for the
results; ffmpeg by the difference between a run with the filter and the same run with `null` instead;
Python libraries in this process, on arrays that are in memory. Points are those of 9 and of 50 % of
the luma, and those of an expression; that ours are as many as OpenCV's, or numpy's, is checked."""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

import cv2
import numpy

SIZES = {'1080p': (1920, 1080), '4K': (3840, 2160)}
PHOTO = '/usr/share/backgrounds/Kleiber_by_Lukas_Baubkus.jpg'
N_DISTINCT = 12

SHARES = (9, 50)  # % of the luma that passes the threshold
DEVICES = ('software', 'cpu')
EXPRESSION = 'in(hue, 15, 45) && Y > 100'


def make_pan(path, width, height):
    """N_DISTINCT windows of a photograph, as I420; scaled up first where it is too small."""
    picture = cv2.imread(PHOTO)
    if picture is None:
        raise SystemExit(f'{PHOTO} is missing: install lomiri-wallpapers-20.04')
    free_y, free_x = picture.shape[0] - height, picture.shape[1] - width
    with open(path, 'wb') as f:
        for i in range(N_DISTINCT):
            x, y = free_x * i // (N_DISTINCT - 1) & ~1, free_y * i // (N_DISTINCT - 1) & ~1
            window = picture[y:y + height, x:x + width]
            f.write(cv2.cvtColor(window, cv2.COLOR_BGR2YUV_I420).tobytes())


def make_noise(path, width, height):
    generator = numpy.random.default_rng(1)
    with open(path, 'wb') as f:
        for _ in range(N_DISTINCT):
            f.write(generator.integers(0, 256, width * height * 3 // 2, numpy.uint8).tobytes())


class Element:
    """A GStreamer element, net of pushing frames through nothing."""

    def __init__(self, tool, element, device='cpu', n_points=None):
        self.tool, self.element, self.device, self.n_points = tool, element, device, n_points

    def push(self, element, frames):
        """ms a frame; checks what was read of the results of our elements."""
        n_frames = frames.budget(150)
        said = subprocess.run([self.tool, 'streams', '--streams', '1', '--element', element, '--device',
                               self.device, '--input', frames.path, '--size',
                               f'{frames.width}x{frames.height}', '--frames', str(n_frames),
                               '--warmup', '0', '--sample-every', '0', '--json-file', '-'],
                              check=True, capture_output=True, text=True).stdout
        row = json.loads(said)['results'][0]
        read = row['read']
        if element.startswith('gles') and read['results'] != n_frames:
            raise SystemExit(f'{element}: {read["results"]} results for {n_frames} frames')
        turns = n_frames // N_DISTINCT
        if element != 'none' and self.n_points and read['points'] != turns * self.n_points:
            raise SystemExit(f'{element}: {read["points"]} points, the peer finds '
                             f'{turns * self.n_points}')
        return 1e3 / row['frames_per_s']

    def measure(self, frames):
        return self.push(self.element, frames) - self.push('none', frames)


class Ffmpeg:
    """A filter, net of the same command with the filter that does nothing."""

    def __init__(self, video_filter, threads):
        self.video_filter, self.threads = video_filter, threads

    def measure(self, frames):
        loops = max(1, frames.budget(120) // N_DISTINCT)

        def run(video_filter):
            command = ['ffmpeg', '-nostdin', '-v', 'error', '-filter_threads', str(self.threads),
                       '-stream_loop', str(loops - 1), '-f', 'rawvideo', '-pix_fmt', 'yuv420p',
                       '-s', f'{frames.width}x{frames.height}', '-i', frames.path,
                       '-vf', video_filter, '-f', 'null', '-']
            start = time.perf_counter()
            subprocess.run(command, check=True)
            return (time.perf_counter() - start) * 1e3 / (loops * N_DISTINCT)
        return run(self.video_filter) - run('null')


class Python:
    """A function of the planes Y, U, V."""

    def __init__(self, function, threads):
        self.function, self.threads = function, threads

    def measure(self, frames):
        cv2.setNumThreads(self.threads)
        n_frames = frames.budget(60)
        for planes in frames.planes:
            self.function(planes)
        start = time.perf_counter()
        for i in range(n_frames):
            self.function(frames.planes[i % N_DISTINCT])
        return (time.perf_counter() - start) * 1e3 / n_frames


class Frames:
    def __init__(self, path, width, height):
        self.path, self.width, self.height = path, width, height
        data = self.data = numpy.fromfile(path, numpy.uint8).reshape(N_DISTINCT, -1)
        luma, chroma = width * height, width * height // 4
        self.planes = [(frame[:luma].reshape(height, width),
                        frame[luma:luma + chroma].reshape(height // 2, width // 2),
                        frame[luma + chroma:].reshape(height // 2, width // 2)) for frame in data]

    def budget(self, n_frames_1080p):
        """As many frames as take about as long as n_frames_1080p of 1080p, in whole turns."""
        n_frames = n_frames_1080p * 1920 * 1080 // (self.width * self.height)
        return max(1, n_frames // N_DISTINCT) * N_DISTINCT


def calc_hist(planes):
    return [cv2.calcHist([plane], [0], None, [256], [0, 256]) for plane in planes]


def find_points(planes, lower):
    """Coordinates; threshold() keeps what is above its argument."""
    return cv2.findNonZero(cv2.threshold(planes[0], lower - 1, 255, cv2.THRESH_BINARY)[1])


def find_orange(planes, i420):
    """What EXPRESSION says, nearly: OpenCV's hue is half of ours, and rounded."""
    hsv = cv2.cvtColor(cv2.cvtColor(i420, cv2.COLOR_YUV2BGR_I420), cv2.COLOR_BGR2HSV)
    orange = cv2.inRange(hsv, (8, 0, 0), (22, 255, 255))
    return cv2.findNonZero(cv2.bitwise_and(orange, cv2.inRange(planes[0], 101, 255)))


def nonzero_orange(planes):
    """What EXPRESSION says (docs/expressions.md), of BT.709 in limited range."""
    y = (planes[0].astype(numpy.int32) - 16) * 9539 + 4096
    u, v = (plane.repeat(2, 0).repeat(2, 1).astype(numpy.int32) - 128 for plane in planes[1:])
    r, g, b = (numpy.clip(c >> 13, 0, 255) for c in (y + 14686 * v, y - 4366 * v - 1747 * u, y + 17305 * u))
    most = numpy.maximum(r, numpy.maximum(g, b))
    d = most - numpy.minimum(r, numpy.minimum(g, b))
    degrees = numpy.where(most == r, 60 * (g - b) + numpy.where(g < b, 360 * d, 0),
                          numpy.where(most == g, 60 * (b - r) + 120 * d, 60 * (r - g) + 240 * d))
    hue = numpy.where(d > 0, degrees // numpy.maximum(d, 1), 0)
    return numpy.nonzero((hue >= 15) & (hue <= 45) & (planes[0] > 100))


def expression_contenders(tool, frames):
    n_points = sum(len(nonzero_orange(planes)[0]) for planes in frames.planes)
    i420 = {planes[0].ctypes.data: frame.reshape(-1, frames.width)
            for planes, frame in zip(frames.planes, frames.data)}
    found = {f'glescompact device={device}, expression': ('expression', Element(
        tool, f'glescompact predicate=expression expression="{EXPRESSION}" max-points={frames.width * frames.height}',
        device, n_points)) for device in DEVICES}
    for threads, name in ((1, '1 thread'), (os.cpu_count(), 'all threads')):
        found[f'OpenCV cvtColor + inRange + findNonZero, {name}'] = (
            'expression', Python(lambda p: find_orange(p, i420[p[0].ctypes.data]), threads))
    return found | {'numpy, the same formula': ('expression', Python(nonzero_orange, 1))}


def points_contenders(tool, frames, share):
    histogram = sum(numpy.bincount(planes[0].ravel(), minlength=256) for planes in frames.planes)
    passing = 100 * numpy.cumsum(histogram[::-1])[::-1] / histogram.sum()
    lower = 1 + int(numpy.abs(passing[1:] - share).argmin())
    counts = [int(numpy.count_nonzero(planes[0] >= lower)) for planes in frames.planes]
    n_points, room = sum(counts), max(1048576, *counts)
    print(f'{share} %: luma from {lower} on, {passing[lower]:.1f} % pass')
    kind = f'{share} %'
    found = {
        f'glescompact device={device}, {kind}': (kind, Element(
            tool, f'glescompact lower={lower} max-points={room}', device, n_points))
        for device in DEVICES}
    for threads, name in ((1, '1 thread'), (os.cpu_count(), 'all threads')):
        found[f'OpenCV threshold + findNonZero, {name}, {kind}'] = (
            kind, Python(lambda p: find_points(p, lower), threads))
    found[f'numpy nonzero, {kind}'] = (kind, Python(lambda p: numpy.nonzero(p[0] >= lower), 1))
    return found


def contenders(tool, frames):
    """What each computes, and how to measure it. What computes the same is compared."""
    n_cores = os.cpu_count()
    found = {f'gleshistogram device={device}, {kind}': (kind, Element(tool, element, device))
             for device in DEVICES
             for kind, element in (('Y U V', 'gleshistogram'), ('luma', 'gleshistogram channels=luma'))}
    found |= {
        'ffmpeg signalstats, 2 threads': ('Y U V', Ffmpeg('signalstats', 2)),
        'ffmpeg blackdetect, 2 threads': ('luma', Ffmpeg('blackdetect', 2)),
        'videoanalyse': ('Y U V; luma', Element(tool, 'videoanalyse')),
        'OpenCV calcHist Y, 1 thread': ('luma', Python(lambda p: calc_hist(p[:1]), 1)),
        'OpenCV calcHist Y, all threads': ('luma', Python(lambda p: calc_hist(p[:1]), n_cores)),
        'OpenCV calcHist Y U V, all threads': ('Y U V', Python(calc_hist, n_cores)),
        'numpy bincount Y': ('luma', Python(lambda p: numpy.bincount(p[0].ravel(), minlength=256), 1)),
    }
    for share in SHARES:
        found |= points_contenders(tool, frames, share)
    return found | expression_contenders(tool, frames)


def machine(tool):
    """What the tool says of the machine, and versions."""
    commands = {
        'commit': ['git', '-C', os.path.dirname(os.path.abspath(__file__)), 'rev-parse', '--short', 'HEAD'],
        'system': ['sh', '-c', '. /etc/os-release; echo "$PRETTY_NAME"'],
        'mesa': ['dpkg-query', '-W', '-f=${Version}', 'libegl-mesa0'],
        'gstreamer': ['gst-launch-1.0', '--gst-version'],
        'ffmpeg': ['ffmpeg', '-version']}
    said = json.loads(subprocess.run([tool, '--device', 'cpu', '--sizes', '1', '--json-file', '-', 'copy'],
                                     check=True, capture_output=True, text=True).stdout)
    return {'date': said['timestamp'], 'cpu': said['cpu'], 'cores': os.cpu_count(),
            **{name: (subprocess.run(command, capture_output=True, text=True, check=False).stdout or '?').splitlines()[0]
               for name, command in commands.items()},
            'opencv': cv2.__version__, 'numpy': numpy.__version__}


def measure(frames, all_contenders, n_rounds):
    times = {name: [] for name in all_contenders}
    for _ in range(n_rounds):
        for name, (_, contender) in all_contenders.items():
            times[name].append(contender.measure(frames))
    return {name: {'computes': all_contenders[name][0], 'median_ms': statistics.median(t), 'min_ms': min(t),
                   'max_ms': max(t)}
            for name, t in times.items()}


def print_table(title, results):
    print(f'\n{title}\n')
    print('| contender | ms a frame (median) | min to max |')
    print('|---|---|---|')
    for name, r in results.items():
        print(f'| {name} | {r["median_ms"]:.3f} | {r["min_ms"]:.3f} to {r["max_ms"]:.3f} |')
    print('\n| ours | peer | peer\'s time / our time |')
    print('|---|---|---|')
    for ours, our in results.items():
        for peer, r in results.items() if ours.startswith('gles') else ():
            if peer.startswith('gles') or our['computes'] not in r['computes'].split('; '):
                continue
            # net times: where the machine is noisy what little a filter takes can vanish
            peers_ms, our_ms = r['median_ms'], our['median_ms']
            ratio = f'{peers_ms / our_ms:.2f}' if peers_ms > 0 and our_ms > 0 else 'not measurable'
            print(f'| {ours} | {peer} | {ratio} |', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--tool', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--size', choices=SIZES, action='append', help='default: all')
    parser.add_argument('--content', choices=('photograph', 'noise'), action='append')
    parser.add_argument('--only', metavar='TEXT', default='', help='only what computes this, such as "expression"')
    parser.add_argument('--json', metavar='FILE', help='where to write the results too')
    options = parser.parse_args()
    report = {'machine': machine(options.tool), 'rounds': options.rounds, 'results': {}}
    for name, value in report['machine'].items():
        print(f'{name}: {value}')
    with tempfile.TemporaryDirectory(dir='/dev/shm') as folder:
        path = os.path.join(folder, 'frames.yuv')
        for size in options.size or SIZES:
            for content in options.content or ('photograph', 'noise'):
                width, height = SIZES[size]
                (make_pan if content == 'photograph' else make_noise)(path, width, height)
                title = f'{size} {content}'
                print(f'\n{title}')
                frames = Frames(path, width, height)
                chosen = {name: contender for name, contender in contenders(options.tool, frames).items()
                          if options.only in contender[0]}
                results = measure(frames, chosen, options.rounds)
                report['results'][title] = results
                print_table(title, results)
    if options.json:
        with open(options.json, 'w', encoding='utf-8') as f:
            json.dump(report, f, indent=1)


if __name__ == '__main__':
    main()
