"""Emulators as processes: ours, Google's, and the echo server; their start times and memory."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests/SDKs"))

from firestore import peer  # noqa: E402
from firestore.wire import Server  # noqa: E402

RELEASE = REPOSITORY / ".build/release"


class Emulator:
    """A running emulator. `started` is the seconds from its start to its first answer."""

    def __init__(self, name, command, port):
        self.name = name
        self.address = f"127.0.0.1:{port}"
        began = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while not peer.answers(port):
            if self.process.poll() is not None or time.perf_counter() - began > 60:
                self.process.kill()
                raise RuntimeError(f"{name} does not start: {' '.join(command)}")
            time.sleep(0.001)
        self.started = time.perf_counter() - began
        self.server = Server(self.address)

    def memory(self):
        """Returns its resident memory in MB."""
        command = ["ps", "-o", "rss=", "-p", str(self.process.pid)]
        return int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout) / 1024

    def kill(self):
        self.server.close()
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.server.close()
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def ours(folder, *options, only="firestore"):
    """Starts our emulator from a build folder. `only` names its services; the default is Firestore
    alone."""
    port = peer.free_port()
    command = [f"{folder}/emulator", "start", "--only", only, "--firestore-port", str(port)]
    return Emulator("ours", [*command, *options], port)


def google(*options):
    """Starts Google's emulator, or returns None if it is missing."""
    jar = peer.find_jar()
    if jar is None:
        return None
    port = peer.free_port()
    return Emulator("Google's", [*peer.command(jar, port), *options], port)


def fetch(url, method="GET", body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")


class Chat:
    """Our emulator with the two functions that handle a message."""

    project = "demo-load"
    documents = f"projects/{project}/databases/(default)/documents"

    def __init__(self, build, *options):
        self.folder = tempfile.TemporaryDirectory()
        for name in ("translateMessage", "sendNotification"):
            os.symlink(f"{build}/{name}", f"{self.folder.name}/{name}")
        ready = f"{self.folder.name}/ready"
        self.side = ours(
            build,
            *("--project", self.project, "--functions", self.folder.name, "--ready-file", ready),
            *("--functions-port=0", "--ui-port=0", *options),
            only="firestore,functions,ui",
        )
        while not os.path.exists(ready):
            time.sleep(0.01)
        services = json.loads(pathlib.Path(ready).read_text())
        self.ui, self.functions = (
            f"http://127.0.0.1:{services[name]['port']}" for name in ("ui", "functions")
        )

    def write(self, path, fields, *transforms):
        update = {"name": f"{self.documents}/{path}", "fields": fields}
        writes = [{"update": update, "updateTransforms": list(transforms)}]
        database = self.documents.removesuffix("/documents")
        answer = self.side.server.ask("Commit", {"database": database, "writes": writes})
        assert isinstance(answer, list), answer

    def processes(self):
        """Returns the process ids of the emulator and of its children."""
        pid = self.side.process.pid
        # A child is listed with the thread that started it.
        children = [
            int(child)
            for listed in pathlib.Path(f"/proc/{pid}/task").glob("*/children")
            for child in listed.read_text().split()
        ]
        return [pid, *children]

    def stop(self):
        self.side.stop()
        self.folder.cleanup()


@contextlib.contextmanager
def echo(folder):
    """Yields the address of the echo server: our gRPC layer with nothing behind it."""
    # The echo server ends when its stdin is closed.
    process = subprocess.Popen([f"{folder}/echoServer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield f"127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.stdin.close()
        process.wait(timeout=20)
