"""Concurrent clients that move money, count, audit, guard and book, and record a history."""

import concurrent.futures
import random
import threading
import time
from dataclasses import dataclass, field

import grpc
from google.cloud.firestore_v1.types import common, document, firestore, write
from google.protobuf import json_format

from firestore.history import INITIAL, History, Transaction, anomalies, tell
from firestore.values import collection, where
from firestore.wire import Server

Document = document.Document.pb()
Value = document.Value.pb()
Write = write.Write.pb()
Options = common.TransactionOptions.pb()
BatchGet = firestore.BatchGetDocumentsRequest.pb()
Begin = firestore.BeginTransactionRequest.pb()
Commit = firestore.CommitRequest.pb()
Rollback = firestore.RollbackRequest.pb()
RunQuery = firestore.RunQueryRequest.pb()

# Errors after which a client tries again.
RETRIED = (grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION)
ACCOUNTS = 4
CLIENTS = 3
EACH = 2
# The maximum number of attempts. A client fails so often only if no client makes progress.
ATTEMPTS = 200
PLACES = 2


def moment(timestamp):
    """Returns a protobuf time as text that sorts."""
    return f"{timestamp.seconds}.{timestamp.nanos:09}"
OPEN = json_format.ParseDict(
    {"structuredQuery": collection("d", where=where("open", "EQUAL", True))}, RunQuery()
).structured_query


@dataclass
class Attempt:
    """A transaction that isn't committed yet."""

    id: str
    began: float
    handle: bytes = b""
    options: object = None
    reads: dict = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)
    scans: list = field(default_factory=list)


class Bank:
    """A run: a new collection in a database, clients, and their transactions."""

    def __init__(self, database, place, seed, optimistic):
        self.database = database
        self.parent = f"{database}/documents/runs/{place}"
        self.root = f"{self.parent}/d"
        self.optimistic = optimistic
        self.seed = seed
        self.accounts = [f"account{number}" for number in range(ACCOUNTS)]
        self.guards = ("guard0", "guard1")
        self.lock = threading.Lock()
        self.done = []
        self.refused = set()

    def name(self, document):
        return f"{self.root}/{document}"

    def history(self):
        return History(self.done, self.refused, frozenset(self.accounts), [self.guards])

    def open(self, server):
        """Writes the accounts, with a hundred each."""
        began = time.monotonic()
        numbers = {account: 100 for account in self.accounts}
        numbers |= {guard: 1 for guard in self.guards} | {"counter": 0}
        writes = [self.write(each, number, INITIAL) for each, number in numbers.items()]
        answer = server.send("Commit", Commit(database=self.database, writes=writes))[0]
        self.record(Attempt(INITIAL, began), numbers, answer)

    def write(self, document, number, id, opened=False):
        fields = {"n": Value(integer_value=number), "by": Value(string_value=id)}
        fields["open"] = Value(boolean_value=opened)
        return Write(update=Document(name=self.name(document), fields=fields))

    def record(self, attempt, writes, answer, **more):
        done = Transaction(
            attempt.id, attempt.began, time.monotonic(), attempt.reads, attempt.scans, writes, **more
        )
        if answer is not None and writes:
            done.commit_time = moment(answer.commit_time)
        with self.lock:
            self.done.append(done)

    def work(self, server, number):
        """Runs one client's transactions."""
        dice = random.Random(f"{self.seed} {number}")
        kinds = (self.transfer, self.count, self.add, self.audit, self.guard, self.book, self.swap)
        for step in range(EACH):
            kind = dice.choices(kinds, (5, 2, 2, 2, 2, 2, 2))[0]
            self.insist(server, kind, f"{kind.__name__} {number}.{step}", dice)

    def insist(self, server, kind, id, dice):
        """Tries a transaction until it is committed."""
        before = b""
        for attempt in range(ATTEMPTS):
            one = Attempt(f"{id}.{attempt}", time.monotonic(), options=self.options(before, dice))
            try:
                kind(server, one, dice)
                return
            except grpc.RpcError as error:
                if error.code() not in RETRIED:
                    raise
                with self.lock:
                    self.refused.add(one.id)
                before = one.handle
        raise AssertionError(f"{id} never wins: {ATTEMPTS} attempts")

    def options(self, before, dice):
        options = Options()
        options.read_write.retry_transaction = before
        if self.optimistic:
            options.read_write.concurrency_mode = 1
        return options

    def begin(self, server, one):
        request = Begin(database=self.database, options=one.options)
        one.handle = server.send("BeginTransaction", request)[0].transaction

    def read(self, server, one, documents):
        """Reads documents in the transaction. If the transaction hasn't begun, the read begins it.
        """
        request = BatchGet(
            database=self.database, documents=[self.name(each) for each in documents]
        )
        if one.handle:
            request.transaction = one.handle
        elif one.options is not None:
            request.new_transaction.CopyFrom(one.options)
        for answer in server.send("BatchGetDocuments", request):
            if answer.transaction:
                one.handle = answer.transaction
            if answer.missing:
                self.saw(one, answer.missing, None)
            elif answer.found.name:
                self.saw(one, answer.found.name, answer.found)
            read_time = moment(answer.read_time)
        return read_time

    def saw(self, one, name, found):
        document = name[len(self.root) + 1 :]
        one.reads[document] = found.fields["by"].string_value if found else None
        one.numbers[document] = found.fields["n"].integer_value if found else 0

    def scan(self, server, one):
        """Reads all open documents of the run."""
        request = RunQuery(parent=self.parent, transaction=one.handle)
        request.structured_query.CopyFrom(OPEN)
        found = {}
        for answer in server.send("RunQuery", request):
            if answer.document.name:
                name = answer.document.name[len(self.root) + 1 :]
                found[name] = answer.document.fields["by"].string_value
        one.scans.append(found)
        return found

    def commit(self, server, one, numbers, opened=(), deleted=()):
        writes = [self.write(each, n, one.id, each in opened) for each, n in numbers.items()]
        writes += [Write(delete=self.name(each)) for each in deleted]
        request = Commit(database=self.database, writes=writes, transaction=one.handle)
        answer = server.send("Commit", request)[0]
        gone = dict.fromkeys(deleted)
        self.record(one, numbers | gone, answer, opened=set(opened))

    # MARK: Transactions

    def transfer(self, server, one, dice):
        """Moves money between two accounts, or rolls back."""
        source, target = dice.sample(self.accounts, 2)
        if dice.random() < 0.5:
            self.begin(server, one)
        if dice.random() < 0.5:
            self.read(server, one, [source, target])
        else:
            self.read(server, one, [source])
            self.read(server, one, [target])
        if dice.random() < 0.1:
            request = Rollback(database=self.database, transaction=one.handle)
            server.send("Rollback", request)
            with self.lock:
                self.refused.add(one.id)
            return
        amount = dice.randint(1, 20)
        numbers = {source: one.numbers[source] - amount, target: one.numbers[target] + amount}
        self.commit(server, one, numbers)

    def count(self, server, one, dice):
        """Reads a number and writes one more."""
        self.read(server, one, ["counter"])
        self.commit(server, one, {"counter": one.numbers["counter"] + 1})

    def add(self, server, one, dice):
        """Adds to the number without reading it."""
        change = self.write("counter", 0, one.id)
        del change.update.fields["n"]
        change.update_mask.field_paths.extend(["by", "open"])
        change.update_transforms.add(field_path="n").increment.integer_value = 1
        answer = server.send("Commit", Commit(database=self.database, writes=[change]))[0]
        became = answer.write_results[0].transform_results[0].integer_value
        self.record(one, {"counter": became}, answer, added={"counter": 1})

    def audit(self, server, one, dice):
        """Reads all accounts, one after the other, as of one time."""
        one.options = Options()
        one.options.read_only.SetInParent()
        self.begin(server, one)
        for account in dice.sample(self.accounts, ACCOUNTS):
            read_time = self.read(server, one, [account])
        self.record(one, {}, None, read_time=read_time)

    def guard(self, server, one, dice):
        """Goes off duty if another guard stays on duty. Two guards may try that at the same time.
        """
        self.begin(server, one)
        self.read(server, one, list(self.guards))
        mine, other = dice.sample(self.guards, 2)
        on = one.numbers[mine] > 0
        self.commit(server, one, {mine: 0 if on and one.numbers[other] > 0 else 1})

    def book(self, server, one, dice):
        """Takes a free place, or frees one if none is free. The query's result must hold at the
        commit."""
        self.begin(server, one)
        taken = self.scan(server, one)
        if len(taken) < PLACES:
            place = f"place{dice.randrange(10**6)}"
            self.commit(server, one, {place: 1}, opened=[place])
        else:
            self.commit(server, one, {}, deleted=[dice.choice(sorted(taken))])

    def swap(self, server, one, dice):
        """Writes without a transaction, with the precondition that nobody has written since the
        read."""
        one.options = None
        request = BatchGet(database=self.database, documents=[self.name("counter")])
        answer = server.send("BatchGetDocuments", request)[0]
        self.saw(one, answer.found.name, answer.found)
        number = one.numbers["counter"] + 1
        change = self.write("counter", number, one.id)
        change.current_document.update_time.CopyFrom(answer.found.update_time)
        answer = server.send("Commit", Commit(database=self.database, writes=[change]))[0]
        self.record(one, {"counter": number}, answer)


def run(address, database, seeds):
    """Plays a run for each seed, checks its history, and returns the number of transactions.

    Every other run uses optimistic transactions. The first anomaly ends everything, with the
    history.
    """
    servers = [Server(address) for _ in range(CLIENTS)]
    done = refused = 0
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
        for seed in seeds:
            bank = Bank(database, f"run{seed}", seed, optimistic=seed % 2 == 0)
            bank.open(servers[0])
            work = [clients.submit(bank.work, server, n) for n, server in enumerate(servers)]
            for each in work:
                each.result()
            bank.audit(servers[0], Attempt("the end", time.monotonic()), random.Random(seed))
            history = bank.history()
            found = anomalies(history)
            if found:
                raise AssertionError("\n".join([f"seed {seed}:", *found, tell(history)]))
            done += len(history.transactions)
            refused += len(history.refused)
    for server in servers:
        server.close()
    return done, refused
