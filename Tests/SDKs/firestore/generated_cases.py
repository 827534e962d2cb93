"""Random queries over documents with few distinct values. Each run has the same queries."""

import random

from firestore.case import ROOT, Case, query
from firestore.values import Reference, Vector, cursor, either, every, order, unary, where

SEED = 4711
COUNT = 600
PATHS = ("a", "b", "c", "m.x", "list")
SCALARS = (None, True, float("nan"), -0.0, 0, 1, 1.0, 2, 3, "", "a", "b", b"a")
OPERATORS = {
    "LESS_THAN": 2,
    "LESS_THAN_OR_EQUAL": 2,
    "GREATER_THAN": 3,
    "GREATER_THAN_OR_EQUAL": 3,
    "EQUAL": 5,
    "NOT_EQUAL": 1,
    "IN": 3,
    "NOT_IN": 1,
    "ARRAY_CONTAINS": 1,
    "ARRAY_CONTAINS_ANY": 1,
}


def documents():
    """Returns some hundred documents in collections of one name, with few distinct values."""
    dice = random.Random(SEED)
    made = {}
    for number in range(120):
        plain = {}
        for path in ("a", "b", "c"):
            # Mostly numbers, sometimes another type, sometimes missing.
            if dice.random() < 0.85:
                plain[path] = dice.choice((0, 1, 1.0, 2, 3)) if dice.random() < 0.7 else dice.choice(SCALARS)
        if dice.random() < 0.5:
            plain["m"] = {"x": dice.choice((1, 2, 3, "a", None))}
        if dice.random() < 0.6:
            plain["list"] = dice.sample((0, 1, 2, "a", None, float("nan")), dice.randint(0, 3))
        if dice.random() < 0.05:
            plain["a"] = Vector((1, dice.randint(0, 2)))
        place = f"g/{number:03}" if number % 4 else f"p/{number % 3}/g/{number:03}"
        made[place] = plain
    return made


def a_filter(dice):
    path = dice.choice(PATHS)
    if dice.random() < 0.07:
        return unary(path, dice.choice(("IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN")))
    if dice.random() < 0.08:
        operand = Reference(f"{ROOT}/g/{dice.randrange(120):03}")
        return where("__name__", dice.choice(("EQUAL", "GREATER_THAN", "LESS_THAN_OR_EQUAL")), operand)
    operator = dice.choices(list(OPERATORS), list(OPERATORS.values()))[0]
    if operator in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY"):
        return where(path, operator, dice.sample(SCALARS, dice.randint(1, 3)))
    if operator == "ARRAY_CONTAINS":
        path = "list"
    return where(path, operator, dice.choice(SCALARS if dice.random() < 0.4 else (0, 1, 2)))


def filters(dice, depth=0):
    if depth == 2 or dice.random() < 0.55:
        return a_filter(dice)
    parts = [filters(dice, depth + 1) for _ in range(dice.randint(1, 3))]
    return dice.choice((every, either))(*parts)


def structured(dice):
    """Returns a random query. Each of its parts is optional."""
    made = {"from": [{"collectionId": "g", "allDescendants": dice.random() < 0.3}]}
    if dice.random() < 0.8:
        made["where"] = filters(dice)
    paths = []
    if dice.random() < 0.6:
        paths = dice.sample(("a", "b", "c", "m.x"), dice.randint(1, 2))
        if dice.random() < 0.3:
            paths.append("__name__")
        paths = [path if dice.random() < 0.6 else f"-{path}" for path in paths]
        made["orderBy"] = order(*paths)
    for key in ("startAt", "endAt"):
        if paths and dice.random() < 0.25:
            values = [
                Reference(f"{ROOT}/g/{dice.randrange(120):03}")
                if path.endswith("__name__")
                else dice.choice(SCALARS)
                for path in paths[: dice.randint(1, len(paths))]
            ]
            made[key] = cursor(*values, before=dice.random() < 0.5)
    if dice.random() < 0.2:
        made["limit"] = dice.randint(0, 20)
    if dice.random() < 0.1:
        made["offset"] = dice.randint(0, 20)
    # Mostly only the documents' names and their order matter.
    made["select"] = {"fields": [{"fieldPath": "a" if dice.random() < 0.2 else "__name__"}]}
    return made


def cases():
    dice = random.Random(SEED + 1)
    for number in range(COUNT):
        yield Case(f"generated {number:03}", [query(structured(dice))], data="generated")
