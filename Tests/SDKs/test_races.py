"""A write at the same time as a new listener's request is in the listener's first snapshot or in a
later one. It is never lost.

`make soak` runs ten thousand races. This test runs some hundred.
With a data folder commits are written
in groups.
"""

import os
import random
import uuid

import grpc
import pytest
from firestore.emulator import Emulator
from firestore.listening import Stream, is_snapshot
from google.cloud.firestore_v1.types import firestore

Commit = firestore.CommitRequest.pb()
CommitResponse = firestore.CommitResponse.pb()
RACES = int(os.environ.get("RACES", "300"))
# The number of races on one stream, one after the other.
EACH = 50


@pytest.fixture(params=["memory", "data"])
def address(request, tmp_path):
    if request.param == "memory":
        return os.environ["FIRESTORE_EMULATOR_HOST"]
    return Emulator(tmp_path / "data").address


def test_no_update_is_lost(address):
    database = f"projects/demo-test/databases/races-{uuid.uuid4().hex[:12]}"
    with grpc.insecure_channel(address) as channel:
        commit = channel.unary_unary(
            "/google.firestore.v1.Firestore/Commit",
            Commit.SerializeToString,
            CommitResponse.FromString,
        )
        for start in range(0, RACES, EACH):
            stream = Stream(channel, database)
            # This request makes sure that the stream exists before the race begins.
            stream.collection(1, "elsewhere")
            stream.snapshot()
            for number in range(start, min(start + EACH, RACES)):
                race(number, stream, commit)
            stream.close()


def race(number, stream, commit):
    """Writes twice while a target is added, and waits until the listener has the second write."""
    target = 2 + number % EACH
    collection = f"c{number}"
    writes = [write(stream.database, collection, value) for value in (1, 2)]
    begun = []
    steps = [lambda: begun.append(commit.future(writes[0])), lambda: stream.collection(target, collection)]
    if random.random() < 0.5:
        steps.reverse()
    for step in steps:
        step()
    begun[0].result()
    last = commit.future(writes[1])
    known, shown = None, None
    while shown != 2:
        response = stream.next()
        if response.HasField("document_change"):
            known = response.document_change.document.fields["v"].integer_value
        elif is_snapshot(response):
            shown = known
    last.result()
    stream.remove(target)


def write(database, collection, value):
    request = Commit(database=database)
    document = request.writes.add().update
    document.name = f"{database}/documents/{collection}/d"
    document.fields["v"].integer_value = value
    return request
