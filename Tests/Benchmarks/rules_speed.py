"""The cost of security rules: open data and guarded data, ours and Google's emulator, in turns.

The rules are those of a chat: a message may be written and read by the participants of its
conversation, which costs one `get()`. Only the ratios count: times on a shared machine don't.
"""

import argparse
import contextlib
import pathlib
import statistics
import tempfile

import emulators
from firestore import tokens
from firestore.values import fields
from firestore.wire import parse
from firestore_speed import Bench

PROJECT = "demo-test"
DOCUMENTS = f"projects/{PROJECT}/databases/(default)/documents"
CONVERSATION = f"{DOCUMENTS}/conversations/trip"
MESSAGE = fields({"senderId": "sarah", "text": "Break a leg at your interview tomorrow!"})
# The most that guarded data may cost, as a multiple of open data.
GOALS = {"create a message": 1.3, "get a message": 1.2}
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
                message = parse(method, request)
                rates = {key: [] for key in found}
                for turn in range(arguments.repeat + 1):
                    for key, side in found.items():
                        rate = bench.rate(side.address, method, message, 4, 8)
                        # The first turn doesn't count, because a JVM gets faster while it runs.
                        if turn:
                            rates[key].append(rate)
                medians = {key: statistics.median(each) for key, each in rates.items()}
                for title in ("ours", "Google's"):
                    if (title, "open") not in medians:
                        continue
                    ratio = medians[title, "open"] / medians[title, "guarded"]
                    text = f"{name:18} {title:9} open {medians[title, 'open']:9,.0f} per s"
                    text += f"  guarded {medians[title, 'guarded']:9,.0f} per s  x {ratio:.2f}"
                    if title == "ours":
                        met = ratio <= GOALS[name]
                        text += f"   goal {GOALS[name]:g}: {'met' if met else 'MISSED'}"
                        missed += [] if met else [name]
                    print(text, flush=True)
                if ("Google's", "open") in medians:
                    for title in ("open", "guarded"):
                        times = medians["ours", title] / medians["Google's", title]
                        print(f"{name:18} {title:9} ours is {times:.1f} times as fast as Google's")
    print(f"goals missed: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
