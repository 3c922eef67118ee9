# SPDX-License-Identifier: LGPL-2.1-or-later
"""Levels and loudness of sound as gst-gles-report-1.0 tells them: beside FFmpeg's astats, silencedetect and ebur128, beside
NumPy, and of signals whose values are known.

Arguments: the program, the schema of lines."""
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import wave
from pathlib import Path

try:
    import jsonschema
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

LEVEL_DB = 1e-6  # astats prints six decimals
LOUDNESS_LU = 0.03  # ebur128 has a histogram of hundredths, and 0.1 s of 11025 Hz are no whole number of samples
RANGE_LU = 1.5  # FFmpeg looks at 3 s every 0.1 s, libebur128 every second
TRUE_PEAK_DB = 0.1  # both have a filter of their own; ebur128 prints one decimal
SAMPLE_S = 1e-5  # silencedetect prints six digits
# name: options of FFmpeg's encoder and sample rate, layout
FORMATS = {
    'mono8k.wav': ('pcm_s16le', 8000, 'mono'),
    'stereo11k.wav': ('pcm_u8', 11025, 'stereo'),
    'stereo44k.flac': ('flac', 44100, 'stereo'),
    'quad48k.wav': ('pcm_s24le', 48000, 'quad'),
    'surround48k.wav': ('pcm_s16le', 48000, '5.1'),
    'side48k.mkv': ('pcm_f32le', 48000, '5.1(side)'),
    'stereo96k.wav': ('pcm_s32le', 96000, 'stereo'),
    'stereo192k.wav': ('pcm_s24le', 192000, 'stereo'),
}
NAMES = ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR']


def ffmpeg(line, *inputs, text=True):
    return subprocess.run(['ffmpeg', '-nostdin', '-y', *line.split(), *inputs], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=text)


def run(tool, name, *arguments, status=0):
    """The lines of sound, the rows of the table and the lines of events."""
    done = subprocess.run([tool, '--quiet', '--no-page', '--ndjson', 'l.ndjson', '--sound', 't.csv', *arguments, name],
                          stderr=subprocess.PIPE, text=True, check=False, timeout=120)
    assert done.returncode == status, f'{name}: {done.returncode} {done.stderr}'
    with open('l.ndjson', encoding='utf-8') as file:
        lines = [json.loads(line) for line in file]
    for line in lines:
        SCHEMA.validate(line)
    with open('t.csv', encoding='utf-8', newline='') as file:
        rows = list(csv.DictReader(file))
    return ([line for line in lines if line.get('type') == 'sound'], rows, [line for line in lines if 'event' in line])


def sound_of(tool, name, *arguments, status=0):
    lines, rows, _ = run(tool, name, '--only-sound', *arguments, status=status)
    assert len(lines) == 1, (name, lines)
    assert len(rows) == len(lines[0]['channels']), (name, rows)
    return lines[0], rows


def write(name, samples, rate=48000):
    """@samples: [frame, channel], from -1 to 1."""
    values = numpy.clip(numpy.rint(samples * 32768), -32768, 32767).astype('<i2')
    with wave.open(name, 'wb') as file:
        file.setparams((values.shape[1], 2, rate, 0, 'NONE', ''))
        file.writeframes(values.tobytes())


def programme(seconds, rate, channels):
    """Something like music: tones and noise whose loudness changes, silence in one channel, and clipped samples."""
    random = numpy.random.default_rng(channels * rate)
    time = numpy.arange(int(seconds * rate)) / rate
    loud = 10 ** ((-20 - 10 * numpy.sin(time / 3)) / 20)[:, None]
    tones = numpy.stack([numpy.sin(2 * math.pi * (150 + 90 * i) * time + i) for i in range(channels)], axis=1)
    samples = loud * (tones + random.standard_normal((len(time), channels)) / 4)
    samples[int(2.2 * rate):int(4.9 * rate), -1] = 0
    samples[rate:rate + 7, 0] = 1
    return samples


# ---- oracles ----

def astats(name):
    """Peak and RMS in dB of each channel, with 1 for full scale whatever the format is."""
    said = ffmpeg('-i', name, '-vn', '-af', 'aformat=sample_fmts=dblp,astats', '-f', 'null', '-').stderr.split('Overall')[0]
    return [(float(one[0]), float(one[1])) for one in
            re.findall(r'Peak level dB: (\S+).*?RMS level dB: (\S+)', said, re.S)]


def silences(name, n):
    said = ffmpeg('-i', name, '-vn', '-af', 'silencedetect=mono=1', '-f', 'null', '-').stderr
    sums = [0.0] * n
    for channel, duration in re.findall(r'channel: (\d+) \| silence_end: \S+ \| silence_duration: (\S+)', said):
        sums[int(channel)] += float(duration)
    return sums


def ebur128(name):
    """Integrated loudness, range, and the true peaks of the channels in dB."""
    out = ffmpeg('-i', name, '-vn', '-af', 'ebur128=metadata=1:peak=true,ametadata=print:file=-', '-f', 'null', '-')
    last = dict(re.findall(r'lavfi\.r128\.(\w+)=(\S+)', out.stdout))
    peak = re.search(r'True peak:\s+Peak:\s+(\S+) dBFS', out.stderr)
    return float(last['I']), float(last['LRA']), float(peak.group(1))


def samples_of(name, channels):
    data = ffmpeg('-i', name, '-vn', '-f', 'f64le', '-', text=False).stdout
    return numpy.frombuffer(data, '<f8').reshape(-1, channels)


# ---- tests ----

def near(got, expected, within, what):
    assert got is not None and abs(got - expected) <= within, f'{what}: {got}, not {expected}'
    return abs(got - expected)


def check_ffmpeg(tool):
    worst = dict.fromkeys(('peak', 'rms', 'silence', 'integrated', 'range', 'true peak', 'phase'), 0.0)
    for name, (codec, rate, layout) in FORMATS.items():
        channels = {'mono': 1, 'stereo': 2, 'quad': 4}.get(layout, 6)
        write('made.wav', programme(24.37, rate, channels), rate)
        ffmpeg('-i made.wav -af', f'aformat=channel_layouts={layout}' if channels < 3 else
               f'channelmap=map={"|".join(f"{i}-{place}" for i, place in enumerate(places(layout)))}:channel_layout={layout}',
               '-c:a', codec, name)
        line, rows = sound_of(tool, name)
        what = f'{name} '
        assert line['rate'] == rate and len(line['channels']) == channels, line
        samples = samples_of(name, channels)
        assert abs(line['duration'] - len(samples) / rate * 1e9) <= 1, line
        for i, (channel, (peak, rms), silence) in enumerate(zip(line['channels'], astats(name), silences(name, channels))):
            worst['peak'] = max(worst['peak'], near(channel['peak'], peak, LEVEL_DB, what + 'peak'))
            worst['rms'] = max(worst['rms'], near(channel['rms'], rms, LEVEL_DB, what + 'rms'))
            worst['silence'] = max(worst['silence'], near(channel['silence'] / 1e9, silence, SAMPLE_S, what + 'silence'))
            full = int((abs(samples[:, i]) >= 32767 / 32768 - 1e-6).sum())
            assert channel['clipped'] == full, f'{what}: {channel["clipped"]} clipped, not {full}'
        assert line['channels'][-1]['silence'] > 2.6e9 and line['channels'][0]['clipped'] >= 7 or codec == 'pcm_u8', line
        for pair in line['pairs']:
            left, right = (samples[:, [one['name'] for one in line['channels']].index(pair[side])] for side in ('left', 'right'))
            phase = (left * right).sum() / math.sqrt((left * left).sum() * (right * right).sum())
            worst['phase'] = max(worst['phase'], near(pair['phase'], phase, 1e-9, what + 'phase'))
        assert len(line['pairs']) == channels // 2 - (channels == 6), line['pairs']
        if 'integrated' in line:
            loudness, span, peak = ebur128(name)
            worst['integrated'] = max(worst['integrated'], near(line['integrated'], loudness, LOUDNESS_LU, what + 'loudness'))
            worst['range'] = max(worst['range'], near(line['loudness_range'], span, RANGE_LU, what + 'range'))
            worst['true peak'] = max(worst['true peak'], near(line['true_peak'], peak, TRUE_PEAK_DB, what + 'true peak'))
            assert line['true_peak'] == max(channel['true_peak'] for channel in line['channels']), line
        for row, channel in zip(rows, line['channels']):
            assert row['channel'] == channel['name'] and float(row['peak']) == channel['peak'], (row, channel)
            assert float(row['silence']) == channel['silence'] / 1e9 and row['stream'] == 'audio 1', (row, channel)
    print('largest differences:', ', '.join(f'{key} {value:.2g}' for key, value in worst.items()))
    return worst


def places(layout):
    return {'quad': ['FL', 'FR', 'BL', 'BR'], '5.1': NAMES, '5.1(side)': [*NAMES[:4], 'SL', 'SR']}[layout]


def check_known(tool):
    """EBU Tech 3341 and 3342, signals of known phase, and silence."""
    time = numpy.arange(20 * 48000) / 48000
    sine = numpy.sin(2 * math.pi * 1000 * time)
    amplitude = 10 ** (-23 / 20)
    write('tone.wav', amplitude * numpy.stack([sine, sine], axis=1))
    line, _ = sound_of(tool, 'tone.wav')
    for channel in line['channels']:
        near(channel['peak'], -23, 1e-3, 'peak of a tone')
        near(channel['rms'], -23 - 10 * math.log10(2), 1e-3, 'RMS of a tone')
    near(line['pairs'][0]['phase'], 1, 1e-9, 'phase of a tone in both channels')
    if 'integrated' in line:
        near(line['integrated'], -23, 0.1, 'EBU Tech 3341, signal 1')
        near(line['true_peak'], -23, 0.2, 'true peak of a tone')
    write('steps.wav', numpy.concatenate([10 ** (level / 20) * numpy.stack([sine, -sine], axis=1) for level in (-20, -30)]))
    line, _ = sound_of(tool, 'steps.wav')
    near(line['pairs'][0]['phase'], -1, 1e-9, 'phase of a channel that is wired the wrong way round')
    if 'integrated' in line:
        near(line['loudness_range'], 10, 1, 'EBU Tech 3342, signal 1')
    write('quadrature.wav', numpy.stack([sine, numpy.cos(2 * math.pi * 1000 * time)], axis=1) / 2)
    near(sound_of(tool, 'quadrature.wav')[0]['pairs'][0]['phase'], 0, 1e-4, 'phase of a quarter')
    write('nothing.wav', numpy.zeros((48000 * 3, 2)))
    line, rows = sound_of(tool, 'nothing.wav')
    assert [line['channels'][0][name] for name in ('peak', 'rms', 'silence', 'clipped')] == [None, None, 3 * 10 ** 9, 0], line
    assert line['pairs'][0]['phase'] is None and line.get('integrated') is None and rows[0]['peak'] == '', (line, rows)
    write('short.wav', sine[:100, None])  # shorter than a measurement of the element level
    line, _ = sound_of(tool, 'short.wav')
    assert line['duration'] == 100 * 10 ** 9 // 48000 and line['channels'][0]['name'] == 'mono' and not line['pairs'], line


def check_range(tool):
    """The samples from --start to --stop are measured, and no other."""
    samples = programme(8, 48000, 2)
    write('long.wav', samples)
    line, rows = sound_of(tool, 'long.wav', '--start=2.00001', '--stop=5.5')
    part = samples_of('long.wav', 2)[math.ceil(2.00001 * 48000):int(5.5 * 48000)]
    assert line['duration'] == len(part) * 10 ** 9 // 48000 and abs(line['stream_time'] - 2.00001e9) < 3e4, line
    near(line['channels'][1]['rms'], 10 * math.log10((part[:, 1] ** 2).mean()), 1e-9, 'RMS of a range')
    assert float(rows[0]['start']) == line['stream_time'] / 1e9, rows


def check_streams(tool):
    """Each stream has its own line beside the pictures, and other outputs are made of lines again."""
    write('one.wav', programme(4, 48000, 2))
    write('two.wav', programme(4, 44100, 1), 44100)
    ffmpeg('-f lavfi -i testsrc2=s=64x48:r=25:d=4 -i one.wav -i two.wav -map 0 -map 1 -map 2 -c:v ffv1 -c:a flac both.mkv')
    lines, rows, _ = run(tool, 'both.mkv', '--device=cpu')
    assert [(line['stream'], line['rate']) for line in lines] == [('audio 1', 48000), ('audio 2', 44100)], lines
    assert [row['stream'] for row in rows] == ['audio 1', 'audio 1', 'audio 2'], rows
    table = Path('t.csv').read_bytes()
    shutil.copy('l.ndjson', 'kept.ndjson')
    run(tool, 'kept.ndjson', '--from')
    assert Path('t.csv').read_bytes() == table and Path('l.ndjson').read_bytes() == Path('kept.ndjson').read_bytes()
    subprocess.run([tool, '--quiet', '--device=cpu', '--no-page', '--replayable', '--ndjson', 'r.ndjson', 'both.mkv'], check=True)
    run(tool, 'r.ndjson', '--replay', '--from')
    assert Path('t.csv').read_bytes() == table and Path('l.ndjson').read_bytes() == Path('kept.ndjson').read_bytes()
    subprocess.run([tool, '--quiet', '--device=cpu', '-o', 'p.html', 'both.mkv'], check=True)
    data = json.loads(re.search(r'id="data">(.*?)</script>', Path('p.html').read_text(encoding='utf-8'), re.S).group(1))
    assert [line['stream'] for line in data['sound']] == ['audio 1', 'audio 2'], data['sound']
    ffmpeg('-i both.mkv -an -c copy mute.mkv')
    lines, rows, _ = run(tool, 'mute.mkv', '--device=cpu')
    assert not lines and not rows, (lines, rows)


def check_changes(tool):
    """A stream whose rate and channels change has a line for each format, and nothing of it is lost."""
    write('wide.wav', programme(3, 48000, 2))
    write('narrow.wav', programme(2, 24000, 1), 24000)
    for name in ('wide', 'narrow'):
        ffmpeg(f'-i {name}.wav -c:a aac -b:a 96k -f adts {name}.aac')
    Path('all.aac').write_bytes(b''.join(Path(f'{name}.aac').read_bytes() for name in ('wide', 'narrow', 'wide')))
    lines, _, _ = run(tool, 'all.aac', '--only-sound')
    assert [(line['rate'], len(line['channels'])) for line in lines] == [(48000, 2), (24000, 1)], lines
    near(lines[0]['duration'] / 1e9, 6, 0.15, 'duration of the first format')
    near(lines[1]['duration'] / 1e9, 2, 0.15, 'duration of the second format')


def check_damage(tool):
    """Samples that are no numbers are a problem, and spoil nothing that is measured."""
    samples = programme(4, 48000, 2).astype('<f4')
    for name, wrong in (('good', []), ('bad', [numpy.nan, numpy.inf])):
        for i, value in enumerate(wrong):
            samples[100000 + i, 1] = value
        Path('raw').write_bytes(samples.tobytes())
        ffmpeg('-f f32le -ar 48000 -ac 2 -i raw -c:a pcm_f32le', name + '.wav')
    good, _ = sound_of(tool, 'good.wav')
    lines, _, events = run(tool, 'bad.wav', '--only-sound', status=3)
    problems = [event for event in events if event['event'] == 'problem' and event['phase'] != 'start']
    assert [(one['problem'], one['stream'], one['count']) for one in problems] == [('corrupted', 'audio 1', 2)], problems
    near(lines[0]['channels'][1]['rms'], good['channels'][1]['rms'], 1e-3, 'RMS with two samples that are no numbers')
    near(lines[0].get('integrated', 0), good.get('integrated', 0), 1e-2, 'loudness with two samples that are no numbers')
    done = subprocess.run([tool, '--no-sound', '--no-page', '--sound', 't.csv', 'good.wav'], stderr=subprocess.PIPE, text=True,
                          check=False)
    assert done.returncode == 2 and '--sound' in done.stderr, done


def main(tool):
    if shutil.which('ffmpeg') is None:
        print('ffmpeg is not installed')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_ffmpeg(tool)
        check_known(tool)
        check_range(tool)
        check_streams(tool)
        check_changes(tool)
        check_damage(tool)


if __name__ == '__main__':
    SCHEMA = jsonschema.Draft202012Validator(json.loads(Path(sys.argv[2]).read_text(encoding='utf-8')))
    main(os.path.abspath(sys.argv[1]))
