"""Each of our functions behind `serve`: the response equals the output of the executable for the
same event, in every form of the event."""

import shutil
import socket
import uuid

import pytest
from chat.stage import FUNCTIONS
from conformance.events import background
from conformance.malformed import MALFORMED
from conformance.requests import JSON, STRUCTURED, binary, encoded
from conformance.scene import DINNER, PEOPLE, TRIP, Scene
from conformance.servers import Server, end, logged_port
from google.events.cloud.firestore_v1 import types
from google.protobuf import json_format

MESSAGE = f"{TRIP}/messages/new"
IDIOM = DINNER | {"text": "Break a leg at your interview tomorrow!"}
READ = IDIOM | {"readBy": ["marco"]}
SHORTER = PEOPLE[TRIP] | {"participants": ["sarah"]}
# Path, document before, document after.
MESSAGE_CHANGES = {
    "created": (MESSAGE, None, IDIOM),
    "updated": (MESSAGE, DINNER, IDIOM),
    "deleted": (MESSAGE, IDIOM, None),
}
CHANGES = {
    "translateMessage": MESSAGE_CHANGES,
    "sendNotification": MESSAGE_CHANGES
    | {
        "read": (MESSAGE, IDIOM, READ),
        "left": (TRIP, PEOPLE[TRIP], SHORTER),
        "conversation-deleted": (TRIP, PEOPLE[TRIP], None),
    },
    "analyzeMessage": MESSAGE_CHANGES,
    "forgetUser": {"deleted": ("users/marco", PEOPLE["users/marco"], None)},
}
FORMS = ("protobuf", "json", "structured", "first-generation")

IN_TRIP = {"conversationId": "trip"}
HELLO = {"text": "Hello!", "sourceLang": "en", "targetLang": "it"}
# The caller and the data of each call.
CALLS = {
    "translateMessage": {
        "text": (None, HELLO),
        "message": ("marco", IN_TRIP | {"messageId": "dinner", "targetLang": "fr"}),
        "nobody": (None, IN_TRIP | {"messageId": "dinner", "targetLang": "fr"}),
        "stranger": ("eve", IN_TRIP | {"messageId": "dinner", "targetLang": "fr"}),
        "incomplete": (None, {"text": "Hello!"}),
        "mistyped": (None, HELLO | {"text": 7}),
    },
    "analyzeMessage": {
        "message": ("marco", IN_TRIP | {"messageId": "dinner"}),
        "nobody": (None, IN_TRIP | {"messageId": "dinner"}),
        "stranger": ("eve", IN_TRIP | {"messageId": "dinner"}),
        "incomplete": ("marco", IN_TRIP),
    },
    "smartReplies": {
        "replies": ("marco", IN_TRIP),
        "nobody": (None, IN_TRIP),
        "stranger": ("eve", IN_TRIP),
        "incomplete": ("marco", {}),
    },
    "askAI": {
        "question": ("marco", IN_TRIP | {"query": "Dove ceniamo?"}),
        "nobody": (None, IN_TRIP | {"query": "Dove ceniamo?"}),
        "too-long": ("marco", IN_TRIP | {"query": "e" * 2000}),
    },
    "forgetUser": {
        "oneself": ("marco", {"uid": "marco"}),
        "another": ("eve", {"uid": "marco"}),
        "nobody": (None, {"uid": "marco"}),
    },
    "trackOpen": {
        "message": ("marco", IN_TRIP | {"messageId": "dinner"}),
        "nobody": (None, IN_TRIP | {"messageId": "dinner"}),
        "stranger": ("eve", IN_TRIP | {"messageId": "dinner"}),
        "missing": ("marco", IN_TRIP | {"messageId": "gone"}),
        "incomplete": ("marco", IN_TRIP),
        "mistyped": ("marco", IN_TRIP | {"messageId": 7}),
    },
}
# Source: firebase.google.com/docs/functions/callable-reference.
STATUSES = {
    "INVALID_ARGUMENT": 400,
    "FAILED_PRECONDITION": 400,
    "OUT_OF_RANGE": 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "ALREADY_EXISTS": 409,
    "ABORTED": 409,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL": 500,
    "UNIMPLEMENTED": 501,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
}


def cases(table):
    return [
        pytest.param(function, *parts, id=f"{function}-{name}")
        for function, rows in table.items()
        for name, parts in rows.items()
    ]


@pytest.fixture
def scenes():
    with Scene() as once, Scene() as served:
        yield once, served


@pytest.fixture
def served():
    """Starts functions behind `serve`."""
    running = []

    def start(function, environment):
        running.append(Server([shutil.which("serve"), shutil.which(function)], environment, logged_port))
        return running[-1]

    yield start
    assert set(end(running)) <= {0}


@pytest.fixture(scope="module", params=FUNCTIONS)
def function(request):
    """Each function behind `serve`, for requests that never reach a function."""
    with Scene() as scene:
        command = [shutil.which("serve"), shutil.which(request.param)]
        server = Server(command, scene.environment, logged_port)
        yield server
        assert server.end() == 0


def sent(event, form):
    """Returns the body and the headers of an event."""
    if form == "structured":
        return encoded(event), STRUCTURED
    if form == "json":
        return encoded(event["data"]), binary(event)
    if form == "protobuf":
        message = json_format.ParseDict(event["data"], types.DocumentEventData.pb()())
        return message.SerializeToString(), binary(event, "application/protobuf")
    kind = event["type"].rsplit(".", 1)[-1].removesuffix("d")
    resource = f"{event['source'].removeprefix('//firestore.googleapis.com/')}/{event['subject']}"
    body = background(f"providers/cloud.firestore/eventTypes/document.{kind}", resource, event["data"])
    body["context"] |= {"eventId": event["id"], "timestamp": event["time"]}
    return encoded(body), JSON


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("function_name", "path", "old", "new"), cases(CHANGES))
def test_an_event(scenes, served, form, function_name, path, old, new):
    id = str(uuid.uuid4())
    once, behind = scenes
    expected = once.run(function_name, once.event(id, path, old, new))
    assert expected["exitCode"] == 0 and expected["eventId"] == id
    body, headers = sent(behind.event(id, path, old, new), form)
    answer = served(function_name, behind.environment).ask("POST", "/", body, headers)
    assert answer.status == 200
    assert behind.plain(answer.json) == expected


@pytest.mark.parametrize("function_name", sorted(CHANGES))
def test_an_event_of_another_document(scenes, served, function_name):
    """The event is acknowledged and skipped: Eventarc would send it again without end."""
    id = str(uuid.uuid4())
    once, behind = scenes
    change = "notes/n1", None, {"text": "Hello!"}
    expected = once.run(function_name, once.event(id, *change))
    assert expected["status"] == "skipped"
    server = served(function_name, behind.environment)
    for form in FORMS:
        answer = server.ask("POST", "/", *sent(behind.event(id, *change), form))
        assert 200 <= answer.status < 300


@pytest.mark.parametrize("protocol", ["callable", "bare"])
@pytest.mark.parametrize(("function_name", "uid", "data"), cases(CALLS))
def test_a_call(scenes, served, protocol, function_name, uid, data):
    once, behind = scenes
    auth = {"auth": {"uid": uid}} if uid else {}
    expected = once.run(function_name, {"data": data, **auth})
    headers = JSON | ({"Authorization": f"Bearer {behind.token(uid)}"} if uid else {})
    body = encoded({"data": data} if protocol == "callable" else data)
    answer = served(function_name, behind.environment).ask("POST", "/", body, headers)
    found = behind.plain(answer.json)
    if "error" in expected:
        error = expected["error"]
        assert answer.status == STATUSES[error["code"]]
        wanted = {"status": error["code"], "message": error["message"]}
        # Google's REST format has the number, too.
        number = {} if protocol == "callable" else {"code": answer.status}
        assert found == {"error": wanted | number}
    else:
        assert answer.status == 200
        assert found == ({"result": expected["result"]} if protocol == "callable" else expected["result"])


def test_a_caller_named_in_the_body_is_refused(scenes, served):
    server = served("smartReplies", scenes[1].environment)
    auth = {"auth": {"uid": "marco"}}
    answer = server.ask("POST", "/", encoded({"data": IN_TRIP} | auth), JSON)
    assert (answer.status, answer.json["error"]["status"]) == (400, "INVALID_ARGUMENT")
    for data in ({"data": IN_TRIP | auth}, IN_TRIP | auth):
        assert server.ask("POST", "/", encoded(data), JSON).status == 401


def test_a_function_without_calls(scenes, served):
    server = served("sendNotification", scenes[1].environment)
    for body in ({"data": {}}, {"text": "Hello!"}):
        assert server.ask("POST", "/", encoded(body), JSON).status == 404


@pytest.mark.parametrize(("setting", "status"), [({}, 401), ({"ANONYMOUS_CALLS": "allow"}, 200)])
def test_anonymous_calls(scenes, served, setting, status):
    """Tests a project without the prefix `demo-`, where tokens must be signed."""
    own = {"GOOGLE_CLOUD_PROJECT": "worldchat-1", "FIREBASE_AUTH_EMULATOR_HOST": None}
    server = served("translateMessage", scenes[1].environment | own | setting)
    for body in ({"data": HELLO}, HELLO):
        answer = server.ask("POST", "/", encoded(body), JSON)
        assert answer.status == status
    assert status == 200 or answer.json["error"]["status"] == "UNAUTHENTICATED"


@pytest.mark.parametrize("signature", ["cloudevent", "http"])
def test_a_service_takes_either_events_or_calls(scenes, served, signature):
    """A function that takes events and calls is deployed twice: once for events, once for calls."""
    id = str(uuid.uuid4())
    scene = scenes[1]
    environment = scene.environment | {"FUNCTION_SIGNATURE_TYPE": signature}
    server = served("translateMessage", environment)
    calls = [server.ask("POST", "/", encoded(body), JSON).status for body in ({"data": HELLO}, HELLO)]
    event = scene.event(id, MESSAGE, None, IDIOM)
    events = [server.ask("POST", "/", *sent(event, form)).status for form in FORMS]
    assert calls == [200 if signature == "http" else 404] * 2
    assert events == [200 if signature == "cloudevent" else 404] * 4


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_event(function, case):
    body, headers = MALFORMED[case]
    assert function.ask("POST", "/", body, headers).status == 400


def test_an_invalid_request(function):
    for body, headers in [(b"", {}), (b"{", JSON), (b"7", JSON), (b"\xff", JSON), (b"[]", JSON)]:
        assert function.ask("POST", "/", body, headers).status in (400, 404, 415)
    batch = {"Content-Type": "application/cloudevents-batch+json"}
    assert function.ask("POST", "/", b"[]", batch).status in (400, 415)
    for path in ("/robots.txt", "/favicon.ico"):
        assert function.ask("GET", path).status == 404
    assert function.ask("HEAD").status < 500
    assert function.ask("GET", "/healthz").status == 200
    assert function.ask("HEAD", "/healthz").headers["content-length"] == "3"


def test_health_fails_at_the_end(scenes, served):
    server = served("askAI", scenes[1].environment)
    connection = server.connect()
    assert server.ask("GET", "/healthz", connection=connection).status == 200
    server.process.terminate()
    while (health := server.ask("GET", "/healthz", connection=connection).status) == 200:
        pass
    assert health == 503
    connection.close()


def test_a_body_that_is_too_large(function):
    large = b'{"text":"' + b"e" * 10 * 1024 * 1024 + b'"}'
    assert function.ask("POST", "/", large, JSON).status == 413
    # A request whose `Content-Length` is too large gets no 100 Continue. http.client would hide
    # that response.
    announced = f"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: {len(large)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", function.port)) as connection:
        connection.sendall(announced.encode())
        assert connection.makefile("rb").readline().split()[1] == b"413"
    assert function.ask("GET", "/healthz").status == 200
