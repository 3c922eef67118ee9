# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pipelines that are written as for gst-launch-1.0, for tests in Python."""
import sys

try:
    import gi.repository  # `import gi` finds the folder of the override, if nothing else
    for namespace in ('Gst', 'GstApp', 'GstVideo', 'GstAllocators'):
        gi.require_version(namespace, '1.0')
except (ImportError, ValueError) as missing:
    print(missing)
    sys.exit(77)
from gi.repository import Gst, GstApp  # noqa: E402,F401  (GstApp: try_pull_sample)

PATIENCE = 60 * Gst.SECOND
Gst.init(None)


def skip(why):
    print(why)
    sys.exit(77)


def need(*namespaces):
    """Skips the test without NumPy or a namespace of GObject introspection."""
    try:
        import numpy  # noqa: F401
        for name in namespaces:
            gi.require_version(name, '1.0')
    except (ImportError, ValueError) as error:
        skip(error)


def wait_for_end(pipeline):
    message = pipeline.get_bus().timed_pop_filtered(PATIENCE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    assert message is not None, 'the pipeline does not end'
    assert message.type == Gst.MessageType.EOS, message.parse_error()


def play(line):
    """The sample of each frame that a pipeline puts out."""
    return play_pipeline(Gst.parse_launch(line + ' ! appsink name=sink sync=false'))


def play_pipeline(pipeline):
    """The same of one whose sink is made already."""
    sink = pipeline.get_by_name('sink')
    pipeline.set_state(Gst.State.PLAYING)
    while (sample := sink.try_pull_sample(PATIENCE)) is not None:
        yield sample
    wait_for_end(pipeline)
    pipeline.set_state(Gst.State.NULL)


def push(elements, caps, buffers, stamp=True):
    """Pushes buffers, or bytes, stamped 25 a second. Returns the bytes of what comes out, the names of elements that warned,
    and the stats of the element "analyser"."""
    pipeline = Gst.parse_launch(f'appsrc name=source format=time ! {elements} ! appsink name=sink sync=false')
    source, sink, bus = pipeline.get_by_name('source'), pipeline.get_by_name('sink'), pipeline.get_bus()
    source.set_property('caps', Gst.Caps.from_string(caps) if isinstance(caps, str) else caps)
    pipeline.set_state(Gst.State.PLAYING)
    for n, buffer in enumerate(buffers):
        buffer = Gst.Buffer.new_wrapped(buffer) if isinstance(buffer, bytes) else buffer
        if stamp:
            buffer.pts, buffer.duration = n * Gst.SECOND // 25, Gst.SECOND // 25
        source.emit('push-buffer', buffer)
    source.emit('end-of-stream')
    found, warned = [], []
    while (sample := sink.emit('pull-sample')) is not None:
        found.append(sample.get_buffer().extract_dup(0, sample.get_buffer().get_size()))
    while (message := bus.pop_filtered(Gst.MessageType.ERROR | Gst.MessageType.WARNING)) is not None:
        assert message.type == Gst.MessageType.WARNING, (elements, source.get_property('caps').to_string(),
                                                         message.parse_error())
        warned.append(message.src.get_name())
    analyser = pipeline.get_by_name('analyser')
    stats = analyser.get_property('stats').to_string() if analyser is not None else ''
    pipeline.set_state(Gst.State.NULL)
    return found, warned, stats
