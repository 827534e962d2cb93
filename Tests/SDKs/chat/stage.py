"""An emulator with the functions and WorldChat's rules, and access to documents, pushes, calls and
deliveries."""

import contextlib
import json
import os
import pathlib
import shutil
import tempfile
import urllib.error
import urllib.request
from unittest import mock

from firestore.emulator import Emulator
from firestore.tokens import unsigned
from firestore.wire import Server
from google.cloud import firestore
from realtime.service import Rest

PROJECT = "demo-chat"
ROOT = pathlib.Path(__file__).parents[3]
FUNCTIONS = (
    "translateMessage",
    "sendNotification",
    "analyzeMessage",
    "smartReplies",
    "askAI",
    "forgetUser",
    "trackOpen",
    "mirrorPresence",
    "mirrorMembership",
)
SERVER_TIME = firestore.SERVER_TIMESTAMP
QUIET_SECONDS = 120


class Refused(Exception):
    """The error of a callable function."""

    def __init__(self, http_status, error):
        super().__init__(f"{error['status']}: {error['message']}")
        self.http_status = http_status
        self.status = error["status"]


@contextlib.contextmanager
def playing(*functions, options=(), scripts={}, environment=None, services=None):
    """Runs a stage with the named functions of ours, and with scripts by their names. Without names
    it has all functions.

    With `services` the emulator runs no function: it delivers events to the services, and callers
    call them."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in functions or FUNCTIONS:
            program = shutil.which(name)
            assert program, f"{name} is not built"
            (folder / name).symlink_to(program)
        for name, script in scripts.items():
            (folder / name).write_text(script)
            (folder / name).chmod(0o755)
        ports = ["--only", "firestore,auth,database,functions,ui,hub"]
        ports += ["--auth-port=0", "--database-port=0", "--hub-port=0"]
        rules = ["--rules", str(ROOT / "firestore.rules"), "--indexes", str(ROOT / "firestore.indexes.json")]
        options = ["--project", PROJECT, *ports, *rules, *options, *(services.options if services else ())]
        emulator = Emulator(functions=folder, options=options, environment=environment)
        stage = Stage(emulator, services)
        try:
            with services.running(emulator, PROJECT) if services else contextlib.nullcontext():
                yield stage
        except BaseException:
            emulator.kill()
            raise
        finally:
            stage.close()
        emulator.end()


class Stage:
    def __init__(self, emulator, services=None):
        self.emulator = emulator
        self.services = services
        self.clients = []
        # A client of servers and administrators, not of a device.
        self.server = self.device()
        # The Realtime Database, for an administrator.
        self.tree = Rest(f"{PROJECT}-default-rtdb", emulator.services["database"].removeprefix("http://"))

    def device(self, uid=None):
        """Returns a user's client with a separate connection; without a user, an administrator's."""
        # The client reads the variable when it is created.
        with mock.patch.dict(os.environ, FIRESTORE_EMULATOR_HOST=self.emulator.address):
            client = firestore.Client(project=PROJECT)
        if uid is not None:
            # The client itself sends the owner's token to emulators.
            client._rpc_metadata_internal = [
                ("google-cloud-resource-prefix", client._database_string),
                ("authorization", f"Bearer {token(uid)}"),
            ]
        self.clients.append(client)
        return client

    def close(self):
        for client in self.clients:
            client.close()

    def clear(self):
        """Removes all documents and pushes."""
        server = Server(self.emulator.address)
        server.clear(f"projects/{PROJECT}/databases/(default)")
        server.close()
        self.emulator.send("DELETE", "/providers/fcm/inbox", "functions")

    def join(self, uid, language, *phones, **profile):
        """Writes a user with a profile and phones, and returns a client for a device of theirs."""
        device = self.device(uid)
        name = {"displayName": uid.capitalize(), "primaryLanguage": language}
        device.document("users", uid).set(name | profile)
        for phone in phones:
            device.document("users", uid, "devices", phone).set({"fcmToken": phone})
        return device

    def meet(self, conversation, *participants, **more):
        """Writes a conversation, which is a group if it has a name."""
        kind = "group" if "name" in more else "one-on-one"
        document = {"type": kind, "participants": list(participants), "createdAt": SERVER_TIME}
        self.server.document("conversations", conversation).set(document | more)

    def allow(self, **limits):
        """Raises the limits, because one user of a load test writes the messages of many."""
        most = {"perUserPerMinute": 1_000_000, "perUserPerDay": 1_000_000}
        limits = {function: most for function in ("translateMessage", "analyzeMessage")} | limits
        self.server.document("config/functions").set(limits)

    @contextlib.contextmanager
    def unnoticed(self):
        """Switches the triggers off for the block, so that its writes never trigger a function.

        Waits for running functions first: the events of their writes would be lost, too."""
        self.quiet()
        self.emulator.send("PUT", "/functions/disableBackgroundTriggers", "hub")
        yield
        self.emulator.send("PUT", "/functions/enableBackgroundTriggers", "hub")

    # MARK: Results

    def quiet(self):
        """Waits until all deliveries have ended, and checks that there is no dead letter."""
        answer = self.emulator.ask(f"/api/quiet?timeoutSeconds={QUIET_SECONDS}")
        assert answer == {"quiet": True}
        assert self.deliveries(state="deadLettered") == []

    def deliveries(self, **filters):
        query = "&".join(f"{name}={value}" for name, value in filters.items())
        return self.emulator.ask(f"/api/events?{query}")

    def usage(self):
        """Returns the requests to the providers' fakes."""
        return self.emulator.ask("/providers/usage", "functions")

    def paid(self):
        """Returns the number of the translator's answers and of the characters billed."""
        usage = self.usage()
        return (
            usage["requests"].get("translation", {}).get("200", 0),
            usage["translatedCharacters"],
        )

    def pushes(self, phone):
        """Returns a phone's pushes, oldest first."""
        inbox = self.emulator.ask("/providers/fcm/inbox", "functions")["messages"]
        return [push["message"] for push in inbox if push["token"] == phone]

    def alerts(self, phone):
        """Returns a phone's visible pushes."""
        return [push for push in self.pushes(phone) if "notification" in push]

    def badge(self, phone):
        """Returns the number at a phone's icon, which is that of the phone's last push."""
        numbers = [
            push.get("apns", {}).get("payload", {}).get("aps", {}).get("badge")
            for push in self.pushes(phone)
        ]
        return next((number for number in reversed(numbers) if number is not None), 0)

    def call(self, function, uid=None, /, **data):
        """Returns a function's result by the callable protocol; raises `Refused`."""
        return self.call_with(None if uid is None else token(uid), function, **data)

    def call_with(self, id_token, function, /, **data):
        """Calls a function with the token of a user who has signed in."""
        headers = {"Content-Type": "application/json"}
        if id_token is not None:
            headers["Authorization"] = f"Bearer {id_token}"
        here = f"{self.emulator.services['functions']}/{PROJECT}/us-central1/{function}"
        request = urllib.request.Request(
            self.services.address(function) if self.services else here,
            json.dumps({"data": data}).encode(),
            headers,
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return json.loads(answer.read())["result"]
        except urllib.error.HTTPError as error:
            raise Refused(error.code, json.loads(error.read())["error"]) from error


def token(uid):
    return unsigned(uid, PROJECT)


def messages(client, conversation="trip"):
    return client.collection("conversations", conversation, "messages")


def message(sender, text, language=None, **more):
    """Returns a message as a client writes it."""
    document = {"senderId": sender, "text": text, "timestamp": SERVER_TIME, "readBy": []}
    if language:
        document |= {"language": language, "languageSource": "client"}
    return document | more
