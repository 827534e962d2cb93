"""WorldChat's flows end to end: people on devices, each a client with its own listeners, and a
running emulator with all functions. The assertions are about what people see."""

import datetime
import random
import string

import pytest
from chat.stage import SERVER_TIME, Refused, message, messages, playing
from firestore.listening import Watching
from google.cloud import firestore
from realtime.service import Socket


@pytest.fixture
def chat():
    with playing() as stage:
        yield stage


def some_id():
    return "".join(random.choices(string.ascii_letters + string.digits, k=20))


def at(second):
    """Returns a time on a device's clock."""
    return datetime.datetime(2026, 3, 1, 18, 0, second, tzinfo=datetime.timezone.utc)


def shown(found, language):
    """Returns the texts of messages as a reader sees them: in their language if there is a
    translation."""
    contents = [each.to_dict() for each in found]
    return [each.get("translations", {}).get(language, each["text"]) for each in contents]


def originals(found):
    return [each.get("text") for each in found]


def in_order(client, conversation="trip"):
    return messages(client, conversation).order_by("timestamp")


def arranged(found):
    """Returns messages in the order in which an app shows them. The messages of a batch have the same
    server time."""
    return sorted(found, key=lambda each: (each.get("timestamp"), each.get("clientTimestamp"), each.id))


def unread(found):
    return [each.get("unread") for each in found]


# 1. One-on-one.


def test_two_people(chat):
    sarah = chat.join("sarah", "en", "sarah-phone")
    marco = chat.join("marco", "it", "marco-phone", "marco-tablet")
    tablet = chat.device("marco")
    chat.meet("trip", "sarah", "marco")
    with (
        Watching(in_order(sarah)) as seen_by_sarah,
        Watching(in_order(marco)) as seen_by_marco,
        Watching(in_order(tablet)) as seen_on_the_tablet,
        Watching(marco.document("users/marco/inbox/trip")) as inbox,
        Watching(sarah.document("conversations/trip")) as conversation,
    ):
        _, hello = messages(sarah).add(message("sarah", "Hello!", "en"))
        for watching in (seen_by_marco, seen_on_the_tablet):
            watching.until(lambda found: shown(found, "it") == ["Hello!"])
            found, _ = watching.until(lambda found: shown(found, "it") == ["Ciao!"])
            assert originals(found) == ["Hello!"]
        inbox.until(lambda found: unread(found) == [1])
        conversation.until(lambda found: found[0].to_dict().get("lastMessage") == "Hello!")
        chat.quiet()
        # A message changes only once, with everything that functions write to it.
        assert seen_by_marco.changes() == [("ADDED", hello.id), ("MODIFIED", hello.id)]
        for phone in ("marco-phone", "marco-tablet"):
            (push,) = chat.pushes(phone)
            assert push["notification"] == {"title": "Sarah", "body": "Ciao!"}
            data = {"conversationId": "trip", "messageId": hello.id, "type": "newMessage"}
            assert push["data"] == data
            assert chat.badge(phone) == 1
        assert chat.pushes("sarah-phone") == []

        _, answer = messages(marco).add(message("marco", "Come stai?", "it"))
        seen_by_sarah.until(lambda found: shown(found, "en") == ["Hello!", "How are you?"])
        found, _ = conversation.until(
            lambda found: found[0].to_dict().get("lastMessageId") == answer.id
        )
        assert found[0].get("lastMessage") == "Come stai?"
        chat.quiet()
        assert chat.pushes("sarah-phone")[-1]["notification"]["body"] == "How are you?"
        assert len(chat.pushes("marco-phone")) == 1


# 2. A group.


def test_a_group(chat):
    languages = {"anna": "de", "marco": "it", "paul": "it", "luz": "es", "yuki": "ja"}
    sarah = chat.join("sarah", "en", "sarah-phone")
    devices = {uid: chat.join(uid, code, f"{uid}-phone") for uid, code in languages.items()}
    chat.meet("trip", "sarah", *languages, name="Roma 2026")
    readers = {uid: Watching(in_order(device)) for uid, device in devices.items()}
    inboxes = {
        uid: Watching(device.document("users", uid, "inbox", "trip"))
        for uid, device in devices.items()
    }
    _, hello = messages(sarah).add(message("sarah", "Hello!", "en"))
    # A text that the phrasebook lacks is marked, so that it isn't taken for a translation.
    texts = {"de": "Hallo!", "it": "Ciao!", "es": "¡Hola!", "ja": "⟦ja⟧ Hello!"}
    for uid, code in languages.items():
        readers[uid].until(lambda found: shown(found, code) == [texts[code]])
        inboxes[uid].until(lambda found: unread(found) == [1])
    chat.quiet()
    for uid, code in languages.items():
        (push,) = chat.pushes(f"{uid}-phone")
        title = {"title": "Roma 2026", "body": f"Sarah: {texts[code]}"}
        assert push["notification"] == title
        assert readers[uid].changes() == [("ADDED", hello.id), ("MODIFIED", hello.id)]
    # Senders get no push of their own message.
    assert chat.pushes("sarah-phone") == []
    assert list(sarah.collection("users/sarah/inbox").stream()) == []
    # Two readers of one language share a translation.
    assert chat.paid()[0] == len(texts)
    for watching in (*readers.values(), *inboxes.values()):
        watching.watch.unsubscribe()


# 3. Receipts.


def test_read_receipts(chat):
    sarah = chat.join("sarah", "en", "sarah-phone")
    marco = chat.join("marco", "it", "marco-phone", "marco-tablet")
    chat.meet("trip", "sarah", "marco")
    ids = [f"m{number:02}" for number in range(50)]
    batch = sarah.batch()
    for number, id in enumerate(ids):
        text = message("sarah", "Hello!", "en", clientTimestamp=at(number))
        batch.set(messages(sarah).document(id), text)
    batch.commit()
    chat.quiet()
    assert marco.document("users/marco/inbox/trip").get().get("unread") == 50
    assert chat.badge("marco-phone") == 50
    woken = len(chat.deliveries(function="translateMessage"))
    with Watching(messages(sarah)) as by_sarah, Watching(messages(marco)) as by_marco:
        for watching in (by_sarah, by_marco):
            watching.until(lambda found: len(found) == 50)
        batch = marco.batch()
        for id in ids:
            receipt = {"readBy": firestore.ArrayUnion(["marco"]), "readAt": SERVER_TIME}
            batch.update(messages(marco).document(id), receipt)
        batch.commit()
        for watching in (by_sarah, by_marco):
            _, changes = watching.until(lambda found: all("marco" in m.get("readBy") for m in found))
            # One snapshot has all changes, each once, and no earlier one has only some of them.
            assert sorted(change.document.id for change in changes) == ids
        chat.quiet()
        for watching in (by_sarah, by_marco):
            assert len(watching.snapshots) == 2
    # Marco's phones get the new count by a silent push.
    assert marco.document("users/marco/inbox/trip").get().get("unread") == 0
    for phone in ("marco-phone", "marco-tablet"):
        assert chat.badge(phone) == 0
        assert len(chat.alerts(phone)) == 50
    assert len(chat.deliveries(function="translateMessage")) == woken
    # A read message doesn't count again.
    messages(sarah).add(message("sarah", "Hello!", "en"))
    chat.quiet()
    assert marco.document("users/marco/inbox/trip").get().get("unread") == 1
    assert chat.badge("marco-phone") == 1


# MARK: 4. Messages written offline.


def test_an_offline_queue(chat):
    sarah, marco = chat.join("sarah", "en"), chat.join("marco", "it", "marco-phone")
    chat.meet("trip", "sarah", "marco")
    texts = ["Hello!", "How are you?", "Thank you!", "See you tomorrow!", "Good night!"]
    translated = ["Ciao!", "Come stai?", "Grazie!", "A domani!", "Buonanotte!"]
    ids = [some_id() for _ in texts]
    with Watching(in_order(marco)) as watching:
        watching.until(lambda found: found == [])
        batch = sarah.batch()
        for number, (id, text) in enumerate(zip(ids, texts)):
            queued = message("sarah", text, "en", clientTimestamp=at(number))
            batch.set(messages(sarah).document(id), queued)
        batch.commit()
        watching.until(lambda found: [each.id for each in arranged(found)] == ids)
        watching.until(lambda found: shown(arranged(found), "it") == translated)
        chat.quiet()
        changes = watching.changes()
        assert sorted(changes[:5]) == sorted(("ADDED", id) for id in ids)
        assert sorted(changes[5:]) == sorted(("MODIFIED", id) for id in ids)
        assert chat.badge("marco-phone") == 5
        # The device sends the queue again because it missed the success: nothing new appears.
        batch = sarah.batch()
        for id in ids:
            batch.set(messages(sarah).document(id), {"status": "sent"}, merge=True)
        batch.commit()
        found, _ = watching.until(
            lambda found: [each.to_dict().get("status") for each in found] == ["sent"] * 5
        )
        assert shown(arranged(found), "it") == translated
        chat.quiet()
    rung = [push["data"]["messageId"] for push in chat.alerts("marco-phone")]
    assert sorted(rung) == sorted(ids)
    conversation = marco.document("conversations/trip").get()
    assert (conversation.get("lastMessageId"), conversation.get("lastMessage")) == (ids[4], texts[4])


def test_a_message_sent_again_is_the_same(chat):
    sarah = chat.join("sarah", "en")
    marco = chat.join("marco", "it", "marco-phone")
    chat.meet("trip", "sarah", "marco")
    for _ in range(2):
        again = message("sarah", "Hello!", "en", clientId="from-her-device")
        messages(sarah).document(some_id()).set(again)
        chat.quiet()
    assert len(chat.alerts("marco-phone")) == 1
    assert marco.document("users/marco/inbox/trip").get().get("unread") == 1
    assert chat.paid()[0] == 1


def test_edits_and_deletions(chat):
    sarah = chat.join("sarah", "en")
    marco = chat.join("marco", "it", "marco-phone")
    chat.meet("trip", "sarah", "marco")
    conversation = marco.document("conversations/trip")
    for id, text in (("first", "Hello!"), ("second", "Good night!")):
        messages(sarah).document(id).set(message("sarah", text, "en"))
        chat.quiet()
    messages(sarah).document("second").update({"text": "Thank you!"})
    chat.quiet()
    assert conversation.get().get("lastMessage") == "Thank you!"
    assert shown([messages(marco).document("second").get()], "it") == ["Grazie!"]
    assert chat.badge("marco-phone") == 2
    messages(sarah).document("second").delete()
    chat.quiet()
    assert conversation.get().get("lastMessage") == "Hello!"
    assert conversation.get().get("lastMessageId") == "first"
    assert chat.badge("marco-phone") == 1
    # Marco was notified of the two messages, but not of their changes.
    rung = [push["data"]["messageId"] for push in chat.alerts("marco-phone")]
    assert rung == ["first", "second"]


def test_a_hidden_preview_shows_no_text(chat):
    sarah = chat.join("sarah", "en")
    chat.join("marco", "it", "marco-phone", notificationPreview=False)
    chat.meet("trip", "sarah", "marco")
    messages(sarah).add(message("sarah", "Hello!", "en"))
    chat.quiet()
    (push,) = chat.alerts("marco-phone")
    assert push["notification"]["title"] == "Sarah"
    assert not {"Hello!", "Ciao!"} & {push["notification"]["body"]}


# 5. Presence and typing.


def test_presence_and_typing(chat):
    sarah = chat.join("sarah", "en")
    chat.join("marco", "it")
    chat.meet("trip", "sarah", "marco")
    chat.quiet()
    time = {".sv": "timestamp"}
    phones = [Socket(chat.tree.name, chat.tree.host) for _ in range(2)]
    for each, uid in zip(phones, ("sarah", "marco")):
        each.must("q", p="/typingIndicators/trip", h="")
        each.must("o", p=f"/status/{uid}", d={"state": "offline", "last_changed": time})
        each.must("p", p=f"/status/{uid}", d={"state": "online", "last_changed": time})
    ours, theirs = phones
    ours.take()
    with Watching(sarah.document("users/marco")) as presence:
        presence.until(lambda found: found[0].to_dict().get("online"))
        theirs.must("p", p="/typingIndicators/trip/marco", d=time)
        ((_, typing),) = ours.take()
        assert typing["p"] == "typingIndicators/trip/marco" and typing["d"] > 0
        theirs.must("p", p="/typingIndicators/trip/marco", d=None)
        assert [pushed["d"] for _, pushed in ours.take()] == [None]
        # The connection is dropped, and the server clears the presence.
        theirs.connection.sock.close()
        presence.until(lambda found: found[0].to_dict().get("online") is False)
    ours.close()


# 6. An idiom.


def test_an_idiom(chat):
    sarah, marco = chat.join("sarah", "en"), chat.join("marco", "it")
    chat.meet("trip", "sarah", "marco")
    idiom = messages(sarah).document("idiom")
    with Watching(marco.document("aiAnalysis/idiom")) as hint, Watching(in_order(marco)) as seen:
        idiom.set(message("sarah", "Break a leg at your interview tomorrow!", "en"))
        ((found,), _) = hint.until(lambda found: found != [])
        seen.until(
            lambda found: shown(found, "it") == ["In bocca al lupo per il colloquio di domani!"]
        )
    analysis = found.to_dict()
    assert analysis["hasCulturalContext"] and analysis["type"] == "idiom"
    assert analysis["idiomDetected"].lower() == "break a leg"
    assert "In bocca al lupo" in analysis["suggestedEquivalent"]
    assert analysis["language"] == "it" and "In bocca al lupo" in analysis["explanation"]
    # Tapping the idiom needs no second request to the model.
    asked = chat.usage()["requests"]["openai"]
    answer = chat.call("analyzeMessage", "marco", messageId="idiom", conversationId="trip")
    assert answer["explanation"] == analysis["explanation"]
    assert chat.usage()["requests"]["openai"] == asked


# 7. The assistant.


@pytest.fixture
def dinner(chat):
    """A stage with a conversation of two, and a stranger."""
    sarah, marco = chat.join("sarah", "en"), chat.join("marco", "it")
    chat.join("eve", "en")
    chat.meet("trip", "sarah", "marco")
    messages(marco).document("greeting").set(message("marco", "Ciao Sarah!", "it"))
    text = "Shall we have dinner at Da Gino at eight?"
    messages(sarah).document("dinner").set(message("sarah", text, "en"))
    chat.quiet()
    return chat


def test_smart_replies(dinner):
    suggestions = dinner.call("smartReplies", "marco", conversationId="trip")["suggestions"]
    assert len({each["text"] for each in suggestions}) == 3
    for each in suggestions:
        assert (each["language"], each["translationLanguage"]) == ("it", "en")
        assert each["text"] and each["translation"] and each["text"] != each["translation"]


def test_questions(dinner):
    marco = dinner.device("marco")
    with Watching(marco.collection("aiChats/marco/queries")) as questions:
        query = "Dove ceniamo?"
        answer = dinner.call("askAI", "marco", conversationId="trip", query=query)
        assert "Da Gino" in answer["aiResponse"] and answer["contextIds"] == ["dinner"]
        found, _ = questions.until(
            lambda found: found and found[0].to_dict().get("status") == "answered"
        )
        assert found[0].id == answer["queryId"]
        assert found[0].get("userQuery") == query
        assert found[0].get("aiResponse") == answer["aiResponse"]


def test_replies_without_a_model(dinner):
    fault = {"provider": "openai", "kind": "status", "status": 503, "times": 100}
    dinner.emulator.send("POST", "/providers/faults", "functions", fault)
    answer = dinner.call("smartReplies", "marco", conversationId="trip")
    assert answer["engine"] == "fallback"
    assert len({each["text"] for each in answer["suggestions"]}) == 3
    dinner.emulator.send("DELETE", "/providers/faults", "functions")
    assert dinner.call("smartReplies", "marco", conversationId="trip")["engine"] != "fallback"


def test_a_later_member_sees_no_earlier_messages(dinner):
    lea = dinner.join("lea", "fr")
    lea.document("conversations/trip").update(
        {"participants": firestore.ArrayUnion(["lea"]), "joinedAt.lea": SERVER_TIME}
    )
    messages(dinner.server).document("later").set(message("marco", "Benvenuta, Lea!", "it"))
    dinner.quiet()
    answer = dinner.call("askAI", "lea", conversationId="trip", query="Where is dinner?")
    assert "dinner" not in answer["contextIds"] and "Da Gino" not in answer["aiResponse"]
    answer = dinner.call("askAI", "sarah", conversationId="trip", query="Where is dinner?")
    assert answer["contextIds"] == ["dinner"]


def test_a_member_who_leaves_has_nothing_unread(chat):
    sarah = chat.join("sarah", "en")
    marco = chat.join("marco", "it", "marco-phone", "marco-tablet")
    chat.meet("work", "sarah", "marco")
    chat.meet("trip", "sarah", "marco", name="Roma 2026")
    inbox = marco.collection("users/marco/inbox")
    with Watching(inbox) as kept:
        messages(sarah, "work").add(message("sarah", "Hello!", "en"))
        for _ in range(2):
            messages(sarah).add(message("sarah", "Hello!", "en"))
        chat.quiet()
        assert chat.badge("marco-phone") == chat.badge("marco-tablet") == 3
        rung = len(chat.alerts("marco-phone"))

        # Marco is removed, and a message follows.
        trip = sarah.document("conversations/trip")
        trip.update({"participants": firestore.ArrayRemove(["marco"])})
        kept.until(lambda found: [each.id for each in found] == ["work"])
        messages(sarah).add(message("sarah", "Good night!", "en"))
        chat.quiet()
        assert chat.badge("marco-phone") == chat.badge("marco-tablet") == 1

        # A member who rejoins is notified of the next message.
        trip.update({"participants": firestore.ArrayUnion(["marco"])})
        chat.quiet()
        assert [each.id for each in inbox.stream()] == ["work"]
        messages(sarah).add(message("sarah", "Thank you!", "en"))
        kept.until(lambda found: unread(found) == [4, 1])
        chat.quiet()
        assert chat.badge("marco-phone") == 5

        trip.delete()
        kept.until(lambda found: [each.id for each in found] == ["work"])
        chat.quiet()
        assert chat.badge("marco-phone") == chat.badge("marco-tablet") == 1
    assert len(chat.alerts("marco-phone")) == rung + 1


@pytest.mark.parametrize(
    ("function", "data"),
    [
        ("smartReplies", {}),
        ("askAI", {"query": "Where is dinner?"}),
        ("analyzeMessage", {"messageId": "dinner"}),
        ("translateMessage", {"messageId": "dinner", "targetLang": "fr"}),
    ],
)
def test_strangers_are_refused(dinner, function, data):
    asked = dinner.usage()["requests"]
    with pytest.raises(Refused) as stranger:
        dinner.call(function, "eve", conversationId="trip", **data)
    assert (stranger.value.http_status, stranger.value.status) == (403, "PERMISSION_DENIED")
    with pytest.raises(Refused) as nobody:
        dinner.call(function, conversationId="trip", **data)
    assert (nobody.value.http_status, nobody.value.status) == (401, "UNAUTHENTICATED")
    assert dinner.usage()["requests"] == asked
    assert list(dinner.server.collection("aiChats/eve/queries").stream()) == []


# MARK: 8. Pages, and two devices that write one field.


def test_pages(chat):
    sarah, marco = chat.join("sarah", "en"), chat.join("marco", "it", "marco-phone")
    chat.meet("trip", "sarah", "marco")
    ids = [f"{random.randrange(10**9):09}-{number:03}" for number in range(120)]
    for id in ids:
        messages(sarah).document(id).set(message("sarah", "Hello!", "en"))
    chat.quiet()
    newest = messages(marco).order_by("timestamp", direction="DESCENDING").limit(50)
    read, page = [], newest
    while found := list(page.stream()):
        read += found
        page = newest.start_after(found[-1])
    assert [each.id for each in read] == ids[::-1]
    assert set(shown(read, "it")) == {"Ciao!"}
    # The count ends at a hundred.
    assert chat.badge("marco-phone") == 100

    def listed(found):
        """Returns the numbers, newest first: this client sorts a listener's documents in ascending
        order."""
        return sorted((each.id[-3:] for each in found), reverse=True)

    with Watching(newest) as first, Watching(newest.start_after(read[49])) as second:
        page, _ = first.until(lambda found: len(found) == 50)
        assert listed(page) == [f"{number:03}" for number in range(119, 69, -1)]
        rest, _ = second.until(lambda found: len(found) == 50)
        assert listed(rest) == [f"{number:03}" for number in range(69, 19, -1)]
        messages(sarah).document("new-120").set(message("sarah", "Hello!", "en"))
        page, changes = first.until(lambda found: "120" in listed(found))
        assert listed(page) == [f"{number:03}" for number in range(120, 70, -1)]
        kinds = sorted((change.type.name, change.document.id) for change in changes)
        assert kinds == [("ADDED", "new-120"), ("REMOVED", ids[70])]
        # The second page still begins at the same document.
        messages(sarah).document(ids[20]).delete()
        second.until(lambda found: "019" in listed(found))
        assert len(second.snapshots) == 2


def test_the_last_name_wins(chat):
    sarah, marco = chat.join("sarah", "en"), chat.join("marco", "it")
    chat.meet("trip", "sarah", "marco", name="Trip")
    devices = [client.document("conversations/trip") for client in (sarah, marco)]
    with Watching(devices[0]) as first, Watching(devices[1]) as second:
        for number in range(20):
            devices[number % 2].update({"name": f"Trip {number}"})
        for watching in (first, second):
            found, _ = watching.until(lambda found: found[0].get("name") == "Trip 19")
            assert watching.snapshots[-1][0] == found


def test_the_last_text_wins(chat):
    phone, marco = chat.join("sarah", "en"), chat.join("marco", "it")
    devices = phone, chat.device("sarah")
    chat.meet("trip", "sarah", "marco")
    texts = ["Hello!", "Good night!", "Thank you!", "See you tomorrow!"]
    with Watching(in_order(marco)) as seen:
        messages(phone).document("m").set(message("sarah", "Hello!", "en"))
        for number in range(10):
            text = texts[number % len(texts)]
            messages(devices[number % 2]).document("m").update({"text": text})
        messages(phone).document("m").update({"text": "How are you?"})
        seen.until(lambda found: shown(found, "it") == ["Come stai?"])
        chat.quiet()
        assert shown(seen.snapshots[-1][0], "it") == ["Come stai?"]
