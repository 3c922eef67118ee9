# SPDX-License-Identifier: LGPL-2.1-or-later
"""validate=true ends a stream whose results differ from those of native code: each analyser runs with one kernel
that counts, tests or adds something wrong, always or in its first dispatch only. The error has all that is known, and
GST_GLES_DUMP_DIR gets the frame and the results.

Argument: the source root. Skips without OpenGL ES."""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    numpy = None

SOURCE = ('videotestsrc num-buffers=5 pattern=snow ! video/x-raw,format=GRAY8,width=320,height=240,framerate=30/1 '
          '! ')
COMPACT = 'glescompact device=software lower=200 '
MOTION = 'glescompact device=software predicate=motion lower=100 '
SCATTER, RESULT = 'compact/compact_scatter.comp', 'write_compact_result (total);'
ONCE = 'if (n > 0u) {write_compact_result (total + (state[12] == 0u ? 1u : 0u)); state[12] = 1u;}'
AGAIN, RIGHT = 'again wrong, in the same words', 'now right'
# pipeline, its kernel, what is replaced in it and by what, what the error names, what a second dispatch says
CASES = (
    ('gleshistogram device=software', 'frame/frame-histogram_wide.glsl',
     'count_word (row.w, 3u, job);', 'count_word (row.w ^ 1u, 3u, job);', 'of the counters of frame 0 ', AGAIN),
    ('gleshistogram device=software', 'frame/frame-overview_count.comp',
     'distance_of (samples[k], below[k]);', 'distance_of (samples[k], below[k] ^ 1u);', 'of the counters of frame 0 ',
     AGAIN),
    # in frame 1, which is compared with frame 0: with the same frame 0 again
    ('gleshistogram device=software mad=true', 'frame/frame-mad_compare.comp',
     'totals[gl_LocalInvocationIndex] = 0u;', 'totals[gl_LocalInvocationIndex] = shape.has_reference;',
     'of the counters of frame 1 ', AGAIN),
    (COMPACT, 'frame/frame-compact_tile.glsl',
     'rows[r] = bytes_of (image[from]);', 'rows[r] = bytes_of (image[from] & 0x00ffffffu);', 'of frame 0 ', AGAIN),
    (COMPACT, SCATTER, RESULT, ONCE, 'of the counts of frame 0 ', RIGHT),
    (MOTION, SCATTER, RESULT, 'write_compact_result (total + min (n, 1u));', 'of the counts of frame 1 ', AGAIN),
    (MOTION + 'reference=background', SCATTER, RESULT, ONCE, 'of the counts of frame 1 ', RIGHT),
    (MOTION + 'reference=samples', 'frame/frame-samples_compare.comp',
     'word_of (second);', 'word_of (second) | uint (i == 77u) * 255u;', 'of the counts of frame 4 ', AGAIN),
    (COMPACT + '! glestiles device=software', 'tiles/tiles_entries.comp',
     'key_of (record, indices[i]);', 'key_of (record, indices[i]) ^ (i & 1u);', 'of the keys of frame 0 ', AGAIN),
    (COMPACT + '! glesregions device=software cell-width=1 cell-height=1', 'components/components_totals.comp',
     'totals_add_value (totals, point.y);', 'totals_add_value (totals, point.y + 1u);',
     'of the regions of frame 0 ', AGAIN),
)
# of the last element of a pipeline: what was compared, a setting that is given and one that is not
KNOWN = {
    'gleshistogram': ('the counters', 'device=software', 'bins=256', 'workgroups of '),
    'glescompact': ('the points', 'device=software', 'adaptation=0', ' teams of '),
    'glestiles': ('the same points', 'device=software', 'sort-by=auto', ' teams of '),
    'glesregions': ('the same points', 'cell-width=1', 'connectivity=8', ' for an invocation'),
}


def run(element, folder, kernel=None, text=None):
    """The exit status and what was said on standard error; kernel: a file with another text."""
    environment = dict(os.environ, GST_GLES_DUMP_DIR=os.path.join(folder, 'dump'))
    if kernel is not None:
        path = os.path.join(folder, os.path.basename(kernel))
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        environment['G_RESOURCE_OVERLAYS'] = f'/gst-gles-compute/glsl/{kernel}={path}'
    result = subprocess.run(['gst-launch-1.0', '-q', *f'{SOURCE}{element} validate=true ! fakesink'.split()],
                            env=environment, capture_output=True, text=True)
    return result.returncode, result.stderr


def check_explanation(element, said):
    name = element.split('!')[-1].split()[0]
    compared, *settings, plan = KNOWN[name]
    lines = dict(line.split(': ', 1) for line in said.splitlines() if ': ' in line)
    assert compared in lines['compared'], said
    assert lines['element'] == f'{name}0 ({name})' and 'format=(string)GRAY8, width=(int)320' in lines['caps'], said
    assert {*settings, 'validate=true', 'interval=1'} <= set(lines['properties'].split()), said
    assert 'software' in lines['device'] and plan in lines['plan'], said
    return lines['files']


def check_dump(pattern, again):
    """The files of a wrong frame of COMPACT, with numpy: the frame, what is on the device and in native code."""
    assert pattern.endswith('.*'), pattern
    prefix = pattern[:-1]
    with open(prefix + 'json', encoding='utf-8') as file:
        known = json.load(file)
    assert known['frame'] == 0 and known['factory'] == 'glescompact' and 'GRAY8' in known['caps'], known
    assert again in known['difference'] and known['record_words'] == {'counts': 3, 'points': 2}, known
    if numpy is None:
        print('no numpy: the dump is not compared')
        return
    plane = known['planes'][0]
    frame = numpy.fromfile(prefix + 'frame.raw', 'u1')[plane['offset']:].reshape(-1, plane['stride'])[:240, :320]
    y, x = numpy.nonzero(frame >= 200)
    points = numpy.stack((x | y << 16, frame[y, x]), 1)
    native, device, repeated = (numpy.fromfile(f'{prefix}points.{kind}.raw', '<u4').reshape(-1, 2)
                                for kind in ('native', 'device', 'again'))
    assert (native == points).all() and len(native) > 10000
    assert numpy.fromfile(prefix + 'counts.native.raw', '<u4').tolist() == [len(points), 0, len(points)]
    assert len(device) < len(native) and set(map(tuple, device)) < set(map(tuple, native))
    assert (repeated == device).all()
    with open(prefix + 'points.txt', encoding='utf-8') as file:
        lines = file.read().splitlines()
    assert len(lines) == len(native) + 1, lines[0]
    assert lines[1] == '0: ' + ' | '.join(f'{words[0][0]} {words[0][1]}' for words in (device, native, repeated))
    assert lines[-1] == f'{len(native) - 1}: | {native[-1][0]} {native[-1][1]} |', lines[-1]


def main(root):
    with tempfile.TemporaryDirectory() as folder:
        status, said = run(CASES[0][0], folder)
        assert not os.path.exists(os.path.join(folder, 'dump')), said
        if status != 0:
            assert os.environ.get('GLES_TEST_REQUIRE') != 'gl', said
            print('no OpenGL ES')
            sys.exit(77)
    for element, kernel, old, new, what, again in CASES:
        with open(os.path.join(root, 'glsl', kernel), encoding='utf-8') as file:
            text = file.read()
        assert old in text, f'{kernel} could be spoilt'
        with tempfile.TemporaryDirectory() as folder:
            status, said = run(element, folder, kernel, text.replace(old, new))
            assert status != 0, f'{element} with a wrong {kernel}: {said}'
            for words in ('validation: word ', what, again, 'use another device'):
                assert words in said, f'{element} with a wrong {kernel}: {said}'
            assert 'miscompiles' not in said, said
            files = check_explanation(element, said)
            if kernel == 'frame/frame-compact_tile.glsl':
                check_dump(files, again)
            if 'glesregions' in element:
                # the points that regions were made of are there, too
                assert os.path.getsize(files[:-1] + 'points.input.raw') > 8 * 10000
        print('ok', element, again)


main(sys.argv[1])
