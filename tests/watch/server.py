#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An RTSP server on the loopback that plays files without end or so: server.py PORT NAME=FILE... A file of H.264 in MP4
or a transport stream is sent as it is, one in MOV with its AAC, of which NAME
pause has two seconds alone. Ends with its standard input."""
import os
import sys
import threading

import gi
gi.require_version('Gst', '1.0')
gi.require_version('GstRtspServer', '1.0')
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

Gst.init(None)


def describe(source):
    if source.endswith('.mov'):
        return (f'( filesrc location="{source}" ! qtdemux name=d d.video_0 ! queue ! h264parse ! rtph264pay name=pay0 '
                'config-interval=-1 d.audio_0 ! queue ! aacparse ! rtpmp4gpay name=pay1 )')
    demuxer = 'tsdemux' if source.endswith('.ts') else 'qtdemux'
    return f'( filesrc location="{source}" ! {demuxer} ! h264parse ! rtph264pay name=pay0 config-interval=-1 )'


def silence(_, media):
    """Has the audio end after two seconds, without a word."""
    pad = media.get_element().get_by_name('pay1').get_static_pad('src')
    left = iter(range(86))
    pad.add_probe(Gst.PadProbeType.BUFFER | Gst.PadProbeType.BUFFER_LIST,
                  lambda *_: Gst.PadProbeReturn.DROP if next(left, None) is None else Gst.PadProbeReturn.OK)


def main():
    loop = GLib.MainLoop()
    server = GstRtspServer.RTSPServer()
    server.set_address('127.0.0.1')
    server.set_service(sys.argv[1])
    for argument in sys.argv[2:]:
        name, _, source = argument.partition('=')
        factory = GstRtspServer.RTSPMediaFactory()
        factory.set_launch(describe(source))
        factory.set_shared(False)
        if name == 'pause':
            factory.connect('media-configure', silence)
        server.get_mount_points().add_factory('/' + name, factory)
    if server.attach(None) == 0:
        sys.exit(f'port {sys.argv[1]} is taken')

    def wait():
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
    print('ready', flush=True)
    loop.run()


main()
