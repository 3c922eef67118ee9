# SPDX-License-Identifier: LGPL-2.1-or-later
"""Results and buffers as NumPy arrays, as gi/overrides/GstGles.py gives them: equal to what the C getters
return, on the same memory, alive when everything else is gone, and clear about arrays that a device cannot hold. Skips
without PyGObject, NumPy or the typelib."""
import contextlib
import gc
import io
import os
import re
import subprocess
import sys

import lines

lines.need('GstGles')
import numpy  # noqa: E402
from gi.overrides.GstGlesMemory import _record  # noqa: E402
from gi.repository import GLib, Gst, GstGles, GstVideo  # noqa: E402

RECORDS = ('point', 'region', 'track', 'zone', 'zone_member', 'overview')


def play(line):
    return (sample.get_buffer() for sample in lines.play(line))


def raises(kind, words, call, *arguments):
    """call fails with an error of a kind that names all of words."""
    try:
        call(*arguments)
    except kind as error:
        for word in words.split():
            assert word in str(error), f'{word!r} is not in: {error}'
    else:
        raise AssertionError(f'no {kind.__name__} of {call} with {arguments}')


def overview_counts(histogram):
    words = numpy.frombuffer(histogram.get_overview_bytes().get_data(), 'u4')
    return words[:512].reshape(4, 4, 32).tolist()


def arrays_of(buffer):
    """All arrays of the results on a buffer, and what the C getters return."""
    histogram, points, regions, tiles = (kind.from_buffer(buffer) for kind in (
        GstGles.HistogramResult, GstGles.PointsResult, GstGles.RegionsResult, GstGles.TilesResult))
    info = histogram.get_info()
    channels, cells = range(info.n_channels), range(info.columns * info.rows)
    assert histogram.counts.shape == (len(channels), len(cells), info.bins)
    assert points.points.dtype.names == ('x', 'y', 'value')
    listed = [regions.get_region(i) for i in range(regions.get_count())]
    arrays = [histogram.counts, *histogram.native_counts, histogram.overview['counts'], points.points, regions.regions,
              tiles.offsets, tiles.indices, tiles.keys]
    return arrays, [
        [[histogram.get_counts(c, cell) for cell in cells] for c in channels],
        *(histogram.get_native_counts(c) for c in channels), overview_counts(histogram), [(p.x, p.y, p.value) for p in points.get_points()],
        [tuple(getattr(region, name) for name in regions.regions.dtype.names) for region in listed],
        tiles.get_offsets(), tiles.get_indices(), tiles.get_keys()]


def addresses(arrays):
    return [array.__array_interface__['data'][0] for array in arrays if array.size > 0]


def check_results(caps, settings):
    """Arrays are the memory of the result, however large, and outlive it."""
    kept = []
    for frame, buffer in enumerate(play(
            f'videotestsrc num-buffers=3 pattern=ball ! {caps} ! gleshistogram device=cpu {settings} ! glescompact '
            'device=cpu predicate=motion lower=24 ! glesregions device=cpu min-size=2 ! glestiles device=cpu '
            'source=points')):
        arrays, expected = arrays_of(buffer)
        assert [array.tolist() for array in arrays] == expected
        assert [array.dtype.itemsize for array in arrays[-5:]] == [8, 64, 4, 4, 4]
        # without a grid, counters of other bins than code values are copied
        first = 0 if 'grid' in settings else 1
        assert addresses(arrays[first:]) == addresses(arrays_of(buffer)[0][first:])
        # in the first frame nothing has moved: arrays without items
        assert [len(array) > 0 for array in arrays[-5:]] == [frame > 0, frame > 0, True, frame > 0, frame > 0]
        kept += [(array, array.copy()) for array in arrays]
    del arrays, buffer
    gc.collect()
    for array, before in kept:
        assert (array == before).all()
        if array.size > 0:
            raises(ValueError, 'read-only', array.__setitem__, 0, 0)


def check_descriptions():
    """Descriptions keep the result that they are members of, also when nothing else does."""
    def make(number):
        frame = GstGles.FrameInfo.new(32, 32, GstVideo.VideoFormat.I420, None)
        frame.number = number
        return GstGles.RegionsResult.new(frame, f'label {number}', GLib.Bytes.new(b''), 0)

    described = [(make(i).get_info(), make(i).get_info().frame, make(i).get_frame()) for i in range(50)]
    gc.collect()
    others = [make(1000) for _ in range(200)]
    for i, (info, inner, frame) in enumerate(described):
        assert (info.label, info.frame.number, inner.number, frame.number) == (f'label {i}', i, i, i)
    assert len(others) == 200


def check_tracks():
    """Tracks as records on the memory of the result, and results made of records."""
    found, paths = [], []
    for buffer in play('videotestsrc num-buffers=5 pattern=ball ! video/x-raw,format=GRAY8,width=320,height=240 ! '
                       'glescompact device=cpu lower=200 ! glesregions device=cpu label=ball ! glestrack min-hits=2 path=3'):
        result = GstGles.TracksResult.from_buffer(buffer)
        listed = [result.get_track(i) for i in range(result.get_count())]
        tracks = result.tracks
        assert tracks.dtype.itemsize == 80 and result.labels == ['ball']
        assert tracks.tolist() == [tuple(getattr(track, name) for name in tracks.dtype.names) for track in listed]
        assert addresses([tracks]) == addresses([result.tracks])
        paths.append(result.paths[0])
        assert len(result.paths) == 1 and result.get_info().path == 3 and not paths[-1].flags.writeable
        found.append(tracks.copy())
    assert [(track['id'][0], GstGles.TrackState(int(track['state'][0])).value_nick) for track in found] == \
        [(1, 'new')] + [(1, 'confirmed')] * 4
    assert found[-1]['hits'][0] == 5 and found[-1]['path_length'][0] > found[-2]['path_length'][0] > 0
    # the results are gone; a path goes on where that of the frame before was
    assert [path.shape for path in paths] == [(1, 2), (2, 2), (3, 2), (3, 2), (3, 2)] and paths[0].dtype == '=f4'
    assert all((path[-2] == before[-1]).all() for before, path in zip(paths, paths[1:]))
    assert numpy.abs(paths[0][0] - [found[0][axis][0] + found[0][side][0] / 2
                                    for axis, side in (('x', 'width'), ('y', 'height'))]).max() < 0.1
    frame = GstGles.FrameInfo.new(320, 240, GstVideo.VideoFormat.GRAY8, None)
    again = GstGles.TracksResult.new(frame, ['car', 'bus'], GLib.Bytes.new(tracks.tobytes()), 9)
    assert (again.tracks == tracks).all() and again.get_total() == 9 and again.is_truncated()
    assert again.labels == ['car', 'bus'] and [len(path) for path in again.paths] == [0] and again.get_label(2) is None and again.is_ready()
    assert again.get_info().min_hits == 1 and again.get_frame().width == 320 and again.wait(0)
    meta_of = Gst.Buffer.new()
    GstGles.buffer_add_gles_tracks_meta(meta_of, again)
    assert GstGles.buffer_get_gles_tracks_meta(meta_of).result == again
    raises(GLib.Error, 'track', again.get_track, 1)
    wrong = tracks.copy()
    for name, value in (('id', 0), ('x', 320), ('width', 0), ('label', 2), ('state', 4), ('velocity_x', numpy.nan)):
        wrong[:] = tracks
        wrong[name] = value
        raises(GLib.Error, 'tracks', GstGles.TracksResult.new, frame, ['car', 'bus'], GLib.Bytes.new(wrong.tobytes()), 9)
    raises(GLib.Error, 'tracks', GstGles.TracksResult.new, frame, ['car'], GLib.Bytes.new(b'0'), 9)
    raises(GLib.Error, 'tracks', GstGles.TracksResult.new, frame, ['ball'], GLib.Bytes.new(tracks.tobytes()), 0)


def check_zones():
    """Zones as records on the memory of the result, and their events."""
    kinds = []
    for buffer in play('videotestsrc num-buffers=5 pattern=ball ! video/x-raw,format=GRAY8,width=320,height=240 ! '
                       'glescompact device=cpu lower=200 ! glesregions device=cpu label=ball ! glestrack min-hits=2 ! '
                       'gleszones zones="all: 0,0 1,0 1,2 0,2; none types=car: 0,0 1,0 1,1" lines="l: 0,50% 100%,50%"'):
        result = GstGles.ZonesResult.from_buffer(buffer)
        listed = [result.get_zone(i) for i in range(result.get_count())]
        zones, members = result.zones, result.members
        assert zones.dtype.itemsize == 40 and members.dtype.itemsize == 24 and result.names == ['all', 'none', 'l']
        assert zones.tolist() == [tuple(getattr(zone, name) for name in zones.dtype.names) for zone in listed]
        assert addresses([zones]) == addresses([result.zones]) and result.get_info().has_tracks
        assert [v.tolist() for v in result.vertices] == [
            [[0, 0], [81920, 0], [81920, 122880], [0, 122880]], [[0, 0], [81920, 0], [81920, 61440]],
            [[0, 30720], [81920, 30720]]]
        kinds += [(event.event, event.zone, event.track, event.label)
                  for event in GstGles.EventsResult.from_buffer(buffer) or []]
    assert members[['track', 'label', 'zone']].tolist() == [(1, 0, 0)] and result.labels == ['ball']
    assert members['inside'][0] > 0 and zones['occupied'].tolist() == [1, 0, 0] and zones['n_in'].tolist() == [1, 0, 0]
    assert kinds == [('empty', 'all', None, None), ('empty', 'none', None, None), ('enter', 'all', 1, 'ball'),
                     ('occupied', 'all', None, None)], kinds
    assert result.get_name(3) is None and result.get_label(1) is None
    raises(GLib.Error, 'zone', result.get_zone, 3)


def check_boxes():
    for buffer in play('videotestsrc num-buffers=2 pattern=ball ! video/x-raw,format=I420,width=320,height=240 ! '
                       'glescompact device=cpu lower=200 ! glesregions device=cpu ! '
                       'gleshistogram device=cpu boxes=roi bins=16 expression=sat'):
        result = GstGles.HistogramResult.from_buffer(buffer)
        box, = result.get_boxes()
        counts = result.box_counts
        assert counts.shape == (1, 3, 16) and counts[0, 0].sum() == box.width * box.height
        assert [counts[0, i].tobytes() for i in range(3)] == [result.get_box_counts(0, i).get_data() for i in range(3)]
    for buffer in play('videotestsrc num-buffers=1 ! gleshistogram device=cpu boxes=all'):
        assert GstGles.HistogramResult.from_buffer(buffer).box_counts.size == 0


def check_buffers(device):
    record = numpy.dtype([('box', '<f4', (4,)), ('depth', '<f4'), ('radius', '<f4'), ('id', '<u4'), ('pad', '<u4')])
    for array in (numpy.arange(12, dtype='u4').reshape(3, 4), numpy.array([1.5, -2], 'f4'),
                  numpy.array([2**63, 1], 'u8'), numpy.array([-1], 'i4'), numpy.arange(7, dtype='u1'),
                  numpy.arange(5, dtype='u2'), numpy.zeros(3, record), numpy.zeros(0, 'u4'),
                  numpy.array(5, 'u4')):
        for where in (device, device.get_queue(), GstGles.Queue.new(device)):
            buffer = GstGles.Buffer.from_array(where, array)
            assert buffer.get_size() == array.nbytes
            back = buffer.to_array(array.dtype, array.shape)
            assert back.dtype == array.dtype and back.shape == array.shape and (back == array).all()
    buffer = GstGles.Buffer.from_array(device, numpy.arange(4, dtype='u4'))
    assert buffer.to_array('u4').tolist() == [0, 1, 2, 3]
    assert buffer.to_array('u4', 2).tolist() == [0, 1]
    assert buffer.to_array(numpy.uint16, (2, 2)).tolist() == [[0, 0], [1, 0]]
    raises(ValueError, '20 16', buffer.to_array, 'u4', 5)
    raises(ValueError, 'negative', buffer.to_array, 'u4', (-1, 2))
    raises(TypeError, 'shape', buffer.to_array, 'u4', 'three')
    raises(TypeError, 'shape', buffer.to_array, 'u4', 1.5)
    raises(ValueError, 'whole', GstGles.Buffer.from_array(device, numpy.zeros(5, 'u1')).to_array, 'u4')
    raises(TypeError, 'float64 float32', buffer.to_array, float)
    raises(TypeError, 'nonsense', buffer.to_array, 'nonsense')


def check_wrong_arrays(device):
    make = GstGles.Buffer.from_array
    for dtype in ('i8', 'f8', 'f2', 'i2', 'i1', '?', 'c8', 'U3', 'M8[s]', 'O', [('x', 'u4'), ('y', 'f8')]):
        raises(TypeError, 'astype uint32', make, device, numpy.zeros(4, dtype))
    raises(TypeError, 'little-endian >u4', make, device, numpy.zeros(4, '>u4'))
    square = numpy.zeros((4, 4), 'u4')
    for gaps in (square[:, 1], square.T, square[::2], square[::-1]):
        raises(TypeError, 'ascontiguousarray', make, device, gaps)
    for no_array in ([1, 2], b'12', 5, None):
        raises(TypeError, 'NumPy array', make, device, no_array)
    for nowhere in ('cpu', None, square):
        raises(TypeError, 'GstGles.Device', make, nowhere, square)


def check_expressions(device):
    """An expression on arrays of a device finds what NumPy finds."""
    expression = GstGles.Expression.new_for_arrays('a > $limit ? b * 3 - c : -a', ['a', 'b', 'c'])
    rng = numpy.random.default_rng(1)
    a = rng.integers(-1000, 1000, (7, 301), numpy.int32)
    b, c = rng.integers(0, 65536, a.shape, numpy.uint16), rng.integers(0, 256, a.shape, numpy.uint8)
    wanted = numpy.where(a > -3, b.astype(numpy.int32) * 3 - c, -a)
    for where in (device, device.get_queue()):
        found = expression.calculate(where, a=a, b=b, c=c, limit=-3)
        assert found.dtype == numpy.int32 and (found == wanted).all()
    assert expression.calculate(device, a=a[:0], b=b[:0], c=c[:0], limit=0).size == 0
    raises(TypeError, 'parameters', expression.calculate, device)
    raises(TypeError, 'shape', lambda: expression.calculate(device, a=a, b=b[1:], c=c, limit=0))
    raises(TypeError, 'uint8', lambda: expression.calculate(device, a=a.astype('f4'), b=b, c=c, limit=0))
    raises(TypeError, 'frames', GstGles.Expression.new('Y > 100').calculate, device)


def check_outputs():
    """The outputs of segments, and its result; docs/python.md has a sort."""
    device = GstGles.Device.new('cpu')
    keys, values = (GstGles.Buffer.from_array(device, numpy.array(words, 'u4'))
                    for words in ([2, 7, 7, 7, 9, 9], [3, 0, 2, 5, 1, 4]))
    groups = {name: GstGles.Buffer.new(device, 24) for name in ('keys', 'counts', 'sums')}
    outputs = GstGles.SegmentsOutputs(**groups)
    assert isinstance(outputs, GstGles.SegmentsOutputs)
    segments, u32 = GstGles.Segments.new(device.get_queue(), 6), GstGles.ValueType.U32
    segments.run(u32, keys, u32, values, 6, outputs)
    total, count, status = segments.get_result().to_result()
    assert (total, count, status) == (3, 3, 0)
    assert {name: buffer.to_array('u4', count, device.get_queue()).tolist() for name, buffer in groups.items()} == {
        'keys': [2, 7, 9], 'counts': [1, 3, 2], 'sums': [3, 7, 5]}
    # outputs that are not wanted any more, and no values
    outputs.set(GstGles.SegmentsField.SUMS, None)
    segments.run(u32, keys, u32, None, 6, outputs)
    raises(TypeError, 'sumz', lambda: GstGles.SegmentsOutputs(sumz=keys))


def check_components():
    device = GstGles.Device.new('cpu')
    config = GstGles.ComponentsConfig()
    config.width, config.height, config.connectivity, config.max_regions = 5, 1, 4, 3
    words = GstGles.Buffer.from_array(device, numpy.array([1, 0, 1, 0, 1], 'u4'))
    regions, labels = GstGles.Buffer.new(device, 3 * 64), GstGles.Buffer.new(device, 5 * 4)
    components = GstGles.Components.new(device.get_queue(), config)
    components.run(words, 1, 1, 1, regions, labels)
    assert components.get_result().to_result() == (3, 3, 0)
    assert labels.to_array('u4').tolist() == [0, 2**32 - 1, 2, 2**32 - 1, 4]
    assert regions.to_array('u4', (3, 16))[:, 0].tolist() == [0, 2, 4]
    components.run(words, 1, 1, 1, regions, None)


def check_with():
    """The end of a `with` waits for the queue, which raises what failed; the block's own error goes on instead."""
    finished, finish = [], GstGles.Queue.finish
    GstGles.Queue.finish = lambda queue: finished.append(queue) or finish(queue)
    device = GstGles.Device.new('cpu')
    with device as same:
        assert same is device
        buffer = GstGles.Buffer.from_array(device, numpy.arange(1000, dtype='u4'))
    assert finished == [device.get_queue()]
    try:
        with device:
            raise KeyError('from the block')
    except KeyError:
        assert len(finished) == 1
    GstGles.Queue.finish = finish
    # the device stays open as long as somebody has it
    assert buffer.to_array('u4').sum() == 999 * 500


EVENTS_LINE = ('videotestsrc num-buffers=20 pattern=black ! video/x-raw,format=I420,framerate=25/1 ! gleshistogram ! '
               'glesevents name=e events=black black-min-duration=0.2 update-interval=0.4 ! ')


def check_events():
    """Events on buffers and in messages, with and without gst-python."""
    on_buffers = [GstGles.EventsResult.from_buffer(buffer) for buffer in play(EVENTS_LINE + 'identity')]
    numbers = [i for i, events in enumerate(on_buffers) if events is not None]
    assert numbers == [5, 10], numbers
    start, update = on_buffers[5][0], on_buffers[10][0]
    assert [len(on_buffers[i]) for i in numbers] == [1, 1]
    assert (start.event, start.phase, start.element, start.pts) == ('black', 'start', 'e', 0), start
    assert (start.start, start.duration, start.cause, start.utc, start.transition) == (None,) * 5, start
    assert (update.phase, update.frame, update.start_frame, update.duration) == ('update', 10, 0, 400000000), update
    assert start.id == update.id and len(start.id) == 16 and start.stream_id == update.stream_id is not None

    pipeline = Gst.parse_launch(EVENTS_LINE + 'fakesink')
    pipeline.set_state(Gst.State.PLAYING)
    lines.wait_for_end(pipeline)
    assert GstGles.EventsResult.from_message(Gst.Message.new_eos(pipeline)) is None
    structure = Gst.Structure.new_from_string(
        'glesevents, event=motion, union=(uint)<1, 2, 3, 4>, utc=(guint64)18446744073709551615')
    event, = GstGles.EventsResult.from_message(Gst.Message.new_element(pipeline, structure))
    assert (event.event, event.union, event.utc) == ('motion', [1, 2, 3, 4], None), event
    pipeline.set_state(Gst.State.NULL)


NO_GST_PYTHON = """
import importlib.util
import sys
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == 'gi.overrides.Gst' else find_spec(name, *rest)
import gi
gi.require_version('Gst', '1.0')
gi.require_version('GstGles', '1.0')
from gi.repository import Gst, GstGles
assert 'gi.overrides.Gst' not in sys.modules
Gst.init(None)
pipeline = Gst.parse_launch('%s fakesink')
pipeline.set_state(Gst.State.PLAYING)
bus, phases = pipeline.get_bus(), []
while (message := bus.timed_pop(60 * Gst.SECOND)).type != Gst.MessageType.EOS:
    phases += [event.phase for event in GstGles.EventsResult.from_message(message) or []]
pipeline.set_state(Gst.State.NULL)
assert phases == ['start', 'update', 'end'], phases
""" % EVENTS_LINE


def check_events_without_gst_python():
    subprocess.run([sys.executable, '-c', NO_GST_PYTHON], check=True, env=os.environ)


NO_NUMPY = """
import sys
sys.modules['numpy'] = None
import gi
gi.require_version('Gst', '1.0')
gi.require_version('GstGles', '1.0')
from gi.repository import Gst, GstGles
Gst.init(None)
device = GstGles.Device.new('cpu')
assert GstGles.Buffer.new(device, 16).to_result() == (0, 0, 0)
try:
    GstGles.Buffer.new(device, 16).to_array('u4')
except ImportError as error:
    assert 'python3-numpy' in str(error), error
else:
    raise AssertionError('no error without numpy')
"""


def check_without_numpy():
    """GstGles can be imported without NumPy; who asks for an array is told what to install."""
    subprocess.run([sys.executable, '-c', NO_NUMPY], check=True, env=os.environ)


def check_page(path):
    """The code of docs/python.md prints what it says behind its print(), and each field of a record has a row there."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    code = ''.join(re.findall(r'```python\n(.*?)```', text, re.S))
    rows = re.findall(r'^\|.*?\|(.*?)\|', re.search(r'### Fields\n(.*?)\n## ', text, re.S).group(1), re.M)
    listed = set(re.findall(r'`(\w+)`', ''.join(rows)))
    kind = GstGles.HistogramStatistics
    statistics = {name for name in dir(kind) if not name.startswith('_') and not callable(getattr(kind, name))}
    fields = statistics.union(*(_record(name).names for name in RECORDS))
    assert fields <= listed, f'{path} does not tell of {sorted(fields - listed)}'
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, path, 'exec'), {})
    promised = re.findall(r'print\(.*\)\s+# ([(\[].*)', code)
    assert len(promised) == 12 and all(words in printed.getvalue() for words in promised), printed.getvalue()


def check_limits(device):
    """What the device can do, also when it is held by its limits alone; nothing on a cpu device."""
    is_gl = device.get_kind() != GstGles.DeviceKind.CPU
    limits = GstGles.Device.new(device.get_id()).get_limits()
    assert list(limits.groups) == list(device.get_limits().groups) and len(limits.group_size) == 3
    assert (limits.groups[0] >= 65535) == is_gl and (limits.storage_block_bytes >= 2**27) == is_gl, limits
    assert (limits.storage_blocks >= 4) == is_gl and (limits.invocations >= 128) == is_gl, limits


for caps_ in ('video/x-raw,format=I420,width=80,height=50', 'video/x-raw,format=BGRx,width=133,height=97',
              'video/x-raw,format=I420_10LE,width=32,height=32'):
    for settings_ in ('', 'bins=7', 'bins=32 grid-columns=16 grid-rows=9', 'bins=1024 grid-columns=3 mad=true'):
        check_results(caps_, settings_)
check_results('video/x-raw,format=GRAY8,width=640,height=360', 'channels=luma')
for kind_ in ('cpu', 'software'):
    try:
        device_ = GstGles.Device.new(kind_)
    except GLib.Error as error:
        assert os.environ.get('GLES_TEST_REQUIRE') != 'gl', error
        print(f'left out: {error.message}')
        continue
    check_limits(device_)
    check_buffers(device_)
    check_wrong_arrays(device_)
    check_expressions(device_)
check_outputs()
check_components()
check_with()
check_without_numpy()
check_events()
check_events_without_gst_python()
check_descriptions()
check_tracks()
check_zones()
check_boxes()
check_page(os.path.join(os.path.dirname(__file__), '../../docs/python.md'))
print('results and buffers as arrays equal what the getters return')
