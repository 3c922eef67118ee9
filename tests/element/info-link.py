# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-info-1.0 prints the figures of the link that GST_GLES_LINK sets, and what they choose, of each device with
OpenGL ES; without them, only of GPUs.

Argument: the tool."""
import json
import os
import subprocess
import sys

FIGURES = {'mapped-read-gb-per-s': 48.3, 'copy-gb-per-s': 41.0, 'readback-gb-per-s': 53.8, 'transfer-gb-per-s': 0.0}
LINE = ('link: mapped reads 48.3 GB/s, copies 41.0 GB/s, readback 53.8 GB/s; '
        'frames in host memory are read in place if kernels read them once, else copied')


def run(setting, *arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=True,
                          env=os.environ | {'GST_GLES_LINK': setting, 'LC_ALL': 'C'}).stdout


def links(setting):
    """Kind and link of each device that can be used."""
    devices = json.loads(run(setting, '--json'))['devices']
    return [(d['kind'], d.get('link')) for d in devices if 'refused' not in d]


def main():
    found = links('mapped:48.3,copy:41,readback:53.8')
    for kind, link in found:
        print(kind, link)
        assert (link is None) == (kind == 'cpu'), 'a device with OpenGL ES has a link'
        assert link is None or FIGURES.items() <= link.items(), FIGURES
    n_links = sum(kind != 'cpu' for kind, _ in found)
    assert run('mapped:48.3,copy:41,readback:53.8').count(LINE) == n_links, f'{n_links} times "{LINE}"'
    assert run('mapped:10.8,copy:10,transfer:51').count('; frames in host memory are copied by an engine') == n_links
    assert run('mapped:10.8,copy:51').count('; frames in host memory are copied') == n_links
    assert all((link is None) == (kind != 'hardware') for kind, link in links('')), links('')


main()
