"""Everyday chat in five languages, the same for the same seed.

As in any chat, a few phrases make up most of it. They come from the phrasebook, and the first ones
are far more frequent than the last. The remaining messages are sentences with a name, a time or a
number, and long messages that nobody writes twice.
"""

import dataclasses
import pathlib
import random
import re

LANGUAGES = ("en", "es", "it", "fr", "de")
# The number of common phrases in each language: 300 in all.
COMMON = 60
SHARES = {"phrase": 0.65, "medium": 0.22, "long": 0.13}
MEMBERS = (2, 6)

BOOK = pathlib.Path(__file__).resolve().parents[3] / "emulator/ProviderFakes/Translation"
# The columns of the phrasebook's tables.
COLUMNS = ("en", "es", "it", "fr", "pt", "de")

NAMES = "Anna Ben Carla David Elena Felix Giulia Hugo Ines Jonas Karla Leo Marta Nina Omar".split()

TEMPLATES = {
    "en": [
        "See you at {time}, {name}!", "{name} is {number} minutes late.", "Dinner with {name} at {time}?",
        "The train leaves at {time} from platform {small}.", "Can you bring {small} bottles of water?",
        "{name} says the flat costs {number} euros.", "We are {small} people tonight.",
        "Call {name} before {time}, please.",
    ],
    "es": [
        "¡Nos vemos a las {time}, {name}!", "{name} llega {number} minutos tarde.",
        "¿Cenamos con {name} a las {time}?", "El tren sale a las {time} de la vía {small}.",
        "¿Puedes traer {small} botellas de agua?", "{name} dice que el piso cuesta {number} euros.",
        "Esta noche somos {small} personas.", "Llama a {name} antes de las {time}, por favor.",
    ],
    "it": [
        "Ci vediamo alle {time}, {name}!", "{name} arriva con {number} minuti di ritardo.",
        "Ceniamo con {name} alle {time}?", "Il treno parte alle {time} dal binario {small}.",
        "Puoi portare {small} bottiglie d'acqua?", "{name} dice che la casa costa {number} euro.",
        "Stasera siamo in {small}.", "Chiama {name} prima delle {time}, per favore.",
    ],
    "fr": [
        "On se voit à {time}, {name} !", "{name} a {number} minutes de retard.",
        "On dîne avec {name} à {time} ?", "Le train part à {time} de la voie {small}.",
        "Tu peux apporter {small} bouteilles d'eau ?", "{name} dit que l'appartement coûte {number} euros.",
        "Ce soir on est {small}.", "Appelle {name} avant {time}, s'il te plaît.",
    ],
    "de": [
        "Wir sehen uns um {time}, {name}!", "{name} kommt {number} Minuten zu spät.",
        "Essen wir um {time} mit {name}?", "Der Zug fährt um {time} von Gleis {small}.",
        "Kannst du {small} Flaschen Wasser mitbringen?", "{name} sagt, die Wohnung kostet {number} Euro.",
        "Heute Abend sind wir {small} Leute.", "Ruf bitte {name} vor {time} an.",
    ],
}  # fmt: skip

# The parts of long messages. A long message has one part of each kind, and a number that makes the
# message unique.
LONG = {
    "en": (
        ["Yesterday evening", "On the way to work", "After the long meeting", "While it was raining"],
        ["I met the neighbour from the third floor", "the old bus broke down near the bridge",
         "my sister told me a very funny story", "we looked at the photos of our holiday"],
        ["and nobody knew what to do about it", "so I got home much later than I had wanted",
         "and I thought of you and of our plans", "but in the end it all turned out well"],
        "it was number {number} on my list",
    ),
    "es": (
        ["Ayer por la tarde", "De camino al trabajo", "Después de la larga reunión", "Mientras llovía"],
        ["me encontré con el vecino del tercer piso", "el autobús viejo se averió cerca del puente",
         "mi hermana me contó una historia muy graciosa", "miramos las fotos de nuestras vacaciones"],
        ["y nadie sabía qué hacer con eso", "así que llegué a casa mucho más tarde de lo que quería",
         "y pensé en ti y en nuestros planes", "pero al final todo salió bien"],
        "era el número {number} de mi lista",
    ),
    "it": (
        ["Ieri sera", "Mentre andavo al lavoro", "Dopo la lunga riunione", "Mentre pioveva"],
        ["ho incontrato il vicino del terzo piano", "il vecchio autobus si è rotto vicino al ponte",
         "mia sorella mi ha raccontato una storia molto divertente",
         "abbiamo guardato le foto delle nostre vacanze"],
        ["e nessuno sapeva che cosa fare", "così sono tornato a casa molto più tardi di quanto volessi",
         "e ho pensato a te e ai nostri progetti", "ma alla fine è andato tutto bene"],
        "era il numero {number} della mia lista",
    ),
    "fr": (
        ["Hier soir", "En allant au travail", "Après la longue réunion", "Pendant qu'il pleuvait"],
        ["j'ai rencontré le voisin du troisième étage", "le vieux bus est tombé en panne près du pont",
         "ma sœur m'a raconté une histoire très drôle", "nous avons regardé les photos de nos vacances"],
        ["et personne ne savait quoi faire", "donc je suis rentré bien plus tard que je ne voulais",
         "et j'ai pensé à toi et à nos projets", "mais à la fin tout s'est bien passé"],
        "c'était le numéro {number} de ma liste",
    ),
    "de": (
        ["Gestern Abend", "Auf dem Weg zur Arbeit", "Nach der langen Besprechung", "Während es regnete"],
        ["traf ich den Nachbarn aus dem dritten Stock", "blieb der alte Bus in der Nähe der Brücke stehen",
         "erzählte mir meine Schwester eine sehr lustige Geschichte",
         "sahen wir uns die Fotos von unserem Urlaub an"],
        ["und niemand wusste, was zu tun war", "also kam ich viel später nach Hause als ich wollte",
         "und ich dachte an dich und an unsere Pläne", "aber am Ende ging alles gut aus"],
        "es war Nummer {number} auf meiner Liste",
    ),
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Said:
    """A message: its text, sender and conversation, and the languages of its readers."""

    id: str
    conversation: str
    sender: str
    language: str
    text: str
    kind: str
    targets: frozenset

    def pairs(self):
        """Returns the translations that its readers need: text, source and target language."""
        return {(self.text, self.language, target) for target in self.targets}

    @property
    def words(self):
        return len(self.text.split())


def common_phrases():
    """Returns the most common phrases for each language, most common first. No two languages share
    a row of the phrasebook."""
    rows = []
    for name in ("Greetings", "Replies", "Courtesy", "Plans", "People", "DailyLife", "Travel"):
        for line in (BOOK / f"Phrasebook+{name}.swift").read_text().splitlines():
            columns = line.strip().split(" | ")
            # A row with a slot for a name or a number is no phrase.
            if len(columns) == len(COLUMNS) and not re.search("[@#]", line):
                rows.append(dict(zip(COLUMNS, columns)))
    phrases = {}
    for number, language in enumerate(LANGUAGES):
        texts = dict.fromkeys(row[language] for row in rows[number :: len(LANGUAGES)])
        phrases[language] = list(texts)[:COMMON]
        assert len(phrases[language]) == COMMON, language
    return phrases


class Everyday:
    """People, their conversations, and their messages."""

    def __init__(self, seed, count, conversations=200):
        self.dice = random.Random(seed)
        self.phrases = common_phrases()
        self.frequency = [1 / rank for rank in range(1, COMMON + 1)]
        self.languages = {}
        self.conversations = {}
        for number in range(conversations):
            members = [f"c{number}p{each}" for each in range(self.dice.randint(*MEMBERS))]
            for member in members:
                self.languages[member] = self.dice.choice(LANGUAGES)
            self.conversations[f"c{number}"] = members
        # A conversation with a reader of every language, so that a phrase sent there is translated
        # into all.
        for language in LANGUAGES:
            self.languages[f"reads-{language}"] = language
        self.conversations["all"] = [f"reads-{language}" for language in LANGUAGES]
        self.warm_up = [
            self.said(f"w-{language}-{rank}", "all", f"reads-{language}", phrase, "phrase")
            for language in LANGUAGES
            for rank, phrase in enumerate(self.phrases[language])
        ]
        names = [name for name in self.conversations if name != "all"]
        self.messages = [self.message(number, names) for number in range(count)]

    def said(self, id, conversation, sender, text, kind):
        language = self.languages[sender]
        read = {self.languages[member] for member in self.conversations[conversation]}
        return Said(id, conversation, sender, language, text, kind, frozenset(read - {language}))

    def message(self, number, conversations):
        dice = self.dice
        conversation = dice.choice(conversations)
        sender = dice.choice(self.conversations[conversation])
        language = self.languages[sender]
        (kind,) = dice.choices(list(SHARES), SHARES.values())
        if kind == "phrase":
            (text,) = dice.choices(self.phrases[language], self.frequency)
        elif kind == "medium":
            text = dice.choice(TEMPLATES[language]).format(
                name=dice.choice(NAMES),
                time=f"{dice.randint(8, 22)}:{dice.choice(['00', '15', '30', '45'])}",
                number=5 * dice.randint(1, 200),
                small=dice.randint(2, 9),
            )
        else:
            *parts, last = LONG[language]
            text = ", ".join([*(dice.choice(part) for part in parts), last.format(number=number)])
            text += "."
        return self.said(f"m{number}", conversation, sender, text, kind)
