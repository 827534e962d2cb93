"""The tutorial, from its first command to its last, as a reader types it.

Only ports are replaced. A fence of the page has one of these kinds:

    sh               commands, which succeed; or the content of a file
    sh fails         commands, whose last one fails
    sh terminal      a command that goes on running, in the first terminal
    text             the output of the commands before it
    text terminal    lines that the first terminal prints, in this order
    diff             lines to replace in the file that is named before the fence
    others           the content of the file that is named before the fence

In output `…` stands for any text, or in a line of its own for any lines. Times, ids, durations and
addresses may differ.
"""

import json
import re
import subprocess
import threading
import urllib.request
from pathlib import Path

import pytest
from firestore.emulator import outside

PAGE = Path(__file__).parents[2] / "Functions/TUTORIAL.md"
FENCE = re.compile(r"(?:`([^`\n]+)`:\n\n)?^```([\w ]*)\n(.*?)^```", re.M | re.S)
ID = re.compile(r"\b(?=[A-Za-z]*\d)[A-Za-z0-9]{20}\b")
SERVICES = ("firestore", "auth", "database", "storage", "functions", "ui", "hub")
# What differs from run to run.
VARYING = [
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"),
    (r"\b\d\d:\d\d:\d\d\b", "TIME"),
    (r"\d+(\.\d+)? m?s\b", "DURATION"),
    (r"127\.0\.0\.1:\d+", "ADDRESS"),
    (ID.pattern, "ID"),
    (r"\bevent-ok-\w+\.json", "RECORDING"),
]
SECONDS = 30


def plain(text):
    for pattern, name in VARYING:
        text = re.sub(pattern, name, text)
    # Columns are as wide as their longest text.
    return re.sub(r" +", " ", text).rstrip()


def pattern(text):
    """Returns a regular expression for output that a page shows."""
    lines = [re.escape(plain(line)).replace("…", ".*") for line in text.splitlines()]
    return "\n".join("(?:.*\n)*.*" if line == ".*" else line for line in lines)


class Terminal:
    """The first terminal: a running emulator, and what it has printed."""

    def __init__(self, command, folder, variables):
        self.process = subprocess.Popen(
            ["bash", "-c", f"exec {command}"], cwd=folder, env=variables, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines, self.taken = [], 0
        self.printed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.printed:
                self.lines.append(line.rstrip("\n"))
                self.printed.notify_all()

    def wait(self, text):
        """Waits for lines in this order, with others between them."""
        for line in text.splitlines():
            if line and line != "…":
                self.next(re.compile(pattern(line)))

    def next(self, expected):
        def found():
            return next((number for number in range(self.taken, len(self.lines))
                         if expected.fullmatch(plain(self.lines[number]))), None)

        with self.printed:
            assert self.printed.wait_for(lambda: found() is not None, SECONDS), (
                f"{expected.pattern} isn't in\n" + "\n".join(self.lines[self.taken:]))
            self.taken = found() + 1

    @property
    def ports(self):
        """The real port of each one that the page names."""
        text = "\n".join(self.lines)
        names = {"8080": "Firestore", "4000": "UI"}
        return {port: re.search(rf"^ +{name} +(?:http://)?127\.0\.0\.1:(\d+)", text, re.M)[1]
                for port, name in names.items()}

    def quiet(self):
        url = f"http://127.0.0.1:{self.ports['4000']}/api/quiet?timeoutSeconds={SECONDS}"
        with urllib.request.urlopen(url) as response:
            assert json.load(response) == {"quiet": True}

    def end(self):
        self.process.terminate()
        self.process.wait()


class Reader:
    """A reader of the page, who types what it says."""

    def __init__(self, folder):
        self.folder = folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        # Commands find the emulator by a file in this folder.
        self.variables = {**outside(), "TMPDIR": str(self.temporary)}
        self.terminal = None
        self.output = ""
        # The real id of each one that the page shows.
        self.ids = {}

    def take(self, file, kind, text):
        if not kind.startswith("text"):
            text = self.here(text)
        match kind.split():
            case _ if file and kind != "diff":
                (self.folder / file).write_text(text)
            case ["sh"]:
                self.type(text)
            case ["sh", "fails"]:
                self.type(text, fails=True)
            case ["sh", "terminal"]:
                # The default ports may be taken.
                free = {"emulators": {name: {"port": 0} for name in SERVICES}}
                (self.folder / "firebase.json").write_text(json.dumps(free))
                self.terminal = Terminal(text.strip(), self.folder, self.variables)
            case ["text"]:
                shown = plain_lines(self.output)
                assert re.fullmatch(pattern(text), shown), f"expected:\n{text}\nprinted:\n{self.output}"
                self.ids |= zip(ID.findall(text), ID.findall(self.output))
            case ["text", "terminal"]:
                self.terminal.wait(text)
            case ["diff"]:
                self.change(self.folder / file, text)
            case _:
                pytest.fail(f"the page has a fence of an unknown kind: {kind}")

    def here(self, text):
        ports = self.terminal.ports if self.terminal else {}
        text = ID.sub(lambda found: self.ids.get(found[0], found[0]), text)
        return re.sub(r"127\.0\.0\.1:(\d+)", lambda found: f"127.0.0.1:{ports.get(found[1], found[1])}", text)

    def type(self, commands, fails=False):
        folder = self.temporary / "folder"
        done = subprocess.run(
            ["bash", "-c", f"set -eo pipefail\ntrap 'pwd > {folder}' EXIT\n{commands}"],
            cwd=self.folder, env=self.variables, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert (done.returncode != 0) == fails, f"{commands}{done.stdout}{done.stderr}"
        self.output = done.stdout
        if self.terminal:
            self.terminal.quiet()
        self.folder = Path(folder.read_text().strip())

    @staticmethod
    def change(path, diff):
        text = path.read_text()
        old, new = ("".join(f"{line[1:]}\n" for line in diff.splitlines() if line[0] == sign) for sign in "-+")
        assert text.count(old) == 1, old
        path.write_text(text.replace(old, new))


def plain_lines(text):
    return "\n".join(plain(line) for line in text.rstrip("\n").splitlines())


@pytest.fixture
def reader(tmp_path):
    reader = Reader(tmp_path)
    yield reader
    if reader.terminal:
        reader.terminal.end()


def test_every_step_of_the_tutorial(reader):
    for file, kind, text in FENCE.findall(PAGE.read_text()):
        reader.take(file, kind, text)
