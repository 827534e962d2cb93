"""A Realtime Database with WorldChat's rules and the table's data, and the ways to it."""

import pathlib
import time
import uuid
from dataclasses import dataclass

from firestore.tokens import unsigned
from realtime.model import message, parameters
from realtime.service import Rest, Socket

RULES = pathlib.Path(__file__).parents[3] / "database.rules.json"
# The emulator accepts users without an account, if their tokens are of another test project than its own.
PROJECT = "demo-rules"


def after(seconds):
    """Returns a value that is the time of the write, on a clock that differs by some seconds."""
    return lambda: round((time.time() + seconds) * 1_000)


@dataclass
class Request:
    """What a person sends: `read`, `put` or `update`. A value may be a function that returns it."""

    kind: str
    path: str
    value: object = None
    query: dict | None = None


def read(path, **query):
    return Request("read", path, query=query or None)


def put(path, value):
    return Request("put", path, value)


def update(path, values):
    return Request("update", path, values)


def remove(path):
    return put(path, None)


class Side:
    """A database of its own.

    `way` says how requests are sent: `rest`, or over a WebSocket as SDKs do: `listen` begins to listen and
    writes, `leave` reads once and leaves writes for the end of the connection.
    """

    def __init__(self, data, way="listen"):
        self.data = data
        self.way = way
        self.rest = Rest(uuid.uuid4().hex)
        self.administrator = Socket(self.rest.name)
        self.sockets = {}
        self.is_changed = True
        assert self.put_rules(RULES.read_text()) == 200

    def put_rules(self, rules):
        """Sets the database's rules. Returns the status."""
        return self.rest.ask("PUT", ".settings/rules.json", raw=rules.encode()).status

    def begin(self):
        """Writes the data that every row begins with, if an earlier row has changed it."""
        if self.is_changed:
            self.administrator.must("p", p="/", d=self.data)
            self.is_changed = False

    def may(self, person, request):
        """Sends a person's request. Returns whether it is allowed."""
        value = request.value() if callable(request.value) else request.value
        if self.way == "rest":
            status, answer = self.ask(person, request, value)
        else:
            status, answer = self.tell(person, request, value)
        assert status in (200, 401, "ok", "permission_denied"), (request, status, answer)
        is_allowed = status in (200, "ok")
        self.is_changed |= is_allowed and request.kind != "read" and self.way != "leave"
        return is_allowed

    def ask(self, person, request, value):
        method = {"read": "GET", "put": "DELETE" if value is None else "PUT", "update": "PATCH"}[request.kind]
        token = {"auth": unsigned(person.uid, PROJECT)} if person.uid else {}
        query = parameters(request.query) if request.query else {}
        answer = self.rest.ask(method, request.path, value, headers={}, **token, **query)
        return answer.status, answer.body

    def tell(self, person, request, value):
        socket = self.socket(person)
        path = f"/{request.path}"
        query = {"q": message(request.query)} if request.query else {}
        if request.kind == "read" and self.way == "leave":
            return socket.ask("g", p=path, **({"q": {}} | query))
        if request.kind == "read":
            answer = socket.ask("q", p=path, h="", **query, **({"t": 1} if query else {}))
            socket.must("n", p=path, **query)
            return answer
        if self.way == "leave":
            answer = socket.ask({"put": "o", "update": "om"}[request.kind], p=path, d=value)
            if answer[0] == "ok":
                socket.must("oc", p=path, d=None)
            return answer
        return socket.ask({"put": "p", "update": "m"}[request.kind], p=path, d=value)

    def socket(self, person):
        """Returns the person's connection."""
        if person not in self.sockets:
            token = unsigned(person.uid, PROJECT) if person.uid else None
            self.sockets[person] = Socket(self.rest.name, token=token)
        return self.sockets[person]

    def close(self):
        for socket in [self.administrator, *self.sockets.values()]:
            socket.close()
