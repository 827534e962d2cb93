"""The Realtime Database's files: rules in firebase.json, exports and imports."""

import json
import os
import subprocess

import pytest
from firestore.emulator import start
from realtime.service import OWNER, Rest, Socket

NAME = "demo-worldchat-default-rtdb"
OPTIONS = ["--only", "database,firestore,auth,hub", *(f"--{each}-port=0" for each in ("database", "firestore", "auth", "hub"))]
OPEN = '{"rules": {".read": true, ".write": true}}'


class Emulator:
    def __init__(self, folder, *options):
        project = "demo-database-files"
        self.process, self.ports = start("--project", project, *OPTIONS, *options, folder=folder)
        self.host = f"127.0.0.1:{self.ports['database']}"
        self.hub = f"127.0.0.1:{self.ports['hub']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()


def status(rest, path, method="GET"):
    return rest.ask(method, path, 1, headers={}).status


def test_rules_hold_and_are_replaced_when_the_file_changes(tmp_path):
    rules = tmp_path / "database.rules.json"
    rules.write_text('{"rules": {"open": {".read": true}}} // The rest is closed.')
    (tmp_path / "firebase.json").write_text('{"database": {"rules": "database.rules.json"}}')
    with Emulator(tmp_path) as emulator:
        rest, other = Rest(NAME, emulator.host), Rest("other", emulator.host)
        assert [status(each, path) for each in (rest, other) for path in ("open", "closed")] == [200, 401, 200, 401]
        assert rest.ask("GET", "closed").status == 200
        with Socket(NAME, emulator.host, token=None) as client:
            client.must("q", p="/open", h="")
            client.take()
            # A file with an error changes nothing.
            rules.write_text('{"rules": {".read": "maybe"}}')
            while "stay in force" not in (line := emulator.process.stdout.readline()):
                assert line
            assert status(rest, "open") == 200
            rules.write_text('{"rules": {"closed": {".read": true}}}')
            message = client.receive()
            assert message["d"] == {"a": "c", "b": {"p": "open"}}
        assert [status(rest, path) for path in ("open", "closed")] == [401, 200]


@pytest.mark.parametrize(
    "configuration, rules, error",
    [
        ({"rules": "missing.json"}, "", "missing.json can't be read"),
        ({"rules": "r.json"}, '{"rules": {\n  ".read": "x"}}', "r.json:2:13: error: There is no variable 'x' here."),
        ({"rules": 5}, "", "firebase.json: database.rules is not the path of a file"),
        (5, "", "firebase.json: database is neither an object nor a list of objects"),
    ],
)
def test_rules_that_do_not_load_stop_the_start(tmp_path, configuration, rules, error):
    (tmp_path / "r.json").write_text(rules)
    (tmp_path / "firebase.json").write_text(json.dumps({"database": configuration}))
    with pytest.raises(RuntimeError, match=error.replace(".", r"\.")):
        start(*OPTIONS, folder=tmp_path)


@pytest.mark.parametrize("rules", ["missing.json", "r.json"])
def test_no_rules_opens_all_data(tmp_path, rules):
    (tmp_path / "r.json").write_text('{"rules": {\n  ".read": "x"}}')
    (tmp_path / "firebase.json").write_text(json.dumps({"database": {"rules": rules}}))
    with Emulator(tmp_path, "--no-rules") as emulator:
        assert status(Rest(NAME, emulator.host), "a", "PUT") == 200


def test_rules_of_single_databases(tmp_path):
    (tmp_path / "one.json").write_text(OPEN)
    (tmp_path / "two.json").write_text('{"rules": {}}')
    databases = [{"instance": "one", "rules": "one.json"}, {"instance": "two", "rules": "two.json"}]
    (tmp_path / "firebase.json").write_text(json.dumps({"database": databases}))
    with Emulator(tmp_path) as emulator:
        assert [status(Rest(name, emulator.host), "a") for name in ("one", "two", "three")] == [200, 401, 200]


@pytest.mark.parametrize("form", ["ndjson", "google"])
def test_an_export_has_all_databases(tmp_path, form):
    data = {"a": {".value": "é", ".priority": 1}, "list": {"0": 1, "1": 2}, "deep": {"x": {"y": True}}}
    export = str(tmp_path / "export")
    (tmp_path / "firebase.json").write_text("{}")
    with Emulator(tmp_path) as emulator:
        for name in (NAME, "other"):
            Rest(name, emulator.host).put("", data)
        environment = {**os.environ, "FIREBASE_EMULATOR_HUB": emulator.hub}
        done = subprocess.run(["emulator", "export", "--format", form, export], env=environment, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0 and "2 Realtime Databases" in done.stdout + done.stderr, done
    files = {path.name: json.loads(path.read_text()) for path in (tmp_path / "export/database_export").iterdir()}
    assert files == {f"{NAME}.json": data, "other.json": data}
    if form == "google":
        metadata = json.loads((tmp_path / "export/firebase-export-metadata.json").read_text())
        assert metadata["database"]["path"] == "database_export"
    with Emulator(tmp_path, "--import", export, "--data", str(tmp_path / "data")) as emulator:
        assert Rest("other", emulator.host).get("", format="export") == data
    # The import is in the data folder, too.
    with Emulator(tmp_path, "--data", str(tmp_path / "data")) as emulator:
        names = Rest(NAME, emulator.host).ask("GET", ".inspect/databases.json", headers=OWNER).body
        assert names == [{"name": NAME}, {"name": "other"}]


@pytest.mark.parametrize("content, error", [("{", "JSON"), ('{"a.b": 1}', "the key"), ('"\\ud800"', "")])
def test_a_damaged_export_is_refused(tmp_path, content, error):
    folder = tmp_path / "export/database_export"
    folder.mkdir(parents=True)
    (folder / "x.json").write_text(content)
    metadata = {"version": "1", "database": {"version": "1", "path": "database_export"}}
    (tmp_path / "export/firebase-export-metadata.json").write_text(json.dumps(metadata))
    with pytest.raises(RuntimeError, match=error) as refused:
        start(*OPTIONS, "--import", str(tmp_path / "export"), folder=tmp_path)
    assert "x.json" in str(refused.value)
