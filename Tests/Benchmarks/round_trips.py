"""An invocation's requests to Firestore, the price that Google bills for them, and the worker's CPU
time.

Runs under `emulator exec --no-triggers` (make bench). Each function runs as a worker behind a proxy
that counts its requests. The first round is cold: nothing is known of the conversation, and the
cache is empty. The other rounds are warm: each has a new message with the same text, so it is no
redelivery.

Google bills a read for each document that is requested by name, even if it is missing. For a query
it bills a read for each returned document, at least one. For a commit it bills each write and each
deletion (cloud.google.com/firestore/pricing).
"""

import collections
import contextlib
import http.client
import http.server
import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading
import urllib.request

from cold_start import DOCUMENTS

ROUNDS = 200
PROJECT = os.environ["GOOGLE_CLOUD_PROJECT"]
ROOT = f"projects/{PROJECT}/databases/(default)/documents"
TIME = "2026-01-01T10:00:00Z"
MOMENTS = itertools.count()


def now():
    """Returns a message's timestamp, later than all before."""
    return {"timestampValue": f"2026-01-01T11:00:00.{next(MOMENTS):06}Z"}


MESSAGE = {
    "senderId": {"stringValue": "sarah"},
    "text": {"stringValue": "See you tomorrow!"},
    "language": {"stringValue": "en"},
    "readBy": {"arrayValue": {"values": [{"stringValue": "marco"}]}},
    "timestamp": {"timestampValue": TIME},
}
DEVICE = {"users/marco/devices/phone": {"fcmToken": {"stringValue": "phone"}}}


class Door(http.server.BaseHTTPRequestHandler):
    """A proxy that passes requests to Firestore and counts them by method."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    counts = collections.Counter()
    billed = collections.Counter()
    connections = threading.local()

    def do_POST(self):
        method = self.path.rsplit(":", 1)[1]
        self.counts[method] += 1
        if not hasattr(self.connections, "firestore"):
            host = os.environ["FIRESTORE_EMULATOR_HOST"]
            self.connections.firestore = http.client.HTTPConnection(host)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.connections.firestore.request("POST", self.path, body, dict(self.headers))
        answer = self.connections.firestore.getresponse()
        content = answer.read()
        if answer.status == 200:
            self.billed.update(billed(method, json.loads(body), json.loads(content)))
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def billed(method, request, answer):
    if method == "commit":
        deleted = sum("delete" in write for write in request["writes"])
        checked = sum("verify" in write for write in request["writes"])
        return {"writes": len(request["writes"]) - deleted - checked, "deletes": deleted}
    documents = sum(not {"found", "missing", "document"}.isdisjoint(part) for part in answer)
    return {"reads": max(1, documents)}


def write(documents):
    writes = [
        {"update": {"name": f"{ROOT}/{path}", "fields": fields}} for path, fields in documents.items()
    ]
    request = urllib.request.Request(
        f"http://{os.environ['FIRESTORE_EMULATOR_HOST']}/v1/{ROOT}:commit",
        data=json.dumps({"writes": writes}).encode(),
        headers={"Content-Type": "application/json", "Authorization": "Bearer owner"},
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=30) as answer:
        return json.load(answer)["writeResults"][0]["updateTime"]


def created(number):
    """Writes a new message and returns its event."""
    path = f"conversations/c/messages/m{number}"
    fields = MESSAGE | {"timestamp": now()}
    return event(path, write({path: fields}), fields)


def read(number):
    """Yields the event of a new message and, once its reader has been notified, the event of the
    reader's receipt."""
    number += 100_000
    path = f"conversations/c/messages/m{number}"
    unread = MESSAGE | {"timestamp": now()}
    del unread["readBy"]
    yield event(path, write({path: unread}), unread)
    receipt = event(path, write({path: MESSAGE | unread}), MESSAGE | unread)
    receipt |= {"id": f"r{number}", "type": receipt["type"].replace("created", "updated")}
    receipt["data"] |= {
        "oldValue": receipt["data"]["value"] | {"fields": unread},
        "updateMask": {"fieldPaths": ["readBy"]},
    }
    yield receipt


def event(path, time=TIME, fields=MESSAGE):
    number = path.rsplit("/m", 1)[1]
    document = {"name": f"{ROOT}/{path}", "fields": fields, "createTime": time, "updateTime": time}
    return {
        "specversion": "1.0",
        "id": f"e{number}",
        "source": f"//firestore.googleapis.com/projects/{PROJECT}/databases/(default)",
        "type": "google.cloud.firestore.document.v1.created",
        "document": path,
        "data": {"value": document},
    }


def called(**data):
    return {"data": {"conversationId": "c", **data}, "auth": {"uid": "marco"}}


# The inputs of each case, by number. The first two cases measure an invocation that sends no
# request, and one that sends a single request.
CASES = {
    "translateMessage, no message": lambda n: event(f"elsewhere/m{n}"),
    "translateMessage, deleted one": lambda n: event(f"conversations/gone/messages/m{n}"),
    "translateMessage": created,
    "translateMessage, a call": lambda n: called(
        text="See you tomorrow!", sourceLang="en", targetLang="de"
    ),
    "sendNotification": created,
    "sendNotification, receipt": read,
    "analyzeMessage": created,
    "analyzeMessage, a call": lambda n: called(messageId="m0"),
    "smartReplies": lambda n: called(),
    "askAI": lambda n: called(query="When do we meet?"),
}


class Worker:
    def __init__(self, build, function, door):
        self.process = subprocess.Popen(
            [f"{build}/{function}", "--worker"],
            env={**os.environ, "FIRESTORE_EMULATOR_HOST": door, "LOG_LEVEL": "error"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.process.stdout.readline()

    def give(self, event):
        line = json.dumps({"event": event, "invocation": {"id": os.urandom(8).hex()}})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        result = json.loads(self.process.stdout.readline())
        if result["status"] == "error":
            sys.exit(f"{result}")

    def give_all(self, events):
        for each in [events] if isinstance(events, dict) else events:
            self.give(each)

    def cpu(self):
        """Returns the milliseconds of CPU that all its threads have used so far."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        with contextlib.suppress(OSError):
            return sum(
                int(each.read_text().split()[0]) for each in tasks.glob("*/schedstat")
            ) / 1e6
        return 0.0

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def shown(rounds):
    """Returns the proxy's counts per round as text."""
    methods, bill = (
        ", ".join(f"{count / rounds:g} {name}" for name, count in sorted(counts.items()) if count)
        for counts in (Door.counts, Door.billed)
    )
    return f"{Door.counts.total() / rounds:g} ({methods}); billed {bill or 'nothing'}"


def measure(build, name, make, door):
    write({**DOCUMENTS, **DEVICE})
    function = name.split(",")[0]
    worker = Worker(build, function, door)
    try:
        Door.counts.clear()
        Door.billed.clear()
        worker.give_all(make(0))
        print(f"{name:30} cold {shown(1)}", flush=True)
        # The second round creates everything that is created once, such as an entry that the first
        # round found missing.
        worker.give_all(make(1))
        Door.counts.clear()
        Door.billed.clear()
        before = worker.cpu()
        for number in range(2, ROUNDS + 2):
            worker.give_all(make(number))
        spent = (worker.cpu() - before) / ROUNDS
        print(f"{'':30} warm {shown(ROUNDS)}, {spent:.2f} ms CPU", flush=True)
    finally:
        worker.stop()


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Door)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name, make in CASES.items():
        measure(sys.argv[1], name, make, f"127.0.0.1:{server.server_port}")


if __name__ == "__main__":
    main()
