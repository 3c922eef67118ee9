# SPDX-License-Identifier: LGPL-2.1-or-later
"""GstGles.Arrays against NumPy, and its components against a flood fill: all types and sizes that it takes, arrays with
gaps, what it refuses, plans that are kept, and calls of several threads. Skips without PyGObject, NumPy or the
typelib."""
import gc
import os
import sys
import threading
import weakref

import lines

lines.need('GstGles')
import numpy  # noqa: E402
from gi.repository import GLib, GstGles  # noqa: E402

SIZES = (0, 1, 2, 31, 1023, 1024, 1025, 5003)
SHAPES = ((1, 1), (9, 33), (23, 61), (1, 67), (67, 1), (13, 31), (11, 32))
NO_LABEL = 2**32 - 1
RNG = numpy.random.default_rng(3)


def raises(kind, words, call, *arguments, **named):
    """call fails with an error of a kind that names all of words."""
    try:
        call(*arguments, **named)
    except kind as error:
        for word in words.split():
            assert word in str(error), f'{word!r} is not in: {error}'
    else:
        raise AssertionError(f'no {kind.__name__} of {call} with {arguments}, {named}')


def same(found, wanted, dtype):
    """found is an array of one's own, with the values and the type that are wanted."""
    assert found.dtype == numpy.dtype(dtype), (found.dtype, dtype)
    assert found.shape == numpy.shape(wanted), (found.shape, numpy.shape(wanted))
    assert (found == wanted).all(), (found, wanted)
    if found.size > 0:
        assert found.flags.writeable and found.flags.c_contiguous
        found[...] = 0


def numbers(dtype, n):
    """Values that repeat, of both signs where there are any."""
    values = RNG.integers(0, max(n // 3, 2), n)
    if dtype in ('i4', 'f4'):
        values -= n // 6
    return (values * (0.5 if dtype == 'f4' else 2**40 if dtype == 'u8' else 1) + 0).astype(dtype)


def check_vectors(arrays, dtypes, sizes):
    for dtype in dtypes:
        for n in sizes:
            array = numbers(dtype, n)
            order = numpy.argsort(array, kind='stable')
            same(arrays.sort(array), array[order], dtype)
            values, places = arrays.sort(array, return_index=True)
            same(values, array[order], dtype)
            same(places, order, 'u4')
            same(arrays.sort(array, descending=True), array[order][::-1], dtype)
            kept, counts = numpy.unique(array, return_counts=True)
            same(arrays.unique(array), kept, dtype)
            for found, wanted, kind in zip(arrays.unique(array, return_counts=True), (kept, counts), (dtype, 'u4')):
                same(found, wanted, kind)
            check_groups(arrays, array, kept, counts)
            if dtype != 'u8':
                check_top_k(arrays, array)


def check_groups(arrays, keys, kept, counts):
    groups = arrays.group_by(keys)
    same(groups.keys, kept, keys.dtype)
    same(groups.counts, counts, 'u4')
    assert groups[2:] == (None, None, None)
    for dtype, sums in (('u4', 'u8'), ('i4', 'i8'), ('f4', 'f4')):
        # sums of 64 bits; those of f32 are exact here
        values = numbers(dtype, keys.size) if dtype == 'f4' else RNG.integers(0, 2**32, keys.size, 'u4').view(dtype)
        groups = arrays.group_by(keys, values)
        of = [values[keys == key] for key in kept]
        same(groups.keys, kept, keys.dtype)
        same(groups.sums, numpy.array([part.astype(sums).sum() for part in of], sums), sums)
        same(groups.mins, numpy.array([part.min() for part in of], dtype), dtype)
        same(groups.maxs, numpy.array([part.max() for part in of], dtype), dtype)


def check_top_k(arrays, array):
    order = numpy.argsort(array, kind='stable')
    # the first of equal ones comes first
    falling = array.size - 1 - numpy.argsort(array[::-1], kind='stable')[::-1]
    for k in (0, 1, 7, array.size, array.size + 5):
        for largest, wanted in ((True, falling), (False, order)):
            found = arrays.top_k(array, k, largest=largest)
            same(found.values, array[wanted[:k]], array.dtype)
            same(found.indices, wanted[:k], 'u4')


def check_histograms(arrays):
    for dtype, most in (('u1', 2**8), ('u2', 2**16), ('u4', 2**32)):
        for shape in ((0,), (1,), (3, 67), (2, 3, 1021)):
            array = RNG.integers(0, most, shape).astype(dtype)
            for bins, limits in ((256, None), (7, (10, 94)), (200, (0, 200))):
                lower, upper = limits or (0, most)
                inside = array[(array >= lower) & (array < upper)].astype('u8')
                wanted = numpy.bincount(((inside - lower) * bins // (upper - lower)).astype('i8'), minlength=bins)
                same(arrays.histogram(array, bins=bins, range=limits), wanted, 'u4')


def flood(mask, connectivity):
    """Labels, and (pixels, first) of each component, the largest first."""
    steps = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if connectivity == 8 or dy == 0 or dx == 0]
    labels = numpy.full(mask.shape, NO_LABEL, 'u4')
    found = []
    for y, x in zip(*numpy.nonzero(mask)):
        if labels[y, x] != NO_LABEL:
            continue
        first, stack, n = y * mask.shape[1] + x, [(y, x)], 0
        labels[y, x] = first
        while stack:
            y, x = stack.pop()
            n += 1
            for y, x in [(y + dy, x + dx) for dy, dx in steps]:
                if (0 <= y < mask.shape[0] and 0 <= x < mask.shape[1] and mask[y, x] and
                        labels[y, x] == NO_LABEL):
                    labels[y, x] = first
                    stack.append((y, x))
        found.append((n, first))
    return labels, sorted(found, key=lambda item: (-item[0], item[1]))


def check_regions(regions, mask, labels, wanted):
    assert [(region['pixels'], region['first']) for region in regions] == wanted
    for region in regions:
        y, x = numpy.nonzero(labels == region['first'])
        assert (region['left'], region['right'], region['top'], region['bottom']) == (
            x.min(), x.max(), y.min(), y.max())
        values = mask[y, x].astype('u8')
        assert (region['sum_x'], region['sum_y'], region['sum_value'], region['max_value']) == (
            x.sum(), y.sum(), values.sum(), values.max())


def check_components(arrays, shapes):
    for shape in shapes:
        for share in (0, 0.45, 1):
            mask = RNG.random(shape) < share
            levels = mask * RNG.integers(1, 256, shape)
            for connectivity in (4, 8):
                labels, wanted = flood(mask, connectivity)
                for made in (mask, levels.astype('u1'), levels.astype('u4')):
                    regions, found = arrays.components(made, connectivity, labels=True)
                    check_regions(regions, made, labels, wanted)
                    same(found, labels, 'u4')
    mask = RNG.random((40, 50)) < 0.3
    _, wanted = flood(mask, 8)
    regions = arrays.components(mask, max_regions=3)
    assert [(region['pixels'], region['first']) for region in regions] == wanted[:3]
    regions = arrays.components(mask, min_size=4)
    assert [(region['pixels'], region['first']) for region in regions] == [one for one in wanted if one[0] >= 4]
    levels = numpy.array([[10, 20, 0, 30, 255]], 'u1')
    assert arrays.components(levels, lower=15, upper=30)['sum_value'].tolist() == [20, 30]
    for shape in ((0, 5), (5, 0), (0, 0)):
        assert arrays.components(numpy.zeros(shape, bool)).size == 0
        regions, labels = arrays.components(numpy.zeros(shape, 'u1'), labels=True)
        assert regions.dtype.names[0] == 'first' and labels.shape == shape


def check_growth(arrays):
    """More components than a first call has room for, more often than once, and few again."""
    mask = numpy.zeros((301, 403), 'u1')
    mask[::2, ::2] = 1
    for made, n in ((mask[:60], 30 * 202), (mask, 151 * 202), (mask[:2], 202), (numpy.ones_like(mask), 1)):
        regions = arrays.components(made)
        assert len(regions) == n and (numpy.diff(regions['first'].astype('i8')) > 0).all()


def check_gaps(arrays):
    """Arrays with gaps and in other orders are copied first."""
    wide = RNG.integers(0, 50, (40, 60)).astype('u4')
    same(arrays.sort(wide[3, ::7]), numpy.sort(wide[3, ::7]), 'u4')
    same(arrays.sort(wide[0, ::-1]), numpy.sort(wide[0]), 'u4')
    same(arrays.unique(wide.T), numpy.unique(wide), 'u4')
    same(arrays.group_by(wide[:, 1], wide[:, 2])[0], numpy.unique(wide[:, 1]), 'u4')
    same(arrays.histogram(wide[::3, 5:9], bins=50, range=(0, 50)), numpy.bincount(wide[::3, 5:9].ravel(), minlength=50),
         'u4')
    mask = (wide < 10)[::2, 1::3]
    same(arrays.components(mask.T, labels=True)[1], flood(mask.T, 8)[0], 'u4')
    assert (arrays.components(numpy.asfortranarray(mask)) == arrays.components(mask)).all()


def check_refused(arrays):
    for call, kinds, wrong in (
            (arrays.sort, 'uint32 int32 float32 uint64', ('f8', 'i8', 'u1', '?', '>u4', 'O')),
            (arrays.unique, 'uint32 int32 float32 uint64', ('f8', 'i8', 'u2', 'U3')),
            (lambda array: arrays.top_k(array, 1), 'uint32 int32 float32', ('u8', 'f8', 'i2')),
            (arrays.group_by, 'uint32 uint64', ('f8', 'u1')),
            (lambda values: arrays.group_by(numpy.zeros(4, 'u4'), values), 'uint32 float32', ('u8', 'f8')),
            (arrays.histogram, 'uint8 uint16 uint32', ('i4', 'f4', '?', '>u2')),
            (arrays.components, 'bool uint8 uint32', ('i1', 'u2', 'f4', 'i4'))):
        for dtype in wrong:
            raises(TypeError, f'{kinds} astype', call, numpy.zeros(4, dtype))
        raises(TypeError, f'NumPy {kinds} list', call, [1, 2])
    square = numpy.zeros((2, 2), 'u4')
    for call in (arrays.sort, arrays.group_by, lambda array: arrays.top_k(array, 1)):
        raises(ValueError, 'dimension (2, 2)', call, square)
    raises(ValueError, 'dimensions (4,)', arrays.components, numpy.zeros(4, 'u1'))
    raises(ValueError, '3 4', arrays.group_by, numpy.zeros(3, 'u4'), numpy.zeros(4, 'u4'))
    raises(ValueError, '-1', arrays.top_k, numpy.zeros(3, 'u4'), -1)
    raises(TypeError, 'float integer', arrays.top_k, numpy.zeros(3, 'u4'), 1.5)
    raises(ValueError, 'max_regions -5', arrays.components, numpy.zeros((3, 3), 'u1'), max_regions=-5)
    raises(GLib.Error, 'connectivity', arrays.components, numpy.zeros((3, 3), 'u1'), connectivity=5)
    raises(GLib.Error, 'bins', arrays.histogram, numpy.zeros(3, 'u1'), bins=2**31)
    # the next call is none the worse
    assert arrays.sort(numpy.array([2, 1], 'u4')).tolist() == [1, 2]


def check_kept(device):
    """Plans are made once for each kind of call, the oldest are freed, and close() frees all."""
    made, new_sort = [], GstGles.Sort.new
    GstGles.Sort.new = lambda *arguments: made.append(1) or new_sort(*arguments)
    arrays = GstGles.Arrays(device, max_plans=2)
    for n in (5, 900, 1024, 1):
        arrays.sort(numpy.zeros(n, 'u4'))
    assert len(made) == 1, made
    arrays.sort(numpy.zeros(1025, 'u4'))
    arrays.sort(numpy.zeros(5, 'u4'))
    assert len(made) == 2, made
    arrays.sort(numpy.zeros(5, 'i4'))  # frees the plan for 1025
    arrays.sort(numpy.zeros(5, 'u4'))
    arrays.sort(numpy.zeros(1025, 'u4'))
    assert len(made) == 4, made
    GstGles.Sort.new = new_sort
    freed = [weakref.ref(plans.buffer('keys', 4)) for _, plans in arrays._idle]
    assert len(freed) == 2
    with arrays as same_arrays:
        assert same_arrays is arrays
    gc.collect()
    assert [ref() for ref in freed] == [None, None]
    # closed ones can be called
    assert arrays.sort(numpy.array([2, 1], 'u4')).tolist() == [1, 2]
    assert GstGles.Arrays(device, max_plans=0).unique(numpy.array([2, 1, 2], 'u4')).tolist() == [1, 2]


def check_threads(arrays):
    """Threads that call the same functions at once get what each asked for."""
    failed = []

    def work(seed):
        rng = numpy.random.default_rng(seed)
        try:
            for _ in range(8):
                array = rng.integers(0, 2**32, 3000, 'u4')
                assert (arrays.sort(array) == numpy.sort(array)).all()
                assert (arrays.top_k(array, 9).values == numpy.sort(array)[::-1][:9]).all()
                mask = numpy.zeros((30, 40), bool)
                mask[:seed + 1, :7] = True
                assert arrays.components(mask)['pixels'].tolist() == [7 * seed + 7]
        except Exception as error:  # pylint: disable=broad-except
            failed.append(error)
            raise

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and 0 < len(arrays._idle) <= 64


def check_run():
    """Components.run() on a buffer returns the regions, or leaves them in a buffer."""
    device = GstGles.Device.new('cpu')
    config = GstGles.ComponentsConfig()
    config.source = int(GstGles.ComponentsSource.BYTES)
    config.width, config.height, config.connectivity, config.max_regions = 5, 1, 4, 2
    components = GstGles.Components.new(device.get_queue(), config)
    pixels = GstGles.Buffer.from_array(device, numpy.array([3, 0, 3, 4, 3], 'u1'))
    regions = components.run(pixels, 1, 255)
    assert regions.dtype.names[:3] == ('first', 'left', 'top') and regions['pixels'].tolist() == [3, 1]
    assert regions['sum_value'].tolist() == [10, 3]
    assert components.run(pixels, 9, 255).size == 0
    written = GstGles.Buffer.new(device, 2 * 64)
    assert components.run(pixels, 1, 255, 1, written, None) is True
    assert written.to_array('u4', (2, 16))[:, 0].tolist() == [2, 0]


def main():
    for name in ('cpu', 'software'):
        try:
            device = GstGles.Device.new(name)
        except GLib.Error as error:
            assert os.environ.get('GLES_TEST_REQUIRE') != 'gl', error
            print(f'left out: {error.message}')
            continue
        arrays = GstGles.Arrays(device, max_plans=64)
        if name == 'cpu':
            check_vectors(arrays, ('u4', 'i4', 'f4', 'u8'), SIZES)
        else:  # each type has kernels of its own, which the twins test
            check_vectors(arrays, ('u8',), (0, 1, 1001))
        check_histograms(arrays)
        check_components(arrays, SHAPES if name == 'cpu' else SHAPES[:3])
        check_growth(arrays)
        check_gaps(arrays)
        check_refused(arrays)
        check_kept(device)
        check_threads(arrays)
    assert (GstGles.Arrays('cpu').sort(numpy.array([2, 1], 'u4')) == [1, 2]).all()
    raises(GLib.Error, 'nonsense', GstGles.Arrays, 'nonsense')
    check_run()
    print('calls on arrays return what NumPy and a flood fill do')


sys.exit(main())
