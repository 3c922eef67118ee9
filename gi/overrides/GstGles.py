# SPDX-License-Identifier: LGPL-2.1-or-later
"""GstGles with NumPy arrays: what PyGObject adds to the classes of the typelib when GstGles is imported.

Properties of results are read-only arrays on the memory of the result, which they keep: nothing is copied. They
wait for the result as the getters do, and raise GLib.Error as these do. docs/python.md describes them."""
import operator
import sys
import types
import warnings

from gi.module import get_introspection_module
from gi.overrides import override
from gi.overrides.GstGlesArrays import Arrays  # noqa: F401  an export
from gi.overrides.GstGlesMemory import Result, SegmentsOutputs, _array, _numpy, _record, _to_result  # noqa: F401

GstGles = get_introspection_module('GstGles')
__all__ = ['Arrays', 'Buffer', 'Components', 'Device', 'EventsResult', 'Expression', 'HistogramResult',
           'PointsResult', 'RegionsResult', 'SegmentsOutputs', 'TilesResult', 'TracksResult', 'ZonesResult']

# NumPy's names of the scalar types that arrays on a device consist of
SCALARS = ('uint8', 'uint16', 'uint32', 'int32', 'float32', 'uint64')
# those that an expression takes, and how a map calls them
MAP_TYPES = {'int32': 'I32', 'uint32': 'I32', 'uint16': 'U16', 'uint8': 'U8'}
# fields of the structures of glesevents and gleszones; those that an event lacks are None
EVENT_FIELDS = ('event', 'phase', 'id', 'element', 'stream_id', 'timestamp', 'stream_time', 'running_time', 'pts', 'utc',
                'frame', 'score', 'start', 'start_frame', 'duration', 'cause', 'transition', 'zone', 'line', 'members', 'n_in',
                'n_out', 'direction', 'track', 'label', 'box_x', 'box_y', 'box_width', 'box_height', 'speed', 'heading')
TIMES = ('timestamp', 'stream_time', 'running_time', 'pts', 'utc', 'start', 'duration')


def _check_dtype(dtype):
    """The numpy.dtype of dtype, which must have the same layout here and on a device."""
    numpy = _numpy()
    try:
        dtype = numpy.dtype(dtype)
    except TypeError as error:
        raise TypeError(f'{dtype!r} is not a NumPy dtype') from error
    if dtype.names is not None:
        for name in dtype.names:
            _check_dtype(dtype[name])
    elif dtype.base.name not in SCALARS:
        raise TypeError(f'Devices have no arrays of {dtype.name}: use {", ".join(SCALARS[:-1])} or '
                        f'{SCALARS[-1]}, or records of these; array.astype() converts')
    elif dtype.newbyteorder('<') != dtype:
        raise TypeError(f'Devices are little-endian, {dtype.str!r} is not: array.astype({dtype.name!r}) converts')
    return dtype


def _check_array(array):
    numpy = _numpy()
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f'A NumPy array is needed, not {type(array).__name__}: numpy.array(x, numpy.uint32) makes '
                        'one')
    _check_dtype(array.dtype)
    if not array.flags.c_contiguous:
        raise TypeError(f'The array of shape {array.shape} and strides {array.strides} has gaps or another order '
                        'in memory: pass numpy.ascontiguousarray(array)')


class _Described:
    """What get_frame() and get_info() return lies in the result, which it keeps alive."""

    def _keep(self, found):
        found._result = self
        return found

    def get_frame(self):
        return self._keep(super().get_frame())

    def get_info(self):
        return self._keep(super().get_info())


class HistogramResult(_Described, GstGles.HistogramResult):
    @property
    def counts(self):
        """Counters as uint32 [channel, cell, bin]; cells in raster order."""
        info = self.get_info()
        counts = _array(self.get_counts_bytes(), '=u4')
        return counts.reshape(info.n_channels, info.columns * info.rows, info.bins)

    @property
    def native_counts(self):
        """Per channel a uint32 array with one counter per code value, of the whole region."""
        return [_array(self.get_native_counts_bytes(channel), '=u4') for channel in range(self.get_n_channels())]

    @property
    def box_counts(self):
        """Counters of the boxes that get_boxes() tells, as uint32 [box, channel, bin]."""
        info = self.get_info()
        n = self.get_n_box_channels()
        return _numpy().array([[_array(self.get_box_counts(box, i), '=u4') for i in range(n)]
                               for box in range(info.n_boxes)], '=u4').reshape(-1, n, info.bins)

    @property
    def overview(self):
        """Luma in 4 x 4 areas: a record with the fields of GstGles.Overview, counts [row, column, bin] and gradients,
        n_samples, n_gradients [row, column]; None where the result has none."""
        data = self.get_overview_bytes()
        return None if data is None else _array(data, _record('overview'))[0]


class PointsResult(_Described, GstGles.PointsResult):
    @property
    def points(self):
        """Records with the fields x, y (uint16) and value (uint32), in raster order."""
        return _array(self.get_bytes(), _record('point'))


class RegionsResult(_Described, GstGles.RegionsResult):
    @property
    def regions(self):
        """Records with the fields of GstGles.Region, the largest region first."""
        return _array(self.get_bytes(), _record('region'))


class TracksResult(_Described, GstGles.TracksResult):
    @property
    def tracks(self):
        """Records with the fields of GstGles.Track, in the order of their ids; label is an index into `labels`."""
        return _array(self.get_bytes(), _record('track'))

    @property
    def labels(self):
        """The labels that tracks refer to, a list of str."""
        return [self.get_label(i) for i in range(self.get_info().n_labels)]

    @property
    def paths(self):
        """float32, a list of (n, 2): x and y of each track in the last frames, oldest first; see `path` of glestrack."""
        return [_array(self.get_path_bytes(i), '=f4').reshape(-1, 2) for i in range(self.get_count())]


class ZonesResult(_Described, GstGles.ZonesResult):
    @property
    def zones(self):
        """Records with the fields of GstGles.Zone: zones, behind them lines."""
        return _array(self.get_bytes(), _record('zone'))

    @property
    def names(self):
        """The name of each zone and line, a list of str."""
        return [self.get_name(i) for i in range(self.get_count())]

    @property
    def vertices(self):
        """int32, a list of (n, 2): x and y of the vertices of each zone and line, in 256ths of a pixel."""
        vertices = _array(self.get_vertex_bytes(), '=i4').reshape(-1, 2)
        return [vertices[zone['first_vertex']:zone['first_vertex'] + zone['n_vertices']] for zone in self.zones]

    @property
    def members(self):
        """Records with the fields of GstGles.ZoneMember, zone by zone; label is an index into `labels`."""
        return _array(self.get_member_bytes(), _record('zone_member'))

    @property
    def labels(self):
        """The labels that members refer to, a list of str."""
        return [self.get_label(i) for i in range(self.get_info().n_labels)]


class TilesResult(_Described, GstGles.TilesResult):
    @property
    def offsets(self):
        """uint32, columns * rows + 1: the list of tile t is indices[offsets[t]:offsets[t + 1]]."""
        return _array(self.get_bytes().offsets, '=u4')

    @property
    def indices(self):
        """uint32: the place in the input of each entry, list by list."""
        return _array(self.get_bytes().indices, '=u4')

    @property
    def keys(self):
        """uint32: the key of each entry, list by list."""
        return _array(self.get_bytes().keys, '=u4')


def _items(values, convert):
    """The items of a GObject.ValueArray, converted while it lives. PyGObject cannot read GStreamer's own lists and arrays
    without gst-python, and calls the array deprecated."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', DeprecationWarning)
        return [convert(values.get_nth(i)) for i in range(values.n_values)]


class Event(types.SimpleNamespace):
    """An event of glesevents or gleszones: its fields are attributes."""

    def __init__(self, structure):
        super().__init__(**dict.fromkeys(EVENT_FIELDS))
        for i in range(structure.n_fields()):
            field = structure.nth_field_name(i)
            is_array, array = structure.get_array(field)
            value = _items(array, int) if is_array else structure.get_value(field)
            name = field.replace('-', '_')
            if name not in TIMES or value != 2 ** 64 - 1:
                setattr(self, name, value)


class EventsResult(list):
    """The events that glesevents and gleszones reported with a buffer or in a message."""

    @classmethod
    def from_buffer(cls, buffer):
        """The events on a buffer, or None."""
        from gi.repository import Gst
        meta = buffer.get_custom_meta('glesevents') if Gst.meta_get_info('glesevents') is not None else None
        if meta is None:
            return None
        return cls(_items(meta.get_structure().get_list('events')[1], Event))

    @classmethod
    def from_message(cls, message):
        """The event in a message of a bus, or None if it is another message."""
        structure = message.get_structure()
        if structure is None or structure.get_name() != 'glesevents':
            return None
        return cls([Event(structure)])


class Buffer(GstGles.Buffer):
    @classmethod
    def from_array(cls, where, array):
        """A buffer on a device (where: GstGles.Device, or GstGles.Queue) with the bytes of a C-contiguous array.
        Queues the upload and does not wait; array can be changed afterwards."""
        if isinstance(where, GstGles.Device):
            device, queue = where, where.get_queue()
        elif isinstance(where, GstGles.Queue):
            device, queue = where.get_device(), where
        else:
            raise TypeError(f'A GstGles.Device or GstGles.Queue is needed, not {type(where).__name__}')
        _check_array(array)
        buffer = cls.new(device, array.nbytes)
        if array.nbytes > 0:
            buffer.upload_from(queue, 0, array.__array_interface__['data'][0], array.nbytes)
        return buffer

    def to_array(self, dtype, shape=None, queue=None):
        """A read-only array of the buffer's first bytes, or of all without a shape. Waits for what was queued
        so far, on queue or on that of the device."""
        numpy = _numpy()
        dtype = _check_dtype(dtype)
        size = self.get_size()
        if shape is None:
            shape = (size // dtype.itemsize,)
            if size % dtype.itemsize != 0:
                raise ValueError(f'{size} bytes are no whole number of {dtype.itemsize}-byte items: give a shape')
        else:
            try:
                shape = tuple(map(operator.index, shape if isinstance(shape, (tuple, list)) else (shape,)))
            except TypeError as error:
                raise TypeError(f'A shape is an integer or a tuple of integers, not {shape!r}') from error
        needed = dtype.itemsize
        for n in shape:
            if n < 0:
                raise ValueError(f'The shape {shape} has a negative size')
            needed *= n
        if needed > size:
            raise ValueError(f'{dtype.name} of shape {shape} are {needed} bytes; the buffer has {size}')
        if needed == 0:
            return numpy.zeros(shape, dtype)
        data = self.download_bytes(queue or self.get_device().get_queue(), 0, needed)
        return _array(data, dtype).reshape(shape)

    def to_result(self, queue=None):
        """What a plan's get_result() holds after a call: (total, count, status). Waits as to_array() does."""
        return _to_result(self, queue or self.get_device().get_queue())


class Components(GstGles.Components):
    @classmethod
    def new(cls, queue, config):
        plan = super().new(queue, config)
        plan._queue, plan._max_regions = queue, config.max_regions
        return plan

    def run(self, words, lower, upper, min_size=1, regions=None, labels=None):
        """Queues the search as in C, and with a buffer for regions does not wait. Without one it waits, and returns the
        regions: an array of records with the fields of GstGles.Region, the largest first."""
        if regions is not None:
            return super().run(words, lower, upper, min_size, regions, labels)
        record = _record('region')
        regions = Buffer.new(self._queue.get_device(), self._max_regions * record.itemsize)
        super().run(words, lower, upper, min_size, regions, labels)
        return regions.to_array(record, _to_result(self.get_result(), self._queue).count, self._queue)


class Expression(GstGles.Expression):
    def calculate(self, where, **values):
        """The values of an expression on arrays, an int32 array, on a device (where: GstGles.Device, or GstGles.Queue):
        expression.calculate(device, a=array, b=array, limit=25) with the arrays and parameters that it names. Arrays
        have one shape, and are of int32, uint32, uint16 or uint8. Waits."""
        arrays, parameters = self.get_arrays(), self.get_parameters()
        if not arrays:
            raise TypeError('This expression is on frames, for properties of elements')
        if set(values) != {*arrays, *parameters}:
            raise TypeError(f'The expression has the arrays {arrays} and the parameters {parameters}, not '
                            f'{sorted(values)}')
        given = [values[name] for name in arrays]
        for array in given:
            if str(getattr(array, 'dtype', None)) not in MAP_TYPES or array.shape != given[0].shape:
                raise TypeError(f'Arrays of one shape and of {", ".join(MAP_TYPES)} are needed')
        queue = where.get_queue() if isinstance(where, GstGles.Device) else where
        plan = GstGles.Map.new(queue, self, [getattr(GstGles.MapType, MAP_TYPES[str(array.dtype)]) for array in given])
        buffers = [Buffer.from_array(where, array) for array in given]
        output = Buffer.new(queue.get_device(), max(4 * given[0].size, 4))
        plan.run(buffers, [values[name] for name in parameters], output, given[0].size)
        return output.to_array('int32', given[0].shape, queue)


class Device(GstGles.Device):
    """`with device:` ends when the work of the device's own queue is done, and raises what failed there."""

    def get_limits(self):
        """What the device can do. The limits lie in the device, which they keep open."""
        limits = super().get_limits()
        limits._device = self
        return limits

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            self.get_queue().finish()


for _name in ('Buffer', 'Components', 'Device', 'Expression', 'HistogramResult', 'PointsResult', 'RegionsResult',
              'TilesResult', 'TracksResult', 'ZonesResult'):
    setattr(sys.modules[__name__], _name, override(globals()[_name]))
