"""Events that arrive in any order, late and more than once leave the same last messages, unread
counts and badges as events in order, once each. People who left have none.

First a chat runs with functions, and its events are recorded. Then the same steps run without
triggers, and the recorded events are delivered at random points between the steps.
"""

import concurrent.futures
import datetime
import random

from chat.stage import messages, playing
from google.cloud import firestore

SEEDS = 6
# The maximum number of deliveries of one event.
REPEATS = 4
# The minimum number of deliveries of all seeds together.
DELIVERIES = 1_000
PEOPLE = {"ann": "en", "bea": "it", "carl": "de", "dora": "en", "elio": "es"}
CONVERSATIONS = {
    "duo": ["ann", "bea"],
    "trio": ["ann", "carl", "dora"],
    "all": list(PEOPLE),
}
TEXTS = {"en": "Hello!", "it": "Come stai?", "de": "Danke!", "es": "¡Hola!"}
STEPS = 30
FUNCTIONS = ("translateMessage", "sendNotification")


class Story:
    """The random steps of a chat; each step is one commit."""

    # Writes are the most frequent step; people rarely leave.
    KINDS = ("write", "write", "read", "edit", "delete") * 2 + ("leave",)

    def __init__(self, seed):
        self.dice = random.Random(seed)
        # The existing messages, as conversation and id, oldest first.
        self.written = []
        # The conversations that people have left. One person never leaves.
        self.left = set()
        self.steps = [
            getattr(self, self.dice.choice(self.KINDS) if self.written else "write")(number)
            for number in range(STEPS)
        ]

    def write(self, number):
        conversation = self.dice.choice(list(CONVERSATIONS))
        sender = self.dice.choice(CONVERSATIONS[conversation])
        # All messages of a batch have the same time.
        ids = [f"{self.dice.randrange(1000)}-{number}-{n}" for n in range(self.dice.choice([1, 1, 3]))]
        self.written += [(conversation, id) for id in ids]
        return [
            ("set", conversation, id, self.message(sender, number, place))
            for place, id in enumerate(ids)
        ]

    def read(self, _):
        conversation, _ = self.dice.choice(self.written)
        readers = firestore.ArrayUnion([self.dice.choice(CONVERSATIONS[conversation])])
        return [
            ("update", where, id, {"readBy": readers})
            for where, id in self.written
            if where == conversation
        ]

    def edit(self, number):
        conversation, id = self.dice.choice(self.written[-3:])
        return [("update", conversation, id, {"text": f"Thank you! {number}"})]

    def delete(self, _):
        conversation, id = each = self.dice.choice(self.written[-3:])
        self.written.remove(each)
        return [("delete", conversation, id)]

    def leave(self, number):
        conversation = self.dice.choice(list(CONVERSATIONS))
        _, *others = CONVERSATIONS[conversation]
        uid = self.dice.choice(others)
        if (conversation, uid) in self.left:
            return self.write(number)
        self.left.add((conversation, uid))
        return [("update", conversation, None, {"participants": firestore.ArrayRemove([uid])})]

    @staticmethod
    def message(sender, second, place):
        content = {
            "senderId": sender,
            "text": TEXTS[PEOPLE[sender]],
            "language": PEOPLE[sender],
            "timestamp": at(second),
            "readBy": [],
        }
        # Not every device sends its own time.
        return content | ({"clientTimestamp": at(second)} if place else {})

    @staticmethod
    def play(client, step):
        batch = client.batch()
        for kind, conversation, id, *content in step:
            document = messages(client, conversation).document(id) if id else client.document("conversations", conversation)
            getattr(batch, kind)(document, *content)
        batch.commit()
        return batch.commit_time


def at(second):
    return datetime.datetime(2026, 3, 1, 18, 0, second, tzinfo=datetime.timezone.utc)


def begin(stage):
    stage.clear()
    batch = stage.server.batch()
    for uid, language in PEOPLE.items():
        user = stage.server.document("users", uid)
        batch.set(user, {"displayName": uid, "primaryLanguage": language})
        batch.set(user.collection("devices").document("phone"), {"fcmToken": f"{uid}-phone"})
    for name, participants in CONVERSATIONS.items():
        group = {"type": "group", "name": name, "participants": participants}
        batch.set(stage.server.document("conversations", name), group)
    batch.commit()


def outcome(stage):
    """Returns the documents' visible state: last messages and their previews, unread counts, and badges."""

    def shown(found, *fields):
        return {each.reference.path: [each.to_dict().get(name) for name in fields] for each in found}

    preview = ("lastMessage", "lastMessageId", "textHash")
    inboxes = shown(stage.server.collection_group("inbox").stream(), "unread", *preview)
    badges = {
        f"the badge of {uid}": sum(unread for path, (unread, *_) in inboxes.items() if path.startswith(f"users/{uid}/"))
        for uid in PEOPLE
    }
    last = ("lastMessage", "lastMessageAt", "lastMessageId", "lastMessageSenderId", "lastMessageType")
    return shown(stage.server.collection("conversations").stream(), *last) | inboxes | badges


def differences(these, those):
    return {
        path: (these.get(path), those.get(path))
        for path in {*these, *those}
        if these.get(path) != those.get(path)
    }


def in_order(stage, story):
    """Runs a story in order, and returns its outcome and the events of each step."""
    begin(stage)
    events, known = [], set()
    for step in story.steps:
        story.play(stage.server, step)
        stage.quiet()
        # A step that changes nothing has no events. Then the newest deliveries are those of earlier
        # steps.
        newest = stage.deliveries(limit=len(FUNCTIONS) * len(step))
        new = {each["eventId"] for each in newest} - known
        known |= new
        events.append([stage.emulator.ask(f"/api/events/{id}")["event"] for id in sorted(new)])
    return outcome(stage), events


def out_of_order(stage, story, events, dice):
    """Runs the steps without triggers, delivers the events in random order, and returns the number
    of deliveries."""
    begin(stage)
    due, delivered = [], 0
    with concurrent.futures.ThreadPoolExecutor(8) as posting:

        def post(event):
            answer = stage.emulator.send("POST", "/events", "functions", event)
            return len(answer["deliveries"])

        for step, of_step in zip(story.steps, events):
            with stage.unnoticed():
                time = story.play(stage.server, step)
            # The functions compare an event's time with the times of this run's documents.
            of_step = [{**event, "time": time.rfc3339()} for event in of_step]
            due += [event for event in of_step for _ in range(dice.randint(1, REPEATS))]
            # A random part is delivered now and at once, the rest later.
            dice.shuffle(due)
            now = dice.randint(0, len(due))
            delivered += sum(posting.map(post, due[:now]))
            due = due[now:]
        delivered += sum(posting.map(post, due))
    stage.quiet()
    return delivered


def test_any_order_has_the_same_outcome():
    delivered, left = 0, 0
    with playing(*FUNCTIONS) as stage:
        for seed in range(SEEDS):
            story = Story(seed)
            reference, events = in_order(stage, story)
            delivered += out_of_order(stage, story, events, random.Random(seed))
            assert differences(reference, outcome(stage)) == {}, f"seed {seed}"
            assert not {f"users/{uid}/inbox/{where}" for where, uid in story.left} & set(reference)
            left += len(story.left)
            for uid in PEOPLE:
                rung = [push["data"]["messageId"] for push in stage.alerts(f"{uid}-phone")]
                assert len(rung) == len(set(rung)), f"seed {seed}: {uid}"
    assert delivered >= DELIVERIES and left >= SEEDS
    print(f"{delivered} deliveries")
