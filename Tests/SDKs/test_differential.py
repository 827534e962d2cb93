"""The same requests to Google's own emulator and to ours: each difference has its reason.

The reasons are in differences.json: the cases, Google's answer, ours, which one is right, and why.
A difference without a reason fails, and so does a reason without a difference.
"""

import dataclasses
import fnmatch
import itertools
import json
import os
import pathlib
import re

import pytest
from firestore import credential_cases, generated_cases, query_cases, read_cases, write_cases
from firestore.case import DATABASE, load, run, text
from firestore.wire import Error, Server

DATA = {
    "mixed": query_cases.MIXED,
    "tree": read_cases.TREE,
    "generated": generated_cases.documents(),
}
ADDRESS = re.compile(r"projects/[^/]+/databases/[^/]+(/documents(/.+)?)?$")
NOT_ROUTED = {
    "create in no collection",
    "read batch without a database",
    "read list no collection",
    f"transaction begin in '{DATABASE}/documents'",
}
DIFFERENCES = json.loads((pathlib.Path(__file__).parent / "differences.json").read_text())


def all_cases():
    modules = (query_cases, write_cases, read_cases, credential_cases)
    by_hand = [case for module in modules for case in module.cases()]
    over_http = [
        dataclasses.replace(case, name=f"{case.name} [REST]", rest=True)
        for case in by_hand
        if travels_over_http(case)
    ]
    return [*by_hand, *over_http, *generated_cases.cases()]


def travels_over_http(case):
    """Returns whether the case has a REST route at which Google's emulator answers."""
    for method, request in case.steps:
        # Google's emulator never answers a GET in a transaction.
        if method in ("GetDocument", "ListDocuments") and "transaction" in request:
            return False
        # A path without a database has another route.
        if not ADDRESS.match(request.get("database", request.get("parent", DATABASE))):
            return False
    if case.name in NOT_ROUTED:
        return False
    # Arithmetic doesn't depend on the transport.
    return not re.match("transform (increment|maximum|minimum)", case.name)


CASES = all_cases()


class Side:
    """A server of the two, with the data sets that it has loaded."""

    def __init__(self, address):
        self.server = Server(address)
        self.run_id = os.getpid()
        self.numbers = itertools.count(1)
        self.loaded = set()

    def answers(self, case):
        if not case.data:
            return run(self.server, case, f"run{self.run_id}case{next(self.numbers)}")
        database = f"run{self.run_id}{case.data}"
        if case.data not in self.loaded:
            self.load(DATA[case.data], database)
        self.loaded.add(case.data)
        return run(self.server, case, database)

    def load(self, documents, database):
        method, request = load(documents)
        request = json.loads(json.dumps(request).replace("databases/DB", f"databases/{database}"))
        answer = self.server.ask(method, request)
        assert not isinstance(answer, Error), answer


@pytest.fixture(scope="module")
def needed():
    """The indices of the reasons that explained a difference, filled by the cases."""
    return set()


def reason(case, google, ours):
    """Returns the index of the first reason for a difference between two answers, or None."""
    for place, each in enumerate(DIFFERENCES):
        if (
            fnmatch.fnmatchcase(case.name, each["cases"])
            and re.search(each["google"], google, re.DOTALL)
            and re.search(each["ours"], ours, re.DOTALL)
        ):
            return place
    return None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_same_answer(case, sides, needed):
    google, ours = (side.answers(case) for side in sides)
    for step, answers in enumerate(zip(google, ours)):
        theirs, mine = map(text, answers)
        if theirs == mine:
            continue
        found = reason(case, theirs, mine)
        method, request = case.steps[step]
        asked = f"{method} {json.dumps(request)}"
        assert found is not None, f"{asked[:2000]}\nGoogle: {theirs[:3000]}\nours:   {mine[:3000]}"
        needed.add(found)


@pytest.mark.parametrize("entry", DIFFERENCES, ids=lambda entry: entry["why"][:40])
def test_a_reason_by_production_or_documents_names_a_source(entry):
    claims = re.search("production|documented", entry["why"], re.IGNORECASE)
    assert not claims or entry.get("source"), entry["why"]


def test_every_reason_is_needed(sides, needed, request):
    if len(request.session.items) < len(CASES):
        pytest.skip("only some of the cases ran")
    unneeded = [each for place, each in enumerate(DIFFERENCES) if place not in needed]
    assert not unneeded, "differs no longer: take it out of differences.json"
