# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every public header compiles alone as C11, and all together as C++17, without a warning. One that has code for C++
only would have to compile alone as C++, too.

Arguments: root, the C compiler, the C++ compiler. Only the folder of the installed headers is
searched, so that one which needs a header that is not installed fails here."""
import os
import shutil
import subprocess
import tempfile

import common

WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wno-unused-function', '-Werror', '-fsyntax-only']


def dependency_flags():
    command = ['pkg-config', '--cflags', 'gstreamer-1.0', 'gstreamer-video-1.0']
    flags = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    # what other projects' headers warn about is not ours to mend
    return [f.replace('-I', '-isystem', 1) if f.startswith('-I') else f for f in flags]


def install(root, headers, target):
    for header in headers:
        os.makedirs(os.path.join(target, os.path.dirname(header)), exist_ok=True)
        shutil.copy(os.path.join(root, header), os.path.join(target, header))


def check(root, c_compiler='cc', cxx_compiler='c++', only=None):
    """only: the path of one header, in place of all."""
    if not shutil.which(cxx_compiler):
        raise common.Skip(f'no C++ compiler ({cxx_compiler})')
    complaints = []
    headers = [only] if only else common.public_headers(root)
    alone = [h for h in headers if '__cplusplus' in common.read(root, h)]
    units = [([h], c_compiler, 'c', 'c11') for h in headers]
    units += [(unit, cxx_compiler, 'c++', 'c++17') for unit in [headers, *([h] for h in alone)]]
    flags = dependency_flags()
    with tempfile.TemporaryDirectory() as folder:
        install(root, common.public_headers(root), folder)
        # shared with GLSL
        shared = os.path.join(folder, 'gst/gles/glsl')
        os.makedirs(shared, exist_ok=True)
        shutil.copy(os.path.join(root, 'glsl/lib/layout.h'), shared)
        for unit, compiler, language, standard in units:
            command = [*compiler.split(), '-x', language, f'-std={standard}', *WARNINGS, *flags, '-I', folder, '-']
            result = subprocess.run(command, input=''.join(f'#include <{header}>\n' for header in unit), text=True,
                                    capture_output=True)
            if result.returncode:
                complaints.append(f'{", ".join(unit)} as {standard}:\n{result.stderr}')
    return complaints


if __name__ == '__main__':
    common.main(check)
