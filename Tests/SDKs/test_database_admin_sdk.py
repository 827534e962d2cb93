"""firebase-admin's `db` module on the Realtime Database."""

import queue
import threading
import uuid

import firebase_admin
import pytest
from firebase_admin import db
from google.auth.credentials import AnonymousCredentials
from realtime.service import HOST, Rest


class Anonymous(firebase_admin.credentials.Base):
    """Credentials without a key: with the emulator's variable set, the SDK sends `owner`."""

    def get_credential(self):
        return AnonymousCredentials()


@pytest.fixture
def app():
    options = {"databaseURL": f"http://{HOST}/?ns={uuid.uuid4().hex}", "projectId": "demo-worldchat"}
    app = firebase_admin.initialize_app(Anonymous(), options, name=uuid.uuid4().hex)
    yield app
    firebase_admin.delete_app(app)


@pytest.fixture
def rooms(app):
    rooms = db.reference("rooms", app)
    rooms.set({"a": {"n": 1, "t": "x"}, "b": {"n": 3}, "c": {"n": 2}})
    return rooms


def test_reading(rooms):
    assert rooms.get() == {"a": {"n": 1, "t": "x"}, "b": {"n": 3}, "c": {"n": 2}}
    assert rooms.get(shallow=True) == {"a": True, "b": True, "c": True}
    assert rooms.child("a/n").get() == rooms.child("a").child("n").get() == 1
    assert rooms.child("nothing").get() is None and rooms.child("nothing").get(etag=True) == (None, "null_etag")
    assert rooms.parent.get()["rooms"]["b"] == {"n": 3}


def test_writing(rooms):
    pushed = rooms.push({"n": 9})
    assert len(pushed.key) == 20 and pushed.get() == {"n": 9}
    assert rooms.push().get() == ""
    keys = [rooms.push(number).key for number in range(20)]
    assert keys == sorted(keys)
    rooms.update({"a/n": 5, "b": None, "d/e/f": True})
    assert rooms.get()["a"] == {"n": 5, "t": "x"} and rooms.child("d").get() == {"e": {"f": True}}
    assert rooms.child("b").get() is None
    rooms.child("a").delete()
    assert rooms.child("a").get() is None
    rooms.set([1, 2, 3])
    assert rooms.get() == [1, 2, 3]
    rooms.set({"time": {".sv": "timestamp"}, "count": {".sv": {"increment": 2}}})
    assert rooms.get()["count"] == 2 and rooms.get()["time"] > 1_700_000_000_000


def test_etags(rooms):
    value, etag = rooms.get(etag=True)
    assert rooms.get_if_changed(etag) == (False, None, None)
    assert rooms.set_if_unchanged(etag, {"new": 1})[:2] == (True, {"new": 1})
    unchanged, present, newer = rooms.set_if_unchanged(etag, {"new": 2})
    assert (unchanged, present) == (False, {"new": 1}) and newer != etag
    assert rooms.get_if_changed(etag) == (True, {"new": 1}, newer)
    assert rooms.set_if_unchanged(newer, {"new": 3})[0]


def test_transactions(rooms):
    calls = []

    def add(value):
        calls.append(value)
        if len(calls) == 1:
            # Another client writes between the transaction's read and its write.
            rooms.child("a/n").set(10)
        return (value or 0) + 1

    assert rooms.child("a/n").transaction(add) == 11 and calls == [1, 10]
    assert rooms.child("new").transaction(lambda value: "first" if value is None else value) == "first"
    with pytest.raises(db.TransactionAbortedError):
        rooms.child("a/n").transaction(lambda value: (rooms.child("a/n").set(value + 1), value)[1])


def test_queries(rooms):
    rooms.update({str(number): {"n": number * 10, "t": "y"} for number in range(20)})
    rooms.child("z").set("leaf")
    assert list(rooms.order_by_child("n").limit_to_last(2).get()) == ["18", "19"]
    assert list(rooms.order_by_child("n").limit_to_first(2).get()) == ["z", "0"]
    assert list(rooms.order_by_child("n").start_at(3).end_at(20).get()) == ["b", "1", "2"]
    assert list(rooms.order_by_child("n").equal_to(2).get()) == ["c"]
    assert list(rooms.order_by_key().start_at("a").end_at("c").get()) == ["a", "b", "c"]
    assert list(rooms.order_by_child("t").equal_to("x").get()) == ["a"]
    scores = rooms.parent.child("scores")
    scores.set({"p": 3, "q": 1, "r": 2})
    assert scores.order_by_value().limit_to_last(2).get() == {"r": 2, "p": 3}


def test_listening(rooms):
    events = queue.Queue()
    registration = rooms.child("a").listen(events.put)
    try:
        first = events.get(timeout=30)
        assert (first.event_type, first.path, first.data) == ("put", "/", {"n": 1, "t": "x"})
        rooms.child("a/n").set(2)
        rooms.child("b/n").set(7)
        rooms.update({"a/n": 3, "a/t": "z", "c": None})
        rooms.child("a").update({"n": 4, "u/v": True})
        rooms.child("a").delete()
        seen = []
        while not seen or seen[-1] != ("put", "/", None):
            event = events.get(timeout=30)
            seen.append((event.event_type, event.path, event.data))
        assert seen == [
            ("put", "/n", 2), ("put", "/n", 3), ("put", "/t", "z"), ("patch", "/", {"n": 4, "u/v": True}), ("put", "/", None),
        ]
    finally:
        # The SDK's thread notices that it is closed at the next event.
        closing = threading.Thread(target=registration.close)
        closing.start()
        rooms.child("a").set("the last event")
        closing.join(40)


def test_a_narrowed_administrator(app):
    name = app.options.get("databaseURL").split("=")[1]
    rest = Rest(name)
    rest.set_rules({"mine": {"$uid": {".read": "auth.uid == $uid", ".write": "auth.uid == $uid"}}, "open": {".read": True}})
    for override, allowed in [({"uid": "alice"}, True), ({"uid": "bob"}, False), (None, False)]:
        options = {**app.options._options, "databaseAuthVariableOverride": override}
        narrow = firebase_admin.initialize_app(Anonymous(), options, name=uuid.uuid4().hex)
        try:
            mine = db.reference("mine/alice", narrow)
            if allowed:
                mine.set(1)
                assert mine.get() == 1
            else:
                with pytest.raises(firebase_admin.exceptions.UnauthenticatedError, match="Permission denied"):
                    mine.get()
                with pytest.raises(firebase_admin.exceptions.UnauthenticatedError, match="Permission denied"):
                    mine.set(2)
            assert db.reference("open", narrow).get() is None
        finally:
            firebase_admin.delete_app(narrow)
