# SPDX-License-Identifier: LGPL-2.1-or-later
"""What `meson setup && meson install` with no options leaves behind is small, complete, and found with the
variables that the README names: by gst-inspect-1.0, by a C program through pkg-config, and by Python.

Arguments: the source folder, whether there is introspection (true or false)."""
import json
import os
import re
import shutil
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
  g_autoptr (GstGlesDevice) device = NULL;

  gst_init (&argc, &argv);
  device = gst_gles_device_new ("cpu", NULL);
  g_print ("%s\n", gst_gles_device_get_id (device));
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
        block = re.search(r'```text\n(PREFIX=.*?)```', file.read(), re.S).group(1)
    block = re.sub(r'^PREFIX=.*$', f'PREFIX={prefix}', block, count=1, flags=re.M)
    found = run(['bash', '-ec', block + 'env -0'], env).split('\0')
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
    wanted = [f'gst-gles-{name}-1.0' for name in ('bench', 'bench-streams', 'info', 'report')]
    assert sorted(tools) == wanted and sorted(pages) == [f'{name}.1' for name in wanted], (tools, pages)
    headers = [name for _, _, files in os.walk(os.path.join(prefix, 'include')) for name in files]
    assert 'gles.h' in headers and 'layout.h' in headers
    private = [name for name in headers if 'private' in name or name == 'readback.h']
    assert not private, f'installed: {private}'
    flags = run(['pkg-config', '--cflags-only-I', 'gstreamer-gles-1.0'], env).split()
    ours = [flag for flag in flags if flag.startswith(f'-I{prefix}')]
    assert ours == [f'-I{prefix}/include/gstreamer-gles-1.0'], ours


def check_plugin(env):
    """The plugin finds the library by itself."""
    told = run(['gst-inspect-1.0', 'glescompute'], env)
    assert 'gleshistogram' in told, told
    origin = re.search(r'Origin URL\s+(.*)', told).group(1)
    assert 'nknown' not in origin, origin


def check_program(folder, env):
    with open(os.path.join(folder, 'program.c'), 'w', encoding='utf-8') as file:
        file.write(PROGRAM)
    flags = run(['pkg-config', '--cflags', '--libs', 'gstreamer-gles-1.0'], env).split()
    run(['cc', '-Wall', '-Werror', '-o', 'program', 'program.c', *flags], env, cwd=folder)
    assert run([os.path.join(folder, 'program')], env).strip() == 'cpu'


def check_python(env):
    process = subprocess.run([PYTHON, '-c', SCRIPT], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
    # gi/overrides is a folder of that name even without PyGObject
    if 'No module named' in process.stderr or "module 'gi' has no attribute" in process.stderr:
        print('skipped Python: no PyGObject')
        return
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
    folder = tempfile.mkdtemp()
    try:
        prefix, build = os.path.join(folder, 'prefix'), os.path.join(folder, 'build')
        base['GST_REGISTRY'] = os.path.join(folder, 'registry.bin')
        run(['meson', 'setup', build, root, f'--prefix={prefix}'], base)
        check_build(build, base)
        run(['meson', 'install', '-C', build], base)
        env = exports(root, prefix, base)
        check_files(prefix, with_only(env, base, 'PKG_CONFIG_PATH'))
        check_plugin(with_only(env, base, 'GST_PLUGIN_PATH'))
        check_program(folder, with_only(env, base, 'PKG_CONFIG_PATH', 'LD_LIBRARY_PATH'))
        if introspection == 'true':
            check_python(with_only(env, base, 'GI_TYPELIB_PATH', 'LD_LIBRARY_PATH', 'PYTHONPATH'))
        check_usr(build, folder, base, introspection)
    finally:
        shutil.rmtree(folder)
    print('installed: found by gst-inspect-1.0, C and Python')


if __name__ == '__main__':
    main(*sys.argv[1:])
