# SPDX-License-Identifier: LGPL-2.1-or-later
"""Fields in buffers of their own (interlace-mode=alternate): counts, differences and points of each are those that
numpy finds in every second row of the frame, compared with the field of the same parity of the frame before;
glesevents finds one cut where frames change, and the fields of GStreamer's `interlace` arrive.

Arguments: the devices to test."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

try:
    import gi
    gi.require_version('Gst', '1.0')
    gi.require_version('GstVideo', '1.0')
    import numpy
    from gi.repository import Gst, GstVideo
except (ImportError, ValueError) as error:
    print(error)
    sys.exit(77)

spec = importlib.util.spec_from_file_location(
    'background', os.path.join(os.path.dirname(os.path.abspath(__file__)), 'glescompact-background.py'))
background = importlib.util.module_from_spec(spec)
spec.loader.exec_module(background)

N_FRAMES = 8
WIDTH = 40

# format, sample type, shift, code values, and for each channel: plane, columns and rows of a plane for width and
# height, and where its samples lie in a row
FORMATS = [
    ('I420', 'u1', 0, 256, [(0, 1, 1), (1, 2, 2), (2, 2, 2)]),
    ('Y444', 'u1', 0, 256, [(0, 1, 1), (1, 1, 1), (2, 1, 1)]),
    ('P010_10LE', '<u2', 6, 1024, [(0, 1, 1), (1, 2, 2), (1, 2, 2)]),
]


def make_frames(case, height):
    """Frames as lists of planes: noise that changes by little, and more in one parity than in the other."""
    name, dtype, shift, top, channels = case
    random = numpy.random.default_rng(3)
    frames = []
    for i in range(N_FRAMES):
        planes = []
        for p in range(max(c[0] for c in channels) + 1):
            _, sub_x, sub_y = next(c for c in channels if c[0] == p)
            columns = WIDTH // sub_x * sum(c[0] == p for c in channels)
            rows = height // sub_y
            plane = frames[-1][p].copy() if frames else random.integers(0, top, (rows, columns))
            changed = random.random((rows, columns)) < numpy.where(numpy.arange(rows) % 2 == 0, 0.1, 0.4)[:, None]
            planes.append(numpy.where(changed, random.integers(0, top, (rows, columns)), plane))
        frames.append(planes)
    return frames


def fields_of(case, frames, height):
    """The fields of frames, the top one first, as buffers of @caps, and those caps."""
    name, dtype, shift, _, _ = case
    caps = Gst.Caps.from_string(f'video/x-raw(format:Interlaced),format={name},width={WIDTH},height={height},'
                                'interlace-mode=alternate,framerate=25/1,field-order=top-field-first')
    info = GstVideo.VideoInfo.new_from_caps(caps)
    buffers = []
    for i, planes in enumerate(frames):
        for parity in (0, 1):
            data = numpy.zeros(info.size, 'u1')
            for p, plane in enumerate(planes):
                rows = (plane[parity::2] << shift).astype(dtype)
                rows = rows.view('u1').reshape(rows.shape[0], -1)
                for y, row in enumerate(rows):
                    start = info.offset[p] + y * info.stride[p]
                    data[start:start + len(row)] = row
            buffer = Gst.Buffer.new_wrapped(data.tobytes())
            buffer.pts = (2 * i + parity) * Gst.SECOND // 50
            buffer.duration = Gst.SECOND // 50
            flags = GstVideo.VideoBufferFlags.TOP_FIELD if parity == 0 else GstVideo.VideoBufferFlags.BOTTOM_FIELD
            buffer.mini_object.flags |= int(flags)
            buffers.append(buffer)
    return caps, buffers


def samples(case, planes, channel):
    p = case[4][channel][0]
    sharing = [i for i, c in enumerate(case[4]) if c[0] == p]
    return planes[p][:, sharing.index(channel)::len(sharing)]


def run(folder, case, frames, height, *elements):
    """The lines of the fields of @frames, the top one first."""
    path = os.path.join(folder, 'lines')
    pipeline = Gst.parse_launch(' '.join(['appsrc name=source format=time !', *elements, '! glesjson ! filesink',
                                          f'location={path}']))
    source = pipeline.get_by_name('source')
    caps, buffers = fields_of(case, frames, height)
    source.set_property('caps', caps)
    pipeline.set_state(Gst.State.PLAYING)
    for buffer in buffers:
        assert source.emit('push-buffer', buffer) == Gst.FlowReturn.OK
    source.emit('end-of-stream')
    message = pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    assert message is not None and message.type == Gst.MessageType.EOS, message and message.parse_error()
    pipeline.set_state(Gst.State.NULL)
    with open(path, encoding='utf-8') as file:
        return [json.loads(line) for line in file]


def check_histograms(lines, case, frames, parity, height):
    top = case[3]
    before = None
    assert len(lines) == N_FRAMES, f'{len(lines)} fields'
    for line, planes in zip(lines, frames):
        assert (line['width'], line['height']) == (WIDTH, height // 2), line
        fields = [samples(case, planes, i)[parity::2] for i in range(3)]
        for i, (channel, field) in enumerate(zip(line['histogram']['channels'], fields)):
            counts = numpy.bincount(field.ravel(), minlength=top)
            assert channel['counts'] == counts.tolist(), f'{case[0]}: channel {i} of frame {line["frame"]}'
            difference = emd = mad = 0
            if before is not None:
                earlier = numpy.bincount(before[i].ravel(), minlength=top)
                difference = numpy.abs(counts - earlier).sum() / (2 * field.size)
                emd = numpy.abs(numpy.cumsum(counts - earlier)).sum() / field.size
                mad = numpy.abs(field - before[i]).sum() / field.size
            got = [channel[key] for key in ('difference', 'emd', 'mad')]
            assert numpy.allclose(got, [difference, emd, mad], rtol=1e-12), (got, [difference, emd, mad])
        before = fields


def check_points(lines, case, frames, parity, lower):
    before = None
    for line, planes in zip(lines, frames):
        field = samples(case, planes, 0)[parity::2]
        points = []
        if before is not None:
            change = numpy.abs(field - before)
            points = [[int(x), int(y), int(change[y, x])] for y, x in zip(*numpy.nonzero(change >= lower))]
        assert line['points']['points'] == points, f'{case[0]}: points of frame {line["frame"]}'
        before = field


def check(device, folder, case, height):
    lower = case[3] // 4
    frames = make_frames(case, height)
    motion = ['glescompact', f'device={device}', 'predicate=motion', 'unit=code', f'lower={lower}', 'validate=true']
    lines = run(folder, case, frames, height, 'gleshistogram', f'device={device}', f'bins={case[3]}', 'emd=true',
                'mad=true', 'validate=true', '!', *motion, '!', 'glesregions', f'device={device}')
    assert [line['field'] for line in lines] == ['top', 'bottom'] * N_FRAMES
    assert [line['frame'] for line in lines] == list(range(2 * N_FRAMES))
    averages = run(folder, case, frames, height, *motion, 'reference=background',
                   f'adaptation={background.ADAPTATION}')
    for parity in (0, 1):
        check_histograms(lines[parity::2], case, frames, parity, height)
        check_points(lines[parity::2], case, frames, parity, lower)
        fields = [samples(case, planes, 0)[parity::2] for planes in frames]
        for line, points in zip(averages[parity::2], background.expected(fields, lower, (0, 0, WIDTH, height // 2))):
            assert line['points']['points'] == points, f'{case[0]}: background of frame {line["frame"]}'


def check_events(device, folder):
    """Two scenes, in whose frames the two fields differ much; a flash in the first."""
    case, height = FORMATS[1], 32
    random = numpy.random.default_rng(5)
    scenes = [[random.integers(low, low + 40, (height, WIDTH)) + 90 * (numpy.arange(height) % 2)[:, None]
               for _ in range(3)] for low in (10, 100)]
    flash = [numpy.full((height, WIDTH), 255)] * 3
    frames = [flash if i in (6, 7) else scenes[i // 14] for i in range(28)]
    lines = run(folder, case, frames, height, 'gleshistogram', f'device={device}', 'mad=true', '!', 'glesevents')
    cuts = [line['frame'] for line in lines if line.get('event') == 'cut']
    assert cuts == [28], f'cuts at {cuts}'


def check_interlace(device):
    """In GStreamer 1.22 its bottom fields have the rows of the top ones, so rows are not compared."""
    if subprocess.run(['gst-inspect-1.0', '--exists', 'interlace']).returncode != 0:
        return
    lines = subprocess.run(
        ['gst-launch-1.0', '-q', 'videotestsrc', 'num-buffers=3', '!', 'video/x-raw,format=I420,width=64,height=48', '!',
         'interlace', 'field-pattern=2:2', '!', 'video/x-raw(format:Interlaced)', '!', 'gleshistogram', f'device={device}',
         'validate=true', '!', 'glescompact', f'device={device}', '!', 'glesregions', '!', 'glestiles', '!', 'glesevents',
         '!', 'queue', '!', 'glesjson', 'points=false', '!', 'fdsink'],
        check=True, stdout=subprocess.PIPE).stdout.splitlines()
    lines = [json.loads(line) for line in lines]
    assert [line['field'] for line in lines] == ['bottom', 'top'] * 3
    assert all((line['width'], line['height']) == (64, 24) for line in lines)


def main():
    Gst.init(None)
    with tempfile.TemporaryDirectory() as folder:
        for device in sys.argv[1:]:
            for case in FORMATS:
                check(device, folder, case, 32)
            check_events(device, folder)
            check_interlace(device)


if __name__ == '__main__':
    main()
