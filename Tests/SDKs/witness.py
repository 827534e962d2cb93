"""Emulators with functions that write down the events that they get."""

import json
import os
import subprocess
import urllib.request

from firestore.emulator import start

# A function that writes its events into a file beside it. Some it answers with a request for a retry.
WITNESS = """#!/usr/bin/env python3
import json, os, random, sys
name = os.path.basename(__file__)
if sys.argv[1:] == ["--describe"]:
    print(json.dumps({"contract": 1, "name": name, "worker": True, "triggers": %s}))
    sys.exit()
print(json.dumps({"contract": 1, "function": name, "ready": True}), flush=True)
book = os.open(__file__ + ".book", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
for line in sys.stdin:
    event = json.loads(line)["event"]
    if random.random() < %s:
        error = {"code": "UNAVAILABLE", "message": "not now"}
        print(json.dumps({"status": "error", "exitCode": 75, "error": error}), flush=True)
        continue
    os.write(book, (json.dumps(event) + "\\n").encode())
    print(json.dumps({"status": "ok", "exitCode": 0}), flush=True)
"""


def write_script(folder, name, text):
    """Writes an executable file into the folder of functions."""
    (folder / "functions").mkdir(exist_ok=True)
    file = folder / "functions" / name
    file.write_text(text)
    file.chmod(0o755)


class WitnessedEmulator:
    """An emulator with a function for each pair of a name and triggers."""

    def __init__(self, folder, project, services, functions=(), *options, failures=0):
        self.folder, self.project = folder, project
        (folder / "functions").mkdir(exist_ok=True)
        for name, triggers in functions:
            write_script(folder, name, WITNESS % (json.dumps(triggers), failures))
        ports = [f"--{service}-port=0" for service in services]
        self.process, self.ports = start(
            "--project", project, "--functions", str(folder / "functions"), *ports, *options, folder=folder
        )

    def host(self, service):
        return f"127.0.0.1:{self.ports[service]}"

    def api(self, path):
        with urllib.request.urlopen(f"http://{self.host('ui')}/api/{path}") as answer:
            return json.loads(answer.read())

    def post(self, path):
        urllib.request.urlopen(urllib.request.Request(f"http://{self.host('ui')}/api/{path}", b"", method="POST")).close()

    def wait(self):
        """Waits until all deliveries have ended."""
        assert self.api("quiet?timeoutSeconds=60") == {"quiet": True}

    def events(self, name):
        """Returns the events that a function got, after all deliveries have ended."""
        self.wait()
        book = self.folder / "functions" / f"{name}.book"
        return [json.loads(line) for line in book.read_text().splitlines()] if book.exists() else []

    def command(self, *arguments):
        environment = {**os.environ, "FIREBASE_EMULATOR_HUB": self.host("hub")}
        done = subprocess.run(["emulator", *arguments], env=environment, capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == 0, done
        return done.stdout

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()
