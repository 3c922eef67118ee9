# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a disk may have after a loss of power, from what recorder.c wrote down.

The model is harsher than journals are: data of a file are on the disk once the file is synced, names once their folder
is. Of all else, each piece of at most 4096 bytes and each change of a name may be there or not, in any combination. A
rename is one change, and there when the folder of the new name is synced."""
import os
import random
import subprocess

NEVER = 1 << 60


class Object:
    """A file or a folder."""

    def __init__(self, is_folder):
        self.entries = {} if is_folder else None
        self.data, self.mtime_ns = bytearray(), None

    def copy(self, copies):
        """With all that is below it."""
        if self not in copies:
            made = copies[self] = Object(self.entries is not None)
            made.data, made.mtime_ns = bytearray(self.data), self.mtime_ns
            for name, child in (self.entries or {}).items():
                made.entries[name] = child.copy(copies)
        return copies[self]

    def files(self, path=''):
        """Pairs of a path and a file's bytes."""
        for name, child in self.entries.items():
            if child.entries is None:
                yield path + name, bytes(child.data)
            else:
                yield from child.files(f'{path}{name}/')

    def write_to(self, path):
        """Makes it, below a folder that is there."""
        for name, child in self.entries.items():
            target = os.path.join(path, name)
            if child.entries is not None:
                os.mkdir(target)
                child.write_to(target)
                continue
            with open(target, 'wb') as file:
                file.write(child.data)
            if child.mtime_ns is not None:
                os.utime(target, ns=(child.mtime_ns, child.mtime_ns))


class Change:
    """Of the data of one object, or of names: triples of a folder, a name and what it stands for, or None."""

    def __init__(self, owner, names=None, data=None):
        self.owner, self.names, self.data, self.safe_at = owner, names, data, NEVER

    def apply(self, now):
        """@now: the objects of a state by those of the recording."""
        for folder, name, child in self.names or ():
            if child is None:
                now(folder).entries.pop(name, None)
            else:
                now(folder).entries[name] = now(child)
        if self.data:
            target, (begin, data, mtime_ns) = now(self.owner), self.data
            target.mtime_ns = mtime_ns
            if data is None:
                del target.data[begin:]
            target.data.extend(bytes(max(0, begin + len(data or b'') - len(target.data))))
            target.data[begin:begin + len(data or b'')] = data or b''


class Disk:
    """A folder whose changes were recorded since it was empty."""

    def __init__(self, path):
        self.top = Object(True)
        self.objects = {}
        self.changes = []  # and None in the place of a sync
        self.path = path

    def _find(self, path):
        at = self.top
        for name in path.split('/')[:-1]:
            at = at.entries[name]
        return at, path.split('/')[-1]

    def _add(self, change):
        change.apply(lambda one: one)
        self.changes.append(change)

    def _sync(self, number, ignored):
        one = self.objects.get(number)
        is_ignored = ignored and one is not None and ignored(one)
        for change in reversed(self.changes):
            if change and not is_ignored and change.owner is one and change.safe_at == NEVER:
                change.safe_at = len(self.changes)
        self.changes.append(None)

    def read(self, log, ignored=None):
        """@ignored: syncs that do not count, to see a check fail: a function of an Object."""
        self.objects[os.stat(self.path).st_ino] = self.top
        with open(log, encoding='utf-8') as file:
            for line in file:
                call, *words = line.rstrip('\n').split('\t')
                if call in ('create', 'mkdir'):
                    one = self.objects[int(words[0])] = Object(call == 'mkdir')
                    folder, name = self._find(words[1])
                    self._add(Change(folder, names=[(folder, name, one)]))
                elif call == 'write':
                    self._add(Change(self.objects[int(words[0])],
                                     data=(int(words[1]), bytes.fromhex(words[3]), int(words[2]))))
                elif call == 'truncate':
                    self._add(Change(self.objects[int(words[0])], data=(int(words[1]), None, int(words[2]))))
                elif call == 'sync':
                    self._sync(int(words[0]), ignored)
                elif call == 'unlink':
                    folder, name = self._find(words[0])
                    self._add(Change(folder, names=[(folder, name, None)]))
                else:
                    (before, old), (folder, name) = map(self._find, words)
                    self._add(Change(folder, names=[(before, old, None), (folder, name, before.entries[old])]))
        return self

    def state(self, n, kept):
        """The folder after a loss of power behind the first @n changes: those that are safe, and those of @kept."""
        empty, copies = {}, {}
        empty[self.top] = Object(True)

        def now(one):
            return empty.setdefault(one, Object(one.entries is not None))

        for number, change in enumerate(self.changes[:n]):
            if change and (change.safe_at < n or number in kept):
                change.apply(now)
        return empty[self.top].copy(copies)

    def choices(self, numbers, n):
        """Which of the changes that are not safe may be there."""
        open_ones = [number for number, change in enumerate(self.changes[:n]) if change and change.safe_at >= n]
        names = {number for number in open_ones if self.changes[number].names}
        chosen = [set(), set(open_ones), names, set(open_ones) - names]
        for one in numbers.sample(open_ones, min(3, len(open_ones))):
            chosen += [{one}, set(open_ones) - {one}]
        return chosen + [{one for one in open_ones if numbers.random() < 0.5} for _ in range(2)]

    def states(self, limit, seed=1):
        """Yields a number of changes and a state behind them: at every sync and name, and at some places between. All
        differ; @limit of them, evenly spread, and those at the end."""
        numbers, seen, found = random.Random(seed), set(), []
        for n in range(len(self.changes) + 1):
            is_last = n == len(self.changes)
            following = self.changes[n] if not is_last else None
            if following is not None and following.data and numbers.random() > 0.05:
                continue
            for kept in self.choices(numbers, n):
                key = frozenset(number for number, change in enumerate(self.changes[:n])
                                if change and (change.safe_at < n or number in kept))
                if (key, is_last) not in seen:
                    seen.add((key, is_last))
                    found.append((n, kept))
        last = [one for one in found if one[0] == len(self.changes)]
        for n, kept in sorted(numbers.sample(found, min(limit, len(found))) + last, key=lambda one: one[0]):
            yield n, self.state(n, kept)


def record(recorder, top, log, command, **more):
    """Runs a command with the recorder; returns how many changes and syncs were written down until then."""
    environment = {**more.pop('env', os.environ), 'LD_PRELOAD': recorder, 'POWER_TOP': os.path.realpath(top), 'POWER_LOG': str(log)}
    done = subprocess.run([*map(str, command)], env=environment, check=False, capture_output=True, text=True, **more)
    assert done.returncode == 0, f'{command}: {done.returncode}: {done.stdout}{done.stderr}'
    with open(log, 'rb') as file:
        return sum(1 for _ in file)
