# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes the HTML reference: the API from the GIR by gi-docgen, with the pages of docs/ for users beside it.

Arguments: the gi-docgen program, the GIR, the version, the folder to write into (GstGles-1.0 appears there), a
folder for intermediate files. Links that would lead nowhere end the program."""
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
# in the order of the index
PAGES = ['elements/gleshistogram.md', 'elements/glescompact.md', 'elements/glesregions.md', 'elements/glestrack.md',
         'elements/gleszones.md', 'elements/glestiles.md', 'elements/glesevents.md', 'elements/glesjson.md', 'elements/glespublish.md',
         'elements/glesoverlay.md', 'json.md', 'metadata.md', 'python.md', 'arrays.md', 'architecture.md', 'frames.md',
         'reliability.md', 'performance.md', 'performance/h100.md', 'performance/two-cores.md', 'benchmarks.md', 'report.md', 'glossary.md',
         'hardware-notes.md']
LINK = re.compile(r'(?<!!)\[([^][]*)\]\(([^)\s]*)\)')
FENCE = re.compile(r'(^```.*?^```)', re.M | re.S)


def flat(page):
    return os.path.basename(page)


def rewrite(page, text):
    """A page with its title as gi-docgen wants it, and its links to where things are in the reference. What is not
    part of it, such as examples, keeps its name and loses its link."""
    def link(match):
        label, target = match.groups()
        path, _, anchor = target.partition('#')
        if not path or '://' in target:
            return match.group(0)
        path = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if path in PAGES:
            return f'[{label}]({flat(path)[:-3]}.html{"#" * bool(anchor)}{anchor})'
        assert os.path.exists(os.path.join(DOCS, path)), f'docs/{page}: {target} is not there'
        return label

    title, body = text.split('\n', 1)
    # of parts 0, 2, ... between the blocks of code
    parts = [LINK.sub(link, part) if i % 2 == 0 else part for i, part in enumerate(FENCE.split(body))]
    return f'Title: {title.lstrip("# ")}\n\n{title}\n{"".join(parts)}'


def prepare_gir(source, target):
    """The GIR with links for gi-docgen where the comments have gtk-doc's #Type and function(), and with the
    description of what is returned for functions whose comment has no other."""
    def tag(name):
        return f'{{http://www.gtk.org/introspection/core/1.0}}{name}'

    tree = ElementTree.parse(source)
    c_type, c_identifier = (f'{{http://www.gtk.org/introspection/c/1.0}}{name}' for name in ('type', 'identifier'))
    kinds = {tag('class'): 'class', tag('record'): 'struct', tag('enumeration'): 'enum', tag('bitfield'): 'flags'}
    types = {node.get(c_type): f'[{kinds[node.tag]}@GstGles.{node.get("name")}]'
             for node in tree.iter() if node.tag in kinds}
    functions = {}
    for kind, name in (('ctor', 'constructor'), ('method', 'method'), ('func', 'function')):
        for parent in tree.iter():
            owner = '' if parent.tag == tag('namespace') else f'{parent.get("name")}.'
            functions.update({node.get(c_identifier): f'[{kind}@GstGles.{owner}{node.get("name")}]'
                              for node in parent.findall(tag(name)) if node.get('moved-to') is None})

    def links(text):
        text = re.sub(r'#(\w+)', lambda m: types.get(m.group(1), m.group(0)), text)
        return re.sub(r'\b(gst_\w+)\(\)', lambda m: functions.get(m.group(1), m.group(0)), text)

    for doc in tree.iter(tag('doc')):
        doc.text = links(doc.text)
    for node in tree.iter():
        returned = node.find(f'{tag("return-value")}/{tag("doc")}')
        if returned is not None and node.find(tag('doc')) is None:
            doc = ElementTree.Element(tag('doc'), returned.attrib)
            doc.text = f'Returns {returned.text}'
            node.insert(0, doc)
    tree.write(target, encoding='utf-8', xml_declaration=True)


def check_links(folder):
    """Every relative link has a file, and every anchor of one of our pages a heading."""
    dead = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith('.html'):
            continue
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            text = file.read()
        for target in set(re.findall(r'href="([^"]*)"', text)):
            path, _, anchor = target.partition('#')
            if '://' in target or target.startswith(('javascript:', 'data:')):
                continue
            aim = os.path.join(folder, path or name)
            if not os.path.exists(aim):
                dead.append(f'{name}: {target}')
            elif anchor and (path or name)[:-5] + '.md' in map(flat, PAGES):
                with open(aim, encoding='utf-8') as file:
                    if f'id="{anchor}"' not in file.read():
                        dead.append(f'{name}: {target}')
    assert not dead, 'links to nowhere:\n' + '\n'.join(dead)


def main(program, gir, version, output, work):
    content = os.path.join(work, 'pages')
    shutil.rmtree(content, ignore_errors=True)
    os.makedirs(content)
    for page in PAGES:
        with open(os.path.join(DOCS, page), encoding='utf-8') as file:
            text = rewrite(page, file.read())
        with open(os.path.join(content, flat(page)), 'w', encoding='utf-8') as file:
            file.write(text)
    with open(os.path.join(DOCS, 'reference', 'GstGles.toml.in'), encoding='utf-8') as file:
        settings = file.read().replace('@VERSION@', version).replace('@PAGES@', json.dumps([*map(flat, PAGES)]))
    config = os.path.join(work, 'GstGles.toml')
    with open(config, 'w', encoding='utf-8') as file:
        file.write(settings)
    prepared = os.path.join(work, 'GstGles-1.0.gir')
    prepare_gir(gir, prepared)
    subprocess.run([program, 'generate', '--quiet', '--fatal-warnings', f'--config={config}', f'--output-dir={output}',
                    f'--content-dir={content}', prepared], check=True)
    # where there is none
    index = os.path.join(output, 'GstGles-1.0', 'index.html')
    with open(index, encoding='utf-8') as file:
        text = re.sub(r'\s*<tr><td><em>(Website|Source)</em></td><td><a href="" [^\n]*', '', file.read())
    with open(index, 'w', encoding='utf-8') as file:
        file.write(text)
    check_links(os.path.join(output, 'GstGles-1.0'))


if __name__ == '__main__':
    main(*sys.argv[1:])
