"""A history of concurrent transactions, and the check that it is serializable.

Commit times order everything. A transaction with writes has read exactly the versions just before
its commit time. A snapshot has read the versions at its read time. A transaction that began after
another's end comes later. Every version carries the id of the transaction that wrote it, so that a
read shows whose version it saw.
"""

import bisect
from dataclasses import dataclass, field

INITIAL = "initial"


@dataclass
class Transaction:
    """A committed transaction, or a snapshot that was read."""

    id: str
    # The beginning, and the time at which the end was known, by the client's clock.
    began: float
    ended: float
    # For each document read, the writer of the version; None if there was no document.
    reads: dict = field(default_factory=dict)
    # For each query of a whole collection with `open` true, the writers of the documents' versions.
    scans: list = field(default_factory=list)
    # The number written to each document; None for a deletion.
    writes: dict = field(default_factory=dict)
    # The numbers added without reading.
    added: dict = field(default_factory=dict)
    # The documents written with `open` true.
    opened: set = field(default_factory=set)
    commit_time: str = ""
    read_time: str = ""


@dataclass
class History:
    transactions: list
    # The ids of transactions that were refused or rolled back. Nobody may see their writes.
    refused: set = field(default_factory=set)
    # Documents whose sum never changes.
    accounts: frozenset = frozenset()
    # Pairs of documents, at least one of which stays above zero.
    guarded: list = field(default_factory=list)


class Versions:
    """The versions of each document, with writer and time."""

    def __init__(self, history):
        self.by_document = {}
        for transaction in history.transactions:
            for document, number in transaction.writes.items():
                version = (transaction.commit_time, transaction.id, number)
                self.by_document.setdefault(document, []).append(version)
        self.opened = {each.id: each.opened for each in history.transactions}
        for versions in self.by_document.values():
            versions.sort()

    def at(self, document, time, inclusive):
        """Returns the writer and the number of the version at a time, or just before it; (None,
        None) if there is none."""
        versions = self.by_document.get(document, [])
        times = [version[0] for version in versions]
        place = (bisect.bisect_right if inclusive else bisect.bisect_left)(times, time)
        if place == 0 or versions[place - 1][2] is None:
            return None, None
        return versions[place - 1][1:]

    def open_at(self, time, inclusive):
        """Returns the writer of each open document's version at a time."""
        found = {}
        for document in self.by_document:
            id, _ = self.at(document, time, inclusive)
            if id is not None and document in self.opened[id]:
                found[document] = id
        return found


def anomalies(history):
    """Returns the anomalies that no order of the transactions explains, as texts."""
    versions = Versions(history)
    found = []
    for document, each in versions.by_document.items():
        if len({time for time, _, _ in each}) < len(each):
            found.append(f"{document}: two versions at one time: {each}")
    for transaction in history.transactions:
        time = transaction.commit_time if transaction.writes else transaction.read_time
        if not time:
            continue
        found += misread(transaction, versions, time, inclusive=not transaction.writes)
        for document, delta in transaction.added.items():
            _, before = versions.at(document, time, inclusive=False)
            if transaction.writes[document] != (before or 0) + delta:
                found.append(
                    f"{transaction.id}: {before} + {delta} in {document} became "
                    f"{transaction.writes[document]}: an update was lost"
                )
    for transaction in history.transactions:
        for document, id in transaction.reads.items():
            if id in history.refused:
                found.append(f"{transaction.id}: saw {document} of {id}, which never was")
    return found + out_of_time(history) + broken_rules(history, versions)


def misread(transaction, versions, time, inclusive):
    """Returns the reads that differ from the versions at the time."""
    found = []
    for document, id in transaction.reads.items():
        expected, _ = versions.at(document, time, inclusive)
        if id != expected:
            found.append(
                f"{transaction.id} at {time}: read {document} of {id}, there was that of {expected}"
            )
    for scan in transaction.scans:
        expected = versions.open_at(time, inclusive)
        if scan != expected:
            found.append(f"{transaction.id} at {time}: found {scan}, there was {expected}")
    return found


def out_of_time(history):
    """Returns the pairs in which a transaction began after the other one's end, but has the earlier
    time."""
    writers = [each for each in history.transactions if each.commit_time]
    return [
        f"{late.id} began after the end of {early.id}, but has the earlier time"
        for early in writers
        for late in history.transactions
        if early.ended < late.began
        and (
            late.commit_time <= early.commit_time
            if late.writes
            else bool(late.read_time) and late.read_time < early.commit_time
        )
    ]


def broken_rules(history, versions):
    """Returns the times at which an invariant of all transactions doesn't hold."""
    found = []
    times = sorted({time for each in versions.by_document.values() for time, _, _ in each})

    def number(document, time):
        return versions.at(document, time, inclusive=True)[1] or 0

    totals = {time: sum(number(document, time) for document in history.accounts) for time in times}
    if len(set(totals.values())) > 1:
        found.append(f"the total is not always the same: {totals}")
    for pair in history.guarded:
        for time in times:
            if all(number(document, time) <= 0 for document in pair):
                found.append(f"{pair} at {time}: none is above zero")
    return found


def tell(history):
    """Returns the history as text, in the order of time."""
    lines = []
    for each in sorted(history.transactions, key=lambda each: each.commit_time or each.read_time):
        time = each.commit_time or f"{each.read_time} (read)"
        lines.append(
            f"{time} {each.id}: reads {each.reads} {each.scans or ''} writes {each.writes} "
            f"adds {each.added} [{each.began:.6f}, {each.ended:.6f}]"
        )
    return "\n".join([*lines, f"refused: {sorted(history.refused)}"])
