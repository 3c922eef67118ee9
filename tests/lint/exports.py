# SPDX-License-Identifier: LGPL-2.1-or-later
"""The library exports what its headers declare with GST_GLES_API, all of it and nothing else. Public is what gles.h
includes: these headers are installed, and debian/libgstgles-1.0-0.symbols names their symbols with the version that
each came in. The others are for the plugin and the tools: gst/gles/private.map gives them the version GST_GLES_PRIVATE.
The plugin exports its entry points only.

Arguments: root, the library, the plugin; with --write in place of the plugin, gst/gles/private.map is written from the
headers, and symbols that are new are added to the symbols file with the version of debian/changelog. A public one that
is gone breaks programs: that is a new soname, so --write leaves it in."""
import os
import re
import subprocess

import common

PLUGIN_SYMBOLS = {'gst_plugin_glescompute_get_desc', 'gst_plugin_glescompute_register'}
PRIVATE = 'GST_GLES_PRIVATE'
MAP = 'gst/gles/private.map'
SYMBOLS = 'debian/libgstgles-1.0-0.symbols'
# the linker's own, and what sanitizers add
IGNORED = re.compile(r'^(_init|_fini|__bss_start|_edata|_end|__asan.*|__ubsan.*|__odr_asan.*)$')


def exported(library):
    """Symbol to version, '' for none."""
    listing = subprocess.run(['nm', '-D', '--defined-only', library], check=True,
                             capture_output=True, text=True).stdout
    symbols = dict(re.findall(r'(\S+?)(?:@+(\S+))?$', listing, re.M))
    return {s: version for s, version in symbols.items() if not IGNORED.match(s) and s != PRIVATE}


def public_headers(root):
    """What gles.h includes, and what that includes."""
    includes, headers, new = common.include_graph(root), set(), {'gst/gles/gles.h'}
    while new:
        headers |= new
        new = {t for header in new for t in includes.get(header, ()) if t.startswith('gst/')} - headers
    return headers


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
    private = f' (symver){PRIVATE} '
    new = sorted(is_exported - set(listed))
    if write:
        version = re.search(r'\((.*?)\)', common.read(root, 'debian/changelog')).group(1)
        listed.update(dict.fromkeys(new, version))
        fields = [line for line in lines if line.startswith(('*', private))]
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join([header, *fields, *(f' {n}@Base {listed[n]}' for n in sorted(listed))]) + '\n')
        new = []
    dynamic = subprocess.run(['readelf', '-d', library], check=True, capture_output=True, text=True).stdout
    complaints = [f'{SYMBOLS} lacks {name}: tests/lint/exports.py . LIBRARY --write adds it' for name in new]
    complaints += [f'{SYMBOLS} lists {name}, which the library has lost' for name in sorted(set(listed) - is_exported)]
    complaints += [] if any(line.startswith(private) for line in lines) else [f'{SYMBOLS} lacks a line of {PRIVATE}']
    if f'[{header.split()[0]}]' not in dynamic:
        complaints.append(f'{SYMBOLS} is of {header.split()[0]}, which is not the soname of the library')
    return complaints


def check_private(root, is_exported, is_declared, public, write):
    """The versions of the symbols, by MAP."""
    private = sorted(s for s, header in is_declared.items() if header not in public)
    text = '/* written by tests/lint/exports.py . LIBRARY --write */\n' + PRIVATE + ' {\n' + \
        ''.join(f'  {s};\n' for s in private) + '};\n'
    if write:
        with open(os.path.join(root, MAP), 'w', encoding='utf-8') as file:
            file.write(text)
    complaints = [] if common.read(root, MAP).endswith(text) else [f'{MAP} has other symbols than the headers that '
                                                                  'gles.h does not include: --write writes it']
    return complaints + [f'{s} has the version {is_exported[s] or "of all"}' for s in sorted(set(is_exported) &
                         set(is_declared)) if (is_exported[s] == PRIVATE) != (s in private)]


def check(root, library, plugin=None):
    is_exported, is_declared, public = exported(library), declared(root), public_headers(root)
    complaints = [f'{library} exports {s}, which no header declares with GST_GLES_API'
                  for s in sorted(set(is_exported) - set(is_declared))]
    complaints += [f'{is_declared[s]}: declares {s} with GST_GLES_API, but the library lacks it'
                   for s in sorted(set(is_declared) - set(is_exported))]
    if plugin and plugin != '--write':
        complaints += [f'{plugin} exports {s}' for s in sorted(set(exported(plugin)) - PLUGIN_SYMBOLS)]
    write = plugin == '--write'
    complaints += check_private(root, is_exported, is_declared, public, write)
    installed = set(common.public_headers(root))
    complaints += [f'{h} is installed, but gles.h does not include it' for h in sorted(installed - public)]
    complaints += [f'{h} is not installed, but gles.h includes it' for h in sorted(public - installed)]
    return complaints + check_symbols(
        root, library, {s for s in is_exported if is_declared.get(s) in public | {None}}, write)


if __name__ == '__main__':
    common.main(check)
