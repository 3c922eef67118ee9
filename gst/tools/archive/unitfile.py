# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files of units: lines of the report in compressed blocks, and a last line that tells what was written and its SHA-256.

Of the line of a frame the head, the format of the file and the results are kept. The report makes all else again from the results.

The same unit has the same bytes whoever writes it: the last line has no time and no machine."""
import hashlib
import json
import lzma
import re

from . import blocks
from .folder import replacing

FORMAT = 4  # of unit files: a change of it changes the ids of all units
CHUNK = 1 << 18
# how glesjson begins the line of a frame: up to its number, the number, up to its running time, that, its stream time
FRAME = re.compile(rb'(\{"version":1,(?:"tags":\{.*?\},)?"frame":)(\d+)'
                   rb'(,"pts":(\d+|null),"duration":(?:\d+|null),"running_time":)(\d+|null)'
                   rb',"stream_time":(\d+|null),')
STORED = re.compile(rb',"stored_format":"\w+"')  # the results do not tell it


class Damaged(Exception):
    """A unit file that is not what it should be: truncated, changed, of another unit."""


class Tally:
    """Takes the lines of a report, whatever pieces they come in: counts those of frames, and leaves out what replaying
    does not need."""

    def __init__(self):
        self.frames, self.first_pts, self.last_pts = 0, None, None
        self.rest = b''

    def add(self, data):
        """Yields the lines that are to be kept, without their line feeds, of those that @data completes."""
        *lines, self.rest = (self.rest + data).split(b'\n')
        for line in lines:
            yield self._keep(line)

    def _keep(self, line):
        match = FRAME.match(line)
        if not match:
            return line
        self.frames += 1
        self.last_pts = None if match.group(4) == b'null' else int(match.group(4))
        if self.frames == 1:
            self.first_pts = self.last_pts
        results = line.rfind(blocks.RESULTS, match.end())
        if results < 0:
            return line
        stored = STORED.search(line, match.end() - 1, results)
        return line[:match.end() - 1] + (stored.group() if stored else b'') + line[results:]

    def last_line(self, unit, status, error, sha256):
        facts = {'unit': unit.id, 'kind': unit.kind, 'status': status, 'error': error, 'frames': self.frames,
                 'first_pts': self.first_pts, 'last_pts': self.last_pts, 'sha256': sha256}
        return json.dumps(facts).encode() + b'\n'


def write(path, unit, chunks, ending):
    """Writes the pieces that @chunks yields, and then what @ending(tally) returns: a status and an error, or an
    exception that leaves no file."""
    tally, packer, sha256 = Tally(), blocks.Packer(), hashlib.sha256()
    with replacing(path) as file:
        def flush():
            for data, packed in packer.finish():
                sha256.update(data)
                file.write(packed)

        for data in chunks:
            for line in tally.add(data):
                if packer.add(line):
                    flush()
        flush()
        status, error = ending(tally)
        if tally.rest:
            raise Damaged('the last line of the report has no end')
        file.write(blocks.compress(tally.last_line(unit, status, error, sha256.hexdigest()), blocks.LINES))


def read(path, identity):
    """Yields the lines of a unit, and at last its facts as a dict. Raises Damaged, at the latest after all lines: what
    came until then is not to be used."""
    sha256, facts = hashlib.sha256(), None
    try:
        with open(path, 'rb') as file:
            streams = blocks.streams(file)
            for stream in streams:
                values = next(streams, None)
                if values is None:
                    facts = json.loads(stream)
                    break
                sha256.update(stream)
                sha256.update(values)
                yield from blocks.unpack(stream, values)
    except (OSError, EOFError, lzma.LZMAError, ValueError) as error:
        raise Damaged(f'{path}: {error}') from error
    if not isinstance(facts, dict) or 'unit' not in facts:
        raise Damaged(f'{path}: the last line is missing')
    if facts['unit'] != identity:
        raise Damaged(f'{path}: it is of unit {facts["unit"]}')
    if facts['sha256'] != sha256.hexdigest():
        raise Damaged(f'{path}: SHA-256 is not that of the last line')
    yield facts
