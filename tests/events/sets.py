# SPDX-License-Identifier: LGPL-2.1-or-later
"""Composes clips with known cuts, from real clips, still pictures and FFmpeg's sources.

    sets.py CLIPS STILLS OUT HALF [NAME ...]

CLIPS is a folder with the real clips that `MATERIAL` of shots.py names, STILLS one with photographs (*.jpg), OUT gets a
clip and a .json with the truth for each recipe. HALF is `a`, on which the thresholds of glesevents were chosen; `b`,
which was kept aside at first: other seeds, other stretches of the clips, and recipes of its own; `c`, which was kept
aside when something was chosen on `b` as well: its recipes with seeds and stretches of their own; or `d`, the same of
other clips, when `c` had been used. Give each other photographs.

A .json holds `kind` (a row of the table in docs/elements/glesevents.md), `cuts` (numbers of the first frames of
shots) and `transitions` (first frame, last frame, kind). Needs ffmpeg and numpy."""
import json
import os
import subprocess
import sys
import zlib

import numpy as np
from shots import (H, W, Clip, Look, Material, bars, clip_shot, cut_shots, fog, is_different, night, noise, shot,
                   still_shot, window)


# ---- ordinary ----

def ordinary(m, rng, shots=24):
    return cut_shots(m, rng, shots)


def grain(m, rng, sigma=6, shots=20):
    return cut_shots(m, rng, shots, treat=noise(rng, sigma))


def shaken(m, rng):
    return cut_shots(m, rng, 20, shake=1.0)


def panned(m, rng):
    return cut_shots(m, rng, 20, make=still_shot, speed=(3, 9))


def half_still(m, rng):
    clip = cut_shots(m, rng, 12)
    still = shot(m, rng, 1)[0]
    for f in clip.frames:
        f[:, :, :W // 2] = still[:, :, :W // 2]
    return clip


def letterboxed(m, rng):
    return cut_shots(m, rng, 20, treat=bars(0, 0, 22, 22))


def slides(m, rng):
    """Still pictures, one after the other."""
    clip = cut_shots(m, rng, 16, (18, 60))
    for first, last in clip.between():
        clip.frames[first:last] = [clip.frames[first]] * (last - first)
    return clip


# ---- hard to see ----

def at_night(m, rng, light=0.12, sigma=1.2):
    return cut_shots(m, rng, 20, treat=night(rng, light, sigma))


def in_fog(m, rng):
    return cut_shots(m, rng, 20, treat=fog)


def pillarbox(m, rng, width=0.34):
    side = int(W * (1 - width) / 2) // 2 * 2
    return cut_shots(m, rng, 20, treat=bars(side, side, 0, 0))


def jump_cuts(m, rng, n=14):
    """Cuts within one scene: the same camera later, or closer."""
    clip = Clip()
    while len(clip.cuts) < n:
        k, look = rng.integers(len(m.film)), Look(rng)
        scene = m.film[k]
        gap = len(scene) // 3
        first = int(rng.integers(0, gap))
        closer = rng.random() < 0.6
        for part in range(2):
            width = 480 * (1 if not (part and closer) else 0.72)
            frames = [look(window(scene[min(first + part * gap + i, len(scene) - 1)], 310, 136, width))
                      for i in range(min(gap, 18))]
            if clip.frames and not is_different(clip.frames[-1], frames[0], 9 - 4 * part):
                break
            clip.add(frames)
    return clip


def whip(m, rng):
    """Shots which begin and end in a whip pan with motion blur: 60 to 140 pixels a frame."""
    clip = Clip()
    for _ in range(20):
        image, look = m.stills[rng.integers(len(m.stills))], Look(rng)
        width, n = rng.uniform(360, 480), int(rng.integers(18, 30))
        y, x, frames = rng.uniform(200, 600), rng.uniform(250, 500), []
        ends = (rng.random() < 0.5, rng.random() < 0.5)
        for i in range(n):
            speed = 2.0
            if (ends[0] and i < 5) or (ends[1] and i >= n - 5):
                speed = rng.uniform(60, 140)
            x = (x + speed) % (1280 - width)
            blur = max(1, int(speed / 12))
            frames.append(look(sum(window(image, width / 2 + x - speed * b / blur / 2, y, width)
                                   for b in range(blur)) / blur))
        clip.add(frames)
    return clip


def slow(m, rng, factor=6):
    """4 frames a second: what lies between two frames is six times as much."""
    clip, number = Clip(), 0
    while number < 22:
        n = int(rng.integers(6, 12))
        frames = clip_shot(m, rng, n, m.film + m.fixed, pace=factor, shake=0.8) if rng.random() < 0.6 else \
            still_shot(m, rng, n, speed=(0, 2.0 * factor), shake=1.0)
        if not clip.frames or is_different(clip.frames[-1], frames[0]):
            clip.add(frames)
            number += 1
    return clip


# ---- flashes ----

def add_light(p, light):
    return np.concatenate([np.clip(p[:1] + light, 16, 235), 128 + (p[1:] - 128) * (1 - min(1, abs(light) / 220))])


def flashed(lengths=(1, 2, 3), uneven=True, speed=(0.0, 4.0), rolling=False, at_cuts=0.2):
    """Shots with cuts, and flashes of some frames within them."""
    def make(m, rng):
        clip = cut_shots(m, rng, 8, (30, 50), **({'make': still_shot, 'speed': speed} if speed[0] > 0 else {}))
        for first, last in clip.between():
            at = first + 8
            if rng.random() < at_cuts:
                at = max(1, first - 1)
            while at < last - 6:
                n = int(rng.choice(lengths))
                light = rng.uniform(60, 190)
                edge = int(rng.integers(20, H - 20))
                for k in range(n):
                    now = light * (rng.uniform(0.25, 1) if uneven and n > 1 else 1)
                    p = clip.frames[at + k]
                    lit = add_light(p, now)
                    if rolling:  # the flash begins within one frame and ends within the next
                        rows = slice(edge, None) if k == 0 else slice(0, edge) if k == n - 1 else slice(None)
                        lit = np.concatenate([p[:, :rows.start or 0], lit[:, rows], p[:, rows.stop or H:]], 1)
                    clip.frames[at + k] = lit
                at += int(rng.integers(12, 24))
        return clip
    return make


def strobe(on=4, off=4, light=0.25, add=0):
    def make(m, rng):
        clip = cut_shots(m, rng, 5, (40, 60))
        for i in range(len(clip.frames)):
            if i % (on + off) >= on:
                clip.frames[i] = add_light(clip.frames[i], add) if add else night(rng, light, 0)(clip.frames[i])
        return clip
    return make


def blinded(on, off, luma):
    """Shots with cuts, of which some frames in each period are black or white."""
    def make(m, rng):
        clip = cut_shots(m, rng, 6, (30, 50))
        for i in range(len(clip.frames)):
            if i % (on + off) >= on:
                clip.frames[i] = np.full((3, H, W), 128, np.float32)
                clip.frames[i][0] = luma
        return clip
    return make


def switched(m, rng, frames=1):
    """The light in the room goes on and off, within a frame or so, and stays so for a second."""
    clip = cut_shots(m, rng, 8, (36, 60))
    for first, last in clip.between():
        at, dark = first + int(rng.integers(12, 20)), rng.uniform(0.25, 0.6)
        for i in range(at, min(at + 18, last)):
            part = min(1.0, (i - at + 1) / frames)
            clip.frames[i] = night(rng, 1 - part * (1 - dark), 0)(clip.frames[i])
    return clip


# ---- gradual ----

def gradual(kinds, length=(8, 50), rest=(14, 24)):
    def make(m, rng):
        clip = Clip()
        clip.add(shot(m, rng, int(rng.integers(*rest))))
        for _ in range(7):
            kind, n = str(rng.choice(kinds)), int(rng.integers(*length))
            after = shot(m, rng, n + int(rng.integers(*rest)))
            # the shot before goes back and forth during the transition
            room = min(11, len(clip.frames) - 1)
            before = [clip.frames[-1 - min(i % (2 * room), 2 * room - i % (2 * room))] for i in range(n)]
            black, white = (np.full((3, H, W), 128, np.float32) for _ in range(2))
            black[0], white[0] = 16, 235
            first = len(clip.frames)
            for i in range(n):
                t = (i + 1) / (n + 1)
                a, b = before[i], after[i]
                if kind == 'dissolve':
                    f = a * (1 - t) + b * t
                elif kind in ('fade-out', 'fade-white'):
                    plain = black if kind == 'fade-out' else white
                    f = a * (1 - 2 * t) + plain * 2 * t if t < 0.5 else plain * (2 - 2 * t) + b * (2 * t - 1)
                else:
                    f = a.copy()
                    if kind == 'wipe':
                        f[:, :, :int(W * t)] = b[:, :, :int(W * t)]
                    else:
                        f[:, :int(H * t)] = b[:, :int(H * t)]
                clip.frames.append(f)
            half = first + n // 2
            if kind == 'fade-out':
                clip.transitions += [(first, half, 'fade-out'), (half, first + n, 'fade-in')]
            elif kind == 'dissolve':
                clip.transitions.append((first, first + n, 'dissolve'))
            else:
                clip.transitions.append((first, first + n, 'unknown'))
            clip.frames += after[n:]
        return clip
    return make


def dissolved(n, shots=9, rest=(20, 36)):
    """Dissolves of n frames between shots that both go on meanwhile."""
    def make(m, rng):
        clip = Clip()
        while len(clip.transitions) < shots - 1:
            after = shot(m, rng, 2 * n + int(rng.integers(*rest)))
            first = len(clip.frames) - n
            if clip.frames and not is_different(clip.frames[first + n // 2], after[n // 2]):
                continue
            for i in range(n if clip.frames else 0):
                t = (i + 1) / (n + 1)
                clip.frames[first + i] = clip.frames[first + i] * (1 - t) + after[i] * t
            if clip.frames:
                clip.transitions.append((first, first + n, 'dissolve'))
            clip.frames += after[n if clip.frames else 0:]
        return clip
    return make


# ---- graphics ----

def overlaid(make_graphic, period=(10, 20), seconds=(34, 60)):
    """Shots with cuts, and a graphic that comes and goes within them at once."""
    def make(m, rng):
        clip = cut_shots(m, rng, 9, seconds)
        for first, last in clip.between():
            at = first + 8
            while at < last - 8:
                n = int(rng.integers(*period))
                graphic = make_graphic(m, rng, n)
                for i in range(n):
                    if at + i < last - 4:
                        clip.frames[at + i] = graphic(clip.frames[at + i].copy(), i)
                at += n + int(rng.integers(9, 16))
        return clip
    return make


def text(rng, p, top, bottom, left, right, ink, size=8):
    """Rows of boxes like words."""
    for y in range(top, bottom - size, size * 2):
        x = left
        while x < right - 30:
            w = int(rng.integers(8, 30))
            for k in range(x, x + w - 3, 5):
                p[0, y:y + size - 1, k:k + 3] = ink
            x += w + 6
    return p


def lower_third(m, rng, n):
    top, colour = int(rng.integers(118, 140)), rng.uniform((20, 90, 90), (225, 165, 165))
    left, right = int(rng.integers(0, 40)), W - int(rng.integers(0, 40))
    ink, seed = (230 if colour[0] < 128 else 20), int(rng.integers(1 << 30))

    def draw(p, i):
        p[:, top:170, left:right] = colour[:, None, None]
        return text(np.random.default_rng(seed), p, top + 6, 168, left + 10, right - 10, ink)
    return draw


def letterbox(m, rng, n):
    size = int(rng.integers(14, 26))
    return lambda p, i: bars(0, 0, size, size)(p)


def inset(m, rng, n):
    frames = shot(m, rng, n)
    scale = rng.uniform(0.25, 0.4)
    w, h = int(W * scale), int(H * scale)
    x, y = int(rng.choice([10, W - w - 10])), int(rng.choice([8, H - h - 8]))
    columns, rows = (np.arange(w) / scale).astype(int), (np.arange(h) / scale).astype(int)

    def draw(p, i):
        p[:, y:y + h, x:x + w] = frames[i][:, rows][:, :, columns]
        return p
    return draw


def split_screen(columns):
    """Two shots side by side, or one above the other. Either of them cuts by itself, which is no cut of the picture,
    and both together, which is one."""
    def make(m, rng):
        def half(n):
            frames = shot(m, rng, n)
            return [f[:, :, W // 4:W // 4 + W // 2] if columns else f[:, H // 4:H // 4 + H // 2] for f in frames]

        def sequence(n, at):
            while True:
                frames = half(at) + half(n - at)
                if np.abs(frames[at] - frames[at - 1])[0].mean() > 15:
                    return frames
        clip = Clip()
        while len(clip.cuts) < 5:
            n = int(rng.integers(50, 70))
            halves = sequence(n, int(rng.integers(14, 22))), sequence(n, int(rng.integers(30, 40)))
            frames = [np.concatenate(pair, 2 if columns else 1) for pair in zip(*halves)]
            if not clip.frames or is_different(clip.frames[-1], frames[0]):
                clip.add(frames)
        return clip
    return make


def text_pages(m, rng):
    """Shots and pages of text whose lines come one after the other."""
    clip = Clip()
    for k in range(14):
        if k % 2 == 0:
            clip.add(shot(m, rng, int(rng.integers(14, 30))))
            continue
        colour, frames = rng.uniform((30, 100, 100), (230, 156, 156)), []
        seed, n = int(rng.integers(1 << 30)), int(rng.integers(30, 45))
        for i in range(n):
            p = np.broadcast_to(colour[:, None, None], (3, H, W)).astype(np.float32).copy()
            bottom = 14 + 16 * (1 + i * 8 // n) + 12
            frames.append(text(np.random.default_rng(seed), p, 14, min(bottom, H - 8), 20, W - 20,
                               230 if colour[0] < 128 else 20))
        clip.add(frames)
    return clip


# ---- repeated pictures, steps of exposure, cameras ----

def repeated(pattern):
    """Each picture of a shot is shown pattern[i] times; the motion is that of the lower rate."""
    def make(m, rng):
        clip, total, k = Clip(), sum(pattern) / len(pattern), 0
        while len(clip.cuts) < 16:
            n = int(rng.integers(24, 44) / total) + 2
            frames = clip_shot(m, rng, n, m.film + m.fixed, pace=2.0, shake=0.6) if rng.random() < 0.6 else \
                still_shot(m, rng, n, speed=(2, 8))
            if clip.frames and not is_different(clip.frames[-1], frames[0]):
                continue
            shown = []
            for f in frames:
                shown += [f] * pattern[k % len(pattern)]
                k += 1
            clip.add(shown)
        return clip
    return make


def exposure_steps(m, rng):
    """One frame is brighter than the one before, and the next are as bright: a camera that adapts in one step."""
    clip = cut_shots(m, rng, 8, (40, 70))
    for first, last in clip.between():
        gain, at = 1.0, first + 10
        for i in range(first, last):
            if i == at:
                gain = float(np.clip(gain * rng.choice([0.72, 0.8, 1.25, 1.38]), 0.6, 1.5))
                at = i + int(rng.integers(10, 18))
            clip.frames[i] = night(rng, gain, 0)(clip.frames[i])
    return clip


def handheld(m, rng, shake=(0.8, 2.0), speed=(0, 6)):
    clip = Clip()
    for k in range(1):
        n = 300
        if rng.random() < 0.5:
            clip.add(clip_shot(m, rng, n, m.film, shake=rng.uniform(*shake), tight=(0.45, 0.7)))
        else:
            clip.add(still_shot(m, rng, n, speed=speed, shake=rng.uniform(*shake)))
    return clip


def fast_pan(m, rng):
    clip = Clip()
    clip.add(still_shot(m, rng, 300, speed=(12, 45), shake=0.3))
    return clip


def fixed_camera(m, rng):
    clip = Clip()
    clip.add(clip_shot(m, rng, 300, m.fixed, shake=0, tight=(0.8, 1.0), pace=1.0))
    return clip


X264 = ['-c:v', 'libx264', '-preset', 'fast', '-crf', '20']
COARSE = ['-c:v', 'mpeg4', '-q:v', '14', '-g', '12']
COARSER = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '36', '-g', '25']
LOSSLESS = ['-c:v', 'ffv1']
RECIPES = {
    'a': {
        'ordinary-1': ('ordinary', ordinary, X264), 'ordinary-2': ('ordinary', ordinary, LOSSLESS),
        'ordinary-3': ('ordinary', ordinary, X264), 'coarse-1': ('ordinary', ordinary, COARSE),
        'coarse-2': ('ordinary', ordinary, COARSER), 'grain': ('ordinary', grain, X264),
        'shaken': ('ordinary', shaken, X264), 'panned': ('ordinary', panned, X264),
        'half-still': ('ordinary', half_still, X264), 'slides': ('ordinary', slides, X264),
        'letterboxed': ('ordinary', letterboxed, X264),
        'night-1': ('hard', at_night, X264), 'night-2': ('hard', at_night, LOSSLESS),
        'fog': ('hard', in_fog, X264), 'pillarbox': ('hard', pillarbox, X264), 'jump-cuts': ('hard', jump_cuts, X264),
        'whip': ('hard', whip, X264), 'slow-1': ('hard', slow, X264), 'slow-2': ('hard', slow, COARSE),
        'flashes': ('flashes', flashed(), X264), 'flashes-uneven': ('flashes', flashed((2,)), X264),
        'flashes-pan': ('flashes', flashed((1, 2, 3), speed=(3, 8)), X264),
        'rolling': ('flashes', flashed((2, 3), False, rolling=True), X264),
        'strobe': ('flashes', strobe(), X264), 'strobe-light': ('flashes', strobe(add=70), LOSSLESS),
        'switched': ('flashes', switched, X264),
        'dissolves': ('gradual', gradual(['dissolve']), X264), 'fades': ('gradual', gradual(['fade-out']), X264),
        'wipes': ('gradual', gradual(['wipe', 'wipe-down']), X264),
        'gradual': ('gradual', gradual(['dissolve', 'fade-out', 'fade-white', 'wipe']), LOSSLESS),
        'lower-thirds': ('graphics', overlaid(lower_third), X264), 'letterbox': ('graphics', overlaid(letterbox), X264),
        'inset': ('graphics', overlaid(inset), X264), 'text-pages': ('graphics', text_pages, X264),
        'repeated-8': ('repeated', repeated([3, 3, 3, 3, 3, 3, 3, 4]), X264),
        'repeated-12': ('repeated', repeated([2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3]), X264),
        'repeated-5th': ('repeated', repeated([1, 1, 1, 2]), LOSSLESS),
        'steps': ('cameras', exposure_steps, X264), 'handheld-1': ('cameras', handheld, X264),
        'handheld-2': ('cameras', handheld, X264), 'handheld-3': ('cameras', handheld, X264),
        'handheld-4': ('cameras', handheld, COARSE), 'fast-pan-1': ('cameras', fast_pan, X264),
        'fast-pan-2': ('cameras', fast_pan, X264), 'fixed': ('cameras', fixed_camera, COARSER),
        'spliced-tags': ('splices', ordinary, 'tags'), 'spliced-sizes': ('splices', ordinary, 'sizes'),
        'strobe-fast': ('strobes', strobe(1, 1, 0.2), X264), 'strobe-black': ('strobes', blinded(2, 2, 16), LOSSLESS),
        'strobe-white': ('strobes', blinded(2, 1, 235), X264), 'strobe-add': ('strobes', strobe(2, 2, add=150), X264),
        'split-columns': ('split', split_screen(True), X264), 'split-rows': ('split', split_screen(False), X264),
        'rolling-2': ('rolling', flashed((2,), True, rolling=True), X264),
        'rolling-pan': ('rolling', flashed((2, 3, 4), True, (3, 8), True), X264),
        'dissolves-12': ('dissolves', dissolved(12), X264), 'dissolves-25': ('dissolves', dissolved(25), X264),
        'dissolves-50': ('dissolves', dissolved(50), X264),
    },
    'b': {
        'ordinary-1': ('ordinary', ordinary, X264), 'ordinary-2': ('ordinary', ordinary, X264),
        'ordinary-3': ('ordinary', ordinary, LOSSLESS), 'coarse-1': ('ordinary', ordinary, COARSE),
        'coarse-2': ('ordinary', ordinary, ['-c:v', 'mpeg2video', '-b:v', '300k', '-g', '15']),
        'grain': ('ordinary', lambda m, rng: grain(m, rng, 9), LOSSLESS), 'shaken': ('ordinary', shaken, COARSE),
        'panned': ('ordinary', panned, X264), 'half-still': ('ordinary', half_still, LOSSLESS),
        'slides': ('ordinary', slides, LOSSLESS),
        'letterboxed': ('ordinary', letterboxed, COARSE),
        'night-1': ('hard', at_night, X264), 'night-2': ('hard', lambda m, rng: at_night(m, rng, 0.15, 2.0), X264),
        'fog': ('hard', in_fog, LOSSLESS), 'pillarbox': ('hard', lambda m, rng: pillarbox(m, rng, 0.42), X264),
        'jump-cuts': ('hard', jump_cuts, X264), 'whip': ('hard', whip, LOSSLESS), 'slow-1': ('hard', slow, X264),
        'slow-2': ('hard', lambda m, rng: slow(m, rng, 5), LOSSLESS),
        'flashes': ('flashes', flashed(), LOSSLESS), 'flashes-uneven': ('flashes', flashed((2, 3)), COARSE),
        'flashes-pan': ('flashes', flashed((1, 2, 3), speed=(4, 9)), X264),
        'rolling': ('flashes', flashed((2, 3), False, rolling=True), LOSSLESS),
        'strobe': ('flashes', strobe(3, 5), X264), 'strobe-light': ('flashes', strobe(4, 4, add=90), X264),
        'switched': ('flashes', lambda m, rng: switched(m, rng, 2), X264),
        'dissolves': ('gradual', gradual(['dissolve'], (10, 40)), LOSSLESS),
        'fades': ('gradual', gradual(['fade-out'], (16, 60)), X264),
        'wipes': ('gradual', gradual(['wipe', 'wipe-down']), X264),
        'gradual': ('gradual', gradual(['dissolve', 'fade-out', 'fade-white', 'wipe']), COARSE),
        'lower-thirds': ('graphics', overlaid(lower_third), LOSSLESS),
        'letterbox': ('graphics', overlaid(letterbox), X264),
        'inset': ('graphics', overlaid(inset), X264), 'text-pages': ('graphics', text_pages, LOSSLESS),
        'repeated-8': ('repeated', repeated([3, 3, 3, 3, 3, 3, 3, 4]), LOSSLESS),
        'repeated-12': ('repeated', repeated([2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3]), LOSSLESS),
        'repeated-6th': ('repeated', repeated([1, 1, 1, 1, 2]), X264),
        'steps': ('cameras', exposure_steps, X264), 'handheld-1': ('cameras', handheld, X264),
        'handheld-2': ('cameras', handheld, LOSSLESS), 'handheld-3': ('cameras', handheld, X264),
        'handheld-4': ('cameras', handheld, COARSE), 'fast-pan-1': ('cameras', fast_pan, X264),
        'fast-pan-2': ('cameras', fast_pan, LOSSLESS), 'fixed': ('cameras', fixed_camera, COARSE),
        'spliced-tags': ('splices', ordinary, 'tags'), 'spliced-sizes': ('splices', ordinary, 'sizes'),
        'strobe-fast': ('strobes', strobe(2, 1, 0.15), LOSSLESS), 'strobe-black': ('strobes', blinded(1, 2, 16), X264),
        'strobe-white': ('strobes', blinded(3, 2, 235), COARSE), 'strobe-add': ('strobes', strobe(1, 2, add=120), X264),
        'split-columns': ('split', split_screen(True), COARSE), 'split-rows': ('split', split_screen(False), LOSSLESS),
        'rolling-2': ('rolling', flashed((2, 3), True, rolling=True), X264),
        'rolling-pan': ('rolling', flashed((2, 3), False, (4, 9), True), LOSSLESS),
        'dissolves-12': ('dissolves', dissolved(12), COARSE), 'dissolves-25': ('dissolves', dissolved(25), X264),
        'dissolves-50': ('dissolves', dissolved(50), X264),
    },
}
RECIPES['c'] = RECIPES['d'] = RECIPES['b']
# An edit of material with other tags, or of other sizes: each shot is encoded by itself, with the next of these in turn.
SPLICES = {
    'tags': [['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'], [],
             ['-color_primaries', 'smpte170m', '-color_trc', 'smpte170m', '-colorspace', 'smpte170m']],
    'sizes': [[], ['-vf', 'scale=640:360'], ['-vf', 'scale=480:270']],
}


def encode_splices(path, clip, splices):
    """H.264 without a container, whose parameters change from shot to shot."""
    with open(path, 'wb') as file:
        for k, (first, end) in enumerate(clip.between()):
            encode(path + '.part', clip.frames[first:end], [*X264, *splices[k % len(splices)], '-f', 'h264'], 25)
            with open(path + '.part', 'rb') as part:
                file.write(part.read())
    os.unlink(path + '.part')


def encode(path, frames, codec, fps):
    command = ['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'rawvideo', '-pix_fmt', 'yuv444p', '-s', f'{W}x{H}',
               '-r', str(fps), '-i', '-', '-pix_fmt', 'yuv420p', '-threads', '2', *codec, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        for f in frames:
            process.stdin.write(np.clip(np.rint(f), 0, 255).astype(np.uint8).tobytes())
    assert process.returncode == 0, path


def main():
    clips, stills, out, half, *names = sys.argv[1:]
    material = Material(clips, stills, half)
    os.makedirs(out, exist_ok=True)
    for name, (kind, recipe, codec) in RECIPES[half].items():
        if names and name not in names:
            continue
        clip = recipe(material, np.random.default_rng(zlib.crc32(f'{half}/{name}'.encode())))
        path = os.path.join(out, name)
        if isinstance(codec, str):
            encode_splices(f'{path}.h264', clip, SPLICES[codec])
        else:
            encode(f'{path}.mkv', clip.frames, codec, 4 if name.startswith('slow') else 25)
        with open(f'{path}.json', 'w', encoding='utf-8') as file:
            json.dump({'kind': kind, 'frames': len(clip.frames), 'cuts': clip.cuts,
                       'transitions': clip.transitions}, file)
        print(name, kind, len(clip.frames), 'frames', len(clip.cuts), 'cuts', flush=True)


if __name__ == '__main__':
    main()
