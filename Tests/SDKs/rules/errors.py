"""Random conditions whose evaluation always fails, so that they must never allow anything."""

from rules.expressions import Scope, expression
from rules.tree import Node

# Expressions that fail by themselves. Documents have no field `absent`.
FAILING = (
    "resource.data.absent == 1",
    "resource.data.absent",
    "request.absent == 1",
    "request.auth.token.absent == true",
    "nowhere == 1",
    "nowhere()",
    "nowhere.x",
    "get(/databases/(default)/documents/items/absent).data.x == 1",
    "get(/databases/(default)/documents/items).data.x == 1",
    "getAfter(/databases/(default)/documents/absent/absent) != null",
    "exists('items/i1')",
    "exists(/a)",
    "int('x') == 1",
    "1 / 0 == 0",
    "9223372036854775807 + 1 != 0",
    "'a' < 1",
    "'a' + 1 == 'a1'",
    "[1, 2][2] == 1",
    "[1][-1] == 1",
    "'abc'[1:9] == 'a'",
    "{'a': 1}.b == 1",
    "{'a': 1}['b'] != 1",
    "null.x == null",
    "-'a' == 1",
    "'a'.matches(1)",
    "'a'.size(1) == 1",
    "'a'.nope()",
    "duration.value(1, 'x') == null",
    "timestamp.date(2024, 13, 1) != null",
    "latlng.value(91, 0) != null",
    "math.abs('a') == 1",
    "hashing.md5(1) != b''",
    "[1].hasAll(1)",
    "1 in 1",
    "true > false",
)
# Values that fail where a Boolean is needed.
NOT_BOOLEAN = ("1", "null", "'true'", "[true]", "{}", "request.time", "request.path", "b'1'")
# Operations that need Booleans.
LOGICAL = (
    *("!E", "(E)", "E && E", "E || E", "E && true", "true && E", "E || false", "false || E"),
    "E ? B : B",
)
# What fails if its parts do. `E` fails; `B` is any condition.
AROUND = (
    *LOGICAL * 2,
    *("true ? E : B", "false ? B : E", "(E) == true", "(E) != (B)", "(E) in [true]"),
    *("[E].size() == 1", "{'a': (E)}.a", "debug(E)", "(E) is bool", "[E] == [B]"),
    "(E) && (E) || (E)",
    *("[true].hasAll([E])", "[1, 2][(E) ? 0 : 1] == 1", "exists(/a/$(E))", "!(E) || !(E)"),
)


def condition(dice, depth=3, logical=True):
    """Returns a condition that fails to evaluate. `logical` tells whether its context needs a
    Boolean."""
    if depth == 0 or dice.random() < 0.3:
        plain = (*FAILING, *NOT_BOOLEAN) if logical else FAILING
        return Node("expression", dice.choice(plain))
    around = dice.choice(AROUND)
    if around != "(E)":
        logical = around in LOGICAL
    pieces = []
    for letter in around:
        if letter == "E":
            pieces += ["(", condition(dice, depth - 1, logical), ")"]
        elif letter == "B":
            pieces += ["(", expression(dice, "bool", Scope(), 3), ")"]
        else:
            pieces.append(letter)
    return Node("expression", *pieces)
