# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every example runs and prints what it is about.

Arguments: the source folder, the folder of the built examples, the plugin and typelib folders being in
the environment. An example that is not built is missed; one in Python skips without its modules."""
import os
import re
import subprocess
import sys
import tempfile

PYTHON = '/usr/bin/python3' if os.path.exists('/usr/bin/python3') else sys.executable
VIDEO = 'video.mkv'
MAKE_VIDEO = ('gst-launch-1.0 -q videotestsrc num-buffers=10 pattern=ball ! '
              'video/x-raw,format=I420,width=160,height=120,framerate=25/1 ! jpegenc ! matroskamux ! '
              f'filesink location={VIDEO}')

# with the override in sys.path a folder of that name is there even without PyGObject
NO_MODULE = "ModuleNotFoundError|Namespace .* not available|module 'gi' has no attribute"

# command, what its output matches, files it leaves; the first word is a built example or a script
EXAMPLES = [
    ('gst-gles-compact-primes', r'^2 3 5 7 11 13.* 97$'),
    ('gst-gles-reduce-dice', r'lowest +1\nhighest +6'),
    ('gst-gles-histogram-letters', r'.'),
    ('gst-gles-scan-offsets', r'offsets +0 +3 +4 +11 +11 +15 +16 +22\n +total +25'),
    ('gst-gles-segments-groups', r'(?m)^ +3 +5 +120 +10 +35 +24\.00$'),
    ('gst-gles-sort-names', r'La Paz\n(?:.*\n)*.*Jericho$'),
    ('gst-gles-unique-letters', r'^ abcdefghijklmnopqrstuvwxyz$'),
    ('gst-gles-tiles-map', r'^A +BCA +BCA +CA +CA +A'),
    (f'gst-gles-histogram-print {VIDEO}', r'(?m)\Aframe 0: mean [\d.]+, .*\n(?:.*\n){9}\Z'),
    (f'histogram-heatmap.py {VIDEO} heat.png', r'heat\.png: 10 frames, Y, U, V', 'heat.png'),
    (f'motion-points.py {VIDEO}',
     r'\Aframe 0: 0 points\nframe 1: \d+ points \d+,\d+:\d+ .*\n(?:.*\n){8}\Z'),
    (f'gst-gles-motion-boxes {VIDEO}', r'(?m)^frame 9: \d+ points in \d+x\d+\+\d+\+\d+$'),
    (f'gst-gles-detector-tracks {VIDEO}', r'(?m)^frame 9: ball #1 in \d+x\d+\+\d+\+\d+, mean \d+\.\d\n  left: [01] inside, '),
    (f'detector-tracks.py {VIDEO}', r'(?m)^frame 9: ball #1 in \d+x\d+\+\d+\+\d+, mean \d+\.\d\n  left: [01] inside, '),
    (f'region-crops.py {VIDEO} crop', r'(?m)^crop-9-0\.ppm: \d+x\d+ pixels at \d+,\d+$', 'crop-9-0.ppm'),
    (f'gst-gles-results-print {VIDEO}',
     r'\Aframe 0: mean [\d.]+, 0 points moved\nframe 1: .*, most of them \(\d+\) in the tile at '),
    ('gst-gles-splats-push', r'\Aframe 0: \d+ entries in \d+ tiles, .*\n(?:  tile \d+,\d+:(?: \d+)+\n)+frame 1: '),
    # a plugin of somebody else's: found in the folder of the examples
    (f'gst-launch-1.0 -m filesrc location={VIDEO} ! decodebin ! glescompact predicate=motion lower=24 '
     'readback=false ! strongestpoints n=3 ! fakesink',
     r'strongestpoints, frame=\(guint64\)9, points=\(string\)"(?:\d+\\?,\d+\\?:\d+(?:\\? )?){3}"'),
]


def run(command, root, built, **environment):
    """The process of an example, None without its modules."""
    name, *arguments = command.split()
    if name.endswith('.py'):
        full = [PYTHON, os.path.join(root, 'examples', name), *arguments]
    elif name.startswith('gst-launch'):
        full = [name, *arguments]
    else:
        full = [os.path.join(built, name), *arguments]
        assert os.path.exists(full[0]), f'{name} is not built'
    process = subprocess.run(full, capture_output=True, text=True, timeout=120, env=dict(os.environ, **environment))
    if full[0] == PYTHON and re.search(NO_MODULE, process.stderr):
        print(f'skipped {name}: {process.stderr.strip().splitlines()[-1]}')
        return None
    return process


def check(root, built, command, expected, *files):
    process = run(command, root, built)
    if process is None:
        return
    assert process.returncode == 0, f'{command}: {process.returncode}\n{process.stderr}'
    assert not process.stderr.strip(), f'{command} complains:\n{process.stderr}'
    assert re.search(expected, process.stdout), f'{command} prints\n{process.stdout}'
    for file in files:
        assert os.path.getsize(file) > 0, f'{command} leaves an empty {file}'
    if VIDEO in command and not command.startswith('gst-launch'):
        check_without_video(root, built, command)
    print(f'{command}: as expected')


# what nothing can be seen in: a file that is not there, one of text, one of sound
NO_VIDEO = ['missing.mkv', 'text.mkv', 'sound.mkv']
MAKE_SOUND = ('gst-launch-1.0 -q audiotestsrc num-buffers=20 ! audio/x-raw,rate=8000 ! wavenc ! '
              'filesink location=sound.mkv')


def check_without_video(root, built, command):
    """An example that reads a video says that there is none, and ends."""
    for file in NO_VIDEO:
        process = run(command.replace(VIDEO, file), root, built)
        assert process.returncode > 0, f'{command} of {file}: {process.returncode}'
        assert process.stderr.strip(), f'{command} of {file} does not say what is wrong'
        assert 'Traceback' not in process.stderr, f'{command} of {file}:\n{process.stderr}'


def check_comparison(root, built):
    """The quickstart's last step runs the shaders, and fails where one counts something wrong."""
    kernel, right = 'frame/frame-histogram_wide.glsl', 'count_word (row.w, 3u, job);'
    compare = f'gst-gles-quickstart --compare {VIDEO}'
    process = run(compare, root, built)
    if 'no software OpenGL ES' in process.stderr and os.environ.get('GLES_TEST_REQUIRE') != 'gl':
        print(f'skipped {compare}: {process.stderr}')
        return
    assert process.returncode == 0, process.stderr
    assert re.fullmatch(r'10 frames through the OpenGL ES shaders on .*OpenGL ES 3.* native code: the words are equal\n',
                        process.stdout), process.stdout
    with open(os.path.join(root, 'glsl', kernel), encoding='utf-8') as file:
        text = file.read()
    assert right in text, f'{kernel} could be spoilt'
    with open('wrong.glsl', 'w', encoding='utf-8') as file:
        file.write(text.replace(right, right.replace('row.w', 'row.w ^ 1u')))
    overlay = f'/gst-gles-compute/glsl/{kernel}={os.path.abspath("wrong.glsl")}'
    process = run(compare, root, built, G_RESOURCE_OVERLAYS=overlay)
    assert process.returncode == 1 and 'validation: word ' in process.stderr and not process.stdout, process.stderr


# dark grey, in caps that leave the range or the matrix open: what decoders make of many videos
MAKE_GREY = ('gst-launch-1.0 -q videotestsrc num-buffers=2 pattern=solid-color foreground-color=0xff404040 ! '
             'video/x-raw,format=BGRx,width=192,height=108 ! videoconvert ! '
             'video/x-raw,format=I420,colorimetry={} ! capssetter caps=video/x-raw,colorimetry={} ! '
             'matroskamux ! filesink location=grey.mkv')


def check_chart_colours(root, built):
    """The picture in analysis.png is converted from the range that is known, also if the matrix is not."""
    for stored, stated in (('bt709', '2:0:0:0'), ('1:4:0:0', '1:0:0:0'), ('bt709', '0:3:0:0')):
        subprocess.run(MAKE_GREY.format(stored, stated).split(), check=True)
        assert run('gst-gles-quickstart grey.mkv', root, built).returncode == 0
        done = subprocess.run('ffmpeg -v error -i analysis.png -f rawvideo -pix_fmt rgb24 -'.split(), check=True,
                              stdout=subprocess.PIPE)
        share = sum(done.stdout.count(value) for value in range(62, 67)) / len(done.stdout)
        assert share > 0.1, f'{stated}: {share} of the chart is as the picture'


def check_all_named(root):
    """No example is forgotten, here or in examples/README.md."""
    with open(os.path.join(root, 'examples', 'README.md'), encoding='utf-8') as file:
        listed = file.read()
    for name in os.listdir(os.path.join(root, 'examples')):
        assert not name.endswith(('.c', '.py')) or f'({name})' in listed, f'examples/README.md does not link {name}'


def main(root, built):
    check_all_named(root)
    os.environ['GST_GLES_DEVICE'] = 'cpu'
    os.environ['GST_PLUGIN_PATH'] = os.environ.get('GST_PLUGIN_PATH', '') + os.pathsep + built
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run(MAKE_VIDEO.split(), check=True)
        subprocess.run(MAKE_SOUND.split(), check=True)
        with open('text.mkv', 'w', encoding='utf-8') as file:
            file.write('There is nothing to be seen here.\n' * 100)
        for example in EXAMPLES:
            check(root, built, *example)
        if os.path.exists(os.path.join(built, 'gst-gles-quickstart')):  # needs cairo
            check_comparison(root, built)
            check_chart_colours(root, built)
            print('gst-gles-quickstart: as expected')


if __name__ == '__main__':
    main(*sys.argv[1:])
