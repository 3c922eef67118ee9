# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every getter of histograms, points and tiles, from Python: a pipeline with an appsink, checked against NumPy on the
very bytes that come out. Skips without PyGObject, NumPy or the typelib."""
import lines

lines.need('GstGles')
import numpy  # noqa: E402
from gi.repository import GLib, Gst, GstGles, GstVideo  # noqa: E402

WIDTH, HEIGHT = 80, 50
CAPS = f'video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate=25/1'
PERCENTILES = (1, 5, 10, 50, 90, 95, 99)
BINS = 64
SECOND = Gst.SECOND
CPU = GstGles.DeviceKind.CPU
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


def planes_of(sample):
    """The planes of an 8-bit frame with one component each."""
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    data = numpy.frombuffer(sample.get_buffer().extract_dup(0, info.size), 'u1')
    planes = []
    for offset, stride, shift in zip(info.offset, info.stride, (0, 1, 1)):
        rows = data[offset:offset + stride * (HEIGHT >> shift)].reshape(HEIGHT >> shift, stride)
        planes.append(rows[:, :WIDTH >> shift].astype(int))
    return planes


def check(result, **expected):
    """What getters of a result without arguments return."""
    for name, value in expected.items():
        found = getattr(result, name)()
        assert found == value, f'{name}: {found}, not {value}'


def check_common(result, element, frame):
    """What every result tells of its frame. The range is what videotestsrc's caps say of I420 at this size."""
    origin = result.get_origin()
    time = frame * SECOND // 25
    assert origin.element.startswith(element) and origin.stream_id
    assert (origin.matrix, origin.field) == (GstVideo.VideoColorMatrix.BT601, GstGles.Field.NONE)
    assert origin.range == getattr(GstVideo.VideoColorRange, '16_235')
    assert result.wait(10 * SECOND)
    check(result, is_ready=True, get_field=GstGles.Field.NONE, get_utc=Gst.CLOCK_TIME_NONE, get_size=(WIDTH, HEIGHT),
          get_format=GstVideo.VideoFormat.I420, get_frame_number=frame, get_pts=time, get_running_time=time,
          get_stream_time=time, get_duration=SECOND // 25)


def check_statistics(result, channel, samples, before):
    success, found = result.get_statistics(channel)
    assert success
    counts = numpy.bincount(samples, minlength=256)
    shares = counts[counts > 0] / samples.size
    change = numpy.zeros(256) if before is None else counts - before
    ordered = numpy.sort(samples)
    expected = {'count': samples.size, 'min': samples.min(), 'max': samples.max(), 'mean': samples.mean(),
                'stddev': samples.std(), 'entropy': -(shares * numpy.log2(shares)).sum(),
                'difference': numpy.abs(change).sum() / (2 * samples.size),
                'emd': numpy.abs(numpy.cumsum(change)).sum() / samples.size}
    expected |= {f'p{percent}': ordered[-(-samples.size * percent // 100) - 1] for percent in PERCENTILES}
    for name, value in expected.items():
        assert abs(getattr(found, name) - value) < 1e-9, name
    assert (numpy.array(result.get_native_counts(channel)) == counts).all()
    return counts


def check_histogram():
    before = [None] * 3
    results = []
    for frame, sample in enumerate(lines.play(
            f'videotestsrc num-buffers=5 pattern=ball ! {CAPS} ! '
            f'gleshistogram device=cpu emd=true bins={BINS} grid-columns=2')):
        buffer = sample.get_buffer()
        result = GstGles.HistogramResult.from_buffer(buffer)
        check_common(result, 'gleshistogram', frame)
        check(result, get_region=(0, 0, WIDTH, HEIGHT), get_grid=(2, 1), get_bins=BINS, is_luma=False,
              get_n_channels=3, get_range=getattr(GstVideo.VideoColorRange, '16_235'))
        assert [(result.get_channel_name(i), result.get_channel_depth(i)) for i in range(3)] == [
            ('Y', 8), ('U', 8), ('V', 8)]
        words = numpy.frombuffer(result.get_counts_bytes().get_data(), 'u4').reshape(3, 2, BINS)
        for channel, plane in enumerate(planes_of(sample)):
            before[channel] = check_statistics(result, channel, plane.ravel(), before[channel])
            for cell, part in enumerate(numpy.hsplit(plane, 2)):
                counts = numpy.bincount(part.ravel() * BINS // 256, minlength=BINS)
                assert (result.get_counts(channel, cell) == counts).all() and (words[channel, cell] == counts).all()
        words = numpy.frombuffer(result.get_native_counts_bytes(1).get_data(), 'u4')
        assert words.tolist() == result.get_native_counts(1)
        assert buffer.get_meta(GstGles.histogram_meta_api_get_type()) is not None
        assert GstGles.buffer_get_gles_histogram_meta(buffer).result.get_frame_number() == frame
        results.append(result)
    # results outlive their buffers and their pipeline
    assert [r.get_frame_number() for r in results] == [0, 1, 2, 3, 4]
    assert GstGles.HistogramResult.from_buffer(Gst.Buffer.new()) is None


def points_of(luma, before):
    """What glescompact predicate=motion lower=24 lists, as NumPy finds it."""
    change = numpy.abs(luma - (luma if before is None else before))
    y, x = numpy.nonzero(change >= 24)
    return numpy.stack([x, y, change[y, x]], axis=1)


def check_points_result(result, expected, frame):
    check_common(result, 'glescompact', frame)
    check(result, get_count=len(expected), get_total=len(expected), is_truncated=False, get_channel=GstGles.POINTS_LUMA,
          get_max_points=1048576, get_region=(0, 0, WIDTH, HEIGHT),
          get_range=getattr(GstVideo.VideoColorRange, '16_235'))
    data = numpy.frombuffer(result.get_bytes().get_data() or b'', 'u2,u2,u4')
    assert (numpy.array(data.tolist(), int).reshape(-1, 3) == expected).all()
    assert [(p.x, p.y, p.value) for p in result.get_points()] == [tuple(p) for p in expected]
    assert all(list(result.get_point(i)) == [True, *point] for i, point in enumerate(expected))
    predicate, lower, _ = result.get_predicate()
    assert (predicate, lower) == (GstGles.PointsPredicate.MOTION, 24)


def check_tiles_result(result, expected, frame):
    columns, rows = -(-WIDTH // 16), -(-HEIGHT // 16)
    tiles = expected[:, 1] // 16 * columns + expected[:, 0] // 16
    lists = [numpy.flatnonzero(tiles == t).tolist() for t in range(columns * rows)]
    offsets = numpy.cumsum([0] + [len(x) for x in lists]).tolist()
    check_common(result, 'glestiles', frame)
    check(result, get_grid=(columns, rows), get_tile_size=(16, 16), get_total=len(expected), get_count=len(expected),
          is_truncated=False, get_offsets=offsets, get_indices=sum(lists, []), get_keys=sum(lists, []),
          get_occupancy=(True, sum(map(bool, lists)), max(map(len, lists))), get_input=GstGles.TilesInput.POINTS,
          get_sort_by=GstGles.TilesSortBy.INDEX, is_descending=False, get_boxes=[])
    for data, words in zip(result.get_bytes()[1:], (offsets, result.get_indices(), result.get_keys())):
        assert numpy.frombuffer(data.get_data() or b'', 'u4').tolist() == words
    assert [result.get_tile(t) for t in range(columns * rows)] == lists
    assert result.get_max_items() > 0


def check_points_and_tiles():
    before, found = None, []
    for frame, sample in enumerate(lines.play(
            f'videotestsrc num-buffers=4 pattern=ball ! {CAPS} ! '
            'glescompact device=cpu predicate=motion lower=24 ! glestiles device=cpu')):
        luma = planes_of(sample)[0]
        expected = points_of(luma, before)
        check_points_result(GstGles.PointsResult.from_buffer(sample.get_buffer()), expected, frame)
        check_tiles_result(GstGles.TilesResult.from_buffer(sample.get_buffer()), expected, frame)
        before = luma
        found.append(len(expected))
    assert len(found) == 4 and sum(found) > 20


def check_boxes():
    """What was listed of boxes, as they were."""
    for sample in lines.play('videotestsrc num-buffers=1 pattern=ball ! video/x-raw,format=GRAY8,width=64,height=64 ! '
                             'glescompact device=cpu lower=200 ! glesregions device=cpu label=ball ! '
                             'glestiles device=cpu source=roi'):
        box, = GstGles.TilesResult.from_buffer(sample.get_buffer()).get_boxes()
        regions = GstGles.RegionsResult.from_buffer(sample.get_buffer())
        assert regions.get_count() == 1
        assert (box.x, box.y, box.width, box.height, box.type) == (*regions.get_region(0).get_box(), 'ball')


def check_invalid(call, *arguments):
    try:
        call(*arguments)
    except GLib.Error as error:
        assert error.matches(GstGles.error_quark(), GstGles.Error.INVALID), error
    else:
        raise AssertionError(f'no error of {call} with {arguments}')


def words_of(buffer, dtype='<u4'):
    """The words of a buffer on a device."""
    data = buffer.download_bytes(buffer.get_device().get_queue(), 0, buffer.get_size()).get_data()
    size = numpy.dtype(dtype).itemsize
    return numpy.frombuffer(data[:len(data) // size * size], dtype)


def check_device_buffers():
    """What stayed on the device raises, and is there what the host would have been given."""
    for sample in lines.play(
            f'videotestsrc num-buffers=2 pattern=snow ! {CAPS} ! gleshistogram device=cpu readback=false ! '
            'glescompact device=cpu lower=200 readback=false ! glestiles device=cpu readback=false'):
        histogram, points, tiles = (kind.from_buffer(sample.get_buffer()) for kind in (
            GstGles.HistogramResult, GstGles.PointsResult, GstGles.TilesResult))
        assert not histogram.is_ready() and not points.is_ready() and not tiles.is_ready()
        luma = planes_of(sample)[0]
        counters = histogram.get_device_buffer()
        assert counters.get_device().get_kind() == points.get_device().get_kind() == CPU
        assert (words_of(counters)[:256] == numpy.bincount(luma.ravel(), minlength=256)).all()
        check_invalid(histogram.get_counts, 0, 0)
        # bytes from behind the end
        check_invalid(counters.download_bytes, counters.get_device().get_queue(), 1, counters.get_size())
        y, x = numpy.nonzero(luma >= 200)
        total, _, count, status = words_of(points.get_device_counts())[:4]
        assert total == count == len(x) > 0 and status == 0
        listed = words_of(points.get_device_buffer(), 'u2,u2,u4')[:count]
        assert (listed['f0'] == x).all() and (listed['f1'] == y).all() and (listed['f2'] == luma[y, x]).all()
        columns, rows = tiles.get_grid()
        tile = y // 16 * columns + x // 16
        order = numpy.argsort(tile, kind='stable')
        offsets = numpy.cumsum([0, *numpy.bincount(tile, minlength=columns * rows)])
        assert (words_of(tiles.get_device_offsets())[:len(offsets)] == offsets).all()
        assert words_of(tiles.get_device_counts())[2] == count
        assert (words_of(tiles.get_device_indices())[:count] == order).all()
        assert (words_of(tiles.get_device_keys())[:count] == order).all()


def check_arrays():
    """The array API: a sort, and runs of equal keys, how long each is and the sum of its values."""
    device = GstGles.Device.new('cpu')
    queue = device.get_queue()

    def buffer_of(*words):
        buffer = GstGles.Buffer.new(device, 4 * len(words))
        assert buffer.upload(queue, 0, numpy.array(words, '<u4').tobytes())
        return buffer

    keys, values, counts, sums = buffer_of(7, 2, 9, 7, 7, 9), *(buffer_of(*range(1, 7)) for _ in range(3))
    sort = GstGles.Sort.new(queue, GstGles.SortConfig.init(GstGles.ValueType.U32), 6)
    assert sort.run(keys, None, keys, None, 6)
    assert words_of(keys)[:6].tolist() == [2, 7, 7, 7, 9, 9]
    outputs = GstGles.SegmentsOutputs()
    outputs.set(GstGles.SegmentsField.COUNTS, counts)
    outputs.set(GstGles.SegmentsField.SUMS, sums)
    segments = GstGles.Segments.new(queue, 6)
    u32 = GstGles.ValueType.U32
    assert segments.run(u32, keys, u32, values, 6, outputs)
    assert words_of(counts)[:3].tolist() == [1, 3, 2] and words_of(sums)[:3].tolist() == [1, 9, 11]
    outputs.set(GstGles.SegmentsField.SUMS, None)
    assert segments.run(u32, keys, u32, None, 6, outputs)


GETTERS = watch(GstGles.HistogramResult) | watch(GstGles.PointsResult) | watch(GstGles.TilesResult)
check_histogram()
check_points_and_tiles()
check_boxes()
check_device_buffers()
check_arrays()
assert GstGles.WAIT_FOREVER == 2**64 - 1
assert len(GETTERS) > 50, GETTERS
assert GETTERS == CALLED, f'never called: {GETTERS - CALLED}'
print('histograms, points and tiles from Python equal those of NumPy')
