"""Events of Cloud Storage: what triggers functions, as whom, and that no event is lost."""

import json
import os
import random
import threading
import urllib.error
import urllib.parse
import urllib.request

import pytest
from auth.service import Service
from test_database_crashes import BROKEN
from witness import WitnessedEmulator, write_script

PROJECT = "demo-storage-events"
BUCKET = f"{PROJECT}.appspot.com"
OTHER = "other-bucket"
SERVICES = ("firestore", "auth", "storage", "functions", "ui", "hub")
KILLS = int(os.environ.get("EVENT_KILLS", "10"))
PREFIX = "google.cloud.storage.object.v1."
KINDS = ["finalized", "deleted", "metadataUpdated"]


def trigger(kind, name=None, **more):
    return {"eventType": PREFIX + kind, **({"object": name} if name else {}), **more}


def every(*more):
    return [trigger(kind, *more) for kind in KINDS]


class Storage:
    """Cloud Storage's JSON API."""

    def __init__(self, host):
        self.host = host

    def ask(self, method, path, body=b"", headers=None):
        request = urllib.request.Request(f"http://{self.host}{path}", body, headers or {}, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or b"null")

    @staticmethod
    def path(name, bucket=BUCKET):
        return f"/storage/v1/b/{bucket}/o/{urllib.parse.quote(name, safe='')}"

    def upload(self, name, content=b"abc", bucket=BUCKET, headers=None):
        query = urllib.parse.urlencode({"uploadType": "media", "name": name})
        headers = {"Content-Type": "image/png", **(headers or {})}
        return self.ask("POST", f"/upload/storage/v1/b/{bucket}/o?{query}", content, headers)

    def patch(self, name, members, **more):
        return self.ask(
            "PATCH", self.path(name), json.dumps(members).encode(), {"Content-Type": "application/json"}, **more
        )

    def delete(self, name, bucket=BUCKET):
        self.ask("DELETE", self.path(name, bucket))

    def names(self, prefix):
        found, query = set(), {"prefix": prefix}
        while True:
            page = self.ask("GET", f"/storage/v1/b/{BUCKET}/o?{urllib.parse.urlencode(query)}")
            found |= {item["name"] for item in page.get("items", [])}
            if "nextPageToken" not in page:
                return found
            query["pageToken"] = page["nextPageToken"]


class Emulator(WitnessedEmulator):
    def __init__(self, folder, functions=(), *options, failures=0):
        super().__init__(folder, PROJECT, SERVICES, functions, *options, failures=failures)
        self.storage = Storage(self.host("storage"))


def short(event):
    data = event["data"]
    return event["type"].removeprefix(PREFIX), data["name"], data["generation"], data["metageneration"]


def test_each_kind_of_change(tmp_path):
    functions = [(kind, [trigger(kind)]) for kind in KINDS] + [("every", every())]
    with Emulator(tmp_path, functions) as emulator:
        storage, name = emulator.storage, "avatars/sarah/è #1.png"
        first = storage.upload(name)
        (finalized,) = emulator.events("finalized")
        assert finalized["data"].items() >= {
            **{key: first[key] for key in ("name", "bucket", "generation", "metageneration", "size", "md5Hash", "crc32c")},
            "contentType": "image/png", "kind": "storage#object", "name": name, "bucket": BUCKET, "size": "3",
        }.items()
        assert finalized.items() >= {
            "specversion": "1.0", "subject": f"objects/{name}", "bucket": BUCKET, "datacontenttype": "application/json",
            "source": f"//storage.googleapis.com/projects/_/buckets/{BUCKET}",
        }.items()
        # As in production, the event names no author.
        assert "authtype" not in finalized and "authid" not in finalized
        storage.patch(name, {"metadata": {"owner": "sarah"}})
        (updated,) = emulator.events("metadataUpdated")
        assert short(updated) == ("metadataUpdated", name, first["generation"], "2")
        assert updated["data"]["metadata"] == {"owner": "sarah"}
        second = storage.upload(name, b"longer")
        emulator.wait()
        storage.delete(name)
        generations = [first["generation"], second["generation"]]
        assert generations[0] < generations[1]
        assert sorted(map(short, emulator.events("every"))) == sorted([
            ("finalized", name, generations[0], "1"), ("metadataUpdated", name, generations[0], "2"),
            ("deleted", name, generations[0], "2"), ("finalized", name, generations[1], "1"),
            ("deleted", name, generations[1], "1"),
        ])
        assert [event["data"]["size"] for event in emulator.events("deleted")] == ["3", "6"]
        trace = emulator.api(f"trace/{updated['id']}")
        write = trace["nodes"][0]["write"]
        assert (write["document"], write["change"], write["author"]) == (name, "metadataUpdated", "admin")
        assert write["object"] == {"bucket": BUCKET, "metadata": updated["data"]}


def test_names_and_buckets(tmp_path):
    functions = [
        ("avatar", [trigger("finalized", "avatars/{uid}/{file}")]),
        ("other", [trigger("finalized", bucket=OTHER)]),
        ("default", [trigger("finalized", "**/*.png", bucket=BUCKET)]),
    ]
    with Emulator(tmp_path, functions) as emulator:
        names = ["avatars/sarah/a.png", "avatars/sarah/", "avatars/sarah/deep/a.png", "avatars//a.png", "a.png", "b.jpg"]
        for name in names:
            emulator.storage.upload(name)
        body = json.dumps({"name": OTHER}).encode()
        emulator.storage.ask("POST", f"/storage/v1/b?project={PROJECT}", body, {"Content-Type": "application/json"})
        emulator.storage.upload("avatars/marco/b.jpg", bucket=OTHER)

        def got(name):
            return sorted((event["bucket"], event["data"]["name"]) for event in emulator.events(name))

        assert got("avatar") == sorted([(BUCKET, "avatars/sarah/a.png"), (OTHER, "avatars/marco/b.jpg")])
        assert got("other") == [(OTHER, "avatars/marco/b.jpg")]
        assert got("default") == sorted((BUCKET, name) for name in names if name.endswith(".png"))


def test_a_refused_change_has_no_event(tmp_path):
    with Emulator(tmp_path, [("every", every())]) as emulator:
        emulator.storage.upload("a")
        for method, path in (
            ("POST", f"/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name=a&ifGenerationMatch=0"),
            ("DELETE", Storage.path("missing")),
        ):
            with pytest.raises(urllib.error.HTTPError):
                emulator.storage.ask(method, path, b"x")
        assert [short(event)[:2] for event in emulator.events("every")] == [("finalized", "a")]


def test_who_writes(tmp_path):
    with Emulator(tmp_path, [("every", every())], "--no-rules") as emulator:
        user = Service(emulator.host("auth"), PROJECT).sign_up("sarah@example.com")
        token = {"Authorization": f"Firebase {user['idToken']}", "Content-Type": "text/plain"}
        emulator.storage.ask("POST", f"/v0/b/{BUCKET}/o?name=user", b"x", token)
        emulator.storage.ask("POST", f"/v0/b/{BUCKET}/o?name=nobody", b"x", {"Content-Type": "text/plain"})
        trace = f"00-{'ab' * 16}-{'cd' * 8}-01"
        emulator.storage.upload("admin", headers={"traceparent": trace})
        found = {event["data"]["name"]: event for event in emulator.events("every")}
        assert found["admin"]["traceparent"] == trace
        authors = {}
        for name, event in found.items():
            write = emulator.api(f"trace/{event['id']}")["nodes"][0]["write"]
            authors[name] = (write["author"], write.get("authorName"))
        assert authors == {
            "admin": ("admin", None), "nobody": ("unauthenticated", None), "user": ("user", user["localId"])
        }


def test_imports_and_clear_trigger_nothing(tmp_path):
    with Emulator(tmp_path, [("every", every())]) as emulator:
        emulator.storage.upload("a")
        emulator.command("export", str(tmp_path / "export"), "--project", PROJECT)
        emulator.storage.delete("a")
        assert len(emulator.events("every")) == 2
        emulator.command("import", str(tmp_path / "export"), "--project", PROJECT)
        assert emulator.storage.names("") == {"a"}
        assert len(emulator.events("every")) == 2


def test_a_delivery_can_be_replayed_and_an_event_sent(tmp_path):
    with Emulator(tmp_path, [("every", every())]) as emulator:
        emulator.storage.upload("a b")
        (event,) = emulator.events("every")
        (delivery,) = emulator.api("events")
        emulator.post(f"events/{delivery['id']}/replay")
        assert emulator.events("every") == [event] * 2
        # As Eventarc sends it: attributes in headers, the data as JSON.
        headers = {f"ce-{name}": value for name, value in event.items() if name not in ("data", "datacontenttype")}
        headers |= {"ce-id": "sent", "ce-subject": "objects/a%20b", "content-type": "application/json"}
        url = f"http://{emulator.host('functions')}/events?wait=true"
        body = json.dumps(event["data"]).encode()
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
            assert json.loads(answer.read())["deliveries"][0]["state"] == "succeeded"
        sent = emulator.events("every")[-1]
        assert sent == {**event, "id": "sent"}


def test_a_generated_event(tmp_path):
    with Emulator(tmp_path, [("every", every())]) as emulator:
        for kind in KINDS:
            text = emulator.command(
                "generate-event", PREFIX + kind, "a/b.png", "--bucket", BUCKET, "--text", "abc", "--project", PROJECT
            )
            url = f"http://{emulator.host('functions')}/events?wait=true"
            headers = {"content-type": "application/cloudevents+json"}
            urllib.request.urlopen(urllib.request.Request(url, text.encode(), headers)).close()
            event = json.loads(text)
            assert emulator.events("every")[-1] == event
        uploaded = emulator.storage.upload("a/b.png")
        for member in ("size", "md5Hash", "crc32c", "kind", "bucket", "name"):
            assert event["data"][member] == uploaded[member]


def test_a_recording_has_the_event(tmp_path):
    recordings = tmp_path / "recordings"
    with Emulator(tmp_path, [("every", every())]) as emulator:
        url = f"http://{emulator.host('storage')}/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name=a%2F%C3%A8.png"
        upload = ["curl", "-sSf", "-o", "/dev/null", "--data-binary", "abc", url]
        folder = ["--functions", str(tmp_path / "functions")]
        emulator.command("record", str(recordings), *folder, "--project", PROJECT, "--", *upload)
        (file,) = recordings.rglob("*.json")
        event = emulator.events("every")[0]
        assert event["data"]["name"] == "a/è.png" and json.loads(file.read_text())["event"] == event
        emulator.command("replay", *folder, str(recordings))


# A function that writes the object again that triggers it.
LOOP = """#!/usr/bin/env python3
import json, os, sys, urllib.request
if sys.argv[1:] == ["--describe"]:
    print(json.dumps({"contract": 1, "name": "loop", "triggers": %s}))
    sys.exit()
data = json.load(sys.stdin)["data"]
url = os.environ["STORAGE_EMULATOR_HOST"] + "/upload/storage/v1/b/" + data["bucket"] + "/o?uploadType=media&name=" + data["name"]
urllib.request.urlopen(urllib.request.Request(url, b"again", %s, method="POST")).close()
print(json.dumps({"status": "ok", "exitCode": 0}))
"""


@pytest.mark.parametrize("headers, rounds", [("{}", 17), ('{"traceparent": os.environ["TRACEPARENT"]}', 3)])
def test_a_function_that_triggers_itself_is_stopped(tmp_path, headers, rounds):
    write_script(tmp_path, "loop", LOOP % (json.dumps([trigger("finalized", "loop")]), headers))
    with Emulator(tmp_path) as emulator:
        emulator.storage.upload("loop")
        emulator.wait()
        events = emulator.api("events")
        assert [each["state"] for each in events] == ["succeeded"] * rounds + ["deadLettered"]
        assert "loop → loop" in events[-1]["error"]["message"]
        # Each upload after the first one also deletes the object before it.
        nodes = emulator.api(f"trace/{events[-1]['eventId']}")["nodes"]
        writes = [node["write"] for node in nodes if node["kind"] == "write"]
        assert [write["author"] for write in writes] == ["admin"] + ["function"] * rounds * 2
        chain = emulator.command("why", f"gs://{BUCKET}/loop", "--project", PROJECT)
        assert chain.startswith(f"gs://{BUCKET}/loop was uploaded at ") and "by loop, " in chain
        assert "an administrator finalized loop" in chain


def test_why(tmp_path):
    with Emulator(tmp_path, [("every", every())]) as emulator:
        emulator.storage.upload("a")

        def why():
            return emulator.command("why", f"gs://{BUCKET}/a", "--project", PROJECT)

        assert "was uploaded at" in why() and ", by an administrator." in why()
        emulator.storage.patch("a", {"cacheControl": "no-store"})
        assert why().startswith(f"The metadata of gs://{BUCKET}/a was changed at ")
        emulator.storage.delete("a")
        assert f"gs://{BUCKET}/a was deleted at " in why()


class Writer:
    """Uploads, replaces and deletes objects, each with a name of its own, until the emulator is killed."""

    def __init__(self, emulator, name):
        # The changes that were answered: a kind and a name.
        self.answered = set()
        self.began = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(emulator.storage, name))
        self.thread.start()

    def run(self, storage, name):
        number = 0
        try:
            while True:
                key = f"left/{name}-{number}"
                storage.upload(key, b"x" * (number % 7) * 1000)
                self.answered.add(("finalized", key))
                if number % 3 == 1:
                    storage.patch(key, {"metadata": {"n": str(number)}})
                    self.answered.add(("metadataUpdated", key))
                if number % 3 == 2:
                    storage.delete(key)
                    self.answered.add(("deleted", key))
                self.began.set()
                number += 1
        except BROKEN:
            pass
        finally:
            self.began.set()


def test_no_event_is_lost(tmp_path):
    dice = random.Random(2)
    functions = [("seen", every("left/{key}"))]
    # Retries without delay or limit: a dead letter wouldn't be lost, but wouldn't be delivered either.
    options = ["--data", str(tmp_path / "data"), "--retry", "production", "--time-scale", "1000", "--no-rules"]
    answered, delivered = set(), set()
    for number in range(KILLS):
        emulator = Emulator(tmp_path, functions, *options, failures=0.1)
        writers = [Writer(emulator, f"{number}-{each}") for each in range(3)]
        for writer in writers:
            writer.began.wait()
        threading.Event().wait(dice.random() * 0.3)
        emulator.kill()
        for writer in writers:
            writer.thread.join()
            answered |= writer.answered
        with Emulator(tmp_path, functions, *options, failures=0.1) as emulator:
            delivered = {short(event)[:2] for event in emulator.events("seen")}
            assert answered <= delivered, f"lost {sorted(answered - delivered)[:9]}, kill {number}"
            # What was delivered is there.
            deleted = {name for kind, name in delivered if kind == "deleted"}
            assert {name for _, name in delivered} - deleted == emulator.storage.names("left/")
    assert len(answered) > KILLS * 3
    print(f"{len(answered)} answered changes, {len(delivered)} with events, {KILLS} kills")
