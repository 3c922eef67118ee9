# SPDX-License-Identifier: LGPL-2.1-or-later
"""The notebook among the examples runs to its end, and leaves the plots that it is about. Skips without
jupyter-nbconvert, python3-ipykernel and python3-matplotlib, whose installation takes minutes: CI has none of them.

Argument: the source folder."""
import base64
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

NEEDED = {'nbconvert': 'jupyter-nbconvert', 'ipykernel': 'python3-ipykernel', 'matplotlib': 'python3-matplotlib',
          'numpy': 'python3-numpy', 'gi.repository': 'python3-gi'}
PLOTS = 3


def has(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:
        return False


def main(root):
    missing = [package for module, package in NEEDED.items() if not has(module)]
    if missing:
        print(f'left out: the notebook needs the Debian packages {" ".join(missing)}')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, MPLBACKEND='module://matplotlib_inline.backend_inline', IPYTHONDIR=folder,
                   MPLCONFIGDIR=folder, GST_GLES_DEVICE='cpu')
        env['PYTHONPATH'] = os.pathsep.join([os.path.join(root, 'examples'), env.get('PYTHONPATH', '')])
        env.pop('G_DEBUG', None)  # what Jupyter's libraries warn of is not ours
        subprocess.run([sys.executable, '-m', 'nbconvert', '--to', 'notebook', '--execute', '--output-dir', folder,
                        os.path.join(root, 'examples', 'gst-gles.ipynb')], check=True, env=env, cwd=folder)
        with open(os.path.join(folder, 'gst-gles.ipynb'), encoding='utf-8') as file:
            cells = json.load(file)['cells']
    outputs = [output for cell in cells for output in cell.get('outputs', [])]
    images = [output['data']['image/png'] for output in outputs if 'image/png' in output.get('data', {})]
    said = ''.join(''.join(output['text']) for output in outputs if output.get('name') == 'stdout')
    complaints = [output['text'] for output in outputs if output.get('name') == 'stderr']
    assert len(images) == PLOTS and all(len(base64.b64decode(image)) > 5000 for image in images), images
    assert not complaints, complaints
    assert 'points' in said and ' 0 points' not in said, said


if __name__ == '__main__':
    main(*sys.argv[1:])
