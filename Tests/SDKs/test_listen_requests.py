"""Raw Listen requests, answered by Google's emulator and by ours: read times and target numbers."""

import contextlib
import datetime
import os

import grpc
import pytest
from firestore.case import PROJECT, update
from firestore.listening import Change, ListenRequest, Stream, is_snapshot
from firestore.wire import Server
from google.protobuf import json_format

DATABASE = f"projects/{PROJECT}/databases/listen-{os.getpid()}"
NAME = f"{DATABASE}/documents/c/a"
DOCUMENTS = {"documents": {"documents": [NAME]}}
QUERY = {
    "query": {
        "parent": f"{DATABASE}/documents",
        "structuredQuery": {"from": [{"collectionId": "c"}]},
    }
}
TARGETS = {"documents": DOCUMENTS, "query": QUERY}


class Side:
    """A server with one document. It gets the requests of each test on a new stream."""

    def __init__(self, address):
        self.server = Server(address)
        write = update("c/a", {"n": 1})
        write["update"]["name"] = NAME
        (answer,) = self.server.ask("Commit", {"database": DATABASE, "writes": [write]})
        self.written = answer["commitTime"]

    def answers(self, *requests):
        """Returns the responses to each request up to the next snapshot as texts, and how the
        stream ended."""
        with contextlib.closing(Stream(self.server.channel, DATABASE)) as stream:
            said = []
            for request in requests:
                message = json_format.ParseDict({"database": DATABASE, **request}, ListenRequest())
                stream.requests.put(message)
                try:
                    said += self.until_snapshot(stream)
                except grpc.RpcError as error:
                    return [*said, f"error {error.code().name}"]
            return said

    @staticmethod
    def until_snapshot(stream):
        said = []
        while True:
            response = stream.next()
            said.append(words(response))
            change = response.target_change
            if is_snapshot(response) or change.target_change_type == Change.REMOVE:
                return said


def words(response):
    if response.HasField("document_change"):
        change = response.document_change
        return f"document {change.document.name.split('/')[-1]} {list(change.target_ids)}"
    change = response.target_change
    kind = Change.TargetChangeType.Name(change.target_change_type)
    return f"{kind} {list(change.target_ids)} {change.cause.code or ''}".strip()


def add(target, number, **more):
    return {"addTarget": {**target, "targetId": number, **more}}


def after_now(**duration):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(**duration)).strftime("%Y-%m-%dT%H:%M:%S")


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize(
    "time",
    [
        "1970-01-01T00:00:00Z",
        "1970-01-01T00:00:00.000000001Z",
        "2020-01-01T00:00:00.123456789Z",
        # A bundle's time has nanoseconds, and comes from another machine's clock.
        f"{after_now(seconds=-60)}.123456789Z",
        f"{after_now(hours=-2)}Z",
        f"{after_now(hours=1)}.123456789Z",
    ],
    # The workers collect the tests at different times, and need the same names.
    ids=["epoch", "epoch-nanosecond", "2020", "a-minute-ago", "two-hours-ago", "in-an-hour"],
)
def test_an_unknown_read_time_resets(sides, target, time):
    google, ours = (side.answers(add(target, 2, readTime=time)) for side in sides)
    assert google == ours == ["ADD [2]", "RESET [2]", "document a [2]", "CURRENT [2]", "NO_CHANGE []"]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_known_read_time_sends_no_documents(sides, target):
    google, ours = (side.answers(add(target, 2, readTime=side.written)) for side in sides)
    # Google's emulator sends everything again.
    assert google == ["ADD [2]", "RESET [2]", "document a [2]", "CURRENT [2]", "NO_CHANGE []"]
    assert ours == ["ADD [2]", "CURRENT [2]", "NO_CHANGE []"]


@pytest.mark.parametrize(
    "requests",
    [
        [add(QUERY, 0)],
        [add(QUERY, 0), add(DOCUMENTS, 0)],
        [add(QUERY, 1), add(DOCUMENTS, 0)],
        [add(QUERY, 0), {"removeTarget": 1}],
        [add(QUERY, 5), {"removeTarget": 5}, add(QUERY, 0)],
    ],
    ids=["one", "two", "after the client's own", "and removes it", "after one that is gone"],
)
def test_the_server_numbers_targets_without_a_number(sides, requests):
    google, ours = (side.answers(*requests) for side in sides)
    assert google == ours


def test_a_clients_number_after_a_servers_ends_the_stream(sides):
    google, ours = (side.answers(add(QUERY, 0), add(QUERY, 1)) for side in sides)
    # Google's emulator reports an unknown error.
    assert google[:-1] == ours[:-1]
    assert (google[-1], ours[-1]) == ("error UNKNOWN", "error INVALID_ARGUMENT")


def test_a_negative_number_ends_the_stream(sides):
    google, ours = (side.answers(add(QUERY, -1)) for side in sides)
    # Google's emulator reports an unknown error.
    assert (google, ours) == (["error UNKNOWN"], ["error INVALID_ARGUMENT"])
