"""The speed of typing and presence under WorldChat's rules: from a typing indicator to the other member's socket, with
two sockets and with 1,000 in 500 conversations that all type; and from a connection's end to "last seen" at a listener
of the profile, through mirrorPresence. Times depend on the machine. A browser adds the time of its key event and of its
next frame."""

import contextlib
import json
import os
import pathlib
import queue
import random
import select
import socket
import tempfile
import threading
import time
from unittest import mock

import emulators
from database_speed import Client
from firestore.tokens import unsigned
from google.cloud import firestore
from realtime.service import Rest

PROJECT = "demo-typing"
NAME = f"{PROJECT}-default-rtdb"
RULES = emulators.REPOSITORY / "database.rules.json"
CONVERSATIONS = 500
NOW = {".sv": "timestamp"}
# An app writes the indicator at most once a second.
PAUSE = 1.0


class Phone(Client):
    """A member's connection, which listens to the conversation's typing."""

    def __init__(self, port, uid, conversation):
        super().__init__(port, NAME)
        self.uid, self.place = uid, f"/typingIndicators/{conversation}"
        self.ask("auth", cred=unsigned(uid, PROJECT))
        self.ask("q", p=self.place, h="")
        # The other member, and the time of the last key if the other hasn't heard it.
        self.other = None
        self.sent = None

    def type(self):
        self.sent = time.perf_counter()
        self.send("p", p=f"{self.place}/{self.uid}", d=NOW)

    def heard(self):
        """Reads what has arrived, and returns the milliseconds since the other member's key if that is part of it."""
        self.read()
        elapsed = None
        while (text := self.received()) is not None:
            if self.other.sent is not None and f'/{self.other.uid}"'.encode() in text:
                elapsed = 1_000 * (time.perf_counter() - self.other.sent)
                self.other.sent = None
        return elapsed


def percentile(times, part):
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]


def words(times):
    return ", ".join(f"p{part} {percentile(times, part / 100):.2f} ms" for part in (50, 95, 99))


def pairs(port, count):
    phones = []
    for number in range(count):
        both = [Phone(port, f"{who}{number}", f"talk{number}") for who in ("ann", "bea")]
        both[0].other, both[1].other = both[1], both[0]
        phones += both
    return phones


def quiet(port, rounds=500):
    """Returns the milliseconds of each key to the only other phone."""
    ann, bea = pairs(port, 1)
    times = []
    for _ in range(rounds):
        ann.type()
        while (elapsed := bea.heard()) is None:
            pass
        times.append(elapsed)
        time.sleep(0.002)
    return times


def busy(phones, is_over):
    """Lets all phones type until is_over(), each once a second at its own moment, and returns the milliseconds of each
    key. Every key must reach the other phone before the next one."""
    poll, by_number = select.epoll(), {each.socket.fileno(): each for each in phones}
    for number in by_number:
        poll.register(number, select.EPOLLIN)
    dice = random.Random(7)
    start = time.perf_counter()
    due = sorted((start + dice.random() * PAUSE, number) for number in range(len(phones)))
    times, place = [], 0
    while not is_over():
        now = time.perf_counter()
        while due[place][0] <= now:
            at, number = due[place]
            assert phones[number].sent is None, f"{phones[number].uid}'s last key was lost"
            phones[number].type()
            due[place] = (at + PAUSE, number)
            place = (place + 1) % len(due)
        for number, _ in poll.poll(max(0.0, min(due[place][0] - now, 0.01))):
            elapsed = by_number[number].heard()
            if elapsed is not None:
                times.append(elapsed)
    return times


def wait_for(states, expected):
    """Waits for a state of presence, and returns the time at which the listener got it."""
    while True:
        online, moment = states.get(timeout=60)
        if online == expected:
            return moment


def force_quits(port, address, count):
    """Returns the milliseconds from the end of a phone's connection to the change of its user's profile, as a
    listener to Firestore sees it."""
    with mock.patch.dict(os.environ, FIRESTORE_EMULATOR_HOST=address):
        client = firestore.Client(project=PROJECT)
    times = []
    for number in range(count):
        uid = f"quit{number}"
        client.document("users", uid).set({"displayName": uid})
        phone = Client(port, NAME)
        phone.ask("auth", cred=unsigned(uid, PROJECT))
        phone.ask("o", p=f"/status/{uid}", d={"state": "offline", "last_changed": NOW})
        phone.ask("p", p=f"/status/{uid}", d={"state": "online", "last_changed": NOW})
        states = queue.SimpleQueue()
        watch = client.document("users", uid).on_snapshot(
            lambda documents, *_: states.put((documents[0].to_dict().get("online"), time.perf_counter()))
        )
        wait_for(states, True)
        start = time.perf_counter()
        phone.socket.shutdown(socket.SHUT_RDWR)
        times.append(1_000 * (wait_for(states, False) - start))
        watch.unsubscribe()
    client.close()
    return times


@contextlib.contextmanager
def running():
    """Yields an emulator with both functions and the rules, and its services' ports."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("mirrorPresence", "mirrorMembership"):
            os.symlink(emulators.RELEASE / name, f"{folder}/{name}")
        ready = pathlib.Path(folder, "ready")
        ports = [f"--{service}-port=0" for service in ("database", "functions", "ui")]
        emulator = emulators.ours(
            emulators.RELEASE, "--project", PROJECT, "--functions", folder, "--ready-file", str(ready), *ports,
            only="firestore,database,functions,ui",
        )
        try:
            while not (ready.exists() and ready.read_text()):
                time.sleep(0.01)
            services = {name: each["port"] for name, each in json.loads(ready.read_text()).items()}
            rest = Rest(NAME, f"127.0.0.1:{services['database']}")
            answer = rest.ask("PUT", ".settings/rules.json", raw=RULES.read_bytes())
            assert answer.status == 200, answer
            yield emulator, services, rest
        finally:
            emulator.stop()


def meet(emulator, services, rest):
    """Writes the conversations, whose members mirrorMembership copies."""
    documents = f"projects/{PROJECT}/databases/(default)/documents"
    writes = []
    for number in range(CONVERSATIONS):
        people = [{"stringValue": f"{who}{number}"} for who in ("ann", "bea")]
        fields = {"participants": {"arrayValue": {"values": people}}}
        writes.append({"update": {"name": f"{documents}/conversations/talk{number}", "fields": fields}})
    start = time.perf_counter()
    answer = emulator.server.ask("Commit", {"database": documents.removesuffix("/documents"), "writes": writes})
    assert isinstance(answer, list), answer
    emulators.fetch(f"http://127.0.0.1:{services['ui']}/api/quiet")
    assert len(rest.get("members")) == CONVERSATIONS
    return time.perf_counter() - start


def main():
    seconds = float(os.environ.get("TYPING_SECONDS", "20"))
    with running() as (emulator, services, rest):
        port = services["database"]
        print(f"members copied       {CONVERSATIONS} conversations in {meet(emulator, services, rest):.1f} s")
        print(f"typing, quiet        {words(quiet(port))}")
        quits = force_quits(port, emulator.address, 30)
        print(f"force-quit, quiet    last seen after {words(quits)}, at most {max(quits):.0f} ms")
        phones = pairs(port, CONVERSATIONS)
        end = time.perf_counter() + seconds
        times = busy(phones, lambda: time.perf_counter() >= end)
        print(f"typing, busy         {len(phones):,} sockets, {len(times) / seconds:,.0f} keys/s: {words(times)}")
        # The keys at the end of the first part may still be on their way.
        for phone in phones:
            phone.sent = None
        quits_over = threading.Event()
        typing = threading.Thread(target=busy, args=(phones, quits_over.is_set))
        typing.start()
        try:
            quits = force_quits(port, emulator.address, 30)
            assert typing.is_alive(), "a key was lost"
        finally:
            quits_over.set()
            typing.join()
        print(f"force-quit, busy     last seen after {words(quits)}, at most {max(quits):.0f} ms")


if __name__ == "__main__":
    main()
