# SPDX-License-Identifier: LGPL-2.1-or-later
"""What `meson setup && meson install` with no options leaves behind is small, complete, and found with the
variables that the README names: by gst-inspect-1.0, by a C program through pkg-config, by the plugin of
examples/own-element, which has a kernel of its own, and by Python.

Arguments: the source folder, whether there is introspection (true or false)."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

PYTHON = '/usr/bin/python3' if os.path.exists('/usr/bin/python3') else sys.executable
# what this test's own environment says of the build that it is part of
NOT_INHERITED = ('GST_PLUGIN_PATH', 'GST_REGISTRY', 'LD_LIBRARY_PATH', 'GI_TYPELIB_PATH', 'PKG_CONFIG_PATH', 'PYTHONPATH',
                 'GLES_TEST_BUILD_ROOT', 'DESTDIR', 'MESON_BUILD_ROOT')
PROGRAM = r"""
#include <gst/gles/gles.h>

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_print ("%s\n", gst_gles_device_get_id (gst_gles_device_new ("cpu", NULL)));
  return 0;
}
"""
SCRIPT = """
import gi
gi.require_version('Gst', '1.0')
gi.require_version('GstGles', '1.0')
from gi.repository import Gst, GstGles
Gst.init(None)
print(GstGles.Device.new('cpu').get_id(), hasattr(GstGles.Buffer, 'from_array'))
"""


def run(command, env, **options):
    process = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             **options)
    assert process.returncode == 0, f'{command}: {process.returncode}\n{process.stdout}'
    return process.stdout


def exports(root, prefix, env):
    """The environment that the README's lines make, below prefix."""
    with open(os.path.join(root, 'README.md'), encoding='utf-8') as file:
        block = re.search(r'```text\nPREFIX=.*?\n(.*?)```', file.read(), re.S).group(1)
    found = run(['bash', '-ec', f'PREFIX={prefix}\n{block}env -0'], env).split('\0')
    return dict(line.split('=', 1) for line in found if '=' in line)


def with_only(env, base, *names):
    return base | {name: env[name] for name in names}


def check_build(build, env):
    """No option was given: nothing is built that is not installed."""
    targets = json.loads(run(['meson', 'introspect', '--targets', build], env))
    extra = [t['name'] for t in targets
             if re.search(r'/(tests|examples)/', t['defined_in']) or t['name'] == 'shader-check']
    assert not extra, f'built without being asked for: {extra}'


def check_files(prefix, env):
    tools = os.listdir(os.path.join(prefix, 'bin'))
    pages = os.listdir(os.path.join(prefix, 'share', 'man', 'man1'))
    wanted = [f'gst-gles-{name}-1.0' for name in ('archive', 'bench', 'bench-streams', 'info', 'report', 'watch')]
    assert sorted(tools) == wanted and sorted(pages) == [f'{name}.1' for name in wanted], (tools, pages)
    headers = [name for _, _, files in os.walk(os.path.join(prefix, 'include')) for name in files]
    assert 'gles.h' in headers and 'layout.h' in headers
    private = [name for name in headers if 'private' in name or name in ('program.h', 'source-info.h', 'readback-info.h')]
    assert not private, f'installed: {private}'
    flags = run(['pkg-config', '--cflags-only-I', 'gst-gles-1.0'], env).split()
    ours = [flag for flag in flags if flag.startswith(f'-I{prefix}')]
    assert ours == [f'-I{prefix}/include/gst-gles-1.0'], ours


def check_plugin(env):
    """The plugin finds the library by itself. No option says where it comes from."""
    told = run(['gst-inspect-1.0', 'glescompute'], env)
    assert 'gleshistogram' in told, told
    assert re.search(r'Origin URL\s+(.*)', told).group(1) == 'Unknown package origin', told


def check_program(folder, env):
    with open(os.path.join(folder, 'program.c'), 'w', encoding='utf-8') as file:
        file.write(PROGRAM)
    flags = run(['pkg-config', '--cflags', '--libs', 'gst-gles-1.0'], env).split()
    run(['cc', '-Wall', '-Werror', '-o', 'program', 'program.c', *flags], env, cwd=folder)
    assert run([os.path.join(folder, 'program')], env).strip() == 'cpu'


# formats of rawvideoparse: bytes of a pixel, the component that is looked at, and where its sample is in the pixel
FORMATS = {'gray8': (1, 0, slice(0, 1)), 'rgb': (3, 2, slice(2, 3)), 'gray16-be': (2, 0, slice(0, 2))}
WIDTH, HEIGHT, FRAMES = 36, 21, 3


def brightest(pixels, size, sample):
    """What brightest-print says of each frame."""
    for frame in range(FRAMES):
        values = [int.from_bytes(pixels[at:at + size][sample], 'big')
                  for at in range(frame * WIDTH * HEIGHT * size, (frame + 1) * WIDTH * HEIGHT * size, size)]
        place = values.index(max(values))
        yield f'{place % WIDTH},{place // WIDTH}: {max(values)}'


def check_own_element(root, folder, env):
    """A plugin with a kernel of its own is built against what is installed, and finds what is in the pixels."""
    source, build = os.path.join(root, 'examples/own-element'), os.path.join(folder, 'own')
    run(['meson', 'setup', '-Dwerror=true', build, source], env)
    run(['meson', 'compile', '-C', build], env)
    env = env | {'GST_PLUGIN_PATH': f'{build}:{env["GST_PLUGIN_PATH"]}'}

    def play(line, **more):
        return subprocess.run([os.path.join(build, 'brightest-print'), line], env=env | more, capture_output=True, text=True)

    for device in ('cpu', 'software'):
        for name, (size, component, sample) in FORMATS.items():
            # few values, so that several places have the largest one
            pixels = bytes(random.Random(size).randrange(4) for _ in range(FRAMES * WIDTH * HEIGHT * size))
            with open(os.path.join(folder, 'pixels'), 'wb') as file:
                file.write(pixels)
            line = (f'filesrc location={folder}/pixels blocksize={WIDTH * HEIGHT * size} ! rawvideoparse format={name} '
                    f'width={WIDTH} height={HEIGHT} ! brightest device={device} validate=true component=')
            played = play(f'{line}{component}')
            if device == 'software' and 'device' in played.stderr and env.get('GLES_TEST_REQUIRE') != 'gl':
                print(f'left out: {played.stderr}')
                return
            assert played.returncode == 0 and played.stdout.split('\n')[:-1] == list(brightest(pixels, size, sample)), \
                f'{device}, {name}: {played}'
            assert 'component=3' in play(f'{line}3').stderr
    # a kernel that is wrong is found by validate
    kernel = 'own_brightest.comp'
    with open(os.path.join(source, kernel), encoding='utf-8') as file:
        text = file.read()
    os.mkdir(os.path.join(folder, 'wrong'))
    with open(os.path.join(folder, 'wrong', kernel), 'w', encoding='utf-8') as file:
        file.write(text.replace('min (first, i)', 'i'))
    played = play(f'{line}0', G_RESOURCE_OVERLAYS=f'/gst-gles-compute/glsl/own={folder}/wrong')
    assert played.returncode == 1 and 'validation: frame 0' in played.stderr, played


def check_python(env):
    process = subprocess.run([PYTHON, '-c', SCRIPT], env=env, capture_output=True, text=True)
    # gi/overrides is a folder of that name even without PyGObject
    if re.search("No module named|module 'gi' has no attribute", process.stderr):
        print('skipped Python: no PyGObject')
    else:
        assert process.stdout.strip() == 'cpu True', process.stdout + process.stderr


def check_usr(build, folder, base, introspection):
    """In the system's own folders no path to the library is written into what is installed."""
    stage = os.path.join(folder, 'stage')
    run(['meson', 'configure', build, '-Dprefix=/usr'], base)
    run(['meson', 'install', '-C', build], base | {'DESTDIR': stage})
    plugins = [os.path.join(path, name) for path, _, files in os.walk(stage) for name in files
               if name == 'libgstglescompute.so']
    assert len(plugins) == 1, plugins
    overrides = os.path.join(stage, 'usr/lib/python3/dist-packages/gi/overrides/GstGles.py')
    if introspection == 'true' and os.path.exists('/etc/debian_version'):
        assert os.path.exists(overrides), 'Debian\'s Python would not find the override'
    dynamic = run(['readelf', '-d', plugins[0]], base)
    assert 'RUNPATH' not in dynamic and 'RPATH' not in dynamic, dynamic


def main(root, introspection):
    base = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    with tempfile.TemporaryDirectory() as folder:
        prefix, build = os.path.join(folder, 'prefix'), os.path.join(folder, 'build')
        base['GST_REGISTRY'] = os.path.join(folder, 'registry.bin')
        # the folder's name, which differs in each run, is no reason for ccache to compile again
        base['CCACHE_NOHASHDIR'] = '1'
        run(['meson', 'setup', build, root, f'--prefix={prefix}'], base)
        check_build(build, base)
        run(['meson', 'install', '-C', build], base)
        env = exports(root, prefix, base)
        check_files(prefix, with_only(env, base, 'PKG_CONFIG_PATH'))
        check_plugin(with_only(env, base, 'GST_PLUGIN_PATH'))
        check_program(folder, with_only(env, base, 'PKG_CONFIG_PATH', 'LD_LIBRARY_PATH'))
        check_own_element(root, folder, with_only(env, base, 'PKG_CONFIG_PATH', 'LD_LIBRARY_PATH', 'GST_PLUGIN_PATH'))
        if introspection == 'true':
            check_python(with_only(env, base, 'GI_TYPELIB_PATH', 'LD_LIBRARY_PATH', 'PYTHONPATH'))
        check_usr(build, folder, base, introspection)
    print('installed: found by gst-inspect-1.0, C, a plugin with a kernel of its own, and Python')


if __name__ == '__main__':
    main(*sys.argv[1:])
