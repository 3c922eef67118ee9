# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every format, predicate and channel of glescompact in frames of noise as large as people have them, validated.

Arguments: device, width, height, and EVERY, which leaves out all combinations but every n-th."""
import itertools
import random
import sys

import lines
from gi.repository import Gst, GstVideo

CHANNELS = ('luma', '0', '1', '2', '3')
PREDICATES = ('threshold unit=percent lower=90', 'motion unit=percent lower=60', 'edge unit=percent lower=50',
              'motion reference=background unit=percent lower=60')
N_FRAMES = 2


def formats():
    template = Gst.ElementFactory.find('glescompact').get_static_pad_templates()[0]
    structure = template.get_caps().get_structure(0).to_string()
    return structure[structure.index('{') + 1:structure.index('}')].replace(' ', '').split(',')


def main(device, width, height, every='1'):
    numbers, n_run = itertools.count(), 0
    for name in formats():
        info = GstVideo.VideoInfo()
        info.set_format(GstVideo.VideoFormat.from_string(name), int(width), int(height))
        info.fps_n, info.fps_d = 25, 1
        frames = [random.Random(3 + i).randbytes(info.size) for i in range(N_FRAMES)]
        for predicate in PREDICATES:
            for channel in CHANNELS[:1 + min(info.finfo.n_components, 4)]:
                if next(numbers) % int(every) != 0:
                    continue
                n_run += 1
                elements = f'glescompact device={device} validate=true predicate={predicate} channel={channel}'
                found, warned, _ = lines.push(elements, info.to_caps(), frames)
                assert len(found) == N_FRAMES and not warned, f'{elements} of {name}: {warned}'
    print(f'{n_run} combinations of format, predicate and channel at {width}x{height}: none different')


main(*sys.argv[1:])
