"""The CPU time of translateMessage with a warm cache, compared with that of its HTTP requests
alone.

    emulator exec --no-triggers -- python3 -B Tests/Benchmarks/invocation_cpu.py .build/release

A worker translates messages that are in the cache, behind a proxy that records its requests to
Firestore. Then curl sends the same requests in one process. The difference is the cost of an
invocation beyond its HTTP requests. Both take turns, so that a busy machine slows both.
"""

import http.server
import os
import statistics
import subprocess
import sys
import tempfile
import threading

import round_trips
from cold_start import DOCUMENTS

ROUNDS = 7
EVENTS = 200


class Door(round_trips.Door):
    """A proxy that records the requests."""

    requests = []

    def do_POST(self):
        self.rfile = Copy(self.rfile)
        super().do_POST()
        self.requests.append((self.path, dict(self.headers), self.rfile.bytes))
        self.rfile = self.rfile.stream


class Copy:
    """A stream that keeps what is read from it."""

    def __init__(self, stream):
        self.stream = stream

    def read(self, length):
        self.bytes = self.stream.read(length)
        return self.bytes


def bare(requests, address):
    """Returns the milliseconds of CPU that curl uses for requests over one connection."""
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for number, (path, headers, body) in enumerate(requests):
            file = f"{folder}/{number}"
            with open(file, "wb") as stream:
                stream.write(body)
            lines += [f'url = "http://{address}{path}"', f'data-binary = "@{file}"']
            lines += ['output = "/dev/null"', "noproxy = *", "silent"]
            kept = ("content-type", "authorization", "traceparent")
            lines += [
                f'header = "{name}: {value}"' for name, value in headers.items()
                if name.lower() in kept
            ]
            lines.append("next")
        with open(f"{folder}/config", "w") as stream:
            stream.write("\n".join(lines[:-1]))
        process = subprocess.Popen(["curl", "-q", "-K", f"{folder}/config"])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"curl ended with {process.returncode}")
        return (usage.ru_utime + usage.ru_stime) * 1e3


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Door)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"127.0.0.1:{server.server_port}"
    round_trips.write({**DOCUMENTS, **round_trips.DEVICE})
    worker = round_trips.Worker(sys.argv[1], "translateMessage", address)
    number, rounds = 0, []
    try:
        for _ in range(2):
            worker.give(round_trips.created(number))
            number += 1
        for _ in range(ROUNDS):
            events = [round_trips.created(number + index) for index in range(EVENTS)]
            number += EVENTS
            Door.requests.clear()
            before = worker.cpu()
            for event in events:
                worker.give(event)
            whole = (worker.cpu() - before) / EVENTS
            requests = list(Door.requests)
            start = bare(requests[:1], address)
            http_calls = (bare(requests, address) - start) / EVENTS
            rounds.append((whole, http_calls, len(requests) / EVENTS))
    finally:
        worker.stop()
    whole = statistics.median(each[0] for each in rounds)
    http_calls = statistics.median(each[1] for each in rounds)
    beyond = statistics.median(each[0] - each[1] for each in rounds)
    print(
        f"translateMessage, warm: {rounds[-1][2]:g} requests; {whole:.2f} ms of CPU, the same"
        f" requests by curl {http_calls:.2f} ms; the rest {beyond:.2f} ms,"
        f" {beyond / http_calls:.1f} times the requests' own"
    )


if __name__ == "__main__":
    main()
