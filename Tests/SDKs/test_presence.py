"""Presence and membership between the Realtime Database and Firestore: what mirrorPresence and mirrorMembership copy is
true in the end, whatever happens to their events. `make soak` runs a thousand seeds."""

import concurrent.futures
import datetime
import os
import random
import socket
import threading
import urllib.parse

import pytest
from chat.stage import message, messages, playing
from google.cloud import firestore
from realtime.service import Events, Socket

SEEDS = int(os.environ.get("PRESENCE_SEEDS", "40"))
# The number of users, each with a seed, whose phones and conversations change at once.
TOGETHER = 40
STEPS = 12
CONVERSATIONS = 500
NOW = {".sv": "timestamp"}
# A wrong clock is a day behind or ahead.
CLOCKS = [NOW, 1_600_000_000_000, 4_000_000_000_000]


@pytest.fixture
def chat():
    with playing("mirrorPresence", "mirrorMembership", "sendNotification", "forgetUser") as stage:
        yield stage


def online(open=None, time=NOW):
    return {"state": "online", "last_changed": time} | ({"open": open} if open else {})


def offline(time=NOW):
    return {"state": "offline", "last_changed": time}


def phone(chat, uid):
    """Connects a user's app, which leaves the write for its end with the server, and comes online."""
    app = Socket(chat.tree.name, chat.tree.host)
    app.must("o", p=f"/status/{uid}", d=offline())
    app.must("p", p=f"/status/{uid}", d=online())
    return app


def gone(chat, uid):
    """Waits until a user's app is offline, and the functions know it."""
    with Events(chat.tree, f"status/{uid}/state") as events:
        while events.next()[1]["data"] == "online":
            pass
    chat.quiet()


def profile(chat, uid):
    return chat.server.document("users", uid).get().to_dict()


class Changes:
    """The random changes of a user's phone and of a conversation with this user."""

    def __init__(self, chat, seed):
        self.chat, self.dice = chat, random.Random(seed)
        self.uid, self.others = f"user{seed}", [f"friend{seed}-{number}" for number in range(4)]
        self.conversation = chat.server.document("conversations", f"talk{seed}")

    def begin(self):
        self.chat.server.document("users", self.uid).set({"displayName": self.uid})
        self.conversation.set({"type": "group", "participants": [self.uid, *self.others]})

    def step(self):
        time = self.dice.choice(CLOCKS)
        status = [None, offline(time), online(time=time), online(f"talk{self.dice.randrange(3)}", time)]
        self.chat.tree.put(f"status/{self.uid}", self.dice.choice(status))
        if self.dice.random() < 0.5:
            people = self.dice.sample([self.uid, *self.others], self.dice.randrange(6))
            self.conversation.update({"participants": people})

    def check(self, times):
        status = self.chat.tree.get(f"status/{self.uid}") or {}
        seen = profile(self.chat, self.uid)
        assert seen["online"] == (status.get("state") == "online"), (self.uid, status, seen)
        assert seen.get("open") == status.get("open"), (self.uid, status, seen)
        assert seen["lastSeen"] == datetime.datetime.fromisoformat(times[self.uid]), self.uid
        people = self.conversation.get().to_dict()["participants"]
        assert (self.chat.tree.get(f"members/{self.conversation.id}") or {}) == dict.fromkeys(people, True)


def last_changes(chat, seed):
    """Returns the time of each user's last change of the status, of the users from a seed on."""
    times = {}
    for delivery in chat.deliveries(function="mirrorPresence", limit=10_000):
        uid = delivery["document"].removeprefix("status/user")
        if uid.isdigit() and int(uid) >= seed:
            time = delivery["time"].replace("Z", "+00:00")
            times[f"user{uid}"] = max(times.get(f"user{uid}", ""), time)
    return times


def test_any_order_of_events_leaves_the_truth(chat):
    with concurrent.futures.ThreadPoolExecutor(8) as people:
        for start in range(0, SEEDS, TOGETHER):
            chat.emulator.send("PUT", "/api/chaos", body={})
            users = [Changes(chat, seed) for seed in range(start, min(start + TOGETHER, SEEDS))]
            list(people.map(Changes.begin, users))
            chat.quiet()
            chaos = f"seed={start},duplicate=0.3,crash=0.05,delay=0..60ms"
            chat.emulator.send("PUT", "/api/chaos", body={"spec": chaos})
            list(people.map(lambda user: [user.step() for _ in range(STEPS)], users))
            chat.quiet()
            times = last_changes(chat, start)
            for user in users:
                user.check(times)
        # Later events overtook earlier ones, so some had nothing left to write.
        assert chat.deliveries(function="mirrorPresence", state="skipped")


def test_a_membership_that_changes_all_the_time_is_right_in_the_end(chat):
    talk = chat.server.document("conversations", "talk")
    talk.set({"type": "group", "participants": ["ann"]})

    def change(number):
        change = firestore.ArrayUnion if number % 3 else firestore.ArrayRemove
        talk.update({"participants": change([f"user{number % 7}"])})

    with concurrent.futures.ThreadPoolExecutor(8) as people:
        list(people.map(change, range(300)))
    chat.quiet()
    people = talk.get().to_dict()["participants"]
    assert chat.tree.get("members/talk") == dict.fromkeys(people, True)


def test_a_phone_that_is_killed_is_offline(chat):
    chat.join("marco", "it", "marco-phone")
    seen, changes = threading.Event(), []

    def look(documents, *_):
        changes.append(documents[0].to_dict())
        if changes[-1].get("online") is False:
            seen.set()

    app = phone(chat, "marco")
    app.must("o", p="/typingIndicators/trip/marco", d=None)
    app.must("p", p="/typingIndicators/trip/marco", d=NOW)
    chat.quiet()
    assert profile(chat, "marco")["online"]
    watch = chat.server.document("users", "marco").on_snapshot(look)
    # No close frame: the process is gone.
    app.connection.sock.shutdown(socket.SHUT_RDWR)
    assert seen.wait(60)
    watch.unsubscribe()
    assert changes[-1]["lastSeen"] > changes[0]["lastSeen"]
    assert chat.tree.get("typingIndicators") is None
    app.close()


def test_a_phone_does_not_ring_while_its_user_has_the_conversation_open(chat):
    sarah = chat.join("sarah", "en", "sarah-phone")
    chat.join("marco", "en", "marco-phone")
    chat.meet("trip", "sarah", "marco")
    app = phone(chat, "marco")

    def rings(id, open):
        app.must("p", p="/status/marco", d=online(open))
        chat.quiet()
        messages(sarah).document(id).set(message("sarah", "Hello!", "en"))
        chat.quiet()
        return id in {push["data"]["messageId"] for push in chat.alerts("marco-phone")}

    assert rings("m1", None)
    assert not rings("m2", "trip")
    assert chat.badge("marco-phone") == 2
    assert rings("m3", "other")
    assert not rings("m4", "trip")
    app.connection.sock.shutdown(socket.SHUT_RDWR)
    # The phone is offline, so it rings.
    gone(chat, "marco")
    messages(sarah).document("m5").set(message("sarah", "Hello!", "en"))
    chat.quiet()
    assert chat.alerts("marco-phone")[-1]["data"]["messageId"] == "m5"


def test_a_forgotten_user_in_many_conversations_leaves_nothing(chat):
    chat.join("marco", "it", "marco-phone")
    batch = chat.server.batch()
    for number in range(CONVERSATIONS):
        talk = chat.server.document("conversations", f"talk{number}")
        batch.set(talk, {"type": "group", "participants": ["marco", "sarah"]})
    batch.commit()
    chat.quiet()
    chat.tree.put("typingIndicators/talk7", {"marco": 1, "sarah": 2})
    assert len(chat.tree.get("members")) == CONVERSATIONS
    app = phone(chat, "marco")
    chat.call("forgetUser", "marco", uid="marco")
    # The app has yet to notice: it comes online once more, and then it is gone.
    app.must("p", p="/status/marco", d=online())
    chat.quiet()
    app.connection.sock.shutdown(socket.SHUT_RDWR)
    gone(chat, "marco")
    tree = chat.tree.get("")
    assert "marco" not in str(tree)
    assert len(tree["members"]) == CONVERSATIONS
    assert tree["typingIndicators"] == {"talk7": {"sarah": 2}}
    assert not chat.server.document("users", "marco").get().exists


def test_why_leads_from_a_copy_to_its_cause(chat):
    def why(**query):
        return chat.emulator.ask(f"/api/why?{urllib.parse.urlencode(query)}")

    chat.join("marco", "it")
    chat.meet("trip", "sarah", "marco")
    chat.tree.put("status/marco", online())
    chat.quiet()
    copied = why(ref="members/trip/marco")
    assert "by mirrorMembership" in copied["sentence"]
    what = [step["what"] for step in copied["chain"]]
    assert what[0] == "an administrator created conversations/trip"
    assert what[-1] == "mirrorMembership wrote members/trip"
    assert why(ref="members/trip/eve")["sentence"].startswith("members/trip/eve isn't in the write of members/trip at")
    seen = [step["what"] for step in why(document="users/marco", field="lastSeen")["chain"]]
    assert seen[0] == "an administrator created status/marco"
    assert why(ref="members/new")["sentence"] == "members/new doesn't exist: nothing triggered mirrorMembership."
    assert "no function here declares writes to such nodes" in why(ref="rooms/a")["sentence"]


def test_a_missing_copy_is_made_when_a_member_calls(chat):
    with chat.unnoticed():
        chat.meet("old", "sarah", "marco")
    assert chat.tree.get("members") is None
    assert chat.call("mirrorMembership", "sarah", conversationId="old") == {"members": 2, "leftOut": 0}
    assert chat.tree.get("members/old") == {"sarah": True, "marco": True}
