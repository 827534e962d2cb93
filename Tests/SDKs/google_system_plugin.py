"""A pytest plugin for Google's tests. It records each outcome, and on request hides the emulator,
so that no test skips itself.
"""

import json
import os

from firestore import signed_in

OUTCOMES = os.environ["SYSTEM_TEST_OUTCOMES"]
UNSKIP = os.environ.get("SYSTEM_TEST_UNSKIP") == "1"


signed_in.sign_in()


def record(**outcome):
    with open(OUTCOMES, "a") as file:
        print(json.dumps(outcome), file=file)


def pytest_sessionstart():
    if UNSKIP:
        seed_vectors()


def seed_vectors():
    """Writes the documents that Google keeps in its own project for the vector tests."""
    from google.cloud import firestore
    from google.cloud.firestore_v1.vector import Vector

    client = firestore.Client(project=os.environ["GCLOUD_PROJECT"])
    documents = [([1.0, 2.0, 3.0], "red"), ([2.0, 2.0, 3.0], "red"), ([3.0, 4.0, 5.0], "yellow")]
    for number, (embedding, color) in enumerate(documents, 1):
        document = client.document("vector_search", f"doc{number}")
        document.set({"embedding": Vector(embedding), "color": color})


def pytest_collection_modifyitems(items):
    for item in items:
        record(test=item.nodeid, outcome="collected")
        if not UNSKIP:
            continue
        for node in item.listchain():
            node.own_markers = [mark for mark in node.own_markers if not skips(mark)]
        module = item.module
        if getattr(module, "FIRESTORE_EMULATOR", False):
            # The module's checks read this flag at run time; its credentials must not depend on it.
            module.FIRESTORE_EMULATOR = False
            credentials = getattr(module, "EMULATOR_CREDS", None), module.FIRESTORE_PROJECT
            module._get_credentials_and_project = lambda credentials=credentials: credentials


def skips(mark):
    """Returns whether the mark is a skip because of the emulator: the only condition that these
    tests have."""
    return mark.name == "skipif" and True in (*mark.args[:1], mark.kwargs.get("condition"))


def pytest_runtest_logreport(report):
    if type(report).__name__ == "SubtestReport":
        return
    if report.failed:
        # A test whose only failures are in subtests fails with this message.
        subtests = report.when == "call" and str(report.longrepr).startswith("contains ")
        record(test=report.nodeid, outcome="failed in subtests" if subtests else "failed")
    elif report.skipped:
        record(test=report.nodeid, outcome="skipped")
    elif report.when == "call":
        record(test=report.nodeid, outcome="passed")
