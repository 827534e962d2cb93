"""Random requests to documents: reads, queries, listeners, writes and transactions.

A request is a dictionary with a `user`, the `door` that it goes through (REST or gRPC), the
protocol's `method`, and its `request` in JSON. `DATABASE` stands for the database's name,
`DOCUMENTS` for the root of its documents, and `TRANSACTION` for the transaction that was begun last.
"""

import json
from dataclasses import dataclass

from firestore.values import (
    Instant,
    Reference,
    cursor,
    either,
    every,
    group,
    order,
    unary,
    value,
    where,
)
from firestore.values import fields as encoded
from rules.world import (
    COMMON,
    DATABASE,
    FIELDS,
    FLOATS,
    GROUPS,
    INSTANTS,
    INTS,
    MISSING,
    PATHS,
    ROOT,
    TAGS,
    TRANSACTION,
    UIDS,
    field_value,
    fields,
)

USERS = (*("alice",) * 6, *("bob",) * 3, *("carol",) * 2, None, None, "dave", "owner")


# Parts of the operators whose field comes first in a query's order.
UNEQUAL = ("LESS_THAN", "GREATER_THAN", "NOT_EQUAL", "NOT_IN", "IS_NOT_")
REST, GRPC = "REST", "gRPC"
# Google's emulator doesn't answer these over REST when they are in a transaction.
NOT_IN_TRANSACTIONS_OVER_REST = ("GetDocument", "ListDocuments")


@dataclass(frozen=True)
class Scene:
    """The documents at the start, by path, and the paths that the rules are about."""

    documents: dict
    paths: list


def calls(dice, scene, count):
    """Returns random requests, to be sent in turn."""
    made = []
    while len(made) < count:
        if dice.random() < 0.05:
            made += transaction(dice, scene)
        else:
            made.append(call(dice, scene))
    return made[:count]


def call(dice, scene):
    """Returns a random request."""
    make = dice.choices(*zip(*MAKERS.items()))[0]
    return sent(dice, dice.choice(USERS), *make(dice, scene))


def sent(dice, user, method, request):
    """Returns a request of a user through a door."""
    over_grpc = dice.random() < 0.5 or method == "Listen"
    if "transaction" in request and method in NOT_IN_TRANSACTIONS_OVER_REST:
        over_grpc = True
    door = GRPC if over_grpc else REST
    return {"user": user, "door": door, "method": method, "request": request}


def transaction(dice, scene):
    """Returns the requests of a transaction: it begins, reads, and is committed."""
    user = dice.choice(USERS)
    reads_only = dice.random() < 0.15
    options = {"readOnly": {}} if reads_only else {"readWrite": {}}
    made = [("BeginTransaction", {"database": DATABASE, "options": options})]
    for _ in range(dice.randint(0, 3)):
        method, request = dice.choice(READS)(dice, scene)
        made.append((method, request | {"transaction": TRANSACTION}))
    method, request = commit(dice, scene)
    writes = [] if reads_only else request["writes"]
    made.append((method, request | {"writes": writes, "transaction": TRANSACTION}))
    return [sent(dice, user, *each) for each in made]


def a_path(dice, scene):
    chance = dice.random()
    if chance < 0.06:
        return dice.choice(MISSING)
    return dice.choice(scene.paths if chance < 0.85 else PATHS)


def a_collection(dice, scene):
    return a_path(dice, scene).rpartition("/")[0]


def name(path):
    return f"{ROOT}/{path}"


def get(dice, scene):
    return "GetDocument", {"name": name(a_path(dice, scene))}


def batch_get(dice, scene):
    names = [name(a_path(dice, scene)) for _ in range(dice.choice((1, 1, 2, 3)))]
    return "BatchGetDocuments", {"database": DATABASE, "documents": names}


def list_documents(dice, scene):
    place, _, collection = name(a_collection(dice, scene)).rpartition("/")
    size = {"pageSize": dice.randint(1, 5)} if dice.random() < 0.4 else {}
    return "ListDocuments", {"parent": place, "collectionId": collection, **size}


def run_query(dice, scene):
    parent, structured = query(dice, scene)
    return "RunQuery", {"parent": parent, "structuredQuery": structured}


def aggregate(dice, scene):
    parent, structured = query(dice, scene)
    structured.pop("select", None)
    # Sums of queries that are ordered by names aren't supported.
    for key in ("orderBy", "startAt", "endAt"):
        structured.pop(key, None)
    aggregation = dice.choice(({"count": {}}, {"sum": {"field": {"fieldPath": "n"}}}))
    body = {"structuredQuery": structured, "aggregations": [{"alias": "made", **aggregation}]}
    return "RunAggregationQuery", {"parent": parent, "structuredAggregationQuery": body}


def listen(dice, scene):
    if dice.random() < 0.3:
        return "Listen", {"documents": {"documents": [name(a_path(dice, scene))]}}
    parent, structured = query(dice, scene)
    return "Listen", {"query": {"parent": parent, "structuredQuery": structured}}


def query(dice, scene):
    """Returns the path of a parent, and a query."""
    if dice.random() < 0.2:
        # Google's emulator has no collection groups below a document.
        parent = ROOT
        structured = group(dice.choice(GROUPS))
    else:
        parent, _, collection = name(a_collection(dice, scene)).rpartition("/")
        structured = {"from": [{"collectionId": collection}]}
    inequality = dice.choice(list(FIELDS) + ["meta.score"])
    chance = dice.random()
    if chance < 0.03:
        # Other filters beside names are valid in production or in Google's emulator alone.
        operator = dice.choice(("EQUAL", "EQUAL", "GREATER_THAN", "LESS_THAN_OR_EQUAL"))
        structured["where"] = where("__name__", operator, Reference(name(dice.choice(PATHS))))
    elif chance < 0.35:
        structured["where"] = a_filter(dice, inequality)
    elif chance < 0.6:
        parts = [a_filter(dice, inequality) for _ in range(dice.randint(1, 3))]
        structured["where"] = every(*parts)
    elif chance < 0.72:
        parts = [a_filter(dice, inequality) for _ in range(dice.randint(1, 3))]
        structured["where"] = either(*parts)
        if dice.random() < 0.4:
            structured["where"] = every(structured["where"], equality(dice))
    if dice.random() < 0.3:
        paths = [dice.choice((*COMMON, "__name__", inequality, "meta.score"))]
        compares = chance >= 0.03 and any(each in json.dumps(structured) for each in UNEQUAL)
        if compares and paths == ["__name__"]:
            # A query that compares another field can't be ordered by names first.
            paths = [inequality]
        if dice.random() < 0.2 and "__name__" not in paths:
            paths.append("__name__")
        # Google's emulator has no descending order of names.
        structured["orderBy"] = order(
            *(path if path == "__name__" or dice.random() < 0.6 else f"-{path}" for path in paths)
        )
        for key in ("startAt", "endAt"):
            if dice.random() < 0.2:
                is_name = paths[0] == "__name__"
                operand = Reference(name(dice.choice(PATHS))) if is_name else dice.choice(INTS)
                structured[key] = cursor(operand, before=dice.random() < 0.5)
    if dice.random() < 0.3:
        structured["limit"] = dice.choice((1, 2, 3, 5, 10, 100))
    if dice.random() < 0.1:
        structured["offset"] = dice.choice((0, 1, 2))
    if dice.random() < 0.1:
        structured["select"] = {"fields": [{"fieldPath": dice.choice(("__name__", "owner", "n"))}]}
    return parent, structured


def equality(dice):
    """Returns a filter for one value, as apps do it to meet the rules."""
    often = (*COMMON, "owner", "owner", "pub", "state")
    path = dice.choice((*often, "meta.name", "meta.score", "odd", "at"))
    if path.startswith("meta."):
        operand = dice.choice(UIDS) if path == "meta.name" else dice.choice(INTS)
    else:
        operand = field_value(dice, path)
    return where(path, "EQUAL", operand)


def a_filter(dice, inequality):
    """Returns a filter on a field. Inequalities are all on one field."""
    chance = dice.random()
    if chance < 0.4:
        return equality(dice)
    if chance < 0.5:
        return where(dice.choice(("members", "tags")), "ARRAY_CONTAINS", dice.choice(TAGS + UIDS))
    if chance < 0.55:
        operands = dice.sample(TAGS, dice.randint(1, 2))
        return where(dice.choice(("members", "tags")), "ARRAY_CONTAINS_ANY", operands)
    if chance < 0.65:
        path = dice.choice(("owner", "n", "state", "title"))
        return where(path, "IN", [FIELDS[path][1](dice) for _ in range(dice.randint(1, 3))])
    if chance < 0.68:
        path = dice.choice(("owner", "n"))
        return where(path, "NOT_IN", [FIELDS[path][1](dice) for _ in range(dice.randint(1, 2))])
    if chance < 0.73:
        operator = dice.choice(("IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN"))
        return unary(dice.choice(("nothing", "n", "owner", "price")), operator)
    operator = dice.choice(
        ("LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "NOT_EQUAL")
    )
    operand = dice.choice(INTS) if inequality == "meta.score" else FIELDS[inequality][1](dice)
    if dice.random() < 0.2:
        operand = dice.choice((*INTS, *FLOATS, *UIDS, Instant(INSTANTS[0])))
    return where(inequality, operator, operand)


def update(dice, scene):
    path = a_path(dice, scene)
    made, mask = change(dice, scene.documents.get(path, {}))
    request = {"document": {"name": name(path), "fields": encoded(made)}}
    if mask:
        request["updateMask"] = {"fieldPaths": mask}
    if dice.random() < 0.2:
        request["currentDocument"] = {"exists": dice.random() < 0.5}
    return "UpdateDocument", request


def create(dice, scene):
    place, _, document = name(a_path(dice, scene)).rpartition("/")
    parent, _, collection = place.rpartition("/")
    content = {"fields": encoded(fields(dice))}
    request = {"parent": parent, "collectionId": collection, "documentId": document}
    return "CreateDocument", request | {"document": content}


def delete(dice, scene):
    condition = {"currentDocument": {"exists": True}} if dice.random() < 0.2 else {}
    return "DeleteDocument", {"name": name(a_path(dice, scene)), **condition}


def change(dice, before):
    """Returns new fields and their mask, or None as the mask of a whole document."""
    chance = dice.random()
    if chance < 0.3:
        return fields(dice), None
    if chance < 0.5 and before:
        changed = dice.choice(list(before))
        return before | {changed: field_value(dice, changed)}, None
    names = dice.sample(list(FIELDS), dice.randint(1, 3))
    made = {each: field_value(dice, each) for each in names}
    mask = list(made)
    if dice.random() < 0.2:
        mask.append(dice.choice(COMMON))
    if dice.random() < 0.2 and "meta" not in mask:
        made["meta"] = {"score": dice.choice(INTS), "name": "x"}
        mask.append("meta.score")
    if dice.random() < 0.2:
        mask.pop()
    return made, sorted(set(mask)) or None


def transforms(dice):
    kinds = (
        {"fieldPath": "at", "setToServerValue": "REQUEST_TIME"},
        {"fieldPath": "n", "increment": value(dice.choice(INTS))},
        {"fieldPath": "meta.score", "increment": value(1)},
        {"fieldPath": "tags", "appendMissingElements": {"values": [value(dice.choice(TAGS))]}},
        {"fieldPath": "members", "appendMissingElements": {"values": [value(dice.choice(UIDS))]}},
        {"fieldPath": "members", "removeAllFromArray": {"values": [value(dice.choice(UIDS))]}},
        {"fieldPath": "n", "maximum": value(dice.choice(INTS))},
        {"fieldPath": "price", "minimum": value(dice.choice(FLOATS))},
    )
    made = dice.sample(kinds, dice.choice((1, 1, 2)))
    return list({each["fieldPath"]: each for each in made}.values())


def write(dice, scene, path):
    if dice.random() < 0.2:
        made = {"delete": name(path)}
    else:
        changed, mask = change(dice, scene.documents.get(path, {}))
        made = {"update": {"name": name(path), "fields": encoded(changed)}}
        if mask:
            made["updateMask"] = {"fieldPaths": mask}
        if dice.random() < 0.25:
            made["updateTransforms"] = transforms(dice)
            if dice.random() < 0.3:
                made["updateMask"] = {"fieldPaths": []}
    if dice.random() < 0.2:
        made["currentDocument"] = {"exists": dice.random() < 0.6}
    return made


def commit(dice, scene):
    count = dice.choices((1, 2, 3, 5), (5, 4, 2, 1))[0]
    paths = [a_path(dice, scene) for _ in range(count)]
    if count > 1 and dice.random() < 0.3:
        paths[1] = paths[0]
    writes = [write(dice, scene, path) for path in paths]
    return "Commit", {"database": DATABASE, "writes": writes}


MAKERS = {
    get: 22,
    batch_get: 5,
    list_documents: 5,
    run_query: 28,
    aggregate: 6,
    listen: 4,
    update: 12,
    create: 6,
    delete: 6,
    commit: 14,
}
READS = (get, batch_get, list_documents, run_query, aggregate)
