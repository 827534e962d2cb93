"""Random hostile inputs: valid events and calls in which one or several values are made odd."""

import json

from firestore import values
from firestore.values import Instant

MEBIBYTE = 1 << 20
# Marks out of canonical order. A naive normalization of a run of n costs n squared.
MARKS = "\u0301\u0316"
PATH = "projects/{project}/databases/(default)/documents/conversations/{c}/messages/{m}"


def text(dice, size):
    """Returns about `size` bytes of one kind of odd text."""
    unit = dice.choice(
        [
            "a",
            MARKS,
            "e" + MARKS * 40,
            "\U0001f1ee\U0001f1f9",
            "\U0001f468\u200d\U0001f469\u200d",
            "\u202e\u2066",
            "\u1100\u1161\u11a8",
            "\u0f71\u0f72\u0f74",
            "http://a.b ",
            "1 ",
            ".",
            "\n",
            "[P1] ",
            "\u0000",
            "\ufeff\u200b",
            "\u0928\u094d",
        ]
    )
    return unit * max(1, size // len(unit.encode()))


def size(dice):
    """Returns a size: mostly small, sometimes up to 1 MiB."""
    return int(2 ** dice.uniform(0, 20 if dice.random() < 0.05 else 14))


def odd(dice, depth=0):
    """Returns a value of another type than expected."""
    kind = dice.randrange(12)
    if kind < 5:
        return text(dice, size(dice))
    if kind == 5:
        return dice.choice([0, -1, 2**53 + 1, -(2**63), 2**64, 1e308, -0.0])
    if kind == 6:
        return dice.choice([None, True, False, "", [], {}])
    if kind == 7 and depth < 3:
        return [odd(dice, depth + 1) for _ in range(dice.randrange(4))]
    if kind == 8 and depth < 3:
        return {text(dice, dice.choice([1, 40, 1_500, 4_000])): odd(dice, depth + 1)}
    if kind == 9:
        return nested(dice.choice([10, 100, 200]))
    return dice.choice(["it", "zz", "en-" + MARKS, "a/b", ".", "__x__", "auto"])


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


FIELDS = {
    "senderId": "sarah",
    "text": "Break a leg at your interview tomorrow!",
    "language": "en",
    "languageSource": "client",
    "timestamp": Instant("2026-01-01T10:00:00Z"),
    "clientTimestamp": Instant("2026-01-01T10:00:00Z"),
    "readBy": ["sarah"],
    "clientId": "c-1",
    "tempId": "t-1",
    "status": "sent",
    "mediaURL": "https://example.com/a.jpg",
    "mediaType": "image/jpeg",
    "translations": {"it": "In bocca al lupo!"},
    "translationMeta": {"it": {"textHash": "x", "engine": "nmt", "source": "en"}},
    "recipientId": "marco",
}
CALL = {
    "text": "See you tomorrow!",
    "sourceLang": "en",
    "targetLang": "it",
    "conversationId": "c",
    "messageId": "m",
    "messageIds": ["m", "n"],
    "query": "When do we meet?",
    "queryId": "q1",
    "uid": "marco",
}


def spoiled(dice, members):
    """Returns the members after one to three changes: an odd value, a missing member, or an unknown
    one."""
    members = dict(members)
    for _ in range(dice.randint(1, 3)):
        name = dice.choice(sorted(members))
        change = dice.randrange(8)
        if change == 0:
            members.pop(name)
            if not members:
                return {}
        elif change == 1:
            members[text(dice, dice.choice([4, 400, 40_000]))] = odd(dice)
        else:
            members[name] = odd(dice)
    return members


def document(project, fields, conversation="c", message="m"):
    return {
        "name": PATH.format(project=project, c=conversation, m=message),
        "fields": values.fields(fields),
        "createTime": "2026-01-01T10:00:00Z",
        "updateTime": "2026-01-01T10:00:00Z",
    }


def attributes(project, kind, id):
    return {
        "specversion": "1.0",
        "id": id,
        "source": f"//firestore.googleapis.com/projects/{project}/databases/(default)",
        "type": f"google.cloud.firestore.document.v1.{kind}",
        "subject": "documents/conversations/c/messages/m",
        "time": "2026-01-01T10:00:00Z",
        "datacontenttype": "application/json",
    }


def event(dice, project):
    """Returns a CloudEvent of a message that was created, updated or deleted."""
    message = "m"
    if dice.random() < 0.1:
        message = text(dice, dice.choice([100, 1_500, 100_000]))
    changed = document(project, spoiled(dice, FIELDS), message=message)
    kind = dice.choice(["created", "created", "created", "updated", "deleted", "written"])
    data = {"oldValue" if kind == "deleted" else "value": changed}
    if kind == "updated":
        data["oldValue"] = changed | {"fields": values.fields({"text": odd(dice)})}
        data["updateMask"] = {"fieldPaths": ["text", text(dice, 200)]}
    around = attributes(project, kind, f"e{dice.randrange(10**9)}")
    if dice.random() < 0.2:
        around = spoiled(dice, around)
    return around | {"data": data}


def call(dice):
    """Returns a call by a member with odd data, and sometimes an odd caller."""
    auth = {"uid": "marco", "token": {}}
    return {"data": spoiled(dice, CALL), "auth": spoiled(dice, auth)} | (
        {"data": odd(dice)} if dice.random() < 0.1 else {}
    )


def bytes_of(dice, value):
    """Returns a value as JSON. Sometimes the JSON is invalid, for example with half a surrogate, a
    repeated member, or a missing end."""
    made = json.dumps(value, ensure_ascii=dice.random() < 0.5).encode("utf-8", "surrogatepass")
    change = dice.randrange(20)
    if change == 0:
        made = made.replace(b'"text"', b'"text":"\\ud800","text"', 1)
    elif change == 1:
        made = made[: dice.randrange(len(made))]
    elif change == 2:
        made = made.replace(b'"data"', b'"data":1,"data"', 1)
    elif change == 3:
        place = dice.randrange(len(made))
        made = made[:place] + bytes([dice.randrange(256)]) + made[place + 1 :]
    elif change == 4:
        made = b"\xef\xbb\xbf" + made
    return made.replace(b"\n", b" ")[:MEBIBYTE]
