# SPDX-License-Identifier: LGPL-2.1-or-later
"""glesjson's lines obey the schema in docs/json-schema, which refuses what is not one of them.

Arguments: the docs folder, and the programs element-glesjson and element-glesjson-origin, which make lines of known
results. Lines of pipelines are checked too, the example of docs/json.md among them. Needs python3-jsonschema (skips
without it) and no network: the schema refers to nothing outside itself."""
import copy
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print('python3-jsonschema is not installed')
    sys.exit(77)

# the other parts of a line with a histogram
PARTS = {
    'points': {'element': 'p', 'picture': [8, 4], 'predicate': 'motion', 'channel': 'luma', 'depth': 8, 'lower': 1, 'upper': 255,
               'unit': 'code', 'region': [0, 0, 2, 3], 'total': 3, 'count': 2, 'truncated': True,
               'points': [[0, 65535, 4294967295], [1, 2, 3]]},
    'tiles': {'element': 't', 'picture': [8, 4], 'source': 'points', 'size': [16, 16], 'grid': [2, 1], 'total': 3, 'truncated': False,
              'occupied': 2, 'max_per_tile': 2, 'offsets': [0, 1, 3], 'indices': [5, 0, 2]},
    'regions': [{'label': 'car', 'box': [1, 2, 3, 4], 'pixels': 5, 'centroid': [2.5, 3], 'mean': 7.5, 'max': 9}],
    'regions_element': 'r', 'regions_picture': [8, 4], 'regions_total': 2,
    'tracks': [{'id': 1, 'label': 'car', 'state': 'lost', 'box': [1, 2, 3, 4], 'age_frames': 5, 'hits': 4, 'age': 9,
                'lost': 1, 'velocity': [-1.5, 2], 'path_length': 7.5, 'path': [[1.5, -2], [3, 4]]}],
    'tracks_element': 't', 'tracks_picture': [8, 4], 'tracks_total': 1,
    'zones': [{'name': 'door', 'in': 2, 'out': 1, 'occupied': True,
               'members': [{'track': 0, 'label': '', 'inside': 40000000}]}],
    'lines': [{'name': 'road', 'in': 0, 'out': 3}], 'zones_element': 'z', 'zones_picture': [8, 4]}
EVENT = {'version': 1, 'event': 'black', 'phase': 'end', 'id': '0123456789abcdef', 'element': 'e', 'stream_id': None,
         'frame': 9, 'pts': 4, 'running_time': None, 'stream_time': 4, 'utc': None, 'start_frame': 2, 'start': 1,
         'duration': 3, 'cause': 'eos', 'score': 0.99}

LIGHT = dict.fromkeys(('max', 'mean', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p98', 'p99', 'p99_98'), 0.5)
COUNTED_BOX = {'type': 'car', 'id': -1, 'box': [1, 2, 0, 4], 'channels': [
    {'name': 'Y', 'depth': 8, 'count': 2, 'min': 1, 'max': 2, 'mean': 1.5, 'stddev': 0.5, 'entropy': 1, 'p1': 1, 'p5': 1,
     'p10': 1, 'p50': 1, 'p90': 2, 'p95': 2, 'p99': 2}]}

GONE = object()
CHANNEL = 'histogram channels 0 '
# members of a valid line with all parts, and their wrong values: GONE, a value, or a function of the right one
WRONG = {
    'extra': [1], 'version': [GONE, 2], 'tags': ['gate', None], 'stream_id': [GONE], 'utc': ['2026-11-23T01:02:03.123456789'],
    'range': ['16-235'], 'field': ['none'], 'matrix': ['bt2100'], 'frame': [GONE], 'pts': [GONE, '0'],
    'running_time': [-1], 'width': [0],
    # no results
    'histogram,points,tiles,regions,regions_element,regions_picture,regions_total,tracks,tracks_element,tracks_picture,'
    'tracks_total,zones,lines,zones_element,zones_picture': [GONE],
    'histogram extra': [1], 'histogram bins': [1, 65537], 'histogram grid': [[0, 1]],
    'histogram region': [[0, 0, 1], [0, 0, 1, 1, 1]], 'histogram channels': [[], lambda channels: channels[:1] * 6],
    CHANNEL + 'extra': [1], CHANNEL + 'depth': [GONE], CHANNEL + 'mean': [GONE, None], CHANNEL + 'p95': [GONE],
    CHANNEL + 'count': [1.5], CHANNEL + 'emd': [-1], CHANNEL + 'difference': [1.5],
    'histogram light_levels extra': [1], 'histogram light_levels max': [GONE, -1], 'histogram light_levels p99_98': [GONE],
    'histogram boxes': [GONE, lambda boxes: boxes * 257], 'histogram truncated': [GONE],
    'histogram boxes 0 box': [[1, 2, 3], [1, 2, 3, -4]], 'histogram boxes 0 id': [GONE], 'histogram boxes 0 extra': [1],
    'histogram boxes 0 channels': [[]], 'histogram boxes 0 channels 0 difference': [0],
    'histogram boxes 0 channels 0 p99': [GONE],
    CHANNEL + 'counts': ['[]', [0, -1], [[[0, 0]]] * 2, [0, [0, 0]]],
    'points predicate': [GONE, 'blob'], 'points unit': [GONE], 'points total': [GONE], 'points truncated': [0],
    'points points': [[[0, 0]], [[65536, 0, 0]]],
    'tiles extra': [1], 'tiles size': [[16, 0]], 'tiles boxes': [[]], 'tiles indices': [[0.5], GONE],
    # lists of boxes without boxes, and both or none of the lists of tiles and their lengths
    'tiles source': [GONE, 'roi'], 'tiles counts': [[1, 2]], 'tiles offsets': [GONE],
    'tiles offsets,tiles indices': [GONE],
    'histogram picture': [GONE, [8, 0]], 'points picture': [GONE], 'tiles picture': [GONE, [8]],
    'regions_picture': [GONE, [0, 4]], 'tracks_picture': [GONE],
    'regions_element': [GONE], 'regions_total': [GONE], 'regions 0 box': [GONE, [1, 2, 3, 0]],
    'regions 0 extra': [1],
    'tracks_element': [GONE], 'tracks_total': [GONE, -1], 'tracks 0 id': [GONE, 0], 'tracks 0 state': [GONE, 'old'],
    'tracks 0 box': [[1, 2, 0, 4]], 'tracks 0 velocity': [[1], [1, None]], 'tracks 0 path_length': [GONE, -1],
    'zones': [GONE, {}], 'lines': [GONE], 'zones_element': [GONE], 'zones_picture': [GONE, [8, 0]],
    'zones 0 name': [GONE], 'zones 0 in': [GONE, -1], 'zones 0 occupied': [1], 'zones 0 members': [GONE, [1]],
    'zones 0 members 0 track': [GONE, -1], 'zones 0 members 0 extra': [1], 'lines 0 out': [GONE, 0.5],
    'tracks 0 extra': [1], 'tracks 0 path': [[[1]], [[1, 2, 3]], [[1, None]], [1, 2], None, [[0, 0]] * 257],
}
# an end without start, a start with a start, an event with results
WRONG_EVENTS = {'version': [GONE], 'tags': [[]], 'event': ['flicker'], 'phase': ['middle', 'start', 'update'], 'start': [GONE], 'histogram': [{}],
                'id': [GONE, 'black', None], 'element': [GONE, None], 'stream_id': [GONE], 'utc': [4], 'cause': [GONE, 'end'],
                'stream_time': [GONE], 'transition': ['wipe']}
# motion without one of its boxes, boxes of another kind
MOTION = {**EVENT, 'event': 'motion', 'largest_box': [0, 1, 2, 3], 'union_box': [0, 0, 9, 9], 'n_regions': 2}
WRONG_MOTION = {'largest_box': [GONE, [0, 1, 2]], 'union_box': [GONE, [0, 0, 0, 1]], 'n_regions': [GONE, 0],
                'event': ['black']}

# a problem without its kind, stream or count, and one of a kind that there is not; sound of no stream
PROBLEM = {**EVENT, 'event': 'problem', 'pts': None, 'problem': 'gap', 'text': 'nothing for 1 s', 'count': 1,
           'stream': 'video'}
WRONG_PROBLEM = {'problem': [GONE, 'bad'], 'stream': [GONE, 'audio', 'audio 0', None], 'count': [GONE, 0],
                 'text': [GONE], 'event': ['black', 'silence']}
SILENCE = {**EVENT, 'event': 'silence', 'stream': 'audio 1'}
WRONG_SILENCE = {'stream': [GONE], 'event': ['freeze', 'problem']}

SOURCE = 'videotestsrc num-buffers=4 ! video/x-raw,width=98,height=50,format='
# the description of a pipeline up to glesjson, and how many lines it makes
PIPELINES = [
    ('I420 ! gleshistogram device=cpu mad=true emd=true ! glesjson', 4),
    ('I420 ! gleshistogram device=cpu interval=2 ! glesjson counts=false', 2),
    ('NV12 ! gleshistogram device=cpu channels=luma grid-columns=3 grid-rows=2 bins=100 ! glesjson', 4),
    ('P010_10LE ! gleshistogram device=cpu bins=1024 region="<3,5,11,7>" ! glesjson', 4),
    ('BGRA ! gleshistogram device=cpu bins=1000 ! glesjson', 4),
    ('NV12 ! gleshistogram device=cpu ! glescompact device=cpu predicate=edge lower=90 ! '
     'glestiles device=cpu max-items=50 ! glesjson', 4),
    ('NV12 ! glescompact device=cpu lower=30 max-points=7 ! glestiles device=cpu max-items=5 ! '
     'glesjson indices=false', 4),
    ('NV12 ! glescompact device=cpu lower=150 ! glesregions device=cpu max-regions=3 ! glesjson', 4),
    ('NV12 ! glescompact device=cpu readback=false lower=150 ! glesregions device=cpu roi=true ! '
     'glestiles device=cpu source=roi ! glesjson', 4),
    ('NV12 ! glescompact device=cpu lower=150 ! glesregions device=cpu ! gleshistogram device=cpu boxes=roi '
     'expression=hue expression-range=0,359 ! glesjson', 4),
    ('NV12 ! gleshistogram device=cpu boxes=all ! glesjson counts=false', 4),
    ('NV12 ! glescompact device=cpu lower=150 ! glesregions device=cpu ! glestrack min-hits=1 ! glesjson', 4),
    # zones in each frame, and events: occupied, enter, dwell, leave and empty, which end with the stream
    ('NV12 ! glescompact device=cpu lower=150 ! glesregions device=cpu ! glestrack min-hits=1 ! '
     'gleszones zones="all dwell=0.04: -1,-1 2,-1 2,2 -1,2" lines="l: 0,0 1,1" ! glesjson', 12),
    # one event
    ('I420 ! glescompact device=cpu lower=150 ! glesregions device=cpu ! glesevents events=motion ! '
     'glesjson frames=false', 2),
    ('I420_10LE,colorimetry=bt2100-pq ! gleshistogram device=cpu light=true ! glesjson', 4),
    # the border, and none
    ('I420 ! gleshistogram device=cpu crop-limit=24 outliers=true ! glesjson', 4),
    ('I420 ! gleshistogram device=cpu crop-limit=255 ! glesjson', 4),
    # what flashes count
    ('I420 ! gleshistogram device=cpu flash=true ! glesevents events=flash ! glesjson', 4),
    # one event
    ('I420 ! gleshistogram device=cpu ! glesevents events=over luma-high=100 level-frames=1 ! glesjson frames=false', 2),
    # one event
    ('I420_10LE,colorimetry=bt2100-pq,content-light-level=(string)1000:400 ! gleshistogram device=cpu light=true ! '
     'glesevents events=light-level ! glesjson frames=false', 2),
    # one event, with two updates
    ('I420 ! gleshistogram device=cpu ! glesevents low-contrast-range=1 exposure-min-duration=0 '
     """update-interval=0.05 ! glesjson tags='{"site":{"id":7}}'""", 8),
    ('I420 ! gleshistogram device=cpu ! glesevents low-contrast-range=1 exposure-min-duration=0 ! '
     'glesjson frames=false', 2),
    # one event, which ends with the stream
    ('I420 ! gleshistogram device=cpu ! glesevents low-contrast-range=1 exposure-min-duration=0 ! '
     'glesjson', 6),
]


def lines_of(command):
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    assert output.endswith(b'\n'), f'{command}: the last line has no end'
    return output.decode('ascii').splitlines()


def refuse_constant(name):
    raise ValueError(f'{name} is not JSON')


def check(lines, validator):
    for text in lines:
        validator.validate(json.loads(text, parse_constant=refuse_constant))


def wrong_lines(valid, table):
    """Copies of valid with one wrong value each, and what is wrong."""
    for paths, values in table.items():
        for value in values:
            line = copy.deepcopy(valid)
            for path in paths.split(','):
                *keys, last = (int(key) if key.isdigit() else key for key in path.split())
                owner = line
                for key in keys:
                    owner = owner[key]
                if value is GONE:
                    del owner[last]
                else:
                    owner[last] = value(owner[last]) if callable(value) else value
            yield f'{paths}: {value}', line


def check_wrong(validator, valid, table):
    validator.validate(valid)
    for what, line in wrong_lines(valid, table):
        assert not validator.is_valid(line), f'the schema lets {what} pass'


def check_samples(validator, json_program, origin_program):
    """Lines whose bytes these programs have checked."""
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, GLES_TEST_LINES=os.path.join(folder, 'lines'))
        subprocess.run([json_program], check=True, env=dict(env, GST_CHECKS='test_lines'))
        subprocess.run([origin_program], check=True, env=env)
        with open(env['GLES_TEST_LINES'], encoding='ascii') as file:
            lines = file.readlines()
    assert len(lines) > 30, f'only {len(lines)} lines'
    check(lines, validator)
    line = {**json.loads(lines[0]), **PARTS}
    line['histogram'].update(boxes=[COUNTED_BOX], truncated=False, light_levels=LIGHT)
    check_wrong(validator, line, WRONG)
    check_wrong(validator, EVENT, WRONG_EVENTS)
    check_wrong(validator, MOTION, WRONG_MOTION)
    check_wrong(validator, PROBLEM, WRONG_PROBLEM)
    check_wrong(validator, SILENCE, WRONG_SILENCE)
    print(f'{len(lines)} lines are valid, wrong ones are not')


def check_pipelines(validator):
    for description, n_lines in PIPELINES:
        lines = lines_of(['gst-launch-1.0', '-q', *shlex.split(SOURCE + description), '!', 'fdsink'])
        assert len(lines) == n_lines, f'{len(lines)} lines instead of {n_lines}: {description}'
        check(lines, validator)


def check_two_cameras(validator):
    """Lines of two cameras in one file say whose they are."""
    camera = (f'{SOURCE}I420 ! gleshistogram device=cpu ! '
              'glesevents low-contrast-range=1 exposure-min-duration=0 ! queue ! all. ')
    lines = [json.loads(line) for line in lines_of(
        ['gst-launch-1.0', '-q', *shlex.split(2 * camera + 'funnel name=all ! glesjson counts=false ! fdsink')])]
    for line in lines:
        validator.validate(line)
    streams = {line['stream_id'] for line in lines}
    assert len(lines) == 12 and len(streams) == 2, f'{len(lines)} lines of {streams}'
    for stream in streams:
        frames = [line for line in lines if line['stream_id'] == stream and 'event' not in line]
        start, end = [line for line in lines if line['stream_id'] == stream and 'event' in line]
        assert [frame['frame'] for frame in frames] == [0, 1, 2, 3], frames
        assert start['id'] == end['id'] and start['element'] == end['element'], (start, end)
    assert len({line['id'] for line in lines if 'event' in line}) == 2, lines
    assert len({line['histogram']['element'] for line in lines if 'event' not in line}) == 2, lines


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


def main(docs, *programs):
    with open(os.path.join(docs, 'json-schema', 'gles-ndjson.schema.json'), encoding='utf-8') as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    check_samples(validator, *programs)
    check_pipelines(validator)
    check_two_cameras(validator)
    check_example(validator, docs)


if __name__ == '__main__':
    main(*sys.argv[1:])
