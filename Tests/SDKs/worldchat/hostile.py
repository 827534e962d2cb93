"""What a hostile client tries: to read, create, replace and delete every document, and to forge each of its fields."""

from worldchat.chat import DOCUMENTS
from worldchat.requests import Gone, Now, Request, Write, commit, delete, find, get
from worldchat.table import JONAS, MARCO, NOBODY, NORA, SARAH

# A stranger, two members and senders, a former member, and nobody.
PEOPLE = {"nobody": NOBODY, "nora": NORA, "sarah": SARAH, "marco": MARCO, "jonas": JONAS}
# Fields that functions own, or that no document has.
EXTRA = ["translations", "translationMeta", "lastMessageId", "unread", "aiAnalysis", "role"]
FORGED = {"text": "forged", "null": None, "time": Now}


def attempts():
    """Yields a name for each attempt, with the person and the request."""
    for who, person in PEOPLE.items():
        for path, request in requests(person.uid or "nobody"):
            yield f"{who} {path}", person, request if isinstance(request, Request) else commit(request)


def requests(uid):
    collections = dict.fromkeys(path.rsplit("/", 1)[0] for path in DOCUMENTS)
    for collection in collections:
        yield f"lists {collection}", find(collection)
    for name in dict.fromkeys(collection.split("/")[-1] for collection in collections):
        yield f"lists all {name}", find(name, everywhere=True)
    for path, content in DOCUMENTS.items():
        collection = path.rsplit("/", 1)[0]
        yield f"gets {path}", get(path)
        yield f"replaces {path}", Write(path, content)
        yield f"copies {path}", Write(f"{collection}/copy", content, exists=False)
        yield f"moves {path} to the own id", Write(f"{collection}/{uid}-own", content)
        yield f"deletes {path}", delete(path)
        for name in dict.fromkeys([*content, *EXTRA]):
            values = FORGED | {"self": [uid], "map": {uid: True}} | ({"removal": Gone} if name in content else {})
            yield from forge(path, name, values)
        for name, part in content.items():
            for key in dict.fromkeys([*part, uid]) if isinstance(part, dict) else ():
                yield from forge(path, f"{name}.{key}", FORGED | ({"removal": Gone} if key in part else {}))


def forge(path, field, values):
    for kind, value in values.items():
        yield f"forges {field} of {path} by {kind}", Write(path, {field: value}, mask=[field])


# What the rules allow of it, by the attempts' names. Each expression matches a whole name.
ALLOWED = [
    r"(nora|sarah|marco|jonas) (lists users|gets users/\w+)",
    # One's own profile. Its languages and fields that nothing reads may have any value.
    r"(sarah|marco) (replaces|deletes) users/\1",
    r"(sarah|marco) forges displayName of users/\1 by text",
    r"(sarah|marco) forges (primaryLanguage|translations|translationMeta|lastMessageId|unread|aiAnalysis|role) of "
    r"users/\1 by \w+",
    r"sarah forges fcmTokens? of users/sarah by removal",
    r"(sarah|marco) forges fcmToken of users/\1 by null",
    r"sarah (lists|gets) users/sarah/(devices(/phone)?|inbox(/pair)?)",
    r"sarah deletes users/sarah/devices/phone",
    r"sarah forges updatedAt of users/sarah/devices/phone by (removal|time)",
    r"sarah (lists|gets) aiChats/sarah/queries(/q1)?",
    # Conversations of a member, and what is in them.
    r"sarah gets conversations/old",
    r"(sarah|marco) gets conversations/(pair|trip|map)(/messages/\w+)?",
    r"(sarah|marco) lists conversations/(pair|trip)/messages",
    r"(sarah|marco) gets aiAnalysis/hello",
    # A write without a change.
    r"(sarah|marco) replaces conversations/(pair|trip|map)(/messages/\w+)?",
    r"sarah replaces conversations/old",
    # A new group of Sarah and Marco, which Sarah has muted.
    r"sarah (copies conversations/map|moves conversations/map to the own id)",
    # Members change a group's name and settings, and their own language.
    r"(sarah|marco) forges name of conversations/trip by (text|removal)",
    r"sarah forges name of conversations/old by removal",
    r"(sarah|marco) forges settings\.ai of conversations/trip by \w+",
    r"(sarah|marco) forges participantLanguages\.\1 of conversations/(pair|trip) by \w+",
    r"(sarah|marco) forges languageOverrides\.\1 of conversations/trip by \w+",
    # A member removes the others from a group.
    r"(sarah|marco) forges participants of conversations/(trip|map) by self",
    # One's own messages, and receipts of others' messages. Their senders' own receipts may go.
    r"sarah (deletes|forges text of) conversations/(pair/messages/(hello|seen|queued|guessed)|trip/messages/rome)( by text)?",
    r"marco (deletes|forges text of) conversations/pair/messages/ciao( by text)?",
    r"sarah forges readBy of conversations/(pair/messages/ciao|trip/messages/milan) by (self|removal)",
    r"marco forges readBy of conversations/(pair/messages/\w+|trip/messages/milan) by self",
    r"sarah forges languageSource of conversations/pair/messages/guessed by removal",
    r"marco forges readBy of conversations/(pair/messages/(hello|queued|guessed)|trip/messages/milan) by removal",
]
