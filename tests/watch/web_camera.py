# SPDX-License-Identifier: LGPL-2.1-or-later
"""A camera of HTTP on the loopback that sends JPEGs, asks for a password, leads elsewhere, or misbehaves."""
import base64
import contextlib
import hashlib
import http.server
import re
import socketserver
import subprocess
import threading
import time

USER, PASSWORD = 'gate keeper', 's3cret:pass'
NONCE, REALM = '0123456789abcdef', 'camera'
TEN_A_SECOND = 0.1


def make_pictures():
    """JPEGs of a moving pattern, 160x120."""
    raw = subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=d=3:s=160x120:r=10', '-f',
                          'mjpeg', '-'], check=True, stdout=subprocess.PIPE).stdout
    return [b'\xff\xd8\xff' + part for part in raw.split(b'\xff\xd8\xff')[1:]]


def md5(*parts):
    return hashlib.md5(':'.join(parts).encode()).hexdigest()


def is_basic(header):
    return header == 'Basic ' + base64.b64encode(f'{USER}:{PASSWORD}'.encode()).decode()


def is_digest(header, method, path):
    """As RFC 7616 has it, with qop=auth."""
    if not header.startswith('Digest '):
        return False
    said = {name: quoted or plain for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|([^,\s]*))', header)}
    want = md5(md5(USER, REALM, PASSWORD), NONCE, said.get('nc', ''), said.get('cnonce', ''), 'auth', md5(method, path))
    return (said.get('response'), said.get('username'), said.get('uri')) == (want, USER, path)


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def part(self, data):
        self.wfile.write(b'--cut\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n' % len(data) + data + b'\r\n')

    def refuse(self, challenge):
        self.send_response(401)
        self.send_header('WWW-Authenticate', challenge)
        self.send_header('Content-Length', '0')
        self.end_headers()

    def lead(self, place):
        self.send_response(302)
        self.send_header('Location', place)
        self.send_header('Content-Length', '0')
        self.end_headers()

    def text(self, kind, body):
        self.send_response(200)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def begin(self, boundary='cut'):
        self.send_response(200)
        self.send_header('Content-Type', f'multipart/x-mixed-replace; boundary={boundary}')
        self.end_headers()

    def do_GET(self):
        header = self.headers.get('Authorization', '')
        port = self.server.server_port
        with self.server.lock:
            self.server.asked.append((self.path, header))
        if self.path == '/basic' and not is_basic(header):
            self.refuse(f'Basic realm="{REALM}"')
        elif self.path == '/digest' and not is_digest(header, 'GET', self.path):
            self.refuse(f'Digest realm="{REALM}", qop="auth", algorithm=MD5, nonce="{NONCE}"')
        elif self.path == '/near':
            self.lead('/basic')
        elif self.path == '/elsewhere':
            self.lead(f'http://127.0.0.2:{port}/plain')
        elif self.path == '/thief':
            self.lead(f'http://127.0.0.2:{port}/basic')
        elif self.path == '/missing':
            self.send_error(404)
        elif self.path == '/live.m3u8':
            self.text('application/vnd.apple.mpegurl', b'#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2.0,\n'
                      b'http://127.0.0.2:%d/part.ts\n#EXT-X-ENDLIST\n' % port)
        elif self.path == '/part.ts':
            self.text('video/mp2t', self.server.part)
        else:
            with contextlib.suppress(OSError):
                self.play()

    def play(self):
        """Until the client has enough."""
        self.begin()
        for n in range(600):
            if self.path == '/garbage':
                self.part(b'no picture' * 100)
            elif self.path == '/burst' and n % 10 == 9:
                for k in range(100):
                    self.part(self.server.pictures[k % len(self.server.pictures)])
            else:
                self.part(self.server.pictures[n % len(self.server.pictures)])
            time.sleep(TEN_A_SECOND)


class Leader(socketserver.StreamRequestHandler):
    """A camera of RTSP that leads to the same port of another host, which asks for a password."""

    def handle(self):
        head = []
        for line in self.rfile:
            head.append(line.decode().strip())
            if head[-1]:
                continue
            said = dict(line.split(': ', 1) for line in head[1:-1])
            host, port = self.server.server_address
            self.server.asked.append(said.get('Authorization', ''))
            answer = ['RTSP/1.0 200 OK', 'Public: OPTIONS, DESCRIBE, SETUP, PLAY']
            if not head[0].startswith('OPTIONS'):
                answer = ['RTSP/1.0 401 Unauthorized', f'WWW-Authenticate: Basic realm="{REALM}"']
            if host == '127.0.0.1' and answer[0].endswith('Unauthorized'):
                answer = ['RTSP/1.0 302 Moved', f'Location: rtsp://127.0.0.2:{port}/x']
            self.wfile.write('\r\n'.join([*answer, 'CSeq: ' + said['CSeq'], '', '']).encode())
            head = []


class Leaders:
    """Two of them; the first leads to the other one."""

    def __init__(self):
        first = socketserver.ThreadingTCPServer(('127.0.0.1', 0), Leader)
        self.port = first.server_address[1]
        self.other = socketserver.ThreadingTCPServer(('127.0.0.2', self.port), Leader)
        for server in (first, self.other):
            server.daemon_threads, server.asked = True, []
            threading.Thread(target=server.serve_forever, daemon=True).start()


class Cameras:
    """The same one at two addresses."""

    def __init__(self, part=b''):
        first = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.port = first.server_port
        second = http.server.ThreadingHTTPServer(('127.0.0.2', self.port), Handler)
        self.servers = {'127.0.0.1': first, '127.0.0.2': second}
        pictures = make_pictures()
        for server in self.servers.values():
            server.daemon_threads = True
            server.handle_error = lambda *_: None  # clients that have gone
            server.pictures, server.part, server.asked, server.lock = pictures, part, [], threading.Lock()
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def uri(self, path):
        return f'http://127.0.0.1:{self.port}/{path}'

    def asked(self, host, path=None):
        """The values of Authorization of the requests that came."""
        server = self.servers[host]
        with server.lock:
            return [header for at, header in server.asked if path in (None, at)]
