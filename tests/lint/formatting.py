# SPDX-License-Identifier: LGPL-2.1-or-later
"""C files are as clang-format 14 writes them; other versions of it disagree with each other."""
import re
import shutil
import subprocess

import common

VERSION = '14'


def find_clang_format():
    for name in (f'clang-format-{VERSION}', 'clang-format'):
        program = shutil.which(name)
        if not program:
            continue
        said = subprocess.run([program, '--version'], capture_output=True, text=True).stdout
        match = re.search(r'version (\d+)', said)
        if match and match.group(1) == VERSION:
            return program
    raise common.Skip(f'no clang-format {VERSION} here')


def check(root, only=None):
    """only: the path of one file, in place of all."""
    program = find_clang_format()
    files = [only] if only else common.with_suffix(root, '.c', '.h')
    result = subprocess.run([program, '--dry-run', '-Werror', *files], cwd=root,
                            capture_output=True, text=True)
    if result.returncode == 0:
        return []
    places = [line for line in result.stderr.split('\n') if ': error: ' in line]
    return [*places, 'clang-format -i FILE, or ninja -C build clang-format, mends this']


if __name__ == '__main__':
    common.main(check)
