# SPDX-License-Identifier: LGPL-2.1-or-later
"""The suite of a test is the folder of its meson.build, tests/meson.build enters every such folder, and
`tests/run --help` names each suite and each fuzz target, which tests/fuzz/meson.build builds."""
import os
import re
import subprocess

import common

TOP = 'tests/meson.build'
FUZZ = 'tests/fuzz/meson.build'
TEST = re.compile(r'^\s*test ?\(', re.M)
SUITE = re.compile(r"\bsuite: ([\w'\"\[]+)")


def folders(root):
    """The text of each meson.build in a folder of tests/, by the folder's name."""
    return {os.path.basename(os.path.dirname(path)): common.read(root, path)
            for path in common.with_suffix(root, '/meson.build', under='tests/') if path != TOP}


def names(root):
    return {folder for folder, text in folders(root).items() if TEST.search(text)}


def check(root):
    complaints, top = [], common.read(root, TOP)
    if TEST.search(top):
        complaints.append(f'{TOP} has a test, which belongs in the folder of its suite')
    for folder, text in folders(root).items():
        path, given = f'tests/{folder}/meson.build', SUITE.findall(text)
        if f"'{folder}'" not in top:
            complaints.append(f'{path}: {TOP} does not enter its folder')
        complaints += [f'{path}: a test has "suite: {s}", not "suite: suite"' for s in given if s != 'suite']
        if len(given) != len(TEST.findall(text)):
            complaints.append(f'{path}: {len(TEST.findall(text))} tests, {len(given)} of them with "suite: suite"')
    targets = [re.sub(r'.*/fuzz-|\.c$', '', p) for p in common.with_suffix(root, '.c', under='tests/fuzz/fuzz-')]
    complaints += [f'tests/fuzz/fuzz-{name}.c is not built by {FUZZ}' for name in targets
                   if f"'{name}'" not in common.read(root, FUZZ)]
    usage = subprocess.run(['bash', os.path.join(root, 'tests/run'), '--help'], check=False, capture_output=True,
                           text=True).stdout
    for option, wanted in (('--suite', names(root)), ('--fuzz', targets)):
        shown = re.search(rf'^  {option} .*\n(?:    +.*\n)*', usage, re.M)
        complaints += [f'tests/run --help: {option} does not name {name}' for name in sorted(wanted)
                       if not shown or name not in shown.group().split()]
    return complaints


if __name__ == '__main__':
    common.main(check)
