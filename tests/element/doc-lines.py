# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the command lines of the documentation, as a reader would.

Arguments: the source folder, the build folder. In README.md and below docs/,
fenced blocks whose info string is exactly `sh` or `console` are read; a line that starts with
gst-launch-1.0, gst-inspect-1.0 or gst-gles-info-1.0 (after environment variables; in a console
block after `$ `) is run with its continuation lines. It must end by itself with exit status 0 and
log nothing critical.
Lines run in a scratch folder that holds a short video.mp4. Lines with glesoverlay are left out where it
was not built. Any other info string, such as `text`, keeps a block from being run."""
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile

TIMEOUT_S = 90
COMMAND = re.compile(r'^(?:[A-Z_]+=\S* )*(?:gst-launch-1\.0|gst-inspect-1\.0|gst-gles-info-1\.0)\b')
FENCE = re.compile(r'^[ \t]*```(\w*)[ \t]*\n(.*?)^[ \t]*```', re.M | re.S)
NEEDS_GL = re.compile(r'device=(?:software|surfaceless|egl:|/dev/)|GST_GLES_DEVICE=(?!cpu|auto)')
TROUBLE = re.compile(r'CRITICAL|-WARNING \*\*|AddressSanitizer|runtime error:')
MAKE_VIDEO = ('gst-launch-1.0 -q videotestsrc num-buffers=30 ! '
              'video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! '
              'avenc_mpeg4 ! mp4mux ! filesink location=video.mp4')
PROBE_GL = ('gst-launch-1.0 -q videotestsrc num-buffers=1 ! gleshistogram device=software ! '
            'fakesink')


def commands(text):
    """Pairs (line number, command) of one document."""
    for fence in FENCE.finditer(text):
        language, body = fence.groups()
        if language not in ('sh', 'console'):
            continue
        number = text.count('\n', 0, fence.start(2)) + 1
        body_lines = iter(enumerate(body.split('\n'), number))
        for number, line in body_lines:
            line = line.strip()
            if language == 'console':
                if not line.startswith('$ '):
                    continue
                line = line[2:]
            start = number
            while line.endswith('\\'):
                line = line[:-1] + ' ' + next(body_lines)[1].strip()
            if COMMAND.match(line):
                yield start, line


def run(command, folder, env):
    """What is wrong with command, or None."""
    process = subprocess.Popen(['bash', '-o', 'pipefail', '-c', command], cwd=folder, env=env,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        said = process.communicate(timeout=TIMEOUT_S)[0].decode(errors='replace')
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f'did not end in {TIMEOUT_S} s'
    if process.returncode != 0:
        return f'exit status {process.returncode}\n{said[-3000:]}'
    if TROUBLE.search(said):
        return f'logged trouble\n{said[-3000:]}'
    return None


def documents(root):
    paths = [os.path.join(root, 'README.md')]
    paths += sorted(glob.glob(os.path.join(root, 'docs', '**', '*.md'), recursive=True))
    return [p for p in paths if os.path.exists(p)]


def run_documents(root, folder, env):
    """Counts (ran, failed, left out) over all documents of root."""
    counts = {'ok': 0, 'FAILED': 0, 'left out': 0}
    scratch = os.path.join(folder, 'scratch')
    os.mkdir(scratch)
    if run(MAKE_VIDEO, scratch, env):
        print('cannot make video.mp4 (gstreamer1.0-libav, gstreamer1.0-plugins-good)')
    no_gl = os.environ.get('GLES_TEST_REQUIRE') != 'gl' and run(PROBE_GL, scratch, env)
    no_overlay = run('gst-inspect-1.0 --exists glesoverlay', scratch, env)
    for path in documents(root):
        with open(path, encoding='utf-8') as f:
            text = f.read()
        for number, command in commands(text):
            if no_overlay and 'glesoverlay' in command:
                outcome, why = 'left out', 'built without glesoverlay'
            elif no_gl and NEEDS_GL.search(command):
                outcome, why = 'left out', 'no OpenGL ES'
            else:
                why = run(command, scratch, env)
                outcome = 'FAILED' if why else 'ok'
            counts[outcome] += 1
            print(f'{outcome}: {os.path.relpath(path, root)}:{number}: {command}', why or '', flush=True)
    return counts['ok'] + counts['FAILED'], counts['FAILED'], counts['left out']


def environment(build, folder):
    env = dict(os.environ, GST_REGISTRY=os.path.join(folder, 'registry.bin'))
    for name, path in (('PATH', 'gst/tools'), ('PATH', 'bench'), ('GST_PLUGIN_PATH', 'gst/elements'), ('LD_LIBRARY_PATH', 'gst/gles')):
        env[name] = os.path.join(build, path) + os.pathsep + env.get(name, '')
    return env


def main(root, build):
    if os.environ.get('GLES_TEST_SANITIZE'):
        print('skipped: gst-launch-1.0 has no sanitizer in it, which the plugin needs')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        ran, failed, left_out = run_documents(root, folder, environment(build, folder))
    print(f'{ran} lines ran, {failed} failed, {left_out} left out')
    # without any, the documents have lost theirs, or this test looks in the wrong place
    sys.exit(1 if failed or ran == 0 else 0)


if __name__ == '__main__':
    main(*sys.argv[1:])
