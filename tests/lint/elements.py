# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every element, a GST_ELEMENT_REGISTER_DEFINE in a folder of gst/elements, and every result, a
gst/gles/meta/NAME-info.h, is in the lists that name them all, or a list says why it is not. A file that names them all,
or all but one, is one of these lists. The build runs this."""
import re

import common

PAGE = 'docs/adding-an-element.md'
HERE = 'tests/lint/elements.py'
TABLE = 'gst/elements/elements.h'
NO_DEVICE = 'it runs no shader'
NO_KERNEL = 'it has no kernel that could be wrong'
# list: what is left out, and why
ELEMENTS = {
    TABLE: {},
    'CHANGELOG.md': {},
    'docs/plugins/gst_plugins_cache.json': {},
    'README.md': {},
    'docs/index.md': {},
    'docs/reference/build.py': {},
    'docs/reliability.md': {},
    'tests/element/meson.build': {'glespublish': 'its tests are in tests/publish'},
    'tests/element/states.c': {},
    'tests/element/missing-analyser.c': {},
    'tests/element/validate.py': dict.fromkeys(('glestrack', 'gleszones', 'glesevents', 'glesjson', 'glesoverlay', 'glespublish'),
                                               NO_KERNEL),
    'tests/fuzz/fuzz-properties.c': {},
    'tests/fuzz/fuzz-frames.c': {},
    'tests/fault/fault.c': {},
    'tests/drivers/elements.c': {'glesoverlay': NO_DEVICE, 'glespublish': NO_DEVICE, 'gleszones': NO_DEVICE},
    'tests/soak/meson.build': {},
}
# lists of results: what names one, with its name in place of NAME
RESULTS = {
    'gst/gles/meta/meson.build': r"'NAME\.h'",
    'gst/gles/meta/kinds.h': r'_ \(\w+, NAME,',
    'gst/gles/gles.h': r'<gst/gles/meta/NAME\.h>',
    'gst/elements/json/json-results.c': r'results->NAME\b',
    'gst/elements/overlay/gstglesoverlay.c': r'gboolean .*\bNAME\b.*/\* what is drawn',
    'gi/overrides/GstGles.py': r'(?i)NAME_?result',
    'tests/unit/result-dumps.h': r'\ndump_NAME \(',
    'tests/unit/result-samples.h': r'gst_gles_NAME_result_new',
    'tests/unit/result-meta.c': r'KIND \("\w+", NAME,',
    'tests/unit/result-serial.c': r'KIND \(NAME,',
    'tests/fuzz/fuzz-serial.c': r'DEFINE_KIND \(NAME\)',
    'tests/fuzz/corpus.py': r'def NAME\(',
    'tests/element/results-samples.h': r'gst_gles_NAME_result_new',
    'tests/element/glesjson-schema.py': r"'NAME'",
    'tests/element/python-override.py': r'(?i)NAMEResult',
    'docs/json-schema/gles-ndjson.schema.json': r'"NAME"',
    'docs/json.md': r'`NAME`',
    'docs/python.md': r'(?i)`NAMEResult`',
    'docs/elements/glesoverlay.md': r'`NAME`',
    'docs/metadata.md': r'\bNAME\b',
}
# what names them all, or all but one, and is no list to which somebody adds
NO_LISTS = {
    'docs/properties.md': 'the lint properties writes it',
    'debian/libgstgles-1.0-0.symbols': 'the lint exports writes it',
    'gst/gles/private.map': 'the lint exports writes it',
    'tests/mutants/full.txt': 'tests/mutants/run table writes it',
    'tests/budgets/debian-12.tsv': 'tests/run --write-budgets writes it',
    'tests/budgets/debian-13.tsv': 'tests/run --write-budgets writes it',
    'tests/element/glesjson.c': 'tests of what json-results.c does with each of them',
    'tests/element/glesoverlay.c': 'tests of what the overlay does with each of them',
    'tests/element/introspection.py': 'results that wait for a device; python-override.py has those of tracks',
    'tests/unit/result-wait.c': 'results that wait for a device; tracks are complete from the start',
}
FILES = ('gst/gles/meta/NAME.h', 'gst/gles/meta/NAME.c', 'gst/gles/meta/NAME-serial.c')
# frame-info.h is a part of every result
NO_RESULT = {'frame'}


def elements_of(root, paths):
    return sorted(name for path in paths if re.fullmatch(r'gst/elements/\w+/\w+\.c', path)
                  for name in re.findall(r'ELEMENT_REGISTER_DEFINE \(\s*(\w+)', common.read(root, path)))


def results_of(paths):
    found = (re.fullmatch(r'gst/gles/meta/(\w+)-info\.h', path) for path in paths)
    return sorted({match.group(1) for match in found if match} - NO_RESULT)


def check_elements(root, paths, names):
    for place, left_out in ELEMENTS.items():
        text = common.read(root, place)
        for name in names:
            named = re.search(rf'\b{name}\b', text)
            if not named and name not in left_out:
                yield f'{place} does not name the element {name}: see {PAGE}'
            if named and name in left_out:
                yield f'{place} names {name}, of which {HERE} says: {left_out[name]}; see {PAGE}'
    for name in re.findall(r'\b_ \((gles\w+)\)', common.read(root, TABLE)):
        if name not in names:
            yield f'{TABLE} names {name}, which no folder of gst/elements has: see {PAGE}'
    for name in names:
        if f'docs/elements/{name}.md' not in paths:
            yield f'docs/elements/{name}.md is missing: see {PAGE}'


def check_results(root, paths, names):
    for name in names:
        for path in (f.replace('NAME', name) for f in FILES):
            if path not in paths:
                yield f'{path} is missing: see {PAGE}'
    for place, pattern in RESULTS.items():
        text = common.read(root, place)
        for name in names:
            if not re.search(pattern.replace('NAME', name), text):
                yield f'{place} does not name the result {name}: see {PAGE}'


def check_others(root, paths, elements, results):
    """Files that are like lists, and of which nothing here speaks."""
    for path in paths:
        if path in ELEMENTS or path in RESULTS or path in NO_LISTS or path in (PAGE, HERE):
            continue
        text = common.read(root, path)
        for what, names, found in (
                ('element', elements, re.findall(r'\bgles[a-z]+\b', text)),
                ('result', results, re.findall(r'(?i)gles_?([a-z]+)_?(?=result|meta)', text))):
            missing = set(names) - {name.lower().rstrip('_') for name in found}
            if len(missing) <= 1:
                yield (f'{path} names every {what}' + ''.join(f' but {name}' for name in missing) +
                       f': add it to the lists of {HERE} and of {PAGE}, or say there why it is none')


def check(root):
    paths = common.project_files(root)
    elements, results = elements_of(root, paths), results_of(paths)
    complaints = [*check_elements(root, paths, elements), *check_results(root, paths, results),
                  *check_others(root, paths, elements, results)]
    # what the lint demands, the page names
    page = common.read(root, PAGE)
    complaints += [f'{PAGE} does not name the list {place}' for place in [*ELEMENTS, *RESULTS] if place not in page]
    complaints += [f'{place}, of which {HERE} says: {why}, is not there' for place, why in NO_LISTS.items()
                   if place not in paths]
    return complaints


if __name__ == '__main__':
    common.main(check)
