#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cameras of gst-gles-watch-1.0 that the processor decodes are spread over the GPUs, for which software renderers stand,
and --once says which camera is where. A GPU's elements are counted as they are opened, so cameras that begin at once may
be spread unevenly."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
N_CAMERAS = 4
CONFIG = ''.join(f'[camera c{i}]\nuri=test:ball\n' for i in range(N_CAMERAS))

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / 'watch.conf').write_text(CONFIG + '[publish file]\nmethod=file\naddress=lines\n')
    told = subprocess.run([PROGRAM, '--once', 'watch.conf'], cwd=folder, text=True, timeout=200, check=True,
                          stdout=subprocess.PIPE, env=os.environ | {'GST_GLES_TEST_GPUS': 'egl:0,surfaceless'}).stdout

devices = re.findall(r'^c\d: .* analysed on .* \(([\w:]+)\), ', told, re.M)
if devices == ['cpu'] * N_CAMERAS and os.environ.get('GLES_TEST_REQUIRE') != 'gl':
    sys.exit(77)
if len(devices) != N_CAMERAS or set(devices) != {'egl:0', 'surfaceless'}:
    sys.exit(f'not spread over both GPUs: {told}')
