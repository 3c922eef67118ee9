# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables of tests and mutants name suites and files that are there. Rows that name no test are named by
tests/summary.py, because the tests of a build depend on its options."""
import os
import re

import common
import suites

# how a table names a test, of which the first group is the suite, and how a file
TESTS = {
    'tests/budgets/debian-12.tsv': r'^(\w+)/',
    'tests/budgets/debian-13.tsv': r'^(\w+)/',
    'tests/mutants/full.txt': r'^(\w+)/',
    'tests/mutants/choice.py': r"'(\w+)/",
    'tests/mutants/mutants.tsv': r'(?<=[\t ])(\w+)/[^\t ]+(?=[^\t\n]*$)',
    'tests/mutants/table.md': r'^(?:\| |- )(\w+)/[^|/:\n]+(?: \||$)',
}
FILES = {
    'tests/mutants/mutants.tsv': r'^\w+\t(\S+)\t\d+\t',
    'tests/mutants/table.md': r'^\| (\S+):\d+ \|',
}


def check(root):
    complaints, known = [], suites.names(root)
    for table, pattern in TESTS.items():
        found = set(re.findall(pattern, common.read(root, table), re.M))
        complaints += [f'{table}: there is no suite {suite}' for suite in sorted(found - known)]
    for table, pattern in FILES.items():
        found = set(re.findall(pattern, common.read(root, table), re.M))
        complaints += [f'{table}: there is no file {path}: correct its row, or remove it if the code is gone'
                       for path in sorted(found) if not os.path.exists(os.path.join(root, path))]
    return complaints


if __name__ == '__main__':
    common.main(check)
