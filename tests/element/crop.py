# SPDX-License-Identifier: LGPL-2.1-or-later
"""The border that gleshistogram finds, and what is made of it over several frames, equals FFmpeg's filter cropdetect frame
by frame: with its options by the library's rule, as QCTools has them in the report's table, and as events.

Arguments: the library, and the report's program if there is one."""
import ctypes
import json
import sys
import tempfile

from filters import DEVICE, check, clips_of, decode, lines_of, need_ffmpeg, said_by, table_of

# borders above and below, at the sides, dark, that come and go
CLIPS = {'letterbox': ('testsrc2=s=320x180', 'pad=320:240:0:30'), 'pillarbox': ('testsrc2=s=240x180', 'pad=320:180:40:0'),
         'window': ('testsrc2=s=200x100', 'pad=320:240:61:33'), 'none': ('testsrc2=s=320x180', 'null'),
         'black': ('color=black:s=160x96', 'null'), 'noise': ('testsrc2=s=200x100', 'pad=320:240:60:70,noise=alls=20:allf=t'),
         'fade': ('testsrc2=s=320x180', 'pad=320:240:0:30,fade=in:0:20'), 'odd': ('testsrc2=s=202x98', 'pad=344:256:66:74'),
         'grey': ('testsrc2=s=320x180', 'pad=320:240:0:30:color=0x181818'),
         'line': ('color=black:s=160x96', 'drawbox=y=40:h=1:c=white:t=fill'),
         'change': ('testsrc2=s=320x180', "pad=320:240:0:30,drawbox=h=20:c=white:t=fill:enable='gt(n,14)'"),
         'dark': ('testsrc2=s=320x180', 'lutyuv=y=16+(val-16)/8,pad=320:240:0:30')}
# limit, round, skip, reset
OPTIONS = ((24, 16, 2, 0), (24, 2, 0, 1), (40, 4, 2, 5), (0, 1, 1, 0), (16, 7, 0, 3))
KEYS = 'x1', 'x2', 'y1', 'y2', 'w', 'h', 'x', 'y'


class Options(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint) for name in ('round', 'skip', 'reset')]


class State(ctypes.Structure):
    _fields_ = [('width', ctypes.c_uint), ('height', ctypes.c_uint), ('frame', ctypes.c_int64)] + \
        [(name, ctypes.c_int) for name in ('x1', 'y1', 'x2', 'y2', 'x', 'y', 'w', 'h')]


class Crop(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ('left', 'top', 'right', 'bottom')]


def theirs_of(raw, size, form, limit, options):
    said = said_by(raw, size, form, f'cropdetect=limit={limit:.8f}:round={options[0]}:skip={options[1]}:reset={options[2]}')
    return [{key: value for key, value in frame.items() if key[11:] in KEYS} for frame in said]


def check_rule(name, raw, size, form, push):
    """Returns the crops that were seen."""
    crops = set()
    for code, *options in OPTIONS:
        limit = code / 255
        lines = lines_of(raw, size, form, ['!', 'gleshistogram', 'bins=2', f'device={DEVICE}', f'crop-limit={limit:.8f}'])
        theirs, state = theirs_of(raw, size, form, limit, options), State()
        assert len(lines) == len(theirs) > 0, (name, form)
        for number, (line, said) in enumerate(zip(lines, theirs)):
            edges = {key: -1 if at is None else at for key, at in json.loads(line)['histogram']['crop'].items()}
            known = push(ctypes.byref(state), ctypes.byref(Options(*options)), ctypes.byref(Crop(**edges)), *size)
            ours = {f'cropdetect.{key}': str(getattr(state, key)) for key in KEYS}
            check(f'{name} {form} frame {number}, {code} {options}', 'the crop', ours if known else {}, said)
            crops.add(tuple(said.values()))
    return crops


def check_table(name, raw, size, form, report, folder):
    rows = table_of(report, raw, size, form, 'crop', folder)
    theirs = theirs_of(raw, size, form, 24 / 255, (1, 2, 1))
    assert len(rows) == len(theirs), (name, len(rows), len(theirs))
    for number, (row, said) in enumerate(zip(rows, theirs)):
        ours = {f'cropdetect.{key}': row[f'cropdetect.{key}'] for key in KEYS}
        check(f'{name} {form} frame {number}', 'the crop in the table', ours, said or dict.fromkeys(ours, ''))


def check_events(folder):
    """The border is another one from frame 30 on, and for good: not in the frames 10 to 12."""
    raw, size = decode(['-f', 'lavfi', '-i', 'testsrc2=s=320x176:r=10'],
                       "pad=320:240:0:32,drawbox=h=240:c=gray:t=fill:enable='gt(n,29)+between(n,10,12)'", 'yuv420p', folder, 60)
    lines = lines_of(raw, size, 'yuv420p', ['!', 'gleshistogram', f'device={DEVICE}', 'crop-limit=24', '!', 'glesevents',
                                            'events=crop', 'crop-min-duration=0.5'])
    events = [line for line in map(json.loads, lines) if 'event' in line]
    said = [(e['event'], e['phase'], e['start_frame'] if 'start_frame' in e else e['frame'], e['crop_box']) for e in events]
    assert said == [('crop', 'instant', 0, [0, 32, 320, 176]), ('crop', 'instant', 30, [0, 0, 320, 240])], events
    assert abs(events[0]['score'] - 176 / 240) < 1e-9, events


def main():
    need_ffmpeg()
    push = ctypes.CDLL(sys.argv[1]).gst_gles_crop_detect_push
    crops = set()
    with tempfile.TemporaryDirectory() as folder:
        check_events(folder)
        for number, (name, source, filters) in enumerate(clips_of(CLIPS)):
            form = ('yuv420p', 'yuv420p10le', 'gray')[number % 3]
            raw, size = decode(source, filters, form, folder)
            crops |= check_rule(name, raw, size, form, push)
            if len(sys.argv) > 2 and form != 'gray':
                check_table(name, raw, size, form, sys.argv[2], folder)
    assert len(crops) > 20, crops
    print(f'{number + 1} clips, {len(crops)} crops')


main()
