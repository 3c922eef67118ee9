# SPDX-License-Identifier: LGPL-2.1-or-later
"""Blocks of lines, compressed: two streams of xz, each with a check of its own.

The first one has the lines, with the size in bytes in place of each result and picture, the second one these. A result is
nearly that of the frame before it. So results of one size are transposed: all of their first bytes, then all of their fifth
ones, and so on for each of the four bytes of a word, and xz stores the difference of each byte from the one before it."""
import base64
import binascii
import collections
import lzma
import re
import zlib

MAX_LINES, MAX_BYTES = 1024, 1 << 23  # of a block: what a worker holds
LIMIT = 1 << 28  # no block needs so much
CHUNK = 1 << 18
WORD = 4
# level 6 takes half as much time again for 2 % less, level 1 three fifths of the time for 7 % more
LINES = {'preset': 1}  # in units they are few
VALUES = {'preset': 4, 'pb': 0}
DICTIONARY = 4096, 1 << 22  # bytes
RESULTS = b',"results":['  # begins what --replayable adds; in a text of JSON its quotes would have backslashes
PICTURES = (b'{"type":"picture"', b'{"type":"event-picture"')
BASE64 = re.compile(rb'(?<=[\[,:])"([A-Za-z0-9+/]+={0,2})"')
SIZE = re.compile(rb'(?<=[\[,:])"#([rj])([1-9]\d*)"')


def _begin(line):
    """Where the part of a line begins that may have values; -1: nowhere."""
    return 0 if line.startswith(PICTURES) else line.rfind(RESULTS)


def _inflate(packed):
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    data = inflater.decompress(packed, MAX_BYTES)
    if not inflater.eof or inflater.unused_data:
        raise ValueError('no result')
    return data


def _deflate(data):
    deflater = zlib.compressobj(1, wbits=-zlib.MAX_WBITS)
    return deflater.compress(data) + deflater.flush()


def _places(size):
    return [place for byte in range(WORD) for place in range(byte, size, WORD)]


def _transpose(values, size):
    joined = b''.join(values)
    return b''.join([joined[place::size] for place in _places(size)])


def _rows(data, size):
    """The values of which _transpose() made @data."""
    n = len(data) // size
    for number in range(n):
        mixed, row, at = data[number::n], bytearray(size), 0
        for byte in range(WORD):
            places = len(range(byte, size, WORD))
            row[byte::WORD] = mixed[at:at + places]
            at += places
        yield bytes(row)


def compress(data, settings, before=()):
    """Returns a stream of xz. A dictionary of more bytes than @data takes memory and the time to clear it."""
    least, most = DICTIONARY
    size = min(max(len(data), least), most)
    return lzma.compress(data, filters=[*before, {'id': lzma.FILTER_LZMA2, 'dict_size': size, **settings}])


class Packer:
    """Collects the lines of a block."""

    def __init__(self):
        self.lines, self.values, self.bytes = [], collections.defaultdict(list), 0

    def add(self, line):
        """Takes a line without its line feed. Returns whether the block is full."""
        begin = _begin(line)
        if begin >= 0:
            kind = b'j' if line.startswith(PICTURES) else b'r'
            line = line[:begin] + BASE64.sub(lambda match: self._take(match, kind), line[begin:])
        self.lines.append(line)
        self.bytes += len(line)
        return len(self.lines) >= MAX_LINES or self.bytes >= MAX_BYTES

    def _take(self, match, kind):
        """Takes a value out of a line. Pictures make the same text again; a result is deflated anew, which may make other
        bytes of the same result."""
        try:
            value = base64.b64decode(match[1], validate=True)
            if base64.b64encode(value) != match[1]:
                return match[0]
            if kind == b'r':
                value = _inflate(value)
        except (binascii.Error, ValueError, zlib.error):
            return match[0]
        if not value:
            return match[0]
        self.values[len(value)].append(value)
        self.bytes += len(value)
        return b'"#%s%d"' % (kind, len(value))

    def finish(self):
        """Returns the two streams of the block as pairs of data and bytes of xz, and begins another block."""
        lines = b''.join(line + b'\n' for line in self.lines)
        values = b''.join(_transpose(of_size, size) for size, of_size in sorted(self.values.items()))
        self.lines, self.values, self.bytes = [], collections.defaultdict(list), 0
        delta = {'id': lzma.FILTER_DELTA, 'dist': 1}
        return (lines, compress(lines, LINES)), (values, compress(values, VALUES, [delta]))


def unpack(lines, values):
    """Yields the lines of a block, with their line feeds. Raises ValueError where these streams are none."""
    counts = collections.Counter()
    kept = [(line, _begin(line)) for line in lines.split(b'\n')[:-1]]
    for line, begin in kept:
        if begin >= 0:
            counts.update(int(match[2]) for match in SIZE.finditer(line, begin))
    if sum(size * n for size, n in counts.items()) != len(values):
        raise ValueError('a block has other values than its lines say')
    rows, at = {}, 0
    for size, n in sorted(counts.items()):
        rows[size] = _rows(values[at:at + size * n], size)
        at += size * n

    def put(match):
        value = next(rows[int(match[2])])
        return b'"%s"' % base64.b64encode(_deflate(value) if match[1] == b'r' else value)

    for line, begin in kept:
        yield (line if begin < 0 else line[:begin] + SIZE.sub(put, line[begin:])) + b'\n'


def streams(file):
    """Yields what each stream of xz in @file has. Raises EOFError or lzma.LZMAError where one is not whole."""
    data = file.read(CHUNK)
    while data:
        decompressor, pieces, size = lzma.LZMADecompressor(lzma.FORMAT_XZ), [], 0
        while not decompressor.eof:
            if decompressor.needs_input and not data:
                data = file.read(CHUNK)
                if not data:
                    raise EOFError('the file ends in a block')
            pieces.append(decompressor.decompress(data, LIMIT - size + 1))
            data = b''
            size += len(pieces[-1])
            if size > LIMIT:
                raise ValueError('a block is too large')
        yield b''.join(pieces)
        data = decompressor.unused_data or file.read(CHUNK)
