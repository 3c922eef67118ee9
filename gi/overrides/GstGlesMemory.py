# SPDX-License-Identifier: LGPL-2.1-or-later
"""Memory of the library as NumPy arrays: what GstGles.py and GstGlesArrays.py share."""
import collections
import functools
import struct

from gi.module import get_introspection_module

GstGles = get_introspection_module('GstGles')

# GstGlesPoint, GstGlesRegion, GstGlesTrack, GstGlesZone, GstGlesZoneMember and GstGlesOverview as they lie in memory
POINT = {'names': ['x', 'y', 'value'], 'formats': ['=u2', '=u2', '=u4']}
REGION = {'names': ['first', 'left', 'top', 'right', 'bottom', 'pixels', 'max_value', 'sum_x', 'sum_y',
                    'sum_value'],
          'formats': ['=u4'] * 7 + ['=u8'] * 3,
          'offsets': [0, 4, 8, 12, 16, 20, 24, 32, 40, 48],
          'itemsize': 64}
TRACK = {'names': ['id', 'x', 'y', 'width', 'height', 'label', 'state', 'age_frames', 'hits', 'age', 'lost',
                   'velocity_x', 'velocity_y', 'path_length'],
         'formats': ['=u8'] + ['=u4'] * 8 + ['=u8'] * 2 + ['=f8'] * 3}
ZONE = {'names': ['kind', 'occupied', 'first_vertex', 'n_vertices', 'first_member', 'n_members', 'n_in', 'n_out'],
        'formats': ['=u4'] * 6 + ['=u8'] * 2}
ZONE_MEMBER = {'names': ['track', 'inside', 'label', 'zone'], 'formats': ['=u8'] * 2 + ['=u4'] * 2}
OVERVIEW = {'names': ['counts', 'gradients', 'n_samples', 'n_gradients', 'depth'],
            'formats': ['(4,4,32)=u4', '(4,4)=u8', '(4,4)=u4', '(4,4)=u4', '=u4'],
            'offsets': [0, 2048, 2176, 2240, 2304],
            'itemsize': 2312}

Result = collections.namedtuple('Result', 'total count status')


@functools.lru_cache(maxsize=None)
def _numpy():
    try:
        import numpy
    except ImportError as error:
        raise ImportError('Arrays of GstGles need NumPy, which cannot be imported: install the Debian package '
                          'python3-numpy. All getters work without it') from error
    return numpy


@functools.lru_cache(maxsize=None)
def _record(kind):
    return _numpy().dtype({'point': POINT, 'region': REGION, 'track': TRACK, 'zone': ZONE,
                           'zone_member': ZONE_MEMBER, 'overview': OVERVIEW}[kind])


class _Memory:
    """The memory of a GLib.Bytes, which NumPy keeps alive as the base of an array: get_data() would copy it."""

    def __init__(self, data, size, read_only):
        self._data = data
        # get_region() returns the address
        self.__array_interface__ = {'version': 3, 'typestr': '|u1', 'shape': (size,),
                                    'data': (data.get_region(1, 0, size), read_only)}


def _array(data, dtype, read_only=True):
    """An array of what a GLib.Bytes holds, which nobody else has unless it is read-only; copies nothing."""
    size = data.get_size()
    if size == 0:
        return _numpy().zeros(0, dtype)
    return _numpy().asarray(_Memory(data, size, read_only)).view(dtype)


def _to_result(buffer, queue):
    data = buffer.download_bytes(queue, 0, 16)
    return Result(*struct.unpack('<QII', data.get_data()))


class SegmentsOutputs(GstGles.SegmentsOutputs):
    """SegmentsOutputs(keys=buffer, counts=buffer, ...): keeps the buffers alive."""

    def __new__(cls, **buffers):
        return super().__new__(cls)

    def __init__(self, **buffers):
        super().__init__()
        self._buffers = buffers
        for name, buffer in buffers.items():
            try:
                field = getattr(GstGles.SegmentsField, name.upper())
            except AttributeError as error:
                raise TypeError(f'Segments have no output {name!r}') from error
            self.set(field, buffer)
