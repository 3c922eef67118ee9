# SPDX-License-Identifier: LGPL-2.1-or-later
"""A real Slurm on this machine: munged, slurmctld and a slurmd for each node, from Debian's slurm-wlm and munge, as root.

Nodes have one CPU each. There are no accounting and no cgroups."""
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = 'munged', 'slurmctld', 'slurmd', 'sbatch', 'squeue', 'sinfo', 'scontrol'
TIMEOUT_S = 6  # after which the controller holds a node that does not answer for lost
SETTINGS = '''ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={top}/munge/socket
CryptoType=crypto/munge
StateSaveLocation={top}/state
SlurmctldPidFile={top}/slurmctld.pid
SlurmdPidFile={top}/slurmd-%n.pid
SlurmdSpoolDir={top}/spool-%n
SlurmctldLogFile={top}/slurmctld.log
SlurmdLogFile={top}/slurmd-%n.log
SlurmctldPort={port}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdTimeout={timeout}
SlurmctldTimeout={timeout}
MpiDefault=none
MaxArraySize={array}
'''


def why_not():
    """Why there can be no cluster here, or None."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        return f'{missing[0]} is not installed: on Debian, apt install slurm-wlm munge'
    return None if os.getuid() == 0 else 'Slurm with several nodes on one machine needs root'


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


class Slurm:
    """Runs from the beginning to the end of a `with` block. environment is for what talks to it."""

    def __init__(self, top, nodes=2, array=1001):
        self.top, self.nodes = Path(top), [f'n{number}' for number in range(1, nodes + 1)]
        host = socket.gethostname().split('.')[0]
        lines = [f'NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={free_port()} CPUs=1 State=UNKNOWN\n'
                 for node in self.nodes]
        for name in ('state', 'munge', *(f'spool-{node}' for node in self.nodes)):
            (self.top / name).mkdir(parents=True)
        self.top.chmod(0o755)
        key = self.top / 'munge' / 'key'
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        settings = self.top / 'slurm.conf'
        settings.write_text(SETTINGS.format(host=host, top=self.top, port=free_port(), timeout=TIMEOUT_S, array=array) +
                            ''.join(lines) + 'PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n')
        self.environment = {**os.environ, 'SLURM_CONF': str(settings)}

    def __enter__(self):
        munge = self.top / 'munge'
        self.call('munged', '--force', f'--key-file={munge}/key', f'--socket={munge}/socket',
                  f'--pid-file={self.top}/munged.pid', f'--log-file={munge}/log', f'--seed-file={munge}/seed')
        self.call('slurmctld', '-c')
        for node in self.nodes:
            self.call('slurmd', '-N', node, '-c')
        end = time.monotonic() + 30
        while self.call('sinfo', '-h', '-o', '%t').split() != ['idle']:
            assert time.monotonic() < end, self.call('sinfo')
            time.sleep(0.2)
        return self

    def __exit__(self, *_):
        for path in self.top.glob('*.pid'):
            with contextlib.suppress(ProcessLookupError, ValueError):
                os.kill(int(path.read_text()), signal.SIGTERM)

    def call(self, *command):
        return subprocess.run(command, env=self.environment, check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=60).stdout

    def jobs(self):
        """Lists of the id, the node and the state of each task that has not ended."""
        return [line.split('|') for line in self.call('squeue', '-h', '-r', '-o', '%i|%N|%T').splitlines()]

    def kill(self, node):
        """Kills a node: its slurmd and all that runs under it."""
        daemon = int((self.top / f'slurmd-{node}.pid').read_text())
        mark, ours = f'SLURMD_NODENAME={node}'.encode(), f'SLURM_CONF={self.top}/slurm.conf'.encode()
        doomed = {daemon}
        for path in Path('/proc').glob('[0-9]*/environ'):
            with contextlib.suppress(OSError):
                words = path.read_bytes().split(b'\0')
                if mark in words and ours in words:
                    doomed.add(int(path.parent.name))
                    # slurmstepd, whose child the task is
                    parent = int((path.parent / 'stat').read_text().rpartition(') ')[2].split()[1])
                    if 'slurmstepd' in (Path('/proc') / str(parent) / 'cmdline').read_text():
                        doomed.add(parent)
        for process in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return len(doomed)
