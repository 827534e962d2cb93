"""WorldChat's rules of the Realtime Database decide as the table says, over REST and WebSockets, and for writes
that are left for the end of a connection. Changed rules make rows of the table fail.
"""

import contextlib

import pytest
from realtime.service import Socket
from worldchat.database_side import RULES, Side
from worldchat.database_table import DATA, NOW, ONLINE, ROWS
from worldchat.loosened import changed_database_rules
from worldchat.table import LEA, MARCO


@pytest.fixture(params=["listen"])
def side(request):
    with contextlib.closing(Side(DATA, request.param)) as side:
        yield side


def wrong(side, rows):
    """Yields the rows that are decided in another way than the table says."""
    for row in rows:
        side.begin()
        if side.may(row.person, row.request) != row.is_allowed:
            yield row


def test_names_are_unique():
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("side", ["rest", "listen", "leave"], indirect=True)
def test_rules_decide_as_the_table_says(side):
    assert [row.name for row in wrong(side, ROWS)] == []


# The changes that no request notices: comparing another type with a time, or taking its length, is an error anyway.
UNNOTICED = ["newData.isNumber()", "newData.isString()"]


def test_changed_rules_fail(side):
    kept = []
    for value in ("true", "false"):
        rows = [row for row in ROWS if row.is_allowed == (value == "false")]
        for description, changed in changed_database_rules(RULES.read_text(), value):
            assert side.put_rules(changed) == 200, description
            row = next(wrong(side, rows), None)
            if row is None:
                kept.append(description)
            else:
                # Rules that follow each other often fail by the same row.
                rows.remove(row)
                rows.insert(0, row)
    assert len(kept) == len(UNNOTICED), kept
    assert all(f"'{condition}' becomes 'true'" in each for each, condition in zip(kept, UNNOTICED)), kept


def test_writes_for_the_end_are_checked_at_the_end(side):
    side.begin()
    lea, marco = side.socket(LEA), side.socket(MARCO)
    lea.must("o", p="/typingIndicators/trip/lea", d=None)
    lea.must("o", p="/status/lea", d={**ONLINE, "state": "offline"})
    marco.must("o", p="/typingIndicators/trip/marco", d=NOW)
    marco.must("o", p="/status/marco", d=ONLINE)
    side.rest.put("members/trip", {"sarah": True})
    with Socket(side.rest.name) as watcher:
        watcher.must("q", p="/status", h="")
        watcher.take()
        for client, uid, state in [(lea, "lea", "offline"), (marco, "marco", "online")]:
            client.close()
            change = watcher.receive()["d"]["b"]
            assert (change["p"], change["d"]["state"]) == (f"status/{uid}", state)
    # A member who has left may remove the own indicator, and may not make one.
    assert side.rest.get("typingIndicators/trip") == {"jonas": DATA["typingIndicators"]["trip"]["jonas"]}
