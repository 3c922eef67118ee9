# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes the outputs of each file from its units, and the collection from those of all files.

A file's outputs are made anew if its units are others than before, so that a merge can be repeated at any time."""
import concurrent.futures
import contextlib
import dataclasses
import hashlib
import json
import os
import shutil
import subprocess
import typing

from . import database, join, page, report, summary, unitfile, work
from .folder import Stop, host, replacing

VERSION = 1  # of the outputs and summaries
# name of an output: ending, option of the report
OUTPUTS = {'page': ('.html', '--output'), 'ndjson': ('.ndjson', '--ndjson'), 'csv': ('.csv', '--csv'),
           'events': ('.events.ndjson', '--events'), 'qctools': ('.qctools.xml.gz', '--qctools')}

DEFAULT = ('page', 'ndjson', 'csv', 'events')


@dataclasses.dataclass
class Outcome:
    """How a file is in the merge: complete, partial (its analysis ended with an error), missing or failed."""
    name: str
    state: str
    error: typing.Optional[str] = None
    summary: typing.Optional[str] = None  # path
    unit: typing.Any = None  # the first of its units


class Missing(Exception):
    """Units that are not done."""


class NeedsWhole(Exception):
    """The parts of a file cannot be joined."""


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


def _key(plan, units):
    facts = [VERSION, plan.outputs, [unit.id for unit in units]]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


class File:
    """A file of the archive in the merge."""

    def __init__(self, folder, plan, name, units):
        self.folder, self.plan, self.name, self.units = folder, plan, name, units
        self.is_cut = units[0].kind != 'whole'
        self.whole = plan.whole(units[0]) if self.is_cut else units[0]

    def path(self, output):
        return self.folder.at('files', self.name + OUTPUTS[output][0])

    def merge(self):
        """Makes the outputs, if they are not there. Returns the Outcome; raises NeedsWhole."""
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
        if facts is None or not all(os.path.exists(self.path(output)) for output in self.plan.outputs):
            try:
                facts = self._make(chosen, path)
            except Missing as error:
                return outcome('missing', str(error))
        return outcome('partial' if facts['error'] else 'complete', facts['error'], path)

    def _make(self, units, path):
        temporary = self.folder.at('files', f'.{self.whole.id}.{host()}-{os.getpid()}.part')
        os.makedirs(temporary, exist_ok=True)
        try:
            lines = os.path.join(temporary, os.path.basename(self.name))
            strip = summary.Strip()
            facts = self._write_lines(units, lines, strip)
            made = self._run_report(lines, temporary)
            taken = summary.Summary()
            with open(made['ndjson'], encoding='utf-8') as file:
                for line in file:
                    taken.add(line)
            os.makedirs(os.path.dirname(self.path('ndjson')), exist_ok=True)
            for output in self.plan.outputs:
                os.replace(made[output], self.path(output))
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        facts = {'error': facts['error'], **taken.facts(strip)}
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

    def _run_report(self, lines, temporary):
        made = {output: os.path.join(temporary, 'made' + ending) for output, (ending, _) in OUTPUTS.items()}
        # events are made again of whole files, too, so that there is one way to a page
        command = [report.program(), '--quiet', '--from', lines, '--replay', *self.plan.settings]
        if 'page' not in self.plan.outputs:
            command.append('--no-page')
        for output, (_, option) in OUTPUTS.items():
            if output in self.plan.outputs or output == 'ndjson':
                command += [option, made[output]]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace')
        if done.returncode not in (0, 3):
            raise Stop(f'{self.name}: {done.stderr.strip() or f"the report ended with status {done.returncode}"}')
        return made


def _merge_file(arguments):
    """In a process of its own. Returns an Outcome, or why the file has to be one unit."""
    file = File(*arguments)
    try:
        return file.merge()
    except NeedsWhole as error:
        return str(error)


def _do_whole(folder, plan, name, units, reason):
    """Analyses a file as one unit, because its parts cannot be joined."""
    unit = plan.whole(units[0])
    with open(folder.fallback, 'a', encoding='utf-8') as file:
        file.write(json.dumps({'file': name, 'unit': unit.id, 'reason': reason}) + '\n')
    work.attempt(folder, plan, unit)
    try:
        return File(folder, plan, name, units).merge()
    except NeedsWhole:
        return Outcome(name, 'failed', reason, None, units[0])


def _outcomes(folder, plan, jobs, say):
    files = plan.files()
    tasks = [(folder, plan, name, units) for name, units in files.items()]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for number, (task, found) in enumerate(zip(tasks, pool.map(_merge_file, tasks, chunksize=4)), 1):
            say(f'merge: {number} of {len(tasks)} files')
            yield _do_whole(*task, found) if isinstance(found, str) else found


def merge(folder, plan, jobs, say):
    """Makes all outputs. Returns the Outcomes, in the order of files."""
    os.makedirs(folder.at('summaries'), exist_ok=True)
    work.check_version(plan)
    outcomes = list(_outcomes(folder, plan, jobs, say))
    left_out = []
    with contextlib.suppress(FileNotFoundError), open(folder.left_out, encoding='utf-8') as file:
        left_out = [json.loads(line) for line in file]
    say('merge: database and index')
    database.write(folder, plan, outcomes, left_out)
    page.write(folder, plan, outcomes)
    with replacing(folder.at('missing.ndjson'), 'w') as file:
        for outcome in outcomes:
            if outcome.state != 'complete':
                file.write(json.dumps({'file': outcome.name, 'state': outcome.state, 'error': outcome.error}) + '\n')
    return outcomes
