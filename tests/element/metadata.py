# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each line of the table of docs/metadata.md keeps or drops the metas that it says, and keeps all summaries: the very
results of the analysers, each of them, in their order.

Argument: the source folder. Skips without PyGObject or the typelib."""
import os
import re
import sys

import lines

lines.need('GstGles')
from gi.repository import Gst, GstGles  # noqa: E402

N_FRAMES = 4
SIZE = (64, 48)
CAPS = 'video/x-raw,format=I420,width={},height={},framerate=25/1'.format(*SIZE)
# result, type of the meta, summary
KINDS = ((GstGles.HistogramResult, GstGles.histogram_meta_api_get_type(), 'gleshistogram'),
         (GstGles.PointsResult, GstGles.points_meta_api_get_type(), 'glescompact'),
         (GstGles.TilesResult, GstGles.tiles_meta_api_get_type(), 'glestiles'))


def run(elements):
    """The results of each frame behind the analysers, and the buffers behind the elements."""
    results = []
    pipeline = Gst.parse_launch(
        f'videotestsrc num-buffers={N_FRAMES} pattern=ball ! {CAPS} ! gleshistogram device=cpu custom-meta=true ! '
        f'glescompact device=cpu lower=100 custom-meta=true ! glestiles device=cpu custom-meta=true name=last ! '
        f'{elements} ! appsink name=sink sync=false')

    def keep(_, info):
        results.append([kind.from_buffer(info.get_buffer()) for kind, _, _ in KINDS])
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name('last').get_static_pad('src').add_probe(Gst.PadProbeType.BUFFER, keep)
    samples = list(lines.play_pipeline(pipeline))
    assert len(results) == N_FRAMES
    return results, [sample.get_buffer() for sample in samples]


def check(elements, kept):
    results, buffers = run(elements)
    for k, (kind, api, summary) in enumerate(KINDS):
        numbers = []
        for buffer in buffers:
            assert buffer.get_n_meta(api) == kept[k], f'{elements}: {buffer.get_n_meta(api)} metas of {summary}'
            assert buffer.get_custom_meta(summary) is not None, f'{elements} loses the summary of {summary}'
            if kept[k]:
                result = kind.from_buffer(buffer)
                numbers.append(result.get_frame().number)
                assert result == results[numbers[-1]][k], f'{elements}: not the result of {summary}'
                assert (result.get_frame().width, result.get_frame().height) == SIZE
        # videorate repeats frames; no element drops frames or reorders them
        assert numbers == sorted(numbers) and (not kept[k] or set(numbers) == set(range(N_FRAMES))), (elements, numbers)


def main(root):
    with open(os.path.join(root, 'docs', 'metadata.md'), encoding='utf-8') as file:
        rows = re.findall(r'^\| `(.*?)` \| (kept|dropped) \| (kept|dropped) \|[^|]*\|$', file.read(), re.M)
    assert len(rows) >= 10, rows
    for elements, histogram, others in rows:
        missing = [name for name in re.findall(r'(?:^|! )(\w+)(?= |$)', elements)
                   if Gst.ElementFactory.find(name) is None]
        if missing:
            print(f'left out, no {missing}: {elements}')
            continue
        check(elements, (histogram == 'kept', others == 'kept', others == 'kept'))
        print('ok', elements)


main(sys.argv[1])
