# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-info-1.0 says of each device how it reads each memory of frames, or why it does not and which element
to put before; what it says agrees with the caps that the element offers on that device.

Argument: the tool."""
import re
import subprocess
import sys

import lines  # noqa: F401  (initialises GStreamer)
from gi.repository import Gst

NAMES = ['memory:SystemMemory', 'memory:DMABuf', 'memory:GLMemory', 'memory:CUDAMemory']
ADVICE = {'memory:GLMemory': 'gldownload', 'memory:CUDAMemory': 'cudadownload'}


def read_devices(tool):
    """What is said about memory, by device."""
    text = subprocess.run([tool], capture_output=True, text=True, check=True).stdout
    devices, device = {}, None
    for line in text.splitlines():
        heading = re.match(r'(\S+): (hardware|software|cpu)$', line)
        device = heading.group(1) if heading else device
        memory = re.match(r' +(memory:\w+) +(\S.*)', line)
        if memory:
            devices.setdefault(device, {})[memory.group(1)] = memory.group(2)
    return devices


def offered(device):
    """The features of the caps that the element offers on @device."""
    element = Gst.ElementFactory.make('gleshistogram', None)
    element.set_property('device', device)
    assert element.set_state(Gst.State.READY) != Gst.StateChangeReturn.FAILURE, device
    caps = element.get_static_pad('sink').query_caps(None)
    features = {caps.get_features(i).to_string() for i in range(caps.get_size())}
    element.set_state(Gst.State.NULL)
    return features


def main():
    devices = read_devices(sys.argv[1])
    assert 'cpu' in devices, devices
    for device, memories in devices.items():
        assert list(memories) == NAMES, f'{device}: {memories}'
        features = offered(device)
        for name, words in memories.items():
            reads = not words.startswith('no: ')
            print(f'{device}, {name}: {words}')
            assert reads == (name in features), f'{device} offers {features}'
            assert reads or ADVICE[name] in words, words
            assert device != 'cpu' or name != 'memory:GLMemory' or 'device=software' in words, words


main()
