"""Reads and transactions by hand: single and many documents, lists, times, and closed transactions.
"""

import base64

from firestore.case import DATABASE, ROOT, Case, commit, get, load, name, query, update
from firestore.values import collection, group, order

GARBAGE = base64.b64encode(b"garbage").decode()
LONG_AGO = "2020-01-01T00:00:00Z"
FAR_AHEAD = "2050-01-01T00:00:00Z"
TREE = {
    "c/a": {"n": 1, "m": {"x": 1, "y": 2}},
    "c/b": {"n": 2},
    "c/a/s/x": {"n": 1},
    "c/b/t/u/v/w": {},
    "m/gone/s/y": {},
    "m/here": {"n": 1},
    "é/a": {},
    "Z/a": {},
}
TREE |= {f"many/{number:04}": {"n": number} for number in range(40)}


def batch(*paths, **more):
    return "BatchGetDocuments", {
        "database": DATABASE,
        "documents": [name(path) for path in paths],
        **more,
    }


def listing(path="c", **more):
    return "ListDocuments", {"parent": ROOT, "collectionId": path, **more}


def identifiers(parent="", **more):
    return "ListCollectionIds", {"parent": ROOT + parent, **more}


def begin(**options):
    return "BeginTransaction", {"database": DATABASE, "options": options}


def rollback(transaction):
    return "Rollback", {"database": DATABASE, "transaction": transaction}


def reads():
    """Yields steps that read the tree, by name."""
    for path in ("c/a", "c/absent", "c", "", "m/gone", "c/a/", "c//a"):
        yield f"get {path!r}", [get(path)]
    for paths in ([], ["n"], ["m.x"], ["absent"], ["__name__"], ["a..b"], ["n", "n"], ["__x__"]):
        yield f"get masked {paths}", [get("c/a", mask={"fieldPaths": paths})]
    yield "batch", [batch("c/b", "c/absent", "c/a", "c/b", "c/absent")]
    yield "batch of none", [batch()]
    yield "batch of none that begins", [batch(newTransaction={})]
    yield "batch that begins", [batch("c/a", newTransaction={"readOnly": {}})]
    yield "batch with a mask", [batch("c/a", mask={"fieldPaths": ["m.y"]})]
    yield "batch with a bad mask", [batch("c/a", mask={"fieldPaths": ["a..b"]})]
    yield "batch of a bad name", [batch("c/a", "c")]
    other = {"database": DATABASE, "documents": ["projects/demo-test/databases/other/documents/c/a"]}
    yield "batch of another database", [("BatchGetDocuments", other)]
    yield "batch without a database", [("BatchGetDocuments", {"documents": [name("c/a")]})]
    yield "list", [listing()]
    yield "list nothing", [listing("absent")]
    yield "list with missing ones", [listing("m", showMissing=True)]
    yield "list without missing ones", [listing("m")]
    yield "list missing ones, masked", [listing("m", showMissing=True, mask={})]
    yield "list missing ones in order", [listing("m", showMissing=True, orderBy="n")]
    for clause in ("n desc", "n", "n desc, __name__ desc", "n sideways", "absent", "a..b", " n  asc "):
        yield f"list by {clause!r}", [listing(orderBy=clause)]
    for size in (-1, 0, 1, 2, 3):
        yield f"list {size}", [listing(pageSize=size)]
    yield "list in pages", [
        listing("many", pageSize=15),
        listing("many", pageSize=15, pageToken="<0.nextPageToken>"),
        listing("many", pageSize=15, pageToken="<1.nextPageToken>"),
    ]
    yield "list in pages by a field", [
        listing("many", pageSize=15, orderBy="n desc"),
        listing("many", pageSize=15, orderBy="n desc", pageToken="<0.nextPageToken>"),
    ]
    yield "list missing ones in pages", [
        listing("m", pageSize=1, showMissing=True),
        listing("m", pageSize=1, showMissing=True, pageToken="<0.nextPageToken>"),
    ]
    yield "list from a bad token", [listing(pageToken="garbage")]
    yield "list everything", [listing("many")]
    yield "list no collection", [("ListDocuments", {"parent": ROOT})]
    yield "list a bad collection", [listing("a/b")]
    yield "list below a document", [listing("s", parent=f"{ROOT}/c/a")]
    yield "list below a collection", [listing("s", parent=f"{ROOT}/c")]
    for parent in ("", "/c/a", "/m/gone", "/absent/absent", "/c", "/"):
        yield f"collections of {parent!r}", [identifiers(parent)]
    yield "collections in pages", [
        identifiers(pageSize=3),
        identifiers(pageSize=3, pageToken="<0.nextPageToken>"),
    ]
    yield "collections, less than none", [identifiers(pageSize=-1)]
    yield "collections from a bad token", [identifiers(pageToken="garbage")]
    yield "partitions", [
        (
            "PartitionQuery",
            {
                "parent": ROOT,
                "structuredQuery": group("many", orderBy=order("__name__")),
                "partitionCount": "3",
            },
        )
    ]


def timed():
    """Yields steps that read at a time."""
    one = load({"c/a": {"n": 1}})
    two = load({"c/a": {"n": 2}, "c/b": {"n": 2}})
    then = {"readTime": "<0.commitTime>"}
    reading = {
        "get": [get("c/a", **then)],
        "get what was not": [get("c/b", **then)],
        "batch": [batch("c/a", "c/b", **then)],
        "query": [query(collection("c"), **then)],
        "list": [listing(**then)],
        "collections": [identifiers(**then)],
        "count": [
            (
                "RunAggregationQuery",
                {
                    "parent": ROOT,
                    "structuredAggregationQuery": {
                        "structuredQuery": collection("c"),
                        "aggregations": [{"count": {}}],
                    },
                    **then,
                },
            )
        ],
        "transaction": [
            begin(readOnly=then),
            batch("c/a", "c/b", transaction="<2.transaction>"),
        ],
    }
    for title, steps in reading.items():
        yield f"{title} at a time", [one, two, *steps]
    for moment in (FAR_AHEAD, "1970-01-01T00:00:00Z", "1960-01-01T00:00:00Z"):
        yield f"get at {moment}", [one, get("c/a", readTime=moment)]
        yield f"begin at {moment}", [begin(readOnly={"readTime": moment})]
    yield "begin long ago", [begin(readOnly={"readTime": LONG_AGO})]
    yield "get after a deletion", [
        one,
        commit({"delete": name("c/a")}),
        get("c/a", **then),
        get("c/a"),
    ]
    yield "get before a rebirth", [
        one,
        commit({"delete": name("c/a")}),
        two,
        get("c/a", **then),
        get("c/a"),
    ]


def transactions():
    """Yields steps of transactions, one after the other."""
    there = load({"c/a": {"n": 1}})
    held = {"transaction": "<1.transaction>"}
    reading = {
        "get": get("c/a", **held),
        "batch": batch("c/a", **held),
        "query": query(collection("c"), **held),
        "list": listing(**held),
        "commit": commit(update("c/a", {"n": 2}), **held),
        "empty commit": commit(**held),
        "rollback": rollback("<1.transaction>"),
        "count": (
            "RunAggregationQuery",
            {
                "parent": ROOT,
                "structuredAggregationQuery": {
                    "structuredQuery": collection("c"),
                    "aggregations": [{"count": {}}],
                },
                **held,
            },
        ),
    }
    for title, step in reading.items():
        yield f"{title} in one", [there, begin(), step]
        yield f"{title} after commit", [there, begin(), commit(**held), step]
        yield f"{title} after rollback", [there, begin(), rollback("<1.transaction>"), step]
        yield f"{title} read only", [there, begin(readOnly={}), step]
    yield "a read-only one goes on", [
        there,
        begin(readOnly={}),
        commit(update("c/a", {"n": 2}), **held),
        commit(**held),
    ]
    failing = update("c/absent", {}, currentDocument={"exists": True})
    yield "a failed commit ends one", [
        there,
        begin(),
        commit(failing, **held),
        rollback("<1.transaction>"),
        commit(**held),
    ]
    yield "read then write", [
        there,
        begin(),
        get("c/a", **held),
        commit(update("c/a", {"n": 2}), **held),
        get("c/a"),
    ]
    yield "a snapshot stays", [
        there,
        begin(readOnly={}),
        get("c/a", **held),
        load({"c/a": {"n": 2}}),
        get("c/a", **held),
        query(collection("c"), **held),
        get("c/a"),
    ]
    yield "a retry", [there, begin(), rollback("<1.transaction>"), begin(readWrite={"retryTransaction": "<1.transaction>"}), commit(transaction="<3.transaction>")]
    yield "a retry of nothing", [begin(readWrite={"retryTransaction": GARBAGE})]
    yield "garbage committed", [commit(transaction=GARBAGE)]
    yield "garbage read", [get("c/a", transaction=GARBAGE)]
    yield "garbage rolled back", [rollback(GARBAGE)]
    yield "nothing rolled back", [("Rollback", {"database": DATABASE})]
    foreign = {"database": "projects/demo-test/databases/foreign", "options": {}}
    yield "a foreign one", [
        there,
        ("BeginTransaction", foreign),
        get("c/a", **held),
        commit(**held),
    ]
    for database in ("", "x", "projects/p", "projects/p/databases/", f"{DATABASE}/documents"):
        yield f"begin in {database!r}", [("BeginTransaction", {"database": database})]


def cases():
    for title, steps in reads():
        yield Case(f"read {title}", steps, data="tree")
    for title, steps in timed():
        yield Case(f"time {title}", steps)
    for title, steps in transactions():
        yield Case(f"transaction {title}", steps)
