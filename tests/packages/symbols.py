# SPDX-License-Identifier: LGPL-2.1-or-later
"""debian/libgstgles-1.0-0.symbols names what the library exports, with the version that each symbol came in.

Arguments: the source folder, the library; with --write third, symbols that are new are added with the version of
debian/changelog. One that is gone breaks programs: that is a new soname, so --write refuses it."""
import os
import re
import subprocess
import sys

SYMBOLS = 'debian/libgstgles-1.0-0.symbols'


def exported(library):
    listing = subprocess.run(['nm', '-D', '--defined-only', library], check=True, capture_output=True, text=True)
    names = {line.split()[-1].split('@')[0] for line in listing.stdout.splitlines()}
    # sanitizers and the linker add symbols of their own
    return {name for name in names if name.startswith('gst_')}


def soname(library):
    dynamic = subprocess.run(['readelf', '-d', library], check=True, capture_output=True, text=True).stdout
    return re.search(r'\(SONAME\).*\[(.*)\]', dynamic).group(1)


def main(root, library, write=None):
    path = os.path.join(root, SYMBOLS)
    with open(path, encoding='utf-8') as file:
        header, *lines = file.read().splitlines()
    listed = dict(re.findall(r'^ (\S+)@Base (\S+)$', '\n'.join(lines), re.M))
    symbols = exported(library)
    wrong = [f'{SYMBOLS} lists {name}, which the library has lost' for name in sorted(set(listed) - symbols)]
    if header.split()[0] != soname(library):
        wrong.append(f'{SYMBOLS} is of {header.split()[0]}, the library is {soname(library)}')
    new = sorted(symbols - set(listed))
    if write == '--write' and not wrong:
        with open(os.path.join(root, 'debian/changelog'), encoding='utf-8') as file:
            version = re.search(r'\((.*?)\)', file.readline()).group(1)
        listed.update(dict.fromkeys(new, version))
        fields = [line for line in lines if line.startswith('*')]
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join([header, *fields, *(f' {n}@Base {listed[n]}' for n in sorted(listed))]) + '\n')
        new = []
    wrong += [f'{SYMBOLS} lacks {name}: tests/packages/symbols.py . LIBRARY --write adds it' for name in new]
    print('\n'.join(wrong) or f'{len(listed)} symbols')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main(*sys.argv[1:])
