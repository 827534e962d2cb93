"""A server with security rules: one of the two that are compared."""

import http.client
import json
import os
import re
import socket
import threading
from dataclasses import dataclass

import grpc
from firestore.listening import Change, ListenRequest, Stream
from firestore.values import fields
from firestore.wire import STREAMING, Server, parse, rest_request
from google.protobuf import json_format
from rules.world import DATABASE, MISSING, PATHS, ROOT, TRANSACTION, token

LIMIT_SECONDS = 60
# The HTTP status of each code of gRPC that requests get.
STATUSES = {
    "INVALID_ARGUMENT": 400,
    "FAILED_PRECONDITION": 400,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "ALREADY_EXISTS": 409,
    "ABORTED": 409,
    "RESOURCE_EXHAUSTED": 429,
}
REASON = re.compile(r"(.*?) for '(\w+)' @ L(\d+)(?:, |$)", re.DOTALL)


@dataclass(frozen=True)
class Answer:
    """An HTTP status, or the one of gRPC's code, and the message of an error."""

    status: int
    message: str = ""

    @property
    def reasons(self):
        """The reasons of a denial, without those of an evaluation before the document is read."""
        parts = REASON.findall(self.message)
        found = {(text.strip(), method, int(line)) for text, method, line in parts}
        return {each for each in found if not each[0].startswith("evaluation error at")} or {
            self.message.strip() if not found else ""
        }

    def __str__(self):
        return f"{self.status} {' '.join(self.message.split())[:500]}".strip()


class Side:
    """A server. Each thread that uses it has a connection and a project of its own."""

    def __init__(self, address):
        self.host, self.port = address.rsplit(":", 1)
        self.server = Server(address)
        self.local = threading.local()
        self.lock = threading.Lock()
        self.threads = 0

    @property
    def project(self):
        if not hasattr(self.local, "project"):
            with self.lock:
                self.threads += 1
                self.local.project = f"demo-rules-{os.getpid()}-{self.threads}"
        return self.local.project

    @property
    def database(self):
        return f"projects/{self.project}/databases/(default)"

    def send(self, method, path, body=None, authorization=None):
        """Returns the status of a response, and its JSON or text."""
        headers = {"Content-Type": "application/json"}
        if authorization:
            headers["Authorization"] = authorization
        data = None if body is None else json.dumps(body).encode()
        for attempt in (1, 2):
            try:
                connection = self.connection()
                connection.request(method, path, data, headers)
                response = connection.getresponse()
                content = response.read().decode()
                break
            except (http.client.HTTPException, ConnectionError):
                self.local.connection = None
                if attempt == 2:
                    raise
        try:
            return response.status, json.loads(content or "{}")
        except ValueError:
            return response.status, content

    def connection(self):
        if getattr(self.local, "connection", None) is None:
            made = http.client.HTTPConnection(self.host, int(self.port), timeout=LIMIT_SECONDS)
            made.connect()
            made.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.local.connection = made
        return self.local.connection

    def close(self):
        self.server.close()
        if getattr(self.local, "connection", None):
            self.local.connection.close()

    def set_rules(self, text, ignoring_errors=False):
        """Sets the project's rules, and returns the answer and the issues in them."""
        body = {"rules": {"files": [{"name": "security.rules", "content": text}]}}
        if ignoring_errors:
            body["ignore_errors"] = True
        path = f"/emulator/v1/projects/{self.project}:securityRules"
        status, content = self.send("PUT", path, body)
        issues = content.get("issues", []) if isinstance(content, dict) else []
        return answer(status, content), issues

    def reset(self, documents):
        """Makes these the only ones of the known paths that have documents."""
        writes = []
        for path in dict.fromkeys((*PATHS, *MISSING, *documents)):
            name = f"{ROOT}/{path}"
            if path in documents:
                writes.append({"update": {"name": name, "fields": fields(documents[path])}})
            else:
                writes.append({"delete": name})
        request = {"database": DATABASE, "writes": writes}
        call = {"user": "owner", "door": "REST", "method": "Commit", "request": request}
        done = self.ask(call)
        assert done.status == 200, done

    def ask(self, call):
        """Returns the answer to a request of `calls`."""
        if "transaction" not in call["request"]:
            # Locks of an earlier transaction would delay the request.
            self.roll_back()
        caller = token(call["user"], self.project)
        ways = {"REST": self.ask_rest, "gRPC": self.ask_grpc}
        way = self.listen if call["method"] == "Listen" else ways[call["door"]]
        status, content = way(call["method"], self.named(call["request"]), caller)
        if status == 200 and call["method"] == "BeginTransaction":
            begun = content[0] if isinstance(content, list) else content
            self.local.transaction = begun["transaction"]
        return answer(status, content)

    @property
    def transaction(self):
        """The transaction that this thread began last, or None."""
        return getattr(self.local, "transaction", None)

    def roll_back(self):
        if self.transaction:
            request = {"database": DATABASE, "transaction": TRANSACTION}
            self.ask_grpc("Rollback", self.named(request), token("owner", self.project))
            self.local.transaction = None

    def named(self, request):
        """Returns a request with the names of this thread's project and transaction."""
        text = json.dumps(request).replace(ROOT, f"{self.database}/documents")
        text = text.replace(DATABASE, self.database)
        return json.loads(text.replace(TRANSACTION, self.transaction or ""))

    def ask_rest(self, method, request, caller):
        verb, path, body = rest_request(method, request)
        return self.send(verb, path, body, caller)

    def ask_grpc(self, method, request, caller):
        metadata = [("authorization", caller)] if caller else []
        try:
            found = self.server.call(method)(
                parse(method, request), metadata=metadata, timeout=LIMIT_SECONDS
            )
            messages = list(found) if method in STREAMING else [found]
        except grpc.RpcError as error:
            return failed(error.code(), error.details())
        return 200, [json_format.MessageToDict(each) for each in messages]

    def listen(self, _, target, caller):
        """Listens until the target is current or refused."""
        request = {"database": self.database, "addTarget": {**target, "targetId": 1}}
        stream = Stream(self.server.channel, self.database, authorization=caller)
        stream.requests.put(json_format.ParseDict(request, ListenRequest()))
        try:
            found = 200, None
            while True:
                change = stream.next().target_change
                if change.target_change_type == Change.CURRENT:
                    # Google's emulator would fail the next write if the stream were cancelled.
                    stream.remove(1)
                elif change.target_change_type == Change.REMOVE:
                    if change.cause.code:
                        found = failed(CODES[change.cause.code], change.cause.message)
                    return found
        except grpc.RpcError as error:
            return failed(error.code(), error.details())
        finally:
            stream.requests.put(None)

    def judge(self, text, documents, requests):
        """Returns the answers to the rules and, if they compile, to each request in turn."""
        answers = [self.set_rules(text)[0]]
        if answers[0].status == 200:
            self.reset(documents)
            answers += map(self.ask, requests)
            self.roll_back()
        return answers


CODES = {code.value[0]: code for code in grpc.StatusCode}


def failed(code, message):
    """Returns the status and the content of an error of gRPC."""
    return STATUSES.get(code.name, 500), {"message": message}


def answer(status, content):
    if status == 200:
        return Answer(status)
    if isinstance(content, list) and content:
        content = content[0]
    if isinstance(content, dict):
        content = content.get("error", content)
    if isinstance(content, dict):
        return Answer(status, content.get("message", ""))
    return Answer(status, str(content))
