# SPDX-License-Identifier: LGPL-2.1-or-later
"""After a loss of power in gst-gles-archive-1.0 what the folder of a run calls done is there as it was written; after the
end of a run all of it is; and the same command makes the rest.

Arguments: recorder, gst-gles-archive-1.0 and gst-gles-report-1.0 of the build."""
import os
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'archive'))
from archives import Archive  # noqa: E402
from collection import modules  # noqa: E402
from disk import Disk, record  # noqa: E402

LIMIT = 300
N_REPEATED = 2
WHOLE = ('collection.sqlite', 'index.html', 'index/files.js', 'missing.ndjson', 'left-out.ndjson', 'units.ndjson')


class Again(Exception):
    """The outputs of a file would be made again."""


class Run:
    """A run of two videos, recorded, and once more after one of them has changed."""

    def __init__(self, recorder, archive):
        self.folders, self.merges, _, self.plans, _ = modules(archive.tool)
        self.unitfile = sys.modules['archive.unitfile']
        self.top, self.log = archive.top / 'top', archive.top / 'log'
        self.top.mkdir()
        self.versions, self.outputs, self.ends = [], {}, []
        for source in 'testsrc', 'smptebars':
            archive.make('a/a.mkv', f'-f lavfi -i {source}=s=64x48:r=25:d=0.4 -c:v ffv1')
            if source == 'testsrc':
                archive.make('b.mkv', '-f lavfi -i testsrc2=s=64x48:r=25:d=0.4 -c:v ffv1')
            self.ends.append(record(recorder, self.top, self.log, [
                sys.executable, archive.tool, 'run', archive.videos, '-o', self.top / 'run', '-j', 1], env=archive.environment))
            self.note()

    def note(self):
        run = self.top / 'run'
        self.versions.append({name: (run / name).read_bytes() for name in WHOLE})
        plan = self.plans.read(self.folders.Folder(run))
        endings = [self.merges.OUTPUTS[output][0] for output in plan.outputs]
        for unit in plan.units:
            self.outputs[unit.id] = {ending: Path(f'{run}/files/{unit.file}{ending}').read_bytes() for ending in endings}

    def check_file(self, folder, plan, name, units):
        """Returns whether it is complete."""
        for unit in units:
            if folder.is_done(unit.id):
                for _ in self.unitfile.read(folder.unit(unit.id), unit.id):
                    pass
        try:
            outcome = self.merges.File(folder, plan, name, units).merge()
        except Again:
            return False
        if outcome.state == 'missing':
            return False
        assert outcome.state == 'complete', outcome
        for ending, data in self.outputs[units[0].id].items():
            assert Path(f'{folder.path}/files/{name}{ending}').read_bytes() == data, f'{name}{ending} is another'
        return True

    def check_folder(self, path, n_ended):
        for name in WHOLE:
            found = (path / name).read_bytes() if (path / name).exists() else None
            known = [None, *(version[name] for version in self.versions)]
            assert found in known[n_ended:n_ended + 2], f'{name} after {n_ended} runs'
        if not (path / 'units.ndjson').exists():
            return
        folder = self.folders.Folder(path)
        plan = self.plans.read(folder)
        complete = [self.check_file(folder, plan, name, units) for name, units in plan.files().items()]
        assert all(complete) or n_ended < len(self.ends), complete

    def check(self, ignored=None, repeat=None):
        """@repeat: called with some of the folders. Returns how many states were right."""
        disk = Disk(self.top).read(self.log, ignored)
        states = list(disk.states(LIMIT))
        repeated = random.Random(3).sample(range(len(states)), N_REPEATED)
        make, self.merges.File._make = self.merges.File._make, self.make_again
        try:
            for number, (n, state) in enumerate(states):
                with tempfile.TemporaryDirectory() as folder:
                    state.write_to(folder)
                    self.check_folder(Path(folder, 'run'), sum(end <= n for end in self.ends))
                    if repeat and number in repeated:
                        repeat(Path(folder, 'run'))
        finally:
            self.merges.File._make = make
        return len(states)

    @staticmethod
    def make_again(*_):
        raise Again


def main(recorder, tool, reporter):
    with tempfile.TemporaryDirectory() as top:
        archive = Archive(tool, reporter, top)
        run = Run(recorder, archive)

        def repeat(path):
            archive.run('run', 'videos', '-o', path)
            archive.check(path, archive.videos / 'a/a.mkv', archive.videos / 'b.mkv')

        print(run.check(repeat=repeat), 'states')
        for ignored in (lambda one: one.entries is None), (lambda one: one.entries is not None):
            try:
                run.check(ignored)
            except (AssertionError, run.unitfile.Damaged, run.plans.Damaged) as error:
                print('without these syncs:', error)
                continue
            raise AssertionError('an archive that does not sync was not found')


if __name__ == '__main__':
    main(*sys.argv[1:])
