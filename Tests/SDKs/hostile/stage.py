"""The targets of hostile inputs, and the limit of an input's cost."""

import contextlib
import http.client
import json
import os
import shutil
import subprocess
import time

from conformance.servers import Server, end, logged_port
from firestore.values import fields
from hostile import inputs

PROJECT = "demo-hostile"
ENVIRONMENT = os.environ | {"GOOGLE_CLOUD_PROJECT": PROJECT, "GCLOUD_PROJECT": PROJECT}
# The limits of CPU time: five times what an input needs in a debug build on a busy machine.
SECONDS_PER_INPUT = 0.5
SECONDS_PER_MEBIBYTE = 4.0
# The exit codes of the contract except 70, which is a fault of ours.
EXIT_CODES = {0, 65, 75, 77, 78}


class Meter:
    """The CPU time of a process."""

    def __init__(self, process):
        # Linux's id for the CPU clock of another process.
        self.clock = (~process.pid << 3) | 2
        self.spent()

    def spent(self):
        """Returns the seconds since the last call."""
        before = getattr(self, "used", 0)
        self.used = time.clock_gettime(self.clock)
        return self.used - before

    def check(self, data):
        """Checks that an input cost no more than its length allows."""
        spent = self.spent()
        allowed = SECONDS_PER_INPUT + SECONDS_PER_MEBIBYTE * len(data) / inputs.MEBIBYTE
        assert spent <= allowed, (spent, len(data), data[:300])


class Worker:
    """A function that answers one input after the other."""

    def __init__(self, function):
        self.function = function
        self.process = subprocess.Popen(
            [shutil.which(function), "--worker"],
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert json.loads(self.process.stdout.readline())["ready"] is True

    def ask(self, data):
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, (self.process.wait(), data[:300])
        answer = json.loads(line)
        assert answer["contract"] == 1 and answer["function"] == self.function
        assert answer["exitCode"] in EXIT_CODES, (answer, data[:2_000])


@contextlib.contextmanager
def running(function):
    """Runs a function as a worker, and checks that it ends with code 0."""
    worker = Worker(function)
    with worker.process as process:
        try:
            yield worker
            process.stdin.close()
            assert process.wait() == 0
        finally:
            process.kill()


@contextlib.contextmanager
def served(signature):
    """Runs `serve` with a function, for one kind of request or both, and checks that it still works
    at the end."""
    signatures = {"FUNCTION_SIGNATURE_TYPE": signature} if signature else {}
    command = [shutil.which("serve"), shutil.which("translateMessage")]
    variables = ENVIRONMENT | signatures | {"PORT": "0", "ANONYMOUS_CALLS": "refuse"}
    server = Server(command, variables, logged_port)
    try:
        yield server
        assert server.ask("GET", "/healthz").status == 200
    finally:
        codes = end([server])
    assert set(codes) <= {0}


def firestore(method, path, body=None):
    """Sends a request to the emulator as its administrator."""
    connection = http.client.HTTPConnection(os.environ["FIRESTORE_EMULATOR_HOST"])
    data = None if body is None else json.dumps(body).encode("utf-8", "surrogatepass")
    path = f"/v1/projects/{PROJECT}/databases/(default)/documents{path}"
    connection.request(method, path, data, {"Authorization": "Bearer owner"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def scene(dice):
    """Writes a conversation with odd documents, which some of the inputs are about."""
    members = {"sarah": "en", "marco": "it"}

    def write(path, members):
        return firestore("PATCH", path, {"fields": fields(members)}) == 200

    for uid, language in members.items():
        assert write(f"/users/{uid}", {"primaryLanguage": language})
    assert write("/conversations/c", {"participants": sorted(members)})
    stored = 0
    for number in range(30):
        message = inputs.spoiled(dice, inputs.FIELDS)
        stored += write(f"/conversations/c/messages/m{number or ''}", message)
    profile = {"primaryLanguage": "it", "displayName": "M", "fcmTokens": ["t"]}
    for uid in members:
        stored += write(f"/users/{uid}", inputs.spoiled(dice, profile))
    assert stored > 5
