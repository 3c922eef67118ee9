# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/summary.py and tests/progress.py, copied into a folder with tables and logs of their own."""
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

TESTS = sys.argv[1]


class Project:
    def __init__(self, folder):
        self.folder, self.build = folder, os.path.join(folder, 'build')
        for name in ('summary.py', 'progress.py'):
            shutil.copy(os.path.join(TESTS, name), folder)
        for name in ('build/meson-logs', 'build/meson-info', 'budgets'):
            os.makedirs(os.path.join(folder, name))
        names = [('twin', 'same'), ('golden', 'other'), ('unit', 'two words')] + [('unit', f't{n}') for n in range(9)]
        self.tests = [{'suite': [f'p:{suite}'], 'name': name, 'is_parallel': name != 't8'}
                      for suite, name in names]
        self.write('build/meson-info/intro-tests.json', json.dumps(self.tests))
        self.write('build/meson-logs/selected', ''.join(f'p:{s} / {n}\n' for s, n in names))
        self.budgets({f'{suite}/{name}': 4 for suite, name in names})

    def write(self, path, text):
        with open(os.path.join(self.folder, path), 'w', encoding='utf-8') as file:
            file.write(text)

    def log(self, name, results, stderr=''):
        """A log of meson, in which the tests took their results' seconds."""
        self.write(f'build/meson-logs/{name}.json', ''.join(
            json.dumps({'name': f'p:{suite} / {test}', 'result': result, 'duration': seconds, 'stderr': stderr}) + '\n'
            for (suite, test), (result, seconds) in results.items()))
        return os.path.join(self.build, 'meson-logs', name + '.json')

    def budgets(self, seconds):
        self.write('budgets/debian-99.tsv', ''.join(f'{key}\t{value}\n' for key, value in seconds.items()))

    def run(self, script, *arguments, text=''):
        done = subprocess.run([sys.executable, os.path.join(self.folder, script), *arguments], input=text,
                              capture_output=True, text=True, check=False, env={**os.environ, 'MESON_TESTTHREADS': '2'})
        assert not done.stderr, done.stderr
        return done.returncode, done.stdout

    def all_pass(self, **seconds):
        return {(t['suite'][0][2:], t['name']): ('OK', seconds.get(t['name'], 1)) for t in self.tests}


def key_of_test(test):
    return f"{test['suite'][0][2:]}/{test['name']}"


def expect(answer, status, *texts):
    assert answer[0] == status, answer
    for text in texts:
        assert text in answer[1], (text, answer[1])


def check_unstable(project):
    failing, passing = {('twin', 'same'): ('FAIL', 1), ('unit', 't1'): ('OK', 1)}, {('twin', 'same'): ('OK', 1)}
    logs = project.log('testlog', failing), project.log('repeated', passing)
    expect(project.run('summary.py', logs[0]), 1, '\nfailed: twin/same\n1 passed, 1 failed, 0 skipped\n')
    expect(project.run('summary.py', '--failed', logs[0]), 0, 'same\n')
    expect(project.run('summary.py', *logs), 0, 'unstable: twin/same failed, ', '2 passed, 0 failed, 0 skipped\n')
    project.log('repeated', {('twin', 'same'): ('FAIL', 1)})
    expect(project.run('summary.py', *logs), 1, 'failed: twin/same\n')
    # what a sanitizer reports is no chance, nor are many
    for report in ('==1==ERROR: AddressSanitizer: heap-use-after-free', 'WARNING: ThreadSanitizer: data race (pid=1)',
                   'a.c:1:2: runtime error: signed integer overflow'):
        project.log('testlog', failing, stderr=f'one\n{report}\n')
        project.log('repeated', passing)
        expect(project.run('summary.py', *logs), 1, 'failed: twin/same\n')
    many = {('unit', f't{n}'): ('FAIL', 1) for n in range(4)}
    project.log('testlog', {**failing, **many})
    project.log('repeated', {**passing, **{key: ('OK', 1) for key in many}})
    expect(project.run('summary.py', *logs), 1, 'unstable: unit/t3', '0 passed, 5 failed')


def check_times(project):
    log = project.log('testlog', project.all_pass(t3=9, t4=6.9))
    answer = project.run('summary.py', log)
    expect(answer, 0, 'slowest: unit/t3 9 s, unit/t4 7 s, ', 'over budget: unit/t3 9 s, budget 4.0 s\n',
           '\n12 passed, 0 failed, 0 skipped\n')
    # with budgets as a condition, twice is too much, unless a test that runs once more takes less
    expect(project.run('summary.py', '--budgets', log), 0, '12 passed')
    log = project.log('testlog', project.all_pass(t3=9.1))
    expect(project.run('summary.py', log), 0, '12 passed')
    expect(project.run('summary.py', '--over', log), 0, 't3\n')
    expect(project.run('summary.py', '--budgets', log), 1, 'too slow: unit/t3', '\nfailed: unit/t3\n11 passed, 1 failed')
    again = project.log('repeated', {('unit', 't3'): ('OK', 9.1)})
    expect(project.run('summary.py', '--budgets', log, again), 1, 'failed: unit/t3\n')
    again = project.log('repeated', {('unit', 't3'): ('OK', 3)})
    expect(project.run('summary.py', '--budgets', log, again), 0, '12 passed')
    # on a machine that takes twice as long for most of the tests; the tests above took a fourth, and were given no less
    project.budgets({key_of_test(t): 0.5 if t['name'] == 't3' else 1 for t in project.tests})
    log = project.log('testlog', {key: (result, 2 if key[1] != 't3' else seconds)
                                  for key, (result, seconds) in project.all_pass(t3=2.9).items()})
    answer = project.run('summary.py', '--budgets', log)
    expect(answer, 0, 'budgets here are 2.0 times those', 'over budget: unit/t3 3 s, budget 1.0 s\n', '12 passed')
    log = project.log('testlog', {key: (result, 2 if key[1] != 't3' else seconds)
                                  for key, (result, seconds) in project.all_pass(t3=3.1).items()})
    again = project.log('repeated', {('unit', 't3'): ('OK', 3.1)})
    expect(project.run('summary.py', '--budgets', log, again), 1, 'too slow: unit/t3')
    again = project.log('repeated', {('unit', 't3'): ('OK', 2.9)})
    expect(project.run('summary.py', '--budgets', log, again), 0, '12 passed')
    project.budgets({'unit/t1': 1})
    answer = project.run('summary.py', log)
    expect(answer, 0, 'without a budget: twin/same 2.0 s; golden/other 2.0 s; unit/two words')
    assert 'of no test' not in answer[1], answer
    project.budgets({'unit/t1': 1, 'unit/gone': 1})
    expect(project.run('summary.py', log), 0, 'budgets of no test: unit/gone\n')
    # a build without budgets names none
    project.run('progress.py', '--start', project.build, '--unbudgeted')
    assert 'budget' not in project.run('summary.py', log)[1]


def check_written(project):
    def written(seconds, results):
        project.budgets(seconds)
        project.run('progress.py', '--write', project.build, project.log('testlog', results))
        with open(os.path.join(project.folder, 'budgets/debian-99.tsv'), encoding='utf-8') as file:
            return [line for line in file.read().splitlines() if line[0] != '#']

    # too few tests to tell how much longer this machine takes
    rows = written({'unit/t1': 3, 'unit/t2': 3, 'unit/none': 3},
                   {('unit', 't1'): ('OK', 8), ('unit', 't3'): ('FAIL', 1), ('unit', 't4'): ('SKIP', 0)})
    assert rows == ['unit/t1\t8.000', 'unit/t2\t3.000'], rows
    # most take half as long: so would the one that did not run
    results = project.all_pass()
    results['unit', 't2'] = ('SKIP', 0)
    rows = written({key_of_test(t): 2 for t in project.tests}, results)
    assert len(rows) == 12 and all(row.endswith('\t1.000') for row in rows), rows


def check_progress(project):
    project.budgets({'unit/t1': 1000, 'unit/t8': 100})
    answer = project.run('progress.py', '--start', project.build)
    # one of the tests runs alone, and occupies both processors
    expect(answer, 0, '12 tests, about ', ' on 2 processors', '; 10 of them have no budget')
    project.budgets({'unit/t1': 60, 'unit/t8': 100})
    lines = ' 1/12 p:unit / two words   OK   1.00s\n 2/12 p:unit / t1   FAIL   1.00s  exit status 1\nOk: 1'
    expect(project.run('progress.py', '--follow', project.build, text=lines), 0, lines)
    sys.path.insert(0, project.folder)
    import progress
    assert progress.costs_of(project.build)['unit/t8'] == 100 * progress.processors()
    assert [progress.duration(s) for s in (89, 150)] == ['89 s', '2 min']
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        follower = progress.Follower(project.build)
        for line in lines.splitlines():
            follower.line(line + '\n')
        follower.shown -= 30
        follower.show()
    assert shown.getvalue().startswith(lines + '\n--- 2 of 12 tests, 1 failed, about '), shown.getvalue()


for check in (check_unstable, check_times, check_written, check_progress):
    with tempfile.TemporaryDirectory() as place:
        check(Project(place))
