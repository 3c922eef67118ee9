# SPDX-License-Identifier: LGPL-2.1-or-later
"""Functions stay short enough to be read. The length of files is a matter of review."""
import common

# the rule is "about 60"; tables and option parsing may take a few more
MAX_FUNCTION_LINES = 75


def function_lengths(text):
    """Pairs (line, length) of what stands between a brace that opens at the margin and its end:
    functions, in the formatting that the format check enforces."""
    start = None
    for number, line in enumerate(text.split('\n'), 1):
        if line == '{':
            start = number
        elif line == '}' and start is not None:
            yield start, number - start - 1
            start = None


def check(root):
    complaints = []
    for path in common.project_files(root):
        if path.endswith('.c'):
            complaints += [f'{path}:{line}: a function of {length} lines, more than '
                           f'{MAX_FUNCTION_LINES}'
                           for line, length in function_lengths(common.read(root, path))
                           if length > MAX_FUNCTION_LINES]
    return complaints


if __name__ == '__main__':
    common.main(check)
