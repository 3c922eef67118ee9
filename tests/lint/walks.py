# SPDX-License-Identifier: LGPL-2.1-or-later
"""The walks in docs/architecture.md name at most MAX_FILES files each, none of them twice, and functions that
these files define."""
import os
import re

import common

PAGE = 'docs/architecture.md'
TITLE = '## Walks\n'
N_WALKS = 5
MAX_FILES = 4
NAMED = re.compile(r'`(?:([\w./-]+/[\w.-]+)|(\w+)\(\))`')


def complaints_about(root, walk):
    files, complaints = [], []
    for path, function in NAMED.findall(walk):
        if path in files:
            complaints.append(f'goes back to {path}')
        elif path:
            files.append(path)
            if not os.path.isfile(os.path.join(root, path)):
                complaints.append(f'names {path}, which does not exist')
        elif not files or not os.path.isfile(os.path.join(root, files[-1])) or not re.search(
                rf'^{function} \(.*\n?(?:.*[^;\n]\n)*?{{', common.read(root, files[-1]), re.M):
            complaints.append(f'names {function}(), which the file before it does not define')
    if not 0 < len(files) <= MAX_FILES:
        complaints.append(f'names {len(files)} files; 1 to {MAX_FILES} are expected')
    return complaints


def check(root):
    _, found, rest = common.read(root, PAGE).partition(TITLE)
    walks = re.findall(r'^\*\*(.+?)\*\*(.*?)(?=\n\n|\Z)', rest.split('\n## ')[0], re.M | re.S)
    if not found or len(walks) < N_WALKS:
        return [f'{PAGE}: {len(walks)} walks below "{TITLE.strip()}"; {N_WALKS} are expected']
    return [f'{PAGE}: the walk "{name.strip(".")}" {complaint}'
            for name, walk in walks for complaint in complaints_about(root, walk)]


if __name__ == '__main__':
    common.main(check)
