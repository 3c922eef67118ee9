# SPDX-License-Identifier: LGPL-2.1-or-later
"""The points of glescompact predicate=motion reference=background, as numpy finds them. With OpenCV the average is also
within one code value of cv2.accumulateWeighted()."""
import numpy

try:
    import cv2
except ImportError:
    cv2 = None

ADAPTATION = 20


def expected(frames, lower, box):
    """The points of each frame within box, by the arithmetic of docs/elements/glescompact.md."""
    weight = min(65536, (3 * 65536 + ADAPTATION // 2) // ADAPTATION)
    x, y, width, height = box
    average = float_average = None
    for frame in frames:
        target = frame.astype(numpy.int64) << 16
        if average is None:
            yield []
            average = target
            float_average = frame.astype(numpy.float32)
            continue
        background = (average + 0x8000) >> 16
        difference = numpy.abs(frame.astype(numpy.int64) - background)
        rows, columns = numpy.nonzero(difference[y:y + height, x:x + width] >= lower)
        yield [[int(c) + x, int(r) + y, int(difference[r + y, c + x])] for r, c in zip(rows, columns)]
        distance = numpy.abs(target - average)
        average = average + numpy.sign(target - average) * ((distance * weight) >> 16)
        if cv2 is not None:
            cv2.accumulateWeighted(frame.astype(numpy.float32), float_average, 3 / ADAPTATION)
            # 2^-16 of the weight, and the fraction that is cut off, add up to less than a code value
            assert numpy.abs(average / 65536 - float_average).max() < 1
