"""A new project for each run of a function, in the emulator of the tests. The people and messages
are the same, so that two runs must end alike."""

import json
import os
import re
import shutil
import subprocess
import uuid

from firestore.tokens import unsigned
from firestore.values import fields
from firestore.wire import Server

TRIP = "conversations/trip"
NOW = {"fieldPath": "timestamp", "setToServerValue": "REQUEST_TIME"}
PEOPLE = {
    "users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
    "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
    "users/marco/devices/phone": {"fcmToken": "marco-phone"},
    "users/marco/inbox/trip": {"unread": 1},
    "users/eve": {"displayName": "Eve", "primaryLanguage": "en"},
    TRIP: {"type": "group", "name": "Roma", "participants": ["sarah", "marco", "luz"]},
}
DINNER = {"senderId": "sarah", "language": "en", "text": "Dinner at Da Gino at eight?", "readBy": []}
# The parts that differ from run to run: random ids, times.
RANDOM = re.compile(r"(?<=queries/)[\w-]+")


class Scene:
    def __init__(self):
        self.project = f"demo-{uuid.uuid4().hex[:12]}"
        self.database = f"projects/{self.project}/databases/(default)"
        self.firestore = Server(os.environ["FIRESTORE_EMULATOR_HOST"])
        for path, content in PEOPLE.items():
            self.write(path, content)
        self.write(f"{TRIP}/messages/dinner", DINNER, NOW)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.firestore.close()

    @property
    def environment(self):
        return {
            "GOOGLE_CLOUD_PROJECT": self.project,
            "GCLOUD_PROJECT": self.project,
            # With this variable unsigned tokens are accepted, too.
            "FIREBASE_AUTH_EMULATOR_HOST": os.environ["FIREBASE_AUTH_EMULATOR_HOST"],
        }

    def name(self, path):
        return f"{self.database}/documents/{path}"

    def commit(self, *writes):
        answer = self.firestore.ask("Commit", {"database": self.database, "writes": list(writes)})
        assert isinstance(answer, list), answer

    def write(self, path, content, *transforms):
        update = {"name": self.name(path), "fields": fields(content)}
        self.commit({"update": update, "updateTransforms": list(transforms)})

    def change(self, path, old, new):
        """Writes a document's old and then its new content (None deletes it), and returns both
        versions."""
        found = []
        for content in (old, new):
            if content is None:
                self.commit({"delete": self.name(path)})
                found.append(None)
            else:
                self.write(path, content)
                found.append(self.firestore.ask("GetDocument", {"name": self.name(path)})[0])
        return found

    def event(self, id, path, old, new):
        """Makes such a change, and returns its CloudEvent."""
        before, after = self.change(path, old, new)
        kind = "updated" if old and new else "created" if new else "deleted"
        data = {name: each for name, each in (("oldValue", before), ("value", after)) if each}
        if kind == "updated":
            changed = sorted(name for name in new if old.get(name) != new[name])
            data["updateMask"] = {"fieldPaths": changed}
        return {
            "specversion": "1.0",
            "id": id,
            "source": f"//firestore.googleapis.com/{self.database}",
            "type": f"google.cloud.firestore.document.v1.{kind}",
            "subject": f"documents/{path}",
            "time": (after or before)["updateTime"],
            "datacontenttype": "application/json",
            "project": self.project,
            "database": "(default)",
            "namespace": "(default)",
            "document": path,
            "location": "europe-west3",
            "data": data,
        }

    def token(self, uid):
        return unsigned(uid, self.project)

    def run(self, function, event):
        """Runs the executable once, and returns its output."""
        done = subprocess.run(
            [shutil.which(function)],
            input=json.dumps(event),
            env=os.environ | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        (line,) = done.stdout.splitlines()
        return self.plain(json.loads(line))

    def plain(self, content):
        """Returns the content without the parts that differ from run to run."""
        if isinstance(content, dict):
            kept = {name: part for name, part in content.items() if name not in DIFFERENT}
            return {name: self.plain(part) for name, part in kept.items()}
        if isinstance(content, list):
            return [self.plain(each) for each in content]
        if isinstance(content, str):
            return RANDOM.sub("ID", content.replace(self.project, "PROJECT"))
        return content


DIFFERENT = {
    "durationMs", "latencyMs", "messageLatencies", "queryId", "invocationId", "attempt", "retryAfterMs",
}
