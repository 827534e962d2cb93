"""Chat translation under the load of the best-known deployment: five messages a second, each for
readers of seven languages, and a provider that answers after two seconds.

Every message must be translated into all its languages on two cores at most. The time limit is the
95th percentile of the provider's latency plus a tenth of a second. After the provider has been down
for a minute while messages arrive, no message may lack a language.

The provider is the emulator's fake, slowed down by a fault. Meanwhile another client measures the
provider's latency. No text is written twice, so the cache never helps.
"""

import argparse
import os
import pathlib
import random
import threading
import time

import emulators
from emulators import fetch

LANGUAGES = ["it", "es", "fr", "de", "pt", "nl", "pl"]
KEY = {"X-goog-api-key": "emulator-translation-key"}
# Any seven of the words make a new sentence.
WORDS = "river amber quickly stone under paper seven morning kettle blue garden early".split()
TICKS = os.sysconf("SC_CLK_TCK")


def text(value):
    return {"stringValue": value}


class Chat(emulators.Chat):
    """A group with a reader of each language."""

    def __init__(self, build):
        super().__init__(build, "--retry=production")
        self.written = []
        members = [text("sarah"), *(text(language) for language in LANGUAGES)]
        for member, language in zip(members, ["en", *LANGUAGES]):
            uid = member["stringValue"]
            self.write(f"users/{uid}", {"displayName": member, "primaryLanguage": text(language)})
            self.write(f"users/{uid}/devices/phone", {"fcmToken": text(f"phone-{uid}")})
        group = {"type": text("group"), "participants": {"arrayValue": {"values": members}}}
        self.write("conversations/load", group)
        # One user writes the messages of all users, so the limit for a user is raised.
        limit = {"integerValue": "1000000"}
        limits = {"fields": {"perUserPerMinute": limit, "perUserPerDay": limit}}
        self.write("config/functions", {"translateMessage": {"mapValue": limits}})

    def say(self):
        number = len(self.written)
        words = random.Random(number).sample(WORDS, 7)
        message = {
            "senderId": text("sarah"),
            "language": text("en"),
            "text": text(f"The {' '.join(words)} is number {number}."),
        }
        now = {"fieldPath": "timestamp", "setToServerValue": "REQUEST_TIME"}
        self.write(f"conversations/load/messages/m{number}", message, now)
        self.written.append(number)

    def say_for(self, seconds, rate):
        """Sends messages at a fixed rate, without waiting for anything."""
        began = time.monotonic()
        for number in range(int(seconds * rate)):
            time.sleep(max(0, began + number / rate - time.monotonic()))
            self.say()

    def message(self, number):
        return self.side.server.ask(
            "GetDocument", {"name": f"{self.documents}/conversations/load/messages/m{number}"}
        )[0]

    def provider(self, **fault):
        """Sets the translator's fault."""
        fetch(f"{self.functions}/providers/faults", "DELETE")
        fault |= {"provider": "translation", "times": 1_000_000}
        fetch(f"{self.functions}/providers/faults", "POST", fault)

    def quiet(self):
        assert fetch(f"{self.ui}/api/quiet?timeoutSeconds=900") == {"quiet": True}

    def cpu(self):
        """Returns the seconds of CPU that the emulator and its functions have used."""
        ticks = 0
        for each in self.processes():
            fields = pathlib.Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
            # The emulator's ticks include those of functions' processes that have ended.
            ticks += sum(map(int, fields[11:15] if each == self.side.process.pid else fields[11:13]))
        return ticks / TICKS


class Probe(threading.Thread):
    """Asks the provider once a second and measures its latency."""

    def __init__(self, functions):
        super().__init__(daemon=True)
        self.url = f"{functions}/providers/language/translate/v2"
        self.over, self.seconds = threading.Event(), []

    def run(self):
        body = {"q": ["river"], "source": "en", "target": "it", "format": "text"}
        headers = KEY | {"Content-Type": "application/json"}
        while not self.over.is_set():
            began = time.monotonic()
            fetch(self.url, "POST", body, headers)
            self.seconds.append(time.monotonic() - began)

    def p95(self):
        self.over.set()
        self.join()
        return percentile(self.seconds, 95)


def percentile(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, len(values) * percent // 100)]


def seconds(timestamp):
    date, _, fraction = timestamp.removesuffix("Z").partition(".")
    whole = time.mktime(time.strptime(date, "%Y-%m-%dT%H:%M:%S"))
    return whole + float(f"0.{fraction or 0}")


def missing(message):
    """Returns the languages that a message lacks."""
    translations = message["fields"].get("translations", {}).get("mapValue", {}).get("fields", {})
    return [language for language in LANGUAGES if language not in translations]


def steady(chat, rate, latency, length):
    chat.provider(kind="delay", delayMilliseconds=int(1e3 * latency))
    # The first messages start the functions' processes.
    chat.say_for(2 * latency, rate)
    chat.quiet()
    first, before, began = len(chat.written), chat.cpu(), time.monotonic()
    probe = Probe(chat.functions)
    probe.start()
    chat.say_for(length, rate)
    chat.quiet()
    took, spent, p95 = time.monotonic() - began, chat.cpu() - before, probe.p95()
    messages = [chat.message(number) for number in chat.written[first:]]
    lacking = sum(bool(missing(message)) for message in messages)
    # A message is updated only once, with all its translations.
    delays = [seconds(each["updateTime"]) - seconds(each["createTime"]) for each in messages]
    limit, cores = p95 + 0.1, spent / took
    slow = sum(delay > limit for delay in delays)
    print(
        f"{rate} messages/s x {len(LANGUAGES)} languages for {length} s, provider p95 {1e3 * p95:,.0f} ms: "
        f"translated after p50 {1e3 * percentile(delays, 50):,.0f} p95 {1e3 * percentile(delays, 95):,.0f} "
        f"max {1e3 * max(delays):,.0f} ms, {slow} of {len(delays)} later than the provider's p95 + 100 ms, "
        f"{lacking} lack a language, {cores:.2f} cores   "
        f"goal: {'met' if not slow and not lacking and cores <= 2 else 'MISSED'}",
        flush=True,
    )


def outage(chat, rate, latency, length):
    first = len(chat.written)
    chat.provider(kind="status", status=503)
    chat.say_for(length, rate)
    chat.provider(kind="delay", delayMilliseconds=int(1e3 * latency))
    back = time.monotonic()
    chat.say_for(5, rate)
    chat.quiet()
    took = time.monotonic() - back
    messages = [chat.message(number) for number in chat.written[first:]]
    lacking = sum(bool(missing(message)) for message in messages)
    dead = len(fetch(f"{chat.ui}/api/events?state=deadLettered"))
    print(
        f"after {length} s of 503s: {lacking} of {len(messages)} messages lack a language, {dead} dead letters, "
        f"all done {took:.0f} s after the provider was back   "
        f"goal: {'met' if not lacking and not dead else 'MISSED'}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    parser.add_argument("--rate", type=int, default=5, help="messages a second")
    parser.add_argument("--latency", type=float, default=2, help="latency of the provider in seconds")
    parser.add_argument("--seconds", type=int, default=60, help="seconds of the load, and of the outage")
    arguments = parser.parse_args()
    chat = Chat(arguments.build)
    try:
        steady(chat, arguments.rate, arguments.latency, arguments.seconds)
        outage(chat, arguments.rate, arguments.latency, arguments.seconds)
    finally:
        chat.stop()


if __name__ == "__main__":
    main()
