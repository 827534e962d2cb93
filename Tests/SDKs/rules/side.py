"""A server with security rules: one of the two that are compared."""

import http.client
import json
import os
import re
import socket
import threading
import urllib.parse
from dataclasses import dataclass

from firestore.values import fields
from rules.world import MISSING, PATHS, ROOT, token

LIMIT_SECONDS = 60
REASON = re.compile(r"(.*?) for '(\w+)' @ L(\d+)(?:, |$)", re.DOTALL)


@dataclass(frozen=True)
class Answer:
    """An HTTP status, and the message of an error."""

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
    def documents(self):
        return f"projects/{self.project}/databases/(default)/documents"

    def send(self, method, path, body=None, authorization=None):
        """Returns the status of a response, and its JSON or text."""
        headers = {"Content-Type": "application/json"}
        if authorization:
            headers["Authorization"] = authorization
        # Percent-encoding in the path, as clients do it; the query has only plain characters.
        path, _, query = path.partition("?")
        target = urllib.parse.quote(path, safe="/:()") + (f"?{query}" if query else "")
        data = None if body is None else json.dumps(body).encode()
        for attempt in (1, 2):
            try:
                connection = self.connection()
                connection.request(method, target, data, headers)
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
        path, body = f"{ROOT}:commit", {"writes": writes}
        done = self.ask({"user": "owner", "method": "POST", "path": path, "body": body})
        assert done.status == 200, done

    def ask(self, call):
        """Returns the answer to a request of `calls`."""
        body = call["body"]
        if body is not None:
            body = json.loads(json.dumps(body).replace(ROOT, self.documents))
        path = "/v1/" + call["path"].replace(ROOT, self.documents)
        return answer(*self.send(call["method"], path, body, token(call["user"], self.project)))

    def judge(self, text, documents, requests):
        """Returns the answers to the rules and, if they compile, to each request in turn."""
        answers = [self.set_rules(text)[0]]
        if answers[0].status == 200:
            self.reset(documents)
            answers += map(self.ask, requests)
        return answers


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
