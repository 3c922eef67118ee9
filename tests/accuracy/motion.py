#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Motion of glescompact on public data: prints its section of docs/accuracy.md.

GLES_PUBLIC_DATA names a folder with cdnet-highway (highway.mp4, truth.mkv, roi.png); exit status 77 without it. With
cameras/kodak (see cameras.py) its photographs go to infrared, too. Arguments are more settings of glescompact to
measure. OpenCV's subtractors are measured where python3-opencv is installed.
"""
import glob
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import gi
import numpy as np

gi.require_version('Gst', '1.0')
gi.require_version('GstApp', '1.0')
gi.require_version('GstGles', '1.0')
from gi.repository import Gst, GstApp, GstGles  # noqa: E402, F401

try:
    import cv2
except ImportError:
    cv2 = None

WIDTH, HEIGHT, RATE = 320, 240, 25
FIRST = 469  # the first frame with labels
SETTINGS = ('reference=background', 'reference=background lower=16', 'reference=background lower=24 adaptation=1000',
            'reference=samples')
STILL = 250  # frames, of which the first 50 do not count
# settings of glescompact, glesregions and glesevents: those of gst-gles-watch-1.0 before, and now
WATCHED = (('reference=previous lower=16', '', ''), ('reference=previous', '', ''),
           ('reference=samples adaptation=50', 'min-points=2', 'motion-min-size=0.001'))
LONG = 3000  # frames of a still picture that has no event
THINGS, REST, SEEN = 5, 250, 50  # times that cars come, frames before each, and of each
CODERS = ('', '', '', '-crf 23', '-crf 28', '-crf 35')
NOISES = (2, 6, 12, 6, 6, 6)


def decode(path, pixels, filters='null'):
    """The planes of a clip, one row for each frame."""
    command = ('ffmpeg', '-v', 'error', '-i', path, '-vf', filters, '-f', 'rawvideo', '-pix_fmt', pixels, '-')
    data = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    size = WIDTH * HEIGHT * (3 if pixels == 'yuv420p' else 2) // 2
    return np.frombuffer(data, 'u1').reshape(-1, size)


def masks_of(frames, settings):
    """The pixels that glescompact lists in each frame of I420."""
    pipeline = Gst.parse_launch(
        f'appsrc name=in format=time caps=video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate={RATE}/1 ! '
        f'glescompact device=cpu predicate=motion {settings} ! appsink name=out sync=false max-buffers=4')
    source, sink = pipeline.get_by_name('in'), pipeline.get_by_name('out')
    pipeline.set_state(Gst.State.PLAYING)
    for number, frame in enumerate(frames):
        buffer = Gst.Buffer.new_wrapped(frame.tobytes())
        buffer.pts, buffer.duration = number * Gst.SECOND // RATE, Gst.SECOND // RATE
        source.emit('push-buffer', buffer)
        sample = sink.emit('pull-sample')
        points = GstGles.PointsResult.from_buffer(sample.get_buffer()).points
        mask = np.zeros((HEIGHT, WIDTH), bool)
        mask[points['y'], points['x']] = True
        yield mask
    pipeline.set_state(Gst.State.NULL)


def median(mask):
    """The median of 5x5: what most of 25 pixels are; the border is repeated."""
    sums = np.cumsum(np.cumsum(np.pad(np.pad(mask.astype('i4'), 2, 'edge'), ((1, 0), (1, 0))), 0), 1)
    return sums[5:, 5:] - sums[:-5, 5:] - sums[5:, :-5] + sums[:-5, :-5] > 12


def score(masks, truth, inside):
    """Precision, recall and F-measure as found, then after the median."""
    counts = np.zeros((2, 3))
    for number, mask in enumerate(masks):
        if number < FIRST:
            continue
        label = truth[number]
        counted, moving = inside & (label != 85) & (label != 170), label == 255
        for row, found in enumerate((mask, median(mask))):
            counts[row] += ((found & moving & counted).sum(), (found & ~moving & counted).sum(),
                            (~found & moving & counted).sum())
    for right, wrong, missed in counts:
        precision, recall = right / max(right + wrong, 1), right / max(right + missed, 1)
        yield f'{precision:.3f}, {recall:.3f}, {2 * precision * recall / max(precision + recall, 1e-9):.3f}'


def noisy(pictures, noise, coder):
    """The pictures with new noise in each, as they are or as H.264 has them."""
    random, size = np.random.default_rng(1), WIDTH * HEIGHT
    frames = np.stack(list(pictures))
    for frame in frames:
        frame[:size] = np.clip(np.rint(frame[:size] + random.normal(0, noise, size)), 0, 255)
    if coder == '':
        return frames
    raw = f'-f rawvideo -pix_fmt yuv420p -s {WIDTH}x{HEIGHT}'
    coded = subprocess.run(f'ffmpeg -v error {raw} -r {RATE} -i - -c:v libx264 {coder} -f h264 -'.split(), check=True,
                           input=frames.tobytes(), stdout=subprocess.PIPE).stdout
    plain = subprocess.run(f'ffmpeg -v error -f h264 -i - {raw} -'.split(), check=True, input=coded,
                           stdout=subprocess.PIPE).stdout
    return np.frombuffer(plain, 'u1').reshape(len(frames), -1)


def share(frames, settings):
    """Percent of the pixels that are listed, as found and after the median."""
    found = [(mask.mean(), median(mask).mean()) for mask in masks_of(frames, settings)][50:]
    return '{:.2f}, {:.4f}'.format(*(100 * np.mean(found, 0)))


def night(frames, truth):
    """The first picture, in a third of its light, in which cars of the clip are to be seen five times."""
    dark = (frames.astype('i4') - 16) * 0.35 + 16
    dark[:, WIDTH * HEIGHT:] = 128
    dark = np.rint(dark).astype('u1')
    for thing in range(THINGS):
        yield from dark[:1].repeat(REST, 0)
        for number in range(FIRST + 100 * thing, FIRST + 100 * thing + SEEN):
            picture, moving = dark[0].copy(), np.flatnonzero(truth[number] == 255)
            picture[moving] = dark[number, moving]
            yield picture
    yield from dark[:1].repeat(REST, 0)


def events(frames, compact, regions, settings):
    """The numbers of the frames with which events of motion begin."""
    pipeline = Gst.parse_launch(
        f'appsrc name=in format=time caps=video/x-raw,format=I420,width={WIDTH},height={HEIGHT},'
        f'framerate={RATE}/1 ! glescompact device=cpu predicate=motion {compact} readback=false ! '
        f'glesregions device=cpu {regions} ! glesevents events=motion {settings} ! appsink name=out sync=false max-buffers=4')
    source, sink = pipeline.get_by_name('in'), pipeline.get_by_name('out')
    pipeline.set_state(Gst.State.PLAYING)
    for number, frame in enumerate(frames):
        buffer = Gst.Buffer.new_wrapped(frame.tobytes())
        buffer.pts, buffer.duration = number * Gst.SECOND // RATE, Gst.SECOND // RATE
        source.emit('push-buffer', buffer)
        sink.emit('pull-sample')
    while (message := pipeline.get_bus().pop_filtered(Gst.MessageType.ELEMENT)) is not None:
        structure = message.get_structure()
        if structure.get_name() == 'glesevents' and structure['phase'] == 'start':
            yield structure['stream-time'] * RATE // Gst.SECOND
    pipeline.set_state(Gst.State.NULL)


def judge(still, scene, settings):
    """How many events a still picture has, how often cars were found, and how many other events the scene has."""
    things = [start // (REST + SEEN) if start % (REST + SEEN) >= REST else None for start in events(scene, *settings)]
    return f'{len(list(events(still, *settings)))}; {len({*things} - {None})}, {things.count(None)}'


def infrared(folder):
    """Prints in how many photographs of a folder a camera that goes to infrared is no motion."""
    grey = ',colorchannelmixer=' + ':'.join(f'{c}r=0.1:{c}g=0.2:{c}b=0.9' for c in 'rgb')
    none, changes = 0, []
    for path in sorted(glob.glob(f'{folder}/*.png')):
        before, after = (decode(path, 'yuv420p', f'scale={WIDTH}:{HEIGHT}:force_original_aspect_ratio=increase,'
                                f'crop={WIDTH}:{HEIGHT},format=gbrp{mix}') for mix in ('', grey))
        frames = noisy(np.concatenate((before.repeat(30, 0), after.repeat(11, 0))), 2, '')
        left = [mask.mean() for mask in masks_of(frames, 'reference=samples adaptation=50')]
        change = np.abs(after.astype('i4') - before)[0, :WIDTH * HEIGHT].reshape(HEIGHT, WIDTH)[::8]
        if max(left[30], left[40]) < 0.003:
            none += 1
        else:
            changes.append(100 * (change >= 8).mean())
    print(f'\nOf {none + len(changes)} photographs (`cameras/kodak`) that become grey as in infrared (0.1 of red, 0.2 of '
          'green, 0.9 of blue, with\n'
          f'noise of sd 2), {none} have less than 0.3 % of their pixels listed by `reference=samples adaptation=50` in that '
          'frame and\n'
          f'ten frames later. In the others {min(changes):.0f} to {max(changes):.0f} % of the pixels change by 8 or more.')


def subtract(folder, count):
    """Rows of OpenCV's subtractors, which read the clip in colour."""
    for name, make in (('KNN', cv2.createBackgroundSubtractorKNN), ('MOG2', cv2.createBackgroundSubtractorMOG2)):
        subtractor, capture = make(detectShadows=True), cv2.VideoCapture(os.path.join(folder, 'highway.mp4'))
        yield (f'{name} of OpenCV {cv2.__version__}',
               [subtractor.apply(capture.read()[1]) == 255 for _ in range(count)])


def main():
    folder = os.path.join(os.environ.get('GLES_PUBLIC_DATA', ''), 'cdnet-highway')
    if not os.path.exists(os.path.join(folder, 'highway.mp4')):
        print('set GLES_PUBLIC_DATA to a folder that has cdnet-highway/highway.mp4', file=sys.stderr)
        return 77
    Gst.init(None)
    frames = decode(os.path.join(folder, 'highway.mp4'), 'yuv420p')
    truth = decode(os.path.join(folder, 'truth.mkv'), 'gray').reshape(-1, HEIGHT, WIDTH)
    inside = decode(os.path.join(folder, 'roi.png'), 'gray').reshape(HEIGHT, WIDTH) > 127
    settings = SETTINGS + tuple(sys.argv[1:])
    print('## Motion\n\n'
          'CDnet 2014 "highway" (changedetection.net, for research; from ZZZZZZZJJHHH/FrameDifference), frames 1 to 1085\n'
          f'of {WIDTH}x{HEIGHT}, of which those from 470 on have labels; `reference=samples` was tuned on this clip (number\n'
          'of samples, smoothing, radius). `GLES_PUBLIC_DATA=FOLDER tests/accuracy/motion.py`. Precision, recall and F-measure of the pixels:\n\n'
          '| | as found | after a median of 5x5 |\n|---|---|---|')
    rows = [(f'`{setting}`', masks_of(frames, setting)) for setting in settings]
    if cv2 is not None:
        rows += subtract(folder, len(frames))
    for name, masks in rows:
        print('| {} | {} | {} |'.format(name, *score(masks, truth, inside)))
    print('\nFalse pixels of a still picture, the first one of the clip, with noise of the standard deviation `sd` in luma, as\n'
          'it is or as H.264 has it; percent as found, and after a median of 5x5:\n\n'
          '| | ' + ' | '.join(f'sd {noise}{coder.replace("-", ", ")}' for noise, coder in zip(NOISES, CODERS)) + ' |\n'
          '|' + '---|' * (len(NOISES) + 1))
    pictures = [noisy(frames[:1].repeat(STILL, 0), noise, coder) for noise, coder in zip(NOISES, CODERS)]
    for setting in settings:
        print(f'| `{setting}` | ' + ' | '.join(share(picture, setting) for picture in pictures) + ' |')
    print(f'\nEvents of settings that gst-gles-watch-1.0 had before (the first row) and has now (the last), in the same\n'
          f'noise: of {LONG} frames of the still picture, 10 minutes at 5 frames a second; then, in a night scene (that '
          f'picture in a\nthird of its light, in which cars of the clip appear {THINGS} times for {SEEN} frames), how often the '
          'cars are found, and\nother events:\n\n'
          '| | ' + ' | '.join(f'sd {noise}{coder.replace("-", ", ")}' for noise, coder in zip(NOISES, CODERS)) + ' |\n'
          '|' + '---|' * (len(NOISES) + 1))
    rows = [['`' + ' '.join(filter(None, settings)) + '`'] for settings in WATCHED]
    flat = truth.reshape(len(truth), -1)

    def column(noise, coder):
        still, scene = noisy(frames[:1].repeat(LONG, 0), noise, coder), noisy(night(frames, flat), noise, coder)
        return [judge(still, scene, settings) for settings in WATCHED]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for cells in pool.map(column, NOISES, CODERS):
            for row, cell in zip(rows, cells):
                row.append(cell)
    for row in rows:
        print('| ' + ' | '.join(row) + ' |')
    photographs = os.path.join(os.environ['GLES_PUBLIC_DATA'], 'cameras', 'kodak')
    if os.path.isdir(photographs):
        infrared(photographs)
    return 0


if __name__ == '__main__':
    sys.exit(main())
