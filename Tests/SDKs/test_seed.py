"""`--seed FILE`: the documents and accounts of a file, and what is wrong with one."""

import json
import os
import shutil
import subprocess

import pytest
from firestore.emulator import Emulator

DOCUMENTS = "/v1/projects/demo-worldchat/databases/(default)/documents"
SEED = """{
  // The people.
  "accounts": {"ana": {"email": "Ana@example.com", "password": "secret", "displayName": "Ana"}},
  "trips/rome/stops/colosseum": {"day": 1},
  "trips/rome": {
    "name": "Rome", "days": 3, "price": 99.5, "booked": true, "notes": null, "tags": ["sun", {"a": "b"}],
    "from": {"timestampValue": "2026-05-01T10:00:00Z"},
    "owner": {"referenceValue": "users/ana"},
    "odd": {"mapValue": {"fields": {"stringValue": {"integerValue": "1"}}}}
  }
}
"""
# A function that notes whether the trip exists when a stop is created.
WITNESS = """#!/usr/bin/env python3
import json, os, sys, urllib.request
if sys.argv[1:] == ["--describe"]:
    trigger = {"eventType": "google.cloud.firestore.document.v1.created", "document": "trips/{trip}/stops/{id}"}
    print(json.dumps({"contract": 1, "name": "witness", "triggers": [trigger]}))
    sys.exit()
json.load(sys.stdin)
url = f"http://{os.environ['FIRESTORE_EMULATOR_HOST']}/v1/projects/demo-worldchat/databases/(default)/documents/trips/rome"
request = urllib.request.Request(url, headers={"Authorization": "Bearer owner"})
trip = json.load(urllib.request.urlopen(request))
print(json.dumps({"status": "ok", "exitCode": 0, "result": trip["fields"]["name"]["stringValue"]}))
"""


def test_a_seed_file_writes_documents_and_accounts_and_triggers_functions(tmp_path):
    functions = tmp_path / "functions"
    functions.mkdir()
    (functions / "witness").write_text(WITNESS)
    (functions / "witness").chmod(0o755)
    (tmp_path / "seed.json").write_text(SEED)
    options = ["--seed", str(tmp_path / "seed.json"), "--only", "firestore,auth,functions,ui", "--auth-port", "0"]
    for line in ("2 documents and 1 account written",
                 "0 documents and 0 accounts written; 2 documents and 1 account existed already"):
        emulator = Emulator(tmp_path / "data", functions, options)
        assert f"{tmp_path}/seed.json: {line}\n" in emulator.process.printed
        assert emulator.ask("/api/quiet?timeoutSeconds=60") == {"quiet": True}
        trip = emulator.ask(f"{DOCUMENTS}/trips/rome", "firestore")["fields"]
        assert trip == {
            "name": {"stringValue": "Rome"}, "days": {"integerValue": "3"}, "price": {"doubleValue": 99.5},
            "booked": {"booleanValue": True}, "notes": {"nullValue": None},
            "tags": {"arrayValue": {"values": [
                {"stringValue": "sun"}, {"mapValue": {"fields": {"a": {"stringValue": "b"}}}}]}},
            "from": {"timestampValue": "2026-05-01T10:00:00Z"},
            "owner": {"referenceValue": f"{DOCUMENTS[4:]}/users/ana"},
            "odd": {"mapValue": {"fields": {"stringValue": {"integerValue": "1"}}}},
        }
        delivery, = emulator.ask("/api/events")
        assert delivery["state"] == "succeeded"
        signed_in = emulator.send(
            "POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=k", "auth",
            {"email": "ana@example.com", "password": "secret"})
        assert signed_in["localId"] == "ana"
        emulator.end()


def test_the_start_waits_for_no_function_and_shows_the_deliveries_of_a_seed(tmp_path):
    functions = tmp_path / "functions"
    functions.mkdir()
    (functions / "witness").write_text(WITNESS.replace("json.load(sys.stdin)", "sys.exit(75)"))
    (functions / "witness").chmod(0o755)
    (tmp_path / "seed.json").write_text(SEED)
    emulator = Emulator(None, functions, ["--seed", str(tmp_path / "seed.json"), "--retry", "production"])
    lines = []
    for line in emulator.process.stdout:
        lines.append(line)
        if "attempt 2 in" in line:
            break
    assert any(line.startswith("Running.") for line in lines)
    assert "trips/rome/stops/colosseum" in lines[-1]
    emulator.end()


PORTS = [f"--{name}-port=0" for name in ("firestore", "auth", "database", "storage", "functions", "ui", "hub")]


def seeded(folder, seed, **options):
    """Runs `exec` with a seed in a folder."""
    return subprocess.run(
        [shutil.which("emulator"), "exec", *PORTS, "--no-triggers", "--seed", seed, "--", "true"],
        cwd=folder, capture_output=True, text=True, **options)


def test_a_seed_may_be_a_pipe(tmp_path):
    done = seeded(tmp_path, "/dev/stdin", input=SEED)
    assert done.returncode == 0 and "/dev/stdin: 2 documents and 1 account written" in done.stderr, done.stderr


@pytest.mark.parametrize("seed, reason", [
    ("seed.jsn", "--seed seed.jsn: there is no such file"),
    (".", "--seed . can't be read: Is a directory"),
])
def test_a_seed_that_is_no_file_is_refused(tmp_path, seed, reason):
    done = seeded(tmp_path, seed)
    assert done.returncode == 64 and reason in done.stderr, done.stderr


@pytest.mark.parametrize("seed, reason", [
    ('{"users/ana": {"name": "Ana",}}', "line 1, column 30: remove the comma before }"),
    ('{"users": {}}', '"users" is not the path of a document'),
    ('{"users//a": {}}', '"users//a" is not the path of a document'),
    ('{"users/ana": 1}', 'the document "users/ana"'),
    ('{"users/ana": {"born": {"timestampValue": "soon"}}}', "born.timestampValue"),
    ("[]", "is not an object: write the fields of each document by its path"),
    ('{"accounts": {"ana": {"mail": "a@b.c"}}}', "mail"),
    ('{"accounts": {"ana": {"password": "secret"}}}', "a password needs an email address"),
    ('{"accounts": {"": {}}}', '"" is not a user id: it has 1 to 128 characters'),
    ('{"accounts": {"ana": {"email": "not"}}}', 'the email address "not" is not like name@example.com'),
    ('{"accounts": {"ana": {"email": "a@b.c", "password": "1"}}}', "a password has at least 6 characters"),
    ('{"accounts": {"a": {"email": "a@b.c"}, "b": {"email": "A@b.c"}}}', 'two accounts have the email "a@b.c"'),
    ('{"users/ana": {"a": [[1]]}}', "users/ana"),
    ('{"users/ana": {"a": 1}, "users\\u002fana": {"a": 2}}', '"users/ana" appears twice'),
    ('{"users/ana": {"a": ' + "[" * 600 + "]" * 600 + "}}", "nested too deeply"),
])
def test_an_invalid_seed_is_refused_with_the_place(tmp_path, seed, reason):
    (tmp_path / "seed.json").write_text(seed)
    done = seeded(tmp_path, "seed.json")
    assert done.returncode == 1
    assert reason in done.stderr.splitlines()[-1] and "seed.json" in done.stderr, done.stderr


def generate(*arguments):
    return subprocess.run(
        [shutil.which("emulator"), "generate-event", *arguments], capture_output=True, text=True, check=True).stdout


def test_an_event_has_the_data_that_is_given(tmp_path):
    (tmp_path / "ana.json").write_text('{"name": "Ana", "born": {"timestampValue": "2001-05-04T00:00:00Z"}}')
    fields = {"name": {"stringValue": "Ana"}, "born": {"timestampValue": "2001-05-04T00:00:00Z"}}
    created = json.loads(generate("created", "users/ana", "--data", str(tmp_path / "ana.json")))
    assert created["data"]["value"]["fields"] == fields and "oldValue" not in created["data"]
    updated = json.loads(generate(
        "updated", "users/ana", "--data", '{"name": "Ana", "age": 2}', "--before", '{"name": "Ana", "age": 1}'))
    assert updated["data"]["updateMask"] == {"fieldPaths": ["age"]}
    assert updated["data"]["oldValue"]["fields"]["age"] == {"integerValue": "1"}
    deleted = json.loads(generate("deleted", "users/ana", "--data", '{"name": "Ana"}'))
    assert deleted["data"]["oldValue"]["fields"] == {"name": {"stringValue": "Ana"}}
    assert "value" not in deleted["data"]
    # The data of an event is taken as it is.
    (tmp_path / "data.json").write_text(json.dumps(updated["data"]))
    again = json.loads(generate("updated", "users/ana", "--data", str(tmp_path / "data.json")))
    assert again["data"] == updated["data"]
    node = json.loads(generate("written", "status/ana", "--ref", "--data", '{"state": "online"}'))
    assert node["data"]["data"] is None and node["data"]["delta"] == {"state": "online"}
    item = json.loads(generate("finalized", "a.png", "--data", '{"size": "7", "metadata": {"by": "ana"}}'))
    assert item["data"]["size"] == "7" and item["data"]["metadata"] == {"by": "ana"}


def test_the_data_of_an_event_may_be_a_pipe(tmp_path):
    command = [shutil.which("emulator"), "generate-event", "created", "users/ana", "--data"]
    done = subprocess.run([*command, "/dev/stdin"], input='{"name": "Ana"}', capture_output=True, text=True, check=True)
    event = json.loads(done.stdout)
    assert event["data"]["value"]["fields"] == {"name": {"stringValue": "Ana"}}
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen([*command, str(tmp_path / "pipe")], stdout=subprocess.PIPE, text=True) as process:
        (tmp_path / "pipe").write_text('{"name": "Bob"}')
        event = json.load(process.stdout)
    assert event["data"]["value"]["fields"] == {"name": {"stringValue": "Bob"}}


@pytest.mark.parametrize("arguments, reason", [
    (["created", "users/ana", "--data", "ana.jsn"], '--data "ana.jsn" is neither a file nor JSON'),
    (["created", "users/ana", "--data", ""], '--data "" is neither a file nor JSON'),
    (["created", "users/ana", "--data", "."], "--data . can't be read: Is a directory"),
    (["created", "users/ana", "--data", "{"], "--data, line 1, column 2: the JSON ends too early"),
    (["created", "users/ana", "--data", "bad.json"], "--data bad.json, line 1, column 3"),
    (["created", "users/ana", "--data", "latin1.json"], "--data latin1.json is not a text in UTF-8"),
    (["created", "users/ana", "--data", "[" * 600], "nested too deeply"),
    (["created", "users/ana", "--before", "{}"], "--before: there is no data before a creation"),
    (["created", "users/ana", "--data", "{}", "--text", "Hi"], "--text is of a message or an object"),
    (["created", "users/ana", "--data", "{}", "--language", "it"], "--language is of a message"),
    (["deleted", "users/ana", "--data", "{}", "--before", "{}"], "--before and --data exclude each other"),
    (["finalized", "a.png", "--before", "{}"], "--before: an event of an object"),
    (["written", "status/ana", "--ref", "--after", "{"], "--after, line 1, column 2"),
])
def test_options_of_an_event_without_effect_or_data_are_refused(tmp_path, arguments, reason):
    (tmp_path / "bad.json").write_text("{ a }")
    (tmp_path / "latin1.json").write_bytes(b'{"name": "Zo\xeb"}')
    done = subprocess.run(
        [shutil.which("emulator"), "generate-event", *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 64 and reason in done.stderr, done.stderr
