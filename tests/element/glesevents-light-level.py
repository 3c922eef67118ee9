# SPDX-License-Identifier: LGPL-2.1-or-later
"""The event `light-level` of glesevents is where the light levels in the lines of frames are beyond what the caps say, by
MaxCLL, MaxFALL or the display of the mastering, with the default tolerance and another; and what is missing is said."""
import json
import random
import struct
import subprocess

WIDTH, HEIGHT, N = 32, 16, 80
DISPLAY = '34000:16000:13250:34500:7500:3000:15635:16450:%d:50'


def clip(rng):
    """Frames of one grey with a patch of another: PQ of 10 bits, from 90 to 10000 cd/m2."""
    data, rest = b'', 0
    for _ in range(N):
        if rest == 0:
            rest = rng.randrange(1, 9)
            low, high, share = rng.randrange(300, 700), rng.randrange(500, 1024), rng.choice((0.01, 0.3, 1))
        rest -= 1
        plane = [high if i < share * WIDTH * HEIGHT else low for i in range(WIDTH * HEIGHT)]
        data += struct.pack(f'<{3 * len(plane)}H', *plane * 3)
    return data


def run(data, fields, *settings, light='true', quiet=('-q',)):
    caps = 'video/x-raw,' + ','.join(f'{name}=(string){value}' for name, value in fields.items())
    return subprocess.run(
        ['gst-launch-1.0', *quiet, 'fdsrc', '!', 'rawvideoparse', 'format=gbr-10le', f'width={WIDTH}',
         f'height={HEIGHT}', 'framerate=25/1', 'colorimetry=bt2100-pq', '!', *(('capssetter', f'caps={caps}', '!')
                                                                           if fields else ()),
         'gleshistogram', 'device=cpu', f'light={light}', '!', 'glesevents', 'events=light-level', *settings, '!',
         'glesjson', 'counts=false', '!', 'fdsink'], input=data, capture_output=True, check=True)


def expected(levels, said, tolerance):
    spans, first = [], None
    ratios = [max((level[key] / value for key, value in said if value > 0), default=0) for level in levels]
    for i in range(N + 1):
        holds = i < N and ratios[i] > 1 + tolerance
        if holds and first is None:
            first = i
        if not holds and first is not None:
            spans.append((first, i, 'condition' if i < N else 'eos', max(ratios[first:i]),
                          *(max(level[key] for level in levels[first:i]) for key in ('max', 'mean'))))
            first = None
    return spans


def check(rng, content, mastering, tolerance):
    fields = {}
    if content:
        fields['content-light-level'] = '%d:%d' % content
    if mastering:
        fields['mastering-display-info'] = DISPLAY % (10000 * mastering)
    lines = run(clip(rng), fields, *([] if tolerance == 0.05 else [f'light-tolerance={tolerance}'])).stdout.splitlines()
    lines = [json.loads(line) for line in lines]
    events = [line for line in lines if 'event' in line]
    levels = [line['histogram']['light_levels'] for line in lines if 'event' not in line]
    assert len(levels) == N
    cll, fall = content or (0, 0)
    want = expected(levels, (('max', cll), ('mean', fall), ('max', mastering)), tolerance)
    starts = [e['frame'] for e in events if e['phase'] == 'start']
    ends = [e for e in events if e['phase'] == 'end']
    assert starts == [span[0] for span in want], (starts, want)
    for event, span in zip(ends, want):
        got = (event['start_frame'], event['frame'], event['cause'], event['score'], event['light_max'],
               event['light_mean'])
        assert got == span, (got, span)
        assert (event['max_cll'], event['max_fall'], event['mastering_max']) == (cll, fall, mastering), event
    assert len(ends) == len(want)
    return len(want)


def main():
    rng = random.Random(2100)
    cases = (((1000, 400), 0, 0.05), ((1000, 0), 0, 0.05), ((0, 400), 0, 0.05), (None, 1000, 0.05), ((4000, 2000), 1000, 0.5),
             ((10000, 10000), 10000, 0.05))
    counts = [check(rng, *case) for case in cases]
    print(counts, 'events')
    assert min(counts[:5]) > 1 and counts[5] == 0, counts
    data = clip(rng)
    for fields, light, text in (({}, 'true', b'neither content-light-level nor'),
                                ({'content-light-level': '1000:400'}, 'false', b'set light=true')):
        ended = run(data, fields, light=light, quiet=())
        said = ended.stdout + ended.stderr
        assert text in said and said.count(b'Light levels are not compared') == 1, said
        assert b'"event":"light-level"' not in said


main()
