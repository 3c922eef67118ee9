# SPDX-License-Identifier: LGPL-2.1-or-later
"""Whatever happens to workers, units and inputs, nothing is lost, counted twice or hidden.

Arguments: gst-gles-archive-1.0 and gst-gles-report-1.0 of the build."""
import concurrent.futures
import gzip
import json
import lzma
import os
import random
import resource
import shutil
import signal
import socket
import sqlite3
import sys
import tempfile
import time

from archives import Archive
from collection import modules

SHORT = '-f lavfi -i testsrc=s=96x64:r=25:d=1 -c:v mpeg4'


def states(archive, run):
    with sqlite3.connect(archive.top / run / 'collection.sqlite') as base:
        return dict(base.execute('SELECT path, state FROM files'))


def leftovers(archive, run):
    return [path for path in (archive.top / run).rglob('*') if '.part' in path.name]


def files_of(archive, run):
    return {path: path.read_bytes() for path in (archive.top / run / 'files').iterdir()}


def check_killed(archive, videos):
    """SIGKILL at any moment of a run, then the same command again."""
    numbers, killed = random.Random(1), 0
    for _ in range(6):
        process = archive.start('run', 'videos', '-o', 'killed', '-j', 1, start_new_session=True)
        time.sleep(numbers.uniform(0.1, 0.6))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            killed += 1
        process.communicate()
    assert killed >= 3, killed
    archive.run('run', 'videos', '-o', 'killed')
    archive.check('killed', *videos)
    assert not leftovers(archive, 'killed'), leftovers(archive, 'killed')
    assert not list((archive.top / 'killed' / 'failed').iterdir())


def check_two_workers(archive, videos):
    """Two workers that share, and two that are told to do the same: the same bytes."""
    archive.run('plan', 'videos', '-o', 'shared')
    both = [archive.start('work', 'shared') for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0], [process.communicate() for process in both]
    for process in both:
        process.communicate()
    first = {path.name: path.read_bytes() for path in archive.units('shared')}
    for path in archive.units('shared'):
        path.unlink()
    both = [archive.start('work', 'shared', '--tasks', 1, '--index', 0) for _ in range(2)]
    for process in both:
        _, complained = process.communicate()
        assert process.returncode == 0, complained
    assert {path.name: path.read_bytes() for path in archive.units('shared')} == first
    archive.run('merge', 'shared')
    archive.check('shared', *videos)


def check_array(archive, videos):
    """Tasks of an array, each told its number by an option or its scheduler."""
    archive.run('plan', 'videos', '-o', 'array')
    archive.run('work', 'array', '--tasks', 2, '--index', 0)
    done = len(archive.units('array'))
    assert 0 < done < len(videos), done
    said = archive.run('merge', 'array', status=1)
    assert 'missing' in said and sorted(states(archive, 'array').values()).count('missing') == len(videos) - done, said
    archive.environment['SLURM_ARRAY_TASK_ID'] = '1'
    archive.run('work', 'array', '--tasks', 2)
    del archive.environment['SLURM_ARRAY_TASK_ID']
    for wrong in '', 'x', '-1', '\u00b2', '1.0':
        archive.environment['SLURM_ARRAY_TASK_ID'] = wrong
        assert f'SLURM_ARRAY_TASK_ID is "{wrong}"' in archive.run('work', 'array', status=1)
    archive.run('work', 'array', '--index', 0)
    del archive.environment['SLURM_ARRAY_TASK_ID']
    archive.run('work', 'array', '--index', len(videos), status=1)
    archive.run('merge', 'array')
    archive.check('array', *videos)


def check_full_disk(archive, videos):
    """What cannot be written ends the worker, and is no failure of the unit."""
    archive.run('plan', 'videos', '-o', 'full')
    said = archive.run('work', 'full', status=1,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
    assert 'cannot be written' in said, said
    assert not archive.units('full') and not leftovers(archive, 'full')
    assert not list((archive.top / 'full' / 'failed').iterdir())
    archive.run('work', 'full')
    said = archive.run('merge', 'full', status=1,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
    assert not (archive.top / 'full' / 'collection.sqlite').exists(), said
    archive.run('merge', 'full')
    archive.check('full', *videos)


def damaged(whole, foreign):
    """What may become of a unit's file, by name. @foreign is one of another unit."""
    cut = whole.rindex(b'\xfd7zXZ\0')  # where the last stream begins
    return {
        'truncated': whole[:len(whole) // 2],
        'flipped': whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:],
        'empty': b'',
        'flipped in the last line': whole[:cut + 40] + bytes([whole[cut + 40] ^ 1]) + whole[cut + 41:],
        'without the block': whole[cut:],
        'without the last line': whole[:cut],
        'without the end of the block': whole[:whole.rindex(b'\xfd7zXZ\0', 0, cut)] + whole[cut:],
        'other values': lzma.compress(b'{"type":"picture","jpeg":"#j9"}\n') + lzma.compress(b'') + whole[cut:],
        'of an older format': gzip.compress(b'{}\n'),
        'foreign': foreign,
    }


def check_bad_units(archive):
    """Truncated, changed and foreign unit files are found, set aside and made again; old ones are told."""
    source = archive.make('../short.mp4', SHORT)
    (archive.top / 'few').mkdir()
    for name in 'abcd':
        shutil.copy(source, archive.top / 'few' / f'{name}.mp4')
    archive.run('run', 'few', '-o', 'bad')
    units, outputs = archive.units('bad'), files_of(archive, 'bad')
    whole = units[0].read_bytes()
    # reading finds all of them, of whatever kind
    modules(archive.tool)
    unitfile = sys.modules['archive.unitfile']
    for name, data in damaged(whole, units[1].read_bytes()).items():
        units[0].write_bytes(data)
        try:
            list(unitfile.read(units[0], units[0].stem))
            raise AssertionError(f'{name}: not found')
        except unitfile.Damaged:
            pass
    units[0].write_bytes(whole)
    assert list(unitfile.read(units[0], units[0].stem))[-1]['frames'] == 25
    # what follows from that, for one that is found when it is decompressed, one at its end, and one that is not read
    for unit, name in zip(units, ('flipped', 'foreign', 'empty')):
        unit.write_bytes(damaged(unit.read_bytes(), units[3].read_bytes())[name])
    shutil.rmtree(archive.top / 'bad' / 'summaries')
    archive.run('merge', 'bad', status=1)
    assert sorted(states(archive, 'bad').values()) == ['complete', 'missing', 'missing', 'missing']
    assert [unit.exists() for unit in units] == [False, False, True, True]
    assert '3 units' in archive.run('status', 'bad', status=1).splitlines()[2]
    archive.run('work', 'bad')
    archive.run('merge', 'bad')
    assert files_of(archive, 'bad') == outputs
    assert 'set aside' in archive.run('status', 'bad')
    for n, ending in enumerate(('.xz', '.ndjson.gz'), 1):
        (archive.top / 'bad' / 'units' / ('0' * 32 + ending)).write_bytes(whole)
        assert f'{n} files in units/ are of other plans' in archive.run('status', 'bad')


def check_terminated(archive, _videos):
    """SIGTERM leaves no part of a file and no claim."""
    archive.run('plan', 'videos', '-o', 'ended')
    process = archive.start('work', 'ended')
    while not leftovers(archive, 'ended') and process.poll() is None:
        time.sleep(0.01)
    process.terminate()
    process.communicate()
    assert process.returncode == 130, process.returncode
    assert not leftovers(archive, 'ended') and not list((archive.top / 'ended' / 'claims').iterdir())


def check_changed(archive):
    """A file that is not the one that was planned is told, and is analysed after a new plan, others not again."""
    path = archive.make('../changing/changing.mp4', SHORT)
    archive.make('../changing/other.mp4', SHORT)
    archive.run('plan', 'changing', '-o', 'changed')
    archive.make('../changing/changing.mp4', '-f lavfi -i testsrc=s=192x108:r=25:d=2 -c:v mpeg4')
    said = archive.run('work', 'changed', status=1)
    assert 'failed' in said
    assert 'not the file that was planned' in archive.run('status', 'changed', status=1)
    assert 'not the file' in archive.run('merge', 'changed', status=1)
    before = {unit: unit.stat().st_mtime_ns for unit in archive.units('changed')}
    archive.run('run', 'changing', '-o', 'changed')
    assert len(before) == 1 and all(unit.stat().st_mtime_ns == time_ns for unit, time_ns in before.items())
    archive.check('changed', path, root=path.parent)


def check_failing(archive):
    """What cannot be analysed is tried three times, recorded, a gap in the merge, and tried again on demand. What can be
    analysed in part is kept in part."""
    good = archive.make('../broken/good.mp4', SHORT)
    (good.parent / 'broken.mp4').write_bytes(b'\0\0\0\x18ftypisom' + bytes(5000))
    (good.parent / 'text.txt').write_text('no video\n', encoding='utf-8')
    said = archive.run('run', good.parent, '-o', 'failing', status=1)
    assert 'failed: broken.mp4' in said and '1 other entries are left out' in said, said
    assert f"`gst-gles-archive-1.0 retry {archive.top / 'failing'}`" in said, said
    assert states(archive, 'failing') == {'broken.mp4': 'failed', 'good.mp4': 'complete'}
    failures = [line for path in (archive.top / 'failing' / 'failed').iterdir()
                for line in path.read_text(encoding='utf-8').splitlines()]
    assert len(failures) == 3 and json.loads(failures[-1])['error'], failures
    assert '1 units will be tried again' in archive.run('retry', 'failing')
    assert '1 units' in [line for line in archive.run('status', 'failing', status=1).splitlines() if 'left' in line][0]


WRAPPER = """#!/bin/sh
case "$*" in
  *--version*|*--help*|*--from*) exec {report} "$@" ;;
esac
echo "$*" >> {log}
{begin}
{report} "$@"
{end}
"""


def wrap(archive, begin='', end=''):
    """A report that begins or ends in another way."""
    wrapper = archive.top / 'wrapper'
    text = WRAPPER.format(report=archive.reporter, log=archive.top / 'log', begin=begin, end=end)
    wrapper.write_text(text, encoding='utf-8')
    wrapper.chmod(0o755)
    archive.environment['GST_GLES_REPORT'] = str(wrapper)


def check_partial(archive):
    """An analysis that ends with an error is tried three times; what it wrote at last is kept, and the file has failed. Its
    outputs say that they are partial."""
    path = archive.make('../one/a.mp4')
    wrap(archive, end='echo the decoder gave up >&2; exit 1')
    said = archive.run('run', path.parent, '-o', 'partial', '--outputs', 'page,ndjson,csv,events,vtt', status=1)
    assert 'failed: a.mp4: the decoder gave up' in said, said
    calls = (archive.top / 'log').read_text(encoding='utf-8').splitlines()
    assert sum(call.endswith('a.mp4') for call in calls) == 3, calls
    archive.check('partial', path, root=path.parent)
    files = {name: text.decode() for name, text in files_of(archive, 'partial').items()}
    assert any('NOTE The video was not analysed' in text for name, text in files.items() if name.suffix == '.vtt')
    assert any('"partial":true' in text for name, text in files.items() if name.suffix == '.html')
    assert len(files) == 5, files.keys()
    wrap(archive, end='kill -9 $$')
    said = archive.run('run', path.parent, '-o', 'signal', status=1)
    assert 'failed: a.mp4' in said and 'killed by signal 9' in said, said
    # parts that cannot be analysed: the file is one unit
    wrap(archive, begin='case "$*" in *--part*) exit 1 ;; esac')
    archive.run('run', path.parent, '-o', 'fallen', '--part', '4s')
    archive.check('fallen', path, root=path.parent)
    fallen = (archive.top / 'fallen' / 'whole.ndjson').read_text(encoding='utf-8').splitlines()
    assert len(fallen) == 1 and json.loads(fallen[0])['file'] == 'a.mp4', fallen
    archive.environment['GST_GLES_REPORT'] = archive.reporter
    archive.run('run', path.parent, '-o', 'fallen', '--part', '4s')
    assert (archive.top / 'fallen' / 'whole.ndjson').read_text(encoding='utf-8').splitlines() == fallen


def check_places(archive):
    """Where units were analysed, and where one is: on the device that the report told last."""
    path = archive.make('../places/a.mp4', SHORT)
    shutil.copy(path, path.parent / 'b.mp4')
    archive.run('run', path.parent, '-o', 'places')
    host = socket.gethostname().split('.')[0]
    lines = archive.run('status', 'places').splitlines()
    assert [line for line in lines if line.startswith(f'done on {host}: 2 units, ') and 'cpu' in line], lines
    # another file, which moves to another device and then stays at work
    shutil.copy(path, path.parent / 'c.mp4')
    wrap(archive, end='while [ "$1" != --tell-device ]; do shift; done; printf GPU-7 > "$2"; sleep 5')
    archive.run('plan', path.parent, '-o', 'places')
    worker = archive.start('work', 'places')
    deadline = time.monotonic() + 60
    while 'at work' not in (said := archive.run('status', 'places', status=1)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert f'at work on {host}: c.mp4, ' in said, said
    assert worker.wait() == 0, worker.communicate()
    worker.communicate()
    said = archive.run('status', 'places')
    assert f'done on {host}: 1 units, GPU-7\n' in said and f'done on {host}: 2 units, ' in said and 'at work' not in said, said
    archive.environment['GST_GLES_REPORT'] = archive.reporter


def check_names(archive):
    """Names that are hard to quote or no UTF-8."""
    blank = archive.make('../odd/folder with blank/a%s &"\'.mp4', SHORT)
    shutil.copy(blank, os.fsencode(blank.parent.parent) + b'/odd-\xff.mp4')
    archive.run('run', blank.parent, '-o', 'names')
    archive.run('run', 'odd', '-o', 'names2')
    assert list(states(archive, 'names2').values()) == ['complete'] * 2, states(archive, 'names2')


def run_checks(arguments, names, checks):
    """Runs checks in a folder of their own, which has that many videos."""
    with tempfile.TemporaryDirectory() as top:
        archive = Archive(*arguments, top)
        videos = [archive.make(f'{name}.mp4') for name in names]
        for check in checks:
            begun = time.monotonic()
            check(archive, *[videos] * bool(videos))
            print(f'{check.__name__}: {time.monotonic() - begun:.1f} s', flush=True)


def main(*arguments):
    # most of the time is that of starting programs, one after the other
    with concurrent.futures.ThreadPoolExecutor() as pool:
        running = [pool.submit(run_checks, arguments, *group) for group in (
            ('ab', (check_killed, check_terminated, check_two_workers, check_array, check_full_disk)),
            ('', (check_bad_units, check_changed, check_failing, check_partial, check_places, check_names)))]
    for group in running:
        group.result()


if __name__ == '__main__':
    main(*sys.argv[1:])
