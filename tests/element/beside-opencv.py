# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the lines of docs/beside-opencv.md, which print what the page says. Skips without OpenCV.

Argument: the source folder."""
import contextlib
import io
import os
import re
import sys

import lines

lines.need('GstGles')
try:
    import cv2  # noqa: F401
except ImportError as error:
    lines.skip(error)


def main(root):
    path = os.path.join(root, 'docs/beside-opencv.md')
    with open(path, encoding='utf-8') as file:
        blocks = re.findall(r'```python\n(.*?)```', file.read(), re.S)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(''.join(blocks), path, 'exec'), {})
    promised = re.findall(r'^print\(.*\) +# (.*)$', ''.join(blocks), re.M)
    assert len(blocks) == 6 and printed.getvalue().splitlines() == promised, printed.getvalue()
    print('the lines print what the page says')


main(sys.argv[1])
