"""An emulator for one test, optionally with a data folder or functions."""

import json
import os
import re
import shutil
import subprocess
import urllib.request

from firestore.signed_in import rules_options


def outside():
    """Returns the variables of a shell that doesn't know of the emulator around the tests."""
    hidden = re.compile(r"_HOST$|_HUB$|_BASE_URL$|_KEY$|^GOOGLE_|^GCLOUD_|^FIREBASE")
    return {name: value for name, value in os.environ.items() if not hidden.search(name)}


def start(*options, environment=None, folder=None):
    """Starts `emulator start` in a folder, by default this process's, and returns the process and its
    services' ports once they accept connections. The lines before are in the process's `printed`."""
    # `exec` has put its own folder first.
    program = shutil.which("emulator")
    assert program, "run it under `emulator exec`"
    process = subprocess.Popen(
        [program, "start", *options, "--ready-file", "/dev/stdout"],
        env={**os.environ, **(environment or {})},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.printed = []
    for line in process.stdout:
        process.printed.append(line)
        if line.startswith("{"):
            return process, {name: each["port"] for name, each in json.loads(line).items()}
    raise RuntimeError(process.communicate()[1])


class Emulator:
    # The emulators that a test has started. conftest.py ends those that it leaves running.
    all = []

    def __init__(self, folder=None, functions=None, options=(), environment=None):
        only = "firestore,functions,ui" if functions else "firestore,ui"
        ports = [f"--{service}-port=0" for service in ("firestore", "functions", "ui")]
        options = ["--only", only, *ports, *rules_options(), *options]
        if functions:
            options += ["--functions", str(functions)]
        if folder:
            options += ["--data", str(folder)]
        self.process, services = start(*options, environment=environment)
        self.all.append(self)
        self.address = f"127.0.0.1:{services['firestore']}"
        self.services = {name: f"http://127.0.0.1:{port}" for name, port in services.items()}

    def ask(self, path, service="ui"):
        """Returns a service's JSON answer."""
        return self.send("GET", path, service)

    def send(self, method, path, service="ui", body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.services[service] + path, data, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or b"null")

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def end(self):
        self.process.terminate()
        self.process.communicate()
        assert self.process.returncode == 0
