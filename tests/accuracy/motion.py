#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Motion of glescompact on public data: prints its section of docs/accuracy.md.

GLES_PUBLIC_DATA names a folder with cdnet-highway (highway.mp4, truth.mkv, roi.png); exit status 77 without it. Arguments
are more settings of glescompact to measure. OpenCV's subtractors are measured where python3-opencv is installed.
"""
import os
import subprocess
import sys

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
WATCHED = ('reference=previous lower=16', 'reference=previous', 'reference=samples adaptation=50')  # before and now
LONG = 3000  # frames of a still picture that has no event
THINGS, REST, SEEN = 5, 250, 50  # times that cars come, frames before each, and of each
CODERS = ('', '', '', '-crf 23', '-crf 28', '-crf 35')
NOISES = (2, 6, 12, 6, 6, 6)


def decode(path, pixels):
    """The planes of a clip, one row for each frame."""
    command = ('ffmpeg', '-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', pixels, '-')
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


def events(frames, settings):
    """The seconds at which events of motion begin."""
    pipeline = Gst.parse_launch(
        f'appsrc name=in format=time caps=video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate={RATE}/1 ! '
        f'glescompact device=cpu predicate=motion {settings} readback=false ! glesregions ! glesevents events=motion ! '
        'appsink name=out sync=false max-buffers=4')
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
            yield structure['stream-time'] / Gst.SECOND
    pipeline.set_state(Gst.State.NULL)


def judge(still, scene, settings):
    """How many events a still picture has, how often cars were found, and how many other events the scene has."""
    period = (REST + SEEN) / RATE
    things = [int(start // period) if start % period >= REST / RATE else None for start in events(scene, settings)]
    return f'{len(list(events(still, settings)))}; {len({*things} - {None})}, {things.count(None)}'


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
    print(f'\nEvents of settings that gst-gles-watch-1.0 had before (the first row) and has now (the last), in the same noise: of\n'
          f'{LONG} frames of the still picture; then, in a night scene (that picture in a third of its light, in which cars of\n'
          f'the clip appear {THINGS} times for {SEEN / RATE:.0f} seconds), how often the cars are found, and other events:\n\n'
          '| | ' + ' | '.join(f'sd {noise}{coder.replace("-", ", ")}' for noise, coder in zip(NOISES, CODERS)) + ' |\n'
          '|' + '---|' * (len(NOISES) + 1))
    rows = [[f'`{settings}`'] for settings in WATCHED]
    flat = truth.reshape(len(truth), -1)
    for noise, coder in zip(NOISES, CODERS):
        still, scene = noisy(frames[:1].repeat(LONG, 0), noise, coder), noisy(night(frames, flat), noise, coder)
        for row, settings in zip(rows, WATCHED):
            row.append(judge(still, scene, settings))
    for row in rows:
        print('| ' + ' | '.join(row) + ' |')
    return 0


if __name__ == '__main__':
    sys.exit(main())
