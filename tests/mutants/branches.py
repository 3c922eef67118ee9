# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which branches of native code each test takes, as gcov counts them in a build of the tree without mutants."""
import json
import os
import re
import subprocess
import tempfile

SOURCE = re.compile(r'gst/.*\.[ch]$')


def build(source, folder, compiler, jobs):
    """Builds source for gcov, with counters that threads share."""
    if not os.path.exists(os.path.join(folder, 'build.ninja')):
        subprocess.run(['meson', 'setup', folder, source, '-Db_coverage=true', '-Dtests=enabled', '-Dexamples=enabled',
                        '-Dshader-check=disabled', '-Dc_args=-fprofile-update=atomic'], check=True,
                       env=dict(os.environ, CC=compiler))
    subprocess.run(['ninja', '-C', folder, '-j', str(jobs)], check=True, stdout=subprocess.DEVNULL)


def counted(source, folder, kept):
    """The branches that the counters below kept show as taken, as a mask for each object of folder: bit i is the i-th
    branch of the object's code below gst/."""
    paths = []
    below = kept + folder
    for top, _, names in os.walk(os.path.join(below, 'gst')):
        for name in names:
            path = os.path.join(top, name)
            notes = os.path.join(folder, os.path.relpath(path, below))[:-len('gcda')] + 'gcno'
            if path.endswith('.gcda') and os.path.exists(notes):
                os.symlink(notes, path[:-len('gcda')] + 'gcno')
                paths.append(path)
    found = {}
    if not paths:
        return found
    with tempfile.TemporaryFile('w+') as output:
        subprocess.run(['gcov', '--json-format', '--stdout', '--branch-probabilities', *sorted(paths)], cwd=folder,
                       check=True, stdout=output, stderr=subprocess.DEVNULL)
        output.seek(0)
        for line in output:
            data = json.loads(line)
            taken = [branch['count'] > 0 for file in data['files'] for counts in file['lines']
                     for branch in counts['branches']
                     if SOURCE.match(os.path.relpath(os.path.join(folder, file['file']), source))]
            mask = sum(1 << i for i, yes in enumerate(taken) if yes)
            if mask:
                found[os.path.relpath(data['data_file'], below)] = f'{mask:x}'
    return found


def union(rows):
    """The masks of rows together, by object."""
    masks = {}
    for row in rows:
        for name, mask in row['branches'].items():
            masks[name] = masks.get(name, 0) | int(mask, 16)
    return masks
