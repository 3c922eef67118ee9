# SPDX-License-Identifier: LGPL-2.1-or-later
"""validate=true ends a stream whose results differ from those of native code, and only then: each analyser runs
with its kernels, and with one of them that counts, tests or adds something wrong.

Argument: the source root. Skips without OpenGL ES."""
import os
import subprocess
import sys
import tempfile

SOURCE = ('videotestsrc num-buffers=2 pattern=snow ! video/x-raw,format=GRAY8,width=320,height=240,framerate=30/1 '
          '! ')
COMPACT = 'glescompact device=software lower=200 '
# pipeline, its kernel, what is replaced in it and by what, what the error names
CASES = (
    ('gleshistogram device=software', 'frame/frame-histogram_wide.glsl',
     'count_word (row.w, 3u, job);', 'count_word (row.w ^ 1u, 3u, job);', 'of the counters of frame 0 '),
    (COMPACT, 'compact/compact_frame_wide.glsl',
     '(upper - even) & 0x01000100u;', '(upper - even) & 0x00000100u;', 'of frame 0 '),
    (COMPACT + '! glestiles device=software', 'tiles/tiles_entries.comp',
     'key_of (record, indices[i]);', 'key_of (record, indices[i]) ^ (i & 1u);', 'of frame 0 '),
    (COMPACT + '! glesregions device=software cell-width=1 cell-height=1', 'components/components_totals.comp',
     'totals_add_value (totals, point.y);', 'totals_add_value (totals, point.y + 1u);',
     'of the regions of frame 0 '),
)


def run(element, kernel=None, text=None):
    """The exit status and what was said on standard error; kernel: a file with another text."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, MESA_SHADER_CACHE_DISABLE='true')
        if kernel is not None:
            path = os.path.join(folder, os.path.basename(kernel))
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            environment['G_RESOURCE_OVERLAYS'] = f'/gst-gles-compute/glsl/{kernel}={path}'
        line = f'{SOURCE}{element} validate=true ! fakesink'
        result = subprocess.run(['gst-launch-1.0', '-q', *line.split()], env=environment,
                                capture_output=True, text=True)
    return result.returncode, result.stderr


def main(root):
    if run(CASES[0][0])[0] != 0 and os.environ.get('GLES_TEST_REQUIRE') != 'gl':
        print('no OpenGL ES')
        sys.exit(77)
    for element, kernel, old, new, what in CASES:
        status, said = run(element)
        assert status == 0, f'{element}: {said}'
        with open(os.path.join(root, 'glsl', kernel), encoding='utf-8') as file:
            text = file.read()
        assert old in text, f'{kernel} could be spoilt'
        status, said = run(element, kernel, text.replace(old, new))
        assert status != 0 and 'validation: word ' in said and what in said and 'use another device' in said, \
            f'{element} with a wrong {kernel}: exit status {status}: {said}'
        print('ok', element)


main(sys.argv[1])
