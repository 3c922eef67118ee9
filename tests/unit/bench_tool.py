# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shared by the tests of gst-gles-bench-1.0: how it is run, and what holds for all of its modes."""
import csv
import json
import os
import subprocess
import sys

COLUMNS = 100


def run(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})


def check(condition, what, result=None):
    if not condition:
        print(f'FAILED: {what}')
        if result is not None:
            print(result.stdout[-4000:] + result.stderr[-4000:])
        sys.exit(1)


def check_device(result, device):
    """Skips where there is no OpenGL ES."""
    if result.returncode == 0 or os.environ.get('GLES_TEST_REQUIRE') == 'gl' or device == 'cpu':
        check(result.returncode == 0, f'it runs on {device}', result)
        return
    print(f'no device "{device}": {result.stderr}')
    sys.exit(77)


def check_columns(result, what):
    wide = [line for line in result.stdout.splitlines() if len(line) > COLUMNS]
    check(result.returncode == 0 and not wide, f'{what}: over {COLUMNS} columns: {wide[:3]}', result)


def check_help(result):
    """Options are in the manual."""
    check_columns(result, '--help')
    with open(os.path.join(os.environ['GLES_TEST_SOURCE_ROOT'], 'docs/benchmarks.md'), encoding='utf-8') as file:
        manual = file.read()
    options = {word.strip('[],;.').split('=')[0] for word in result.stdout.split() if word.startswith('--')}
    missing = [o for o in options if o not in manual and 'help' not in o and o != '--version']
    check(not missing, f'docs/benchmarks.md does not name {missing}')


def check_refused(result, arguments):
    check(result.returncode == 2 and result.stderr and not result.stdout, f'{arguments} is refused', result)


def check_failure(result, text, what):
    check(result.returncode == 1 and text in result.stderr, what, result)


def read_json(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def read_csv(path):
    with open(path, encoding='utf-8') as file:
        return list(csv.DictReader(line for line in file if not line.startswith('#')))
