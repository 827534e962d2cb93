"""A conversation under `--chaos`. The outcome must be the same whatever happens to deliveries.

Deliveries are made twice at once, late and out of order, and processes are killed between any two
of their requests, as a seed decides. The documents must equal those of a quiet run. Without kills,
every text is paid for once per pair of languages, and every phone gets one push per message. A kill
may cost one more call or push.

`make soak` runs a thousand seeds. This test runs fifty.
"""

import os
import pathlib
import re
import shutil

import pytest
from firestore.emulator import Emulator
from firestore.tokens import unsigned
from firestore.values import fields
from firestore.wire import Server

SEEDS = int(os.environ.get("CHAOS_SEEDS", "50"))
# The number of conversations at once. A killed function holds its lease for five seconds, long
# enough for a slow machine, so many conversations wait for their leases in parallel.
TOGETHER = 50
PROJECT = "demo-worldchat"
RULES = pathlib.Path(__file__).parents[2] / "firestore.rules"
DATABASE = f"projects/{PROJECT}/databases/(default)"
DOCUMENTS = f"{DATABASE}/documents"
LANGUAGES = {"ann": "en", "bea": "it", "carl": "de"}
# The senders and texts of a conversation's messages. The first two messages are equal.
MESSAGES = [("ann", "Dinner"), ("ann", "Dinner"), ("bea", "Cena"), ("carl", "Essen")]
# Three distinct texts, each for two readers' languages.
PAID = 3 * 2


@pytest.fixture
def emulator(tmp_path):
    functions = tmp_path / "functions"
    functions.mkdir()
    for name in ("translateMessage", "sendNotification"):
        (functions / name).symlink_to(shutil.which(name))
    # Retries without delay or limit.
    options = ["--retry", "production", "--time-scale", "1000", "--project", PROJECT]
    options += ["--rules", str(RULES)]
    running = Emulator(functions=functions, options=options, environment={"LEASE_SECONDS": "5"})
    yield running
    running.end()


class Conversation:
    """Three people, each with a language and a phone, and the messages that they write at once."""

    def __init__(self, emulator, label):
        self.emulator, self.label = emulator, label
        self.server = Server(emulator.address)
        self.people = {name: f"{name}-{label}" for name in LANGUAGES}

    def write(self, uid, path, values, time=None):
        """Writes a document as a user, with the server's time in a field."""
        write = {"update": {"name": f"{DOCUMENTS}/{path}", "fields": fields(values)}}
        if time:
            write["updateTransforms"] = [{"fieldPath": time, "setToServerValue": "REQUEST_TIME"}]
        request = {"database": DATABASE, "writes": [write]}
        answer = self.server.ask("Commit", request, f"Bearer {unsigned(uid, PROJECT)}")
        assert isinstance(answer, list), answer

    def begin(self):
        for name, uid in self.people.items():
            profile = {"displayName": name, "primaryLanguage": LANGUAGES[name]}
            self.write(uid, f"users/{uid}", profile)
            self.write(uid, f"users/{uid}/devices/phone", {"fcmToken": f"phone-{uid}"})
        members = {"type": "group", "participants": list(self.people.values())}
        self.write(self.people["ann"], f"conversations/{self.label}", members, time="createdAt")
        for number, (name, text) in enumerate(MESSAGES):
            message = {
                "senderId": self.people[name],
                "text": f"{text} at {self.label}?",
                "language": LANGUAGES[name],
            }
            path = f"conversations/{self.label}/messages/m{number}-{self.label}"
            self.write(self.people[name], path, message, time="timestamp")

    def documents(self):
        """Returns every document of the conversation, without times and hashes."""
        found = {}
        groups = "users inbox devices deviceTokens conversations messages translations functionEvents"
        for group in groups.split():
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
            # Names may be hashes, so several names may now be the same.
            return sorted(
                (self.plain(name), self.plain(content))
                for name, content in value.items()
                if "timestampValue" not in (content if isinstance(content, dict) else {})
            )
        if isinstance(value, list):
            return [self.plain(content) for content in value]
        return re.sub("[0-9a-f]{64}|t[0-9a-f]{32}", "hash", str(value)).replace(self.label, "label")

    def pushes(self):
        """Returns the number of pushes by phone and message."""
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
    """Runs conversations at once under chaos, and returns them with the number of translated texts.
    """
    # Earlier documents would only slow the reads down.
    server = Server(emulator.address)
    server.clear(DATABASE)
    server.close()
    emulator.send("DELETE", "/providers/fcm/inbox", "functions")
    emulator.send("PUT", "/api/chaos", body={"spec": chaos} if chaos else {})
    before = emulator.ask("/providers/usage", "functions")["translatedTexts"]
    conversations = [Conversation(emulator, label) for label in labels]
    for conversation in conversations:
        conversation.begin()
    assert emulator.ask("/api/quiet?timeoutSeconds=120") == {"quiet": True}, chaos
    assert emulator.ask("/api/events?state=deadLettered") == [], chaos
    paid = emulator.ask("/providers/usage", "functions")["translatedTexts"] - before
    return conversations, paid


def test_chaos_without_crashes_costs_nothing(emulator):
    (quiet,), paid = run(emulator, ["quiet"])
    assert paid == PAID
    reference = quiet.documents()
    assert sorted(reference)[0] == "/conversations/label" and len(reference) >= 15, sorted(reference)
    for seed in range(SEEDS):
        chaos = f"seed={seed},duplicate=0.3,delay=0..20ms"
        (conversation,), paid = run(emulator, [f"seed{seed}x"], chaos)
        assert conversation.documents() == reference, chaos
        assert paid == PAID, chaos
        pushes = conversation.pushes()
        assert set(pushes) == conversation.expected_pushes(), chaos
        assert set(pushes.values()) == {1}, chaos
        conversation.server.close()


def test_a_crash_costs_at_most_one_call_or_push(emulator):
    (quiet,), _ = run(emulator, ["quiet"])
    reference = quiet.documents()
    kills = 0
    for seed in range(max(1, SEEDS // TOGETHER)):
        chaos = f"seed={seed},duplicate=0.2,crash=0.2,delay=0..20ms"
        labels = [f"crash{seed}x{number}x" for number in range(TOGETHER)]
        conversations, paid = run(emulator, labels, chaos)
        # Each message has two deliveries. Each profile and each device has one, which neither pays
        # nor pushes.
        limit = TOGETHER * 2 * (len(MESSAGES) + len(LANGUAGES))
        deliveries = emulator.ask(f"/api/events?limit={limit}")
        of_messages = [each for each in deliveries if "/messages/" in each["document"]]
        kills_of = {
            (each["function"], each["document"].rsplit("/", 1)[1]): each["kills"]
            for each in of_messages
        }
        assert len(kills_of) == len(of_messages) == TOGETHER * 2 * len(MESSAGES)
        for conversation in conversations:
            assert conversation.documents() == reference, (chaos, conversation.label)
            pushes = conversation.pushes()
            assert set(pushes) == conversation.expected_pushes(), (chaos, conversation.label)
            for (phone, message), count in pushes.items():
                assert count <= 1 + kills_of["sendNotification", message], (chaos, phone, message)
            conversation.server.close()
        killed = sum(kills_of.values())
        assert PAID * TOGETHER <= paid <= PAID * TOGETHER + killed, chaos
        kills += killed
    assert kills > 0
    print(f"{kills} kills")
