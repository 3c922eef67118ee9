# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-bench-1.0: every experiment runs on a device and agrees with its twin; JSON and CSV can be
read; tables fit 100 columns; a wrong kernel is a failed run; bad arguments are refused.

Arguments: the tool, a device, the source root."""
import json
import os
import sys
import tempfile

import bench_tool
from bench_tool import check, read_json

EXPERIMENTS = {
    'reduce', 'reduce-f32', 'scan', 'scan-segmented', 'compact', 'histogram-256', 'histogram-1024', 'histogram-65536', 'sort-keys', 'sort-pairs', 'sort-u64', 'sort-float',
    'top-k', 'group-by', 'matmul', 'copy', 'tiles', 'tiles-culled', 'sort-hybrid', 'frame-histogram',
    'frame-compact', 'frame-submit', 'frame-latency', 'components',
    'comp-noise-10', 'comp-blobs', 'comp-full', 'comp-spiral', 'comp-comb', 'comp-serpentine'}
INPUTS = ['random', 'and-2', 'and-3', 'and-4', 'and-5', 'equal', 'sorted', 'reversed', 'alternating', 'outlier']

tool, device, root = sys.argv[1:4]


def run(*arguments, **environment):
    return bench_tool.run(tool, *arguments, **environment)


def check_list():
    result = run('--list')
    names = {line.split()[0] for line in result.stdout.splitlines()}
    check(result.returncode == 0 and EXPERIMENTS <= names,
          f'--list names them all; missing: {EXPERIMENTS - names}', result)
    return names


def check_all(names, folder):
    json_file, csv_file = os.path.join(folder, 'b.json'), os.path.join(folder, 'b.csv')
    result = run('--device', device, '--sizes', '10K', '--runs', '2', '--warmup', '1', '--profile',
                 '--json-file', json_file, '--csv-file', csv_file)
    bench_tool.check_columns(result, f'all of it runs on {device}')
    check('\r' not in result.stderr, 'no progress where there is no terminal', result)
    report = read_json(json_file)
    for key in ('timestamp', 'device', 'description', 'cpu', 'cpu_threads', 'kernel', 'version'):
        check(report.get(key), f'the JSON says "{key}"')
    check({r['experiment'] for r in report['results']} == names, 'the JSON has every experiment')
    for r in report['results']:
        check(r['valid'] and r['wall_ns']['median'] > 0, f'{r["experiment"]} is valid: {r}')
        check(r['wall_ns']['min'] <= r['wall_ns']['median'] <= r['wall_ns']['max'], f'order: {r}')
        check(r['wall_ns']['runs'] + r['wall_ns']['outliers'] == 2, f'two runs: {r}')
    rows = bench_tool.read_csv(csv_file)
    check(len(rows) == len(report['results']) and {r['experiment'] for r in rows} == names,
          'the CSV has a row for each result')


def check_same_inputs():
    """The checksum of a result depends on the input alone, and on all of it."""
    def checksum(*arguments):
        result = run('--device', device, '--runs', '1', '--no-baselines', '--json-file', '-', *arguments, 'scan')
        return json.loads(result.stdout)['results'][0]['checksum']

    check(checksum('--sizes', '10K') == checksum('--sizes', '10000'), 'the same input twice')
    check(checksum('--sizes', '10K') != checksum('--sizes', '10K', '--inputs', 'and-3'), '--inputs changes the input')
    check(checksum('--sizes', '10K', '--inputs', 'and-3', '--rotate', '3') ==
          checksum('--sizes', '10K', '--inputs', 'and-3'), 'copies have the same result')


def check_inputs(folder):
    json_file = os.path.join(folder, 'inputs.json')
    result = run('--device', device, '--sizes', '1000', '--runs', '2', '--inputs', 'all', '--no-baselines', '--rotate',
                 '2', '--json-file', json_file, 'sort-keys', 'sort-u64', 'histogram-256', 'histogram-1024')
    bench_tool.check_columns(result, 'every input')
    for name in ('sort-keys', 'histogram-1024'):
        of_name = [r for r in read_json(json_file)['results'] if r['experiment'] == name]
        check([r['input'] for r in of_name] == INPUTS, f'{name} has all inputs')
        check(len({r['checksum'] for r in of_name}) >= len(INPUTS) - 1, f'{name}: inputs differ')


# experiment, kernel, what is replaced in it and by what
WRONG = [
    # right at first, wrong once the target has been written: what only timed launches show
    ('copy', 'bench/bench_copy.comp', {
        'writeonly': '',
        '= source[i];': '= source[i] + uvec4 (source[i] != uvec4 (0u) && '
                        'target[i].x - source[i].x <= 1u ? 1u : 0u);'}),
    # writes in the first launches only, which it counts in a word behind the output
    ('copy', 'bench/bench_copy.comp', {
        'writeonly': '', 'target[i] = source[i];':
        'if (target[params.n_rows - 1u].y < 6u) target[i] = uvec4 (source[i].x, i + 1u < params.n_rows ? '
        'source[i].y : target[i].y + 1u, source[i].zw);'}),
    ('group-by', 'segments/segments_lengths.comp', {'scratch[i + 1u] - start;':
                                           'scratch[i + 1u] - start + (i == 7u ? 1u : 0u);'}),
]


def check_wrong_kernels(folder):
    for experiment, kernel, changes in WRONG:
        with open(os.path.join(root, 'glsl', kernel), encoding='utf-8') as file:
            source = file.read()
        for old, new in changes.items():
            check(old in source, f'{kernel} could be spoilt')
            source = source.replace(old, new)
        path = os.path.join(folder, os.path.basename(kernel))
        with open(path, 'w', encoding='utf-8') as file:
            file.write(source)
        # what goes wrong when the target has been written needs a second launch: without a warm-up a run has twenty
        result = run('--device', device, '--sizes', '1001', '--runs', '2', '--warmup', '0', '--json-file',
                     os.path.join(folder, 'wrong.json'), experiment,
                     G_RESOURCE_OVERLAYS=f'/gst-gles-compute/glsl/{kernel}={path}')
        check(result.returncode == 1 and 'WRONG' in result.stdout and 'WRONG' in result.stderr,
              f'a wrong result of {experiment} is a failed run', result)
        wrong = read_json(os.path.join(folder, 'wrong.json'))['results'][0]
        check(not wrong['valid'] and 'WRONG' in wrong['error'] and 'wall_ns' not in wrong,
              'the JSON says so and has no times')


def check_refused():
    """What does not fit into the host's memory is said to be so, and is not tried."""
    with open('/proc/meminfo', encoding='utf-8') as file:
        free = next(int(line.split()[1]) for line in file if line.startswith('MemAvailable'))
    if free > 32 << 20:
        return
    result = run('--device', device, '--sizes', '1000,1000Mi', '--runs', '1', 'scan')
    check(result.returncode == 1 and 'REFUSED' in result.stdout and 'memory' in result.stderr and
          result.stdout.count('scan ') > 2, 'a size that does not fit is refused', result)


def check_bad_arguments():
    for arguments in (['--sizes', '0'], ['--sizes', '10X'], ['--sizes', '10K,,1M'], ['--sizes', '2000M'],
                      ['--runs', '0'], ['nonsense'], ['--nonsense'], ['--inputs', 'nonsense'],
                      ['--inputs', ''], ['--rotate', '0']):
        bench_tool.check_refused(run('--device', device, *arguments), arguments)
    bench_tool.check_failure(run('--device', 'nonsense', 'copy'), 'nonsense', 'an unknown device')
    bench_tool.check_failure(run('--device', 'cpu', '--sizes', '1K', 'copy', '--json-file', '/nonexistent/b.json'),
                             'nonexistent', 'a file that cannot be written')


def main():
    bench_tool.check_device(
        run('--device', device, '--sizes', '1K', '--runs', '1', '--json-file', '-', 'copy'), device)
    names = check_list()
    with tempfile.TemporaryDirectory() as folder:
        check_all(names, folder)
        check_inputs(folder)
        if device != 'cpu':
            check_wrong_kernels(folder)
    check_refused()
    # what does not depend on the device
    if device == 'cpu':
        help_text = run('--help')
        bench_tool.check_help(help_text)
        check(all(word in help_text.stdout for word in INPUTS), '--help names the inputs', help_text)
        check_same_inputs()
        check_bad_arguments()


main()
