# SPDX-License-Identifier: LGPL-2.1-or-later
"""needed.py BUILD TEST...: the targets of ninja that these tests need, a line each. `meson test` builds them itself, but
has to run for that."""
import json
import os
import sys

build, names = os.path.abspath(sys.argv[1]), set(sys.argv[2:])


def read(what):
    with open(os.path.join(build, 'meson-info', f'intro-{what}.json'), encoding='utf-8') as file:
        return json.load(file)


files = {target['id']: target['filename'] for target in read('targets')}
depends = {target for test in read('tests') if test['name'] in names for target in test['depends']}
print('\n'.join(sorted(os.path.relpath(file, build) for target in depends for file in files[target])))
