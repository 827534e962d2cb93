"""The Authentication service as its clients see it: plain requests, and people who sign up."""

import base64
import contextlib
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass

import pytest
from firestore.emulator import start
from firestore.tokens import jwt

KEY = "fake-api-key"
OWNER = {"Authorization": "Bearer owner"}
TOOLKIT = "/identitytoolkit.googleapis.com/v1"
# The names that iOS uses.
RELYING_PARTY = "/www.googleapis.com/identitytoolkit/v3/relyingparty"
PASSWORD = "correct horse"
NEW_PASSWORD = "battery staple"
TOKENS = {"idToken", "refreshToken", "expiresIn"}


@dataclass
class Answer:
    status: int
    body: object
    headers: object

    def expect(self, *names, **members):
        """Checks a success: it has these members, and the named ones with any value."""
        assert self.status == 200, self.body
        assert set(self.body) == {*names, *members}
        assert {name: self.body[name] for name in members} == members
        return self.body

    def refused(self, message):
        """Checks a refusal in the form of the Identity Toolkit."""
        item = {"message": message, "reason": "invalid", "domain": "global"}
        error = {"code": 400, "message": message, "errors": [item]}
        assert (self.status, self.body) == (400, {"error": error})

    def failed(self, status, name):
        """Checks an error that has a status' name, and returns its message."""
        assert self.status == status, self.body
        error = self.body["error"]
        assert (error["code"], error["status"]) == (status, name)
        assert error["errors"][0]["message"]
        return error["message"]

    def malformed(self):
        """Checks the refusal of a body that isn't a request of the operation."""
        start = "Invalid JSON payload received. "
        assert self.failed(400, "INVALID_ARGUMENT").startswith(start), self.body


class Kept(urllib.request.HTTPRedirectHandler):
    """Returns redirects to the test instead of following them."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(Kept)


class Service:
    def __init__(self, host, project):
        self.host = host
        self.project = project

    def send(self, method, path, data=None, headers=None):
        url = path if "://" in path else f"http://{self.host}{path}"
        request = urllib.request.Request(url, data, headers or {}, method=method)
        try:
            with OPENER.open(request, timeout=60) as answer:
                return self.read(answer)
        except urllib.error.HTTPError as error:
            with error:
                return self.read(error)

    @staticmethod
    def read(answer):
        data = answer.read()
        is_json = "json" in answer.headers.get("Content-Type", "")
        return Answer(answer.status, json.loads(data) if is_json else data, answer.headers)

    def ask(self, method, path, body=None, headers=None):
        """Sends JSON, without a key and without a token unless the path or headers have them."""
        data = None if body is None else json.dumps(body).encode()
        kind = {} if body is None else {"Content-Type": "application/json"}
        return self.send(method, path, data, {**kind, **(headers or {})})

    def user(self, operation, /, **members):
        """Calls an operation as an app does: with a key."""
        return self.ask("POST", f"{TOOLKIT}/accounts:{operation}?key={KEY}", members)

    def ios(self, operation, /, **members):
        return self.ask("POST", f"{RELYING_PARTY}/{operation}?key={KEY}", members)

    def admin(self, operation, /, **members):
        """Calls a project's operation as a server does; `operation` follows the project's id."""
        return self.ask("POST", f"{TOOLKIT}/projects/{self.project}{operation}", members, OWNER)

    def emulator(self, method, path, body=None):
        """Uses a route that only emulators have."""
        return self.ask(method, f"/emulator/v1/projects/{self.project}/{path}", body, OWNER)

    def refresh(self, **members):
        """Calls the Secure Token service with a form, as the Web SDK does."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        data = urllib.parse.urlencode(members).encode()
        return self.send("POST", f"/securetoken.googleapis.com/v1/token?key={KEY}", data, kind)

    def sign_up(self, email=None, password=PASSWORD, **members):
        """Signs a new person up, and returns the answer."""
        email = email or unique_email()
        answer = self.user("signUp", email=email, password=password, **members)
        assert answer.status == 200, answer.body
        return answer.body

    def sign_in(self, email, password=PASSWORD):
        return self.user("signInWithPassword", email=email, password=password)

    def account(self, uid):
        """Returns an account as administrators see it, or None."""
        users = self.admin("/accounts:lookup", localId=[uid]).body.get("users")
        return users[0] if users else None

    def codes(self, email, kind=None):
        """Returns the out-of-band codes for an email address, oldest first."""
        codes = self.emulator("GET", "oobCodes").expect("oobCodes")["oobCodes"]
        return [
            each for each in codes if each["email"] == email and kind in (None, each["requestType"])
        ]

    def code(self, email, kind):
        (code,) = self.codes(email, kind)
        return code


def shared():
    """Returns the service of the emulator that runs all tests."""
    return Service(os.environ["FIREBASE_AUTH_EMULATOR_HOST"], os.environ["GOOGLE_CLOUD_PROJECT"])


@contextlib.contextmanager
def alone(project="demo-auth"):
    """Runs an emulator for tests of what all accounts have in common."""
    process, ports = start("--project", project, "--only", "auth", "--auth-port=0", "--no-rules")
    try:
        yield Service(f"127.0.0.1:{ports['auth']}", project)
    except BaseException:
        process.kill()
        raise
    finally:
        process.terminate()
        process.communicate()
    assert process.returncode == 0


def unique_email():
    return f"{uuid.uuid4().hex}@example.com"


def unique_phone():
    return f"+39{uuid.uuid4().int % 10**10:010}"


def payload(token):
    """Returns the claims of an unsigned token, whose third part is empty."""
    header, claims, signature = token.split(".")
    assert decoded(header) == {"alg": "none", "typ": "JWT"}
    assert signature == ""
    return decoded(claims)


def decoded(part):
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def unsigned(user, project, /, **changes):
    """Returns a token that has the form of the service's tokens. A change to None leaves a claim
    out."""
    now = int(time.time())
    claims = {
        "iss": f"https://securetoken.google.com/{project}",
        "aud": project,
        "auth_time": now,
        "user_id": user,
        "sub": user,
        "iat": now,
        "exp": now + 3_600,
        "firebase": {"identities": {}, "sign_in_provider": "password"},
        **changes,
    }
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt(claims, header={"alg": "none", "typ": "JWT"}, signature=b"")


@pytest.fixture(scope="module")
def service():
    return shared()


@pytest.fixture(scope="module")
def own():
    """The service of an emulator that no other test module uses."""
    with alone() as service:
        yield service
