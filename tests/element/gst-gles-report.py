# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of gst-gles-report-1.0: its data, a valid partial page after Ctrl-C, and, where chromium is installed, that
the browser shows it without a console error and with one point for each frame, filters events by kind and saves them as
CSV. tests/fuzz/fuzz-lines.c has lines of any origin.

Argument: the program."""
import base64
import csv
import fcntl
import io
import json
import os
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

N_FRAMES = 75


def run(*command, status=0):
    environment = dict(os.environ)
    if 'chromium' in command[0]:
        environment.pop('LD_PRELOAD', None)  # a sanitizer's runtime makes the browser hang
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                          timeout=300)
    assert done.returncode == status, f'{command}: {done.returncode}\n{done.stderr}'
    return done


def launch(line):
    run('gst-launch-1.0', '-q', *line.split())


def ffmpeg(line):
    run('ffmpeg', '-v', 'error', '-y', *line.split())


def make_clip(path, first, second, caps, encoder='jpegenc ! matroskamux'):
    """A clip of two patterns of videotestsrc: each is its number of frames and its properties."""
    launch(f'concat name=c ! {encoder} ! filesink location={path} ' + ' '.join(
        f'videotestsrc num-buffers={n} pattern={pattern} ! video/x-raw,framerate=25/1,{caps} ! c.'
        for n, pattern in (first, second)))


def data_of(path):
    text = Path(path).read_text(encoding='utf-8')
    assert not re.search(r'(src|href)\s*=\s*"(https?:)?//', text), 'the page needs a network'
    assert text.rstrip().endswith('</html>')
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))


def page_of(tool, *arguments, status=0):
    """The data of the page that tool makes."""
    run(tool, '-q', '--device=cpu', '-o', 'page.html', *arguments, status=status)
    return data_of('page.html')


def first_pixel(picture):
    """Of a picture in the strip, as ffmpeg decodes it, and its width and height."""
    jpeg = base64.b64decode(picture['src'].split(',')[1])
    rgb = subprocess.run('ffmpeg -v error -i - -f rawvideo -pix_fmt rgb24 -'.split(), input=jpeg, check=True,
                         stdout=subprocess.PIPE).stdout
    height, width = struct.unpack_from('>HH', jpeg, jpeg.index(b'\xff\xc0') + 5)
    return list(rgb[:3]), (width, height)


def event_of(data, kind):
    return next(event for event in data['events'] if event['kind'] == kind)


def check_data(data, pictures):
    assert data['n'] == data['frames'] == N_FRAMES, data['n']
    assert len(data['luma']) >= N_FRAMES * 8
    black, cut = event_of(data, 'black'), event_of(data, 'cut')
    assert abs(black['start'] - 1) < 0.05 and abs(black['end'] - 3) < 0.05, black
    assert cut['frame'] == 25, cut
    assert not data['partial']
    if pictures:
        assert data['strip'] and all(p['src'].startswith('data:image/jpeg;base64,/9j/') for p in data['strip'])
        assert 'src' in cut


def check_page(tool):
    """White noise, then black, from the video and from its lines."""
    make_clip('made.mkv', (25, 'snow'), (50, 'black'), 'width=320,height=180')
    os.rename('made.mkv', 'a <b>.mkv')
    done = run(tool, '--device=cpu', '-o', 'video.html', 'a <b>.mkv')
    assert f'{N_FRAMES} frames' in done.stdout, done.stdout
    data = data_of('video.html')
    assert data['title'] == 'a <b>.mkv' and data['hasMad']
    check_data(data, True)
    run('gst-launch-1.0', '-q', 'filesrc', 'location=a <b>.mkv', *'! decodebin ! gleshistogram device=cpu mad=true ! '
        'glesevents ! glesjson ! filesink location=lines.ndjson'.split())
    check_data(page_of(tool, '--from', 'lines.ndjson'), False)


# drags over the second quarter of the luma chart, then hovers over the middle
DRAG = '''<script>
const box = document.getElementById('luma').getBoundingClientRect();
const send = (type, share) => document.getElementById('luma').dispatchEvent(new PointerEvent(type,
  { clientX: box.left + 88 + share * (box.width - 88), clientY: box.top + 20 }));
send('pointerdown', 0.25); send('pointermove', 0.4); send('pointermove', 0.5); send('pointerup', 0.5);
setTimeout(() => send('pointermove', 0.5), 500);
</script>'''


def dump(command, page):
    """What the browser makes of a page."""
    done = run(*command, '--dump-dom', 'file://' + os.path.abspath(page))
    assert 'CONSOLE' not in done.stderr, done.stderr
    return done.stdout


def check_zoom(command):
    page = Path('video.html').read_text(encoding='utf-8')
    Path('drag.html').write_text(page.replace('</body>', DRAG + '</body>'), encoding='utf-8')
    dom = dump(command, 'drag.html')
    points = int(re.search('<canvas id="luma"[^>]*data-points="(\\d+)"', dom).group(1))
    assert abs(points - N_FRAMES / 4) <= 3, f'{points} points are seen of a quarter of {N_FRAMES}'
    tip = re.search('<div id="tip"[^>]*>([^<]*)</div>', dom).group(1)
    frame = int(re.search(r'frame (\d+)', tip).group(1))
    assert abs(frame - 0.375 * N_FRAMES) <= 2, tip
    assert 'emd' in tip and 'mean' in tip, tip


# leaves out a kind, saves the rest, and leaves the text of the file in the page
SAVE = '''<script>
URL.createObjectURL = blob => { blob.text().then(text => { document.body.dataset.csv = btoa(text); }); return '#'; };
document.querySelector('input[value="cut"]').click();
document.getElementById('save').click();
</script>'''


def line_of(kind, phase, time_s, **members):
    """A line of glesjson about an event, of the only camera that there is or of the one that members name."""
    time = round(1e9 * time_s)
    return {'version': 1, 'event': kind, 'phase': phase, 'frame': round(25 * time_s), 'pts': time + 80000000,
            'running_time': time, 'stream_time': time, 'score': 1.5, **members}


def page_of_lines(tool, lines, status=0):
    Path('events.ndjson').write_text(''.join(json.dumps(line) + '\n' for line in lines), encoding='utf-8')
    return page_of(tool, '--from', 'events.ndjson', status=status)


GATE, YARD = {'element': 'gate0', 'tags': {'camera': 'gate'}}, {'element': 'yard0', 'tags': {'camera': 'yard'}}
OTHER = {**GATE, 'element': 'gate1'}
SPANS = ('white', 'freeze', 'over-exposed', 'under-exposed', 'low-contrast', 'covered', 'blurred', 'moved', 'stalled')
EVENTS = [
    *(line_of(kind, phase, time_s, id=kind, **GATE) for kind in SPANS for phase, time_s in (('start', 1), ('end', 2))),
    # by kind and tags alone, the end of one stream would be that of the other
    line_of('black', 'start', 1, id='0a', utc='2026-11-23T01:02:03.123456789Z', **GATE),
    line_of('black', 'start', 2, id='0b', **OTHER),
    line_of('black', 'end', 3, id='0a', utc='2026-11-23T01:02:05.123456789Z', cause='eos', **GATE),
    line_of('black', 'end', 5, id='0b', cause='condition', **OTHER),
    line_of('motion', 'start', 4, id='0c', union=[1, 2, 3, 4], **GATE),
    line_of('motion', 'update', 6, id='0c', score=2, union=[0, 0, 30, 40], regions=2, **GATE),
    line_of('transition', 'start', 7, id='0d', transition='fade-out', **GATE),
    line_of('transition', 'end', 8, id='0d', transition='fade-out', cause='later', **GATE),
    line_of('cut', 'instant', 9, id='0e', **GATE),
    line_of('cut', 'instant', 9, id='0e', **GATE),  # twice: after a crash
    line_of('cut', 'instant', 9, id='0e', **YARD),  # ids of two cameras may be equal, tags are not
    line_of('=1+1', 'instant', 10, text='a "b",\nc', at='@x', minus='-5', plus='+a', constructor='d'),
    line_of('freeze', 'end', 12, start=8080000000, start_frame=200, duration=4000000000),  # its start is not there
]


def check_events(tool):
    """Lines of one event are joined by id, else by kind, and nothing that they say is lost."""
    data = page_of_lines(tool, EVENTS)
    assert data['n'] == 0 and (data['begin'], data['end']) == (1, 12), (data['begin'], data['end'])
    assert data['eventsRepeated'] == 1 and data['eventsTotal'] == len(data['events']) == len(SPANS) + 8, data['events']
    for kind in SPANS:
        assert (event_of(data, kind)['start'], event_of(data, kind)['end']) == (1, 2), kind
    gate, other = (event for event in data['events'] if event['kind'] == 'black')
    assert (gate['start'], gate['end'], other['start'], other['end']) == (1, 3, 2, 5), (gate, other)
    assert gate['more'] == {
        'id': '0a', 'element': 'gate0', 'tags': '{"camera":"gate"}', 'pts': '1080000000', 'running_time': '1000000000',
        'utc': '2026-11-23T01:02:03.123456789Z', 'end_utc': '2026-11-23T01:02:05.123456789Z', 'end_frame': '75',
        'cause': 'eos'}, gate
    motion = event_of(data, 'motion')
    assert motion['open'] and motion['end'] == 12 and motion['score'] == 2, motion
    assert motion['more']['union'] == '[0,0,30,40]' and motion['more']['regions'] == '2', motion
    late = data['events'][-1]
    assert (late['start'], late['end'], late['frame'], late['more']['pts']) == (8, 12, 200, '8080000000'), late
    # without ids, as older versions write them, the end is that of the last start
    data = page_of_lines(tool, [line_of('black', phase, t) for t, phase in enumerate(('start', 'start', 'end', 'end'))])
    assert [(event['start'], event['end']) for event in data['events']] == [(0, 3), (1, 2)], data['events']
    # the page is limited, and says what it leaves out
    cuts = [line_of('cut', 'instant', t) for t in range(2000)]
    data = page_of_lines(tool, [line_of('black', 'start', 0), *cuts, line_of('black', 'end', 2000)])
    assert (data['eventsTotal'], len(data['events'])) == (2001, 2000), data['eventsTotal']
    os.rename('page.html', 'limit.html')
    assert data['events'][0]['end'] == 2000 and 'open' not in data['events'][0], data['events'][0]


def check_table(command, tool):
    """The browser's table and its CSV, of all kinds but cuts."""
    assert 'The page has the first 2000 of 2001 events.' in dump(command, 'limit.html')
    page_of_lines(tool, EVENTS)
    page = Path('page.html').read_text(encoding='utf-8')
    Path('save.html').write_text(page.replace('</body>', SAVE + '</body>'), encoding='utf-8')
    dom = dump(command, 'save.html')
    assert dom.count('<tr hidden="">') == 2 and f'{len(SPANS) + 6} of {len(SPANS) + 8} events are shown' in dom
    for text in ('until the end of the stream', 'until later', 'not ended', 'transition (fade-out)', 'camera: gate',
                 'union: [0,0,30,40]', '1 repeated lines', '2026-11-23 01:02:03.123', '<span>cut</span> (2)'):
        assert text in dom, text
    assert 'until condition' not in dom
    text = base64.b64decode(re.search('data-csv="([^"]*)"', dom).group(1)).decode()
    assert text.count('\r\n') == len(SPANS) + 7 and '"a ""b"",\nc"' in text, text
    rows = list(csv.DictReader(io.StringIO(text, newline='')))
    kinds = sorted([*SPANS, 'black', 'black', 'motion', 'transition', "'=1+1", 'freeze'])
    assert sorted(row['event'] for row in rows) == kinds, rows
    black = next(row for row in rows if row['id'] == '0a')
    assert [black[name] for name in ('start', 'end', 'duration', 'cause')] == ['1.000', '3.000', '2.000', 'eos'], black
    assert json.loads(black['tags']) == GATE['tags'] and black['end_utc'].endswith('05.123456789Z'), black
    formula = next(row for row in rows if row['event'] == "'=1+1")
    assert [formula[name] for name in ('at', 'minus', 'plus', 'constructor')] == ["'@x", '-5', "'+a", 'd'], formula
    assert formula['text'] == 'a "b",\nc' and formula['end'] == '' and black['constructor'] == '', formula


# the sections of problems and sound, and what a click on the first place of sound shows
SECTIONS = '''<script>
const texts = ['problems', 'sound'].map(name => document.getElementById(name + '-section'));
document.body.dataset.hidden = texts.map(section => section.hidden);
document.body.dataset.problems = [...texts[0].querySelectorAll('tbody tr')].map(row => row.innerText).join('\\n');
document.body.dataset.sound = texts[1].innerText;
texts[1].querySelector('td button')?.click();
document.body.dataset.range = document.getElementById('range').textContent;
</script>'''
PROBLEMS = [*(line_of('problem', 'instant', n, id=f'p{n}', problem='decoder', text='damaged at <b>', count=2,
                      stream='video', frame=n) for n in range(45)),
            line_of('problem', 'start', 50, id='m', problem='missing', text='4 s', count=100, stream='video'),
            line_of('problem', 'end', 54, id='m', problem='missing', text='4 s', count=100, stream='video'),
            line_of('silence', 'start', 20, id='s', stream='audio 2'),
            line_of('silence', 'end', 23.5, id='s', stream='audio 2', cause='eos')]


def check_sections(command, tool):
    """Problems and sound have sections, which a page without them does not show."""
    for lines, status in ((PROBLEMS, 3), (EVENTS, 0)):
        page_of_lines(tool, lines, status)
        page = Path('page.html').read_text(encoding='utf-8')
        Path('sections.html').write_text(page.replace('</body>', SECTIONS + '</body>'), encoding='utf-8')
        dom = dump(command, 'sections.html')
        if not status:
            assert 'data-hidden="true,true"' in dom, dom[-3000:]
            continue
        values = dict(re.findall(r'data-(hidden|problems|sound|range)="([^"]*)"', dom))
        assert values['hidden'] == 'false,false', values
        for text in ('decoder', 'video', '90', '0:39.00', 'and 5 more', 'missing', '100', '0:50.00 to 0:54.00'):
            assert text in values['problems'], (text, values['problems'])
        assert '0:44.00' not in values['problems'] and 'damaged at &lt;b' in dom, values['problems']
        for text in ('silence', 'audio 2', '3.50 s', '0:20.00 to 0:23.50'):
            assert text in values['sound'], (text, values['sound'])
        assert values['range'] == '0:18.00 to 0:25.50', values['range']


# counts the red pixels of the pictures (76 rows) and of what is below, when all is drawn
RED = '''<script>
setTimeout(() => {
  const strip = document.getElementById('strip'), red = [0, 0];
  const pixels = strip.getContext('2d').getImageData(0, 0, strip.width, strip.height).data;
  for (let i = 0; i < pixels.length; i += 4)
    if (pixels[i] > pixels[i + 1] + 100) red[i / 4 < 76 * strip.width ? 0 : 1]++;
  document.body.dataset.red = red;
}, 1000);
</script>'''


def check_many_cuts(command):
    """They do not hide the grey pictures."""
    page = Path('video.html').read_text(encoding='utf-8')
    cuts = ','.join(json.dumps({'kind': 'cut', 'start': n * 3 / 400, 'end': n * 3 / 400, 'frame': n, 'score': 5,
                                'instant': True, 'more': {}}) for n in range(400))
    page = page.replace('"events":[', f'"events":[{cuts},').replace('</body>', RED + '</body>')
    Path('cuts.html').write_text(page, encoding='utf-8')
    pictures, lanes = map(int, re.search('data-red="([^"]*)"', dump(command, 'cuts.html')).group(1).split(','))
    assert pictures == 0 and lanes > 400, (pictures, lanes)


def check_browser(tool):
    browser = shutil.which('chromium')
    if browser is None:
        print('no chromium: the page was not looked at in a browser')
        return
    command = [browser, '--headless=new', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr',
               f'--user-data-dir={os.getcwd()}/profile', '--virtual-time-budget=3000', '--window-size=1280,1400']
    events = data_of('video.html')['events']
    for options in ([], ['--force-dark-mode', '--blink-settings=preferredColorScheme=0']):
        dom = dump(command + options, 'video.html')
        for chart in ('luma', 'motion'):
            assert re.search(f'<canvas id="{chart}"[^>]*data-points="{N_FRAMES}"', dom), chart
        rows = len(re.findall(r'<tr>', dom.split('id="events"')[1]))
        assert rows == len(events), rows
        for event in events:
            assert f'<span>{event["kind"]}</span> (' in dom, f'{event["kind"]} cannot be chosen'
    check_zoom(command)
    check_table(command, tool)
    check_sections(command, tool)
    check_many_cuts(command)
    run(*command, f'--screenshot={os.getcwd()}/page.png', f'file://{os.getcwd()}/video.html')
    assert os.path.getsize('page.png') > 10000


def check_outputs(tool):
    """Only a regular file is replaced: a link stays, a FIFO and /dev/stdout are written to."""
    lines = '--from', 'lines.ndjson'
    Path('target.html').write_text('old')
    os.mkdir('links')
    os.symlink('../target.html', 'links/link.html')
    os.symlink('links/link.html', 'chain.html')
    os.symlink('new.html', 'dangling.html')
    for name, target in (('chain.html', 'target.html'), ('dangling.html', 'new.html')):
        run(tool, '-q', *lines, '-o', name)
        assert os.path.islink(name) and data_of(target)['n'] == N_FRAMES, name
    assert os.path.islink('links/link.html')
    os.mkfifo('fifo')
    with subprocess.Popen(['cat', 'fifo'], stdout=subprocess.PIPE, text=True) as reader:
        run(tool, *lines, '-o', 'fifo')
        Path('read.html').write_text(reader.stdout.read(), encoding='utf-8')
    assert stat.S_ISFIFO(os.stat('fifo').st_mode) and data_of('read.html')['n'] == N_FRAMES
    # behind what stands in the file already, and without the summary
    with open('stdout.html', 'w', encoding='utf-8') as file:
        file.write('before\n')
        file.flush()
        done = subprocess.run([tool, *lines, '-o', '/dev/stdout'], stdout=file, stderr=subprocess.PIPE, text=True,
                              check=True)
    assert data_of('stdout.html')['n'] == N_FRAMES and f'{N_FRAMES} frames' in done.stderr, done.stderr
    assert Path('stdout.html').read_bytes().startswith(b'before\n')
    assert 'Is a directory' in run(tool, '-q', *lines, '-o', 'links', status=1).stderr


def check_times(tool):
    """The axis begins with the recording, which may begin at an hour."""
    for begin in (0, 3600):
        with open('lines.ndjson', encoding='utf-8') as file, open('hour.ndjson', 'w', encoding='utf-8') as late:
            for line in map(json.loads, file):
                line['pts'] += 3600 * 10 ** 9
                if begin > 0:
                    line.pop('stream_time', None)
                late.write(json.dumps(line) + '\n')
        data = page_of(tool, '--from', 'hour.ndjson')
        assert data['begin'] == begin and abs(data['end'] - begin - 3) < 0.05, (data['begin'], data['end'])
        assert abs(event_of(data, 'black')['start'] - begin - 1) < 0.05, data['events']
        assert data['heatColumns'] > 100, data['heatColumns']


def check_levels(tool):
    """Levels are code values of 8 bits, whatever the depth of the channel."""
    for caps, channels in (('RGB16,colorimetry=sRGB', 'luma'), ('RGB16,colorimetry=sRGB', 'native'),
                           ('RGB,colorimetry=sRGB', 'luma'), ('GRAY16_LE,colorimetry=1:4:0:0', 'native'),
                           ('I420_10LE,colorimetry=1:4:0:0', 'native')):
        launch('videotestsrc num-buffers=1 pattern=solid-color foreground-color=0xff404040 ! '
               f'video/x-raw,format=BGRx,width=64,height=48 ! videoconvert ! video/x-raw,format={caps} ! '
               f'gleshistogram device=cpu channels={channels} ! glesjson ! filesink location=levels.ndjson')
        data = page_of(tool, '--from', 'levels.ndjson')
        median = base64.b64decode(data['luma'])[3 * data['n']]
        assert 60 <= median <= 72, f'{caps}, channels={channels}: {median}'


def check_colours(tool):
    """JPEG has BT.601 in full range; what the caps leave open is as GStreamer assumes it."""
    for stored, stated in (('bt601', 'bt601'), ('bt709', 'bt709'), ('1:4:0:0', '1:4:0:0'), ('bt601', '2:0:0:0'),
                           ('1:4:0:0', '1:0:0:0'), ('bt709', '0:3:0:0')):
        make_clip('colour.mkv', (13, 'solid-color foreground-color=0xff007e00'), (13, 'black'),
                  'format=BGRx,width=64,height=48', f'videoconvert ! video/x-raw,format=I420,colorimetry={stored} ! '
                  f'capssetter caps=video/x-raw,colorimetry={stated} ! matroskamux')
        strip = page_of(tool, 'colour.mkv')['strip']
        for colour, picture in (((0, 126, 0), strip[0]), ((0, 0, 0), strip[-1])):
            pixel, _ = first_pixel(picture)
            assert max(abs(a - b) for a, b in zip(pixel, colour)) <= 8, f'{stated}: {colour} became {pixel}'


# degrees to turn the picture: the matrix of a track in an MP4 file, whether the first pixel is white (it is of the
# first column, of the last row or of the first row from the right), and the size of the picture
TURNS = {90: ((0, 1, -1, 0), True, (48, 64)), 180: ((-1, 0, 0, -1), False, (64, 48)),
         270: ((0, -1, 1, 0), False, (48, 64))}


def check_orientation(tool):
    """Phones store pictures sideways and say so."""
    # the left half is white
    launch('compositor name=c sink_1::xpos=32 ! video/x-raw,width=64,height=48 ! jpegenc ! qtmux ! '
           'filesink location=upright.mp4 videotestsrc num-buffers=5 pattern=white ! video/x-raw,width=32,height=48 ! '
           'c. videotestsrc num-buffers=5 pattern=black ! video/x-raw,width=32,height=48 ! c.')
    clip = Path('upright.mp4').read_bytes()
    at = clip.index(b'tkhd') + 44
    for degrees, (turn, white, size) in TURNS.items():
        a, b, c, d = (65536 * value for value in turn)
        matrix = struct.pack('>9i', a, b, 0, c, d, 0, 0, 0, 1 << 30)
        Path('turned.mp4').write_bytes(clip[:at] + matrix + clip[at + 36:])
        data = page_of(tool, 'turned.mp4')
        pixel, picture = first_pixel(data['strip'][0])
        assert (data['width'], data['height']) == size, (degrees, data['width'], data['height'])
        assert (picture[0] < picture[1]) == (size[0] < size[1]), (degrees, picture)
        assert (pixel[0] > 128) == white, (degrees, pixel)


def check_strip(tool):
    """The strip does not believe the container's duration."""
    launch('videotestsrc num-buffers=150 ! video/x-raw,width=64,height=48,framerate=25/1 ! jpegenc ! matroskamux ! '
           'filesink location=liar.mkv')
    with open('liar.mkv', 'r+b') as file:
        at = file.read().index(b'\x44\x89\x88') + 3  # the element Duration, a double in milliseconds
        file.seek(at)
        file.write(struct.pack('>d', 1e7))
    data = page_of(tool, 'liar.mkv', status=3)  # most frames that it states are missing
    assert len(data['strip']) == 12, len(data['strip'])


def check_one_stream(tool):
    """Sound that cannot be decoded, subtitles and a second video do not concern the page."""
    Path('text.srt').write_text('1\n00:00:00,000 --> 00:00:01,000\ntext\n\n')
    ffmpeg('-f lavfi -i testsrc=s=160x120:d=2:r=25 -f lavfi -i sine=d=2 -i text.srt -f lavfi -i testsrc=s=64x64:d=2 '
           '-map 0 -map 1 -map 2 -map 3 -c:v:0 mjpeg -c:v:1 ffv1 -c:a aac -bsf:a noise=1 -c:s srt all.mkv')
    os.environ.update(GST_DEBUG='GST_ELEMENT_FACTORY:4', GST_DEBUG_FILE='log', GST_DEBUG_NO_COLOR='1')
    data = page_of(tool, '--no-sound', 'all.mkv')
    assert data['n'] == 50 and not data['partial'] and data['width'] == 160, data['n']
    made = set(re.findall(r'creating element "(\w+)"', Path('log').read_bytes().decode(errors='replace')))
    decoders = {m for m in made if m.startswith(('avdec_', 'jpegdec', 'faad', 'fdkaacdec'))}
    assert decoders in ({'avdec_mjpeg'}, {'jpegdec'}), made
    for name in ('GST_DEBUG', 'GST_DEBUG_FILE', 'GST_DEBUG_NO_COLOR'):
        del os.environ[name]


def check_failures(tool):
    """A sentence says what is wrong, and nothing waits for ever."""
    ffmpeg('-f lavfi -i sine=d=0.1 short.wav')
    ffmpeg('-f lavfi -i sine=d=1 -c:a aac sound.m4a')
    ffmpeg('-i text.srt -c:s srt subtitles.mkv')
    ffmpeg('-f lavfi -i testsrc=s=64x64:d=0.2 -c:v ffv1 second.mkv')
    ffmpeg('-f lavfi -i testsrc=s=64x64:d=0.2 -c:v mjpeg pictures.mp4')
    Path('text.mp4').write_text('no video\n')
    Path('damaged.mp4').write_bytes(Path('pictures.mp4').read_bytes().replace(b'stbl', b'xxxx'))
    os.environ['GST_PLUGIN_FEATURE_RANK'] = 'avdec_ffv1:NONE'
    for name, sentence in (('short.wav', 'there is no video in it, only .*PCM'),
                           ('sound.m4a', 'there is no video in it, only MPEG-4 AAC$'),
                           ('subtitles.mkv', 'there is no video in it, only .*Text'),
                           ('text.mp4', 'no video that GStreamer knows'), ('nothing.mp4', 'No such file'),
                           ('second.mkv', 'not installed: .*v1 decoder. Install the plugin'),
                           ('damaged.mp4', r'qtdemux\d failed before the first picture: .* may be damaged')):
        said = run(tool, '-q', '--device=cpu', '-o', 'none.html', name, status=1).stderr
        assert re.search(f'{name}: .*{sentence}', said, re.M), f'{name}: {said}'
        assert not os.path.exists('none.html')
    del os.environ['GST_PLUGIN_FEATURE_RANK']
    run(tool, '-q', status=2)
    Path('deep.ndjson').write_text('[' * 1000000 + '\n')
    assert 'line 1' in run(tool, '-q', '--from', 'deep.ndjson', status=1).stderr
    Path('bad.ndjson').write_text('{"frame":0}\nno JSON\n')
    for _ in range(30):  # often, because a short input may end before all threads have begun
        assert 'line 2' in run(tool, '-q', '--from', 'bad.ndjson', status=1).stderr


def feed(end, data, process, pause_s):
    """Writes data to a pipe, until it is written or the process has ended."""
    while data and process.poll() is None:
        try:
            data = data[os.write(end, data[:4096]):]
        except BlockingIOError:
            pass
        time.sleep(pause_s)


def check_endless(tool, *arguments, status, interrupt):
    """A file whose data ends without an end, and Ctrl-C while there is more: a valid page of the frames so far."""
    clip = Path('all.mkv').read_bytes()
    end = os.open('endless.mkv', os.O_RDWR | os.O_NONBLOCK)
    process = subprocess.Popen([tool, '-q', '--device=cpu', '-o', 'page.html', *arguments, 'endless.mkv'],
                               stderr=subprocess.PIPE, text=True)
    feed(end, clip[:100000], process, 0.001)
    if interrupt:
        while struct.unpack('i', fcntl.ioctl(end, termios.FIONREAD, bytes(4)))[0] > 0:
            time.sleep(0.01)
        time.sleep(0.3)  # until what was read is decoded
        process.send_signal(signal.SIGINT)
        feed(end, clip[100000:], process, 0.1)
        os.close(end)
    said = process.communicate(timeout=60)[1]
    if not interrupt:
        os.close(end)
    assert process.returncode == status, (process.returncode, said)
    data = data_of('page.html')
    assert data['partial'] and 0 < data['n'] < 50, data['n']
    print(f'it ends after {data["n"]} frames')
    return said


def check_ended(number, command):
    """A report that waits ends soon after a signal. Returns its status and what it said."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            process.wait(1)
            assert False, f'{command}: {process.returncode}'
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        try:
            said = process.communicate(timeout=8)[1]
        finally:
            process.kill()
    return process.returncode, said


def check_no_writer(tool):
    """A report that waits for the other end of a FIFO ends at once, as interrupted."""
    for number, arguments in ((signal.SIGTERM, ('endless.mkv', '-o', 'waited.html')),
                              (signal.SIGINT, ('endless.mkv', '-o', 'waited.html')),
                              (signal.SIGTERM, ('--from', 'endless.mkv', '-o', 'waited.html')),
                              (signal.SIGTERM, ('--from', 'endless.mkv', '--replay', '-o', 'waited.html'))):
        assert check_ended(number, [tool, '-q', '-d', 'cpu', *arguments]) == (130, ''), arguments
    status, said = check_ended(signal.SIGTERM, [tool, '-q', '--from', 'lines.ndjson', '-o', 'endless.mkv'])
    assert status == 130 and 'cannot write endless.mkv: no process reads it' in said, (status, said)


def check_no_reader(tool):
    """One whose reader stays and does not read ends with an error, two seconds after the signal."""
    reader = os.open('endless.mkv', os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096)
    status, said = check_ended(signal.SIGTERM, [tool, '-q', '--from', 'lines.ndjson', '-o', 'endless.mkv'])
    os.close(reader)
    assert status == 1 and 'cannot write endless.mkv: its reader does not read' in said, (status, said)


def check_gone_writer(tool):
    """A FIFO as standard input has all that was written, also if its writer has gone before the report begins."""
    out = os.open('endless.mkv', os.O_RDONLY | os.O_NONBLOCK)
    with open('endless.mkv', 'wb') as into:
        into.write(b''.join(Path('lines.ndjson').read_bytes().splitlines(keepends=True)[:5]))
    os.set_blocking(out, True)
    subprocess.run([tool, '-q', '--from', '/dev/stdin', '-o', 'gone.html'], stdin=out, check=True, timeout=20)
    os.close(out)
    assert data_of('gone.html')['n'] == 5


def main(tool):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_page(tool)
        check_events(tool)
        check_browser(tool)
        check_outputs(tool)
        check_times(tool)
        check_levels(tool)
        check_colours(tool)
        check_orientation(tool)
        check_strip(tool)
        check_one_stream(tool)
        check_failures(tool)
        os.mkfifo('endless.mkv')
        check_no_writer(tool)
        check_no_reader(tool)
        check_gone_writer(tool)
        said = check_endless(tool, '--timeout=1', status=1, interrupt=False)
        assert re.search(r'endless.mkv: no data for 1 s after \d\.\d{3} s of the video', said), said
        check_endless(tool, status=130, interrupt=True)
    print('the pages are whole')


if __name__ == '__main__':
    main(os.path.abspath(sys.argv[1]))
