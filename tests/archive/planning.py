# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plans: units and their ids, where files are cut, what is left out, and many files in a short time.

Arguments: gst-gles-archive-1.0 and gst-gles-report-1.0 of the build; a number of files."""
import importlib
import json
import os
import shutil
import sys
import tempfile
import time

from archives import Archive

SECOND = 10**9


def units_of(archive, run):
    head, *units = map(json.loads, (archive.top / run / 'units.ndjson').read_text(encoding='utf-8').splitlines())
    return head, units


def check_ids(archive):
    """Only what can change a result changes an id."""
    source = archive.make('a.mp4')
    shutil.copy2(source, archive.videos / 'b.mp4')
    archive.run('plan', 'videos', '-o', 'first')
    archive.run('plan', 'videos', '-o', 'second', '--outputs', 'csv')
    _, first = units_of(archive, 'first')
    assert first == units_of(archive, 'second')[1] and len({unit['id'] for unit in first}) == 2
    archive.run('plan', 'videos', '-o', 'third', '--set', 'gleshistogram.bins=64')
    third = units_of(archive, 'third')[1]
    assert not {unit['id'] for unit in third} & {unit['id'] for unit in first}
    os.utime(source, (0, 0))
    archive.run('plan', 'videos', '-o', 'first')
    again = {unit['file']: unit['id'] for unit in units_of(archive, 'first')[1]}
    before = {unit['file']: unit['id'] for unit in first}
    assert again['b.mp4'] == before['b.mp4'] and again['a.mp4'] != before['a.mp4']


def check_cuts(archive):
    """At keyframes, of files that are longer than a part; keyframes that are too rare make no parts."""
    line = '-f lavfi -i testsrc2=s=96x64:r=25:d=20 -f lavfi -i sine=d=20 -c:v libx264 -preset ultrafast -bf 2 -c:a aac'
    for gop, name in (50, 'c.mp4'), (50, 'c.mkv'), (50, 'transport.ts'), (1000, 'one-keyframe.mp4'):
        archive.make(f'cut/{name}', f'{line} -g {gop} -pix_fmt yuv420p')
    archive.run('plan', archive.videos / 'cut', '-o', 'cut', '--part', '5s')
    by_file = {}
    for unit in units_of(archive, 'cut')[1]:
        by_file.setdefault(unit['file'], []).append(unit)
    assert [unit['kind'] for unit in by_file['one-keyframe.mp4']] == ['whole'], by_file
    # times behind a seek are not exact in it
    assert [unit['kind'] for unit in by_file['transport.ts']] == ['whole'], by_file
    for name in 'c.mp4', 'c.mkv':
        parts = sorted((unit['start'], unit['stop']) for unit in by_file[name] if unit['kind'] == 'part')
        first = parts[0][1] - 6 * SECOND  # where the file begins: Matroska counts from the first sample of sound
        assert 0 <= first < SECOND // 10, parts
        assert parts == [(0, first + 6 * SECOND), (first + 6 * SECOND, first + 12 * SECOND),
                         (first + 12 * SECOND, None)], f'{name}: {parts}'
        assert [unit['kind'] for unit in by_file[name]].count('sound') == 1
    archive.run('plan', archive.videos / 'cut', '-o', 'uncut')
    assert {unit['kind'] for unit in units_of(archive, 'uncut')[1]} == {'whole'}
    archive.run('plan', archive.videos / 'cut', '-o', 'mute', '--part', '5s', '--no-sound')
    assert 'sound' not in {unit['kind'] for unit in units_of(archive, 'mute')[1]}


def check_cuts_alone(tool):
    """The places among given keyframes."""
    with open(tool, encoding='utf-8') as file:
        folder = [line for line in file if line.startswith('sys.path')][0].split("'")[1]
    sys.path.insert(0, folder)
    cuts = importlib.import_module('archive.plan').cuts
    assert cuts([], 10, 100) == []
    assert cuts([0], 10, 100) == []
    assert cuts(list(range(0, 100, 4)), 10, 100) == [12, 24, 36, 48, 60, 72, 84]
    assert cuts(list(range(0, 100, 4)), 10, 87) == [12, 24, 36, 48, 60, 72]
    assert cuts([0, 50, 51, 99], 10, 100) == [50]


def check_wrong(archive):
    """Wrong arguments, and plans that are not there or not of this version."""
    archive.run('plan', archive.top / 'nowhere', '-o', 'x', status=1)
    (archive.top / 'empty').mkdir()
    assert 'no video' in archive.run('plan', 'empty', '-o', 'x', status=1)
    archive.run('plan', 'videos', '-o', 'x', '--part', 'often', status=2)
    archive.run('plan', 'videos', '-o', 'x', '--outputs', 'paper', status=2)
    assert '`plan`' in archive.run('work', 'nowhere', status=1)
    head, *units = (archive.top / 'first' / 'units.ndjson').read_text(encoding='utf-8').splitlines(True)
    for text, said in (('', 'damaged'), (head + units[0][:20], 'damaged'),
                       (head.replace('"plan": 1', '"plan": 2'), 'another version'),
                       (head.replace('1.0 0.1', '1.0 0.0'), 'the plan was made with')):
        (archive.top / 'first' / 'units.ndjson').write_text(text, encoding='utf-8')
        assert said in archive.run('work', 'first', status=1), said


def check_other_runs(archive):
    """Runs in an archive are no part of it."""
    shutil.copytree(archive.videos / 'cut', archive.top / 'nested')
    (archive.top / 'nested' / 'text.txt').write_text('no video\n', encoding='utf-8')
    archive.run('plan', 'nested', '-o', 'nested/one')
    shutil.copy(archive.videos / 'a.mp4', archive.top / 'nested' / 'one' / 'a.mp4')
    archive.run('plan', 'nested', '-o', 'nested/other')
    assert units_of(archive, 'nested/other')[1] == units_of(archive, 'nested/one')[1]
    left_out = [(archive.top / 'nested' / run / 'left-out.ndjson').read_bytes() for run in ('one', 'other')]
    assert left_out[0] == left_out[1] and len(left_out[0].splitlines()) == 1, left_out


def check_no_gi(archive):
    """Without PyGObject, or with a folder of overrides alone, the user is told what to install."""
    for text in '', 'raise ImportError("none")\n':
        package = archive.top / 'python' / 'gi'
        package.mkdir(parents=True, exist_ok=True)
        (package / '__init__.py').write_text(text, encoding='utf-8')
        before, archive.environment = archive.environment, {**archive.environment, 'PYTHONPATH': str(package.parent)}
        said = archive.run('plan', 'videos', '-o', 'no-gi', status=1)
        archive.environment = before
        assert 'install python3-gi' in said and 'Traceback' not in said, said


def check_many(archive, n):
    """Small files, most of which are equal but for their names."""
    many = archive.top / 'many'
    many.mkdir()
    sources = [archive.videos / 'a.mp4', archive.videos / 'cut' / 'c.mkv', archive.videos / 'cut' / 'transport.ts']
    for number in range(n):
        source = sources[number % 3]
        os.link(source, many / f'{number:05d}{source.suffix}')
    begun = time.monotonic()
    said = archive.run('plan', 'many', '-o', 'many-run')
    first = time.monotonic() - begun
    assert f'{n} files, {n} units' in said, said
    archive.run('plan', 'many', '-o', 'many-run')
    print(f'{n} files planned in {first:.1f} s, again in {time.monotonic() - begun - first:.1f} s')


def main(tool, reporter, n):
    with tempfile.TemporaryDirectory() as top:
        archive = Archive(tool, reporter, top)
        check_cuts_alone(tool)
        check_ids(archive)
        check_cuts(archive)
        check_other_runs(archive)
        check_no_gi(archive)
        check_many(archive, int(n))
        check_wrong(archive)


if __name__ == '__main__':
    main(*sys.argv[1:])
