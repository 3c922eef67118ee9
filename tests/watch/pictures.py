#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pictures of events of gst-gles-watch-1.0: which frame they show, and that the lines say it."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from pipelines import wait_for  # noqa: E402
from watching import events_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
WIDTH, HEIGHT, RATE, SLOW_RATE = 160, 120, 25, 6
CONFIG = '''[camera a]
uri=URI
device=cpu
events=motion
SETTING
[publish file]
method=file
address=lines.ndjson
[thumbnails]
directory=pictures
width=160
'''


def square(number):
    """Left, top and side of the square in a frame: it comes in from the left, grows, and leaves at the lower border, where
    what is left of it is at first 7 % larger than it ever was as a whole."""
    if number < 15:
        return None
    if number < 45:
        return 3 * (number - 25), 30, number - 5 + (3 if number == 44 else 0)
    return 60, HEIGHT - 43 + (number - 45) * 6, 44


def seen(number):
    """The box of what is seen of the square: left, top, right, bottom."""
    if square(number) is None:
        return 0, 0, 0, 0
    left, top, side = square(number)
    return max(left, 0), top, min(left + side, WIDTH), min(top + side, HEIGHT)


def area(number):
    left, top, right, bottom = seen(number)
    return (right - left) * max(bottom - top, 0)


def make_frame(number):
    frame = bytearray(b'\x50' * WIDTH * HEIGHT)
    left, top, right, bottom = seen(number)
    for y in range(top, bottom):
        frame[y * WIDTH + left:y * WIDTH + right] = b'\xd0' * (right - left)
    return bytes(frame)


def ffmpeg(*arguments, **options):
    environment = {**os.environ, 'LD_PRELOAD': ''}  # a sanitizer's runtime makes FFmpeg fail
    return subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', *map(str, arguments)], check=True, env=environment,
                          **options).stdout


def make_clip(path, rate=RATE):
    environment = {**os.environ, 'LD_PRELOAD': ''}
    subprocess.run(['ffmpeg', '-v', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'gray', '-s', f'{WIDTH}x{HEIGHT}', '-r',
                    str(rate), '-i', '-', '-pix_fmt', 'yuv420p', '-c:v', 'ffv1', path], check=True, env=environment,
                   input=b''.join(map(make_frame, range(60))))


def replay(folder, setting='', boxes=''):
    for path in (folder / 'lines.ndjson', folder / 'pictures'):
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
    (folder / 'watch.conf').write_text(CONFIG.replace('URI', 'test:ball').replace('SETTING', setting) + boxes)
    done = subprocess.run([PROGRAM, '--replay', 'clip.mkv', '--fast', 'watch.conf'], cwd=folder, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0, done
    return events_of(folder / 'lines.ndjson')


def find_shown(folder, path):
    """The frame that a picture shows."""
    picture = ffmpeg('-i', folder / path, '-f', 'rawvideo', '-pix_fmt', 'gray', '-', capture_output=True)
    assert len(picture) == WIDTH * HEIGHT
    return min(range(60), key=lambda number: sum(abs(a - b) for a, b in zip(picture, make_frame(number))))


def check_best_frame(folder):
    """The largest whole thing, though what is cut is a little larger; the lines say which frame it is."""
    start, end = replay(folder)
    assert start['phase'] == 'start' and start['picture_frame'] == start['frame'], start
    assert start['picture'] == end['picture'] and len(list((folder / 'pictures').iterdir())) == 1, end
    number = end['picture_frame']
    assert find_shown(folder, end['picture']) == number, (find_shown(folder, end['picture']), number)
    largest = max(map(area, range(60)))
    assert area(number) >= 0.9 * largest and seen(number)[3] < HEIGHT and seen(number)[0] > 0, (number, area(number), largest)
    assert max(range(60), key=area) != number, 'the clip has a larger one, which is cut'
    left, top, right, bottom = seen(number)
    x, y, width, height = end['picture_box']
    assert abs(x - left) <= 2 and abs(y - top) <= 2 and abs(x + width - right) <= 2 and abs(y + height - bottom) <= 2, end


def check_updates(folder):
    """Each update has the best picture so far, under the same name."""
    events = replay(folder, 'set=glesevents.update-interval=0.2')
    shown = [event['picture_frame'] for event in events]
    assert len(events) > 5 and shown == sorted(shown) and len(set(shown)) > 3, shown
    assert all(event['picture_frame'] <= event['frame'] for event in events), events
    assert len({event['picture'] for event in events}) == 1 and find_shown(folder, events[-1]['picture']) == shown[-1]


def check_boxes(folder):
    end = replay(folder, boxes='boxes=true\n')[-1]
    x, y, width, height = end['picture_box']
    picture = ffmpeg('-i', folder / end['picture'], '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-', capture_output=True)
    rows = [[picture[3 * (row * WIDTH + column)] - picture[3 * (row * WIDTH + column) + 1] > 60 for column in range(WIDTH)]
            for row in range(HEIGHT)]
    columns = [column for column in range(WIDTH) if sum(row[column] for row in rows) > height * 0.8]
    lines = [number for number, row in enumerate(rows) if sum(row) > width * 0.8]
    found = min(columns), min(lines), max(columns) + 1, max(lines) + 1
    assert all(abs(a - b) <= 2 for a, b in zip(found, (x, y, x + width, y + height))), (found, end)
    assert not rows[y + height // 2][x + width // 2]


def check_stopped(folder):
    """What is cut short by the end of the program has the best picture so far, too. On a slow machine few frames are
    analysed, so one of them has to be enough to know the background; and the clip takes ten seconds, as the program may
    begin to analyse when two have passed."""
    (folder / 'lines.ndjson').unlink(missing_ok=True)
    make_clip(folder / 'slow.mkv', SLOW_RATE)
    uri = (folder / 'slow.mkv').as_uri()
    (folder / 'watch.conf').write_text(CONFIG.replace('URI', uri).replace(
        'SETTING', 'set=glescompact.reference=background;glescompact.adaptation=10000;glescompact.lower=24'))
    with subprocess.Popen([PROGRAM, 'watch.conf'], cwd=folder, stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: events_of(folder / 'lines.ndjson'), 'motion')
        time.sleep(1.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    start, end = events_of(folder / 'lines.ndjson')[:2]
    assert end['cause'] == 'stopped' and end['id'] == start['id'] and end['picture'] == start['picture'], (start, end)
    assert start['picture_frame'] < end['picture_frame'], end
    # frames that come too fast have no number, so it is found by what it shows
    left, top, right, bottom = seen(find_shown(folder, end['picture']))
    x, y, width, height = end['picture_box']
    assert abs(x - left) <= 2 and abs(y + height - bottom) <= 2 and area(20) < (right - left) * (bottom - top), end


def main():
    if not shutil.which('ffmpeg'):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_clip(folder / 'clip.mkv')
        for check in (check_best_frame, check_updates, check_boxes, check_stopped):
            check(folder)
            print(check.__name__, flush=True)


main()
