# SPDX-License-Identifier: LGPL-2.1-or-later
"""The library exports what its headers declare with GST_GLES_API, all of it and nothing else, and
debian/libgstgles-1.0-0.symbols names it with the version that each symbol came in; the plugin exports its entry points
only.

Arguments: root, the library, the plugin; with --write in place of the plugin, symbols that are new are added to the
file with the version of debian/changelog. One that is gone breaks programs: that is a new soname, so --write leaves it
in."""
import os
import re
import subprocess

import common

PLUGIN_SYMBOLS = {'gst_plugin_glescompute_get_desc', 'gst_plugin_glescompute_register'}
SYMBOLS = 'debian/libgstgles-1.0-0.symbols'
# the linker's own, and what sanitizers add
IGNORED = re.compile(r'^(_init|_fini|__bss_start|_edata|_end|__asan.*|__ubsan.*|__odr_asan.*)$')


def exported(library):
    listing = subprocess.run(['nm', '-D', '--defined-only', library], check=True,
                             capture_output=True, text=True).stdout
    symbols = {line.split()[-1].split('@')[0] for line in listing.splitlines() if line.strip()}
    return {s for s in symbols if not IGNORED.match(s)}


def declared(root):
    """Symbol to header, for all that carries GST_GLES_API."""
    symbols = {}
    for path in common.with_suffix(root, '.h', under='gst/gles/'):
        text = common.without_comments(common.read(root, path))
        text = re.sub(r'^[ \t]*#(?:\\\n|[^\n])*', '', text, flags=re.M)
        # G_DECLARE_* ends without a semicolon, so the next declaration can follow in the same text
        for declaration in re.findall(r'\bGST_GLES_API\b((?:(?!\bGST_GLES_API\b)[^;{])*)', text):
            type_name = re.search(r'\bG_DECLARE_\w+\s*\(\s*\w+\s*,\s*(\w+)', declaration)
            function = re.search(r'\b(\w+)\s*\(', declaration)
            variable = re.search(r'(\w+)\s*(?:\[[^\]]*\])?\s*$', declaration)
            if type_name:
                symbols[type_name.group(1) + '_get_type'] = path
            elif function or variable:
                symbols[(function or variable).group(1)] = path
    return symbols


def check_symbols(root, library, is_exported, write):
    path = os.path.join(root, SYMBOLS)
    header, *lines = common.read(root, SYMBOLS).splitlines()
    listed = dict(re.findall(r'^ (\S+)@Base (\S+)$', '\n'.join(lines), re.M))
    new = sorted(is_exported - set(listed))
    if write:
        version = re.search(r'\((.*?)\)', common.read(root, 'debian/changelog')).group(1)
        listed.update(dict.fromkeys(new, version))
        fields = [line for line in lines if line.startswith('*')]
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join([header, *fields, *(f' {n}@Base {listed[n]}' for n in sorted(listed))]) + '\n')
        new = []
    dynamic = subprocess.run(['readelf', '-d', library], check=True, capture_output=True, text=True).stdout
    complaints = [f'{SYMBOLS} lacks {name}: tests/lint/exports.py . LIBRARY --write adds it' for name in new]
    complaints += [f'{SYMBOLS} lists {name}, which the library has lost' for name in sorted(set(listed) - is_exported)]
    if f'[{header.split()[0]}]' not in dynamic:
        complaints.append(f'{SYMBOLS} is of {header.split()[0]}, which is not the soname of the library')
    return complaints


def check(root, library, plugin=None):
    is_exported, is_declared = exported(library), declared(root)
    complaints = [f'{library} exports {s}, which no header declares with GST_GLES_API'
                  for s in sorted(is_exported - set(is_declared))]
    complaints += [f'{is_declared[s]}: declares {s} with GST_GLES_API, but the library lacks it'
                   for s in sorted(set(is_declared) - is_exported)]
    if plugin and plugin != '--write':
        complaints += [f'{plugin} exports {s}' for s in sorted(exported(plugin) - PLUGIN_SYMBOLS)]
    return complaints + check_symbols(root, library, is_exported, plugin == '--write')


if __name__ == '__main__':
    common.main(check)
