# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the Python examples share: the frames of a video behind some elements, with the results on them."""
import sys
import threading

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstApp', '1.0')
from gi.repository import Gst, GstApp  # noqa: E402  (GstApp: try_pull_sample)


def samples(video, elements):
    """A sample for each frame of a video file, from an appsink behind elements. Ends the program with a message
    when the video cannot be read or has no picture. An appsink is not told of errors in other elements: they are
    on the bus."""
    Gst.init(None)
    pipeline = Gst.parse_launch(f'filesrc name=file ! decodebin name=decode ! videoconvert ! {elements} ! queue ! '
                                'appsink name=sink sync=false')
    pipeline.get_by_name('file').set_property('location', video)
    sink, bus = pipeline.get_by_name('sink'), pipeline.get_bus()
    without_video = threading.Event()  # of a short file without video decodebin says nothing else
    pipeline.get_by_name('decode').connect(
        'no-more-pads', lambda decode: any(pad.is_linked() for pad in decode.srcpads) or without_video.set())
    pipeline.set_state(Gst.State.PLAYING)
    error = None
    while error is None and not sink.is_eos():
        if (sample := sink.try_pull_sample(Gst.SECOND // 10)) is not None:
            yield sample
        else:
            error = bus.pop_filtered(Gst.MessageType.ERROR)
            if error is None and without_video.is_set():
                pipeline.set_state(Gst.State.NULL)
                sys.exit(f'{video}: there is no video in it')
    error = error or bus.pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if error:
        sys.exit(f'{video}: {error.parse_error().gerror.message}')
