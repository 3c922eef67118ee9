# SPDX-License-Identifier: LGPL-2.1-or-later
"""Events of a clip that ffmpeg makes as raw I420 while a pipeline reads it."""
import json
import subprocess


def events_of(ffmpeg, size, rate, pipeline):
    """The lines of events that `pipeline` leads to, each with `now`, the time in seconds of the frame that had it.
    `ffmpeg` are its arguments, which end with the output's options; the output is added."""
    with subprocess.Popen(['ffmpeg', '-v', 'error', '-nostdin', *ffmpeg, '-pix_fmt', 'yuv420p', '-f', 'rawvideo', '-'],
                          stdout=subprocess.PIPE) as source:
        lines = subprocess.run(
            ['gst-launch-1.0', '-q', 'fdsrc', '!', 'rawvideoparse', 'format=i420', f'width={size[0]}',
             f'height={size[1]}', f'framerate={rate}/1', '!', *pipeline.split(), '!', 'glesjson', 'counts=false', '!',
             'fdsink'], stdin=source.stdout, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert source.returncode == 0
    now, events = 0.0, []
    for line in map(json.loads, lines.splitlines()):
        if 'event' in line:
            events.append({**line, 'now': now})
        else:
            now = line['pts'] / 1e9
    return events
