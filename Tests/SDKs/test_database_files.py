"""The Realtime Database's files: rules in firebase.json, exports and imports."""

import json
import os
import subprocess

import pytest
from auth.service import Service
from firestore.emulator import start
from realtime.service import OWNER, Events, Rest, Socket

PROJECT = "demo-database-files"
NAME = "demo-worldchat-default-rtdb"
OPTIONS = ["--only", "database,firestore,auth,hub", *(f"--{each}-port=0" for each in ("database", "firestore", "auth", "hub"))]
OPEN = '{"rules": {".read": true, ".write": true}}'


class Emulator:
    def __init__(self, folder, *options):
        self.process, self.ports = start("--project", PROJECT, *OPTIONS, *options, folder=folder)
        self.folder = folder
        self.host = f"127.0.0.1:{self.ports['database']}"
        self.environment = {**os.environ, "FIREBASE_EMULATOR_HUB": f"127.0.0.1:{self.ports['hub']}"}

    def command(self, *arguments):
        """Runs a command, and returns what it prints."""
        done = subprocess.run(
            ["emulator", *arguments], env=self.environment, capture_output=True, text=True, cwd=self.folder
        )
        assert done.returncode == 0, done
        return done.stdout + done.stderr

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


def test_clear(tmp_path):
    with Emulator(tmp_path) as emulator:
        rests = [Rest(name, emulator.host) for name in (NAME, "other")]
        for rest in rests:
            rest.put("a", 1)
        emulator.command("clear", "--project", PROJECT)
        assert [rest.get("") for rest in rests] == [{"a": 1}] * 2
        assert "Database other" in emulator.command("clear", "--project", PROJECT, "--realtime-database")
        assert [rest.get("") for rest in rests] == [None] * 2


def test_connections_of_expired_tokens(tmp_path):
    """Clients hear that their user's token has expired, and are nobody until they send another one."""
    with Emulator(tmp_path) as emulator:
        auth = Service(f"127.0.0.1:{emulator.ports['auth']}", PROJECT)
        user = auth.sign_up("sarah@example.com")
        rest = Rest(NAME, emulator.host)
        rest.put("", {"mine": 1, "open": 2})
        rest.set_rules({"mine": {".read": "auth != null"}, "open": {".read": True}})
        bearer = {"Authorization": f"Bearer {user['idToken']}"}
        with Socket(NAME, emulator.host, token=None) as client, Socket(NAME, emulator.host) as administrator, Events(
            rest, "mine", bearer
        ) as mine, Events(rest, "mine") as owners, Events(rest, "open", {}) as nobodys:
            client.must("auth", cred=user["idToken"])
            client.must("q", p="/mine", h="")
            client.must("q", p="/open", h="")
            client.take()
            for events in (mine, owners, nobodys):
                assert events.next()[0] == "put"
            auth.emulator("POST", "idTokens:expire").expect()
            assert mine.next() == ("auth_revoked", "credential is no longer valid") and mine.next() is None
            expired, cancelled = [client.receive()["d"] for _ in range(2)]
            assert (expired["a"], expired["b"]["s"]) == ("ac", "expired_token")
            assert (cancelled["a"], cancelled["b"]["p"]) == ("c", "mine")
            assert client.ask("auth", cred=user["idToken"])[0] == "expired_token"
            rest.put("", {"mine": 3, "open": 4})
            assert client.take() == [("d", {"p": "open", "d": 4})]
            assert [events.next()[1]["data"] for events in (owners, nobodys)] == [3, 4]
            assert administrator.take() == []
            fresh = auth.refresh(grant_type="refresh_token", refresh_token=user["refreshToken"]).body["id_token"]
            client.must("auth", cred=fresh)
            client.must("q", p="/mine", h="")
            assert client.take() == [("d", {"p": "mine", "d": 3})]


@pytest.mark.parametrize("form", ["ndjson", "google"])
def test_an_export_has_all_databases(tmp_path, form):
    data = {"a": {".value": "é", ".priority": 1}, "list": {"0": 1, "1": 2}, "deep": {"x": {"y": True}}}
    export = str(tmp_path / "export")
    (tmp_path / "firebase.json").write_text("{}")
    with Emulator(tmp_path) as emulator:
        for name in (NAME, "other"):
            Rest(name, emulator.host).put("", data)
        assert "2 Realtime Databases" in emulator.command("export", "--format", form, export)
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


@pytest.mark.parametrize("content, error", [("{", "JSON"), ('{"a.b": 1}', "the key"), ('"\\ud800"', "surrogate|JSON|UTF")])
def test_a_damaged_export_is_refused(tmp_path, content, error):
    folder = tmp_path / "export/database_export"
    folder.mkdir(parents=True)
    (folder / "x.json").write_text(content)
    metadata = {"version": "1", "database": {"version": "1", "path": "database_export"}}
    (tmp_path / "export/firebase-export-metadata.json").write_text(json.dumps(metadata))
    with pytest.raises(RuntimeError, match=error) as refused:
        start(*OPTIONS, "--import", str(tmp_path / "export"), folder=tmp_path)
    assert "x.json" in str(refused.value)
