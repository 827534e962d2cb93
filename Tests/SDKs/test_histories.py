"""Histories of concurrent transactions are serializable.

`make soak` plays ten thousand runs. This test plays some hundred, and tests the checker itself.
"""

import os

import pytest
from firestore import bank
from firestore.history import INITIAL, History, Transaction, anomalies

RUNS = int(os.environ.get("HISTORIES", "200"))


def test_no_anomaly():
    address = os.environ["FIRESTORE_EMULATOR_HOST"]
    database = f"projects/demo-test/databases/histories{os.getpid()}"
    done, _ = bank.run(address, database, range(RUNS))
    assert done > RUNS * bank.CLIENTS * bank.EACH / 2


def start(**numbers):
    return Transaction(INITIAL, 0, 1, writes=numbers, commit_time="1")


def wrote(id, time, reads, writes, began=2, ended=9, **more):
    return Transaction(id, began, ended, reads, writes=writes, commit_time=time, **more)


def looked(id, time, reads, **more):
    return Transaction(id, 2, 9, reads, read_time=time, **more)


def of(*transactions, **more):
    return anomalies(History(list(transactions), **more))


def test_a_serial_history_has_no_anomaly():
    first = wrote("a", "2", {"x": INITIAL}, {"x": 2})
    second = wrote("b", "3", {"x": "a"}, {"x": 3})
    assert of(start(x=1), first, second, looked("c", "2", {"x": "a"})) == []


FORGED = {
    "a lost update": [
        start(x=1),
        wrote("a", "2", {"x": INITIAL}, {"x": 2}),
        wrote("b", "3", {"x": INITIAL}, {"x": 2}),
    ],
    "a lost addition": [
        start(x=1),
        wrote("a", "2", {}, {"x": 2}, added={"x": 1}),
        wrote("b", "3", {}, {"x": 2}, added={"x": 1}),
    ],
    "a snapshot of two times": [
        start(x=1, y=1),
        wrote("a", "2", {"x": INITIAL, "y": INITIAL}, {"x": 0, "y": 2}),
        looked("b", "3", {"x": INITIAL, "y": "a"}),
    ],
    "a skewed pair": [
        start(x=1, y=1),
        wrote("a", "2", {"x": INITIAL, "y": INITIAL}, {"x": 0}),
        wrote("b", "3", {"x": INITIAL, "y": INITIAL}, {"y": 0}),
    ],
    "a phantom": [
        start(x=1),
        wrote("a", "2", {}, {"p": 1}, opened={"p"}),
        wrote("b", "3", {}, {"q": 1}, opened={"q"}, scans=[{}]),
    ],
    "time running backwards": [
        start(x=1, y=1),
        wrote("a", "3", {}, {"x": 2}, began=2, ended=3),
        wrote("b", "2", {}, {"y": 2}, began=4, ended=5),
    ],
    "a snapshot of long ago": [
        start(x=1),
        wrote("a", "3", {}, {"x": 2}, began=1.2, ended=1.5),
        looked("b", "2", {"x": INITIAL}),
    ],
    "two versions at one time": [
        start(x=1),
        wrote("a", "2", {}, {"x": 2}),
        wrote("b", "2", {}, {"x": 3}),
    ],
}


@pytest.mark.parametrize("name", FORGED)
def test_the_checker_finds_anomalies(name):
    assert of(*FORGED[name])


def test_the_checker_finds_reads_of_refused_writes():
    saw = looked("b", "3", {"x": "a.0"})
    assert of(start(x=1), saw, refused={"a.0"})


def test_the_checker_finds_a_broken_total_and_an_unguarded_pair():
    lost = wrote("a", "2", {"x": INITIAL}, {"x": 0})
    assert of(start(x=1, y=1), lost, accounts=frozenset("xy"))
    both = wrote("b", "3", {}, {"y": 0})
    assert of(start(x=1, y=1), lost, both, guarded=[("x", "y")])
