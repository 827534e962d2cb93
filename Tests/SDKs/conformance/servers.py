"""The two servers of the contract: functions-framework as Google runs it, and ours."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass

HERE = pathlib.Path(__file__).parent
LIMIT_SECONDS = 300


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class Server:
    """A running server, and the input that its function has received."""

    def __init__(self, command, environment, port):
        """Starts the server. `port` finds the port in a line of the log. A variable that is None is
        removed."""
        self.folder = tempfile.TemporaryDirectory()
        self.record = pathlib.Path(self.folder.name, "record")
        self.record.touch()
        variables = os.environ | {"PORT": "0", "RECORD": str(self.record)} | environment
        self.process = subprocess.Popen(
            command,
            env={name: value for name, value in variables.items() if value is not None},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.log = []
        for line in self.process.stderr:
            self.log.append(line)
            if found := port(line):
                self.port = int(found)
                break
        else:
            self.process.wait()
            raise RuntimeError("".join(self.log))
        self.reader = threading.Thread(target=self.log.extend, args=(self.process.stderr,))
        self.reader.start()

    def connect(self, timeout=LIMIT_SECONDS):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(
        self, method, target="/", body=None, headers={}, connection=None, timeout=LIMIT_SECONDS
    ):
        """Sends a request and returns the answer. Header values that are bytes are sent unchanged.
        """
        used = connection or self.connect(timeout)
        try:
            used.putrequest(method, target)
            if body is not None:
                used.putheader("Content-Length", str(len(body)))
            for name, value in headers.items():
                used.putheader(name, value)
            used.endheaders(body)
            response = used.getresponse()
            names = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, names, response.read())
        finally:
            if connection is None:
                used.close()

    def exchange(self, text):
        """Sends a text unchanged. Returns the answer, and whether the server then closed the
        connection."""
        with socket.create_connection(("127.0.0.1", self.port), LIMIT_SECONDS) as connection:
            connection.sendall(text.encode())
            response = http.client.HTTPResponse(connection)
            response.begin()
            names = {name.lower(): value for name, value in response.getheaders()}
            answer = Answer(response.status, names, response.read())
            try:
                connection.sendall(b"GET /robots.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return answer, not connection.recv(1)
            except ConnectionError:
                return answer, True

    def received(self):
        """Returns the function's input so far."""
        return [json.loads(line) for line in self.record.read_text().splitlines()]

    def end(self):
        """Terminates the server, which may finish its requests, and returns the exit code."""
        self.process.terminate()
        return self.ended()

    def ended(self):
        """Waits for the end and returns the exit code."""
        try:
            return self.process.wait(LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process.wait()
            self.reader.join()
            self.process.stderr.close()
            self.folder.cleanup()


def end(servers):
    """Terminates the servers in parallel, and returns their exit codes. Ends all other servers even
    if one doesn't end."""
    codes = []
    with contextlib.ExitStack() as stack:
        for server in servers:
            server.process.terminate()
            stack.callback(lambda server=server: codes.append(server.ended()))
    return codes


# For each signature: the value of FUNCTION_SIGNATURE_TYPE, and the name of the function in
# framework_function.py.
FRAMEWORK = {
    "http": ("http", "call"),
    "cloudevent": ("cloudevent", "event"),
    "event": ("event", "background"),
    "typed": ("typed", "typed"),
}
SERVE = {"http": "http", "cloudevent": "cloudevent", "event": "event", "typed": "http"}


def framework(signature, concurrency=8, timeout=0):
    type, target = FRAMEWORK[signature]
    return Server(
        [sys.executable, "-B", "-m", "functions_framework"],
        {
            "FUNCTION_TARGET": target,
            "FUNCTION_SIGNATURE_TYPE": type,
            "FUNCTION_SOURCE": str(HERE / "framework_function.py"),
            "HOST": "127.0.0.1",
            "THREADS": str(concurrency),
            "CLOUD_RUN_TIMEOUT_SECONDS": str(timeout),
            "THREADED_TIMEOUT_ENABLED": "true",
            # The server prints its port only at this level.
            "GUNICORN_LOG_LEVEL": "info",
        },
        lambda line: (found := re.search(r"Listening at: \S+:(\d+)", line)) and found[1],
    )


def serve(signature, concurrency=8, timeout=30):
    program = shutil.which("serve")
    assert program, "serve is not built, or this doesn't run under `emulator exec`"
    return Server(
        [program, str(HERE / "worker_function.py")],
        {
            "FUNCTION_SIGNATURE_TYPE": SERVE[signature],
            "CONCURRENCY": str(concurrency),
            "TIMEOUT_SECONDS": str(timeout),
        },
        logged_port,
    )


def logged_port(line):
    return line.startswith("{") and json.loads(line).get("port")


SIDES = {"functions-framework": framework, "serve": serve}
