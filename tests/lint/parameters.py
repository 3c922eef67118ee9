# SPDX-License-Identifier: LGPL-2.1-or-later
"""Functions of gst/ with more than MOST parameters stand in LIST, by file and name, with the reason: `kernel` (an inner
function whose caller is a loop), `public` (part of the API, whose signatures stay) or `callback` (another library says
what it takes). Others take a structure where the parameters are one thing. There are at most ROOM, and a new one fails.

Arguments: root; with --write, LIST is written with what gst/ has now. Reasons stay; a function that
is new gets the reason after --write, or ?, which the check refuses until somebody has written one."""
import os
import re
import sys

import common

LIST = 'tests/lint/parameters.txt'
MOST = 5
ROOM = 60
REASONS = {'kernel', 'public', 'callback'}
HEADER = '# written by tests/lint/parameters.py . --write [REASON]'
# at the beginning of a line, as clang-format leaves it
DEFINITION = re.compile(r'^(\w+) \(((?:[^;{}()]|\([^;{}()]*\))*)\)\n\{', re.M)


def long_lists(root):
    """(path, function) of what has too many parameters; variants by #ifdef count once."""
    return {(path, name) for path in common.with_suffix(root, '.c', '.h', under='gst/')
            for name, parameters in DEFINITION.findall(common.without_comments(common.read(root, path)))
            if re.sub(r'\([^()]*\)', '', parameters).count(',') >= MOST}


def listed(root):
    """(path, function) to reason."""
    text = common.read(root, LIST) if os.path.exists(os.path.join(root, LIST)) else ''
    return {(path, name): reason for path, name, reason in re.findall(r'^(\S+) (\w+) (\S+)$', text, re.M)}


def write(root, reason='?'):
    known = listed(root)
    lines = [f'{path} {name} {known.get((path, name), reason)}' for path, name in sorted(long_lists(root))]
    with open(os.path.join(root, LIST), 'w', encoding='utf-8') as file:
        file.write('\n'.join([HEADER, *lines]) + '\n')


def check(root):
    known, found = listed(root), long_lists(root)
    complaints = [f'{path}: {name}() has more than {MOST} parameters: pass a structure, or name it in {LIST} with a '
                  'reason' for path, name in sorted(found - set(known))]
    complaints += [f'{LIST}: {path} has no {name}() with more than {MOST} parameters any more; take it out'
                   for path, name in sorted(set(known) - found)]
    complaints += [f'{LIST}: {path} {name}: the reason is {reason}, not one of {", ".join(sorted(REASONS))}'
                   for (path, name), reason in sorted(known.items()) if reason not in REASONS]
    if len(known) > ROOM:
        complaints.append(f'{LIST} has {len(known)} functions; there is room for {ROOM}')
    return complaints


if __name__ == '__main__':
    if '--write' in sys.argv:
        write(sys.argv[1], *sys.argv[3:])
    else:
        common.main(check)
