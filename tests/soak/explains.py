# SPDX-License-Identifier: LGPL-2.1-or-later
"""The soak test ends at a result that differs from that of the cpu device, and says all that is known: what was
analysed and how, and whether the same frame differs again. GST_GLES_DUMP_DIR gets the frame and both results.

Arguments: the soak test, what is planted: difference (in the first comparison only) or differences."""
import json
import os
import re
import subprocess
import sys
import tempfile

soak, plant = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    result = subprocess.run([soak, '--streams=1', '--seconds=8', '--device=cpu', '--plant=' + plant],
                            env=dict(os.environ, GST_GLES_DUMP_DIR=folder), capture_output=True, text=True)
    verdict = result.stdout[result.stdout.index('verdict: '):]
    assert result.returncode == 1 and 'a difference that was planted' in verdict, result
    assert ('now right' if plant == 'difference' else 'again wrong') in verdict, verdict
    lines = dict(line.split(': ', 1) for line in verdict.splitlines())
    assert 'width=(int)' in lines['caps'] or 'rect32le' in lines['caps'], verdict
    assert 'interval=' in lines['properties'] and 'cpu' in lines['device'] and lines['plan'] == 'native code', verdict
    number = int(re.fullmatch(r'a \((gles\w+)\)', lines['element']) and re.search(r'-(\d+)\.', lines['files']).group(1))
    with open(os.path.join(folder, f'a-{number}.json'), encoding='utf-8') as file:
        known = json.load(file)
    assert known['difference'] == 'a difference that was planted' and known['frame'] == number, known
    for name in known['record_words']:
        words = []
        for kind in ('device', 'native', 'again'):
            with open(os.path.join(folder, f'a-{number}.{name}.{kind}.raw'), 'rb') as file:
                words.append(file.read())
        # nothing differs but what was planted
        assert words[0] == words[2] and len(words[0]) == len(words[1]), name
    assert os.path.getsize(os.path.join(folder, f'a-{number}.frame.raw')) > 0
print('ok', plant)
