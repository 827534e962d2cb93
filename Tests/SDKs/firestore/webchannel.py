"""A client of WebChannel on plain sockets. Its connections can be cut at any byte, and their requests
can be sent twice, late or in another order."""

import contextlib
import itertools
import json
import queue
import random
import socket
import threading
import time
import urllib.parse

LIMIT_SECONDS = 60


class Cut(Exception):
    """The connection was cut."""


class Refused(Exception):
    """A response other than 200."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body.decode(errors='replace')}")
        self.status = status


def exchange(address, method, path, body=b"", sent=None, received=None, delay=0):
    """Sends a request and yields the bytes of its response's body as they arrive.

    The connection is cut after `sent` bytes of the request, or after `received` bytes of the response. The request
    begins after `delay` seconds.
    """
    time.sleep(delay)
    host, port = address.rsplit(":", 1)
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://127.0.0.1\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), LIMIT_SECONDS) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        request = head.encode() + body
        connection.sendall(request[:sent])
        if sent is not None and sent < len(request):
            raise Cut
        reader = Reader(connection, received)
        status = int(reader.line().split()[1])
        headers = {}
        while line := reader.line():
            name, value = line.split(":", 1)
            headers[name.lower()] = value.strip()
        if status != 200:
            raise Refused(status, b"".join(reader.body(headers)))
        yield from reader.body(headers)


class Reader:
    """Reads a response, at most a number of bytes."""

    def __init__(self, connection, limit):
        self.connection = connection
        self.left = limit
        self.buffer = b""

    def more(self):
        if self.left == 0:
            raise Cut
        data = self.connection.recv(min(65_536, self.left or 65_536))
        if not data:
            raise EOFError
        if self.left is not None:
            self.left -= len(data)
        self.buffer += data

    def line(self):
        while b"\r\n" not in self.buffer:
            self.more()
        line, self.buffer = self.buffer.split(b"\r\n", 1)
        return line.decode()

    def take(self, count):
        while len(self.buffer) < count:
            self.more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def body(self, headers):
        if headers.get("transfer-encoding") != "chunked":
            yield self.take(int(headers.get("content-length", 0)))
            return
        while size := int(self.line(), 16):
            while size:
                if not self.buffer:
                    self.more()
                data = self.take(min(size, len(self.buffer)))
                size -= len(data)
                yield data
            self.line()


class Frames:
    """Splits a stream of bytes into the JSON values of its frames."""

    def __init__(self):
        self.bytes = b""

    def add(self, data):
        """Yields the values of the frames that the data completes."""
        self.bytes += data
        while b"\n" in self.bytes:
            length, rest = self.bytes.split(b"\n", 1)
            # The length counts UTF-16 code units, as in JavaScript.
            units = rest.decode(errors="ignore").encode("utf-16-le")[: 2 * int(length)]
            if len(units) < 2 * int(length):
                return
            text = units.decode("utf-16-le")
            self.bytes = rest[len(text.encode()) :]
            yield json.loads(text)


class Steady:
    """Connections without faults."""

    def post(self):
        return {}

    def get(self):
        return {}

    def copies(self):
        return 1

    def back_channels(self):
        return 1

    def counted(self):
        return contextlib.nullcontext()


class Faulty:
    """Connections with faults from a seed. `cuts` counts the connections that were cut."""

    def __init__(self, seed):
        # The threads that send and that receive have numbers of their own, so that a seed repeats them.
        self.posts = random.Random(f"{seed} posts")
        self.gets = random.Random(f"{seed} gets")
        self.cuts = 0
        self.lock = threading.Lock()

    def post(self):
        fault = {"delay": self.posts.uniform(0, 0.005)} if self.posts.random() < 0.2 else {}
        kind = self.posts.random()
        if kind < 0.3:
            fault["sent"] = self.posts.randrange(900)
        elif kind < 0.6:
            fault["received"] = self.posts.randrange(500)
        return fault

    def get(self):
        # A frame has at most 16 KiB and one more message.
        return {"received": self.gets.choice((self.gets.randrange(2_000), self.gets.randrange(40_000)))}

    def copies(self):
        return self.posts.choice((1, 1, 2))

    def back_channels(self):
        return 2 if self.gets.random() < 0.1 else 1

    @contextlib.contextmanager
    def counted(self):
        """Counts the connection if it is cut."""
        try:
            yield
        except Cut:
            with self.lock:
                self.cuts += 1
            raise


class Channel:
    """A session of Listen or Write. `responses` are the messages that it has received, in order."""

    def __init__(self, address, stream, first, authorization="Bearer owner", faults=None, streams=True, reads=True):
        self.address = address
        # Google's emulator finds the database here.
        self.database = first[0]["database"] if first else ""
        self.path = f"/google.firestore.v1.Firestore/{stream}/channel"
        self.faults = faults or Steady()
        self.requests = itertools.count(random.randrange(100_000))
        self.sent = itertools.count()
        self.last = 0
        self.taking = threading.Lock()
        self.responses = queue.Queue()
        self.controls = []
        self.is_closed = False
        self.streams = streams
        headers = f"Authorization:{authorization}\r\n" if authorization else ""
        query = {"VER": 8, "RID": next(self.requests), "CVER": 22, "X-HTTP-Session-Id": "gsessionid"}
        body = {"headers": headers, **self.form(first)}
        ((greeting,),) = self.whole("POST", query, body)
        number, (word, self.id, *_, self.keep_alive) = greeting
        assert (number, word) == (0, "c"), greeting
        self.reading = threading.Thread(target=self.read if reads else lambda: None, daemon=True)
        self.reading.start()

    def form(self, messages):
        texts = {f"req{n}___data__": json.dumps(each) for n, each in enumerate(messages)}
        offset = [next(self.sent) for _ in messages]
        return {"count": len(messages), "ofs": offset[0] if offset else 0, **texts}

    def target(self, query):
        return self.path + "?" + urllib.parse.urlencode({"database": self.database, "zx": random.random(), "t": 1, **query})

    def whole(self, method, query, form=None, **cut):
        """Returns the values in a whole response."""
        body = urllib.parse.urlencode(form or {}).encode()
        frames = Frames()
        data = exchange(self.address, method, self.target(query), body, **cut)
        return [value for part in data for value in frames.add(part)]

    # Sending

    def send(self, *messages):
        """Sends messages, again and again until the server has answered, and returns its receipt."""
        return self.post(self.form(messages))

    def post(self, form):
        while True:
            query = {"VER": 8, "SID": self.id, "RID": next(self.requests), "AID": self.last}
            fault, *others = [self.faults.post() for _ in range(self.faults.copies())]
            copies = [threading.Thread(target=self.attempt, args=(query, form, other)) for other in others]
            for copy in copies:
                copy.start()
            answer = self.attempt(query, form, fault)
            for copy in copies:
                copy.join()
            if answer:
                return answer[0]

    def attempt(self, query, form, fault):
        with contextlib.suppress(Cut, ConnectionError, EOFError), self.faults.counted():
            return self.whole("POST", query, form, **fault)

    def send_reordered(self, *messages):
        """Sends each message on a connection of its own, the last one first."""
        forms = [self.form([each]) for each in messages]
        for form in reversed(forms):
            self.post(form)

    # Receiving

    def read(self):
        """Reads the back channel, and opens it again when it ends."""
        while not self.is_closed:
            faults = [self.faults.get() for _ in range(self.faults.back_channels())]
            readers = [threading.Thread(target=self.read_once, kwargs=fault, daemon=True) for fault in faults]
            for reader in readers:
                reader.start()
            for reader in readers:
                reader.join()

    def read_once(self, **cut):
        with contextlib.suppress(Cut, ConnectionError, EOFError), self.faults.counted():
            self.read_whole(**cut)

    def read_whole(self, **cut):
        query = {
            "VER": 8, "SID": self.id, "RID": "rpc", "AID": self.last, "CI": 0 if self.streams else 1,
            "TYPE": "xmlhttp",
        }
        frames = Frames()
        try:
            for data in exchange(self.address, "GET", self.target(query), **cut):
                for arrays in frames.add(data):
                    for array in arrays:
                        with self.taking:
                            self.take(*array)
        except Refused as error:
            self.is_closed = True
            self.responses.put(error)

    def take(self, number, payload):
        if number <= self.last:
            return
        assert number == self.last + 1, f"array {number} follows {self.last}"
        self.last = number
        (content,) = payload
        if isinstance(content, str):
            self.controls.append(content)
            self.is_closed |= content == "close"
        else:
            self.responses.put(content)

    def next(self):
        response = self.responses.get(timeout=LIMIT_SECONDS)
        if isinstance(response, Exception):
            raise response
        return response

    def close(self):
        self.is_closed = True
        with contextlib.suppress(Refused):
            self.whole("GET", {"VER": 8, "SID": self.id, "RID": next(self.requests), "TYPE": "terminate"})
        self.reading.join(LIMIT_SECONDS)


def is_snapshot(response):
    """Returns whether all targets are consistent after a response."""
    change = response.get("targetChange", {})
    return bool(change) and "targetIds" not in change and "targetChangeType" not in change


def snapshot(channel):
    """Returns the responses up to the next one that makes all targets consistent."""
    said = [channel.next()]
    while not is_snapshot(said[-1]):
        said.append(channel.next())
    return said
