"""Explained queries, as raw requests. Google's emulator ignores the request for an explanation."""

import os

import pytest
from firestore.case import PROJECT
from firestore.values import collection, fields, order, where
from firestore.wire import Server

ROOT = f"projects/{PROJECT}/databases/explain-{os.getpid()}/documents"
# The number of documents, which don't fit into one response.
DOCUMENTS = 70
COUNT = {"alias": "count", "count": {}}
SUM = {"alias": "sum", "sum": {"field": {"fieldPath": "b"}}}
AVERAGE = {"alias": "average", "avg": {"field": {"fieldPath": "b"}}}
OTHER = {"alias": "other", "avg": {"field": {"fieldPath": "z"}}}
EVERYTHING = collection("c")
ODD = collection("c", where=where("a", "EQUAL", 1))
POSITIVE = collection("c", where=where("a", "GREATER_THAN", 0))
DESCENDING = collection("c", orderBy=order("-a"))


@pytest.fixture(scope="module")
def server():
    server = Server(os.environ["FIRESTORE_EMULATOR_HOST"])
    writes = [
        {"update": {"name": f"{ROOT}/c/{number:02}", "fields": fields({"a": number % 2, "b": number})}}
        for number in range(DOCUMENTS)
    ]
    server.ask("Commit", {"database": ROOT.removesuffix("/documents"), "writes": writes})
    yield server
    server.close()


@pytest.fixture(params=["gRPC", "REST"])
def ask(server, request):
    return server.ask if request.param == "gRPC" else server.ask_rest


@pytest.mark.parametrize("analyze", [False, True])
@pytest.mark.parametrize(
    "query, aggregations, index",
    [
        (EVERYTHING, [COUNT], "(__name__ ASC)"),
        (EVERYTHING, [SUM], "(b ASC, __name__ ASC)"),
        (EVERYTHING, [AVERAGE], "(b ASC, __name__ ASC)"),
        (EVERYTHING, [COUNT, SUM, AVERAGE], "(b ASC, __name__ ASC)"),
        (EVERYTHING, [SUM, OTHER], "(b ASC, z ASC, __name__ ASC)"),
        (EVERYTHING | {"limit": 2}, [SUM], "(b ASC, __name__ ASC)"),
        (ODD, [COUNT], "(a ASC, __name__ ASC)"),
        (ODD, [AVERAGE], "(a ASC, b ASC, __name__ ASC)"),
        (POSITIVE, [SUM], "(a ASC, b ASC, __name__ ASC)"),
        (DESCENDING, [SUM], "(a DESC, b DESC, __name__ DESC)"),
    ],
)
def test_an_aggregation_names_the_index_of_its_fields(ask, query, aggregations, index, analyze):
    (answer,) = ask(
        "RunAggregationQuery",
        {
            "parent": ROOT,
            "structuredAggregationQuery": {"structuredQuery": query, "aggregations": aggregations},
            "explainOptions": {"analyze": analyze},
        },
    )
    metrics = answer["explainMetrics"]
    assert [each["properties"] for each in metrics["planSummary"]["indexesUsed"]] == [index]
    assert ("executionStats" in metrics) == ("result" in answer) == analyze


@pytest.mark.parametrize("count", [1, 2, 32, 33, 64, 65, DOCUMENTS])
def test_the_last_document_comes_with_the_metrics(ask, count):
    answers = ask(
        "RunQuery",
        {
            "parent": ROOT,
            "structuredQuery": EVERYTHING | {"limit": count},
            "explainOptions": {"analyze": True},
        },
    )
    names = [answer["document"]["name"].split("/")[-1] for answer in answers]
    assert names == [f"{number:02}" for number in range(count)]
    assert ["explainMetrics" in answer for answer in answers] == [False] * (count - 1) + [True]
    assert answers[-1]["explainMetrics"]["executionStats"]["resultsReturned"] == str(count)


@pytest.mark.parametrize(
    "query, analyze", [(EVERYTHING, False), (collection("absent"), False), (collection("absent"), True)]
)
def test_without_documents_the_metrics_come_alone(ask, query, analyze):
    (answer,) = ask(
        "RunQuery",
        {"parent": ROOT, "structuredQuery": query, "explainOptions": {"analyze": analyze}},
    )
    assert "document" not in answer
    assert ("executionStats" in answer["explainMetrics"]) == analyze
