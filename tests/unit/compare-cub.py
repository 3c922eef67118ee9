# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/bench/compare-cub without CUDA: a peer that answers what our tool does, in half the time or with
another result.

Arguments: the tool, the source root."""
import os
import sys
import tempfile

import bench_tool
from bench_tool import check, read_json

PEER = """#!{python}
import json, os, subprocess, sys
report = json.loads(subprocess.run(['{tool}', '--device', 'cpu', '--no-baselines', '--json-file', '-',
                                    *sys.argv[1:]], stdout=subprocess.PIPE).stdout)
wrong = int(os.environ.get('WRONG', 0))
print(json.dumps({{'cub_version': 300001, 'cuda_runtime': 13000, 'device': 'none', 'l2_bytes': 20000,
                   'rotate': 2, 'floor_ns': 1.0, 'results': [
    {{'experiment': r['experiment'], 'input': r.get('input', 'random'), 'n': r['n'],
      'gpu_ns': {{'median': r['wall_ns']['median'] / 2}}, 'checksum': int(r['checksum']) + wrong}}
    for r in report['results']]}}))
"""

tool, root = sys.argv[1:3]


def run(peer, *arguments, **environment):
    return bench_tool.run(
        sys.executable, os.path.join(root, 'tests/bench/compare-cub'), '--peer', peer, '--rounds', '2', '--runs', '2',
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
