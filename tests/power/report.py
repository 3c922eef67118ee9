# SPDX-License-Identifier: LGPL-2.1-or-later
"""After a loss of power in gst-gles-report-1.0 each output is the former one or the new one, and after its end the new one.

Arguments: recorder and gst-gles-report-1.0 of the build."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from disk import Disk, record

NAMES = ('p.html', 'p.ndjson', 'p.csv', 'p.vtt', 'p.qctools.xml.gz')
OPTIONS = ('--output', '--ndjson', '--csv', '--events', '--qctools')


def check(disk, ends, versions, limit):
    """Returns how many states were right."""
    n_states = 0
    for n, state in disk.states(limit):
        files = dict(state.files())
        for name in NAMES:
            known = [None, *(version[name] for version in versions)]
            n_ended = sum(end <= n for end in ends)
            assert files.get(name) in known[n_ended:n_ended + 2], f'{name} after {n} of {len(disk.changes)}'
        n_states += 1
    return n_states


def main(recorder, reporter):
    with tempfile.TemporaryDirectory() as folder:
        top, log = Path(folder, 'top'), Path(folder, 'log')
        top.mkdir()
        ends, versions = [], []
        for source in 'testsrc', 'smptebars':
            clip = Path(folder, f'{source}.mkv')
            subprocess.run(['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', f'{source}=s=64x48:r=25:d=1', '-c:v', 'ffv1', clip],
                           check=True)
            names = [word for option, name in zip(OPTIONS, NAMES) for word in (option, top / name)]
            ends.append(record(recorder, top, log, [reporter, '--quiet', '--device', 'cpu', *names, clip]))
            versions.append({name: (top / name).read_bytes() for name in NAMES})
        assert versions[0]['p.csv'] != versions[1]['p.csv']
        print(check(Disk(top).read(log), ends, versions, 400), 'states')
        for ignored in (lambda one: one.entries is None), (lambda one: one.entries is not None):
            try:
                check(Disk(top).read(log, ignored), ends, versions, 400)
            except AssertionError:
                continue
            raise AssertionError('a report that does not sync was not found')
        assert not [name for name in os.listdir(top) if name.endswith('.part')]


if __name__ == '__main__':
    main(*sys.argv[1:])
