# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compiles and runs the programs of docs/arrays.md as they stand there: each in the frame that the page gives, with
all warnings as errors, against the headers and the library of the build. What a program prints is the `text` block
behind it.

Arguments: the source folder, the build folder, the C compiler with its arguments."""
import os
import re
import subprocess
import sys
import tempfile
import textwrap

BLOCK = re.compile(r'^```(c|text)\n(.*?)^```', re.M | re.S)
HEADING = re.compile(r'^### (.*)', re.M)
PLACE = '  /* the program */\n'
# of the frame not every program uses all
OPTIONS = ['-std=gnu11', '-O1', '-Wall', '-Wextra', '-Werror', '-Wno-unused-function']


def programs(page):
    """(heading, source, output) of each."""
    blocks = [(match.group(1), match.group(2), match.start()) for match in BLOCK.finditer(page)]
    kind, frame, _ = blocks[0]
    assert kind == 'c' and frame.count(PLACE) == 1, 'the first block is the frame'
    for (kind, code, start), (behind, output, _) in zip(blocks[1::2], blocks[2::2]):
        heading = HEADING.findall(page, 0, start)[-1]
        assert (kind, behind) == ('c', 'text'), f'{heading}: a program, then what it prints'
        yield heading, frame.replace(PLACE, textwrap.indent(code, '  ')), output


def flags(build):
    env = dict(os.environ, PKG_CONFIG_PATH=os.path.join(build, 'meson-uninstalled'))
    command = ['pkg-config', '--cflags', '--libs', 'gst-gles-1.0']
    return subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def main(root, build, *compiler):
    with open(os.path.join(root, 'docs', 'arrays.md'), encoding='utf-8') as file:
        page = file.read()
    options = OPTIONS + flags(build)
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, 'program.c'), os.path.join(folder, 'program')
        for heading, text, expected in programs(page):
            with open(source, 'w', encoding='utf-8') as file:
                file.write(text)
            subprocess.run([*compiler, '-o', program, source, *options], check=True)
            printed = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
            assert printed == expected, f'{heading} prints\n{printed}, not\n{expected}'
            seen.append(heading)
            print(f'{heading}: as the page says', flush=True)
    assert len(seen) >= 10 and set(seen) == set(HEADING.findall(page)), f'not all have a program: {seen}'
    # every anchor of the table is a heading
    anchors = {heading.lower().replace(' ', '-') for heading in seen}
    assert set(re.findall(r'\(#(.*?)\)', page)) <= anchors, anchors


if __name__ == '__main__':
    main(*sys.argv[1:])
