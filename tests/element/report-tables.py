# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tables of gst-gles-report-1.0: measures equal FFmpeg's signalstats, files are read by other parsers, and a file that
is there is whole.

Argument: the program. Skips without ffmpeg; without xmllint and ffprobe.xsd the XML is not validated."""
import csv
import gzip
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path


SCHEMA = '/usr/share/ffmpeg/ffprobe.xsd'
FORMS = ('yuv420p', 'yuv422p', 'yuv444p', 'yuv420p10le', 'yuv422p10le')
NOISE = 'testsrc2=s=152x70:r=25:d=0.2,noise=alls=60:allf=t'
# changes so little that the reference of mad is the first frame until the last one
SLOW = "smptehdbars=s=160x90:r=25:d=0.2,geq=lum='if(lt(X+Y*160\\,40*N)\\,200\\,lum(X\\,Y))':cb='cb(X,Y)':cr='cr(X,Y)'"
SPEC = '{http://www.ffmpeg.org/schema/ffprobe}'


def run(*command, status=0, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
                          **options)
    assert done.returncode == status, f'{command}: {done.returncode}\n{done.stderr}'
    return done


def ffmpeg(line):
    return run('ffmpeg', '-v', 'error', '-nostdin', '-y', *line.split()).stdout


def rows_of(path):
    """The rows of a table, whose lines end as RFC 4180 says."""
    text = Path(path).read_bytes().decode()
    plain = re.sub('"[^"]*"', '', text)
    assert text.endswith('\r\n') and plain.count('\n') == plain.count('\r\n'), path
    rows = list(csv.reader(io.StringIO(text, newline=''), strict=True))
    assert len({len(row) for row in rows}) == 1, 'rows of several lengths'
    return [dict(zip(rows[0], row)) for row in rows[1:]]


# ---- measures ----

def measures_of(frame):
    """FFmpeg 5.1 lists the measures in the frame, with TOUT behind the others; FFmpeg 7 in an element `tags` of it, with
    TOUT before the others, and `limit` of cropdetect. Ours are as in FFmpeg 5.1, because QCTools reads those only."""
    return {tag.get('key'): tag.get('value') for tag in frame.iter('tag')
            if tag.get('key') != 'lavfi.cropdetect.limit'}


def check_clip(tool, source, form, colours):
    name = f'{form} {colours}'
    ffmpeg(f'-f lavfi -i {source} -pix_fmt {form} -color_range {colours} -c:v ffv1 clip.mkv')
    said = run('ffprobe', '-v', 'error', '-f', 'lavfi', '-i', 'movie=clip.mkv,signalstats=stat=tout+vrep+brng,'
               'cropdetect=reset=1:round=1', '-show_frames',
               '-print_format', 'xml=fully_qualified=1').stdout
    theirs = ElementTree.fromstring(said)
    run(tool, '-q', '-d', 'cpu', '--no-page', '--csv', 'clip.csv', '--qctools', 'clip.qctools.xml.gz', '--signalstats',
        'all', 'clip.mkv')
    ours = ElementTree.fromstring(gzip.decompress(Path('clip.qctools.xml.gz').read_bytes()))
    rows = rows_of('clip.csv')
    assert ours.tag == theirs.tag == SPEC + 'ffprobe'
    frames = list(zip(ours.iter('frame'), theirs.iter('frame'), rows))
    assert len(rows) == len(frames) == len(theirs[0]) == 5, (name, len(rows))
    for number, (mine, other, row) in enumerate(frames):
        measures = measures_of(other)
        assert sorted(measures_of(mine)) == sorted(measures), f'{name}: {list(measures_of(mine))}'
        for tag in mine:
            measure = tag.get('key').removeprefix('lavfi.').removeprefix('signalstats.')
            assert row[measure] == tag.get('value'), (name, measure)
            assert row[measure] == measures[tag.get('key')], \
                f'{name}: frame {number}: {measure} is {row[measure]}, and in FFmpeg {measures[tag.get("key")]}'
        if source == SLOW and number in (2, 3):
            assert 1.5 * float(row['YDIF']) < float(row['Y.mad']), (row['YDIF'], row['Y.mad'])
        # FFmpeg gives grey chroma
        for attribute in set(mine.attrib) & set(other.attrib) - {'pict_type', 'key_frame', 'pix_fmt' if form == 'gray' else ''}:
            assert mine.get(attribute) == other.get(attribute), (name, attribute, mine.attrib, other.attrib)


def check_converted(tool):
    """RGB of 15 bits, which becomes YUV of 8: FFmpeg makes bits of the missing ones in another way."""
    ffmpeg('-f lavfi -i testsrc2=s=160x120:r=25:d=0.2 -c:v msvideo1 -pix_fmt rgb555le rgb.avi')
    run(tool, '-q', '-d', 'cpu', '-o', 'rgb.html', '--csv', 'rgb.csv', 'rgb.avi')
    row = rows_of('rgb.csv')[0]
    said = run('ffprobe', '-v', 'error', '-f', 'lavfi', '-i', 'movie=rgb.avi,signalstats', '-show_entries',
               'frame_tags=lavfi.signalstats.YAVG', '-of', 'csv=p=0', '-read_intervals', '%+#1').stdout
    assert (row['format'], row['stored_format']) == ('Y444', 'RGB15') and abs(float(row['YAVG']) - float(said)) < 3, (row, said)
    run(tool, '-q', '-d', 'cpu', '--no-page', '--replayable', '--ndjson', 'rgb.lines', 'rgb.avi')
    run(tool, '-q', '-d', 'cpu', '--no-page', '--ndjson', 'rgb.ndjson', 'rgb.avi')
    lines = [json.loads(line) for line in Path('rgb.ndjson').read_text(encoding='utf-8').splitlines()]
    assert {(line['format'], line['stored_format']) for line in lines} == {('Y444', 'RGB15')}, lines[0]
    for source, *mode in ('rgb.lines', '--replay'), ('rgb.lines',), ('rgb.ndjson',):
        run(tool, '-q', '--from', source, *mode, '-o', 'again.html', '--csv', 'again.csv', '--ndjson', 'again.ndjson')
        assert Path('again.ndjson').read_bytes() == Path('rgb.ndjson').read_bytes(), (source, mode)
        assert rows_of('again.csv')[0]['stored_format'] == 'RGB15', (source, mode)
        for page in 'rgb.html', 'again.html':
            assert '"format":"Y444 (stored as RGB15)"' in Path(page).read_text(encoding='utf-8'), (source, mode)


def check_sidecar(tool):
    """Key frames are those of ffprobe for the same file, of any order of pictures; what QCTools needs to save is there."""
    for name, encoder in (('keys.mp4', '-c:v libx264 -preset veryfast -g 7 -bf 2'), ('keys.mkv', '-c:v ffv1'),
                          ('mpeg2.mkv', '-c:v mpeg2video -g 6 -bf 2')):
        ffmpeg(f'-f lavfi -i testsrc2=s=160x120:r=25:d=1 {encoder} -pix_fmt yuv420p {name}')
        said = run('ffprobe', '-v', 'error', '-select_streams', 'v', '-show_frames', '-of', 'xml', name).stdout
        run(tool, '-q', '-d', 'cpu', '--no-page', '--qctools', 'keys.gz', name)
        ours = ElementTree.fromstring(gzip.decompress(Path('keys.gz').read_bytes()))
        keys = [frame.get('key_frame') for frame in ours.iter('frame')]
        theirs = [frame.get('key_frame') for frame in ElementTree.fromstring(said).iter('frame')]
        assert keys == theirs and '1' in keys, (name, keys, theirs)
        assert all(frame.get('pict_type') == '?' for frame in ours.iter('frame')), name
        assert ours.find('streams/stream').get('nb_read_frames') == str(len(keys)), name
        assert ours.find('format').get('filename') == name


def check_schema():
    if not shutil.which('xmllint') or not os.path.exists(SCHEMA):
        print('no xmllint or ffprobe.xsd: the XML was not validated')
        return
    if 'tagsType' in Path(SCHEMA).read_text(encoding='utf-8'):
        print('the ffprobe.xsd of FFmpeg 7 wants an element `tags`, which QCTools does not read')
        return
    Path('clip.xml').write_bytes(gzip.decompress(Path('clip.qctools.xml.gz').read_bytes()))
    run('xmllint', '--noout', '--schema', SCHEMA, 'clip.xml')


# ---- lines ----

def check_lines(tool):
    """The same bytes as glesjson's, and tables of them."""
    run('gst-launch-1.0', '-q', *'filesrc location=clip.mkv ! decodebin ! gleshistogram device=cpu emd=true mad=true '
        'mad-noise=0.001 ! glesevents ! glesjson ! filesink location=launch.ndjson'.split())
    run(tool, '-q', '-d', 'cpu', '--no-page', '--ndjson', 'clip.ndjson', 'clip.mkv')
    assert Path('clip.ndjson').read_bytes() == Path('launch.ndjson').read_bytes()
    run(tool, '-q', '-d', 'cpu', '--no-page', '--ndjson', 'all.ndjson', '--set', 'gleshistogram.bins=1024', 'clip.mkv')
    run(tool, '-q', '--no-page', '--csv', 'lines.csv', '--ndjson', 'copy.ndjson', '--qctools', 'lines.gz', '--from',
        'all.ndjson')
    assert Path('copy.ndjson').read_bytes() == Path('all.ndjson').read_bytes()
    of_lines, of_video = rows_of('lines.csv'), rows_of('clip.csv')
    assert len(of_lines) == len(of_video)
    for one, other in zip(of_lines, of_video):
        assert all(one[name] == other[name] for name in one), (one, other)
    # of 256 bins of 10 bits, percentiles by FFmpeg's definition are not known
    run(tool, '-q', '--no-page', '--csv', 'lines.csv', '--from', 'clip.ndjson')
    assert rows_of('lines.csv')[0]['YLOW'] == '' and rows_of('lines.csv')[0]['Y.p10'] == of_video[0]['Y.p10']


# ---- events ----

def cues_of(path):
    """A strict reader of WebVTT: cues with a number, times and text."""
    blocks = Path(path).read_text(encoding='utf-8').split('\n\n')
    assert blocks[0].strip() == 'WEBVTT', blocks[0]
    cues, before = [], 0
    for block in blocks[1:]:
        if block.startswith('NOTE'):
            continue
        number, times, *text = block.strip('\n').split('\n')
        found = re.fullmatch(r'(\d\d+):([0-5]\d):([0-5]\d)\.(\d{3}) --> (\d\d+):([0-5]\d):([0-5]\d)\.(\d{3})', times)
        assert found and int(number) == len(cues) + 1 and len(text) == 1, block
        h, m, s, ms, h2, m2, s2, ms2 = map(int, found.groups())
        start, end = 3600 * h + 60 * m + s + ms / 1000, 3600 * h2 + 60 * m2 + s2 + ms2 / 1000
        assert before <= start < end, block
        assert '<' not in text[0] and '>' not in text[0] and '&' not in re.sub('&(amp|lt|gt);', '', text[0]), block
        cues.append((start, end, text[0]))
        before = start
    return cues


def check_events(tool):
    """Noise, black for 3 seconds, another noise: two cuts, black and a freeze."""
    ffmpeg('-f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i color=black:s=64x48:r=25:d=3 -f lavfi -i '
           'testsrc=s=64x48:r=25:d=2 -filter_complex [0][1][2]concat=n=3 -pix_fmt yuv420p '
           '-c:v ffv1 events.mkv')
    line = run(tool, '-d', 'cpu', '--no-page', '--events', 'e.ndjson', 'events.mkv').stdout
    lines = [json.loads(text) for text in Path('e.ndjson').read_text(encoding='utf-8').splitlines()]
    assert all('event' in one and one['version'] == 1 for one in lines), lines
    assert '175 frames, 4 events' in line, line
    for name, more in (('e.csv', ()), ('e.vtt', ()), ('e-Scenes.csv', ()), ('e.txt', ('--events-format=vtt',))):
        run(tool, '-q', '-d', 'cpu', '--no-page', '--events', name, *more, 'events.mkv')
        if name != 'e-Scenes.csv':
            # the same of the lines; frames are not there
            run(tool, '-q', '--no-page', '--events', 'again' + name, *more, '--from', 'e.ndjson')
            assert Path('again' + name).read_bytes() == Path(name).read_bytes(), name
    names = ['e.csv', 'e.vtt', 'e-Scenes.csv', 'e.ndjson']
    run(tool, '-q', '-d', 'cpu', '--no-page', *(f'--events=all-{name}' for name in names), 'events.mkv')
    for name in names:
        assert Path(f'all-{name}').read_bytes() == Path(name).read_bytes(), name
    rows = rows_of('e.csv')
    assert sorted((row['event'], float(row['start'])) for row in rows) == [
        ('black', 2), ('cut', 2), ('cut', 5), ('freeze', 2)], rows
    black = next(row for row in rows if row['event'] == 'black')
    assert (float(black['end']), float(black['duration']), black['frame'], black['end_frame'],
            black['score']) == (5, 3, '50', '125', '1'), black
    cues = cues_of('e.vtt')
    assert Path('e.txt').read_bytes() == Path('e.vtt').read_bytes()
    assert sorted(cue[:2] for cue in cues) == [(2, 3), (2, 5), (2, 5), (5, 6)], cues
    check_scenes('e-Scenes.csv')
    odd = {'version': 1, 'event': '<b>&-->\n', 'phase': 'instant', 'frame': 1, 'pts': 4e10, 'stream_time': 3723004000000,
           'score': 1, 'message': '=1+1,"'}
    Path('odd.ndjson').write_text(json.dumps({**odd, 'pts': 0}) + '\n', encoding='utf-8')
    run(tool, '-q', '--no-page', '--events', 'odd.vtt', '--from', 'odd.ndjson')
    run(tool, '-q', '--no-page', '--events', 'odd.csv', '--from', 'odd.ndjson')
    assert cues_of('odd.vtt')[0][0] == 3723.004, cues_of('odd.vtt')
    assert rows_of('odd.csv')[0]['message'] == "'=1+1,\"" and rows_of('odd.csv')[0]['event'] == '<b>&-->\n'


def check_scenes(path):
    """As PySceneDetect's own reader: a line of timecodes, then a table."""
    codes, *table = csv.reader(io.StringIO(Path(path).read_text(encoding='utf-8'), newline=''), strict=True)
    assert codes == ['Timecode List:', '00:00:02.000', '00:00:05.000'], codes
    names, *scenes = table
    scenes = [dict(zip(names, scene)) for scene in scenes]
    assert [(int(scene['Start Frame']), int(scene['End Frame'])) for scene in scenes] == [(1, 50), (51, 125), (126, 175)]
    assert [scene['Scene Number'] for scene in scenes] == ['1', '2', '3']
    assert scenes[1] == {
        'Scene Number': '2', 'Start Frame': '51', 'Start Timecode': '00:00:02.000', 'Start Time (seconds)': '2.000',
        'End Frame': '125', 'End Timecode': '00:00:05.000', 'End Time (seconds)': '5.000', 'Length (frames)': '75',
        'Length (timecode)': '00:00:03.000', 'Length (seconds)': '3.000'}, scenes[1]


# ---- the command line ----

def check_range(tool):
    """What is chosen is what the whole has there."""
    ffmpeg('-f lavfi -i testsrc2=s=64x48:r=25:d=4 -pix_fmt yuv420p -c:v mpeg4 -bf 2 -g 30 long.mp4')
    ffmpeg('-i long.mp4 -c:v mpeg2video -q 4 -bf 2 -g 30 long.ts')
    ffmpeg('-i long.ts -c copy long.m2v')
    ffmpeg('-i long.mp4 -c copy long.mkv')
    for clip in ('long.mp4', 'long.mkv', 'long.ts', 'long.m2v'):
        run(tool, '-q', '-d', 'cpu', '--no-page', '--csv', 'whole.csv', clip)
        run(tool, '-q', '-d', 'cpu', '--no-page', '--csv', 'part.csv', '--ndjson', 'part.ndjson', '--start', '0:01.5',
            '--stop', '2.5', clip)
        whole = {row['time']: row for row in rows_of('whole.csv')}
        part = rows_of('part.csv')
        times = sorted(time_s for time_s in whole if 1.5 <= float(time_s) < 2.5)
        assert times and [row['time'] for row in part] == times, (clip, times, [row['time'] for row in part])
        assert all(row[name] == whole[row['time']][name] for row in part for name in row if name in ('YAVG', 'UAVG')), clip
        lines = [json.loads(line) for line in Path('part.ndjson').read_text(encoding='utf-8').splitlines()]
        assert [f'{line["stream_time"] / 1e9:.9f}' for line in lines] == times, clip
    run(tool, '-q', '--no-page', '--csv', 'lines.csv', '--from', 'part.ndjson', '--start=2')
    assert [row['time'] for row in rows_of('lines.csv')] == [time_s for time_s in times if float(time_s) >= 2]


def check_options(tool):
    """Several inputs, and what is refused before anything is written."""
    os.mkdir('other')
    shutil.copy('clip.mkv', 'other/clip.mp4')
    shutil.copy('clip.mkv', 'second.mkv')
    os.mkdir('out')
    run(tool, '-q', '-d', 'cpu', '-o', 'out/%s.html', '--csv=out/%s.csv', 'clip.mkv', 'second.mkv')
    assert sorted(os.listdir('out')) == ['clip.csv', 'clip.html', 'second.csv', 'second.html']
    assert Path('out/clip.csv').read_bytes() == Path('out/second.csv').read_bytes()
    said = run(tool, '-q', '-d', 'cpu', '-o', 'out/%s.html', 'clip.mkv', 'none.mkv', 'second.mkv', status=1).stderr
    assert 'none.mkv: ' in said and not os.path.exists('out/none.html'), said
    for arguments, words in (
            (('clip.mkv', 'other/clip.mp4'), 'clip.html of other/clip.mp4 would overwrite that of clip.mkv'),
            (('--csv=x.csv', 'clip.mkv', 'second.mkv'), 'x.csv'), (('--csv=clip.mkv', 'clip.mkv'), 'clip.mkv'),
            (('--csv=x', '--ndjson=x', 'clip.mkv'), 'x of clip.mkv'), (('--no-page', 'clip.mkv'), '--no-page'),
            (('--set', 'glesevents.nothing=1', 'clip.mkv'), 'there are: .*cut-threshold'),
            (('--set', 'gleshistogram.bins=1', 'clip.mkv'), '2 to 65536'),
            (('--set', 'gleshistogram.channels=all', 'clip.mkv'), 'native, luma'),
            (('--set', 'filesrc.location=x', 'clip.mkv'), 'gleshistogram, glesevents, glesjson'),
            (('--start=1:60', 'clip.mkv'), 'hh:mm:ss.mmm'), (('--start=2', '--stop=1', 'clip.mkv'), 'behind the start'),
            (('--events=x.txt', 'clip.mkv'), 'x.txt.*--events-format is'), (('--partial', 'clip.mkv'), '--from'),
            (('--events=x.vtt', '--events=x.vtt', 'clip.mkv'), 'x.vtt of clip.mkv'), (('--csv=x', '--signalstats=tot', 'clip.mkv'), 'sat, hue'),
            (('--signalstats=sat', 'clip.mkv'), 'is for --csv'),
            ((), 'VIDEO')):
        said = run(tool, '-q', *arguments, status=2).stderr
        assert re.search(words, said), (arguments, said)
    run(tool, '-q', '-d', 'cpu', '--no-page', '--ndjson=x.ndjson', '--set=gleshistogram.bins=16',
        '--set=glesjson.tags={"a":{"event":[]}}', 'clip.mkv')
    assert len(json.loads(Path('x.ndjson').read_text(encoding='utf-8').splitlines()[0])
               ['histogram']['channels'][0]['counts']) == 16


# ---- whole files ----

EVERYTHING = '--csv=w.csv', '--ndjson=w.ndjson', '--qctools=w.gz', '--events=w.vtt', '--output=w.html'
NAMES = tuple(option.split('=')[1] for option in EVERYTHING)


def check_whole(n_least):
    """Each file of EVERYTHING, which nothing is left beside. Returns the number of frames."""
    assert not [name for name in os.listdir('.') if name.endswith('.part')], os.listdir('.')
    rows = rows_of('w.csv')
    frames = list(ElementTree.fromstring(gzip.decompress(Path('w.gz').read_bytes())).iter('frame'))
    text = Path('w.ndjson').read_text(encoding='utf-8')
    lines = [json.loads(line) for line in text.splitlines()]
    assert text.endswith('\n') and len([line for line in lines if 'event' not in line]) == len(rows) == len(frames)
    cues_of('w.vtt')
    assert Path('w.html').read_text(encoding='utf-8').rstrip().endswith('</html>')
    assert len(rows) >= n_least, len(rows)
    return len(rows)


def check_disk(tool):
    """Where nothing can be written, the input is not read; what does not fit is not there."""
    for option in EVERYTHING:
        said = run(tool, '-q', option.replace('w.', 'nowhere/w.'), 'none.mkv', status=1).stderr
        assert 'cannot write nowhere/w' in said and 'none.mkv' not in said, said
    Path('w.ndjson').write_text('old')
    said = run(tool, '-q', '-d', 'cpu', *EVERYTHING, 'events.mkv', status=1,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))).stderr
    assert 'cannot write w.ndjson: ' in said, said
    assert Path('w.ndjson').read_text() == 'old' and not [name for name in os.listdir('.') if name.endswith('.part')]
    assert Path('w.html').read_text(encoding='utf-8').rstrip().endswith('</html>')
    n = len(rows_of('w.csv'))
    assert 0 < n < 175, n


def start(tool, clip):
    """The tool, when it has written frames of half of a clip, and waits for more at last."""
    for name in NAMES:
        Path(name).unlink(missing_ok=True)
    if not os.path.exists('endless.mkv'):
        os.mkfifo('endless.mkv')
    end = os.open('endless.mkv', os.O_RDWR)
    process = subprocess.Popen([tool, '-q', '-d', 'cpu', *EVERYTHING, 'endless.mkv'], stderr=subprocess.DEVNULL)
    data = clip[:len(clip) // 2]
    while data:
        data = data[os.write(end, data[:4096]):]
    while process.poll() is None and not (os.path.exists('w.ndjson.part') and os.path.getsize('w.ndjson.part')):
        time.sleep(0.05)
    return process, end


def check_signals(tool):
    clip = Path('events.mkv').read_bytes()
    process, end = start(tool, clip)
    process.send_signal(signal.SIGINT)
    for at in range(len(clip) // 2, len(clip), 4096):  # reading does not end before there is more
        if process.poll() is not None:
            break
        try:
            os.set_blocking(end, False)
            os.write(end, clip[at:at + 4096])
        except BlockingIOError:
            pass
        time.sleep(0.05)
    assert process.wait(60) == 130
    os.close(end)
    assert check_whole(1) < 175
    assert 'NOTE The video was not analysed to its end.' in Path('w.vtt').read_text(encoding='utf-8')
    Path('keep.csv').write_bytes(Path('w.csv').read_bytes())
    process, end = start(tool, clip)
    process.kill()
    process.wait(60)
    os.close(end)
    assert not [name for name in NAMES if os.path.exists(name)], 'a file is there that is not whole'
    # what was left behind is in nobody's way
    run(tool, '-q', '-d', 'cpu', *EVERYTHING, 'events.mkv')
    assert check_whole(175) == 175


def check_truncated(tool):
    for clip in ('events.mkv', 'long.mp4', 'long.ts'):
        data = Path(clip).read_bytes()
        Path('cut' + clip).write_bytes(data[:len(data) * 3 // 5])
        for name in NAMES:
            Path(name).unlink(missing_ok=True)
        done = subprocess.run([tool, '-q', '-d', 'cpu', *EVERYTHING, 'cut' + clip], stderr=subprocess.PIPE, timeout=60,
                              check=False)
        if os.path.exists('w.csv'):
            print(f'{clip}: {check_whole(1)} frames, exit status {done.returncode}')
        else:
            assert done.returncode == 1 and done.stderr and not [name for name in NAMES if os.path.exists(name)], clip


def main(tool):
    if not shutil.which('ffmpeg'):
        print('no ffmpeg')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_clip(tool, NOISE, 'gray', 'pc')
        check_converted(tool)
        for number, form in enumerate(FORMS):
            for colours in ('tv', 'pc'):
                check_clip(tool, SLOW if number == 1 and colours == 'pc' else NOISE, form, colours)
        check_schema()
        check_sidecar(tool)
        check_lines(tool)
        check_events(tool)
        check_range(tool)
        check_options(tool)
        check_disk(tool)
        check_signals(tool)
        check_truncated(tool)
    print('the tables are equal and whole')


if __name__ == '__main__':
    main(os.path.abspath(sys.argv[1]))
