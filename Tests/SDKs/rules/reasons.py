"""The reasons for differences between Google's emulator and ours, in differences.json.

A reason has patterns of both answers, and sometimes of the request. If it depends on the rules, it
has a pattern of the smallest ones that differ, too. It says which answer is right, and why. Its
`example` is a case that still differs.
"""

import json
import pathlib
import re

from rules.compare import Case
from rules.tree import Node

LISTS = ("ListDocuments", "RunQuery", "RunAggregationQuery")
REASONS = json.loads((pathlib.Path(__file__).parent / "differences.json").read_text())
# The reasons that hold for rules of any size.
PLAIN = [each for each in REASONS if "rules" not in each]


def reason(difference, among=REASONS):
    """Returns the reason of a difference, or None."""
    for each in among:
        if explains(each, difference):
            return each
    return None


def explains(reason, difference):
    call = difference.case.requests[-1] if difference.case.requests else None
    statuses = difference.google.status, difference.ours.status
    if statuses == (200, 403) and not is_list(call):
        # Ours refuses more than Google's emulator only where it can't know all documents.
        return False
    texts = {
        "rules": str(difference.case.tree),
        "request": json.dumps(call),
        "google": str(difference.google),
        "ours": str(difference.ours),
    }
    return all(re.search(reason.get(key, ""), text, re.DOTALL) for key, text in texts.items())


def is_list(call):
    """Returns whether a request is for documents that a query finds."""
    return call["method"] in LISTS or call["method"] == "Listen" and "query" in call["request"]


def example(reason):
    """Returns the case of a reason. Its rules may be a condition of everything."""
    case = reason["example"]
    text = case.get("rules") or EVERYTHING % case["condition"]
    calls = [{"user": "alice", "door": "REST", **call} for call in case.get("requests", [])]
    return Case("example", Node("", text), case.get("documents", {}), calls)


EVERYTHING = """rules_version = '2';
service cloud.firestore {
  match /databases/{db}/documents/{document=**} {
    allow read, write: if %s;
  }
}
"""
