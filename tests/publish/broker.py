#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""glespublish and mosquitto: lines, topics, retained messages, the last will, users, TLS."""
import json
import pathlib
import subprocess
import tempfile

import pipelines
from pipelines import Subscriber, broker, free_port, launch, line, pipeline, wait_for, warnings


def publish(port, settings, n=20, **options):
    return launch(line(f'glespublish method=mqtt address=127.0.0.1:{port} {settings} ! fakesink', n=n), **options)


def check_lines(folder, port):
    """The broker has what a file has, in the same order, of frames with all their counters, too."""
    subscriber = Subscriber(folder, port, topic='gles/#')
    wait_for(lambda: publish(port, 'topic=gles/ready what=frames', n=1) and subscriber.read(), 'the subscriber')
    before = len(subscriber.read())
    path = folder / 'lines.ndjson'
    for qos in range(3):
        launch(line(f'glespublish method=file address={path} what=both counts=true ! glespublish method=mqtt what=both '
                    f'counts=true qos={qos} address=mqtt://127.0.0.1:{port} ! fakesink', n=200))
    wanted = path.read_text().splitlines()
    got = subscriber.wait(before + len(wanted))[before:]
    assert [text for _, text in got] == wanted and len(wanted) == 3 * 202
    assert {topic for topic, _ in got} == {'gles/frame', 'gles/black'}
    subscriber.close()


def check_topics(folder, port):
    subscriber = Subscriber(folder, port, topic='t/#')
    tags = json.dumps({'camera': 'a/b+c#d', 'at': {'floor': 3}}, separators=(',', ':'))
    wait_for(lambda: publish(port, f'topic=t/{{tags.camera}}/{{tags.at.floor}}/{{tags.no}}/{{event}}/{{phase}} tags={tags}')
             and subscriber.read(), 'the subscriber')
    topics = {topic for topic, _ in subscriber.read()}
    assert topics <= {'t/a_b_c_d/3/_/black/start', 't/a_b_c_d/3/_/black/end'}, topics
    subscriber.close()
    tags = '{"long":"' + 'x' * 16000 + '"}'
    said = warnings(line(f'glespublish method=mqtt address=127.0.0.1:{port} what=frames topic={"{tags.long}" * 5} tags={tags} '
                         'drain-timeout=5000 ! fakesink sync=true'))
    assert said.count('is left out') == 1, said


def check_retained(folder, port):
    publish(port, 'topic=kept/{event} retain=true')
    subscriber = Subscriber(folder, port, topic='kept/#')
    (_, text), = subscriber.wait(1)
    assert json.loads(text)['phase'] == 'end'
    subscriber.close()


def check_will(folder, port):
    """online while it runs; offline after its end, and after its death."""
    subscriber = Subscriber(folder, port, topic='state/#')
    for death in (False, True):
        before = len(subscriber.read())
        with pipeline(line(f'glespublish method=mqtt address=127.0.0.1:{port} availability-topic=state/a ! fakesink',
                           n=100000, live='is-live=true')) as process:
            wait_for(lambda: ('state/a', 'online') in subscriber.read()[before:], 'online')
            process.kill() if death else process.terminate()
        wait_for(lambda: subscriber.read()[-1] == ('state/a', 'offline'), 'offline')
    publish(port, 'availability-topic=state/b')
    wait_for(lambda: subscriber.read()[-2:] == [('state/b', 'online'), ('state/b', 'offline')], 'a clean end')
    subscriber.close()


def check_users(folder):
    port = free_port()
    passwords, password = folder / 'passwords', folder / 'password'
    passwords.touch(mode=0o600)
    subprocess.run(['mosquitto_passwd', '-b', passwords, 'me', 'secret'], check=True)
    password.write_text('secret\n')
    wrong = folder / 'wrong'
    wrong.write_text('other\n')
    with broker(folder, port, f'allow_anonymous false\npassword_file {passwords}'):
        subscriber = Subscriber(folder, port, '-u', 'me', '-P', 'secret', topic='users/#')
        wait_for(lambda: publish(port, f'topic=users/a user=me password-file={password}') and subscriber.read(), 'a user')
        before = len(subscriber.read())
        said = warnings(line(f'glespublish method=mqtt address=127.0.0.1:{port} topic=users/a '
                                                       f'user=me password-file={wrong} ! fakesink sync=true'))
        assert 'Not authorized' in said, said
        assert len(subscriber.read()) == before
        subscriber.close()


def make_certificates(folder):
    ca = ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test ca',
          '-keyout', folder / 'ca.key', '-out', folder / 'ca.pem']
    request = ['openssl', 'req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=broker', '-keyout', folder / 'key.pem',
               '-out', folder / 'request.pem']
    (folder / 'names').write_text('subjectAltName=IP:127.0.0.1\n')
    sign = ['openssl', 'x509', '-req', '-in', folder / 'request.pem', '-CA', folder / 'ca.pem', '-CAkey', folder / 'ca.key',
            '-CAcreateserial', '-days', '2', '-extfile', folder / 'names', '-out', folder / 'cert.pem']
    for command in (ca, request, sign):
        subprocess.run(command, check=True, capture_output=True)


def check_tls(folder):
    port = free_port()
    make_certificates(folder)
    settings = (f'allow_anonymous true\ncafile {folder}/ca.pem\ncertfile {folder}/cert.pem\nkeyfile {folder}/key.pem')
    with broker(folder, port, settings):
        address = f'address=mqtts://127.0.0.1:{port}'
        subscriber = Subscriber(folder, port, '--cafile', str(folder / 'ca.pem'), topic='tls/#')
        wait_for(lambda: launch(line(f'glespublish method=mqtt {address} ca-file={folder}/ca.pem topic=tls/a ! fakesink'))
                 and subscriber.read(), 'TLS')
        before = len(subscriber.read())
        said = warnings(line(f'glespublish method=mqtt {address} topic=tls/a drain-timeout=500 '
                                                       '! fakesink sync=true'))
        assert 'trying again' in said, said
        assert len(subscriber.read()) == before, 'a certificate that nobody signed'
        subscriber.close()


def main():
    pipelines.skip_without('mosquitto', 'mosquitto_sub', 'mosquitto_passwd', 'openssl')
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        port = free_port()
        with broker(folder, port):
            check_lines(folder, port)
            check_topics(folder, port)
            check_retained(folder, port)
            check_will(folder, port)
        check_users(folder)
        check_tls(folder)


main()
