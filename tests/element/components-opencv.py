# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst_gles_components_run() against OpenCV's connectedComponentsWithStats(): labels, number, boxes, areas and
centroids, at 4 and 8 neighbours, of noise, combs, checkerboards, a serpentine, rings, empty and full masks,
and of masks of the MP4 files in the folder that GLES_TEST_MEDIA names, if it is set.

Arguments: [--large] DEVICE...; --large: sizes up to 8192 x 4320, which takes minutes. Skips without OpenCV."""
import glob
import os
import sys

try:
    import cv2
    import gi
    import numpy
    gi.require_version('GstGles', '1.0')
    from gi.repository import GstGles
except (ImportError, ValueError) as error:
    print(error)
    sys.exit(77)

# by the number of neighbours: up to 256 are selected in another way than more
MAX_REGIONS = {4: 4096, 8: 200}
RECORD = numpy.dtype([('first', '<u4'), ('box', '<u4', 4), ('pixels', '<u4'), ('max', '<u4'), ('pad', '<u4'),
                      ('x', '<u8'), ('y', '<u8'), ('value', '<u8'), ('end', '<u8')])
SIZES = [(1, 1), (1, 97), (97, 1), (2, 2), (31, 33), (32, 32), (33, 31), (64, 64), (65, 63), (129, 257), (641, 359)]
LARGE = [(1921, 1081), (3840, 2160), (4097, 2161), (8192, 4320)]
NOISE = (1, 10, 40, 50, 59, 70, 99)


def masks_of(width, height):
    y, x = numpy.indices((height, width), sparse=True)
    random = numpy.random.default_rng(width * height)
    for percent in NOISE:
        yield f'noise of {percent} %', (random.random((height, width), 'f4') * 100 < percent).astype('u1')
    yield 'empty', numpy.zeros((height, width), 'u1')
    yield 'full', numpy.ones((height, width), 'u1')
    yield 'checkerboard', ((x + y) % 2).astype('u1')
    yield 'checkerboard of 3', ((x // 3 + y // 3) % 2).astype('u1')
    yield 'comb', ((x % 2 == 0) | (y == height - 1)).astype('u1')
    yield 'comb that hangs', ((x % 2 == 0) | (y == 0)).astype('u1')
    yield 'serpentine', ((y % 2 == 0) | (x == (width - 1) * (y % 4 == 1)) & (y % 2 == 1)).astype('u1')
    yield 'serpentine on its side', ((x % 2 == 0) | (y == (height - 1) * (x % 4 == 1)) & (x % 2 == 1)).astype('u1')
    yield 'rings', (numpy.maximum(abs(2 * x - width), abs(2 * y - height)) // 2 % 2 + 0 * (x + y)).astype('u1')
    wide, high = (random.integers(3, 7, (height // 7 + 1, width // 7 + 1)).repeat(7, 0).repeat(7, 1)[:height, :width]
                  for _ in range(2))
    yield 'blocks', ((x % 7 < wide) & (y % 7 < high)).astype('u1')
    yield 'diagonals', ((x + y) % 3 == 0).astype('u1')


def masks_of_clip(path, size=None):
    """Masks of frames 5, 15, 25 and 35, which are scaled to @size."""
    clip = cv2.VideoCapture(path)
    before, n = None, 0
    while n < 40:
        read, frame = clip.read()
        if not read:
            break
        frame = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        if size is not None:
            frame = cv2.resize(frame, size)
        if n % 10 == 5:
            yield f'{os.path.basename(path)} {n} light', (frame > 128).astype('u1')
            yield f'{os.path.basename(path)} {n} motion', (cv2.absdiff(frame, before) > 12).astype('u1')
        before, n = frame, n + 1


class Finder:
    """A plan and its buffers."""

    def __init__(self, device, width, height, connectivity):
        self.device = device
        self.queue = device.get_queue()
        config = GstGles.ComponentsConfig()
        config.source = GstGles.ComponentsSource.WORDS
        config.width, config.height, config.connectivity = width, height, connectivity
        config.max_regions = MAX_REGIONS[connectivity]
        self.plan = GstGles.Components.new(self.queue, config)
        self.shape = (height, width)
        self.regions = GstGles.Buffer.new(device, MAX_REGIONS[connectivity] * RECORD.itemsize)
        self.labels = GstGles.Buffer.new(device, 4 * width * height)

    def run(self, mask):
        words = GstGles.Buffer.from_array(self.device, mask.astype('u4'))
        self.plan.run(words, 1, 1, 1, self.regions, self.labels)
        total, count, _ = self.plan.get_result().to_array('u4', 4, self.queue)[[0, 2, 3]]
        return (int(total), self.regions.to_array('u4', queue=self.queue).view(RECORD)[:count],
                self.labels.to_array('u4', self.shape, self.queue))


def expected(mask, connectivity):
    """The same from OpenCV: total, the label of each pixel, and the sorted components."""
    n, labels, stats, centroids = cv2.connectedComponentsWithStats(mask, connectivity=connectivity,
                                                                   ltype=cv2.CV_32S)
    first = numpy.full(n, 0xffffffff, 'u4')
    flat = labels.ravel()
    at = numpy.flatnonzero(flat)
    first[flat[at[::-1]]] = at[::-1]
    order = numpy.lexsort((first[1:], -stats[1:, cv2.CC_STAT_AREA].astype('i8'))) + 1
    order = order[:MAX_REGIONS[connectivity]]
    return n - 1, first[labels], first[order], stats[order], centroids[order]


def compare(finder, mask, connectivity, what):
    total, regions, labels = finder.run(mask)
    want_total, want_labels, first, stats, centroids = expected(mask, connectivity)
    assert total == want_total, f'{what}: {total} components, not {want_total}'
    assert len(regions) == min(total, MAX_REGIONS[connectivity]), f'{what}: {len(regions)} are listed'
    assert (labels == want_labels).all(), f'{what}: other labels'
    assert (regions['first'] == first).all(), f'{what}: another order'
    assert (regions['pixels'] == stats[:, cv2.CC_STAT_AREA]).all(), f'{what}: other areas'
    box = regions['box'].astype('i8')
    got = numpy.stack((box[:, 0], box[:, 1], box[:, 2] - box[:, 0] + 1, box[:, 3] - box[:, 1] + 1), 1)
    assert (got == stats[:, :4]).all(), f'{what}: other boxes'
    pixels = regions['pixels'].astype('f8')
    got = numpy.stack((regions['x'] / pixels, regions['y'] / pixels), 1) if len(regions) else centroids
    # OpenCV multiplies by a reciprocal
    assert numpy.allclose(got, centroids, rtol=1e-12, atol=0), f'{what}: other centroids'
    assert (regions['value'] == regions['pixels']).all() and (regions['max'] == 1).all(), f'{what}: other values'


def check(device, name, masks, size):
    finders = {n: Finder(device, *size, n) for n in (4, 8)}
    for what, mask in masks:
        for connectivity, finder in finders.items():
            compare(finder, mask, connectivity, f'{name}: {what}, {size[0]} x {size[1]}, {connectivity} neighbours')


def main():
    large = '--large' in sys.argv
    media = sorted(glob.glob(os.path.join(os.environ.get('GLES_TEST_MEDIA', '/nowhere'), '*.mp4')))
    for name in (name for name in sys.argv[1:] if name != '--large'):
        device = GstGles.Device.new(name)
        for size in LARGE if large else SIZES:
            check(device, name, masks_of(*size), size)
            if large:
                print(f'{name}: {size[0]} x {size[1]} done', flush=True)
        for path in media:
            masks = list(masks_of_clip(path))
            check(device, name, masks, masks[0][1].shape[::-1])


if __name__ == '__main__':
    main()
