# SPDX-License-Identifier: LGPL-2.1-or-later
"""What several files say of the release is the same: its version and date (meson.build), its maintainer and homepage
(meson_options.txt). --write puts these where other tools look for them; what a person has to write is a complaint."""
import os
import re
from xml.sax.saxutils import escape

import common

# Debian wants an address; .invalid is reserved for those that lead nowhere
NOBODY = 'gst-gles-compute maintainers <maintainers@gst-gles-compute.invalid>'
NO_WATCH = '''version=4
# The option "homepage" of meson_options.txt is empty: there is no address yet at which uscan could look for releases.
# python3 tests/lint/release.py . --write puts it here.
'''
WATCH = '''version=4
opts=searchmode=plain {homepage} (?:.*/)?gst-gles-compute-@ANY_VERSION@@ARCHIVE_EXT@
'''
# what is installed, or says where the project is
INSTALLED = ('data/', 'debian/', 'gi/', 'gst/', 'man/', 'README.md', 'SECURITY.md', 'docs/elements/', 'docs/json', 'docs/metadata.md',
             'docs/watch.md', 'examples/', 'meson')


def facts(root):
    build, options = common.read(root, 'meson.build'), common.read(root, 'meson_options.txt')
    found = {'version': re.search(r"^  version: '(.*)'", build, re.M).group(1),
             'date': re.search(r"^release_date = '(.*)'", build, re.M).group(1)}
    for name in ('maintainer', 'homepage'):
        found[name] = re.search(rf"option\('{name}', type: 'string', value: '(.*?)'", options).group(1)
    return found


def control(text, told):
    text = re.sub(r'^Homepage: .*\n', '', text, flags=re.M)
    homepage = f'Homepage: {told["homepage"]}\n' if told['homepage'] else ''
    text = re.sub(r'^(Standards-Version: .*\n)', lambda m: m.group(1) + homepage, text, flags=re.M)
    return re.sub(r'^Maintainer: .*', lambda _: f'Maintainer: {told["maintainer"] or NOBODY}', text, flags=re.M)


def changelog(text, told):
    """The newest entry; later ones are signed by whoever packages."""
    return re.sub(r'^ -- .*?  ', lambda _: f' -- {told["maintainer"] or NOBODY}  ', text, count=1, flags=re.M)


def watch(_, told):
    return WATCH.format(**told) if told['homepage'] else NO_WATCH


def doap(text, told):
    text = re.sub(r'^  <homepage [^>]*/>\n|^  <maintainer>\n.*?^  </maintainer>\n', '', text, flags=re.M | re.S)
    more = f'  <homepage rdf:resource="{escape(told["homepage"])}"/>\n' if told['homepage'] else ''
    name, _, address = told['maintainer'].partition(' <')
    if name:
        more += f'  <maintainer>\n    <foaf:Person>\n      <foaf:name>{escape(name)}</foaf:name>\n'
        more += f'      <foaf:mbox rdf:resource="mailto:{address.rstrip(">")}"/>\n' if address else ''
        more += '    </foaf:Person>\n  </maintainer>\n'
    text = text.replace('\n  <created>', f'\n{more}  <created>', 1)
    text = re.sub(r'<revision>.*</revision>', f'<revision>{told["version"]}</revision>', text, count=1)
    return re.sub(r'(<Version>\s*.*\s*<created>).*(</created>)', rf'\g<1>{told["date"]}\2', text, count=1)


WRITTEN = {'debian/control': control, 'debian/changelog': changelog, 'debian/watch': watch, 'gst-gles-compute.doap': doap}


def check(root, *options):
    told, complaints = facts(root), []
    for path, rule in WRITTEN.items():
        text = common.read(root, path)
        wanted = rule(text, told)
        if text != wanted and '--write' in options:
            with open(os.path.join(root, path), 'w', encoding='utf-8') as file:
                file.write(wanted)
        elif text != wanted:
            complaints.append(f'{path} says something else of the release than meson.build and meson_options.txt: '
                              'python3 tests/lint/release.py . --write')
    newest = re.search(r'^## \[\d.*', common.read(root, 'CHANGELOG.md'), re.M)
    if newest is None or newest.group(0) != f'## [{told["version"]}] - {told["date"]}':
        complaints.append(f'CHANGELOG.md: the newest release is not "[{told["version"]}] - {told["date"]}"')
    if not common.read(root, 'debian/changelog').startswith(f'gst-gles-compute ({told["version"]}-'):
        complaints.append(f'debian/changelog does not begin with version {told["version"]}')
    series = told['version'].rpartition('.')[0] + '.x'
    if f'| {series} |' not in common.read(root, 'SECURITY.md'):
        complaints.append(f'SECURITY.md does not say that {series} is supported')
    complaints += [f'{path}: {match.group(0)} is no address of anyone' for path in common.project_files(root)
                   if path.startswith(INSTALLED)
                   for match in re.finditer(r'\bexample\.(?:org|com|net)\b', common.read(root, path))]
    return complaints


if __name__ == '__main__':
    common.main(check)
