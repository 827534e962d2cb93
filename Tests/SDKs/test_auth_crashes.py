"""Accounts in a data folder through kill -9: each answered change is there, and none is half there.

`make soak` kills two hundred times. This test kills some twenty times.
"""

import http.client
import os
import random
import threading
import urllib.error

from auth.service import NEW_PASSWORD, OWNER, PASSWORD, TOKENS, TOOLKIT, Service
from firestore.emulator import start

KILLS = int(os.environ.get("AUTH_KILLS", "20"))
CLIENTS = 4
# The longest life of an emulator, counted from the first answered sign-up.
LONGEST_LIFE_SECONDS = 0.25
PROJECT = "demo-auth-crashes"
# What a request to a killed emulator raises.
BROKEN = (urllib.error.URLError, http.client.HTTPException, ConnectionError)


class Emulator:
    def __init__(self, folder, project=PROJECT):
        ports = ["--auth-port=0", "--firestore-port=0"]
        options = ["--project", project, "--only", "auth,firestore", *ports, "--no-rules"]
        self.process, ports = start(*options, "--data", str(folder))
        self.auth = Service(f"127.0.0.1:{ports['auth']}", project)

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def accounts(self):
        path = f"{TOOLKIT}/projects/{self.auth.project}/accounts:batchGet?maxResults=-1"
        users = self.auth.ask("GET", path, None, OWNER).body["users"]
        return {each["localId"]: each for each in users}


class Client:
    """Signs people up, gives each a name, a new password and custom claims, and deletes some."""

    def __init__(self, auth, prefix):
        self.auth = auth
        self.prefix = prefix
        # The last answered state of each person, by user ID, and the people who are being changed.
        self.answered = {}
        self.deleted = set()
        self.began = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            for number in range(10**6):
                self.live(f"{self.prefix}-{number}@example.com", number)
        except BROKEN:
            pass
        finally:
            # Nobody may wait for a client that never got an answer.
            self.began.set()

    def live(self, email, number):
        user = self.auth.sign_up(email)
        uid = user["localId"]
        self.answered[uid] = {"email": email, "step": 1}
        self.began.set()
        changes = {"displayName": email, "password": NEW_PASSWORD}
        assert self.auth.user("update", idToken=user["idToken"], **changes).status == 200
        self.answered[uid]["step"] = 2
        claims = {"customAttributes": '{"n":1}', "phoneNumber": f"+{uid}"}
        assert self.auth.admin("/accounts:update", localId=uid, **claims).status == 200
        self.answered[uid]["step"] = 3
        if number % 4 == 0:
            self.answered[uid]["step"] = 4
            assert self.auth.admin("/accounts:delete", localId=uid).status == 200
            self.deleted.add(uid)


def step(account):
    """Returns how many of a person's changes an account has. A change is whole or missing."""
    steps = [
        {"passwordHash": f"fakeHash:salt={account.get('salt')}:password={PASSWORD}"},
        {
            "passwordHash": f"fakeHash:salt={account.get('salt')}:password={NEW_PASSWORD}",
            "displayName": account["email"],
        },
        {"customAttributes": '{"n":1}', "phoneNumber": f"+{account['localId']}"},
    ]
    expected = {"displayName": None, "customAttributes": None, "phoneNumber": None}
    for number, changes in enumerate(steps, 1):
        expected.update(changes)
        if all(account.get(name) == value for name, value in expected.items()):
            return number
    raise AssertionError(f"half a change: {account}")


def test_kill_9(tmp_path):
    dice, expected, total = random.Random(1), {}, 0
    emulator = Emulator(tmp_path / "data")
    for number in range(KILLS):
        clients = [Client(emulator.auth, f"{number}-{each}") for each in range(CLIENTS)]
        clients[0].began.wait()
        threading.Event().wait(dice.random() * LONGEST_LIFE_SECONDS)
        emulator.kill()
        for client in clients:
            client.thread.join()

        emulator = Emulator(tmp_path / "data")
        accounts = emulator.accounts()
        for uid, account in expected.items():
            assert accounts.get(uid) == account, f"an old account, kill {number}"
        for client in clients:
            for uid in client.deleted:
                assert uid not in accounts, f"came back, kill {number}"
            for uid, answered in client.answered.items():
                if uid in client.deleted or (answered["step"] == 4 and uid not in accounts):
                    continue
                total += 1
                assert uid in accounts, f"lost {answered}, kill {number}"
                assert accounts[uid]["email"] == answered["email"]
                found = step(accounts[uid])
                assert min(answered["step"], 3) <= found, f"lost a change, kill {number}"
        for account in accounts.values():
            step(account)
        # The indexes have the accounts: everybody can sign in with the password of their step.
        for account in dice.sample(list(accounts.values()), min(5, len(accounts))):
            password = NEW_PASSWORD if step(account) > 1 else PASSWORD
            answer = emulator.auth.sign_in(account["email"], password)
            assert TOKENS <= set(answer.body), answer.body
        expected = emulator.accounts()
    emulator.kill()
    assert total > KILLS


def test_settings_and_deletions_are_kept(tmp_path):
    on = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
    emulator = Emulator(tmp_path / "data")
    user = emulator.auth.sign_up()
    emulator.auth.emulator("PATCH", "config", on)
    emulator.kill()
    emulator = Emulator(tmp_path / "data")
    assert emulator.auth.emulator("GET", "config").body["emailPrivacyConfig"] == on["emailPrivacyConfig"]
    assert set(emulator.accounts()) == {user["localId"]}
    emulator.auth.emulator("DELETE", "accounts")
    emulator.kill()
    emulator = Emulator(tmp_path / "data")
    assert emulator.accounts() == {}
    emulator.kill()


def test_a_folder_keeps_projects_apart(tmp_path):
    for project in ("demo-one", "demo-two"):
        emulator = Emulator(tmp_path / "data", project)
        assert emulator.accounts() == {}
        emulator.auth.sign_up("sarah@example.com")
        emulator.kill()
    emulator = Emulator(tmp_path / "data", "demo-two")
    emulator.auth.emulator("DELETE", "accounts")
    emulator.kill()
    emulator = Emulator(tmp_path / "data", "demo-one")
    assert len(emulator.accounts()) == 1
    emulator.kill()
