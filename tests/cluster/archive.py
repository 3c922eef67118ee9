# SPDX-License-Identifier: LGPL-2.1-or-later
"""An archive on a Slurm of two nodes, one of which may be killed in the middle: the same bytes as serial runs.

Arguments: gst-gles-archive-1.0 and gst-gles-report-1.0 of the build; how many videos, and how many seconds each; "kill".
Slurm waits two minutes before it starts a task of a killed node again."""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'archive'))
from archives import H264, Archive  # noqa: E402
from slurm import Slurm, why_not  # noqa: E402

SKIPPED = 77
END_S = 240


def wait(slurm):
    """Until no job is left."""
    end = time.monotonic() + END_S
    while slurm.jobs():
        assert time.monotonic() < end, slurm.jobs()
        time.sleep(0.3)


def kill_in_the_middle(slurm, node):
    """Kills a node that is at a task; returns what it was at."""
    end = time.monotonic() + 30
    while True:
        at = [job for job, where, state in slurm.jobs() if where == node and state == 'RUNNING']
        if at:
            time.sleep(0.3)
            if slurm.kill(node) > 1:
                return at
        assert time.monotonic() < end, slurm.jobs()
        time.sleep(0.05)


def check(archive, slurm, videos, kill):
    print(archive.run('submit', 'run', '--engine', 'slurm').strip())
    if kill:
        print('killed node n2 at', *kill_in_the_middle(slurm, 'n2'), flush=True)
    wait(slurm)
    logs = ''.join(path.read_text() for path in sorted((archive.top / 'run' / 'log').iterdir()))
    assert f'{len(videos)} complete' in logs, logs
    archive.check('run', *videos)
    assert slurm.call('sinfo', '-h', '-n', 'n2', '-o', '%t').startswith('down' if kill else 'idle')
    print(f'{len(videos)} videos on two nodes: the bytes of serial runs')


def main(tool, reporter, n, seconds, kill=None):
    reason = why_not()
    if reason:
        print(reason)
        sys.exit(SKIPPED)
    # daemons that were told to stop may still write their state
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as top:
        archive = Archive(tool, reporter, top)
        line = f'-f lavfi -i testsrc2=s=640x360:r=25:d={seconds} {H264}'
        videos = [archive.make('0.mp4', line)]
        for number in range(1, int(n)):
            videos.append(archive.videos / f'{number}.mp4')
            os.link(videos[0], videos[-1])
        archive.run('plan', 'videos', '-o', 'run')
        # fewer tasks than units: each has several
        with Slurm(os.path.join(top, 'slurm'), array=max(2, int(n) // 2)) as slurm:
            archive.environment['SLURM_CONF'] = slurm.environment['SLURM_CONF']
            try:
                check(archive, slurm, videos, kill)
            except BaseException:
                for path in sorted((archive.top / 'run' / 'log').iterdir()):
                    print(path.name, path.read_text(), sep='\n')
                raise


if __name__ == '__main__':
    main(*sys.argv[1:])
