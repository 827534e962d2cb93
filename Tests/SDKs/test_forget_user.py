"""A forgotten user is nowhere in the database: every text by and about the user has a marker, and a
dump of all documents contains neither the marker nor the user's id. The user's account is gone."""

import contextlib
import os
import re
import uuid
from unittest import mock

import firebase_admin
import pytest
from auth.service import Service, payload
from chat.stage import PROJECT, SERVER_TIME, message, messages, playing
from firebase_admin import auth
from google.cloud import firestore

UID = "uid-4711-of-marco"
MARKER = "zqx"
EMAIL = "zqx@mail.example.org"
GONE = re.compile(f"{UID}|{MARKER}", re.IGNORECASE)

# The known leftovers: path and field, with the reason. A leftover without a reason fails, and so
# does a reason without a leftover.
STAYS = {
    r"functionEvents/[^/]+ document": "the path of a message that is gone, until it expires",
}


@pytest.fixture
def chat():
    with playing() as stage:
        yield stage


@pytest.fixture
def accounts(chat):
    """Firebase's library for servers, connected to the stage's Authentication."""
    with connected(chat) as app:
        yield app


@contextlib.contextmanager
def connected(chat):
    app = firebase_admin.initialize_app(options={"projectId": PROJECT}, name=str(uuid.uuid4()))
    host = chat.emulator.services["auth"].removeprefix("http://")
    with mock.patch.dict(os.environ, FIREBASE_AUTH_EMULATOR_HOST=host):
        # The library's client reads the variable when it is first used.
        assert ids(app) == []
    yield app
    firebase_admin.delete_app(app)


def ids(accounts):
    return [user.uid for user in auth.list_users(app=accounts).iterate_all()]


@contextlib.contextmanager
def paused(chat):
    """Lets events wait during the block. When a call deletes the profile, the function runs for this
    event, too, and could delete the account first."""
    chat.emulator.send("PUT", "/api/triggers", body={"paused": True})
    yield
    chat.emulator.send("PUT", "/api/triggers", body={"paused": False})
    chat.quiet()


def everything(client):
    """Returns every document by its path."""
    found = {}

    def add(collections):
        for collection in collections:
            # A missing document may have subcollections.
            for document in collection.list_documents(page_size=300):
                content = document.get()
                if content.exists:
                    found[document.path] = content.to_dict()
                add(document.collections())

    add(client.collections())
    return found


def traces(client):
    """Returns the places that still contain the user: paths with their fields, and paths
    themselves."""
    found = set()
    for path, content in everything(client).items():
        if GONE.search(path):
            found.add(path)
        found |= {f"{path} {field}" for field, value in content.items() if GONE.search(f"{field} {value}")}
    return found


def live(chat):
    """Plays a user who does everything possible, and others with them."""
    marco = chat.join(
        UID,
        "it",
        "zqx-phone",
        "zqx-tablet",
        displayName="Zqxmarco",
        email=EMAIL,
        fcmToken="zqx-old-phone",
        createdAt=SERVER_TIME,
    )
    sarah, lea = chat.join("sarah", "en", "sarah-phone"), chat.join("lea", "fr", "lea-phone")
    of_marco = {
        "participantLanguages": {UID: "it", "sarah": "en"},
        "languageOverrides": {UID: "it"},
        "joinedAt": {UID: SERVER_TIME, "sarah": SERVER_TIME},
    }
    chat.meet("duo", UID, "sarah", settings={"muted": [UID]}, **of_marco)
    chat.meet("trip", "lea", UID, "sarah", name="Roma 2026", **of_marco)
    # The user left this conversation, and their settings in it stayed.
    chat.meet("others", "lea", "sarah", settings={"muted": [UID]})
    chat.meet("others2", "lea", "sarah", **of_marco)
    asked = message("sarah", "Shall we have dinner at eight?", "en", mentions=[UID])
    messages(sarah, "duo").document("s1").set(asked)
    messages(lea, "trip").document("l1").set(message("lea", "Bonjour !", "fr"))
    messages(sarah, "others").document("o1").set(message("sarah", "See you tomorrow!", "en"))
    chat.quiet()
    # The second message of a conversation is an idiom, so that there is something to explain.
    for conversation, id, text in (
        ("duo", "zqx-m1", "La zqxcena è alle otto da Gino."),
        ("duo", "zqx-m2", "In bocca al lupo, zqxsarah!"),
        ("trip", "zqx-m3", "Il treno zqxdopo parte alle 9:15 dal binario 4."),
        ("trip", "zqx-m4", "Piove a catinelle, zqxlea!"),
    ):
        document = messages(marco, conversation).document(id)
        document.set(message(UID, text, "it", clientId=id))
        chat.quiet()
    # A text that is repeated so often that the count of its uses is only approximate.
    often = marco.batch()
    for number in range(20):
        text = message(UID, "La mia via è via zqxroma.", "it")
        often.set(messages(marco, "duo").document(f"zqx-often{number}"), text)
    often.commit()
    chat.quiet()
    messages(marco, "duo").document("zqx-m1").update({"text": "La zqxcena è alle nove da Gino."})
    receipts = marco.batch()
    for conversation, id in (("duo", "s1"), ("trip", "l1")):
        read = {"readBy": firestore.ArrayUnion([UID])}
        receipts.update(messages(marco, conversation).document(id), read)
    receipts.commit()
    messages(sarah, "trip").document("zqx-m3").update({"readBy": firestore.ArrayUnion(["sarah"])})
    chat.quiet()
    # The model's texts about the messages, for the user and for others.
    for uid, language in ((UID, "it"), ("sarah", "en")):
        for conversation in ("duo", "trip"):
            chat.call("smartReplies", uid, conversationId=conversation)
        chat.call("askAI", uid, conversationId="duo", query="zqxcena?" if uid == UID else "What time?")
    chat.call("analyzeMessage", "lea", messageId="zqx-m4", conversationId="trip")
    chat.call("translateMessage", "lea", messageId="zqx-m3", conversationId="trip", targetLang="de")
    chat.quiet()


def by_a_call(chat):
    chat.call("forgetUser", UID, uid=UID)


def by_deleting_the_profile(chat):
    chat.device().document("users", UID).delete()


def by_a_call_that_comes_twice(chat):
    for _ in range(2):
        by_a_call(chat)


@pytest.mark.parametrize("forget", [by_a_call, by_a_call_that_comes_twice, by_deleting_the_profile])
def test_nothing_is_left(chat, accounts, forget):
    auth.create_user(uid=UID, email=EMAIL, app=accounts)
    auth.create_user(uid="lea", app=accounts)
    live(chat)
    before = everything(chat.server)
    there = {re.sub("/.*", "", trace) for trace in traces(chat.server)}
    kinds = {"aiAnalysis", "aiChats", "conversations", "limits", "smartReplies", "translations", "users"}
    assert there >= kinds, "the test forgets what wasn't there"
    others = {path: content for path, content in before.items() if re.match("conversations/others/messages|users/(sarah|lea)$", path)}

    forget(chat)
    chat.quiet()
    left = {trace: [why for why in STAYS if re.fullmatch(why, trace)] for trace in traces(chat.server)}
    assert [trace for trace, reasons in sorted(left.items()) if not reasons] == []
    assert set(STAYS) == {why for reasons in left.values() for why in reasons}
    assert ids(accounts) == ["lea"]
    # Other people's data stays.
    after = everything(chat.server)
    assert {path: after.get(path) for path in others} == others
    for path in ("conversations/duo/messages/s1", "conversations/trip/messages/l1"):
        assert after[path]["text"] == before[path]["text"]
        assert after[path]["translations"] == before[path]["translations"]
    assert after["conversations/trip"]["participants"] == ["lea", "sarah"]
    # The user's phones get no more pushes.
    rung = len(chat.pushes("zqx-phone"))
    messages(chat.server, "trip").document("later").set(message("lea", "Merci !", "fr"))
    chat.quiet()
    assert len(chat.pushes("zqx-phone")) == rung


@pytest.mark.parametrize("forget", [by_a_call, by_deleting_the_profile])
def test_pending_events_bring_nothing_back(chat, forget):
    live(chat)
    batch = chat.server.batch()
    for number in range(20):
        batch.set(
            messages(chat.server, "trip").document(f"zqx-late-{number}"),
            message(UID, f"Ciao zqx{number}!"),
        )
        batch.set(
            messages(chat.server, "trip").document(f"late-{number}"),
            message("sarah", f"See you at {number}:00!"),
        )
    batch.commit()
    # Functions are handling all of these messages now.
    forget(chat)
    chat.quiet()
    left = [trace for trace in traces(chat.server) if not any(re.fullmatch(why, trace) for why in STAYS)]
    assert sorted(left) == []


def test_an_account_is_deleted_once(chat, accounts):
    auth.create_user(uid=UID, app=accounts)
    chat.join(UID, "it")
    with paused(chat):
        assert chat.call("forgetUser", UID, uid=UID)["account"] == "deleted"
        with pytest.raises(auth.UserNotFoundError):
            auth.get_user(UID, app=accounts)
        assert chat.call("forgetUser", UID, uid=UID)["account"] == "absent"


def test_a_user_without_an_account_is_forgotten(chat, accounts):
    chat.join(UID, "it")
    with paused(chat):
        assert chat.call("forgetUser", UID, uid=UID)["account"] == "absent"
    assert traces(chat.server) == set()


def test_a_deleted_profile_that_exists_again_keeps_its_account(chat, accounts):
    auth.create_user(uid=UID, app=accounts)
    marco = chat.join(UID, "it")
    with paused(chat):
        marco.document("users", UID).delete()
        marco.document("users", UID).set({"displayName": "Zqxmarco"})
    assert ids(accounts) == [UID]


def test_an_account_from_sign_up_until_it_is_forgotten(chat, accounts):
    service = Service(chat.emulator.services["auth"].removeprefix("http://"), PROJECT)
    first = service.sign_up(EMAIL, displayName="Zqxmarco")
    uid = first["localId"]
    # A person writes the profile with the token of the account.
    answer = service.ask(
        "PATCH",
        f"http://{chat.emulator.address}/v1/projects/{PROJECT}/databases/(default)/documents/users/{uid}",
        {"fields": {"displayName": {"stringValue": "Zqxmarco"}, "primaryLanguage": {"stringValue": "it"}}},
        {"Authorization": f"Bearer {first['idToken']}"},
    )
    assert answer.status == 200, answer.body
    chat.server.document("users", uid, "devices", "zqx-phone").set({"fcmToken": "zqx-phone"})
    lea = chat.join("lea", "fr", "lea-phone")
    chat.meet("trip", "lea", uid, name="Roma 2026")
    messages(lea).document("l1").set(message("lea", "Merci beaucoup !", "fr"))
    chat.quiet()
    assert len(chat.alerts("zqx-phone")) == 1

    # The person signs out on all devices, which revokes the tokens issued so far.
    auth.update_user(uid, valid_since=payload(first["idToken"])["iat"] + 1, app=accounts)
    service.user("lookup", idToken=first["idToken"]).refused("TOKEN_EXPIRED")
    assert service.refresh(grant_type="refresh_token", refresh_token=first["refreshToken"]).status == 400
    second = service.sign_in(EMAIL).body
    assert second["localId"] == uid

    with paused(chat):
        assert chat.call_with(second["idToken"], "forgetUser", uid=uid)["account"] == "deleted"
    assert ids(accounts) == []
    service.sign_in(EMAIL).refused("EMAIL_NOT_FOUND")
    assert service.refresh(grant_type="refresh_token", refresh_token=second["refreshToken"]).status == 400
    left = {path: content for path, content in everything(chat.server).items() if uid in f"{path} {content}"}
    assert left == {}
    rung = len(chat.pushes("zqx-phone"))
    messages(lea).document("l2").set(message("lea", "Bonjour !", "fr"))
    chat.quiet()
    assert len(chat.pushes("zqx-phone")) == rung
    # The address is free again, for somebody else.
    assert service.sign_up(EMAIL)["localId"] != uid
