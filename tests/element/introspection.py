# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every getter of histograms, points and tiles, from Python: a pipeline with an appsink, checked against NumPy on the
very bytes that come out. Skips without PyGObject, NumPy or the typelib."""
import sys

try:
    import gi
    import numpy
    gi.require_version('Gst', '1.0')
    gi.require_version('GstApp', '1.0')
    gi.require_version('GstVideo', '1.0')
    gi.require_version('GstGles', '1.0')
except (ImportError, ValueError) as error:
    print(error)
    sys.exit(77)
from gi.repository import GLib, Gst, GstApp, GstGles, GstVideo  # noqa: E402  (GstApp: try_pull_sample)

WIDTH, HEIGHT = 80, 50
PERCENTILES = (1, 5, 10, 50, 90, 95, 99)
BINS = 64
SECOND = Gst.SECOND


CALLED = set()


def watch(kind):
    """Notes which getters of a class are called: (their names)."""
    names = [name for name in dir(kind) if name.startswith(('get_', 'is_')) or name == 'wait']
    for name in names:
        def call(*arguments, _name=name, _method=getattr(kind, name)):
            CALLED.add(f'{kind.__name__}.{_name}')
            return _method(*arguments)
        setattr(kind, name, call)
    return {f'{kind.__name__}.{name}' for name in names}


def play(description):
    """(buffer, caps) of each frame that reaches the appsink of a pipeline."""
    pipeline = Gst.parse_launch(description + ' ! appsink name=sink sync=false')
    sink = pipeline.get_by_name('sink')
    pipeline.set_state(Gst.State.PLAYING)
    while True:
        sample = sink.try_pull_sample(10 * SECOND)
        if sample is None:
            break
        yield sample.get_buffer(), sample.get_caps()
    message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    assert message is None, message.parse_error()
    assert sink.is_eos(), 'no end of stream within 10 seconds'


def planes_of(buffer, caps):
    """The planes of an 8-bit frame with one component each."""
    info = GstVideo.VideoInfo.new_from_caps(caps)
    success, mapped = buffer.map(Gst.MapFlags.READ)
    assert success
    data = numpy.frombuffer(mapped.data, numpy.uint8).copy()
    buffer.unmap(mapped)
    planes = []
    for i in range(info.finfo.n_planes):
        width, height = (WIDTH, HEIGHT) if i == 0 else ((WIDTH + 1) // 2, (HEIGHT + 1) // 2)
        stride, offset = info.stride[i], info.offset[i]
        rows = [data[offset + y * stride:offset + y * stride + width] for y in range(height)]
        planes.append(numpy.stack(rows))
    return planes


def check_statistics(result, channel, samples, before):
    success, found = result.get_statistics(channel)
    assert success
    counts = numpy.bincount(samples, minlength=256)
    shares = counts[counts > 0] / samples.size
    assert found.count == samples.size
    assert (found.min, found.max) == (samples.min(), samples.max())
    assert abs(found.mean - samples.mean()) < 1e-9
    assert abs(found.stddev - samples.std()) < 1e-9
    assert abs(found.entropy + (shares * numpy.log2(shares)).sum()) < 1e-9
    ordered = numpy.sort(samples)
    for percent in PERCENTILES:
        rank = -(-samples.size * percent // 100)
        assert getattr(found, f'p{percent}') == ordered[rank - 1], f'p{percent}'
    difference = 0 if before is None else numpy.abs(counts - before).sum() / (2 * samples.size)
    assert abs(found.difference - difference) < 1e-12
    emd = 0 if before is None else numpy.abs(numpy.cumsum(counts - before)).sum() / samples.size
    assert abs(found.emd - emd) < 1e-9
    assert (numpy.array(result.get_native_counts(channel)) == counts).all()
    return counts


def check_origin(result, element):
    origin = result.get_origin()
    assert origin.element.startswith(element) and origin.stream_id
    assert origin.range == getattr(GstVideo.VideoColorRange, '16_235')
    assert origin.matrix == GstVideo.VideoColorMatrix.BT601
    assert result.get_field() == origin.field == GstGles.Field.NONE
    assert result.get_utc() == Gst.CLOCK_TIME_NONE


def check_description(result, frame):
    check_origin(result, 'gleshistogram')
    assert result.get_size() == (WIDTH, HEIGHT)
    assert result.get_region() == (0, 0, WIDTH, HEIGHT)
    assert result.get_grid() == (2, 1)
    assert result.get_bins() == BINS
    assert result.get_format() == GstVideo.VideoFormat.I420
    # what videotestsrc's caps say of I420 at this size
    assert result.get_range() == getattr(GstVideo.VideoColorRange, '16_235')
    assert not result.is_luma()
    assert result.get_frame_number() == frame
    assert result.get_pts() == result.get_running_time() == frame * SECOND // 25
    assert result.get_stream_time() == result.get_pts()
    assert result.get_duration() == SECOND // 25
    assert result.get_n_channels() == 3
    assert [result.get_channel_name(i) for i in range(3)] == ['Y', 'U', 'V']
    assert [result.get_channel_depth(i) for i in range(3)] == [8, 8, 8]


def check_histogram():
    before = [None] * 3
    frames = 0
    results = []
    for buffer, caps in play(
            'videotestsrc num-buffers=5 pattern=ball ! '
            f'video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate=25/1 ! '
            f'gleshistogram device=cpu emd=true bins={BINS} grid-columns=2'):
        result = GstGles.HistogramResult.from_buffer(buffer)
        check_description(result, frames)
        assert result.wait(10 * SECOND)
        assert result.is_ready()
        for channel, plane in enumerate(planes_of(buffer, caps)):
            before[channel] = check_statistics(result, channel, plane.ravel(), before[channel])
            half = plane.shape[1] // 2
            for cell, part in enumerate((plane[:, :half], plane[:, half:])):
                counts = numpy.bincount(part.ravel().astype(int) * BINS // 256, minlength=BINS)
                assert (numpy.array(result.get_counts(channel, cell)) == counts).all()
        words = numpy.frombuffer(result.get_counts_bytes().get_data(), 'u4').reshape(3, 2, BINS)
        assert words.tolist() == [[result.get_counts(c, cell) for cell in range(2)] for c in range(3)]
        words = numpy.frombuffer(result.get_native_counts_bytes(1).get_data(), 'u4')
        assert words.tolist() == result.get_native_counts(1)
        assert buffer.get_meta(GstGles.histogram_meta_api_get_type()) is not None
        assert GstGles.buffer_get_gles_histogram_meta(buffer).result.get_frame_number() == frames
        results.append(result)
        frames += 1
    assert frames == 5
    # results outlive their buffers and their pipeline
    assert [r.get_frame_number() for r in results] == [0, 1, 2, 3, 4]
    assert GstGles.HistogramResult.from_buffer(Gst.Buffer.new()) is None


def points_of(luma, before):
    """What glescompact predicate=motion lower=24 lists, as NumPy finds it."""
    if before is None:
        return numpy.empty((0, 3), int)
    change = numpy.abs(luma.astype(int) - before.astype(int))
    y, x = numpy.nonzero(change >= 24)
    return numpy.stack([x, y, change[y, x]], axis=1)


def check_points_result(result, expected, frame):
    assert result.wait(10 * SECOND) and result.is_ready()
    assert result.get_count() == result.get_total() == len(expected)
    assert not result.is_truncated()
    data = numpy.frombuffer(result.get_bytes().get_data() or b'', 'u2,u2,u4')
    assert (numpy.array(data.tolist(), int).reshape(-1, 3) == expected).all()
    for i in range(0, len(expected), max(len(expected) // 7, 1)):
        assert list(result.get_point(i)) == [True, *expected[i]]
    assert [(p.x, p.y, p.value) for p in result.get_points()] == [tuple(p) for p in expected]
    predicate, lower, _ = result.get_predicate()
    assert (predicate, lower) == (GstGles.PointsPredicate.MOTION, 24)
    assert result.get_channel() == GstGles.POINTS_LUMA
    assert result.get_max_points() == 1048576
    assert result.get_region() == (0, 0, WIDTH, HEIGHT)
    assert result.get_range() == getattr(GstVideo.VideoColorRange, '16_235')
    check_picture(result, frame)


def check_picture(result, frame):
    """What points and tiles tell of the frame."""
    check_origin(result, 'gles')
    assert result.get_size() == (WIDTH, HEIGHT)
    assert result.get_format() == GstVideo.VideoFormat.I420
    assert result.get_frame_number() == frame
    assert result.get_pts() == result.get_running_time() == frame * SECOND // 25
    assert result.get_stream_time() == result.get_pts()
    assert result.get_duration() == SECOND // 25


def check_tiles_result(result, expected, frame):
    columns, rows = -(-WIDTH // 16), -(-HEIGHT // 16)
    tiles = expected[:, 1] // 16 * columns + expected[:, 0] // 16
    lists = [numpy.flatnonzero(tiles == t).tolist() for t in range(columns * rows)]
    assert result.wait(10 * SECOND) and result.is_ready()
    assert result.get_grid() == (columns, rows)
    assert result.get_tile_size() == (16, 16)
    assert result.get_total() == result.get_count() == len(expected)
    assert not result.is_truncated()
    offsets = numpy.concatenate([[0], numpy.cumsum([len(x) for x in lists])])
    assert result.get_offsets() == offsets.tolist()
    assert result.get_indices() == result.get_keys() == sum(lists, [])
    for data, words in zip(result.get_bytes()[1:], (offsets, result.get_indices(), result.get_keys())):
        assert (numpy.frombuffer(data.get_data() or b'', 'u4') == words).all()
    assert [result.get_tile(t) for t in range(columns * rows)] == lists
    assert result.get_occupancy() == (True, sum(map(bool, lists)), max(map(len, lists)))
    assert result.get_input() == GstGles.TilesInput.POINTS
    assert result.get_sort_by() == GstGles.TilesSortBy.INDEX
    assert not result.is_descending()
    assert result.get_max_items() > 0
    assert len(result.get_boxes()) == 0
    check_picture(result, frame)


def check_points_and_tiles():
    before = None
    found = frames = 0
    for buffer, caps in play(
            'videotestsrc num-buffers=4 pattern=ball ! '
            f'video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate=25/1 ! '
            'glescompact device=cpu predicate=motion lower=24 ! glestiles device=cpu'):
        luma = planes_of(buffer, caps)[0]
        expected = points_of(luma, before)
        check_points_result(GstGles.PointsResult.from_buffer(buffer), expected, frames)
        check_tiles_result(GstGles.TilesResult.from_buffer(buffer), expected, frames)
        before = luma
        found += len(expected)
        frames += 1
    assert frames == 4 and found > 20


def check_boxes():
    """What was listed of boxes, as they were."""
    for buffer, _ in play('videotestsrc num-buffers=1 pattern=ball ! video/x-raw,format=GRAY8,width=64,height=64 ! '
                          'glescompact device=cpu lower=200 ! glesregions device=cpu label=ball ! '
                          'glestiles device=cpu source=roi'):
        boxes = GstGles.TilesResult.from_buffer(buffer).get_boxes()
        regions = GstGles.RegionsResult.from_buffer(buffer)
        assert len(boxes) == regions.get_count() == 1
        x, y, width, height = regions.get_region(0).get_box()
        box = boxes[0]
        assert (box.x, box.y, box.width, box.height, box.type) == (x, y, width, height, 'ball')


def check_errors():
    """What stayed on the device raises, and can be had from there."""
    for buffer, _ in play('videotestsrc num-buffers=1 ! video/x-raw,format=GRAY8,width=8,height=8 ! '
                          'gleshistogram device=cpu readback=false'):
        result = GstGles.HistogramResult.from_buffer(buffer)
        assert not result.is_ready()
        try:
            result.get_counts(0, 0)
        except GLib.Error as error:
            assert error.matches(GstGles.error_quark(), GstGles.Error.INVALID), error
        else:
            raise AssertionError('counters that stayed on the device came without an error')
        counters = result.get_device_buffer()
        device = counters.get_device()
        assert device.get_kind() == GstGles.DeviceKind.CPU
        data = counters.download_bytes(device.get_queue(), 0, counters.get_size()).get_data()
        words = numpy.frombuffer(data[:len(data) // 4 * 4], '<u4')
        assert words[:256].sum() == 64, words
        try:
            counters.download_bytes(device.get_queue(), 1, counters.get_size())
        except GLib.Error as error:
            assert error.matches(GstGles.error_quark(), GstGles.Error.INVALID), error
        else:
            raise AssertionError('bytes from behind the end of a buffer')


def words_of(buffer, dtype='<u4'):
    """The words of a buffer on a device."""
    data = buffer.download_bytes(buffer.get_device().get_queue(), 0, buffer.get_size()).get_data()
    size = numpy.dtype(dtype).itemsize
    return numpy.frombuffer(data[:len(data) // size * size], dtype)


def check_device_buffers():
    """What points and tiles left on the device is what the host would have been given."""
    for buffer, caps in play(
            'videotestsrc num-buffers=2 pattern=snow ! '
            f'video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate=25/1 ! '
            'glescompact device=cpu lower=200 readback=false ! glestiles device=cpu readback=false'):
        points = GstGles.PointsResult.from_buffer(buffer)
        tiles = GstGles.TilesResult.from_buffer(buffer)
        assert not points.is_ready() and not tiles.is_ready()
        assert points.get_device().get_kind() == GstGles.DeviceKind.CPU
        luma = planes_of(buffer, caps)[0]
        y, x = numpy.nonzero(luma >= 200)
        total, _, count, status = words_of(points.get_device_counts())[:4]
        assert total == count == len(x) > 0 and status == 0
        listed = words_of(points.get_device_buffer(), 'u2,u2,u4')[:count]
        assert (listed['f0'] == x).all() and (listed['f1'] == y).all()
        assert (listed['f2'] == luma[y, x]).all()
        columns, rows = tiles.get_grid()
        order = numpy.argsort(y // 16 * columns + x // 16, kind='stable')
        offsets = words_of(tiles.get_device_offsets())[:columns * rows + 1]
        assert offsets[0] == 0 and offsets[-1] == count and (numpy.diff(offsets.astype(int)) >= 0).all()
        assert words_of(tiles.get_device_counts())[2] == count
        assert (words_of(tiles.get_device_indices())[:count] == order).all()
        assert (words_of(tiles.get_device_keys())[:count] == order).all()


def check_arrays():
    """The array API: a sort on a device."""
    device = GstGles.Device.new('cpu')
    queue = device.get_queue()
    keys = numpy.array([5, 1, 4, 1, 3], '<u4')
    buffer = GstGles.Buffer.new(device, keys.nbytes)
    assert buffer.upload(queue, 0, keys.tobytes())
    config = GstGles.SortConfig.init(GstGles.ValueType.U32)
    sort = GstGles.Sort.new(queue, config, len(keys))
    assert sort.run(buffer, None, buffer, None, len(keys))
    data = buffer.download_bytes(queue, 0, keys.nbytes).get_data()
    assert numpy.frombuffer(data, '<u4').tolist() == [1, 1, 3, 4, 5]


def check_group_by():
    """The array API: runs of equal keys, how long each is and the sum of its values."""
    device = GstGles.Device.new('cpu')
    queue = device.get_queue()

    def buffer_of(words):
        buffer = GstGles.Buffer.new(device, 4 * len(words))
        assert buffer.upload(queue, 0, numpy.array(words, '<u4').tobytes())
        return buffer

    keys, values = buffer_of([7, 7, 7, 2, 9, 9]), buffer_of([1, 2, 3, 4, 5, 6])
    counts, sums = buffer_of([0] * 6), buffer_of([0] * 6)
    outputs = GstGles.SegmentsOutputs()
    outputs.set(GstGles.SegmentsField.COUNTS, counts)
    outputs.set(GstGles.SegmentsField.SUMS, sums)
    segments = GstGles.Segments.new(queue, 6)
    u32 = GstGles.ValueType.U32
    assert segments.run(u32, keys, u32, values, 6, outputs)
    for buffer, expected in ((counts, [3, 1, 2]), (sums, [6, 4, 11])):
        data = buffer.download_bytes(queue, 0, 12).get_data()
        assert numpy.frombuffer(data, '<u4').tolist() == expected
    outputs.set(GstGles.SegmentsField.SUMS, None)
    assert segments.run(u32, keys, u32, None, 6, outputs)


def check_constants():
    assert GstGles.WAIT_FOREVER == 2**64 - 1


Gst.init(None)
GETTERS = watch(GstGles.HistogramResult) | watch(GstGles.PointsResult) | watch(GstGles.TilesResult)
check_histogram()
check_points_and_tiles()
check_errors()
check_boxes()
check_device_buffers()
check_arrays()
check_group_by()
check_constants()
assert len(GETTERS) > 50, GETTERS
assert GETTERS == CALLED, f'never called: {GETTERS - CALLED}'
print('histograms, points and tiles from Python equal those of NumPy')
