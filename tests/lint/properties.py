# SPDX-License-Identifier: LGPL-2.1-or-later
"""docs/properties.md lists the properties of all elements, as docs/plugins/gst_plugins_cache.json has them.

`python3 tests/lint/properties.py . --write` writes it again."""
import json
import os
import sys

import common

PAGE = 'docs/properties.md'
CACHE = 'docs/plugins/gst_plugins_cache.json'
INTRODUCTION = '''# Properties of all elements

<!-- written by tests/lint/properties.py . --write from docs/plugins/gst_plugins_cache.json -->
For users who look for a property by its name, or for what a value may be. The page of an element explains what its
properties do together; `gst-inspect-1.0 ELEMENT` prints the same for the version that is installed. All properties can be
read. "Playing": a change takes effect with the next frame, also while playing. "Ready": the property is read when the
element starts. "Controlled": a `GstController` may change it over time.
'''
# shared properties come from this class
BASE = 'GstGlesAnalyzer'
PLAIN = {'gboolean': 'boolean', 'gchararray': 'text', 'GstStructure': 'structure'}


def number(text, gtype):
    """The cache has unsigned numbers of 32 bits as signed ones."""
    return str(int(text) + (1 << 32)) if gtype == 'guint' and text.startswith('-') else text


def values(details, types):
    gtype = details['type']
    if 'min' in details:
        return f'{number(details["min"], gtype)} to {number(details["max"], gtype)}'
    if gtype in types:
        return ', '.join(f'`{value["name"]}`' for value in types[gtype]['values'])
    return PLAIN[gtype]


def default(details):
    text, gtype = details.get('default'), details['type']
    if gtype == 'GstStructure' or text is None:
        return ''
    if gtype == 'gchararray':
        return 'unset' if text == 'NULL' else f'`"{text}"`'
    # "none (0)": the name of a value, and its number
    return f'`{number(text.split(" (")[0], gtype)}`'


def changeable(details):
    if not details['writable']:
        return 'read only'
    return {'playing': 'playing', 'ready': 'ready'}.get(details['mutable'], 'any time') + \
        (', controlled' if details['controllable'] else '')


def cell(text):
    return text.replace('|', '\\|')


def prose(text):
    """Outside of code a < could begin a tag."""
    return cell(text).replace('<', '\\<')


def table(properties, types):
    rows = [f'| `{name}` | {cell(values(details, types))} | {cell(default(details))} | {changeable(details)} | '
            f'{prose(details["blurb"])} |' for name, details in sorted(properties.items())]
    return ['| property | values | default | changed | meaning |', '|---|---|---|---|---|', *rows, '']


def enumerations(properties, types):
    """What the values of these properties mean."""
    lines = []
    for name, details in sorted(properties.items()):
        if details['type'] in types:
            each = '; '.join(f'`{value["name"]}`: {value["desc"]}' for value in types[details['type']]['values'])
            lines.append(f'- `{name}`: {prose(each)}')
    return [*lines, ''] if lines else []


def write(root):
    plugin = json.loads(common.read(root, CACHE))['glescompute']
    types = plugin['other-types']
    shared = types[BASE]['properties']
    sharers = [name for name, element in sorted(plugin['elements'].items()) if BASE in element['hierarchy']]
    lines = [INTRODUCTION, '## Shared by ' + ', '.join(f'`{name}`' for name in sharers), '',
             *table(shared, types), *enumerations(shared, types)]
    for name, element in sorted(plugin['elements'].items()):
        properties = element.get('properties', {})
        lines += [f'## {name}', '', f'{element["description"].rstrip(".")}. [Its page](elements/{name}.md).', '',
                  *table(properties, types), *enumerations(properties, types)]
    return '\n'.join(lines)


def check(root):
    if os.path.exists(os.path.join(root, PAGE)) and common.read(root, PAGE) == write(root):
        return []
    return [f'{PAGE} is not what {CACHE} gives: python3 tests/lint/properties.py . --write']


if __name__ == '__main__':
    if sys.argv[2:] == ['--write']:
        with open(os.path.join(sys.argv[1], PAGE), 'w', encoding='utf-8') as page:
            page.write(write(sys.argv[1]))
    else:
        common.main(check)
