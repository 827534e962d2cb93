"""An emulator with WorldChat's rules and the table's documents."""

import http.client
import json
import pathlib
import time
import uuid

from firestore.tokens import jwt
from worldchat.chat import DOCUMENTS
from worldchat.requests import Write

RULES = pathlib.Path(__file__).parents[3] / "firestore.rules"


class Side:
    """A project of its own in an emulator."""

    def __init__(self, address, rules=None):
        self.connection = http.client.HTTPConnection(address, timeout=60)
        self.project = f"demo-chat-{uuid.uuid4().hex[:12]}"
        self.root = f"projects/{self.project}/databases/(default)/documents"
        self.hasChanged = True
        self.created = set()
        status, answer = self.put(rules or RULES.read_text())
        assert status == 200, answer

    def put(self, rules):
        """Sets the project's rules."""
        body = {"rules": {"files": [{"name": "firestore.rules", "content": rules}]}}
        return self.ask("PUT", f"/emulator/v1/projects/{self.project}:securityRules", body, None)

    def begin(self):
        """Writes the documents that every row begins with, if an earlier row has changed any."""
        if not self.hasChanged:
            return
        writes = [{"delete": f"{self.root}/{path}"} for path in self.created - set(DOCUMENTS)]
        writes += [Write(path, plain).body(self.root) for path, plain in DOCUMENTS.items()]
        status, answer = self.ask("POST", f"/v1/{self.root}:commit", {"writes": writes}, "owner")
        assert status == 200, answer
        self.hasChanged = False
        self.created = set()

    def send(self, person, request):
        """Sends a person's request. Returns the status and the JSON of the answer."""
        body = request.body
        if request.writes:
            body = {"writes": [write.body(self.root) for write in body["writes"]]}
        status, answer = self.ask(request.method, f"/v1/{self.root}{request.verb}", body, self.token(person))
        if request.writes and status == 200:
            self.hasChanged = True
            self.created |= {write.path for write in request.body["writes"]}
        return status, answer

    def token(self, person):
        if person.uid is None:
            return None
        now = int(time.time())
        claims = {
            "sub": person.uid, "user_id": person.uid, "aud": self.project, "auth_time": now, "iat": now,
            "iss": f"https://securetoken.google.com/{self.project}", "exp": now + 3_600,
        }
        if person.email:
            claims["email"] = person.email
        return jwt(claims, header={"alg": "none", "typ": "JWT"}, signature=b"")

    def ask(self, method, path, body, token):
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None
