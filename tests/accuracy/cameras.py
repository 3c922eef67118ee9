#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the section `cameras` of docs/accuracy.md: what glesevents says of fixed cameras that are covered, out of focus
or turned, and of harmless changes, beside a simple published method.

    cameras.py [--set tune|kept] [--work FOLDER]
    cameras.py --hours HOURS

It composes 60 clips of 18 s, 10 frames a second, from data in the folder that GLES_PUBLIC_DATA names: `cameras/kodak`,
the photographs 01.png to 24.png of MohamedBakrAli/Kodak-Lossless-True-Color-Image-Suite (PhotoCD_PCD0992);
`cameras/one-by-one-person-detection.mp4` of intel-iot-devkit/sample-videos; `cdnet-highway/highway.mp4`. The half
`tune`, on which rules are chosen, has the odd photographs and the highway; `kept` has the others, and other seeds and
strengths. RECIPES has a line for each pair of clips. FOLDER of --work keeps the clips of a half for the next run.
With --hours it counts the events of the clips `hours/*.mp4` of that folder instead: each again and again for HOURS of
640x360 at 5 frames a second, with noise. Needs ffmpeg, numpy and OpenCV. Exits with 77 without the data."""
import argparse
import glob
import os
import subprocess
import sys
import tempfile
import zlib

import cv2
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'events'))
import raw_events  # noqa: E402

RATE, SECONDS, CHANGE = 10, 18, 8
IN_TIME = 5.0  # an event has to be reported within so many seconds of the change, which takes up to 2 s
KINDS = ('covered', 'blurred', 'moved')
HALVES = ('tune', 'kept')
JUDGED = f'gleshistogram device=cpu ! glesevents events={"+".join(KINDS)}'


# ---- views ----

class Photograph:
    """A part of a photograph, with slow light and two things that pass, cut out of another photograph."""

    def __init__(self, folder, number, other, size, random):
        self.size, self.random = size, random
        picture = cv2.imread(f'{folder}/cameras/kodak/{number:02d}.png')
        if picture.shape[0] > picture.shape[1]:
            picture = cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)
        scale = (1.8 if size[0] <= 320 else 1.2) * size[0] / picture.shape[1]
        self.world = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        things = cv2.imread(f'{folder}/cameras/kodak/{other:02d}.png')
        self.thing = cv2.resize(things, (size[0] // 8, size[1] // 4), interpolation=cv2.INTER_AREA)
        self.room = self.world.shape[1] - size[0], self.world.shape[0] - size[1]
        self.at = tuple(round(share * room) for share, room in zip(random.uniform(0.0, 0.25, 2), self.room))

    def frame(self, t, turn=(0.0, 0.0)):
        x, y = (at + round(share * (room - at)) for at, share, room in zip(self.at, turn, self.room))
        width, height = self.size
        picture = self.world[y:y + height, x:x + width].copy()
        for speed, period, row in (0.15, 11.0, 0.45), (-0.3, 7.0, 0.7):
            left = round(width * (speed * (t % period) - 0.2 if speed > 0 else 1.0 + speed * (t % period)))
            a, b = max(left, 0), min(left + self.thing.shape[1], width)
            if a < b:
                top = round(row * height)
                picture[top:top + self.thing.shape[0], a:b] = self.thing[:, a - left:b - left]
        return np.clip(picture * (1.0 + 0.03 * np.sin(t / 5)), 0, 255)


class Film:
    """A real clip, again and again."""

    def __init__(self, path, size):
        video, self.frames = cv2.VideoCapture(path), []
        step = max(round(video.get(cv2.CAP_PROP_FPS) / RATE), 1)
        while len(self.frames) < 60 and (read := video.read())[0]:
            self.frames.append(cv2.resize(read[1], (size[0] * 3 // 2, size[1] * 3 // 2), interpolation=cv2.INTER_AREA))
            for _ in range(step - 1):
                video.grab()
        self.size = size

    def frame(self, t, turn=(0.0, 0.0)):
        picture = self.frames[round(t * RATE) % len(self.frames)]
        x, y = (round(share * side / 2) for share, side in zip(turn, self.size))
        return picture[y:y + self.size[1], x:x + self.size[0]].astype(np.float64)


# ---- changes: picture, share of the change that is done (0 to 1), strength, random state of the clip ----

def clouds(shape, scale, random):
    """Smooth noise of mean 0 and deviation 1, with bumps of `scale` of the width."""
    small = random.normal(size=(max(3, round(shape[0] / shape[1] / scale)), max(3, round(1 / scale))))
    field = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return (field - field.mean()) / field.std()


def hand(picture, done, strength, random):
    """A palm with folds and shades, that leaves a margin of 1 - strength of the width."""
    shape = picture.shape[:2]
    texture = 18 * clouds(shape, 0.25, random) + 7 * clouds(shape, 0.05, random) + 3 * clouds(shape, 0.012, random)
    skin = np.array((85, 110, 155)) + texture[..., None]
    edge = round(strength * done * shape[1])
    picture[:, :edge] = np.clip(skin[:, :edge], 0, 255)
    return picture


def spray(picture, done, strength, random):
    """Drops of paint, more and more of them, up to `strength` of the picture."""
    shape = picture.shape[:2]
    field = clouds(shape, 0.08, random) + 0.5 * clouds(shape, 0.02, random)
    paint = random.uniform(30, 190) + 9 * clouds(shape, 0.015, random) + 12 * clouds(shape, 0.2, random)
    hidden = field <= np.quantile(field, strength * done)
    picture[hidden] = np.clip(paint, 0, 255)[hidden][:, None]
    return picture


def sheet(picture, done, strength, random):
    """A sheet with a shade, that leaves a margin of 1 - strength of the height."""
    shape = picture.shape[:2]
    shade = random.uniform(40, 180) + np.linspace(-15, 15, shape[1])[None, :] + np.zeros(shape)
    edge = round(strength * done * shape[0])
    picture[:edge] = shade[:edge, :, None]
    return picture


def defocus(picture, done, strength, random):
    sigma = strength * done * picture.shape[1] / 320
    return cv2.GaussianBlur(picture, (0, 0), sigma) if sigma > 0.1 else picture


def darker(picture, done, strength, random):
    return picture * (1.0 - strength * done)


def fog(picture, done, strength, random):
    return picture + strength * done * (190 - picture)


def glare(picture, done, strength, random):
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    away = np.hypot((x - random.uniform(0.2, 0.8) * width) / width, (y - 0.3 * height) / width)
    return picture + done * (strength * 260 * np.exp(-(away / 0.25) ** 2) + 20)[..., None]


def infrared(picture, done, strength, random):
    if done <= 0:
        return picture
    grey = np.clip(0.1 * picture[..., 0] + 0.5 * picture[..., 1] + 0.4 * picture[..., 2], 0, 255)
    return np.repeat((255 * (grey / 255) ** strength)[..., None], 3, 2)


def rain(picture, done, strength, random):
    streaks = random.random(picture.shape[:2]) > 1 - 0.02 * strength
    return picture + 70 * done * cv2.filter2D(streaks.astype(np.float64), -1, np.eye(9))[..., None].clip(0, 1)


def lorry(picture, done, strength, random):
    """A side wall that passes within six seconds, before `strength` of the picture."""
    height, width = picture.shape[:2]
    wall = 120 + 12 * clouds((height, width), 0.06, random)
    length = round(strength * width)
    left = round(done * (width + length)) - length
    picture[height // 5:, max(left, 0):max(left + length, 0)] = wall[
        height // 5:, :max(min(left + length, width), 0) - max(left, 0), None]
    return picture


def noisy(picture, done, strength, random):
    return picture + random.normal(0, strength * done, picture.shape[:2])[..., None] if done else picture


def still(picture, done, strength, random):
    return picture


# name, change, strengths of tune and kept, seconds that it takes, its kinds (the first is best), noise (sd of luma),
# whether it moves with each frame. A turn has shares of the room beside the view. A pair has the sizes SIZES in turn.
BOTH = ('covered', 'blurred')
RECIPES = [
    ('hand', hand, (1.0, 1.0), 0.5, BOTH, 1.0), ('hand of 85 %', hand, (0.85, 0.88), 0.5, BOTH, 2.2),
    ('hand in noise', hand, (0.95, 0.93), 1.0, BOTH, 4.0),
    ('spray', spray, (0.9, 0.93), 2.0, BOTH, 1.0), ('spray, all', spray, (1.0, 1.0), 2.0, BOTH, 2.2),
    ('sheet of 85 %', sheet, (0.85, 0.85), 0.5, BOTH, 2.2), ('sheet', sheet, (1.0, 1.0), 0.2, BOTH, 1.0),
    ('defocus', defocus, (3.0, 4.0), 0.0, ('blurred',), 0.0),
    ('defocus, slowly', defocus, (5.0, 4.5), 2.0, ('blurred',), 0.0),
    ('defocus, noise 1', defocus, (3.0, 4.0), 0.5, ('blurred',), 1.0),
    ('defocus, noise 1, strong', defocus, (6.0, 7.0), 1.0, ('blurred',), 1.0),
    ('defocus, noise 2.2', defocus, (4.0, 3.5), 0.5, ('blurred',), 2.2),
    ('defocus, noise 2.2, strong', defocus, (7.0, 6.0), 0.0, ('blurred',), 2.2),
    ('defocus, noise 4', defocus, (5.0, 6.0), 0.5, ('blurred',), 4.0),
    ('turned', 'turn', ((0.8, 0.1), (0.7, 0.2)), 1.0, ('moved',), 1.0),
    ('turned down', 'turn', ((0.1, 0.9), (0.2, 0.8)), 0.5, ('moved',), 2.2),
    ('turned aside', 'turn', ((0.6, 0.6), (0.9, 0.5)), 1.5, ('moved',), 2.2),
    ('turned at once', 'turn', ((1.0, 1.0), (0.9, 0.9)), 0.0, ('moved',), 4.0),
    ('pushed', 'turn', ((0.5, 0.4), (0.6, 0.4)), 0.3, ('moved',), 0.0),
    ('turned up', 'turn', ((0.9, 0.0), (0.8, 0.9)), 0.5, ('moved',), 1.0),
    ('a quarter darker', darker, (0.25, 0.3), 0.0, (), 1.0), ('fog', fog, (0.5, 0.6), 2.0, (), 1.0),
    ('thin fog', fog, (0.35, 0.3), 3.0, (), 2.2), ('glare', glare, (0.8, 1.0), 0.3, (), 2.2),
    ('infrared', infrared, (0.7, 0.75), 0.0, (), 2.2), ('rain', rain, (1.0, 1.3), 1.0, (), 1.0),
    ('lorry', lorry, (0.5, 0.45), 6.0, (), 1.0), ('more noise', noisy, (6.0, 8.0), 0.5, (), 1.0),
    ('film', still, (0.0, 0.0), 0.0, (), 0.0), ('nothing, in noise', still, (0.0, 0.0), 0.0, (), 4.0),
]
FILMS = ('film', 'defocus, noise 1', 'turned up')
EACH_FRAME = (rain, noisy)
SIZES = ((320, 180), (320, 180), (640, 360))


def size_of(index):
    return (320, 180) if RECIPES[index][1] == 'turn' else SIZES[index % len(SIZES)]


def compose(folder, half, index, path):
    name, change, strengths, takes, _, noise = RECIPES[index]
    second = half == 'kept'
    seed = zlib.crc32(f'{half} {name}'.encode())
    random = np.random.RandomState(seed)
    size = size_of(index)
    if name in FILMS:
        film = 'cameras/one-by-one-person-detection.mp4' if second else 'cdnet-highway/highway.mp4'
        view = Film(os.path.join(folder, film), size)
    else:
        number = index * 2 % 24 + 1 + second
        view = Photograph(folder, number, (number + 9) % 24 + 1, size, random)
    codec = (['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '23', '-g', '20'] if index % 2
             else ['-c:v', 'ffv1'])
    with subprocess.Popen(['ffmpeg', '-v', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size',
                           f'{size[0]}x{size[1]}', '-framerate', str(RATE), '-i', '-', *codec, path],
                          stdin=subprocess.PIPE) as encoder:
        for i in range(SECONDS * RATE):
            t = i / RATE
            done = float(np.clip((t - CHANGE) / takes, 0, 1)) if takes else float(t >= CHANGE)
            strength = strengths[second]
            if change == 'turn':
                picture = view.frame(t, tuple(done * share for share in strength))
            else:
                state = np.random.RandomState((seed + (i if change in EACH_FRAME else 0)) % 2 ** 32)
                picture = change(view.frame(t), done, strength, state)
            picture = picture + random.normal(0, noise, picture.shape[:2])[..., None]
            picture = np.clip(np.rint(picture), 0, 255).astype(np.uint8)
            encoder.stdin.write(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).tobytes())
        encoder.stdin.close()
    assert encoder.returncode == 0


# ---- who judges ----

def glesevents(path, size):
    """(kind, seconds when it was reported) of each start."""
    events = raw_events.events_of(['-i', path], size, RATE, JUDGED)
    return [(event['event'], event['now']) for event in events if event['phase'] == 'start']


def simple(path, size):
    """The three tests of Saglam and Temizel (Real-time adaptive camera tamper detection for video surveillance, 2009),
    simplified: against an average background, the picture is concentrated in few grey levels (covered), lost half of
    its high frequencies (blurred), or differs in most pixels (moved), for 1.5 seconds."""
    video, background, found, since = cv2.VideoCapture(path), None, [], {}
    for i in range(SECONDS * RATE):
        luma = cv2.cvtColor(video.read()[1], cv2.COLOR_BGR2GRAY).astype(np.float32)
        background = luma.copy() if background is None else background
        high, usual = (np.abs(cv2.Laplacian(picture, cv2.CV_32F)).mean() for picture in (luma, background))
        peak, before = (max(np.convolve(np.histogram(picture, 32, (0, 256))[0], (1, 1, 1)) / picture.size)
                        for picture in (luma, background))
        holds = {'covered': peak >= max(0.6, 1.5 * before), 'blurred': high <= 0.5 * usual,
                 'moved': np.mean(np.abs(luma - background) > 25) >= 0.6}
        kind = next((kind for kind in KINDS if holds[kind]), None)
        if kind is None:
            background = luma if i == 0 else background + 0.02 * (luma - background)
        since = {kind: since.get(kind, i)} if kind else {}
        if kind and i - since[kind] == 1.5 * RATE:
            found.append((kind, i / RATE))
    return found


def judge(kinds, found):
    """Whether an event came in time, whether one of the right kind did, and the number of wrong events: all of a
    harmless clip, and those before the change."""
    in_time = [kind for kind, at in found if CHANGE <= at <= CHANGE + IN_TIME]
    wrong = [at for _, at in found if not kinds or at < CHANGE]
    return bool(kinds and in_time), bool(kinds and in_time and in_time[0] in kinds), len(wrong)


def measure(folder, half, work, verbose):
    """Prints the table of a half."""
    groups = {}
    for index, (name, _, _, _, kinds, noise) in enumerate(RECIPES):
        path, size = os.path.join(work, f'{half}-{index:02d}.mkv'), size_of(index)
        if not os.path.exists(path):
            compose(folder, half, index, path)
        found = [method(path, size) for method in (glesevents, simple)]
        if verbose:
            print(name, size, noise, kinds, *found, file=sys.stderr)
        group = groups.setdefault(kinds[0] if kinds else 'harmless', [])
        group.append([judge(kinds, events) for events in found])
    print(f'\nThe half `{half}`:\n\n| clips | | glesevents | simple method |\n|---|---|---|---|')
    for name, rows in list(groups.items()) + [('all', sum(groups.values(), []))]:
        cells = [', '.join(str(sum(int(row[method][k] > 0) for row in rows)) for k in range(3)) for method in (0, 1)]
        print(f'| {name} | {len(rows)} |', ' | '.join(cells), '|')


def measure_defocus(folder):
    """Prints how many of nine defocused photographs are found, by the noise that is added after the defocus."""
    print('\nDefocus (Gaussian, sigma 4, 6 and 8 pixels of 640x360, of the photographs 01, 09 and 17), and noise after it:'
          '\n\n| sd of the noise of luma | found of 9 within 5 s |\n|---|---|')
    for name, noise in ('0', 0), ('0.8', 2), ('2.0', 4):
        found = 0
        for number in 1, 9, 17:
            for sigma in 4, 6, 8:
                events = raw_events.events_of(
                    ['-loop', '1', '-framerate', str(RATE), '-i', f'{folder}/cameras/kodak/{number:02d}.png', '-t', '15',
                     '-vf', "scale=640:-2,crop=640:360,format=yuv420p,setsar=1,"
                     f"gblur=sigma={sigma}:enable='gte(t,{CHANGE})',noise=alls={noise}:allf=t"], (640, 360), RATE, JUDGED)
                found += [event['event'] for event in events if event['phase'] == 'start'] == ['blurred']
        print(f'| {name} | {found} |', flush=True)


def measure_hours(folder, hours):
    """Prints the events of clips that loop, of which each is wrong."""
    for path in sorted(glob.glob(os.path.join(folder, 'hours', '*.mp4'))):
        events = raw_events.events_of(
            ['-stream_loop', '-1', '-i', path, '-an', '-vf', 'fps=5,scale=640:360,setsar=1,noise=alls=6:allf=t',
             '-t', str(3600 * hours)], (640, 360), 5, JUDGED)
        starts = [(event['event'], event['now']) for event in events if event['phase'] == 'start']
        print(f'{os.path.basename(path)}: {hours} h, {len(starts)} events {starts}', flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--set', choices=HALVES)
    parser.add_argument('--work')
    parser.add_argument('--hours', type=float)
    parser.add_argument('--verbose', action='store_true', help='print the events of each clip')
    options = parser.parse_args()
    folder = os.environ.get('GLES_PUBLIC_DATA', '')
    if not all(os.path.exists(os.path.join(folder, path)) for path in (
            'cameras/kodak/24.png', 'cameras/one-by-one-person-detection.mp4', 'cdnet-highway/highway.mp4')):
        return 77
    if options.hours:
        measure_hours(folder, options.hours)
        return 0
    print('True clips: an event in time, one of the right kind first; wrong: clips with an event before the change, or '
          'harmless ones\nwith any. Each cell: in time, right kind, wrong.')
    with tempfile.TemporaryDirectory() as temporary:
        for half in [options.set] if options.set else HALVES:
            measure(folder, half, options.work or temporary, options.verbose)
    measure_defocus(folder)
    return 0


if __name__ == '__main__':
    sys.exit(main())
