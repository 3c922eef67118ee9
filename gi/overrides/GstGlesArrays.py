# SPDX-License-Identifier: LGPL-2.1-or-later
"""GstGles.Arrays: each algorithm as one call on NumPy arrays. docs/python.md describes it."""
import collections
import contextlib
import operator
import threading

from gi.module import get_introspection_module
from gi.overrides.GstGlesMemory import SegmentsOutputs, _array, _numpy, _record, _to_result

GstGles = get_introspection_module('GstGles')

# NumPy's names of types, and how the library calls them
VALUES = {'uint32': 'U32', 'int32': 'I32', 'float32': 'F32'}
KEYS = {**VALUES, 'uint64': 'U64'}
SAMPLES = {'uint8': 'U8', 'uint16': 'U16', 'uint32': 'U32'}
MASKS = {'bool': 'BYTES', 'uint8': 'BYTES', 'uint32': 'WORDS'}

MIN_CAPACITY = 1024
# regions that a first call on masks of a size has room for
FIRST_REGIONS = 256
REGION_BYTES = 64
MAX_REGIONS = 2**31 - 1

TopK = collections.namedtuple('TopK', 'values indices')
Groups = collections.namedtuple('Groups', 'keys counts sums mins maxs')


def _check(array, kinds, n_dimensions=None):
    """Fails unless array is one of kinds."""
    numpy = _numpy()
    names = ', '.join(kinds)
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f'A NumPy array of {names} is needed, not {type(array).__name__}: numpy.asarray(x, dtype) '
                        'makes one')
    if array.dtype.name not in kinds or array.dtype.newbyteorder('<') != array.dtype:
        raise TypeError(f'Arrays of {array.dtype.str} are not supported here, {names} (little-endian) are: '
                        'array.astype(dtype) converts')
    if n_dimensions is not None and array.ndim != n_dimensions:
        raise ValueError(f'An array of {n_dimensions} dimension{"s" * (n_dimensions > 1)} is needed, this one has the '
                         f'shape {array.shape}')


def _value_type(array):
    return getattr(GstGles.ValueType, KEYS[array.dtype.name])


def _capacity(n):
    """What a plan for n values is made for, so that arrays of other sizes find the same plan."""
    return max(MIN_CAPACITY, 1 << (n - 1).bit_length())


class _Plans:
    """The plans of a kind of call, with the buffers that they work on, and a queue of their own."""

    def __init__(self, device, make):
        self.queue = GstGles.Queue.new(device)
        self._device, self._buffers = device, {}
        self.plans = make(self.queue)

    def buffer(self, name, size):
        """A buffer of at least size bytes; the same in each call."""
        buffer = self._buffers.get(name)
        if buffer is None or buffer.get_size() < size:
            buffer = self._buffers[name] = GstGles.Buffer.new(self._device, max(size, 4))
        return buffer

    def upload(self, name, array, size):
        buffer = self.buffer(name, max(size, array.nbytes))
        # in the order of the elements, whatever the strides are; an array that lies in it is not copied
        array = _numpy().ascontiguousarray(array)
        buffer.upload_from(self.queue, 0, array.__array_interface__['data'][0], array.nbytes)
        return buffer

    def download(self, name, dtype, n):
        """A new array of the first n items of a buffer. Waits."""
        dtype = _numpy().dtype(dtype)
        if n == 0:
            return _numpy().zeros(0, dtype)
        return _array(self._buffers[name].download_bytes(self.queue, 0, n * dtype.itemsize), dtype, False)

    def result(self, plan):
        return _to_result(plan.get_result(), self.queue)


class Arrays:
    """Algorithms as functions of NumPy arrays on a device, with plans and buffers that are kept: of the max_plans kinds
    of call that were the last ones. Thread: any; calls of several threads run side by side, with plans each.

    device: a GstGles.Device, the name of one such as 'cpu', or None for the default one."""

    def __init__(self, device, max_plans=16):
        self.device = device if isinstance(device, GstGles.Device) else GstGles.Device.new(device)
        self._max_plans, self._lock = max_plans, threading.Lock()
        self._idle = []  # (key, plans), the last used ones last

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    def close(self):
        """Frees the plans that are kept, and their buffers. A later call makes new ones."""
        with self._lock:
            freed, self._idle = self._idle, []
        freed.clear()

    @contextlib.contextmanager
    def _plans(self, key, make):
        """Plans for calls of the kind key, which nobody else uses until the block ends. Those of a call that failed are
        not kept."""
        with self._lock:
            place = next((i for i in reversed(range(len(self._idle))) if self._idle[i][0] == key), None)
            plans = None if place is None else self._idle.pop(place)[1]
        if plans is None:
            plans = _Plans(self.device, make)
        yield plans
        with self._lock:
            self._idle.append((key, plans))
            freed = self._idle[:-self._max_plans] if self._max_plans > 0 else self._idle[:]
            del self._idle[:len(freed)]
        freed.clear()

    def sort(self, array, descending=False, return_index=False):
        """The values in order, and with return_index also the index of each: (values, indices as uint32). Stable.
        array: one dimension, uint32, int32, float32 or uint64."""
        _check(array, KEYS, 1)
        n, room = array.size, _capacity(array.size)
        with self._plans(('sort', array.dtype.name, descending, return_index, room),
                         lambda queue: _new_sort(queue, array, room, return_index, descending)) as plans:
            size = room * array.itemsize
            keys = plans.upload('keys', array, size)
            places = plans.buffer('places', 4 * room) if return_index else None
            if n > 0:
                plans.plans.run(keys, None, keys, places, n)
            values = plans.download('keys', array.dtype, n)
            return (values, plans.download('places', 'u4', n)) if return_index else values

    def unique(self, array, return_counts=False):
        """The values that there are, in order, and with return_counts how often: (values, counts as uint32).
        array: any shape, uint32, int32, float32 or uint64."""
        _check(array, KEYS)
        if return_counts:
            return self.group_by(array.reshape(-1))[:2]
        n, room = array.size, _capacity(array.size)
        with self._plans(('unique', array.dtype.name, room),
                         lambda queue: (_new_sort(queue, array, room), GstGles.Unique.new(queue, room))) as plans:
            sort, unique = plans.plans
            keys = plans.upload('keys', array, room * array.itemsize)
            kept = plans.buffer('kept', room * array.itemsize)
            if n > 0:
                sort.run(keys, None, keys, None, n)
                unique.run(_value_type(array), keys, n, kept, n)
            return plans.download('kept', array.dtype, plans.result(unique).count if n > 0 else 0)

    def top_k(self, array, k, largest=True):
        """The k largest or smallest values, the most extreme first, of equal ones the first one first: TopK(values,
        indices as uint32). All values where there are fewer than k. array: one dimension, uint32, int32 or float32."""
        _check(array, VALUES, 1)
        k = operator.index(k)  # 1.5 is a TypeError
        if k < 0:
            raise ValueError(f'k is {k}, which is negative')
        k = min(k, array.size)
        room, most = _capacity(array.size), _capacity(k)
        with self._plans(('top_k', array.dtype.name, largest, room, most),
                         lambda queue: GstGles.TopK.new(queue, _value_type(array), largest, room, most)) as plans:
            keys = plans.upload('keys', array, 4 * room)
            values, indices = (plans.buffer(name, 4 * most) for name in ('values', 'indices'))
            if k > 0:
                plans.plans.run(keys, array.size, k, values, indices)
            return TopK(plans.download('values', array.dtype, k), plans.download('indices', 'u4', k))

    def group_by(self, keys, values=None):
        """SELECT key, COUNT (*), SUM (value), MIN (value), MAX (value) GROUP BY key ORDER BY key: Groups(keys, counts,
        sums, mins, maxs). counts are uint32, sums uint64, int64 or float32; without values the last three are None.
        keys: one dimension, uint32, int32, float32 or uint64; values: as many, uint32, int32 or float32."""
        _check(keys, KEYS, 1)
        if values is not None:
            _check(values, VALUES, 1)
            if values.size != keys.size:
                raise ValueError(f'{keys.size} keys have {values.size} values')
        room, kind = _capacity(keys.size), None if values is None else values.dtype.name
        with self._plans(('group_by', keys.dtype.name, kind, room), lambda queue: (
                _new_sort(queue, keys, room, kind is not None), GstGles.Segments.new(queue, room))) as plans:
            return _groups(plans, keys, values, room)

    def histogram(self, array, bins=256, range=None):  # pylint: disable=redefined-builtin
        """How many values lie in each of bins of equal width from lower to before upper, as uint32: value v in bin
        (v - lower) * bins // (upper - lower). range: (lower, upper); without it all values of the type.
        array: any shape, uint8, uint16 or uint32."""
        _check(array, SAMPLES)
        lower, upper = (0, 1 << 8 * array.itemsize) if range is None else range
        room = _capacity(array.size)
        kind = getattr(GstGles.KeyType, SAMPLES[array.dtype.name])
        with self._plans(('histogram', array.dtype.name, bins, lower, upper, room),
                         lambda queue: GstGles.Histogram.new(queue, kind, bins, lower, upper, room)) as plans:
            keys = plans.upload('keys', array, room * array.itemsize)
            plans.plans.run(keys, array.size, plans.buffer('counts', 4 * bins))
            return plans.download('counts', 'u4', bins)

    def components(self, mask, connectivity=8, min_size=1, max_regions=None, labels=False, lower=1, upper=2**32 - 1):
        """The connected components of the pixels from lower to upper: records with the fields of GstGles.Region, the
        largest first; with labels (records, labels), where the label of a pixel is the field first of its component, as
        uint32 [y, x], and 2**32 - 1 elsewhere. At most max_regions are listed; without it all.
        mask: two dimensions, bool, uint8 or uint32; bool and uint8 are read as they are."""
        _check(mask, MASKS, 2)
        if mask.size == 0:
            empty = _numpy().zeros(0, _record('region'))
            return (empty, _numpy().zeros(mask.shape, 'u4')) if labels else empty
        kind = MASKS[mask.dtype.name]

        def make(queue, n=max_regions or FIRST_REGIONS):
            return _new_components(queue, mask, kind, connectivity, n), n
        with self._plans(('components', kind, mask.shape, connectivity, max_regions), make) as plans:
            words = plans.upload('words', mask, mask.nbytes)
            painted = plans.buffer('labels', 4 * mask.size) if labels else None
            while True:
                plan, room = plans.plans
                plan.run(words, lower, upper, min_size, plans.buffer('regions', REGION_BYTES * room), painted)
                total, count, _ = plans.result(plan)
                if count == total or max_regions is not None:
                    break
                plans.plans = make(plans.queue, _capacity(total))
            regions = plans.download('regions', _record('region'), count)
            return (regions, plans.download('labels', 'u4', mask.size).reshape(mask.shape)) if labels else regions


def _new_sort(queue, array, room, payload=False, descending=False):
    config = GstGles.SortConfig.init(_value_type(array))
    config.payload, config.descending = payload, descending
    return GstGles.Sort.new(queue, config, room)


def _new_components(queue, mask, kind, connectivity, max_regions):
    if not 0 < max_regions <= MAX_REGIONS:
        raise ValueError(f'max_regions is {max_regions}, not 1 to {MAX_REGIONS}')
    config = GstGles.ComponentsConfig()
    # a number: newer versions of PyGObject do not take an enumeration without a GType for a member
    config.source = int(getattr(GstGles.ComponentsSource, kind))
    config.height, config.width = mask.shape
    config.connectivity, config.max_regions = connectivity, max_regions
    return GstGles.Components.new(queue, config)


def _groups(plans, keys, values, room):
    sort, segments = plans.plans
    wanted = ['keys', 'counts']
    payload, value_type = None, GstGles.ValueType.U32
    if values is not None:
        wanted += ['sums', 'mins', 'maxs'] + ['sums_high'] * (values.dtype.kind != 'f')
        payload, value_type = plans.upload('values', values, 4 * room), _value_type(values)
    sorted_keys = plans.upload('sorted', keys, room * keys.itemsize)
    outputs = SegmentsOutputs(**{name: plans.buffer(name, room * (keys.itemsize if name == 'keys' else 4))
                                 for name in wanted})
    n = 0
    if keys.size > 0:
        sort.run(sorted_keys, payload, sorted_keys, payload, keys.size)
        segments.run(_value_type(keys), sorted_keys, value_type, payload, keys.size, outputs)
        n = plans.result(segments).count
    kinds = {'keys': keys.dtype, 'counts': 'u4', 'sums_high': 'u4'}
    found = {name: plans.download(name, kinds.get(name) or values.dtype, n) for name in wanted}
    if 'sums_high' in found:
        words = _numpy().empty((n, 2), 'u4')
        words[:, 0], words[:, 1] = found['sums'].view('u4'), found['sums_high']
        found['sums'] = words.view('i8' if values.dtype.kind == 'i' else 'u8').reshape(n)
    return Groups(*(found.get(name) for name in Groups._fields))
