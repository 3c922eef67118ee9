# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of gst-gles-report-1.0: its data, a valid partial page after Ctrl-C, and, where chromium is installed, that
the browser shows it without a console error and with one point for each frame.

Argument: the program."""
import json
import os
import re
import shutil
import signal
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
