# SPDX-License-Identifier: LGPL-2.1-or-later
"""What happens to a fixed camera, in clips that ffmpeg draws: each event starts within two seconds of the truth, and
nothing is reported of the unchanged clip. Motion comes from glesregions without gleshistogram, and a burned-in clock
ends no freeze that the region of gleshistogram excludes. Skips without ffmpeg."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'events'))
import raw_events  # noqa: E402

SIZE, RATE = (160, 90), 10
START, END = 6, 12  # seconds: the change
BETWEEN = f"enable='between(t,{START},{END - 0.01})'"
KINDS = ('covered', 'blurred', 'moved')
# a still picture, larger than the frame, with light that changes slowly and noise
STILL = ('mandelbrot=start_scale=0.3:size=240x136', 'trim=end_frame=1,loop=loop=-1:size=1:start=0,setpts=N/10/TB,'
         "eq=brightness='0.03*sin(t)':eval=frame,noise=alls=4:allf=t:all_seed=1")
CROP = 'crop=160:90'
LORRY = f"drawbox=x=0:y=0:w=80:h=90:c=0x908070:t=fill:{BETWEEN}"
CHANGES = [
    ('unchanged', f'{CROP}:20:20', None),
    ('covered by a black box', f'{CROP}:20:20,drawbox=c=black:t=fill:{BETWEEN}', 'covered'),
    ('covered by a light box', f'{CROP}:20:20,drawbox=c=0xb0a090:t=fill:{BETWEEN}', 'covered'),
    ('out of focus', f'{CROP}:20:20,boxblur=6:{BETWEEN}', 'blurred'),
    ('another view', f"{CROP}:'if(between(t,{START},{END - 0.01}),80,0)':20", 'moved'),
    ('another colour', f'{CROP}:20:20,hue=h=120:{BETWEEN}', None),
    ('darker', f'{CROP}:20:20,eq=brightness=-0.1:contrast=0.8:{BETWEEN}', None),
    ('noise', f'{CROP}:20:20,noise=alls=20:allf=t:{BETWEEN}', None),
    ('a lorry', f'{CROP}:20:20,{LORRY}', None),
]


def run(source, filters, seconds, pipeline):
    """The events of glesjson, with their times in seconds; `now` is the time of the frame that carries the event."""
    events = raw_events.events_of(['-f', 'lavfi', '-i', source, '-vf', f'{filters},fps={RATE},setsar=1', '-t', str(seconds)],
                           SIZE, RATE, pipeline)
    return [{**event, 'at': event['pts'] / 1e9} for event in events]


def check_changes():
    for name, filters, kind in CHANGES:
        events = run(STILL[0], f'{STILL[1]},{filters}', 20,
                     f"gleshistogram device=cpu ! glesevents events={'+'.join(KINDS)}")
        said = [(event['event'], event['phase'], event['at']) for event in events]
        if kind is None:
            assert said == [], f'{name}: {said}'
        else:
            assert [event[:2] for event in said] == [(kind, 'start'), (kind, 'end')], f'{name}: {said}'
            for event, truth in zip(events, (START, END)):
                assert abs(event['at'] - truth) <= 0.2, f'{name}: {said}'
            assert events[0]['now'] <= START + 2.1, f'{name}: reported at {events[0]["now"]} s'
        print(f'{name}: {said}')


def check_motion():
    """A box of 20 x 20 crosses the picture in 3 s, from 3 s on once in 4.5 s: motion-hold is longer than it is away."""
    box = "crop=160:90,format=gray,geq=lum='if(between(X-160*mod(T-3,4.5)/3,-20,0)*between(Y,30,49)*gte(T,3),220,60)'"
    events = run('color=c=gray:size=160x90:rate=10', f'{box},format=yuv420p', 16,
                 'glescompact device=cpu predicate=motion lower=24 readback=false ! glesregions device=cpu '
                 '! glesevents events=motion motion-hold=2.5')
    assert [event['phase'] for event in events] == ['start', 'end'], events
    start, end = events
    assert 3.0 <= start['at'] <= 3.3 and start['now'] <= 3.3, start
    assert end['at'] > 14.0 and end['cause'] == 'eos', end
    x, y, width, height = end['union_box']
    assert x == 0 and width == 160 and y == 30 and height == 20, end
    assert end['n_regions'] >= 1 and end['largest_box'][3] == 20, end
    print(f"motion: {start['at']} to {end['at']} s, {end['union_box']}")


def check_light():
    """A switched lamp, and infrared, are light and nothing else; light ends within two seconds or so."""
    infrared = 'colorchannelmixer=' + ':'.join(f'{c}r=0.1:{c}g=0.2:{c}b=0.9' for c in 'rgb')
    for name, change, kinds in (('a lamp', 'eq=brightness=-0.15:contrast=0.7', 'cut+motion'),
                                ('infrared', infrared, 'cut')):
        events = run(STILL[0], f'{STILL[1]},{CROP}:20:20,{change}:{BETWEEN}', 18,
                     'gleshistogram device=cpu '
                     '! glescompact device=cpu predicate=motion reference=samples readback=false '
                     f"! glesregions device=cpu ! glesevents events={kinds}+light+{'+'.join(KINDS)}")
        said = [(event['event'], event['phase'], event['at']) for event in events]
        assert [event[:2] for event in said] == [('light', 'start'), ('light', 'end')] * 2, f'{name}: {said}'
        for (start, end), truth in zip(zip(said[::2], said[1::2]), (START, END)):
            assert abs(start[2] - truth) <= 0.2 and end[2] <= truth + 2.2, f'{name}: {said}'
        print(f'{name}: {said}')


def check_cut_in_light():
    """A lamp, and 0.6 s later another picture, which a cut begins: light drops those cuts alone that it was taken for."""
    events = run(STILL[0], f"{STILL[1]},{CROP}:20:20,eq=brightness=-0.15:contrast=0.7:{BETWEEN},"
                 f"hflip=enable='gte(t,{START + 0.6})'", 10, 'gleshistogram device=cpu ! glesevents events=cut+light')
    said = [(event['event'], event['phase'], event['at']) for event in events]
    assert [event[:2] for event in said] == [('light', 'start'), ('cut', 'instant'), ('light', 'end')], said
    assert abs(said[1][2] - START - 0.6) < 0.05, said
    print(f'a cut in light: {said}')


def check_freeze():
    """The picture stands still from 3 to 9 s, but for a clock in its corner."""
    clock = 'drawbox=x=130:y=80:w=30:h=10:c=black:t=fill'
    blink = ','.join(f'drawbox=x={130 + 6 * i}:y=80:w=6:h=10:c=white:t=fill:'
                     f"enable='lt(mod(floor(t*{RATE}/{i + 1}),2),1)'" for i in range(5))
    still = f'loop=loop={6 * RATE}:size=1:start={3 * RATE},setpts=N/{RATE}/TB'
    filters = f'{still},{clock},{blink}'
    found = {}
    for region in ('', 'region=0,0,160,80'):
        events = run(f'testsrc2=size=160x90:rate={RATE}', filters, 12,
                     f'gleshistogram device=cpu mad=true mad-noise=0.001 {region} ! glesevents events=freeze')
        found[region] = [(event['phase'], round(event['at'], 1)) for event in events]
    assert found[''] == [], found
    phases, times = zip(*found['region=0,0,160,80'])
    assert phases == ('start', 'end') and abs(times[0] - 3) < 0.3 and abs(times[1] - 9) < 0.3, found
    print('freeze:', found)


def main():
    if not shutil.which('ffmpeg'):
        print('no ffmpeg')
        sys.exit(77)
    check_changes()
    check_motion()
    check_light()
    check_cut_in_light()
    check_freeze()


if __name__ == '__main__':
    main()
