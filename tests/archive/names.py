# SPDX-License-Identifier: LGPL-2.1-or-later
"""An archive of hostile names is complete; what one file does stops no other.

Arguments: gst-gles-archive-1.0 and gst-gles-report-1.0 of the build."""
import gzip
import itertools
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import sys
import tempfile
import time
import urllib.parse

from archives import OUTPUTS, Archive
from collection import modules

CLIP = '-f lavfi -i testsrc=s=64x48:r=25:d=0.4 -c:v mpeg4'
NAMES = [name if isinstance(name, bytes) else name.encode() for name in (
    'good.mp4', 'x', 'x.html/y.mp4', 'x.mp4', 'x.mp4.events', 'x.mp4.events~', 'x~', 'made.csv', 'made.ndjson', 'lines',
    'a.host-1.part/v.mp4', 'units.ndjson', 'index.html',
    'n' * 241 + '.mp4', 'n' * 251 + '.mp4', 'ü' * 125 + '.mp4', 'D' * 255 + '/v.mp4', '/'.join(['d' * 200] * 9),
    'n' * 197 + '~' + '0' * 32, 'n~' + '0' * 32, b'\xff.mp4', '\\udcff.mp4', '\\xff.mp4', b'caf\xe9.mp4', b'\xfe' * 255,
    'a\nb"<img src=x onerror=alert(1)>.mp4', '=cmd|calc.mp4', '-version.mp4', '--help', ' ', '%s.mp4', '\x1b[31mred.mp4',
    '$(touch x).mp4', 'e\u0301.mp4', 'é.mp4', '\u202e4pm.mp4', '#t=5?q.mp4', '日本語.mp4',
    '2300.mp4', '1901.mp4')]
TIMES = {b'2300.mp4': 330 * 365 * 86400 * 10**9, b'1901.mp4': -68 * 365 * 86400 * 10**9}


def check_injective(tool):
    """No two names have an output in common, none is too long, and none is the folder of another."""
    modules(tool)
    names = sys.modules['archive.names']
    endings = ['.html', '.ndjson', '.csv', '.events.ndjson', '.qctools.xml.gz', '-Scenes.csv', '.vtt']
    outputs, numbers = names.Outputs(endings), random.Random(7)
    pieces = ['x', 'a.mp4', '~', '.part', '~' + 'e' * 32, 'n' * 250, 'ü' * 122, '\udcff', '.events', '-Scenes', *endings]
    paths = {'/'.join(''.join(numbers.choices(pieces, k=numbers.randint(1, 3))) for _ in range(numbers.randint(1, 6)))
             for _ in range(20000)}
    paths |= {''.join(path) for n in (1, 2, 3) for path in itertools.product([*pieces, '/x'], repeat=n)}
    paths = {path for path in paths if path[0] != '/' and max(len(os.fsencode(name)) for name in path.split('/')) <= 255}
    made, folders = {}, set()
    for path in paths:
        stem = outputs.stem(path)
        folders.update(stem[:match.start()] for match in re.finditer('/', stem))
        for ending in endings:
            name = os.fsencode(stem + ending)
            assert len(name) < 2000 and max(map(len, name.split(b'/'))) <= 255, name
            assert made.setdefault(name, path) == path, (name, made[name], path)
    assert not {os.fsencode(folder) for folder in folders} & set(made)
    assert outputs.stem('tapes 1/a & b.mov') == 'tapes 1/a & b.mov' and len(paths) > 10000


def fill(archive, source):
    top = os.fsencode(archive.top / 'hostile')
    for name in NAMES:
        path = top
        os.makedirs(path, exist_ok=True)
        here = os.getcwd()
        os.chdir(path)
        for folder in name.split(b'/')[:-1]:
            os.makedirs(folder, exist_ok=True)
            os.chdir(folder)
        shutil.copyfile(source, name.rpartition(b'/')[2])
        if name in TIMES:
            os.utime(name, ns=(0, TIMES[name]))
        os.chdir(here)


def lines(path):
    """Without ids of streams, which are hashes of the file's path."""
    with open(path, 'rb') as file:
        return re.sub(rb'"stream_id":"[^"]*"', b'', file.read())


def check_hostile(archive, source):
    fill(archive, source)
    said = archive.run('run', 'hostile', '-o', 'run', '-j', 2)
    assert f'{len(NAMES)} complete' in said and '\x1b' not in said, said
    run = os.fsencode(archive.top / 'run')
    with sqlite3.connect(os.path.join(run, b'collection.sqlite')) as base:
        rows = base.execute('SELECT path, name, page, state, mtime_ns FROM files').fetchall()
    found = {path if isinstance(path, bytes) else path.encode(): row for path, *row in rows}
    assert set(found) == set(NAMES), set(found) ^ set(NAMES)
    assert found[b'\xff.mp4'][0] == '\\xff.mp4' and found[b'caf\xe9.mp4'][0] == 'caf\\xe9.mp4'
    for name in TIMES:  # as the file system has it
        assert found[name][3] == os.stat(os.path.join(os.fsencode(archive.top / 'hostile'), name)).st_mtime_ns, name
    archive.serial(source)
    expected, pages = {ending: lines(archive.top / f'serial{ending}') for ending in OUTPUTS}, set()
    for name, (_, page, state, _) in found.items():
        assert state == 'complete', name
        page = os.path.join(run, page if isinstance(page, bytes) else page.encode())
        pages.add(page)
        assert os.path.getsize(page) > 1000, page
        for ending in OUTPUTS:
            assert lines(page[:-len(b'.html')] + ending.encode()) == expected[ending], (name, ending)
    assert len(pages) == len(NAMES)
    with open(os.path.join(run, b'index/files.js'), encoding='utf-8') as file:
        links = {row[3] for row in json.loads(file.read()[len('files('):-len(');\n')])['rows']}
    assert {os.path.join(run, urllib.parse.unquote_to_bytes(link)) for link in links} == pages


def check_left_out(archive, source):
    """What is no file of its own is named, with the reason."""
    top = archive.top / 'links'
    (top / 'folder').mkdir(parents=True)
    shutil.copyfile(source, top / 'folder' / 'a.mp4')
    for name, target in (('gone.mkv', 'nowhere'), ('loop', 'loop'), ('to-a.mp4', 'folder/a.mp4'), ('to-folder', 'folder'),
                         ('zero.mp4', '/dev/zero'), ('outside.mp4', source), ('outside-too.mp4', source)):
        (top / name).symlink_to(target)
    os.mkfifo(top / 'fifo.mp4')
    server = socket.socket(socket.AF_UNIX)
    server.bind(os.path.relpath(top / 'socket'))
    said = archive.run('run', 'links', '-o', 'linked')
    server.close()
    assert '2 files' in said and '8 other entries' in said, said
    with sqlite3.connect(archive.top / 'linked' / 'collection.sqlite') as base:
        reasons = dict(base.execute('SELECT path, reason FROM left_out'))
        assert {path for path, in base.execute('SELECT path FROM files')} == {'folder/a.mp4', 'outside-too.mp4'}
    assert reasons == {
        'gone.mkv': 'a link that leads nowhere: No such file or directory',
        'loop': 'a link that leads nowhere: Too many levels of symbolic links', 'to-a.mp4': 'a link to folder/a.mp4',
        'to-folder': 'a link to a folder', 'zero.mp4': 'a device', 'fifo.mp4': 'a FIFO', 'socket': 'a socket',
        'outside.mp4': 'a link to the same file as outside-too.mp4'}, reasons


def changed(path, change):
    path.write_bytes(change(path.read_bytes()))


def without_streams(data):
    facts = json.loads(gzip.decompress(data).partition(b'\n')[0])
    del facts['streams']
    return gzip.compress(json.dumps(facts).encode())


def check_damaged(archive, source):
    """What is damaged in the folder of a run is noticed and made again by the same command."""
    (archive.top / 'one').mkdir()
    shutil.copyfile(source, archive.top / 'one' / 'a.mp4')
    archive.run('run', 'one', '-o', 'again')
    run = archive.top / 'again'
    summary, = (run / 'summaries').iterdir()
    unit, = archive.units('again')
    damages = [
        (summary, lambda data: data[:50] + bytes([data[50] ^ 4]) + data[51:]), (summary, without_streams),
        (run / 'files/a.mp4.html', lambda data: b''),
        (run / 'files/a.mp4.csv', lambda data: data[:-20]), (unit, lambda data: b''), (unit, lambda data: data[:-20]),
        (run / 'units.ndjson', lambda data: b'')]
    before = {path: path.read_bytes() for path in (unit, *(run / 'files').iterdir())}
    for path, change in damages:
        changed(path, change)
        said = archive.run('run', 'one', '-o', 'again')
        assert '1 complete' in said, said
        assert {path: path.read_bytes() for path in before} == before, path


def check_own_failures(archive, source):
    """A merge that is killed at one file, or ends with an error, has the others; what a database cannot hold, too."""
    (archive.top / 'three').mkdir()
    for name in 'abc':
        shutil.copyfile(source, archive.top / 'three' / f'{name}.mp4')
    archive.run('plan', 'three', '-o', 'fatal')
    archive.run('work', 'fatal')
    wrapper = archive.top / 'wrapper'
    wrapper.write_text(f'#!/bin/sh\ncase "$*" in *from*/b.mp4*) kill -9 $PPID ;; *from*/c.mp4*) echo no >&2; exit 1 ;; esac\n'
                       f'exec {archive.reporter} "$@"\n', encoding='utf-8')
    wrapper.chmod(0o755)
    archive.environment['GST_GLES_REPORT'] = str(wrapper)
    said = archive.run('merge', 'fatal', '-j', 1, status=1)
    archive.environment['GST_GLES_REPORT'] = archive.reporter
    assert 'failed: b.mp4: the process that merged it was killed' in said and 'failed: c.mp4: no' in said, said
    with sqlite3.connect(archive.top / 'fatal' / 'collection.sqlite') as base:
        assert dict(base.execute('SELECT path, state FROM files')) == {'a.mp4': 'complete', 'b.mp4': 'failed', 'c.mp4': 'failed'}
    assert '"b.mp4","failed"' in (archive.top / 'fatal' / 'index' / 'files.js').read_text(encoding='utf-8')
    archive.run('merge', 'fatal')


def check_killed_plan(archive, source):
    """A demuxer that crashes costs its file alone: a video by its name is analysed, what is none is left out."""
    modules(archive.tool)
    demux, folders, plans = (sys.modules[f'archive.{name}'] for name in ('demux', 'folder', 'plan'))
    top, look = archive.top / 'crashing', demux.look
    top.mkdir()
    for name in 'a.mp4', 'crash.mp4', 'crash.bin', 'raise.mp4', 'z.mp4':
        shutil.copyfile(source, top / name)

    def crash(path, whole=False):
        if 'crash' in path:
            os.kill(os.getpid(), signal.SIGKILL)
        if 'raise' in path:
            raise ValueError('no')
        return look(path, whole)

    demux.look = crash
    folder, plan = folders.Folder(archive.top / 'crashed'), plans.Plan(str(top), 'report', [], None, [])
    folder.create()
    assert plans.make(folder, plan) == (4, 1)
    demux.look = look
    assert {unit.file for unit in plan.units} == {'a.mp4', 'crash.mp4', 'raise.mp4', 'z.mp4'}
    with open(folder.left_out, encoding='utf-8') as file:
        assert json.loads(file.read()) == {'file': 'crash.bin', 'reason': 'the process that looked at it was killed'}
    check_work(folder, plan)


def check_work(folder, plan):
    """What nobody thought of is the failure of a unit."""
    report, work = sys.modules['archive.report'], sys.modules['archive.work']

    def arguments(*_):
        raise ValueError('no')

    before, report.arguments = report.arguments, arguments
    assert not work.attempt(folder, plan, plan.units[0])
    report.arguments = before
    assert [failure['error'] for failure in folder.failures(plan.units[0].id)] == ['ValueError: no'] * 3


def check_unstorable(archive, source):
    modules(archive.tool)
    database, folders, merges, plans, summaries = (sys.modules[f'archive.{name}'] for name in (
        'database', 'folder', 'merge', 'plan', 'summary'))
    folder = folders.Folder(archive.top / 'unstorable')
    folder.create()
    outcomes = []
    for name, second in (('a', 1), ('b', None), ('c', 2)):
        path, unit = folder.at('summaries', f'{name}.json.gz'), plans.Unit(name, name, str(source), 1, 2**70, 'whole')
        summaries.save(path, {'seconds': [[second, *[0] * 13]], 'events': [{'event': 'cut', 'frame': 2**64, 'cause': '\udcff'}]})
        outcomes.append(merges.Outcome(name, 'complete', None, path, unit))
    database.write(folder, plans.Plan('/archive', 'report', [], None, []), outcomes, [])
    with sqlite3.connect(folder.database) as base:
        rows = base.execute('SELECT path, state, error FROM files').fetchall()
        assert [row[:2] for row in rows] == [('a', 'complete'), ('b', 'failed'), ('c', 'complete')], rows
        assert base.execute('SELECT file, frame FROM events').fetchall() == [(1, 2.0**64), (3, 2.0**64)]
    assert outcomes[1].state == 'failed' and outcomes[1].summary is None


def main(tool, reporter):
    with tempfile.TemporaryDirectory() as top:
        archive = Archive(tool, reporter, top)
        source = archive.make('source.mp4', CLIP)
        begun = time.monotonic()
        check_injective(archive.tool)
        for check in (check_hostile, check_left_out, check_damaged, check_own_failures, check_unstorable, check_killed_plan):
            check(archive, source)
            print(f'{check.__name__}: {time.monotonic() - begun:.1f} s from the beginning', flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
