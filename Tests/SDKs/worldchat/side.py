"""An emulator with WorldChat's rules and the table's documents."""

import http.client
import json
import pathlib
import uuid

from firestore.tokens import unsigned
from worldchat.chat import DOCUMENTS
from worldchat.requests import Write

RULES = pathlib.Path(__file__).parents[3] / "firestore.rules"


class Side:
    """A project of its own in an emulator."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=60)
        self.project = f"demo-chat-{uuid.uuid4().hex[:12]}"
        self.root = f"projects/{self.project}/databases/(default)/documents"
        # The paths of the documents that a row may find in another state.
        self.changed = set(DOCUMENTS)
        status, answer = self.put(RULES.read_text())
        assert status == 200, answer

    def put(self, rules):
        """Sets the project's rules."""
        body = {"rules": {"files": [{"name": "firestore.rules", "content": rules}]}}
        return self.ask("PUT", f"/emulator/v1/projects/{self.project}:securityRules", body, None)

    def begin(self):
        """Writes the documents that every row begins with, if an earlier row has changed any."""
        if not self.changed:
            return
        writes = [Write(path, DOCUMENTS.get(path)).body(self.root) for path in self.changed]
        status, answer = self.ask("POST", f"/v1/{self.root}:commit", {"writes": writes}, "owner")
        assert status == 200, answer
        self.changed = set()

    def send(self, person, request):
        """Sends a person's request. Returns the status and the JSON of the answer."""
        body = request.body
        if request.writes:
            body = {"writes": [write.body(self.root) for write in body["writes"]]}
        status, answer = self.ask(request.method, f"/v1/{self.root}{request.verb}", body, self.token(person))
        if request.writes and status == 200:
            self.changed |= {write.path for write in request.body["writes"]}
        return status, answer

    def token(self, person):
        if person.uid is None:
            return None
        claims = {"email": person.email} if person.email else {}
        return unsigned(person.uid, self.project, **claims)

    def ask(self, method, path, body, token):
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None
