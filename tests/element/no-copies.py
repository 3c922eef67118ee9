#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Frames that videotestsrc, an application's appsrc and the decoder avdec_h264 put into the offered memory: the
processor copies none of them for a software device, and an allocator that is hidden from them is noticed."""
import os
import shutil
import subprocess
import tempfile
import threading

import lines
from gi.repository import Gst

N_FRAMES = 30
# rows and columns are no multiples of a block: decoders pad such pictures
WIDTH, HEIGHT = 328, 180
CAPS = f'video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate=25/1'


def push_frames(pipeline):
    """An application asks for the allocator as docs/frames.md says."""
    source = pipeline.get_by_name('in')
    wanted = threading.Event()
    source.connect('need-data', lambda *_: wanted.set())
    pipeline.set_state(Gst.State.PAUSED)
    # the caps are downstream then
    assert wanted.wait(60), 'appsrc wants no data'
    query = Gst.Query.new_allocation(Gst.Caps.from_string(CAPS), False)
    assert source.get_static_pad('src').peer_query(query), 'nobody answers the ALLOCATION query'
    assert query.get_n_allocation_params() > 0, 'no allocator is offered'
    allocator, params = query.parse_nth_allocation_param(0)
    size = WIDTH * HEIGHT * 3 // 2
    for n in range(N_FRAMES):
        buffer = Gst.Buffer.new_allocate(allocator, size, params)
        buffer.fill(0, bytes([n * 5]) * size)
        buffer.pts, buffer.duration = n * Gst.SECOND // 25, Gst.SECOND // 25
        source.emit('push-buffer', buffer)
    source.emit('end-of-stream')


def check(source, copied=0, push=None):
    """How many frames of a source are copied, and how many are not."""
    pipeline = Gst.parse_launch(f'{source} ! gleshistogram name=a device=software ! fakesink')
    if push is not None:
        push(pipeline)
    pipeline.set_state(Gst.State.PLAYING)
    lines.wait_for_end(pipeline)
    stats = pipeline.get_by_name('a').get_property('stats')
    counts = {way: stats.get_uint64(f'frames-{way}')[1] for way in ('copied', 'resident')}
    pipeline.set_state(Gst.State.NULL)
    print(f'{source}: {counts}')
    assert counts == {'copied': copied, 'resident': N_FRAMES - copied}, f'{source}: {counts}'


def check_decoder(folder):
    path = os.path.join(folder, 'clip.h264')
    subprocess.run(
        ['ffmpeg', '-nostdin', '-v', 'error', '-f', 'lavfi', '-i', f'testsrc2=size={WIDTH}x{HEIGHT}:rate=25',
         '-frames:v', str(N_FRAMES), '-c:v', 'libx264', '-pix_fmt', 'yuv420p', path], check=True, timeout=120)
    decoder = f'filesrc location={path} ! h264parse ! avdec_h264 max-threads=1'
    check(decoder)
    check(f'{decoder} ! identity drop-allocation=true', N_FRAMES)


def main():
    probe = Gst.parse_launch('gleshistogram device=software')
    if probe.set_state(Gst.State.READY) == Gst.StateChangeReturn.FAILURE:
        assert os.environ.get('GLES_TEST_REQUIRE') != 'gl', 'no OpenGL ES'
        lines.skip('no OpenGL ES')
    probe.set_state(Gst.State.NULL)
    check(f'videotestsrc num-buffers={N_FRAMES} ! {CAPS}')
    check(f'appsrc name=in format=time caps="{CAPS}"', push=push_frames)
    if not shutil.which('ffmpeg') or not all(map(Gst.ElementFactory.find, ('avdec_h264', 'h264parse'))):
        lines.skip('no ffmpeg or no avdec_h264')
    with tempfile.TemporaryDirectory() as folder:
        check_decoder(folder)


main()
