# SPDX-License-Identifier: LGPL-2.1-or-later
"""The mutants of a small program and of a small kernel are the expected ones, each of the program's takes effect alone
in one build, and the tables and the cover tell what results say. Argument: the C compiler's command."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
import choice     # noqa: E402
import kernels    # noqa: E402
import operators  # noqa: E402
import report     # noqa: E402

C = '''#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b)) /* no mutant: 1 + 1 */
enum { LIMIT = 7 };
static int calls = 1, *pointer = &calls;
static void
count (int by)
{
  calls += by;
}
int
main (void)
{
  int values[] = { 8, 16 }, total = calls;
  for (int i = 0; i < LIMIT && i != 2;
       i++)
    total = MAX (total, values[i] >> *pointer);
  if (pointer)
    count (5);
  switch (total) {
    case 8:
      printf ("%d\\n", total * (2 - 1) + calls);
  }
  return -calls;
}
'''
# line, kind, text, text of the mutant; what the program writes and its exit status, None: does not compile or end
OF_C = (
    (8, 'arithmetic', '+=', '-=', '4 4'), (13, 'constant', '8', '7', '14 250'), (13, 'constant', '16', '15', ' 250'),
    (14, 'constant', '0', '1', '14 250'), (14, 'bound', '<', '<=', '14 250'), (14, 'logic', '&&', '||', None),
    (14, 'bound', '!=', '==', ' 250'), (14, 'constant', '2', '1', ' 250'), (16, 'bound', 'MAX', 'MIN', None),
    (16, 'bits', '>>', '<<', ' 250'), (17, 'condition', 'pointer', '!(pointer)', '9 255'),
    (18, 'call', 'count (5)', '', '9 255'), (18, 'constant', '5', '4', '13 251'), (20, 'constant', '8', '7', None))
GLSL = '''// a < b
layout (binding = 1) buffer Data { uint data[4]; };
const uint LAST = 3u;
#if WIDE
uint spare (uint i) { return i + 1u; }
#endif
void
main ()
{
  uint i = min (gl_LocalInvocationIndex,
      LAST);
  barrier ();
  data[i] |= i == 0u ||
      true ? 0x10u : 1u;
}
'''
OF_GLSL = ((3, '3u', '2u'), (5, '+', '-'), (5, '1u', '2u'), (10, 'min', 'max'), (12, 'barrier ()', ''),
           (13, '|=', '&='), (13, '==', '!='), (13, '0u', '1u'), (13, '||', '&&'), (14, 'true', 'false'),
           (14, '0x10u', '0xfu'), (14, '1u', '2u'))


def check_native(compiler):
    sites = operators.sites_of('small.c', C)
    assert [site[1:5] for site in sites] == [case[:4] for case in OF_C], sites
    outcomes = {case[:4]: case[4] for case in OF_C}
    numbered = {n: site for n, site in enumerate(sites, 1) if outcomes.get(site[1:5])}
    # what lies in another mutant's expression would be held twice
    apart = {n: site for n, site in numbered.items()
             if not any(other.first <= site.first and site.last <= other.last and other != site
                        for other in numbered.values())}
    assert len(apart) > 7, apart
    text = operators.schema(C, apart)
    assert text.count('\n') == C.count('\n')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'small.c')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        subprocess.run([*compiler, '-D_GNU_SOURCE', '-include', os.path.join(HERE, 'mutant.h'), path, '-o', path[:-2]],
                       check=True)

        def outcome(**variables):
            result = subprocess.run([path[:-2]], env=variables, capture_output=True, text=True)
            return f'{result.stdout.strip()} {result.returncode}'

        assert outcome() == '14 250', outcome()
        trace = os.path.join(folder, 'trace')
        assert outcome(GLES_MUTANT_TRACE=trace) == '14 250'
        with open(trace, encoding='utf-8') as file:
            assert sorted(map(int, file.read().split())) == sorted(apart)
        for number, site in apart.items():
            got = outcome(GLES_MUTANT=str(number))
            assert got == outcomes[site[1:5]], f'{site}: {got}'


def check_kernel():
    sites = operators.sites_of('glsl/small/small.comp', GLSL)
    assert [(site.line, site.old, site.new) for site in sites] == list(OF_GLSL), sites
    # a file that includes another one in its second line
    program = ('#version 310 es\n#line 10001 1\nvoid first ();\n#line 20001 2\n' + GLSL +
               '\n#line 10003 1\nvoid third ();\n//preamble first.comp small/small.comp')
    where = kernels.places(program)
    plain = kernels.preprocessed(program)
    for site in sites:
        changed = operators.mutate(GLSL, site)
        assert changed.count('\n') == GLSL.count('\n') and changed != GLSL
        source = kernels.mutated(program, where, site, GLSL)
        assert source == program.replace(GLSL, changed), source
        assert (kernels.preprocessed(source) == plain) == (site.line == 5), site
    assert kernels.mutated(program.replace('small.comp', 'other.comp'), {}, sites[0], GLSL) is None


def check_choice():
    texts = {'a.c': C, 'b.c': C + C.replace('main', 'other'), 'c.comp': GLSL}
    chosen = operators.choose(texts, 12)
    assert chosen == operators.choose(dict(reversed(texts.items())), 12) and len(set(chosen)) == 12
    assert {site.path for _, site in chosen} == set(texts)
    moved = operators.choose({path: '\n\n' + text for path, text in texts.items()}, 12)
    assert [(key, *site[2:5]) for key, site in moved] == [(key, *site[2:5]) for key, site in chosen]
    everything = operators.identified('c.comp', GLSL + GLSL)
    assert len({key for key, _ in everything}) == len(everything) == 2 * len(OF_GLSL)


def check_quick_run():
    finds = {'quick': choice.Finds(0b11, 1, 1), 'slow': choice.Finds(0b1111, 1, 1), 'alone': choice.Finds(1 << 4, 1, 3),
             'branch': choice.Finds(0, 0b10, 0), 'nothing': choice.Finds(0b1, 0, 1), 'short': choice.Finds(0b1, 0, 0)}
    seconds = {'quick': 10, 'slow': 100, 'alone': 900, 'branch': 10, 'nothing': 10, 'short': choice.SHORT}
    assert choice.choose(finds, seconds, 10000) == ['short', 'quick', 'branch', 'slow', 'alone']
    assert choice.choose(finds, seconds, 1000) == ['short', 'quick', 'branch', 'slow']
    assert choice.is_left_out('unit/bench-software') and not choice.is_left_out('twin/arrays-auto')
    assert choice.choose({'unit/bench-software': choice.Finds(1, 1, 1)}, {'unit/bench-software': 1}, 10) == []
    assert choice.only(finds) == {'quick': [0, 0, 0], 'slow': [2, 0, 0], 'alone': [1, 0, 1], 'branch': [0, 1, 0],
                                  'nothing': [0, 0, 0], 'short': [0, 0, 0]}


def check_tables():
    site = operators.sites_of('small.c', C)[0]
    mutants = [{'key': key, 'site': site, 'kernel': key == 'e'} for key in 'abcdef']
    covering = {'a': {'quick', 'slow'}, 'b': {'quick', 'slow'}, 'c': {'slow'}, 'd': set(), 'e': {'quick'}}
    results = [dict(zip(('mutant', 'test', 'killed', 'seconds'), row)) for row in (
        ('a', 'quick', True, 1), ('a', 'slow', True, 9), ('b', 'quick', False, 1), ('e', 'quick', False, 1),
        ('c', 'slow', True, 9))]
    traced = [{'test': 'quick', 'seconds': 1, 'status': 0, 'sources': ['x']},
              {'test': 'slow', 'seconds': 10, 'status': 0, 'sources': ['x', 'y']},
              {'test': 'skipped', 'seconds': 3, 'status': 77, 'sources': []}]
    taken = [{'test': 'quick', 'branches': {'a.gcda': '1', 'b.gcda': '11'}},
             {'test': 'slow', 'branches': {'a.gcda': '13'}}]
    page, listing, rest = report.tables(mutants, traced, covering, results, taken, 1000)
    states = {line.split('\t')[0]: line.split('\t')[6] for line in listing.splitlines()[1:]}
    assert states == {'a': 'killed', 'b': 'open', 'c': 'killed', 'd': 'unreached', 'e': 'survives', 'f': 'refused'}
    assert '| slow | 10 | 2, 1 | 3, 2 | 2, 1 | yes |' in page and '| quick | 1 | 1, 0 | 3, 2 | 1, 0 | yes |' in page, page
    assert '| 2 | 11 | 2 (100.0 %) | 5 (100.0 %) | 2 (100.0 %) |' in page, page
    assert 'skipped (77)' in page and rest == [], page
    assert report.tables(mutants, traced, covering, results, taken, 1)[2] == ['slow']


check_native(sys.argv[1].split())
check_kernel()
check_choice()
check_quick_run()
check_tables()
