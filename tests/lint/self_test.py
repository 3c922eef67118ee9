# SPDX-License-Identifier: LGPL-2.1-or-later
"""Proves that each lint check can fail: copies the project, plants one violation per rule, and
expects a complaint that names the planted file.

Arguments: root, the C compiler, the C++ compiler."""
import os
import shutil
import subprocess
import sys
import tempfile

import circles
import common
import drawing
import exports
import forbidden
import format as clang_format
import headers
import layers
import shaders
import size
import spdx
import walks
import width

LICENCE = '/* SPDX-License-Identifier: LGPL-2.1-or-later */\n'
BAD_WORD = 'FIX' + 'ME'
MACHINE_PATH = '/ho' + 'me/somebody'

# (check, file to write, its text); a text that starts with + is appended to the project's file
PLANTED = (
    (layers, 'gst/gles/core/planted.h', LICENCE + '#include <gst/gles/gl/buffer.h>\n'),
    (layers, 'gst/gles/cpu/planted.c', LICENCE + '#include <gst/gles/device/device.h>\n'),
    (layers, 'gst/gles/frame/planted.c', LICENCE + '#include <gst/gles/algo/frame/frame-histogram.h>\n'),
    (layers, 'gst/gles/meta/planted.c', LICENCE + '  #  include <gst/gles/cpu/frame-histogram.h>\n'),
    (layers, 'gst/gles/algo/planted.c', LICENCE + '#include <GLES3/gl31.h>\n'),
    (layers, 'gst/gles/meta/planted.h', LICENCE + '#include <gbm.h>\n'),
    (layers, 'gst/elements/planted.c', LICENCE + '#include <EGL/egl.h>\n'),
    (layers, 'gst/gles/gl/planted.c', LICENCE + '#include "buffer.h"\n'),
    (layers, 'gst/gles/gl/planted.h', LICENCE + '#include <gst/gles/gles.h>\n'),
    (layers, 'gst/gles/core/planted.c', LICENCE + '#include <gst/video/video.h>\n'),
    (layers, 'gst/gles/unheard/planted.c', LICENCE),
    (layers, 'examples/planted.c', LICENCE + '#include <gst/gles/device/device.h>\n'),
    (layers, 'gst/gles/core/error.h', '+#include <gst/gles/core/checked.h>\n'),
    (layers, 'gst/gles/core/planted.h', LICENCE + '#include <layout.h>\n'),
    (layers, 'gst/gles/meta/planted.h', LICENCE + '#include <glsl/tiles/tiles-layout.h>\n'),
    (layers, 'gst/gles/gl/image.h', '+#include <layout.h>\n'),
    (layers, 'examples/planted.c', LICENCE + '#include <layout.h>\n'),
    (layers, 'glsl/lib/layout.h', '+#include <gst/gles/core/error.h>\n'),
    (circles, 'gst/gles/core/planted.c', LICENCE + '#include <gst/gles/device/device.h>\n'),
    (circles, 'gst/gles/device/device.h', '+#include <gst/gles/device/device-private.h>\n'),
    (circles, 'gst/gles/meta/result-private.h', '+#include <gst/gles/meta/histogram.h>\n'),
    (circles, 'gst/gles/gl/gl-private.h', '+#include <gst/gles/gl/submission.h>\n'),
    (drawing, 'gst/gles/meta/planted.c', LICENCE + '#include <gst/gles/device/device.h>\n'),
    (drawing, 'docs/architecture.md', 'no drawing\n'),
    (headers, 'gst/gles/core/error.h', '+GstVideoInfo *planted (void);\n'),
    (headers, 'gst/gles/core/error.h', '+int planted (int template);\n'),
    (headers, 'gst/gles/core/error.h', '+#include <gst/gles/core/log.h>\n'),
    (clang_format, 'gst/gles/core/planted.c', LICENCE + 'int planted(void){return 0;}\n'),
    (spdx, 'gst/gles/core/planted.c', 'int planted;\n'),
    (spdx, 'glsl/planted.comp', '// a kernel\n'),
    (spdx, 'tests/planted', '#!/bin/sh\ntrue\n'),
    (size, 'gst/gles/core/planted.c', LICENCE + 'void\nf (void)\n{\n' + 76 * '  f ();\n' + '}\n'),
    (walks, 'docs/architecture.md', 'no walks\n'),
    (walks, 'gst/gles/algo/tiles/tiles.c', LICENCE),
    (width, 'gst/gles/algo/planted.c', LICENCE + '/* ' + 95 * '*' + ' */\n'),
    (width, 'glsl/lib/planted.glsl', LICENCE + 'uint planted; // ' + 90 * 'x' + '\n'),
    (width, 'gst/gles/meta/histogram.h', '+/* ' + 95 * '*' + ' */\n'),
    (shaders, 'glsl/planted.comp', LICENCE + '/* Defines: A. Bindings: 0. */\nvoid main () {}\n'),
    (shaders, 'glsl/planted.comp', LICENCE + 'void main () {}\n/* Defines: Bindings: Grid: */\n'),
    (shaders, 'glsl/planted.comp', LICENCE + '/* Defines: Bindings: Grid: */\n#version 310 es\n'),
    (shaders, 'glsl/lib/planted.glsl', LICENCE + 'void f () { barrier (); }\n'),
    (forbidden, 'gst/gles/gl/planted.c', LICENCE + 'void f (void) { glUniform1ui (0, 1); }\n'),
    (forbidden, 'gst/gles/device/planted.c', LICENCE + 'void f (void) { eglTerminate (0); }\n'),
    (forbidden, 'gst/elements/planted.c', LICENCE + 'void f (void) { g_print ("x"); }\n'),
    (forbidden, 'gst/gles/core/planted.c', LICENCE + f'/* {BAD_WORD}: later */\n'),
    (forbidden, 'docs/planted.md', f'cd {MACHINE_PATH}\n'),
)
INNOCENT = (
    (width, 'gst/gles/algo/planted.c', LICENCE + '/* ' + 94 * '*' + ' */\n'),
    (width, 'glsl/lib/planted.glsl', LICENCE + '/* ' + 94 * 'ü' + ' */\n'),
    (forbidden, 'gst/gles/device/planted.c', LICENCE + '/* never eglTerminate (display) */\n'),
    (layers, 'gst/gles/algo/planted.c', LICENCE + '/* #include <GLES3/gl31.h> */\n'),
    (shaders, 'glsl/planted.comp', LICENCE + '/* Defines: A\n * Bindings: 0\n * Grid: 1 */\n'),
)


def plant(root, path, text):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, 'a' if text.startswith('+') else 'w', encoding='utf-8') as f:
        f.write(text[1:] if text.startswith('+') else text)


def complaints_about(module, root, path, text, compilers, before):
    """What module says about path, or about the one page that it checks, once text is planted there, and
    did not say before: a cache of that is kept in before. Headers take their time: only the planted one is
    compiled."""
    about = getattr(module, 'PAGE', path)
    arguments = [*compilers, path] if module is headers else []
    if (module, *arguments) not in before:
        before[module, *arguments] = set(module.check(root, *arguments))
    full = os.path.join(root, path)
    original = common.read(root, path) if os.path.exists(full) else None
    plant(root, path, text)
    after = module.check(root, *arguments)
    os.remove(full)
    if original is not None:
        plant(root, path, original)
    return [c for c in after if about in c and c not in before[module, *arguments]]


def check_planted(root, compilers):
    failures, before = [], {}
    for module, path, text in PLANTED:
        try:
            if not complaints_about(module, root, path, text, compilers, before):
                failures.append(f'{module.__name__}: no complaint about {path}: {text!r}')
        except common.Skip as reason:
            print(f'{module.__name__}: not proven here: {reason}')
    for module, path, text in INNOCENT:
        for complaint in complaints_about(module, root, path, text, compilers, before):
            failures.append(f'{module.__name__}: complains without cause: {complaint}')
    return failures


def check_exports(folder, c_compiler):
    """A library with one symbol too many and one too few."""
    plant(folder, 'gst/gles/core/api.h',
          'GST_GLES_API int right (void);\nGST_GLES_API int missing (void);\n'
          'GST_GLES_API G_DECLARE_FINAL_TYPE (Foo, foo, GST, FOO, GstObject)\n\n'
          'GST_GLES_API G_DECLARE_FINAL_TYPE (Bar, bar, GST, BAR, GstObject)\n'
          '#define GST_GLES_API extern\n')
    plant(folder, 'library.c',
          'int right (void) { return 0; }\nint wrong (void) { return 0; }\n'
          'int foo_get_type (void) { return 0; }\nint bar_get_type (void) { return 0; }\n')
    library = os.path.join(folder, 'library.so')
    subprocess.run([*c_compiler.split(), '-w', '-shared', '-fPIC', '-o', library,
                    os.path.join(folder, 'library.c')], check=True)
    found = exports.check(folder, library, library)
    wanted = ('exports wrong, which', 'declares missing with', 'exports right')
    failures = [f'exports: no complaint that it {w}' for w in wanted
                if not any(w in c for c in found)]
    if any(f'{t}_get_type{end}' in c for c in found for t in ('foo', 'bar')
           for end in (' with', ', which')):
        failures.append('exports: G_DECLARE_FINAL_TYPE is not understood')
    return failures


def main(root, c_compiler='cc', cxx_compiler='c++'):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, 'project')
        for path in common.project_files(root):
            target = os.path.join(copy, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(os.path.join(root, path), target)
        failures = check_planted(copy, [c_compiler, cxx_compiler])
        failures += check_exports(os.path.join(folder, 'exports'), c_compiler)
    for failure in failures:
        print(failure)
    print(f'{len(PLANTED) + len(INNOCENT)} planted texts, {len(failures)} failures')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main(*sys.argv[1:])
