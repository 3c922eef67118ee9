#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Scene cuts, black frames and exposure from what glesjson wrote: docs/scene-statistics.md.

  gst-launch-1.0 filesrc location=VIDEO ! decodebin ! gleshistogram ! glesjson ! filesink location=h.ndjson
  scene-statistics.py h.ndjson
"""
import argparse
import json


def read(path):
    with open(path, encoding='utf-8') as lines:
        return [json.loads(line) for line in lines]


def cut_scores(frames):
    """How much a frame differs from the one before, more than its neighbours do: a cut is a peak, motion
    and flicker are not. 0 for the first and the last frame."""
    differences = []
    for frame in frames:
        channels = frame['histogram']['channels']
        differences.append(sum(c['difference'] for c in channels) / len(channels))
    scores = [max(0.0, here - max(before, after)) for before, here, after
              in zip(differences, differences[1:], differences[2:])]
    return [0.0, *scores, 0.0][:len(frames)]


def shares(frame, full_range):
    """Shares of luma samples that are black (as blackdetect's pix_th=0.1), crushed and clipped."""
    luma = frame['histogram']['channels'][0]
    counts, count = luma['counts'], max(luma['count'], 1)
    low, high = (0, 255) if full_range else (16, 235)

    def bins_up_to(code_value):
        """bins of which every sample is at most so bright, of 8 bits"""
        return int((code_value + 1) * len(counts) / 256)

    black = sum(counts[:bins_up_to(low + (high - low) * 0.1)])
    crushed = sum(counts[:bins_up_to(low)])
    clipped = sum(counts[bins_up_to(high - 1):])
    return black / count, crushed / count, clipped / count


def spans(flags):
    """[first, last] of every run of true values."""
    runs = []
    for i, flag in enumerate(flags):
        if flag and runs and runs[-1][1] == i - 1:
            runs[-1][1] = i
        elif flag:
            runs.append([i, i])
    return runs


def seconds(frame):
    return (frame['pts'] or 0) / 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('lines', help='what glesjson wrote, with counts')
    parser.add_argument('--cut', type=float, default=0.095, help='score of a cut (0.095)')
    parser.add_argument('--black', type=float, default=0.98, help='share of a black frame (0.98)')
    parser.add_argument('--full-range', action='store_true', help='black is 0 and white 255')
    options = parser.parse_args()

    frames = read(options.lines)
    for frame, score in zip(frames, cut_scores(frames)):
        if score >= options.cut:
            print(f'cut at frame {frame["frame"]}, {seconds(frame):.2f} s, score {score:.3f}')
    exposure = [shares(frame, options.full_range) for frame in frames]
    for first, last in spans([black >= options.black for black, _, _ in exposure]):
        print(f'black from frame {first} to {last}, '
              f'{seconds(frames[first]):.2f} s to {seconds(frames[last]):.2f} s')
    for i, what in ((1, 'crushed'), (2, 'clipped')):
        worst = max(range(len(frames)), key=lambda k: exposure[k][i])
        print(f'{what}: {sum(e[i] for e in exposure) / len(frames):.2%} of all samples, '
              f'at most {exposure[worst][i]:.2%} (frame {frames[worst]["frame"]})')


if __name__ == '__main__':
    main()
