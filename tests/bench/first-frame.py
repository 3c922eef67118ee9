#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""How long the first result takes: from READY to the first frame's counters, for each device named.

Run it twice: the first run fills the driver's shader cache, the second is what users see.
Usage: first-frame.py [DEVICE...] with GST_PLUGIN_PATH set, as in `meson devenv -C build`."""
import sys
import time

import gi
gi.require_version('Gst', '1.0')
from gi.repository import Gst  # noqa: E402


def measure(device, caps):
    pipeline = Gst.parse_launch(
        f'videotestsrc num-buffers=1 ! video/x-raw,{caps} ! '
        f'gleshistogram device={device} post-messages=true ! fakesink')
    pipeline.set_state(Gst.State.READY)
    bus = pipeline.get_bus()
    start = time.monotonic()
    pipeline.set_state(Gst.State.PLAYING)
    message = bus.timed_pop_filtered(30 * Gst.SECOND, Gst.MessageType.ELEMENT | Gst.MessageType.ERROR)
    elapsed = time.monotonic() - start
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type == Gst.MessageType.ERROR:
        raise SystemExit(f'{device}: no result')
    return elapsed


Gst.init(None)
for name in sys.argv[1:] or ['software']:
    for size in ('format=I420,width=1920,height=1080', 'format=NV12,width=1920,height=1080',
                 'format=I420_10LE,width=1920,height=1080'):
        print(f'{name} {size}: {measure(name, size) * 1e3:.1f} ms')
