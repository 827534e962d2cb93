"""Requests to Firestore, in a short notation: what a person tries."""

from dataclasses import dataclass, field

from firestore.values import fields, order, value, where


class Now:
    """The server's time, as a field's value."""


class Gone:
    """No value: the write removes the field."""


@dataclass
class Union:
    """Elements that the server adds to an array."""

    elements: list


@dataclass
class Without:
    """Elements that the server removes from an array."""

    elements: list


@dataclass
class Write:
    """A write to a document. `mask` has the fields' paths, or is None to replace the document."""

    path: str
    plain: dict | None
    mask: list | None = None
    exists: bool | None = None

    def body(self, root):
        """Returns the write in Firestore's JSON."""
        name = f"{root}/{self.path}"
        if self.plain is None:
            return {"delete": name}
        kept = {path: each for path, each in self.plain.items() if not isinstance(each, (type, Union, Without))}
        write = {"update": {"name": name, "fields": fields(nested(kept))}}
        if self.mask is not None:
            write["updateMask"] = {"fieldPaths": [*kept, *(p for p, each in self.plain.items() if each is Gone)]}
        transforms = [
            {"fieldPath": path, **transform(each)} for path, each in self.plain.items()
            if each is Now or isinstance(each, (Union, Without))
        ]
        if transforms:
            write["updateTransforms"] = transforms
        if self.exists is not None:
            write["currentDocument"] = {"exists": self.exists}
        return write


def nested(plain):
    """Returns a dictionary whose keys are field paths as nested dictionaries."""
    result = {}
    for path, each in plain.items():
        *parents, last = path.split(".")
        inner = result
        for parent in parents:
            inner = inner.setdefault(parent, {})
        inner[last] = each
    return result


def transform(each):
    if each is Now:
        return {"setToServerValue": "REQUEST_TIME"}
    values = {"values": [value(element) for element in each.elements]}
    return {"appendMissingElements" if isinstance(each, Union) else "removeAllFromArray": values}


def create(path, **plain):
    return Write(path, plain, exists=False)


def replace(path, **plain):
    return Write(path, plain)


def update(path, **plain):
    """Changes some fields. A double underscore in a name is the dot of a field path."""
    plain = {name.replace("__", "."): each for name, each in plain.items()}
    return Write(path, plain, mask=list(plain), exists=True)


def delete(path):
    return Write(path, None)


@dataclass
class Request:
    """What a person sends: a method and a path of Firestore's REST API, with a body."""

    method: str
    verb: str
    body: dict = field(default_factory=dict)

    @property
    def writes(self):
        return self.verb == ":commit"


def get(path):
    return Request("GET", f"/{path}")


def commit(*writes):
    return Request("POST", ":commit", {"writes": list(writes)})


def find(collection, *filters, by=(), limit=None, everywhere=False):
    """Queries a collection by its path, or all collections of that name."""
    *parents, name = collection.split("/")
    query = {"from": [{"collectionId": name, **({"allDescendants": True} if everywhere else {})}]}
    parts = [where(*each) for each in filters]
    if parts:
        query["where"] = parts[0] if len(parts) == 1 else {"compositeFilter": {"op": "AND", "filters": parts}}
    if by:
        query["orderBy"] = order(*by)
    if limit:
        query["limit"] = limit
    parent = "".join(f"/{each}" for each in parents)
    return Request("POST", f"{parent}:runQuery", {"structuredQuery": query})


def count(collection, *filters):
    query = find(collection, *filters)
    body = {"structuredAggregationQuery": {**query.body, "aggregations": [{"alias": "n", "count": {}}]}}
    return Request("POST", query.verb.replace("runQuery", "runAggregationQuery"), body)
