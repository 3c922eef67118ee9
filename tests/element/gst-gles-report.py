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
import subprocess
import sys
import tempfile
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


def page_of(tool, *arguments, status=0):
    """The data of the page that tool makes in the current folder, and what it says."""
    done = run(tool, '-q', '--device=cpu', '-o', 'page.html', *arguments, status=status)
    return data_of('page.html'), done.stderr


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
