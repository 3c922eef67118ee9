# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a plan needs of a file: its duration, whether it has video and sound, and where it can be cut. Files are
demuxed; nothing is decoded."""
import collections
import functools
import os
import urllib.parse

from .folder import Stop

TIMEOUT_S = 60  # without any data, of a disk or a network that does not answer

# of containers whose times are the same behind a seek: MP4, MOV, Matroska, WebM
EXACT = 'qtdemux', 'matroskademux'

Found = collections.namedtuple('Found', 'video sound duration keyframes exact error')
Found.__doc__ = """video: media type or None; sound: number of streams; duration and keyframes: ns of stream time,
duration is None if unknown; exact: whether the report can begin in the middle; error: why demuxing stopped, or None."""


@functools.lru_cache(maxsize=None)
def _gst():
    try:
        import gi
        gi.require_version('Gst', '1.0')
        from gi.repository import Gst
    # a folder of overrides in PYTHONPATH is a package gi with nothing in it
    except (ImportError, AttributeError, ValueError) as error:
        raise Stop(f'Python cannot use GStreamer ({error}): on Debian, install python3-gi and gir1.2-gstreamer-1.0') from None
    Gst.init(None)
    return Gst


class _Demuxer:
    """A pipeline `filesrc ! parsebin`, each stream of which ends in a fakesink."""

    def __init__(self, path, whole):
        self.gst = _gst()
        self.whole = whole
        self.video, self.sound, self.keyframes, self.buffers = None, 0, [], 0
        self.exact = False
        self.pipeline = self.gst.Pipeline()
        self.pipeline.connect('deep-element-added', self.on_element)
        # a name that is no UTF-8 is no string for a property
        source = self.gst.Element.make_from_uri(self.gst.URIType.SRC, 'file://' + urllib.parse.quote(os.fsencode(path)))
        self.pipeline.add(source)
        parser = self.make('parsebin')
        source.link(parser)
        parser.connect('pad-added', self.on_pad)

    def make(self, name):
        element = self.gst.ElementFactory.make(name)
        if element is None:
            raise Stop(f'GStreamer has no element {name}: on Debian, install gstreamer1.0-plugins-base')
        self.pipeline.add(element)
        return element

    def on_element(self, _pipeline, _bin, element):
        factory = element.get_factory()
        self.exact |= factory is not None and factory.get_name() in EXACT

    def on_pad(self, _parser, pad):
        sink = self.make('fakesink')
        sink.set_property('sync', False)
        sink.set_property('async', False)
        sink.sync_state_with_parent()
        pad.link(sink.get_static_pad('sink'))
        caps = pad.get_current_caps() or pad.query_caps(None)
        # what get_structure() returns differs between versions of gst-python
        name = caps.to_string().partition(',')[0] if caps.get_size() else ''
        if name.startswith('audio/'):
            self.sound += 1
        elif name.startswith(('video/', 'image/')) and self.video is None:
            self.video = name
            pad.add_probe(self.gst.PadProbeType.BUFFER, self.on_buffer)

    def on_buffer(self, pad, info):
        self.buffers += 1
        if not self.whole:
            self.pipeline.post_message(self.gst.Message.new_application(
                self.pipeline, self.gst.Structure.new_empty('first-buffer')))
            return self.gst.PadProbeReturn.REMOVE
        buffer = info.get_buffer()
        if not buffer.has_flags(self.gst.BufferFlags.DELTA_UNIT) and buffer.pts != self.gst.CLOCK_TIME_NONE:
            segment = pad.get_sticky_event(self.gst.EventType.SEGMENT, 0).parse_segment()
            time = segment.to_stream_time(self.gst.Format.TIME, buffer.pts)
            if time != self.gst.CLOCK_TIME_NONE:
                self.keyframes.append(time)
        return self.gst.PadProbeReturn.DROP

    def wait(self):
        """The message that ends the work, or None if no data moved for TIMEOUT_S."""
        kinds = self.gst.MessageType
        seen = -1
        while seen != self.buffers:
            seen = self.buffers
            message = self.pipeline.get_bus().timed_pop_filtered(
                TIMEOUT_S * self.gst.SECOND, kinds.ERROR | kinds.EOS | kinds.APPLICATION)
            if message is not None:
                return message
        return None


def look(path, whole=False):
    """What is in a file. With @whole all of it is read, for its keyframes; otherwise as much as a demuxer needs.
    Waits for the disk."""
    demuxer = _Demuxer(path, whole)
    gst, pipeline = demuxer.gst, demuxer.pipeline
    error = None
    try:
        pipeline.set_state(gst.State.PLAYING)
        message = demuxer.wait()
        known, duration = pipeline.query_duration(gst.Format.TIME)
        if message is None:
            error = f'no data for {TIMEOUT_S} s'
        elif message.type == gst.MessageType.ERROR:
            error = message.parse_error()[0].message
    finally:
        pipeline.set_state(gst.State.NULL)
    return Found(demuxer.video, demuxer.sound, duration if known and duration > 0 else None,
                 sorted(demuxer.keyframes), demuxer.exact, error)
