# SPDX-License-Identifier: LGPL-2.1-or-later
"""glesjson's lines obey the schema in docs/json-schema, which refuses what is not one of them.

Arguments: the docs folder, and the program that prints lines of hand-made results; without it, lines
of gleshistogram's results are checked, the example of docs/json.md among them. Needs
python3-jsonschema (skips without it) and no network: the schema refers to nothing outside itself."""
import copy
import json
import os
import re
import shlex
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print('python3-jsonschema is not installed')
    sys.exit(77)

POINTS = {'element': 'p', 'predicate': 'motion', 'channel': 'luma', 'depth': 8, 'lower': 1, 'upper': 255,
          'unit': 'code', 'region': [0, 0, 2, 3], 'total': 3, 'count': 2, 'truncated': True, 'points': [[0, 65535, 4294967295], [1, 2, 3]]}
TILES = {'element': 't', 'source': 'points', 'size': [16, 16], 'grid': [2, 1], 'total': 3,
         'truncated': False, 'occupied': 2, 'max_per_tile': 2,
         'offsets': [0, 1, 3], 'indices': [5, 0, 2]}

# (what is wrong, how to make it so) of a valid line with all three parts
MUTATIONS = [
    ('an unknown key', lambda o: o.update(extra=1)),
    ('no version', lambda o: o.pop('version')),
    ('another version', lambda o: o.update(version=2)),
    ('no stream id', lambda o: o.pop('stream_id')),
    ('a time of day without zone', lambda o: o.update(utc='2026-11-23T01:02:03.123456789')),
    ('an unknown range', lambda o: o.update(range='16-235')),
    ('an unknown field', lambda o: o.update(field='none')),
    ('an unknown matrix', lambda o: o.update(matrix='bt2100')),
    ('a channel without depth', lambda o: o['histogram']['channels'][0].pop('depth')),
    ('points without predicate', lambda o: o['points'].pop('predicate')),
    ('an unknown predicate', lambda o: o['points'].update(predicate='blob')),
    ('points without unit', lambda o: o['points'].pop('unit')),
    ('tiles without source', lambda o: o['tiles'].pop('source')),
    ('lists of boxes without boxes', lambda o: o['tiles'].update(source='roi')),
    ('boxes of points', lambda o: o['tiles'].update(boxes=[])),
    ('regions without element', lambda o: o.pop('regions_element')),
    ('no frame', lambda o: o.pop('frame')),
    ('no pts', lambda o: o.pop('pts')),
    ('a time as text', lambda o: o.update(pts='0')),
    ('a negative time', lambda o: o.update(running_time=-1)),
    ('a width of 0', lambda o: o.update(width=0)),
    ('no results', lambda o: [o.pop(k) for k in ('histogram', 'points', 'tiles', 'regions', 'regions_element',
                                            'regions_total')]),
    ('regions without their total', lambda o: o.pop('regions_total')),
    ('a region without a box', lambda o: o['regions'][0].pop('box')),
    ('a box of no height', lambda o: o['regions'][0].update(box=[1, 2, 3, 0])),
    ('an unknown key in a region', lambda o: o['regions'][0].update(extra=1)),
    ('1 bin', lambda o: o['histogram'].update(bins=1)),
    ('65537 bins', lambda o: o['histogram'].update(bins=65537)),
    ('an empty grid', lambda o: o['histogram'].update(grid=[0, 1])),
    ('a region of three numbers', lambda o: o['histogram'].update(region=[0, 0, 1])),
    ('a region of five numbers', lambda o: o['histogram'].update(region=[0, 0, 1, 1, 1])),
    ('no channels', lambda o: o['histogram'].update(channels=[])),
    ('five channels', lambda o: o['histogram'].update(channels=[o['histogram']['channels'][0]] * 5)),
    ('an unknown key in histogram', lambda o: o['histogram'].update(extra=1)),
    ('an unknown key in a channel', lambda o: o['histogram']['channels'][0].update(extra=1)),
    ('no mean', lambda o: o['histogram']['channels'][0].pop('mean')),
    ('no p95', lambda o: o['histogram']['channels'][0].pop('p95')),
    ('a mean of null', lambda o: o['histogram']['channels'][0].update(mean=None)),
    ('a fractional count', lambda o: o['histogram']['channels'][0].update(count=1.5)),
    ('a negative distance', lambda o: o['histogram']['channels'][0].update(emd=-1)),
    ('a difference over 1', lambda o: o['histogram']['channels'][0].update(difference=1.5)),
    ('counts as text', lambda o: o['histogram']['channels'][0].update(counts='[]')),
    ('a negative counter', lambda o: o['histogram']['channels'][0].update(counts=[0, -1])),
    ('counts nested too deep', lambda o: o['histogram']['channels'][0].update(counts=[[[0, 0]]] * 2)),
    ('a mixture of lists and numbers', lambda o: o['histogram']['channels'][0].update(counts=[0, [0, 0]])),
    ('a point without value', lambda o: o['points'].update(points=[[0, 0]])),
    ('truncated as a number', lambda o: o['points'].update(truncated=0)),
    ('no total of points', lambda o: o['points'].pop('total')),
    ('an unknown key in tiles', lambda o: o['tiles'].update(extra=1)),
    ('a fractional index', lambda o: o['tiles'].update(indices=[0.5])),
    ('offsets without indices', lambda o: o['tiles'].pop('indices')),
    ('indices without offsets', lambda o: o['tiles'].pop('offsets')),
    ('both the lists of tiles and their lengths', lambda o: o['tiles'].update(counts=[1, 2])),
    ('neither of them', lambda o: [o['tiles'].pop(k) for k in ('offsets', 'indices')]),
    ('a coordinate over 65535', lambda o: o['points'].update(points=[[65536, 0, 0]])),
    ('a tile of no height', lambda o: o['tiles'].update(size=[16, 0])),
]

REGIONS = [{'label': 'car', 'box': [1, 2, 3, 4], 'pixels': 5, 'centroid': [2.5, 3], 'mean': 7.5, 'max': 9}]
SOURCE = 'videotestsrc num-buffers=4 ! video/x-raw,width=98,height=50,format='
# the description of a pipeline up to glesjson, and how many lines it makes
PIPELINES = [
    ('I420 ! gleshistogram device=cpu ! glesjson', 4),
    ('I420 ! gleshistogram device=cpu interval=2 ! glesjson counts=false', 2),
    ('NV12 ! gleshistogram device=cpu channels=luma grid-columns=3 grid-rows=2 bins=100 ! glesjson', 4),
    ('P010_10LE ! gleshistogram device=cpu bins=1024 region="<3,5,11,7>" ! glesjson', 4),
    ('BGRA ! gleshistogram device=cpu bins=1000 ! glesjson', 4),
    # a region between the samples of U and V
    ('I420 ! gleshistogram device=cpu region="<1,1,1,1>" ! glesjson', 4),
    ('I420 ! glescompact device=cpu ! glesjson', 4),
    ('NV12 ! glescompact device=cpu lower=30 max-points=7 ! glesjson', 4),
    ('NV12 ! gleshistogram device=cpu ! glescompact device=cpu predicate=edge lower=90 ! '
     'glestiles device=cpu max-items=50 ! glesjson', 4),
    ('I420 ! glescompact device=cpu predicate=motion lower=1 ! glestiles device=cpu ! '
     'glesjson points=false indices=false', 4),
    ('NV12 ! glescompact device=cpu lower=30 ! glestiles device=cpu max-items=50 ! '
     'glesjson points=false indices=false', 4),
    ('NV12 ! glescompact device=cpu lower=150 ! glesregions device=cpu max-regions=3 ! glesjson', 4),
    ('NV12 ! glescompact device=cpu readback=false lower=150 ! glesregions device=cpu ! glesjson', 4),
    # boxes, without and with the lists
    ('NV12 ! glescompact device=cpu lower=150 ! glesregions device=cpu roi=true ! '
     'glestiles device=cpu source=roi ! glesjson', 4),
    ('NV12 ! glestiles device=cpu source=roi ! glesjson indices=false', 4),
    ('I420 ! gleshistogram device=cpu mad=true ! glesjson', 4),
    # a cut to a picture of another colour, and back
    # one event, which ends with the stream
    ('I420 ! gleshistogram device=cpu ! glesevents low-contrast-range=1 exposure-min-duration=0 ! '
     'glesjson', 6),
    ('I420 ! gleshistogram device=cpu ! videoconvert ! jpegenc ! queue ! glesjson', 4),
]


EVENT = {'version': 1, 'event': 'black', 'phase': 'end', 'frame': 9, 'pts': 4, 'running_time': None, 'start_frame': 2,
         'start': 1, 'duration': 3, 'score': 0.99}
# the same of a line with an event
EVENT_MUTATIONS = [
    ('no version', lambda o: o.pop('version')),
    ('an unknown event', lambda o: o.update(event='flash')),
    ('an unknown phase', lambda o: o.update(phase='middle')),
    ('an end without start', lambda o: o.pop('start')),
    ('a start with a start', lambda o: o.update(phase='start')),
    ('an event with results', lambda o: o.update(histogram={})),
]


def lines_of(command):
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    assert output.endswith(b'\n'), f'{command}: the last line has no end'
    return output.decode('ascii').splitlines()


def refuse_constant(name):
    raise ValueError(f'{name} is not JSON')


def check_counts(line):
    """What a schema cannot say: how long the lists are, and that they count every sample."""
    histogram = line['histogram']
    columns, rows = histogram['grid']
    for channel in histogram['channels']:
        if 'counts' not in channel:
            continue
        cells = channel['counts'] if columns * rows > 1 else [channel['counts']]
        assert len(cells) == columns * rows, f'{len(cells)} cells in a grid of {columns}x{rows}'
        for cell in cells:
            assert len(cell) == histogram['bins'], f'{len(cell)} of {histogram["bins"]} bins'
        total = sum(map(sum, cells))
        assert total == channel['count'], f'{total} of {channel["count"]} samples counted'


def check_lists(line):
    """The same of points and tiles: lists are as long as the numbers beside them say."""
    points, tiles = line.get('points', {}), line.get('tiles', {})
    if 'points' in points:
        assert len(points['points']) == points['count'] <= points['total']
        assert points['truncated'] == (points['count'] < points['total'])
    if 'offsets' in tiles or 'indices' in tiles:
        offsets, indices = tiles['offsets'], tiles['indices']
        assert len(offsets) == tiles['grid'][0] * tiles['grid'][1] + 1
        assert offsets[0] == 0 and offsets[-1] == len(indices) <= tiles['total']
        assert offsets == sorted(offsets)
        assert tiles['truncated'] == (len(indices) < tiles['total'])
        lengths = [end - start for start, end in zip(offsets, offsets[1:])]
        assert tiles['max_per_tile'] == max(lengths)
        assert tiles['occupied'] == sum(length > 0 for length in lengths)
    if 'boxes' in tiles:
        assert not tiles['indices'] or max(tiles['indices']) < len(tiles['boxes'])
    if 'counts' in tiles:
        assert tiles['max_per_tile'] == max(tiles['counts'])
        assert len(tiles['counts']) == tiles['grid'][0] * tiles['grid'][1]
        assert tiles['truncated'] == (sum(tiles['counts']) < tiles['total'])
    if 'regions' in line:
        sizes = [region['pixels'] for region in line['regions']]
        assert sizes == sorted(sizes, reverse=True) and len(sizes) <= line['regions_total']
        for x, y, width, height in (region['box'] for region in line['regions']):
            assert x + width <= line['width'] and y + height <= line['height']


def check(lines, validator):
    for text in lines:
        line = json.loads(text, parse_constant=refuse_constant)
        validator.validate(line)
        if 'histogram' in line:
            check_counts(line)
        check_lists(line)


def check_teeth(text, validator):
    valid = json.loads(text)
    valid.update(points=POINTS, tiles=TILES, regions=REGIONS, regions_element='r', regions_total=2)
    validator.validate(valid)
    for wrong, mutate in MUTATIONS:
        line = copy.deepcopy(valid)
        mutate(line)
        assert not validator.is_valid(line), f'the schema lets {wrong} pass'
    validator.validate(EVENT)
    for wrong, mutate in EVENT_MUTATIONS:
        line = copy.deepcopy(EVENT)
        mutate(line)
        assert not validator.is_valid(line), f'the schema lets {wrong} pass'


def check_samples(validator, program):
    lines = lines_of([program])
    assert len(lines) == 12, f'{len(lines)} lines instead of 12'
    check(lines, validator)
    check_teeth(lines[0], validator)
    print(f'{len(lines)} lines are valid, {len(MUTATIONS)} wrong ones are not')


def check_pipelines(validator):
    for description, n_lines in PIPELINES:
        lines = lines_of(['gst-launch-1.0', '-q', *shlex.split(SOURCE + description), '!', 'fdsink'])
        assert len(lines) == n_lines, f'{len(lines)} lines instead of {n_lines}: {description}'
        check(lines, validator)
        print(f'{n_lines} valid lines of {description}')


def check_example(validator, docs):
    """The command and the line that docs/json.md shows one after the other."""
    with open(os.path.join(docs, 'json.md'), encoding='utf-8') as file:
        text = file.read()
    command, shown = re.search(r'```sh\n([^`]*)```\n\n```json\n([^`]*)```', text).groups()
    lines = lines_of(shlex.split(command.replace('\\\n', ' ')))
    check(lines, validator)
    # videotestsrc makes another id each time
    lines = [re.sub(r'"stream_id":"\w+"', '"stream_id":"3ecf97b04deec22fc3b97d9cd3bd46eb"', line)
             for line in lines]
    assert lines == [re.sub(r'\n *', '', shown)], f'docs/json.md shows another line than {lines}'


def main(docs, program=None):
    with open(os.path.join(docs, 'json-schema', 'gles-ndjson.schema.json'), encoding='utf-8') as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    if program:
        check_samples(validator, program)
    else:
        check_pipelines(validator)
        check_example(validator, docs)


if __name__ == '__main__':
    main(*sys.argv[1:])
