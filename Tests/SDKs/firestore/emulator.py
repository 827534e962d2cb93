"""An emulator of a test's own, with a folder of data; with functions, if it is given some."""

import json
import shutil
import subprocess
import urllib.request


class Emulator:
    # Those that a test has started: conftest.py ends what it leaves running.
    all = []

    def __init__(self, folder, functions=None, options=()):
        # `exec` has put its own folder first.
        program = shutil.which("emulator")
        assert program, "run it under `emulator exec`"
        only = "firestore,functions,ui" if functions else "firestore"
        ports = [f"--{service}-port=0" for service in ("firestore", "functions", "ui")]
        options = ["--only", only, *ports, "--no-rules", *options]
        if functions:
            options += ["--functions", str(functions)]
        self.process = subprocess.Popen(
            [program, "start", *options, "--data", str(folder), "--ready-file", "/dev/stdout"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.all.append(self)
        for line in self.process.stdout:
            if line.startswith("{"):
                break
        else:
            raise RuntimeError(self.process.communicate()[1])
        services = json.loads(line)
        self.address = f"127.0.0.1:{services['firestore']['port']}"
        if functions:
            self.ui = f"http://127.0.0.1:{services['ui']['port']}"

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
