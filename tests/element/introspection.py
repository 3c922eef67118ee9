# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every getter of histograms, points and tiles, from Python, against the lines of glesjson. Skips without PyGObject,
NumPy or the typelib."""
import json

import lines

lines.need('GstGles')
import numpy  # noqa: E402
from gi.repository import GLib, Gst, GstGles, GstVideo  # noqa: E402

WIDTH, HEIGHT = 80, 50
BINS = 64
ALL = (f'videotestsrc num-buffers=4 pattern=ball ! video/x-raw,format=I420,width={WIDTH},height={HEIGHT},'
       f'framerate=25/1 ! gleshistogram name=gleshistogram0 device=cpu emd=true flash=true crop-limit=24 outliers=true bins={BINS} grid-columns=2 {{0}} ! '
       'glescompact name=glescompact0 device=cpu predicate=motion lower=24 {0} ! '
       'glestiles name=glestiles0 device=cpu {0}')
STATISTICS = ('count', 'min', 'max', 'mean', 'stddev', 'entropy', 'p1', 'p5', 'p10', 'p50', 'p90', 'p95', 'p99',
              'difference', 'emd')
SECOND = Gst.SECOND
RANGE = getattr(GstVideo.VideoColorRange, '16_235')
KINDS = (GstGles.HistogramResult, GstGles.PointsResult, GstGles.TilesResult)
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


def check(result, **expected):
    """What getters of a result without arguments return."""
    for name, value in expected.items():
        found = getattr(result, name)()
        assert found == value, f'{name}: {found}, not {value}'


def check_info(result, **expected):
    """What was analysed."""
    info = result.get_info()
    for name, value in expected.items():
        assert getattr(info, name) == value, f'{name}: {getattr(info, name)}, not {value}'


def check_common(result, line, element):
    """What every result tells of its frame. The range is what videotestsrc's caps say of I420 at this size."""
    frame = result.get_frame()
    assert (frame.origin.element, len(frame.origin.stream_id)) == (element, len(line['stream_id']))
    found = (frame.matrix, frame.range, frame.field, frame.utc, frame.width, frame.height, frame.format, frame.number,
             frame.pts, frame.running_time, frame.stream_time, frame.duration)
    assert found == (GstVideo.VideoColorMatrix.BT601, RANGE, GstGles.Field.NONE, Gst.CLOCK_TIME_NONE, line['width'],
                     line['height'], GstVideo.VideoFormat.I420, line['frame'], line['pts'], line['running_time'],
                     line['stream_time'], line['duration']), found


def words_of(data, dtype='<u4'):
    size = numpy.dtype(dtype).itemsize
    return numpy.frombuffer((data or b'')[:len(data or b'') // size * size], dtype).tolist()


def device_words(buffer, dtype='<u4'):
    """The words of a buffer on a device."""
    assert buffer.get_device().get_kind() == GstGles.DeviceKind.CPU
    queue = buffer.get_device().get_queue()
    return words_of(buffer.download_bytes(queue, 0, buffer.get_size()).get_data(), dtype)


def check_histogram(result, line):
    check_common(result, line, 'gleshistogram0')
    assert result.wait(SECOND)
    check(result, is_ready=True, get_n_channels=3, get_n_box_channels=3)
    check_info(result, x=0, y=0, region_width=WIDTH, region_height=HEIGHT, columns=2, rows=1, bins=BINS, luma=False,
               n_channels=3)
    assert words_of(result.get_overview_bytes().get_data())[-2] == 8
    success, flash = result.get_flash()
    assert success and flash.n_samples == WIDTH * HEIGHT and 0 < flash.luminance < 65535 * flash.n_samples
    assert not result.get_light()[0]
    counts = [0] * 1022 + [1, 3]
    light = GstGles.light_compute(counts)
    assert (light.max, light.p25, light.p50) == (10000, light.p1, 10000) and 9900 < light.p1 < 10000
    success, crop = result.get_crop()
    edges = line['histogram']['crop']
    assert success and {name: getattr(crop, name) for name in edges} == edges and crop.right > crop.left >= 0
    counted = line['histogram']['repeated_rows'], line['histogram']['outliers']
    assert tuple(result.get_outliers()) == (True, *counted)
    words = words_of(result.get_counts_bytes().get_data())
    for i, channel in enumerate(line['histogram']['channels']):
        assert (result.get_channel_name(i), result.get_channel_depth(i)) == (channel['name'], 8)
        success, found = result.get_statistics(i)
        assert success
        for name in STATISTICS:
            assert abs(getattr(found, name) - channel[name]) < 1e-9, name
        assert [result.get_counts(i, cell) for cell in (0, 1)] == channel['counts']
        assert sum(channel['counts'], []) == words[2 * BINS * i:2 * BINS * (i + 1)]
        native = result.get_native_counts(i)
        assert native == words_of(result.get_native_counts_bytes(i).get_data())
        assert (numpy.sum(channel['counts'], 0) == numpy.reshape(native, (BINS, -1)).sum(1)).all()


def check_points(result, line):
    points = line['points']['points']
    check_common(result, line, 'glescompact0')
    assert result.wait(SECOND)
    check(result, is_ready=True, get_count=len(points), get_total=len(points), is_truncated=False)
    check_info(result, x=0, y=0, region_width=WIDTH, region_height=HEIGHT, predicate=GstGles.PointsPredicate.MOTION,
               channel=GstGles.POINTS_LUMA, lower=24, max_points=1048576, depth=8, adaptation=0)
    assert words_of(result.get_bytes().get_data(), 'u2,u2,u4') == list(map(tuple, points))
    assert [[p.x, p.y, p.value] for p in result.get_points()] == points
    assert all(list(result.get_point(i)) == [True, *point] for i, point in enumerate(points))


def check_tiles(result, line):
    points = line['points']['points']
    tiles = [y // 16 * 5 + x // 16 for x, y, _ in points]
    lists = [[i for i, tile in enumerate(tiles) if tile == t] for t in range(5 * 4)]
    offsets, indices = line['tiles']['offsets'], sum(lists, [])
    check_common(result, line, 'glestiles0')
    assert result.wait(SECOND)
    check(result, is_ready=True, get_total=len(points), get_count=len(points), is_truncated=False,
          get_offsets=offsets, get_indices=indices, get_keys=indices, get_boxes=[],
          get_occupancy=(True, sum(map(bool, lists)), max(map(len, lists))))
    check_info(result, tile_width=16, tile_height=16, columns=5, rows=4, input=GstGles.TilesInput.POINTS,
               sort_by=GstGles.TilesSortBy.INDEX, descending=False)
    assert [words_of(data.get_data()) for data in result.get_bytes()[1:]] == [offsets, indices, indices]
    assert [result.get_tile(t) for t in range(5 * 4)] == lists
    assert result.get_info().max_items > 0


def check_device_buffers(histogram, points, tiles, line):
    """What stayed on the device raises, and is there what the host is given elsewhere."""
    assert not histogram.is_ready() and not points.is_ready() and not tiles.is_ready()
    counters = histogram.get_device_buffer()
    assert device_words(counters)[:256] == line['native']
    check_invalid(histogram.get_counts, 0, 0)
    # bytes from behind the end
    check_invalid(counters.download_bytes, counters.get_device().get_queue(), 1, counters.get_size())
    found, n = line['points']['points'], line['points']['count']
    assert points.get_device().get_kind() == GstGles.DeviceKind.CPU
    total, _, count, status = device_words(points.get_device_counts())[:4]
    assert (total, count, status) == (n, n, 0)
    assert device_words(points.get_device_buffer(), 'u2,u2,u4')[:n] == list(map(tuple, found))
    offsets, indices = line['tiles']['offsets'], line['tiles']['indices']
    assert device_words(tiles.get_device_offsets())[:len(offsets)] == offsets
    assert device_words(tiles.get_device_counts())[2] == n
    assert device_words(tiles.get_device_indices())[:n] == device_words(tiles.get_device_keys())[:n] == indices


def check_results():
    """What getters return is what glesjson writes, which tests in C compare with the pixels."""
    kept, found = [], 0
    for sample, there, text in zip(*(map(lines.play, (ALL.format(''), ALL.format('readback=false'),
                                                      ALL.format('') + ' ! glesjson')))):
        results, on_device = ([kind.from_buffer(s.get_buffer()) for kind in KINDS] for s in (sample, there))
        line = json.loads(text.get_buffer().extract_dup(0, text.get_buffer().get_size()))
        check_histogram(results[0], line)
        check_points(results[1], line)
        check_tiles(results[2], line)
        line['native'] = results[0].get_native_counts(0)
        check_device_buffers(*on_device, line)
        assert sample.get_buffer().get_meta(GstGles.histogram_meta_api_get_type()) is not None
        meta = GstGles.buffer_get_gles_histogram_meta(sample.get_buffer())
        assert meta.result.get_frame().number == len(kept)
        kept.append(results[0])
        found += line['points']['count']
    # results outlive their buffers and their pipeline
    assert [result.get_frame().number for result in kept] == [0, 1, 2, 3] and found > 20
    assert GstGles.HistogramResult.from_buffer(Gst.Buffer.new()) is None


def check_boxes():
    """What was listed of boxes, as they were."""
    for sample in lines.play('videotestsrc num-buffers=1 pattern=ball ! video/x-raw,format=GRAY8,width=64,height=64 ! '
                             'glescompact device=cpu lower=200 ! glesregions device=cpu label=ball ! '
                             'glestiles device=cpu source=roi ! gleshistogram device=cpu boxes=roi'):
        box, = GstGles.TilesResult.from_buffer(sample.get_buffer()).get_boxes()
        regions = GstGles.RegionsResult.from_buffer(sample.get_buffer())
        assert regions.get_count() == 1
        assert (box.x, box.y, box.width, box.height, box.type) == (*regions.get_region(0).get_box(), 'ball')
        # the ball's box has as many points as its counters say
        histogram = GstGles.HistogramResult.from_buffer(sample.get_buffer())
        counted, = histogram.get_boxes()
        assert (counted.x, counted.y, counted.width, counted.height, counted.type) == (
            box.x, box.y, box.width, box.height, 'ball') and counted.id == box.id
        words = words_of(histogram.get_box_counts(0, 0).get_data())
        assert sum(words) == box.width * box.height and sum(words[200:]) == regions.get_region(0).pixels
        found, statistics = histogram.get_box_statistics(0, 0)
        assert found and statistics.count == box.width * box.height and statistics.max >= 200
        check_info(histogram, has_boxes=True, n_boxes=1, boxes_truncated=False)


def check_replayed(histogram, points, regions, tiles, sums):
    """Results made of bytes equal those that the bytes are of; those that no picture can have are refused. The bytes
    lie at odd addresses."""
    def of(result):
        first = result.get_frame()
        frame = GstGles.FrameInfo.new(first.width, first.height, first.format, first.origin)
        frame.number, frame.pts = first.number, first.pts
        return frame

    def odd(data):
        return GLib.Bytes.new_from_bytes(GLib.Bytes.new(b'x' + data), 1, len(data))

    n = histogram.get_n_channels()
    counts = b''.join(histogram.get_native_counts_bytes(i).get_data() for i in range(n))
    names, depths = [histogram.get_channel_name(i) for i in range(n)], [8] * n
    again = GstGles.HistogramResult.new(of(histogram), names, depths, odd(counts), odd(sums))
    assert again.get_frame().origin.element == 'gleshistogram0' and again.get_frame().number == 1
    assert again.get_overview_bytes() is None
    for i in range(n):
        assert again.get_native_counts(i) == histogram.get_native_counts(i)
        found, first = again.get_statistics(i)[1], histogram.get_statistics(i)[1]
        assert [getattr(found, name) for name in STATISTICS] == [getattr(first, name) for name in STATISTICS]
    check_invalid(GstGles.HistogramResult.new, of(histogram), names, depths, odd(counts[4:]), None)
    check_invalid(GstGles.HistogramResult.new, of(histogram), names, depths, odd(counts), odd(sums[8:]))
    check_invalid(GstGles.HistogramResult.new, of(histogram), names, depths, odd(b'\xff' * len(counts)), None)
    check_invalid(GstGles.HistogramResult.new, of(histogram), names, depths, odd(counts), odd(b'\xff' * len(sums)))

    data, total = points.get_bytes().get_data(), points.get_total()
    again = GstGles.PointsResult.new(of(points), odd(data), total + 1)
    assert (again.get_bytes().get_data(), again.get_total(), again.is_truncated()) == (data, total + 1, True)
    for wrong in (odd(data), total - 1), (odd(data[1:]), total), (odd(b'\xff' * 8), 1):
        check_invalid(GstGles.PointsResult.new, of(points), *wrong)

    data, total = regions.get_bytes().get_data(), regions.get_total()
    again = GstGles.RegionsResult.new(of(regions), 'ball', odd(data), total)
    assert (again.get_info().label, again.get_total(), again.get_bytes().get_data()) == ('ball', total, data) and total
    for wrong in (odd(data), total - 1), (odd(data[1:]), total), (odd(b'\xff' * 64), 1), (odd(bytes(64)), 1):
        check_invalid(GstGles.RegionsResult.new, of(regions), 'ball', *wrong)

    lists = [data.get_data() for data in tiles.get_bytes()[1:]]
    again = GstGles.TilesResult.new(of(tiles), 16, 16, *map(odd, lists))
    assert [data.get_data() for data in again.get_bytes()[1:]] == lists and again.get_info().rows == 4
    falling = lists[0][-4:] + lists[0][4:]
    for wrong in (lists[0][4:], *lists[1:]), (falling, *lists[1:]), (lists[0], lists[1][4:], lists[2]):
        check_invalid(GstGles.TilesResult.new, of(tiles), 16, 16, *map(odd, wrong))


def check_replays():
    """The second of two frames, with the sums of differences to the first."""
    kinds = (GstGles.HistogramResult, GstGles.PointsResult, GstGles.RegionsResult, GstGles.TilesResult)
    line = ALL.format('').replace(' ! glestiles', ' ! glesregions device=cpu ! glestiles')
    frames = [[kind.from_buffer(sample.get_buffer()) for kind in kinds] for sample in lines.play(line)]
    channels = [[numpy.array(frame[0].get_native_counts(i), 'i8') for i in range(3)] for frame in frames]
    sums = [[abs(now - before).sum(), abs(numpy.cumsum(now) - numpy.cumsum(before)).sum(), 0]
            for before, now in zip(*channels[:2])]
    check_replayed(*frames[1], numpy.array(sums, '<u8').tobytes())


def check_invalid(call, *arguments):
    try:
        call(*arguments)
    except GLib.Error as error:
        assert error.matches(GstGles.error_quark(), GstGles.Error.INVALID), error
    else:
        raise AssertionError(f'no error of {call} with {arguments}')


def check_names():
    """Types of elements end in Element; an element without a name has one without that word, and a number."""
    factories = [factory for factory in Gst.Registry.get().get_feature_list_by_plugin('glescompute')
                 if isinstance(factory, Gst.ElementFactory)]
    assert len(factories) > 7, factories
    for factory in factories:
        element = factory.create()
        kind = element.__gtype__.name
        assert kind.startswith('Gst') and kind.endswith('Element'), kind
        assert element.get_name().rstrip('0123456789') == kind[len('Gst'):-len('Element')].lower(), element.get_name()
        assert factory.create('other').get_name() == 'other'


GETTERS = set().union(*map(watch, KINDS))
check_names()
check_results()
check_boxes()
check_replays()
assert GstGles.WAIT_FOREVER == 2**64 - 1
assert len(GETTERS) > 40, GETTERS
assert GETTERS == CALLED, f'never called: {GETTERS - CALLED}'
print('histograms, points and tiles from Python equal the lines of glesjson')
