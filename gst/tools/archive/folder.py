# SPDX-License-Identifier: LGPL-2.1-or-later
"""The folder of a run: where everything lies, files that appear whole or not at all, claims and failures of units.

Several workers, on several machines, use a folder at the same time. No result depends on a lock: a worker writes
under a name of its own and renames, and two workers of one unit write the same bytes."""
import contextlib
import errno
import json
import os
import re
import shutil
import socket
import time

MAX_FAILURES = 3
UNIT = '.xz'  # ending of unit files
OLD_S = 86400  # of a file that nobody has written to, of a machine that cannot be asked
STALE_S = 600  # of a claim that nobody has touched, on a machine that cannot be asked
PART = re.compile(r'\.([^./]+)-(\d+)\.part$')


class Stop(Exception):
    """Ends the tool with a message for the user and exit status 1."""


def host():
    return socket.gethostname().split('.')[0] or 'localhost'


def is_run(path):
    return os.path.isfile(os.path.join(path, 'units.ndjson')) and os.path.isdir(os.path.join(path, 'claims'))


def is_alive(machine, pid):
    """Whether a process may still be running; those of other machines may."""
    if machine != host():
        return True
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8', errors='replace') as file:
            # the state follows the name, which may hold anything; Z: it has ended, and its parent has not asked how
            return file.read().rpartition(') ')[2][:1] != 'Z'
    except OSError:
        return False


def size(path):
    """Of a file, in bytes; 0 of what is not there."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def age_s(path):
    """Since it was changed; what is gone has none."""
    try:
        return time.time() - os.stat(path).st_mtime
    except FileNotFoundError:
        return 0


@contextlib.contextmanager
def replacing(path, mode='wb'):
    """A file that is written beside @path, synced and renamed when the block ends; an exception leaves the former."""
    part = f'{path}.{host()}-{os.getpid()}.part'
    try:
        with open(part, mode, **({} if 'b' in mode else {'encoding': 'utf-8'})) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        sync_folder(os.path.dirname(path))
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)
        raise


def sync_folder(path):
    """Brings the names of a folder to the disk."""
    descriptor = os.open(path or '.', os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # file systems that cannot do so for a folder alone
            raise
    finally:
        os.close(descriptor)


def make_folder(path):
    """Makes a folder and those above it; what is made is on the disk when this returns."""
    if os.path.isdir(path):
        return
    make_folder(os.path.dirname(path))
    with contextlib.suppress(FileExistsError):  # another worker was faster
        os.mkdir(path)
    sync_folder(os.path.dirname(path))


class Folder:
    """Paths below a run's folder."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.plan = self.at('units.ndjson')
        self.left_out = self.at('left-out.ndjson')
        self.fallback = self.at('whole.ndjson')
        self.database = self.at('collection.sqlite')
        self.index = self.at('index.html')

    def at(self, *names):
        return os.path.join(self.path, *names)

    def create(self):
        for name in ('', 'units', 'failed', 'claims', 'files', 'summaries', 'log'):
            make_folder(self.at(name) if name else self.path)

    def unit(self, identity):
        return self.at('units', identity + UNIT)

    def is_done(self, identity):
        """Whether the unit's file is there. One that was emptied counts as missing; `merge` finds other damage."""
        return size(self.unit(identity)) > 0

    # places: which worker analysed which unit on which device, one line each, in a file for each worker
    def record_place(self, identity, device):
        line = json.dumps({'unit': identity, 'host': host(), 'device': device, 'time': round(time.time(), 3)})
        with open(self.at('log', f'places-{host()}-{os.getpid()}.ndjson'), 'a', encoding='utf-8') as file:
            file.write(line + '\n')

    def places(self):
        """Host and device of each unit, by its id: where it was analysed last."""
        found = []
        for name in os.listdir(self.at('log')):
            if not name.startswith('places-'):
                continue
            with open(self.at('log', name), encoding='utf-8', errors='replace') as file:
                for line in file:
                    with contextlib.suppress(ValueError, KeyError, TypeError):  # the machine went down while it was written
                        place = json.loads(line)
                        found.append((place['time'], place['unit'], (place['host'], place['device'])))
        return {unit: place for _, unit, place in sorted(found, key=lambda item: item[0])}

    def is_claimed(self, identity):
        """Whether a worker is at the unit."""
        path = self.at('claims', identity)
        return os.path.exists(path) and not self.is_stale(path)

    # failures: one line each, which workers append
    def failures(self, identity):
        """The failures of a unit, oldest first."""
        found = []
        with contextlib.suppress(FileNotFoundError), \
                open(self.at('failed', identity), encoding='utf-8', errors='replace') as file:
            for line in file:
                with contextlib.suppress(ValueError, TypeError):  # the machine went down while it was written
                    found.append({'error': None, **json.loads(line)})
        return found

    def has_failed(self, identity):
        failures = self.failures(identity)
        return len(failures) >= MAX_FAILURES or any(failure.get('final') for failure in failures)

    def record_failure(self, identity, error, final=False):
        line = json.dumps({'error': error, 'final': final, 'host': host(), 'time': round(time.time())})
        with open(self.at('failed', identity), 'a', encoding='utf-8') as file:
            file.write(line + '\n')
            file.flush()
            os.fsync(file.fileno())

    def forget_failures(self, identity):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.at('failed', identity))

    # claims: that a worker is at a unit, so that others look for another one
    def claim(self, identity):
        """Whether the unit is this process's now: nobody has it, or who had it is gone."""
        path = self.at('claims', identity)
        for _ in range(2):
            try:
                descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
            except FileExistsError:
                if not self.is_stale(path):
                    return False
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)
                continue
            with os.fdopen(descriptor, 'w') as file:
                file.write(f'{host()} {os.getpid()}\n')
            return True
        return False

    @staticmethod
    def is_stale(path):
        try:
            with open(path, encoding='utf-8') as file:
                words = file.read().split()
            age_s = time.time() - os.stat(path).st_mtime
        except FileNotFoundError:
            return True
        if len(words) != 2:  # created a moment ago, or by a machine that went down
            return age_s > STALE_S
        return age_s > STALE_S or not is_alive(words[0], int(words[1]))

    def keep_claim(self, identity):
        with contextlib.suppress(FileNotFoundError):
            os.utime(self.at('claims', identity))

    def release(self, identity):
        """Gives up a claim of this process; that of another one stays."""
        path = self.at('claims', identity)
        with contextlib.suppress(FileNotFoundError), open(path, encoding='utf-8') as file:
            if file.read().split() == [host(), str(os.getpid())]:
                os.unlink(path)

    def sweep(self):
        """Removes what processes left that are gone: on this machine, and on others a day ago."""
        for top, folders, names in os.walk(self.path):
            for name in folders + names:
                match = PART.search(name)
                path = os.path.join(top, name)
                if not match or is_alive(match.group(1), int(match.group(2))) and age_s(path) < OLD_S:
                    continue
                if name in folders:
                    folders.remove(name)
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(path)
