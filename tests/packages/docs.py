# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs every shell line of README.md and docs/ as a reader does who has installed the packages.

Argument: the source folder; the current folder is where the lines run, and holds the .deb files. Lines are those of
blocks marked `sh`, and those behind `$ ` in blocks marked `console`; tests/element/doc-lines.py finds and runs them.
LEFT_OUT says which are not run, and why. What a README line installs stays for the lines below it."""
import importlib.util
import os
import re
import sys

TIMEOUT_S = 600
# pattern: reason; a pattern that no line has any more is an error
LEFT_OUT = {
    r'^examples/quickstart \[VIDEO\]': 'installs packages and builds in a clone: nothing is to be built here',
    r'^tests/run$': 'builds in a clone, and is what runs the other tests',
    r'bench/compare/cub': 'needs an NVIDIA GPU, CUB and a clone',
}
# what the pages say that a reader has
MAKE_FILES = (
    'gst-launch-1.0 -q videotestsrc num-buffers=2 ! video/x-raw,format=I420,width=3840,height=2160 ! '
    'filesink location=pan.i420',
)


def load_lines(root):
    path = os.path.join(root, 'tests', 'element', 'doc-lines.py')
    spec = importlib.util.spec_from_file_location('doc_lines', path)
    lines = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(lines)
    lines.COMMAND = re.compile(r'\S')
    lines.TIMEOUT_S = TIMEOUT_S
    return lines


def make_files(lines, env):
    for command in (lines.MAKE_VIDEO, *MAKE_FILES):
        trouble = lines.run(command, os.getcwd(), env)
        if trouble:
            sys.exit(f'what the lines need cannot be made: {command}: {trouble}')


def all_lines(lines, root):
    for path in lines.documents(root):
        with open(path, encoding='utf-8') as file:
            for number, command in lines.commands(file.read()):
                if not command.startswith('#'):
                    yield f'{os.path.relpath(path, root)}:{number}', command


def main(root):
    lines, env = load_lines(root), dict(os.environ)
    ran = failed = 0
    unused = set(LEFT_OUT)
    made = False
    for where, command in all_lines(lines, root):
        pattern = next((pattern for pattern in LEFT_OUT if re.search(pattern, command)), None)
        if pattern:
            unused.discard(pattern)
            print(f'left out: {where}: {command}: {LEFT_OUT[pattern]}')
            continue
        # the lines that install come first, on top of the README
        if not made and not command.startswith('apt'):
            make_files(lines, env)
            made = True
        trouble = lines.run(command, os.getcwd(), env)
        print(f'{"FAILED" if trouble else "ok"}: {where}: {command}' + (f': {trouble}' if trouble else ''), flush=True)
        ran += 1
        failed += trouble is not None
    for pattern in unused:
        print(f'FAILED: LEFT_OUT has {pattern}, which no page has')
    print(f'{ran - failed} passed, {failed + len(unused)} failed')
    sys.exit(1 if failed or unused or ran == 0 else 0)


if __name__ == '__main__':
    main(os.path.abspath(sys.argv[1]))
