# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests of gst-gles-archive-1.0 share: small archives, runs of the tool, and what one serial run of the report
writes."""
import hashlib
import os
import subprocess
import sys
from pathlib import Path

OUTPUTS = {'.ndjson': '--ndjson', '.csv': '--csv', '.events.ndjson': '--events'}
# what is not written by default
MORE_OUTPUTS = {'.events.csv': '--events', '.vtt': '--events', '-Scenes.csv': '--events', '.qctools.xml.gz': '--qctools'}
H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 10'
# cuts and black pictures, so that there are events; few pictures a second, because most tests analyse them many times
SCENES = ("-f lavfi -i testsrc2=s=192x108:r=10:d=2 -f lavfi -i color=black:s=192x108:r=10:d=3 "
          "-f lavfi -t 5 -i mandelbrot=s=192x108:r=10 "
          "-filter_complex [0:v][1:v][2:v]concat=n=3:v=1,format=yuv420p")


class Archive:
    """A folder of videos, and the tool with the report that the tests build."""

    def __init__(self, tool, reporter, top):
        self.tool, self.reporter, self.top = os.path.abspath(tool), os.path.abspath(reporter), Path(top)
        self.videos = self.top / 'videos'
        self.videos.mkdir()
        self.environment = {**os.environ, 'GST_GLES_REPORT': self.reporter}
        self.serial_of = {}
        self.outputs, self.measures = OUTPUTS, []

    def make(self, name, line=f'{SCENES} {H264}'):
        path = self.videos / name
        path.parent.mkdir(exist_ok=True, parents=True)
        subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', *line.split(), str(path)], check=True)
        return path

    def start(self, *arguments, **more):
        return subprocess.Popen([sys.executable, self.tool, *map(str, arguments)], env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.top, **more)

    def run(self, *arguments, status=0, **more):
        """What the tool says; fails if it ends with another status."""
        process = self.start(*arguments, **more)
        said, complained = process.communicate(timeout=300)
        assert process.returncode == status, f'{arguments}: status {process.returncode}, not {status}: {said}{complained}'
        return said + complained

    def serial(self, path, root=None):
        """SHA-256 of what one serial run of the report writes, by ending. On one processor: decoders with several
        threads tell of damage at other times in each run."""
        if path not in self.serial_of:
            name = self.top / 'serial'
            below = str(path.relative_to(root or self.videos))
            command = ['taskset', '--cpu-list', str(min(os.sched_getaffinity(0))), self.reporter, '--quiet', '--device', 'cpu', '--no-page',
                       '--stream-id', hashlib.sha256(os.fsencode(below)).hexdigest(), *self.measures]
            for ending, option in self.outputs.items():
                command += [option, f'{name}{ending}']
            subprocess.run([*command, str(path)], check=False, stderr=subprocess.DEVNULL)
            self.serial_of[path] = {ending: digest(f'{name}{ending}') for ending in self.outputs}
        return self.serial_of[path]

    def merged(self, run, path, root):
        name = self.top / run / 'files' / path.relative_to(root)
        return {ending: digest(f'{name}{ending}') for ending in self.outputs}

    def check(self, run, *paths, root=None):
        """The merge of videos below @root has what serial runs write."""
        for path in paths:
            assert self.merged(run, path, root or self.videos) == self.serial(path, root), f'{run}: {path.name} differs from a serial run'

    def units(self, run):
        return sorted((self.top / run / 'units').glob('*.xz'))


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
