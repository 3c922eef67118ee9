# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-report-1.0 as a child process: which program, its version, and the arguments of each kind of unit."""
import hashlib
import os
import shutil
import subprocess

from .folder import Stop

NAME = 'gst-gles-report-1.0'
# what it analyses with; a change of it changes the ids of all units
PIPELINE = 'gleshistogram emd=true mad=true mad-noise=0.001 ! glesevents ! glesjson'


def program():
    """Path of the report. GST_GLES_REPORT names another one."""
    found = shutil.which(os.environ.get('GST_GLES_REPORT', NAME))
    if found is None:
        raise Stop(f'{NAME} is not in PATH: on Debian it is in the package gst-gles-tools')
    return found


def version():
    said = subprocess.run([program(), '--version'], check=True, capture_output=True, text=True).stdout
    return said.strip()


def stream_id(name):
    """What ids of streams are made of: the same wherever the archive is mounted."""
    return hashlib.sha256(os.fsencode(name)).hexdigest()


def arguments(plan, unit, place):
    """The command line that writes a unit's lines to standard output, and the device that analyses it to the file @place."""
    common = [program(), '--quiet', '--no-page', '--stream-id', stream_id(unit.file), *plan.settings]
    output = '/dev/stdout'
    if unit.kind == 'sound':
        return [*common, '--only-sound', '--ndjson', output, unit.path]
    common += ['--tell-device', place, '--replayable', '--ndjson', output]
    if unit.kind == 'part':
        stop = '' if unit.stop is None else unit.stop
        return [*common, '--part', f'{unit.start},{stop}', '--no-sound', unit.path]
    return [*common, unit.path]
