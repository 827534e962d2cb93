"""The contract of the Functions Framework, tested on two servers with one function behind them.

The same tests run against PyPI's functions-framework, which proves the tests, and against ours. The
known deviations of Google's are in OURS_ALONE with the reason. A test fails if functions-framework
doesn't deviate as listed.
"""

import base64
import datetime
import fnmatch
import json
import re
import socket
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor, as_completed

import pytest
from conformance import ambiguous, servers
from conformance.events import EVENTS
from conformance.gate import Gate
from conformance.malformed import ATTRIBUTES, MALFORMED
from conformance.requests import JSON, STRUCTURED, binary, call, encoded, is_success, plain
from google.events.cloud.firestore_v1 import types
from google.protobuf import json_format

# More callers than a server lets wait.
CALLERS = 64
# Tests and their cases, mapped to the deviation of functions-framework.
OURS_ALONE = {
    "test_a_body_that_is_no_json typed": "answers 500",
    "test_a_crash_is_survived": "drops the connection",
    "test_a_cloud_event_of_the_first_generation storage-generation": "keeps the generation",
    "test_the_first_generation_of_a_cloud_event structured-*": "converts only binary events",
    "test_encoded_attributes *": "uses headers unchanged, as Latin-1",
    "test_attributes_that_are_no_utf_8 *": "uses headers unchanged, as Latin-1",
    "test_a_malformed_event *-empty-id": "accepts it",
    "test_a_malformed_event binary-data*": "uses it as bytes",
    "test_a_malformed_event structured-array": "answers 500",
    "test_a_malformed_event structured-utf-8": "answers 500",
    "test_a_malformed_event structured-number": "accepts it",
    "test_a_malformed_event structured-two-data": "uses one of them",
    "test_a_malformed_event structured-base64": "treats it as missing",
    "test_a_malformed_event time": "accepts it",
    "test_a_malformed_event first-generation-context": "answers 500",
    "test_a_batch *": "answers 500",
    "test_ambiguous_framing no-host": "accepts it",
    "test_ambiguous_framing another-host": "accepts it",
    "test_ambiguous_framing identity-and-chunked": "treats it as chunked",
    "test_ambiguous_framing zipped": "treats it as chunked",
    "test_ambiguous_headers id-twice": "joins them with a comma",
    "test_ambiguous_headers two-ids": "joins them with a comma",
    "test_ambiguous_headers extension-twice": "joins them with a comma",
    "test_an_ambiguous_event *-twice": "uses the last one",
    "test_an_ambiguous_event binary-data": "uses the last one",
    "test_an_ambiguous_event binary-id-*": "uses headers unchanged",
    "test_an_ambiguous_event binary-source-*": "uses headers unchanged",
    "test_an_ambiguous_event binary-type-*": "uses headers unchanged",
    "test_an_ambiguous_event structured-control": "accepts it",
    "test_an_ambiguous_call *": "uses the last one",
    "test_connection_close_ends_the_connection keep-alive, close": "keeps the connection",
    "test_a_call_is_refused_where_events_are_expected": "answers 400",
    "test_an_event_is_refused_where_calls_are_expected": "passes it to the function",
    "test_excess_calls_are_refused_with_429": "lets all calls wait",
    "test_a_call_beyond_its_time_limit_is_answered_with_504": "answers 500",
    "test_later_calls_are_refused": "lets them wait and drops them at its end",
}


@pytest.fixture(params=servers.SIDES)
def side(request):
    """The name of a server. Each test runs once for each server."""
    case = request.node.callspec.id.replace(request.param, "").strip("-")
    test = f"{request.node.originalname} {case}".strip()
    for pattern, reason in OURS_ALONE.items():
        if request.param == "functions-framework" and fnmatch.fnmatchcase(test, pattern):
            request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    return request.param


@pytest.fixture(scope="module")
def running():
    """The servers that tests share, by side and signature. A test doesn't end them."""
    started = {}
    yield started
    codes = {key: server.end() for key, server in started.items()}
    assert set(codes.values()) <= {0}, codes


@pytest.fixture
def server(side, running):
    """Starts or finds the side's server with a signature."""

    def found(signature):
        key = side, signature
        if key not in running:
            running[key] = servers.SIDES[side](signature)
        return running[key]

    return found


@pytest.fixture
def own(side):
    """Starts a server for this test alone, which may end it."""
    started = []

    def start(signature, **limits):
        started.append(servers.SIDES[side](signature, **limits))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.process.kill()
            server.ended()


@pytest.fixture
def id():
    """A unique event id."""
    return str(uuid.uuid4())


def received(server, id):
    """Returns the only event with this id that the function has received."""
    (found,) = (
        event
        for each in server.received()
        if (event := each["event"]) and id in (event.get("id"), event.get("context", {}).get("eventId"))
    )
    return found


def instant(time):
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))


def check_cloud_event(found, sent):
    for name in ("specversion", "id", "source", "type", "subject", "datacontenttype", "data"):
        assert found.get(name) == sent.get(name), name
    assert instant(found["time"]) == instant(sent["time"])


def check_background(found, sent):
    for name in ("eventId", "eventType", "resource"):
        assert found["context"][name] == sent["context"][name], name
    assert instant(found["context"]["timestamp"]) == instant(sent["context"]["timestamp"])
    assert found["data"] == sent["data"]


# Calls


def test_a_call(server):
    answer = call(server("http"), {"res": "PASS"})
    assert is_success(answer)
    assert server("http").received()[-1]["call"] == {"res": "PASS"}


@pytest.mark.parametrize(
    "body",
    [{"message": "Hello world!"}, {"text": "Perché no? 😀 \u2028", "many": [1, 2.5, None, True, {}]}],
)
def test_a_typed_function(server, body):
    answer = call(server("typed"), body)
    assert answer.status == 200 and answer.json == {"payload": body}


def test_a_body_of_many_lines(server, id):
    body = {"text": "Hello!\nHow are you?\r\n", "many": [1, 2]}
    answer = server("http").ask("POST", "/", json.dumps(body, indent=2).encode(), JSON)
    assert answer.json == {"payload": body}
    event = plain(id, body)
    for number, (text, headers) in enumerate(((event, STRUCTURED), (body, binary(event)))):
        headers = headers | ({"ce-id": f"{id}-{number}"} if text is body else {})
        lines = json.dumps(text, indent=2).replace("\n", "\r\n").encode()
        assert is_success(server("cloudevent").ask("POST", "/", lines, headers))
    for found in (received(server("cloudevent"), id), received(server("cloudevent"), f"{id}-1")):
        assert found["data"] == body


def test_a_large_body(server, id):
    body = {"text": "Perché no? 😀" * 100_000}
    assert call(server("http"), body).json == {"payload": body}
    answer = server("cloudevent").ask("POST", "/", encoded(plain(id, body)), STRUCTURED)
    assert is_success(answer)
    assert received(server("cloudevent"), id)["data"] == body


@pytest.mark.parametrize("signature", ["http", "typed"])
def test_a_body_that_is_no_json(server, signature):
    before = len(server(signature).received())
    answer = server(signature).ask("POST", "/", b'{"message"', JSON)
    assert answer.status == 400
    assert len(server(signature).received()) == before


@pytest.mark.parametrize("target", ["/", "/a", "/a/b/", "/t%C3%A8%20100%25?x=1&x=%2F", "/healthzz"])
def test_every_path_reaches_the_function(server, target):
    before = len(server("http").received())
    assert is_success(call(server("http"), {"target": target}, target))
    assert [each["call"] for each in server("http").received()[before:]] == [{"target": target}]


@pytest.mark.parametrize("path", ["/robots.txt", "/favicon.ico"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_requests_of_crawlers_are_not_found(server, method, path):
    before = len(server("http").received())
    body, headers = (b"{}", JSON) if method == "POST" else (None, {})
    assert server("http").ask(method, path, body, headers).status == 404
    assert len(server("http").received()) == before


def test_no_etag(server, id):
    assert "etag" not in call(server("http"), {}).headers
    answer = server("cloudevent").ask("POST", "/", encoded(plain(id, {})), STRUCTURED)
    assert is_success(answer) and "etag" not in answer.headers


def test_head_has_no_body(server):
    connection = server("http").connect()
    answer = server("http").ask("HEAD", headers=JSON, connection=connection)
    assert answer.body == b"" and answer.status < 500
    # The next response on the connection isn't taken for the body.
    assert is_success(call(server("http"), {}, connection=connection))
    connection.close()


def test_a_connection_is_kept(server):
    connection = server("http").connect()
    for number in range(3):
        answer = call(server("http"), {"number": number}, connection=connection)
        assert answer.json == {"payload": {"number": number}}
    connection.close()


def test_a_trace_is_continued(server):
    trace = uuid.uuid4().hex
    traceparent = f"00-{trace}-00f067aa0ba902b7-01"
    server("http").ask("POST", "/", b"{}", JSON | {"traceparent": traceparent})
    assert server("http").received()[-1]["traceparent"].split("-")[1] == trace


def test_a_failure_is_answered_with_500(server, id):
    assert call(server("http"), {"fail": True}).status == 500
    answer = server("cloudevent").ask("POST", "/", encoded(plain(id, {"fail": True})), STRUCTURED)
    assert answer.status == 500
    assert received(server("cloudevent"), id)["data"] == {"fail": True}


def test_a_crash_is_survived(own):
    server = own("http", concurrency=1)
    assert 500 <= call(server, {"crash": True}).status < 600
    assert call(server, {"n": 1}).json == {"payload": {"n": 1}}


# Events


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
@pytest.mark.parametrize("target", ["/", "/a/b"])
def test_a_binary_event(server, event, target, id):
    sent = event.as_cloud_event(id)
    answer = server("cloudevent").ask("POST", target, encoded(sent["data"]), binary(sent))
    assert is_success(answer)
    check_cloud_event(received(server("cloudevent"), id), sent)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_a_structured_event(server, event, id):
    sent = event.as_cloud_event(id)
    headers = {"Content-Type": "application/cloudevents+json; charset=utf-8"}
    assert is_success(server("cloudevent").ask("POST", "/", encoded(sent), headers))
    check_cloud_event(received(server("cloudevent"), id), sent)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_a_cloud_event_of_the_first_generation(server, event, id):
    assert is_success(call(server("cloudevent"), event.as_background(id)))
    check_cloud_event(received(server("cloudevent"), id), event.as_cloud_event(id))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_an_event_of_the_first_generation(server, event, id):
    sent = event.as_background(id)
    assert is_success(call(server("event"), sent))
    check_background(received(server("event"), id), sent)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
@pytest.mark.parametrize("mode", ["binary", "structured"])
def test_the_first_generation_of_a_cloud_event(server, event, mode, id):
    sent = event.as_cloud_event(id)
    if mode == "binary":
        answer = server("event").ask("POST", "/", encoded(sent["data"]), binary(sent))
    else:
        answer = server("event").ask("POST", "/", encoded(sent), STRUCTURED)
    assert is_success(answer)
    check_background(received(server("event"), id), event.back(id))


def test_a_flat_event_of_the_first_generation(server, id):
    event = EVENTS[0]
    body = event.as_background(id)
    assert is_success(call(server("cloudevent"), body["context"] | {"data": body["data"]}))
    check_cloud_event(received(server("cloudevent"), id), event.as_cloud_event(id))


def test_names_are_case_insensitive(server, id):
    headers = {name.upper(): value for name, value in binary(plain(id, None)).items()}
    assert is_success(server("cloudevent").ask("POST", "/", b"{}", headers))
    assert received(server("cloudevent"), id)["type"] == "test.happened"
    headers = {"content-type": "Application/CloudEvents+JSON"}
    body = encoded(plain(f"{id}-2", {"n": 1}))
    assert is_success(server("cloudevent").ask("POST", "/", body, headers))
    assert received(server("cloudevent"), f"{id}-2")["data"] == {"n": 1}


def test_an_event_without_data(server, id):
    sent = {name: value for name, value in plain(id, None).items() if not name.startswith("data")}
    assert is_success(server("cloudevent").ask("POST", "/", b"", binary(sent, None)))
    assert not received(server("cloudevent"), id).get("data")


@pytest.mark.parametrize("mode", ["binary", "structured"])
def test_extensions_are_passed_on(server, mode, id):
    sent = plain(id, {}, traceparent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tier="2")
    headers = STRUCTURED if mode == "structured" else binary(sent)
    body = encoded(sent) if mode == "structured" else b"{}"
    assert is_success(server("cloudevent").ask("POST", "/", body, headers))
    found = received(server("cloudevent"), id)
    assert found["tier"] == "2"
    assert found["traceparent"].split("-")[1] == sent["traceparent"].split("-")[1]


def content(found):
    """Returns the bytes of an event's data."""
    if "data_base64" in found:
        return base64.b64decode(found["data_base64"])
    data = found["data"]
    return data.encode() if isinstance(data, str) else encoded(data)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/octet-stream", bytes(range(256))),
        ("image/png", b"\x89PNG\r\n\x1a\n"),
        ("application/x-unknown; v=1", b"\x00\xff"),
        ("text/plain", b"Hello!"),
    ],
)
def test_data_of_any_type(server, content_type, body, id):
    headers = binary(plain(id, None), content_type)
    assert is_success(server("cloudevent").ask("POST", "/", body, headers))
    found = received(server("cloudevent"), id)
    assert content(found) == body
    assert found["datacontenttype"] == content_type


def test_structured_bytes(server, id):
    sent = plain(id, None, datacontenttype="application/octet-stream")
    del sent["data"]
    sent["data_base64"] = base64.b64encode(bytes(range(256))).decode()
    assert is_success(server("cloudevent").ask("POST", "/", encoded(sent), STRUCTURED))
    assert content(received(server("cloudevent"), id)) == bytes(range(256))


@pytest.mark.parametrize("event", EVENTS[:4], ids=lambda event: event.name)
@pytest.mark.parametrize("mode", ["binary", "structured"])
def test_a_document_in_protobuf(server, event, mode, id):
    sent = event.as_cloud_event(id)
    message = json_format.ParseDict(sent["data"], types.DocumentEventData.pb()())
    body, headers = message.SerializeToString(), binary(sent, "application/protobuf")
    if mode == "structured":
        del sent["data"]
        sent |= {
            "datacontenttype": "application/protobuf",
            "data_base64": base64.b64encode(body).decode(),
        }
        body, headers = encoded(sent), STRUCTURED
    assert is_success(server("cloudevent").ask("POST", "/", body, headers))
    found = received(server("cloudevent"), id)
    # A server may decode protobuf for its function.
    if "data" in found:
        assert found["datacontenttype"] == "application/json"
        assert json_format.ParseDict(found["data"], types.DocumentEventData.pb()()) == message
    else:
        assert found["datacontenttype"] == "application/protobuf"
        assert types.DocumentEventData.pb().FromString(content(found)) == message


# Headers of a binary event


@pytest.mark.parametrize(
    ("header", "subject"),
    [
        pytest.param(b"documents/t%C3%A8%20100%25%20%F0%9F%98%80", "documents/tè 100% 😀", id="needed"),
        pytest.param(b"d%6Fcuments%2F%7e%61", "documents/~a", id="superfluous"),
        pytest.param(b"%22quoted%22", '"quoted"', id="quotes"),
        pytest.param("documents/tè 😀".encode(), "documents/tè 😀", id="none"),
    ],
)
def test_encoded_attributes(server, header, subject, id):
    headers = binary(plain(id, None)) | {"ce-subject": header}
    assert is_success(server("cloudevent").ask("POST", "/", b"{}", headers))
    assert received(server("cloudevent"), id)["subject"] == subject


@pytest.mark.parametrize("name", ["ce-subject", "ce-id", "ce-tier"])
@pytest.mark.parametrize(
    "header",
    [
        pytest.param(b"%C3%28", id="encoded"),
        pytest.param(b"%ED%A0%80", id="surrogate"),
        pytest.param(b"\xc3\x28", id="raw"),
    ],
)
def test_attributes_that_are_no_utf_8(server, name, header, id):
    refuses(server("cloudevent"), b"{}", binary(plain(id, None)) | {name: header})


# MARK: Invalid events


def refuses(server, body, headers, statuses=(400,)):
    before = len(server.received())
    assert server.ask("POST", "/", body, headers).status in statuses
    assert len(server.received()) == before


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_event(server, case):
    refuses(server("cloudevent"), *MALFORMED[case])


@pytest.mark.parametrize(
    ("body", "headers"),
    [(b"", {}), (b"{}", JSON), (b"7", JSON), (b"Hello!", {"Content-Type": "text/plain"})],
)
def test_a_body_that_is_no_event(server, body, headers):
    refuses(server("cloudevent"), body, headers, (400, 404, 415))


@pytest.mark.parametrize("signature", ["cloudevent", "event"])
def test_a_batch(server, signature):
    headers = {"Content-Type": "application/cloudevents-batch+json"}
    for batch in ([], [ATTRIBUTES], [ATTRIBUTES, ATTRIBUTES | {"id": "2"}]):
        refuses(server(signature), encoded(batch), headers, (400, 415))


def test_a_call_is_refused_where_events_are_expected(server):
    for body in ({"text": "Hello!"}, {"data": {"text": "Hello!"}}):
        refuses(server("cloudevent"), encoded(body), JSON, (404,))


def test_an_event_is_refused_where_calls_are_expected(server, id):
    event = EVENTS[0].as_cloud_event(id)
    refuses(server("http"), encoded(event), STRUCTURED, (404,))
    refuses(server("http"), encoded(event["data"]), binary(event), (404,))
    refuses(server("http"), encoded(EVENTS[0].as_background(id)), JSON, (404,))


# MARK: Ambiguous requests


def refused(server, text):
    """Sends an ambiguous request, which must be refused, and returns whether the connection was
    closed."""
    before = len(server.received())
    answer, is_last = server.exchange(text)
    assert answer.status in (400, 501)
    assert len(server.received()) == before
    return is_last


@pytest.mark.parametrize("case", ambiguous.FRAMING)
def test_ambiguous_framing(server, case):
    assert refused(server("http"), ambiguous.FRAMING[case])


@pytest.mark.parametrize("case", ambiguous.HEADERS)
def test_ambiguous_headers(server, case):
    more = ambiguous.EVENT + ambiguous.HEADERS[case]
    refused(server("cloudevent"), f"POST / HTTP/1.1\r\nHost: a\r\n{more}{ambiguous.ONE}")


@pytest.mark.parametrize("case", ambiguous.EVENTS)
def test_an_ambiguous_event(server, case):
    refuses(server("cloudevent"), *ambiguous.EVENTS[case])


@pytest.mark.parametrize("case", ambiguous.CALLS)
def test_an_ambiguous_call(server, case):
    refuses(server("http"), *ambiguous.CALLS[case])


@pytest.mark.parametrize(
    ("host", "rest"),
    [
        ("\ta \t", ambiguous.ONE),
        ("a", f"Transfer-Encoding:  chunked  \r\n{ambiguous.CHUNKS}"),
    ],
    ids=["host", "chunks"],
)
def test_white_space_around_values(server, host, rest):
    answer, _ = server("http").exchange(f"POST / HTTP/1.1\r\nHost:{host}\r\n{ambiguous.CALL}{rest}")
    assert answer.status == 200 and answer.json == {"payload": {}}


# MARK: The end of a connection


@pytest.mark.parametrize("more", ["", "Connection: keep-alive\r\n"])
def test_http_1_0(server, more):
    text = f"POST / HTTP/1.0\r\n{more}{ambiguous.CALL}{ambiguous.ONE}"
    answer, is_last = server("http").exchange(text)
    assert answer.status == 200 and answer.json == {"payload": {}}
    assert "transfer-encoding" not in answer.headers
    # A client that asks for keep-alive may get it.
    assert is_last or more


@pytest.mark.parametrize("value", ["close", "Close", "keep-alive, close"])
def test_connection_close_ends_the_connection(server, value):
    text = f"POST / HTTP/1.1\r\nHost: a\r\nConnection: {value}\r\n{ambiguous.CALL}{ambiguous.ONE}"
    answer, is_last = server("http").exchange(text)
    assert answer.json == {"payload": {}}
    assert is_last


# MARK: Concurrency, limits, and shutdown


def test_calls_up_to_the_concurrency_run_at_once(own):
    server = own("http", concurrency=10)
    with ThreadPoolExecutor(10) as callers, Gate() as gate:
        answers = [callers.submit(call, server, {"gate": gate.address}) for _ in range(10)]
        # No call continues before all have arrived.
        gate.wait(10)
        gate.open()
        assert [answer.result().status for answer in answers] == [200] * 10


def test_excess_calls_are_refused_with_429(own):
    server = own("http", concurrency=1)
    with ThreadPoolExecutor(CALLERS) as callers, Gate() as gate:
        first = callers.submit(call, server, {"gate": gate.address})
        gate.wait()
        others = [callers.submit(call, server, {}) for _ in range(CALLERS - 1)]
        # A refusal is sent while the other calls wait.
        refused = next(as_completed(others, patience(server))).result()
        assert refused.status == 429 and int(refused.headers["retry-after"]) > 0
        gate.open()
        assert first.result().status == 200
        assert {answer.result().status for answer in others} == {200, 429}


def test_a_call_beyond_its_time_limit_is_answered_with_504(own):
    server = own("http", concurrency=1, timeout=1)
    with Gate() as gate:
        assert call(server, {"gate": gate.address}).status == 504
    # On a busy machine a new process may need more than the second to be ready.
    while (answer := call(server, {"n": 1})).status == 504:
        pass
    assert answer.json == {"payload": {"n": 1}}


@pytest.mark.parametrize("signature", ["http", "cloudevent"])
def test_under_load_every_request_that_reached_the_function_is_answered(own, signature):
    server = own(signature, concurrency=8)
    answered, many = set(), threading.Event()

    def keep_sending():
        while True:
            id = str(uuid.uuid4())
            headers = JSON if signature == "http" else binary(plain(id, None))
            try:
                answer = server.ask("POST", "/", encoded({"id": id}), headers)
            except OSError:
                return
            if not is_success(answer):
                return
            answered.add(id)
            if len(answered) >= 300:
                many.set()

    with ThreadPoolExecutor(16) as callers:
        for _ in range(16):
            callers.submit(keep_sending)
        many.wait(servers.LIMIT_SECONDS)
        server.process.terminate()
    reached = {(each.get("call") or each["event"]["data"])["id"] for each in server.received()}
    assert server.ended() == 0
    assert len(reached) >= 300 and reached == answered


def patience(server):
    """Returns the seconds after which a silent server counts as refusing: functions-framework only
    waits."""
    return 5 if "functions_framework" in server.process.args else servers.LIMIT_SECONDS


def takes_calls(server):
    try:
        return server.ask("POST", "/", b"{}", JSON, timeout=patience(server)).status != 503
    except OSError:
        return False


@pytest.mark.parametrize("signature", ["http", "cloudevent"])
def test_a_running_request_is_answered_before_the_end(own, signature, id):
    server = own(signature, concurrency=8)
    with ThreadPoolExecutor(4) as callers, Gate() as gate:
        body = encoded({"gate": gate.address})
        headers = JSON if signature == "http" else binary(plain(id, None))
        answers = [callers.submit(server.ask, "POST", "/", body, headers) for _ in range(4)]
        gate.wait(4)
        server.process.terminate()
        while takes_calls(server):
            pass
        assert server.process.poll() is None
        gate.open()
        assert [is_success(answer.result()) for answer in answers] == [True] * 4
    assert server.ended() == 0


def test_a_pipelined_request_is_answered_at_the_end(own):
    server = own("http", concurrency=8)
    address = "127.0.0.1", server.port
    with socket.create_connection(address, servers.LIMIT_SECONDS) as connection, Gate() as gate:
        for body in (encoded({"gate": gate.address}), b"{}"):
            head = f"POST / HTTP/1.1\r\nHost: a\r\n{ambiguous.CALL}Content-Length: {len(body)}\r\n\r\n"
            connection.sendall(head.encode() + body)
        gate.wait()
        server.process.terminate()
        while takes_calls(server):
            pass
        gate.open()
        with connection.makefile("rb") as answers:
            first, second = re.findall(rb"HTTP/1\.1 (\d+)", answers.read())
    assert first == b"200" and second in (b"200", b"503")
    assert server.ended() == 0


def test_later_calls_are_refused(own):
    server = own("http", concurrency=8)
    with ThreadPoolExecutor(1) as callers, Gate() as gate:
        first = callers.submit(call, server, {"gate": gate.address})
        gate.wait()
        server.process.terminate()
        while takes_calls(server):
            pass
        for _ in range(10):
            assert refusal(server) in ("connection refused", 503)
        gate.open()
        assert first.result().status == 200
    assert server.ended() == 0


def refusal(server):
    try:
        return server.ask("POST", "/", b"{}", JSON, timeout=patience(server)).status
    except ConnectionRefusedError:
        return "connection refused"
