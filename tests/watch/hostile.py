#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cameras that misbehave: hostile.py MODE... prints a port of the loopback for each mode in one line, and ends with its
standard input."""
import contextlib
import os
import socket
import sys
import threading
import time

SDP = (b'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n'
       b'a=control:t0\r\n')


class Peer:
    """A connection of a client, with the last request."""

    def __init__(self, socket_):
        self.socket, self.buffer = socket_, b''
        self.method, self.cseq = b'', b''

    def request(self):
        while b'\r\n\r\n' not in self.buffer:
            got = self.socket.recv(4096)
            if not got:
                raise OSError
            self.buffer += got
        head, _, self.buffer = self.buffer.partition(b'\r\n\r\n')
        lines = head.split(b'\r\n')
        self.method = lines[0].split(b' ')[0]
        self.cseq = next((line for line in lines if line.lower().startswith(b'cseq')), b'CSeq: 1')

    def send(self, *parts):
        for part in parts:
            self.socket.sendall(part)

    def answer(self, *headers, status=b'200 OK', body=b'', length=None):
        length = len(body) if length is None else length
        head = [b'RTSP/1.0 ' + status, self.cseq, *headers, b'Content-Length: %d' % length]
        self.send(b'\r\n'.join(head), b'\r\n\r\n', body)

    def play(self):
        """Does what a camera does, to the answer of PLAY."""
        while self.method != b'PLAY':
            self.request()
            if self.method == b'DESCRIBE':
                self.answer(b'Content-Type: application/sdp', body=SDP)
            elif self.method == b'SETUP':
                self.answer(b'Session: 1;timeout=10', b'Transport: RTP/AVP/TCP;unicast;interleaved=0-1')
            else:
                self.answer(b'Public: OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER', b'Session: 1;timeout=10')

    def describe(self, length):
        """Does what a camera does, to the head of the answer of DESCRIBE."""
        self.request()
        while self.method != b'DESCRIBE':
            self.answer(b'Public: OPTIONS, DESCRIBE, SETUP, PLAY')
            self.request()
        self.answer(b'Content-Type: application/sdp', length=length)


def half_header(peer):
    peer.request()
    peer.send(b'RTSP/1.0 200 OK\r\nCS')
    time.sleep(300)


def byte_a_second(peer):
    peer.request()
    for byte in b'RTSP/1.0 200 OK\r\n' + peer.cseq + b'\r\nX: ' + 1000 * b'y':
        peer.send(bytes([byte]))
        time.sleep(1)


def no_cseq(peer):
    peer.cseq = b'X: 1'
    while True:
        peer.request()
        peer.cseq = b'X: 1'
        peer.answer(b'Public: OPTIONS, DESCRIBE, SETUP, PLAY')


def endless_headers(peer):
    peer.request()
    peer.send(b'RTSP/1.0 200 OK\r\n', peer.cseq, b'\r\n')
    while True:
        peer.send(b'X-A: ' + 8000 * b'A' + b'\r\n')


def endless_sdp(peer):
    peer.describe(2**31 - 1)
    while True:
        peer.send(SDP, b'a=x:' + 8000 * b'B' + b'\r\n')


def big_sdp(peer):
    peer.describe(300000000)
    peer.send(SDP)
    left = 300000000 - len(SDP)
    while left > 0:
        line = min(left, 65536)
        peer.send(b'a=x:' + (line - 6) * b'B' + b'\r\n' if line > 6 else line * b'\n')
        left -= line
    time.sleep(300)


def redirects(peer):
    number = 0
    while True:
        peer.request()
        number += 1
        peer.answer(b'Location: rtsp://127.0.0.1:%d/%d' % (peer.socket.getsockname()[1], number), status=b'302 Moved')


def no_data(peer):
    peer.play()
    while True:
        peer.request()
        peer.answer(b'Session: 1;timeout=10')


def garbage_packets(peer):
    peer.play()
    while True:
        size = 1 + os.urandom(1)[0]
        peer.send(b'$' + os.urandom(1) + size.to_bytes(2, 'big') + os.urandom(size))
        time.sleep(0.001)


def garbage(peer):
    peer.request()
    peer.send(os.urandom(5000))


MODES = {function.__name__.replace('_', '-'): function for function in (
    half_header, byte_a_second, no_cseq, endless_headers, endless_sdp, big_sdp, redirects, no_data, garbage_packets, garbage)}


def serve(server, mode):
    def talk(connection):
        with contextlib.suppress(OSError), connection:
            MODES[mode](Peer(connection))

    while True:
        connection, _ = server.accept()
        threading.Thread(target=talk, args=(connection,), daemon=True).start()


def listen(mode):
    """Serves in a thread. Returns the port."""
    server = socket.create_server(('127.0.0.1', 0), backlog=50)
    threading.Thread(target=serve, args=(server, mode), daemon=True).start()
    return server.getsockname()[1]


if __name__ == '__main__':
    print(*[listen(mode) for mode in sys.argv[1:]], flush=True)
    sys.stdin.read()
