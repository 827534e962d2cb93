"""A query without its index is refused with the URL at which production creates the index."""

import base64
import json
import re

import pytest
from firestore.emulator import Emulator
from firestore.values import collection, every, group, order, where
from firestore.wire import Server
from google.cloud.firestore_admin_v1.types import Index

CONSOLE = re.compile(
    r"The query requires an index\. You can create it here: "
    r"https://console\.firebase\.google\.com/v1/r/project/demo-test/firestore(?P<database>\S*)/indexes"
    r"\?create_(?P<kind>composite|exemption)=(?P<index>[\w-]+) "
)
ASCENDING, DESCENDING = Index.IndexField.Order.ASCENDING, Index.IndexField.Order.DESCENDING
CONTAINS = Index.IndexField.ArrayConfig.CONTAINS


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    indexes = tmp_path_factory.mktemp("indexes") / "firestore.indexes.json"
    indexes.write_text(json.dumps({"indexes": [], "fieldOverrides": []}))
    emulator = Emulator(options=["--project", "demo-test", "--indexes", str(indexes)])
    Emulator.all.remove(emulator)
    server = Server(emulator.address)
    yield server
    server.close()
    emulator.end()


@pytest.fixture(params=["gRPC", "REST"])
def ask(server, request):
    return server.ask if request.param == "gRPC" else server.ask_rest


def refusal(ask, query, database="(default)", aggregations=()):
    """Returns the database, the index's kind and its definition, decoded from the error's URL."""
    request = {"parent": f"projects/demo-test/databases/{database}/documents"}
    if aggregations:
        aggregated = {"structuredQuery": query, "aggregations": list(aggregations)}
        error = ask("RunAggregationQuery", request | {"structuredAggregationQuery": aggregated})
    else:
        error = ask("RunQuery", request | {"structuredQuery": query})
    assert error.code == "FAILED_PRECONDITION"
    found = CONSOLE.match(error.message)
    assert found, error.message
    text = found["index"]
    index = Index.deserialize(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    return found["database"], found["kind"], index


def fields(index):
    return [(each.field_path, each.array_config or each.order) for each in index.fields]


@pytest.mark.parametrize(
    "query, wanted",
    [
        (
            collection("posts", where=where("author", "EQUAL", "a"), orderBy=order("-created")),
            [("author", ASCENDING), ("created", DESCENDING), ("__name__", DESCENDING)],
        ),
        (
            collection("posts", orderBy=order("a", "-b")),
            [("a", ASCENDING), ("b", DESCENDING), ("__name__", DESCENDING)],
        ),
        (
            collection(
                "posts",
                where=every(where("tags", "ARRAY_CONTAINS", 1), where("n", "GREATER_THAN", 1)),
            ),
            [("tags", CONTAINS), ("n", ASCENDING), ("__name__", ASCENDING)],
        ),
        (
            collection("posts", where=where("`a b`", "EQUAL", 1), orderBy=order("n", "-__name__")),
            [("`a b`", ASCENDING), ("n", ASCENDING), ("__name__", DESCENDING)],
        ),
    ],
)
def test_a_composite_index(ask, query, wanted):
    database, kind, index = refusal(ask, query)
    assert (database, kind) == ("", "composite")
    assert index.name == "projects/demo-test/databases/(default)/collectionGroups/posts/indexes/_"
    assert index.query_scope == Index.QueryScope.COLLECTION
    assert fields(index) == wanted


def test_an_index_of_a_collection_group(ask):
    query = group("posts", where=where("author", "EQUAL", "a"), orderBy=order("created"))
    _, kind, index = refusal(ask, query)
    assert (kind, index.query_scope) == ("composite", Index.QueryScope.COLLECTION_GROUP)


def test_an_index_of_one_field_is_an_exemption(ask):
    _, kind, index = refusal(ask, group("posts", where=where("author", "EQUAL", "a")))
    assert kind == "exemption"
    assert index.name == "projects/demo-test/databases/(default)/collectionGroups/posts/fields/author"
    assert index.query_scope == Index.QueryScope.COLLECTION_GROUP
    assert fields(index) == [("author", ASCENDING)]


@pytest.mark.parametrize(
    "query, kind, wanted",
    [
        (
            collection("posts", where=where("author", "EQUAL", "a")),
            "composite",
            [("author", ASCENDING), ("likes", ASCENDING), ("__name__", ASCENDING)],
        ),
        (
            collection("posts", orderBy=order("-created")),
            "composite",
            [("created", DESCENDING), ("likes", DESCENDING), ("__name__", DESCENDING)],
        ),
        (group("posts"), "exemption", [("likes", ASCENDING)]),
    ],
)
def test_a_sum_needs_an_index_of_its_field(ask, query, kind, wanted):
    total = {"alias": "total", "sum": {"field": {"fieldPath": "likes"}}}
    _, found, index = refusal(ask, query, aggregations=[total])
    assert (found, fields(index)) == (kind, wanted)


def test_a_sum_over_a_whole_collection_needs_no_index(server):
    parent = "projects/demo-test/databases/(default)/documents"
    for each in ({"sum": {"field": {"fieldPath": "likes"}}}, {"count": {}}):
        aggregated = {"structuredQuery": collection("posts"), "aggregations": [each]}
        answer = server.ask(
            "RunAggregationQuery", {"parent": parent, "structuredAggregationQuery": aggregated}
        )
        assert isinstance(answer, list), answer


def test_another_database_is_named(ask):
    database, _, index = refusal(ask, collection("posts", orderBy=order("a", "-b")), "archive")
    assert database == "/databases/archive"
    assert index.name.startswith("projects/demo-test/databases/archive/")
