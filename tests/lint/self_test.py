# SPDX-License-Identifier: LGPL-2.1-or-later
"""Proves that each lint check can fail: copies the project, plants one violation per rule, and
expects a complaint that names the planted file.

Arguments: root, the C compiler, the C++ compiler."""
import os
import shutil
import subprocess
import sys
import tempfile

import algorithms
import circles
import common
import drawing
import elements
import exports
import formatting
import headers
import layers
import parameters
import properties
import release
import suites
import tables
import text
import walks

LICENCE = f'/* {text.TAG} */\n'
BAD_WORD = 'FIX' + 'ME'
ALL_BUT_ONE = ' '.join('gles' + name for name in 'compact events histogram json overlay publish regions tiles track'.split())
ALL_RESULTS = ' '.join(f'gst_gles_{name}_result_new' for name in ('histogram', 'points', 'regions', 'tiles', 'tracks'))
MACHINE_PATH = '/ho' + 'me/somebody'

# (check or rule of text.py, file to write, its text); a text that starts with + is appended to the project's file, and of
# a pair the first text is replaced by the second one there
PLANTED = (
    (layers, 'gst/gles/core/planted.h', LICENCE + '#include <gst/gles/gl/buffer.h>\n'),
    (layers, 'gst/gles/cpu/planted.c', LICENCE + '#include <gst/gles/device/device.h>\n'),
    (layers, 'gst/gles/import/planted.c', LICENCE + '#include <gst/gles/algo/frame/frame-histogram.h>\n'),
    (layers, 'gst/gles/meta/planted.c', LICENCE + '  #  include <gst/gles/cpu/frame/frame-histogram.h>\n'),
    (layers, 'gst/gles/algo/planted.c', LICENCE + '#include <GLES3/gl31.h>\n'),
    (layers, 'gst/gles/meta/planted.h', LICENCE + '#include <gbm.h>\n'),
    (layers, 'gst/gles/algo/scan/planted.c', LICENCE + '#include <gst/gles/algo/sort/sort-private.h>\n'),
    (layers, 'gst/gles/import/planted.c', LICENCE + '#include <gst/gles/gl/gl-private.h>\n'),
    (layers, 'gst/elements/planted.c', LICENCE + '#include <EGL/egl.h>\n'),
    (layers, 'gst/gles/gl/planted.c', LICENCE + '#include "buffer.h"\n'),
    (layers, 'gst/gles/gl/planted.h', LICENCE + '#include <gst/gles/gles.h>\n'),
    (layers, 'gst/gles/core/planted.c', LICENCE + '#include <gst/video/video.h>\n'),
    (layers, 'gst/gles/unheard/planted.c', LICENCE),
    (layers, 'examples/planted.c', LICENCE + '#include <gst/gles/device/device.h>\n'),
    (layers, 'gst/gles/core/error.h', '+#include <gst/gles/core/checked.h>\n'),
    (layers, 'gst/gles/core/planted.h', LICENCE + '#include <layout.h>\n'),
    (layers, 'gst/gles/meta/planted.h', LICENCE + '#include <glsl/tiles/tiles-layout.h>\n'),
    (layers, 'gst/gles/gl/buffer.h', '+#include <layout.h>\n'),
    (layers, 'examples/planted.c', LICENCE + '#include <layout.h>\n'),
    (layers, 'glsl/lib/layout.h', '+#include <gst/gles/core/error.h>\n'),
    (layers, 'docs/architecture.md', ('| `expression` | glsl, core |', '| expression | glsl, core |')),
    (layers, 'docs/architecture.md', ('\n| `cpu` | ', '\n| `planted` | core | |\n| `cpu` | ')),
    (layers, 'docs/architecture.md', ('| `import` | gl, ', '| `import` | gl, planted, ')),
    (algorithms, 'gst/gles/algo/planted/planted.c', LICENCE + 'int planted;\n'),
    (elements, 'gst/elements/planted/planted.c', LICENCE + 'GST_ELEMENT_REGISTER_DEFINE (planted, 0, 0, 0)\n'),
    (elements, 'gst/elements/elements.h', '+#define PLANTED(_) _ (glesplanted)\n'),
    (elements, 'gst/elements/elements.h', LICENCE),
    (elements, 'gst/gles/meta/planted-info.h', LICENCE),
    (elements, 'tests/fuzz/fuzz-frames.c', LICENCE),
    (elements, 'tests/unit/result-meta.c', LICENCE),
    (elements, 'tests/drivers/elements.c', '+/* glespublish */\n'),
    (elements, 'tests/planted.c', LICENCE + f'/* {ALL_BUT_ONE} */\n'),
    (elements, 'tests/planted.c', LICENCE + f'/* {ALL_RESULTS} */\n'),
    (circles, 'gst/gles/core/planted.c', LICENCE + '#include <gst/gles/device/device.h>\n'),
    (circles, 'gst/gles/device/device.h', '+#include <gst/gles/device/device-share.h>\n'),
    (circles, 'gst/gles/meta/result.h', '+#include <gst/gles/meta/histogram.h>\n'),
    (circles, 'gst/gles/gl/gl-private.h', '+#include <gst/gles/gl/submission.h>\n'),
    (circles, 'gst/gles/gl/buffer.c', '+void *planted = gst_gles_buffer_pool_new;\n'),
    (circles, 'gi/overrides/GstGlesMemory.py', '+import gi.overrides.GstGlesArrays\n'),
    (release, 'debian/watch', 'version=4\n'),
    (release, 'CHANGELOG.md', '# Changelog\n'),
    (release, 'SECURITY.md', ('| 0.', '| 9.')),
    (release, 'man/planted.1', 'see https://example.org\n'),
    (drawing, 'gst/gles/meta/planted.c', LICENCE + '#include <gst/gles/device/device.h>\n'),
    (drawing, 'docs/architecture.md', 'no drawing\n'),
    (properties, 'docs/properties.md', '+| `planted` |\n'),
    (properties, 'docs/plugins/gst_plugins_cache.json', ('"default": "true"', '"default": "false"')),
    (headers, 'gst/gles/core/error.h', '+GstVideoInfo *planted (void);\n'),
    (headers, 'gst/gles/core/error.h', '+int planted (int template);\n'),
    (headers, 'gst/gles/core/error.h', '+#include <gst/gles/core/log.h>\n'),
    (formatting, 'gst/gles/core/planted.c', LICENCE + 'int planted(void){return 0;}\n'),
    (suites, 'tests/unit/meson.build', "+test ('planted', planted, suite: 'element')\n"),
    (suites, 'tests/unit/meson.build', "+test ('planted', planted)\n"),
    (suites, 'tests/suite/meson.build', "test ('planted', planted, suite: suite)\n"),
    (suites, 'tests/meson.build', "+test ('planted', planted, suite: suite)\n"),
    (suites, 'tests/fuzz/fuzz-planted.c', LICENCE),
    (suites, 'tests/run', LICENCE),
    (tables, 'tests/budgets/debian-12.tsv', '+planted/frame\t1.0\n'),
    (tables, 'tests/mutants/full.txt', '+planted/frame\n'),
    (tables, 'tests/mutants/choice.py', "+LEFT_OUT['planted/*'] = 'a reason'\n"),
    (tables, 'tests/mutants/mutants.tsv', '+0\tgst/planted.c\t1\tbound\t<\t<=\tkilled\tunit/format\n'),
    (tables, 'tests/mutants/mutants.tsv', '+0\tgst/gles/core/error.c\t1\tbound\t<\t<=\tkilled\tplanted/frame\n'),
    (tables, 'tests/mutants/table.md', '+| gst/planted.c:1 | `<` | `<=` | survives |\n'),
    (text.licence, 'gst/gles/core/planted.c', 'int planted;\n'),
    (text.licence, 'glsl/planted.comp', '// a kernel\n'),
    (text.licence, 'tests/planted', '#!/bin/sh\ntrue\n'),
    (text.functions, 'gst/gles/core/planted.c', LICENCE + 'void\nf (void)\n{\n' + 76 * '  f ();\n' + '}\n'),
    (walks, 'docs/architecture.md', 'no walks\n'),
    (walks, 'gst/gles/algo/tiles/tiles.c', LICENCE),
    (text.width, 'gst/gles/algo/planted.c', LICENCE + '/* ' + 95 * '*' + ' */\n'),
    (text.width, 'glsl/lib/planted.glsl', LICENCE + 'uint planted; // ' + 90 * 'x' + '\n'),
    (text.width, 'gst/gles/meta/histogram.h', '+/* ' + 95 * '*' + ' */\n'),
    (text.kernels, 'glsl/planted.comp', LICENCE + '/* Defines: A. Bindings: 0. */\nvoid main () {}\n'),
    (text.kernels, 'glsl/planted.comp', LICENCE + 'void main () {}\n/* Defines: Bindings: Grid: */\n'),
    (text.kernels, 'glsl/planted.comp', LICENCE + '/* Defines: Bindings: Grid: */\n#version 310 es\n'),
    (text.kernels, 'glsl/lib/planted.glsl', LICENCE + 'void f () { barrier (); }\n'),
    (text.since, 'gst/gles/core/planted.h', LICENCE + '/* Since: 9.9 */\n'),
    (text.forbidden, 'gst/gles/gl/planted.c', LICENCE + 'void f (void) { glUniform1ui (0, 1); }\n'),
    (text.forbidden, 'gst/gles/device/planted.c', LICENCE + 'void f (void) { eglTerminate (0); }\n'),
    (text.forbidden, 'gst/elements/planted.c', LICENCE + 'void f (void) { g_print ("x"); }\n'),
    (text.forbidden, 'gst/tools/planted.c', LICENCE + 'void f (void) { g_thread_new ("x", f, 0); }\n'),
    (text.forbidden, 'gst/gles/core/planted.c', LICENCE + f'/* {BAD_WORD}: later */\n'),
    (text.forbidden, 'docs/planted.md', f'cd {MACHINE_PATH}\n'),
    (parameters, 'gst/gles/core/planted.c', LICENCE + 'void\nf (int a, int b, int c, int d, int e, int g)\n{\n}\n'),
)
INNOCENT = (
    (text.width, 'gst/gles/algo/planted.c', LICENCE + '/* ' + 94 * '*' + ' */\n'),
    (text.width, 'glsl/lib/planted.glsl', LICENCE + '/* ' + 94 * 'ü' + ' */\n'),
    (text.forbidden, 'gst/gles/device/planted.c', LICENCE + '/* never eglTerminate (display) */\n'),
    (layers, 'gst/gles/algo/planted.c', LICENCE + '/* #include <GLES3/gl31.h> */\n'),
    (parameters, 'gst/gles/core/planted.c', LICENCE + 'void\nf (int a, void (*g) (int, int, int, int, int))\n{\n}\n'),
    (text.kernels, 'glsl/planted.comp', LICENCE + '/* Defines: A\n * Bindings: 0\n * Grid: 1 */\n'),
)


def plant(root, path, text):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    if isinstance(text, tuple):
        assert text[0] in common.read(root, path), f'{path} has no {text[0]!r}'
        text = common.read(root, path).replace(*text)
    with open(full, 'a' if text.startswith('+') else 'w', encoding='utf-8') as f:
        f.write(text[1:] if text.startswith('+') else text)


def complain(check, root, path, compilers):
    """What a check says. Some take their time: these look at the planted file only."""
    if not hasattr(check, 'check'):
        return text.check(root, [check])
    if check is headers:
        return headers.check(root, *compilers, path)
    return check.check(root, path) if check is formatting else check.check(root)


def complaints_about(check, root, path, planted, compilers, before):
    """What check says about path, or about the one page that it checks, once a text is planted there, and did not say
    before: a cache of that is kept in before."""
    about = getattr(check, 'PAGE', path)
    full = os.path.join(root, path)
    original = common.read(root, path) if os.path.exists(full) else None
    key = (check, path if check in (headers, formatting) else None)
    if key not in before:
        before[key] = set(complain(check, root, path, compilers) if original is not None or not key[1] else ())
    plant(root, path, planted)
    after = complain(check, root, path, compilers)
    os.remove(full)
    if original is not None:
        plant(root, path, original)
    return [c for c in after if about in c and c not in before[key]]


def check_planted(root, compilers):
    failures, before = [], {}
    for wanted, cases in ((True, PLANTED), (False, INNOCENT)):
        for check, path, planted in cases:
            try:
                found = complaints_about(check, root, path, planted, compilers, before)
            except common.Skip as reason:
                print(f'{check.__name__}: not proven here: {reason}')
                continue
            if bool(found) != wanted:
                failures.append(f'{check.__name__}: {found or "no complaint"} about {path}: {planted!r}')
    return failures


def check_exports(folder, c_compiler):
    """A library with one symbol too many and one too few."""
    plant(folder, exports.SYMBOLS, 'other.so libother\n right@Base 1\n gone@Base 1\n')
    plant(folder, 'gst/gles/core/api.h',
          'GST_GLES_API int right (void);\nGST_GLES_API int missing (void);\n'
          'GST_GLES_API G_DECLARE_FINAL_TYPE (Foo, foo, GST, FOO, GstObject)\n\n'
          'GST_GLES_API G_DECLARE_FINAL_TYPE (Bar, bar, GST, BAR, GstObject)\n'
          '#define GST_GLES_API extern\n')
    plant(folder, 'gst/gles/gles.h', '#include <gst/gles/core/api.h>\n')
    plant(folder, 'gst/gles/core/hidden.h', 'GST_GLES_API int hidden (void);\n')
    plant(folder, exports.MAP, '')
    plant(folder, 'library.c',
          'int right (void) { return 0; }\nint hidden (void) { return 0; }\nint wrong (void) { return 0; }\n'
          'int foo_get_type (void) { return 0; }\nint bar_get_type (void) { return 0; }\n')
    library = os.path.join(folder, 'library.so')
    subprocess.run([*c_compiler.split(), '-w', '-shared', '-fPIC', '-o', library,
                    os.path.join(folder, 'library.c')], check=True)
    found = exports.check(folder, library, library)
    wanted = ('exports wrong, which', 'declares missing with', 'exports right', 'lacks wrong:', 'lists gone,',
              'is of other', 'hidden has the version of all', 'has other symbols', 'core/api.h is not installed')
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
