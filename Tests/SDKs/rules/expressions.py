"""Random expressions of rules: well-typed ones mostly, weighted to what people write.

The grammar below has the alternatives of each type, with a weight before each. A word in angle
brackets is a part of that type. `<field:T>` is a document's field of type T, `<variable:T>` a
variable in scope or, without one, a literal; `<call:T>` likewise calls a function in scope.
"""

import re

from rules.tree import Node
from rules.world import FIELDS

GRAMMAR = {
    "bool": """
        9 request.auth != null
        3 request.auth == null
        8 <field:string> == request.auth.uid
        6 request.auth.uid == <string>
        3 request.auth.uid in <list>
        6 request.auth.uid in <field:list>
        2 request.auth.token.admin == true
        2 request.auth.token.admin
        1 request.auth.token.email_verified
        2 request.auth.token.role == 'admin'
        2 request.auth.token.level >= <int>
        1 <string> in request.auth.token.groups
        1 request.auth.token.get('role', '') == <string>
        1 request.auth.token.firebase.sign_in_provider == 'password'
        8 <bool> && <bool>
        7 <bool> || <bool>
        3 !<bool>
        2 (<bool>)
        2 <bool> ? <bool> : <bool>
        5 <field:bool>
        2 <field:bool> == <bool>
        6 <string> == <string>
        3 <string> != <string>
        1 <string> < <string>
        4 <int> == <int>
        2 <int> != <int>
        3 <int> > <int>
        3 <int> <= <int>
        1 <float> >= <float>
        1 <int> < <float>
        1 <any> == <any>
        1 <any> != <any>
        3 <string> in <list>
        3 <string> in <map>
        2 <string> in <set>
        1 <int> in [<int>, <int>]
        1 <any> in <list>
        3 <any> is <type>
        2 <field:any> is <type>
        3 <list>.hasAll(<list>)
        3 <list>.hasAny(<list>)
        3 <list>.hasOnly(<list>)
        2 <set>.hasOnly(<list>)
        1 <set>.hasAll(<set>)
        1 <set>.hasAny(<list>)
        1 <set> == <set>
        1 <any> in <map>.values()
        1 <map>.values().hasAny(<list>)
        1 <map>.values().hasOnly(<list>)
        4 <map>.keys().hasOnly(<names>)
        2 <map>.keys().hasAll(<names>)
        2 <documents>.data.keys().hasAny(<names>)
        4 <document>.data.diff(<document>.data).affectedKeys().hasOnly(<names>)
        1 <map>.diff(<map>).<changes>().hasAny(<names>)
        1 <map>.diff(<map>).<changes>().size() <= <int>
        3 <string>.matches(<regex>)
        2 <timestamp> < <timestamp>
        2 <timestamp> == <timestamp>
        1 <timestamp> >= <timestamp>
        1 <duration> < <duration>
        1 <duration> == <duration>
        4 exists(<path>)
        1 existsAfter(<path>)
        3 get(<path>).data.<name:bool>
        3 get(<path>).data.<name:string> == <string>
        2 request.auth.uid in get(<path>).data.members
        1 get(<path>).data.roles[request.auth.uid] == 'admin'
        1 getAfter(<path>).data.<name:int> == <int>
        1 get(<path>) == null
        3 resource == null
        2 resource != null
        1 request.resource == null
        1 <path> == <path>
        1 <map> == <map>
        2 <list> == <list>
        1 <bytes> == <bytes>
        1 <latlng> == <latlng>
        1 <latlng>.distance(<latlng>) < <float>
        2 request.method == <method>
        1 request.method in [<method>, <method>]
        2 request.query.limit <= <int>
        1 request.query.offset == <int>
        1 request.query.limit is int
        1 request.time > <timestamp>
        1 request.resource.data.at == request.time
        1 math.isNaN(<float>)
        3 <variable:bool>
        4 <call:bool>
        7 true
        3 false
    """,
    "string": """
        6 <field:string>
        5 request.auth.uid
        4 <variable:string>
        1 request.auth.token.role
        1 request.auth.token.email
        1 <string> + <string>
        1 <string>.lower()
        1 <string>.upper()
        1 <string>.trim()
        1 <string>[<int>]
        1 <string>[<int>:<int>]
        1 <string>.replace(<regex>, <string>)
        1 <string>.split(<regex>)[<int>]
        1 string(<any>)
        1 <list>[<int>]
        1 <list>.join(<string>)
        1 <map>[<string>]
        1 <map>.get(<string>, <string>)
        1 <map>.<name:string>
        1 <field:map>.name
        1 <path>[<int>]
        1 <document>.id
        1 <bytes>.toBase64()
        1 <bytes>.toHexString()
        1 <bool> ? <string> : <string>
        1 request.method
        2 <call:string>
        1 debug(<string>)
        9 <literal:string>
    """,
    "int": """
        7 <field:int>
        1 <field:map>.score
        2 <string>.size()
        3 <list>.size()
        1 <map>.size()
        1 <map>.values().size()
        1 <set>.size()
        1 <bytes>.size()
        2 <int> + <int>
        1 <int> - <int>
        1 <int> * <int>
        1 <int> / <int>
        1 <int> % <int>
        1 -<int>
        1 int(<string>)
        1 int(<float>)
        1 math.abs(<int>)
        1 math.floor(<float>)
        1 math.ceil(<float>)
        1 math.round(<float>)
        1 <timestamp>.<unit>()
        1 <timestamp>.toMillis()
        1 <duration>.seconds()
        1 <duration>.nanos()
        1 request.auth.token.level
        1 request.query.limit
        1 <bool> ? <int> : <int>
        2 <variable:int>
        2 <call:int>
        9 <literal:int>
    """,
    "float": """
        5 <field:float>
        1 <float> + <float>
        1 <float> * <int>
        1 <int> / <float>
        1 float(<string>)
        1 float(<int>)
        1 math.sqrt(<float>)
        1 math.pow(<float>, <int>)
        1 math.abs(<float>)
        1 <latlng>.latitude()
        1 request.auth.token.score
        5 <literal:float>
    """,
    "list": """
        7 <field:list>
        2 <map>.keys()
        1 <list>.concat(<list>)
        1 <list>.removeAll(<list>)
        1 <list>[<int>:<int>]
        1 <string>.split(<regex>)
        1 request.auth.token.groups
        1 [<string>]
        1 [<string>, <any>]
        2 <variable:list>
        4 <literal:list>
    """,
    "set": """
        3 <list>.toSet()
        1 <set>.union(<set>)
        1 <set>.intersection(<set>)
        1 <set>.difference(<set>)
        3 <map>.diff(<map>).<changes>()
    """,
    "map": """
        5 <field:map>
        6 <documents>.data
        1 {'a': <any>, 'b': <any>}
        1 {'name': <string>, <string>: <int>}
        1 {}
        1 request.auth.token
        1 request.auth.token.org
        1 request.auth
        1 <document>
        1 <map>.get(<string>, {})
    """,
    "timestamp": """
        6 <field:timestamp>
        5 request.time
        2 <timestamp> + <duration>
        1 <timestamp> - <duration>
        2 timestamp.date(2024, <literal:int>, <literal:int>)
        2 timestamp.value(<int>)
        1 <timestamp>.date()
    """,
    "duration": """
        3 duration.value(<int>, <span>)
        1 duration.time(<int>, <int>, <int>, <int>)
        1 <field:timestamp> - <field:timestamp>
        1 duration.abs(<duration>)
        1 <duration> + <duration>
        1 <timestamp>.time()
    """,
    "path": """
        5 /databases/$(database)/documents/people/$(request.auth.uid)
        3 /databases/$(database)/documents/people/$(<string>)
        3 /databases/$(database)/documents/rooms/$(<string>)
        2 /databases/$(database)/documents/rooms/$(<variable:string>)
        3 /databases/(default)/documents/rooms/r1
        2 /databases/$(database)/documents/items/$(<string>)
        1 /databases/$(database)/documents/rooms/r1/messages/$(<string>)
        1 /databases/$(database)/documents/settings/public
        1 /databases/$(database)/documents/$(<string>)/$(<string>)
        1 /databases/$(database)/documents/people
        1 path('/databases/(default)/documents/people/' + <string>)
        1 <field:path>
        1 request.path
        1 <document>.__name__
        1 <variable:path>
    """,
    "bytes": """
        3 <field:bytes>
        1 b'abc'
        1 <string>.toUtf8()
        1 hashing.md5(<string>)
        1 hashing.sha256(<string>)
        1 hashing.crc32(<string>)
        1 hashing.crc32c(<bytes>)
    """,
    "latlng": """
        3 <field:latlng>
        2 latlng.value(<float>, <float>)
    """,
    "any": """
        4 <string>
        3 <int>
        2 <bool>
        1 <float>
        2 <list>
        2 <map>
        1 <set>
        1 <timestamp>
        1 <duration>
        1 <path>
        1 <bytes>
        1 <latlng>
        2 <field:any>
        1 <field:vector>
        2 <field:null>
        2 null
        1 <map>.diff(<map>)
        1 nowhere
    """,
}
# Words that are no expressions, and literals.
WORDS = {
    "type": """bool bytes constraint duration float int latlng list map map_diff number path set
        string timestamp vector""".split(),
    "unit": "year month day hours minutes seconds nanos dayOfWeek dayOfYear".split(),
    "span": ["'w'", "'d'", "'h'", "'m'", "'s'", "'ms'", "'ns'", "'y'"],
    "changes": "addedKeys removedKeys changedKeys unchangedKeys affectedKeys".split(),
    "method": ["'get'", "'list'", "'create'", "'update'", "'delete'", "'read'"],
    "regex": [
        "'a.*'",
        "'[a-z]+'",
        "'^alice$'",
        "'.*@.*'",
        "'(a|b)+'",
        "','",
        "''",
        "'\\\\w+'",
        "'(?i)ALICE'",
        "'[^x]*'",
        "'é'",
    ],
    "names": [
        "['owner', 'title']",
        "['state']",
        "['owner', 'state', 'title', 'pub', 'n', 'tags', 'members', 'meta']",
        "['n', 'tags']",
        "[]",
        "['meta', 'at', 'odd']",
        "['name', 'score']",
        "['nothing']",
    ],
    "literal:string": [
        *("'alice'", "'bob'", "'open'", "'admin'", "'x'", "''", "'héllo'", "'r1'", "'i1'", "'m1'"),
        *("'title'", "'a@b.c'", '"carol"', "'owner'", "'name'", "'3'", "'2.5'", "'A,b,c'"),
    ],
    "literal:int": "0 1 2 3 5 10 -1 100 9223372036854775807".split(),
    "literal:float": "0.0 0.5 1.0 2.5 -1.5 .25 100.0".split(),
    "literal:bool": ["true", "false"],
    "literal:path": ["/databases/(default)/documents/people/alice", "/a/b"],
    "literal:list": ["[]", "['alice', 'bob']", "['a']", "['a', 'b', 'c']", "[1, 'x', null]"],
}
TYPES = tuple(GRAMMAR)
OPERATION = re.compile(r" [-+*/%&|<>=!?]+ | in | is ")
ILL_TYPED = 0.015
MAXIMUM_DEPTH = 4


def parsed(alternatives):
    """Returns the weights and templates of a type: lists of texts, and of parts' names between
    them."""
    lines = [line.split(None, 1) for line in alternatives.strip().splitlines()]
    weights = [int(weight) for weight, _ in lines]
    return weights, [re.split(r"<([a-z]+(?::[a-z]+)?)>", template) for _, template in lines]


PARSED = {name: parsed(alternatives) for name, alternatives in GRAMMAR.items()}
# The alternatives without smaller expressions, for the leaves of a tree.
LEAVES = {
    name: [
        (weight, template)
        for weight, template in zip(weights, templates)
        if not any(part in GRAMMAR or part in ("document", "documents") for part in template[1::2])
    ]
    for name, (weights, templates) in PARSED.items()
}
FIELDS_BY_TYPE = {}
for _name, (_type, _) in FIELDS.items():
    FIELDS_BY_TYPE.setdefault(_type, []).append(_name)


class Scope:
    """What an expression can name: variables by type, and functions.

    A function is its name, its parameters' types, and its result's type. `writes` tells whether
    the expression is for writes, which have `request.resource`.
    """

    def __init__(self, variables=None, functions=(), writes=False, reads=True):
        self.variables = variables or {}
        self.functions = list(functions)
        self.writes = writes
        self.reads = reads

    def adding(self, **variables):
        return Scope(self.variables | variables, self.functions, self.writes, self.reads)

    def meeting(self, methods):
        """Returns the scope of a condition for methods."""
        reads = bool(set(methods) & {"read", "get", "list", "delete", "update"})
        writes = bool(set(methods) & {"write", "create", "update"})
        return Scope(self.variables, self.functions, writes, reads)


def expression(dice, kind, scope, depth=0):
    """Returns a random expression of a type."""
    if dice.random() < ILL_TYPED:
        kind = dice.choice(TYPES)
    leaves = LEAVES[kind]
    if leaves and (depth >= MAXIMUM_DEPTH or dice.random() < 0.2 * depth):
        (_, template), = dice.choices(leaves, [weight for weight, _ in leaves])
    else:
        weights, templates = PARSED[kind]
        (template,) = dice.choices(templates, weights)
        if depth > MAXIMUM_DEPTH + 4:
            # A type whose alternatives all have parts.
            template = [dice.choice(WORDS.get(f"literal:{kind}", ["null"]))]
    pieces = [
        piece if place % 2 == 0 else part(dice, piece, scope, depth + 1)
        for place, piece in enumerate(template)
    ]
    made = Node("expression", *pieces)
    # Most operands have parentheses; those that don't test the order of the operators.
    is_operation = len(template) > 1 and OPERATION.search("".join(template[::2]))
    if is_operation and depth and dice.random() < 0.7:
        return Node("expression", "(", made, ")")
    return made


def part(dice, name, scope, depth):
    """Returns what a word in angle brackets stands for."""
    if name in GRAMMAR:
        return expression(dice, name, scope, depth)
    if name in WORDS:
        return dice.choice(WORDS[name])
    if name in ("document", "documents"):
        return document(dice, scope, depth)
    role, _, kind = name.partition(":")
    if role == "name":
        return dice.choice(FIELDS_BY_TYPE[kind])
    if role == "field":
        return field(dice, kind, scope, depth)
    if role == "variable":
        named = [each for each, its in scope.variables.items() if its == kind]
        return Node("expression", dice.choice(named or WORDS[f"literal:{kind}"]))
    assert role == "call", name
    callable_ = [each for each in scope.functions if each[2] == kind]
    if not callable_ or depth > MAXIMUM_DEPTH:
        return Node("expression", dice.choice(WORDS[f"literal:{kind}"]))
    function, parameters, _ = dice.choice(callable_)
    pieces = [function, "("]
    for place, parameter in enumerate(parameters):
        pieces += [", "] * (place > 0) + [expression(dice, parameter, scope, depth + 1)]
    return Node("expression", *pieces, ")")


def document(dice, scope, depth):
    chance = dice.random()
    if depth <= MAXIMUM_DEPTH and chance < 0.08:
        name = dice.choice(("get", "get", "getAfter"))
        return Node("expression", name, "(", expression(dice, "path", scope, depth + 1), ")")
    if scope.writes and (not scope.reads or dice.random() < 0.6) or chance > 0.98:
        return Node("expression", "request.resource")
    return Node("expression", "resource")


def field(dice, kind, scope, depth):
    """Returns an access to a document's field of a type."""
    name = dice.choice(FIELDS_BY_TYPE[kind])
    holder = document(dice, scope, depth)
    form = dice.random()
    if form < 0.88:
        return Node("expression", holder, ".data.", name)
    if form < 0.93:
        return Node("expression", holder, f".data['{name}']")
    default = dice.choice(WORDS.get(f"literal:{kind}", ["null"]))
    return Node("expression", holder, f".data.get('{name}', {default})")
