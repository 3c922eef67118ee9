# SPDX-License-Identifier: LGPL-2.1-or-later
"""The repeated rows and the outliers that gleshistogram counts equal VREP and TOUT of FFmpeg's filter signalstats frame by
frame, of 8 to 16 bits."""
import json
import tempfile

from filters import DEVICE, FORMS, check, clips_of, decode, lines_of, need_ffmpeg, said_by

# rows that repeat others, noise of single samples, samples whose low bits wrap
CLIPS = {'bars': ('smptehdbars=s=160x92', 'null'), 'noise': ('testsrc2=s=152x72', 'noise=alls=60:allf=t'),
         'specks': ('color=gray:s=64x48', 'noise=c0s=90:c0f=t'), 'mandelbrot': ('mandelbrot=s=168x92', 'null'),
         'rows': ('testsrc=s=160x120', 'null'), 'blocks': ('testsrc2=s=64x48', 'scale=160:120:flags=neighbor'),
         'slope': ('gradients=s=96x64:c0=black:c1=white:x0=0:y0=0:x1=95:y1=63', 'noise=c0s=9:c0f=t')}


def main():
    need_ffmpeg()
    seen = {'VREP': set(), 'TOUT': set()}
    with tempfile.TemporaryDirectory() as folder:
        for name, source, filters in clips_of(CLIPS):
            for form in set(FORMS) - {'gray'}:
                raw, size = decode(source, filters, form, folder, 6)
                said = said_by(raw, size, form, 'signalstats=stat=vrep+tout')
                lines = lines_of(raw, size, form, ['!', 'gleshistogram', 'bins=2', f'device={DEVICE}', 'outliers=true'])
                assert len(lines) == len(said) > 0, (name, form)
                for line, measures in zip(lines, said):
                    found = json.loads(line)['histogram']
                    shares = {'VREP': found['repeated_rows'] / size[1], 'TOUT': found['outliers'] / (size[0] * size[1])}
                    for measure, share in shares.items():
                        check(f'{name} {form}', measure, f'{share:g}', measures[f'signalstats.{measure}'])
                        seen[measure].add(share)
    assert len(seen['VREP']) > 2 and len(seen['TOUT']) > 8, seen
    print({measure: len(shares) for measure, shares in seen.items()})


main()
