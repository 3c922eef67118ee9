# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random expressions on arrays: a device finds what Python's integers find.

Arguments: the program run-expressions, how many expressions, how many of them a kernel calculates, a seed."""
import subprocess
import sys

import trees

NAMES = ('a', 'b', 'c', '$p', '$q')
N_VALUES = 64


def mixed(parts):
    """One tree of several, whose value shows a difference in any."""
    tree = parts[0]
    for part in parts[1:]:
        tree = ('+', ('*', tree, 31), part)
    return tree


def main():
    program, n, group, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    rng = trees.seeded(seed)
    rows = [[trees.random_values(rng, 'a')['a'] for _ in range(N_VALUES)],
            [rng.choice((0, 1, 255, 65535, rng.randrange(65536))) for _ in range(N_VALUES)],
            [rng.choice((0, 1, 128, 255, rng.randrange(256))) for _ in range(N_VALUES)],
            [trees.random_values(rng, 'a')['a'] for _ in range(2)]]
    lines, wanted, made = [], [], 0
    while made < n:
        parts = []
        while len(parts) < group:
            tree = trees.random_tree(rng, NAMES, rng.randrange(1, 6))
            parts += [tree, *trees.variants(tree, rng)]
        made += len(parts)
        tree = mixed(parts)
        lines.append(trees.text_of(tree, rng))
        wanted.append([trees.evaluate(tree, dict(zip(NAMES, (*values, *rows[3])))) for values in zip(*rows[:3])])
    text = '\n'.join([' '.join(map(str, row)) for row in rows] + lines) + '\n'
    result = subprocess.run([program], input=text, capture_output=True, text=True)
    if result.returncode == 77:
        sys.exit(77)
    found = [line for line in result.stdout.split('\n') if line[:1] in '-0123456789e' and line]
    if len(found) != len(lines):
        sys.exit(f'{len(found)} results of {len(lines)}: {result.stderr[-2000:]}')
    for line, want, got in zip(lines, wanted, found):
        if got.startswith('error') or list(map(int, got.split())) != want:
            sys.exit(f'seed {seed}: {line}\nwanted {want[:8]} ...\nfound {got[:200]}')
    print(f'{made} expressions in {len(lines)} kernels are right')


main()
