"""A data folder through kill -9, a full disk and a damaged write-ahead log: no acknowledged write
is lost, or its loss is detected.

`make soak` kills two thousand times. This test kills some twenty times.
"""

import contextlib
import os
import random
import shutil
import threading

import grpc
from firestore.disk import small_disk
from firestore.emulator import Emulator
from firestore.values import collection, fields
from firestore.wire import Server, parse

KILLS = int(os.environ.get("KILLS", "20"))
WRITERS = 4
# The longest life of an emulator, counted from the first acknowledged write.
LONGEST_LIFE_SECONDS = 0.25
DATABASE = "projects/demo-crashes/databases/(default)"
DOCUMENTS = f"{DATABASE}/documents"
TOTAL = f"{DOCUMENTS}/totals/all"


class Writer:
    """Writes pairs of documents, each pair in a commit that also counts it."""

    def __init__(self, address, prefix):
        self.server = Server(address)
        self.prefix = prefix
        self.sent = 0
        self.answered = []
        self.began = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        with contextlib.suppress(grpc.RpcError):
            while True:
                name = f"{self.prefix}-{self.sent}"
                self.sent += 1
                self.server.send("Commit", parse("Commit", commit(name)))
                self.answered.append(name)
                self.began.set()
        # Nobody may wait for a writer that never got an answer.
        self.began.set()
        self.server.close()


def killed(emulator, number, count, seconds):
    """Kills the emulator some seconds after the first answer, and returns its writers when they
    have ended."""
    writers = [Writer(emulator.address, f"{number}-{each}") for each in range(count)]
    writers[0].began.wait()
    threading.Event().wait(seconds)
    emulator.kill()
    for writer in writers:
        writer.thread.join()
    return writers


def commit(name):
    write = {"fields": fields({"of": name, "text": "x" * random.randrange(2_000)})}
    one = {"fieldPath": "pairs", "increment": {"integerValue": "1"}}
    return {
        "database": DATABASE,
        "writes": [
            {"update": {"name": f"{DOCUMENTS}/left/{name}", **write}},
            {"update": {"name": f"{DOCUMENTS}/right/{name}", **write}},
            {"transform": {"document": TOTAL, "fieldTransforms": [one]}},
        ],
    }


def ids(server, id):
    request = {"parent": DOCUMENTS, "structuredQuery": collection(id)}
    answer = server.ask("RunQuery", request)
    assert isinstance(answer, list), answer
    return {each["document"]["name"].rsplit("/", 1)[1] for each in answer if "document" in each}


def total(server):
    answer = server.ask("GetDocument", {"name": TOTAL})
    return int(answer[0]["fields"]["pairs"]["integerValue"]) if isinstance(answer, list) else 0


def remove(server, names):
    """Removes pairs in commits of two hundred. None of them may come back."""
    names = sorted(names)
    for start in range(0, len(names), 200):
        writes = [
            {"delete": f"{DOCUMENTS}/{side}/{name}"}
            for name in names[start : start + 200]
            for side in ("left", "right")
        ]
        answer = server.ask("Commit", {"database": DATABASE, "writes": writes})
        assert isinstance(answer, list), answer


def test_kill_9(tmp_path):
    dice = random.Random(1)
    there, counted, answered = set(), 0, 0
    for number in range(KILLS):
        emulator = Emulator(tmp_path / "data")
        server = Server(emulator.address)
        writers = [Writer(emulator.address, f"{number}-{each}") for each in range(WRITERS)]
        writers[0].began.wait()
        # Sometimes old documents are removed while new documents are written.
        old = set(there) if dice.random() < 0.2 else set()
        remove(server, old)
        there -= old
        threading.Event().wait(dice.random() * LONGEST_LIFE_SECONDS)
        emulator.kill()
        for writer in writers:
            writer.thread.join()
        server.close()

        emulator = Emulator(tmp_path / "data")
        server = Server(emulator.address)
        left, right = ids(server, "left"), ids(server, "right")
        assert left == right, f"half a commit, kill {number}"
        sure = {name for writer in writers for name in writer.answered}
        sent = {f"{each.prefix}-{n}" for each in writers for n in range(each.sent)}
        assert sure <= left - there, f"lost {sorted(sure - left)}, kill {number}"
        assert there <= left, f"lost {sorted(there - left)}, kill {number}"
        assert left - there <= sent, f"came back {sorted(left - there - sent)}, kill {number}"
        counted += len(left - there)
        assert total(server) == counted, f"kill {number}"
        there, answered = left, answered + len(sure)
        server.close()
        # The next emulator starts after a kill or after an orderly end.
        emulator.kill() if dice.random() < 0.5 else emulator.end()
    assert answered > KILLS * WRITERS


def damage(log, dice):
    """Removes, empties or cuts SQLite's write-ahead log, or overwrites its end with zeros."""
    kind = dice.choice(["remove", "empty", "half", "cut", "zeroes"])
    if kind == "remove":
        log.unlink()
        return kind
    content = log.read_bytes()
    place = {"empty": 0, "half": len(content) // 2}.get(kind, dice.randrange(len(content)))
    zeroes = bytes(len(content) - place if kind == "zeroes" else 0)
    log.write_bytes(content[:place] + zeroes)
    return f"{kind} at {place} of {len(content)}"


def test_a_damaged_log_is_found(tmp_path):
    dice = random.Random(2)
    answered, refusals = set(), 0
    for number in range(max(3, KILLS // 4)):
        emulator = Emulator(tmp_path / "data")
        for writer in killed(emulator, number, WRITERS, dice.random() * LONGEST_LIFE_SECONDS):
            answered |= set(writer.answered)
        for attempt in range(4):
            copy = tmp_path / f"copy-{number}-{attempt}"
            shutil.copytree(tmp_path / "data", copy)
            # The first copy is undamaged: it shows that the others aren't false alarms.
            what = damage(copy / "firestore.sqlite-wal", dice) if attempt else "whole"
            try:
                copied = Emulator(copy)
            except RuntimeError as error:
                assert what != "whole", error
                assert "lacks its last" in str(error) or "-wal is damaged" in str(error), error
                refusals += 1
                continue
            server = Server(copied.address)
            lost = answered - ids(server, "left")
            assert not lost, f"lost {sorted(lost)} without a word, kill {number}, {what}"
            server.close()
            copied.kill()
            shutil.rmtree(copy)
        if dice.random() < 0.3:
            Emulator(tmp_path / "data").end()
    assert refusals > 0


def test_full_disk(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        emulator = Emulator(disk / "data")
        server = Server(emulator.address)

        def write(name):
            written = {"name": f"{DOCUMENTS}/left/{name}", "fields": fields({"text": "x" * 20_000})}
            return server.ask("Commit", {"database": DATABASE, "writes": [{"update": written}]})

        assert isinstance(write("first"), list)
        with open(disk / "ballast", "wb", buffering=0) as ballast, contextlib.suppress(OSError):
            while True:
                ballast.write(bytes(4_096))
        names = {"first"}
        for number in range(200):
            answer = write(number)
            if not isinstance(answer, list):
                break
            names.add(str(number))
        assert answer.code == "RESOURCE_EXHAUSTED" and "the disk is full" in answer.message
        assert ids(server, "left") == names
        (disk / "ballast").unlink()
        assert isinstance(write("last"), list)
        names.add("last")
        server.close()
        emulator.end()

        emulator = Emulator(disk / "data")
        server = Server(emulator.address)
        assert ids(server, "left") == names
        server.close()
        emulator.end()
