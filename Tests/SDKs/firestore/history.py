"""What concurrent transactions did, and whether one after the other could have done the same.

Commit times order everything: a transaction that wrote has seen exactly what was there just before its
commit time, a snapshot exactly what was there at its read time, and who began after another's end
comes later. Every version carries the id of the transaction that wrote it, so that a read says whose
version it saw.
"""

import bisect
from dataclasses import dataclass, field

INITIAL = "initial"


@dataclass
class Transaction:
    """One that was committed, or a snapshot that was read."""

    id: str
    # When it was begun and when its end was known, by the client's clock.
    began: float
    ended: float
    # Whose version of each document was read; None where there was no document.
    reads: dict = field(default_factory=dict)
    # Queries of a whole collection with `open` true: whose version of each document came.
    scans: list = field(default_factory=list)
    # The number in each document that it wrote; None where it deleted.
    writes: dict = field(default_factory=dict)
    # What it added to a number without reading it.
    added: dict = field(default_factory=dict)
    # The documents that it wrote with `open` true.
    opened: set = field(default_factory=set)
    commit_time: str = ""
    read_time: str = ""


@dataclass
class History:
    transactions: list
    # The ids of those that were refused or rolled back: nobody may see them.
    refused: set = field(default_factory=set)
    # Documents whose numbers together never change.
    accounts: frozenset = frozenset()
    # Pairs of documents of which one at least stays above zero.
    guarded: list = field(default_factory=list)


class Versions:
    """Who wrote what when, by document."""

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
        """Id and number of the version at a time, or just before it; (None, None) if there is none."""
        versions = self.by_document.get(document, [])
        times = [version[0] for version in versions]
        place = (bisect.bisect_right if inclusive else bisect.bisect_left)(times, time)
        if place == 0 or versions[place - 1][2] is None:
            return None, None
        return versions[place - 1][1:]

    def open_at(self, time, inclusive):
        """Whose version of each open document was there at a time."""
        found = {}
        for document in self.by_document:
            id, _ = self.at(document, time, inclusive)
            if id is not None and document in self.opened[id]:
                found[document] = id
        return found


def anomalies(history):
    """What no order of the transactions explains, in words; nothing if all is well."""
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
    """What it read and was not there at the time."""
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
    """Who ended before another began, and has the later time."""
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
    """Where what every transaction keeps is not kept at a time."""
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
    """The history for people, in the order of time."""
    lines = []
    for each in sorted(history.transactions, key=lambda each: each.commit_time or each.read_time):
        time = each.commit_time or f"{each.read_time} (read)"
        lines.append(
            f"{time} {each.id}: reads {each.reads} {each.scans or ''} writes {each.writes} "
            f"adds {each.added} [{each.began:.6f}, {each.ended:.6f}]"
        )
    return "\n".join([*lines, f"refused: {sorted(history.refused)}"])
