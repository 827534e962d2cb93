"""A functions emulator that only records: it keeps every event it is sent."""

import base64
import contextlib
import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.events.cloud.firestore_v1 import types
from google.protobuf import json_format

LIMIT_SECONDS = 300


@dataclass(frozen=True)
class Post:
    """A request as it arrived."""

    path: str
    headers: dict
    body: bytes


class Capture:
    def __init__(self):
        self.posts = []
        self.changed = threading.Condition()
        capture = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                # Header bytes that aren't ASCII arrive as Latin-1.
                headers = {
                    name.lower(): value.encode("latin-1").decode("utf-8", "replace")
                    for name, value in self.headers.items()
                }
                # The event is kept before it is answered: its sender may look for it right after
                # the answer.
                with capture.changed:
                    capture.posts.append(Post(self.path, headers, body))
                    capture.changed.notify_all()
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.server.server_port}"

    def wait(self, missing):
        """Waits until none of the posts is missing."""
        with self.changed:
            self.changed.wait_for(lambda: not missing(self.posts), LIMIT_SECONDS)
            assert not missing(self.posts), f"{len(self.posts)} events, not {missing(self.posts)}"


@contextlib.contextmanager
def listening():
    capture = Capture()
    thread = threading.Thread(target=capture.server.serve_forever)
    thread.start()
    try:
        yield capture
    finally:
        capture.server.shutdown()
        thread.join()
        capture.server.server_close()


@dataclass
class Event:
    """The comparable parts of an event of either generation."""

    trigger: str
    type: str
    # The document's full name and its time; None if the event names no document.
    name: str
    time: str
    value: dict
    old_value: dict
    mask: list
    # The envelope without ids, names and times.
    envelope: dict
    # The subject and the document as in their headers, or None in the first generation.
    names: tuple


def read(post):
    trigger = post.path.rsplit("/", 1)[-1]
    if "ce-type" in post.headers:
        return second_generation(trigger, post)
    return first_generation(trigger, json.loads(post.body))


def first_generation(trigger, body):
    data, context = body["data"], body["context"]
    value, old_value = (
        json_format.ParseDict(data[side], types.Document.pb()()) if side in data else None
        for side in ("value", "oldValue")
    )
    mask = data.get("updateMask", {}).get("fieldPaths", [])
    envelope = {
        "members": sorted(body),
        "context": sorted(context),
        "service": context["resource"]["service"],
        "resource": context["resource"]["name"] == (value or old_value).name,
        "data": sorted(data),
    }
    kind = context["eventType"].rsplit(".", 1)[-1]
    return made(trigger, kind, context["timestamp"], value, old_value, mask, envelope, None)


def second_generation(trigger, post):
    headers = {name: text for name, text in post.headers.items() if name.startswith("ce-")}
    raw = post.body
    is_text = all(byte < 0x80 for byte in raw) and raw[:1] not in (b"\x0a", b"\x12", b"\x1a")
    data = types.DocumentEventData.pb().FromString(base64.b64decode(raw) if is_text else raw)
    value, old_value = (
        getattr(data, side) if data.HasField(side) else None for side in ("value", "old_value")
    )
    mask = list(data.update_mask.field_paths)
    envelope = {
        name: text
        for name, text in sorted(headers.items())
        if name not in ("ce-id", "ce-time", "ce-subject", "ce-document", "ce-traceparent")
    }
    envelope["content-type"] = post.headers["content-type"]
    envelope["body"] = "base64 text" if is_text else "protobuf"
    names = headers["ce-subject"], headers["ce-document"]
    kind = headers["ce-type"].split(".v1.", 1)[-1]
    return made(trigger, kind, headers["ce-time"], value, old_value, mask, envelope, names)


def made(trigger, kind, time, value, old_value, mask, envelope, names):
    known = value or old_value
    return Event(
        trigger=trigger,
        type=kind,
        name=known.name if known else None,
        time=time,
        value=plain(value),
        old_value=plain(old_value),
        mask=sorted(mask),
        envelope=envelope,
        names=names,
    )


def plain(message):
    """Returns a document as a dictionary with unchanged times, or None without one."""
    return message and json_format.MessageToDict(message)
