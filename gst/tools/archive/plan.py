# SPDX-License-Identifier: LGPL-2.1-or-later
"""The plan of a run: the files of an archive, cut into units that can be analysed one by one, anywhere.

units.ndjson has a line for the plan and one for each unit, longest first. left-out.ndjson says why a file has none."""
import concurrent.futures
import concurrent.futures.process
import contextlib
import dataclasses
import hashlib
import json
import mimetypes
import os
import re
import signal
import stat
import sys
import time
import typing

from . import demux, report, unitfile
from .folder import Stop, is_run, replacing

FORMAT = 1  # of the plan; that of units is in unitfile.py
SECOND = 10**9
LONG_NS = 3600 * SECOND  # longer files are cut, without --part
PART_NS = 1200 * SECOND


class Damaged(Stop):
    """The plan of a folder cannot be read."""


@dataclasses.dataclass
class Unit:
    """A file (`whole`), a range of one (`part`) or the sound of one that is cut (`sound`). Times are ns of stream time;
    stop is None at the end of the file."""
    id: str
    file: str  # below the archive's folder
    path: str
    size: int
    mtime_ns: int
    kind: str
    start: int = 0
    stop: typing.Optional[int] = None
    duration: typing.Optional[int] = None  # of the unit


@dataclasses.dataclass
class Plan:
    root: str
    report: str  # version of the program
    settings: list  # arguments of the report
    part: typing.Optional[int]
    outputs: list
    units: list = dataclasses.field(default_factory=list)

    def files(self):
        """Units by file, in the order of names; parts in the order of time."""
        by_file = {}
        for unit in self.units:
            by_file.setdefault(unit.file, []).append(unit)
        return {name: sorted(by_file[name], key=lambda unit: (unit.kind == 'sound', unit.start))
                for name in sorted(by_file)}

    def identify(self, unit):
        """Sets a unit's id: what is the same in another run has the same."""
        facts = [FORMAT, unitfile.FORMAT, unit.path, unit.size, unit.mtime_ns, unit.kind, unit.start, unit.stop,
                 report.PIPELINE, self.settings, self.report]
        unit.id = hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]
        return unit

    def whole(self, unit):
        """The unit of all of a file, in place of a part of it."""
        return self.identify(dataclasses.replace(unit, kind='whole', start=0, stop=None, duration=None))


def parse_time(text):
    """Nanoseconds of 90, 90s, 20min or 1.5h."""
    match = re.fullmatch(r'(\d+(?:\.\d+)?)(s|min|h)?', text)
    if not match or float(match.group(1)) == 0:
        raise ValueError(f'{text} is no time: write 90s, 20min or 1.5h')
    return round(float(match.group(1)) * {'min': 60, 'h': 3600}.get(match.group(2), 1) * SECOND)


def cuts(keyframes, part, end):
    """Where a file is cut: at the first keyframe that is @part or more behind the last cut. A rest of less than half a
    part belongs to the part before."""
    found, last = [], keyframes[0] if keyframes else 0
    for time_ns in keyframes:
        if time_ns >= last + part and time_ns <= end - part // 2:
            found.append(time_ns)
            last = time_ns
    return found


SPECIAL = {stat.S_IFIFO: 'a FIFO', stat.S_IFSOCK: 'a socket', stat.S_IFCHR: 'a device', stat.S_IFBLK: 'a device'}


class Walk:
    """All that is below a folder, without what is below @avoid and in the folders of other runs, in the order of names."""

    def __init__(self, root, avoid):
        self.root, self.avoid = root, avoid
        self.linked = {}  # files outside, by their real paths, and the first link to each

    def __iter__(self):
        """Yields the path of each entry, its status, and why it is no file of the archive, or None."""
        unreadable = []
        for top, folders, names in os.walk(self.root, onerror=unreadable.append):
            links = [name for name in folders if os.path.islink(os.path.join(top, name))]
            folders[:] = sorted(name for name in folders if os.path.join(top, name) != self.avoid and
                                not is_run(os.path.join(top, name)))
            for name in sorted(names + links):
                path = os.path.join(top, name)
                yield path, *self._look(path)
        for error in unreadable:
            yield error.filename, None, error.strerror

    def _look(self, path):
        is_link = os.path.islink(path)
        try:
            status = os.stat(path)
        except OSError as error:
            return None, f'a link that leads nowhere: {error.strerror}' if is_link else error.strerror
        if stat.S_ISREG(status.st_mode):
            return status, self._known(path) if is_link else None
        return status, 'a link to a folder' if stat.S_ISDIR(status.st_mode) else SPECIAL[stat.S_IFMT(status.st_mode)]

    def _known(self, link):
        """Why the file behind a link is planned already, or None."""
        path = os.path.realpath(link)
        if path.startswith(os.path.join(self.root, '')):
            return f'a link to {os.path.relpath(path, self.root)}'
        first = self.linked.setdefault(path, link)
        return None if first == link else f'a link to the same file as {os.path.relpath(first, self.root)}'


def _whole(plan, path, status):
    return plan.identify(Unit('', os.path.relpath(path, plan.root), path, status.st_size, status.st_mtime_ns, 'whole'))


def _without_video(whole, error):
    """What cannot be demuxed but should be a video is analysed: the report says what is wrong with it."""
    named_video = (mimetypes.guess_type(whole.path)[0] or '').startswith('video/')
    return ([whole], None) if named_video else ([], error)


def _units(plan, path, status):
    """The units of a file and why it has none."""
    whole = _whole(plan, path, status)
    found = demux.look(path)
    whole.duration = found.duration
    if found.video is None:
        return _without_video(whole, found.error) if found.error else ([], f'no video, {found.sound} streams of sound')
    limit = plan.part or LONG_NS
    if found.duration is None or found.duration <= limit or not found.exact:
        return [whole], None
    found = demux.look(path, whole=True)
    places = cuts(found.keyframes, plan.part or PART_NS, found.duration or whole.duration)
    if found.error or not places:
        return [whole], None
    units = [dataclasses.replace(whole, kind='part', start=start, stop=stop,
                                 duration=(stop or whole.duration) - start)
             for start, stop in zip([0, *places], [*places, None])]
    if found.sound and '--no-sound' not in plan.settings:
        units.append(dataclasses.replace(whole, kind='sound'))
    return [plan.identify(unit) for unit in units], None


class Planner:
    """Looks at files in a process beside this one: a demuxer that crashes costs its file alone."""

    def __init__(self, plan):
        self.plan = dataclasses.replace(plan, units=[])
        self.pool = None

    def units(self, path, status):
        """The units of a file and why it has none."""
        if self.pool is None:
            # Ctrl-C ends it without a word
            self.pool = concurrent.futures.ProcessPoolExecutor(1, None, signal.signal, (signal.SIGINT, signal.SIG_DFL))
        try:
            return self.pool.submit(_units, self.plan, path, status).result()
        except Stop:
            raise
        except concurrent.futures.process.BrokenProcessPool:
            self.close()
            error = 'the process that looked at it was killed'
        except Exception as failure:  # pylint: disable=broad-except
            error = f'{type(failure).__name__}: {failure}'
        return _without_video(_whole(self.plan, path, status), error)

    def close(self):
        if self.pool is not None:
            self.pool.shutdown()
        self.pool = None


def _reusable(plan, old):
    """Units of a former plan by path, where it was made in the same way."""
    if old is None or dataclasses.replace(old, units=[]) != dataclasses.replace(plan, units=[]):
        return {}
    by_path = {}
    for unit in old.units:
        by_path.setdefault(unit.path, []).append(unit)
    return by_path


def make(folder, plan, say=None):
    """Looks at all files below plan.root and writes the plan. Files of a former plan that have not changed are not
    looked at again. Returns the numbers of files and of files left out."""
    former = {}
    with contextlib.suppress(Damaged):
        former = _reusable(plan, read(folder) if os.path.exists(folder.plan) else None)
    left_out, n_files, told = [], 0, time.monotonic()
    with contextlib.closing(Planner(plan)) as planner:
        for path, status, reason in Walk(plan.root, folder.path):
            units = []
            if reason is None:
                units = former.get(path, [])
                if not units or (units[0].size, units[0].mtime_ns) != (status.st_size, status.st_mtime_ns):
                    units, reason = planner.units(path, status)
            if not units:
                left_out.append({'file': os.path.relpath(path, plan.root), 'reason': reason})
            n_files += bool(units)
            plan.units += units
            if say and time.monotonic() - told > 1:
                told = time.monotonic()
                say(f'{n_files} files planned')
    with replacing(folder.left_out, 'w') as file:
        file.writelines(json.dumps(line) + '\n' for line in left_out)
    if not n_files:
        raise Stop(f'there is no video in {plan.root}: {folder.left_out} says what there is')
    plan.units.sort(key=lambda unit: (-(unit.duration or unit.size * 8000), unit.file, unit.start, unit.kind))
    write(folder, plan)
    return n_files, len(left_out)


def write(folder, plan):
    head = {'plan': FORMAT, 'root': plan.root, 'report': plan.report, 'settings': plan.settings, 'part': plan.part,
            'outputs': plan.outputs}
    with replacing(folder.plan, 'w') as file:
        file.write(json.dumps(head) + '\n')
        file.writelines(json.dumps(dataclasses.asdict(unit)) + '\n' for unit in plan.units)


def read(folder):
    try:
        with open(folder.plan, encoding='utf-8') as file:
            head = json.loads(file.readline())
            if head.get('plan') != FORMAT:
                raise Stop(f'{folder.plan} is of another version of this tool: plan again, in a new folder')
            units = [Unit(**json.loads(line)) for line in file]
            return Plan(head['root'], head['report'], head['settings'], head['part'], head['outputs'], units)
    except FileNotFoundError:
        raise Stop(f'{folder.plan} is not there: `plan` or `run` makes it') from None
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise Damaged(f'{folder.plan} is damaged ({error}): plan again; what is done is not done again') from None


def say_progress(text):
    """One line that is written over on a terminal, nothing elsewhere."""
    if sys.stderr.isatty():
        sys.stderr.write(f'\r\x1b[K{text}')
        sys.stderr.flush()
