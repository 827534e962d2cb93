"""The Realtime Database's WebSocket protocol: listeners, transactions, the end of a connection, users, and bad input."""

import base64
import hashlib
import json
import os
import socket as sockets
import uuid

import pytest
import websocket
from auth.service import Service
from realtime.service import HOST, Rest, Socket

AUTH = Service(os.environ.get("FIREBASE_AUTH_EMULATOR_HOST"), "demo-worldchat")


@pytest.fixture
def name():
    return uuid.uuid4().hex


@pytest.fixture
def client(name):
    with Socket(name) as client:
        yield client


def push(path, data, **more):
    return ("d", {"p": path, "d": data, **more})


def test_hello(client):
    hello = client.hello["d"]
    assert client.hello["t"] == "c" and hello["t"] == "h"
    assert hello["d"]["v"] == "5" and hello["d"]["h"] == HOST and hello["d"]["ts"] > 1_700_000_000_000 and hello["d"]["s"]


def test_keep_alive_and_ping(client):
    client.connection.send("0")
    client.send_text('{"t":"c","d":{"t":"p","d":{}}}')
    assert client.receive() == {"t": "c", "d": {"t": "o", "d": None}}
    client.connection.ping("x")
    client.must("s", c={"sdk.js.10-12-2": 1})


def test_the_recorded_session(name):
    """What Firebase's Web SDK 10.12.2 sends for typing and presence, and what it gets."""
    token = AUTH.sign_up(f"{name}@example.com")["idToken"]
    with Socket(name, token=None) as reader, Socket(name, token=None) as writer:
        for each in (reader, writer):
            assert each.ask("s", c={"sdk.js.10-12-2": 1}) == ("ok", {})
            assert each.ask("auth", cred=token)[0] == "ok"
        for path in ("typingIndicators/c1", "status/alice"):
            assert reader.ask("q", p="/" + path, h="") == ("ok", {})
            assert reader.take() == [push(path, None)]
        last = {".sv": "timestamp"}
        assert writer.ask("o", p="/status/alice", d={"last": last, "state": "offline"}) == ("ok", "")
        assert writer.ask("o", p="/typingIndicators/c1/alice", d=None) == ("ok", "")
        assert writer.ask("om", p="/x", d={"a/b": 1}) == ("ok", "")
        assert writer.ask("oc", p="/x", d=None) == ("ok", "")
        assert writer.ask("p", p="/status/alice", d={"last": last, "state": "online"}) == ("ok", "")
        [(action, online)] = reader.take()
        assert action == "d" and online["p"] == "status/alice" and online["d"]["state"] == "online"
        assert online["d"]["last"] > 1_700_000_000_000
        assert writer.ask("p", p="/typingIndicators/c1/alice", d=last) == ("ok", "")
        assert [each["p"] for _, each in reader.take()] == ["typingIndicators/c1/alice"]
        merged = {"typingIndicators/c1/bob": 7, "status/bob/state": "online"}
        assert writer.ask("m", p="/", d=merged) == ("ok", "")
        assert reader.take() == [push("typingIndicators/c1/bob", 7)]
        assert writer.ask("m", p="/cnt", d={"n": {".sv": {"increment": 2}}}) == ("ok", "")
        assert writer.ask("p", p="/list/-P6wFksQgUuIx_2FU-3G", d={"v": 1}) == ("ok", "")
        assert writer.ask("p", p="/pri", d={".value": "v", ".priority": 5}) == ("ok", "")
        status, data = reader.ask("g", p="/status", q={})
        assert status == "ok" and data["bob"] == {"state": "online"} and data["alice"]["state"] == "online"
        assert writer.ask("q", p="/ctr", h="") == ("ok", {}) and writer.take() == [push("ctr", None)]
        assert writer.ask("p", p="/ctr", d=1, h="") == ("ok", "") and writer.take() == [push("ctr", 1)]
        assert writer.ask("n", p="/ctr") == ("ok", "")
        writer.close()
        ended = [reader.receive()["d"]["b"] for _ in range(2)]
        assert ended[0]["p"] == "status/alice" and ended[0]["d"]["state"] == "offline"
        assert ended[0]["d"]["last"] >= online["d"]["last"]
        assert ended[1] == {"p": "typingIndicators/c1/alice", "d": None}
        assert reader.must("g", p="/pri", q={}) == {".value": "v", ".priority": 5}
        assert reader.must("g", p="/x", q={}) is None


def test_a_known_hash_saves_the_data(client):
    client.must("p", p="/a", d="foo")
    known = base64.b64encode(hashlib.sha1(b"string:foo").digest()).decode()
    client.must("q", p="/a", h=known)
    assert client.take() == []
    client.must("n", p="/a")
    client.must("q", p="/a", h="other")
    assert client.take() == [push("a", "foo")]


def test_transactions(client):
    client.must("p", p="/n", d=1)
    assert client.ask("p", p="/n", d=3, h="") == ("datastale", "Transaction hash does not match")
    assert client.take() == [push("n", 1)]
    assert client.must("g", p="/n", q={}) == 1


def test_tagged_windows(client, name):
    client.must("p", p="/s", d={"a": 1, "b": 2, "c": 3})
    with Socket(name) as other:
        other.must("q", p="/s", q={"l": 2, "vf": "r", "i": ".value"}, t=7, h="")
        assert other.take() == [push("s", {"b": 2, "c": 3}, t=7)]
        client.must("p", p="/s/d", d=9)
        assert other.take() == [push("s/b", None, t=7), push("s/d", 9, t=7)]
        client.must("p", p="/s/a", d=0)
        assert other.take() == []
        client.must("m", p="/s", d={"c": None, "d": 10})
        assert sorted(each["p"] for _, each in other.take()) == ["s/b", "s/c", "s/d"]
        client.must("p", p="/s", d={"x": 1})
        assert other.take() == [push("s", {"x": 1}, t=7)]
        other.must("n", p="/s", q={"l": 2, "vf": "r", "i": ".value"}, t=7)
        client.must("p", p="/s/y", d=1)
        assert other.take() == []


def test_missing_indexes_are_a_warning(client, name):
    Rest(name).set_rules({"s": {".read": True, ".indexOn": ["n"]}})
    assert client.must("q", p="/s", q={"i": "n", "l": 1, "vf": "l"}, t=1, h="") == {}
    assert client.must("q", p="/s", q={"i": "m", "l": 1, "vf": "l"}, t=2, h="") == {"w": ["no_index"]}


def test_no_change_no_push(client):
    client.must("p", p="/a", d={"b": 1})
    client.must("q", p="/a", h="")
    client.take()
    for action, body in [("p", {"p": "/a/b", "d": 1}), ("m", {"p": "/", "d": {"a/b": 1}}), ("p", {"p": "/a/c/d", "d": None}),
                         ("p", {"p": "/a/b/c", "d": None})]:
        client.must(action, **body)
    assert client.take() == []


def test_users_and_rules(name):
    alice = AUTH.sign_up(f"alice-{name}@example.com")
    bob = AUTH.sign_up(f"bob-{name}@example.com")
    Rest(name).set_rules({"$uid": {".read": "auth.uid == $uid", ".write": "auth.uid == $uid"}})
    mine, other = alice["localId"], bob["localId"]
    with Socket(name, token=None) as client:
        assert client.ask("q", p=f"/{mine}", h="") == ("permission_denied", "Permission denied")
        assert client.ask("p", p=f"/{mine}", d=1) == ("permission_denied", "Permission denied")
        assert client.ask("g", p=f"/{mine}", q={}) == ("permission_denied", "Permission denied")
        assert client.ask("o", p=f"/{mine}", d=1) == ("permission_denied", "Permission denied")
        assert client.ask("auth", cred="nonsense")[0] == "invalid_token"
        assert client.must("auth", cred=alice["idToken"])["auth"]["uid"] == mine
        client.must("q", p=f"/{mine}", h="")
        client.must("p", p=f"/{mine}", d=1)
        client.must("o", p=f"/{mine}", d="gone")
        assert client.take() == [push(mine, None), push(mine, 1)]
        # Another user may not listen there.
        client.must("auth", cred=bob["idToken"])
        assert client.take() == [("c", {"p": mine})]
        assert client.ask("p", p=f"/{mine}", d=2)[0] == "permission_denied"
        client.must("q", p=f"/{other}", h="")
        client.must("unauth")
        assert client.take() == [push(other, None), ("c", {"p": other})]
        client.must("auth", cred="owner", authvar={"uid": mine})
        client.must("q", p=f"/{mine}", h="")
        Rest(name).set_rules({".read": False, ".write": "auth.uid == 'nobody'"})
    # The write for the end is by the last user, whom the rules don't allow it.
    assert Rest(name).get(mine) == 1


def test_a_change_of_rules_ends_listeners(client, name):
    rest = Rest(name)
    rest.set_rules({"a": {".read": True}, "b": {".read": True}})
    with Socket(name, token=None) as reader:
        reader.must("q", p="/a", h="")
        reader.must("q", p="/b", h="")
        reader.take()
        reader.must("q", p="/b", q={"i": "n", "l": 1, "vf": "l"}, t=5, h="")
        reader.take()
        rest.set_rules({"a": {".read": True}})
        ended = [body for action, body in reader.take() if action == "c"]
        assert sorted(ended, key=len) == [{"p": "b"}, {"p": "b", "q": [{"i": "n", "l": 1, "vf": "l"}]}]
        client.must("p", p="/b", d=1)
        client.must("p", p="/a", d=1)
        assert reader.take() == [push("a", 1)]


def test_a_later_write_for_the_end_replaces_earlier_ones(client, name):
    other = Socket(name)
    other.must("om", p="/a", d={"x": 1, "y": 1})
    for number in range(2_000):
        other.must("o", p="/a/x", d=number)
    other.must("o", p="/a/z/deep", d=1)
    other.must("o", p="/a/z", d=2)
    client.must("q", p="/a", h="")
    client.take()
    other.close()
    assert [client.receive()["d"]["b"] for _ in range(3)] == [
        {"p": "a", "d": {"y": 1}}, {"p": "a/x", "d": 1_999}, {"p": "a/z", "d": 2},
    ]


def test_a_transaction_needs_the_right_to_read(client, name):
    rest = Rest(name)
    rest.put("", {"secret": "s", "open": "o"})
    rest.set_rules({"secret": {".write": True, ".read": False}, "open": {".write": True, ".read": True}})
    with Socket(name, token=None) as nobody:
        assert nobody.ask("p", p="/secret", d=1, h="old") == ("permission_denied", "Permission denied")
        assert nobody.pushes == []
        assert nobody.ask("p", p="/open", d=1, h="old")[0] == "datastale"
        assert nobody.pushes == [push("open", "o")]


def test_frames_that_clients_must_not_send(name):
    for frame in (b"\x81\x02{}", b"\xc1\x82\0\0\0\0{}"):
        client = Socket(name)
        client.connection.sock.sendall(frame)
        opcode, data = client.connection.recv_data()
        assert opcode == websocket.ABNF.OPCODE_CLOSE and data == b"\x03\xea"
        client.close()


def test_a_client_that_reads_nothing_is_closed_after_an_error(client, name):
    rest = Rest(name)
    rest.put("large", "x" * (9 << 20))
    client.must("q", p="/left", h="")
    client.take()
    other = Socket(name)
    other.must("o", p="/left", d=1)
    other.send("q", p="/large", h="")
    other.connection.send("{")
    assert client.receive()["d"]["b"] == {"p": "left", "d": 1}
    other.connection.sock.close()


def test_the_end_of_a_connection_that_is_cut(client, name):
    client.must("q", p="/a", h="")
    client.take()
    other = Socket(name)
    other.must("o", p="/a/x", d={".sv": {"increment": 1}})
    other.must("om", p="/a", d={"y": 1, "z": 2})
    other.must("oc", p="/a/z", d=None)
    client.must("p", p="/a/x", d=5)
    # A reset, as of a phone that loses its network.
    other.connection.sock.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    other.connection.sock.close()
    pushes = [client.receive()["d"] for _ in range(2)]
    assert [(each["a"], each["b"]) for each in pushes] == [push("a/x", 6), ("m", {"p": "a", "d": {"y": 1}})]
    assert client.must("g", p="/a", q={}) == {"x": 6, "y": 1}


@pytest.mark.parametrize("text", [
    "{", "[]", "5000000", '"x"', '{"t":"d"}', '{"t":"x","d":{}}', '{"t":"d","d":{"a":"p"}}', '{"t":"d","d":{"r":1,"a":"??"}}',
    '{"t":"d","d":{"r":"1","a":"p","b":{}}}',
])
def test_malformed_messages_end_the_connection(client, name, text):
    client.connection.send(text)
    message = client.receive()
    assert message["t"] == "c" and message["d"]["t"] == "e" and message["d"]["d"]
    assert client.connection.recv() == ""
    with Socket(name) as next_client:
        next_client.must("p", p="/a", d=1)


@pytest.mark.parametrize("action, body", [
    ("p", {"d": 1}), ("p", {"p": "/a.b", "d": 1}), ("p", {"p": "/a", "d": {"x#": 1}}), ("p", {"p": "/" + "a/" * 33, "d": 1}),
    ("m", {"p": "/a", "d": 5}), ("m", {"p": "/a", "d": {"b": 1, "b/c": 2}}), ("q", {"p": "/a", "q": {"l": -1}}),
    ("q", {"p": "/a", "q": {"i": 5}}), ("q", {"p": "/a", "q": {"sp": {}}}), ("q", {"p": "/a", "q": []}),
    ("g", {"p": "/a", "q": {"i": ".key", "sp": 5}}), ("o", {"p": "/a$", "d": 1}), ("p", {"p": "/.info/x", "d": 1}),
])
def test_bad_requests_fail_and_the_connection_goes_on(client, action, body):
    status, reason = client.ask(action, **body)
    assert status == "failed" and reason
    client.must("p", p="/a", d=1)
    assert client.must("g", p="/", q={}) == {"a": 1}


def frames_of(text, sizes):
    """Returns a text as WebSocket frames, masked with zeros: the first is text, the others continue it."""
    frames, start = b"", 0
    for index, size in enumerate(sizes):
        part = text[start : start + size]
        start += size
        final = 0x80 if index == len(sizes) - 1 else 0
        frames += bytes([final | (1 if index == 0 else 0), 0x80 | len(part)]) + b"\0\0\0\0" + part
    return frames


def test_frames_cut_at_every_byte(client, name):
    text = json.dumps({"t": "d", "d": {"r": 9, "a": "p", "b": {"p": "/a", "d": "é"}}}, ensure_ascii=False).encode()
    for cut in range(1, len(text)):
        stream = frames_of(text, [cut, len(text) - cut])
        client.connection.sock.sendall(stream[: cut + 3])
        client.connection.sock.sendall(stream[cut + 3 :])
        assert client.answer(9) == ("ok", "")
    # Several messages in one piece, and one in parts as Firebase's SDKs send it.
    client.connection.sock.sendall(frames_of(text, [len(text)]) * 5)
    assert [client.answer(9) for _ in range(5)] == [("ok", "")] * 5
    for cut in range(1, len(text) - 2):
        if text[cut] & 0xC0 != 0x80:
            for part in ("2", text[:cut].decode(), text[cut:].decode()):
                client.connection.send(part)
            assert client.answer(9) == ("ok", "")
    assert Rest(name).get("a") == "é"


def test_a_message_that_is_too_large_ends_the_connection(client):
    client.connection.send("999999")
    with pytest.raises((websocket.WebSocketConnectionClosedException, ConnectionError)):
        for _ in range(40):
            client.connection.send("x" * (1 << 20))
        # The error may be lost, because the client was still sending.
        while client.connection.recv():
            pass
        raise ConnectionError


def test_a_client_that_never_reads_is_disconnected(client, name):
    deaf = Socket(name)
    deaf.must("q", p="/a", h="")
    deaf.must("o", p="/gone", d=True)
    client.must("q", p="/gone", h="")
    client.take()
    for number in range(10_000):
        client.must("p", p="/a", d=f"{number:04}" * 100_000)
        if client.pushes:
            break
    assert client.pushes == [push("gone", True)]
    deaf.close()


def test_names_of_databases(name):
    for bad in ("", "a b", "x" * 200, "%2E%2E"):
        with pytest.raises(websocket.WebSocketBadStatusException) as refused:
            Socket(bad)
        assert refused.value.status_code == 400


def test_foreign_pages_are_refused(name):
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        websocket.create_connection(f"ws://{HOST}/.ws?v=5&ns={name}", origin="https://evil.example", timeout=60)
    assert refused.value.status_code == 403
    websocket.create_connection(f"ws://{HOST}/.ws?v=5&ns={name}", origin="http://localhost:5173", timeout=60).close()
