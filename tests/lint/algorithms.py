# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every algorithm on arrays, a folder of gst/gles/algo, is in the lists that name them all. The build runs this."""
import re

import common

ALGO = 'gst/gles/algo'
SHARED = {'plan', 'frame'}
PAGE = 'docs/adding-an-algorithm.md'
# what takes a grid of words or a picture, or several arrays of any type, has no entry in the table of arrays
NO_ARRAYS = {'components', 'map'}


def lists(name):
    """Pairs of a file and what names the algorithm in it."""
    word = name.replace('-', '_')
    yield f'{ALGO}/algorithms.h', rf'_ \(gst_gles_{word}\)'
    yield 'gst/gles/gles.h', rf'<gst/gles/algo/{name}/{name}\.h>'
    yield 'tests/twin/meson.build', rf"'{name}'"
    yield 'docs/arrays.md', rf'gst_gles_{word}_new'
    if name not in NO_ARRAYS:
        yield 'tests/twin/arrays-table.c', rf'gst_gles_{word}_new'


def files(name):
    yield f'{ALGO}/{name}/{name}.h'
    yield f'gst/gles/cpu/{name}/{name}.h'
    yield f'tests/twin/{name}.c'


def check(root):
    paths = common.project_files(root)
    names = sorted({p.split('/')[3] for p in paths if p.startswith(ALGO + '/') and p.count('/') == 4} - SHARED)
    complaints = [f'{path} is missing: {PAGE} tells what it holds'
                  for name in names for path in files(name) if path not in paths]
    for name in names:
        for place, pattern in lists(name):
            if not re.search(pattern, common.read(root, place)):
                complaints.append(f'{place} does not name the algorithm {name}: see {PAGE}')
    return complaints


if __name__ == '__main__':
    common.main(check)
