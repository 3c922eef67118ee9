# SPDX-License-Identifier: LGPL-2.1-or-later
"""No circles of includes: not between folders, not between headers, and not between modules.
A module is a source file with its headers: NAME.c, NAME.h, and the headers NAME-private.h,
NAME-info.h, NAME-plan.h and NAME-share.h."""
import graphlib
import os
import re

import common


def module_of(path):
    return re.sub(r'(-private|-info|-plan|-share)?\.h$|\.\w+$', '', path)


def joined(graph, name_of):
    """The graph between the groups that name_of puts files into."""
    groups = {}
    for path, targets in graph.items():
        group = groups.setdefault(name_of(path), set())
        group.update(name_of(t) for t in targets)
        group.discard(name_of(path))
    return groups


def circle(graph):
    """The nodes of a circle in graph, or None."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1][::-1]
    return None


def complaint(what, files, name_of):
    """A list of what is wrong with the groups that name_of puts files into: one text or none."""
    nodes = circle(joined(files, name_of)) or []
    # one include of each step, to find it by
    steps = [next(f'{path} includes {t}' for path, targets in files.items() if name_of(path) == start
                  for t in targets if name_of(t) == end) for start, end in zip(nodes, nodes[1:])]
    return [f'{what} include each other in a circle: {"; ".join(steps)}'] if nodes else []


def check(root):
    files = common.include_graph(root)
    headers = {path: {t for t in targets if t.endswith('.h')}
               for path, targets in files.items() if path.endswith('.h')}
    complaints = complaint('headers', headers, str)
    complaints += complaint('folders', files, os.path.dirname)
    return complaints + complaint('modules', files, module_of)


if __name__ == '__main__':
    common.main(check)
