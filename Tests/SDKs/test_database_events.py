"""Events of the Realtime Database: what triggers functions, as whom, and that no event is lost."""

import json
import os
import random
import threading
import urllib.request

import pytest
from auth.service import Service
from realtime.service import OWNER, Rest, Socket
from test_database_crashes import BROKEN
from witness import WitnessedEmulator, write_script

PROJECT = "demo-database-events"
NAME = f"{PROJECT}-default-rtdb"
SERVICES = ("firestore", "auth", "database", "functions", "ui", "hub")
KILLS = int(os.environ.get("EVENT_KILLS", "10"))
PREFIX = "google.firebase.database.ref.v1."


def trigger(kind, ref, **more):
    return {"eventType": PREFIX + kind, "ref": ref, **more}


class Emulator(WitnessedEmulator):
    def __init__(self, folder, functions=(), *options, failures=0):
        super().__init__(folder, PROJECT, SERVICES, functions, *options, failures=failures)
        self.address = self.host("database")
        self.rest = Rest(NAME, self.address)


def short(event):
    return event["type"].removeprefix(PREFIX), event["ref"], event["data"]["data"], event["data"]["delta"]


def test_each_kind_of_change(tmp_path):
    kinds = ["created", "updated", "deleted", "written"]
    functions = [(kind, [trigger(kind, "status/{uid}", instance="*")]) for kind in kinds]
    with Emulator(tmp_path, functions) as emulator:
        rest = emulator.rest
        rest.put("status/sarah", {"state": "online", "n": 1})
        emulator.events("written")
        rest.ask("PATCH", "status/sarah", {"n": 2, "deep/er": [1, 2]})
        emulator.events("written")
        # Nothing changes, a priority alone, and other places.
        rest.put("status/sarah/n", 2)
        rest.put("status/sarah/.priority", 1)
        rest.put("other/x", 1)
        rest.ask("DELETE", "status")
        created = ("status/sarah", None, {"state": "online", "n": 1})
        updated = ("status/sarah", {"state": "online", "n": 1}, {"n": 2, "deep": {"er": [1, 2]}})
        deleted = ("status/sarah", {"state": "online", "n": 2, "deep": {"er": [1, 2]}}, None)
        assert [short(event) for event in emulator.events("written")] == [
            ("written", *each) for each in (created, updated, deleted)
        ]
        for kind, expected in (("created", created), ("updated", updated), ("deleted", deleted)):
            (event,) = emulator.events(kind)
            assert short(event) == (kind, *expected)
        assert event["subject"] == "refs/status/sarah" and event["instance"] == NAME
        assert event["source"].endswith(f"/instances/{NAME}") and event["authtype"] == "admin"
        deliveries = emulator.api("events?function=deleted")
        assert [(each["document"], each["state"]) for each in deliveries] == [("status/sarah", "succeeded")]
        trace = emulator.api(f"trace/{event['id']}")
        assert trace["nodes"][0]["write"]["reference"] == {"instance": NAME, "before": deleted[1], "after": None}


def test_a_write_above_and_databases(tmp_path):
    functions = [
        ("nodes", [trigger("written", "typing/{chat}/{uid}")]), ("one", [trigger("written", "typing/{chat}", instance="on*")]),
    ]
    with Emulator(tmp_path, functions) as emulator:
        emulator.rest.put("typing", {"a": {"x": 1, "y": 2}, "b": {"x": 3}})
        emulator.events("nodes")
        emulator.rest.put("", {"typing": {"a": {"x": 1}, "c": {"z": 4}}})
        assert sorted(event["ref"] for event in emulator.events("nodes")) == [
            "typing/a/x", "typing/a/y", "typing/a/y", "typing/b/x", "typing/b/x", "typing/c/z",
        ]
        assert emulator.events("one") == []
        Rest("one", emulator.address).put("typing/a/x", 1)
        Rest("two", emulator.address).put("typing/a/x", 1)
        assert [(event["ref"], event["instance"]) for event in emulator.events("one")] == [("typing/a", "one")]


def test_who_writes(tmp_path):
    with Emulator(tmp_path, [("seen", [trigger("written", "a/{b}")])]) as emulator:
        auth = Service(f"127.0.0.1:{emulator.ports['auth']}", PROJECT)
        user = auth.sign_up("sarah@example.com")
        emulator.rest.ask("PUT", "a/nobody", 1, headers={})
        emulator.rest.ask("PUT", "a/admin", 1, headers={**OWNER, "traceparent": f"00-{'ab' * 16}-{'cd' * 8}-01"})
        with Socket(NAME, emulator.address, token=user["idToken"]) as client:
            client.must("p", p="/a/user", d=1)
            client.must("o", p="/a/gone", d={".sv": "timestamp"})
        found = {}
        while "a/gone" not in found:
            found = {event["ref"]: event for event in emulator.events("seen")}
        assert {ref: (event["authtype"], event.get("authid")) for ref, event in found.items()} == {
            "a/nobody": ("unauthenticated", None), "a/admin": ("admin", None),
            "a/user": ("app_user", user["localId"]), "a/gone": ("app_user", user["localId"]),
        }
        assert found["a/admin"]["traceparent"] == f"00-{'ab' * 16}-{'cd' * 8}-01"


def test_imports_and_clear_trigger_nothing(tmp_path):
    with Emulator(tmp_path, [("seen", [trigger("written", "a/{b}")])]) as emulator:
        emulator.rest.put("a/b", 1)
        emulator.rest.ask("PUT", "a/c", 1, disableTriggers="true")
        emulator.rest.ask("DELETE", "a/c", disableTriggers="true")
        emulator.command("export", str(tmp_path / "export"), "--project", PROJECT)
        emulator.command("clear", "--realtime-database", "--project", PROJECT)
        assert emulator.rest.get("") is None
        emulator.command("import", str(tmp_path / "export"), "--project", PROJECT)
        assert emulator.rest.get("a/b") == 1
        assert len(emulator.events("seen")) == 1


def test_a_delivery_can_be_replayed_and_an_event_sent(tmp_path):
    with Emulator(tmp_path, [("seen", [trigger("written", "a/{b}")])]) as emulator:
        emulator.rest.put("a/b", {"x": 1})
        (event,) = emulator.events("seen")
        (delivery,) = emulator.api("events")
        emulator.post(f"events/{delivery['id']}/replay")
        assert emulator.events("seen") == [event] * 2
        # As Eventarc sends it: attributes in headers, the data as JSON.
        headers = {f"ce-{name}": value for name, value in event.items() if name not in ("data", "datacontenttype")}
        headers |= {"ce-id": "sent", "ce-ref": "a/c", "ce-subject": "refs/a/c", "content-type": "application/json"}
        body = json.dumps(event["data"]).encode()
        url = f"http://127.0.0.1:{emulator.ports['functions']}/events?wait=true"
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
            assert json.loads(answer.read())["deliveries"][0]["state"] == "succeeded"
        assert (emulator.events("seen")[-1]["id"], emulator.events("seen")[-1]["ref"]) == ("sent", "a/c")


# A function that writes a node for each event, and so triggers itself.
LOOP = """#!/usr/bin/env python3
import json, os, sys, urllib.request
if sys.argv[1:] == ["--describe"]:
    print(json.dumps({"contract": 1, "name": "loop", "triggers": %s}))
    sys.exit()
event = json.load(sys.stdin)
headers = {"Authorization": "Bearer owner", **(%s)}
url = "http://" + os.environ["FIREBASE_DATABASE_EMULATOR_HOST"] + "/loop/x.json?ns=" + event["instance"]
body = json.dumps({"round": (event["data"]["delta"].get("round", 0)) + 1}).encode()
urllib.request.urlopen(urllib.request.Request(url, body, headers, method="PUT")).close()
print(json.dumps({"status": "ok", "exitCode": 0}))
"""


@pytest.mark.parametrize("headers, rounds", [("{}", 17), ('{"traceparent": os.environ["TRACEPARENT"]}', 3)])
def test_a_function_that_triggers_itself_is_stopped(tmp_path, headers, rounds):
    write_script(tmp_path, "loop", LOOP % (json.dumps([trigger("written", "loop/{id}")]), headers))
    with Emulator(tmp_path) as emulator:
        emulator.rest.put("loop/x", {"round": 0})
        emulator.wait()
        events = emulator.api("events")
        assert [each["state"] for each in events][-1] == "deadLettered"
        assert "loop → loop" in events[-1]["error"]["message"]
        assert emulator.rest.get("loop/x/round") == len(events) - 1 == rounds


class Writer:
    """Writes numbers, each below a key of its own, until the emulator is killed."""

    def __init__(self, emulator, name):
        self.answered = set()
        self.began = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(emulator.address, name))
        self.thread.start()

    def run(self, host, name):
        try:
            rest, number = Rest(NAME, host), 0
            with Socket(NAME, host) as socket:
                while True:
                    key = f"{name}-{number}"
                    if number % 3:
                        socket.must("p", p=f"/left/{key}", d={"n": number})
                    else:
                        assert rest.ask("PATCH", "left", {key: number, f"{key}-other/x": 1}).status == 200
                        self.answered.add(f"{key}-other")
                    self.answered.add(key)
                    self.began.set()
                    number += 1
        except BROKEN:
            pass
        finally:
            self.began.set()


def test_no_event_is_lost(tmp_path):
    dice = random.Random(2)
    functions = [("seen", [trigger("created", "left/{key}")])]
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
            events = emulator.events("seen")
            delivered = {event["ref"].removeprefix("left/") for event in events}
            assert answered <= delivered, f"lost {sorted(answered - delivered)[:9]}, kill {number}"
            # What was delivered is there.
            assert delivered <= set(emulator.rest.get("left", shallow="true"))
    assert len(answered) > KILLS * 3
    print(f"{len(answered)} answered writes, {len(delivered)} with events, {KILLS} kills")
