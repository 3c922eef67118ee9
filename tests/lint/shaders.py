# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every kernel opens with a comment that lists its defines, its bindings and its grid; all wait at the
barrier of lib/barrier.glsl."""
import re

import common

BARRIER = 'glsl/lib/barrier.glsl'
WANTED = ('Defines:', 'Bindings:', 'Grid:')


def opening_comment(text):
    """The comments before the first line of code."""
    match = re.match(r'(?:\s|/\*.*?\*/|//[^\n]*)*', text, flags=re.S)
    return match.group(0)


def check(root):
    complaints = []
    for path in common.with_suffix(root, '.comp', under='glsl/'):
        text = common.read(root, path)
        opening = opening_comment(text).lower()
        complaints += [f'{path}: the opening comment does not say "{word}"'
                       for word in WANTED if word.lower() not in opening]
        if re.search(r'^\s*#\s*version', common.without_comments(text), flags=re.M):
            complaints.append(f'{path}: the preamble, #version included, is written by gl/program')
    for path in (common.with_suffix(root, '.comp', under='glsl/') +
                 common.with_suffix(root, '.glsl', under='glsl/')):
        code = common.without_comments(common.read(root, path))
        if path != BARRIER and re.search(r'\bbarrier\s*\(', code):
            complaints.append(f'{path}: barrier () alone is not enough, see {BARRIER}')
    return complaints


if __name__ == '__main__':
    common.main(check)
