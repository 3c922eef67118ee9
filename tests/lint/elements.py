# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every element, which gst/elements/elements.h declares, and every result, a gst/gles/meta/NAME-info.h, is in the lists
that name them all, or a list says why it is not."""
import re

import common

PAGE = 'docs/adding-an-element.md'
NO_DEVICE = 'it runs no shader'
NO_KERNEL = 'it has no kernel that could be wrong'
# list: what is left out, and why
ELEMENTS = {
    'gst/elements/plugin.c': {},
    'README.md': {},
    'docs/index.md': {},
    'docs/reference/build.py': {},
    'docs/reliability.md': {},
    'tests/element/states.c': {},
    'tests/element/missing-analyser.c': {},
    'tests/element/validate.py': dict.fromkeys(('glestrack', 'gleszones', 'glesevents', 'glesjson', 'glesoverlay', 'glespublish'),
                                               NO_KERNEL),
    'tests/fuzz/fuzz.c': {},
    'tests/fuzz/fuzz-properties.c': {},
    'tests/fuzz/fuzz-frames.c': {},
    'tests/fault/fault.c': {},
    'tests/fault/meson.build': {},
    'tests/drivers/elements.c': {'glesoverlay': NO_DEVICE, 'glespublish': NO_DEVICE, 'gleszones': NO_DEVICE},
    'tests/soak/meson.build': {},
}
# lists of results: what names one, with its name in place of NAME
RESULTS = {
    'gst/gles/meta/meson.build': r"'NAME\.h'",
    'gst/gles/gles.h': r'<gst/gles/meta/NAME\.h>',
    'gst/gles/meta/metas.c': r'DEFINE_META \(\w+, NAME,',
    'gst/elements/plugin.c': r'gst_gles_NAME_meta_get_info',
    'gst/elements/base/results.h': r'<gst/gles/meta/NAME-info\.h>',
    'gst/elements/base/results.c': r'gst_gles_NAME_result_from_buffer',
    'gst/elements/json/json-results.c': r'results->NAME\b',
    'gst/elements/overlay/gstglesoverlay.c': r'gboolean .*\bNAME\b.*/\* what is drawn',
    'gi/overrides/GstGles.py': r'(?i)NAME_?result',
    'tests/element/results-samples.h': r'gst_gles_NAME_result_new',
    'docs/json-schema/gles-ndjson.schema.json': r'"NAME"',
    'docs/json.md': r'`NAME`',
    'docs/metadata.md': r'\bNAME\b',
}
FILES = ('gst/gles/meta/NAME.h', 'gst/gles/meta/NAME.c', 'gst/gles/meta/NAME-serial.c')
# frame-info.h is a part of every result
NO_RESULT = {'frame'}


def check(root):
    paths = common.project_files(root)
    complaints = []
    for name in re.findall(r'ELEMENT_REGISTER_DECLARE \((\w+)\)', common.read(root, 'gst/elements/elements.h')):
        for place, left_out in ELEMENTS.items():
            named = re.search(rf'\b{name}\b', common.read(root, place))
            if not named and name not in left_out:
                complaints.append(f'{place} does not name the element {name}: see {PAGE}')
            if named and name in left_out:
                complaints.append(f'{place} names {name}, of which tests/lint/elements.py says: {left_out[name]}')
        if f'docs/elements/{name}.md' not in paths:
            complaints.append(f'docs/elements/{name}.md is missing: see {PAGE}')
    for info in sorted(p for p in paths if re.fullmatch(r'gst/gles/meta/\w+-info\.h', p)):
        name = info.split('/')[-1][:-len('-info.h')]
        if name in NO_RESULT:
            continue
        complaints += [f'{path} is missing: see {PAGE}' for path in (f.replace('NAME', name) for f in FILES)
                       if path not in paths]
        complaints += [f'{place} does not name the result {name}: see {PAGE}' for place, pattern in RESULTS.items()
                       if not re.search(pattern.replace('NAME', name), common.read(root, place))]
    # what the lint demands, the page names
    complaints += [f'{PAGE} does not name the list {place}' for place in list(ELEMENTS) + list(RESULTS)
                   if place not in common.read(root, PAGE)]
    return complaints


if __name__ == '__main__':
    common.main(check)
