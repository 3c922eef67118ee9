# SPDX-License-Identifier: LGPL-2.1-or-later
"""Composed scenes with known truth: things that move on paths, as boxes and as pictures.

A scene is a list of frames, each {id: (x, y, width, height)}, of what is to be seen of each thing: the part inside of the
picture. Frames are 40 ms apart."""
import random

import numpy

WIDTH, HEIGHT, N_FRAMES = 640, 360, 250
MIN_SIDE = 4  # of what can be seen


def walk(rand, speed, stops):
    """The distances gone after each frame: at one speed, with a stop, or back from half of the way."""
    kind = rand.choice(['go', 'stop', 'back']) if stops else 'go'
    at, turn, pause = 0.0, rand.randrange(60, 120), rand.randrange(15, 60)
    for frame in range(N_FRAMES):
        yield at
        if kind == 'stop' and turn <= frame < turn + pause:
            continue
        at += -speed if kind == 'back' and frame >= turn else speed


def clip(box):
    left, top = max(box[0], 0), max(box[1], 0)
    right, bottom = min(box[0] + box[2], WIDTH), min(box[1] + box[3], HEIGHT)
    return left, top, right - left, bottom - top


def put(frames, thing, start, path):
    for frame, box in enumerate(path, start):
        box = clip(tuple(round(value) for value in box))
        if frame < N_FRAMES and min(box[2:]) >= MIN_SIDE:
            frames[frame][thing] = box


def lanes(seed, n_lanes=6, sizes=(16, 40), speeds=(1.5, 6.0), stops=True):
    """Things in lanes of their own, in which they do not touch: one enters after another has left for good. They stop,
    turn back, and leave the picture; those that turn back leave where they came from."""
    rand = random.Random(seed)
    frames = [{} for _ in range(N_FRAMES)]
    thing, height = 0, HEIGHT // n_lanes
    for lane in range(n_lanes):
        start = rand.randrange(30)
        while start < N_FRAMES - 40:
            thing += 1
            w, h = rand.randint(*sizes), rand.randint(sizes[0], min(sizes[1], height - 12))
            speed, side = rand.uniform(*speeds), rand.choice([-1, 1])
            y = lane * height + rand.randint(6, height - h - 6)
            x = -w if side > 0 else WIDTH
            put(frames, thing, start, [(x + side * d, y, w, h) for d in walk(rand, speed, stops)])
            last = max((f for f in range(N_FRAMES) if thing in frames[f]), default=start)
            start = last + rand.randrange(40, 60)
    return frames


def fast(seed):
    """Small things that move further than their size between frames, in lanes."""
    return lanes(seed, n_lanes=6, sizes=(8, 14), speeds=(15.0, 28.0), stops=False)


def convoy(seed):
    """Things of one size that follow each other in lanes at one speed, with gaps of their own width."""
    rand = random.Random(seed)
    frames = [{} for _ in range(N_FRAMES)]
    thing = 0
    for lane in range(4):
        w, h, speed, y = rand.randint(20, 40), rand.randint(20, 40), rand.uniform(2, 8), lane * 90 + 20
        for n in range(5):
            thing += 1
            put(frames, thing, 0, [(-w - 2 * w * n + speed * f, y, w, h) for f in range(N_FRAMES)])
    return frames


def comebacks(seed):
    """Things that leave the picture, or hide behind something, and come back after half a second."""
    rand = random.Random(seed)
    frames = [{} for _ in range(N_FRAMES)]
    for thing in range(5):
        w, h, y = rand.randint(20, 40), rand.randint(20, 40), thing * 72 + rand.randint(6, 20)
        speed, start, gone = rand.uniform(2, 5), rand.randrange(20), rand.randrange(8, 16)
        if thing % 2 == 0:
            hidden = rand.randrange(60, 90)
            path = [(-w + speed * f, y, w, h) if not hidden <= f < hidden + gone else (0, 0, 0, 0)
                    for f in range(N_FRAMES)]
        else:
            inside = rand.randrange(50, 80)
            there = [speed * f for f in range(inside)]
            there += there[::-1] + [-w - speed] * gone + there
            path = [(there[min(f, len(there) - 1)] if f < len(there) else there[-1], y, w, h)
                    for f in range(N_FRAMES)]
        put(frames, thing, start, path)
    return frames


def crossing(seed, n=6):
    """Things that go straight through the picture, and through each other, or meet and stay together for a while."""
    rand = random.Random(seed)
    frames = [{} for _ in range(N_FRAMES)]
    for thing in range(2 * n):
        w, h, start = rand.randint(20, 50), rand.randint(20, 50), rand.randrange(0, 120)
        speed, side = rand.uniform(2, 6), rand.choice([-1, 1])
        y, slope = rand.uniform(40, HEIGHT - 90), rand.uniform(-0.4, 0.4)
        x = -w if side > 0 else WIDTH
        put(frames, thing, start, [(x + side * d, y + slope * d, w, h) for d in walk(rand, speed, True)])
    return frames


def detect(frames, seed, drop=0.05, jitter=0.05, false=0.02):
    """What a detector finds: lists of boxes. It misses things, measures them wrongly, and sees some that are not."""
    rand = random.Random(seed)
    for frame in frames:
        boxes = []
        for x, y, w, h in frame.values():
            if rand.random() < drop:
                continue
            x, y = x + rand.gauss(0, jitter) * w, y + rand.gauss(0, jitter) * h
            w, h = w * (1 + rand.gauss(0, jitter)), h * (1 + rand.gauss(0, jitter))
            boxes.append(clip((round(x), round(y), max(round(w), 2), max(round(h), 2))))
        while rand.random() < false:
            boxes.append((rand.randrange(WIDTH - 60), rand.randrange(HEIGHT - 60), rand.randint(10, 50),
                          rand.randint(10, 50)))
        rand.shuffle(boxes)
        yield [box for box in boxes if min(box[2:]) >= 1]


def render(frames, seed, ground=70, noise=5, light=(150, 220)):
    """The frames as bytes of GRAY8: things with a texture of their own over noise."""
    rand = numpy.random.default_rng(seed)
    textures = {}
    # pictures of a sensor: some frames of noise in turn
    grounds = [rand.normal(ground, noise, (HEIGHT, WIDTH)) for _ in range(7)]
    for number, frame in enumerate(frames):
        picture = grounds[number % len(grounds)].copy()
        for thing, (x, y, w, h) in frame.items():
            if thing not in textures:
                coarse = rand.integers(*light, (16, 16))
                textures[thing] = numpy.kron(coarse, numpy.ones((8, 8)))
            picture[y:y + h, x:x + w] = textures[thing][:h, :w]
        yield picture.clip(0, 255).astype(numpy.uint8).tobytes()
