"""What a Realtime Database should do, in plain Python: a tree of dicts, without empty ones."""

import json
import re


def parts(path):
    return [part for part in path.split("/") if part]


def clean(value):
    """Returns a value without nulls and empty objects, or None if nothing is left. Lists become objects."""
    if isinstance(value, list):
        value = {str(index): each for index, each in enumerate(value)}
    if not isinstance(value, dict):
        return value
    cleaned = {key: clean(each) for key, each in value.items()}
    return {key: each for key, each in cleaned.items() if each is not None} or None


def get(tree, path):
    for key in parts(path):
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def put(tree, path, value):
    """Returns the tree with a value at a path."""
    keys = parts(path)
    if not keys:
        return clean(value)
    if not isinstance(tree, dict):
        if clean(value) is None:
            return tree
        tree = {}
    return clean({**tree, keys[0]: put(tree.get(keys[0]), "/".join(keys[1:]), value)})


def integer(key):
    if re.fullmatch(r"-?0*\d{1,10}", key) and -(2**31) <= int(key) < 2**31:
        return int(key)
    return None


def key_order(key):
    number = integer(key)
    return (0, number, len(key), key) if number is not None else (1, key.encode("utf-16-be"))


def value_order(value):
    """The place of a value: null, false, true, numbers, texts, objects."""
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (2,) if value else (1,)
    if isinstance(value, (int, float)):
        return (3, value)
    if isinstance(value, str):
        return (4, value.encode("utf-16-be"))
    return (5,)


def window(node, query):
    """Returns a query's part of a node. `query` has `by`, and optionally start, after, end, before, first or last."""
    if not query:
        return node
    if not isinstance(node, dict):
        return None

    def place(key):
        if query["by"] == ".key":
            return ()
        return value_order(node[key] if query["by"] == ".value" else get(node[key], query["by"]))

    def bound(value):
        return key_order(value) if query["by"] == ".key" else value_order(value)

    keys = sorted(node, key=lambda key: (place(key), key_order(key)))
    own = key_order if query["by"] == ".key" else place
    if "start" in query:
        keys = [key for key in keys if own(key) >= bound(query["start"])]
    if "after" in query:
        keys = [key for key in keys if own(key) > bound(query["after"])]
    if "end" in query:
        keys = [key for key in keys if own(key) <= bound(query["end"])]
    if "before" in query:
        keys = [key for key in keys if own(key) < bound(query["before"])]
    if "first" in query:
        keys = keys[: query["first"]]
    if "last" in query:
        keys = keys[-query["last"] :]
    return clean({key: node[key] for key in keys})


def message(query):
    """Returns a query as a message has it."""
    q = {"i": query["by"]}
    for name, (bound, inclusive, flag) in {
        "start": ("sp", True, "sin"), "after": ("sp", False, "sin"), "end": ("ep", True, "ein"), "before": ("ep", False, "ein"),
    }.items():
        if name in query:
            q |= {bound: query[name], flag: inclusive}
    if "first" in query:
        q |= {"l": query["first"], "vf": "l"}
    if "last" in query:
        q |= {"l": query["last"], "vf": "r"}
    return q


def parameters(query):
    """Returns a query as a URL has it."""
    names = {"start": "startAt", "after": "startAfter", "end": "endAt", "before": "endBefore"}
    by = {".key": "$key", ".value": "$value"}.get(query["by"], query["by"])
    found = {"orderBy": json.dumps(by)}
    found |= {names[name]: json.dumps(query[name]) for name in names if name in query}
    if "first" in query:
        found["limitToFirst"] = query["first"]
    if "last" in query:
        found["limitToLast"] = query["last"]
    return found
