"""An emulator of a test's own, with a folder of data and nothing but Firestore."""

import json
import shutil
import subprocess


class Emulator:
    # Those that a test has started: conftest.py ends what it leaves running.
    all = []

    def __init__(self, folder):
        # `exec` has put its own folder first.
        program = shutil.which("emulator")
        assert program, "run it under `emulator exec`"
        options = ["--only", "firestore", "--firestore-port", "0", "--no-rules"]
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
        self.address = f"127.0.0.1:{json.loads(line)['firestore']['port']}"

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def end(self):
        self.process.terminate()
        self.process.communicate()
        assert self.process.returncode == 0
