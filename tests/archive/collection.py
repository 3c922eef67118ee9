# SPDX-License-Identifier: LGPL-2.1-or-later
"""The database and the index page: rows of seconds against sums over the frames, events and problems against the lines,
and the page in a browser, where chromium is installed, with a made collection.

Arguments: gst-gles-archive-1.0 and gst-gles-report-1.0 of the build; a number of files of the made collection."""
import base64
import collections
import importlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from archives import H264, SCENES, Archive

# sorts, filters and turns a page as a reader does; the time is that until the rows are drawn
LOOK = '''<script>
onload = () => setTimeout(() => {
  const names = () => [...document.querySelectorAll('td.name')].map((cell) => cell.textContent);
  const out = { load: performance.getEntriesByType('navigation')[0].loadEventEnd, rows: names().length, first: names()[0] };
  const set = (id, value) => { $(id).value = value; $('form').oninput(); };
  document.querySelectorAll('th button')[1].click();
  document.querySelectorAll('th button')[1].click();
  out.longest = names()[0];
  set('search', 'TAPE 0001');
  out.found = $('where').textContent;
  set('search', '');
  set('kind', [...$('kind').options].find((option) => option.text === 'black').value);
  out.black = $('where').textContent;
  set('problem', 'some');
  out.both = $('where').textContent;
  set('kind', ''); set('problem', ''); set('luma-from', '100'); set('luma-to', '101');
  out.luma = $('where').textContent;
  set('luma-from', ''); set('luma-to', ''); set('state', 'missing');
  out.missing = $('where').textContent;
  set('state', ''); set('minutes-to', '1');
  out.short = $('where').textContent;
  set('minutes-to', '');
  $('next').click();
  out.second = names()[0];
  setTimeout(() => {
    out.images = document.querySelectorAll('td.strip img').length;
    out.curves = document.querySelectorAll('polyline').length;
    out.link = document.querySelector('td.strip a').getAttribute('href');
    document.body.dataset.out = JSON.stringify(out);
  }, 500);
}, 300);
</script>'''


def modules(tool):
    with open(tool, encoding='utf-8') as file:
        sys.path.insert(0, [line for line in file if line.startswith('sys.path')][0].split("'")[1])
    return tuple(importlib.import_module(f'archive.{name}') for name in ('folder', 'merge', 'page', 'plan', 'summary'))


def check_database(archive):
    path = archive.make('scenes.mp4', f'{SCENES} {H264}')
    archive.run('run', 'videos', '-o', 'run', '--no-sound')
    archive.check('run', path)
    lines = [json.loads(line) for line in (archive.top / 'run/files/scenes.mp4.ndjson').open(encoding='utf-8')]
    frames = [line for line in lines if 'histogram' in line]
    by_second = collections.defaultdict(list)
    for frame in frames:
        by_second[frame['stream_time'] // 10**9].append(frame['histogram']['channels'][0])
    base = sqlite3.connect(archive.top / 'run' / 'collection.sqlite')
    base.row_factory = sqlite3.Row
    rows = base.execute('SELECT * FROM seconds ORDER BY second').fetchall()
    assert [row['second'] for row in rows] == sorted(by_second), rows
    for row in rows:
        channels = by_second[row['second']]
        samples = sorted(value for channel in channels for value, n in enumerate(channel['counts']) for _ in range(n))
        assert row['frames'] == len(channels)
        assert (row['min'], row['max']) == (samples[0], samples[-1])
        assert row['mean'] == sum(samples) / len(samples)
        for rank in 1, 5, 10, 50, 90, 95, 99:
            assert row[f'p{rank}'] == samples[-(-rank * len(samples) // 100) - 1], rank
        for name, key in (('mad', 'mad'), ('motion', 'mad_previous')):
            assert abs(row[name] - sum(channel[key] for channel in channels) / len(channels)) < 1e-9
    events = [line for line in lines if 'event' in line and line['phase'] in ('start', 'instant')]
    assert len(events) > 2, events
    told = base.execute('SELECT event, start, frame FROM events ORDER BY start, event').fetchall()
    assert [tuple(row) for row in told] == sorted(((line['event'], line['stream_time'] / 1e9, line['frame'])
                                                   for line in events), key=lambda row: (row[1], row[0]))
    file, = base.execute('SELECT * FROM files')
    assert (file['frames'], file['state'], file['duration']) == (len(frames), 'complete', 10.0), tuple(file)
    base.close()


def check_damaged(archive):
    """Problems of a file whose end is missing."""
    whole = (archive.videos / 'scenes.mp4')
    broken = archive.videos / 'short.mkv'
    subprocess.run(['ffmpeg', '-v', 'error', '-i', whole, '-c', 'copy', broken], check=True)
    data = broken.read_bytes()
    broken.write_bytes(data[:len(data) * 2 // 3])
    said = archive.run('run', 'videos', '-o', 'run', '--no-sound', status=3)
    assert re.search(r'^damaged: short.mkv: .*\b1 truncated', said, re.M), said
    archive.run('merge', 'run', status=3)
    archive.run('merge', 'run', '--ignore-damage')
    archive.check('run', broken)
    with sqlite3.connect(archive.top / 'run' / 'collection.sqlite') as base:
        assert dict(base.execute('SELECT path, state FROM files')) == {'scenes.mp4': 'complete', 'short.mkv': 'damaged'}
        problems = base.execute('SELECT problem, path, text FROM problems JOIN files ON files.id = file').fetchall()
    assert ('truncated', 'short.mkv') in {problem[:2] for problem in problems}, problems
    assert {path for _, path, _ in problems} == {'short.mkv'}, problems


def check_formats(archive):
    """The format of a file that no decoder stores as it is analysed."""
    path = archive.make('../formats/rgb.mov', '-f lavfi -i testsrc=s=64x48:r=25:d=0.2 -c:v rpza -pix_fmt rgb555')
    archive.make('../formats/i420.mkv', '-f lavfi -i testsrc=s=64x48:r=25:d=0.2 -c:v ffv1 -pix_fmt yuv420p')
    archive.run('run', path.parent, '-o', 'formats-run')
    archive.check('formats-run', path, root=path.parent)
    with sqlite3.connect(archive.top / 'formats-run' / 'collection.sqlite') as base:
        rows = base.execute('SELECT path, format, stored_format FROM streams JOIN files ON files.id = file').fetchall()
    assert sorted(rows) == [('i420.mkv', 'I420', None), ('rgb.mov', 'Y444', 'RGB15')], rows


def dump(url, profile, *options):
    """The document after its scripts; None without a browser."""
    browser = shutil.which('chromium')
    if browser is None:
        print('no chromium: the pages were not looked at in a browser')
        return None
    command = [browser, '--headless=new', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr',
               f'--user-data-dir={profile}/profile', '--window-size=1400,1200', '--virtual-time-budget=4000']
    environment = dict(os.environ)
    environment.pop('LD_PRELOAD', None)  # a sanitizer's runtime makes the browser hang
    done = subprocess.run([*command, *options, '--dump-dom', url], check=True, capture_output=True, text=True, timeout=120,
                          env=environment)
    assert 'Uncaught' not in done.stderr, done.stderr
    return done.stdout


def check_time(archive):
    """The page of a file opens at the time that a picture of the collection leads to."""
    page = archive.top / 'run' / 'files' / 'scenes.mp4.html'
    dom = dump(f'{page.as_uri()}#t=7.5', archive.top)
    assert dom is None or re.search('id="range"[^>]*>0:02.50 to 0:10.00<', dom), re.findall('id="range".{50}', dom)
    for script in (archive.top / 'run' / 'index').iterdir():
        assert script.name == 'files.js' or 'data:' not in script.read_text() and '/9j/' in script.read_text(), script


def made_collection(tool, top, n):
    """A page of n files that were never analysed."""
    folders, merges, pages, plans, summaries = modules(tool)
    folder = folders.Folder(top)
    folder.create()
    jpeg = base64.b64encode(subprocess.run(
        'ffmpeg -v error -f lavfi -i testsrc2=s=128x72 -frames:v 1 -f mjpeg -'.split(), check=True,
        stdout=subprocess.PIPE).stdout).decode()
    plan = plans.Plan('/archive', 'gst-gles-report-1.0', [], None, list(merges.OUTPUTS))
    outcomes = []
    for number in range(n):
        name = f'shelf {number % 7}/tape {number:05d}.mkv'
        path = folder.at('summaries', f'{number:016x}.json.gz')
        if number % 100 == 99:
            outcomes.append(merges.Outcome(name, 'missing', '1 of 1 units are not done'))
            continue
        events = [{'event': 'cut', 'start': float(second)} for second in range(number % 13)]
        events += [{'event': 'black', 'start': 1.0}] * (number % 10 == 0)
        problems = [{'event': 'problem', 'start': 1.0, 'more': {'problem': 'gap'}}] * (number % 20 == 0)
        summaries.save(path, {'duration': 30.0 + number, 'luma': number % 200 + 0.5, 'events': events,
                              'problems': problems, 'spark': [(number + i) % 256 for i in range(64)],
                              'strip': [[float(i), jpeg] for i in range(8)]})
        outcomes.append(merges.Outcome(name, 'complete', None, path, page=f'files/{name}.html'))
    pages.write(folder, plan, outcomes)
    before = {path: path.stat().st_mtime_ns for path in Path(top, 'index').iterdir()}
    pages.write(folder, plan, outcomes)
    changed = [path.name for path in before if path.stat().st_mtime_ns != before[path]]
    assert changed == ['files.js'], changed


def check_page(tool, top, n):
    made_collection(tool, top, n)
    page = Path(top, 'index.html')
    text = page.read_text(encoding='utf-8')
    assert not re.search(r'(src|href)\s*=\s*"(https?:)?//', text), 'the page needs a network'
    Path(top, 'look.html').write_text(text.replace('</body>', LOOK + '</body>'), encoding='utf-8')
    dom = dump(f'file://{top}/look.html', top, '--allow-file-access-from-files')
    if dom is None:
        return
    out = re.search('data-out="([^"]*)"', dom)
    assert out, dom[-2000:]
    out = json.loads(out.group(1).replace('&quot;', '"'))
    missing, black, both = n // 100, (n + 9) // 10, (n + 19) // 20
    complete = [number for number in range(n) if number % 100 != 99]
    expected = {
        'rows': 50, 'first': 'shelf 0/tape 00000.mkv', 'longest': f'shelf {complete[-1] % 7}/tape {complete[-1]:05d}.mkv',
        'found': f'1 to {min(10, n - 10)} of {min(10, n - 10)} files' if n < 200 else '1 to 10 of 10 files',
        'black': f'1 to 50 of {black} files', 'both': f'1 to {min(50, both)} of {both} files',
        'missing': f'1 to {min(50, missing)} of {missing} files', 'short': '1 to 31 of 31 files'}
    luma = sum(number % 200 == 100 for number in complete)
    expected['luma'] = f'1 to {min(50, luma)} of {luma} files'
    for name, value in expected.items():
        assert out[name] == value, f'{name}: {out[name]}, not {value}'
    assert out['images'] >= 8 * 48 and out['curves'] >= 48, out
    assert re.fullmatch(r'files/shelf%20\d/tape%20\d+\.mkv\.html#t=\d', out['link']), out
    print(f'{n} files: loaded after {out["load"]:.0f} ms')


def main(tool, reporter, n):
    with tempfile.TemporaryDirectory() as top:
        archive = Archive(tool, reporter, top)
        check_database(archive)
        check_damaged(archive)
        check_time(archive)
        check_formats(archive)
    with tempfile.TemporaryDirectory() as top:
        check_page(tool, top, int(n))


if __name__ == '__main__':
    main(*sys.argv[1:])
