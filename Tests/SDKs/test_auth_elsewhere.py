"""ID tokens at the services that aren't Authentication: Firestore and callable functions."""

import json
import time
import urllib.error
import urllib.request

import grpc
import pytest
from auth.service import PASSWORD, Service, unsigned
from firestore.emulator import start
from firestore.wire import Server, parse


class Project:
    """An emulator of one project, with functions and without triggers."""

    def __init__(self, name):
        options = ["--project", name, "--only", "firestore,auth,functions", "--no-rules"]
        ports = [f"--{each}-port=0" for each in ("firestore", "auth", "functions")]
        self.name = name
        self.process, ports = start(*options, *ports, "--no-triggers")
        self.ports = ports
        self.auth = Service(f"127.0.0.1:{ports['auth']}", name)

    def end(self):
        self.process.terminate()
        self.process.communicate()
        assert self.process.returncode == 0

    def ask(self, port, path, token, body=None):
        """Returns the status and the JSON of a response."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.ports[port]}{path}",
            body and json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def read(self, token):
        """Reads documents over REST, and returns the status."""
        path = f"/v1/projects/{self.name}/databases/(default)/documents/users"
        return self.ask("firestore", path, token)[0]

    def read_over_grpc(self, token):
        """Reads documents over gRPC, and returns the code of the error, or None."""
        server = Server(f"127.0.0.1:{self.ports['firestore']}")
        database = f"projects/{self.name}/databases/(default)"
        request = parse("ListDocuments", {"parent": f"{database}/documents", "collectionId": "users"})
        try:
            server.call("ListDocuments")(request, metadata=[("authorization", f"Bearer {token}")])
        except grpc.RpcError as error:
            return error.code()
        finally:
            server.close()

    def call(self, token):
        """Calls a function, and returns the name of the error, which has no document to translate."""
        path = f"/{self.name}/us-central1/translateMessage"
        status, body = self.ask("functions", path, token, {"data": {}})
        return body["error"]["status"]

    def accepts(self, token):
        """Returns whether all services accept a token. They agree."""
        accepted = {
            self.read(token) == 200,
            self.read_over_grpc(token) is None,
            self.call(token) == "INVALID_ARGUMENT",
        }
        refused = {
            self.read(token) == 401,
            self.read_over_grpc(token) is grpc.StatusCode.UNAUTHENTICATED,
            self.call(token) == "UNAUTHENTICATED",
        }
        assert len(accepted) == 1 and len(refused) == 1 and accepted != refused
        return accepted.pop()


@pytest.fixture(scope="module", params=["demo-elsewhere", "worldchat-1"])
def project(request):
    project = Project(request.param)
    yield project
    project.end()


def test_a_token_of_an_account_is_accepted(project):
    user = project.auth.sign_up()
    assert project.accepts(user["idToken"])
    fresh = project.auth.refresh(grant_type="refresh_token", refresh_token=user["refreshToken"])
    assert project.accepts(fresh.body["id_token"])


def test_a_token_of_nobody_is_accepted_in_demo_projects_alone(project):
    assert project.accepts(unsigned("nobody", project.name)) == project.name.startswith("demo-")


def test_a_token_for_another_project_is_refused(project):
    token = unsigned(project.auth.sign_up()["localId"], "demo-other")
    if not project.name.startswith("demo-"):
        assert not project.accepts(token)
        return
    # The token is valid for databases of its own project.
    assert project.read(token) == 403
    assert project.read_over_grpc(token) is grpc.StatusCode.PERMISSION_DENIED
    assert project.call(token) == "UNAUTHENTICATED"


def test_a_session_cookie_is_no_token(project):
    user = project.auth.sign_up()
    answer = project.auth.admin(":createSessionCookie", idToken=user["idToken"])
    cookie = answer.body["sessionCookie"]
    project.auth.user("lookup", idToken=cookie).refused("INVALID_ID_TOKEN")


def test_a_token_lasts_until_it_expires(project):
    """As in production, these services don't ask whether the user is still there."""
    user = project.auth.sign_up()
    project.auth.admin("/accounts:update", localId=user["localId"], disableUser=True)
    assert project.accepts(user["idToken"])
    project.auth.user("lookup", idToken=user["idToken"]).refused("USER_DISABLED")
    project.auth.admin("/accounts:delete", localId=user["localId"])
    # Without its account, it is like a token of nobody.
    assert project.accepts(user["idToken"]) == project.name.startswith("demo-")


def test_all_tokens_expire_at_once(project):
    user = project.auth.sign_up()
    undated = unsigned(user["localId"], project.name, iat=None)
    assert project.accepts(undated)
    project.auth.emulator("POST", "idTokens:expire").expect()
    assert not project.accepts(user["idToken"])
    assert not project.accepts(undated)
    project.auth.user("lookup", idToken=user["idToken"]).refused("INVALID_ID_TOKEN")
    # A token's times are whole seconds, so the next token counts as issued in the next second.
    fresh = project.auth.refresh(grant_type="refresh_token", refresh_token=user["refreshToken"])
    assert project.accepts(fresh.body["id_token"])
    again = project.auth.sign_in(user["email"], PASSWORD).body["idToken"]
    assert project.accepts(again)
    (found,) = project.auth.user("lookup", idToken=again).body["users"]
    assert found["localId"] == user["localId"]


def test_a_token_of_a_clock_that_is_ahead_is_accepted(project):
    user = project.auth.sign_up()
    token = unsigned(user["localId"], project.name, iat=int(time.time()) + 60)
    assert project.accepts(token)
