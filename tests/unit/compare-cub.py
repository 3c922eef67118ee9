# SPDX-License-Identifier: LGPL-2.1-or-later
"""bench/compare/cub without CUDA: a peer that answers what our tool does, in half the time or with
another result.

Arguments: the tool, the source root."""
import os
import sys
import tempfile

import bench_tool
from bench_tool import check, read_json

PEER = """#!{python}
import json, os, subprocess, sys
experiment, n, kind, rotate, runs = sys.argv[1:]
kinds = ['random', 'and-2', 'and-3', 'and-4', 'and-5', 'equal']
result = json.loads(subprocess.run(
    ['{tool}', '--device', 'cpu', '--no-baselines', '--json-file', '-', '--sizes', n, '--inputs', kinds[int(kind)],
     '--rotate', rotate, '--runs', runs, experiment], stdout=subprocess.PIPE).stdout)['results'][0]
print(json.dumps({{'cub_version': 300001, 'cuda_runtime': 13000, 'device': 'none', 'l2_bytes': 20000,
                   'floor_ns': [1.0], 'gpu_ns': [result['wall_ns']['median'] / 2] * int(runs),
                   'checksum': int(result['checksum']) + int(os.environ.get('WRONG', 0))}}))
"""

tool, root = sys.argv[1:3]


def run(peer, *arguments, **environment):
    return bench_tool.run(
        sys.executable, os.path.join(root, 'bench/compare/cub'), '--peer', peer, '--rounds', '2', '--runs', '2',
        '--rotate', '2', *arguments, GST_GLES_BENCH=tool, GST_GLES_DEVICE='cpu', **environment)


def main():
    with tempfile.TemporaryDirectory() as folder:
        peer, report = os.path.join(folder, 'peer'), os.path.join(folder, 'report.json')
        with open(peer, 'w', encoding='utf-8') as file:
            file.write(PEER.format(python=sys.executable, tool=tool))
        os.chmod(peer, 0o755)
        result = run(peer, '--sizes', '1K,10K', '--splats', '500', '--json-file', report, 'scan',
                     'sort-pairs', 'histogram-1024', 'tiles')
        check(result.returncode == 0, 'results are the same', result)
        for name, n in (('scan', 2), ('sort-pairs', 5), ('histogram-1024', 5), ('tiles', 1)):
            rows = [line for line in result.stdout.splitlines() if line.startswith(f'{name} ')]
            check(len(rows) >= n, f'{n} rows of {name}', result)
        check('slowest input' in result.stdout, 'inputs are compared', result)
        check(' L2' in result.stdout, 'what fits the cache is marked', result)
        cases = read_json(report)['cases']
        check(len(cases) == 11 and all(len(c['ours_ns']) == 2 and c['ratio'] > 0 for c in cases),
              'the JSON has two rounds of all', result)
        result = run(peer, '--sizes', '1K', 'scan', WRONG='1')
        check(result.returncode == 1 and 'RESULTS DIFFER' in result.stdout, 'other results', result)
        result = run(peer, 'nonsense')
        check(result.returncode == 2, 'no such experiment', result)


main()
