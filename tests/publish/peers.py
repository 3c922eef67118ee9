#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""glespublish and brokers that misbehave: one that ends connections after a large record, one that knows MQTT 3.1.1 only, one
with another client of the same name, one that sends a packet of 256 MB, one that refuses a topic."""
import os
import pathlib
import resource
import socket
import subprocess
import tempfile
import threading
import time

import pipelines
from pipelines import Subscriber, broker, free_port, line, pipeline, running, wait_for

ELEMENT = 'glespublish method=mqtt what=frames topic=f/a'


def events(folder, settings, n=100000, **options):
    """Starts a pipeline. Returns the process; its warnings go to a file."""
    log = (folder / 'log').open('wb')
    # meson has malloc() write to what it returns: 256 MB of it would be there for that reason
    environment = {**os.environ, 'GST_DEBUG': 'glespublish:4', 'GST_DEBUG_NO_COLOR': '1', 'MALLOC_PERTURB_': '0',
                   'GLIBC_TUNABLES': ''}
    return pipeline(line(f'{ELEMENT} {settings} ! fakesink', n=n, live='is-live=true'), stderr=log, env=environment, **options)


def subscribe(folder, port):
    """Returns a subscriber that is there."""
    subprocess.run(['mosquitto_pub', '-p', str(port), '-r', '-t', 'f/ready', '-m', 'x'], check=True)
    subscriber = Subscriber(folder, port, topic='f/#')
    wait_for(subscriber.read, 'the subscriber')
    return subscriber


def said(folder):
    return (folder / 'log').read_text()


def serve(function):
    """Calls @function with each connection, in a thread of its own. Returns the port."""
    server = socket.create_server(('127.0.0.1', 0))

    def run():
        while True:
            peer, _ = server.accept()
            threading.Thread(target=function, args=(peer,), daemon=True).start()

    threading.Thread(target=run, daemon=True).start()
    return server.getsockname()[1]


class Old:
    """In front of mosquitto: knows no MQTT 5, as old brokers, so does not say what it does not take."""

    def __init__(self, port):
        self.target, self.n = port, 0
        self.port = serve(self.relay)

    def relay(self, peer):
        self.n += 1
        head = peer.recv(1000)
        if b'\0\4MQTT\5' in head:
            peer.sendall(bytes([0x20, 2, 0, 1]))
            peer.close()
            return
        other = socket.create_connection(('127.0.0.1', self.target))
        other.sendall(head)
        for one, two in ((peer, other), (other, peer)):
            threading.Thread(target=self.copy, args=(one, two), daemon=True).start()

    @staticmethod
    def copy(one, two):
        try:
            while data := one.recv(65536):
                two.sendall(data)
        except OSError:
            pass
        for end in (one, two):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def check_too_large(folder, old):
    """The record that the broker does not take is left out, and named once; others arrive, in order."""
    port = free_port()
    with broker(folder, port, 'allow_anonymous true\nmax_packet_size 2000'):
        subscriber = subscribe(folder, port)
        proxy = Old(port)
        with (folder / 'log').open('wb') as log, running(
                [os.environ['PUBLISH_LARGE'], str(proxy.port if old else port)], stdout=log, stderr=subprocess.STDOUT) as process:
            assert process.wait(timeout=40) == 0, said(folder)
        wait_for(lambda: len(subscriber.read()) >= 21, 'the others')
        # an acknowledgement may be lost with the connection
        got = list(dict.fromkeys(text for _, text in subscriber.read()[1:]))
        assert got == [f'record {i}' for i in range(20)], got
        assert said(folder).count('is left out') == 1 and "'f/large'" in said(folder), said(folder)
        assert 'dropped 2\n' in said(folder), said(folder)
        # the version, then the record with others, and twice alone
        assert proxy.n <= 6 if old else proxy.n == 0, proxy.n
        subscriber.close()


def check_same_name(folder):
    """Two clients of one name: the waits grow, and the user is told once."""
    port = free_port()
    (folder / 'two').mkdir()
    with broker(folder, port, 'allow_anonymous true\nlog_dest file ' + str(folder / 'broker.log')):
        settings = f'address=127.0.0.1:{port} client-id=same'
        with events(folder, settings), events(folder / 'two', settings):
            time.sleep(10)
            n = (folder / 'broker.log').read_text().count('already connected, closing old connection')
            assert 4 <= n <= 14, n
            # on a busy machine it takes longer until each has ended three times
            wait_for(lambda: all('the client-id same' in said(of) for of in (folder, folder / 'two')), 'the name')
        for log in (said(folder), said(folder / 'two')):
            # the broker's reason may be lost with the connection
            assert log.count('the client-id same') == 1 and log.count('WARN') <= 2, log


def check_huge_packet(folder):
    """A packet that no client asked for is not read into memory; the next connection works."""
    sent = []

    def flood(peer):
        number = len(sent)
        sent.append(0)
        peer.recv(1000)
        peer.sendall(bytes([0x20, 3, 0, 0, 0]))
        try:
            if number == 0:
                peer.sendall(bytes([0x30, 0xff, 0xff, 0xff, 0x7f]))
                while True:
                    sent[0] += peer.send(bytes(1 << 20))
            while peer.recv(1000):
                pass
        except OSError:
            pass

    with events(folder, f'address=127.0.0.1:{serve(flood)}') as process:
        wait_for(lambda: len(sent) == 2, 'another connection')
        status = pathlib.Path(f'/proc/{process.pid}/status').read_text()
        assert sent[0] < 128 << 20, sent
        peak = int(status.split('VmHWM:')[1].split()[0]) // 1024
        assert peak < 192, f'{peak} MB'
        print(sent[0] >> 20, 'MB sent,', peak, 'MB resident')
    assert 'too large' in said(folder), said(folder)


def many_files():
    """The next descriptor is beyond what select() can wait for."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    for _ in range(1100):
        os.set_inheritable(os.open('/dev/null', os.O_RDONLY), True)


def check_many_descriptors(folder):
    port = free_port()
    with broker(folder, port):
        subscriber = Subscriber(folder, port, topic='f/#')
        with events(folder, f'address=127.0.0.1:{port}', preexec_fn=many_files, close_fds=False) as process:
            wait_for(lambda: len(subscriber.read()) > 10, 'lines')
            assert len(os.listdir(f'/proc/{process.pid}/fd')) > 1100
        subscriber.close()


def check_refusal(folder):
    """A topic that the broker does not allow is named once, and other lines go on."""
    port = free_port()
    (folder / 'acl').write_text('topic readwrite f/#\n')
    with broker(folder, port, f'allow_anonymous true\nacl_file {folder}/acl'):
        with events(folder, f'address=127.0.0.1:{port} topic=secret/a', n=40) as process:
            process.wait(timeout=30)
    assert said(folder).count("'secret/a' is left out: Not authorized") == 1, said(folder)


def check_silence(folder):
    """A broker that accepts and never acknowledges, as the statistics tell."""
    def accept(peer):
        peer.recv(1000)
        peer.sendall(bytes([0x20, 3, 0, 0, 0]))
        while data := peer.recv(65536):
            if data.endswith(bytes([0xc0, 0])):
                peer.sendall(bytes([0xd0, 0]))

    with (folder / 'log').open('wb') as log, running([os.environ['PUBLISH_LARGE'], str(serve(accept))], stdout=log,
                                                     stderr=subprocess.STDOUT) as process:
        wait_for(lambda: 'silence 3' in said(folder), 'the time without an answer')
        process.kill()


def main():
    pipelines.skip_without('mosquitto', 'mosquitto_sub')
    checks = {'too_large': lambda folder: check_too_large(folder, old=False), 'silence': check_silence,
              'too_large_old': lambda folder: check_too_large(folder, old=True), 'same_name': check_same_name,
              'huge_packet': check_huge_packet, 'many_descriptors': check_many_descriptors, 'refusal': check_refusal}
    with tempfile.TemporaryDirectory() as name:
        for check, function in checks.items():
            folder = pathlib.Path(name) / check
            folder.mkdir()
            function(folder)
            print(check, flush=True)


main()
