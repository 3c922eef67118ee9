# SPDX-License-Identifier: LGPL-2.1-or-later
"""`meson install` into /usr, as root on a machine that is thrown away: found by GStreamer, pkg-config, the dynamic
linker and Python with nothing exported. Argument: the source folder. tests/element/installed.py has the checks."""
import importlib.util
import os
import sys
import tempfile


def main(root):
    path = os.path.join(root, 'tests', 'element', 'installed.py')
    spec = importlib.util.spec_from_file_location('installed', path)
    installed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(installed)
    env = {name: value for name, value in os.environ.items() if name not in installed.NOT_INHERITED}
    with tempfile.TemporaryDirectory() as folder:
        build = os.path.join(folder, 'build')
        env['GST_REGISTRY'] = os.path.join(folder, 'registry.bin')
        installed.run(['meson', 'setup', build, root, '--prefix=/usr'], env)
        installed.run(['meson', 'install', '-C', build], env)
        installed.check_plugin(env)
        installed.check_program(folder, env)
        installed.check_python(env)
        installed.run(['gst-gles-info-1.0'], env)
    print('usr: found by gst-inspect-1.0, C and Python')


if __name__ == '__main__':
    main(os.path.abspath(sys.argv[1]))
