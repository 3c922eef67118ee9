# SPDX-License-Identifier: LGPL-2.1-or-later
"""Finds what can be mutated in C and GLSL, from tokens alone. The code is formatted by clang-format, so a binary
operator has white space on both sides and a pointer or a sign does not. What is no valid code after a change, such as
a constant in a case label, is left to the compiler to refuse."""
import collections
import hashlib
import math
import re

TOKEN = re.compile(r'''(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<directive>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)
    |(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eE][+-]|[\w.])*)
    |(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^<>=!]=|.)''', re.S | re.X)
Token = collections.namedtuple('Token', 'kind text start end')
# start, end, new: the text that changes; first, last: the expression or statement around it; mutated: how it reads then
Site = collections.namedtuple('Site', 'path line kind old new start end first last mutated')

RELATIONS = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='}
BINARY = {**dict.fromkeys(RELATIONS, 'bound'), **dict.fromkeys(('&&', '||'), 'logic'),
          **dict.fromkeys('+-*/%', 'arithmetic'), **dict.fromkeys(('<<', '>>', '&', '|', '^'), 'bits')}
REPLACED = {**RELATIONS, '&&': '||', '||': '&&', '+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '<<': '>>',
            '>>': '<<', '&': '|', '|': '&', '^': '|'}
WORDS = {'MIN': 'MAX', 'MAX': 'MIN', 'TRUE': 'FALSE', 'FALSE': 'TRUE',
         'min': 'max', 'max': 'min', 'true': 'false', 'false': 'true',
         'atomicMin': 'atomicMax', 'atomicMax': 'atomicMin'}
ASSIGNMENTS = {'+=': '-=', '-=': '+=', '|=': '&=', '&=': '|=', '<<=': '>>=', '>>=': '<<='}
ENDS = {',', ';', '?', ':', '=', '*=', '/=', '%=', '^=', *ASSIGNMENTS, '&&', '||', 'return', 'case', 'else', 'do'}
KEYWORDS = ('for', 'while', 'switch', 'return')
CLOSE = {'(': ')', '[': ']', '{': '}'}
INTEGER = re.compile(r'(0[xX][0-9a-fA-F]+|0|[1-9]\d*)([uUlL]*)$')
# what is printed, checks of programmers' errors, layouts, and what only a search for leaks sees
LEFT_OUT = re.compile(r'g_return_|g_assert|_Static_assert|G_STATIC_ASSERT|G_N_ELEMENTS|sizeof|layout|.*(print|_DEBUG'
                      r'|_LOG|_TRACE|_INFO|_WARNING)|g_(debug|warning|info|message|critical)|.*(free|unref|clear_\w+)$')


def tokens_of(text):
    found = [Token(match.lastgroup, match.group(), match.start(), match.end()) for match in TOKEN.finditer(text)]
    return [token for token in found if token.kind != 'skip']


def matched(tokens):
    """For each token, the index of the innermost bracket around it (or None), and for each bracket its partner."""
    around, partner, stack = [], {}, []
    for i, token in enumerate(tokens):
        if token.text in (')', ']', '}') and stack:
            partner[i] = stack.pop()
            partner[partner[i]] = i
        around.append(stack[-1] if stack else None)
        if token.text in CLOSE:
            stack.append(i)
    return around, partner


class Finder:
    def __init__(self, path, text):
        self.path, self.text, self.glsl = path, text, not path.endswith(('.c', '.h'))
        self.tokens = tokens_of(text)
        self.around, self.partner = matched(self.tokens)

    def word(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ''

    def is_code(self, i):
        """In the body of a function, or a constant at the top of a shader; not in what is left out."""
        at = self.around[i]
        while at is not None:
            if self.word(at) == '(' and LEFT_OUT.match(self.word(at - 1)):
                return False
            if self.word(at) == '{' and self.around[at] is None:
                return self.word(at - 1) == ')'
            at = self.around[at]
        return self.glsl and self.around[i] is None and self.tokens[i].kind != 'word'

    def expression(self, i, ends):
        """The first and the last token of the expression in which token i is an operator."""
        first = last = i
        while first > 0 and self.word(first - 1) not in ends and self.word(first - 1) not in ('(', '[', '{', '}'):
            first = self.partner.get(first - 1, first - 1)
        while last + 1 < len(self.tokens) and self.word(last + 1) not in ends and \
                self.word(last + 1) not in (')', ']', '}'):
            last = self.partner.get(last + 1, last + 1)
        return first, last

    def target(self, i):
        """The first token of what is assigned to before token i: names, members, elements, at most one star."""
        at = i - 1
        while True:
            while self.word(at) == ']':
                at = self.partner[at] - 1
            if self.tokens[at].kind != 'word':
                return None
            if self.word(at - 1) not in ('.', '->'):
                break
            at -= 2
        at -= self.word(at - 1) == '*'
        return at if self.word(at - 1) in (';', '{', '}', '(', ',', ')', 'else') else None

    def site(self, kind, first, last, changes):
        """Tokens first to last, of which some (by index) become other texts."""
        inside = range(first, last + 1)
        if any(self.tokens[i].kind == 'directive' for i in inside):
            return None
        start, end = self.tokens[min(changes)].start, self.tokens[max(changes)].end
        new = ' '.join(changes.get(i, self.word(i)) for i in range(min(changes), max(changes) + 1)).strip()
        mutated = ' '.join(changes.get(i, self.word(i)) for i in inside).strip()
        old = ' '.join(self.text[start:end].split())
        return Site(self.path, self.text.count('\n', 0, start) + 1, kind, old, new, start, end,
                    self.tokens[first].start, self.tokens[last].end, mutated)

    def condition(self, i):
        """if (name (...)): the opposite. Conditions with operators have other mutants."""
        first, last = i + 2, self.partner[i + 1] - 1
        if any(self.word(j) in RELATIONS or self.word(j) in ('&&', '||') for j in range(first, last + 1)):
            return None
        changes = {first: f'!({self.word(first)}', last: f'{self.word(last)})'}
        if first == last:
            changes = {first: f'!({self.word(first)})'}
        return self.site('condition', first, last, changes)

    def begins_statement(self, i):
        if self.word(i - 1) == ')':
            return self.word(self.partner[i - 1] - 1) in ('if', 'for', 'while')
        return self.word(i - 1) in (';', '{', '}', 'else')

    def call(self, i):
        end = self.partner[i + 1] + 1
        if self.word(end) != ';' or self.word(i) in KEYWORDS or LEFT_OUT.match(self.word(i)):
            return None
        return self.site('call', i, end - 1, {j: '' for j in range(i, end)})

    def number(self, i):
        match = INTEGER.match(self.word(i))
        if not match or self.word(i - 1) == '{' and self.word(i + 1) == '}':
            return None
        value = int(match.group(1), 0)
        value += 1 if value < 2 else -1
        digits = hex(value) if match.group(1)[:2].lower() == '0x' else str(value)
        return self.site('constant', i, i, {i: digits + match.group(2)})

    def at(self, i):
        token = self.tokens[i]
        follows = self.word(i + 1) == '('
        if token.kind == 'number':
            return self.number(i)
        if token.text in WORDS and follows == (token.text not in ('TRUE', 'FALSE', 'true', 'false')):
            return self.site('bound' if follows else 'constant', i, self.partner[i + 1] if follows else i,
                             {i: WORDS[token.text]})
        if token.text == 'if' and follows:
            return self.condition(i)
        if token.kind == 'word' and follows and self.begins_statement(i):
            return self.call(i)
        if token.text in ASSIGNMENTS:
            first = self.target(i)
            return None if first is None else self.site('arithmetic', first, self.expression(i, ENDS - {token.text})[1],
                                                        {i: ASSIGNMENTS[token.text]})
        if token.text in BINARY and self.text[token.start - 1].isspace() and self.text[token.end].isspace():
            ends = ENDS - {'&&', '||'} if token.text == '||' else ENDS - {token.text}
            return self.site(BINARY[token.text], *self.expression(i, ends), {i: REPLACED[token.text]})
        return None

    def sites(self):
        return [site for i in range(len(self.tokens)) if self.is_code(i) for site in [self.at(i)] if site]


def sites_of(path, text):
    return Finder(path, text).sites()


def identified(path, text):
    """Pairs of a key and a site: the key is the same for the same change to the same line, wherever in its file the
    line is."""
    lines, seen, pairs = text.split('\n'), collections.Counter(), []
    for site in sites_of(path, text):
        column = site.start - text.rfind('\n', 0, site.start)
        what = (path, lines[site.line - 1].strip(), str(column), site.old, site.new)
        seen[what] += 1
        pairs.append((hashlib.sha256('\0'.join((*what, str(seen[what]))).encode()).hexdigest()[:12], site))
    return pairs


def choose(texts, n):
    """n sites of the files of texts (path: text), each with its key, and the same ones for the same code. A file has as
    many as the square root of its sites tells, and all kinds in turn; no two expressions overlap."""
    ranked = []
    for path, text in texts.items():
        rank, taken, kinds = 0, [], collections.Counter()
        found = sorted(identified(path, text))
        share = int(hashlib.sha256(path.encode()).hexdigest()[:8], 16) / 2 ** 32
        order = []
        for key, site in found:
            kinds[site.kind] += 1
            order.append((kinds[site.kind], key, site))
        for _, key, site in sorted(order):
            if all(site.last <= other.first or other.last <= site.first for other in taken):
                taken.append(site)
                ranked.append(((rank + share) / math.sqrt(len(found)), key, site))
                rank += 1
    return [(key, site) for _, key, site in sorted(ranked)[:n]]


def schema(text, numbered):
    """C that holds all mutants of numbered (a number: its site), of which the one that is active takes effect. Lines
    keep their numbers."""
    for number, site in sorted(numbered.items(), key=lambda item: -item[1].first):
        original = text[site.first:site.last]
        if site.kind == 'call':
            held = f'if (!gles_mutant ({number})) {original}'
        elif site.kind == 'condition':
            held = f'(gles_mutant ({number}) == !({original}))'
        else:
            held = f'(gles_mutant ({number}) ? ({site.mutated}) : ({original}))'
        text = text[:site.first] + held + text[site.last:]
    return text


def mutate(text, site):
    """text with the change, as a kernel has it: in place, with as many lines."""
    lines = '\n' * text.count('\n', site.start, site.end)
    return text[:site.start] + site.new + lines + text[site.end:]
