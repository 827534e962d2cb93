"""The same writes to Google's own emulator and to ours, and a comparison of their events.

Both get the triggers over Google's routes and send to one functions emulator, ours. The reasons of
differences are in event_differences.json, with the side that is right. A difference without a
reason fails, and so does a reason without a difference.
"""

import fnmatch
import http.client
import json
import pathlib
import re
import urllib.parse
from collections import Counter

import pytest
from firestore import capture, peer
from firestore.case import DATABASE, PROJECT, fill
from firestore.emulator import Emulator
from firestore.event_cases import CASES, OTHER, PATTERN_PATHS, PATTERNS, REFUSED
from firestore.tokens import unsigned
from firestore.signed_in import OWNER
from firestore.wire import Error, Server

KINDS = {
    "create": "created",
    "update": "updated",
    "delete": "deleted",
    "write": "written",
}
DIFFERENCES = json.loads((pathlib.Path(__file__).parent / "event_differences.json").read_text())
ROUTE = f"/emulator/v1/projects/{PROJECT}"
DEFAULT = DATABASE.replace("DB", "(default)")
CLEARED = DATABASE.replace("DB", "cleared")
FENCE = "fences"


def ask(address, method, target, body, token=OWNER):
    """Returns status and text of an answer."""
    host, port = address.rsplit(":", 1)
    connection = http.client.HTTPConnection(host, int(port), timeout=300)
    try:
        headers = {"Content-Type": "application/json"} | ({"Authorization": token} if token else {})
        connection.request(method, target, json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def first_generation(pattern, kind, database="(default)"):
    resource = f"projects/{PROJECT}/databases/{database}/documents/{pattern}"
    event_type = f"providers/cloud.firestore/eventTypes/document.{kind}"
    service = "firestore.googleapis.com"
    return {"eventTrigger": {"resource": resource, "eventType": event_type, "service": service}}


def second_generation(pattern, kind, database="(default)", match="PATH_PATTERN"):
    return {
        "eventType": f"google.cloud.firestore.document.v1.{kind}",
        "database": database,
        "namespace": "(default)",
        "document": {"value": pattern, "matchType": match},
    }


def register(address, key, body):
    if "eventTrigger" in body:
        return ask(address, "PUT", f"{ROUTE}/triggers/{key}", body)
    return ask(address, "POST", f"{ROUTE}/eventarcTrigger?eventarcTriggerId={key}", body)


def triggers():
    """Returns all triggers to register, by key."""
    everything = "{document=**}"
    found = {}
    for first, second in KINDS.items():
        found[f"v1-{first}"] = first_generation(everything, first)
        found[f"v2-{second}"] = second_generation(everything, second)
    found["v2-who"] = second_generation(everything, "written.withAuthContext")
    for database in ("other", "cleared"):
        found[f"v2-{database}"] = second_generation(everything, "written", database)
    for name, pattern in PATTERNS.items():
        # The first generation knows wildcards only in braces.
        if "*" not in pattern.replace("=**}", "}"):
            found[f"v1-pattern-{name}"] = first_generation(pattern, "create")
        found[f"v2-pattern-{name}"] = second_generation(pattern, "created")
    found["v2-exact"] = second_generation("conversations/c1", "created", match="EXACT")
    return found


def collection(number):
    return f"case{number:02}"


def here(part, number):
    """Returns a request for a case's own collection."""
    written = json.dumps(part).replace("HERE", collection(number)).replace(DATABASE, DEFAULT)
    return json.loads(written)


class Side:
    """An emulator of the two, with the events that it sent."""

    def __init__(self, address, functions):
        self.address = address
        self.functions = functions
        self.server = Server(address)
        for key, body in triggers().items():
            status, text = register(address, key, body)
            assert status == 200, (key, text)
        for number, (name, steps) in enumerate(CASES.items()):
            answers = self.run(steps, number)
            refusals = [each for each in answers if isinstance(each, Error)]
            assert bool(refusals) == (name in REFUSED), (name, refusals)
        for path in PATTERN_PATHS:
            self.write(path)
        self.write("cleared/document", database=CLEARED)
        self.server.clear(CLEARED)
        for token in (None, f"Bearer {unsigned('sarah', PROJECT)}"):
            self.write("callers/" + ("sarah" if token else "nobody"), token)
        self.events = [capture.read(post) for post in self.posts_until_fence()]
        self.server.close()

    def run(self, steps, number):
        answers = []
        for method, request in steps:
            answers.append(self.server.ask(method, fill(here(request, number), answers)))
        return answers

    def write(self, path, token=OWNER, database=DEFAULT):
        target = f"/v1/{database}/documents/{urllib.parse.quote(path)}"
        status, text = ask(self.address, "PATCH", target, {"fields": {"n": {"integerValue": "1"}}}, token)
        assert status == 200, text

    def posts_until_fence(self):
        """Returns the events before a last write, after waiting for that write's events.

        Google's emulator sends one event after the other. Ours sends them concurrently, and reports
        when all deliveries have ended.
        """
        for database in (DEFAULT, OTHER, CLEARED):
            self.write(f"{FENCE}/last", database=database)
        awaited = {
            *("v1-create", "v1-write", "v2-created", "v2-written", "v2-who"),
            *("v2-other", "v2-cleared"),
        }

        def is_fence(post):
            return f"{FENCE}/last".encode() in post.body or post.headers.get(
                "ce-document", ""
            ).startswith(FENCE)

        self.functions.wait(
            lambda posts: awaited
            - {post.path.rsplit("/", 1)[-1] for post in posts if is_fence(post)}
        )
        self.settle()
        return [post for post in self.functions.posts if not is_fence(post)]

    def settle(self):
        pass


class Ours(Side):
    def __init__(self, emulator, functions):
        self.emulator = emulator
        super().__init__(emulator.address, functions)

    def settle(self):
        self.emulator.ask("/api/quiet")


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    with capture.listening() as theirs, capture.listening() as mine:
        with peer.running(f"--functions_emulator={theirs.address}") as google:
            data = tmp_path_factory.mktemp("data")
            emulator = Emulator(data, options=["--project", PROJECT, "--functions-emulator", mine.address])
            both = Side(google, theirs), Ours(emulator, mine)
            emulator.end()
    return both


def case_of(event):
    """Returns the case of an event: its name, or the document if it has none."""
    name = event.name or event.names[1]
    path = name.split("/documents/", 1)[-1]
    number = re.match(r"case(\d\d)/", path)
    return list(CASES)[int(number[1])] if number else path


def identity(event):
    """Returns the parts that make an event the same on both sides."""
    return (
        f"{case_of(event)}: {event.trigger}",
        text([event.type, tail(event.name), document(event.old_value), document(event.value)]),
    )


def details(events):
    """Returns the details of events that both sides have, as sets of texts by subject."""
    found = {}

    def add(about, part):
        found.setdefault(about, set()).add(part)

    for event in events:
        generation = event.trigger[:2]
        if event.value and event.old_value:
            add(f"mask of {case_of(event)} ({generation})", text(event.mask))
        if event.value:
            is_commit = event.value["updateTime"] == event.time
            add(f"time ({generation})", "the commit's" if is_commit else "another")
        add(f"form of time ({generation})", re.sub(r"\d+(?=Z)", "", event.time)[19:] or "seconds")
        for name, content in event.envelope.items():
            is_about_who = name.startswith("ce-auth") and case_of(event).startswith("callers/")
            who = f" {case_of(event)}" if is_about_who else ""
            add(f"{name} ({generation} {event.type}){who}", str(content))
        if event.names:
            add(f"names of {case_of(event)}", text(event.names))
    return found


def contents(side):
    """Returns the events, by subject and content."""
    found = {}
    for event in side.events:
        is_for_pattern = "pattern" in event.trigger or event.trigger == "v2-exact"
        if not is_for_pattern or case_of(event) in PATTERN_PATHS:
            found.setdefault(identity(event), []).append(event)
    return found


def compared(google, ours):
    """Returns Google's and our differing texts, by subject."""
    sides = [contents(google), contents(ours)]
    both = sides[0].keys() & sides[1].keys()
    whole = [{}, {}]
    for side, events in zip(whole, sides):
        for (about, content), repeated in events.items():
            side.setdefault(about, []).extend([content] * len(repeated))
    parts = [details(event for key in both for event in events[key]) for events in sides]
    pairs = {}
    for google, ours in (whole, parts):
        for about in sorted(google.keys() | ours.keys()):
            theirs, mine = (Counter(side.get(about, ())) for side in (google, ours))
            pairs[about] = tuple(
                "\n".join(sorted(rest.elements())) or "nothing"
                for rest in (theirs - mine, mine - theirs)
            )
    return pairs


def text(part):
    return json.dumps(part, ensure_ascii=False, sort_keys=True)


def tail(name):
    return name and name.split("/databases/", 1)[-1]


# The server's own times, which differ in the case about them.
SERVER_TIME = re.compile(r"^202[6-9]|^20[3-9]")


def document(content):
    """Returns a document's fields, without its create and update times."""
    if content is None:
        return None
    fields = content.get("fields", {})
    if SERVER_TIME.match(fields.get("at", {}).get("timestampValue", "")):
        fields = fields | {"at": "now"}
    assert content["createTime"] <= content["updateTime"]
    return fields


def reason(about, google, ours):
    """Returns the index of the first reason for a difference, or None."""
    for place, each in enumerate(DIFFERENCES):
        if (
            fnmatch.fnmatchcase(about, each["events"])
            and re.search(each["google"], google, re.DOTALL)
            and re.search(each["ours"], ours, re.DOTALL)
        ):
            return place
    return None


def test_same_events(sides):
    needed, unexplained = set(), []
    for about, (google, ours) in compared(*sides).items():
        if google == ours:
            continue
        found = reason(about, google, ours)
        if found is None:
            unexplained.append(f"{about}\nGoogle: {google}\nours:   {ours}")
        else:
            needed.add(found)
    assert not unexplained, f"{len(unexplained)} differences\n" + "\n\n".join(unexplained)
    unneeded = [each for place, each in enumerate(DIFFERENCES) if place not in needed]
    assert not unneeded, "differs no longer: take it out of event_differences.json"


def test_each_trigger_gets_an_event_once(sides):
    for side in sides:
        ids = Counter(
            (post.path, post.headers["ce-id"])
            for post in side.functions.posts
            if "ce-id" in post.headers
        )
        assert len(ids) > 100
        assert set(ids.values()) == {1}
