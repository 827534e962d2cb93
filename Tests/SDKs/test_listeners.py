"""Google's own client listens to documents, queries and collection groups, also over broken
connections."""

import os
import uuid

import grpc
import pytest
from firestore.emulator import Emulator
from firestore.listening import Change, Road, Stream, Watching, documents
from google.cloud import firestore

CONDITION = firestore.FieldFilter


@pytest.fixture
def database():
    return f"listeners-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def client(database):
    return firestore.Client(project="demo-test", database=database)


@pytest.fixture
def channel():
    with grpc.insecure_channel(os.environ["FIRESTORE_EMULATOR_HOST"]) as channel:
        yield channel


@pytest.fixture
def stream(channel, database):
    stream = Stream(channel, f"projects/demo-test/databases/{database}")
    yield stream
    stream.close()


def test_document(client):
    rome = client.document("cities/rome")
    with Watching(rome) as watching:
        watching.until(lambda found: found == [])
        rome.set({"people": 1})
        rome.set({"people": 2})
        watching.until(lambda found: [each.get("people") for each in found] == [2])
        rome.delete()
        watching.until(lambda _: ("REMOVED", "rome") in watching.changes())
        kinds = [kind for kind, _ in watching.changes()]
        assert kinds == ["ADDED", "MODIFIED", "REMOVED"]


def test_query(client):
    cities = client.collection("cities")
    for name, people in {"rome": 28, "oslo": 7, "bari": 3}.items():
        cities.document(name).set({"people": people})
    query = cities.where(filter=CONDITION("people", ">", 5)).order_by("people")
    with Watching(query) as watching:
        watching.ids("oslo", "rome")
        cities.document("bari").update({"people": 50})
        watching.ids("oslo", "rome", "bari")
        cities.document("rome").update({"people": 1})
        watching.ids("oslo", "bari")
        cities.document("rome").update({"people": 2})
        cities.document("oslo").delete()
        watching.ids("bari")
        assert len(watching.snapshots) == 4


def test_window(client):
    cities = client.collection("cities")
    for number in range(5):
        cities.document(f"c{number}").set({"rank": number})
    with Watching(cities.order_by("rank").limit(2)) as watching:
        watching.ids("c0", "c1")
        cities.document("c0").delete()
        watching.ids("c1", "c2")
        cities.document("new").set({"rank": 1.5})
        watching.ids("c1", "new")


def test_last_of_a_query(client):
    cities = client.collection("cities")
    for number in range(5):
        cities.document(f"c{number}").set({"rank": number})
    # The order that limit_to_last requests from the server. The client shows it in ascending order
    # anyway.
    with Watching(cities.order_by("rank", direction="DESCENDING").limit(2)) as watching:
        watching.ids("c3", "c4")
        cities.document("c5").set({"rank": 5})
        watching.ids("c4", "c5")
        cities.document("c4").delete()
        watching.ids("c3", "c5")


def test_collection_group(client):
    client.document("chats/a/messages/1").set({"text": "ciao"})
    with Watching(client.collection_group("messages")) as watching:
        watching.ids("1")
        client.document("chats/b/messages/2").set({"text": "hello"})
        client.document("chats/b/notes/3").set({"text": "not a message"})
        client.document("chats/c/messages/4").set({"text": "hey"})
        watching.ids("1", "2", "4")


def test_broken_connection(client, database, monkeypatch):
    cities = client.collection("cities")
    for name in ("oslo", "rome"):
        cities.document(name).set({"people": 1})
    with Road(os.environ["FIRESTORE_EMULATOR_HOST"]) as road:
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", road.address)
        far_away = firestore.Client(project="demo-test", database=database)
        with Watching(far_away.collection("cities")) as watching:
            watching.ids("oslo", "rome")
            road.cut()
            cities.document("bari").set({"people": 1})
            cities.document("rome").delete()
            watching.ids("bari", "oslo")
            changes = watching.changes()
            assert sorted(changes[2:]) == [("ADDED", "bari"), ("REMOVED", "rome")]


def test_data_that_stays(database, monkeypatch, tmp_path):
    emulator = Emulator(tmp_path / "data")
    with Road(emulator.address) as road:
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", road.address)
        cities = firestore.Client(project="demo-test", database=database).collection("cities")
        for number in range(4):
            cities.document(f"c{number}").set({"rank": number})
        with Watching(cities.order_by("rank").limit(2)) as watching:
            watching.ids("c0", "c1")
            cities.document("c0").delete()
            watching.ids("c1", "c2")
            emulator.kill()
            emulator = Emulator(tmp_path / "data")
            road.lead_to(emulator.address)
            cities.document("c1").delete()
            watching.ids("c2", "c3")
            assert watching.changes()[2:4] == [("REMOVED", "c0"), ("ADDED", "c2")]
            assert sorted(watching.changes()[4:]) == [("ADDED", "c3"), ("REMOVED", "c1")]


def test_resuming(client, channel, stream):
    cities = client.collection("cities")
    for name in ("rome", "oslo"):
        cities.document(name).set({"people": 1})
    stream.collection(2, "cities")
    token = stream.snapshot()[-1].target_change.resume_token
    cities.document("rome").delete()
    cities.document("bari").set({"people": 1})
    again = Stream(channel, stream.database)
    again.collection(4, "cities", resume_token=token)
    said = again.snapshot()
    assert documents(said) == ["bari"]
    assert [each.document_delete.document[-4:] for each in said if each.HasField("document_delete")]
    assert all(
        each.target_change.target_change_type != Change.RESET
        for each in said
        if each.HasField("target_change")
    )
    again.close()


def test_rejected_target(stream):
    stream.collection(2, "cities")
    stream.snapshot()
    stream.collection(4, "__bad__")
    assert stream.next().target_change.target_change_type == Change.ADD
    refused = stream.next().target_change
    assert refused.target_change_type == Change.REMOVE and refused.cause.code == 3
    stream.collection(4, "cities")
    assert stream.snapshot()


@pytest.mark.parametrize("target", [-1, 2])
def test_protocol_error(stream, target):
    stream.collection(2, "cities")
    stream.snapshot()
    stream.collection(target, "cities")
    with pytest.raises(grpc.RpcError) as error:
        stream.next()
    assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_half_close(stream):
    stream.collection(2, "cities")
    stream.snapshot()
    stream.requests.put(None)
    assert stream.next() is None
    assert stream.call.code() == grpc.StatusCode.OK
