# SPDX-License-Identifier: LGPL-2.1-or-later
"""Levels beyond those of broadcasting: the events `over` and `under` of glesevents are where NumPy finds that share of
the samples, with 8 and 10 bits, and with other limits."""
import json
import subprocess
import sys

try:
    import numpy
except ImportError:
    print('python3-numpy is not installed')
    sys.exit(77)

WIDTH, HEIGHT, N = 64, 40, 90
CASES = (('i420', 8, {}), ('i420-10le', 10, {}), ('gray8', 8, {}),
         ('i420', 8, {'luma-high': 220, 'luma-low': 30, 'chroma-high': 200, 'chroma-low': 50, 'level-ratio': 0.2,
                      'level-frames': 2}))


def planes_of(form):
    chroma = [] if form == 'gray8' else [(HEIGHT // 2, WIDTH // 2)] * 2
    return [(HEIGHT, WIDTH), *chroma]


def make(form, depth, random):
    """Frames of legal levels, in which for some frames a share of a component, about the limit, is beyond."""
    frames, rest, plane, share, level = [], 0, 0, 0, 0
    for _ in range(N):
        if rest == 0:
            rest, plane = random.integers(1, 9), random.integers(len(planes_of(form)))
            share = random.choice((0, 0.005, 0.01, 0.02, 0.15, 0.3, 1))
            level = random.choice((0, 15.75, 16, 29, 235, 235.25, 236, 240, 240.25, 241, 255)) * 2 ** (depth - 8)
        rest -= 1
        frame = [random.integers(60, 190, size) << depth - 8 for size in planes_of(form)]
        samples = frame[plane].reshape(-1)
        samples[:round(share * len(samples))] = int(level)
        frames.append(frame)
    return frames


def expected(frames, depth, limits):
    """The spans of `over` and `under`: kind, first frame, frame after it, cause, shares of luma and of chroma."""
    ratio, least = limits.get('level-ratio', 0.01), limits.get('level-frames', 5)
    spans = []
    for kind in ('over', 'under'):
        shares = []
        for frame in frames:
            found = []
            for samples, name, high in zip(frame, ('luma', 'chroma', 'chroma'), (235, 240, 240)):
                if kind == 'over':
                    beyond = samples > limits.get(name + '-high', high) * 2 ** (depth - 8)
                else:
                    beyond = samples < limits.get(name + '-low', 16) * 2 ** (depth - 8)
                found.append(beyond.mean())
            shares.append((found[0], max(found[1:], default=0.0)))
        first = None
        for i in range(N + 1):
            holds = i < N and max(shares[i]) > ratio
            if holds and first is None:
                first = i
            if not holds and first is not None:
                if i - first >= least:
                    most = [max(share[k] for share in shares[first:i]) for k in range(2)]
                    spans.append((kind, first, i, 'condition' if i < N else 'eos', *most))
                first = None
    return sorted(spans)


def found(frames, form, depth, limits):
    data = b''.join(plane.astype('<u2' if depth > 8 else 'u1').tobytes() for frame in frames for plane in frame)
    lines = subprocess.run(
        ['gst-launch-1.0', '-q', 'fdsrc', '!', 'rawvideoparse', f'format={form}', f'width={WIDTH}', f'height={HEIGHT}',
         'framerate=25/1', 'colorimetry=2:4:7:1', '!', 'gleshistogram', 'device=cpu', '!', 'glesevents',
         'events=over+under', *(f'{name}={value}' for name, value in limits.items()), '!', 'glesjson', 'frames=false',
         '!', 'fdsink'], input=data, stdout=subprocess.PIPE, check=True).stdout
    events = [json.loads(line) for line in lines.splitlines()]
    starts = [(e['event'], e['frame']) for e in events if e['phase'] == 'start']
    ends = sorted((e['event'], e['start_frame'], e['frame'], e['cause'], e['luma'], e['chroma']) for e in events
                  if e['phase'] == 'end')
    assert sorted(starts) == [end[:2] for end in ends], (starts, ends)
    assert all(e['score'] == max(e['luma'], e['chroma']) for e in events if e['phase'] == 'end'), events
    return ends


def main():
    n = 0
    for seed, (form, depth, limits) in enumerate(CASES * 3):
        frames = make(form, depth, numpy.random.default_rng(seed))
        want, got = expected(frames, depth, limits), found(frames, form, depth, limits)
        assert len(want) == len(got), (form, want, got)
        for a, b in zip(want, got):
            assert a[:4] == b[:4] and numpy.allclose(a[4:], b[4:], 1e-12), (form, a, b)
        n += len(got)
    print(f'{n} events are those of NumPy')
    assert n > 20


main()
