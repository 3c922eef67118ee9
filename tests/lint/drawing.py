# SPDX-License-Identifier: LGPL-2.1-or-later
"""The drawing of folders and includes in docs/architecture.md is what the tree gives.

`python3 tests/lint/drawing.py . --write` draws it again."""
import os
import re
import sys

import circles
import common

PAGE = 'docs/architecture.md'
BEGIN = '<!-- drawn by tests/lint/drawing.py --write -->\n'
END = '<!-- end of the drawing -->\n'
LIBRARY = 'gst/gles/'


def reachable(graph, node):
    found, new = set(), set(graph.get(node, ()))
    while new:
        found |= new
        new = {t for n in new for t in graph.get(n, ())} - found
    return found


def reduced(graph):
    """The graph without the edges that a longer path replaces."""
    return {node: {t for t in targets
                   if not any(t in reachable(graph, other) for other in targets - {t})}
            for node, targets in graph.items()}


def name_of(folder):
    return folder if folder != LIBRARY[:-1] else LIBRARY + 'gles.h'


def node(folder):
    return f'{re.sub("[^a-z]", "_", folder)}["{name_of(folder)}"]'


def draw(root):
    folders = circles.joined(common.include_graph(root), os.path.dirname)
    lines = ['```mermaid', 'graph TD', '  subgraph library["gst/gles"]']
    lines += [f'    {node(f)}' for f in sorted(folders) if f.startswith(LIBRARY)]
    lines += ['  end']
    lines += [f'  {node(f)}' for f in sorted(folders) if not f.startswith(LIBRARY)]
    for folder, targets in sorted(reduced(folders).items()):
        lines += [f'  {node(folder).split("[")[0]} --> {node(t).split("[")[0]}' for t in sorted(targets)]
    lines += ['```', '', '| folder | includes |', '|---|---|']
    lines += [f'| `{name_of(f)}` | {", ".join(f"`{name_of(t)}`" for t in sorted(targets))} |'
              for f, targets in sorted(folders.items())]
    return '\n'.join(lines) + '\n'


def page_with_drawing(root):
    """The page with a new drawing, or None where it has no place for one."""
    before, found, rest = common.read(root, PAGE).partition(BEGIN)
    _, end, after = rest.partition(END)
    return before + BEGIN + draw(root) + END + after if found and end else None


def check(root):
    if page_with_drawing(root) == common.read(root, PAGE):
        return []
    return [f'{PAGE}: the drawing of folders is not what the tree gives: '
            'python3 tests/lint/drawing.py . --write']


if __name__ == '__main__':
    if sys.argv[2:] == ['--write']:
        text = page_with_drawing(sys.argv[1])
        with open(os.path.join(sys.argv[1], PAGE), 'w', encoding='utf-8') as page:
            page.write(text)
    else:
        common.main(check)
