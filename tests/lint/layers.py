# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which folder may include which: fails on an #include that the table of layers in docs/architecture.md forbids."""
import os
import re

import common

TABLE = 'docs/architecture.md'
# folders that may talk to the driver, and how its headers begin
DRIVER_FOLDERS = ('gst/gles/device/', 'gst/gles/gl/', 'gst/gles/import/')
DRIVER_HEADERS = ('EGL/', 'GLES', 'GL/', 'KHR/', 'gbm.h', 'xf86drm', 'libdrm', 'epoxy/',
                  'vulkan/')
# layers that know GLib and the core of GStreamer, but nothing of video
WITHOUT_VIDEO = ('core', 'cpu', 'expression')
# words of the table that are no layers: the libraries that core may include
WITHOUT_ROW = {'GLib', 'GStreamer core'}


def read_table(root):
    """The layers of the table, each with itself and those that it may include."""
    rows = re.findall(r'^\| `(\w+)` \| ([\w ,]*?) *\|', common.read(root, TABLE).split('### Folders')[0], re.M)
    return {name: {name} | set(re.split(r', ', others) if others else ()) for name, others in rows}


def check_table(may_include, paths):
    """What the table names and the tree has not."""
    for name in sorted(set(may_include) - {layer_of(path) for path in paths}):
        yield f'{TABLE}: there is no folder of the layer {name}'
    for name, others in may_include.items():
        yield from (f'{TABLE}: {name} may include {other}, which has no row'
                    for other in sorted(others - set(may_include) - WITHOUT_ROW))


def layer_of(path):
    # what C and GLSL share lies in glsl/, and is included as <layout.h> or <glsl/NAME/NAME-layout.h>
    match = re.match(r'gst/gles/(\w+)/|(glsl)/', path)
    return match.group(1) or match.group(2) if match else None


def complain(path, quote, included, paths, public, may_include):
    """What is wrong with path including included, or None."""
    layer, target = layer_of(path), layer_of(common.resolve(path, quote, included, paths) or included)
    driver = included.startswith(DRIVER_HEADERS)
    if driver and path.startswith(('gst/', 'bench/', 'examples/')) and not path.startswith(DRIVER_FOLDERS):
        return 'only device/, gl/ and import/ include headers of the driver'
    if path.startswith('gst/gles/') and quote == '"' and included != 'config.h':
        return 'the library includes its own headers as <gst/gles/LAYER/file.h>'
    # gst/gles/glsl/layout.h stands for glsl/lib/layout.h, which is installed as it
    if path in public and layer != 'glsl' and target and included not in public:
        return 'a public header includes one that is not installed'
    if path.startswith('examples/') and target:
        return 'examples use <gst/gles/gles.h>, as applications do'
    if layer is None:
        return None
    # a folder above a room may look into it
    if target and included.endswith('-private.h') \
            and not os.path.dirname(included).startswith(os.path.dirname(path)):
        return 'a room includes the private header of another'
    if target and target not in may_include[layer]:
        return f'{layer}/ may include {", ".join(sorted(may_include[layer]))}'
    if included == 'gst/gles/gles.h' or included.startswith(('gst/elements/', 'gst/tools/', 'bench/')):
        return 'a layer includes what stands above it'
    if layer in WITHOUT_VIDEO and included.startswith('gst/') and not target \
            and included != 'gst/gst.h':
        return f'{layer}/ knows GLib and gst/gst.h only'
    return None


def check(root):
    complaints = []
    public = set(common.public_headers(root))
    may_include = read_table(root)
    paths = [p for p in common.with_suffix(root, '.c', '.h')
             if p.startswith(('gst/', 'bench/', 'glsl/', 'examples/'))]
    complaints += check_table(may_include, paths)
    for path in paths:
        layer = layer_of(path)
        if layer is not None and layer not in may_include:
            complaints.append(f'{path}: there is no layer {layer}: name it in the table of {TABLE}')
            continue
        text = common.without_comments(common.read(root, path))
        for match in common.INCLUDE.finditer(text):
            why = complain(path, match.group(1), match.group(2), paths, public, may_include)
            if why:
                line = common.line_of(text, match.start())
                complaints.append(f'{path}:{line}: includes {match.group(2)}: {why}')
    for header in public:
        if not os.path.exists(os.path.join(root, header)):
            complaints.append(f'{header}: listed as public but not there')
    return complaints


if __name__ == '__main__':
    common.main(check)
