# SPDX-License-Identifier: LGPL-2.1-or-later
"""How long tests take. A table in tests/budgets/ for each release of Debian, whose compilers of shaders differ, has the
seconds of each test on the machine that wrote it. How much longer another machine takes is told by the tests
themselves: no single measurement tells how fast it calculates, starts processes and gives memory.

  --start BUILD [--unbudgeted]  says how long the tests in BUILD/meson-logs/selected take by their budgets;
                                --unbudgeted: the build has a sanitizer, and no budgets
  --follow BUILD                copies what `meson test` prints, and adds the tests that ended and the time left: to a
                                terminal a last line, elsewhere a line every half minute
  --write BUILD LOG             writes the budgets of the tests in a log of meson (JSON lines)"""
import json
import os
import re
import select
import signal
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
UNBUDGETED = 'unbudgeted'  # a file beside the logs of a build without budgets
HEADER = """# SPDX-License-Identifier: LGPL-2.1-or-later
# Test and seconds, written by tests/run --write-budgets.
"""
# Times vary with what runs beside a test and with what caches hold. A test over its budget times NAMED and some seconds
# is named, over REFUSED and these it fails where budgets are a condition.
NAMED, REFUSED, TOLERANCE_SECONDS = 1.5, 2, 1
# So many tests whose budgets are so many seconds tell how much longer a machine takes.
TELLING_TESTS, TELLING_SECONDS = 10, 1
PASSED = ('OK', 'EXPECTEDFAIL')
ENDED = re.compile(r'\s*\d+/\d+ (.*?)\s+(OK|EXPECTEDFAIL|SKIP|FAIL|UNEXPECTEDPASS|TIMEOUT|ERROR|INTERRUPT)\b')


def budgets_path():
    """The table of this release of Debian; elsewhere that of the newest one."""
    try:
        with open('/etc/os-release', encoding='utf-8') as file:
            release = dict(line.rstrip().split('=', 1) for line in file if '=' in line)
    except OSError:
        release = {}
    name = f"{release.get('ID')}-{release.get('VERSION_ID', '').strip(chr(34))}.tsv"
    folder = os.path.join(HERE, 'budgets')
    return os.path.join(folder, name if os.path.exists(os.path.join(folder, name)) else max(os.listdir(folder)))


def key_of(name):
    """suite/name of what meson calls "project:suite / name"."""
    suites, _, name = name.rpartition(' / ')
    return f"{suites.split(':')[-1]}/{name}"


def rows(path):
    """The fields of the lines of a table."""
    with open(path, encoding='utf-8') as file:
        return [line.rstrip('\n').split('\t') for line in file if line.strip() and line[0] != '#']


def read_log(path):
    with open(path, encoding='utf-8') as file:
        return [json.loads(line) for line in file]


def registered(build):
    """The tests of a build: a dictionary from key to whether the test runs beside others."""
    with open(os.path.join(build, 'meson-info/intro-tests.json'), encoding='utf-8') as file:
        return {key_of(f"{t['suite'][0]} / {t['name']}"): t['is_parallel'] for t in json.load(file)}


def budgets_of(folder):
    """The budgets of the tests whose logs lie in folder: a dictionary, empty if they have none."""
    if os.path.exists(os.path.join(folder, UNBUDGETED)):
        return {}
    return {key: float(seconds) for key, seconds in rows(budgets_path())}


def passed_in(log):
    """The tests that passed: a dictionary from key to seconds."""
    return {key_of(r['name']): r['duration'] for r in read_log(log) if r['result'] in PASSED}


def slowness(log):
    """How many times their budgets half of a log's tests took at most, or 1 if they are too few to tell."""
    budgets = budgets_of(os.path.dirname(log))
    times = [seconds / budgets[key] for key, seconds in passed_in(log).items()
             if budgets.get(key, 0) >= TELLING_SECONDS]
    return statistics.median(times) if len(times) >= TELLING_TESTS else 1


def processors():
    return int(os.environ.get('MESON_TESTTHREADS') or len(os.sched_getaffinity(0)))


def costs_of(build):
    """The tests that were selected: a dictionary from key to processor seconds, 0 without a budget. A test that
    runs alone occupies all processors."""
    budgets, parallel = budgets_of(os.path.join(build, 'meson-logs')), registered(build)
    with open(os.path.join(build, 'meson-logs/selected'), encoding='utf-8') as file:
        keys = [key_of(line.rstrip('\n')) for line in file if ' / ' in line]
    return {key: budgets.get(key, 0) * (1 if parallel.get(key, True) else processors()) for key in keys}


def duration(seconds):
    return f'{seconds:.0f} s' if seconds < 90 else f'{seconds / 60:.0f} min'


def start(build, *options):
    path = os.path.join(build, 'meson-logs', UNBUDGETED)
    if '--unbudgeted' in options:
        with open(path, 'w', encoding='utf-8'):
            pass
        print(f'tests/run: {len(costs_of(build))} tests; builds with a sanitizer have no budgets', flush=True)
        return
    if os.path.exists(path):
        os.remove(path)
    names = [key.partition('/')[2] for key in registered(build)]
    assert len(set(names)) == len(names), 'two tests have the same name'
    costs = costs_of(build)
    without = sum(cost == 0 for cost in costs.values())
    print(f'tests/run: {len(costs)} tests, about {duration(sum(costs.values()) / processors())} on {processors()} '
          'processors after the build' + (f'; {without} of them have no budget' if without else ''), flush=True)


class Follower:
    def __init__(self, build):
        self.costs = costs_of(build)
        self.n, self.total = len(self.costs), sum(self.costs.values())
        self.started = self.shown = time.monotonic()
        self.failed = 0
        self.terminal = sys.stdout.isatty()

    def line(self, line):
        ended = ENDED.match(line)
        if ended:
            self.costs.pop(key_of(ended.group(1)), None)
            self.failed += ended.group(2) not in PASSED + ('SKIP',)
        sys.stdout.write(('\r\x1b[K' if self.terminal else '') + line)
        self.show()

    def show(self):
        now = time.monotonic()
        if not self.costs or not self.terminal and now < self.shown + 30:
            sys.stdout.flush()
            return
        self.shown = now
        left = sum(self.costs.values())
        done = self.total - left
        # what the tests took so far tells more than their budgets, once they are some
        seconds = left * (now - self.started) / done if done > self.total / 10 else left / processors()
        text = f'{self.n - len(self.costs)} of {self.n} tests' + (f', {self.failed} failed' if self.failed else '')
        text += f', about {duration(seconds)} left' if left else ''
        print(f'\r\x1b[K{text}' if self.terminal else f'--- {text}', end='' if self.terminal else '\n', flush=True)


def follow(build):
    # meson ends its tests and prints what it has
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    follower, rest = Follower(build), b''
    while True:
        if not select.select([0], [], [], 1)[0]:
            follower.show()
            continue
        data = os.read(0, 65536)
        *lines, rest = (rest + data).split(b'\n')
        for line in lines + ([rest] if not data and rest else []):
            follower.line(line.decode(errors='replace') + '\n')
        if not data:
            break
    sys.stdout.write('\r\x1b[K' if follower.terminal else '')


def write(build, log):
    """This machine becomes the one that budgets are of: those of tests that did not run are converted."""
    known, times = registered(build), slowness(log)
    budgets = {key: times * seconds for key, seconds in budgets_of(os.path.dirname(log)).items() if key in known}
    budgets.update((key, max(seconds, 0.001)) for key, seconds in passed_in(log).items())
    with open(budgets_path(), 'w', encoding='utf-8') as file:
        file.write(HEADER + ''.join(f'{key}\t{budgets[key]:.3f}\n' for key in sorted(budgets)))


if __name__ == '__main__':
    {'--start': start, '--follow': follow, '--write': write}[sys.argv[1]](*sys.argv[2:])
