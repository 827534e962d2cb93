"""The Realtime Database over REST: every verb and parameter, server-sent events, rules, and bad input."""

import http.client
import json
import os
import threading
import uuid

import pytest
from auth.service import Service
from realtime.service import HOST, OWNER, Events, Rest, Socket

AUTH = Service(os.environ.get("FIREBASE_AUTH_EMULATOR_HOST"), "demo-worldchat")


@pytest.fixture
def rest():
    return Rest(uuid.uuid4().hex)


def test_verbs(rest):
    assert rest.put("a", {"b": 1, "c": {"d": None}}) == {"b": 1}
    assert rest.ask("PATCH", "a", {"e/f": 2, "b": None}).body == {"e/f": 2, "b": None}
    assert rest.get("a") == {"e": {"f": 2}}
    name = rest.ask("POST", "list", "x").body["name"]
    assert rest.get("list") == {name: "x"}
    assert rest.ask("DELETE", "a").body is None and rest.get("a") is None
    assert rest.get("") == {"list": {name: "x"}}
    override = {**OWNER, "X-HTTP-Method-Override": "PATCH"}
    assert rest.ask("POST", "list", {"y": 1}, headers=override).body == {"y": 1}
    assert rest.ask("PUT", "stamp", {".sv": "timestamp"}).body > 1_700_000_000_000


def test_parameters(rest):
    rest.put("a", {"b": {".value": "x", ".priority": 1}, "c": {"d": 2}, "l": ["p", None, "q"]})
    assert rest.get("a") == {"b": "x", "c": {"d": 2}, "l": ["p", None, "q"]}
    assert rest.get("a", format="export") == {
        "b": {".value": "x", ".priority": 1}, "c": {"d": 2}, "l": {"0": "p", "2": "q"},
    }
    assert rest.get("a", shallow="true") == {"b": True, "c": True, "l": True}
    assert rest.get("a/b", shallow="true") == "x"
    silent = rest.ask("PUT", "a/e", 1, print="silent")
    assert (silent.status, silent.body) == (204, None)
    download = rest.ask("GET", "a", download='x".json\n')
    assert download.headers["content-disposition"] == 'attachment; filename="x.json"'
    with Events(rest, "a", {**OWNER, "Accept": "*/*"}, "&print=pretty") as pretty:
        assert b'\n  "b"' in pretty.response.read()


def test_etags(rest):
    missing = rest.ask("GET", "a", headers={**OWNER, "X-Firebase-ETag": "true"})
    assert missing.headers["etag"] == "null_etag"
    assert "etag" not in rest.ask("GET", "a").headers
    made = rest.ask("PUT", "a", 1, headers={**OWNER, "if-match": "null_etag"})
    assert made.status == 200
    again = rest.ask("PUT", "a", 2, headers={**OWNER, "if-match": "null_etag"})
    assert (again.status, again.body, again.headers["etag"]) == (412, 1, made.headers["etag"])
    tag = {**OWNER, "if-none-match": made.headers["etag"]}
    assert rest.ask("GET", "a", headers=tag).status == 304
    removed = rest.ask("DELETE", "a", headers={**OWNER, "if-match": made.headers["etag"]})
    assert removed.status == 200 and rest.get("a") is None
    for method in ("PATCH", "POST"):
        assert rest.ask(method, "a", {"b": 1}, headers={**OWNER, "if-match": "x"}).status == 400


def test_priorities(rest):
    rest.put("a", {"b": {".value": 1, ".priority": 2}, "c": {"d": 1, ".priority": "p"}})
    assert [rest.get(f"{path}/.priority") for path in ("a/b", "a/c", "a", "a/none")] == [2, "p", None, None]
    assert rest.put("a/b/.priority", 3) == 3
    assert rest.get("a/b", format="export") == {".value": 1, ".priority": 3}
    rest.set_rules({"a": {".read": "auth != null"}})
    assert rest.ask("GET", "a/b/.priority", headers={}).status == 401


def test_events(rest):
    rest.put("a", {"b": 1})
    with Events(rest, "a") as events:
        assert events.response.headers["content-type"].startswith("text/event-stream")
        assert events.next() == ("put", {"path": "/", "data": {"b": 1}})
        rest.put("a/b/c", 2)
        assert events.next() == ("put", {"path": "/b/c", "data": 2})
        rest.ask("PATCH", "a", {"b": 3, "d/e": 4})
        assert events.next() == ("patch", {"path": "/", "data": {"b": 3, "d/e": 4}})
        rest.put("other", 1)
        rest.put("a/b", 3)
        rest.put("", {"a": 5})
        assert events.next() == ("put", {"path": "/", "data": 5})
    rest.set_rules({"a": {".read": True}})
    with Events(rest, "a", {}) as events:
        assert events.next() == ("put", {"path": "/", "data": 5})
        rest.set_rules({"a": {".read": False}})
        assert events.next() == ("cancel", None) and events.next() is None
    with Events(rest, "a", {}) as events:
        assert (events.response.status, json.load(events.response)) == (401, {"error": "Permission denied"})


def test_a_query_in_rules(rest):
    """As in production, a read without a query counts as ordered by key."""
    rest.put("a", {"x": {"n": 1}, "y": {"n": 2}})
    for rule, allowed, denied in [
        ("query.orderByKey == true && query.orderByPriority == false", {}, {"orderBy": '"$priority"', "limitToFirst": 1}),
        ("query.orderByChild == 'n' && query.limitToLast <= 2", {"orderBy": '"n"', "limitToLast": 2}, {}),
    ]:
        rest.set_rules({"a": {".read": rule, ".indexOn": "n"}})
        assert rest.ask("GET", "a", headers={}, **allowed).status == 200
        assert rest.ask("GET", "a", headers={}, **denied).status == 401


def test_a_key_of_rules_with_a_slash_is_refused(rest):
    answer = rest.ask("PUT", ".settings/rules.json", {"rules": {"a/b": {".read": True}}})
    assert answer.status == 400 and "a/b" in answer.body["error"]


def test_keys_that_differ_only_in_a_sign(rest):
    for key in ("-0", "00", "0", "-00"):
        rest.put(f"a/{key}", key)
    assert rest.get("a") == {key: key for key in ("0", "-0", "00", "-00")}
    rest.put("b", {"-0": "x"})
    assert rest.get("b") == {"-0": "x"}


def test_an_object_that_is_larger_than_what_may_be_unread(rest):
    for number in range(2):
        rest.put(f"a/{number}", "x" * (9 << 20))
    with Events(rest, "a") as events:
        name, update = events.next()
        assert name == "put" and [len(each) for each in update["data"]] == [9 << 20] * 2
        rest.put("a/3", 1)
        assert events.next() == ("put", {"path": "/3", "data": 1})
    with Socket(rest.name) as client:
        client.must("q", p="/a", h="")
        ((_, update),) = client.take()
        assert len(update["d"]["0"]) == 9 << 20
        assert client.must("g", p="/a", q={})["3"] == 1


def test_events_of_a_query(rest):
    rest.put("s", {"a": 1, "b": 2, "c": 3})
    with Events(rest, "s", query="&orderBy=%22%24value%22&limitToLast=2") as events:
        assert events.next() == ("put", {"path": "/", "data": {"b": 2, "c": 3}})
        rest.put("s/d", 9)
        assert [events.next(), events.next()] == [
            ("put", {"path": "/b", "data": None}), ("put", {"path": "/d", "data": 9}),
        ]


def test_rules_and_indexes(rest):
    rest.put("", {"scores": {"a": {"n": 1}, "b": {"n": 2}}, "secret": 1})
    rest.set_rules({"scores": {".read": "auth == null || query.limitToFirst <= 1", ".indexOn": "n", ".write": "auth != null"}})
    assert rest.ask("GET", ".settings/rules.json").body["rules"]["scores"][".indexOn"] == "n"
    everybody = {}
    assert rest.ask("GET", "scores", headers=everybody).body == {"a": {"n": 1}, "b": {"n": 2}}
    denied = rest.ask("GET", "secret", headers=everybody)
    assert (denied.status, denied.body) == (401, {"error": "Permission denied"})
    assert rest.ask("PUT", "scores/c", 1, headers=everybody).status == 401
    assert rest.ask("GET", "scores", orderBy='"n"', limitToFirst=1).body == {"a": {"n": 1}}
    missing = rest.ask("GET", "scores", orderBy='"height"')
    assert (missing.status, missing.body) == (400, {
        "error": 'Index not defined, add ".indexOn": "height", for path "/scores", to the rules',
    })
    for body, error in [(b"{", "Line 1: "), (b'{"rules":{\n".read":"x"}}', "Line 2: There is no variable 'x' here."), (b"\xff", "the rules")]:
        answer = rest.ask("PUT", ".settings/rules.json", raw=body)
        assert answer.status == 400 and answer.body["error"].startswith(error)
    for method in ("GET", "PUT"):
        assert rest.ask(method, ".settings/rules.json", raw=b"{}" if method == "PUT" else None, headers=everybody).status == 401


def test_users(rest):
    rest.set_rules({"$uid": {".read": "auth.uid == $uid", ".write": "auth.token.email.endsWith('@example.com') && auth.provider != null"}})
    user = AUTH.sign_up(f"{rest.name}@example.com")
    token, uid = user["idToken"], user["localId"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert rest.ask("PUT", uid, 1, headers=bearer).status == 200
    assert rest.ask("GET", uid, headers={}, auth=token).body == 1
    assert rest.ask("GET", "another", headers=bearer).status == 401
    invalid = rest.ask("GET", uid, headers={}, auth="nonsense")
    assert invalid.status == 401 and invalid.body["error"]


@pytest.mark.parametrize(
    "method, path, body, query, status, error",
    [
        ("PUT", "a", b"{", {}, 400, "Invalid data; couldn't parse JSON object, array, or value."),
        ("PUT", "a", b"", {}, 400, "Invalid data"),
        ("PATCH", "a", b"5", {}, 400, "Invalid data"),
        ("PUT", "a$", b"1", {}, 400, "the key \"a$\" has the character"),
        ("PUT", "a", b'{"b#":1}', {}, 400, "the key \"b#\""),
        ("PUT", "a", b'{"b":{".value":{"c":1},"d":2}}', {}, 400, "an object with .value has other members"),
        ("PUT", "/".join("a" * 33), b"1", {}, 400, "the path has more than 32 keys"),
        ("PUT", "/".join("a" * 30), b'{"b":{"c":{"d":1}}}', {}, 400, "the data has more than 32 levels"),
        ("PUT", "k" * 769, b"1", {}, 400, "a key has 769 bytes"),
        ("PATCH", "a", b'{"b":1,"b/c":2}', {}, 400, "the update has a path twice"),
        ("PATCH", "a", b'{"b/c":1,"/b/c/":2}', {}, 400, "the update has a path twice"),
        ("PUT", "a", b'{".sv":"later"}', {}, 400, "the server value"),
        ("GET", "a", None, {"limitToFirst": "1"}, 400, "orderBy must be defined when other query parameters are defined"),
        ("GET", "a", None, {"orderBy": "n"}, 400, "Constraint index field must be a JSON primitive"),
        ("GET", "a", None, {"orderBy": '"n"', "limitToFirst": "0"}, 400, "limitToFirst must be an integer greater than 0"),
        ("GET", "a", None, {"orderBy": '"n"', "limitToFirst": "1", "limitToLast": "1"}, 400, "only one of"),
        ("GET", "a", None, {"orderBy": '"n"', "startAt": "{}"}, 400, "startAt must be a JSON primitive"),
        ("GET", "a", None, {"orderBy": '"$key"', "startAt": "1"}, 400, "a bound of a query by key is not a text"),
        ("GET", "a", None, {"orderBy": '"n"', "shallow": "true"}, 400, "shallow can't be combined"),
        ("GET", "a", None, {"print": "loud"}, 400, "print must be pretty or silent"),
        ("GET", "a", None, {"callback": "f"}, 501, "callback, for JSONP, is not supported"),
        ("GET", "a", None, {"ns": "x" * 5_000}, 400, "ns, the name of the database"),
        ("GET", "a", None, {"ns": "../x"}, 400, "ns, the name of the database"),
        ("GET", ".settings/other.json", None, {}, 501, "/.settings/other.json is not supported"),
    ],
)
def test_bad_input(rest, method, path, body, query, status, error):
    answer = rest.ask(method, path, raw=body, **query)
    assert answer.status == status and answer.body["error"].startswith(error), answer
    assert rest.get("") is None


def test_long_polling_leads_back_to_web_sockets():
    def ask(query):
        connection = http.client.HTTPConnection(HOST, timeout=60)
        connection.request("GET", f"/.lp?{query}")
        response = connection.getresponse()
        return response.status, response.headers["content-type"], response.read().decode()

    status, kind, script = ask("start=t&ser=5&cb=12&v=5&ns=x")
    assert status == 200 and kind.startswith("text/javascript")
    assert 'localStorage.removeItem("firebase:previous_websocket_failure")' in script
    assert 'parent.window["pLPCommand12"]?.("close")' in script
    for query in ("start=t&cb=a%22", "start=t", "start=t&cb=12345678901", "id=1&pw=2&ser=3", "cb=1"):
        assert ask(query)[0] == 501


def test_other_paths(rest):
    connection = http.client.HTTPConnection(HOST, timeout=60)
    for path, status in [("/", 200), ("/a", 404), ("/.lp?start=t", 501), ("/.ws?v=4&ns=x", 400), ("/.ws?v=5&ns=x", 400)]:
        connection.request("GET", path)
        response = connection.getresponse()
        assert (response.status, bool(response.read())) == (status, True), path


def test_a_text_of_ten_megabytes(rest):
    text = "x" * (10 << 20)
    rest.put("a", text)
    with Socket(rest.name) as socket:
        socket.must("q", p="/a", h="")
        assert socket.pushes == [("d", {"p": "a", "d": text})]
    assert rest.ask("PUT", "a", text + "x").status == 400
    assert rest.get("a") == text


def test_pushes_at_once_have_different_keys(rest):
    names = []

    def push():
        names.extend(rest.ask("POST", "list", 1).body["name"] for _ in range(50))

    threads = [threading.Thread(target=push) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(names)) == 400 == len(rest.get("list"))
