"""Random rulesets of realistic and odd shapes."""

from rules.expressions import Scope, expression
from rules.tree import Node

METHODS = (
    *(("read",),) * 5,
    *(("write",),) * 4,
    *(("get",), ("list",), ("create",), ("update",), ("delete",)) * 2,
    ("read", "write"),
    ("get", "list"),
    ("create", "update"),
    ("update", "delete"),
    ("read", "create"),
    ("create", "update", "delete"),
    ("get", "list", "create", "update", "delete"),
)
# The patterns that a match may have below another one, by the collection it is for. `@` stands for
# a variable's name.
PATTERNS = {
    "": (
        *("/people/{@}", "/items/{@}", "/rooms/{@}", "/messages/{@}") * 5,
        *("/rooms/{@}/messages/{@}", "/{@=**}/messages/{@}") * 3,
        *("/people/alice", "/items/i1", "/settings/public", "/settings/{@}", "/{@}/{@}") * 2,
        *("/{@=**}", "/{@=**}", "/rooms/{@=**}", "/items/{@=**}"),
        *("/rooms/r1", "/rooms", "/rooms/r1/messages/{@}", "/{@}/i1", "/{@=**}/parts/{@}"),
        *("/people/{@}/{@=**}", "/rooms/{@}/{@}/{@}", "/{@=**}/{@}", "/{@}/{@=**}", "/{@=**}/m1"),
        "/rooms/{@}/messages/{@}/reactions/{@}",
    ),
    "rooms": (
        *("/messages/{@}",) * 5,
        *("/messages/m1", "/{@=**}", "/{@}/{@}", "/messages/{@=**}", "/{@}/m1"),
    ),
    "people": ("/messages/{@}", "/{@=**}", "/messages/m1"),
    "items": ("/parts/{@}", "/parts/p1", "/{@=**}"),
    "messages": ("/reactions/{@}", "/{@=**}"),
}
WIDE = ("/{@=**}", "/{@}/{@=**}", "/{@=**}/messages/{@}", "/rooms/{@=**}", "/{@}/{@}")
EASY = ("if true", "if request.auth != null", "")
NAMES = ("id", "uid", "room", "item", "document", "x", "path", "rest")
SIGNATURES = (
    ((), "bool"),
    (("string",), "bool"),
    (("string", "list"), "bool"),
    (("map",), "bool"),
    (("path",), "bool"),
    ((), "string"),
    (("string",), "string"),
    (("int", "int"), "int"),
    ((), "int"),
)


def ruleset(dice):
    """Returns the tree of a random ruleset."""
    version = dice.choices(("rules_version = '2';\n", "rules_version = '1';\n", ""), (92, 4, 4))[0]
    scope = Scope()
    pieces = functions(dice, scope, 1) if dice.random() < 0.2 else []
    inner = Scope({"database": "string"}, scope.functions)
    body = functions(dice, inner, 2) if dice.random() < 0.5 else []
    for _ in range(dice.randint(2, 6)):
        body.append(match(dice, "", inner, 2))
    if dice.random() < 0.5:
        body.append(match(dice, "", inner, 2, patterns=WIDE))
    if dice.random() < 0.5:
        # Something is allowed somewhere, so that requests change what later ones meet.
        body.append(match(dice, "", inner, 2, conditions=EASY))
    database = dice.choices(("{database}", "(default)"), (95, 5))[0]
    return Node(
        "",
        Node("statement", version),
        "service cloud.firestore {\n",
        *pieces,
        f"  match /databases/{database}/documents {{\n",
        *body,
        "  }\n}\n",
    )


def match(dice, collection, scope, depth, conditions=(), patterns=None):
    """Returns a match block with statements, and sometimes with further blocks."""
    taken = set(scope.variables)
    pieces, variables = [], {}
    for place, piece in enumerate(dice.choice(patterns or PATTERNS[collection]).split("@")):
        if place:
            # A name of an outer variable hides it.
            free = [each for each in NAMES if each not in taken or dice.random() < 0.05]
            name = dice.choice([each for each in free if each not in variables])
            variables[name] = "path" if piece.startswith("=") else "string"
            pieces.append(name)
        pieces.append(piece)
    pattern = "".join(pieces)
    inner = scope.adding(**variables)
    pad = "  " * depth
    body = []
    if dice.random() < 0.15:
        body += functions(dice, inner, depth + 1)
    for _ in range(dice.choices((1, 2, 3, 0), (50, 40, 20, 1))[0]):
        body.append(allow(dice, inner, depth + 1, conditions))
    # The collection of the documents in the block, which decides what is nested.
    words = [word for word in pattern.split("/") if word.isalpha()]
    nested = words[-1] if words else ""
    if nested in PATTERNS and "=**" not in pattern and depth < 4 and dice.random() < 0.35:
        for _ in range(dice.randint(1, 2)):
            body.append(match(dice, nested, inner, depth + 1))
    return Node("statement", f"{pad}match {pattern} {{\n", *body, f"{pad}}}\n")


def allow(dice, scope, depth, conditions=()):
    methods = dice.choice(METHODS)
    start = f"{'  ' * depth}allow {', '.join(methods)}"
    if conditions:
        condition = dice.choice(conditions)
        return Node("statement", f"{start}{condition and ': ' + condition};\n")
    if dice.random() < 0.04:
        return Node("statement", f"{start};\n")
    condition = expression(dice, "bool", scope.meeting(methods))
    return Node("statement", f"{start}: if ", condition, ";\n")


def functions(dice, scope, depth):
    """Returns one to three functions, and adds them to the scope."""
    made = []
    pad = "  " * depth
    for _ in range(dice.randint(1, 3)):
        parameters, result = dice.choice(SIGNATURES)
        name = f"{dice.choice(('is', 'has', 'can', 'of'))}{len(scope.functions) + 1}"
        names = [f"p{place}" for place in range(len(parameters))]
        inner = scope.adding(**dict(zip(names, parameters)))
        # Either kind of resource may be there.
        inner = Scope(inner.variables, scope.functions, dice.random() < 0.5, dice.random() < 0.8)
        lets = []
        for place in range(dice.choices((0, 1, 2), (6, 3, 1))[0]):
            kind = dice.choice(("string", "bool", "int", "list"))
            value = expression(dice, kind, inner, 2)
            lets.append(Node("statement", f"{pad}  let v{place} = ", value, ";\n"))
            inner = inner.adding(**{f"v{place}": kind})
        body = expression(dice, result, inner, 1)
        signature = f"{pad}function {name}({', '.join(names)}) {{\n"
        made.append(Node("statement", signature, *lets, f"{pad}  return ", body, f";\n{pad}}}\n"))
        scope.functions.append((name, parameters, result))
    return made
