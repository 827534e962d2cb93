"""The table of the Realtime Database: who may do what there. The people are those of the other table.

Sarah and Marco have the conversation `pair`; Sarah, Marco and Léa the group `trip`, which Jonas has left.
"""

from worldchat.database_side import after, put, read, remove, update
from worldchat.table import JONAS, LEA, MARCO, NOBODY, NORA, SARAH, Row

DAY = 86_400
THEN = 1_767_261_600_000
NOW = {".sv": "timestamp"}
ONLINE = {"state": "online", "last_changed": NOW}
DATA = {
    "members": {
        "pair": {"sarah": True, "marco": True},
        "trip": {"sarah": True, "marco": True, "lea": True},
    },
    "typingIndicators": {"pair": {"marco": THEN}, "trip": {"lea": THEN, "jonas": THEN}},
    "status": {
        "sarah": {"state": "online", "last_changed": THEN, "open": "pair"},
        "marco": {"state": "offline", "last_changed": THEN},
    },
    "rooms": {"one": {"name": "One"}},
}
ROWS: list[Row] = []


def may(person, name, request):
    ROWS.append(Row(name, person, request, True))


def may_not(person, name, request):
    ROWS.append(Row(name, person, request, False))


# Who is typing

PAIR = "typingIndicators/pair"
MINE = f"{PAIR}/sarah"
may(SARAH, "a member sees who is typing", read(PAIR))
may(SARAH, "a member sees the last to be typing", read(PAIR, by=".key", last=1))
may(SARAH, "a member sees another's indicator", read(f"{PAIR}/marco"))
may_not(NORA, "a stranger doesn't see who is typing", read(PAIR))
may_not(NORA, "a stranger sees no single indicator", read(f"{PAIR}/marco"))
may_not(LEA, "a member of another conversation doesn't see who is typing", read(PAIR))
may_not(JONAS, "a former member doesn't see who is typing", read("typingIndicators/trip"))
may_not(JONAS, "a former member doesn't see the own indicator", read("typingIndicators/trip/jonas"))
may_not(NOBODY, "nobody sees who is typing", read(PAIR))
may_not(SARAH, "a conversation without members has no indicators", read("typingIndicators/missing"))
may_not(SARAH, "the indicators of all conversations aren't read", read("typingIndicators"))
may_not(SARAH, "the indicators of all conversations aren't queried", read("typingIndicators", by=".key", start="pair", first=1))
may(SARAH, "a member is typing", put(MINE, NOW))
may(MARCO, "a member is still typing", put(f"{PAIR}/marco", NOW))
may(SARAH, "a member is typing in two conversations", update("typingIndicators", {"pair/sarah": NOW, "trip/sarah": NOW}))
may(SARAH, "a member is typing and online in one update", update("", {MINE: NOW, "status/sarah/state": "online"}))
may(SARAH, "a clock may be fast by a few seconds", put(MINE, after(3)))
may(SARAH, "a clock may be slow by a day", put(MINE, after(-DAY)))
may(MARCO, "a member removes the own indicator", remove(f"{PAIR}/marco"))
may(SARAH, "a member removes an indicator that isn't there", remove(MINE))
may(JONAS, "a former member removes the own indicator", remove("typingIndicators/trip/jonas"))
may_not(NORA, "a stranger isn't typing", put(f"{PAIR}/nora", NOW))
may_not(JONAS, "a former member isn't typing", put("typingIndicators/trip/jonas", NOW))
may_not(JONAS, "a former member adds nothing to the own indicator", put("typingIndicators/trip/jonas/text", "Hello"))
may_not(NOBODY, "nobody is typing", put(f"{PAIR}/nobody", NOW))
may_not(NOBODY, "nobody removes an indicator", remove(f"{PAIR}/marco"))
may_not(SARAH, "another isn't typing", put(f"{PAIR}/marco", NOW))
may_not(SARAH, "another's indicator stays", remove(f"{PAIR}/marco"))
may_not(JONAS, "another's indicator stays when a former member removes it", remove("typingIndicators/trip/lea"))
may_not(SARAH, "an update with another's indicator changes nothing", update(PAIR, {"sarah": NOW, "marco": NOW}))
may_not(SARAH, "an update with another conversation changes nothing",
        update("typingIndicators", {"pair/sarah": NOW, "missing/sarah": NOW}))
may_not(SARAH, "all indicators of a conversation aren't replaced", put(PAIR, {"sarah": NOW}))
may_not(SARAH, "all indicators of a conversation aren't removed", remove(PAIR))
for kind, value in {
    "a clock that is fast by 15 seconds": after(15), "a clock that is fast by a day": after(DAY), "a date": "2026-01-01",
    "a text": "Hello", "true": True, "an object": {"text": "Hello"}, "a list": [THEN],
    "a large increment": {".sv": {"increment": 2 * THEN}},
}.items():
    may_not(SARAH, f"an indicator isn't {kind}", put(MINE, value))
may_not(SARAH, "an indicator has nothing below", put(f"{MINE}/text", "Hello"))
may_not(SARAH, "an indicator has no time below", update(MINE, {"time": NOW}))
may_not(MARCO, "an indicator gets nothing below", put(f"{PAIR}/marco/text", "Hello"))

# Who is online

STATUS = "status/sarah"
may(NORA, "everybody signed in sees who is online", read(STATUS))
may(NORA, "everybody signed in sees a conversation that is open", read(f"{STATUS}/open"))
may(SARAH, "everybody signed in reads a status that doesn't exist", read("status/nora"))
may_not(NOBODY, "nobody sees who is online", read(STATUS))
may_not(SARAH, "the status of all isn't read", read("status"))
may_not(SARAH, "the status of all isn't queried", read("status", by=".key", start="marco", first=1))
may(NORA, "a user is online", put("status/nora", ONLINE))
may(SARAH, "a user is online with a conversation open", put(STATUS, {**ONLINE, "open": "trip"}))
may(SARAH, "a user is offline", put(STATUS, {**ONLINE, "state": "offline"}))
may(SARAH, "a user's clock is slow by a day", put(STATUS, {**ONLINE, "last_changed": after(-DAY)()}))
may(SARAH, "a user's clock is fast by a day", put(STATUS, {**ONLINE, "last_changed": after(DAY)()}))
may(SARAH, "a user goes offline in an update", update(STATUS, {"state": "offline", "last_changed": NOW, "open": None}))
may(SARAH, "a user opens another conversation", put(f"{STATUS}/open", "trip"))
may(SARAH, "a user closes the conversation", remove(f"{STATUS}/open"))
may(SARAH, "an open conversation has an id of 1500 characters", put(f"{STATUS}/open", "c" * 1_500))
may(SARAH, "a user removes the own status", remove(STATUS))
may(SARAH, "a user removes the own status member by member",
    update(STATUS, {"state": None, "last_changed": None, "open": None}))
may_not(MARCO, "another isn't online", put(STATUS, ONLINE))
may_not(MARCO, "another's status stays", remove(STATUS))
may_not(NOBODY, "nobody is online", put("status/nobody", ONLINE))
may_not(NOBODY, "nobody removes a status", remove(STATUS))
may_not(SARAH, "an update with another's status changes nothing",
        update("status", {"sarah/state": "offline", "marco/state": "offline"}))
may_not(SARAH, "the status of all isn't replaced", put("status", {"sarah": ONLINE}))
may_not(SARAH, "the status of all isn't removed", remove("status"))
may_not(SARAH, "a status has a time", put(STATUS, {"state": "online"}))
may_not(SARAH, "a status has a state", put(STATUS, {"last_changed": NOW}))
may_not(SARAH, "a status keeps its time", remove(f"{STATUS}/last_changed"))
may_not(SARAH, "a status keeps its state", update(STATUS, {"state": None}))
may_not(NORA, "a new status isn't only an open conversation", put("status/nora/open", "pair"))
may_not(SARAH, "a status isn't a text", put(STATUS, "online"))
may_not(SARAH, "a status has no other members", put(STATUS, {**ONLINE, "text": "Hello"}))
may_not(SARAH, "a status gets no other members", put(f"{STATUS}/text", "Hello"))
may_not(SARAH, "a status gets no other members with an allowed one", update(STATUS, {"state": "offline", "text": "Hello"}))
for member, values in {
    "state": ["away", "", True, 1, {"online": True}, NOW],
    "last_changed": ["today", True, {"time": THEN}],
    "open": ["", "c" * 1_501, 5, True, {"pair": True}, ["pair"], NOW],
}.items():
    for value in values:
        may_not(SARAH, f"{member} isn't {str(value)[:20]}", put(f"{STATUS}/{member}", value))
    may_not(SARAH, f"{member} has nothing below", put(f"{STATUS}/{member}/text", "Hello"))

# Priorities, which may be texts

OF_NODES = {MINE: THEN, STATUS: {"state": "online", "last_changed": THEN}, f"{STATUS}/state": "online",
            f"{STATUS}/last_changed": THEN, f"{STATUS}/open": "pair"}
for path, value in OF_NODES.items():
    whole = value if isinstance(value, dict) else {".value": value}
    may_not(SARAH, f"{path} is written without a priority", put(path, {**whole, ".priority": "Hello"}))
may_not(MARCO, "an indicator gets no priority", put(f"{PAIR}/marco/.priority", "Hello"))
may_not(SARAH, "a status gets no priority", put(f"{STATUS}/.priority", 1))

# Who is in a conversation

may(SARAH, "a member sees the members", read("members/pair"))
may(SARAH, "a member queries the members", read("members/pair", by=".key", first=1))
may(SARAH, "a member sees another member", read("members/pair/marco"))
may(SARAH, "a member sees the own membership", read("members/pair/sarah"))
may(NORA, "a stranger learns of not being a member", read("members/pair/nora"))
may(JONAS, "a former member learns of having left", read("members/trip/jonas"))
may_not(NORA, "a stranger sees no members", read("members/pair"))
may_not(NORA, "a stranger sees no single member", read("members/pair/sarah"))
may_not(JONAS, "a former member sees no members", read("members/trip"))
may_not(NOBODY, "nobody sees the members", read("members/pair"))
may_not(NOBODY, "nobody sees a single member", read("members/pair/sarah"))
may_not(SARAH, "a missing conversation shows no members", read("members/missing"))
may_not(SARAH, "the members of all conversations aren't read", read("members"))
may_not(SARAH, "the members of all conversations aren't queried", read("members", by=".key", start="pair", first=1))
may_not(SARAH, "a member doesn't write the own membership", put("members/pair/sarah", True))
may_not(SARAH, "a member doesn't remove the own membership", remove("members/pair/sarah"))
may_not(SARAH, "a member removes nobody", remove("members/pair/marco"))
may_not(SARAH, "a member adds nobody", put("members/pair/nora", True))
may_not(NORA, "a stranger doesn't join", put("members/pair/nora", True))
may_not(NORA, "a stranger doesn't join while typing", update("", {"members/pair/nora": True, f"{PAIR}/nora": NOW}))
may_not(JONAS, "a former member doesn't come back", update("members/trip", {"jonas": True}))
may_not(NORA, "a new conversation isn't copied by a client", put("members/new", {"nora": True}))
may_not(SARAH, "the members aren't removed", remove("members/pair"))
may_not(SARAH, "an update with a membership changes nothing", update("", {MINE: NOW, "members/pair/nora": True}))

# Anything else

for path in ["", "rooms", "rooms/one", "rooms/one/name", "presence/sarah", "users/sarah"]:
    may_not(SARAH, f"/{path} isn't read", read(path))
    may_not(SARAH, f"/{path} isn't written", put(path, {"forged": True}))
    may_not(SARAH, f"/{path} isn't updated", update(path, {"forged": True}))
    may_not(SARAH, f"/{path} isn't removed", remove(path))
may_not(NOBODY, "nobody reads everything", read(""))
may_not(NOBODY, "nobody writes anything", put("rooms/two", True))
may_not(SARAH, "an update with another place changes nothing", update("", {MINE: NOW, "rooms/two": True}))
