# SPDX-License-Identifier: LGPL-2.1-or-later
"""Analyses units: each in a child process, which writes its lines to a pipe. A worker holds a few lines at a time."""
import contextlib
import errno
import os
import signal
import subprocess
import tempfile
import time

from . import report, unitfile
from .folder import MAX_FAILURES, Stop

BEAT_S = 30
WAIT_S = 0.5  # for the units of others
# of the place that is written to, not of the unit
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EACCES, errno.ESTALE)
ERROR_CHARACTERS = 2000
PROCESSOR = 36  # of /proc/PID/stat, counted behind the name


class Failed(Exception):
    """A unit could not be analysed. @final: trying again is of no use."""

    def __init__(self, message, final=False):
        super().__init__(message)
        self.final = final


def _check_input(unit):
    try:
        status = os.stat(unit.path)
    except OSError as error:
        raise Failed(f'{unit.path}: {error.strerror}') from error
    if (status.st_size, status.st_mtime_ns) != (unit.size, unit.mtime_ns):
        raise Failed(f'{unit.path} is not the file that was planned: plan again', final=True)


def _text_of(file):
    file.seek(0)
    text = file.read().decode(errors='replace').strip()
    return text[-ERROR_CHARACTERS:]


class Child:
    """The report at work; nothing of it is left when the block ends.

    It stays on one processor, that on which the system has this process now: decoders then have one thread, and damage is
    told at the same times in each run."""

    def __init__(self, command):
        self.said = tempfile.TemporaryFile()  # pylint: disable=consider-using-with
        with open('/proc/self/stat', encoding='utf-8', errors='replace') as file:
            cpu = file.read().rpartition(') ')[2].split()[PROCESSOR]
        self.process = subprocess.Popen(['taskset', '--cpu-list', cpu, *command], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=self.said,
                                        env={**os.environ, 'GST_GLES_CPU_THREADS': '1'})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.said.close()

    def chunks(self, beat):
        while True:
            data = self.process.stdout.read1(unitfile.CHUNK)
            if not data:
                return
            beat()
            yield data

    def ending(self, keep_partial):
        """Status and error of the last line. A video whose analysis ends with an error has lines until there, which are
        kept if @keep_partial."""
        status = self.process.wait()
        error = _text_of(self.said)
        if status == 1 and keep_partial:
            return status, error
        if status not in (0, 3):
            reason = f'killed by signal {-status}' if status < 0 else f'exit status {status}'
            raise Failed(error or f'{report.NAME}: {reason}', final=status == 2)
        return status, None


class Place:
    """On which device the report analyses a unit; of several GPUs it chooses one, and can move to another."""

    def __init__(self, folder, unit):
        self.folder, self.unit, self.told = folder, unit, None
        self.top = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.path = os.path.join(self.top.name, 'device')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.top.cleanup()

    def tell(self):
        """Records the device, if the report has told it and it is not recorded yet."""
        with contextlib.suppress(FileNotFoundError), open(self.path, encoding='utf-8', errors='replace') as file:
            device = file.read()
            if device != self.told:
                self.told = device
                self.folder.record_place(self.unit.id, device)


def analyse(folder, plan, unit):
    """Analyses one unit and writes its file. Raises Failed, or OSError if the folder cannot be written."""
    _check_input(unit)
    beaten = time.monotonic()

    def beat():
        nonlocal beaten
        if place.told is None:
            place.tell()
        if time.monotonic() - beaten > BEAT_S:
            beaten = time.monotonic()
            folder.keep_claim(unit.id)

    # damage that ends the analysis is there at each attempt: the last one keeps the frames before it
    keep_partial = unit.kind == 'whole' and len(folder.failures(unit.id)) == MAX_FAILURES - 1
    with Place(folder, unit) as place, Child(report.arguments(plan, unit, place.path)) as child:
        def ending(tally):
            place.tell()
            result = child.ending(keep_partial and tally.frames > 0)
            _check_input(unit)
            return result

        try:
            unitfile.write(folder.unit(unit.id), unit, child.chunks(beat), ending)
        except unitfile.Damaged as error:
            raise Failed(str(error)) from error


def attempt(folder, plan, unit):
    """Analyses a unit until it is done or has failed MAX_FAILURES times. Returns whether it is done."""
    while not folder.is_done(unit.id):
        if folder.has_failed(unit.id):
            return False
        try:
            analyse(folder, plan, unit)
        except Failed as error:
            folder.record_failure(unit.id, str(error), error.final)
        except OSError as error:
            if error.errno in FULL:
                raise Stop(f'{folder.path} cannot be written: {error.strerror}. The unit is not lost: '
                           'it is analysed when the work is started again') from error
            raise
        except Stop:
            raise
        except Exception as error:  # pylint: disable=broad-except
            folder.record_failure(unit.id, f'{type(error).__name__}: {error}')
    folder.forget_failures(unit.id)
    return True


def check_version(plan):
    here = report.version()
    if here != plan.report:
        raise Stop(f'the plan was made with {plan.report}, and here is {here}: plan again, or use the other version')


def work_on(folder, plan, units):
    """The units of a task of a cluster, which decides alone who does what: claims of others do not matter. Returns the
    number of units that are not done."""
    check_version(plan)
    return sum(not attempt(folder, plan, unit) for unit in units)


def work_all(folder, plan, units):
    """All units that nobody else is at; at last waits for those of others. Returns the number that is not done."""
    check_version(plan)
    left, failed = units, 0
    while left:
        waiting = []
        for unit in left:
            if folder.is_done(unit.id):
                continue
            if folder.has_failed(unit.id):
                failed += 1
                continue
            if not folder.claim(unit.id):
                waiting.append(unit)
                continue
            try:
                failed += not attempt(folder, plan, unit)
            finally:
                folder.release(unit.id)
        if waiting:
            time.sleep(WAIT_S)
        left = waiting
    return failed


@contextlib.contextmanager
def terminable():
    """SIGTERM ends the work as Ctrl-C does: the child is ended, and the part of the file is removed."""
    def stop(*_):
        raise KeyboardInterrupt

    former = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)
