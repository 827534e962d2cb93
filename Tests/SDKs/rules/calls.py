"""Random requests to documents: reads, queries and writes.

A request is a dictionary with `user`, `method`, `path` and `body`. In paths and in the names of
documents, `DOCUMENTS` stands for the root of a database's documents.
"""

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
    FIELDS,
    FLOATS,
    GROUPS,
    INSTANTS,
    INTS,
    MISSING,
    PATHS,
    ROOT,
    TAGS,
    UIDS,
    field_value,
    fields,
)

USERS = (*("alice",) * 6, *("bob",) * 3, *("carol",) * 2, None, None, "dave", "owner")


@dataclass(frozen=True)
class Scene:
    """The documents at the start, by path, and the paths that the rules are about."""

    documents: dict
    paths: list


def call(dice, scene):
    """Returns a random request."""
    make = dice.choices(*zip(*MAKERS.items()))[0]
    method, path, body = make(dice, scene)
    return {"user": dice.choice(USERS), "method": method, "path": path, "body": body}


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
    return "GET", name(a_path(dice, scene)), None


def batch_get(dice, scene):
    names = [name(a_path(dice, scene)) for _ in range(dice.choice((1, 1, 2, 3)))]
    return "POST", f"{ROOT}:batchGet", {"documents": names}


def list_documents(dice, scene):
    size = f"?pageSize={dice.randint(1, 5)}" if dice.random() < 0.4 else ""
    return "GET", name(a_collection(dice, scene)) + size, None


def run_query(dice, scene):
    parent, structured = query(dice, scene)
    return "POST", f"{ROOT}{parent}:runQuery", {"structuredQuery": structured}


def aggregate(dice, scene):
    parent, structured = query(dice, scene)
    structured.pop("select", None)
    aggregation = dice.choice(({"count": {}}, {"sum": {"field": {"fieldPath": "n"}}}))
    body = {"structuredQuery": structured, "aggregations": [{"alias": "made", **aggregation}]}
    return "POST", f"{ROOT}{parent}:runAggregationQuery", {"structuredAggregationQuery": body}


def query(dice, scene):
    """Returns the path of a parent, and a query."""
    if dice.random() < 0.2:
        # Google's emulator has no collection groups below a document.
        parent = ""
        structured = group(dice.choice(GROUPS))
    else:
        place, _, collection = a_collection(dice, scene).rpartition("/")
        parent = f"/{place}" if place else ""
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


def patch(dice, scene):
    """Returns an update or a creation by the REST API's own methods."""
    path = a_path(dice, scene)
    made, mask = change(dice, scene.documents.get(path, {}))
    query_ = "&".join(f"updateMask.fieldPaths={each}" for each in mask or ())
    if dice.random() < 0.2:
        query_ += f"&currentDocument.exists={dice.choice(('true', 'false'))}"
    target = name(path) + (f"?{query_.lstrip('&')}" if query_ else "")
    return "PATCH", target, {"fields": encoded(made)}


def create(dice, scene):
    place, _, document = a_path(dice, scene).rpartition("/")
    return "POST", f"{name(place)}?documentId={document}", {"fields": encoded(fields(dice))}


def delete(dice, scene):
    condition = dice.choice(("?currentDocument.exists=true", *("",) * 4))
    return "DELETE", name(a_path(dice, scene)) + condition, None


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
    return "POST", f"{ROOT}:commit", {"writes": [write(dice, scene, path) for path in paths]}


MAKERS = {
    get: 22,
    batch_get: 5,
    list_documents: 5,
    run_query: 28,
    aggregate: 6,
    patch: 12,
    create: 6,
    delete: 6,
    commit: 14,
}
