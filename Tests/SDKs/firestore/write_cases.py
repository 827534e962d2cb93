"""Writes by hand: masks, transforms, preconditions, names, values, limits."""

from firestore.case import DATABASE, ROOT, Case, commit, get, load, name, update
from firestore.values import Instant, Point, Reference, Vector, fields, value

NAN = float("nan")
INFINITY = float("inf")
LONG_AGO = "2020-01-01T00:00:00Z"
FAR_AHEAD = "2050-01-01T00:00:00Z"
NUMBERS = {
    "1": 1,
    "-1": -1,
    "2.5": 2.5,
    "-0.0": -0.0,
    "0": 0,
    "nan": NAN,
    "-infinity": -INFINITY,
    "greatest": 2**63 - 1,
    "least": -(2**63),
}
STARTS = {
    "missing": None,
    "null": {"n": None},
    "5": {"n": 5},
    "5.0": {"n": 5.0},
    "-0.0": {"n": -0.0},
    "0": {"n": 0},
    "greatest": {"n": 2**63 - 1},
    "least": {"n": -(2**63)},
    "nan": {"n": NAN},
    "infinity": {"n": INFINITY},
    "text": {"n": "x"},
    "time": {"n": Instant(LONG_AGO)},
}


def mask(*paths):
    return {"updateMask": {"fieldPaths": list(paths)}}


def provided(**condition):
    return {"currentDocument": condition}


def delete(path, **more):
    return {"delete": name(path), **more}


def verify(path, **more):
    return {"verify": name(path), **more}


def transform(path, **kind):
    return {"fieldPath": path, **kind}


def transforms(path, *each):
    """Returns a write that only transforms."""
    return update(path, {}, **mask(), updateTransforms=list(each))


def elements(*plain):
    return {"values": [value(each) for each in plain]}


def writes():
    """Yields name, existing documents, and the writes of one commit to `c/a`."""
    u = update
    yield "none", {}, []
    yield "twice", {}, [u("c/a", {"n": 1}), u("c/a", {"n": 2})]
    yield "create then delete", {}, [u("c/a", {"n": 1}), delete("c/a")]
    yield "delete then create", {"c/a": {"z": 1}}, [delete("c/a"), u("c/a", {"n": 1})]
    yield "delete then create the same", {"c/a": {"n": 1}}, [delete("c/a"), u("c/a", {"n": 1})]
    yield "there and back", {"c/a": {"n": 1}}, [u("c/a", {"n": 2}), u("c/a", {"n": 1})]
    yield "delete missing", {}, [delete("c/a")]
    yield "an operation of nothing", {}, [{}]
    yield "no name", {}, [{"update": {"fields": fields({"n": 1})}}]
    yield "second fails", {}, [u("c/a", {"n": 1}), u("c/b", {}, **provided(exists=True))]
    yield "create then update", {}, [
        u("c/a", {"n": 1}, **provided(exists=False)),
        u("c/a", {"m": 1}, **mask("m"), **provided(exists=True)),
    ]
    for there, documents in {"missing": {}, "existing": {"c/a": {"z": 1}}}.items():
        for condition in (
            {"exists": True},
            {"exists": False},
            {"updateTime": LONG_AGO},
            {"updateTime": FAR_AHEAD},
            {"updateTime": LONG_AGO.replace("Z", ".000000001Z")},
            {},
        ):
            title = f"{condition or 'no condition'} on {there}"
            yield f"update {title}", documents, [u("c/a", {"n": 1}, **provided(**condition))]
            yield f"delete {title}", documents, [delete("c/a", **provided(**condition))]
            yield f"verify {title}", documents, [verify("c/a", **provided(**condition))]
            yield f"transform {title}", documents, [
                transforms("c/a", transform("n", increment=value(1))) | provided(**condition)
            ]
    yield "verify unconditionally", {"c/a": {}}, [verify("c/a")]
    yes = provided(exists=True)
    yield "verify then write", {"c/a": {}}, [verify("c/a", **yes), u("c/a", {"n": 1})]
    yield "write then verify", {"c/a": {}}, [u("c/a", {"n": 1}), verify("c/a", **yes)]
    yield "verify twice", {"c/a": {}}, [verify("c/a", **yes), verify("c/a", **yes)]
    yield "verify and write another", {"c/a": {}}, [verify("c/a", **yes), u("c/b", {"n": 1})]
    yield from masks()


def masks():
    u = update
    nested = {"c/a": {"m": {"x": 1, "y": 2}, "n": 1}}
    rows = {
        "empty on missing": ({}, {"n": 1}, []),
        "empty": (nested, {"n": 2}, []),
        "of an absent field": (nested, {}, ["n"]),
        "of an absent field that is not there": (nested, {}, ["q"]),
        "of another field": (nested, {"n": 2, "q": 3}, ["q"]),
        "nested": (nested, {"m": {"x": 9}}, ["m.x"]),
        "nested deletion": (nested, {}, ["m.x"]),
        "nested deletion of all": ({"c/a": {"m": {"x": 1}}}, {}, ["m.x"]),
        "nested deletion below nothing": ({"c/a": {}}, {}, ["m.x"]),
        "nested deletion below a scalar": ({"c/a": {"m": 5}}, {}, ["m.x"]),
        "nested below a scalar": ({"c/a": {"m": 5}}, {"m": {"x": 9}}, ["m.x"]),
        "nested with a scalar": (nested, {"m": 7}, ["m.x"]),
        "deep below nothing": ({"c/a": {}}, {"a": {"b": {"c": 1}}}, ["a.b.c"]),
        "of parent and child": (nested, {"m": {"x": 5}}, ["m", "m.x"]),
        "of child and parent": (nested, {"m": {"x": 5}}, ["m.x", "m"]),
        "of parent and absent child": (nested, {"m": {"x": 5}}, ["m", "m.q.r"]),
        "of absent parent and child": (nested, {}, ["m", "m.x"]),
        "of grandparent and grandchild": (
            {"c/a": {"m": {"x": {"y": {"z": 1, "w": 1}, "v": 1}, "u": 1}}},
            {"m": {"x": {"y": {"z": 5}}}},
            ["m.x.y.z", "n", "m.x"],
        ),
        "of three generations": (nested, {"m": {"x": {"y": 5}}}, ["m.x.y", "m", "m.x"]),
        "of what only begins alike": (nested, {"m": {"x": 5, "xx": 6}}, ["m.x", "m.xx"]),
        "of a quoted child": (nested, {"m": {"a.b": 5}}, ["m.`a.b`", "m"]),
        "of parent and child on missing": ({}, {"m": {"x": 5}}, ["m", "m.x"]),
        "twice": (nested, {"n": 2}, ["n", "n"]),
        "of a child twice and its parent": (nested, {"m": {"x": 5}}, ["m.x", "m.x", "m"]),
        "into an array": ({"c/a": {"m": [1]}}, {"m": {"0": 1}}, ["m.`0`"]),
        "into a vector": ({"c/a": {"m": Vector((1, 2))}}, {"m": {"x": 1}}, ["m.x"]),
        "quoted": (
            {"c/a": {}},
            {"a b": 1, "é": 2, "`": 3, "\\": 4, "a.b": 5},
            ["`a b`", "`é`", "`\\``", "`\\\\`", "`a.b`"],
        ),
        "with a bad path": (nested, {"n": 2}, ["a..b"]),
        "with an unquoted letter": (nested, {"é": 2}, ["é"]),
        "with no path": (nested, {"n": 2}, [""]),
        "of the name": (nested, {"n": 2}, ["__name__"]),
        "of a reserved field": (nested, {"n": 2}, ["__x__"]),
    }
    for title, (documents, plain, paths) in rows.items():
        yield f"mask {title}", documents, [u("c/a", plain, **mask(*paths))]
    yield "mask with a deletion", nested, [delete("c/a", **mask("n"))]
    yield "mask of the same", nested, [u("c/a", {"n": 1}, **mask("n"))]
    same = {
        "itself": ({"n": 1}, {"n": 1}),
        "a double": ({"n": 1}, {"n": 1.0}),
        "minus zero": ({"n": 0.0}, {"n": -0.0}),
        "nan": ({"n": NAN}, {"n": NAN}),
        "another order": ({"m": {"a": 1, "b": 2}}, {"m": {"b": 2, "a": 1}}),
        "nothing": ({}, {}),
    }
    for title, (before, after) in same.items():
        yield f"replace by {title}", {"c/a": before}, [u("c/a", after)]


def transformed():
    """Yields name, existing document or None, and its transforms."""
    for kind in ("increment", "maximum", "minimum"):
        for start, plain in STARTS.items():
            for number, operand in NUMBERS.items():
                yield f"{kind} {start} by {number}", plain, [transform("n", **{kind: value(operand)})]
        for title, operand in {"text": value("x"), "null": value(None), "nothing": {}}.items():
            yield f"{kind} by {title}", {"n": 1}, [transform("n", **{kind: operand})]
    add = lambda path, *each: transform(path, appendMissingElements=elements(*each))  # noqa: E731
    remove = lambda path, *each: transform(path, removeAllFromArray=elements(*each))  # noqa: E731
    increase = lambda path, by=1: transform(path, increment=value(by))  # noqa: E731
    now = lambda path: transform(path, setToServerValue="REQUEST_TIME")  # noqa: E731
    yield "increment twice", {"n": 1}, [increase("n"), increase("n", 2)]
    yield "increment two fields", {"n": 1}, [increase("n"), increase("m", 2.5)]
    yield "increment by none", {"n": 1}, [increase("n", 0)]
    yield "append", {"n": [1, "a"]}, [add("n", 1.0, "b", "b", "a")]
    yield "append odd ones", {"n": [None, NAN]}, [add("n", None, NAN, -0.0, 0)]
    yield "append to a scalar", {"n": 5}, [add("n", 1)]
    yield "append to nothing", {}, [add("n", 1, 1)]
    yield "append nothing", {}, [add("n")]
    yield "append what is there", {"n": [1]}, [add("n", 1)]
    yield "append an array", {"n": []}, [add("n", [1])]
    yield "append maps", {"n": [{"a": 1}]}, [add("n", {"a": 1.0}, {"a": 1, "b": 2})]
    yield "append to a vector", {"n": Vector((1, 2))}, [add("n", 1)]
    yield "remove", {"n": [1, 2, 1.0, "a", None, NAN, -0.0]}, [remove("n", 1, None, NAN, 0)]
    yield "remove from nothing", {}, [remove("n", 1)]
    yield "remove from a scalar", {"n": "x"}, [remove("n", 1)]
    yield "remove nothing", {"n": [1]}, [remove("n")]
    yield "remove what is absent", {"n": [1]}, [remove("n", 2)]
    yield "append then remove", {"n": [1]}, [add("n", 2), remove("n", 1)]
    yield "server time", {}, [now("n")]
    yield "server time of two", None, [now("n"), now("m")]
    yield "server value of no kind", {}, [
        transform("n", setToServerValue="SERVER_VALUE_UNSPECIFIED")
    ]
    yield "through a scalar", {"a": 5}, [increase("a.b.c")]
    yield "in a map", {"a": {"x": 1}}, [increase("a.b")]
    yield "in a vector", {"n": Vector((1, 2))}, [increase("n.value")]
    yield "parent and child", {}, [now("a"), increase("a.b")]
    yield "child and parent", {}, [increase("a.b"), increase("a")]
    yield "of no kind", {}, [{"fieldPath": "a"}]
    yield "of no path", {}, [{"increment": value(1)}]
    yield "of the name", {}, [increase("__name__")]
    yield "of a reserved field", {}, [increase("__x__")]
    yield "of a bad path", {}, [increase("a..b")]
    yield "of a quoted path", {}, [increase("`a.b`.`c d`")]


def document_names():
    yield from ("c", "c/", "/c/a", "c//a", "c/a/", "c/a/b", "c/.", "c/..", "./a", "../a")
    yield from ("c/__a__", "c/__id7__", "c/__id__", "c/__id-5__", "c/__id007__", "c/__id-0__")
    yield from ("c/__id9223372036854775807__", "c/__id9223372036854775808__", "c/__", "c/____")
    yield from ("__c__/a", "__id7__/a", "c/é", "c/a b", "c/a?b", "c/a%2Fb", "c/\n", "c/\0", "c/*")
    yield from ("c/" + "x" * 1500, "c/" + "x" * 1501, "c/" + "é" * 750, "c/" + "é" * 751)
    yield from ("x" * 1501 + "/a", "/".join(["c/d"] * 100), "/".join(["c/d"] * 101))
    yield from ("/".join(["c" * 1000, "d" * 1000] * 3), "/".join(["c" * 1000, "d" * 1000] * 4))


def nest(levels):
    plain = 1
    for _ in range(levels):
        plain = {"a": plain}
    return plain


def contents():
    """Yields fields that a document may or may not have."""
    yield "no key", {"": 1}
    for key in ("__x__", "__", "____", "__x", "__name__", "a.b", "`", "x" * 1500, "x" * 1501):
        yield f"key {key[:20]} {len(key)}", {key: 1}
        yield f"inner key {key[:20]} {len(key)}", {"a": {key: 1}}
    yield "no inner key", {"a": {"": 1}}
    for levels in (19, 20, 21):
        yield f"{levels} levels", {"a": nest(levels)}
        yield f"{levels} levels in an array", {"a": [nest(levels - 1)]}
    yield "an array in an array", {"a": [[1]]}
    yield "an array in a map in an array", {"a": [{"b": [1]}]}
    for latitude, longitude in ((91.0, 0.0), (0.0, 181.0), (NAN, 0.0), (-90.0, -180.0)):
        yield f"point {latitude} {longitude}", {"a": Point((latitude, longitude))}
    for time in (
        "9999-12-31T23:59:59.999999999Z",
        "0001-01-01T00:00:00Z",
        "2020-01-01T00:00:00.123456789Z",
        "1960-01-01T00:00:00.123456789Z",
    ):
        yield f"time {time}", {"a": Instant(time)}
    for reference in (
        "projects/x/databases/y/documents/c/a",
        "projects/x/databases/y/documents/c",
        "projects/x/databases/y/documents",
        "projects/x/databases/y",
        "x",
        "",
    ):
        yield f"reference {reference!r}", {"a": Reference(reference)}
    yield "no type", {"a": {"raw": {}}}
    yield "no type in an array", {"a": [{"raw": {}}]}
    yield "a field reference", {"a": {"raw": {"fieldReferenceValue": "x"}}}
    vector = {"__type__": "__vector__"}
    yield "a type alone", {"a": {"__type__": "x"}}
    yield "a vector without numbers", {"a": vector}
    yield "a vector of texts", {"a": vector | {"value": ["x"]}}
    yield "a vector of integers", {"a": vector | {"value": [1]}}
    yield "a vector and more", {"a": vector | {"value": [1.0], "z": 1}}
    yield "an empty vector", {"a": Vector(())}
    yield "a vector with nan", {"a": Vector((NAN, INFINITY))}
    yield "2048 dimensions", {"a": Vector((0.5,) * 2048)}
    yield "2049 dimensions", {"a": Vector((0.5,) * 2049)}
    yield "a vector in an array", {"a": [Vector((1,))]}
    yield "a vector in a map", {"a": {"b": Vector((1,))}}
    yield "a least key", {"a": {"__min__": None}}
    yield "1048487 bytes", {"a": "x" * 1_048_487}
    yield "1048488 bytes", {"a": "x" * 1_048_488}
    yield "a large blob", {"a": b"x" * 1_048_488}
    yield "two large values", {"a": "x" * 600_000, "b": "x" * 600_000}
    yield "numbers", {"a": [NAN, INFINITY, -INFINITY, -0.0, 5e-324, 2**63 - 1, -(2**63)]}
    yield "texts", {"a": "\0\n\U0001f600é", "b": "\u2028", "c": "e\u0301"}
    yield "everything", {
        "null": None,
        "flag": False,
        "zero": 0,
        "text": "",
        "bytes": b"",
        "list": [],
        "map": {},
        "point": Point((0.0, 0.0)),
    }


def cases():
    for title, documents, each in writes():
        steps = [load(documents)] if documents else []
        yield Case(f"write {title}", [*steps, commit(*each), get("c/a"), get("c/b")])
    for title, plain, each in transformed():
        steps = [] if plain is None else [load({"c/a": plain})]
        yield Case(f"transform {title}", [*steps, commit(transforms("c/a", *each)), get("c/a")])
    increase = {"fieldPath": "n", "increment": value(5)}
    whole = {"document": name("c/a"), "fieldTransforms": [increase]}
    there = load({"c/a": {"n": 1, "z": 1}})
    alone = {
        "alone": [commit({"transform": whole})],
        "alone on a document": [there, commit({"transform": whole})],
        "alone without any": [commit({"transform": whole | {"fieldTransforms": []}})],
        "alone with a mask": [there, commit({"transform": whole} | mask("z"))],
        "with a deletion": [there, commit(delete("c/a", updateTransforms=[increase]))],
        "with a verification": [
            there,
            commit(verify("c/a", **provided(exists=True), updateTransforms=[increase])),
        ],
        "after an update": [there, commit(update("c/a", {"n": 10}, updateTransforms=[increase]))],
        "after a masked deletion": [
            there,
            commit(update("c/a", {}, **mask("n"), updateTransforms=[increase])),
        ],
    }
    for title, steps in alone.items():
        yield Case(f"transform {title}", [*steps, get("c/a")])
    for path in document_names():
        yield Case(f"name {path[:30]!r} {len(path)}", [commit(update(path, {"n": 1}))])
    for full in ("x", "", "projects/p/databases/d", f"{DATABASE}/documents", f"{ROOT}/c"):
        yield Case(f"full name {full!r}", [commit({"update": {"name": full}})])
    stranger = {"update": {"name": "projects/other/databases/d/documents/c/a"}}
    yield Case("a write to another project", [commit(stranger)])
    for title, plain in contents():
        yield Case(f"content {title}", [commit(update("c/a", plain)), get("c/a")])
        beside = update("c/a", {"kept": 1} | plain, **mask("kept"))
        yield Case(f"outside the mask {title}", [commit(beside), get("c/a")])
    yield from bad_values()
    many = [update(f"c/{number}", {"n": number}) for number in range(501)]
    yield Case("501 writes", [commit(*many), get("c/500")])
    yield from batches()
    yield from single_writes()


def bad_values():
    """Yields values that no field may have, in commits that fail before anything is stored."""
    good, removal = update("c/a", {"good": 1}), delete("c/a")
    for title, plain in {
        "a reserved name": {"__x__": 1},
        "an array in an array": {"a": [[1]]},
        "a latitude": {"a": Point((91.0, 0.0))},
        "a reference": {"a": Reference("x")},
        "no vector": {"a": {"__type__": "__vector__"}},
    }.items():
        bad = update("c/a", plain)
        rows = {
            "in a document that is missing": [bad | provided(exists=True)],
            "replaced": [bad, good],
            "deleted": [bad, removal],
            "beside a failure": [update("c/b", {}, **provided(exists=True)), bad],
            "in an impossible sequence": [bad | provided(exists=False)] * 2,
        }
        for place, each in rows.items():
            yield Case(f"bad value {title} {place}", [commit(*each), get("c/a")])
    for title, plain in {"a latitude": Point((91.0, 0.0)), "an array": [1], "a name": Reference("x")}.items():
        append = transforms("c/a", transform("n", appendMissingElements=elements(plain)))
        remove = transforms("c/a", transform("n", removeAllFromArray=elements(plain)))
        yield Case(f"bad element {title} deleted", [commit(append, removal), get("c/a")])
        yield Case(f"bad element {title} removed", [commit(remove), get("c/a")])
    absent = update("c/a", {"a": 1}, **provided(updateTime=LONG_AGO.replace("Z", ".000000001Z")))
    yield Case("an update time of nanoseconds, twice", [commit(absent, absent), get("c/a")])


def batches():
    def batch(*each):
        return "BatchWrite", {"database": DATABASE, "writes": list(each)}

    rows = {
        "mixed": [
            update("c/a", {"n": 1}),
            update("c/b", {}, **provided(exists=True)),
            delete("c/absent"),
        ],
        "one document twice": [update("c/a", {}), update("c/a", {})],
        "nothing": [],
        "a bad name": [update("c", {}), update("c/a", {"n": 1})],
        "a bad value": [update("c/b", {"a": {"raw": {}}}), update("c/a", {"n": 1})],
        "an empty write": [{}, update("c/a", {})],
        "a verification": [verify("c/a", **provided(exists=True))],
        "transforms": [transforms("c/a", transform("n", increment=value(1)))],
        "a bad transform": [
            transforms("c/a", transform("n", increment=value("x"))),
            update("c/b", {}),
        ],
    }
    for title, each in rows.items():
        yield Case(f"batch of {title}", [load({"c/z": {}}), batch(*each), get("c/a")])


def single_writes():
    def create(**more):
        return "CreateDocument", {"parent": ROOT, "collectionId": "c", **more}

    plain = {"fields": fields({"a": 1, "b": 2})}
    rows = {
        "a document": [create(documentId="x", document=plain)],
        "a document twice": [create(documentId="x", document=plain)] * 2,
        "without an id": [create(document=plain)],
        "without anything": [create()],
        "with a name": [create(documentId="x", document={"name": name("c/z")})],
        "with a bad id": [create(documentId="a/b")],
        "with a reserved id": [create(documentId="__x__")],
        "in no collection": [("CreateDocument", {"parent": ROOT, "documentId": "x"})],
        "with a mask": [create(documentId="x", document=plain, mask={"fieldPaths": ["a"]})],
        "below nothing": [create(parent=f"{ROOT}/absent/absent", documentId="x")],
        "below a collection": [create(parent=f"{ROOT}/absent", documentId="x")],
    }
    for title, steps in rows.items():
        yield Case(f"create {title}", [*steps, get("c/x")])

    def change(path, plain, **more):
        document = {"name": name(path), "fields": fields(plain)}
        return "UpdateDocument", {"document": document, **more}

    def remove(path, **more):
        return "DeleteDocument", {"name": name(path), **more}

    there = load({"c/x": {"a": 1}})
    rows = {
        "update missing": [change("c/x", {"b": 1})],
        "update": [there, change("c/x", {"b": 1})],
        "update with a mask": [there, change("c/x", {"b": 1}, **mask("b"))],
        "update with both masks": [
            there,
            change("c/x", {"b": 1}, **mask("b"), mask={"fieldPaths": ["a"]}),
        ],
        "update nothing": [there, change("c/x", {"a": 1})],
        "update existing": [there, change("c/x", {}, **provided(exists=True))],
        "update existing when missing": [change("c/x", {}, **provided(exists=True))],
        "update at its time": [
            there,
            get("c/x"),
            change("c/x", {"b": 1}, currentDocument={"updateTime": "<1.updateTime>"}),
        ],
        "update without a name": [("UpdateDocument", {"document": {"name": ""}})],
        "delete": [there, remove("c/x")],
        "delete missing": [remove("c/x")],
        "delete existing when missing": [remove("c/x", **provided(exists=True))],
        "delete at a wrong time": [there, remove("c/x", **provided(updateTime=LONG_AGO))],
        "delete a collection": [remove("c")],
    }
    for title, steps in rows.items():
        yield Case(f"single {title}", [*steps, get("c/x")])
