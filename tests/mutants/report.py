# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests find: the fewest seconds of tests that kill all mutants, and the tables."""

HEAD = '''<!-- SPDX-License-Identifier: LGPL-2.1-or-later -->
# Mutants and tests

`tests/mutants/run table` writes this page and [mutants.tsv](mutants.tsv), which lists each mutant with its change and
with the tests that kill it. A mutant *survives* if all tests that reach it pass; it is *open* as long as one of these
has not run and none has failed. Tests run shortest first until one kills; then `kill --all` runs each test that killed
any mutant so with all killed mutants that it reaches. Other tests kill nothing that a shorter one does not kill. "only"
counts the mutants that no other test kills.

'''


def cover(kills, seconds):
    """Tests that together kill what all of kills (test: mutants) kill, the one with most mutants a second first.
    Tests that later ones make superfluous leave, the slowest first."""
    left, chosen = set().union(*kills.values()), []
    while left:
        best = max(sorted(kills), key=lambda test: (len(kills[test] & left) / max(seconds[test], 0.01), -seconds[test]))
        chosen.append(best)
        left -= kills[best]
    for test in sorted(chosen, key=seconds.get, reverse=True):
        others = [kills[other] for other in chosen if other != test]
        if kills[test] <= set().union(*others):
            chosen.remove(test)
    return chosen


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


def cover_of(chosen, kills, seconds, n_killed):
    so_far, time, steps = set(), 0, []
    for test in chosen:
        so_far, time = so_far | kills[test], time + seconds[test]
        steps.append((test, f'{time:.1f}', len(so_far), f'{100 * len(so_far) / n_killed:.0f} %'))
    return '\n## Cover\n\nThe tests of the cover, those first that kill most a second.\n\n' + \
        table_of(steps, 'test', 'seconds so far', 'killed so far', 'of all killed')


def tables(mutants, traced, covering, results):
    """The page, and the listing of mutants; traced: the tests without mutants, also those that did not pass."""
    mutants = sorted(mutants, key=lambda m: m['site'][:2])
    seconds = {row['test']: row['seconds'] for row in traced}
    results = [row for row in results if row['test'] in seconds and row['mutant'] in covering]
    killers, passed, kills = {}, {}, {}
    for row in results:
        (killers if row['killed'] else passed).setdefault(row['mutant'], set()).add(row['test'])
        if row['killed']:
            kills.setdefault(row['test'], set()).add(row['mutant'])
    states = {mutant['key']: state_of(mutant, covering, killers, passed) for mutant in mutants}
    chosen = cover(kills, seconds) if kills else []
    left_out = [row for row in traced if row['status'] != 0]
    missing = sum(len(covering[key] & set(kills) - killers[key] - passed.get(key, set())) for key in killers)
    rows = [(test, seconds[test], sum(test in tests for tests in covering.values()), len(kills[test]),
             sum(killers[key] == {test} for key in kills[test]), 'yes' if test in chosen else '')
            for test in sorted(kills, key=lambda test: (-len(kills[test]), test))]
    other = [(f"{m['site'].path}:{m['site'].line}", code(m['site'].old), code(m['site'].new), states[m['key']])
             for m in mutants if states[m['key']] in ('survives', 'unreached')]
    page = HEAD + counts_of(mutants, states)
    page += f'\n{len(traced) - len(left_out)} tests take {total(traced) - total(left_out):.0f} s, one by one; ' \
        f'{len(results)} runs with a mutant took {total(results):.0f} s. {len(chosen)} tests of ' \
        f'{sum(seconds[test] for test in chosen):.0f} s kill all that are killed ("cover").\n'
    if missing:
        page += f'\n**This is a part of a round**: {missing} runs of `kill --all` with killed mutants are still to ' \
            'be done, so "kills" is too small, and "only" and the cover are too large.\n'
    page += cover_of(chosen, kills, seconds, len(killers))
    page += '\n## Tests\n\n' + table_of(rows, 'test', 'seconds', 'reaches', 'kills', 'only', 'cover')
    page += '\n## Mutants that no test kills\n\n' + table_of(other, 'line', 'code', 'mutant', 'state')
    if left_out:
        page += '\n## Tests that are left out\n\nThey fail, or are skipped, without a mutant, too:\n\n' + \
            '\n'.join(f'- {row["test"]} ({row["status"]})' for row in left_out) + '\n'
    return page, listing_of(mutants, states, killers, seconds)
