"""What a hostile client tries: to read, create, replace and delete every document, and to forge each of its fields."""

from worldchat.chat import DOCUMENTS
from worldchat.requests import Request, Write, commit, delete, find, get
from worldchat.table import JONAS, MARCO, NOBODY, NORA, SARAH

# A stranger, two members and senders, a former member, and nobody.
PEOPLE = {"nobody": NOBODY, "nora": NORA, "sarah": SARAH, "marco": MARCO, "jonas": JONAS}
# Fields that functions own, or that no document has.
EXTRA = ["translations", "translationMeta", "lastMessageId", "unread", "aiAnalysis", "role"]


def attempts():
    """Yields a name for each attempt, with the person and the request."""
    for who, person in PEOPLE.items():
        for path, request in requests(person.uid or "nobody"):
            yield f"{who} {path}", person, request if isinstance(request, Request) else commit(request)


def requests(uid):
    for collection in dict.fromkeys(path.rsplit("/", 1)[0] for path in DOCUMENTS):
        yield f"lists {collection}", find(collection)
        yield f"lists all {collection.split('/')[-1]}", find(collection.split("/")[-1], everywhere=True)
    for path, content in DOCUMENTS.items():
        collection = path.rsplit("/", 1)[0]
        yield f"gets {path}", get(path)
        yield f"replaces {path}", Write(path, content)
        yield f"copies {path}", Write(f"{collection}/copy", content, exists=False)
        yield f"moves {path} to the own id", Write(f"{collection}/{uid}-own", content)
        yield f"deletes {path}", delete(path)
        for name in dict.fromkeys([*content, *EXTRA]):
            for kind, value in {"text": "forged", "self": [uid], "map": {uid: True}}.items():
                yield f"forges {name} of {path} by a {kind}", Write(path, {name: value}, mask=[name])


# What the rules allow of it, by the attempts' names. Each expression matches a whole name.
ALLOWED = [
    r"(nora|sarah|marco|jonas) (lists users|gets users/\w+)",
    # One's own profile. Fields that nothing reads there may have any value.
    r"(sarah|marco) (replaces|deletes) users/\1",
    r"(sarah|marco) forges displayName of users/\1 by a text",
    r"(sarah|marco) forges (primaryLanguage|translations|translationMeta|lastMessageId|unread|aiAnalysis|role) of "
    r"users/\1 by a \w+",
    r"sarah (lists|gets) users/sarah/(devices(/phone)?|inbox(/pair)?)",
    r"sarah deletes users/sarah/devices/phone",
    r"sarah (lists|gets) aiChats/sarah/queries(/q1)?",
    # Conversations of a member, and what is in them.
    r"sarah gets conversations/old",
    r"(sarah|marco) gets conversations/(pair|trip|map)(/messages/\w+|/typing/marco)?",
    r"(sarah|marco) lists conversations/(pair|trip)/(messages|typing)",
    r"(sarah|marco) gets aiAnalysis/hello",
    # A write without a change.
    r"(sarah|marco) replaces conversations/(pair|trip|map)(/messages/\w+)?",
    r"sarah replaces conversations/old",
    # A new group of Sarah and Marco, which Sarah has muted.
    r"sarah (copies conversations/map|moves conversations/map to the own id)",
    r"(sarah|marco) forges name of conversations/trip by a text",
    # A member removes the others from a group.
    r"(sarah|marco) forges participants of conversations/(trip|map) by a self",
    # One's own messages, and receipts of others' messages.
    r"sarah (deletes|forges text of) conversations/(pair/messages/(hello|seen|queued)|trip/messages/rome)( by a text)?",
    r"marco (deletes|forges text of) conversations/pair/messages/ciao( by a text)?",
    r"sarah forges readBy of conversations/(pair/messages/ciao|trip/messages/milan) by a self",
    r"marco forges readBy of conversations/(pair/messages/\w+|trip/messages/milan) by a self",
    r"marco deletes conversations/pair/typing/marco",
]
