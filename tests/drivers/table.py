#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""table.py [--write] RESULTS CHIP...: what tests/drivers/run found, as a table; compares it with tests/drivers/table.txt.

Fails for a chip with a failure, a timeout, a first use of over two seconds or a kernel that got no registers, and where
something else is compiled than the table says: another class or variant, fewer plans, elements or specialisations, or
more spills. Times differ from machine to machine, so they are only shown. --write writes table.txt and the table of
docs/drivers.md.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / 'table.txt'
PAGE = HERE.parent.parent / 'docs' / 'drivers.md'
BEGIN, END = '<!-- written by tests/drivers/table.py -->\n', '<!-- end of the table -->\n'
FIRST_USE_MS = 2000
# What Mali-T's compiler says before it leaves a kernel without registers: what the GPU would run is wrong.
NO_REGISTERS = re.compile('Failed to choose spill node|Gave up allocating registers')
COLUMNS = ['chip', 'renderer', 'class', 'invocations', 'shared KiB', 'storage blocks', 'subgroup', 'texture buffer',
           'timer', 'robust', 'variant', 'plans', 'plans ms', 'worst plan', 'worst plan ms', 'elements', 'worst element',
           'worst element ms', 'expressions', 'worst expression', 'worst expression ms', 'specialisations',
           'worst specialisation', 'worst specialisation ms', 'shaders', 'spilling', 'spills', 'threads', 'slow']


def read(folder, chip):
    """Returns the row of a chip and its failures."""
    row, failures = dict.fromkeys(COLUMNS, ''), []
    row['chip'] = chip
    items, slow, specs, ended = {'plan': [], 'element': [], 'expression': []}, [], 0, 0
    for kind in ['chip', 'elements', 'expressions']:
        path, errors = folder / f'{chip}.{kind}', folder / f'{chip}.{kind}.err'
        n_lost = len(NO_REGISTERS.findall(errors.read_text(errors='replace'))) if errors.exists() else 0
        failures += [f'{kind}: {n_lost} kernels without registers'] if n_lost else []
        for line in path.read_text(errors='replace').splitlines() if path.exists() else []:
            key, *fields = line.split('\t')
            if key == 'REFUSED':
                row['renderer'] = 'refused'
                return row, []
            if key == 'DEVICE':
                row['renderer'], row['class'] = re.sub(r' \(gbm:.*', '', fields[0]), fields[1]
                # radeonsi names the machine's own kernel as well
                row['renderer'] = re.sub(r'(DRM [\d.]+), [^,)]*', r'\1', row['renderer'])
            elif key == 'LIMITS':
                row.update(zip(COLUMNS[3:10], fields))
            elif key == 'VARIANT' and fields[0] == 'scan':
                row['variant'] = fields[1]
            elif key.lower() in items:
                items[key.lower()].append((fields[0], float(fields[1]), *map(int, fields[2:])))
            elif key == 'SPECS':
                specs += int(fields[0])
                if float(fields[2]) > float(row['worst specialisation ms'] or 0):
                    row['worst specialisation'], row['worst specialisation ms'] = fields[3], f'{float(fields[2]):.0f}'
            elif key == 'TIMEOUT' and '=' in fields[0]:
                slow.append(fields[0])
            elif key in ('FAIL', 'TIMEOUT', 'EXIT'):
                failures.append(' '.join([key, *fields]))
            ended += key == 'END'
    if ended != 3:
        failures.append('no end')
    for name, done in items.items():
        row[name + 's'] = str(len(done))
        if done:
            worst = max(done, key=lambda item: item[1])
            row['worst ' + name], row[f'worst {name} ms'] = worst[0], f'{worst[1]:.0f}'
            failures += [f'{name} {i[0]} takes {i[1]:.0f} ms' for i in done if i[1] > FIRST_USE_MS]
    row['specialisations'], row['slow'] = str(specs), '; '.join(sorted(slow))
    if slow or float(row['worst specialisation ms'] or 0) > FIRST_USE_MS:
        failures.append(f"a specialisation takes too long: {row['slow'] or row['worst specialisation']}")
    row['plans ms'] = f"{sum(p[1] for p in items['plan']):.0f}"
    both = items['plan'] + items['element']
    row['shaders'], row['spilling'], row['spills'] = (str(sum(i[k] for i in both)) for k in (2, 3, 4))
    row['threads'] = str(min((i[5] for i in both if i[5]), default=0))
    return row, failures


def compare(row, known):
    """Returns what is worse or otherwise in row than in known."""
    if known is None:
        return ['is not in the table']
    found = [f'{c}: {row[c]}, in the table {known[c]}' for c in ('class', 'variant', 'slow') if row[c] != known[c]]
    found += [f'{c}: {row[c]}, in the table {known[c]}' for c in ('plans', 'elements', 'expressions', 'specialisations')
              if int(row[c] or 0) < int(known[c] or 0)]
    if int(row['spills'] or 0) > 1.1 * int(known['spills'] or 0) + 8:
        found.append(f"spills: {row['spills']}, in the table {known['spills']}")
    return found


def page(rows):
    """Returns the tables of docs/drivers.md."""
    text = '| chip | class | scan | subgroup | array plans, s (worst) | pipelines (worst, s) | expressions (worst, s) | '
    text += 'specialisations (worst, s) | spilling shaders |\n|---|---|---|---|---|---|---|---|---|\n'
    for r in rows:
        if r['renderer'].startswith('refused'):
            text += f"| {r['chip']} | refused | | | | | | | |\n"
            continue
        told = f"{r['spilling']} of {r['shaders']}" if r['shaders'] != '0' else 'not told'
        s = {k: f"{float(r[k]) / 1000:.2f}" for k in r if k.endswith(' ms') and r[k]}
        text += (f"| {r['chip']} | {r['class']} | {'look-back' if 'look' in r['variant'] else 'two passes'} | "
                 f"{r['subgroup'] if r['subgroup'] != '0' else 'none'} | {r['plans']}: {s['plans ms']} "
                 f"({r['worst plan']} {s['worst plan ms']}) | {r['elements']} ({r['worst element']} "
                 f"{s['worst element ms']}) | {r['expressions']} ({s.get('worst expression ms', '-')}) | "
                 f"{r['specialisations']} ({s.get('worst specialisation ms', '-')}) | {told} |\n")
    slow = [(r['chip'], name, '25 and more') for r in rows for name in r['slow'].split('; ') if name]
    slow += [(r['chip'], r['worst specialisation'], f"{float(r['worst specialisation ms']) / 1000:.1f}") for r in rows
             if float(r['worst specialisation ms'] or 0) > FIRST_USE_MS]
    if slow:
        text += '\nThe slowest specialisation of a chip, where it takes more than 2 s. No plan and no pipeline above uses it.\n\n'
        text += '| chip | specialisation | s |\n|---|---|---|\n' + ''.join(f'| {c} | `{n}` | {t} |\n' for c, n, t in slow)
    text += '\n| chip | driver | invocations | shared KiB | storage blocks | texels of a buffer | timer | robust |\n'
    text += '|---|---|---|---|---|---|---|---|\n'
    for r in rows:
        if not r['renderer'].startswith('refused'):
            text += (f"| {r['chip']} | {r['renderer']} | {r['invocations']} | {r['shared KiB']} | {r['storage blocks']} | "
                     f"{r['texture buffer']} | {'yes' if r['timer'] == '1' else 'no'} | "
                     f"{'yes' if r['robust'] == '1' else 'no'} |\n")
    return text


def main():
    write = sys.argv[1] == '--write'
    folder, *chips = sys.argv[1 + write:]
    lines = TABLE.read_text().splitlines()[1:] if TABLE.exists() else []
    known = {line.split('|')[0]: dict(zip(COLUMNS, line.split('|'))) for line in lines}
    bad = 0
    for chip in chips:
        row, failures = read(pathlib.Path(folder), chip)
        print(f"{chip}: {row['plans']} plans {row['plans ms']} ms (worst {row['worst plan']} {row['worst plan ms']}), "
              f"{row['elements']} pipelines (worst {row['worst element']} {row['worst element ms']}), "
              f"{row['expressions']} expressions (worst {row['worst expression']} {row['worst expression ms']}), "
              f"{row['specialisations']} specialisations, {row['spilling']} of {row['shaders']} shaders spill"
              if not row['renderer'].startswith('refused') else f"{chip}: {row['renderer']}")
        failures += [] if write else compare(row, known.get(chip))
        for text in failures:
            print(f'  {text}')
        bad += bool(failures)
        known[chip] = row
    if write:
        TABLE.write_text('\n'.join(['|'.join(COLUMNS)] + ['|'.join(r[c] for c in COLUMNS) for r in known.values()]) + '\n')
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(before + BEGIN + page(known.values()) + END + rest.split(END)[1])
    print(f'{len(chips)} chips, {bad} bad')
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
