# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the lint checks share: which files are the project's, and how a check reports."""
import os
import re
import subprocess
import sys

SKIP = 77


def project_files(root):
    """Paths, relative to root, of the files that are or would be under version control."""
    command = ['git', '-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
    try:
        listing = subprocess.run(command, check=True, capture_output=True).stdout.decode()
        if os.path.exists(os.path.join(root, '.git')):
            paths = [p for p in listing.split('\0') if p]
            return sorted(p for p in paths if os.path.isfile(os.path.join(root, p)))
    except (OSError, subprocess.CalledProcessError):
        pass
    # a tarball, a copy, or a clone that belongs to another user
    paths = []
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith(('build', '__pycache__'))
                      and (not f.startswith('.') or f == '.ci')]
        paths += [os.path.relpath(os.path.join(folder, n), root) for n in names]
    return sorted(paths)


def with_suffix(root, *suffixes, under=''):
    return [p for p in project_files(root) if p.startswith(under) and p.endswith(suffixes)]


def read(root, path):
    with open(os.path.join(root, path), encoding='utf-8', errors='replace') as f:
        return f.read()


def without_comments(text):
    """C or GLSL text with comments blanked; line numbers and string literals stay."""
    pattern = r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*'

    def blank(match):
        found = match.group(0)
        return found if found.startswith('"') else re.sub(r'[^\n]', ' ', found)
    return re.sub(pattern, blank, text, flags=re.S)


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def include_graph(root):
    """Which files of the library, the plugin, the tools, the examples and the shaders include which of each
    other: a dictionary from path to a set of paths. What is not in the tree is left out."""
    paths = [p for p in with_suffix(root, '.c', '.h', '.comp', '.glsl')
             if p.startswith(('gst/', 'bench/', 'glsl/', 'examples/'))]
    return {path: {target for quote, included in INCLUDE.findall(without_comments(read(root, path)))
                   for target in [resolve(path, quote, included, paths)] if target}
            for path in paths}


def resolve(path, quote, included, paths):
    """Which of paths the file path includes as included, or None."""
    folders = [os.path.dirname(path)] if quote == '"' else []
    for folder in folders + ['', 'glsl', 'glsl/lib']:
        candidate = os.path.normpath(os.path.join(folder, included))
        if candidate in paths:
            return candidate
    # a folder that only the build names
    found = [p for p in paths if quote == '"' and p.endswith('/' + included)]
    return found[0] if len(found) == 1 else None


def line_of(text, position):
    return text.count('\n', 0, position) + 1


def public_headers(root):
    """Paths of the headers that are installed, as the meson files of the layers list them, and NAME/NAME.h."""
    headers = {'gst/gles/gles.h', 'gst/gles/glsl/layout.h'}
    headers |= {p for p in with_suffix(root, '.h', under='gst/gles/algo/') if re.search(r'/([^/]+)/\1\.h$', p)}
    for path in with_suffix(root, 'meson.build', under='gst/gles/'):
        for listing in re.findall(r'_public_headers\s*\+?=\s*files\s*\((.*?)\)', read(root, path),
                                  flags=re.S):
            headers.update(os.path.join(os.path.dirname(path), name)
                           for name in re.findall(r"'([^']+)'", listing))
    return sorted(headers)


class Skip(Exception):
    """Raised by a check that cannot run here; the message says why."""


def main(check):
    """Runs check (root, further arguments), which returns its complaints as a list of strings."""
    try:
        complaints = check(sys.argv[1], *sys.argv[2:])
    except Skip as reason:
        print(f'skipped: {reason}')
        sys.exit(SKIP)
    for complaint in complaints:
        print(complaint)
    sys.exit(1 if complaints else 0)
