# SPDX-License-Identifier: LGPL-2.1-or-later
"""Names that formats do not store: the library finds what docs/expressions.md says, in Python's integers and fractions,
and what colour science says, within what integers allow.

Arguments: the program bind-expressions, how many samples of a format, a seed."""
import random
import subprocess
import sys

from samples import MATRICES, RGB, YUV, Format

FORMATS = [(YUV, (d, d, d)) for d in (8, 10, 12, 16)] + \
    [(RGB, depths) for depths in ((8, 8, 8), (10, 10, 10), (12, 12, 12), (16, 16, 16), (5, 6, 5), (5, 5, 5))]
YUV_NAMES = ('R', 'G', 'B', 'L', 'hue', 'sat', 'uvhue', 'uvsat', 'lum', 'red')
RGB_NAMES = ('Y', 'U', 'V', 'L', 'hue', 'sat', 'uvhue', 'uvsat', 'lum', 'red')


def main():
    program, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    lines, wanted = [], []
    for names, depths in FORMATS:
        for name, matrix in MATRICES.items():
            for full_range in (False, True):
                form = Format(names, depths, matrix, full_range)
                for _ in range(n):
                    samples = [rng.choice((0, 2 ** d - 1, 2 ** (d - 1), rng.randrange(2 ** d), rng.randrange(2 ** d)))
                               for d in depths]
                    values = form.values(samples)
                    asked = rng.choice(YUV_NAMES if names == YUV else RGB_NAMES)
                    lines.append(f'{form.head()} {" ".join(map(str, samples))}|{asked}')
                    wanted.append((values[asked], name, full_range))
    found = subprocess.run([program], input='\n'.join(lines) + '\n', capture_output=True, text=True, check=True).stdout
    found = found.split('\n')[:-1]
    assert len(found) == len(lines), (len(found), len(lines))
    wrong = [(line, want, got) for line, want, got in zip(lines, wanted, found) if str(want[0]) != got]
    # 16 bits: three angles of 65536 lie nearer to a whole degree than the table of tangents tells
    near = [w for w in wrong if w[0].endswith('uvhue') and ' 16 ' in w[0]]
    for case in wrong[:5]:
        print(*case)
    assert wrong == near and len(near) <= len(lines) // 1000, f'{len(wrong)} of {len(lines)} are wrong'
    print(f'{len(lines)} values are right, {len(near)} angles of 16 bits are one degree off')


main()
