"""The table: who may do what. Each row has a name, a person, a request and what the rules decide."""

from dataclasses import dataclass

from worldchat.chat import BEFORE, LATER
from worldchat.requests import (
    Gone, Now, Request, Union, Without, Write, commit, count, create, delete, find, get, replace, update,
)


@dataclass(frozen=True)
class Person:
    """Somebody who uses the app. Without a `uid` nobody is signed in."""

    uid: str | None
    email: str | None = None


NOBODY = Person(None)
SARAH, MARCO, LEA, JONAS, NORA, ANNA = (
    Person(uid, f"{uid}@example.com") for uid in ("sarah", "marco", "lea", "jonas", "nora", "anna")
)
# Signed in by telephone: the token has no email address.
TIM = Person("tim")


@dataclass
class Row:
    name: str
    person: Person
    request: Request
    is_allowed: bool


ROWS: list[Row] = []


def may(person, name, request):
    ROWS.append(Row(name, person, request if isinstance(request, Request) else commit(request), True))


def may_not(person, name, request):
    ROWS.append(Row(name, person, request if isinstance(request, Request) else commit(request), False))


# Profiles

NEW = {"displayName": "Nora", "email": "nora@example.com", "primaryLanguage": "de", "createdAt": Now}
MINE = "users/nora"

may_not(NOBODY, "nobody gets a profile", get("users/sarah"))
may_not(NOBODY, "nobody lists profiles", find("users"))
may(NORA, "everybody signed in gets a profile", get("users/sarah"))
may(NORA, "everybody signed in gets a profile that doesn't exist", get("users/nora"))
may(NORA, "everybody signed in lists profiles", find("users", by=["__name__"], limit=300))
may(NORA, "a new user creates a profile", create(MINE, **NEW))
may(NORA, "a new user creates a profile with an app's clock", create(MINE, **{**NEW, "createdAt": LATER}))
may(NORA, "a new user creates a profile without a token", create(MINE, **NEW, fcmToken=None, online=True))
may(TIM, "a user without an email address creates a profile", create("users/tim", displayName="Tim"))
may_not(NOBODY, "nobody creates a profile", create(MINE, **NEW))
may_not(NORA, "another's profile isn't created", create("users/other", **NEW))
may_not(NORA, "a profile has the account's email address", create(MINE, **{**NEW, "email": "sarah@example.com"}))
may_not(NORA, "a profile has the email address that the account has", create(MINE, displayName="Nora"))
may_not(TIM, "a user without an email address claims none",
    create("users/tim", displayName="T", email="sarah@example.com"))
may_not(NORA, "a profile has a name", create(MINE, email="nora@example.com"))
may_not(NORA, "a profile's name isn't empty", create(MINE, **{**NEW, "displayName": ""}))
may_not(NORA, "a profile's name is a text", create(MINE, **{**NEW, "displayName": ["N"]}))
may_not(NORA, "a profile's name is short", create(MINE, **{**NEW, "displayName": "N" * 201}))
may_not(NORA, "a profile's date is a time", create(MINE, **{**NEW, "createdAt": "today"}))
may_not(NORA, "a new profile has no token", create(MINE, **NEW, fcmToken="nora-phone"))
may_not(NORA, "a new profile has no tokens", create(MINE, **NEW, fcmTokens=["nora-phone"]))
may(SARAH, "a user changes languages", update("users/sarah", primaryLanguage="de", secondaryLanguages=["fr"]))
may(SARAH, "a user is online", update("users/sarah", online=True, lastSeen=Now))
may(SARAH, "a user removes the old token", update("users/sarah", fcmToken=None, fcmTokens=Gone))
may(SARAH, "a user empties the old tokens", update("users/sarah", fcmTokens=[]))
may(SARAH, "a user renames oneself", update("users/sarah", displayName="Sara"))
may(ANNA, "a user without a name is online", update("users/anna", online=True))
may_not(SARAH, "a name isn't removed", update("users/sarah", displayName=Gone))
may_not(MARCO, "another's profile isn't changed", update("users/sarah", online=False))
may_not(NOBODY, "nobody changes a profile", update("users/sarah", online=False))
may_not(SARAH, "the email address stays", update("users/sarah", email="sara@example.com"))
may_not(SARAH, "the date of creation stays", update("users/sarah", createdAt=LATER))
may_not(SARAH, "no new token in a profile", update("users/sarah", fcmToken="marco-phone"))
may_not(SARAH, "no new tokens in a profile", update("users/sarah", fcmTokens=Union(["marco-phone"])))
may_not(SARAH, "the name stays a text", update("users/sarah", displayName=7))
may(SARAH, "a user deletes the own profile", delete("users/sarah"))
may_not(MARCO, "another's profile isn't deleted", delete("users/sarah"))
may_not(NOBODY, "nobody deletes a profile", delete("users/sarah"))

# Devices and inboxes

PHONE = "users/sarah/devices/phone"
may(SARAH, "a user gets the own device", get(PHONE))
may(SARAH, "a user lists the own devices", find("users/sarah/devices"))
may(SARAH, "a user registers a device",
    create("users/sarah/devices/new", fcmToken="t", platform="ios", updatedAt=Now))
may(SARAH, "a user registers a device without a platform", create("users/sarah/devices/new", fcmToken="t"))
may(SARAH, "a device's token changes", update(PHONE, fcmToken="new", updatedAt=Now))
may(SARAH, "a user removes a device", delete(PHONE))
may(NORA, "profile and device in one commit",
    commit(create(MINE, **NEW), replace(f"{MINE}/devices/phone", fcmToken="t", platform="web", updatedAt=Now)))
may_not(MARCO, "another's device isn't read", get(PHONE))
may_not(MARCO, "another's devices aren't listed", find("users/sarah/devices"))
may_not(MARCO, "another's device isn't changed", update(PHONE, fcmToken="marco-phone", updatedAt=Now))
may_not(MARCO, "another's device isn't created", create("users/sarah/devices/new", fcmToken="t", updatedAt=Now))
may_not(MARCO, "another's device isn't removed", delete(PHONE))
may_not(NOBODY, "nobody reads a device", get(PHONE))
may_not(SARAH, "nobody searches all devices", find("devices", everywhere=True))
may_not(SARAH, "a device's time is the server's",
        create("users/sarah/devices/new", fcmToken="t", updatedAt=LATER))
may_not(SARAH, "a device has a token", create("users/sarah/devices/new", platform="ios"))
may_not(SARAH, "a device's token is a text", create("users/sarah/devices/new", fcmToken=["t"], updatedAt=Now))
may_not(SARAH, "a device's token is short", create("users/sarah/devices/new", fcmToken="t" * 4_097))
may_not(SARAH, "a device's platform is a text", create("users/sarah/devices/new", fcmToken="t", platform=1))
may_not(SARAH, "a device has no other fields", update(PHONE, owner="marco", updatedAt=Now))
may(SARAH, "a user gets the own inbox", get("users/sarah/inbox/pair"))
may(SARAH, "a user lists the own inboxes", find("users/sarah/inbox", limit=1000))
may_not(MARCO, "another's inbox isn't read", get("users/sarah/inbox/pair"))
may_not(MARCO, "another's inboxes aren't listed", find("users/sarah/inbox"))
may_not(SARAH, "inboxes are functions'", update("users/sarah/inbox/pair", unread=0))
may_not(SARAH, "inboxes are created by functions", create("users/sarah/inbox/trip", unread=0))
may_not(SARAH, "inboxes are deleted by functions", delete("users/sarah/inbox/pair"))

# Conversations

MEMBER = ("participants", "ARRAY_CONTAINS", "sarah")
may(SARAH, "a member gets a conversation", get("conversations/pair"))
may(SARAH, "a member lists the own conversations", find("conversations", MEMBER, limit=200))
may(SARAH, "a member lists them by their last message", find("conversations", MEMBER, by=["-lastMessageAt"]))
may(SARAH, "a member counts the own conversations", count("conversations", MEMBER))
may_not(NORA, "a stranger gets no conversation", get("conversations/pair"))
may_not(JONAS, "a former member gets no conversation", get("conversations/trip"))
may_not(NOBODY, "nobody gets a conversation", get("conversations/pair"))
may_not(SARAH, "a missing conversation looks like another's", get("conversations/missing"))
may_not(NORA, "a stranger lists no conversations", find("conversations"))
may_not(SARAH, "a list names the member", find("conversations"))
may_not(MARCO, "a list names oneself", find("conversations", MEMBER))
may_not(MARCO, "a count names oneself", count("conversations", MEMBER))
may_not(NOBODY, "nobody lists conversations", find("conversations", MEMBER))

DUO = {
    "type": "one-on-one", "participants": ["nora", "sarah"], "createdAt": Now,
    "participantLanguages": {"nora": "de", "sarah": "en"},
}
TEAM = {"type": "group", "name": "Team", "participants": ["nora", "sarah", "marco"], "createdAt": Now}
FRESH = "conversations/fresh"
may(NORA, "a user begins a conversation", create(FRESH, **DUO))
may(NORA, "a user begins one with an app's clock", create(FRESH, **{**DUO, "createdAt": LATER}))
may(NORA, "a user begins a group", create(FRESH, **TEAM))
may(NORA, "a group of two", create(FRESH, **{**TEAM, "participants": ["nora", "sarah"]}))
may(NORA, "a new group with settings",
    create(FRESH, **TEAM, settings={"ai": False, "history": True, "muted": ["nora"]}, languageOverrides={"nora": "fr"}))
may(NORA, "a new group that oneself has muted for a while",
    create(FRESH, **TEAM, settings={"muted": {"nora": {"mentions": True}}}))
may_not(NOBODY, "nobody begins a conversation", create(FRESH, **DUO))
may_not(MARCO, "a conversation of others isn't begun", create(FRESH, **DUO))
may_not(NORA, "a conversation of two has two", create(FRESH, **{**TEAM, "type": "one-on-one", "name": Gone}))
may_not(NORA, "a conversation has others", create(FRESH, **{**TEAM, "participants": ["nora"]}))
may_not(NORA, "a member is listed once", create(FRESH, **{**TEAM, "participants": ["nora", "nora"]}))
for members in (["nora", 7], ["nora", ""], ["nora", "sarah/marco"], ["nora", *(f"u{n}" for n in range(500))]):
    may_not(NORA, f"members are at most 500 texts, not {str(members)[:24]}", create(FRESH, **{**TEAM, "participants": members}))
may(NORA, "a group of 500", create(FRESH, **{**TEAM, "participants": ["nora", *(f"u{n}" for n in range(499))]}))
may_not(NORA, "members are a list", create(FRESH, **{**TEAM, "participants": {"nora": True, "sarah": True}}))
may_not(NORA, "a conversation is of two or a group", create(FRESH, **{**DUO, "type": "channel"}))
may_not(NORA, "a conversation of two has no name", create(FRESH, **DUO, name="Us"))
may_not(NORA, "a name is a text", create(FRESH, **{**TEAM, "name": 1}))
may_not(NORA, "a name is short", create(FRESH, **{**TEAM, "name": "N" * 201}))
may_not(NORA, "a conversation's date is a time", create(FRESH, **{**DUO, "createdAt": "today"}))
may_not(NORA, "languages are the members'", create(FRESH, **{**DUO, "participantLanguages": {"marco": "it"}}))
may_not(NORA, "another's language isn't overridden", create(FRESH, **DUO, languageOverrides={"sarah": "fr"}))
may_not(NORA, "another isn't muted", create(FRESH, **TEAM, settings={"muted": ["sarah"]}))
may_not(NORA, "another isn't muted by a map", create(FRESH, **TEAM, settings={"muted": {"sarah": True}}))
may_not(NORA, "there are no other settings", create(FRESH, **TEAM, settings={"admin": "nora"}))
LAST_MESSAGE = {
    "lastMessage": "Hi", "lastMessageAt": Now, "lastMessageId": "m", "lastMessageSenderId": "sarah",
    "lastMessageType": "text",
}
for field, forged in {**LAST_MESSAGE, "joinedAt": {"sarah": LATER}, "owner": "nora"}.items():
    may_not(NORA, f"a new conversation has no {field}", create(FRESH, **DUO, **{field: forged}))

TRIP = "conversations/trip"
may(LEA, "a member renames the group", update(TRIP, name="Journey"))
may(LEA, "a member adds somebody", update(
    TRIP, participants=Union(["nora"]), joinedAt__nora=Now, participantLanguages__nora="de"))
may(LEA, "a member adds somebody without a language", update(TRIP, participants=Union(["nora"]), joinedAt__nora=Now))
may(LEA, "a member adds somebody who had left", update(TRIP, participants=Union(["jonas"]), joinedAt__jonas=Now))
may(SARAH, "a member removes another", update(
    TRIP, participants=Without(["lea"]), joinedAt__lea=Gone, participantLanguages__lea=Gone,
    languageOverrides__lea=Gone))
may(LEA, "a member leaves",
    update(TRIP, participants=Without(["lea"]), joinedAt__lea=Gone, participantLanguages__lea=Gone))
may(SARAH, "a member overrides the own language", update(TRIP, languageOverrides__sarah="fr"))
may(SARAH, "a member copies the own language", update(TRIP, participantLanguages__sarah="fr"))
may(SARAH, "a member mutes the group for oneself", update(TRIP, settings__muted=Union(["sarah"])))
may(LEA, "a member unmutes the group for oneself", update(TRIP, settings__muted=Without(["lea"])))
may(LEA, "a member's own list becomes a map", update(TRIP, settings__muted={"lea": True}))
may(MARCO, "a member mutes a map for oneself", update("conversations/map", settings__muted__marco=True))
may(SARAH, "a member unmutes a map for oneself", update("conversations/map", settings__muted__sarah=Gone))
may(MARCO, "a member turns translations off", update(TRIP, settings__translation=False, settings__ai=False))
may(SARAH, "an early member opens the history", update(TRIP, settings__history=True))
may(ANNA, "a member of a conversation without a type overrides the own language",
    update("conversations/old", languageOverrides__anna="it"))
may(ANNA, "a member of a conversation without a type mutes it", update("conversations/old", settings__muted=["anna"]))
may_not(ANNA, "a conversation without a type gets no members",
        update("conversations/old", participants=Union(["nora"]), joinedAt__nora=Now))
may_not(ANNA, "a conversation without a type isn't renamed", update("conversations/old", name="New"))
may_not(NORA, "a stranger doesn't join", update(TRIP, participants=Union(["nora"]), joinedAt__nora=Now))
may_not(NORA, "a stranger renames nothing", update(TRIP, name="Mine"))
may_not(NOBODY, "nobody renames a group", update(TRIP, name="Mine"))
may_not(JONAS, "a former member renames nothing", update(TRIP, name="Mine"))
may_not(JONAS, "a former member doesn't return", update(TRIP, participants=Union(["jonas"]), joinedAt__jonas=Now))
may_not(SARAH, "a conversation of two stays one",
    update("conversations/pair", participants=Union(["nora"]), joinedAt__nora=Now))
may_not(SARAH, "nobody leaves a conversation of two", update("conversations/pair", participants=Without(["sarah"])))
may_not(SARAH, "a conversation of two gets no name", update("conversations/pair", name="Us"))
may_not(SARAH, "a group's name stays a text", update(TRIP, name=["Journey"]))
may_not(SARAH, "who is added has a time", update(TRIP, participants=Union(["nora"])))
may_not(SARAH, "who is added sees nothing earlier", update(TRIP, participants=Union(["nora"]), joinedAt__nora=BEFORE))
may_not(SARAH, "the added one has the time", update(TRIP, participants=Union(["nora"]), joinedAt__tim=Now))
may_not(SARAH, "the time isn't that of who is removed",
        update(TRIP, participants=["sarah", "marco", "nora"], joinedAt__lea=Now))
may_not(SARAH, "the added one has no older time, while another's is the server's",
        update(TRIP, participants=["sarah", "marco", "nora"], joinedAt__nora=BEFORE, joinedAt__lea=Now))
may_not(SARAH, "who returns keeps a time, while another's is the server's",
        update(TRIP, participants=["sarah", "marco", "jonas"], joinedAt__jonas=Gone, joinedAt__lea=Now))
may_not(SARAH, "who is removed gets no time", update(TRIP, participants=["sarah", "lea"], joinedAt__marco=LATER))
may_not(SARAH, "who is removed gets no other time", update(TRIP, participants=["sarah", "marco"], joinedAt__lea=Now))
may(SARAH, "the time of who is removed goes", update(TRIP, participants=["sarah", "marco"], joinedAt__lea=Gone))
may_not(SARAH, "nobody is added and removed at once",
        update(TRIP, participants=["sarah", "marco", "nora"], joinedAt__nora=Now))
may_not(SARAH, "one is added at a time",
        update(TRIP, participants=Union(["nora", "tim"]), joinedAt__nora=Now, joinedAt__tim=BEFORE))
may_not(SARAH, "a member is added once", update(TRIP, participants=["sarah", "marco", "lea", "lea"]))
may_not(SARAH, "somebody stays in a group", update(TRIP, participants=[], joinedAt__lea=Gone))
may_not(LEA, "a member doesn't join earlier", update(TRIP, joinedAt__lea=BEFORE))
may_not(LEA, "a member doesn't forget when one joined", update(TRIP, joinedAt__lea=Gone))
may_not(LEA, "a later member doesn't open the history", update(TRIP, settings__history=True))
may_not(SARAH, "another's override stays", update(TRIP, languageOverrides__lea="de"))
may_not(SARAH, "another's language stays", update(TRIP, participantLanguages__marco="de"))
may_not(SARAH, "another isn't muted later", update(TRIP, settings__muted=Union(["marco"])))
may_not(SARAH, "another isn't unmuted", update(TRIP, settings__muted=Without(["lea"])))
may_not(SARAH, "another isn't unmuted by a map", update(TRIP, settings__muted={"sarah": True}))
may_not(MARCO, "another isn't unmuted in a map", update("conversations/map", settings__muted__sarah=Gone))
may_not(MARCO, "a map isn't replaced by a list", update("conversations/map", settings__muted=["marco"]))
may_not(SARAH, "settings are known ones", update(TRIP, settings__admin="sarah"))
may_not(SARAH, "a group stays a group", update("conversations/map", type="one-on-one"))
may_not(SARAH, "a group's date stays", update(TRIP, createdAt=LATER))
for field, forged in LAST_MESSAGE.items():
    may_not(SARAH, f"{field} is functions'", update("conversations/pair", **{field: forged}))
may_not(SARAH, "a conversation isn't deleted", delete("conversations/pair"))

# Messages

ROOM = "conversations/pair/messages"
GROUP = "conversations/trip/messages"
TEXT = {"senderId": "sarah", "text": "Hi", "timestamp": Now, "status": "sent"}
may(SARAH, "a member gets a message", get(f"{ROOM}/hello"))
may(SARAH, "a member lists messages", find(ROOM, by=["-timestamp", "-__name__"], limit=50))
may(SARAH, "a member lists messages in the order of time", find(ROOM, by=["timestamp"]))
may(LEA, "a later member lists messages from then on",
    find(GROUP, ("timestamp", "GREATER_THAN_OR_EQUAL", LATER), by=["-timestamp"]))
may_not(NORA, "a stranger gets no message", get(f"{ROOM}/hello"))
may_not(NORA, "a stranger lists no messages", find(ROOM, by=["-timestamp"], limit=50))
may_not(JONAS, "a former member lists no messages", find(GROUP))
may_not(JONAS, "a former member doesn't get the own message", get(f"{GROUP}/milan"))
may_not(NOBODY, "nobody gets a message", get(f"{ROOM}/hello"))
may_not(SARAH, "nobody searches all messages", find("messages", ("senderId", "EQUAL", "sarah"), everywhere=True))
may(SARAH, "a member sends a message", create(f"{ROOM}/new", **TEXT))
may(SARAH, "a member sends as the chat page does", create(
    f"{ROOM}/new", **TEXT, readBy=[], clientTimestamp=LATER, language="en", languageSource="client"))
may(SARAH, "a member sends as an older app does", create(
    f"{ROOM}/new", **TEXT, readBy=["sarah"], recipientId="marco", conversationId="pair", tempId="t"))
may(SARAH, "a message that is being sent", create(f"{ROOM}/new", **{**TEXT, "status": "sending"}))
may(SARAH, "a message without a status", create(f"{ROOM}/new", senderId="sarah", text="Hi", timestamp=Now))
may(SARAH, "a photo without a text",
    create(f"{ROOM}/new", senderId="sarah", mediaURL="https://x.example/p.jpg", mediaType="image/jpeg", timestamp=Now))
for host in ["127.0.0.1:9199", "localhost:9199", "10.0.2.2:9199", "localhost"]:
    may(SARAH, f"a photo in an emulator at {host}",
        create(f"{ROOM}/new", **TEXT, mediaURL=f"http://{host}/v0/b/b/o/p.jpg?alt=media", mediaType="image/jpeg"))
may(SARAH, "a message with mentions", create(f"{GROUP}/new", **TEXT, mentions=["lea"], clientId="c"))
may(SARAH, "five queued messages in one commit", commit(*(create(f"{ROOM}/new{n}", **TEXT) for n in range(5))))
may(NORA, "a conversation and its first message in one commit",
    commit(create(FRESH, **DUO), create(f"{FRESH}/messages/one", **{**TEXT, "senderId": "nora"})))
may_not(NORA, "the first message isn't another's, even in the same commit",
        commit(create(FRESH, **DUO), create(f"{FRESH}/messages/one", **TEXT)))
LEAVING = update(TRIP, participants=Without(["lea"]), joinedAt__lea=Gone, participantLanguages__lea=Gone)
may_not(LEA, "nobody leaves and sends in one commit",
        commit(LEAVING, create(f"{GROUP}/new", **{**TEXT, "senderId": "lea"})))
may(LEA, "a member reads and leaves in one commit", commit(LEAVING, update(f"{GROUP}/milan", readBy=Union(["lea"]))))
may_not(NORA, "a stranger sends nothing", create(f"{ROOM}/new", **{**TEXT, "senderId": "nora"}))
may_not(JONAS, "a former member sends nothing", create(f"{GROUP}/new", **{**TEXT, "senderId": "jonas"}))
may_not(NOBODY, "nobody sends a message", create(f"{ROOM}/new", **TEXT))
may_not(MARCO, "another's message isn't sent", create(f"{ROOM}/new", **TEXT))
may_not(SARAH, "a message to nowhere", create("conversations/missing/messages/new", **TEXT))
may_not(SARAH, "a message's time is the server's", create(f"{ROOM}/new", **{**TEXT, "timestamp": LATER}))
may_not(SARAH, "a message has a time", create(f"{ROOM}/new", senderId="sarah", text="Hi", status="sent"))
may_not(SARAH, "an app's time is a time", create(f"{ROOM}/new", **TEXT, clientTimestamp="now"))
may_not(SARAH, "a new message isn't delivered", create(f"{ROOM}/new", **{**TEXT, "status": "delivered"}))
may_not(SARAH, "a new message isn't read", create(f"{ROOM}/new", **{**TEXT, "status": "read"}))
may_not(SARAH, "nobody has read a new message", create(f"{ROOM}/new", **TEXT, readBy=["marco"]))
may_not(SARAH, "a message is in its conversation", create(f"{ROOM}/new", **TEXT, conversationId="trip"))
may_not(SARAH, "a message has content", create(f"{ROOM}/new", senderId="sarah", timestamp=Now, status="sent"))
may_not(SARAH, "a text is a text", create(f"{ROOM}/new", **{**TEXT, "text": {"en": "Hi"}}))
may_not(SARAH, "a photo's address is a text", create(f"{ROOM}/new", **TEXT, mediaURL=7))
may_not(SARAH, "a photo's address isn't a script", create(f"{ROOM}/new", **TEXT, mediaURL="javascript:alert(1)"))
for address in [
    "http://x.example/p.jpg", "http://192.168.1.5:9199/p.jpg", "http://127.0.0.1.x.example/p.jpg",
    "http://localhost:9199@x.example/p.jpg", "http://localhost@x.example/p.jpg", "http://127x0.0.1/p.jpg",
    "http://127.0x0.1/p.jpg", "http://127.0.0x1/p.jpg", "http://10x0.2.2/p.jpg", "http://10.0x2.2/p.jpg",
    "http://10.0.2x2/p.jpg", "http://localhost:9199", "http://localhost:/p.jpg", "http://localhost:9199x/p.jpg",
    "ftp://localhost/p.jpg", "xhttps://x.example/p.jpg", "https://",
]:
    may_not(SARAH, f"a photo's address isn't {address}", create(f"{ROOM}/new", **TEXT, mediaURL=address))
may_not(SARAH, "a photo's address is short", create(f"{ROOM}/new", **TEXT, mediaURL="https://" + "x" * 2_041))
may_not(SARAH, "a photo's type is a text", create(f"{ROOM}/new", **TEXT, mediaType=7))
may_not(SARAH, "a language is a text", create(f"{ROOM}/new", **TEXT, language=["en"]))
may_not(SARAH, "a language is short", create(f"{ROOM}/new", **TEXT, language="e" * 36))
may_not(SARAH, "an app detects no languages", create(f"{ROOM}/new", **TEXT, languageSource="detected"))
may_not(SARAH, "mentions are a list", create(f"{ROOM}/new", **TEXT, mentions="lea"))
may_not(SARAH, "mentions are at most 500", create(f"{ROOM}/new", **TEXT, mentions=["lea"] * 501))
TRANSLATIONS = {"translations": {"it": "Ti odio"}, "translationMeta": {"it": {"textHash": "0"}}}
for field, forged in {
    **TRANSLATIONS, "readAt": Now, "serverTimestamp": LATER, "deliveredAt": Now,
}.items():
    may_not(SARAH, f"a new message has no {field}", create(f"{ROOM}/new", **TEXT, **{field: forged}))

may(SARAH, "a sender edits a text", update(f"{ROOM}/hello", text="Hello!"))
may(SARAH, "a sender edits a text and says when",
    update(f"{ROOM}/hello", text="Hello!", editedAt=Now, language="en", languageSource="client"))
may(SARAH, "a sender's message is sent", update(f"{ROOM}/queued", status="sent"))
may(SARAH, "a sender's message failed", update(f"{ROOM}/queued", status="failed"))
may(SARAH, "a sender edits a text whose language was detected", update(f"{ROOM}/guessed", text="Hejsan"))
may(SARAH, "a sender chooses a language instead of the detected one",
    update(f"{ROOM}/guessed", text="Hei", language="no", languageSource="client"))
may_not(SARAH, "a sender's language isn't called detected", update(f"{ROOM}/guessed", text="Hei", language="no"))
may_not(SARAH, "an edit detects no language", update(f"{ROOM}/hello", text="Hello!", languageSource="detected"))
may_not(MARCO, "another's text isn't edited", update(f"{ROOM}/hello", text="Bye"))
may_not(NORA, "a stranger edits nothing", update(f"{ROOM}/hello", text="Bye"))
may_not(JONAS, "a former member doesn't edit", update(f"{GROUP}/milan", text="Rome"))
may_not(NOBODY, "nobody edits a message", update(f"{ROOM}/hello", text="Bye"))
may_not(SARAH, "an edited text is a text", update(f"{ROOM}/hello", text=1))
may_not(SARAH, "an edit's time is a time", update(f"{ROOM}/hello", text="Hello!", editedAt="now"))
may_not(SARAH, "a sender doesn't mark a message as read", update(f"{ROOM}/hello", status="read"))
may_not(SARAH, "a sender doesn't mark a queued message as read", update(f"{ROOM}/queued", status="read"))
may_not(SARAH, "a sender's status doesn't go back", update(f"{ROOM}/hello", status="sending"))
for field, forged in {
    **TRANSLATIONS, "senderId": "marco",
    "timestamp": Now, "readBy": ["marco"], "readAt": Now, "clientId": "c", "clientTimestamp": LATER,
}.items():
    may_not(SARAH, f"a sender doesn't change {field}", update(f"{ROOM}/hello", **{field: forged}))
    if field not in ("readBy", "readAt"):
        may_not(MARCO, f"a reader doesn't change {field}", update(f"{ROOM}/hello", **{field: forged}))

may(MARCO, "a reader has read", update(f"{ROOM}/hello", readBy=Union(["marco"])))
may(MARCO, "a reader has read, by all three fields",
    update(f"{ROOM}/hello", readBy=Union(["marco"]), status="read", readAt=Now))
may(MARCO, "a reader has read, by the status alone", update(f"{ROOM}/hello", status="read"))
may(MARCO, "a reader has received", update(f"{ROOM}/hello", status="delivered"))
may(SARAH, "a reader replaces the sender's own entry",
    update(f"{ROOM}/ciao", status="read", readAt=LATER, readBy=["sarah"]))
may_not(MARCO, "a reader has read for ever", update(f"{ROOM}/seen", readBy=Without(["marco"])))
may(MARCO, "fifty receipts in one commit", commit(*(
    update(f"{ROOM}/{each}", readBy=Union(["marco"])) for each in ("hello", "queued", "seen") for _ in range(17))))
may(MARCO, "a member of a group has read", update(f"{GROUP}/rome", readBy=Union(["marco"])))
may(MARCO, "the last member of a group has read", update(f"{GROUP}/rome", readBy=Union(["marco"]), status="read"))
may_not(LEA, "a group has read only when everybody has", update(f"{GROUP}/rome", status="read"))
may_not(NORA, "a stranger reads nothing", update(f"{ROOM}/hello", readBy=Union(["nora"])))
may_not(JONAS, "a former member reads nothing", update(f"{GROUP}/rome", readBy=Union(["jonas"])))
may_not(MARCO, "another hasn't read", update(f"{GROUP}/rome", readBy=Union(["sarah"])))
may_not(MARCO, "another's receipt stays", update(f"{GROUP}/rome", readBy=["marco"]))
may_not(MARCO, "a reader is listed once", update(f"{ROOM}/hello", readBy=["marco", "marco"]))
may_not(MARCO, "the time of reading is a time", update(f"{ROOM}/hello", readAt="now"))
may_not(MARCO, "a status doesn't go back", update(f"{ROOM}/seen", status="delivered"))
may_not(MARCO, "a status doesn't stay and change", update(f"{ROOM}/hello", status="seen"))
may_not(MARCO, "a reader doesn't send", update(f"{ROOM}/queued", status="sent"))
may(SARAH, "a sender deletes a message", delete(f"{ROOM}/hello"))
may_not(MARCO, "another's message isn't deleted", delete(f"{ROOM}/hello"))
may_not(JONAS, "a former member deletes nothing", delete(f"{GROUP}/milan"))
may_not(NORA, "a stranger deletes nothing", delete(f"{ROOM}/hello"))
may_not(NOBODY, "nobody deletes a message", delete(f"{ROOM}/hello"))
may_not(MARCO, "one denied write denies the commit", commit(
    update(f"{ROOM}/hello", readBy=Union(["marco"])), update(f"{ROOM}/hello", text="Bye")))

# Typing, which older apps kept in documents

may_not(SARAH, "a member types only in the Realtime Database",
    replace("conversations/pair/typing/sarah", userId="sarah", isTyping=True, timestamp=Now))

# What functions own

ANALYSES = ("conversationId", "EQUAL", "pair")
may(SARAH, "a member gets an analysis", get("aiAnalysis/hello"))
may(MARCO, "a member lists a conversation's analyses", find("aiAnalysis", ANALYSES, by=["-timestamp"], limit=100))
may_not(NORA, "a stranger gets no analysis", get("aiAnalysis/hello"))
may_not(LEA, "a member of another conversation lists none", find("aiAnalysis", ANALYSES))
may_not(SARAH, "a list of analyses names a conversation", find("aiAnalysis"))
may_not(NOBODY, "nobody gets an analysis", get("aiAnalysis/hello"))
may(SARAH, "a user gets the own question", get("aiChats/sarah/queries/q1"))
may(SARAH, "a user lists the own questions", find("aiChats/sarah/queries"))
may_not(MARCO, "another's question isn't read", get("aiChats/sarah/queries/q1"))
may_not(MARCO, "another's questions aren't listed", find("aiChats/sarah/queries"))
may_not(NOBODY, "nobody reads a question", get("aiChats/sarah/queries/q1"))
may_not(SARAH, "nobody searches all questions", find("queries", everywhere=True))
OWNED = ["aiAnalysis/hello", "aiChats/sarah/queries/q1"]
HIDDEN = [
    "translations/0a1b", "smartReplies/pair_sarah", "leases/l1", "limits/sarah", "config/functions",
    "functionEvents/e1", "deviceTokens/d1", "translationFailures/f1", "messages/pair/messages/m1",
    "chats/pair/messages/m1", "anything/x",
]
for path in HIDDEN:
    collection = path.rsplit("/", 1)[0]
    may_not(SARAH, f"{path} isn't read", get(path))
    may_not(SARAH, f"{collection} isn't listed", find(collection))
for path in OWNED + HIDDEN:
    collection = path.rsplit("/", 1)[0]
    may_not(SARAH, f"{path} isn't changed", Write(path, {"forged": True}, mask=["forged"]))
    may_not(SARAH, f"{collection} gets no documents", create(f"{collection}/new", forged=True))
    may_not(SARAH, f"{path} isn't deleted", delete(path))
