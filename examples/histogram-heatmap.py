#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A video's histograms over time as a picture: time runs to the right, code values run up, bright is
where many samples are. Reads the results in an appsink, through GObject introspection.

  meson devenv -C build python3 ../examples/histogram-heatmap.py VIDEO heatmap.png

Needs PyGObject, NumPy and pycairo."""
import sys

import cairo
import gi
import numpy
from video_samples import samples

gi.require_version('Gst', '1.0')
gi.require_version('GstGles', '1.0')
from gi.repository import Gst, GstGles  # noqa: E402

BINS = 256
# dark blue to yellow, lightness rising evenly: legible for the colour-blind and in grey
COLOURS = numpy.array([[13, 8, 35], [61, 21, 98], [118, 28, 109], [175, 46, 92], [222, 85, 59],
                       [247, 140, 20], [250, 201, 62], [252, 255, 200]])
MARGIN, LEFT, PANEL_HEIGHT, GAP, TITLE, MIN_WIDTH, MAX_WIDTH = 24, 70, 160, 26, 46, 640, 1600


def collect(video):
    """Channel names, seconds per frame, and a (frames, channels, bins) array of shares."""
    names, times, rows = [], [], []
    for sample in samples(video, f'gleshistogram bins={BINS}'):
        result = GstGles.HistogramResult.from_buffer(sample.get_buffer())
        names = [result.get_channel_name(c) for c in range(result.get_n_channels())]
        counts = result.counts[:, 0]  # of the one cell: channels, bins
        rows.append(counts / numpy.maximum(counts.sum(axis=1, keepdims=True), 1))
        times.append(result.get_frame().pts / Gst.SECOND)
    if not rows:
        sys.exit(f'{video}: no video')
    return names, times, numpy.array(rows)


def colour(shares):
    """A (bins, frames) array of shares as BGRx pixels, the highest code value on top."""
    # the fullest bins would leave the rest in the dark (a still background, grey chroma)
    top = max(numpy.quantile(shares, 0.98), 1e-9)
    level = numpy.sqrt(numpy.minimum(shares / top, 1))[::-1] * (len(COLOURS) - 1)
    low = numpy.minimum(level.astype(int), len(COLOURS) - 2)
    part = (level - low)[..., None]
    rgb = COLOURS[low] * (1 - part) + COLOURS[low + 1] * part
    pixels = numpy.zeros(shares.shape + (4,), numpy.uint8)
    pixels[..., :3] = rgb[..., ::-1] + 0.5
    return pixels


def text(context, x, y, align, what):
    extents = context.text_extents(what)
    context.move_to(x - align * extents.x_advance, y)
    context.show_text(what)


def draw_panel(context, y, width, name, shares):
    pixels = numpy.ascontiguousarray(colour(shares.T))
    heat = cairo.ImageSurface.create_for_data(pixels, cairo.FORMAT_RGB24, pixels.shape[1],
                                              pixels.shape[0])
    context.save()
    context.translate(LEFT, y)
    context.scale(width / pixels.shape[1], PANEL_HEIGHT / pixels.shape[0])
    context.set_source_surface(heat, 0, 0)
    # one column per frame, as it is, unless there are more frames than pixels
    context.get_source().set_filter(
        cairo.FILTER_GOOD if pixels.shape[1] > width else cairo.FILTER_NEAREST)
    context.rectangle(0, 0, pixels.shape[1], pixels.shape[0])
    context.fill()
    context.restore()
    context.set_source_rgb(0.35, 0.37, 0.42)
    context.set_font_size(12)
    for value in (0, 64, 128, 192, 255):
        text(context, LEFT - 8, y + PANEL_HEIGHT * (1 - (value + 0.5) / BINS) + 4, 1, str(value))
    context.set_source_rgb(0.13, 0.14, 0.17)
    context.set_font_size(15)
    text(context, MARGIN, y + PANEL_HEIGHT / 2 + 5, 0.3, name)


def tick_step(duration, ticks=8):
    for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600):
        if duration / step <= ticks:
            return step
    return duration / ticks


def draw(path, title, names, times, shares):
    frames = len(times)
    width = min(max(frames * 2, MIN_WIDTH), MAX_WIDTH)
    height = TITLE + len(names) * (PANEL_HEIGHT + GAP) + MARGIN
    surface = cairo.ImageSurface(cairo.FORMAT_RGB24, LEFT + width + MARGIN, height)
    context = cairo.Context(surface)
    context.set_source_rgb(1, 1, 1)
    context.paint()
    context.set_source_rgb(0.13, 0.14, 0.17)
    context.select_font_face('sans-serif', cairo.FONT_SLANT_NORMAL, cairo.FONT_WEIGHT_BOLD)
    context.set_font_size(16)
    text(context, LEFT, 30, 0, title)
    context.select_font_face('sans-serif', cairo.FONT_SLANT_NORMAL, cairo.FONT_WEIGHT_NORMAL)
    for i, name in enumerate(names):
        y = TITLE + i * (PANEL_HEIGHT + GAP)
        draw_panel(context, y, width, name, shares[:, i])
    y = height - MARGIN - GAP
    duration = (times[-1] - times[0]) * frames / max(frames - 1, 1)
    context.set_source_rgb(0.35, 0.37, 0.42)
    context.set_font_size(12)
    if duration > 0:
        step = tick_step(duration)
        for i in range(int(duration / step) + 1):
            x = LEFT + width * i * step / duration
            context.rectangle(round(x), y, 1, 5)
            context.fill()
            text(context, x, y + 18, 0.5 if i else 0, f'{i * step:g} s')
    surface.write_to_png(path)


def main():
    if len(sys.argv) != 3:
        sys.exit('usage: histogram-heatmap.py VIDEO OUTPUT.png')
    names, times, shares = collect(sys.argv[1])
    draw(sys.argv[2], f'{sys.argv[1].split("/")[-1]}: {len(times)} frames', names, times, shares)
    print(f'{sys.argv[2]}: {len(times)} frames, {", ".join(names)}')


if __name__ == '__main__':
    main()
