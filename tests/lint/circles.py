# SPDX-License-Identifier: LGPL-2.1-or-later
"""No circles of includes: not between folders, not between headers, and not between modules.
A module is a source file with its headers: NAME.c, NAME.h, and the headers NAME-private.h,
NAME-info.h, NAME-plan.h and NAME-share.h. No two source files that call each other, and no two modules of Python in a
folder that import each other."""
import graphlib
import os
import re

import common


# pairs of source files that call each other, and why
CALLS = {
    ('gst/gles/device/gl-context.c', 'gst/gles/device/share-thread.c'): 'the context tells its thread that it is lost',
    ('gst/gles/gl/program-build.c', 'gst/gles/gl/program.c'): 'a build holds the program that it is of',
    ('gst/gles/gl/program.c', 'gst/gles/gl/submission.c'): 'a program waits for the open submission, which awaits it',
    ('gst/gles/gl/readback-ring.c', 'gst/gles/gl/readback.c'): 'a readback holds the slots of its ring',
    ('gst/gles/gl/recorder.c', 'gst/gles/gl/submission.c'): 'commands are recorded into the open submission',
    ('gst/gles/gl/submission.c', 'gst/gles/gl/timer.c'): 'a timer is started by commands of the submission it times',
    ('gst/gles/import/carrier-reuse.c', 'gst/gles/import/source.c'): 'a source has the uploads that reuse carriers',
    ('gst/gles/import/import.c', 'gst/gles/import/source.c'): 'an import is laid out as its source says',
    ('gst/gles/import/picture.c', 'gst/gles/import/source.c'): 'a picture is laid out as its source says',
    ('gst/publish/publisher-thread.c', 'gst/publish/publisher.c'): 'the thread counts for its publisher',
    ('gst/tools/watch/run-pipeline.c', 'gst/tools/watch/run.c'): 'a pipeline tells its run what happens',
}

# a definition in GNU style: what is before the name, and the name
DEFINITION = re.compile(r'^([^\n]*)\n(\w+) \([^;{]*\)\n\{', re.M)


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


def calls(root):
    """Which source files use functions of which others: a dictionary from path to a set of paths."""
    texts = {path: re.sub(r'"(?:\\.|[^"\\\n])*"', '""', common.without_comments(common.read(root, path)))
             for path in common.with_suffix(root, '.c') if path.startswith(('gst/', 'bench/'))}
    owners, own = {}, {}
    for path, text in texts.items():
        for before, name in DEFINITION.findall(text):
            own.setdefault(path, set()).add(name)
            if 'static' not in before.split():
                owners.setdefault(name, set()).add(path)
    return {path: {target for word in set(re.findall(r'\w+', text)) - own.get(path, set())
                   for target in owners.get(word, ()) if len(owners[word]) == 1}
            for path, text in texts.items()}


def imports(root):
    """The same for Python: which modules of a folder import which."""
    paths = common.with_suffix(root, '.py')
    found = re.compile(r'^(?:from|import) (?:[\w.]*\.)?(\w+)', re.M)
    return {path: {f'{os.path.dirname(path)}/{name}.py' for name in found.findall(common.read(root, path))} - {path}
            for path in paths}


def complaints_of_pairs(graph, does, allowed):
    pairs = {(a, b) for a, targets in graph.items() for b in targets if a < b and a in graph.get(b, ())}
    return [f'{a} and {b} {does} each other: give one of them what both need, or a third file' for a, b in
            sorted(pairs - allowed)] + [f'{a} and {b} do not {does} each other: CALLS of circles.py names them'
                                        for a, b in sorted(allowed - pairs)]


def check(root):
    files = common.include_graph(root)
    headers = {path: {t for t in targets if t.endswith('.h')}
               for path, targets in files.items() if path.endswith('.h')}
    complaints = complaint('headers', headers, str)
    complaints += complaint('folders', files, os.path.dirname)
    complaints += complaint('modules', files, module_of)
    complaints += complaints_of_pairs(calls(root), 'call', set(CALLS))
    return complaints + complaints_of_pairs(imports(root), 'import', set())


if __name__ == '__main__':
    common.main(check)
