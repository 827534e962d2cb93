"""The reasons for differences between Google's emulator and ours, in differences.json.

A reason has patterns of the smallest rules that differ (`rules`), of the request, and of both
answers. It says which answer is right, and why. Its `example` is a case that still differs.
"""

import json
import pathlib
import re

from rules.compare import Case
from rules.tree import Node

REASONS = json.loads((pathlib.Path(__file__).parent / "differences.json").read_text())


def reason(difference):
    """Returns the reason of a difference, or None."""
    for each in REASONS:
        if explains(each, difference):
            return each
    return None


def explains(reason, difference):
    call = json.dumps(difference.case.requests[-1]) if difference.case.requests else ""
    texts = {
        "rules": str(difference.case.tree),
        "request": call,
        "google": str(difference.google),
        "ours": str(difference.ours),
    }
    return all(re.search(reason.get(key, ""), text, re.DOTALL) for key, text in texts.items())


def example(reason):
    """Returns the case of a reason. Its rules may be a condition of everything."""
    case = reason["example"]
    text = case.get("rules") or EVERYTHING % case["condition"]
    calls = [{"user": "alice", "body": None, **call} for call in case.get("requests", [])]
    return Case("example", Node("", text), case.get("documents", {}), calls)


EVERYTHING = """rules_version = '2';
service cloud.firestore {
  match /databases/{db}/documents/{document=**} {
    allow read, write: if %s;
  }
}
"""
