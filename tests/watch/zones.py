#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Zones of gst-gles-watch-1.0: from a detector, or from what moves, to the lines, Home Assistant and Prometheus. The ball of
`test:ball` is what crosses: in 160x120 its centre is at 80 + 60 sin(2 pi n / 200) in frame n, so that it goes right first,
and crosses the middle every 100 frames."""
import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from pipelines import Subscriber, broker, free_port, retained, wait_for  # noqa: E402
from watching import Watch  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
FINDS = 'glescompact device=cpu lower=200 ! glesregions device=cpu label=person'
CAMERA = '[camera yard]\nuri=test:ball,160x120,50\ndevice=cpu\nevents=black\nstall-timeout=60\n'
# looks at half of the frames, in a picture of half the size
DETECTOR = f'detector=videoscale ! video/x-raw,width=80,height=60 ! {FINDS}\ndetect-every=2\n'
DRIVE = '[zone drive]\ncamera=yard\npolygon=50%,0% 100%,0% 100%,100% 50%,100%\ntypes=person\ndwell=1\n'
CARS = '[zone cars]\ncamera=yard\npolygon=0,0 1,0 1,1 0,1\ntypes=car\n'
GATE = '[zone gate]\ncamera=yard\nline=50%,0% 50%,100%\n'

# What Home Assistant takes, from homeassistant/components/mqtt of its repository: of sensor.py, binary_sensor.py, image.py and
# schemas.py the keys that a message may have
COMMON = {'name', 'unique_id', 'object_id', 'device', 'availability', 'availability_mode', 'availability_topic', 'icon', 'qos',
          'encoding', 'entity_category', 'enabled_by_default', 'json_attributes_topic', 'json_attributes_template', 'origin'}
KEYS = {
    'binary_sensor': {'state_topic', 'device_class', 'payload_on', 'payload_off', 'off_delay', 'expire_after', 'force_update',
                      'value_template'},
    'sensor': {'state_topic', 'device_class', 'state_class', 'unit_of_measurement', 'suggested_display_precision', 'options',
               'last_reset_value_template', 'expire_after', 'force_update', 'value_template'},
    'image': {'image_topic', 'url_topic', 'url_template', 'content_type', 'image_encoding'},
}
DEVICE = {'identifiers', 'connections', 'manufacturer', 'model', 'model_id', 'name', 'hw_version', 'serial_number', 'sw_version',
          'via_device', 'suggested_area', 'configuration_url'}
CLASSES = {'binary_sensor': {'occupancy', 'motion', 'light', 'problem', 'connectivity'}, 'sensor': set(), 'image': set()}


def check_message(topic, text):
    component, _ = re.fullmatch(r'homeassistant/(\w+)/([a-zA-Z0-9_-]+)/config', topic).groups()
    message = json.loads(text)
    assert message.keys() <= COMMON | KEYS[component], message
    assert message.get('device_class') in {None, *CLASSES[component]}, message
    assert message.get('state_class') in {None, 'measurement', 'total', 'total_increasing'}, message
    assert 'image_topic' in message if component == 'image' else 'state_topic' in message, message
    assert message['device'].keys() <= DEVICE and message['device']['identifiers'], message
    assert message['availability_mode'] in ('all', 'any', 'latest'), message
    for one in message['availability']:
        assert one['topic'] and one.keys() <= {'topic', 'payload_available', 'payload_not_available', 'value_template'}, message
    for key in (key for key in message if key.endswith('_topic')):
        assert message[key] and not set('#+\0') & set(message[key]), message
    return message


def publish(port):
    return f'[publish p]\naddress=127.0.0.1:{port}\nhome-assistant=true\n[thumbnails]\ndirectory=pictures\n[watch]\nstate-directory=state\n'


def lines(subscriber):
    return [json.loads(text) for topic, text in subscriber.read() if topic == 'gles/yard/events']


def is_in(event):
    return event['event'] == 'enter' or event.get('direction') == 'in'


def is_out(event):
    return event['event'] == 'leave' or event.get('direction') == 'out'


def totals(events):
    """What the counters of the metrics have to say."""
    found = collections.Counter()
    for event in events:
        name = f'camera="yard",zone="{event.get("zone", event.get("line"))}",class="{event.get("label")}"'
        for key, counts in (('in', is_in(event)), ('out', is_out(event)), ('dwell', event['event'] == 'dwell')):
            found[f'gst_gles_watch_zone_{key}_total{{{name}}}'] += counts
    return +found


def check_schema(events):
    with contextlib.suppress(ImportError):
        import jsonschema
        root = pathlib.Path(os.environ['GLES_TEST_SOURCE_ROOT'])
        schema = json.loads((root / 'docs/json-schema/gles-ndjson.schema.json').read_text())
        for event in events:
            jsonschema.validate(event, schema)


def check_counts(watch, subscriber):
    def told():
        found = {name: value for name, value in watch.metrics().items() if 'watch_zone_' in name}
        return +collections.Counter(found) == totals(lines(subscriber)) and found

    found = wait_for(told, 'metrics that say what the lines say')
    assert found['gst_gles_watch_zone_in_total{camera="yard",zone="cars",class="car"}'] == 0, found
    assert not any('dwell_total' in name and 'drive' not in name for name in found), found


def check_ball(events):
    """What happens, in which order and where."""
    crossings = [event['direction'] for event in events if event['event'] == 'cross']
    assert crossings == [('in', 'out')[i % 2] for i in range(len(crossings))] and len(crossings) >= 2, crossings
    of_drive = [event['event'] for event in events if event.get('zone') == 'drive']
    assert of_drive[:2] == ['empty', 'enter'] or of_drive[:2] == ['enter', 'occupied'], of_drive
    for event in events:
        if 'box' in event:
            assert event['label'] == 'person' and 30 < event['box'][2] <= 46 and event['box'][0] + event['box'][2] <= 160, event
        assert ('picture' in event) == ('picture_box' in event) == ('track' in event), event
        assert event['phase'] == 'end' or event['event'] == 'dwell' or event.get('picture_box') == event.get('box'), event
    assert {event['event'] for event in events if event.get('zone') == 'cars'} == {'empty'}
    starts = {event['id'] for event in events if event['event'] == 'enter'}
    assert {event['id'] for event in events if event['event'] in ('leave', 'dwell')} <= starts


def check_chain(folder):
    port = free_port()
    text = CAMERA + DETECTOR + DRIVE + CARS + GATE + publish(port)
    with broker(folder, port), Watch(PROGRAM, folder, text) as watch:
        subscriber = Subscriber(folder, port)
        wait_for(lambda: sum(event['event'] == 'cross' for event in lines(subscriber)) >= 2, 'two crossings')
        check_counts(watch, subscriber)
        wait_for(lambda: 'ON,OFF' in ','.join(payload for topic, payload in subscriber.read() if topic.endswith('drive/dwell')),
                 'something that dwells and leaves')
        messages = {topic: check_message(topic, payload) for topic, payload in subscriber.read() if topic.startswith('home')}
        sensors = {topic: message for topic, message in messages.items() if '_zone_' in topic}
        assert len(sensors) == 9, sorted(sensors)
        drive = sensors['homeassistant/binary_sensor/gles_yard_zone_drive_occupancy/config']
        assert drive['device_class'] == 'occupancy' and drive['state_topic'] == 'gles/yard/zones/drive/occupancy', drive
        entered = sensors['homeassistant/sensor/gles_yard_zone_gate_in/config']
        assert entered['state_class'] == 'total_increasing' and entered['name'] == 'gate in', entered
        assert all(message['state_topic'] in dict(subscriber.read()) for message in sensors.values()), sorted(sensors)
        n, before = len(lines(subscriber)), totals(lines(subscriber))
        watch.reload(text.replace(CARS, ''))
        wait_for(lambda: dict(subscriber.read()).get('gles/yard/zones/cars/occupancy') == '', 'the end of a zone')
        wait_for(lambda: any(event['event'] == 'cross' for event in lines(subscriber)[n:]), 'a crossing')
        assert all(watch.metrics()[name] >= value for name, value in before.items()), (before, watch.metrics())
        assert not any('zone="cars"' in name for name in watch.metrics())
        watch.end()
        wait_for(lambda: dict(subscriber.read())['gles/available'] == 'offline', 'the end')
        events, last = lines(subscriber), dict(subscriber.read())
        check_ball(events[:n])
        check_schema(events)
        for zone in ('drive', 'gate'):
            of_zone = [event for event in events if zone in (event.get('zone'), event.get('line'))]
            counts = [str(sum(map(count, of_zone))) for count in (is_in, is_out)]
            assert [last[f'gles/yard/zones/{zone}/{key}'] for key in ('in', 'out')] == counts, (zone, counts)
        assert last['gles/yard/zones/drive/occupancy'] == last['gles/yard/zones/drive/dwell'] == 'OFF'
        subscriber.close()


def check_slow_detector(folder):
    """Before it has looked at a frame nothing is known: no zone is empty, and no topic says so."""
    port = free_port()
    slow = f'detector=queue max-size-buffers=1 leaky=downstream ! identity sleep-time=3000000 ! {FINDS}\n'
    with broker(folder, port), Watch(PROGRAM, folder, CAMERA + slow + DRIVE + publish(port)) as watch:
        subscriber = Subscriber(folder, port)
        wait_for(lambda: watch.get('frames_analysed_total', 'yard') > 50, 'frames')
        assert 'gles/yard/zones/drive/in' in retained(port) and 'gles/yard/zones/drive/occupancy' not in retained(port)
        wait_for(lambda: dict(subscriber.read()).get('gles/yard/zones/drive/occupancy') == 'OFF', 'an empty zone')
        first = next(event for event in lines(subscriber) if 'zone' in event)
        assert first['event'] == 'empty' and first['frame'] > 100, first
        watch.end()
        subscriber.close()


def check_motion(folder):
    """Without a detector it is what moves; a kill ends visits with the next start."""
    port = free_port()
    text = CAMERA + DRIVE.replace('types=person\n', '') + publish(port)
    with broker(folder, port):
        subscriber = Subscriber(folder, port)
        with Watch(PROGRAM, folder, text) as watch:
            wait_for(lambda: any(event['event'] == 'enter' for event in lines(subscriber)), 'something that moves')
            wait_for(lambda: dict(subscriber.read()).get('gles/yard/zones/drive/occupancy') == 'ON', 'occupancy')
            watch.process.send_signal(signal.SIGKILL)
            watch.process.wait()
        killed = lines(subscriber)
        ended = {event['id'] for event in killed if event['phase'] == 'end'}
        lasting = {event['id'] for event in killed if event['phase'] == 'start' and 'zone' in event} - ended
        with Watch(PROGRAM, folder, text) as watch:
            wait_for(lambda: lasting <= {event['id'] for event in lines(subscriber) if event['phase'] == 'end'}, 'the ends')
            watch.end()
        ends = [event for event in lines(subscriber) if event['id'] in lasting and event['phase'] == 'end']
        assert {event['event'] for event in ends} == {'leave', 'empty'}, ends
        assert {event['cause'] for event in ends} == {'interrupted'}, ends
        check_schema(lines(subscriber))
        subscriber.close()


def main():
    if not all(shutil.which(name) for name in ('mosquitto', 'mosquitto_sub')):
        sys.exit(77)
    for check in (check_chain, check_slow_detector, check_motion):
        with tempfile.TemporaryDirectory() as name:
            check(pathlib.Path(name))
            print(check.__name__, flush=True)


main()
