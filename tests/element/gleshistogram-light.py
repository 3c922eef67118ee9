# SPDX-License-Identifier: LGPL-2.1-or-later
"""Light levels of gleshistogram: of flat pictures and ramps they are what ITU-R BT.2100 says of the code values; of random
pictures those of FFmpeg's zscale, pixel by pixel, to the error that the page states; and both devices have the same bits."""
import json
import shutil
import subprocess
import sys

try:
    import numpy
except ImportError:
    print('python3-numpy is not installed')
    sys.exit(77)

WIDTH, HEIGHT = 64, 32
PERCENTILES = {'p1': 1, 'p5': 5, 'p10': 10, 'p25': 25, 'p50': 50, 'p75': 75, 'p90': 90, 'p95': 95, 'p98': 98,
               'p99': 99, 'p99_98': 99.98}


def light_of(signal):
    """Table 4 of BT.2100: in cd/m2."""
    root = numpy.asarray(signal, float) ** (32 / 2523)
    return 10000 * (numpy.maximum(root - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * root)) ** (16384 / 2610)


def signal_of(light):
    power = (numpy.asarray(light, float) / 10000) ** (2610 / 16384)
    return ((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power)) ** (2523 / 32)


def levels_of(light):
    """What the page says of the pixels of a picture."""
    light = numpy.sort(light, axis=None)
    levels = {'max': light[-1], 'mean': light.mean()}
    for name, share in PERCENTILES.items():
        levels[name] = light[-(-len(light) * round(100 * share) // 10000) - 1]
    return levels


def run(form, data, *settings, colorimetry='bt2100-pq', device='cpu', size=(WIDTH, HEIGHT), check=True,
        quiet=('-q',)):
    return subprocess.run(
        ['gst-launch-1.0', *quiet, 'fdsrc', '!', 'rawvideoparse', f'format={form}', f'width={size[0]}',
         f'height={size[1]}', 'framerate=25/1', f'colorimetry={colorimetry}', '!', 'gleshistogram', f'device={device}',
         'light=true', *settings, '!', 'glesjson', 'counts=false', '!', 'fdsink'], input=data, capture_output=True,
        check=check)


def found(form, data, *settings, **options):
    lines = run(form, data, 'validate=true', *settings, **options).stdout.splitlines()
    return [json.loads(line)['histogram']['light_levels'] for line in lines]


def pack(frames, depth):
    return b''.join(numpy.asarray(frame).astype('<u2' if depth > 8 else 'u1').tobytes() for frame in frames)


def same(got, want, within):
    assert got.keys() == want.keys()
    for key in want:
        assert abs(got[key] - want[key]) <= within, (key, got, want)


def check_arithmetic():
    """A code value of each format is the light that BT.2100 gives it."""
    table = light_of(numpy.arange(1024) / 1023)
    # every code value of 10 bits, as green beside darker red and blue
    frames = [numpy.stack([numpy.full((HEIGHT, WIDTH), plane) for plane in (v, v // 2, v // 3)]) for v in range(1024)]
    got = found('gbr-10le', pack(frames, 10))
    assert len(got) == 1024
    for value, levels in enumerate(got):
        same(levels, dict.fromkeys(levels, table[value]), 2.0 ** -17 + 1e-9)
    # ramps of all code values, in which each component is the largest somewhere
    for form, depth in (('gbr', 8), ('gbr-10le', 10), ('gbr-12le', 12)):
        full = 2 ** depth - 1
        ramp = numpy.arange(full + 1).reshape(-1, 16)
        for order in ((ramp, ramp * 0, ramp // 3), (ramp // 3, ramp, ramp * 0), (ramp * 0, ramp // 3, ramp)):
            levels, = found(form, pack([numpy.stack(order)], depth), size=(16, len(ramp)))
            same(levels, levels_of(light_of(ramp / full)), 2.0 ** -17 + 1e-9)
    # luma of limited range: black and white, and what is beyond them
    for value, light in ((64, 0), (940, 10000), (4, 0), (1019, 10000)):
        grey = [numpy.full((HEIGHT, WIDTH), value), *[numpy.full((HEIGHT, WIDTH), 512)] * 2]
        same(found('y444-10le', pack(grey, 10))[0], dict.fromkeys(levels_of(numpy.zeros(1)), light), 0)
    # 16 bits are counted with 12
    wide = numpy.random.default_rng(3).integers(65536, size=(HEIGHT, WIDTH, 4))
    codes = (wide[..., 1:].max(-1) * 4095 + 32767) // 65535
    same(found('argb64', pack([wide], 16))[0], levels_of(light_of(codes / 4095)), 2.0 ** -17 + 1e-9)


def check_ffmpeg():
    """In YUV of 10 and 12 bits, as FFmpeg converts each pixel in floating point."""
    zscale = ('zscale=min=2020_ncl:tin=smpte2084:pin=2020:rin=limited:m=gbr:t=linear:p=2020:r=full:npl=10000,'
              'format=gbrpf32le')
    for depth, form, other in ((10, 'y444-10le', 'yuv444p10le'), (12, 'y444-12le', 'yuv444p12le')):
        random = numpy.random.default_rng(depth)
        frames = []
        for i in range(12):
            middle, spread = random.integers(100, 900), random.integers(5, 300)
            frame = random.normal([[[middle]], [[512]], [[512]]], [[[spread]], [[spread / 4]], [[spread / 4]]],
                                  (3, HEIGHT, WIDTH))
            frames.append(numpy.clip(frame, 64, 940).round() * 2 ** (depth - 10))
        data = pack(frames, depth)
        raw = subprocess.run(
            ['ffmpeg', '-v', 'error', '-f', 'rawvideo', '-pix_fmt', other, '-s', f'{WIDTH}x{HEIGHT}', '-i', '-', '-vf',
             zscale, '-f', 'rawvideo', '-'], input=data, capture_output=True, check=True).stdout
        linear = numpy.frombuffer(raw, '<f4').reshape(len(frames), 3, HEIGHT * WIDTH).max(1)
        signal = signal_of(numpy.clip(linear, 0, 1) * 10000.0)
        # half a code value, and what coefficients of 13 bits add
        half = {10: 0.6, 12: 0.9}[depth] / (2 ** depth - 1)
        for i, (levels, pixels) in enumerate(zip(found(form, data), signal)):
            low, high = (levels_of(light_of(numpy.clip(pixels + side, 0, 1))) for side in (-half, half))
            for key, value in levels.items():
                assert low[key] - 1e-3 <= value <= high[key] + 1e-3, (form, i, key, low[key], value, high[key])


def check_devices():
    frames = numpy.random.default_rng(7).integers(64, 940, (3, HEIGHT * WIDTH * 3 // 2))
    settings = ('channels=luma', 'mad=true')
    got = [run('i420-10le', pack(frames, 10), 'validate=true', *settings, device=device).stdout
           for device in ('cpu', 'software')]
    assert got[0] == got[1] and b'light_levels' in got[0]
    # a part of the picture: the brightest pixels are outside
    frame = numpy.full((3, HEIGHT, WIDTH), 300)
    frame[:, :, :8] = 700
    levels, = found('gbr-10le', pack([frame], 10), f'region=8,0,{WIDTH - 8},{HEIGHT}')
    same(levels, dict.fromkeys(levels, float(light_of(300 / 1023))), 2.0 ** -17 + 1e-9)


def check_refusals():
    grey = numpy.full((3, HEIGHT, WIDTH), 512)
    for form, colorimetry, text in (('y444-10le', 'bt2100-hlg', 'HLG'), ('y444-10le', 'bt709', 'PQ'),
                                    ('gray8', 'bt2100-pq', 'red, green and blue')):
        ended = run(form, pack([grey], 10), colorimetry=colorimetry, quiet=())
        said = ended.stdout + ended.stderr
        assert said.count(b'No light levels') == 1 and text.encode() in said, said
        assert b'"histogram"' in said and b'"light' not in said, said
    ended = run('y444-10le', pack([grey], 10), 'expression=hue', check=False)
    assert ended.returncode != 0 and b'expression "hue" cannot both be counted' in ended.stderr, ended.stderr


def main():
    check_arithmetic()
    check_devices()
    check_refusals()
    if shutil.which('ffmpeg') is None:
        print('ffmpeg is not installed')
        return 77
    check_ffmpeg()
    return 0


sys.exit(main())
