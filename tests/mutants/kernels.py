# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which tests reach a mutant of a kernel: those that compile a program in whose source the preprocessor leaves it."""
import json
import os
import re
import subprocess
import tempfile

DEAD, LIVE, INVALID = 'dead', 'live', 'invalid'
LINES_PER_FILE = 10000
# what only GLSL's preprocessor knows
DIRECTIVE = re.compile(r'^#[ \t]*(version|extension|line)[^\n]*', re.M)


def places(flattened):
    """Where the lines of its files lie in the source of a program: (file, line) to an index of a line. The last line
    names the files."""
    lines = flattened.split('\n')
    files = lines[-1][2:].split(' ')
    found, file, number = {}, None, 0
    for at, line in enumerate(lines[:-1]):
        match = re.match(r'#line (\d+) (\d+)$', line)
        if match:
            file, number = files[int(match.group(2))], int(match.group(1)) % LINES_PER_FILE
        elif file is not None:
            found[file, number] = at
            number += 1
    return found


def mutated(flattened, where, site, text):
    """The source of a program with the mutant of a kernel's file, whose text is text; None if the file is no part."""
    file = site.path.partition('glsl/')[2]
    start = where.get((file, site.line))
    if start is None:
        return None
    lines = flattened.split('\n')
    column = site.start - text.rfind('\n', 0, site.start) - 1
    first = sum(len(line) + 1 for line in lines[:start]) + column
    length = site.end - site.start
    assert flattened[first:first + length] == text[site.start:site.end], f'{site.path}:{site.line} is elsewhere'
    new = site.new + '\n' * text.count('\n', site.start, site.end)
    return flattened[:first] + new + flattened[first + length:]


def preprocessed(source):
    return subprocess.run(['cpp', '-P', '-undef', '-DGL_ES=1', '-w', '-'], input=DIRECTIVE.sub('', source), text=True,
                          check=True, capture_output=True).stdout


def compiles(sources):
    """Whether glslangValidator accepts all sources."""
    if not sources:
        return True
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for i, source in enumerate(sources):
            names.append(os.path.join(folder, f'{i}.comp'))
            with open(names[-1], 'w', encoding='utf-8') as file:
                file.write(source)
        return subprocess.run(['glslangValidator', '-S', 'comp', *names], capture_output=True).returncode == 0


def covering(this, mutants, traced):
    """The names of the tests that reach each mutant, by its key; of a mutant of a kernel, those in whose programs it
    compiles. Mutants that compile for no test are left out. What is known of a mutant and a source is kept in kernels.json."""
    found = {m['key']: {row['test'] for row in traced if m['number'] in set(row['mutants'])}
             for m in mutants if not m['kernel']}
    path = this.path('kernels.json')
    known = {}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            known = json.load(file)
    # programs of tests that do not compile without a mutant either are broken
    flattened, plain, where, broken = {}, {}, {}, {}
    for name in sorted({name for row in traced for name in row['sources']}):
        with open(this.path('sources', name), encoding='utf-8') as file:
            flattened[name] = file.read()
        where[name] = places(flattened[name])
    kernels = [m for m in mutants if m['kernel']]

    def examine(mutant):
        with open(this.path('source', mutant['site'].path), encoding='utf-8') as file:
            text = file.read()
        states, live = known.setdefault(mutant['key'], {}), {}
        for name, source in flattened.items():
            if name in states:
                continue
            changed = mutated(source, where[name], mutant['site'], text)
            if changed is not None and name not in plain:
                plain[name] = preprocessed(source)
            states[name] = DEAD
            if changed is not None and preprocessed(changed) != plain[name]:
                live[name] = changed
        if compiles(live.values()):
            states.update(dict.fromkeys(live, LIVE))
        else:
            for name, changed in live.items():
                if name not in broken:
                    broken[name] = not compiles([flattened[name]])
                states[name] = DEAD if broken[name] else LIVE if compiles([changed]) else INVALID
        return True

    this.work(examine, kernels)
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(known, file)
    for mutant in kernels:
        states = known.get(mutant['key'], {})
        live, invalid = ({name for name, state in states.items() if state == wanted} for wanted in (LIVE, INVALID))
        tests = {row['test'] for row in traced if live & set(row['sources']) and not invalid & set(row['sources'])}
        if tests or not invalid:
            found[mutant['key']] = tests
    return found
