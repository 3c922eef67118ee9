# SPDX-License-Identifier: LGPL-2.1-or-later
"""Fields in buffers of their own (interlace-mode=alternate): counts, differences and points of each are those that
numpy finds in every second row of the frame, compared with the field of the same parity of the frame before;
glesevents finds one cut where frames change, and the fields of GStreamer's `interlace` arrive.

Arguments: the devices to test."""
import importlib.util
import json
import os
import sys

import lines

lines.need()
import numpy  # noqa: E402
from gi.repository import Gst, GstVideo  # noqa: E402

spec = importlib.util.spec_from_file_location(
    'background', os.path.join(os.path.dirname(os.path.abspath(__file__)), 'glescompact-background.py'))
background = importlib.util.module_from_spec(spec)
spec.loader.exec_module(background)

N_FRAMES = 8
WIDTH = 40
FORMATS = {'I420': 'u1', 'Y444': 'u1', 'P010_10LE': '<u2'}


class Case:
    """What caps tell of a format: of @height rows in both fields."""

    def __init__(self, name, height):
        self.name, self.height, self.dtype = name, height, numpy.dtype(FORMATS[name])
        self.caps = Gst.Caps.from_string(
            f'video/x-raw(format:Interlaced),format={name},width={WIDTH},height={height},'
            'interlace-mode=alternate,framerate=25/1,field-order=top-field-first')
        self.info = GstVideo.VideoInfo.new_from_caps(self.caps)
        self.top = 1 << self.info.finfo.depth[0]

    def make_frames(self):
        """Frames as lists of channels: noise that changes by little, and more in one parity than in the other."""
        random = numpy.random.default_rng(3)
        frames = []
        for i in range(N_FRAMES):
            frames.append([])
            for c, (sub_x, sub_y) in enumerate(zip(self.info.finfo.w_sub[:3], self.info.finfo.h_sub)):
                shape = self.height >> sub_y, WIDTH >> sub_x
                noise = random.integers(0, self.top, shape)
                changed = random.random(shape) < numpy.where(numpy.arange(shape[0]) % 2 == 0, 0.1, 0.4)[:, None]
                frames[i].append(numpy.where(changed, noise, frames[i - 1][c]) if i > 0 else noise)
        return frames

    def field_of(self, channels, i, parity):
        """The buffer of one field of frame i."""
        info, finfo = self.info, self.info.finfo
        data = numpy.zeros(info.size, 'u1')
        for c, channel in enumerate(channels):
            samples = channel[parity::2] << finfo.shift[0]
            stride, start = info.stride[finfo.plane[c]], info.offset[finfo.plane[c]]
            rows = data[start:start + stride * len(samples)].view(self.dtype).reshape(len(samples), -1)
            # channels that share a plane take turns
            first, step = finfo.plane[:c].count(finfo.plane[c]), finfo.pixel_stride[c] // self.dtype.itemsize
            rows[:, first::step][:, :samples.shape[1]] = samples
        buffer = Gst.Buffer.new_wrapped(data.tobytes())
        buffer.pts, buffer.duration = (2 * i + parity) * Gst.SECOND // 50, Gst.SECOND // 50
        flags = GstVideo.VideoBufferFlags
        buffer.mini_object.flags |= int(flags.BOTTOM_FIELD if parity else flags.TOP_FIELD)
        return buffer

    def run(self, frames, *elements):
        """The lines of the fields of frames, the top one first."""
        pipeline = Gst.parse_launch(' '.join(['appsrc name=source format=time !', *elements,
                                              '! glesjson ! appsink name=sink sync=false']))
        source, sink = pipeline.get_by_name('source'), pipeline.get_by_name('sink')
        source.set_property('caps', self.caps)
        pipeline.set_state(Gst.State.PLAYING)
        for i, channels in enumerate(frames):
            for parity in (0, 1):
                assert source.emit('push-buffer', self.field_of(channels, i, parity)) == Gst.FlowReturn.OK
        source.emit('end-of-stream')
        found = []
        while (sample := sink.try_pull_sample(lines.PATIENCE)) is not None:
            found.append(json.loads(sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())))
        lines.wait_for_end(pipeline)
        pipeline.set_state(Gst.State.NULL)
        return found


def check_histograms(found, case, frames, parity):
    before = None
    assert len(found) == N_FRAMES, f'{len(found)} fields'
    for line, channels in zip(found, frames):
        assert (line['width'], line['height']) == (WIDTH, case.height // 2), line
        fields = [channel[parity::2] for channel in channels]
        for i, (channel, field) in enumerate(zip(line['histogram']['channels'], fields)):
            counts = numpy.bincount(field.ravel(), minlength=case.top)
            assert channel['counts'] == counts.tolist(), f'{case.name}: channel {i} of frame {line["frame"]}'
            difference = emd = mad = 0
            if before is not None:
                earlier = numpy.bincount(before[i].ravel(), minlength=case.top)
                difference = numpy.abs(counts - earlier).sum() / (2 * field.size)
                emd = numpy.abs(numpy.cumsum(counts - earlier)).sum() / field.size
                mad = numpy.abs(field - before[i]).sum() / field.size
            got = [channel[key] for key in ('difference', 'emd', 'mad')]
            assert numpy.allclose(got, [difference, emd, mad], rtol=1e-12), (got, [difference, emd, mad])
        before = fields


def check_points(found, case, fields, lower):
    before = fields[0]
    for line, field in zip(found, fields):
        change = numpy.abs(field - before)
        points = [[int(x), int(y), int(change[y, x])] for y, x in zip(*numpy.nonzero(change >= lower))]
        assert line['points']['points'] == points, f'{case.name}: points of frame {line["frame"]}'
        before = field


def check(device, case):
    lower = case.top // 4
    frames = case.make_frames()
    motion = ['glescompact', f'device={device}', 'predicate=motion', 'unit=code', f'lower={lower}', 'validate=true']
    found = case.run(frames, 'gleshistogram', f'device={device}', f'bins={case.top}', 'emd=true', 'mad=true',
                     'validate=true', '!', *motion, '!', 'glesregions', f'device={device}')
    assert [line['field'] for line in found] == ['top', 'bottom'] * N_FRAMES
    assert [line['frame'] for line in found] == list(range(2 * N_FRAMES))
    averages = case.run(frames, *motion, 'reference=background', f'adaptation={background.ADAPTATION}')
    for parity in (0, 1):
        fields = [channels[0][parity::2] for channels in frames]
        check_histograms(found[parity::2], case, frames, parity)
        check_points(found[parity::2], case, fields, lower)
        for line, points in zip(averages[parity::2],
                                background.expected(fields, lower, (0, 0, WIDTH, case.height // 2))):
            assert line['points']['points'] == points, f'{case.name}: background of frame {line["frame"]}'


def check_events(device):
    """Two scenes, in whose frames the two fields differ much; a flash in the first."""
    case = Case('Y444', 32)
    random = numpy.random.default_rng(5)
    scenes = [[random.integers(low, low + 40, (32, WIDTH)) + 90 * (numpy.arange(32) % 2)[:, None]
               for _ in range(3)] for low in (10, 100)]
    flash = [numpy.full((32, WIDTH), 255)] * 3
    frames = [flash if i in (6, 7) else scenes[i // 14] for i in range(28)]
    found = case.run(frames, 'gleshistogram', f'device={device}', 'mad=true', '!', 'glesevents')
    cuts = [line['frame'] for line in found if line.get('event') == 'cut']
    assert cuts == [28], f'cuts at {cuts}'


def check_interlace(device):
    """In GStreamer 1.22 its bottom fields have the rows of the top ones, so rows are not compared."""
    if Gst.ElementFactory.find('interlace') is None:
        return
    found = [json.loads(sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())) for sample in lines.play(
        'videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=64,height=48 ! interlace field-pattern=2:2 ! '
        f'video/x-raw(format:Interlaced) ! gleshistogram device={device} validate=true ! '
        f'glescompact device={device} ! glesregions ! glestiles ! glesevents ! queue ! glesjson points=false')]
    assert [line['field'] for line in found] == ['bottom', 'top'] * 3
    assert all((line['width'], line['height']) == (64, 24) for line in found)


for device_ in sys.argv[1:]:
    for name_ in FORMATS:
        check(device_, Case(name_, 32))
    check_events(device_)
    check_interlace(device_)
