"""The emulator's output on a terminal."""

import json
import os
import pty
import shutil
import subprocess
import urllib.request

import pytest

DESCRIPTION = json.dumps({
    "contract": 1,
    "name": "note",
    "triggers": [
        {"eventType": "google.cloud.firestore.document.v1.created", "document": "notes/{id}"}
    ],
})  # fmt: skip
FUNCTION = f"""#!/bin/sh
if [ "$1" = --describe ]; then echo '{DESCRIPTION}'; exit; fi
cat > /dev/null
echo '{{"status":"ok","exitCode":0}}'
"""


class Terminal:
    """A pseudo-terminal on which `emulator start` runs with a function for new notes."""

    def __init__(self, folder, environment):
        functions = folder / "functions"
        functions.mkdir()
        (functions / "note").write_text(FUNCTION)
        (functions / "note").chmod(0o755)
        self.ready = folder / "ready.json"
        ports = [f"--{service}-port=0" for service in ("firestore", "functions")]
        self.output, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [shutil.which("emulator"), "start", "--only", "firestore,functions", *ports,
             "--project", "demo-terminal", "--no-rules", "--functions", str(functions),
             "--ready-file", str(self.ready)],
            env={**os.environ, "TERM": "xterm", **environment},
            stdout=theirs,
        )  # fmt: skip
        os.close(theirs)
        self.text = ""

    def wait(self, text):
        """Waits until the terminal shows a text."""
        while text not in self.text:
            self.text += os.read(self.output, 1 << 16).decode()

    def write(self, name):
        port = json.loads(self.ready.read_text())["firestore"]["port"]
        path = "/v1/projects/demo-terminal/databases/(default)/documents/notes"
        url = f"http://127.0.0.1:{port}{path}?documentId={name}"
        urllib.request.urlopen(urllib.request.Request(url, b"{}", method="POST"))

    def close(self):
        self.process.terminate()
        assert self.process.wait() == 0
        os.close(self.output)


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_deliveries_have_colours_unless_the_environment_forbids_them(tmp_path, environment):
    terminal = Terminal(tmp_path, environment)
    try:
        terminal.wait("Running.")
        terminal.write("n1")
        terminal.wait("succeeded")
        terminal.wait(" ms")
        styled = "\x1b[32msucceeded\x1b[0m"
        assert (styled in terminal.text) == (not environment), terminal.text
        assert ("\x1b" in terminal.text) == (not environment), terminal.text
    finally:
        terminal.close()
