# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files of many containers, codecs and clocks: gst-gles-report-1.0 ends with 0 for whole and with 3 for damaged ones.

FFmpeg judges: what its demuxer and decoders read without a message, with all frames, is whole, and what it reads with
messages or with fewer frames is damaged. The time of the first frame of a whole file is that of ffprobe less its
start_time.

Arguments: the program, and "full" for all files."""
import concurrent.futures
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import clips

VIDEO = '-f lavfi -i testsrc2=s=160x120:r=25:d=2'
SOUND = '-f lavfi -i sine=f=440:d=2:r=48000'
X264 = '-c:v libx264 -preset medium -pix_fmt yuv420p -g 12'
X265 = '-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=12'
ALT_REF = '-deadline good -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 16 -b:v 300k'
# the same pictures at uneven times
VFR = "-vf select='not(mod(n\\,3))+gt(mod(n\\,7)\\,4)' -vsync vfr"

# what is encoded once: name, file, options
SOURCES = {
    'h264': ('h264.mkv', f'{VIDEO} {SOUND} {X264} -bf 3 -c:a aac'),
    'silent': ('silent.mkv', f'{VIDEO} {X264} -bf 3'),
    'ntsc': ('ntsc.mkv', f'-f lavfi -i testsrc2=s=160x120:r=30000/1001:d=2 {X264} -bf 2'),
    'slow': ('slow.mkv', f'-f lavfi -i testsrc2=s=160x120:r=2:d=6 {X264} -bf 2'),
    'quick': ('quick.mkv', f'-f lavfi -i testsrc2=s=160x120:r=120:d=1 {X264} -bf 3'),
    'vfr': ('vfr.mkv', f'{VIDEO} {VFR} {X264} -bf 2'),
    'open': ('open.mkv', f'{VIDEO} {SOUND} {X264} -x264-params open-gop=1:bframes=3:b-pyramid=2 -c:a aac'),
    # a time scale of the VUI that is far finer than the frames, as some recorders write it
    'fine': ('fine.mkv', f'{VIDEO} {SOUND} {X264} -bf 3 -bsf:v h264_metadata=tick_rate=2000000'
                         ' -c:a aac'),
    'untimed': ('untimed.mkv', f'{VIDEO} {X264} -bf 0 -x264-params force-cfr=0 -bsf:v filter_units=remove_types=6'),
    'interlaced': ('interlaced.mkv', f'{VIDEO} {X264} -flags +ilme+ildct -x264-params tff=1 -bf 2'),
    'refresh': ('refresh.mkv', f'{VIDEO} {X264} -x264-params keyint=20:intra-refresh=1'),
    'high10': ('high10.mkv', f'{VIDEO} -c:v libx264 -preset veryfast -pix_fmt yuv420p10le -bf 2'),
    'h265': ('h265.mkv', f'{VIDEO} {SOUND} {X265} -c:a aac'),
    'h265-open': ('h265-open.mkv', f'{VIDEO} {X265}:open-gop=1:bframes=3'),
    'mpeg2': ('mpeg2.mkv', f'{VIDEO} {SOUND} -c:v mpeg2video -bf 2 -g 12 -q:v 3 -c:a mp2'),
    'mpeg2-open': ('mpeg2-open.mkv', f'{VIDEO} -c:v mpeg2video -bf 2 -g 12 -q:v 3 -flags -cgop'),
    'mpeg1': ('mpeg1.mkv', f'{VIDEO} {SOUND} -c:v mpeg1video -bf 2 -q:v 3 -c:a mp2'),
    'mpeg4': ('mpeg4.mkv', f'{VIDEO} {SOUND} -c:v mpeg4 -bf 2 -c:a libmp3lame'),
    'mpeg4-b0': ('mpeg4-b0.mkv', f'{VIDEO} -c:v mpeg4'),
    'xvid': ('xvid.mkv', f'{VIDEO} -c:v libxvid -q:v 4'),
    'vp8': ('vp8.mkv', f'{VIDEO} {SOUND} -c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis'),
    'vp8-alt': ('vp8-alt.mkv', f'{VIDEO} -c:v libvpx {ALT_REF}'),
    'vp9': ('vp9.mkv', f'{VIDEO} {SOUND} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus'),
    'vp9-alt': ('vp9-alt.mkv', f'{VIDEO} -c:v libvpx-vp9 {ALT_REF}'),
    'av1': ('av1.mkv', f'{VIDEO} {SOUND} -c:v libsvtav1 -preset 10 -c:a libopus'),
    'ffv1': ('ffv1.mkv', f'{VIDEO} {SOUND} -c:v ffv1 -level 3 -slices 4 -slicecrc 1 -g 1 -c:a flac'),
    'ffv1-1': ('ffv1-1.mkv', f'{VIDEO} -c:v ffv1 -level 1 -pix_fmt yuv422p10le'),
    'prores': ('prores.mkv', f'{VIDEO} {SOUND} -c:v prores_ks -c:a pcm_s16le'),
    'dnxhd': ('dnxhd.mxf', '-f lavfi -i testsrc2=s=1280x720:r=25:d=0.5 -c:v dnxhd -b:v 75M -pix_fmt yuv422p'),
    'dnxhr': ('dnxhr.mov', f'{VIDEO} -s 320x240 -c:v dnxhd -profile:v dnxhr_sq -pix_fmt yuv422p'),
    'mjpeg': ('mjpeg.mkv', f'{VIDEO} {SOUND} -c:v mjpeg -pix_fmt yuvj420p -q:v 3 -c:a pcm_s16le'),
    'dv': ('dv.avi', '-f lavfi -i testsrc2=s=720x576:r=25:d=0.6 -c:v dvvideo -pix_fmt yuv420p'),
    'msmpeg4': ('msmpeg4.avi', f'{VIDEO} -c:v msmpeg4'),
    'wmv': ('wmv.asf', f'{VIDEO} {SOUND} -c:v wmv2 -c:a wmav2'),
    'flv1': ('flv1.flv', f'{VIDEO} {SOUND} -c:v flv1 -c:a libmp3lame -ar 44100'),
    'h263': ('h263.3gp', '-f lavfi -i testsrc2=s=176x144:r=25:d=2 -c:v h263'),
    'theora': ('theora.ogv', f'{VIDEO} {SOUND} -c:v libtheora -c:a libvorbis'),
    'huffyuv': ('huffyuv.mkv', f'{VIDEO} -c:v huffyuv -pix_fmt yuv422p'),
    'utvideo': ('utvideo.mkv', f'{VIDEO} -c:v utvideo -pix_fmt yuv422p'),
    'png': ('png.mov', f'{VIDEO} -c:v png -pix_fmt rgb24'),
    'raw': ('raw.mkv', f'{VIDEO} -c:v rawvideo -pix_fmt yuv420p'),
    'grey': ('grey.mkv', f'{VIDEO} -c:v ffv1 -pix_fmt gray'),
    'qtrle': ('qtrle.mov', f'{VIDEO} -c:v qtrle'),
    'gif': ('gif.gif', f'{VIDEO}'),
    'cinepak': ('cinepak.mov', '-f lavfi -i testsrc2=s=64x64:r=25:d=0.6 -c:v cinepak'),
}

# how streams are put into a container: name, ending, options in front of the input, options behind it
ALL = {
    'mp4': ('mp4', '', ''),
    'fast': ('mp4', '', '-movflags faststart'),
    'fragments': ('mp4', '', '-movflags frag_keyframe+empty_moov'),
    'dash': ('mp4', '', '-movflags dash+delay_moov+frag_every_frame'),
    'no-edits': ('mp4', '', '-use_editlist 0'),
    'negative': ('mp4', '', '-use_editlist 0 -movflags negative_cts_offsets'),
    'mp4-late': ('mp4', '', '-output_ts_offset 0.7'),
    'mp4-cut': ('mp4', '-ss 0.9', ''),
    'mov': ('mov', '', ''),
    'mov-no-edits': ('mov', '', '-use_editlist 0'),
    '3gp': ('3gp', '', ''),
    '3g2': ('3g2', '', ''),
    'm4v': ('m4v', '', '-f ipod'),
    'f4v': ('f4v', '', '-f f4v'),
    'ismv': ('ismv', '', '-f ismv'),
    'cmaf': ('m4s', '', '-f mp4 -movflags frag_keyframe+empty_moov+cmaf'),
    'gif': ('gif', '', '-f gif'),
    'cpk': ('cpk', '', '-f film_cpk'),
    'vcd': ('mpg', '', '-f vcd'),
    'mkv': ('mkv', '', ''),
    'mkv-hour': ('mkv', '', '-output_ts_offset 3600'),
    'mkv-day': ('mkv', '', '-output_ts_offset 86399.5'),
    'mkv-late': ('mkv', '', '-output_ts_offset 0.073'),
    'mkv-live': ('mkv', '', '-live 1'),
    'mkv-clusters': ('mkv', '', '-cluster_time_limit 200'),
    'mkv-cut': ('mkv', '-ss 0.9', ''),
    'mkv-segment': ('mkv', '', '-f segment -segment_time 0.9'),
    'webm': ('webm', '', ''),
    'webm-hour': ('webm', '', '-output_ts_offset 3600'),
    'ts': ('ts', '', ''),
    'ts-hour': ('ts', '', '-output_ts_offset 3600'),
    # the 33 bits of its clock end at 95443.7 s
    'ts-wrap': ('ts', '', '-output_ts_offset 95441.3'),
    'ts-zero': ('ts', '', '-muxdelay 0 -muxpreload 0'),
    'ts-cut': ('ts', '-ss 0.9', ''),
    'ts-segment': ('ts', '', '-f segment -segment_time 0.9'),
    'ts-vbr': ('ts', '', '-muxrate 4M'),
    'm2ts': ('m2ts', '', '-mpegts_m2ts_mode 1'),
    'mpg': ('mpg', '', '-f mpeg'),
    'mpg-hour': ('mpg', '', '-f mpeg -output_ts_offset 3600'),
    'vob': ('vob', '', '-f vob'),
    'svcd': ('mpg', '', '-f svcd'),
    'dvd': ('vob', '', '-f dvd'),
    'avi': ('avi', '', ''),
    'flv': ('flv', '', ''),
    'flv-hour': ('flv', '', '-output_ts_offset 3600'),
    'mxf': ('mxf', '', '-an'),
    'ogg': ('ogv', '', ''),
    'asf': ('asf', '', ''),
    'dv': ('dv', '', '-f dv'),
    'raw': ('', '', ''),
    'y4m': ('y4m', '', '-c:v wrapped_avframe -f yuv4mpegpipe'),
}
MP4 = 'mp4 fast fragments no-edits negative mp4-late mov mov-no-edits mkv mkv-hour'
TS = 'ts ts-hour ts-wrap ts-zero'
MKV = 'mkv mkv-hour mkv-late mkv-live'
WEBM = 'webm webm-hour mkv-segment'

# what the report says of files that this GStreamer cannot read
UNREADABLE = 'not installed', 'there is no video in it'

# endings of files without timestamps
UNTIMED = '.avi', '.h264', '.h265', '.m1v', '.m2v', 'mpeg4.m4v', '.mjpg', '.h263', '.gif', '.cpk'

# which source is put into which containers; an ending in place of a container is that of a stream without one
FILES = {
    'h264': f'{MP4} {TS} dash mp4-cut 3gp mkv-day mkv-late mkv-live mkv-clusters mkv-cut mkv-segment ts-cut '
            'ts-segment ts-vbr flv flv-hour 3g2 m4v f4v .h264',
    'silent': f'{MP4} {TS} dash mp4-cut mkv-cut mkv-segment ts-segment m2ts mpg flv asf .h264',
    'ntsc': 'mp4 no-edits mkv mkv-hour ts ts-wrap flv',
    'slow': 'mp4 no-edits mkv mkv-hour ts flv',
    'quick': 'mp4 mkv ts',
    'vfr': 'mp4 fragments no-edits mkv mkv-hour ts ts-wrap flv mov',
    'open': f'{MP4} {TS} mp4-cut mkv-cut mkv-segment ts-cut ts-segment',
    'fine': f'{TS} mp4 mkv mkv-hour ts-cut .h264',
    'untimed': 'mp4 mkv ts .h264',
    'interlaced': 'mp4 mkv ts no-edits',
    'refresh': 'mp4 mkv ts',
    'high10': 'mp4 mkv no-edits cmaf ismv',
    'h265': 'mp4 no-edits fragments mkv mkv-hour mkv-segment ts ts-wrap ts-hour mov .h265',
    'h265-open': 'mp4 no-edits mkv mkv-cut ts ts-cut .h265',
    'mpeg2': f'mpg mpg-hour vob svcd dvd {TS} ts-cut mkv mkv-hour mxf mkv-segment ts-segment mp4 .m2v',
    'mpeg2-open': 'mpg ts ts-cut mkv mkv-cut mxf .m2v',
    'mpeg1': 'mpg mpg-hour mkv mkv-hour avi vcd .m1v',
    'mpeg4': 'avi mp4 no-edits mkv mkv-hour mov ts .m4v',
    'mpeg4-b0': 'avi mp4 mkv mov 3gp',
    'xvid': 'avi mkv',
    'vp8': f'{WEBM} {MKV} avi',
    'vp8-alt': f'{WEBM} mkv',
    'vp9': f'{WEBM} {MKV} mp4 .ivf',
    'vp9-alt': f'{WEBM} mkv mp4 .ivf',
    'av1': 'webm mkv mkv-hour mp4 .ivf',
    'ffv1': f'{MKV} mkv-segment mkv-clusters avi',
    'ffv1-1': f'{MKV} mov avi',
    'prores': 'mov mov-no-edits mkv mkv-hour mxf',
    'dnxhd': 'mov mxf mkv',
    'dnxhr': 'mov',
    'mjpeg': 'avi mov mkv mkv-hour .mjpg',
    'dv': 'avi mov dv mkv',
    'msmpeg4': 'avi asf',
    'wmv': 'asf avi mkv',
    'flv1': 'flv flv-hour',
    'h263': '3gp mov .h263',
    'gif': 'gif',
    'theora': 'ogg mkv mkv-hour',
    'huffyuv': 'avi mkv',
    'utvideo': 'avi mkv mov',
    'png': 'mov mkv',
    'raw': 'avi mkv y4m mov',
    'grey': 'mkv avi',
    'qtrle': 'mov',
    'cinepak': 'mov avi cpk',
}
SHORT = {
    'h264': 'no-edits mkv-hour', 'silent': 'no-edits mkv-segment', 'fine': 'ts', 'mjpeg': '.mjpg', 'vp9': 'webm-hour',
    'mpeg2': 'mpg ts-wrap ts-segment', 'theora': 'ogg mkv',
}


def names_of(files):
    """(source, name of the file, options in front, options behind) of each file."""
    for source, containers in files.items():
        for container in containers.split():
            if container.startswith('.'):
                yield source, f'{source}{container}', '', ''
                continue
            ending, before, behind = ALL[container]
            yield source, f'{source}-{container}.{ending}', before, behind


def make(files):
    """Makes the files. Returns the names of those that this FFmpeg can make."""
    made = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sources = {name: pool.submit(clips.make, 'source-' + SOURCES[name][0], SOURCES[name][1]) for name in files}
        jobs = []
        for source, name, before, behind in names_of(files):
            if not sources[source].result():
                print(f'{source}: this FFmpeg cannot make it')
                continue
            target = name.replace('.', '.%d.') if '-f segment' in behind else name
            raw = '' if '-' in name.replace(source, '', 1) else '-an'
            line = f'{before} -i source-{SOURCES[source][0]} -c copy {raw} {behind}'
            jobs.append((name, pool.submit(clips.make, target, line)))
        for name, job in jobs:
            # of segments the second, which begins in the middle
            second = name.replace('.', '.1.')
            if job.result():
                made.append(second if Path(second).exists() else name)
            else:
                print(f'{name}: this FFmpeg cannot make it')
    return made


def judge(name):
    """What FFmpeg says of a file: its messages, its number of frames, the first one's time from the file's start."""
    said = subprocess.run(['ffmpeg', *'-v error -threads 1 -nostdin -i'.split(), name,
                           *'-map 0:v:0 -map 0:a? -f null -'.split()],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, timeout=60).stderr
    done = subprocess.run(['ffprobe', *'-v quiet -threads 1 -select_streams v:0 -show_entries '
                           'frame=best_effort_timestamp_time:format=start_time -of json'.split(), name],
                          stdout=subprocess.PIPE, check=False, timeout=60)
    found = json.loads(done.stdout or '{}')
    times = [float(frame['best_effort_timestamp_time']) for frame in found.get('frames', [])
             if 'best_effort_timestamp_time' in frame]
    start = float(found.get('format', {}).get('start_time', 0))
    return said.decode(errors='replace').splitlines(), len(found.get('frames', [])), [time - start for time in times]


def report(tool, name):
    """The status, the times of the frames, what the program says, and the problems that it found."""
    lines = name + '.ndjson'
    done = subprocess.run([tool, '--device=cpu', '--no-page', '--ndjson', lines, name], text=True, errors='replace',
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120)
    times, problems = [], []
    if Path(lines).exists():
        with open(lines, encoding='utf-8') as file:
            for line in map(json.loads, file):
                if 'type' in line:
                    continue
                if 'event' not in line:
                    times.append((line['stream_time'] or 0) / 1e9)
                elif line['event'] == 'problem' and line['phase'] != 'end':
                    time = line['stream_time'] / 1e9
                    problems.append(f"{line['problem']} {line['stream']} at {time:.3f}: {line['text']}")
        os.unlink(lines)
    return done.returncode, times, done.stdout.strip(), problems


@functools.lru_cache(maxsize=None)
def drops_sound():
    """Whether matroskademux leaves out what is earlier than the first block, as that of GStreamer 1.26 does."""
    said = subprocess.run(['gst-inspect-1.0', 'matroskademux'], stdout=subprocess.PIPE, text=True, check=True).stdout
    return tuple(map(int, re.search(r'Version +(\d+)\.(\d+)', said).groups())) >= (1, 24)


def check_whole(tool, name):
    """Returns (whether FFmpeg finds the file whole, what is wrong with the report or None)."""
    said, n_frames, theirs = judge(name)
    if said or not n_frames:
        return False, None
    status, times, text, problems = report(tool, name)
    if status == 1 and any(words in text for words in UNREADABLE):
        return False, None
    if status:
        return True, f'status {status}: ' + ('; '.join(problems[:3]) or text)
    # of frames that need some before the cut, and of the last ones that an edit list shows, each shows others
    if abs(len(times) - n_frames) > 2 * ('-cut' in name):
        return True, f'{len(times)} frames, and {n_frames} of FFmpeg'
    # without a container there are no times, AVI has none, and matroskademux counts from behind the priming of Opus
    tolerance = 0.1 if '-cut' in name else 0.0075 if name.startswith(('vp9', 'av1')) else 0.0015
    if name.endswith(('.mkv', '.webm')) and drops_sound():
        tolerance = max(tolerance, 0.025)
    if theirs and not name.endswith(UNTIMED) and abs(times[0] - min(theirs)) > tolerance:
        return True, f'begins at {times[0]:.4f}, and {min(theirs):.4f} of ffprobe'
    return True, None


def damage(name, kind, seed):
    """Makes a damaged copy. Returns its name."""
    data, numbers = bytearray(Path(name).read_bytes()), random.Random(seed)
    target = f'damaged-{kind}-{seed}-{name}'
    if kind == 'overwritten':
        for _ in range(30):
            data[numbers.randrange(len(data) // 5, len(data) * 4 // 5)] ^= 0xff
    elif kind == 'cut':
        del data[int(len(data) * numbers.uniform(0.4, 0.8)) | 1:]
    else:  # packets of a transport stream
        size = 188 if name.endswith('.ts') else 192 if name.endswith('.m2ts') else 2048
        for _ in range(3):
            at = numbers.randrange(len(data) // size // 4, len(data) // size * 3 // 4) * size
            del data[at:at + size]
    Path(target).write_bytes(data)
    return target


def check_damaged(tool, name, kind, seed):
    """Returns (the damaged file, the status or None where FFmpeg finds no damage, what is wrong with the report or
    None)."""
    target = damage(name, kind, seed)
    said, n_frames, _ = judge(target)
    # a time that is wrong by some frames, at which FFmpeg's muxer complains, is within the tolerance of the report
    # and neither vorbisdec nor WebM, which has no checksums, tells of damage
    silent = ('[null @', '    Last message', *(['[vorbis'] if name.endswith('.webm') else []))
    said = [line for line in said if not line.startswith(silent)]
    n_whole = judge(name)[1]
    # a stream without a container may end behind any picture
    if not said and (n_frames == n_whole or '-' not in name):
        return target, None, None
    status, _, text, problems = report(tool, target)
    # an error that ends decoding is one of the report; nothing can be read of an MP4 without its index
    right = status == 3 or (status == 1 and ('(partial)' in text or not n_frames))
    return target, status, None if right else \
        f'status {status}: {text or problems} (FFmpeg: {(said or [f"{n_frames} of {n_whole} frames"])[0]})'


def check_all_whole(tool, names, pool):
    """Returns the names of whole files, how many are right, and prints what is wrong with the others."""
    results = dict(zip(names, pool.map(lambda name: check_whole(tool, name), names)))
    whole = [name for name, (is_whole, _) in results.items() if is_whole]
    wrong = [f'{name}: {results[name][1]}' for name in whole if results[name][1]]
    print('\n'.join(wrong))
    endings = sorted({Path(name).suffix for name in whole})
    print(f'{len(endings)} containers and streams without one:', *endings)
    print(f'{len(whole) - len(wrong)} of {len(whole)} whole files are right; {len(names) - len(whole)} are not whole for '
          'FFmpeg, or this GStreamer cannot read them')
    return whole, wrong, len(endings)


def check_all_damaged(tool, names, pool):
    """Returns what is wrong with the damaged ones, and prints how many are right."""
    jobs = []
    for number, name in enumerate(names):
        packets = name.endswith(('.ts', '.m2ts', '.mpg', '.vob'))
        kinds = ('overwritten', 'cut', 'removed') if packets else ('overwritten', 'cut')
        jobs += [pool.submit(check_damaged, tool, name, kind, number) for kind in kinds]
    results = [job.result() for job in jobs]
    damaged = [result for result in results if result[1] is not None]
    wrong = [f'{name}: {text}' for name, _, text in damaged if text]
    n_errors = sum(status == 1 for _, status, _ in damaged)
    print('\n'.join(wrong))
    print(f'{len(damaged) - len(wrong)} of {len(damaged)} damaged files are found, {n_errors} with an error that ends '
          f'decoding; {len(results) - len(damaged)} others are whole for FFmpeg')
    return wrong, len(damaged)


def main(tool, full):
    if not shutil.which('ffmpeg'):
        print('no ffmpeg')
        sys.exit(77)
    tool = os.path.abspath(tool)
    # GStreamer's parser of MPEG-4 and its demuxer of AVI have assertions of their own that some of these files break
    os.environ['G_DEBUG'] = ''
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.chdir(folder)
        whole, wrong, n_endings = check_all_whole(tool, make(FILES if full else SHORT), pool)
        lost, n_damaged = check_all_damaged(tool, whole[::2 if full else 3], pool)
        assert not wrong and not lost and len(whole) >= (180 if full else 7) and n_damaged >= (90 if full else 3)
        assert n_endings >= (25 if full else 5), n_endings


if __name__ == '__main__':
    main(sys.argv[1], 'full' in sys.argv[2:])
