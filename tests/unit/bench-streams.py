# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gles-bench-1.0 streams: streams run on a device, every result is read, and what the table, JSON and
CSV say fits together; what cannot be measured is a failed run that says why.

Arguments: the tool, a device, and "dmabuf" to try only frames in DMABufs."""
import json
import os
import sys
import tempfile

import bench_tool
from bench_tool import check, check_failure, read_json

CHAIN = 'gleshistogram ! glescompact lower=128 ! glestiles'
DMABUF_PATHS = ('/dev/dma_heap/system', '/dev/udmabuf')
CPU = ('total', 'streaming', 'device', 'other')

tool, device = sys.argv[1:3]
only = sys.argv[3] if len(sys.argv) > 3 else None


def run(*arguments):
    return bench_tool.run(tool, 'streams', *arguments)


def run_tiny(*arguments):
    """A run of tiny frames."""
    return run('--device', device, '--size', '64x64', '--warmup', '0', *arguments)


def measure(*arguments):
    """The results of a run of tiny frames that has to succeed."""
    result = run_tiny('--json-file', '-', *arguments)
    check(result.returncode == 0, f'{arguments} can be measured', result)
    return json.loads(result.stdout)['results']


def check_row(row, n_streams, n_frames):
    check(row['valid'] and row['streams'] == n_streams and row['device'] == device and
          row['description'], f'the row of {n_streams} streams: {row}')
    # streams go on until the last of them has had its frames
    check(row['frames'] >= n_streams * n_frames, f'all frames are timed: {row}')
    check(row['read']['frames'] == n_streams * n_frames == row['read']['results'],
          f'all results are read: {row}')
    check(abs(row['frames_per_s'] * row['seconds'] / row['frames'] - 1) < 0.001, f'rate: {row}')
    check(0 < row['slowest_frames_per_s'] * n_streams <= row['frames_per_s'] * 1.001,
          f'the slowest is no faster than the mean: {row}')
    cpu = row['cpu_ms_per_frame']
    check(all(cpu[kind] >= 0 for kind in CPU) and cpu['streaming'] > 0 and cpu['total'] > 0,
          f'CPU time: {row}')
    latency = row['latency_ms']
    check(latency and latency['samples'] > 0 and 0 < latency['median'] <= latency['p99'] and
          latency['frames_per_s'] > 0, f'latency: {row}')
    check(row['first_result_ms'] > 0, f'the first result: {row}')


def check_streams(folder):
    json_file, csv_file = os.path.join(folder, 's.json'), os.path.join(folder, 's.csv')
    result = run('--device', device, '--size', '64x64', '--streams', '1,2', '--frames', '200',
                 '--warmup', '0.1', '--json-file', json_file, '--csv-file', csv_file)
    bench_tool.check_columns(result, 'two streams')
    report = read_json(json_file)
    for key in ('tool', 'experiment', 'version', 'timestamp', 'cpu', 'cores', 'kernel', 'gstreamer',
                'element', 'format', 'size', 'content', 'results_are'):
        check(report.get(key), f'the JSON says "{key}"')
    check(len(report['results']) == 2, 'a row for each number of streams')
    for row, n_streams in zip(report['results'], (1, 2)):
        check_row(row, n_streams, 200)
    check([(r['device'], r['streams'], r['frames']) for r in bench_tool.read_csv(csv_file)] ==
          [(r['device'], str(r['streams']), str(r['frames'])) for r in report['results']],
          'the CSV has the same rows')


def check_chain():
    row = measure('-n', '2', '--frames', '12', '-e', CHAIN, '--sample-every', '0')[0]
    check(row['read']['results'] == 3 * row['read']['frames'] == 72, f'three results a frame: {row}')
    check(row['read']['points'] > 0 and row['latency_ms'] is None, f'points, no latency: {row}')
    row = measure('-n', '2', '--frames', '12', '-e', 'glescompact lower=128 readback=false ! glesregions')[0]
    check(row['read'] == {'frames': 24, 'results': 24, 'points': 0} and row['latency_ms'],
          f'regions are read, points stay on the device: {row}')
    row = measure('-n', '2', '--seconds', '0.2', '-e', 'queue ! gleshistogram', '--unread')[0]
    check(row['read'] is None and row['frames'] > 0 and 0.15 < row['seconds'] < 10,
          f'a queue, and nobody reads: {row}')


def check_input(folder):
    """The frames of a file are pushed in their order: points are as many as there are in it."""
    path = os.path.join(folder, 'frames.gray')
    with open(path, 'wb') as file:
        for n_bright in (5, 70, 1000):
            file.write(b'\xff' * n_bright + bytes(64 * 64 - n_bright))
    row = measure('-n', '2', '--frames', '30', '-f', 'GRAY8', '--input', path, '-e',
                  'glescompact lower=200')[0]
    check(row['read'] == {'frames': 60, 'results': 60, 'points': 20 * 1075}, f'points: {row}')
    check_failure(run('--device', device, '--size', '1080p', '--input', path), 'frames.gray', 'a file without a frame')


def check_memory():
    copied = {'system': device != 'cpu', 'device': False}
    for memory, expected in copied.items():
        row = measure('-n', '2', '--frames', '30', '--memory', memory)[0]
        check((row['frames_copied'] > 0) == expected, f'frames copied from {memory} memory: {row}')
    result = run_tiny('-n', '1', '--frames', '30')
    words = result.stdout.splitlines()[-1].split()
    check(words[0] == device and (int(words[-2]) > 0) == copied['system'] and words[-1] == '0',
          'the table says so too', result)


def check_link():
    """Beside the rate stands its share of the link, as the environment sets it; cpu has none."""
    os.environ['GST_GLES_LINK'] = 'mapped:0.001,copy:0.0005,readback:53.8'
    row = measure('-n', '1', '--frames', '30', '--memory', 'device')[0]
    result = run_tiny('-n', '1', '--frames', '30')
    del os.environ['GST_GLES_LINK']
    cells = result.stdout.splitlines()[-1].split()
    if device == 'cpu':
        check(row['link_share'] is None and row['link_gb_per_s'] is None and cells[4] == '-' and
              'link: ' not in result.stdout, f'no link: {row}', result)
        return
    check(row['link_gb_per_s'] == {'mapped_read': 0.001, 'copy': 0.0005, 'readback': 53.8, 'transfer': 0},
          f'the link: {row}')
    share = row['frames_per_s'] * 64 * 64 * 1.5 / 1e6
    check(abs(row['link_share'] / share - 1) < 1e-6, f'{share} of the link: {row}')
    check('\nlink: mapped reads 0.0 GB/s, copies 0.0 GB/s, readback 53.8 GB/s\n' in result.stdout and
          abs(float(cells[4]) * 1e6 / (float(cells[2]) * 64 * 64 * 1.5) - 1) < 0.1, 'the table says so too', result)
    bench_tool.check_columns(result, 'a link')


def has_element(name):
    return bench_tool.run('gst-inspect-1.0', '--exists', name).returncode == 0


def check_converted():
    """The same frames in memory of a GPU have the same points, and are not copied."""
    for memory, element in (('gl', 'glupload'), ('cuda', 'cudaupload')):
        if not has_element(element):
            check_failure(run_tiny('--memory', memory), f'"{element}"', f'{memory} memory where there is none')
        elif memory == 'gl' and device == 'cpu':
            check_failure(run_tiny('--memory', memory), 'gldownload',
                          'a device without OpenGL names what brings frames to it')
        if not has_element(element) or memory == 'cuda' or device == 'cpu':
            continue
        for form in ('RGBA', 'I420'):
            options = ['-n', '2', '--frames', '12', '-f', form, '-e', 'glescompact lower=200']
            system, row = (measure(*options, '--memory', m)[0] for m in ('system', memory))
            check(row['read'] == system['read'] and row['read']['points'] > 0,
                  f'results of {form} in {memory} memory: {row}, not {system}')
            check(row['frames_copied'] == 0, f'{form} in {memory} memory is not copied: {row}')


def check_dmabuf_refusal():
    result = run_tiny('-n', '1', '--frames', '9', '--memory', 'dmabuf')
    advice = 'modprobe udmabuf' if not any(map(os.path.exists, DMABUF_PATHS)) else 'as a user who'
    check(result.returncode == 1 and all(path in result.stderr for path in DMABUF_PATHS) and
          advice in result.stderr, 'who has no DMABufs is told what to do', result)


def check_dmabuf():
    """The same frames in DMABufs have the same points, and native code agrees with each result."""
    if not any(os.access(path, os.R_OK | os.W_OK) for path in DMABUF_PATHS):
        check_dmabuf_refusal()
        return
    # the last one has no DRM format
    for form in ('RGBA', 'NV12', 'I420_10LE'):
        options = ['-n', '2', '--frames', '12', '-f', form, '-e',
                   'gleshistogram validate=true ! glescompact lower=200 validate=true']
        system, row = (measure(*options, '--memory', memory)[0] for memory in ('system', 'dmabuf'))
        check(row['read'] == system['read'] and row['read']['points'] > 0,
              f'results of {form} in DMABufs: {row}, not {system}')
        ways = {way: row[f'frames_{way}'] for way in ('copied', 'imported', 'resident', 'reused')}
        # cpu reads them where they are, and software devices map them
        used = {'cpu': ['resident'], 'software': ['copied']}.get(device, ['copied', 'imported'])
        check(sum(ways[way] for way in used) == sum(ways.values()) > 48, f'{form} in DMABufs: {ways}')


def check_no_element():
    for arguments in (['none'], ['identity']):
        row = measure('-n', '1', '--frames', '100', '-e', *arguments)[0]
        check(row['device'] == '' and row['read'] == {'frames': 100, 'results': 0, 'points': 0} and
              row['latency_ms'] is None, f'no element of ours: {row}')


def check_failures(folder):
    json_file = os.path.join(folder, 'failed.json')
    result = run('--device', f'nonsense,{device}', '--size', '64x64', '-n', '1,2', '--frames', '9',
                 '--warmup', '0', '--json-file', json_file)
    check_failure(result, 'nonsense', 'an unknown device')
    rows = read_json(json_file)['results']
    check('FAILED' in result.stdout and [r['valid'] for r in rows] == [False, True, True] and
          'nonsense' in rows[0]['error'], f'the other device is measured: {rows}')
    check_failure(run_tiny('-n', '2', '-e', 'capsfilter caps=video/x-raw,format=NV12 ! gleshistogram'), 'refuses',
                  'an element that refuses')
    check_failure(run_tiny('-n', '1', '--frames', '9', '--csv-file', '/nonexistent/s.csv'), 'nonexistent',
                  'a file that cannot be written')
    for arguments, text in ((['-f', 'ENCODED'], 'ENCODED'), (['-e', 'gleshistogram ! fakesink'], 'source pad')):
        result = run_tiny('-n', '2', *arguments)
        check(result.returncode == 2 and text in result.stderr, f'{arguments}: frames do not come out', result)


def check_bad_arguments():
    for arguments in (['--size', '0x9'], ['--size', '12'], ['--streams', '0'], ['--streams', '1,'],
                      ['--streams', '1000'], ['--frames', '-1'], ['--seconds', '0'], ['--lag', '-1'],
                      ['--content', 'nonsense'], ['--memory', 'nonsense'], ['--format', 'nonsense'],
                      ['--distinct', '0'], ['--element', 'nonsense'], ['--nonsense'], ['nonsense'], ['--device', '']):
        bench_tool.check_refused(run(*arguments), arguments)
    result = bench_tool.run(tool, 'copy', 'streams')
    check(result.returncode == 2 and 'first' in result.stderr, 'streams comes first', result)


def main():
    bench_tool.check_device(run_tiny('-n', '1', '--frames', '1'), device)
    if only == 'dmabuf':
        check_dmabuf()
        return
    # what does not depend on the device
    if device == 'cpu':
        bench_tool.check_help(run('--help'))
        check_bad_arguments()
        check_no_element()
    with tempfile.TemporaryDirectory() as folder:
        check_streams(folder)
        check_input(folder)
        check_failures(folder)
    check_chain()
    check_memory()
    check_link()
    check_converted()
    check_dmabuf()


main()
