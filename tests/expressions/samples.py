# SPDX-License-Identifier: LGPL-2.1-or-later
"""What docs/expressions.md says of samples, in Python's integers and fractions: colours that formats do not store."""
import colorsys
import math
from fractions import Fraction

import trees

MATRICES = {'bt709': (0.2126, 0.0722), 'bt601': (0.299, 0.114), 'bt2020': (0.2627, 0.0593), 'smpte240m': (0.212, 0.087)}
YUV, RGB = ('Y', 'U', 'V'), ('R', 'G', 'B')


def clamp(value, most):
    return min(max(value, 0), most)


def rounded(value):
    return math.floor(value + Fraction(1, 2))


class Format:
    def __init__(self, names, depths, matrix, full_range):
        self.names, self.depths, self.full_range = names, depths, full_range
        self.depth = depths[0] if len(set(depths)) == 1 else 8
        self.full, self.middle = 2 ** self.depth - 1, 2 ** (self.depth - 1)
        self.kr, self.kb = (math.floor(65536 * k + 0.5) for k in matrix)
        self.kg = 65536 - self.kr - self.kb

    def head(self):
        return ' '.join(map(str, (*self.names, *self.depths, self.kr, self.kb, int(self.full_range))))

    def to_luma_depth(self, value, depth):
        return value if depth == self.depth else (value * 255 + (2 ** depth - 1) // 2) // (2 ** depth - 1)

    def rgb_of_yuv(self, y, u, v):
        full, middle = self.full, self.middle
        scale = Fraction(1) if self.full_range else Fraction(2) ** (self.depth - 8)
        luma, chroma, low = (full, full, 0) if self.full_range else (219 * scale, 224 * scale, int(16 * scale))
        k_r, k_g, k_b = (Fraction(k, 65536) for k in (self.kr, self.kg, self.kb))
        fy, fr, fb = full / Fraction(luma), 2 * (1 - k_r) * full / chroma, 2 * (1 - k_b) * full / chroma
        fixed = [rounded(8192 * f) for f in (fy, fr, fb, fr * k_r / k_g, fb * k_b / k_g)]
        y, u, v = y - low, u - middle, v - middle
        sums = (fixed[0] * y + fixed[1] * v, fixed[0] * y - fixed[3] * v - fixed[4] * u, fixed[0] * y + fixed[2] * u)
        exact = (fy * y + fr * v, fy * y - fr * k_r / k_g * v - fb * k_b / k_g * u, fy * y + fb * u)
        found = [clamp(s + 4096 >> 13, full) for s in sums]
        bound = 1 + full / 4096
        assert all(abs(f - min(max(e, 0), full)) <= bound for f, e in zip(found, exact)), (found, exact)
        return found

    def yuv_of_rgb(self, values):
        full, middle = self.full, self.middle
        red, green, blue = (self.to_luma_depth(v, d) for v, d in zip(values, self.depths))
        luma = (self.kr * red + self.kg * green + self.kb * blue + 32768) >> 16
        chroma = []
        for colour, k in ((blue, self.kb), (red, self.kr)):
            factor = rounded(Fraction(65536 * 8192, 2 * (65536 - k)))
            chroma.append(clamp(((colour - luma) * factor + 4096 >> 13) + middle, full))
        return [luma, *chroma]

    def values(self, samples):
        """All names that expressions have."""
        if self.names == YUV:
            yuv, rgb = list(samples), self.rgb_of_yuv(*samples)
        else:
            yuv = self.yuv_of_rgb(samples)
            rgb = [self.to_luma_depth(v, d) for v, d in zip(samples, self.depths)]
        # with 8 bits
        if self.depth >= 8:
            r, g, b = (v >> self.depth - 8 for v in rgb)
        else:
            r, g, b = ((v * 255 + self.full // 2) // self.full for v in rgb)
        most, spread = max(r, g, b), max(r, g, b) - min(r, g, b)
        if spread == 0:
            hue = 0
        elif most == r:
            hue = (60 * (g - b) + (360 * spread if g < b else 0)) // spread
        else:
            hue = (60 * (b - r) + 120 * spread) // spread if most == g else (60 * (r - g) + 240 * spread) // spread
        exact = colorsys.rgb_to_hsv(r / 255, g / 255, b / 255)
        assert abs(hue - exact[0] * 360) < 1 + 1e-6, (hue, exact)
        sat = spread * 255 // most if most else 0
        assert abs(sat - exact[1] * 255) < 1 + 1e-6
        light = [trees.light(value) for value in (r, g, b)]
        lum = (13933 * light[0] + 46871 * light[1] + 4732 * light[2] + 32768) >> 16
        red = light[0] - light[1] - light[2] if light[0] >= 4 * (light[1] + light[2]) else 0
        u, v = yuv[1] - self.middle, yuv[2] - self.middle
        uvhue = math.floor(math.degrees(math.atan2(u, v)) + 180) % 360
        return dict(zip(YUV + RGB, (*yuv, *(rgb if self.names == YUV else samples))), L=yuv[0], hue=hue, sat=sat,
                    uvhue=uvhue, uvsat=math.isqrt(u * u + v * v), lum=lum, red=red)
