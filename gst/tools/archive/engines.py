# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clusters: what is handed to the scheduler that a site has. None of the scheduling is done here."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

from .folder import Stop, replacing

ENGINES = ('slurm', 'kubernetes')
DEFAULT_ARRAY = 1001  # Slurm's MaxArraySize where it cannot be asked
# pods of one Indexed Job are numbered up to this
MAX_COMPLETIONS = 100000
# to a scheduler a job that ends with another status than 0 has failed, and is to be started again
MERGE = ('merge', '--ignore-damage')


def tool():
    """The path of this program, as it was started."""
    return shutil.which(sys.argv[0]) or os.path.abspath(sys.argv[0])


def slurm_limit():
    """How many tasks an array may have."""
    try:
        said = subprocess.run(['scontrol', 'show', 'config'], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return DEFAULT_ARRAY
    match = re.search(r'^MaxArraySize\s*=\s*(\d+)', said, re.M)
    return int(match.group(1)) if match else DEFAULT_ARRAY


def _script(lines, *command):
    return '\n'.join(['#!/bin/sh', *lines, 'exec ' + shlex.join(command), ''])


def slurm_scripts(options, folder, tasks):
    """Scripts for the array and for the merge behind it."""
    log = folder.at('log')
    common = [f'#SBATCH {option}' for option in options.option]
    work = _script(['#SBATCH --job-name=gst-gles-archive', f'#SBATCH --array=0-{tasks - 1}', '#SBATCH --requeue',
                    '#SBATCH --ntasks=1', '#SBATCH --cpus-per-task=1', f'#SBATCH --output="{log}/slurm-%A_%a.txt"',
                    '#SBATCH --open-mode=append', *common], tool(), 'work', '--tasks', str(tasks), folder.path)
    merge = _script(['#SBATCH --job-name=gst-gles-archive-merge', '#SBATCH --requeue', '#SBATCH --ntasks=1',
                     '#SBATCH --cpus-per-task=1', f'#SBATCH --output="{log}/slurm-%j-merge.txt"',
                     '#SBATCH --open-mode=append', *common], tool(), *MERGE, folder.path)
    return work, merge


def _sbatch(*arguments):
    try:
        done = subprocess.run(['sbatch', '--parsable', *arguments], check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise Stop('sbatch is not in PATH: submit on a machine of the cluster, or use --print') from None
    except subprocess.CalledProcessError as error:
        raise Stop(f'sbatch: {error.stderr.strip()}') from error
    return done.stdout.strip().split(';')[0]


def submit_slurm(options, folder, plan, say):
    tasks = min(len(plan.units), slurm_limit(), options.tasks or len(plan.units))
    work, merge = slurm_scripts(options, folder, tasks)
    if options.only_print:
        print(f'{work}\n# behind it, with --dependency=afterany\n{merge}', end='')
        return
    names = folder.at('slurm-work.sh'), folder.at('slurm-merge.sh')
    for name, text in zip(names, (work, merge)):
        with replacing(name, 'w') as file:
            file.write(text)
    job = _sbatch(names[0])
    after = _sbatch(f'--dependency=afterany:{job}', names[1])
    say(f'job {job}: {tasks} tasks for {len(plan.units)} units; job {after}: the merge behind it')


def kubernetes_manifest(options, folder, tasks, name='gst-gles-archive'):
    """An Indexed Job of batch/v1, and the Job of the merge, which is to be created when the first has ended."""
    mount = options.mount or folder.path

    def job(job_name, arguments, **more):
        return {
            'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': job_name},
            'spec': {
                **more,
                'template': {'spec': {
                    'restartPolicy': 'OnFailure',
                    'containers': [{
                        'name': 'archive', 'image': options.image,
                        'command': ['gst-gles-archive-1.0', *arguments],
                        'resources': {'requests': {'cpu': '1', 'memory': '1Gi'}, 'limits': {'memory': '2Gi'}},
                        'volumeMounts': [{'name': 'archive', 'mountPath': mount}]}],
                    'volumes': [{'name': 'archive', 'persistentVolumeClaim': {'claimName': options.claim}}]}}}}

    work = job(name, ['work', '--tasks', str(tasks), folder.path], completionMode='Indexed', completions=tasks,
               parallelism=min(tasks, options.parallel or 10), backoffLimit=tasks * 2)
    return work, job(name + '-merge', [*MERGE, folder.path], backoffLimit=3)


def submit_kubernetes(options, folder, plan, say):
    if not options.image or not options.claim:
        raise Stop('kubernetes needs --image, with this tool in it, and --claim, a volume with RUN and the archive under '
                   'the same paths as here')
    tasks = min(len(plan.units), MAX_COMPLETIONS, options.tasks or len(plan.units))
    work, merge = (json.dumps(manifest, indent=2) for manifest in kubernetes_manifest(options, folder, tasks))
    if options.only_print:
        print(f'{work}\n---\n{merge}')
        return
    for text, name in ((work, 'kubernetes-work.json'), (merge, 'kubernetes-merge.json')):
        with replacing(folder.at(name), 'w') as file:
            file.write(text)
    try:
        subprocess.run(['kubectl', 'create', '-f', folder.at('kubernetes-work.json')], check=True)
    except FileNotFoundError:
        raise Stop('kubectl is not in PATH: use --print') from None
    except subprocess.CalledProcessError as error:
        raise Stop(f'kubectl ended with status {error.returncode}') from error
    say(f'{tasks} pods for {len(plan.units)} units. When the job has ended: '
        f'kubectl create -f {folder.at("kubernetes-merge.json")}')


def submit(options, folder, plan, say):
    {'slurm': submit_slurm, 'kubernetes': submit_kubernetes}[options.engine](options, folder, plan, say)
