# SPDX-License-Identifier: LGPL-2.1-or-later
"""Composes clips of fixed cameras with known events, from real clips, photographs and FFmpeg's sources, and counts what
glesevents reports.

    camera-sets.py list SET [--clips FOLDER] [--stills FOLDER]
    camera-sets.py score SET [--clips FOLDER] [--stills FOLDER] [--only TEXT]

SET is `a`, on which the rules of glesevents were chosen; `b`, other photographs, stretches of the clips and changes,
which was kept aside at first and then used too; `c`, which was kept aside until the end: other parts of the pictures
and other changes; `long`, ten minutes of each of these views; or `hours`, two hours of composed views. FOLDER of
--clips has car-detection.mp4 and bottle-detection.mp4 of Intel's sample-videos, that of --stills photographs (*.jpg).
Both can be left out: FFmpeg's sources take their place. No clip is stored. Needs ffmpeg and the plugin."""
import argparse
import glob
import os
import sys

import raw_events

CHANGE, BACK = 12, 22  # seconds: a change begins, and ends where it does not last
TOLERANCE = 2.0
KINDS = ('covered', 'blurred', 'moved')
BETWEEN = f"enable='between(t,{CHANGE},{BACK})'"
FROM = f"enable='gte(t,{CHANGE})'"
RAMP = f'clip((t-{CHANGE})/%g,0,1)'


STILL = 'loop=loop=-1:size=1:start=0,setpts=N/10/TB'


class View:
    """A fixed view: inputs of ffmpeg, and filters that make a picture of any size of input 0."""

    def __init__(self, name, inputs, filters='null', seed=1, still=False):
        self.name, self.inputs, self.filters, self.seed, self.still = name, inputs, filters, seed, still

    def chain(self, width, height, rate):
        chain = f'{self.filters},fps={rate},scale={width}:{height}:flags=area,setsar=1,format=yuv420p'
        if self.still:  # noise of a sensor, slow light, two things that pass, one of them again and again
            chain += (f",eq=brightness='0.04*sin(t/{30 + self.seed})':eval=frame[s];"
                      f'color=c=0x806050:s={width // 10}x{height // 6}:r={rate}[o];'
                      f'color=c=0xd0d0c8:s={width // 6}x{height // 5}:r={rate}[p];'
                      f"[s][o]overlay=x='mod({width // 16}*t,{2 * width})-{width // 8}':y={height // 2}:eval=frame[t];"
                      f"[t][p]overlay=x='{width}-mod({width // 5}*t,{9 * width})':y={height * 2 // 3}:eval=frame,"
                      f'noise=alls=5:allf=t:all_seed={self.seed},format=yuv420p')
        return chain


def still_view(name, path, x, y, share, seed):
    crop = f'crop=iw*{share}:ih*{share}:(iw-ow)*{x}:(ih-oh)*{y}'
    return View(name, ['-i', path], f'scale=1280:-2,{crop},{STILL}', seed, True)


def lavfi_view(name, source, seed):
    return View(name, ['-f', 'lavfi', '-i', f'{source}:size=640x360'], f'trim=end_frame=1,{STILL}', seed, True)


def views_of(half, clips, stills):
    if half == 'c':
        return views_of_c(clips, stills)
    second = half == 'b'
    views = []
    if clips:
        car, bottle = (os.path.join(clips, f'{name}-detection.mp4') for name in ('car', 'bottle'))
        if second:
            views += [View('bottle-b', ['-stream_loop', '-1', '-i', bottle],
                           'fps=30,trim=20:39,loop=loop=-1:size=570:start=0,setpts=N/30/TB'),
                      View('car-b', ['-stream_loop', '-1', '-i', car], 'hflip,crop=iw*0.8:ih*0.8:0:ih*0.2')]
        else:
            views += [View('bottle-a', ['-stream_loop', '-1', '-i', bottle],
                           'fps=30,trim=0:20,loop=loop=-1:size=600:start=0,setpts=N/30/TB'),
                      View('car-a', ['-stream_loop', '-1', '-i', car])]
    names = sorted(glob.glob(os.path.join(stills, '*.jpg'))) if stills else []
    for i, path in enumerate(names[1::2] if second else names[::2]):
        views += [still_view(f'still-{half}{i}-wide', path, 0.5, 0.5, 0.9, 3 + i),
                  still_view(f'still-{half}{i}-near', path, 0.3 if second else 0.7, 0.6, 0.4, 13 + i)]
    views.append(lavfi_view(f'mandelbrot-{half}', 'mandelbrot=start_scale=' + ('0.02' if second else '0.3'), 5))
    return views


def views_of_c(clips, stills):
    views = []
    if clips:
        car, bottle = (os.path.join(clips, f'{name}-detection.mp4') for name in ('car', 'bottle'))
        views += [View('bottle-c', ['-stream_loop', '-1', '-i', bottle], 'hflip,crop=iw*0.9:ih*0.9:0:ih*0.1'),
                  View('car-c', ['-stream_loop', '-1', '-i', car], 'vflip')]
    for i, path in enumerate(sorted(glob.glob(os.path.join(stills, '*.jpg'))) if stills else []):
        view = still_view(f'still-c{i}', path, 0.15, 0.3, 0.6, 23 + i)
        view.filters = view.filters.replace('crop', 'hflip,crop', 1)
        views.append(view)
    views.append(lavfi_view('mandelbrot-c', 'mandelbrot=start_scale=0.1', 7))
    return views


# name: (filters or a function of width, height, rate; events, whether they end; seconds)
def cover(color, seconds, noise=0):
    def filters(width, height, rate):
        grain = f',noise=alls={noise}:allf=t' if noise else ''
        slide = f"'if(lt(t,{CHANGE}),-{width},if(gt(t,{BACK}),{width},-{width}*(1-{RAMP % max(seconds, 0.01)})))'"
        return f'[v];color=c={color}:s={width}x{height}:r={rate}{grain}[c];[v][c]overlay=x={slide}:y=0:eval=frame'
    return filters


def shift(share, x, y, seconds, back=True):
    """The picture is a part of a larger one, which moves."""
    path = RAMP % max(seconds, 0.01) + (f'*lt(t,{BACK})' if back else '')

    def filters(width, height, rate):
        return f"crop=iw*{share}:ih*{share}:'(iw-ow)*{x}*{path}':'(ih-oh)*{y}*{path}',scale={width}:{height}"
    return filters


def lorry(share, textured):
    def filters(width, height, rate):
        w = int(width * share) // 2 * 2
        fill = (f'testsrc2=s={w}x{height}:r={rate},hue=s=0.3' if textured else
                f'color=c=0x9a9080:s={w}x{height}:r={rate},noise=alls=4:allf=t')
        path = f"'-{w}+{w}*clip((t-{CHANGE})/1.5,0,1)+{2 * width}*clip((t-{CHANGE}-7)/3,0,1)'"
        return f'[v];{fill}[l];[v][l]overlay=x={path}:y=0:eval=frame'
    return filters


def rain(width, height, rate):
    return (f'[v];color=c=black:s={width}x{height // 8}:r={rate},noise=alls=100:allf=t,'
            f"lutyuv=y='if(gt(val,75),150,16)':u=128:v=128,scale={width}:{height}:flags=neighbor,format=yuv420p[r];"
            f"[v][r]blend=c0_mode=lighten:c1_mode=normal:c1_opacity=0:c2_mode=normal:c2_opacity=0:{BETWEEN}")


def night(least, seconds=60):
    return f"geq=lum='16+(lum(X,Y)-16)*(1-{1 - least}*clip((T-{CHANGE})/{seconds},0,1))':cb='cb(X,Y)':cr='cr(X,Y)'"


def stages(filter_format, values):
    steps = [(CHANGE + i, CHANGE + i + 1 if i + 1 < len(values) else 1000) for i in range(len(values))]
    return ','.join(f"{filter_format % value}:enable='between(t,{a},{b - 0.001})'"
                    for value, (a, b) in zip(values, steps))


CHANGES = {
    'a': {
        'none': ('null', None, False, 40),
        'cover-black': (cover('black', 0), 'covered', True, 30),
        'cover-grey-2s': (cover('0x707070', 2), 'covered', True, 30),
        'cover-brown-noise': (cover('0x604030', 0.5, 4), 'covered', True, 30),
        'boxblur': (f'boxblur=6:{BETWEEN}', 'blurred', True, 30),
        'boxblur-10': (f'boxblur=10:{FROM}', 'blurred', False, 30),
        'blur-slow': (stages('gblur=sigma=%g', (1.5, 3, 6)), 'blurred', False, 30),
        'shift-x': (shift(0.75, 1, 0, 0), 'moved', True, 30),
        'shift-xy': (shift(0.8, 1, 1, 1), 'moved', False, 30),
        'hue': (f'hue=h=120:s=0.6:{BETWEEN}', None, False, 30),
        'brighter': (f"eq=brightness='0.15*{RAMP % 0.5}':eval=frame", None, False, 30),
        'darker': (f'eq=brightness=-0.15:contrast=0.8:{BETWEEN}', None, False, 30),
        'gamma': (f'eq=gamma=1.6:{BETWEEN}', None, False, 30),
        'night': (night(0.12), None, False, 90),
        'noise': (f'noise=alls=30:allf=t:{BETWEEN}', None, False, 40),
        'rain': (rain, None, False, 40),
        'lorry': (lorry(0.5, False), None, False, 30),
        'lorry-textured': (lorry(0.5, True), None, False, 30),
    },
    'b': {
        'none': ('null', None, False, 40),
        'cover-white-1s': (cover('0xd8d8d0', 1), 'covered', True, 30),
        'cover-dark-3s-noise': (cover('0x181818', 3, 3), 'covered', True, 30),
        'gblur': (f'gblur=sigma=8:{FROM}', 'blurred', False, 30),
        'boxblur-4': (f'boxblur=4:{BETWEEN}', 'blurred', True, 30),
        'blur-slow': (stages('boxblur=%g', (1, 3, 5, 9)), 'blurred', False, 30),
        'shift-y': (shift(0.7, 0, 1, 0.5), 'moved', True, 30),
        'shift-back': (shift(0.7, 0.8, 0.6, 0), 'moved', False, 30),
        'grey': (f'hue=s=0:{FROM}', None, False, 30),
        'contrast': (f'eq=contrast=0.65:{BETWEEN}', None, False, 30),
        'light-on': (f'eq=brightness=0.1:contrast=1.2:{BETWEEN}', None, False, 30),
        'gamma': (f'eq=gamma=0.6:{BETWEEN}', None, False, 30),
        'night': (f"eq=brightness='-0.3*{RAMP % 60}':eval=frame", None, False, 90),
        'noise': (f'noise=alls=20:allf=t:{FROM}', None, False, 40),
        'rain': (rain, None, False, 40),
        'lorry': (lorry(0.45, True), None, False, 30),
        'lorry-plain': (lorry(0.5, False), None, False, 30),
        'flicker': (f"eq=brightness='0.08*sin(9*t)*gt(t,{CHANGE})':eval=frame", None, False, 30),
    },
    'c': {
        'none': ('null', None, False, 60),
        'cover-green': (cover('0x305030', 0.3), 'covered', True, 30),
        'cover-grey-noise-3s': (cover('0x909090', 3, 6), 'covered', True, 30),
        'box': (f'drawbox=x=iw*0.04:y=ih*0.04:w=iw*0.92:h=ih*0.92:c=0x203060:t=fill:{BETWEEN}', 'covered', True, 30),
        'boxblur-8': (f'boxblur=8:{BETWEEN}', 'blurred', True, 30),
        'gblur-4': (f'gblur=sigma=4:{FROM}', 'blurred', False, 30),
        'shift-left': (shift(0.72, 0.9, 0.3, 0.3), 'moved', True, 30),
        'shift-down': (shift(0.65, 0.2, 1, 0), 'moved', False, 30),
        'hue': (f'hue=h=200:s=1.3:{FROM}', None, False, 30),
        'exposure': (f'exposure=exposure=-0.6:{BETWEEN}', None, False, 30),
        'brighter': (f"eq=brightness='0.1*{RAMP % 2}':eval=frame", None, False, 30),
        'night': (night(0.2, 50), None, False, 90),
        'noise': (f'noise=alls=25:allf=t:{BETWEEN}', None, False, 40),
        'rain': (rain, None, False, 40),
        'lorry': (lorry(0.5, True), None, False, 30),
        'lorry-plain': (lorry(0.4, False), None, False, 30),
    },
}
# what a camera sees within an hour
DAY = ("eq=brightness='0.1*sin(t/97)':contrast='1+0.15*sin(t/61)':eval=frame,"
       "eq=brightness=-0.1:enable='lt(mod(t,211),40)',noise=alls=12:allf=t:enable='gt(mod(t,301),240)'")


class Clip:
    def __init__(self, name, view, filters, event, ends, seconds, size=(320, 180), rate=10):
        self.name, self.view, self.seconds, self.size, self.rate = name, view, seconds, size, rate
        self.filters = filters(*size, rate) if callable(filters) else filters
        self.event, self.ends = event, ends

    def arguments(self):
        chain = self.view.chain(*self.size, self.rate)
        chain += self.filters if self.filters.startswith('[v]') else ',' + self.filters
        chain = f'[0:v]{chain},setsar=1,format=yuv420p'
        return [*self.view.inputs, '-filter_complex', chain, '-t', str(self.seconds), '-an', '-r', str(self.rate)]


def clips_of(name, clips, stills):
    if name in CHANGES:
        return [Clip(f'{view.name}/{change}', view, filters, event, ends, seconds)
                for view in views_of(name, clips, stills)
                for change, (filters, event, ends, seconds) in CHANGES[name].items()]
    both = views_of('a', clips, stills) + views_of('b', clips, stills)
    if name == 'long':
        both += views_of('c', clips, stills)
        return [Clip(f'{view.name}/long', view, 'null', None, False, 600, (160, 90), 10) for view in both]
    composed = [view for view in both if view.still]
    return [Clip(f'{view.name}/hours', view, DAY, None, False, 7200 // len(composed), (160, 90), 5)
            for view in composed]


def events_of(clip):
    """(kind, phase, seconds of the event, seconds when it was reported) of what glesevents says of the clip."""
    events = raw_events.events_of(clip.arguments(), clip.size, clip.rate,
                           'gleshistogram device=cpu ! glesevents events=' + '+'.join(KINDS))
    return [(event['event'], event['phase'], event['pts'] / 1e9, event['now']) for event in events]


def judge(clip, found):
    """Returns the events that are found, missed and wrong."""
    wanted = [(clip.event, 'start', CHANGE)] if clip.event else []
    if clip.ends:
        wanted.append((clip.event, 'end', BACK))
    rest = [event for event in found if event[1] == 'start' or event[0] != clip.event]
    missed = []
    for kind, phase, at in wanted:
        # a cover or a pan of some seconds may be noticed before it is complete
        near = [e for e in found if e[:2] == (kind, phase) and at - 0.2 <= e[2] <= at + TOLERANCE + 1.0]
        if not near:
            missed.append((kind, phase, at))
        elif phase == 'start':
            rest.remove(near[0])
    wrong = [e for e in rest if e[1] == 'start']
    return len(wanted) - len(missed), missed, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('action', choices=('list', 'score'))
    parser.add_argument('set', choices=('a', 'b', 'c', 'long', 'hours'))
    parser.add_argument('--clips')
    parser.add_argument('--stills')
    parser.add_argument('--only', default='')
    options = parser.parse_args()
    totals = [0, 0, 0]
    for clip in clips_of(options.set, options.clips, options.stills):
        if options.only not in clip.name:
            continue
        if options.action == 'list':
            print(clip.name, clip.event or '-', ' '.join(map(repr, clip.arguments())))
            continue
        result = judge(clip, events_of(clip))
        totals = [a + (b if isinstance(b, int) else len(b)) for a, b in zip(totals, result)]
        print(clip.name, *result, flush=True)
    if options.action == 'score':
        print('found, missed, wrong:', *totals)
    return 0


if __name__ == '__main__':
    sys.exit(main())
