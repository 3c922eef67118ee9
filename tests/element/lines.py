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
