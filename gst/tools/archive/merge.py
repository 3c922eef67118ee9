# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes the outputs of each file from its units, and the collection from those of all files.

A file's outputs are made anew if its units are others than before, so that a merge can be repeated at any time."""
import collections
import concurrent.futures
import concurrent.futures.process
import contextlib
import dataclasses
import errno
import hashlib
import json
import os
import shutil
import subprocess
import typing

from . import database, join, names, page, report, summary, unitfile, work
from .folder import Stop, host, make_folder, replacing, sync_folder

VERSION = 4  # of the outputs and summaries
# of the disk, not of a file
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
# name of an output: ending, which tells the report the format of events, and option of the report
OUTPUTS = {'page': ('.html', '--output'), 'ndjson': ('.ndjson', '--ndjson'), 'csv': ('.csv', '--csv'),
           'events': ('.events.ndjson', '--events'), 'events-csv': ('.events.csv', '--events'), 'vtt': ('.vtt', '--events'),
           'scenes': ('-Scenes.csv', '--events'), 'qctools': ('.qctools.xml.gz', '--qctools'),
           'sound': ('.sound.csv', '--sound')}

DEFAULT = ('page', 'ndjson', 'csv', 'events')
STEMS = names.Outputs([ending for ending, _ in OUTPUTS.values()])


@dataclasses.dataclass
class Outcome:
    """How a file is in the merge: complete, damaged (it has problems), failed (there was an error; what was analysed
    before it may be there) or missing (not all of it was analysed)."""
    name: str
    state: str
    error: typing.Optional[str] = None
    summary: typing.Optional[str] = None  # path
    unit: typing.Any = None  # the first of its units
    page: typing.Optional[str] = None  # path below the folder

    def fail(self, error):
        """Makes it a file without results."""
        self.state, self.error, self.summary, self.page = 'failed', error, None, None


class Missing(Exception):
    """Units that are not done."""


class NeedsWhole(Exception):
    """The parts of a file cannot be joined."""


class Failed(Exception):
    """The outputs of a file cannot be made."""


def _set_aside(path):
    with contextlib.suppress(FileNotFoundError):
        os.replace(path, path + '.damaged')


def _copy_lines(source, target, strip):
    """Writes lines to a file, with those of pictures, which the strip takes."""
    with open(target, 'wb') as file:
        for line in source:
            if isinstance(line, dict):
                return line
            if line.startswith(b'{"type":"picture"'):
                strip.add(line)
            file.write(line)
    return {'status': 0, 'error': None}


def _damage(problems):
    """Text for people, or None."""
    counts = collections.Counter()
    for event in problems:
        counts[event['more']['problem']] += event['more'].get('count', 1)
    return ', '.join(f'{count} {problem}' for problem, count in sorted(counts.items())) or None


def _key(plan, units):
    facts = [VERSION, plan.outputs, [unit.id for unit in units]]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


class File:
    """A file of the archive in the merge."""

    def __init__(self, folder, plan, name, units):
        self.folder, self.plan, self.name, self.units = folder, plan, name, units
        self.is_cut = units[0].kind != 'whole'
        self.whole = plan.whole(units[0]) if self.is_cut else units[0]
        self.stem = 'files/' + STEMS.stem(name)

    def path(self, output):
        return self.folder.at(self.stem + OUTPUTS[output][0])

    def _mark(self, path):
        """What tells that a file is as it was, below the folder; None: it is not there."""
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            status = os.stat(self.folder.at(path))
            return [status.st_size, status.st_mtime_ns]
        return None

    def _is_current(self, facts):
        return facts is not None and all(self._mark(path) == mark for path, mark in facts['made'].items())

    def merge(self):
        """Makes the outputs, if they are not there as they were made. Returns the Outcome; raises NeedsWhole."""
        def outcome(state, error=None, path=None):
            return Outcome(self.name, state, error, path, self.units[0])

        chosen = [self.whole] if self.folder.is_done(self.whole.id) else self.units
        if self.is_cut and self.folder.has_failed(self.whole.id):
            return outcome('failed', self.folder.failures(self.whole.id)[-1]['error'])
        missing = [unit for unit in chosen if not self.folder.is_done(unit.id)]
        failed = [unit for unit in missing if self.folder.has_failed(unit.id)]
        if failed:
            error = self.folder.failures(failed[0].id)[-1]['error']
            if self.is_cut and len(failed) == len(missing):
                raise NeedsWhole(error)
            return outcome('missing' if self.is_cut else 'failed', error)
        if missing:
            return outcome('missing', f'{len(missing)} of {len(chosen)} units are not done')
        path = self.folder.at('summaries', _key(self.plan, chosen) + '.json.gz')
        facts = summary.load(path)
        if not self._is_current(facts):
            try:
                facts = self._make(chosen, path)
            except Missing as error:
                return outcome('missing', str(error))
        found = outcome('failed' if facts['error'] else 'damaged' if facts['problems'] else 'complete',
                        facts['error'] or _damage(facts['problems']), path)
        if 'page' in self.plan.outputs:
            found.page = self.stem + OUTPUTS['page'][0]
        return found

    def _make(self, units, path):
        temporary = self.folder.at('files', f'.{self.whole.id}.{host()}-{os.getpid()}.part')
        os.makedirs(os.path.join(temporary, 'lines'), exist_ok=True)
        try:
            # the page is called like the file, which may have the name of any output
            lines = os.path.join(temporary, 'lines', os.path.basename(self.name))
            strip = summary.Strip()
            facts = self._write_lines(units, lines, strip)
            made = self._run_report(lines, temporary, facts['status'] == 1)
            taken = summary.Summary()
            with open(made['ndjson'], encoding='utf-8') as file:
                for line in file:
                    taken.add(line)
            top = os.path.dirname(self.path('ndjson'))
            make_folder(top)
            for output in self.plan.outputs:
                os.replace(made[output], self.path(output))
            sync_folder(top)  # the summary says that they are there
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        paths = [f'units/{os.path.basename(self.folder.unit(unit.id))}' for unit in units]
        paths += [self.stem + OUTPUTS[output][0] for output in self.plan.outputs]
        facts = {'error': facts['error'], **taken.facts(strip), 'made': {path: self._mark(path) for path in paths}}
        summary.save(path, facts)
        return facts

    def _write_lines(self, units, target, strip):
        try:
            if len(units) == 1:
                return _copy_lines(unitfile.read(self.folder.unit(units[0].id), units[0].id), target, strip)
            parts = [join.Part(self.folder.unit(unit.id), unit) for unit in units if unit.kind == 'part']
            sound = [unitfile.read(self.folder.unit(unit.id), unit.id) for unit in units if unit.kind == 'sound']
            return _copy_lines(join.Joined(parts, sound[0] if sound else None), target, strip)
        except join.Unjoinable as error:
            raise NeedsWhole(str(error)) from error
        except unitfile.Damaged as error:
            for unit in units:
                self._check(unit)
            raise Missing(str(error)) from error

    def _check(self, unit):
        """Sets a damaged unit aside, so that it is analysed again."""
        path = self.folder.unit(unit.id)
        try:
            for _ in unitfile.read(path, unit.id):
                pass
        except unitfile.Damaged:
            _set_aside(path)

    def _run_report(self, lines, temporary, partial):
        made = {output: os.path.join(temporary, 'made' + ending) for output, (ending, _) in OUTPUTS.items()}
        # events are made again of whole files, too, so that there is one way to a page
        command = [report.program(), '--quiet', '--from', lines, '--replay', *self.plan.settings]
        if 'page' not in self.plan.outputs:
            command.append('--no-page')
        if partial:
            command.append('--partial')
        for output, (_, option) in OUTPUTS.items():
            if output in self.plan.outputs or output == 'ndjson':
                command += [option, made[output]]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace')
        if done.returncode not in (0, 3):
            raise Failed(done.stderr.strip() or f'the report ended with status {done.returncode}')
        return made


def _failed(name, units, error):
    """The outcome of a file after an error, which is that of the file alone. Raises Stop if the disk is full."""
    if isinstance(error, OSError) and error.errno in FULL:
        raise Stop(f'{error.filename or name}: {error.strerror}. Nothing is lost: the same command goes on') from error
    known = isinstance(error, (OSError, Failed))
    return Outcome(name, 'failed', str(error) if known else f'{type(error).__name__}: {error}', None, units[0])


def _merge_file(arguments):
    """In a process of its own. Returns an Outcome, or why the file has to be one unit."""
    _, _, name, units = arguments
    try:
        return File(*arguments).merge()
    except NeedsWhole as error:
        return str(error)
    except Stop:
        raise
    except Exception as error:  # pylint: disable=broad-except
        return _failed(name, units, error)


def _merge_alone(task):
    """After the process that merged this file, or one beside it, was killed."""
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(_merge_file, task).result()
        except concurrent.futures.process.BrokenProcessPool:
            return _failed(*task[2:], Failed('the process that merged it was killed'))


def _do_whole(folder, plan, name, units, reason):
    """Analyses a file as one unit, because its parts cannot be joined."""
    unit = plan.whole(units[0])
    with open(folder.fallback, 'a', encoding='utf-8') as file:
        file.write(json.dumps({'file': name, 'unit': unit.id, 'reason': reason}) + '\n')
    try:
        work.attempt(folder, plan, unit)
    except OSError as error:
        return _failed(name, units, error)
    found = _merge_file((folder, plan, name, units))
    return _failed(name, units, Failed(found)) if isinstance(found, str) else found


def _merged(tasks, jobs):
    """Yields each task and what _merge_file() returns of it. A process that is killed costs its own file alone."""
    while tasks:
        with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
            results = pool.map(_merge_file, tasks)
            for number, task in enumerate(tasks, 1):
                try:
                    yield task, next(results)
                except concurrent.futures.process.BrokenProcessPool:
                    yield task, _merge_alone(task)
                    break
        tasks = tasks[number:]


def _outcomes(folder, plan, jobs, say):
    # each task is sent to a process, which needs no other units
    bare = dataclasses.replace(plan, units=[])
    tasks = [(folder, bare, name, units) for name, units in plan.files().items()]
    for number, (task, found) in enumerate(_merged(tasks, jobs), 1):
        say(f'merge: {number} of {len(tasks)} files')
        yield _do_whole(*task, found) if isinstance(found, str) else found


def merge(folder, plan, jobs, say):
    """Makes all outputs. Returns the Outcomes, in the order of files."""
    os.makedirs(folder.at('summaries'), exist_ok=True)
    work.check_version(plan)
    outcomes = list(_outcomes(folder, plan, jobs, say))
    left_out = []
    with contextlib.suppress(FileNotFoundError), open(folder.left_out, encoding='utf-8') as file:
        try:
            left_out = [json.loads(line) for line in file]
        except ValueError as error:
            raise Stop(f'{folder.left_out} is damaged ({error}): plan again; what is done is not done again') from None
    say('merge: database and index')
    database.write(folder, plan, outcomes, left_out)
    page.write(folder, plan, outcomes)
    with replacing(folder.at('missing.ndjson'), 'w') as file:
        for outcome in outcomes:
            if outcome.state != 'complete':
                file.write(json.dumps({'file': outcome.name, 'state': outcome.state, 'error': outcome.error}) + '\n')
    return outcomes
