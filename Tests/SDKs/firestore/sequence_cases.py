"""Commits that write to one document more than once: all short ones, and random ones."""

import itertools
import random
import re

from firestore.case import DATABASE, name, update
from firestore.values import value

LONG_AGO = "2020-01-01T00:00:00Z"
LONGEST = 3
# The kinds of writes. Each may have one of the preconditions.
OPERATIONS = ("set", "merge", "transform", "delete", "verify")
CONDITIONS = ("", "exists", "absent", "its time", "another time")
KINDS = tuple(itertools.product(OPERATIONS, CONDITIONS))
# The kinds of writes that the sequences of three writes use.
TELLING = tuple(
    (operation, condition)
    for operation, condition in KINDS
    if operation in ("set", "delete") or (operation == "merge" and "time" not in condition)
)


def write(kind, path, time, number):
    """Returns a write of a kind to a document that was last written at a time."""
    operation, condition = kind
    change = {
        "set": lambda: update(path, {"set": number}),
        "merge": lambda: update(path, {"m": {"x": number}}, updateMask={"fieldPaths": ["m.x"]}),
        "transform": lambda: {
            "transform": {
                "document": name(path),
                "fieldTransforms": [{"fieldPath": "sum", "increment": value(number)}],
            }
        },
        "delete": lambda: {"delete": name(path)},
        "verify": lambda: {"verify": name(path)},
    }[operation]()
    demands = {
        "exists": {"exists": True},
        "absent": {"exists": False},
        "its time": {"updateTime": time},
        "another time": {"updateTime": LONG_AGO},
    }
    return change | ({"currentDocument": demands[condition]} if condition else {})


def table():
    """Yields all sequences of one and two writes to a document that exists or not, and selected
    ones of three."""
    for count in range(1, LONGEST + 1):
        for kinds in itertools.product(KINDS if count < LONGEST else TELLING, repeat=count):
            for is_there in (False, True):
                yield {"a": is_there, "b": False}, [("a", kind) for kind in kinds]


def random_commits(seed, count):
    """Yields commits of one to six writes to two documents. About a third of the commits succeed."""
    dice = random.Random(seed)
    for _ in range(count):
        there = {"a": dice.random() < 0.5, "b": dice.random() < 0.5}
        writes = []
        for _ in range(dice.randint(1, 6)):
            operation = dice.choices(OPERATIONS, (4, 4, 3, 3, 1))[0]
            condition = dice.choices(CONDITIONS, (12, 4, 2, 2, 1))[0]
            if operation == "verify" and not condition:
                condition = "exists"
            writes.append((dice.choice("ab"), (operation, condition)))
        yield there, writes


class Scene:
    """A server on which each commit of a batch has two new documents."""

    def __init__(self, server, run):
        self.server = server
        self.database = DATABASE.replace("/DB", f"/{run}")
        self.places = itertools.count()

    def ask(self, method, **request):
        return self.server.ask(method, {"database": self.database, **request})

    def outcomes(self, commits):
        """Returns for each commit the status code, the impossible pair of writes that the error
        names, and both documents' fields after the commit."""
        scenes = [f"s/{next(self.places)}/d" for _ in commits]
        present = [
            update(f"{scene}/{document}", {"was": 1})
            for scene, (there, _) in zip(scenes, commits)
            for document, is_there in there.items()
            if is_there
        ]
        (loaded,) = self.ask("Commit", writes=self.here(present))
        codes = []
        for scene, (_, writes) in zip(scenes, commits):
            made = [
                write(kind, f"{scene}/{document}", loaded["commitTime"], number)
                for number, (document, kind) in enumerate(writes)
            ]
            answer = self.ask("Commit", writes=self.here(made))
            codes.append(("OK", "") if isinstance(answer, list) else self.refusal(answer))
        names = [name(f"{scene}/{document}") for scene in scenes for document in "ab"]
        found = {}
        for answer in self.ask("BatchGetDocuments", documents=self.here(names)):
            if "found" in answer:
                found[answer["found"]["name"]] = answer["found"].get("fields", {})
        left = [found.get(each) for each in self.here(names)]
        return [(*code, *left[2 * place : 2 * place + 2]) for place, code in enumerate(codes)]

    @staticmethod
    def refusal(error):
        """Returns the status code, and the impossible pair of writes that the error names, if any.
        """
        impossible = re.match(r"Cannot \w+ then \w+", error.message)
        return error.code, impossible[0] if impossible else ""

    def here(self, part):
        """Returns a part of a request with the names of this server's database."""
        if isinstance(part, dict):
            return {key: self.here(each) for key, each in part.items()}
        if isinstance(part, list):
            return [self.here(each) for each in part]
        return part.replace(DATABASE, self.database) if isinstance(part, str) else part
