"""The table of expressions: each with what it decides as a condition, in expressions.txt."""

import pathlib
from dataclasses import dataclass

from firestore.values import Instant, Point, Reference, Vector
from rules.world import ROOT

FILE = pathlib.Path(__file__).parent / "expressions.txt"
VERDICTS = ("allow", "deny", "broken")
DOCUMENT = {
    "n": 5,
    "price": 2.5,
    "key": "n",
    "word": "ex",
    "pattern": "[",
    "on": True,
    "nothing": None,
    "tags": ["a", "b"],
    "members": ["alice"],
    "meta": {"name": "m", "deep": {"z": 7}},
    "at": Instant("2024-02-29T12:34:56.789Z"),
    "ref": Reference(f"{ROOT}/rows/y"),
    "place": Point((48.5, -7.25)),
    "blob": b"\x00\x01",
    "vec": Vector((1, 2, 3)),
}
OTHER = {"rows/y": {"word": "why"}}
START = "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{db}/documents {\n"
END = "  }\n}\n"


@dataclass(frozen=True)
class Row:
    """An expression. As a condition it allows a get, denies it, or doesn't compile (`broken`)."""

    place: int
    verdict: str
    expression: str

    @property
    def path(self):
        """The path of the document that the row's condition is for."""
        return f"row{self.place}/x"

    @property
    def block(self):
        allow = f"      allow get: if\n{self.expression}\n;\n"
        return f"    match /row{self.place}/{{id}} {{\n{allow}    }}\n"

    @property
    def request(self):
        request = {"name": f"{ROOT}/{self.path}"}
        return {"user": "alice", "door": "REST", "method": "GetDocument", "request": request}


def rows():
    made = []
    for place, line in enumerate(FILE.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            verdict, expression = line.split(None, 1)
            assert verdict in VERDICTS, line
            made.append(Row(place, verdict, expression))
    return made


def ruleset(rows):
    """Returns the rules of rows, each for a document of its own."""
    return START + "".join(row.block for row in rows) + END


def documents(rows):
    return {row.path: DOCUMENT for row in rows} | OTHER


def verdicts(side, rows):
    """Returns what a server decides for each row. Rows that compile are judged together."""
    found = {row: "broken" for row in rows}
    whole = [row for row in rows if row.verdict != "broken"]
    if side.set_rules(ruleset(whole))[0].status != 200:
        whole = [row for row in whole if compiles(side, row)]
    whole += [row for row in rows if row.verdict == "broken" and compiles(side, row)]
    assert side.set_rules(ruleset(whole))[0].status == 200
    side.reset(documents(whole))
    for row in whole:
        found[row] = {200: "allow", 403: "deny"}[side.ask(row.request).status]
    return found


def compiles(side, row):
    _, issues = side.set_rules(ruleset([row]), ignoring_errors=True)
    return not any(issue["severity"] == "ERROR" for issue in issues)
