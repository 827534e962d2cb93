"""Writes whose events are compared. Every case has its own collection, named by the case's number.
"""

import json

from firestore.case import DATABASE, ROOT
from firestore.values import Instant, Point, Reference, fields

NAN = float("nan")
INFINITY = float("inf")
OTHER = "projects/demo-test/databases/other"

EVERYTHING = {
    "null": None,
    "boolean": True,
    "integer": 2**63 - 1,
    "double": -2.0,
    "small": 5e-324,
    "nan": NAN,
    "infinite": -INFINITY,
    "time": Instant("2020-01-02T03:04:05.678901Z"),
    "text": 'Ciao, "tè"? 😀\n',
    "bytes": b"\x00\xff",
    "reference": Reference(f"{ROOT}/a/b"),
    "point": Point((45.5, -9.25)),
    "array": [1, "two", {"three": [None]}],
    "map": {"a": {"b": {"c": 1}}, "x.y": 3, "ü": 4},
    "empty array": [],
    "empty map": {},
}


def name(path="HERE/a"):
    return f"{ROOT}/{path}"


def put(plain, path="HERE/a", **more):
    """Returns a write of a document. `HERE` is the case's collection."""
    return {"update": {"name": name(path), "fields": fields(plain)}, **more}


def mask(*paths):
    return {"updateMask": {"fieldPaths": list(paths)}}


def delete(path="HERE/a"):
    return {"delete": name(path)}


def transform(*each):
    """Returns a write that only transforms."""
    return put({}, **mask(), updateTransforms=list(each))


def commit(*writes, **more):
    return "Commit", {"database": DATABASE, "writes": list(writes), **more}


def added(path, amount):
    return {"fieldPath": path, "increment": amount}


def values(*plain):
    return {"values": [fields({"v": each})["v"] for each in plain]}


CASES = {
    "create an empty document": [commit(put({}))],
    "create with every type": [commit(put(EVERYTHING))],
    "create by a masked set": [commit(put({"a": 1, "b": 2}, **mask("a")))],
    "create by createDocument": [
        (
            "CreateDocument",
            {
                "parent": ROOT,
                "collectionId": "HERE",
                "documentId": "a",
                "document": {"fields": fields({"a": 1})},
            },
        )
    ],
    "overwrite": [commit(put({"a": 1, "b": 2})), commit(put({"b": 3, "c": 4}))],
    "update one field": [commit(put({"a": 1, "b": 2})), commit(put({"a": 3}, **mask("a")))],
    "update by updateDocument": [
        commit(put({"a": 1, "b": 2})),
        (
            "UpdateDocument",
            {"document": {"name": name(), "fields": fields({"a": 3})}, **mask("a")},
        ),
    ],
    "update a nested field": [
        commit(put({"m": {"a": {"b": 1, "c": 2}}, "n": 1})),
        commit(put({"m": {"a": {"b": 3}}}, **mask("m.a.b"))),
    ],
    "update names that need quotes": [
        commit(put({"x.y": {"b`c": 1}, "ü": 1, "a-b": {"c\\d": 1}, "n": 1})),
        commit(put({"x.y": {"b`c": 2}, "ü": 2, "a-b": {"c\\d": 2}, "n": 1})),
    ],
    "remove a field": [commit(put({"a": 1, "b": 2})), commit(put({}, **mask("a")))],
    "remove a nested field": [
        commit(put({"m": {"a": 1, "b": 2}})),
        commit(put({"m": {}}, **mask("m.a"))),
    ],
    "change within an array": [
        commit(put({"l": [{"a": 1}, 2]})),
        commit(put({"l": [{"a": 3}, 2]})),
    ],
    "a map becomes a text": [commit(put({"m": {"a": 1}})), commit(put({"m": "text"}))],
    "an integer becomes the same double": [commit(put({"n": 1})), commit(put({"n": 1.0}))],
    "zero becomes minus zero": [commit(put({"n": 0.0})), commit(put({"n": -0.0}))],
    "null instead of nothing": [commit(put({})), commit(put({"n": None}))],
    "an empty map instead of nothing": [commit(put({})), commit(put({"m": {}, "l": []}))],
    "the same again": [commit(put({"a": 1})), commit(put({"a": 1}))],
    "the same of every type": [commit(put(EVERYTHING)), commit(put(EVERYTHING))],
    "the same by a mask": [commit(put({"a": 1})), commit(put({"a": 1}, **mask("a")))],
    "a set of nothing by a mask": [commit(put({"a": 1})), commit(put({}, **mask("b")))],
    "a transform that changes nothing": [
        commit(put({"n": 1, "l": [1]})),
        commit(
            transform(
                added("n", {"integerValue": "0"}),
                {"fieldPath": "l", "appendMissingElements": values(1)},
            )
        ),
    ],
    "transforms": [
        commit(put({"n": 1, "d": 1.5, "l": [1, 2], "m": {"n": 1}})),
        commit(
            transform(
                added("n", {"integerValue": "2"}),
                added("m.n", {"doubleValue": 0.5}),
                {"fieldPath": "d", "maximum": {"doubleValue": 2.5}},
                {"fieldPath": "l", "removeAllFromArray": values(1)},
            )
        ),
    ],
    "a server's time": [
        commit(put({"a": 1})),
        commit(transform({"fieldPath": "at", "setToServerValue": "REQUEST_TIME"})),
    ],
    "a transform that creates": [commit(transform(added("n", {"integerValue": "2"})))],
    "delete": [commit(put({"a": 1})), commit(delete())],
    "delete by deleteDocument": [commit(put({"a": 1})), ("DeleteDocument", {"name": name()})],
    "delete what isn't there": [commit(delete())],
    "delete and create again": [commit(put({"a": 1})), commit(delete()), commit(put({"a": 1}))],
    "create and delete in one commit": [commit(put({"a": 1}), delete())],
    "delete and create in one commit": [
        commit(put({"a": 1, "b": 1})),
        commit(delete(), put({"a": 2})),
    ],
    "delete and create the same in one commit": [
        commit(put({"a": 1})),
        commit(delete(), put({"a": 1})),
    ],
    "two writes to a new document": [commit(put({"a": 1}), put({"a": 2}))],
    "two writes to one document": [
        commit(put({"a": 1, "b": 1})),
        commit(put({"a": 2}, **mask("a")), put({"b": 2}, **mask("b"))),
    ],
    "there and back in one commit": [
        commit(put({"a": 1})),
        commit(put({"a": 2}), put({"a": 1})),
    ],
    "three documents in one commit": [
        commit(put({"n": 1}, "HERE/a"), put({"n": 2}, "HERE/b"), put({"n": 3}, "HERE/a/sub/c"))
    ],
    "a precondition that is not met": [commit(put({"a": 1}, currentDocument={"exists": True}))],
    "a transaction": [
        ("BeginTransaction", {"database": DATABASE}),
        commit(put({"a": 1}), transaction="<0.transaction>"),
    ],
    "a transaction that is rolled back": [
        ("BeginTransaction", {"database": DATABASE}),
        ("Rollback", {"database": DATABASE, "transaction": "<0.transaction>"}),
    ],
    "batchWrite, half of which is refused": [
        (
            "BatchWrite",
            {
                "database": DATABASE,
                "writes": [put({"a": 1}), put({"a": 1}, "HERE/b", currentDocument={"exists": True})],
            },
        )
    ],
    "an id with a space": [commit(put({"a": 1}, "HERE/a b"))],
    "an id with a percent sign": [commit(put({"a": 1}, "HERE/100%25"))],
    "an id with quotes": [commit(put({"a": 1}, 'HERE/a"b'))],
    "an id of other letters": [commit(put({"a": 1}, "HERE/tè-日本-😀"))],
    "an id with signs": [commit(put({"a": 1}, "HERE/~!@#$^&*()+={}[]|;:'<>,.?"))],
    "a path of many segments": [commit(put({"a": 1}, "HERE/a/b/c/d/e/f/g"))],
    "a numeric id": [commit(put({"a": 1}, "HERE/__id7__"))],
    "another database": [
        ("Commit", json.loads(json.dumps(commit(put({"a": 1}))[1]).replace(DATABASE, OTHER)))
    ],
}
# The names of the cases in which the server refuses a step.
REFUSED = {"a precondition that is not met"}
# The patterns of further triggers, and the documents that are created for them.
PATTERNS = {
    "one": "conversations/{c}",
    "two-stars": "*/*",
    "deep": "conversations/**",
    "rest": "conversations/{rest=**}",
    "middle": "conversations/{any=**}/m1",
    "prefix": "conversations/c*",
    "suffix": "conversations/*1",
    "inside": "conversations/c*1",
    "captured-collection": "conversations/{c}/{sub}/{m}",
    "literal": "conversations/c1",
    "id-of-any": "*/c1",
}
PATTERN_PATHS = [
    "conversations/c1",
    "conversations/c21",
    "conversations/x1",
    "conversations/c1/messages/m1",
    "conversations/c1/messages/m1/parts/p1",
    "rooms/c1",
    "rooms/x1",
]
