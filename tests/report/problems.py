# SPDX-License-Identifier: LGPL-2.1-or-later
"""Damage that gst-gles-report-1.0 finds: none in whole files, and in damaged ones that of ffprobe, at the same places.

Arguments: the program, the schema of lines, the plugin of corrupting.c, and "full" for more files."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import clips

PLACE_S = 0.3  # ffprobe tells of an error with a frame that comes out some frames later


def lines_of(tool, name, status, *arguments):
    """The lines of frames and those of events that the program writes about a file, and what it says. status: None for
    0 or 3."""
    Path('lines.ndjson').unlink(missing_ok=True)
    done = subprocess.run([tool, '--device=cpu', '--no-page', '--ndjson', 'lines.ndjson', *arguments, name], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120)
    assert done.returncode == status or (status is None and done.returncode in (0, 3)), f'{name}: {done.returncode}, not {status}: {done.stdout}'
    lines = [json.loads(line) for line in Path('lines.ndjson').open(encoding='utf-8')] if status != 1 else []
    return [line for line in lines if 'frame' in line and 'event' not in line], [line for line in lines if 'event' in line], done.stdout


def problems_of(events):
    """(kind, stream, begin, end, count) of each, in seconds of stream time."""
    return [(line['problem'], line['stream'], line.get('start', line['stream_time']) / 1e9, line['stream_time'] / 1e9,
             line['count']) for line in events if line['event'] == 'problem' and line['phase'] != 'start']


def places_of_ffprobe(name):
    """Times of the frames with which ffprobe reports errors, since the first frame."""
    done = subprocess.run(['ffprobe', *'-v error -threads 1 -select_streams v:0 -show_frames -show_log 16 -of json'.split(),
                           name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, timeout=60)
    frames = [(float(frame['best_effort_timestamp_time']), frame.get('logs'))
              for frame in json.loads(done.stdout)['frames'] if 'best_effort_timestamp_time' in frame]
    return [time - frames[0][0] for time, logs in frames if logs]


def compare(tool, name):
    """Every place of ffprobe is in a problem, and the decoder tells of no others. Returns how many places there are."""
    theirs = places_of_ffprobe(name)
    frames, events, said = lines_of(tool, name, 3 if theirs else None)
    begin = frames[0]['stream_time'] / 1e9
    ours = [(kind, first - begin - PLACE_S, last - begin + PLACE_S)
            for kind, stream, first, last, _ in problems_of(events) if not stream.startswith('audio')]
    lost = [time for time in theirs if not any(first <= time <= last for _, first, last in ours)]
    others = [place for place in ours if place[0] == 'decoder' and not any(place[1] <= time <= place[2] for time in theirs)]
    assert not lost, f'{name}: not found at {lost}: {said}'
    print(f'{name}: ffprobe has errors in {len(theirs)} frames, all are found; {len(ours)} problems, {len(others)} of '
          'the decoder elsewhere')
    return len(theirs), len(others)


def check_clean(tool, table):
    made = 0
    for name, line in table.items():
        if not clips.make(name, line):
            print(f'{name}: this FFmpeg cannot make it')
            continue
        made += 1
        frames, events, said = lines_of(tool, name, 0)
        assert frames and not problems_of(events), f'{name}: {said}'
    print(f'{made} whole files have no problem')
    return made


def check_damaged(tool, names, seeds):
    """Flipped bytes."""
    n_places = n_others = 0
    for name in names:
        stem, ending = name.split('.')
        for n in (1, 10, 100):
            for seed in seeds:
                clips.flip(name, f'{stem}-{n}-{seed}.{ending}', n, seed)
                places, others = compare(tool, f'{stem}-{n}-{seed}.{ending}')
                n_places += places
                n_others += others
    assert n_places > 20 * len(seeds), n_places
    # GStreamer's demuxers and parsers give the decoder other pieces of what is damaged
    assert n_others <= n_places / 10, (n_others, n_places)
    print(f'{n_places} places, {n_others} others')


def check_cut(tool):
    """Truncated files: where they end, and what the container states."""
    subprocess.run('ffmpeg -v error -y -i h264.mp4 -c copy -movflags faststart fast.mp4'.split(), check=True)
    subprocess.run('ffmpeg -v error -y -i h264.mp4 -c copy whole.mkv'.split(), check=True)
    subprocess.run('ffmpeg -v error -y -i h264.mp4 -c copy -f flv whole.flv'.split(), check=True)
    for name, states in (('fast.mp4', True), ('whole.mkv', True), ('whole.flv', True), ('mpeg4.avi', False),
                         ('h264.ts', False)):
        clips.cut(name, 'cut-' + name, 0.55)
        frames, events, said = lines_of(tool, 'cut-' + name, 3)
        problems = {kind: (begin, end, count) for kind, _, begin, end, count in problems_of(events)}
        last = frames[-1]['stream_time'] / 1e9
        assert 30 < len(frames) < 70, f'{name}: {len(frames)}'
        # the sound may be longer than the pictures
        assert abs(problems['truncated'][0] - last) < 0.5, f'{name}: {problems}, {last}'
        assert 'truncated' in said and 'problems: ' in said, said
        if states:
            begin, end, count = problems['missing']
            assert abs(begin - last) < 0.5 and abs(end - 4) < 0.3, f'{name}: {problems}'
            assert abs(count - (100 - len(frames))) < 16, f'{name}: {count} of {len(frames)}'
    # without its index, which comes last, there is nothing
    clips.cut('h264.mp4', 'no-index.mp4', 0.6)
    assert 'may be damaged' in lines_of(tool, 'no-index.mp4', 1)[2]
    print('files that are cut off are said to be')


def check_corrupted(tool, plugin):
    """Frames that a decoder marks as damaged."""
    folder = os.path.dirname(os.path.abspath(plugin))
    subprocess.run('ffmpeg -v error -y -i h264.mp4 -an -c:v mjpeg -q:v 3 marked.mkv'.split(), check=True)
    assert not problems_of(lines_of(tool, 'marked.mkv', 0)[1])
    _, events, said = lines_of(tool, 'marked.mkv', 3, f'--gst-plugin-path={folder}')
    problems = problems_of(events)
    assert [problem[:2] for problem in problems] == [('corrupted', 'video')] * len(problems), problems
    assert sum(problem[4] for problem in problems) == 10 and 'corrupted in' in said, (problems, said)
    assert abs(problems[0][2] - 9 * 0.04) < 0.001, problems
    print('frames that a decoder marks are told')


def check_missing_frames(tool):
    """Frames that are left out leave a gap; times that go back are a jump."""
    subprocess.run([*'ffmpeg -v error -y -i h264.mp4 -an -c:v mjpeg -q:v 3'.split(), '-vf',
                    r'select=not(between(n\,20\,24)+eq(n\,70))', '-vsync', 'passthrough', 'gaps.mkv'], check=True)
    problems = problems_of(lines_of(tool, 'gaps.mkv', 3)[1])
    assert [problem[:2] for problem in problems] == [('gap', 'video')] * 2, problems
    (_, _, begin, end, _), (_, _, second, _, _) = problems
    assert abs(begin - 0.8) < 0.01 and abs(end - 1) < 0.01 and abs(second - 2.8) < 0.01, problems
    # a cluster of Matroska whose time is that of the beginning
    subprocess.run('ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=4 -c:v ffv1 -cluster_time_limit 1000 '
                   'clusters.mkv'.split(), check=True)
    data = bytearray(Path('clusters.mkv').read_bytes())
    at = data.rindex(b'\xe7\x82', 0, data.rindex(b'\x1f\x43\xb6\x75') + 20)
    assert int.from_bytes(data[at + 2:at + 4], 'big') >= 2000
    data[at + 2:at + 4] = bytes(2)
    Path('jump.mkv').write_bytes(data)
    problems = problems_of(lines_of(tool, 'jump.mkv', 3)[1])
    # the decoder gives the frames of that cluster one time, which is told as well
    assert problems[0][:4] == ('jump', 'video', 0, 0), problems


def packets_of(data):
    """(PID, whether a unit begins) of each packet of a transport stream."""
    return [(int.from_bytes(data[at + 1:at + 3], 'big') & 0x1fff, bool(data[at + 1] & 0x40)) for at in range(0, len(data), 188)]


def check_transport(tool):
    """A packet of sound that is missing, in the middle and at the end of a unit. Files that are joined have none."""
    data = Path('h264.ts').read_bytes()
    packets = packets_of(data)
    sound = [i for i, (pid, _) in enumerate(packets) if pid == 0x101]
    begins = [place for place, i in enumerate(sound) if packets[i][1]]
    middle = begins[len(begins) // 2]
    for place in (middle + 1, middle - 1):
        at = sound[place] * 188
        Path('lost.ts').write_bytes(data[:at] + data[at + 188:])
        problems = problems_of(lines_of(tool, 'lost.ts', 3)[1])
        assert [problem[:2] for problem in problems if problem[1] == 'file'] == [('gap', 'file')], problems
        assert abs(problems[0][2] - 4 * place / len(sound)) < 0.5, (problems, place / len(sound))
    Path('joined.ts').write_bytes(data + data)
    assert not problems_of(lines_of(tool, 'joined.ts', 0)[1])


def check_content(tool):
    """What no decoder tells: a checksum of Matroska, an index of AVI, and a stream of JPEG that ends in a picture."""
    subprocess.run('ffmpeg -v error -y -i h264.mp4 -an -c:v rawvideo -cluster_time_limit 1000 raw.mkv'.split(), check=True)
    data = bytearray(Path('raw.mkv').read_bytes())
    data[len(data) * 5 // 8] ^= 1
    Path('flipped.mkv').write_bytes(data)
    problems = problems_of(lines_of(tool, 'flipped.mkv', 3)[1])
    assert len(problems) == 1 and problems[0][:2] == ('corrupted', 'file') and problems[0][4] == 1, problems
    assert problems[0][2] <= 2.5 < problems[0][3] < problems[0][2] + 1.1, problems
    assert not problems_of(lines_of(tool, 'flipped.mkv', 0, '--stop=1')[1])

    subprocess.run('ffmpeg -v error -y -i h264.mp4 -an -c:v rawvideo raw.avi'.split(), check=True)
    data = bytearray(Path('raw.avi').read_bytes())
    at = data.index(b'00dc', len(data) // 2)
    data[at] ^= 0xff
    Path('head.avi').write_bytes(data)
    problems = problems_of(lines_of(tool, 'head.avi', 3)[1])
    assert [problem[:2] for problem in problems] == [('corrupted', 'file')] and abs(problems[0][2] - 2) < 0.1, problems

    subprocess.run('ffmpeg -v error -y -i h264.mp4 -an -c:v mjpeg whole.mjpg'.split(), check=True)
    assert not problems_of(lines_of(tool, 'whole.mjpg', 0)[1])
    data = Path('whole.mjpg').read_bytes()
    # in what is coded, and in the head
    for end in (data.rindex(b'\xff\xda') + 40, data.rindex(b'\xff\xd8') + 30):
        Path('cut.mjpg').write_bytes(data[:end])
        problems = problems_of(lines_of(tool, 'cut.mjpg', 3)[1])
        assert ('truncated', 'file') in [problem[:2] for problem in problems], problems


def check_lines(tool, events, schema):
    """The lines obey the schema, and --from keeps and shows them."""
    try:
        import jsonschema
        validator = jsonschema.Draft202012Validator(json.loads(Path(schema).read_text(encoding='utf-8')))
        for line in events:
            validator.validate(line)
    except ImportError:
        print('python3-jsonschema is not installed')
    shutil.copy('lines.ndjson', 'kept.ndjson')
    done = subprocess.run([tool, '--from', 'kept.ndjson', '-o', 'kept.html', '--events', 'again.ndjson'],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert done.returncode == 3 and 'problems: ' in done.stdout, done.stdout
    again = [json.loads(line) for line in Path('again.ndjson').open(encoding='utf-8')]
    assert again == events, again
    page = Path('kept.html').read_text(encoding='utf-8')
    for line in events:
        assert line['id'] in page, line


def check_statuses(tool):
    """--quiet says nothing, the status does; a file with an error among others with problems."""
    done = subprocess.run([tool, '-q', '--device=cpu', 'cut-fast.mp4', 'h264.mp4'], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    assert (done.returncode, done.stdout) == (3, b''), done
    for names in (['no-index.mp4', 'cut-fast.mp4'], ['cut-fast.mp4', 'no-index.mp4']):
        assert subprocess.run([tool, '-q', '--device=cpu', *names], check=False, stderr=subprocess.DEVNULL).returncode == 1


def main(tool, schema, plugin, full):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        made = check_clean(tool, clips.CLEAN | (clips.MORE_CLEAN if full else {}))
        assert made >= (50 if full else 5), made
        check_damaged(tool, list(clips.CLEAN)[:3] if not full else
                      ['h264.ts', 'h264.mp4', 'h264.mkv', 'mpeg2.ts', 'mpeg4.avi', 'h265.mkv'], range(1, 6 if full else 2))
        check_cut(tool)
        check_corrupted(tool, plugin)
        check_missing_frames(tool)
        check_transport(tool)
        check_content(tool)
        check_statuses(tool)
        events = lines_of(tool, 'cut-fast.mp4', 3)[1]
        check_lines(tool, events, schema)


if __name__ == '__main__':
    main(*map(os.path.abspath, sys.argv[1:4]), 'full' in sys.argv[4:])
