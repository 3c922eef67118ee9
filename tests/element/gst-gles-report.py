# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of gst-gles-report-1.0: its data, a valid partial page after Ctrl-C, and, where chromium is installed, that
the browser shows it without a console error and with one point for each frame.

Argument: the program."""
import base64
import itertools
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
import threading
import time

N_FRAMES = 75
# white noise, then black: a cut and a black event
SOURCE = ('concat name=c ! queue ! jpegenc ! matroskamux ! filesink location={} '
          'videotestsrc num-buffers=25 pattern=snow ! video/x-raw,width=320,height=180,framerate=25/1 ! c. '
          'videotestsrc num-buffers=50 pattern=black ! video/x-raw,width=320,height=180,framerate=25/1 ! c.')


def run(*command, status=0):
    environment = dict(os.environ)
    if 'chromium' in command[0]:
        environment.pop('LD_PRELOAD', None)  # a sanitizer's runtime makes the browser hang
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                          timeout=300)
    assert done.returncode == status, f'{command}: {done.returncode}\n{done.stderr}'
    return done


def data_of(path):
    with open(path, encoding='utf-8') as page:
        text = page.read()
    assert not re.search(r'(src|href)\s*=\s*"(https?:)?//', text), 'the page needs a network'
    assert text.rstrip().endswith('</html>')
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))


def launch(line):
    run('gst-launch-1.0', '-q', *line.split())


def ffmpeg(line):
    run('ffmpeg', '-v', 'error', '-y', *line.split())


def page_of(tool, *arguments, status=0):
    """The data of the page that tool makes in the current folder, and what it says."""
    done = run(tool, '-q', '--device=cpu', '-o', 'page.html', *arguments, status=status)
    return data_of('page.html'), done.stderr


def first_pixel(data):
    """Of the first picture in the strip, as ffmpeg decodes it, and its width and height."""
    with open('picture.jpg', 'wb') as file:
        file.write(base64.b64decode(data['strip'][0]['src'].split(',')[1]))
    rgb = subprocess.run('ffmpeg -v error -i picture.jpg -f rawvideo -pix_fmt rgb24 -'.split(),
                         stdout=subprocess.PIPE, check=True).stdout
    size = run('ffprobe', '-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', 'picture.jpg')
    return list(rgb[:3]), [int(number) for number in size.stdout.split(',')]


def check_data(data, n_frames, pictures):
    assert data['n'] == data['frames'] == n_frames, data['n']
    assert len(data['luma']) >= n_frames * 8
    kinds = {event['kind'] for event in data['events']}
    assert {'cut', 'black'} <= kinds, kinds
    black = next(event for event in data['events'] if event['kind'] == 'black')
    assert abs(black['start'] - 1) < 0.05 and abs(black['end'] - 3) < 0.05, black
    cut = next(event for event in data['events'] if event['kind'] == 'cut')
    assert cut['frame'] == 25, cut
    assert not data['partial']
    if pictures:
        assert data['strip'] and all(p['src'].startswith('data:image/jpeg;base64,/9j/') for p in data['strip'])
        assert 'src' in cut


# drags over the second quarter of the luma chart, then hovers over the middle
DRAG = '''<script>
const box = document.getElementById('luma').getBoundingClientRect();
const send = (type, share) => document.getElementById('luma').dispatchEvent(new PointerEvent(type,
  { clientX: box.left + 40 + share * (box.width - 40), clientY: box.top + 20 }));
send('pointerdown', 0.25); send('pointermove', 0.4); send('pointermove', 0.5); send('pointerup', 0.5);
setTimeout(() => send('pointermove', 0.5), 500);
</script>'''


def check_zoom(command, page, folder, n_points):
    copy = os.path.join(folder, 'drag.html')
    with open(page, encoding='utf-8') as source, open(copy, 'w', encoding='utf-8') as target:
        target.write(source.read().replace('</body>', DRAG + '</body>'))
    done = run(*command, '--dump-dom', 'file://' + copy)
    assert 'CONSOLE' not in done.stderr, done.stderr
    points = int(re.search('<canvas id="luma"[^>]*data-points="(\\d+)"', done.stdout).group(1))
    assert abs(points - n_points / 4) <= 3, f'{points} points are seen of a quarter of {n_points}'
    tip = re.search('<div id="tip"[^>]*>([^<]*)</div>', done.stdout).group(1)
    frame = int(re.search(r'frame (\d+)', tip).group(1))
    assert abs(frame - 0.375 * n_points) <= 2, tip
    assert 'emd' in tip and 'mean' in tip, tip


def check_browser(page, folder, n_points):
    browser = shutil.which('chromium')
    if browser is None:
        print('no chromium: the page was not looked at in a browser')
        return
    command = [browser, '--headless=new', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr',
               f'--user-data-dir={folder}/profile', '--virtual-time-budget=3000', '--window-size=1280,1400']
    for options in ([], ['--force-dark-mode', '--blink-settings=preferredColorScheme=0']):
        done = run(*command, *options, '--dump-dom', 'file://' + page)
        console = [line for line in done.stderr.splitlines() if 'CONSOLE' in line]
        assert not console, console
        for chart in ('luma', 'motion'):
            points = re.search(f'<canvas id="{chart}"[^>]*data-points="(\\d+)"', done.stdout)
            assert points and int(points.group(1)) == n_points, f'{chart}: {points and points.group(0)}'
        rows = len(re.findall(r'<tr>', done.stdout.split('id="events"')[1]))
        assert rows == len(data_of(page)['events']), rows
        for kind in {event['kind'] for event in data_of(page)['events']}:
            assert f'>{kind}</span>' in done.stdout, f'no {kind} in the legend'
    check_zoom(command, page, folder, n_points)
    shot = os.path.join(folder, 'page.png')
    run(*command, f'--screenshot={shot}', 'file://' + page)
    assert os.path.getsize(shot) > 10000
    print('chromium shows the page without an error')


def check_interrupt(tool, folder):
    """Ctrl-C leaves a valid page of the frames so far."""
    clip, page = os.path.join(folder, 'long.mkv'), os.path.join(folder, 'long.html')
    run('gst-launch-1.0', '-q', 'videotestsrc', 'num-buffers=300', 'pattern=snow', '!',
        'video/x-raw,width=1280,height=720', '!', 'jpegenc', '!', 'matroskamux', '!', 'filesink', f'location={clip}')
    # how long it takes to begin and to end depends on the machine
    for seconds in (1, 0.7, 0.5, 1.4, 2, 2.8, 4, 5.6, 8):
        process = subprocess.Popen([tool, '--device=cpu', '-q', '-o', page, clip])
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        # 0: it was done; killed, or 130 without a frame: it had only begun
        status = process.wait(60)
        data = data_of(page) if status == 130 else {'n': 0}
        if data['n'] > 0:
            assert data['partial'] and data['n'] <= 300, data['n']
            print(f'stopped after {data["n"]} frames')
            return
    raise AssertionError('no signal met the work')


# ---- where the page goes ----

def check_outputs(tool, lines):
    """Only a regular file is replaced: a link stays, a FIFO and /dev/stdout are written to."""
    with open('target.html', 'w', encoding='utf-8') as file:
        file.write('old')
    os.mkdir('links')
    os.symlink('../target.html', 'links/link.html')
    os.symlink('links/link.html', 'chain.html')
    os.symlink('new.html', 'dangling.html')
    for name, target in (('chain.html', 'target.html'), ('dangling.html', 'new.html')):
        run(tool, '-q', '--from', lines, '-o', name)
        assert os.path.islink(name) and data_of(target)['n'] == N_FRAMES, name
    assert os.path.islink('links/link.html')
    os.mkfifo('fifo')
    with subprocess.Popen(['cat', 'fifo'], stdout=subprocess.PIPE) as reader:
        run(tool, '--from', lines, '-o', 'fifo')
        with open('read.html', 'wb') as file:
            file.write(reader.stdout.read())
    assert stat.S_ISFIFO(os.stat('fifo').st_mode) and data_of('read.html')['n'] == N_FRAMES
    # behind what stands in the file already, and without the summary
    with open('stdout.html', 'w', encoding='utf-8') as file:
        file.write('before\n')
        file.flush()
        done = subprocess.run([tool, '--from', lines, '-o', '/dev/stdout'], stdout=file, stderr=subprocess.PIPE,
                              text=True, check=True)
    assert data_of('stdout.html')['n'] == N_FRAMES and f'{N_FRAMES} frames' in done.stderr, done.stderr
    with open('stdout.html', encoding='utf-8') as file:
        assert file.readline() == 'before\n'
    assert 'Is a directory' in run(tool, '-q', '--from', lines, '-o', 'links', status=1).stderr
    print('files are replaced, streams written to')


# ---- lines ----

FOREIGN = ('null', 'true', '-1', '5', '1e300', '99999999999999999999', '"text"', '[]', '{}', '[null]', '[{}]')


def replaced(value, foreign):
    """Copies of value in which one member, on any level, is a foreign one."""
    yield foreign
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in itertools.islice(members, 20):
        for copy in replaced(member, foreign):
            changed = value.copy()
            changed[key] = copy
            yield changed


def check_foreign_lines(tool, lines):
    """No type of a foreign line is trusted."""
    with open(lines, encoding='utf-8') as file:
        known = [json.loads(line) for line in file]
    frame = known[0]
    event = next(line for line in known if 'event' in line)
    with open('foreign.ndjson', 'w', encoding='utf-8') as file:
        file.write(json.dumps(frame) + '\n{"event":null}\n{"event":5}\n{"event":"cut","phase":"unknown","pts":0}\n')
        for foreign, line in itertools.product(FOREIGN, (frame, event)):
            for copy in replaced(line, '@'):
                if copy != '@':
                    file.write(json.dumps(copy).replace('"@"', foreign) + '\n')
    data, _ = page_of(tool, '--from', 'foreign.ndjson')
    # what is neither a string nor a known phase makes no event
    assert all(isinstance(e['kind'], str) for e in data['events']) and data['frames'] > 100
    with open('deep.ndjson', 'w', encoding='utf-8') as file:
        file.write('[' * 1000000 + '\n')
    assert 'line 1' in run(tool, '-q', '--from', 'deep.ndjson', status=1).stderr
    print(f'{data["frames"]} frames of foreign lines')


def check_times(tool, lines):
    """The axis begins with the recording, which may begin at an hour."""
    for stream_time in (True, False):
        with open(lines, encoding='utf-8') as file, open('hour.ndjson', 'w', encoding='utf-8') as late:
            for line in map(json.loads, file):
                line['pts'] += 3600 * 10 ** 9
                if not stream_time:
                    line.pop('stream_time', None)
                late.write(json.dumps(line) + '\n')
        data, _ = page_of(tool, '--from', 'hour.ndjson')
        begin = 0 if stream_time else 3600
        black = next(event for event in data['events'] if event['kind'] == 'black')
        assert data['begin'] == begin and abs(data['end'] - begin - 3) < 0.05, (data['begin'], data['end'])
        assert abs(black['start'] - begin - 1) < 0.05, black
        assert data['heatColumns'] > 100, data['heatColumns']
    print('a recording begins where its first frame is')


def check_levels(tool):
    """Levels are code values of 8 bits, whatever the depth of the channel."""
    for caps, channels in (('RGB16', 'luma'), ('RGB16', 'native'), ('RGB', 'luma'), ('GRAY16_LE', 'native'),
                           ('I420_10LE', 'native')):
        launch('videotestsrc num-buffers=1 pattern=solid-color foreground-color=0xff404040 ! '
               'video/x-raw,format=BGRx,width=64,height=48 ! videoconvert ! '
               f'video/x-raw,format={caps},colorimetry={"sRGB" if "RGB" in caps else "1:4:0:0"} ! '
               f'gleshistogram device=cpu channels={channels} ! glesjson ! filesink location=levels.ndjson')
        data, _ = page_of(tool, '--from', 'levels.ndjson')
        median = base64.b64decode(data['luma'])[3 * data['n']]
        assert 60 <= median <= 72, f'{caps}, channels={channels}: {median}'
    print('levels have 8 bits')


# ---- videos ----

def check_colours(tool):
    """JPEG has BT.601 in full range; what the caps leave open is as GStreamer assumes it."""
    for stored, stated in (('bt601', 'bt601'), ('bt709', 'bt709'), ('1:4:0:0', '1:4:0:0'), ('bt601', '2:0:0:0'),
                           ('1:4:0:0', '1:0:0:0'), ('bt709', '0:3:0:0')):
        for colour in ((0, 126, 0), (0, 0, 0)):
            launch('videotestsrc num-buffers=2 pattern=solid-color foreground-color=0xff%02x%02x%02x ! ' % colour +
                   'video/x-raw,format=BGRx,width=160,height=120 ! videoconvert ! '
                   f'video/x-raw,format=I420,colorimetry={stored} ! capssetter '
                   f'caps=video/x-raw,colorimetry={stated} ! matroskamux ! filesink location=colour.mkv')
            data, _ = page_of(tool, 'colour.mkv')
            pixel, _ = first_pixel(data)
            assert max(abs(a - b) for a, b in zip(pixel, colour)) <= 8, f'{stated}: {colour} became {pixel}'
    print('pictures have the colours of the video')


# the matrix of a track in an MP4 file, by the degrees to turn the picture
TURNS = {90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}


def check_orientation(tool):
    """Phones store pictures sideways and say so."""
    # the left half is white
    launch('compositor name=c sink_1::xpos=160 ! video/x-raw,width=320,height=240 ! jpegenc ! qtmux ! '
           'filesink location=upright.mp4 videotestsrc num-buffers=5 pattern=white ! video/x-raw,width=160,height=240 ! '
           'c. videotestsrc num-buffers=5 pattern=black ! video/x-raw,width=160,height=240 ! c.')
    with open('upright.mp4', 'rb') as file:
        clip = file.read()
    at = clip.index(b'tkhd') + 44
    # the first pixel: of the first column, of the last row or of the first row from the right
    for degrees, white, size in ((90, True, (240, 320)), (180, False, (320, 240)), (270, False, (240, 320))):
        a, b, c, d = (65536 * value for value in TURNS[degrees])
        with open('turned.mp4', 'wb') as file:
            file.write(clip[:at] + struct.pack('>9i', a, b, 0, c, d, 0, 0, 0, 1 << 30) + clip[at + 36:])
        data, _ = page_of(tool, 'turned.mp4')
        pixel, picture = first_pixel(data)
        assert (data['width'], data['height']) == size, (degrees, data['width'], data['height'])
        assert (picture[0] < picture[1]) == (size[0] < size[1]), (degrees, picture)
        assert (pixel[0] > 128) == white, (degrees, pixel)
    print('pictures are upright')


def check_strip(tool):
    """The strip does not believe the container's duration."""
    launch('videotestsrc num-buffers=150 ! video/x-raw,width=64,height=48,framerate=25/1 ! jpegenc ! matroskamux ! '
           'filesink location=liar.mkv')
    with open('liar.mkv', 'r+b') as file:
        at = file.read().index(b'\x44\x89\x88') + 3  # the element Duration, a double in milliseconds
        file.seek(at)
        file.write(struct.pack('>d', 1e7))
    data, _ = page_of(tool, 'liar.mkv')
    assert len(data['strip']) == 12, len(data['strip'])
    print('the strip has a picture for each half second')


def check_one_stream(tool):
    """Sound that cannot be decoded, subtitles and a second video do not concern the page."""
    with open('text.srt', 'w', encoding='utf-8') as file:
        file.write('1\n00:00:00,000 --> 00:00:01,000\ntext\n\n')
    ffmpeg('-f lavfi -i testsrc=s=160x120:d=2:r=25 -f lavfi -i sine=d=2 -i text.srt -c:v mjpeg -c:a aac -c:s srt '
           'whole.mkv')
    ffmpeg('-i whole.mkv -c copy -bsf:a noise=1 damaged.mkv')
    ffmpeg('-f lavfi -i testsrc=s=64x64:d=2:r=25 -c:v ffv1 second.mkv')
    ffmpeg('-i damaged.mkv -i second.mkv -map 0 -map 1 -c copy all.mkv')
    os.environ['GST_DEBUG'], os.environ['GST_DEBUG_FILE'] = 'GST_ELEMENT_FACTORY:4', 'log'
    os.environ['GST_DEBUG_NO_COLOR'] = '1'
    for name in ('damaged.mkv', 'all.mkv'):
        data, _ = page_of(tool, name)
        assert data['n'] == 50 and not data['partial'] and data['width'] == 160, name
        with open('log', encoding='utf-8') as file:
            made = set(re.findall(r'creating element "(\w+)"', file.read()))
        assert 'jpegdec' in made and not [m for m in made if m.startswith(('avdec_', 'faad', 'fdkaacdec'))], made
    for name in ('GST_DEBUG', 'GST_DEBUG_FILE', 'GST_DEBUG_NO_COLOR'):
        del os.environ[name]
    print('only the first video is decoded')


def check_failures(tool):
    """A sentence says what is wrong, and nothing waits for ever."""
    ffmpeg('-f lavfi -i sine=d=0.1 short.wav')
    ffmpeg('-f lavfi -i sine=d=1 -c:a aac sound.m4a')
    ffmpeg('-i text.srt -c:s srt subtitles.mkv')
    with open('text.mp4', 'w', encoding='utf-8') as file:
        file.write('no video\n')
    ffmpeg('-f lavfi -i testsrc=s=64x64:d=0.2 -c:v mjpeg pictures.mp4')
    with open('pictures.mp4', 'rb') as file, open('damaged.mp4', 'wb') as damaged:
        damaged.write(file.read().replace(b'stbl', b'xxxx'))
    os.environ['GST_PLUGIN_FEATURE_RANK'] = 'avdec_ffv1:NONE'
    for name, sentence in (('short.wav', 'there is no video in it, only .*PCM'),
                           ('sound.m4a', 'there is no video in it, only MPEG-4 AAC$'),
                           ('subtitles.mkv', 'there is no video in it, only .*Text'),
                           ('text.mp4', 'no video that GStreamer knows'), ('nothing.mp4', 'No such file'),
                           ('second.mkv', 'not installed: .*v1 decoder. Install the plugin'),
                           ('damaged.mp4', 'qtdemux0 failed before the first picture: .* may be damaged')):
        said = run(tool, '-q', '--device=cpu', '-o', 'none.html', name, status=1).stderr
        assert re.search(f'{name}: .*{sentence}', said, re.M), f'{name}: {said}'
        assert not os.path.exists('none.html')
    del os.environ['GST_PLUGIN_FEATURE_RANK']
    print('failures are explained')


def check_stall(tool):
    """A file whose data ends without an end: what there is, and where it stopped."""
    with open('whole.mkv', 'rb') as file:
        part = file.read(100000)
    os.mkfifo('endless.mkv')
    end = os.open('endless.mkv', os.O_RDWR)
    writer = threading.Thread(target=os.write, args=(end, part))
    writer.start()
    data, said = page_of(tool, '--timeout=1', 'endless.mkv', status=1)
    writer.join()
    os.close(end)
    assert data['partial'] and 0 < data['n'] < 50, data['n']
    assert re.search(r'endless.mkv: no data for 1 s after \d\.\d{3} s of the video', said), said
    print(f'a stall ends after {data["n"]} frames')


def main(tool):
    with tempfile.TemporaryDirectory() as folder:
        clip, page, lines = (os.path.join(folder, name) for name in ('a <b>.mkv', 'page.html', 'lines.ndjson'))
        made = os.path.join(folder, 'made.mkv')
        run('gst-launch-1.0', '-q', *SOURCE.format(made).split())
        os.rename(made, clip)
        done = run(tool, '--device=cpu', '-o', page, clip)
        assert f'{N_FRAMES} frames' in done.stdout, done.stdout
        data = data_of(page)
        assert data['title'] == 'a <b>.mkv' and data['hasMad']
        check_data(data, N_FRAMES, True)
        check_browser(page, folder, N_FRAMES)
        run('gst-launch-1.0', '-q', 'filesrc', f'location={clip}', '!', 'decodebin', '!', 'gleshistogram',
            'device=cpu', 'mad=true', '!', 'glesevents', '!', 'glesjson', '!', 'filesink', f'location={lines}')
        run(tool, '-q', '--from', lines, '-o', page)
        check_data(data_of(page), N_FRAMES, False)
        here = os.getcwd()
        os.chdir(folder)
        check_outputs(tool, lines)
        check_foreign_lines(tool, lines)
        check_times(tool, lines)
        check_levels(tool)
        check_colours(tool)
        check_orientation(tool)
        check_strip(tool)
        check_one_stream(tool)
        check_failures(tool)
        check_stall(tool)
        os.chdir(here)
        check_interrupt(tool, folder)
        run(tool, '-q', os.path.join(folder, 'nothing.mp4'), status=1)
        run(tool, '-q', status=2)
        with open(lines, 'w', encoding='utf-8') as file:
            file.write('{"frame":0}\nno JSON\n')
        for _ in range(30):  # often, because the end could precede the begin of the thread for signals
            assert 'line 2' in run(tool, '-q', '--from', lines, status=1).stderr
    print('the pages are whole')


if __name__ == '__main__':
    main(os.path.abspath(sys.argv[1]))
