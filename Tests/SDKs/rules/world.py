"""The documents and people that the random rules and requests are about."""

import functools

from firestore.tokens import jwt
from firestore.values import Instant, Point, Reference, Vector

ROOT = "DOCUMENTS"
DATABASE = "DATABASE"
TRANSACTION = "TRANSACTION"

# Changes in these collections trigger no functions.
PATHS = (
    *(f"people/{uid}" for uid in ("alice", "bob", "carol", "dave")),
    *(f"items/{item}" for item in ("i1", "i2", "i3", "alice")),
    *(f"rooms/{room}" for room in ("r1", "r2")),
    *(f"rooms/r1/messages/{message}" for message in ("m1", "m2", "m3")),
    "rooms/r2/messages/m1",
    "rooms/r1/messages/m1/reactions/x1",
    "people/alice/messages/m1",
    "messages/m1",
    "settings/public",
    "items/i1/parts/p1",
)
# Paths without a document, unless a request creates it.
MISSING = ("people/zoe", "items/none", "rooms/r1/messages/none", "rooms/none/messages/m1")
GROUPS = ("messages", "parts", "items", "reactions")

UIDS = ("alice", "bob", "carol")
STRINGS = (*UIDS, "open", "closed", "admin", "x", "", "héllo", "a@b.c", "i1", "m1")
INTS = (0, 1, 2, 3, 5, 10, -1)
FLOATS = (0.5, 1.0, 2.5, -0.0, 1e300)
TAGS = ("a", "b", "c", "alice", "bob")
INSTANTS = ("2020-02-29T12:34:56.789Z", "2024-12-31T23:59:59Z", "2040-01-01T00:00:00Z")


def _map(dice):
    made = {}
    if dice.random() < 0.8:
        made["name"] = dice.choice(STRINGS)
    if dice.random() < 0.8:
        made["score"] = dice.choice(INTS)
    if dice.random() < 0.3:
        made["on"] = dice.random() < 0.5
    if dice.random() < 0.2:
        made["deep"] = {"z": dice.choice(INTS), "tags": dice.sample(TAGS, 2)}
    return made


def _roles(dice):
    return {uid: dice.choice(("admin", "x")) for uid in UIDS[: dice.randint(0, 3)]}


# A maker of values for each field, by the type that the field has most of the time.
FIELDS = {
    "owner": ("string", lambda dice: dice.choice(UIDS)),
    "state": ("string", lambda dice: dice.choice(("open", "closed"))),
    "title": ("string", lambda dice: dice.choice(STRINGS)),
    "pub": ("bool", lambda dice: dice.random() < 0.5),
    "n": ("int", lambda dice: dice.choice(INTS)),
    "price": ("float", lambda dice: dice.choice(FLOATS)),
    "tags": ("list", lambda dice: dice.sample(TAGS, dice.randint(0, 3))),
    "members": ("list", lambda dice: dice.sample(UIDS, dice.randint(0, 3))),
    "meta": ("map", _map),
    "roles": ("map", _roles),
    "at": ("timestamp", lambda dice: Instant(dice.choice(INSTANTS))),
    "ref": ("path", lambda dice: Reference(f"{ROOT}/{dice.choice(PATHS)}")),
    "place": ("latlng", lambda dice: Point((dice.choice((0.0, 48.5)), dice.choice((0.0, -7.25))))),
    "blob": ("bytes", lambda dice: dice.choice((b"", b"abc", b"\x00\xff"))),
    "vec": ("vector", lambda dice: Vector((1, 2, dice.randint(0, 3)))),
    "nothing": ("null", lambda dice: None),
    "odd": ("any", lambda dice: FIELDS[dice.choice(list(FIELDS)[:-1])][1](dice)),
}
COMMON = ("owner", "state", "title", "pub", "n", "tags", "members", "meta")


def field_value(dice, name):
    """Returns a value for a field, sometimes of another type."""
    return FIELDS["odd" if dice.random() < 0.04 else name][1](dice)


def fields(dice):
    """Returns the fields of a document."""
    names = [name for name in FIELDS if dice.random() < (0.75 if name in COMMON else 0.3)]
    return {name: field_value(dice, name) for name in names}


def documents(dice):
    """Returns documents by path. Some of the paths have none."""
    return {path: fields(dice) for path in PATHS if dice.random() < 0.8}


# Claims besides those that every token has.
CLAIMS = {
    "alice": {
        "email": "a@b.c",
        "email_verified": True,
        "role": "admin",
        "level": 3,
        "score": 2.5,
        "groups": ["a", "r1"],
        "org": {"id": "x", "size": 5},
        "admin": True,
        "nothing": None,
    },
    "bob": {"email": "bob", "email_verified": False, "role": "x", "level": 1, "groups": []},
    "carol": {"role": 5, "level": "3", "groups": "a", "admin": "true", "org": {}},
    "dave": {},
}


@functools.cache
def token(user, project):
    """Returns the Authorization header of a user of a project, of the owner, or None for nobody."""
    if user is None:
        return None
    if user == "owner":
        return "Bearer owner"
    claims = {
        "iss": f"https://securetoken.google.com/{project}",
        "aud": project,
        "sub": user,
        "user_id": user,
        "auth_time": 1_700_000_000,
        "iat": 1_700_000_000,
        "exp": 4_000_000_000,
        "firebase": {"identities": {}, "sign_in_provider": "password"},
        **CLAIMS[user],
    }
    return "Bearer " + jwt(claims, header={"alg": "none", "typ": "JWT"}, signature=b"")
