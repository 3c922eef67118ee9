# SPDX-License-Identifier: LGPL-2.1-or-later
"""Flashes of glesevents are those of the rule in docs/elements/glesevents.md, written anew here: what each frame counts,
and where events begin and end; in native code and on a software renderer."""
import json
import random
import subprocess
import sys

WIDTH, HEIGHT, N = 64, 40, 220
FULL = 65535
COLOURS = ((0, 0, 0), (255, 255, 255), (128, 128, 128), (90, 90, 90), (240, 240, 240), (255, 0, 0), (200, 10, 10),
           (255, 120, 120), (0, 0, 255), (10, 200, 30))


def light(code):
    share = code / 255
    return round(FULL * (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4))


def values(colour):
    r, g, b = map(light, colour)
    return (13933 * r + 46871 * g + 4732 * b + 32768) >> 16, r - g - b if r >= 4 * (g + b) else 0


def scene(rng, still):
    """Frames of eight bands; in each frame some of them change, all to one colour or back."""
    bands, frames = [COLOURS[0]] * 8, []
    pair = rng.sample(COLOURS, 2)
    period = rng.choice((1, 2, 3, 4, 6, 9))
    for i in range(N):
        if i % 60 == 0:
            pair, period = rng.sample(COLOURS, 2), rng.choice((1, 2, 3, 4, 6, 9))
            which = rng.choice((1, 2, 3, 8))
        if i % period == 0 and rng.random() > still:
            bands = [pair[i // period % 2]] * which + bands[which:]
        frames.append(bands)
    return frames


def expected(frames, rate):
    """What the page says of each frame."""
    sums, out = [], []
    change, since = [0, 0], [0, 0]
    changes, transitions, extended = ([[], []] for _ in range(3))
    for i, bands in enumerate(frames):
        now = [values(colour) for colour in bands]
        sums.append([sum(value[k] for value in now) for k in range(2)])
        frame = {}
        second, four, five = (max(0, i + 1 - seconds * rate) for seconds in (1, 4, 5))
        for k, (prefix, least) in enumerate((('', 10), ('red_', 16))):
            area = sum(a[k] != values(b)[k] for a, b in zip(now, frames[i - 1])) / 8 if i > 0 else 0
            delta = sums[i][k] - sums[i - 1][k] if i > 0 and area >= 0.25 else 0
            changes[k].append(delta)
            before = change[k]
            goes_on = before * delta >= 0
            if not goes_on:
                since[k] = i
            change[k] = sum(changes[k][max(since[k], second):])
            dark = min(sums[i][k], sums[i - 1][k]) * 5 < 4 * FULL * 8
            done = before * change[k] >= 0 and abs(before) * least >= 8 * FULL
            transitions[k].append(i > 0 and not done and abs(change[k]) * least >= 8 * FULL and (k == 1 or dark))
            count = sum(transitions[k][second:])
            extended[k].append(4 <= count <= 6)
            long = sum(extended[k][five:])
            verdict = ('fail' if count > 6 else 'pass' if count < 4 else 'extended' if long >= i + 1 - four
                       else 'warning')
            frame.update({prefix + 'area': area, prefix + 'transitions': count, prefix + 'extended_frames': long,
                          prefix + 'verdict': verdict, 'red' if k else 'luminance': sums[i][k] / (8 * FULL)})
        out.append(frame)
    return out


def found(frames, rate, device):
    row = WIDTH * HEIGHT // 8
    data = b''.join(bytes(colour) * row for bands in frames for colour in bands)
    lines = subprocess.run(
        ['gst-launch-1.0', '-q', 'fdsrc', '!', 'rawvideoparse', 'format=rgb', f'width={WIDTH}', f'height={HEIGHT}',
         f'framerate={rate}/1', '!', 'gleshistogram', f'device={device}', 'flash=true', 'validate=true', '!', 'glesevents',
         'events=flash', '!', 'glesjson', 'counts=false', '!', 'fdsink'],
        input=data, stdout=subprocess.PIPE, check=True).stdout
    lines = [json.loads(line) for line in lines.splitlines()]
    return [line['flash'] for line in lines if 'event' not in line], [line for line in lines if 'event' in line]


def check_events(frames, events, rate):
    held = [{kind for kind, prefix in (('general', ''), ('red', 'red_'))
             if frame[prefix + 'verdict'] in ('fail', 'extended')} for frame in frames]
    spans, i = [], 0
    while i < len(held):
        first = i
        while i < len(held) and held[i]:
            i += 1
        if i > first:
            spans.append((first, i))
        i += 1
    assert [e['frame'] for e in events if e['phase'] == 'start'] == [first for first, _ in spans]
    ends = [e for e in events if e['phase'] == 'end']
    assert [(e['start_frame'], e['frame']) for e in ends] == spans, (ends, spans)
    for (first, end), event in zip(spans, ends):
        kinds = set().union(*held[first:end])
        assert event['flash'] == ('both' if len(kinds) == 2 else kinds.pop()), event
        most = max(max(frame[prefix + 'transitions'] for prefix in ('', 'red_')
                       if frame[prefix + 'verdict'] in ('fail', 'extended')) for frame in frames[first:end])
        assert event['transitions'] == most == event['score'], event
        assert event['extended'] == any('extended' in (frame['verdict'], frame['red_verdict'])
                                        for frame in frames[first:end]), event
        assert 0.25 <= event['area'] <= 1, event
        assert event['cause'] == ('eos' if end == len(frames) else 'condition'), event
    return len(spans)


def main():
    rng = random.Random(62)
    n_events, verdicts = 0, {}
    # two and a half flashes a second, for ten seconds and again
    slow = [[COLOURS[5 * (i // 2 % 2) if i < 100 or i >= 130 else 0]] * 8 for i in range(N)]
    scenes = [(10, slow)] + [(rng.choice((10, 25, 30)), scene(rng, rng.choice((0, 0, 0.2, 0.5)))) for _ in range(7)]
    for case, (rate, frames) in enumerate(scenes):
        want = expected(frames, rate)
        for device in ('cpu', 'software'):
            got, events = found(frames, rate, device)
            assert len(got) == len(want) == N
            for i, (a, b) in enumerate(zip(got, want)):
                assert a.keys() == b.keys(), (a, b)
                wrong = [key for key in a if a[key] != b[key] and not (
                    isinstance(b[key], float) and abs(a[key] - b[key]) < 1e-12)]
                assert not wrong, (case, rate, device, i, wrong, a, b)
            n_events += check_events(want, events, rate)
        for frame in want:
            for key in ('verdict', 'red_verdict'):
                verdicts[key, frame[key]] = verdicts.get((key, frame[key]), 0) + 1
    print(n_events, 'events', verdicts)
    assert n_events > 8 and verdicts['verdict', 'extended'] and verdicts['red_verdict', 'fail'], verdicts


sys.exit(main())
