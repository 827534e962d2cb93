"""A conversation under chaos: whatever happens to deliveries, what comes of it is the same.

Deliveries are made twice at once, late and out of order, and processes are killed between any two of
their requests, as a seed says. Then the documents are those of a quiet run, every text was paid for
once per pair of languages, and every phone rang once per message: without kills exactly so; a kill
may cost a call or a push more.

`make soak` runs a thousand seeds; here it is two hundred.
"""

import os
import re
import shutil

import pytest
from firestore.emulator import Emulator
from firestore.values import fields
from firestore.wire import Server

SEEDS = int(os.environ.get("CHAOS_SEEDS", "200"))
# What is killed holds its lease for a second: so many conversations wait for theirs at once.
TOGETHER = 10
PROJECT = "demo-worldchat"
DATABASE = f"projects/{PROJECT}/databases/(default)"
DOCUMENTS = f"{DATABASE}/documents"
LANGUAGES = {"ann": "en", "bea": "it", "carl": "de"}
# Who writes what; the first two say the same.
MESSAGES = [("ann", "Dinner"), ("ann", "Dinner"), ("bea", "Cena"), ("carl", "Essen")]
# Distinct texts, and two readers' languages each.
PAID = 3 * 2


@pytest.fixture
def emulator(tmp_path):
    functions = tmp_path / "functions"
    functions.mkdir()
    for name in ("translateMessage", "sendNotification"):
        (functions / name).symlink_to(shutil.which(name))
    # Retries for ever, and at once.
    options = ["--retry", "production", "--time-scale", "1000", "--project", PROJECT]
    running = Emulator(functions=functions, options=options, environment={"LEASE_SECONDS": "1"})
    yield running
    running.end()


class Conversation:
    """Three people, each with a language and a phone, and what they write at once."""

    def __init__(self, emulator, label):
        self.emulator, self.label = emulator, label
        self.server = Server(emulator.address)
        self.people = {name: f"{name}-{label}" for name in LANGUAGES}

    def write(self, path, values, *more):
        update = {"name": f"{DOCUMENTS}/{path}", "fields": fields(values)}
        writes = [{"update": update, **each} for each in (more or [{}])]
        answer = self.server.ask("Commit", {"database": DATABASE, "writes": writes})
        assert isinstance(answer, list), answer

    def begin(self):
        for name, uid in self.people.items():
            self.write(f"users/{uid}", {"displayName": name, "primaryLanguage": LANGUAGES[name]})
            self.write(f"users/{uid}/devices/phone", {"fcmToken": f"phone-{uid}"})
        members = {"type": "group", "participants": list(self.people.values())}
        self.write(f"conversations/{self.label}", members)
        timestamp = {"fieldPath": "timestamp", "setToServerValue": "REQUEST_TIME"}
        for number, (name, text) in enumerate(MESSAGES):
            message = {
                "senderId": self.people[name],
                "text": f"{text} at {self.label}?",
                "language": LANGUAGES[name],
            }
            path = f"conversations/{self.label}/messages/m{number}-{self.label}"
            self.write(path, message, {"updateTransforms": [timestamp]})

    def documents(self):
        """Everything that is there on account of the conversation, without times and hashes."""
        found = {}
        for group in ("users", "inbox", "conversations", "messages", "translations", "functionEvents"):
            query = {"from": [{"collectionId": group, "allDescendants": True}]}
            answer = self.server.ask("RunQuery", {"parent": DOCUMENTS, "structuredQuery": query})
            for each in answer:
                if self.label in str(each):
                    name = each["document"]["name"].removeprefix(DOCUMENTS)
                    content = self.plain(each["document"].get("fields", {}))
                    found.setdefault(self.plain(name), []).append(content)
        return {name: sorted(contents, key=str) for name, contents in found.items()}

    def plain(self, value):
        if isinstance(value, dict):
            # Names may be hashes, so several may be the same now.
            return sorted(
                (self.plain(name), self.plain(content))
                for name, content in value.items()
                if "timestampValue" not in (content if isinstance(content, dict) else {})
            )
        if isinstance(value, list):
            return [self.plain(content) for content in value]
        return re.sub("[0-9a-f]{64}|t[0-9a-f]{32}", "hash", str(value)).replace(self.label, "label")

    def pushes(self):
        """How often each phone rang for each message."""
        counts = {}
        for push in self.emulator.ask("/providers/fcm/inbox", "functions")["messages"]:
            push = push["message"]
            if self.label == push["data"]["conversationId"]:
                key = (push["token"], push["data"]["messageId"])
                counts[key] = counts.get(key, 0) + 1
        return counts

    def expected_pushes(self):
        return {
            (f"phone-{reader}", f"m{number}-{self.label}")
            for number, (name, _) in enumerate(MESSAGES)
            for reader in self.people.values()
            if reader != self.people[name]
        }


def run(emulator, labels, chaos=None):
    """Conversations at once, as the chaos has it: their documents, and how many texts were paid for."""
    emulator.ask("/api/chaos", put={"spec": chaos} if chaos else {})
    before = emulator.ask("/providers/usage", "functions")["translatedTexts"]
    conversations = [Conversation(emulator, label) for label in labels]
    for conversation in conversations:
        conversation.begin()
    assert emulator.ask("/api/quiet?timeoutSeconds=120") == {"quiet": True}, chaos
    assert emulator.ask("/api/events?state=deadLettered") == [], chaos
    paid = emulator.ask("/providers/usage", "functions")["translatedTexts"] - before
    return conversations, paid


def test_nothing_but_crashes_is_noticed(emulator):
    (quiet,), paid = run(emulator, ["quiet"])
    assert paid == PAID
    reference = quiet.documents()
    assert sorted(reference)[0] == "/conversations/label" and len(reference) >= 13, sorted(reference)
    for seed in range(SEEDS):
        chaos = f"seed={seed},duplicate=0.3,delay=0..20ms"
        (conversation,), paid = run(emulator, [f"seed{seed}x"], chaos)
        assert conversation.documents() == reference, chaos
        assert paid == PAID, chaos
        pushes = conversation.pushes()
        assert set(pushes) == conversation.expected_pushes(), chaos
        assert set(pushes.values()) == {1}, chaos
        conversation.server.close()


def test_crashes_cost_no_more_than_they_must(emulator):
    (quiet,), _ = run(emulator, ["quiet"])
    reference = quiet.documents()
    kills = 0
    for seed in range(max(1, SEEDS // TOGETHER)):
        chaos = f"seed={seed},duplicate=0.2,crash=0.2,delay=0..20ms"
        labels = [f"crash{seed}x{number}x" for number in range(TOGETHER)]
        conversations, paid = run(emulator, labels, chaos)
        killed = 0
        for conversation in conversations:
            assert conversation.documents() == reference, (chaos, conversation.label)
            pushes = conversation.pushes()
            assert set(pushes) == conversation.expected_pushes(), (chaos, conversation.label)
            rings = {}
            for (_, message), count in pushes.items():
                rings[message] = max(rings.get(message, 0), count)
            for delivery in emulator.ask("/api/events?function=sendNotification"):
                message = delivery["document"].rsplit("/", 1)[1]
                if message in rings:
                    assert rings[message] <= 1 + delivery["kills"], (chaos, delivery)
            killed += sum(
                delivery["kills"]
                for delivery in emulator.ask("/api/events")
                if f"/{conversation.label}/" in delivery["document"]
            )
            conversation.server.close()
        assert PAID * TOGETHER <= paid <= PAID * TOGETHER + killed, chaos
        kills += killed
    assert kills > 0
    print(f"{kills} kills")
