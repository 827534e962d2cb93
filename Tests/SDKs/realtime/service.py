"""The two doors of a Realtime Database, as plainly as possible: REST requests and WebSocket messages."""

import http.client
import json
import os
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass

import websocket

OWNER = {"Authorization": "Bearer owner"}
HOST = os.environ.get("FIREBASE_DATABASE_EMULATOR_HOST", "")
# How many characters a frame has at most; longer messages are divided.
FRAME = 16_384


@dataclass
class Answer:
    status: int
    headers: dict
    body: object


class Rest:
    def __init__(self, name, host=None):
        self.name = name
        self.host = host or HOST

    def ask(self, method, path, body=None, headers=OWNER, raw=None, **query):
        """Sends a request to `/PATH.json`, or to `path` if it has an extension. `raw` is a body that isn't encoded."""
        file = path if path.endswith(".json") else urllib.parse.quote(path, safe="/") + ".json"
        parameters = urllib.parse.urlencode({"ns": self.name, **query})
        data = raw if raw is not None else None if method in ("GET", "DELETE") else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://{self.host}/{file.lstrip('/')}?{parameters}", data, headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return Answer(response.status, dict(response.headers), self.decode(response))
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, dict(error.headers), self.decode(error))

    @staticmethod
    def decode(response):
        content = response.read()
        return json.loads(content) if content else None

    def get(self, path, **query):
        answer = self.ask("GET", path, **query)
        assert answer.status == 200, answer
        return answer.body

    def put(self, path, body, **options):
        answer = self.ask("PUT", path, body, **options)
        assert answer.status == 200, answer
        return answer.body

    def set_rules(self, rules):
        text = json.dumps({"rules": rules}).encode()
        answer = self.ask("PUT", ".settings/rules.json", raw=text)
        assert (answer.status, answer.body) == (200, {"status": "ok"}), answer


class Events:
    """A stream of server-sent events."""

    def __init__(self, rest, path, headers=OWNER, query=""):
        self.connection = http.client.HTTPConnection(rest.host, timeout=60)
        target = f"/{path}.json?ns={rest.name}{query}"
        self.connection.request("GET", target, headers={"Accept": "text/event-stream", **headers})
        self.response = self.connection.getresponse()

    def next(self):
        """Returns the next event's name and data, JSON or a text, or None at the end."""
        lines = []
        while line := self.response.readline().decode().rstrip("\n"):
            lines.append(line)
        if not lines:
            return None
        name, data = lines
        name, data = name.removeprefix("event: "), data.removeprefix("data: ")
        return name, data if name == "auth_revoked" else json.loads(data)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()


class Socket:
    """A client's connection. `pushes` has the messages that no request asked for, oldest first."""

    def __init__(self, name, host=None, token="owner"):
        self.connection = websocket.create_connection(f"ws://{host or HOST}/.ws?v=5&ns={name}", timeout=60)
        self.number = 0
        self.pushes = []
        self.hello = self.receive()
        if token:
            self.must("auth", cred=token)

    def send_text(self, text):
        if len(text) <= FRAME:
            return self.connection.send(text)
        parts = [text[start : start + FRAME] for start in range(0, len(text), FRAME)]
        for part in [str(len(parts)), *parts]:
            self.connection.send(part)

    def receive(self):
        """Returns the next message, put together from its frames."""
        text = self.connection.recv()
        if text.isdigit() and len(text) <= 6:
            text = "".join(self.connection.recv() for _ in range(int(text)))
        return json.loads(text)

    def send(self, action, **body):
        self.number += 1
        self.send_text(json.dumps({"t": "d", "d": {"r": self.number, "a": action, "b": body}}))
        return self.number

    def answer(self, number):
        """Waits for the answer to a request, and returns its status and data."""
        while True:
            message = self.receive()["d"]
            if message.get("r") == number:
                return message["b"]["s"], message["b"]["d"]
            self.pushes.append((message.get("a"), message["b"]))

    def ask(self, action, **body):
        return self.answer(self.send(action, **body))

    def must(self, action, **body):
        status, data = self.ask(action, **body)
        assert status == "ok", (action, body, status, data)
        return data

    def take(self):
        """Returns the pushes so far, after everything that happened before this call has arrived."""
        self.must("s", c={})
        pushes, self.pushes = self.pushes, []
        return pushes

    def close(self):
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
