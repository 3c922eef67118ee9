# SPDX-License-Identifier: LGPL-2.1-or-later
"""Names: of the outputs of a file, and of files for databases and people.

A name of a file is text as os.fsdecode() makes it: a byte that is no UTF-8 is a lone surrogate."""
import hashlib
import os
import re
import unicodedata

NAME_BYTES = 255  # of a name in a folder, as file systems allow
STEM_BYTES = 230  # of a name without the ending of an output and a tilde
PATH_BYTES = 1024  # of an output's path below the folder of outputs; systems allow 4095 in all
DIGITS = 32  # of SHA-256, in a name that was too long
HASHED = f'~[0-9a-f]{{{DIGITS}}}'


def reserved_endings(endings):
    """Endings with which a name could be that of another file's output: those of outputs, and what two differ in, as
    `x.events` has the page `x.events.html` and `x` the lines `x.events.ndjson`."""
    between = {one[:-len(other)] for one in endings for other in endings if one != other and one.endswith(other)}
    return {*endings, *between, '.part'}  # what has this ending is swept


class Outputs:
    """Where outputs lie: as the files of the archive do, but for names that are too long or reserved.

    The mapping is injective: a name that ends with a tilde stood for a reserved one, a name that ends with a tilde and
    digits for a long one, and names that have these endings themselves are reserved."""

    def __init__(self, endings):
        assert STEM_BYTES + 1 + max(map(len, endings)) <= NAME_BYTES, endings
        ends = '|'.join(map(re.escape, sorted(reserved_endings(endings))))
        self.reserved = re.compile(f'(?:{ends}|~|{HASHED})\\Z')

    @staticmethod
    def _hashed(name, whole):
        digest = hashlib.sha256(os.fsencode(whole)).hexdigest()[:DIGITS]
        # a character that is cut is left out
        begin = os.fsencode(name)[:STEM_BYTES - DIGITS - 1].decode(errors='ignore')
        return f'{begin}~{digest}'

    def _name(self, name):
        if len(os.fsencode(name)) > STEM_BYTES:
            return self._hashed(name, name)
        return name + '~' if self.reserved.search(name) else name

    def stem(self, path):
        """Of a file below the archive: the path of its outputs without their endings."""
        stem = '/'.join(map(self._name, path.split('/')))
        if len(os.fsencode(stem)) > PATH_BYTES:
            return self._hashed(path.rpartition('/')[2], path)
        return stem


def stored(name):
    """For a database: text, or the bytes of a name that is no UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name)
    return name


def _escaped(character):
    code = ord(character)
    if 0xdc80 <= code <= 0xdcff:
        return f'\\x{code - 0xdc00:02x}'
    return character.encode('unicode_escape').decode()


def shown(text):
    """For people: one line, which a terminal cannot take for commands. Bytes that are no UTF-8 are escaped."""
    return text and ''.join(_escaped(character) if unicodedata.category(character) in ('Cc', 'Cs', 'Zl', 'Zp') else character
                            for character in text)
