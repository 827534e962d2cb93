"""An emulator of a test's own, with a folder of data; with functions, if it is given some."""

import json
import shutil
import subprocess
import urllib.request


def start(*options):
    """The process of `emulator start` and its services' ports, once they accept."""
    # `exec` has put its own folder first.
    program = shutil.which("emulator")
    assert program, "run it under `emulator exec`"
    process = subprocess.Popen(
        [program, "start", *options, "--ready-file", "/dev/stdout"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stdout:
        if line.startswith("{"):
            return process, {name: each["port"] for name, each in json.loads(line).items()}
    raise RuntimeError(process.communicate()[1])


class Emulator:
    # Those that a test has started: conftest.py ends what it leaves running.
    all = []

    def __init__(self, folder, functions=None, options=()):
        only = "firestore,functions,ui" if functions else "firestore,ui"
        ports = [f"--{service}-port=0" for service in ("firestore", "functions", "ui")]
        options = ["--only", only, *ports, "--no-rules", "--data", str(folder), *options]
        if functions:
            options += ["--functions", str(functions)]
        self.process, ports = start(*options)
        self.all.append(self)
        self.address = f"127.0.0.1:{ports['firestore']}"
        self.ui = f"http://127.0.0.1:{ports['ui']}"

    def ask(self, path):
        """What the UI's port answers."""
        with urllib.request.urlopen(self.ui + path) as answer:
            return json.load(answer)

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def end(self):
        self.process.terminate()
        self.process.communicate()
        assert self.process.returncode == 0
