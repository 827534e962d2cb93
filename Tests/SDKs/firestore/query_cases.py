"""Queries by hand: each operator with each odd operand, orders, cursors, and refused queries."""

from firestore.case import DATABASE, ROOT, Case, query
from firestore.values import (
    Instant,
    Point,
    Reference,
    Vector,
    collection,
    cursor,
    either,
    every,
    group,
    order,
    unary,
    value,
    where,
)

NAN = float("nan")
INFINITY = float("inf")


def document(path):
    return Reference(f"{ROOT}/{path}")


# Every type and the values at which orders go wrong, in collection `c`, with other collections
# around it.
VALUES = {
    "null": None,
    "false": False,
    "true": True,
    "nan": NAN,
    "minus-infinity": -INFINITY,
    "least": -(2**63),
    "minus-one": -1,
    "minus-zero": -0.0,
    "zero": 0,
    "half": 0.5,
    "one": 1,
    "one-double": 1.0,
    "two": 2,
    "2-53-double": float(2**53),
    "2-53": 2**53,
    "2-53-and-1": 2**53 + 1,
    "greatest": 2**63 - 1,
    "2-63-double": float(2**63),
    "infinity": INFINITY,
    "time-old": Instant("1969-12-31T23:59:59.999999Z"),
    "time": Instant("2001-02-03T04:05:06.000007Z"),
    "empty": "",
    "a": "a",
    "ab": "ab",
    "B": "B",
    "e-acute": "é",
    "ffee": "\uffee",
    "emoji": "\U0001f600",
    "no-bytes": b"",
    "bytes": b"\x00\xff",
    "bytes-high": b"\xff",
    "reference": document("c/a"),
    "reference-numeric": document("c/__id7__"),
    "reference-deep": document("c/a/c/z"),
    "reference-elsewhere": Reference("projects/other/databases/(default)/documents/c/a"),
    "point": Point((0.0, 0.0)),
    "point-south": Point((-90.0, 180.0)),
    "no-array": [],
    "array": [1, "a"],
    "array-nan": [1, None, NAN],
    "array-two": [2],
    "vector": Vector((9.0, 9.0)),
    "vector-long": Vector((1.0, 1.0, 1.0)),
    "no-map": {},
    "map": {"a": 1},
    "map-more": {"a": 1, "b": 0},
    "map-b": {"b": 0},
}

MIXED = {f"c/{path}": {"v": plain, "n": number % 4} for number, (path, plain) in enumerate(VALUES.items())}
MIXED |= {
    "c/none": {"n": 1},
    "c/__id7__": {"v": 1, "n": 0},
    "c/__id-5__": {"v": 1, "n": 1},
    "c/10": {"v": "ab", "n": 2, "m": {"x": 1, "y": {"z": 2}}},
    "c/9": {"v": 3, "n": 2, "m": {"x": 2.5, "y z": 1}},
    "c/a/c/z": {"v": 5, "n": 0},
    "c/a/d/q": {"v": 1},
    "x/missing/c/w": {"v": 2, "n": 9},
}
for number, numbers in enumerate([(1, 2), (3, 4), (1, 2, 3), (0, 0), (-1, -2), (1, 2), (2, 1)]):
    MIXED[f"near/{number}"] = {"v": Vector(numbers), "t": number % 3, "dist": "old"}
MIXED |= {"near/array": {"v": [1.0, 2.0], "t": 1}, "near/none": {"t": 1}}
for path, numbers in {
    "overflow": [2**63 - 1, 1],
    "double": [2**63 - 1, 1.0],
    "nan": [NAN, 1],
    "opposite": [INFINITY, -INFINITY],
    "text": ["x", None, 3],
    "halves": [0.5, 0.25, 1],
}.items():
    MIXED |= {f"sum-{path}/{place}": {"n": number, "m": place} for place, number in enumerate(numbers)}

NANOSECONDS = {
    "exact": Instant("2021-05-05T05:05:05.123456Z"),
    "a nanosecond later": Instant("2021-05-05T05:05:05.123456001Z"),
    "nearly a microsecond later": Instant("2021-05-05T05:05:05.123456999Z"),
    "a microsecond later": Instant("2021-05-05T05:05:05.123457Z"),
}
MIXED |= {
    f"times/{number}": {"t": time, "list": [time], "map": {"x": time}, "maps": [{"x": time}], "n": number}
    for number, time in enumerate(NANOSECONDS.values())
}

COMPARISONS = [
    "LESS_THAN",
    "LESS_THAN_OR_EQUAL",
    "GREATER_THAN",
    "GREATER_THAN_OR_EQUAL",
    "EQUAL",
    "NOT_EQUAL",
]
OPERANDS = [
    "null",
    "true",
    "nan",
    "minus-zero",
    "zero",
    "one-double",
    "2-53-double",
    "2-53-and-1",
    "greatest",
    "infinity",
    "time",
    "empty",
    "ffee",
    "bytes",
    "reference",
    "reference-elsewhere",
    "point",
    "no-array",
    "array-nan",
    "vector",
    "no-map",
    "map",
]
LISTS = {
    "null": [None],
    "nan": [NAN],
    "null-one": [None, 1],
    "nan-one": [NAN, 1],
    "zeros": [0, -0.0],
    "array": [[1, "a"]],
    "map": [{"a": 1}],
    "vector": [Vector((9.0, 9.0))],
    "several": ["é", 2, True, document("c/a")],
    "absent": ["no such"],
    "none": [],
    "no-list": "a",
    "ten": list(range(10)),
    "eleven": list(range(11)),
    "thirty": list(range(30)),
    "thirty-one": list(range(31)),
}


def queries():
    """Structured queries over the mixed data, by name."""
    c = lambda **parts: collection("c", **parts)  # noqa: E731
    yield "everything", c()
    for path in ("v", "-v", "n", "-n", "__name__", "-__name__", "m.x", "m.`y z`", "absent"):
        yield f"order {path}", c(orderBy=order(path))
    for paths in (("n", "v"), ("-n", "v"), ("n", "-__name__"), ("-n", "__name__"), ("v", "v")):
        yield f"order {' '.join(paths)}", c(orderBy=order(*paths))
    yield "order after the name", c(orderBy=order("__name__", "n"))
    yield "order without a direction", c(orderBy=[{"field": {"fieldPath": "n"}}])
    yield "order without a field", c(orderBy=[{}])
    for operator in COMPARISONS:
        for operand in OPERANDS:
            yield f"{operator} {operand}", c(where=where("v", operator, VALUES[operand]))
    for operator in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY"):
        for operand, values in LISTS.items():
            yield f"{operator} {operand}", c(where=where("v", operator, values))
    for operand in ("null", "nan", "one-double", "a", "array", "map", "minus-zero"):
        yield f"ARRAY_CONTAINS {operand}", c(where=where("v", "ARRAY_CONTAINS", VALUES[operand]))
    for operator in ("IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN", "OPERATOR_UNSPECIFIED"):
        yield operator, c(where=unary("v", operator))
        yield f"{operator} ordered", c(where=unary("v", operator), orderBy=order("-n"))
    yield "IS_NULL of the name", c(where=unary("__name__", "IS_NULL"))
    yield from names(c)
    yield from composites(c)
    yield from equal_names(c)
    yield from cursors(c)
    yield from sources()
    yield from projections(c)
    yield from field_paths(c)
    for limit in (0, 1, 1000, -1):
        yield f"limit {limit}", c(limit=limit)
    for offset in (0, 3, 1000, -1):
        yield f"offset {offset}", c(offset=offset, limit=2)
    yield from nearest()
    yield from nanoseconds()


def nanoseconds():
    """Timestamps finer than stored ones, alone and inside of other operands."""
    for title, time in NANOSECONDS.items():
        times = lambda path, operator, operand: collection(  # noqa: E731
            "times", where=where(path, operator, operand)
        )
        for operator in COMPARISONS:
            yield f"time {operator} {title}", times("t", operator, time)
            yield f"list of time {operator} {title}", times("list", operator, [time])
            yield f"map of time {operator} {title}", times("map", operator, {"x": time})
        for operator in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY"):
            yield f"time {operator} {title}", times("t", operator, [time])
            yield f"list of time {operator} {title}", times("list", operator, [[time]])
            yield f"map of time {operator} {title}", times("map", operator, [{"x": time}])
        yield f"array contains time {title}", times("list", "ARRAY_CONTAINS", time)
        yield f"array contains any time {title}", times("list", "ARRAY_CONTAINS_ANY", [time])
        yield f"array contains map of time {title}", times("maps", "ARRAY_CONTAINS", {"x": time})
        for path, operand in {"t": time, "list": [time], "map": {"x": time}}.items():
            for before in (True, False):
                yield f"{path} from time {title} {before}", collection(
                    "times", orderBy=order(path), startAt=cursor(operand, before=before)
                )
                yield f"{path} to time {title} {before}", collection(
                    "times", orderBy=order(path), endAt=cursor(operand, before=before)
                )


def names(c):
    places = {
        "here": document("c/b"),
        "elsewhere": document("other/y"),
        "deep": document("c/a/c/z"),
        "numeric": document("c/__id7__"),
        "another database": Reference("projects/x/databases/(default)/documents/c/a"),
        "no name": Reference("c/a"),
        "a collection": Reference(f"{ROOT}/c"),
        "a database": Reference(ROOT),
        "a text": "a",
        "null": None,
    }
    for place, operand in places.items():
        for operator in ("EQUAL", "GREATER_THAN", "LESS_THAN_OR_EQUAL", "NOT_EQUAL"):
            yield f"name {operator} {place}", c(where=where("__name__", operator, operand))
    several = [document("c/two"), document("c/a"), document("other/y")]
    for operator in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY"):
        yield f"name {operator} list", c(where=where("__name__", operator, several))
    yield "name IN texts", c(where=where("__name__", "IN", ["a"]))
    yield "name ARRAY_CONTAINS", c(where=where("__name__", "ARRAY_CONTAINS", document("c/a")))
    after = where("__name__", "GREATER_THAN", document("c/b"))
    yield "name range descending", c(where=after, orderBy=order("-__name__"))
    yield "name range and other order", c(where=after, orderBy=order("n"))
    yield "name range and field range", c(where=every(after, where("n", "GREATER_THAN", 0)))
    yield "field range ordered by name", c(
        where=where("n", "GREATER_THAN", 0), orderBy=order("__name__")
    )
    yield "equality ordered by name", c(where=where("n", "EQUAL", 1), orderBy=order("-__name__"))
    yield "in ordered by name", c(where=where("n", "IN", [2, 1]), orderBy=order("-__name__"))


def equal_names(c):
    """Equality with a name, combined with comparisons of other fields."""
    here, deep = document("c/two"), document("c/a")
    equal = where("__name__", "EQUAL", here)
    others = {
        "equal": where("n", "EQUAL", 1),
        "less": where("n", "LESS_THAN", 5),
        "at least": where("n", "GREATER_THAN_OR_EQUAL", 0),
        "unequal": where("n", "NOT_EQUAL", 5),
        "not-in": where("n", "NOT_IN", [5]),
        "in": where("n", "IN", [1, 2]),
        "not null": unary("n", "IS_NOT_NULL"),
        "not nan": unary("n", "IS_NOT_NAN"),
        "null": unary("n", "IS_NULL"),
        "contains": where("n", "ARRAY_CONTAINS", 1),
    }
    for title, other in others.items():
        yield f"equal name and {title}", c(where=every(equal, other))
        yield f"equal name or {title}", c(where=either(equal, other))
        yield f"one of two names and {title}", c(
            where=every(where("__name__", "IN", [here, deep]), other)
        )
    ranged = where("__name__", "GREATER_THAN_OR_EQUAL", deep)
    yield "equal name, name range and field range", c(where=every(equal, ranged, others["less"]))
    yield "equal name and another name", c(where=every(equal, where("__name__", "NOT_EQUAL", deep)))
    yield "equal name in a branch", c(
        where=either(every(equal, where("n", "EQUAL", 1)), others["unequal"])
    )
    yield "equal name and branches", c(where=every(equal, either(others["less"], others["equal"])))
    for paths in (("n",), ("n", "__name__"), ("-__name__",)):
        yield f"equal name and unequal order {paths}", c(
            where=every(equal, others["unequal"]), orderBy=order(*paths)
        )


def composites(c):
    above = lambda path, number: where(path, "GREATER_THAN", number)  # noqa: E731
    equal = lambda path, number: where(path, "EQUAL", number)  # noqa: E731
    unequal = lambda path, number: where(path, "NOT_EQUAL", number)  # noqa: E731
    filters = {
        "two ranges": every(above("v", 0), above("n", 1)),
        "two ranges the other way": every(above("n", 1), above("v", 0)),
        "a closed range": every(above("v", 0), where("v", "LESS_THAN_OR_EQUAL", 2)),
        "an impossible range": every(above("v", 2), where("v", "LESS_THAN", 1)),
        "a range across types": every(above("v", 1), where("v", "LESS_THAN", "z")),
        "or of equalities": either(equal("v", 1), equal("n", 2)),
        "or of equal branches": either(equal("v", 1), equal("v", 1.0)),
        "or of ranges": either(above("v", 1), above("n", 1)),
        "or of equality and range": either(equal("n", 1), above("v", 1)),
        "or of null and nan": either(unary("v", "IS_NULL"), unary("v", "IS_NAN")),
        "and of ors": every(either(equal("n", 1), equal("n", 2)), either(equal("v", 1), above("v", 5))),
        "or of ands": either(every(equal("n", 1), equal("v", 1)), every(equal("n", 2), equal("v", 2))),
        "unequal and range": every(unequal("v", 1), above("n", 1)),
        "unequal twice": every(unequal("v", 1), unequal("n", 1)),
        "unequal or range": either(unequal("v", 1), above("n", 2)),
        "unequal and not-in": every(unequal("v", 1), where("n", "NOT_IN", [1])),
        "not null twice": every(unary("v", "IS_NOT_NULL"), unary("n", "IS_NOT_NULL")),
        "not-in and in": every(where("v", "NOT_IN", [1]), where("n", "IN", [1, 2])),
        "not-in and or": every(where("v", "NOT_IN", [1]), either(equal("n", 1), equal("n", 2))),
        "unequal and in": every(unequal("v", 1), where("n", "IN", [1, 2])),
        "in and in": every(where("v", "IN", [1, 2, "a"]), where("n", "IN", [1, 2])),
        "in and in too wide": every(where("v", "IN", list(range(6))), where("n", "IN", list(range(6)))),
        "contains twice": every(where("v", "ARRAY_CONTAINS", 1), where("v", "ARRAY_CONTAINS", 2)),
        "contains in branches": either(
            where("v", "ARRAY_CONTAINS", 1), where("v", "ARRAY_CONTAINS", 2)
        ),
        "contains and any": every(
            where("v", "ARRAY_CONTAINS", 1), where("v", "ARRAY_CONTAINS_ANY", [1])
        ),
        "contains and equal": every(where("v", "ARRAY_CONTAINS", 1), equal("n", 2)),
        "an empty and": every(),
        "an empty or": either(),
        "an and of one": every(equal("n", 1)),
        "an or with an empty and": either(every(), equal("n", 1)),
        "no operator": {"compositeFilter": {"filters": [equal("n", 1)]}},
        "no filter": {},
        "a field filter without operator": {
            "fieldFilter": {"field": {"fieldPath": "n"}, "value": value(1)}
        },
        "a field filter without value": {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "EQUAL"}},
        "a field filter without field": {"fieldFilter": {"op": "EQUAL", "value": value(1)}},
        "a unary filter without field": {"unaryFilter": {"op": "IS_NULL"}},
    }
    for name, filters_ in filters.items():
        yield name, c(where=filters_)
    for name in ("two ranges", "or of equalities", "or of ranges", "unequal and range"):
        for paths in (("n",), ("-v",), ("-n", "v")):
            yield f"{name} order {' '.join(paths)}", c(where=filters[name], orderBy=order(*paths))


def cursors(c):
    for operand in ("null", "nan", "minus-zero", "one", "a", "bytes", "array", "vector", "map"):
        plain = VALUES[operand]
        for path in ("v", "-v"):
            ordered = {"orderBy": order(path)}
            yield f"{path} startAt {operand}", c(**ordered, startAt=cursor(plain, before=True))
            yield f"{path} startAfter {operand}", c(**ordered, startAt=cursor(plain))
            yield f"{path} endAt {operand}", c(**ordered, endAt=cursor(plain))
            yield f"{path} endBefore {operand}", c(**ordered, endAt=cursor(plain, before=True))
    here = document("c/one-double")
    two = [("n", "__name__"), ("-n", "-__name__"), ("n", "-__name__"), ("-n", "__name__")]
    for paths in two:
        yield f"{paths} startAfter document", c(orderBy=order(*paths), startAt=cursor(3, here))
    ordered = {"orderBy": order("n")}
    yield "cursor of a prefix", c(orderBy=order("n", "v"), startAt=cursor(2, before=True))
    yield "cursor with too many values", c(**ordered, startAt=cursor(2, 1))
    yield "cursor without values", c(**ordered, startAt={"before": True})
    yield "cursor after nothing", c(**ordered, startAt={})
    yield "end without values", c(**ordered, endAt={"before": True})
    yield "cursor without an order", c(startAt=cursor(here, before=True))
    yield "cursor of an implicit order", c(where=where("n", "GREATER_THAN", 1), startAt=cursor(2))
    yield "cursor of an unset value", c(**ordered, startAt={"values": [{}]})
    yield "start after end", c(**ordered, startAt=cursor(3), endAt=cursor(1))
    yield "start at end", c(**ordered, startAt=cursor(2, before=True), endAt=cursor(2))
    yield "nothing between", c(**ordered, startAt=cursor(2), endAt=cursor(2, before=True))
    named = {"orderBy": order("__name__")}
    for place, operand in {
        "a document": here,
        "an absent document": document("c/absent"),
        "a deep one": document("c/a/c/z"),
        "another collection": document("d/x"),
        "a text": "a",
        "a number": 5,
    }.items():
        yield f"name startAt {place}", c(**named, startAt=cursor(operand, before=True))
        yield f"name endAt {place}", c(**named, endAt=cursor(operand))
    some = where("n", "IN", [1, 2, 3])
    yield "in with a cursor", c(where=some, **ordered, startAt=cursor(2))
    yield "in with cursor, limit, offset", c(
        where=some, **ordered, startAt=cursor(2, before=True), limit=2, offset=1
    )
    yield "cursor outside the filter", c(
        where=where("n", "GREATER_THAN", 1), **ordered, startAt=cursor("z")
    )


def sources():
    yield "group", group("c")
    yield "group with a filter", group("c", where=where("n", "GREATER_THAN", 1))
    yield "group in order", group("c", orderBy=order("-n"))
    yield "group by name from", group(
        "c", orderBy=order("__name__"), startAt=cursor(document("c/two"), before=True)
    )
    yield "group by name descending", group("c", orderBy=order("-__name__"))
    yield "group name filter", group("c", where=where("__name__", "EQUAL", document("c/a/c/z")))
    yield "kindless", {"limit": 5}
    yield "kindless with a selector", {"from": [{}], "limit": 5}
    everywhere = {"from": [{"allDescendants": True}]}
    yield "kindless everywhere", everywhere
    yield "kindless everywhere by name", everywhere | {"orderBy": order("__name__"), "limit": 9}
    yield "kindless range", everywhere | {
        "where": every(
            where("__name__", "GREATER_THAN_OR_EQUAL", document("c/a")),
            where("__name__", "LESS_THAN", document("c/b")),
        )
    }
    yield "kindless with a filter", everywhere | {"where": where("n", "EQUAL", 1)}
    yield "kindless with an order", everywhere | {"orderBy": order("n")}
    yield "two collections", {"from": [{"collectionId": "c"}, {"collectionId": "d"}]}
    for bad in ("a/b", "__x__", ".", ".."):
        yield f"collection {bad}", collection(bad)
    yield "an absent collection", collection("absent")


def projections(c):
    masks = {
        "nothing": {},
        "the name": {"fields": [{"fieldPath": "__name__"}]},
        "name and field": {"fields": [{"fieldPath": "__name__"}, {"fieldPath": "n"}]},
        "a field twice": {"fields": [{"fieldPath": "n"}, {"fieldPath": "n"}]},
        "an absent field": {"fields": [{"fieldPath": "absent"}]},
        "a nested field": {"fields": [{"fieldPath": "m.x"}, {"fieldPath": "m.`y z`"}]},
        "below a scalar": {"fields": [{"fieldPath": "n.x"}]},
        "a bad path": {"fields": [{"fieldPath": "a..b"}]},
        "an empty path": {"fields": [{}]},
    }
    for name, mask in masks.items():
        yield f"select {name}", c(select=mask, limit=4)


def field_paths(c):
    for path in (
        "`n`",
        "m.`y z`",
        "a.`b",
        "1a",
        "a-b",
        "é",
        "`é`",
        "a[0]",
        ".",
        "a.",
        ".a",
        "",
        "__x__",
        "__x",
        "a.__x__",
        "*",
        "`a\\`b`",
        "``",
    ):
        yield f"path {path!r}", c(where=where(path, "EQUAL", 1))


def nearest():
    base = {
        "vectorField": {"fieldPath": "v"},
        "queryVector": value(Vector((1, 2))),
        "distanceMeasure": "EUCLIDEAN",
        "limit": 10,
    }

    def near(parts, **more):
        search = {key: part for key, part in (base | parts).items() if part is not None}
        return collection("near", findNearest=search, **more)

    for measure in ("EUCLIDEAN", "COSINE", "DOT_PRODUCT"):
        parts = {"distanceMeasure": measure}
        yield f"nearest {measure}", near(parts)
        yield f"nearest {measure} distance", near(parts | {"distanceResultField": "dist"})
        for threshold in (0, 0.1, 2.9, -1, 5):
            yield f"nearest {measure} within {threshold}", near(
                parts | {"distanceThreshold": threshold}
            )
    odd = {
        "limit 0": {"limit": 0},
        "no limit": {"limit": None},
        "limit 2": {"limit": 2},
        "limit 1000": {"limit": 1000},
        "limit 1001": {"limit": 1001},
        "limit -1": {"limit": -1},
        "an array": {"queryVector": value([1.0, 2.0])},
        "a number": {"queryVector": value(1)},
        "nothing": {"queryVector": {}},
        "no dimension": {"queryVector": value(Vector(()))},
        "2048 dimensions": {"queryVector": value(Vector((0,) * 2048))},
        "2049 dimensions": {"queryVector": value(Vector((0,) * 2049))},
        "integers": {"queryVector": value({"__type__": "__vector__", "value": [1, 2]})},
        "zeros": {"queryVector": value(Vector((0, 0))), "distanceMeasure": "COSINE"},
        "no measure": {"distanceMeasure": None},
        "no field": {"vectorField": None},
        "an absent field": {"vectorField": {"fieldPath": "absent"}},
        "a bad field": {"vectorField": {"fieldPath": "a..b"}},
        "a reserved result": {"distanceResultField": "__x__"},
        "a result with a dot": {"distanceResultField": "a.b", "limit": 1},
    }
    for name, parts in odd.items():
        yield f"nearest {name}", near(parts)
    yield "nearest with a filter", near({}, where=where("t", "EQUAL", 1))
    yield "nearest with a range", near({}, where=where("t", "GREATER_THAN", 0))
    yield "nearest with a limit", near({}, limit=1)
    yield "nearest with an offset", near({}, offset=1)
    yield "nearest with an order", near({}, orderBy=order("t"))
    yield "nearest with a projection", near(
        {"distanceResultField": "d"}, select={"fields": [{"fieldPath": "t"}, {"fieldPath": "d"}]}
    )


def aggregations():
    """Bodies of aggregation queries, by name."""
    count = {"count": {}}
    c = collection("c")

    def total(path, function="sum", alias=None):
        named = {"alias": alias} if alias else {}
        return {function: {"field": {"fieldPath": path}}, **named}

    yield "count", c, [count]
    yield "count with an alias", c, [count | {"alias": "all"}]
    yield "counts", c, [count, count]
    yield "equal aliases", c, [count | {"alias": "a"}, count | {"alias": "a"}]
    yield "an alias of another's place", c, [count, count | {"alias": "field_1"}]
    for bound in (0, 2, 1000, -1):
        yield f"count up to {bound}", c, [{"count": {"upTo": str(bound)}}]
    yield "none", c, []
    yield "one without an operator", c, [{"alias": "x"}]
    yield "five", c, [count | {"alias": f"a{n}"} for n in range(5)]
    yield "six", c, [count | {"alias": f"a{n}"} for n in range(6)]
    for path in ("overflow", "double", "nan", "opposite", "text", "halves"):
        source = collection(f"sum-{path}")
        yield f"sum {path}", source, [total("n")]
        yield f"avg {path}", source, [total("n", "avg")]
        yield f"all of {path}", source, [count, total("n"), total("n", "avg")]
    yield "sum of an absent field", c, [total("absent"), total("absent", "avg")]
    yield "sum in an absent collection", collection("absent"), [count, total("n"), total("n", "avg")]
    yield "sum of a nested field", c, [total("m.x")]
    yield "count and sum of a rare field", c, [count, total("m.x")]
    yield "sums of two fields", c, [total("n"), total("m.x", "avg")]
    yield "sum of the name", c, [total("__name__")]
    yield "sum of a bad path", c, [total("a..b")]
    yield "sum of no field", c, [{"sum": {}}]
    yield "a reserved alias", c, [count | {"alias": "__x__"}]
    yield "an alias with a space", c, [count | {"alias": "a b"}]
    yield "count with a filter", collection("c", where=where("n", "GREATER_THAN", 1)), [count]
    yield "count with a limit", collection("c", limit=3), [count]
    yield "count with an offset", collection("c", offset=50), [count]
    yield "count in order", collection("c", orderBy=order("m.x")), [count]
    yield "count from a cursor", collection("c", orderBy=order("n"), startAt=cursor(1)), [count]
    yield "sum with order and limit", collection("c", orderBy=order("-n"), limit=3), [total("n")]
    yield "count of a group", group("c"), [count]
    yield "count of everything", {"from": [{"allDescendants": True}]}, [count]
    yield "count of a bad query", collection("c", limit=-1), [count]
    # No index has fields after the name.
    here = document("c/two")
    equal, after = where("__name__", "EQUAL", here), where("__name__", "GREATER_THAN", here)
    filters = {
        "equal name": equal,
        "later names": after,
        "other names": where("__name__", "NOT_EQUAL", here),
        "one of some names": where("__name__", "IN", [here]),
        "equal name and field": every(equal, where("n", "EQUAL", 1)),
        "later names and field range": every(after, where("n", "GREATER_THAN", 0)),
        "equal name or field": either(equal, where("n", "EQUAL", 1)),
        "a field": where("n", "EQUAL", 1),
    }
    for title, condition in filters.items():
        for paths in ((), ("n",), ("-n",), ("v",), ("__name__",), ("n", "__name__")):
            source = collection("c", where=condition, **({"orderBy": order(*paths)} if paths else {}))
            yield f"sum of {title} order {paths}", source, [total("n")]
            yield f"count of {title} order {paths}", source, [count]
            yield f"sums of {title} order {paths}", source, [total("n"), total("v", "avg"), count]


def cases():
    for name, structured in queries():
        yield Case(f"query {name}", [query(structured)], data="mixed")
    for name, structured, functions in aggregations():
        body = {"structuredQuery": structured, "aggregations": functions}
        request = {"parent": ROOT, "structuredAggregationQuery": body}
        yield Case(f"aggregate {name}", [("RunAggregationQuery", request)], data="mixed")
    for parent in ("/c/a", "/x/missing", "/absent/absent", "/c", "/", "/c/a/"):
        yield Case(f"query below {parent}", [query(group("c"), parent)], data="mixed")
    for parent in ("", "projects", DATABASE, f"{DATABASE}/documents/c//b", f"{ROOT}/c/__b__"):
        request = {"parent": parent, "structuredQuery": collection("c", limit=1)}
        yield Case(f"query with parent {parent!r}", [("RunQuery", request)], data="mixed")
    yield Case("query of nothing", [("RunQuery", {"parent": ROOT})], data="mixed")
    yield Case("aggregate of nothing", [("RunAggregationQuery", {"parent": ROOT})], data="mixed")
    begin = {"newTransaction": {"readOnly": {}}}
    yield Case("query that begins", [query(collection("c", limit=1), **begin)], data="mixed")
    yield Case("query for nothing that begins", [query(collection("absent"), **begin)], data="mixed")
