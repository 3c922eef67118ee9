# SPDX-License-Identifier: LGPL-2.1-or-later
"""The end of tests/run: each failed test with what it said, then a line "N passed, N failed, N skipped".

Arguments: the log of meson (JSON lines) and, if failed tests ran once more, its log of that. A test that passes then
is unstable: it is named, and is no failure. With --failed, prints the names of the tests that failed and no more."""
import json
import sys

PASSED = ('OK', 'EXPECTEDFAIL')


def read(path):
    with open(path, encoding='utf-8') as file:
        return [json.loads(line) for line in file]


def name_of(record):
    # "project:suite / name", or the name alone
    return record['name'].rsplit(' / ', 1)[-1]


def is_failure(record):
    return record['result'] not in PASSED + ('SKIP',)


def tell(record):
    """Prints what names the failure, and the end, which may be a summary or a cleanup."""
    print(f"--- {record['result']} {record['name']} ({record['duration']:.0f} s)")
    for stream in ('stdout', 'stderr'):
        lines = [line for line in record.get(stream, '').splitlines() if not line.startswith('ok ')]
        told = [line for line in lines[:-8] if any(w in line for w in ('not ok', 'ERROR', 'FAIL', 'Error:'))]
        print(*(line[:120] for line in told[:4] + lines[-8:]), sep='\n')


def main(arguments):
    if arguments[0] == '--failed':
        for record in filter(is_failure, read(arguments[1])):
            print(name_of(record))
        return 0
    records = read(arguments[0])
    failures = [r for r in records if is_failure(r)]
    for record in failures:
        tell(record)
    stable = {name_of(r) for path in arguments[1:] for r in read(path) if r['result'] in PASSED}
    unstable = [r for r in failures if name_of(r) in stable]
    failures = [r for r in failures if name_of(r) not in stable]
    skipped = sum(r['result'] == 'SKIP' for r in records)
    passed = len(records) - len(failures) - skipped
    for what, of_what in (('unstable', unstable), ('failed', failures)):
        if of_what:
            print(f"{what}: {', '.join(name_of(r) for r in of_what)}")
    print(f'{passed} passed, {len(failures)} failed, {skipped} skipped')
    return 1 if failures or passed == 0 else 0


sys.exit(main(sys.argv[1:]))
