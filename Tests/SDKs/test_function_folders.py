"""The functions' folders while an emulator runs: functions that appear, change, break and vanish."""

import json
import os
import re
import threading

import pytest
from firestore.emulator import Emulator

CREATED = "google.cloud.firestore.document.v1.created"
GREET = """#!/usr/bin/env python3
import json, os, sys
if sys.argv[1:] == ["--describe"]:
    print(json.dumps({manifest}))
    sys.exit()
event = json.load(sys.stdin)
{body}
print(json.dumps({{"status": "ok", "exitCode": 0, "result": {result}}}))
"""


def manifest(collection="users", **members):
    trigger = {"eventType": CREATED, "document": f"{collection}/{{id}}"}
    return {"contract": 1, "name": "greet", "triggers": [trigger], **members}


class Folder:
    """A functions' folder, and an emulator that runs its functions."""

    def __init__(self, path, data):
        self.path = path
        path.mkdir()
        self.emulator = Emulator(data, path)
        self.printed, self.logged = [], []
        self.news = threading.Condition()
        for stream, lines in ((self.emulator.process.stdout, self.printed),
                              (self.emulator.process.stderr, self.logged)):
            threading.Thread(target=self.read, args=(stream, lines), daemon=True).start()

    def read(self, stream, lines):
        for line in stream:
            with self.news:
                lines.append(line.rstrip("\n"))
                self.news.notify_all()

    def wait(self, text, lines=None):
        """Waits for a line that contains a text, and drops it with those before it."""
        lines = self.printed if lines is None else lines

        def found():
            return next((number for number, line in enumerate(lines) if text in line), None)

        with self.news:
            assert self.news.wait_for(lambda: found() is not None, 60), (text, lines)
            line = lines[found()]
            del lines[: found() + 1]
            return line

    def warned(self, text):
        return self.wait(text, self.logged)

    def write(self, name, text):
        """Writes a file as an editor does: a new one takes the old one's place."""
        new = self.path / f".{name}.new"
        new.write_text(text)
        new.chmod(0o755)
        new.rename(self.path / name)

    def greet(self, manifest=manifest(), body="", result="None"):
        self.write("greet", GREET.format(manifest=manifest, body=body, result=result))

    def create(self, document):
        collection, name = document.split("/")
        path = f"/v1/projects/demo-worldchat/databases/(default)/documents/{collection}?documentId={name}"
        self.emulator.send("POST", path, "firestore", {})

    def deliveries(self):
        assert self.emulator.ask("/api/quiet?timeoutSeconds=60") == {"quiet": True}
        return {each["document"]: each["state"] for each in self.emulator.ask("/api/events")}


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path / "functions", tmp_path / "data")


def test_a_function_is_added_changed_and_removed(folder):
    folder.create("users/a")
    folder.greet()
    folder.wait("function greet added")
    assert [each["name"] for each in folder.emulator.ask("/api/functions")] == ["greet"]
    folder.create("users/b")
    assert folder.deliveries() == {"users/b": "succeeded"}

    folder.greet(result="1")
    folder.wait("function greet: executable changed")
    folder.greet(manifest("guests", environment=[{"name": "HOME", "required": True}]))
    folder.wait("function greet: manifest changed")
    folder.create("users/c")
    folder.create("guests/d")
    assert folder.deliveries() == {"users/b": "succeeded", "guests/d": "succeeded"}

    (folder.path / "greet").chmod(0o644)
    folder.warned(f"it isn't executable: chmod +x {folder.path}/greet")
    (folder.path / "greet").chmod(0o755)
    folder.wait("function greet: executable changed")

    folder.greet(manifest(name="other"))
    folder.wait("function greet removed")
    folder.wait("function other added")
    assert [each["name"] for each in folder.emulator.ask("/api/functions")] == ["other"]
    folder.create("guests/e")
    assert "guests/e" not in folder.deliveries()


def test_a_hanging_function_delays_no_other(folder):
    begun, go = folder.path.parent / "begun", folder.path.parent / "go"
    os.mkfifo(begun)
    os.mkfifo(go)
    # The description waits for the test's end.
    folder.write("hang", f"#!/bin/sh\necho >{begun}\nread line <{go}\n")
    begun.read_text()
    folder.greet()
    folder.wait("function greet added")
    # Nothing was reported about the hanging one before.
    assert not any("hang" in line for line in folder.logged)
    folder.emulator.end()


def test_a_duplicate_of_the_start_takes_the_place_of_a_removed_function(tmp_path):
    functions = tmp_path / "functions"
    functions.mkdir()
    for name in ("first", "second"):
        (functions / name).write_text(GREET.format(manifest=manifest(), body="", result=0))
        (functions / name).chmod(0o755)
    emulator = Emulator(None, functions)
    (functions / "first").unlink()
    removed = next(line for line in emulator.process.stdout if "function greet removed" in line)
    assert removed and next(emulator.process.stdout) == "function greet added\n"
    emulator.end()


def test_a_missing_function_is_removed(folder):
    folder.greet()
    folder.wait("function greet added")
    (folder.path / "greet").unlink()
    folder.wait("function greet removed")
    folder.create("users/a")
    assert folder.deliveries() == {}


def test_a_moved_file_is_the_same_function(folder):
    folder.greet()
    folder.wait("function greet added")
    (folder.path / "greet").rename(folder.path / "hello")
    folder.wait("function greet removed")
    folder.wait("function greet added")
    folder.create("users/a")
    assert folder.deliveries() == {"users/a": "succeeded"}


def test_deliveries_of_a_removed_function_wait(folder):
    begun, go = folder.path.parent / "begun", folder.path.parent / "go"
    os.mkfifo(begun)
    os.mkfifo(go)
    folder.greet(manifest(concurrency=1), f"open({str(begun)!r}, 'w').close(); open({str(go)!r}).read()")
    folder.wait("function greet added")
    folder.create("users/a")
    begun.read_text()
    folder.create("users/b")
    folder.greet(manifest("guests", name="other"))
    assert "its deliveries wait until it is added again" in folder.wait("function greet removed")
    # The running invocation is finished.
    go.write_text("")
    states = folder.deliveries()
    assert sorted(states.values()) == ["succeeded", "waiting"]
    waiting = next(each for each in folder.emulator.ask("/api/events") if each["state"] == "waiting")
    with pytest.raises(Exception) as refused:
        folder.emulator.send("POST", f"/api/events/{waiting['id']}/retry")
    assert "waits for the function greet, which is missing" in refused.value.read().decode()
    folder.greet()
    folder.wait("function greet added")
    assert set(folder.deliveries().values()) == {"succeeded"}


@pytest.mark.parametrize("text, reason", [
    (GREET.format(manifest={**manifest(), "trigers": []}, body="", result=0),
     'unknown member "trigers": did you mean triggers?'),
    ("#!/usr/bin/env python3\nimport nothing_like_this\n",
     "\"ModuleNotFoundError: No module named 'nothing_like_this'\""),
    ("#!/nowhere/python\n", "interpreter or loader"),
    ("#!/usr/bin/env python3\nprint('hello')\n", "the manifest is not valid JSON"),
])
def test_a_broken_function_is_named_until_it_is_corrected(folder, text, reason):
    folder.write("greet", text)
    line = folder.warned("file skipped: not a function")
    assert reason in line and f"path={folder.path}/greet" in line
    folder.greet()
    folder.wait("function greet added")
    folder.write("greet", text)
    assert reason in folder.warned("function greet can't run until its file is corrected")
    folder.greet()
    folder.wait("function greet: executable changed")
    folder.create("users/a")
    assert folder.deliveries() == {"users/a": "succeeded"}


def test_a_crash_is_reported_with_the_last_line_of_stderr(folder):
    folder.greet(manifest(retry=False), "import nothing_like_this")
    folder.wait("function greet added")
    folder.create("users/a")
    folder.deliveries()
    delivery, = folder.emulator.ask("/api/events")
    assert delivery["error"]["message"].endswith("\"ModuleNotFoundError: No module named 'nothing_like_this'\"")


# A function that takes leases in the name of its run and of another process, and never ends.
HOLDER = """
import time, urllib.request
for name, holder in (("own", os.environ["INVOCATION_RUN"] + "/a"), ("other", "b")):
    url = (f"http://{os.environ['FIRESTORE_EMULATOR_HOST']}/v1/projects/demo-worldchat/databases/(default)"
           f"/documents/leases?documentId={name}")
    fields = {"holder": {"stringValue": holder}, "expiresAt": {"timestampValue": "2100-01-01T00:00:00Z"}}
    request = urllib.request.Request(url, json.dumps({"fields": fields}).encode(), {"Authorization": "Bearer owner"})
    urllib.request.urlopen(request).read()
# The other end of this pipe notices when the process ends.
pipe = open(%r, "w")
print("begun", file=pipe, flush=True)
while True:
    time.sleep(60)
"""


def test_a_killed_emulators_functions_and_leases_end_with_the_next_start(folder, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    folder.greet(manifest(timeoutSeconds=3600), HOLDER % str(pipe))
    folder.wait("function greet added")
    folder.create("users/a")
    with pipe.open() as process:
        assert process.readline() == "begun\n"
        folder.emulator.kill()
        folder.greet()
        emulator = Emulator(tmp_path / "data", folder.path)
        assert process.read() == ""
    assert emulator.ask("/api/quiet?timeoutSeconds=60") == {"quiet": True}
    leases = emulator.ask("/v1/projects/demo-worldchat/databases/(default)/documents/leases", "firestore")
    assert [re.sub(".*/", "", each["name"]) for each in leases["documents"]] == ["other"]
    delivery, = emulator.ask("/api/events")
    assert delivery["state"] == "succeeded"
