#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The configuration of gst-gles-watch-1.0: wrong ones, each with its line and key, and what a reload changes and does not."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'publish')]
from pipelines import Subscriber, broker, free_port, retained, wait_for  # noqa: E402
from watching import Watch, events_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
A = '[camera a]\nuri=test:ball\n'
CPU = A + 'device=cpu\n'
RTSP = '[camera a]\nuri=rtsp://127.0.0.1/x\n'
ZONE = '[zone z]\ncamera=a\nline=0,0 1,0\n' + A
PUBLISH = A + '[publish p]\n'

# what is wrong, in which line, and what is said of it
WRONG = [
    ('', 1, 'there is no [camera NAME]'),
    ('[camera a]\n', 1, '[camera a] needs a uri'),
    (A + 'event=motion\n', 3, 'there is no key event in [camera a]; there are uri, '),
    (A + 'uri=test:snow\n', 3, 'uri is in line 2'),
    (A + '\n[camera a]\nrate=1\n', 4, '[camera a] is in line 1'),
    (A + '[camera  a]\nuri=test:ball\n', 3, 'the name a is in line 1'),
    ('uri=test:ball\n', 1, "'uri=test:ball' stands before the first"),
    ('[camera a]\n# a comment\nuri test\n', 3, "'uri test' is neither"),
    ('[camera a/b]\nuri=test:ball\n', 1, 'a name has'),
    ('[kamera a]\nuri=test:ball\n', 1, 'there is no [kamera a]'),
    ('[camera]\nuri=test:ball\n', 1, 'there is no [camera]'),
    ('[camera a]\nuri=ftp://x\n', 2, 'uri=ftp://x: there are rtsp://'),
    ('[camera a]\nuri=rtsp://\n', 2, 'uri: there is no host'),
    ('[camera a]\nuri=https:///x\n', 2, 'uri: there is no host'),
    ('[camera a]\nuri=test:nonsense\n', 2, 'uri: could not set property "pattern"'),
    ('[camera a]\nuri=test:ball,0x5\n', 2, 'uri=test:ball,0x5: test:PATTERN'),
    (A + 'events=\n', 3, 'events is empty; without the key it is motion+'),
    (A + 'events=motion+nothing\n', 3, 'events=motion+nothing: not a value of this property, which takes: cut'),
    (A + 'events=stalled\n', 3, 'events: nothing is left to detect'),
    (A + 'stall-timeout=0\n', 3, 'stall-timeout=0: a number from 1 to 3600'),
    (A + 'thumbnails=yes\n', 3, 'thumbnails=yes: true or false'),
    (A + 'tags=[1]\n', 3, 'tags: not an object'),
    (A + 'tags=' + 100000 * '{"a":' + '1' + 100000 * '}' + '\n', 3, 'tags: more than 16000 bytes'),
    (A + 'tags={"a":' + 24 * '[' + 24 * ']' + '}\n', 3, 'tags: '),
    (A + 'tags={/*"*/"a":' + 40 * '[' + 40 * ']' + '}\n', 3, 'tags: '),
    (A + 'tags={"a":\n', 3, 'tags: '),
    (A + 'tags={"a":1e999}\n', 3, 'tags has a number that no double can hold'),
    (RTSP + 'decoder=nodec\n', 3, 'decoder=nodec: there is no element nodec'),
    (A + 'decoder=avdec_h264\n', 3, 'decoder is for uri=rtsp,'),
    (A + 'device=gpu7\n', 3, 'device=gpu7 means nothing'),
    (A + 'device=/dev/dri/renderD63\n', 3, 'device'),
    (CPU + 'set=gleshistogram.bins=1\n', 4, 'set: gleshistogram.bins=1: not a value of this property, which takes: 2 to 65536'),
    (CPU + 'set=glestiles.size=1\n', 4, 'set: glestiles.size=1: write ELEMENT.PROPERTY=VALUE'),
    (CPU + 'mask=0,0 1,0\n', 4, 'mask=0,0 1,0: the element refuses it'),
    (CPU + 'mask=/no/mask.png\n', 4, 'mask=/no/mask.png: the element refuses it'),
    (CPU + 'region=1,2,3\n', 4, 'region'),
    (CPU + 'mask=0,0 1,0 1,1\nregion=0,0,0,0\nset=glesevents.motion-hold=1\n', 5, 'region <0,0,0,0> is empty'),
    ('[defaults]\nrate=x\n' + A + '[camera b]\nuri=test:ball\n', 2, 'rate=x: a number from 0 to 1000'),
    ('[defaults]\ndevice=gpu7\n' + A + '[camera b]\nuri=test:ball\n', 2, 'device=gpu7 means nothing'),
    ('[defaults]\nlatency=7\n' + A, 2, 'latency is for uri=rtsp alone'),
    (RTSP + 'user=a\npassword-file=/no/file\n', 4, 'password-file: Failed to open'),
    (RTSP + 'password-file=watch.conf\n', 3, 'password-file needs user, too'),
    (RTSP + 'user=a\n', 3, 'user needs password-file, too'),
    (A + 'latency=100\n', 3, 'latency is for uri=rtsp alone'),
    (RTSP + 'record=/proc/x\n', 3, 'record: cannot write to the folder /proc/x'),
    (RTSP + 'record=watch.conf/x\n', 3, 'record: cannot make the folder watch.conf/x: Not a directory'),
    (A + 'record=.\n', 3, 'record is for uri=rtsp,'),
    (RTSP + 'record-bytes=5\n', 3, 'record-bytes needs record, too'),
    (PUBLISH + 'method=kafka\n', 4, 'method=kafka: there are mqtt, file, fd'),
    (PUBLISH + 'method=file\n', 4, 'method=file needs an address'),
    (PUBLISH + 'method=file\naddress=/no/folder/lines\n', 5, 'address: there is no folder /no/folder'),
    (PUBLISH + 'method=file\naddress=/\n', 5, 'address: cannot write to /: Is a directory'),
    (PUBLISH + 'method=file\naddress=lines\nqos=0\n', 6, 'qos is for method=mqtt alone'),
    (PUBLISH + 'method=fd\naddress=one\n', 5, 'address=one: the number of a descriptor'),
    (PUBLISH + 'address=http://x\n', 4, 'address=http://x: [mqtt://|mqtts://]HOST[:PORT]'),
    (PUBLISH + 'address=localhost/x\n', 4, 'address=localhost/x: [mqtt://|mqtts://]HOST[:PORT]'),
    (PUBLISH + 'address=localhost:0\n', 4, 'address=localhost:0: [mqtt://|mqtts://]HOST[:PORT]'),
    (PUBLISH + 'topic=a/{element}\n', 4, "topic: "),
    (PUBLISH + 'base-topic=gles/#\n', 4, 'base-topic: '),
    (PUBLISH + 'base-topic=\n', 4, 'base-topic is empty; without the key it is gles'),
    (PUBLISH + 'home-assistant=true\ndiscovery-prefix=+\n', 5, 'discovery-prefix: '),
    (PUBLISH + 'discovery-prefix=ha\n', 4, 'discovery-prefix needs home-assistant, too'),
    (PUBLISH + 'states=false\nhome-assistant=true\n', 5, 'home-assistant needs states, too'),
    (PUBLISH + 'password-file=watch.conf\n', 4, 'password-file needs user, too'),
    (PUBLISH + 'ca-file=/no/file\n', 4, 'ca-file: Failed to open'),
    (PUBLISH + 'cert-file=watch.conf\n', 4, 'cert-file needs key-file, too'),
    (A + 'thumbnails=false\n[publish p]\nsnapshots=true\n', 5, 'snapshots needs pictures'),
    (PUBLISH + 'client-id=x\n[publish q]\naddress=other\nclient-id=x\n', 7, 'client-id=x is that of [publish p]'),
    (PUBLISH + '[publish q]\nqos=0\n', 4, 'base-topic=gles is that of [publish p]'),
    (PUBLISH + 'topic=t\n[publish q]\nstates=false\ntopic=t\n', 7, 'topic=t is that of [publish p]'),
    (A + '[thumbnails]\ndirectory=/proc/x\n', 4, 'directory: cannot write to the folder /proc/x'),
    (A + '[thumbnails]\nmax-files=5\n', 4, 'max-files needs directory, too'),
    (A + '[metrics]\nport=99999\n', 4, 'port=99999: a number from 0 to 65535'),
    (A + '[metrics]\naddress=nowhere\nport=1\n', 4, 'address=nowhere: an address of IPv4 or IPv6'),
    (A + '[metrics]\naddress=::1\n', 4, 'address needs port, too'),
    (A + '[watch]\nstate-directory=/proc/x\n', 4, 'state-directory: cannot write to the folder /proc/x'),
    ('[camera a+b]\nuri=test:ball\n[camera a#b]\nuri=test:ball\n', 3, 'in topics, the name of the camera a#b is a_b, and so '
     'is that of a+b in line 1'),
    (A + '[zone z]\npolygon=0,0 1,0 1,1\n', 3, '[zone z] needs the name of a camera'),
    (A + '[zone z]\ncamera=b\npolygon=0,0 1,0 1,1\n', 4, '[zone z] needs the name of a camera, and there is no b'),
    (A + '[zone z]\ncamera=a\n', 3, '[zone z] needs either a polygon or a line'),
    (A + '[zone z]\ncamera=a\npolygon=0,0 1,0 1,1\nline=0,0 1,0\n', 3, '[zone z] needs either a polygon or a line'),
    (A + '[zone a#b]\ncamera=a\nline=0,0 1,0\n', 3, 'the name of a zone has 1 to 63 bytes without spaces'),
    (A + '[zone z]\ncamera=a\npolygon=0,0 1,0\n', 5, 'polygon: '),
    (A + '[zone z]\ncamera=a\nline=0,0 1,0; y: 0,1 1,1\n', 5, 'line: vertices x,y'),
    (A + '[zone z]\ncamera=a\nline=0,0 1,0\ndwell=1\n', 6, 'dwell needs polygon, too'),
    (A + '[zone z]\ncamera=a\nline=0,0 1,0\ntypes=a b\n', 6, 'types: labels without spaces'),
    (A + '[zone z]\ncamera=a\nline=0,0 1,0\n[zone  z]\ncamera=a\nline=0,0 1,0\n', 6, 'the name z is in line 3'),
    (A + 'detector=identity\n', 3, 'detector needs a [zone NAME]'),
    ('[defaults]\ndetector=identity\n' + A, 2, 'detector needs a [zone NAME]'),
    (A + 'detect-every=2\n', 3, 'detect-every needs detector, too'),
    (ZONE + 'detector=nodetector\n', 6, 'detector: no element "nodetector"'),
    (ZONE + 'detector=identity ! fakesink\n', 6, 'detector=identity ! fakesink: frames go in at one end'),
    (ZONE + 'set=gleszones.min-time=-1\n', 6, 'set: gleszones.min-time=-1: not a value'),
    ('[camera a_b]\nuri=test:ball\n[camera a+b]\nuri=test:ball\n', 3, 'in topics, the name of the camera a+b is a_b'),
]

# what could be taken for a mistake, and is none
RIGHT = [
    '[defaults]\nlatency=7\nrecord-bytes=5\n' + A + '[camera b]\nuri=rtsp://127.0.0.1/x\nrecord=record\n',
    RTSP + 'user=a\npassword-file=watch.conf\nlatency=100\n',
    PUBLISH + '[publish q]\naddress=other\n',
    '[defaults]\ndetector=videoscale ! identity\n[camera b]\nuri=test:ball\n' + ZONE + 'set=gleszones.min-time=1\n',
    PUBLISH + '[publish q]\nstates=false\ntopic=other\n',
    PUBLISH + 'user=a\nsnapshots=true\n',
    PUBLISH + 'address=[::1]:1883\n[publish f]\nmethod=file\naddress=lines\n[publish d]\nmethod=fd\naddress=2\n',
]


def watch(folder, text, *options, seconds=60):
    (folder / 'watch.conf').write_text(text)
    return subprocess.run([PROGRAM, *options, 'watch.conf'], cwd=folder, capture_output=True, text=True, timeout=seconds)


def check_mistakes(folder):
    failed = []
    for text, number, said in WRONG:
        done = watch(folder, text, '--check')
        lines = [line for line in done.stderr.splitlines() if line.startswith('watch.conf')]
        if not (done.returncode == 2 and len(lines) == 1 and lines[0].startswith(f'watch.conf:{number}: {said}')):
            failed.append((text[-200:], number, said, done.returncode, lines))
    assert not failed, '\n'.join(map(str, failed))
    for text in RIGHT:
        done = watch(folder, text, '--check')
        assert done.returncode == 0 and not done.stderr, (text, done)
    assert {path.name for path in folder.iterdir()} == {'watch.conf'}, 'a check leaves nothing behind'


def check_several(folder):
    two = watch(folder, '[camera a]\nuri=ftp://x\n[camera b]\nuri=test:nonsense\n', '--check')
    assert len(two.stderr.splitlines()) == 2, two.stderr
    (folder / 'bytes').write_bytes(b'[camera a]\nuri=test:\xff\xfe\n')
    done = subprocess.run([PROGRAM, '--check', folder / 'bytes'], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and 'UTF-8' in done.stderr
    assert watch(folder, A, '--once', '--check', 'too', 'many').returncode == 2
    done = subprocess.run([PROGRAM, '--defaults'], capture_output=True, text=True, check=True, timeout=60)
    keys = done.stdout.replace('#uri=', 'uri=test:ball').replace('NAME', 'a')
    keys = keys.replace('#camera=', 'camera=a').replace('#line=', 'line=0,0 1,1')
    done = watch(folder, keys, '--check')
    assert done.returncode == 0, (keys, done.stderr)


def check_missing_at_the_start(folder):
    """What is missing is told, and cameras are watched."""
    text = CPU + '[camera b]\nuri=rtsp://127.0.0.1:1/x\nrecord=/proc/x\nuser=a\npassword-file=/no/file\n'
    with Watch(PROGRAM, folder, text) as running:
        wait_for(lambda: running.get('camera_up', 'a') == 1, 'a picture')
        log = running.log.read_text()
        assert 'watch.conf:6: record: ' in log and 'watch.conf:8: password-file: ' in log, log
        running.end()


# black and white in turn, so that lines come all the time
BLINK = '[camera a]\nuri=test:blink,64x48,10\ndevice=cpu\nevents=black\nset=glesevents.black-min-duration=0\n'


def refuse(running, text, said):
    before = len(running.log.read_text())
    running.reload(text)
    wait_for(lambda: 'the former configuration stays' in running.log.read_text()[before:], 'the refusal')
    assert said in running.log.read_text()[before:], running.log.read_text()


def check_wrong_reload(folder):
    """A reload with a wrong value changes nothing: no line is missing, and no connection is made anew. What only shows when
    it is tried is undone."""
    port = free_port()
    publish = (f'[publish p]\naddress=127.0.0.1:{port}\nclient-id=p\n[publish f]\nmethod=file\naddress=lines.ndjson\n'
               '[watch]\nstate-directory=state\n')
    text = BLINK + publish
    with broker(folder, port), Watch(PROGRAM, folder, text) as running:
        subscriber = Subscriber(folder, port, topic='gles/a/events')
        wait_for(lambda: len(subscriber.read()) > 4, 'lines')
        for change, said in (((f'127.0.0.1:{port}', 'http://x'), 'address=http://x: '),
                             (('client-id=p', 'client-id=p\nca-file=/no/file'), 'ca-file: '),
                             (('test:blink', 'test:bling'), 'uri: ')):
            refuse(running, text.replace(*change), said)
        assert running.metrics()['gst_gles_watch_publish_reconnects_total{publish="p"}'] == 0
        # what is there in place of a spool shows when the next publishers, and the next port, are there
        (folder / 'state/spool/q').write_text('no folder')
        before, running.port = running.port, free_port()
        refuse(running, text.replace('client-id=p', 'client-id=changed') + f'[publish q]\naddress=127.0.0.1:{port}\n'
               'base-topic=q\n', 'publish q: spool')
        assert not running.metrics(), 'the port of the refused configuration'
        running.port = before
        wait_for(running.metrics, 'the former port')
        assert retained(port)['gles/a/available'] == 'online'
        n = len(subscriber.read())
        wait_for(lambda: len(subscriber.read()) > n + 4, 'lines after that')
        running.end()
        lines = events_of(folder / 'lines.ndjson')
        starts = [event['id'] for event in lines if event['phase'] == 'start']
        ends = [event['id'] for event in lines if event['phase'] == 'end']
        assert sorted(starts) == sorted(ends) and len(set(starts)) == len(starts) > 4, lines
        wait_for(lambda: len(subscriber.read()) >= len(lines), 'the last lines')
        subscriber.close()


def check_metrics_follow(folder):
    """The port changes with a reload, and stays where another program has the new one."""
    (folder / 'other').mkdir()
    with Watch(PROGRAM, folder, BLINK) as running:
        wait_for(running.metrics, 'metrics')
        former, running.port = running.port, free_port()
        running.reload(BLINK)
        wait_for(running.metrics, 'metrics at the other port')
        running.port, taken = former, running.port
        assert not running.metrics(), 'nobody listens at the former port'
        with Watch(PROGRAM, folder / 'other', BLINK) as holder:
            wait_for(holder.metrics, 'metrics of another program')
            running.port = holder.port
            refuse(running, BLINK, f'port {holder.port}')
            running.port = taken
            wait_for(running.metrics, 'metrics where they were')
            holder.end()
        running.end()


def main():
    if not all(shutil.which(name) for name in ('mosquitto', 'mosquitto_sub')):
        sys.exit(77)
    for check in (check_mistakes, check_several, check_missing_at_the_start, check_wrong_reload, check_metrics_follow):
        with tempfile.TemporaryDirectory() as name:
            check(pathlib.Path(name))
            print(check.__name__, flush=True)


main()
