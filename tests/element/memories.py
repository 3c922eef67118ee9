#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pushes the same pixels in system memory and in DMABufs, textures or memory of CUDA through gleshistogram and
glescompact, and compares the results. Fails at the first difference. Textures need no hardware; for DMABufs
tests/vm/run has a machine; for CUDA's memory a GPU of NVIDIA is needed."""
import argparse
import ctypes
import fcntl
import mmap
import os
import re
import struct
import sys

import lines
from gi.repository import Gst, GstAllocators, GstVideo

# more than a source has places for frames in CUDA's memory, so that each place is used again
N_FRAMES = 7
# how frames come from system memory into another one
PREFIXES = {'gl': 'glupload ! video/x-raw(memory:GLMemory) !', 'cuda': 'cudaupload ! video/x-raw(memory:CUDAMemory) !'}
# format, size, DRM format
PICTURES = [('GRAY8', 320, 240, 'R8  '), ('NV12', 320, 240, 'NV12'), ('NV12', 333, 77, 'NV12'),
            ('I420', 333, 77, 'YU12'), ('RGBA', 320, 240, 'AB24'), ('YUY2', 320, 240, 'YUYV'),
            ('P010_10LE', 320, 240, 'P010')]
# what GBM of virgl allocates: texels of one, two and four bytes
GBM_PICTURES = [p for p in PICTURES if p[0] in ('GRAY8', 'NV12', 'RGBA')]
# textures of them have components of 5, 6, 10 or 2 bits: they are downloaded
NOT_IMPORTED = ('RGB16', 'BGR16', 'Y410', 'BGR10A2_LE', 'RGB10A2_LE')
F_ADD_SEALS, F_SEAL_SHRINK = 1033, 2
UDMABUF_CREATE = 0x40187542
DMA_HEAP_IOCTL_ALLOC = 0xC0184800
GBM_BO_USE_RENDERING, GBM_BO_USE_LINEAR, GBM_BO_TRANSFER_WRITE = 1 << 2, 1 << 4, 2


def page_up(size):
    return (size + 4095) & ~4095


def make_udmabuf(content):
    size = page_up(len(content))
    memory = os.memfd_create('frame', os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
    os.ftruncate(memory, size)
    fcntl.fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK)
    with open('/dev/udmabuf', 'r+b', buffering=0) as device:
        fd = fcntl.ioctl(device, UDMABUF_CREATE, bytearray(struct.pack('IIQQ', memory, 1, 0, size)))
    os.close(memory)
    return fill(fd, content)


def make_heap(content):
    with open('/dev/dma_heap/system', 'r+b', buffering=0) as device:
        data = bytearray(struct.pack('QIIQ', page_up(len(content)), 0, os.O_RDWR | os.O_CLOEXEC, 0))
        fcntl.ioctl(device, DMA_HEAP_IOCTL_ALLOC, data)
        return fill(struct.unpack('QIIQ', data)[1], content)


def fill(fd, content):
    with mmap.mmap(fd, page_up(len(content))) as memory:
        memory[:len(content)] = content
    return fd


class Gbm:
    """Buffers of a render node, which only its driver can write."""

    def __init__(self, node):
        self.lib = ctypes.CDLL('libgbm.so.1')
        for name in ('gbm_create_device', 'gbm_bo_create', 'gbm_bo_map'):
            getattr(self.lib, name).restype = ctypes.c_void_p
        self.lib.gbm_bo_get_stride.restype = ctypes.c_uint32
        self.device = ctypes.c_void_p(self.lib.gbm_create_device(os.open(node, os.O_RDWR)))
        self.kept = []

    def make(self, rows, row_bytes, texel_bytes):
        """Returns descriptor and stride of a buffer with these rows."""
        fourcc = struct.unpack('<I', {1: b'R8  ', 2: b'GR88', 4: b'AB24'}[texel_bytes])[0]
        width = row_bytes // texel_bytes
        bo = ctypes.c_void_p(self.lib.gbm_bo_create(
            self.device, width, len(rows), fourcc, GBM_BO_USE_RENDERING | GBM_BO_USE_LINEAR))
        stride, handle = ctypes.c_uint32(), ctypes.c_void_p()
        at = self.lib.gbm_bo_map(bo, 0, 0, width, len(rows), GBM_BO_TRANSFER_WRITE,
                                 ctypes.byref(stride), ctypes.byref(handle))
        for y, row in enumerate(rows):
            ctypes.memmove(at + y * stride.value, row, row_bytes)
        self.lib.gbm_bo_unmap(bo, handle)
        self.kept.append(bo)
        return self.lib.gbm_bo_get_fd(bo), self.lib.gbm_bo_get_stride(bo)


def gbm_planes(gbm, info, content):
    """One buffer object for each plane: (descriptor, size, stride) of each."""
    for p in range(info.finfo.n_planes):
        texel = info.finfo.pixel_stride[p]
        height = info.height if p == 0 else (info.height + 1) // 2
        row_bytes = (info.width if p == 0 else (info.width + 1) // 2) * texel
        rows = [content[info.offset[p] + y * info.stride[p]:][:row_bytes] for y in range(height)]
        fd, stride = gbm.make(rows, row_bytes, texel)
        yield fd, stride * height, stride


def make_buffer(args, tools, info, content):
    """A buffer with the content, in system memory to be uploaded, or in DMABufs."""
    if args.memory in PREFIXES:
        return content
    buffer, offsets, strides = Gst.Buffer.new(), list(info.offset), list(info.stride)
    if args.memory == 'gbm':
        planes = list(gbm_planes(tools['gbm'], info, content))
        sizes, strides = [size for _, size, _ in planes], [stride for *_, stride in planes]
        offsets = [sum(sizes[:p]) for p in range(len(planes))]
    else:
        planes = [({'udmabuf': make_udmabuf, 'heap': make_heap}[args.memory](content), info.size, 0)]
    for fd, size, _ in planes:
        buffer.append_memory(GstAllocators.DmaBufAllocator.alloc(tools['allocator'], fd, size))
    # one number for each plane that a GstVideoMeta can have
    offsets, strides = ((numbers + [0, 0, 0])[:4] for numbers in (offsets, strides))
    GstVideo.buffer_add_video_meta_full(buffer, 0, info.finfo.format, info.width, info.height, info.finfo.n_planes,
                                        offsets, strides)
    return buffer


def analyse(device, caps, buffers, prefix=''):
    """The lines of results, without what differs from run to run, the names of elements that warned, and the stats of
    the first one."""
    found, warned, stats = lines.push(f'{prefix} gleshistogram name=analyser device={device} ! '
                                      f'glescompact name=compact device={device} max-points=2000 ! glesjson', caps, buffers)
    return [re.sub(rb'"stream_id":"[^"]*",', b'', line) for line in found], warned, stats


def variants(args, info, drm):
    """The caps under which elements send DMABufs: plain, with the feature, and as DRM formats."""
    plain = info.to_caps()
    if args.memory in PREFIXES:
        return [plain]
    with_feature = plain.copy()
    with_feature.set_features(0, Gst.CapsFeatures.from_string('memory:DMABuf'))
    drm_caps = Gst.Caps.from_string(
        f'video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format="{drm}",width={info.width},'
        f'height={info.height},framerate=25/1')
    # the colours are those of the plain caps, not the defaults of such a size
    match = re.search(r'colorimetry=\(string\)([^,]+)', plain.to_string())
    if match:
        drm_caps = Gst.Caps.from_string(f'{drm_caps.to_string()}, colorimetry={match.group(1)}')
    return [plain, with_feature, drm_caps]


def formats_of(element, pad, feature):
    """The formats that a pad of an element takes in a kind of memory."""
    factory = Gst.ElementFactory.find(element)
    for template in factory.get_static_pad_templates() if factory is not None else []:
        for text in template.get_caps().to_string().split(';') if template.name_template == pad else []:
            if feature in text:
                formats = re.search(r'format=\(string\)\{(.*?)\}', text).group(1)
                return [name.strip() for name in formats.split(',')]
    return []


def uploaded_pictures(memory):
    """Every format that gleshistogram takes in this memory, if there is an element that makes such frames. glupload
    changes subsampled planes of odd sizes."""
    element, feature = {'gl': ('glupload', 'memory:GLMemory'), 'cuda': ('cudaupload', 'memory:CUDAMemory')}[memory]
    made = formats_of(element, 'src', feature)
    return [(name, 78, 34, None) for name in formats_of('gleshistogram', 'sink', feature)
            if memory == 'gl' or name in made]


def check(args, tools, picture):
    name, width, height, drm = picture
    info = GstVideo.VideoInfo()
    info.set_format(GstVideo.VideoFormat.from_string(name), width, height)
    info.fps_n, info.fps_d = 25, 1
    contents = [bytes((i * 7 + (i >> 8) * 13 + n * 101) & 0xff for i in range(info.size))
                for n in range(N_FRAMES)]
    expected, *_ = analyse(args.device, info.to_caps(), contents)
    if len(expected) != N_FRAMES:
        sys.exit(f'{name}: {len(expected)} lines of {N_FRAMES}')
    for caps in variants(args, info, drm):
        buffers = [make_buffer(args, tools, info, content) for content in contents]
        results, warned, stats = analyse(args.device, caps, buffers, PREFIXES.get(args.memory, ''))
        print(f'{args.device} {args.memory} {caps.to_string()[:90]}:',
              'same' if results == expected else 'DIFFERENT', flush=True)
        if results != expected:
            sys.exit(1)
        counted = f'frames-{args.expect}=(guint64){N_FRAMES}'
        if args.expect and name not in NOT_IMPORTED and counted not in stats:
            sys.exit(f'not {args.expect}: {stats}')
        # once for each element whose device imports such memory, but not these frames
        wanted = {'imported': name in NOT_IMPORTED, 'copied': True}.get(args.expect)
        if args.memory == 'cuda' and name in NOT_IMPORTED:
            wanted = None
        if len(warned) != len(set(warned)) or wanted is not None and wanted != ('analyser' in warned):
            sys.exit(f'warnings of {warned}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--device', required=True)
    parser.add_argument('--memory', choices=['udmabuf', 'heap', 'gbm', 'gl', 'cuda'], required=True)
    parser.add_argument('--formats', help='only these, separated by commas')
    parser.add_argument('--expect', choices=['imported', 'copied'])
    args = parser.parse_args()
    tools = {'allocator': GstAllocators.DmaBufAllocator.new()}
    if args.memory == 'gbm':
        tools['gbm'] = Gbm(args.device)
    pictures = uploaded_pictures(args.memory) if args.memory in PREFIXES else PICTURES
    if args.memory == 'gbm':
        pictures = GBM_PICTURES
    if args.formats is not None:
        pictures = [p for p in pictures if p[0] in args.formats.split(',')]
    if not pictures or args.memory == 'cuda' and Gst.version() < (1, 24):
        lines.skip('this build reads no such memory, or nothing here makes it')
    if args.memory == 'gl' and Gst.ElementFactory.find('glupload') is None:
        assert os.environ.get('GLES_TEST_REQUIRE') != 'gl', 'no glupload'
        lines.skip('glupload is not installed')
    for picture in pictures:
        check(args, tools, picture)


main()
