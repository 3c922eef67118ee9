# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is handed to clusters, without one: scripts of Slurm, and manifests of Kubernetes, which are compared with the
types of Debian's python3-kubernetes, made from the API's OpenAPI description, where it is installed.

Arguments: gst-gles-archive-1.0 and gst-gles-report-1.0 of the build."""
import json
import re
import subprocess
import sys
import tempfile

from archives import Archive

KUBERNETES = ('submit', 'run', '--engine', 'kubernetes')


def check_slurm(archive):
    archive.environment['PATH'] = '/nowhere'  # no scontrol, no sbatch
    archive.run('plan', 'videos', '-o', 'run')
    said = archive.run('submit', 'run', '--engine', 'slurm', '--print', '--option=--partition=long', '--tasks', 2)
    work, merge = said.split('# behind it, with --dependency=afterany\n')
    for script, command in ((work, 'work --tasks 2'), (merge, 'merge --ignore-damage')):
        subprocess.run(['/bin/sh', '-n'], input=script, check=True, text=True)
        assert script.startswith('#!/bin/sh\n') and '\n#SBATCH --partition=long\n' in script
        assert re.search(rf'^exec \S+ {command} \S+/run$', script, re.M), script
    assert '#SBATCH --array=0-1\n' in work and '#SBATCH --requeue\n' in work and '--array' not in merge
    assert '--array=0-2\n' in archive.run('submit', 'run', '--engine', 'slurm', '--print')
    assert 'sbatch is not in PATH' in archive.run('submit', 'run', '--engine', 'slurm', status=1)


def check_type(models, name, value, where):
    """Every member has the name and the type that the API gives it."""
    match = re.fullmatch(r'list\[(.*)\]', name)
    if match:
        assert isinstance(value, list), where
        for item in value:
            check_type(models, match.group(1), item, where)
        return
    if re.match(r'dict\(', name):
        assert all(isinstance(item, str) for item in value.values()), where
        return
    if name in ('str', 'int', 'bool'):
        assert type(value).__name__ == name, f'{where}: {value!r} is no {name}'
        return
    model = getattr(models, name)
    names = {json_name: member for member, json_name in model.attribute_map.items()}
    for member, item in value.items():
        assert member in names, f'{where} has no {member}'
        check_type(models, model.openapi_types[names[member]], item, f'{where}.{member}')
    # the constructor refuses a member that is required and not there
    model(**{names[member]: item for member, item in value.items()})


def check_kubernetes(archive):
    assert '--image' in archive.run(*KUBERNETES, '--print', status=1)
    said = archive.run(*KUBERNETES, '--print', '--image', 'registry.example.org/gles:1', '--claim', 'films', '--mount',
                       archive.top, '--parallel', 50)
    work, merge = map(json.loads, said.split('\n---\n'))
    spec = work['spec']
    assert (spec['completionMode'], spec['completions'], spec['parallelism']) == ('Indexed', 3, 3), spec
    assert merge['spec']['template']['spec']['containers'][0]['command'][1:3] == ['merge', '--ignore-damage'], merge
    assert 'kubectl is not in PATH' in archive.run(*KUBERNETES, '--image', 'x', '--claim', 'y', status=1)
    try:
        from kubernetes.client import models
    except ImportError:
        print('python3-kubernetes is not installed: manifests were not compared with the API')
        return
    for manifest in work, merge:
        check_type(models, 'V1Job', manifest, 'Job')
    for wrong in ({'completion': 3}, {'completions': '3'}, {'template': {'spec': {}}}):
        try:
            check_type(models, 'V1Job', {**work, 'spec': {**spec, **wrong}}, 'Job')
        except (AssertionError, ValueError):
            continue
        raise AssertionError(f'{wrong} was not found')


def main(tool, reporter):
    with tempfile.TemporaryDirectory() as top:
        archive = Archive(tool, reporter, top)
        for name in 'abc':
            archive.make(f'{name}.mp4', '-f lavfi -i testsrc=s=96x64:r=25:d=1 -c:v mpeg4')
        check_slurm(archive)
        check_kubernetes(archive)


if __name__ == '__main__':
    main(*sys.argv[1:])
