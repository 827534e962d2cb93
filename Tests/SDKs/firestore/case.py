"""A case of the comparison: a sequence of requests, and the comparable form of their answers."""

import json
import re
from dataclasses import dataclass, field

from firestore.values import fields
from firestore.wire import CALLER, Error

PROJECT = "demo-test"
DATABASE = f"projects/{PROJECT}/databases/DB"
ROOT = f"{DATABASE}/documents"
# Times of this test's run are recent; times in its requests are years old.
NEW = re.compile(r'"(20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT[\d:.]+Z)"')
AUTO_ID = re.compile(r"(?<=/)[A-Za-z0-9]{20}$")


@dataclass(frozen=True)
class Case:
    """Requests to one database. The database is new, or contains the data set that the case names.

    A text `<2.transaction>` in a request is that part of the answer to the third one.
    """

    name: str
    steps: list = field(hash=False)
    data: str = ""
    rest: bool = False
    authorization: str = CALLER

    def requests_to(self, database):
        return [
            (method, json.loads(json.dumps(request).replace("databases/DB", f"databases/{database}")))
            for method, request in self.steps
        ]


def name(path):
    return f"{ROOT}/{path}"


def update(path, plain, **more):
    """Returns a write of a document."""
    return {"update": {"name": name(path), "fields": fields(plain)}, **more}


def commit(*writes, **more):
    """Returns a step that writes."""
    return "Commit", {"database": DATABASE, "writes": list(writes), **more}


def load(documents):
    """Returns a step that writes documents, given by path."""
    return commit(*[update(path, plain) for path, plain in documents.items()])


def get(path, **more):
    """Returns a step that reads a document."""
    return "GetDocument", {"name": name(path), **more}


def query(structured, parent="", **more):
    """Returns a step that runs a query."""
    return "RunQuery", {"parent": ROOT + parent, "structuredQuery": structured, **more}


def run(server, case, database):
    """Returns the answers to the case's requests in comparable form."""
    ask = server.ask_rest if case.rest else server.ask
    answers = []
    for method, request in case.requests_to(database):
        answers.append(ask(method, fill(request, answers), case.authorization))
    ranks = times(answers)
    return [
        comparable(method, answer, database, ranks)
        for (method, _), answer in zip(case.steps, answers)
    ]


def fill(request, answers):
    """Returns the request with its references replaced by parts of earlier answers."""
    if isinstance(request, dict):
        return {key: fill(part, answers) for key, part in request.items()}
    if isinstance(request, list):
        return [fill(part, answers) for part in request]
    if isinstance(request, str) and re.fullmatch(r"<\d+\.[\w.]+>", request):
        step, *path = request[1:-1].split(".")
        part = answers[int(step)]
        if isinstance(part, Error):
            return ""
        part = part[0]
        for key in path:
            part = part[int(key)] if isinstance(part, list) else part.get(key, "")
        return part
    return request


def walk(part, visit):
    """Returns the part with each entry of each object replaced by `visit(key, value)`."""
    if isinstance(part, dict):
        return {key: walk(visit(key, each), visit) for key, each in part.items()}
    if isinstance(part, list):
        return [walk(each, visit) for each in part]
    return part


def times(answers):
    """Returns the rank of each write's time."""
    found = set()

    def visit(key, each):
        if key in ("createTime", "updateTime", "commitTime"):
            found.add(instant(each))
        return each

    walk([answer for answer in answers if not isinstance(answer, Error)], visit)
    return {each: f"time {place}" for place, each in enumerate(sorted(found), 1)}


def instant(text):
    """Returns a time with all its digits, so that it sorts as text."""
    whole, _, fraction = text.removesuffix("Z").partition(".")
    return f"{whole}.{fraction:0<9}"


def comparable(method, answer, database, ranks):
    """Returns the answer without variable parts: ids, times except their order, numbers' last
    digits."""
    if isinstance(answer, Error):
        return Error(answer.code, comparable_message(answer.message, database))

    def visit(key, each):
        if key in ("createTime", "updateTime", "commitTime"):
            return ranks[instant(each)]
        if key in ("readTime", "transaction", "nextPageToken"):
            return f"<{key}>"
        if key == "timestampValue" and NEW.match(f'"{each}"'):
            return "<now>"
        if key == "doubleValue":
            # -0.0 stays as it is: equal numbers, different texts.
            return each if isinstance(each, str) else float(f"{each:.12g}")
        if key == "message":
            return comparable_message(each, database)
        if key in ("name", "missing", "referenceValue") and isinstance(each, str):
            each = each.replace(f"databases/{database}/documents/", "")
            each = each.replace(f"projects/{PROJECT}/", "")
            return AUTO_ID.sub("<auto>", each) if method == "CreateDocument" else each
        return each

    plain = walk(answer, visit)
    if method in ("RunQuery", "RunAggregationQuery"):
        # Servers may add whether an answer is the last one, and how many results were skipped.
        plain = [
            {key: part for key, part in each.items() if key not in ("done", "skippedResults")}
            for each in plain
        ]
    if method == "BatchGetDocuments":
        # Servers may answer in any order.
        plain.sort(key=lambda each: each.get("missing") or each.get("found", {}).get("name", ""))
    return plain


def comparable_message(message, database):
    """Returns an error's message without the database's name and the numbers that depend on its
    length."""
    message = message.replace(f"databases/{database}", "databases/DB")
    message = message.replace(f"#{database}", "#DB").replace(f'"{database}"', '"DB"')
    message = re.sub(r"\b\d{16}\b", "<microseconds>", message)
    return re.sub(r"at index \d+", "at index <n>", message).strip()


def text(answer):
    """Returns an answer as one line, for patterns and people."""
    if isinstance(answer, Error):
        return f"{answer.code}: {answer.message}"
    return json.dumps(answer, ensure_ascii=False, sort_keys=True)
