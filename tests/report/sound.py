# SPDX-License-Identifier: LGPL-2.1-or-later
"""Silence and clipping of sound as gst-gles-report-1.0 tells them, beside FFmpeg's silencedetect; sound that is
damaged, that cannot be decoded and that is not there.

Argument: the program; "full" for more codecs."""
import os
import re
import subprocess
import sys
import tempfile

import clips
from problems import lines_of, problems_of

TOLERANCE_S = 0.045  # two measurements, and what the padding of codecs is to different decoders
# seconds, amplitudes of left and right
PARTS = [(1, .5, .4), (1, 0, .4), (2.3, 0, 0), (1.7, .3, 0), (1.5, 0, 0), (1.2, 1, .2), (3.3, .0005, 0), (.5, .2, .2),
         (2.5, 0, 0)]
VIDEO = '-f lavfi -i testsrc2=s=192x108:r=25:d=15'
H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
CODECS = {'pcm_s16le': 'mkv', 'aac': 'mp4', 'mp2': 'ts'}
MORE_CODECS = {'libmp3lame': 'mkv', 'flac': 'mkv', 'libvorbis': 'webm.mkv', 'ac3': 'ts', 'libopus': 'mkv',
               'pcm_s24le': 'mov', 'alac': 'mov', 'pcm_f32le': 'mkv'}


def ffmpeg(line, *inputs):
    subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', *line.split(), *inputs], check=True)


def spans_of(events, kind):
    return [(line['stream'], line['start'] / 1e9, line['stream_time'] / 1e9, line['score']) for line in events
            if line['event'] == kind and line['phase'] == 'end']


def silences_of_ffmpeg(name):
    """Seconds since the first frame of the video."""
    said = subprocess.run(['ffmpeg', '-nostdin', '-i', name, *'-vn -af silencedetect -f null -'.split()], check=True,
                          stderr=subprocess.PIPE, text=True).stderr
    return [tuple(map(float, pair)) for pair in
            re.findall(r'silence_start: (-?[\d.]+).*?silence_end: ([\d.]+)', said, re.S)]


def check_silence(tool, codecs):
    clips.write_sound('sound.wav', PARTS)
    ffmpeg(f'{VIDEO} -i sound.wav {H264} -c:a pcm_s16le whole.mkv')
    for codec, ending in codecs.items():
        name = f'{codec}.{ending}'
        ffmpeg(f'-i whole.mkv -c:v copy -c:a {codec} {name}')
        frames, events, said = lines_of(tool, name, 0)
        begin = frames[0]['stream_time'] / 1e9
        # silencedetect counts from the first sample that it sees, ffmpeg from the first timestamp of the file
        ours, theirs = spans_of(events, 'silence'), silences_of_ffmpeg(name)
        assert len(ours) == len(theirs) == 3, f'{name}: {ours} {theirs} {said}'
        differences = [abs(mine - begin - other) for (_, *mine_both, _), both in zip(ours, theirs)
                       for mine, other in zip(mine_both, both)]
        assert max(differences) <= TOLERANCE_S, f'{name}: {ours} {theirs}'
        assert all(stream == 'audio 1' and score < 0.001 for stream, _, _, score in ours), ours
        assert all(line['cause'] == 'eos' for line in events
                   if line['event'] == 'silence' and line['phase'] == 'end' and line['start'] == max(
                       other.get('start', 0) for other in events if other['event'] == 'silence')), events
        print(f'{name}: silence as FFmpeg within {1000 * max(differences):.0f} ms')
    (stream, first, last, score), = spans_of(lines_of(tool, 'whole.mkv', 0)[1], 'clipping')
    assert abs(first - 7.5) <= 0.02 and abs(last - 8.7) <= 0.02 and score > 0.99, (stream, first, last, score)
    assert not [line for line in lines_of(tool, 'whole.mkv', 0, '--no-sound')[1] if line['event'] == 'silence']


def check_streams(tool):
    """Two streams in the order of the file, and a video without sound."""
    clips.write_sound('other.wav', [(5, .3, .3), (4, 0, 0), (6, .3, .3)])
    ffmpeg('-i whole.mkv -i other.wav -map 0:v -map 0:a -map 1:a -c copy two.mkv')
    silences = spans_of(lines_of(tool, 'two.mkv', 0)[1], 'silence')
    assert sorted({stream for stream, *_ in silences}) == ['audio 1', 'audio 2'], silences
    (_, first, last, _), = [silence for silence in silences if silence[0] == 'audio 2']
    assert abs(first - 5) <= 0.02 and abs(last - 9) <= 0.02, silences
    ffmpeg('-i whole.mkv -an -c copy mute.mkv')
    frames, events, said = lines_of(tool, 'mute.mkv', 0)
    assert len(frames) == 375 and 'sound' not in said and not spans_of(events, 'silence'), said


def check_damage(tool):
    """Damaged sound is a problem of its own stream, and all pictures are there; missing decoders are said."""
    ffmpeg('-i whole.mkv -c:v copy -c:a aac -bsf:a noise=50 damaged.mkv')
    frames, events, said = lines_of(tool, 'damaged.mkv', 3)
    problems = problems_of(events)
    assert len(frames) == 375 and problems and all(stream == 'audio 1' for _, stream, *_ in problems), problems
    assert any(kind == 'decoder' for kind, *_ in problems), problems
    ffmpeg('-i whole.mkv -c:v copy -c:a aac -bsf:a noise=1 noise.mkv')  # nothing can be decoded
    frames, events, _ = lines_of(tool, 'noise.mkv', 3)
    assert len(frames) == 375 and all(stream != 'video' for _, stream, *_ in problems_of(events)), events
    assert len(lines_of(tool, 'noise.mkv', 0, '--no-sound')[0]) == 375
    os.environ['GST_PLUGIN_FEATURE_RANK'] = 'avdec_mp2float:NONE,avdec_mp2:NONE,mpg123audiodec:NONE,avdec_mp3:NONE,' \
        'avdec_mp3float:NONE,mad:NONE'
    frames, events, said = lines_of(tool, 'mp2.ts', 0)
    del os.environ['GST_PLUGIN_FEATURE_RANK']
    assert len(frames) == 375 and 'sound is not analysed: not installed: ' in said, said


def main(tool, full):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_silence(tool, CODECS | (MORE_CODECS if full else {}))
        check_streams(tool)
        check_damage(tool)


if __name__ == '__main__':
    main(os.path.abspath(sys.argv[1]), 'full' in sys.argv[2:])
