# SPDX-License-Identifier: LGPL-2.1-or-later
"""The end of tests/run: each failed test with what it said, the slowest tests, those that are over their budgets
(tests/budgets/) or have none, budgets without a test, then a line "N passed, N failed, N skipped". On a machine that
takes longer for most of the tests than the one that wrote the budgets, they are so many times longer.

Arguments: the log of meson (JSON lines) and, if failed tests ran once more, its log of that. A test that passes then
is unstable: it is named, and is no failure, as tests that wait for other programs depend on what runs beside them. It
is one if a sanitizer reported something, and if more than UNSTABLE_AT_MOST tests are unstable, which is no chance. With
--budgets first, a test that took more than twice its budget, also when it ran once more, is a failure. With --failed,
prints the names of the tests that failed and no more, with --over those that took more than twice their budgets."""
import os
import re
import sys

from progress import (NAMED, PASSED, REFUSED, TOLERANCE_SECONDS, budgets_of, key_of, passed_in, read_log,
                      registered, rows, slowness)

UNSTABLE_AT_MOST = 3
REPORT = re.compile(r'(ERROR|WARNING): \w+Sanitizer|: runtime error: ')
N_SLOWEST = 10


def is_failure(record):
    return record['result'] not in PASSED + ('SKIP',)


def tell(record):
    """Prints what names the failure, and the end, which may be a summary or a cleanup."""
    print(f"--- {record['result']} {record['name']} ({record['duration']:.0f} s)")
    for stream in ('stdout', 'stderr'):
        lines = [line for line in record.get(stream, '').splitlines() if not line.startswith('ok ')]
        told = [line for line in lines[:-8] if any(w in line for w in ('not ok', 'ERROR', 'FAIL', 'Error:'))]
        print(*(line[:120] for line in told[:4] + lines[-8:]), sep='\n')


def budgets_here(log):
    """The budgets in the seconds of the machine that a log is of: a dictionary. A faster one is given no less, as not
    all that it does is faster."""
    times = max(slowness(log), 1)
    return {key: times * seconds for key, seconds in budgets_of(os.path.dirname(log)).items()}


def over_budget(log, times, budgets):
    """The tests that passed and took so many times their budgets: a dictionary from key to seconds."""
    return {key: seconds for key, seconds in passed_in(log).items()
            if key in budgets and seconds > times * budgets[key] + TOLERANCE_SECONDS}


def tell_times(log, records):
    """Names the slowest tests, those that took longer than their budgets on this machine or have none, and budgets of
    tests that the build does not have."""
    if len(records) > N_SLOWEST:
        slowest = sorted(records, key=lambda r: -r['duration'])[:N_SLOWEST]
        print('slowest:', ', '.join(f"{key_of(r['name'])} {r['duration']:.0f} s" for r in slowest))
    budgets = budgets_here(log)
    if not budgets:
        return
    if slowness(log) > 1:
        print(f'budgets here are {slowness(log):.1f} times those in tests/budgets, as half of the tests took so long')
    over = [f'{key} {seconds:.0f} s, budget {budgets[key]:.1f} s'
            for key, seconds in over_budget(log, NAMED, budgets).items()]
    without = [f'{key} {seconds:.1f} s' for key, seconds in passed_in(log).items() if key not in budgets]
    gone = sorted(budgets.keys() - registered(os.path.join(os.path.dirname(log), '..')).keys())
    for what, of_what in (('over budget', over), ('without a budget', without), ('budgets of no test', gone)):
        if of_what:
            print(f"{what}: {'; '.join(of_what)}")


def unstable(failures, again):
    """The failed tests that passed when they ran once more, unless that was no chance."""
    keys = [key_of(r['name']) for r in failures if not any(REPORT.search(r.get(s, '')) for s in ('stdout', 'stderr'))]
    keys = [key for key in keys if key in again]
    for key in keys:
        print(f'unstable: {key} failed, and passed when it ran once more, alone')
    return keys if len(keys) <= UNSTABLE_AT_MOST else []


def main(arguments):
    if arguments[0] == '--over':
        for key in over_budget(arguments[1], REFUSED, budgets_here(arguments[1])):
            print(key.partition('/')[2])
        return 0
    refuses = arguments[0] == '--budgets'
    if refuses:
        arguments = arguments[1:]
    if arguments[0] == '--failed':
        for record in filter(is_failure, read_log(arguments[1])):
            print(record['name'].rpartition(' / ')[2])
        return 0
    log = arguments[0]
    records = read_log(log)
    failures = [r for r in records if is_failure(r)]
    for record in failures:
        tell(record)
    tell_times(log, records)
    excused = unstable(failures, {key for path in arguments[1:] for key in passed_in(path)})
    failed = [key_of(r['name']) for r in failures if key_of(r['name']) not in excused]
    budgets = budgets_here(log)
    slow = set(over_budget(log, REFUSED, budgets)) if refuses else set()
    for path in arguments[1:]:
        again = {key_of(r['name']) for r in read_log(path)}
        slow -= again - set(over_budget(path, REFUSED, budgets))
    for key in sorted(slow):
        print(f'too slow: {key}, more than twice its budget in tests/budgets')
        failed.append(key)
    if failed:
        print(f"failed: {', '.join(failed)}")
    skipped = sum(r['result'] == 'SKIP' for r in records)
    passed = len(records) - len(failed) - skipped
    print(f'{passed} passed, {len(failed)} failed, {skipped} skipped')
    return 1 if failed or passed == 0 else 0


sys.exit(main(sys.argv[1:]))
