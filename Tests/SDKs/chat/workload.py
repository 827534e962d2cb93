"""Sends everyday chat through a stage, a batch of messages at a time, and adds up the cost."""

import dataclasses

from chat.stage import message, messages

# The number of writes in a commit, below Firestore's former limit of 500.
BATCH = 400
# The maximum number of messages whose deliveries are read at once.
LOOKED_AT_ONCE = 500
# Message lengths in words: the shortest messages are the most repeated ones.
LENGTHS = ((1, 2), (3, 5), (6, 10), (11, 10**6))


@dataclasses.dataclass
class Line:
    """The translations that some messages needed, and how many were paid for."""

    messages: int = 0
    lookups: int = 0
    paid: int = 0

    @property
    def hit_rate(self):
        return 1 - self.paid / self.lookups if self.lookups else 1.0


class Workload:
    def __init__(self, stage, everyday):
        self.stage, self.everyday = stage, everyday
        # For each message: the number of its provider calls, and of characters billed.
        self.spent = {}
        self.cost_micros = 0
        stage.allow()
        self.write(
            [
                (("users", uid), {"displayName": uid, "primaryLanguage": language})
                for uid, language in everyday.languages.items()
            ]
            + [
                (("users", uid, "devices", "phone"), {"fcmToken": f"phone-{uid}"})
                for uid in everyday.languages
            ]
            + [
                (("conversations", name), {"type": "group", "participants": members})
                for name, members in everyday.conversations.items()
            ]
        )
        stage.quiet()

    def write(self, documents):
        client = self.stage.server
        for start in range(0, len(documents), BATCH):
            batch = client.batch()
            for path, content in documents[start : start + BATCH]:
                batch.set(client.document(*path), content)
            batch.commit()

    def say(self, everything, at_once):
        """Sends messages in batches of one commit each, and waits until each batch is handled."""
        client, begun = self.stage.server, 0
        for start in range(0, len(everything), at_once):
            batch = client.batch()
            for said in everything[start : start + at_once]:
                document = messages(client, said.conversation).document(said.id)
                batch.set(document, message(said.sender, said.text, said.language))
            batch.commit()
            assert self.stage.emulator.ask("/api/quiet?timeoutSeconds=120") == {"quiet": True}
            end = min(start + at_once, len(everything))
            if end - begun >= LOOKED_AT_ONCE or end == len(everything):
                self.look(everything[begun:end])
                begun = end
        # Dead letters would be missing in the sums.
        self.stage.quiet()

    def look(self, everything):
        """Adds up the usage that the functions report."""
        wanted = {said.id for said in everything}
        # A message has one delivery for each function. Changes of config/functions and of profiles'
        # languages have none.
        functions = len(self.stage.emulator.ask("/api/functions"))
        for delivery in self.stage.deliveries(limit=functions * len(everything)):
            id = delivery["document"].rsplit("/", 1)[1]
            if id in wanted and "usage" in (delivery.get("output") or {}):
                usage = delivery["output"]["usage"]
                calls, characters = self.spent.get(id, (0, 0))
                calls += usage["providerCalls"]
                self.spent[id] = (calls, characters + usage["charactersBilled"])
                self.cost_micros += usage["costMicros"]

    # MARK: Checks

    def check_languages(self, everything):
        """Checks that every message is translated into every language of its readers, and that
        equal texts have equal translations."""
        found, answers = {}, {}
        for each in self.stage.server.collection_group("messages").stream():
            found[each.id] = each.to_dict()
        for said in everything:
            translations = found[said.id].get("translations", {})
            lacking = said.targets - set(translations)
            assert not lacking, f"{said.id} lacks {sorted(lacking)}"
            for pair in said.pairs():
                text = translations[pair[2]]
                assert answers.setdefault(pair, text) == text, pair

    def check_cache(self, pairs):
        """Checks that the cache has exactly the given translations."""
        kept = {
            (each.get("sourceText"), each.get("sourceLang"), each.get("targetLang"))
            for each in self.stage.server.collection("translations").stream()
        }
        assert kept == pairs

    # MARK: Figures

    def line(self, everything):
        """Returns the numbers of messages, of translations that they needed, and of paid
        translations."""
        everything = list(everything)
        return Line(
            len(everything),
            sum(len(said.targets) for said in everything),
            sum(self.spent.get(said.id, (0, 0))[0] for said in everything),
        )

    def billed(self, everything):
        """Returns the billed characters for each text. A placeholder counts with its own
        characters."""
        characters = {}
        for said in everything:
            calls, sent = self.spent.get(said.id, (0, 0))
            if calls:
                characters[said.text] = sent // calls
        return characters
