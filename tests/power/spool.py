# SPDX-License-Identifier: LGPL-2.1-or-later
"""After a loss of power a spool has each line that was synced and not acknowledged, in order, and takes new ones.

Arguments: recorder, and the program of spool-driver.c."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from disk import Disk, record

LIMIT = 120


def marked(state):
    """How many lines were synced and acknowledged, for all that the state's own marks say, which were not synced."""
    words = re.findall(r'(synced|sent) (\d+)\n', state.entries['marks'].data.decode())
    return [max([0, *(int(number) for word, number in words if word == name)]) for name in ('synced', 'sent')]


def all_marks(disk, n):
    """The marks that were made before @n changes, whether or not a disk has them."""
    kept = {number for number, change in enumerate(disk.changes[:n])
            if change and (change.owner is disk.marks or change.names and change.names[0][1] == 'marks')}
    state = disk.state(n, kept)
    return marked(state) if 'marks' in state.entries else [0, 0]


def check(driver, top, log, ignored=None):
    disk = Disk(top).read(log, ignored)
    disk.marks = disk.top.entries['marks']
    with tempfile.TemporaryDirectory() as folder:
        expected = {}
        for number, (n, state) in enumerate(disk.states(LIMIT if ignored is None else 40)):
            path = Path(folder, str(number))
            path.mkdir()
            state.write_to(path)
            expected[str(path / 'state' / 'spool')] = all_marks(disk, n)
        done = subprocess.run([driver, 'check', *expected], check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        path, *words = line.split()
        numbers, (synced, sent) = [int(word) for word in words], expected[path]
        assert numbers == sorted(set(numbers)), line
        assert set(range(sent, synced)) <= set(numbers), f'{line}, of {sent} to {synced}'
    return len(expected)


def main(recorder, driver):
    with tempfile.TemporaryDirectory() as folder:
        top, log = Path(folder, 'top'), Path(folder, 'log')
        top.mkdir()
        record(recorder, top, log, [driver, 'write', top / 'state' / 'spool', top / 'marks'])
        print(check(driver, top, log), 'states')
        for ignored in (lambda one: one.entries is None), (lambda one: one.entries is not None):
            try:
                check(driver, top, log, ignored)
            except AssertionError as error:
                print('without these syncs:', error)
                continue
            raise AssertionError('a spool that does not sync was not found')


if __name__ == '__main__':
    main(*sys.argv[1:])
