# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clips that FFmpeg makes, whole ones and damaged ones, for tests of gst-gles-report-1.0."""
import array
import math
import random
import subprocess
import wave
from pathlib import Path

VIDEO = '-f lavfi -i testsrc2=s=192x108:r=25:d=4'
SOUND = '-f lavfi -i sine=f=440:d=4:r=48000'
H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25'
LONG_GOP = H264.replace('ultrafast', 'medium')
H265 = '-c:v libx265 -preset ultrafast -x265-params log-level=none -g 25'
# the same pictures at uneven times
VFR = "-vf select='not(mod(n\\,3))+gt(mod(n\\,7)\\,4)' -vsync vfr"

# file name: inputs and encoder, all of which are whole
CLEAN = {
    'h264.mp4': f'{VIDEO} {SOUND} {LONG_GOP} -c:a aac',
    'h264.ts': f'{VIDEO} {SOUND} {LONG_GOP} -c:a mp2',
    'mpeg2.mpg': f'{VIDEO} {SOUND} -c:v mpeg2video -bf 2 -q:v 3 -c:a mp2',
    'vfr.mkv': f'{VIDEO} {VFR} {LONG_GOP}',
    'vp9.webm': f'{VIDEO} {SOUND} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus',
    'mpeg4.avi': f'{VIDEO} {SOUND} -c:v mpeg4 -bf 2 -c:a libmp3lame',
}
MORE_CLEAN = {
    'h264.mkv': f'{VIDEO} {SOUND} {LONG_GOP} -c:a flac',
    'h264.mov': f'{VIDEO} {SOUND} {LONG_GOP} -c:a pcm_s16le',
    'h264.flv': f'{VIDEO} {SOUND} {LONG_GOP} -c:a aac',
    'h264.avi': f'{VIDEO} {SOUND} {H264} -c:a libmp3lame',
    'h264-b.avi': f'{VIDEO} {LONG_GOP}',
    'h264-fast.mp4': f'{VIDEO} {LONG_GOP} -movflags faststart',
    'h264-fragments.mp4': f'{VIDEO} {SOUND} {LONG_GOP} -c:a aac -movflags frag_keyframe+empty_moov',
    'h264.3gp': f'{VIDEO} {H264} -an',
    'h264.m4v': f'{VIDEO} {LONG_GOP}',
    'h264.264': f'{VIDEO} {LONG_GOP} -f h264',
    'h264-open.mp4': f'{VIDEO} {LONG_GOP} -x264-params open-gop=1:bframes=3',
    'h264-open.ts': f'{VIDEO} {LONG_GOP} -x264-params open-gop=1:bframes=3',
    'h264-open.mkv': f'{VIDEO} {LONG_GOP} -x264-params open-gop=1:bframes=3',
    'h264-10bit.mp4': f'{VIDEO} -c:v libx264 -preset ultrafast -pix_fmt yuv420p10le',
    'h264-422.mkv': f'{VIDEO} -c:v libx264 -preset ultrafast -pix_fmt yuv422p',
    'h264-444.mkv': f'{VIDEO} -c:v libx264 -preset ultrafast -pix_fmt yuv444p',
    'h264-lossless.mkv': f'{VIDEO} -c:v libx264 -preset ultrafast -qp 0',
    'h264-interlaced.ts': f'{VIDEO} {LONG_GOP} -flags +ilme+ildct -x264-params tff=1',
    'h264-slices.mp4': f'{VIDEO} {LONG_GOP} -x264-params slices=4',
    'h264-30.mp4': '-f lavfi -i testsrc2=s=192x108:r=30000/1001:d=4 ' + LONG_GOP,
    'h264-60.ts': '-f lavfi -i testsrc2=s=192x108:r=60:d=3 ' + LONG_GOP,
    'h264-1fps.mp4': '-f lavfi -i testsrc2=s=192x108:r=1:d=8 ' + LONG_GOP,
    'h264-edit.mp4': f'-itsoffset 0.7 {VIDEO} {SOUND} {LONG_GOP} -c:a aac',
    'h264-short-sound.mp4': f'{VIDEO} -f lavfi -i sine=d=2 {LONG_GOP} -c:a aac',
    'h264-long-sound.mp4': f'{VIDEO} -f lavfi -i sine=d=6 {LONG_GOP} -c:a aac',
    'h264-long-sound.mkv': f'{VIDEO} -f lavfi -i sine=d=6 {LONG_GOP} -c:a libvorbis',
    'h264-two-sounds.mkv': f'{VIDEO} {SOUND} {SOUND} -map 0 -map 1 -map 2 {LONG_GOP} -c:a aac',
    'h264-ac3.ts': f'{VIDEO} {SOUND} {LONG_GOP} -c:a ac3',
    'h264-aac.ts': f'{VIDEO} {SOUND} {LONG_GOP} -c:a aac',
    'h264.m2ts': f'{VIDEO} {SOUND} {LONG_GOP} -c:a ac3',
    'vfr.mp4': f'{VIDEO} {VFR} {LONG_GOP}',
    'vfr.mov': f'{VIDEO} {VFR} {H264}',
    'vfr.webm': f'{VIDEO} {VFR} -c:v libvpx -deadline realtime -cpu-used 8',
    'h265.mp4': f'{VIDEO} {SOUND} {H265} -c:a aac',
    'h265.mkv': f'{VIDEO} {H265}',
    'h265.ts': f'{VIDEO} {H265}',
    'h265-10bit.mkv': f'{VIDEO} {H265} -pix_fmt yuv420p10le',
    'vp8.webm': f'{VIDEO} {SOUND} -c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis',
    'vp8-good.webm': f'{VIDEO} -c:v libvpx -deadline good -auto-alt-ref 1 -lag-in-frames 16 -b:v 400k',
    'vp9-good.webm': f'{VIDEO} -c:v libvpx-vp9 -deadline good -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 16 -b:v 400k',
    'mpeg2.ts': f'{VIDEO} {SOUND} -c:v mpeg2video -bf 2 -q:v 3 -c:a mp2',
    'mpeg2.mkv': f'{VIDEO} -c:v mpeg2video -bf 2 -q:v 3',
    'mpeg2-422.ts': f'{VIDEO} -c:v mpeg2video -pix_fmt yuv422p -q:v 3',
    'mpeg2-interlaced.ts': f'{VIDEO} -c:v mpeg2video -flags +ilme+ildct -q:v 3',
    'mpeg1.mpg': f'{VIDEO} {SOUND} -f mpeg -c:v mpeg1video -q:v 3 -c:a mp2',
    'mpeg4.mp4': f'{VIDEO} -c:v mpeg4 -bf 2',
    'mpeg4.mkv': f'{VIDEO} -c:v mpeg4',
    'msmpeg4.avi': f'{VIDEO} -c:v msmpeg4',
    'mjpeg.avi': f'{VIDEO} -c:v mjpeg -q:v 3',
    'mjpeg.mov': f'{VIDEO} {SOUND} -c:v mjpeg -q:v 3 -c:a pcm_s16be',
    'prores.mov': f'{VIDEO} -c:v prores_ks',
    'ffv1.mkv': f'{VIDEO} {SOUND} -c:v ffv1 -c:a pcm_s24le',
    'huffyuv.avi': f'{VIDEO} -c:v huffyuv -pix_fmt yuv422p',
    'flv1.flv': f'{VIDEO} {SOUND} -c:v flv1 -c:a libmp3lame -ar 44100',
    'theora.ogv': f'{VIDEO} {SOUND} -c:v libtheora -c:a libvorbis',
    'raw.y4m': f'{VIDEO} -pix_fmt yuv420p',
    'raw.avi': f'{VIDEO} -c:v rawvideo -pix_fmt yuv420p',
    'raw.mkv': f'{VIDEO} -c:v rawvideo -pix_fmt yuv420p',
}


def make(name, line):
    """Returns whether this FFmpeg can."""
    return subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-y', *line.replace("'", '').split(), name],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0 and (
                              '%' in name or Path(name).stat().st_size > 0)


def flip(source, target, n, seed=1):
    """Copies a file, with n bytes of another value."""
    data, numbers = bytearray(Path(source).read_bytes()), random.Random(seed)
    for _ in range(n):
        data[numbers.randrange(len(data) // 20, len(data) * 19 // 20)] ^= 0xff
    Path(target).write_bytes(data)


def cut(source, target, share):
    data = Path(source).read_bytes()
    Path(target).write_bytes(data[:int(len(data) * share) | 1])


def write_sound(path, parts, rate=48000):
    """Writes a WAV of two channels. parts: (seconds, amplitude of the left channel, of the right one) each."""
    samples = array.array('h')
    for duration, *amplitudes in parts:
        for i in range(round(duration * rate)):
            # no multiple of the period of the sound, so that edges are loud
            samples.extend(round(amplitude * 32767 * math.cos(2 * math.pi * 443 * i / rate)) for amplitude in amplitudes)
    with wave.open(path, 'wb') as file:
        file.setparams((2, 2, rate, 0, 'NONE', ''))
        file.writeframes(samples.tobytes())
