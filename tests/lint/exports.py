# SPDX-License-Identifier: LGPL-2.1-or-later
"""The library exports what its headers declare with GST_GLES_API, all of it and nothing else; the
plugin exports its entry points only.

Arguments: root, the library, the plugin."""
import re
import subprocess

import common

PLUGIN_SYMBOLS = {'gst_plugin_glescompute_get_desc', 'gst_plugin_glescompute_register'}
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


def check(root, library, plugin=None):
    is_exported, is_declared = exported(library), declared(root)
    complaints = [f'{library} exports {s}, which no header declares with GST_GLES_API'
                  for s in sorted(is_exported - set(is_declared))]
    complaints += [f'{is_declared[s]}: declares {s} with GST_GLES_API, but the library lacks it'
                   for s in sorted(set(is_declared) - is_exported)]
    if plugin:
        complaints += [f'{plugin} exports {s}' for s in sorted(exported(plugin) - PLUGIN_SYMBOLS)]
    return complaints


if __name__ == '__main__':
    common.main(check)
