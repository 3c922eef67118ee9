# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests find: the tables."""
import math

import choice

HEAD = '''<!-- SPDX-License-Identifier: LGPL-2.1-or-later -->
# Mutants and tests

`tests/mutants/run table` writes this page and [mutants.tsv](mutants.tsv), which lists each mutant with its change and
with the tests that kill it. A mutant *survives* if all tests that reach it pass; it is *open* as long as one of these
has not run and none has failed. Tests run shortest first until one kills; `kill --all` then runs each test that killed
any mutant with all killed mutants that it reaches. Other tests kill nothing that a shorter one does not kill.

'''


def state_of(mutant, covering, killers, passed):
    if mutant['key'] not in covering:
        return 'refused'
    if killers.get(mutant['key']):
        return 'killed'
    if not covering[mutant['key']]:
        return 'unreached'
    return 'survives' if covering[mutant['key']] <= passed.get(mutant['key'], set()) else 'open'


def table_of(rows, *titles):
    lines = ['| ' + ' | '.join(titles) + ' |', '|' + '|'.join('---' for _ in titles) + '|']
    return '\n'.join(lines + ['| ' + ' | '.join(str(cell) for cell in row) + ' |' for row in rows]) + '\n'


def code(text):
    """One line of code in a cell of a table."""
    text = text if len(text) <= 60 else text[:57] + '...'
    return '`' + text.replace('|', '\\|') + '`' if text else 'left out'


def total(rows):
    return sum(row['seconds'] for row in rows)


def listing_of(mutants, states, killers, seconds):
    lines = ['key\tfile\tline\tkind\told\tnew\tstate\tkilled by (shortest first)']
    for mutant in mutants:
        site = mutant['site']
        names = sorted(killers.get(mutant['key'], ()), key=seconds.get)
        lines.append('\t'.join((mutant['key'], site.path, str(site.line), site.kind, site.old, site.new,
                                states[mutant['key']], ' '.join(name.replace(' ', '_') for name in names))))
    return '\n'.join(lines) + '\n'


def counts_of(mutants, states):
    rows = []
    for kind in ('native', 'kernel'):
        own = [states[m['key']] for m in mutants if m['kernel'] == (kind == 'kernel')]
        rows.append([kind] + [own.count(state) for state in ('killed', 'survives', 'open', 'unreached', 'refused')])
    return table_of(rows, 'mutants', 'killed', 'survive', 'open', 'reached by no test', 'do not compile')


def choice_of(chosen, finds, seconds):
    """What the chosen tests find, as they are added, in ten steps."""
    whole = choice.counts(choice.union(finds.values()))
    rows, per_row = [], math.ceil(len(chosen) / 10) or 1
    for end in range(per_row, len(chosen) + per_row, per_row):
        part = chosen[:end]
        found = choice.counts(choice.union(finds[test] for test in part))
        rows.append([len(part), f'{sum(seconds[test] for test in part):.0f}'] +
                    [f'{count} ({100 * count / max(all_of, 1):.1f} %)' for count, all_of in zip(found, whole)])
    return '\n## Quick run\n\nWhat the tests of `tests/run` find together: those of up to ' \
        f'{choice.SHORT} s, shortest first, and the kept ones of [choice.py](choice.py), then those that add most a ' \
        'second. The others, [full.txt](full.txt), run with `--full`.\n\n' + \
        table_of(rows, 'tests', 'seconds', 'mutants killed', 'branches', 'programs')


def killed_by(traced, covering, results):
    """Mutant to the tests that kill it, mutant to those that do not, and test to the mutants that it kills."""
    known = {row['test'] for row in traced}
    killers, passed, kills = {}, {}, {}
    for row in results:
        if row['test'] in known and row['mutant'] in covering:
            (killers if row['killed'] else passed).setdefault(row['mutant'], set()).add(row['test'])
            if row['killed']:
                kills.setdefault(row['test'], set()).add(row['mutant'])
    return killers, passed, kills


def tables(mutants, traced, covering, results, branch_rows, limit):
    """The page, the listing of mutants, and the tests that are not chosen; traced: the tests without mutants, also
    those that did not pass."""
    mutants = sorted(mutants, key=lambda m: m['site'][:2])
    seconds = {row['test']: row['seconds'] for row in traced}
    killers, passed, kills = killed_by(traced, covering, results)
    states = {mutant['key']: state_of(mutant, covering, killers, passed) for mutant in mutants}
    left_out = [row for row in traced if row['status'] != 0]
    finds = choice.finds_of([row for row in traced if row['status'] == 0], branch_rows, kills)
    alone = choice.only(finds)
    chosen = choice.choose(finds, seconds, limit)
    rows = [(test, seconds[test], *(f'{count}, {own}' for count, own in zip(choice.counts(finds[test]), alone[test])),
             'yes' if test in chosen else '') for test in sorted(finds)]
    other = [(f"{m['site'].path}:{m['site'].line}", code(m['site'].old), code(m['site'].new), states[m['key']])
             for m in mutants if states[m['key']] in ('survives', 'unreached')]
    page = HEAD + counts_of(mutants, states)
    page += f'\n{len(finds)} tests take {total(traced) - total(left_out):.0f} s, one by one; ' \
        f'{len(results)} runs with a mutant took {total(results):.0f} s.\n'
    page += choice_of(chosen, finds, seconds)
    page += '\n## Tests\n\nMutants that the test kills, branches that it takes, programs that it runs: all, and those ' \
        'of no other test.\n\n' + table_of(rows, 'test', 'seconds', 'mutants', 'branches', 'programs', 'quick')
    page += '\n## Mutants that no test kills\n\n' + table_of(other, 'line', 'code', 'mutant', 'state')
    if left_out:
        page += '\n## Tests that are left out\n\nThey fail, or are skipped, without a mutant, too:\n\n' + \
            '\n'.join(f'- {row["test"]} ({row["status"]})' for row in left_out) + '\n'
    return page, listing_of(mutants, states, killers, seconds), [test for test in sorted(finds) if test not in chosen]
