"""Long runs of combining marks in every text: four times as many may cost about four times as much.

A reader that normalizes them pays sixteen times as much, which shows in the process's CPU time.
"""

import http.client
import json
import pathlib
import random
import shutil
import urllib.parse
import urllib.request

import pytest
from chat.stage import FUNCTIONS
from firestore import values, wire
from firestore.emulator import Emulator
from firestore.tokens import unsigned
from hostile import inputs
from hostile.marks import marks, templates, with_marks
from hostile.stage import PROJECT, Meter, running, scene, served

FEW = 32_768
# Linear work has a ratio of 4; the rest allows for the process's other work.
RATIO, SECONDS = 7, 0.1


def check(process, template, ask):
    """Sends marks in each place of a template, and then four times as many."""
    ask(json.dumps(template).encode())
    for place, made in with_marks(template):
        check_is_linear(process, place, lambda size: ask(made(size)))


def check_is_linear(process, place, ask, few=FEW):
    meter, spent = Meter(process), []
    for size in (few, 4 * few):
        meter.spent()
        ask(size)
        spent.append(meter.spent())
    assert spent[1] <= RATIO * spent[0] + SECONDS, (place, spent)


# Headers that a server reads, and an unknown one.
HEADERS = """
accept accept-language authorization content-type content-length cookie expect forwarded host if-match
origin range referer sec-fetch-mode sec-fetch-site traceparent transfer-encoding user-agent
x-cloud-trace-context x-firebase-appcheck x-forwarded-for x-goog-request-params x-http-method-override
x-request-id x-unknown ce-id ce-source ce-specversion ce-subject ce-time ce-type ce-unknown
access-control-request-headers access-control-request-method content-encoding connection upgrade te
""".split()
# The number of bytes that fit into a request's header fields.
FEW_IN_HEAD = 14_000


def check_heads(process, port, targets):
    """Sends marks in each header and each target. The server may answer or not."""

    def ask(method, target, headers):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        try:
            connection.putrequest(method, target, skip_host="host" in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            connection.getresponse().read()
        except OSError:
            pass
        finally:
            connection.close()

    ask("GET", "/", {})
    for name in HEADERS:
        for method in ("GET", "POST", "OPTIONS"):
            check_is_linear(
                process,
                f"{method} {name}",
                lambda size: ask(method, "/", {name: marks(size).encode()}),
                FEW_IN_HEAD,
            )
    for target in targets:
        check_is_linear(
            process,
            target,
            lambda size: ask("GET", target + urllib.parse.quote(marks(size // 3)), {}),
            FEW_IN_HEAD,
        )


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions(function):
    scene(random.Random(0))
    with running(function) as worker:
        for template in templates(PROJECT):
            check(worker.process, template, worker.ask)


@pytest.mark.parametrize("signature", [None, "http"])
def test_serve(signature):
    scene(random.Random(0))
    with served(signature) as server:

        def ask(body):
            server.ask("POST", "/", body, {"Content-Type": "application/json"})

        for template in templates(PROJECT):
            check(server.process, template, ask)
        check_heads(server.process, server.port, ["/", "/?", "/?a="])


DATABASE = f"projects/{PROJECT}/databases/(default)"
DOCUMENTS = f"{DATABASE}/documents"


def commit(fields, id="x"):
    document = {"name": f"{DOCUMENTS}/c/{id}", "fields": fields}
    return {"database": DATABASE, "writes": [{"update": document}]}


def named(names):
    return {name: {"integerValue": str(number)} for number, name in enumerate(names)}


REQUESTS = [
    ("GetDocument", {"name": f"{DOCUMENTS}/c/{marks(400_000)}"}),
    ("GetDocument", {"name": f"{marks(400_000)}/{DOCUMENTS}/c/x"}),
    ("GetDocument", {"name": f"projects/{marks(400_000)}/databases/(default)/documents/c/x"}),
    ("GetDocument", {"name": f"{DOCUMENTS}/c/x", "mask": {"fieldPaths": [f"`{marks(400_000)}`"]}}),
    ("Commit", commit(named([marks(200_000)]))),
    ("Commit", commit({"m": {"mapValue": {"fields": named([marks(200_000)])}}})),
    ("Commit", commit(named(f"{marks(1_490)}{number}" for number in range(600)))),
    ("Commit", commit({"r": {"referenceValue": marks(400_000)}})),
    ("Commit", commit({"t": {"stringValue": marks(900_000)}}, marks(1_500))),
    ("Commit", commit({"__type__": {"stringValue": marks(900_000)}}, "m")),
    (
        "RunQuery",
        {
            "parent": DOCUMENTS,
            "structuredQuery": {
                "from": [{"collectionId": marks(1_500), "allDescendants": True}],
                "where": {
                    "fieldFilter": {
                        "field": {"fieldPath": f"`{marks(1_500)}`"},
                        "op": "IN",
                        "value": {
                            "arrayValue": {
                                "values": [
                                    {"stringValue": f"{marks(20_000)}{n}"} for n in range(30)
                                ]
                            }
                        },
                    }
                },
            },
        },
    ),
]


def test_firestore():
    emulator = Emulator(options=["--project", PROJECT])
    server = wire.Server(emulator.address)
    try:
        meter = Meter(emulator.process)
        for method, asked in REQUESTS:
            server.ask(method, asked)
            meter.check(json.dumps(asked, ensure_ascii=False).encode())
        both = named(["\u00e9", "e\u0301"])
        assert isinstance(server.ask("Commit", commit(both, "both")), list)
        read = server.ask("GetDocument", {"name": f"{DOCUMENTS}/c/both"})
        assert read[0]["fields"] == both
    finally:
        server.close()
        emulator.end()


ROUTE = f"/emulator/v1/projects/{PROJECT}"
MESSAGE = {
    "token": "t",
    "data": {"k": "v"},
    "notification": {"title": "Sarah", "body": "Hello"},
    "android": {"collapseKey": "c", "ttl": "3s", "notification": {"tag": "t", "color": "#000000"}},
    "apns": {"headers": {"apns-priority": "10"}, "payload": {"aps": {"badge": 1, "category": "m"}}},
    "webpush": {"headers": {"TTL": "3"}, "fcmOptions": {"link": "https://example.com"}},
}
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string", "enum": ["x"], "description": "d"}},
    "required": ["a"],
    "additionalProperties": False,
}
TURNS = [{"role": "user", "content": "Reply to [P1]: Shall we meet?"}]
TRIGGER = {
    "resource": f"projects/{PROJECT}/databases/(default)/documents/c/{{d}}",
    "eventType": "providers/cloud.firestore/eventTypes/document.create",
    "service": "firestore.googleapis.com",
}
EVENTARC = {
    "eventType": "google.cloud.firestore.document.v1.created",
    "database": "(default)",
    "namespace": "(default)",
    "document": {"value": "c/{d}", "matchType": "PATH_PATTERN"},
}
QUERY = {
    "from": [{"collectionId": "c"}],
    "select": {"fields": [{"fieldPath": "a"}]},
    "where": {
        "fieldFilter": {
            "field": {"fieldPath": "a"},
            "op": "EQUAL",
            "value": {"stringValue": "b"},
        }
    },
    "orderBy": [{"field": {"fieldPath": "a"}, "direction": "ASCENDING"}],
}
UPDATE = {
    "update": {"name": f"{DOCUMENTS}/c/x", "fields": {"a": {"stringValue": "b"}}},
    "updateMask": {"fieldPaths": ["a"]},
    "updateTransforms": [
        {"fieldPath": "l", "appendMissingElements": {"values": [{"stringValue": "e"}]}}
    ],
}
TEXTS = {"q": ["Hello"], "source": "en", "target": "it", "format": "text"}
V3 = {
    "contents": ["Hello"],
    "mimeType": "text/plain",
    "sourceLanguageCode": "en",
    "targetLanguageCode": "it",
    "model": f"projects/{PROJECT}/locations/global/models/general/nmt",
}
CHAT = {
    "model": "m",
    "messages": [{"role": "system", "content": "Answer."}, *TURNS],
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "n", "strict": True, "schema": SCHEMA},
    },
    "tools": [{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}],
    "tool_choice": "auto",
    "user": "u",
}
MESSAGES = {
    "model": "m",
    "max_tokens": 10,
    "system": "Answer.",
    "messages": TURNS,
    "tools": [{"name": "f", "description": "d", "input_schema": SCHEMA}],
    "tool_choice": {"type": "tool", "name": "f"},
    "metadata": {"user_id": "u"},
}
FAULT = {
    "provider": "openai",
    "kind": "status",
    "status": 500,
    "code": "x",
    "headers": {"retry-after": "1"},
    "body": "b",
    "after": 100_000,
}
EVENTS = templates(PROJECT)
# Each route's service, request and body, by reader.
ROUTES = {
    "events": ("functions", "POST /events", EVENTS[0]),
    "first generation": ("functions", "POST /events", EVENTS[1]),
    "bare call": ("functions", "POST /translateMessage", inputs.CALL),
    "call": ("functions", f"POST /{PROJECT}/us-central1/translateMessage", {"data": inputs.CALL}),
    "openai": ("functions", "POST /providers/v1/chat/completions", CHAT),
    "anthropic": ("functions", "POST /providers/v1/messages", MESSAGES),
    "translate v2": ("functions", "POST /providers/language/translate/v2", TEXTS),
    "detect v2": ("functions", "POST /providers/language/translate/v2/detect", {"q": ["Hello"]}),
    "translate v3": (
        "functions",
        f"POST /providers/v3/projects/{PROJECT}/locations/global:translateText",
        V3,
    ),
    "libretranslate": ("functions", "POST /providers/translate", TEXTS | {"q": "Hello", "api_key": "emulator-translation-key"}),
    "fcm": (
        "functions",
        f"POST /providers/v1/projects/{PROJECT}/messages:send",
        {"message": MESSAGE},
    ),
    "devices": ("functions", "POST /providers/fcm/devices", {"token": "t", "tokens": ["u"]}),
    "faults": ("functions", "POST /providers/faults", FAULT),
    "trigger": ("firestore", f"PUT {ROUTE}/triggers/k", {"eventTrigger": TRIGGER}),
    "eventarc": ("firestore", f"POST {ROUTE}/eventarcTrigger?eventarcTriggerId=k", EVENTARC),
    "commit": ("firestore", f"POST /v1/{DOCUMENTS}:commit", {"writes": [UPDATE]}),
    "query": ("firestore", f"POST /v1/{DOCUMENTS}:runQuery", {"structuredQuery": QUERY}),
    "create": ("firestore", f"POST /v1/{DOCUMENTS}/c", {"fields": UPDATE["update"]["fields"]}),
    "batchGet": (
        "firestore",
        f"POST /v1/{DOCUMENTS}:batchGet",
        {"documents": [f"{DOCUMENTS}/c/x"], "mask": {"fieldPaths": ["a"]}},
    ),
    "chaos": ("ui", "PUT /api/chaos", {"spec": "seed=1,duplicate=0.0"}),
    "test bench": ("ui", "POST /api/functions/translateMessage/test", EVENTS[0]),
}
KEYS = {
    "/providers/v1/messages": {
        "x-api-key": "emulator-anthropic-key",
        "anthropic-version": "2023-06-01",
    },
    "/providers/v1/chat": {"Authorization": "Bearer emulator-openai-key"},
    "/providers/language": {"x-goog-api-key": "emulator-translation-key"},
}


@pytest.fixture
def emulator():
    functions = pathlib.Path(shutil.which("translateMessage")).parent
    emulator = Emulator(functions=functions, options=["--project", PROJECT, "--functions-emulator", "localhost:1"])
    yield emulator
    emulator.end()


TARGETS = {
    "firestore": ["/v1/", f"/v1/{DOCUMENTS}/c/", f"/v1/{DOCUMENTS}/c?orderBy=", "/emulator/v1/"],
    "functions": ["/", "/providers/fcm/inbox?limit=", "/providers/", "/providers/language/"],
    "ui": ["/", "/api/events?text=", "/api/logs?text=", "/api/trace/", "/api/why?path="],
}


@pytest.mark.parametrize("service", TARGETS)
def test_header_fields(emulator, service):
    port = urllib.parse.urlsplit(emulator.services[service]).port
    check_heads(emulator.process, port, TARGETS[service])


def test_search(emulator):
    """A search reads stored texts, which may be marks."""

    def search(size):
        event = EVENTS[0] | {"id": f"e{size}"}
        fields = event["data"]["value"]["fields"] | values.fields({"text": marks(size)})
        changed = event["data"]["value"] | {"fields": fields}
        emulator.send("POST", "/events", "functions", event | {"data": {"value": changed}})
        emulator.ask("/api/quiet")

        def ask(_):
            for target in ("/api/invocations?text=%CC%96", "/api/events?text=%CC%96x"):
                emulator.ask(target)

        return ask

    meter, spent = Meter(emulator.process), []
    for size in (FEW, 4 * FEW):
        ask = search(size)
        meter.spent()
        ask(size)
        spent.append(meter.spent())
    # The second search reads the first text, too.
    assert spent[1] <= 1.25 * RATIO * spent[0] + SECONDS, spent


def token(emulator):
    """Returns an access token as a machine of Google's gets it."""
    path = "/providers/computeMetadata/v1/instance/service-accounts/default/token"
    request = urllib.request.Request(
        emulator.services["functions"] + path, headers={"Metadata-Flavor": "Google"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())["access_token"]


@pytest.mark.parametrize("reader", ROUTES)
def test_emulator(emulator, reader):
    service, request, template = ROUTES[reader]
    method, target = request.split(" ", 1)
    headers = {"Content-Type": "application/json"}
    if service == "firestore":
        headers["Authorization"] = "Bearer owner"
    elif target.startswith("/providers/v"):
        headers["Authorization"] = f"Bearer {token(emulator)}"
    elif "call" in reader:
        headers["Authorization"] = f"Bearer {unsigned('marco', PROJECT)}"
    for start, keys in KEYS.items():
        headers |= keys if target.startswith(start) else {}
    answers = []

    def ask(body):
        connection = http.client.HTTPConnection(
            urllib.parse.urlsplit(emulator.services[service]).netloc, timeout=120
        )
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        answers.append((answer.status, answer.read()))
        connection.close()
        # An event is answered before it is delivered.
        emulator.ask("/api/quiet")

    check(emulator.process, template, ask)
    # A refused template would test nothing. The function itself answers that the caller is no
    # member.
    assert answers[0][0] in (200, 202) or answers[0][0] == 403 and "call" in reader, answers[0]
