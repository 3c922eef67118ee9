# SPDX-License-Identifier: LGPL-2.1-or-later
"""All outputs of a merge are byte for byte those of a serial run, for clips of many kinds, whole and in parts
of random length, whose units are done in random order.

Arguments: gst-gles-archive-1.0 and gst-gles-report-1.0 of the build; how many random plans."""
import concurrent.futures
import difflib
import json
import os
import random
import re
import sqlite3
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'report'))
import clips  # noqa: E402
from archives import MORE_OUTPUTS, OUTPUTS, Archive  # noqa: E402

# cuts, a black passage, a fade, a still picture, and noise; few pictures a second, because each is analysed five times
SCENES = ('-f lavfi -i testsrc2=s=192x108:r=10:d=3 -f lavfi -i color=black:s=192x108:r=10:d=2 '
          '-f lavfi -t 4 -i mandelbrot=s=192x108:r=10 -f lavfi -i smptebars=s=192x108:r=10:d=4 '
          '-f lavfi -i life=s=192x108:r=10:mold=10:ratio=0.1:seed=3,trim=duration=3')
JOIN = '-filter_complex [3:v]fade=out:st=2:d=2[faded];[0:v][1:v][2:v][faded][4:v]concat=n=5:v=1[v] -map [v]'
DURATION = 16
SOUND = f'-f lavfi -i sine=d=6,apad=whole_dur={DURATION}'
DATA = re.compile('<script type="application/json" id="data">(.*?)</script>', re.S)
X264 = '-c:v libx264 -preset veryfast -g 16 -bf 3 -threads 1'
CLIPS = {
    'closed.mp4': ('', f'{X264} -pix_fmt yuv420p -map 1:a -c:a aac'),
    'open.mkv': ('', f'{X264} -pix_fmt yuv420p -x264-params open-gop=1'),
    'open.ts': ('', f'{X264} -pix_fmt yuv420p -x264-params open-gop=1 -map 1:a -c:a mp2'),
    'refresh.mp4': ('', f'{X264} -pix_fmt yuv420p -x264-params intra-refresh=1'),
    'hevc.mp4': ('', '-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=20:open-gop=1 '
                     '-pix_fmt yuv420p'),
    'hevc-10.mkv': ('', '-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=20 -pix_fmt yuv420p10le'),
    'mpeg2.ts': ('', '-c:v mpeg2video -bf 2 -g 15 -q:v 3 -pix_fmt yuv420p'),
    'mjpeg.mov': ('', '-c:v mjpeg -q:v 3 -pix_fmt yuvj420p -map 1:a -c:a pcm_s16le'),
    'vfr.mkv': ('-vf select=not(mod(n\\,3))+gt(mod(n\\,7)\\,4)', f'{X264} -vsync vfr -pix_fmt yuv420p'),
    'ten-bits.mp4': ('', f'{X264} -pix_fmt yuv420p10le'),
    'long-gop.webm': ('', '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 24'),
}


def make_clips(archive):
    scenes = archive.make('../scenes.mkv', f'{SCENES} {JOIN} -c:v rawvideo -t {DURATION}')

    def make(name):
        more, encoder = CLIPS[name]
        return archive.make(name, f'-i {scenes} {SOUND} -map 0:v {more} {encoder} -t {DURATION}')

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        paths = list(pool.map(make, CLIPS))
    damaged = archive.videos / 'damaged.mkv'
    clips.flip(archive.videos / 'open.mkv', damaged, 20, seed=7)
    return [*paths, damaged]


def plan(archive, number, length):
    """Plans with parts of that many seconds. Returns the run and its units."""
    run = f'run{number}'
    archive.run('plan', 'videos', '-o', run, '--part', f'{length:.3f}s', '--outputs',
                'page,ndjson,csv,events,events-csv,vtt,scenes', '--qctools', *archive.measures)
    text = (archive.top / run / 'units.ndjson').read_text(encoding='utf-8')
    return run, [json.loads(line) for line in text.splitlines()[1:]]


def collection(archive, run, paths):
    """The database as text, and the data in the pages of files."""
    with sqlite3.connect(archive.top / run / 'collection.sqlite') as base:
        rows = '\n'.join(base.iterdump())
    texts = {path.name: (archive.top / run / 'files' / f'{path.name}.html').read_text(encoding='utf-8')
             for path in paths}
    return rows, {name: json.loads(DATA.search(text).group(1)) for name, text in texts.items()}


def check_plan(archive, number, length, numbers, paths):
    run, units = plan(archive, number, length)
    order = list(range(len(units)))
    numbers.shuffle(order)
    for index in order[:3 if number else 0]:  # the others go in the order of the plan, on two workers
        archive.run('work', run, '--index', index)
    workers = [archive.start('work', run) for _ in range(2)]
    for worker in workers:
        worker.communicate()
    archive.run('merge', run, status=3)  # one is damaged
    archive.check(run, *paths)
    rows, pages = collection(archive, run, paths)
    whole_rows, whole_pages = collection(archive, 'run0', paths)
    assert rows == whole_rows, '\n'.join(difflib.unified_diff(whole_rows.splitlines(), rows.splitlines(), n=0))[:2000]
    assert pages == whole_pages, [name for name in pages if pages[name] != whole_pages[name]]
    whole = archive.top / run / 'whole.ndjson'
    fallen = [json.loads(line)['file'] for line in whole.open(encoding='utf-8')] if whole.exists() else []
    cut = {unit['file'] for unit in units if unit['kind'] == 'part'}
    n_parts = sum(unit['kind'] == 'part' for unit in units)
    print(f'{length:.3f} s: {n_parts} parts of {len(cut)} files; as one unit: {" ".join(sorted(fallen)) or "none"}', flush=True)
    joined = cut - set(fallen)
    assert len(joined) >= len(cut) / 2, joined
    return joined


def main(tool, reporter, n):
    numbers, joined = random.Random(43), {}
    with tempfile.TemporaryDirectory() as top:
        archive = Archive(tool, reporter, top)
        archive.outputs, archive.measures = {**OUTPUTS, **MORE_OUTPUTS}, ['--signalstats', 'sat,brng']
        begun = time.monotonic()
        paths = make_clips(archive)
        print(f'{len(paths)} clips made in {time.monotonic() - begun:.1f} s', flush=True)
        check_plan(archive, 0, 60, numbers, paths)
        for number in range(1, int(n) + 1):
            for name in check_plan(archive, number, numbers.uniform(2, 14), numbers, paths):
                joined[name] = joined.get(name, 0) + 1
    print('joined:', ', '.join(f'{name} {count}' for name, count in sorted(joined.items())))


if __name__ == '__main__':
    main(*sys.argv[1:])
