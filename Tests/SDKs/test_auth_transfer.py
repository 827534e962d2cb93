"""Accounts in exports of both formats, in folders as Firebase's tools write them, and in none."""

import contextlib
import json
import os
import subprocess

import pytest
from auth.service import OWNER, PASSWORD, Service, unique_phone
from firestore.emulator import start

PROJECT = "demo-auth-transfer"
PRIVACY = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
CONFIG = {"signIn": {"allowDuplicateEmails": False}, **PRIVACY}
VERSION = "13.29.1"


class Emulator:
    def __init__(self, *options):
        services = ("firestore", "auth", "hub")
        ports = [f"--{service}-port=0" for service in services]
        self.process, self.ports = start(
            "--project", PROJECT, "--only", ",".join(services), *ports, "--no-rules", *options
        )
        self.auth = Service(f"127.0.0.1:{self.ports['auth']}", PROJECT)

    def command(self, *arguments):
        """Runs `emulator` with a command, and returns its output, or raises its error."""
        environment = {**os.environ, "FIREBASE_EMULATOR_HUB": f"127.0.0.1:{self.ports['hub']}"}
        done = subprocess.run(
            ["emulator", *arguments, "--project", PROJECT],
            env=environment, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def accounts(self):
        listed = self.auth.ask("GET", f"/emulator/v1/projects/{PROJECT}/accounts", None, OWNER)
        return {each["localId"]: each for each in listed.body["users"]}

    def write(self, name):
        path = f"/v1/projects/{PROJECT}/databases/(default)/documents/users?documentId={name}"
        url = f"http://127.0.0.1:{self.ports['firestore']}{path}"
        assert self.auth.ask("POST", url, {"fields": {}}, OWNER).status == 200


@contextlib.contextmanager
def emulator(*options):
    running = Emulator(*options)
    try:
        yield running
    except BaseException:
        running.process.kill()
        raise
    finally:
        running.process.terminate()
        running.output = running.process.communicate()
    assert running.process.returncode == 0, running.output


def fill(running):
    """Creates an account of each kind, and returns the user with a password."""
    auth = running.auth
    user = auth.sign_up("sarah@example.com", displayName="Zoë 😀")
    google = {"providerId": "google.com", "rawId": "1", "email": "sarah@example.com"}
    auth.admin(
        "/accounts:update", localId=user["localId"], linkProviderUserInfo=google,
        phoneNumber=unique_phone(), photoUrl="http://x/y", customAttributes='{"role":"guide"}',
    )  # fmt: skip
    auth.user("signUp")
    auth.user("signInWithCustomToken", token='{"uid":"custom"}')
    auth.admin("/accounts", localId="李小龙/\u202e", disabled=True)
    auth.emulator("PATCH", "config", PRIVACY)
    assert len(running.accounts()) == 4
    return user


@pytest.mark.parametrize("form", ["ndjson", "google"])
def test_accounts_are_the_same_after_export_and_import(tmp_path, form):
    folder = tmp_path / "export"
    with emulator() as first:
        user = fill(first)
        first.write("sarah")
        before = first.accounts()
        said = first.command("export", str(folder), "--format", form)
        assert said == f"exported 1 documents of (default), 4 accounts to {folder}\n"
        # A second export replaces the first.
        first.command("export", str(folder), "--format", form)
    with emulator("--import", str(folder)) as second:
        assert second.accounts() == before
        assert second.auth.emulator("GET", "config").body == CONFIG
        signed_in = second.auth.sign_in("sarah@example.com").body
        assert signed_in["localId"] == user["localId"]
        # Tokens of before are still good.
        assert second.auth.user("lookup", idToken=user["idToken"]).status == 200


def test_an_export_has_the_layout_of_firebases_tools(tmp_path):
    folder = tmp_path / "export"
    with emulator("--export-on-exit", str(folder), "--export-format", "google") as running:
        fill(running)
        accounts = running.accounts()
    metadata = json.loads((folder / "firebase-export-metadata.json").read_text())
    assert metadata["auth"] == {"version": metadata["version"], "path": "auth_export"}
    assert metadata["firestore"]["path"] == "firestore_export"
    assert sorted(each.name for each in (folder / "auth_export").iterdir()) == [
        "accounts.json", "config.json"
    ]  # fmt: skip
    written = json.loads((folder / "auth_export/accounts.json").read_text())
    assert written["kind"] == "identitytoolkit#DownloadAccountResponse"
    assert {each["localId"]: each for each in written["users"]} == accounts
    assert json.loads((folder / "auth_export/config.json").read_text()) == CONFIG


def firebase_export(folder, users, config=CONFIG):
    """Writes an export as Firebase's tools do: other versions, and spaces in the JSON."""
    (folder / "auth_export").mkdir(parents=True)
    metadata = {"version": VERSION, "auth": {"version": VERSION, "path": "auth_export"}}
    (folder / "firebase-export-metadata.json").write_text(json.dumps(metadata, indent=2))
    accounts = {"kind": "identitytoolkit#DownloadAccountResponse", "users": users}
    (folder / "auth_export/accounts.json").write_text(json.dumps(accounts, indent=2))
    if config is not None:
        (folder / "auth_export/config.json").write_text(json.dumps(config, indent=2))


def firebase_user(**changes):
    """Returns an account as Firebase's emulator exports it."""
    salt = "fakeSaltXj0eVmFqkPl2tq8yTn3a"
    return {
        "localId": "W4rGmBvNqkXoZyT1pLsUeHcJdQf2",
        "createdAt": "1764072000000",
        "lastLoginAt": "1764072000001",
        "displayName": "Sarah",
        "passwordHash": f"fakeHash:salt={salt}:password={PASSWORD}",
        "salt": salt,
        "passwordUpdatedAt": 1764072000002,
        "validSince": "1764072000",
        "email": "sarah@example.com",
        "emailVerified": False,
        "disabled": False,
        "lastRefreshAt": "2025-11-25T12:00:00.003Z",
        "providerUserInfo": [
            {
                "providerId": "password",
                "email": "sarah@example.com",
                "federatedId": "sarah@example.com",
                "rawId": "sarah@example.com",
                "displayName": "Sarah",
            },
            {"providerId": "google.com", "rawId": "1", "email": "sarah@example.com"},
        ],
        **changes,
    }


def test_an_export_of_firebases_tools_is_imported(tmp_path):
    users = [firebase_user(), {"localId": "anonymous", "createdAt": "1764072000000", "mfaInfo": []}]
    firebase_export(tmp_path / "theirs", users)
    with emulator() as running:
        said = running.command("import", str(tmp_path / "theirs"))
        assert said == "imported 2 accounts\n"
        assert running.accounts()[users[0]["localId"]] == users[0]
        assert running.auth.emulator("GET", "config").body == CONFIG
        assert running.auth.sign_in("sarah@example.com").body["localId"] == users[0]["localId"]
        # Importing again replaces the accounts, and leaves others.
        running.auth.user("signUp")
        running.command("import", str(tmp_path / "theirs"))
        assert len(running.accounts()) == 3


@pytest.mark.parametrize(
    "spoil, message",
    [
        (lambda part: (part / "accounts.json").write_text('{"users":[{'), "is not a JSON object, or is cut off"),
        (lambda part: (part / "accounts.json").write_text("{}"), "has no array `users`"),
        (lambda part: (part / "accounts.json").write_text('{"users":[{},7]}'), "users[0]: localId is missing"),
        (lambda part: (part / "accounts.json").write_text('{"users":[{"localId":[]}]}'), "users[0]: "),
        (lambda part: (part / "accounts.json").unlink(), "accounts.json can't be read"),
        (lambda part: (part / "config.json").write_text("[]"), "config.json is not a JSON object"),
        (lambda part: (part / "config.json").write_text('{"signIn":[]}'), "config.json: Invalid JSON payload received. /signIn must be object"),
        (lambda part: (part / "accounts.json").write_text('{"users":[{"localId":"u","email":"sarah"}]}'), "users[0]: email is invalid"),
        (lambda part: (part / "accounts.json").write_text('{"users":[{"localId":"u","customAttributes":"{"}]}'), "users[0]: Invalid custom claims provided."),
        (lambda part: (part / "accounts.json").write_text('{"users":[{"localId":"u","mfaInfo":[{"phoneInfo":"+1"}]}]}'), "mfaInfo and tenantId are not implemented"),
    ],
)  # fmt: skip
def test_of_a_damaged_export_nothing_is_imported(tmp_path, spoil, message):
    firebase_export(tmp_path / "theirs", [firebase_user()])
    spoil(tmp_path / "theirs/auth_export")
    with emulator() as running:
        with pytest.raises(RuntimeError) as refused:
            running.command("import", str(tmp_path / "theirs"))
        assert message in str(refused.value)
        assert running.accounts() == {}


def test_an_account_whose_address_somebody_else_has_is_left_out(tmp_path):
    theirs = tmp_path / "theirs"
    firebase_export(theirs, [firebase_user(), firebase_user(localId="second", email="b@example.com")])
    with emulator("--data", str(tmp_path / "data"), "--import", str(theirs)) as running:
        auth = running.auth
        uid = auth.sign_in("sarah@example.com").body["localId"]
        auth.admin("/accounts:update", localId=uid, email="new@example.com", deleteProvider=["google.com"])
        other = auth.sign_up("sarah@example.com")
        said = running.command("import", str(theirs))
        reason = f'not imported, because other accounts have them: "{uid}"\'s email'
        assert said == f"imported 1 account ({reason})\n"
    # The next start imports again, and works.
    with emulator("--data", str(tmp_path / "data"), "--import", str(theirs)) as running:
        assert running.auth.sign_in("sarah@example.com").body["localId"] == other["localId"]
        assert running.auth.sign_in("new@example.com").body["localId"] == uid


def test_data_of_other_services_is_named_and_never_replaced(tmp_path):
    folder = tmp_path / "theirs"
    firebase_export(folder, [firebase_user()], config=None)
    metadata = json.loads((folder / "firebase-export-metadata.json").read_text())
    metadata["dataconnect"] = {"version": VERSION, "path": "dataconnect_export"}
    (folder / "firebase-export-metadata.json").write_text(json.dumps(metadata))
    (folder / "dataconnect_export").mkdir()
    with emulator() as running:
        said = running.command("import", str(folder))
        assert said == "imported 1 account; not imported, because not emulated yet: dataconnect\n"
        with pytest.raises(RuntimeError, match="dataconnect_export, which is not part of an export"):
            running.command("export", str(folder), "--format", "google")


def test_firebases_tools_choose_what_to_export(tmp_path):
    hub = "http://127.0.0.1:{hub}/_admin/export"
    with emulator() as running:
        fill(running)
        running.write("sarah")

        def export(name, targets):
            body = {"path": str(tmp_path / name), "targets": targets, "initiatedBy": "emulators:export"}
            return running.auth.ask("POST", hub.format(**running.ports), body)

        assert export("auth", ["auth"]).status == 200
        assert export("firestore", ["firestore"]).status == 200
        answer = export("other", ["auth", "dataconnect"])
        assert answer.status == 400 and '"dataconnect" can\'t be exported' in answer.body["error"]["message"]

    def services(name):
        return set(json.loads((tmp_path / name / "firebase-export-metadata.json").read_text()))

    assert services("auth") == {"version", "auth"}
    assert services("firestore") == {"version", "firestore"}
    assert not (tmp_path / "firestore/auth_export").exists()
    assert not (tmp_path / "other").exists()


def test_clear_leaves_accounts_unless_asked():
    with emulator() as running:
        running.auth.sign_up()
        running.write("sarah")
        running.command("clear")
        assert len(running.accounts()) == 1
        said = running.command("clear", "--auth")
        assert said.splitlines()[-1] == "deleted all accounts"
        assert running.accounts() == {}
