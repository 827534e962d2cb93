"""Everyday chat on a stage, so many messages at a time, and what it cost."""

import dataclasses

from chat.stage import message, messages

# A commit takes any number here; one of 500 is what production took for long.
BATCH = 400
# What one answer of the delivery log may hold.
LOOKED_AT_ONCE = 500
# Whoever says a phrase of one or two words says what many say.
LENGTHS = ((1, 2), (3, 5), (6, 10), (11, 10**6))


@dataclasses.dataclass
class Line:
    """What some of the messages needed, and what of it had to be paid for."""

    messages: int = 0
    lookups: int = 0
    paid: int = 0

    @property
    def hit_rate(self):
        return 1 - self.paid / self.lookups if self.lookups else 1.0


class Workload:
    def __init__(self, stage, everyday):
        self.stage, self.everyday = stage, everyday
        # By message: how often its functions asked a provider, and for how many characters.
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
        """So many messages with one commit, then the next when all of that has been dealt with."""
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
        # Of what was given up something would be missing.
        self.stage.quiet()

    def look(self, everything):
        """Adds up what the functions say they spent."""
        wanted = {said.id for said in everything}
        # One delivery a function; what config/functions and profiles woke is nothing.
        functions = len(self.stage.emulator.ask("/api/functions"))
        for delivery in self.stage.deliveries(limit=functions * len(everything)):
            id = delivery["document"].rsplit("/", 1)[1]
            if id in wanted and "usage" in (delivery.get("output") or {}):
                usage = delivery["output"]["usage"]
                calls, characters = self.spent.get(id, (0, 0))
                calls += usage["providerCalls"]
                self.spent[id] = (calls, characters + usage["charactersBilled"])
                self.cost_micros += usage["costMicros"]

    # What must hold

    def check_languages(self, everything):
        """Every message is there in every language that is read where it was said, and equal texts
        are translated equally."""
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
        """The cache has each once."""
        kept = {
            (each.get("sourceText"), each.get("sourceLang"), each.get("targetLang"))
            for each in self.stage.server.collection("translations").stream()
        }
        assert kept == pairs

    # Figures

    def line(self, everything):
        """What was needed by messages, and what of it was paid for."""
        everything = list(everything)
        return Line(
            len(everything),
            sum(len(said.targets) for said in everything),
            sum(self.spent.get(said.id, (0, 0))[0] for said in everything),
        )

    def billed(self, everything):
        """For each text how many characters of it are billed: what is put into placeholders is
        counted as those."""
        characters = {}
        for said in everything:
            calls, sent = self.spent.get(said.id, (0, 0))
            if calls:
                characters[said.text] = sent // calls
        return characters
