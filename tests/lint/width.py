# SPDX-License-Identifier: LGPL-2.1-or-later
"""Lines of C, C++ and GLSL are at most 100 columns wide, comments included: clang-format wraps code, but
leaves comments alone, and does not see GLSL."""
import common

MAX_COLUMNS = 100
SUFFIXES = ('.c', '.cpp', '.h', '.comp', '.glsl')


def check(root):
    complaints = []
    for path in common.with_suffix(root, *SUFFIXES):
        complaints += [f'{path}:{number}: {len(line)} columns, more than {MAX_COLUMNS}'
                       for number, line in enumerate(common.read(root, path).split('\n'), 1)
                       if len(line) > MAX_COLUMNS]
    return complaints


if __name__ == '__main__':
    common.main(check)
