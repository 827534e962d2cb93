"""Firestore's streams over WebChannel: what a browser's client gets, also over connections that are
cut, sent twice, or out of order, is what gRPC's clients get.

`make soak` cuts ten thousand connections, and leaves a hundred thousand sessions. These tests cut some hundred.
"""

import asyncio
import contextlib
import http.client
import json
import os
import random
import socket
import subprocess
import time
import urllib.parse
import uuid

import pytest
from firestore.emulator import Emulator
from firestore.listening import Stream
from firestore.webchannel import Channel, Faulty, Frames, Refused, exchange, is_snapshot, snapshot
from firestore.wire import Server
from google.protobuf import json_format
from python_webchannel import EventType, WebChannelOptions, create_web_channel_transport

ADDRESS = os.environ["FIRESTORE_EMULATOR_HOST"]
CUTS = int(os.environ.get("CUTS", "500"))
SESSIONS = int(os.environ.get("SESSIONS", "1000"))
LISTEN = "/google.firestore.v1.Firestore/Listen/channel"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
# The commits on one stream.
EACH = 40
TEXTS = ["plain", "naïve", "日本語", "😀👩‍👩‍👧 \u2028", "x" * 3_000]


@pytest.fixture
def database():
    return f"projects/demo-test/databases/web-{uuid.uuid4().hex[:12]}"


@pytest.fixture(scope="module")
def server():
    with contextlib.closing(Server(ADDRESS)) as server:
        yield server


def query(database, target, **more):
    return {
        "database": database,
        "addTarget": {
            "query": {
                "parent": f"{database}/documents",
                "structuredQuery": {"from": [{"collectionId": "c"}]},
            },
            "targetId": target,
            **more,
        },
    }


def put(database, document, **fields):
    return {"update": {"name": f"{database}/documents/{document}", "fields": fields}}


def text(value):
    return {"stringValue": value}


def commit(server, database, *writes):
    answer = server.ask("Commit", {"database": database, "writes": list(writes)})
    assert isinstance(answer, list), answer


# The seeds of the streams in a run, whose cuts add up to CUTS.
def seeds():
    return range(max(1, CUTS // 250))


@pytest.mark.parametrize("seed", seeds())
def test_a_listener_sees_each_state_once(seed, server, database):
    choice = random.Random(seed)
    faults = Faulty(seed)
    plain = Stream(server.channel, database)
    plain.collection(2, "c")
    expected = [json_format.MessageToDict(each) for each in plain.snapshot()]
    channel = Channel(ADDRESS, "Listen", [query(database, 2)], faults=faults)
    received = snapshot(channel)
    while faults.cuts < 250:
        for number in range(EACH):
            name = f"c/{choice.randrange(8)}"
            if choice.random() < 0.2:
                write = {"delete": f"{database}/documents/{name}"}
            else:
                write = put(database, name, t=text(choice.choice(TEXTS)), n={"integerValue": str(number)})
            # Other targets come and go meanwhile.
            if choice.random() < 0.2:
                channel.send_reordered(
                    query(database, 100 + number), {"database": database, "removeTarget": 100 + number}
                )
            commit(server, database, write, put(database, "c/last", n={"integerValue": str(number)}))
            expected += [json_format.MessageToDict(each) for each in plain.snapshot()]
        received += until_written(channel, EACH - 1)
    assert states(received) == states(expected)
    plain.close()
    channel.close()


def until_written(channel, number):
    """Returns the responses up to the snapshot in which the document c/last has a number."""
    said = []
    while True:
        said += snapshot(channel)
        for response in said:
            change = response.get("documentChange", {})
            if change.get("document", {}).get("name", "").endswith("c/last") and 2 in change["targetIds"]:
                if change["document"]["fields"]["n"]["integerValue"] == str(number):
                    return said


def states(responses):
    """Returns the documents of target 2 after each snapshot that changes them.

    Each change that is sent makes a new state, so a snapshot that is sent twice is an error.
    """
    documents, seen, is_changed = {}, [], False
    for response in responses:
        change = response.get("documentChange", {})
        if 2 in change.get("targetIds", []):
            documents[change["document"]["name"]] = change["document"]
            is_changed = True
        gone = response.get("documentDelete") or response.get("documentRemove") or {}
        if 2 in gone.get("removedTargetIds", []):
            del documents[gone["document"]]
            is_changed = True
        target = response.get("targetChange", {})
        assert target.get("targetChangeType") != "RESET" or target.get("targetIds") != [2]
        if is_snapshot(response) and (is_changed or not seen):
            assert not seen or seen[-1] != documents
            seen.append(dict(documents))
            is_changed = False
    return seen


@pytest.mark.parametrize("seed", seeds())
def test_each_write_is_committed_once_in_order(seed, server, database):
    choice = random.Random(seed)
    faults = Faulty(1_000 + seed)
    channel = Channel(ADDRESS, "Write", [{"database": database}], faults=faults)
    token = channel.next()["streamToken"]
    written = 0
    while faults.cuts < 250:
        count = choice.randrange(1, 4)
        # A write that arrived twice would fail, and end the stream.
        requests = [
            {
                "streamToken": token,
                "writes": [
                    {**put(database, f"c/{number}", t=text(choice.choice(TEXTS))), "currentDocument": {"exists": False}},
                    {
                        "transform": {
                            "document": f"{database}/documents/all/order",
                            "fieldTransforms": [
                                {"fieldPath": "numbers", "appendMissingElements": {"values": [{"integerValue": str(number)}]}}
                            ],
                        }
                    },
                ],
            }
            for number in range(written, written + count)
        ]
        written += count
        if choice.random() < 0.5:
            channel.send(*requests)
        else:
            channel.send_reordered(*requests)
        for _ in requests:
            assert len(channel.next()["writeResults"]) == 2
    (order,) = server.ask("GetDocument", {"name": f"{database}/documents/all/order"})
    numbers = [int(each["integerValue"]) for each in order["fields"]["numbers"]["arrayValue"]["values"]]
    assert numbers == list(range(written))
    channel.close()


def test_large_results_are_acknowledged_and_continue(server, database):
    """The server sends a quarter of a megabyte, and one message more, without an acknowledgement."""
    for start in range(0, 600, 100):
        commit(server, database, *(put(database, f"c/{n:03}", t=text("é" * 4_000)) for n in range(start, start + 100)))
    channel = Channel(ADDRESS, "Listen", [query(database, 2)])
    documents = [each for each in snapshot(channel) if "documentChange" in each]
    assert len(documents) == 600
    deaf = Channel(ADDRESS, "Listen", [query(database, 2)], reads=False)
    frames = Frames()
    for data in exchange(ADDRESS, "GET", deaf.target({"VER": 8, "SID": deaf.id, "RID": "rpc", "AID": 0, "CI": 0})):
        list(frames.add(data))
    is_read, last, unread = deaf.send(query(database, 3))
    assert is_read == 0 and last < 600 and 256 << 10 <= unread < (256 << 10) + 20_000
    commit(server, database, put(database, "c/last", t=text("x" * 900_000)))
    assert any("documentChange" in each for each in snapshot(channel))
    channel.close()


def test_long_polling_ends_each_response(server, database):
    channel = Channel(ADDRESS, "Listen", [query(database, 2)], streams=False)
    snapshot(channel)
    for number in range(20):
        commit(server, database, put(database, "c/a", n={"integerValue": str(number)}))
        said = snapshot(channel)
        assert said[0]["documentChange"]["document"]["fields"]["n"]["integerValue"] == str(number)
    assert "noop" not in channel.controls
    channel.close()
    frames = list(exchange(ADDRESS, "POST", channel.target({"VER": 8, "RID": 1, "CVER": 22}), b"count=0&ofs=0"))
    session = b"".join(frames).split(b'"')[3].decode()
    # Nothing happens, so the response ends with a noop after the time that the client asks for.
    poll = {"VER": 8, "SID": session, "RID": "rpc", "AID": 0, "CI": 1, "TO": 1, "TYPE": "xmlhttp"}
    assert b"".join(exchange(ADDRESS, "GET", channel.target(poll))) == b'14\n[[1,["noop"]]]'


def test_a_stream_that_fails_says_why_and_ends(database):
    for stream, first, status in [
        ("Listen", [{"database": database}], "INVALID_ARGUMENT"),
        ("Listen", [{"database": database, "bogus": 1}], "INVALID_ARGUMENT"),
        ("Listen", [{"database": database, "addTarget": {"targetId": -1}}], "INVALID_ARGUMENT"),
        ("Write", [{"database": database, "writes": [put(database, "c/a")]}], "INVALID_ARGUMENT"),
    ]:
        channel = Channel(ADDRESS, stream, first)
        error = channel.next()["error"]
        assert error["status"] == status and error["message"]
        channel.reading.join(10)
        assert channel.controls[-1] == "close"
        channel.close()


def test_a_closed_back_channel_is_noticed_at_once():
    path = "/google.firestore.v1.Firestore/Listen/channel?VER=8&"

    def post(**query):
        frames = Frames()
        (value,) = [value for part in exchange(ADDRESS, "POST", path + urllib.parse.urlencode(query), b"count=0")
                    for value in frames.add(part)]
        return value

    ((_, (_, session, *_)),) = post(RID=0, CVER=22)
    host, port = ADDRESS.rsplit(":", 1)
    with socket.create_connection((host, int(port)), 60) as connection:
        query = urllib.parse.urlencode({"SID": session, "RID": "rpc", "AID": 0, "CI": 0})
        connection.sendall(f"GET {path}{query} HTTP/1.1\r\nHost: {ADDRESS}\r\n\r\n".encode())
        connection.recv(65_536)
        assert post(SID=session, RID=1, AID=0)[0] == 1
    # The receipt begins with 0 without a back channel. Noops would show the loss only after 30 seconds.
    deadline = time.monotonic() + 25
    while post(SID=session, RID=1, AID=0)[0] == 1:
        assert time.monotonic() < deadline


def test_the_callers_token_is_in_the_body(database):
    channel = Channel(ADDRESS, "Listen", [query(database, 2)], authorization="Bearer nonsense")
    assert channel.next()["error"]["message"].startswith("invalid jwt")
    channel.close()


REFUSED = {
    "unknown session": ("GET", {"VER": 8, "SID": "0" * 32, "RID": "rpc", "AID": 0}, b"", "Unknown SID"),
    "messages of an unknown session": ("POST", {"VER": 8, "SID": "x", "RID": 1, "AID": 0}, b"count=0", "Unknown SID"),
    "end of an unknown session": ("GET", {"VER": 8, "SID": "x", "RID": 1, "TYPE": "terminate"}, b"", "Unknown SID"),
    "session of the other stream": ("GET", {"VER": 8, "SID": "<write>", "RID": "rpc", "AID": 0}, b"", "Unknown SID"),
    "other version": ("POST", {"VER": 7, "RID": 1, "CVER": 22}, b"count=0", "VER must be 8"),
    "no number of the request": ("POST", {"VER": 8, "CVER": 22}, b"count=0", "RID is not a number"),
    "back channel with a number": ("GET", {"VER": 8, "SID": "<session>", "RID": 5, "AID": 0}, b"", "must be rpc"),
    "array that wasn't sent": ("GET", {"VER": 8, "SID": "<session>", "RID": "rpc", "AID": 9}, b"", "AID is 9"),
    "acknowledgement of what wasn't sent": ("POST", {"VER": 8, "SID": "<session>", "RID": 5, "AID": 9}, b"count=1&ofs=0&req0___data__={\"bogus\":1}", "AID is 9"),
    "AID that is no number": ("GET", {"VER": 8, "SID": "<session>", "RID": "rpc", "AID": "x"}, b"", "AID is not a number"),
    "AID that is missing": ("GET", {"VER": 8, "SID": "<session>", "RID": "rpc"}, b"", "AID is not a number"),
    "messages that are missing": ("POST", {"VER": 8, "SID": "<session>", "RID": 5, "AID": 0}, b"count=2&ofs=0&req0___data__={}", "req1___data__ is missing"),
    "too many messages": ("POST", {"VER": 8, "SID": "<session>", "RID": 5, "AID": 0}, b"count=999999999", "count is more than"),
    "negative offset": ("POST", {"VER": 8, "SID": "<session>", "RID": 5, "AID": 0}, b"count=0&ofs=-1", "ofs is not a number"),
    "huge offset": ("POST", {"VER": 8, "SID": "<session>", "RID": 5, "AID": 0}, b"count=1&ofs=9007199254740992&req0___data__={}", "message 0 is missing"),
    "malformed form": ("POST", {"VER": 8, "SID": "<session>", "RID": 5, "AID": 0}, b"count=%zz", "percent-encoding"),
    "other method": ("PUT", {"VER": 8, "SID": "<session>", "RID": 5, "AID": 0}, b"", "GET or POST"),
    "body of 65 MiB": ("POST", {"VER": 8, "SID": "<session>", "RID": 5, "AID": 0}, b"x" * (65 << 20), "larger than 64 MiB"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_malformed_request_is_refused_and_the_session_goes_on(case, database, server):
    method, form, body, reason = REFUSED[case]
    channel = Channel(ADDRESS, "Listen", [])
    other = Channel(ADDRESS, "Write", [])
    names = {"<session>": channel.id, "<write>": other.id}
    form = {name: names.get(value, value) for name, value in form.items()}
    with pytest.raises(Refused, match=reason):
        list(exchange(ADDRESS, method, channel.target(form), body))
    channel.send(query(database, 2))
    snapshot(channel)
    channel.close()
    other.close()


def test_a_page_of_another_origin_is_refused(database):
    channel = Channel(ADDRESS, "Listen", [])
    connection = http.client.HTTPConnection(ADDRESS, timeout=60)
    for method, form in [("POST", {"VER": 8, "RID": 1}), ("GET", {"VER": 8, "SID": channel.id, "RID": "rpc", "AID": 0})]:
        connection.request(method, channel.target(form), headers={"Origin": "https://evil.example"})
        answer = connection.getresponse()
        assert answer.status == 403 and b"Origin" in answer.read()
    channel.close()


class Side:
    """A server, to which the requests of a browser's session are sent."""

    def __init__(self, address):
        self.server = Server(address)
        self.address = address


# What the Web SDK sends when an app sets a document, listens to it and then to a query, and what it
# receives: the responses up to the one that the SDK waits for, without ids, tokens and times.
def test_a_browsers_session_is_answered_alike(sides):
    database = f"projects/demo-test/databases/session-{uuid.uuid4().hex[:12]}"
    expected = [
        ["streamId streamToken"],
        ["commitTime streamToken writeResults"],
        ["ADD [2]", "c/a [2]", "CURRENT [2]", "snapshot"],
        ["REMOVE [2]"],
        ["ADD [4]", "c/a [4]", "CURRENT [4]", "snapshot"],
        ["c/b [4]", "snapshot"],
    ]
    for side in sides:
        assert session(side.address, database) == expected, side.address


def session(address, database):
    said = []
    writing = Channel(address, "Write", [{"database": database}])
    first = writing.next()
    said.append([" ".join(sorted(first))])
    document = {"name": f"{database}/documents/c/a", "fields": {"x": {"integerValue": "1"}}}
    transform = {"fieldPath": "t", "setToServerValue": "REQUEST_TIME"}
    writing.send({"streamToken": first["streamToken"], "writes": [{"update": document, "updateTransforms": [transform]}]})
    written = writing.next()
    said.append([" ".join(sorted(written))])
    assert written["writeResults"][0]["transformResults"]
    listening = Channel(
        address, "Listen",
        [{"database": database, "addTarget": {"documents": {"documents": [document["name"]]}, "targetId": 2}}],
    )
    said.append(words(snapshot(listening)))
    listening.send({"database": database, "removeTarget": 2})
    said.append(words([listening.next()]))
    order = [{"field": {"fieldPath": name}, "direction": "ASCENDING"} for name in ("x", "__name__")]
    request = query(database, 4)
    request["addTarget"]["query"]["structuredQuery"] |= {"orderBy": order, "limit": 2}
    listening.send(request)
    said.append(words(snapshot(listening)))
    writing.send({"streamToken": written["streamToken"], "writes": [put(database, "c/b", x={"integerValue": "2"})]})
    writing.next()
    after = words(snapshot(listening))
    # Google's emulator sends the whole result again.
    said.append([each for each in after if each in ("c/b [4]", "snapshot")])
    writing.close()
    listening.close()
    return said


def words(responses):
    """Returns responses as short texts."""
    said = []
    for response in responses:
        target = response.get("targetChange")
        if is_snapshot(response):
            said.append("snapshot")
        elif target is not None:
            said.append(f"{target['targetChangeType']} {target['targetIds']}")
        else:
            change = response["documentChange"]
            said.append(f"{change['document']['name'].split('/documents/')[1]} {change['targetIds']}")
    return said


@pytest.mark.parametrize("polls", [False, True], ids=["streams", "polls"])
def test_python_webchannel(sides, polls):
    for side in sides:
        asyncio.run(listen_and_write(side.address, polls))


async def listen_and_write(address, polls):
    """Listens to a collection and writes to it, with a client that isn't ours.

    Its lengths of frames count an emoji as one, unlike the Web SDK's."""
    database = f"projects/demo-test/databases/python-{uuid.uuid4().hex[:12]}"

    async def opened(stream, first):
        options = WebChannelOptions(
            message_url_params={"database": database}, send_raw_json=True, force_long_polling=polls,
            init_message_headers={"Authorization": "Bearer owner"}, encode_init_message_headers=True,
        )
        url = f"http://{address}/google.firestore.v1.Firestore/{stream}/channel"
        channel = create_web_channel_transport().create_web_channel(url, options)
        said = asyncio.Queue()
        channel.listen(EventType.MESSAGE, lambda event: said.put_nowait(event.data[0]))
        await channel.send(first)
        await channel.open()
        return channel, said

    async def until(said, holds):
        async with asyncio.timeout(60):
            while not holds(response := await said.get()):
                pass
        return response

    listening, heard = await opened("Listen", query(database, 2))
    await until(heard, lambda each: each.get("targetChange", {}).get("targetChangeType") == "CURRENT")
    writing, answers = await opened("Write", {"database": database})
    token = (await until(answers, lambda each: "streamId" in each))["streamToken"]
    await writing.send({"streamToken": token, "writes": [put(database, "c/a", t=text("日本"))]})
    await until(answers, lambda each: "writeResults" in each)
    change = await until(heard, lambda each: "documentChange" in each)
    assert change["documentChange"]["document"]["fields"]["t"] == text("日本")
    await writing.close()
    await listening.close()


def test_sessions_that_nobody_reads_end():
    """Of the sessions that are opened and left, ten thousand stay, at most for a minute. Half of them had a back channel."""
    emulator = Emulator()
    database = "projects/demo-test/databases/(default)"
    body = urllib.parse.urlencode({"headers": "Authorization:Bearer owner\r\n", "count": 1, "ofs": 0,
                                   "req0___data__": json.dumps(query(database, 2))})
    with contextlib.closing(Server(emulator.address)) as server:
        for number in range(20):
            commit(server, database, put(database, f"c/{number}", t=text("x" * 500)))

    def leave(count):
        connection = http.client.HTTPConnection(emulator.address, timeout=60)
        for number in range(count):
            connection.request("POST", f"{LISTEN}?VER=8&RID={number}&CVER=22", body, FORM)
            answer = connection.getresponse()
            greeting = answer.read()
            assert answer.status == 200, greeting
            if number % 2:
                look_at(json.loads(greeting.split(b"\n", 1)[1])[0][1][1])
        connection.close()

    def look_at(session):
        """Opens a session's back channel, and closes the connection."""
        host, port = emulator.address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), 60) as back:
            back.sendall(f"GET {LISTEN}?VER=8&SID={session}&RID=rpc&AID=0&CI=0 HTTP/1.1\r\nHost: {emulator.address}\r\n\r\n".encode())
            back.recv(65_536)

    def memory():
        return int(subprocess.run(["ps", "-o", "rss=", "-p", str(emulator.process.pid)],
                                  stdout=subprocess.PIPE, check=True).stdout) / 1024

    sizes = []
    for _ in range(10):
        leave(SESSIONS // 10)
        sizes.append(memory())
    print("MB after each tenth of the sessions:", [round(size) for size in sizes])
    # Until ten thousand are open, memory grows.
    if SESSIONS >= 50_000:
        assert max(sizes[5:]) < 1.1 * max(sizes[2:5])
    # The emulator serves others.
    channel = Channel(emulator.address, "Listen", [query(database, 2)])
    assert len(snapshot(channel)) == 23
    channel.close()
    emulator.end()
