"""Two devices and a server, each with a client of its own, live through a chat."""

import random
import string
import uuid

import pytest
from firestore.listening import Watching
from google.cloud import firestore

SERVER_TIME = firestore.SERVER_TIMESTAMP


@pytest.fixture
def database():
    return f"chat-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def device(database):
    """Makes a client, each with a connection of its own."""
    return lambda: firestore.Client(project="demo-test", database=database)


def messages(client, conversation="trip"):
    return client.collection("conversations", conversation, "messages")


def message(sender, text, **more):
    return {"senderId": sender, "text": text, "timestamp": SERVER_TIME, "readBy": [], **more}


def some_id():
    return "".join(random.choices(string.ascii_letters + string.digits, k=20))


def numbers(found):
    """Newest first: this client shows a listener's documents in ascending order, whatever it asks."""
    return sorted((each.get("number") for each in found), reverse=True)


def texts(found, language):
    """What a reader of a language sees."""
    return [each.get("translations").get(language, each.get("text")) for each in found]


def test_two_people(device):
    sarah, marco, server = device(), device(), device()
    seen_by_marco = Watching(messages(marco).order_by("timestamp"))
    seen_by_sarah = Watching(messages(sarah).order_by("timestamp"))
    with seen_by_marco, seen_by_sarah:
        hello = messages(sarah).document()
        hello.set(message("sarah", "Hello!", translations={}))
        seen_by_marco.until(lambda found: texts(found, "it") == ["Hello!"])
        messages(server).document(hello.id).update({"translations.it": "Ciao!"})
        seen_by_marco.until(lambda found: texts(found, "it") == ["Ciao!"])
        seen_by_sarah.until(lambda found: texts(found, "en") == ["Hello!"])
        assert seen_by_marco.changes() == [("ADDED", hello.id), ("MODIFIED", hello.id)]
        messages(marco).add(message("marco", "Come stai?", translations={"en": "How are you?"}))
        seen_by_sarah.until(lambda found: texts(found, "en") == ["Hello!", "How are you?"])


def test_a_group(device):
    languages = {"anna": "de", "marco": "it", "yuki": "ja"}
    sarah, server = device(), device()
    readers = {name: Watching(messages(device()).order_by("timestamp")) for name in languages}
    inboxes = {
        name: Watching(device().document("users", name, "inbox", "trip")) for name in languages
    }
    own_inbox = Watching(sarah.document("users", "sarah", "inbox", "trip"))
    _, hello = messages(sarah).add(message("sarah", "Hello!", translations={}))
    translated = {"de": "Hallo!", "it": "Ciao!", "ja": "こんにちは"}
    for language, text in translated.items():
        messages(server).document(hello.id).update({f"translations.{language}": text})
    batch = server.batch()
    for name in languages:
        inbox = server.document("users", name, "inbox", "trip")
        batch.set(inbox, {"unread": 1, "lastMessageId": hello.id})
    batch.commit()
    for name, language in languages.items():
        readers[name].until(lambda found: texts(found, language) == [translated[language]])
        inboxes[name].until(lambda found: [each.get("unread") for each in found] == [1])
    own_inbox.until(lambda found: found == [])
    assert own_inbox.changes() == []
    for watching in (*readers.values(), *inboxes.values(), own_inbox):
        watching.watch.unsubscribe()


def test_read_receipts(device):
    sarah, marco = device(), device()
    batch = sarah.batch()
    for number in range(50):
        batch.set(messages(sarah).document(f"m{number:02}"), message("sarah", f"{number}"))
    batch.commit()
    with Watching(messages(sarah)) as watching:
        watching.until(lambda found: len(found) == 50)
        batch = marco.batch()
        for number in range(50):
            reference = messages(marco).document(f"m{number:02}")
            batch.update(reference, {"readBy": firestore.ArrayUnion(["marco"])})
        batch.commit()
        _, changes = watching.until(lambda found: all("marco" in m.get("readBy") for m in found))
        # All in one snapshot, each once, and none with half of them before it.
        assert sorted(change.document.id for change in changes) == [f"m{n:02}" for n in range(50)]
        assert len(watching.snapshots) == 2


def test_offline_queue(device):
    sarah, marco = device(), device()
    with Watching(messages(marco).order_by("clientTimestamp")) as watching:
        watching.until(lambda found: found == [])
        ids = [some_id() for _ in range(5)]
        batch = sarah.batch()
        for number, id in enumerate(ids):
            text = message("sarah", f"{number}", clientTimestamp=number)
            batch.set(messages(sarah).document(id), text)
        batch.commit()
        watching.ids(*ids)
        assert watching.changes() == [("ADDED", id) for id in ids]
        # The queue is sent again by a device that did not hear of its success: nothing new.
        batch = sarah.batch()
        for id in ids:
            batch.set(messages(sarah).document(id), {"status": "sent"}, merge=True)
        batch.commit()
        watching.until(lambda found: found and all(m.to_dict().get("status") == "sent" for m in found))
        assert [kind for kind, _ in watching.changes()] == ["ADDED"] * 5 + ["MODIFIED"] * 5


def test_pages(device):
    sarah, marco = device(), device()
    for start in (0, 60):
        batch = sarah.batch()
        for number in range(start, start + 60):
            batch.set(messages(sarah).document(f"m{number:03}"), {"number": number})
        batch.commit()
    newest = messages(marco).order_by("number", direction="DESCENDING")
    with Watching(newest.limit(50)) as watching:
        page, _ = watching.until(lambda found: len(found) == 50)
        assert numbers(page) == list(range(119, 69, -1))
        older = newest.start_after({"number": 70}).limit(50)
        with Watching(older) as second:
            rest, _ = second.until(lambda found: len(found) == 50)
            assert numbers(rest) == list(range(69, 19, -1))
            messages(sarah).document("m120").set({"number": 120})
            page, changes = watching.until(lambda found: 120 in numbers(found))
            assert numbers(page) == list(range(120, 70, -1))
            kinds = sorted((change.type.name, change.document.id) for change in changes)
            assert kinds == [("ADDED", "m120"), ("REMOVED", "m070")]
            # The second page begins where it began.
            messages(sarah).document("m020").delete()
            second.until(lambda found: 19 in numbers(found))
            assert len(second.snapshots) == 2


def test_the_later_edit_stands(device):
    sarah, marco = device(), device()
    names = [client.document("conversations/trip") for client in (sarah, marco)]
    names[0].set({"name": "Trip"})
    with Watching(names[0]) as first, Watching(names[1]) as second:
        for number in range(20):
            names[number % 2].update({"name": f"Trip {number}"})
        for watching in (first, second):
            found, _ = watching.until(lambda found: found[0].get("name") == "Trip 19")
            assert watching.snapshots[-1][0] == found
    assert names[0].get().get("name") == "Trip 19"
