"""The cost of security rules: open data and guarded data, ours and Google's emulator, in turns.

The rules are those of a chat: a message may be written and read by the participants of its
conversation, which costs one `get()`. Of the two emulators, only the ratios count: times on a
shared machine don't. A last row has the time that a change of rules takes with a thousand
listeners, all of which are decided on anew before it is answered.
"""

import argparse
import contextlib
import pathlib
import statistics
import sys
import tempfile
import time

import emulators
from firestore import tokens
from firestore.listening import Change, ListenRequest, Stream
from firestore.values import fields
from firestore.wire import parse
from firestore_speed import Bench

PROJECT = "demo-test"
DOCUMENTS = f"projects/{PROJECT}/databases/(default)/documents"
CONVERSATION = f"{DOCUMENTS}/conversations/trip"
MESSAGE = fields({"senderId": "sarah", "text": "Break a leg at your interview tomorrow!"})
# The most that guarded data may cost, as a multiple of open data. A get is cheap, so that the rules' share is large.
GOALS = {"create a message": 1.3, "get a message": 1.3}
LISTENERS = 1_000
STREAMS = 10
CHANGES = 21
GOAL_MILLISECONDS = 200
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /conversations/{conversation} {
      function isParticipant() {
        let path = /databases/$(database)/documents/conversations/$(conversation);
        return request.auth.uid in get(path).data.participants;
      }
      match /messages/{message} {
        allow read: if isParticipant();
        allow create: if isParticipant()
          && request.resource.data.senderId == request.auth.uid
          && request.resource.data.text is string;
      }
    }
  }
}
"""


def requests():
    """Returns the method and the request of each row."""
    create = {"parent": CONVERSATION, "collectionId": "messages", "document": {"fields": MESSAGE}}
    return {
        "create a message": ("CreateDocument", create),
        "get a message": ("GetDocument", {"name": f"{CONVERSATION}/messages/first"}),
    }


@contextlib.contextmanager
def sides(build, rules):
    """Yields the running emulators: ours and Google's, each open and guarded."""
    found = {}
    try:
        for title, options in (("open", []), ("guarded", [f"--rules={rules}"])):
            found["ours", title] = emulators.ours(build, "--project", PROJECT, *options)
            google = emulators.google(*options)
            if google is not None:
                found["Google's", title] = google
        yield found
    finally:
        for side in found.values():
            side.stop()


def load(side):
    for name, content in (
        (CONVERSATION, fields({"participants": ["sarah", "marco"]})),
        (f"{CONVERSATION}/messages/first", MESSAGE),
    ):
        write = {"update": {"name": name, "fields": content}}
        database = DOCUMENTS.removesuffix("/documents")
        side.server.send("Commit", parse("Commit", {"database": database, "writes": [write]}))


def verdict(goal, is_met, missed, name):
    """Returns the words about a goal, and adds the name of one that is missed."""
    if not is_met:
        missed.append(name)
    return f"   goal {goal}: {'met' if is_met else 'MISSED'}"


def rates(bench, found, method, request):
    """Returns the requests a second of each turn, for each side.

    Open and guarded data take turns; the emulators don't, because a JVM still works after its turn.
    """
    message = parse(method, request)
    rates = {key: [] for key in found}
    for emulator in ("ours", "Google's"):
        sides = {key: side for key, side in found.items() if key[0] == emulator}
        for turn in range(bench.repeat + 1):
            for key, side in sides.items():
                rate = bench.rate(side.address, method, message, 4, 8)
                # The first turn doesn't count, because a JVM gets faster while it runs.
                if turn:
                    rates[key].append(rate)
    return rates


def quotient(left, right):
    """Returns the median of the quotients of the turns."""
    return statistics.median(a / b for a, b in zip(left, right, strict=True))


def report(name, rates, missed):
    """Prints what the guard costs, and how the emulators compare."""
    for title in ("ours", "Google's"):
        if (title, "open") not in rates:
            continue
        opened, guarded = (rates[title, each] for each in ("open", "guarded"))
        ratio = quotient(opened, guarded)
        text = f"{name:18} {title:9} open {statistics.median(opened):9,.0f} per s"
        text += f"  guarded {statistics.median(guarded):9,.0f} per s  x {ratio:.2f}"
        if title == "ours":
            text += verdict(f"<= {GOALS[name]:g}", ratio <= GOALS[name], missed, name)
        print(text, flush=True)
    if ("Google's", "open") in rates:
        opened, guarded = (
            quotient(rates["ours", title], rates["Google's", title]) for title in ("open", "guarded")
        )
        text = f"{name:18} ours is {opened:.1f} times as fast as Google's open, "
        text += f"{guarded:.1f} guarded"
        text += verdict("not less", guarded >= opened, missed, f"{name}, beside Google's")
        print(text, flush=True)


def heard(stream, kind, count):
    """Waits until as many targets of a stream have changed in this way."""
    while count:
        change = stream.next().target_change
        count -= len(change.target_ids) if change.target_change_type == kind else 0


def set_rules(side, text):
    """Returns the milliseconds until a change of the project's rules is answered."""
    body = {"rules": {"files": [{"name": "firestore.rules", "content": text}]}}
    url = f"http://{side.address}/emulator/v1/projects/{PROJECT}:securityRules"
    began = time.perf_counter()
    emulators.fetch(url, "PUT", body)
    return (time.perf_counter() - began) * 1000


def change_rules(side, authorization, missed):
    """Prints how long changes of rules take with many listeners."""
    database = DOCUMENTS.removesuffix("/documents")
    each = LISTENERS // STREAMS
    streams = [Stream(side.server.channel, database, authorization) for _ in range(STREAMS)]
    for stream in streams:
        for number in range(1, each + 1):
            request = ListenRequest(database=database)
            request.add_target.target_id = number
            query = request.add_target.query
            query.parent = CONVERSATION
            query.structured_query.from_.add().collection_id = "messages"
            query.structured_query.limit.value = 50
            stream.requests.put(request)
    for stream in streams:
        heard(stream, Change.CURRENT, each)
    # A comment makes the rules new.
    times = [set_rules(side, f"{RULES}// {number}\n") for number in range(CHANGES)]
    # Listeners that are still there are denied by the last change.
    set_rules(side, RULES.replace("isParticipant();", "false;"))
    for stream in streams:
        heard(stream, Change.REMOVE, each)
        stream.close()
    median, most = statistics.median(times), max(times)
    name = f"{LISTENERS:,} listeners judged anew after a change of rules"
    text = f"{name}: median {median:.1f} ms, most {most:.1f} ms of {len(times)} changes"
    print(text + verdict(f"< {GOAL_MILLISECONDS} ms", most < GOAL_MILLISECONDS, missed, name))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    parser.add_argument("--repeat", type=int, default=7)
    arguments = parser.parse_args()
    sarah = f"Bearer {tokens.unsigned('sarah', PROJECT)}"
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder) / "firestore.rules"
        rules.write_text(RULES)
        with sides(arguments.build, rules) as found:
            bench = Bench([], None, arguments.repeat, folder, authorization=sarah)
            for side in found.values():
                load(side)
            for name, (method, request) in requests().items():
                report(name, rates(bench, found, method, request), missed)
            change_rules(found["ours", "guarded"], sarah, missed)
    print(f"goals missed: {', '.join(missed) or 'none'}")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
