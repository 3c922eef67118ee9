# SPDX-License-Identifier: LGPL-2.1-or-later
"""Parts that are cut by hand from the lines of a serial run: they make its lines again, or are found to make none.

Arguments: gst-gles-archive-1.0 and gst-gles-report-1.0 of the build."""
import array
import base64
import json
import random
import re
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

from archives import H264, Archive
from collection import modules

EQUAL = 8
SHIFT = 123456789
PICTURE = '{"type":"picture","stream_time":%d,"jpeg":"abc"}\n'
PROBLEM = ('{"version":1,"event":"problem","phase":"instant","id":"1","element":"gst-gles-report","stream_id":null,'
           '"frame":0,"pts":null,"running_time":null,"stream_time":%d,"utc":null,"score":1,"stream":"video",'
           '"problem":"decoder","text":"x","count":1}\n')
SOUND = ('{"version":1,"event":"silence","phase":"end","id":"1","element":"gst-gles-report","stream_id":null,"frame":0,'
         '"pts":null,"running_time":null,"stream_time":%d,"utc":null,"start_frame":0,"start":%d,"duration":%d,'
         '"stream":"audio 1"}\n')


class Parts:
    """Parts of a file of which all lines are known: lines of frames and the times of pictures."""

    def __init__(self, tool, top, lines, pictures):
        self.folders, _, _, self.plans, _ = modules(tool)
        self.join, self.unitfile = sys.modules['archive.join'], sys.modules['archive.unitfile']
        self.lines, self.pictures, self.top = lines, pictures, Path(top)
        self.times = [json.loads(line)['stream_time'] for line in lines]

    def part(self, number, first, begin, end, wrong):
        """Frames begin to end of a part whose range begins at frame first; @wrong of them differ."""
        lines, pictures = [], [time for time in self.pictures if self.times[begin] <= time <= self.times[end - 1]]
        for index in range(begin, end):
            while pictures and pictures[0] <= self.times[index]:
                lines.append(PICTURE % pictures.pop(0))
            line = re.sub('"frame":[0-9]+', f'"frame":{index - begin}', self.lines[index], count=1)
            line = re.sub('"running_time":([0-9]+)',
                          lambda match: f'"running_time":{int(match[1]) + SHIFT * number}', line, count=1)
            if index - begin < wrong:
                line = line.replace('"mad":', '"mad":9')
            lines.append(line)
        unit = self.plans.Unit(f'{number}', 'x', 'x', 0, 0, 'part', self.times[first] if number else 0, None)
        return unit, lines

    def path(self, unit):
        return self.top / f'{unit.id}.xz'

    def write(self, unit, lines):
        path = self.path(unit)
        data = ''.join(lines).encode()
        # in pieces that end anywhere
        self.unitfile.write(str(path), unit, (data[i:i + 1001] for i in range(0, len(data), 1001)), lambda tally: (0, None))
        return self.join.Part(str(path), unit)

    def joined(self, parts, sound=()):
        return [line.decode() for line in self.join.Joined([self.write(*part) for part in parts], sound)
                if not isinstance(line, dict)]

    def expected(self):
        lines, pictures = [], list(self.pictures)
        for time, line in zip(self.times, self.lines):
            while pictures and pictures[0] <= time:
                lines.append(PICTURE % pictures.pop(0))
            lines.append(line)
        return lines

    def refuses(self, parts, said):
        try:
            self.joined(parts)
        except self.join.Unjoinable as error:
            assert re.search(said, str(error)), error
        else:
            raise AssertionError(f'joined, in spite of: {said}')


def random_plan(parts, numbers):
    n = len(parts.lines)
    cuts = sorted(numbers.sample(range(20, n - 20, 20), numbers.randrange(1, 5)))
    made = []
    for number, (first, stop) in enumerate(zip([0, *cuts], [*cuts, n])):
        begin = max(0, first - numbers.randrange(1, 20)) if number else 0
        end = min(n, stop + numbers.randrange(EQUAL, 30))
        made.append(parts.part(number, first, begin, end, numbers.randrange(first - begin + 1) if number else 0))
    return made


def check_random(parts):
    numbers, expected = random.Random(43), parts.expected()
    for _ in range(50):
        made = random_plan(parts, numbers)
        for unit, lines in made[1:]:
            if numbers.random() < 0.5:
                lines.append(PROBLEM % (unit.start - 1))
        assert parts.joined(made) == expected, [unit.start for unit, _ in made]


def check_refused(parts):
    n = len(parts.lines)
    first = parts.part(0, 0, 0, 70, 0)
    parts.refuses([first, parts.part(1, 50, 40, n, 23)], 'the last 7 are equal')
    assert parts.joined([first, parts.part(1, 50, 40, n, 22)]) == parts.expected()
    parts.refuses([first, parts.part(1, 80, 70, n, 0)], 'ends too early')
    parts.refuses([first, parts.part(1, 80, 69, n, 0)], 'of 1 and 1 frames')
    # a frame that one of them has not
    unit, lines = parts.part(1, 50, 40, n, 0)
    parts.refuses([first, (unit, lines[:25] + lines[26:])], 'the last [0-7] are equal')
    parts.refuses([first, (unit, lines + [PROBLEM % unit.start])], 'problem in the part')
    parts.refuses([(first[0], first[1] + [PROBLEM % 1]), (unit, lines)], 'problem in the part')
    parts.refuses([first, (unit, [])], 'has no frames')
    parts.refuses([first, (unit, [line.replace('"stream_time":', '"stream_time":null,"x":') for line in lines])], 'no time')


def check_sound(parts):
    """Frames of events of sound are counted again: the first one at that time or later."""
    times = parts.times
    sound = [(SOUND % (times[30] - 1, times[10], 5)).encode(), {'frames': 0}]
    lines = parts.joined([parts.part(0, 0, 0, 70, 0), parts.part(1, 50, 40, len(times), 5)], iter(sound))
    event = json.loads(lines[-1])
    assert (event['frame'], event['start_frame']) == (30, 10), event
    assert lines[:-1] == parts.expected()


def check_kept(parts):
    """Units keep of a frame what replaying needs: its head, the format of the file and its results. The border is the last member of that name,
    not a text that looks like it. Other lines stay as they are."""
    head = '{"version":1,"tags":{"place":"%s"},"frame":%d,"pts":1,"duration":null,"running_time":2,"stream_time":3'
    results = ',"results":["AAAA","BB=="],"tout":0.5,"brng":0.25,"key":true}\n'
    texts = [',\\"results\\":[', '},\\"frame\\":7']
    long = [f'{head % (text, number)},"utc":null,"text":"{texts[0]}"{results}' for number, text in enumerate(texts)]
    short = [f'{head % (text, number)}{results}' for number, text in enumerate(texts)]
    others = [PICTURE % 3, PROBLEM % 3, f'{head % ("", 2)},"utc":null}}\n']
    unit, _ = parts.part(0, 0, 0, 0, 0)
    for lines in long + others, short + others:  # short lines are kept as they are
        parts.write(unit, lines)
        *kept, facts = parts.unitfile.read(str(parts.path(unit)), unit.id)
        assert [line.decode() for line in kept] == short + others, kept
        assert facts['frames'] == 3, facts
    stored = ',"stored_format":"RGB15"'
    parts.write(unit, [f'{head % ("", 0)},"format":"Y444"{stored},"text":""{results}'])
    kept, _ = parts.unitfile.read(str(parts.path(unit)), unit.id)
    assert kept.decode() == f'{head % ("", 0)}{stored}{results}', kept


def check_blocks(parts):
    """Values of any size come back, over several blocks; a text that looks like the size of one stays a text. The bytes
    of slowly changing counters are few."""
    def result(data):
        deflater = zlib.compressobj(1, wbits=-zlib.MAX_WBITS)
        return base64.b64encode(deflater.compress(data) + deflater.flush()).decode()

    numbers, words = random.Random(4), [1000] * 200
    unit, lines = parts.part(0, 0, 0, 0, 0)
    for number in range(1100):
        words = [word + numbers.randrange(-2, 3) for word in words]
        values = [array.array('I', words).tobytes(), bytes(number % 7), b'x' * (number % 5)]
        lines.append('{"version":1,"tags":{"a":"#r9","b":[{"c":"#j9"}]},"frame":%d,"pts":1,"duration":null,"running_time":2,'
                     '"stream_time":3,"results":["%s"],"tout":0.5}\n' % (number, '","'.join(map(result, values))))
        if number % 100 == 0:
            lines.append('{"type":"picture","stream_time":3,"sideways":false,"jpeg":"%s"}\n'
                         % base64.b64encode(numbers.randbytes(number)).decode())
            lines.append(PROBLEM.replace('"x"', '"#r1 \\"#r1\\" \u2028"') % 3)
    parts.write(unit, lines)
    path = parts.path(unit)
    *kept, facts = parts.unitfile.read(str(path), unit.id)
    assert [line.decode() for line in kept] == lines
    assert facts['frames'] == 1100, facts
    # entropy: log2(5) bits a word are 58 bytes a frame; and the pictures
    assert path.stat().st_size < 1100 * 90 + 5500, path.stat().st_size
    assert subprocess.run(['xz', '--format=xz', '--test'], stdin=path.open(), check=False).returncode == 0


def main(tool, reporter):
    with tempfile.TemporaryDirectory() as top:
        archive = Archive(tool, reporter, top)
        path = archive.make('a.mp4', f'-f lavfi -i testsrc2=s=192x108:r=25:d=10 {H264}')
        archive.serial(path)
        with open(f'{top}/serial.ndjson', encoding='utf-8') as file:
            lines = [line for line in file if '"event"' not in line]
        times = [json.loads(line)['stream_time'] for line in lines]
        parts = Parts(tool, top, lines, [times[0], times[45], times[55], times[120], times[121] + 1])
        check_random(parts)
        check_refused(parts)
        check_sound(parts)
        check_kept(parts)
        check_blocks(parts)


if __name__ == '__main__':
    main(*sys.argv[1:])
