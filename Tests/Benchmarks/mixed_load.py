"""Measures the emulator's memory during minutes of mixed requests.

    python mixed_load.py [--minutes 5] [--build FOLDER]

It prints a line every ten seconds. The number of documents stays the same. The store keeps old
versions for an hour or up to a limit of memory. Before the load begins, so many versions are
written that this limit is reached. Growth in the second half is therefore a leak: the slope of a
line through its samples must stay below a bound.
"""

import argparse
import concurrent.futures
import random
import statistics
import sys
import threading
import time

import emulators
from firestore.values import collection, every, fields, order, where
from firestore.wire import Server

DATABASE = "projects/demo-test/databases/mixed"
ROOT = f"{DATABASE}/documents"
DOCUMENTS = 2_000
THREADS = 6
SAMPLE_SECONDS = 1
# The number of documents in a commit.
SIZES = (1, 1, 1, 20)
LINE_SECONDS = 10
# The number of old versions that are written before the load: more than the store keeps.
OLD_VERSIONS = 300_000
BOUND_MB_PER_MINUTE = 2.0


class Load:
    def __init__(self, address):
        self.address = address
        self.counts = {}
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.failure = None

    def work(self, number):
        server = Server(self.address)
        dice = random.Random(number)
        kinds = {
            self.get: 6,
            self.change: 4,
            self.ask: 3,
            self.total: 1,
            self.transact: 2,
            self.renew: 2,
            self.list: 1,
        }
        try:
            while not self.ended.is_set():
                kind = dice.choices(list(kinds), list(kinds.values()))[0]
                kind(server, dice)
                with self.lock:
                    self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1
        except Exception as error:  # noqa: BLE001
            self.failure = error
            self.ended.set()
        finally:
            server.close()

    def fill(self, versions):
        """Writes documents again and again, from as many threads as the load has."""
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            parts = [pool.submit(self.rewrite, n, versions // THREADS) for n in range(THREADS)]
            for each in parts:
                each.result()

    def rewrite(self, number, versions):
        server = Server(self.address)
        dice = random.Random(f"fill {number}")
        # The messages are built in advance, because the client would be the bottleneck if it built
        # them during the load.
        messages = [
            parse("Commit", {"database": DATABASE, "writes": [self.write(dice) for _ in range(50)]})
            for _ in range(400)
        ]
        for count in range(versions // 50):
            server.send("Commit", messages[count % len(messages)])
        server.close()

    def name(self, dice):
        return f"{ROOT}/c/{dice.randrange(DOCUMENTS):05}"

    def ask_for(self, server, method, request, allowed=()):
        answer = server.ask(method, request)
        if not isinstance(answer, list) and answer.code not in allowed:
            raise RuntimeError(f"{method}: {answer}")
        return answer

    def get(self, server, dice):
        self.ask_for(server, "GetDocument", {"name": self.name(dice)}, ("NOT_FOUND",))

    def write(self, dice):
        plain = {"n": dice.randrange(1000), "group": dice.randrange(10), "text": "x" * dice.randrange(300)}
        return {"update": {"name": self.name(dice), "fields": fields(plain)}}

    def change(self, server, dice):
        writes = [self.write(dice) for _ in range(dice.choice(SIZES))]
        # A transaction may hold a lock on one of them.
        self.ask_for(server, "Commit", {"database": DATABASE, "writes": writes}, ("ABORTED",))

    def ask(self, server, dice):
        structured = collection(
            "c",
            where=every(where("group", "EQUAL", dice.randrange(10)), where("n", "GREATER_THAN", 500)),
            orderBy=order("n"),
            limit=20,
        )
        self.ask_for(server, "RunQuery", {"parent": ROOT, "structuredQuery": structured})

    def total(self, server, dice):
        body = {
            "structuredQuery": collection("c", where=where("group", "EQUAL", dice.randrange(10))),
            "aggregations": [{"count": {}}, {"sum": {"field": {"fieldPath": "n"}}}],
        }
        request = {"parent": ROOT, "structuredAggregationQuery": body}
        self.ask_for(server, "RunAggregationQuery", request)

    def transact(self, server, dice):
        names = [self.name(dice), self.name(dice)]
        begun = self.ask_for(server, "BeginTransaction", {"database": DATABASE})
        transaction = {"transaction": begun[0]["transaction"]}
        request = {"database": DATABASE, "documents": names, **transaction}
        read = self.ask_for(server, "BatchGetDocuments", request, ("ABORTED",))
        if isinstance(read, list) and dice.random() < 0.9:
            write = self.write(dice)
            write["update"]["name"] = names[0]
            commit = {"database": DATABASE, "writes": [write], **transaction}
            self.ask_for(server, "Commit", commit, ("ABORTED",))
        elif dice.random() < 0.99:
            self.ask_for(server, "Rollback", {"database": DATABASE, **transaction})
        # Sometimes a transaction is abandoned: its locks are released when it expires, and others
        # wait for them.

    def renew(self, server, dice):
        """Deletes a document and creates another."""
        request = {"database": DATABASE, "writes": [{"delete": self.name(dice)}, self.write(dice)]}
        self.ask_for(server, "Commit", request, ("ABORTED",))

    def list(self, server, dice):
        self.ask_for(
            server, "ListDocuments", {"parent": ROOT, "collectionId": "c", "pageSize": 50}
        )


def slope(samples):
    """Returns the slope of a line through (seconds, MB), in MB a minute."""
    times, weights = zip(*samples)
    middle, weight = statistics.mean(times), statistics.mean(weights)
    spread = sum((each - middle) ** 2 for each in times)
    return 60 * sum((t - middle) * (w - weight) for t, w in samples) / spread


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    parser.add_argument("--bound", type=float, default=BOUND_MB_PER_MINUTE, metavar="MB_PER_MINUTE")
    parser.add_argument("--old-versions", type=int, default=OLD_VERSIONS, metavar="COUNT")
    arguments = parser.parse_args()
    emulator = emulators.ours(arguments.build)
    load = Load(emulator.address)
    threads = [threading.Thread(target=load.work, args=(n,)) for n in range(THREADS)]
    samples = []
    load.fill(arguments.old_versions)
    print(f"{emulator.memory():8.1f} MB after {arguments.old_versions:,} old versions", flush=True)
    began = time.monotonic()
    line = LINE_SECONDS
    try:
        for thread in threads:
            thread.start()
        while not load.ended.wait(SAMPLE_SECONDS):
            passed = time.monotonic() - began
            samples.append((passed, emulator.memory()))
            if passed >= line:
                line += LINE_SECONDS
                with load.lock:
                    counts = dict(sorted(load.counts.items()))
                print(f"{passed:6.0f} s {samples[-1][1]:8.1f} MB  {counts}", flush=True)
            if passed >= arguments.minutes * 60:
                break
    finally:
        load.ended.set()
        for thread in threads:
            thread.join()
        emulator.stop()
    if load.failure:
        sys.exit(f"failed under load: {load.failure!r}")
    half = samples[len(samples) // 2 :]
    grown = slope(half)
    total = sum(load.counts.values())
    print(f"{total:,} requests; second half: {grown:+.2f} MB a minute, bound {arguments.bound}")
    if grown > arguments.bound:
        sys.exit("the memory grows")


if __name__ == "__main__":
    main()
