# SPDX-License-Identifier: LGPL-2.1-or-later
"""The overview of gleshistogram is what NumPy computes of the pixels, by the lines of docs/elements/gleshistogram.md:
formats, depths, sizes, regions, luma of R, G and B; in native code and on a software renderer.

Argument: the source root."""
import os
import re
import sys

import lines

lines.need('GstGles')
import numpy  # noqa: E402
from gi.repository import Gst, GstGles, GstVideo  # noqa: E402

# the luma samples of a mapped frame, row by row: bytes from one to the next, bytes before the first, type
STORED = {'GRAY8': (1, 0, 'u1'), 'I420': (1, 0, 'u1'), 'NV12': (1, 0, 'u1'), 'YUY2': (2, 0, 'u1'), 'UYVY': (2, 1, 'u1'),
          'VUYA': (4, 2, 'u1'), 'GRAY16_LE': (2, 0, '<u2'), 'GRAY16_BE': (2, 0, '>u2'), 'P010_10LE': (2, 0, '<u2'),
          'I420_10LE': (2, 0, '<u2')}
DEPTHS = {'GRAY16_LE': 16, 'GRAY16_BE': 16, 'P010_10LE': 10, 'I420_10LE': 10}
# the same of R, G and B
RGB = {'RGB': (3, (0, 1, 2)), 'RGBA': (4, (0, 1, 2)), 'BGRx': (4, (2, 1, 0)), 'xRGB': (4, (1, 2, 3))}
SIZES = ((1, 1), (2, 2), (3, 5), (6, 13), (17, 31), (320, 240), (641, 359))
REGIONS = ('<>', '<1,0,1,1>', '<2,3,1,9>', '<11,7,101,89>', '<25%,50%,50%,37%>')


def page_code(root):
    """The definition, as the page has it."""
    with open(os.path.join(root, 'docs', 'elements', 'gleshistogram.md'), encoding='utf-8') as file:
        code, = re.findall(r'```python\n(def overview\(.*?)```', file.read(), re.DOTALL)
    names = {'numpy': numpy}
    exec(code, names)
    return names['overview']


def rows(plane, stride, height, width, step, first, dtype):
    samples = numpy.lib.stride_tricks.as_strided
    bytes_each = numpy.dtype(dtype).itemsize
    data = numpy.frombuffer(plane, 'u1')
    last = first + (height - 1) * stride + (width - 1) * step + bytes_each
    assert last <= data.size
    parts = [samples(data[first + i:], (height, width), (stride, step)) for i in range(bytes_each)]
    return numpy.stack(parts, 2).copy().view(dtype)[..., 0].astype('i8')


def luma_of(sample):
    """The luma of a sample's frame, and its depth."""
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    name, width, height, stride = info.finfo.name, info.width, info.height, info.stride[0]
    data = sample.get_buffer().extract_dup(info.offset[0], sample.get_buffer().get_size() - info.offset[0])
    if name in STORED:
        depth = DEPTHS.get(name, 8)
        values = rows(data, stride, height, width, *STORED[name])
        return (values >> 6 if name == 'P010_10LE' else values), depth
    step, firsts = RGB[name]
    red, green, blue = (rows(data, stride, height, width, step, first, 'u1') for first in firsts)
    # BT.709, which caps of RGB without a matrix mean
    kr, kb = round(65536 * 0.2126), round(65536 * 0.0722)
    return (kr * red + (65536 - kr - kb) * green + kb * blue + 32768) >> 16, 8


def check_frame(sample, overview):
    result = GstGles.HistogramResult.from_buffer(sample.get_buffer())
    info, found = result.get_info(), result.overview
    luma, depth = luma_of(sample)
    luma = luma[info.y:info.y + info.region_height, info.x:info.x + info.region_width]
    counts, gradients, n_samples, n_gradients = overview(luma, depth)
    for name, want in (('counts', counts), ('gradients', gradients), ('n_samples', n_samples),
                       ('n_gradients', n_gradients)):
        assert (found[name] == want).all(), (sample.get_caps().to_string(), name, found[name], want)
    assert found['depth'] == depth
    return info


def check(device, overview):
    n = 0
    for i, form in enumerate((*STORED, *RGB)):
        for k, (width, height) in enumerate(SIZES):
            region = REGIONS[(i + k) % len(REGIONS)] if width > 300 else '<>'
            settings = ('channels=luma', 'bins=7', 'grid-columns=1 emd=true', 'mad=true')[(i + k) % 4]
            if width > 300 and k % 2 == 0:
                settings += ' grid-rows=1' if '1>' in region else ' grid-rows=2'
            pattern = ('snow', 'smpte', 'gradient', 'white', 'black')[(i * 2 + k) % 5]
            infos = [check_frame(sample, overview) for sample in lines.play(
                f'videotestsrc num-buffers=2 pattern={pattern} ! video/x-raw,format={form},width={width},'
                f'height={height} ! gleshistogram device={device} {settings} region="{region}" validate=true')]
            assert len(infos) == 2 and (region == '<>' or infos[0].region_width < width)
            n += 2
    print(f'{n} frames on {device}')


def has_software():
    element = Gst.parse_launch('gleshistogram device=software')
    there = element.set_state(Gst.State.READY) == Gst.StateChangeReturn.SUCCESS
    element.set_state(Gst.State.NULL)
    return there


def main(root):
    overview = page_code(root)
    check('cpu', overview)
    if has_software():
        check('software', overview)
    else:
        assert os.environ.get('GLES_TEST_REQUIRE') != 'gl'
        print('no software renderer')


main(sys.argv[1])
