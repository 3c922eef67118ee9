# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random expressions as trees, their text, and their value in Python's integers.

A tree is a number, a name, or a tuple of an operator and trees. The text has only the parentheses that the precedence of
C asks for, and some more at random, so that a parser with other precedences finds other values."""
import math
import random

MASK = 0xffffffff
BINARY = {'||': 1, '&&': 2, '|': 3, '^': 4, '&': 5, '==': 6, '!=': 6, '<': 7, '<=': 7, '>': 7, '>=': 7, '<<': 8,
          '>>': 8, '+': 9, '-': 9, '*': 10, '/': 10, '%': 10}
UNARY = ('-', '~', '!')
FUNCTIONS = {'min': 2, 'max': 2, 'abs': 1, 'clamp': 3, 'in': 3, 'isqrt': 1, 'lin': 1, 'mix': 3}
CHOICE, UNARY_LEVEL, OPERAND = 0, 11, 12
NUMBERS = (0, 1, 2, 3, 7, 8, 16, 31, 32, 100, 127, 128, 255, 256, 360, 1023, 4095, 32767, 65535, 65536, 0x7fffffff,
           0x80000000, 0xffffffff)


def wrap(value):
    """As 32 bits in two's complement."""
    value &= MASK
    return value - (1 << 32) if value >> 31 else value


def quotient(a, b):
    if b == 0:
        return 0
    magnitude = abs(a) // abs(b)
    return -magnitude if (a < 0) != (b < 0) else magnitude


def rest(a, b):
    return 0 if b == 0 else a - b * quotient(a, b)


OPERATIONS = {
    '||': lambda a, b: int(a != 0 or b != 0), '&&': lambda a, b: int(a != 0 and b != 0),
    '|': lambda a, b: a | b, '^': lambda a, b: a ^ b, '&': lambda a, b: a & b,
    '==': lambda a, b: int(a == b), '!=': lambda a, b: int(a != b), '<': lambda a, b: int(a < b),
    '<=': lambda a, b: int(a <= b), '>': lambda a, b: int(a > b), '>=': lambda a, b: int(a >= b),
    '<<': lambda a, b: a << (b % 32), '>>': lambda a, b: a >> (b % 32), '+': lambda a, b: a + b,
    '-': lambda a, b: a - b, '*': lambda a, b: a * b, '/': quotient, '%': rest,
    'min': min, 'max': max, 'abs': abs, 'clamp': lambda a, low, high: min(max(a, low), high),
    'in': lambda a, low, high: int(low <= a <= high), 'isqrt': lambda a: math.isqrt(a & MASK),
    'mix': lambda a, b, w: wrap(wrap(a * wrap(256 - w)) + wrap(b * w)) >> 8,
    'unary -': lambda a: -a, 'unary ~': lambda a: ~a, 'unary !': lambda a: int(a == 0),
    '?': lambda c, a, b: a if c != 0 else b,
}


def light(code):
    """The light, 0 to 65535, of a code value of sRGB."""
    share = min(max(code, 0), 255) / 255
    return round(65535 * (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4))


OPERATIONS['lin'] = light


def evaluate(tree, values):
    if isinstance(tree, int):
        return wrap(tree)
    if isinstance(tree, str):
        return values[tree]
    return wrap(OPERATIONS[tree[0]](*[evaluate(part, values) for part in tree[1:]]))


def level_of(tree):
    if not isinstance(tree, tuple):
        return OPERAND
    if tree[0] == '?':
        return CHOICE
    if tree[0].startswith('unary'):
        return UNARY_LEVEL
    return BINARY.get(tree[0], OPERAND)


def text_of(tree, rng, least=CHOICE):
    """The text of a tree where an operator of at least the level may stand."""
    space = rng.choice(('', ' ', ' '))
    if isinstance(tree, int):
        text = hex(tree) if rng.random() < 0.2 else str(tree)
    elif isinstance(tree, str):
        text = tree
    elif tree[0] == '?':
        condition = text_of(tree[1], rng, 1)
        text = f'{condition} ? {text_of(tree[2], rng)} : {text_of(tree[3], rng)}'
    elif tree[0].startswith('unary'):
        text = tree[0][-1] + space + text_of(tree[1], rng, UNARY_LEVEL)
    elif tree[0] in BINARY:
        level = BINARY[tree[0]]
        left, right = text_of(tree[1], rng, level), text_of(tree[2], rng, level + 1)
        # a number before % without a space is a share of full scale where no operand follows
        text = f'{left} {tree[0]}{space}{right}'
    else:
        text = f'{tree[0]}({", ".join(text_of(part, rng) for part in tree[1:])})'
    if level_of(tree) < least or rng.random() < 0.05:
        text = f'({text})'
    return text


def random_tree(rng, names, depth):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(names) if rng.random() < 0.6 else rng.choice(NUMBERS)
    kind = rng.random()
    if kind < 0.7:
        operator, n = rng.choice(list(BINARY)), 2
    elif kind < 0.8:
        operator, n = 'unary ' + rng.choice(UNARY), 1
    elif kind < 0.94:
        operator, n = rng.choice(list(FUNCTIONS.items()))
    else:
        operator, n = '?', 3
    return (operator, *(random_tree(rng, names, depth - 1) for _ in range(n)))


def random_values(rng, names):
    return {name: wrap(rng.choice((rng.randrange(256), rng.randrange(1 << 32), rng.choice(NUMBERS), -rng.randrange(300))))
            for name in names}


def variants(tree, rng):
    """Trees of the same value."""
    key = rng.choice(NUMBERS)
    yield ('^', ('^', tree, key), key)
    yield ('+', ('-', tree, key), key)
    yield ('unary ~', ('unary ~', tree))
    yield ('-', tree, ('-', key, key))
    if isinstance(tree, tuple) and tree[0] in ('+', '*', '&', '|', '^', '==', '!=', 'min', 'max', '&&', '||'):
        yield (tree[0], tree[2], tree[1])
    if isinstance(tree, tuple) and tree[0] in ('<', '<=', '>', '>='):
        yield ({'<': '>', '<=': '>=', '>': '<', '>=': '<='}[tree[0]], tree[2], tree[1])
    yield ('?', ('||', 1, tree), tree, key)


def seeded(seed):
    return random.Random(seed)
