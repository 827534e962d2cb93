"""Checks the formula in Functions/OPERATIONS.md for the number of events that a served function
handles a second.

The function runs behind `serve` on one CPU, as in an instance of Cloud Run. First it gets one event
after the other. This measures S, the seconds that an invocation takes alone, and D, the seconds of
CPU that it needs. Then c clients send events as fast as they get answers. The predicted number of
events a second is min(c / S, v / D), where v is the share of the CPU that other processes left. The
exit code is 1 if a prediction and a measurement differ by more than a quarter.

Run it under `emulator exec --no-triggers`. The emulator plays Firestore and the translator. It
isn't part of the measurement, so it needs a second CPU.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from cold_start import DOCUMENTS
from round_trips import MESSAGE, PROJECT, event, write

TICKS = os.sysconf("SC_CLK_TCK")
GOAL = 0.25
CPUS = sorted(os.sched_getaffinity(0))
# The number of events that are sent one after the other.
ALONE = 60
# The seconds at the beginning of a load that don't count: the function's processes start then.
WARM_UP = 2


def new_text(number):
    return {"text": {"stringValue": f"The river behind the house has stone number {number}."}}


def known_text(_):
    return {}


# For each case: the event's fields (None: no message), the translator's delay in seconds, and a
# number of events a second that is too high for the function.
CASES = {
    "a new text": (new_text, 0.2, 250),
    "a text from the cache": (known_text, 0, 1_500),
    "an event that concerns nobody": (None, 0, 10_000),
}


def delay_translator(seconds):
    faults = f"http://{os.environ['FUNCTIONS_EMULATOR_HOST']}/providers/faults"
    ask = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
    ask(urllib.request.Request(faults, method="DELETE")).close()
    if seconds:
        fault = {"provider": "translation", "kind": "delay", "times": 10**6}
        body = json.dumps(fault | {"delayMilliseconds": int(1e3 * seconds)}).encode()
        ask(urllib.request.Request(faults, body, {"Content-Type": "application/json"})).close()


def events(count, first, fields):
    """Returns the requests that a platform sends for new messages, after writing the messages. If
    `fields` is None, nothing is written."""
    bodies = []
    for start in range(first, first + count, 400):
        numbers = range(start, min(start + 400, first + count))
        if fields is None:
            bodies += [event(f"elsewhere/m{number}") for number in numbers]
            continue
        messages = {f"conversations/c/messages/m{n}": MESSAGE | fields(n) for n in numbers}
        written = write(messages)
        bodies += [event(path, written, each) for path, each in messages.items()]
    return [request(json.dumps(body).encode()) for body in bodies]


def request(body):
    head = (
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/cloudevents+json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Client:
    """A connection with little overhead, because all clients share one CPU."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data):
        """Sends an event, and returns whether it was handled."""
        self.socket.sendall(data)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.receive()
        head, _, body = answer.partition(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += self.receive()
        return head.startswith(b"HTTP/1.1 200 ") and b'"status":"error"' not in body

    def receive(self):
        data = self.socket.recv(65_536)
        if not data:
            raise ConnectionError("serve has closed the connection")
        return data


class Served:
    """The function behind HTTP, on one CPU with all its processes."""

    def __init__(self, serve, function, concurrency, folder):
        ready = pathlib.Path(folder, f"ready-{concurrency}-{time.monotonic_ns()}")
        self.cpu_number = CPUS[-1]
        self.process = subprocess.Popen(
            [serve, function, "--host=127.0.0.1", "--port=0", f"--concurrency={concurrency}"]
            + [f"--ready-file={ready}"],
            env={**os.environ, "LOG_LEVEL": "error"},
            preexec_fn=lambda: os.sched_setaffinity(0, {self.cpu_number}),
        )
        while not ready.exists():
            if self.process.poll() is not None:
                sys.exit(f"{serve} doesn't start")
            time.sleep(0.01)
        self.port = json.loads(ready.read_text())["port"]

    def cpu(self):
        """Returns the seconds of CPU that `serve` and the function's processes have used."""
        pid, nanoseconds = self.process.pid, 0
        children = [
            child for each in pathlib.Path(f"/proc/{pid}/task").glob("*/children")
            for child in each.read_text().split()
        ]  # fmt: skip
        # The CPU time of the threads, in nanoseconds: sixty short events take less than a tick of
        # /proc/PID/stat.
        for each in [pid, *children]:
            for thread in pathlib.Path(f"/proc/{each}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError):
                    nanoseconds += int(thread.read_text().split()[0])
        return nanoseconds / 1e9

    def all_cpu(self):
        """Returns the seconds that the CPU was busy with any process."""
        for line in pathlib.Path("/proc/stat").read_text().splitlines():
            name, *ticks = line.split()
            if name == f"cpu{self.cpu_number}":
                user, nice, system, _, _, *interrupts = map(int, ticks[:8])
                return (user + nice + system + sum(interrupts)) / TICKS
        return 0.0

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def keep_sending(port, requests, until):
    """Returns the number of events handled in time, and the number of failures."""
    client, done, failed = Client(port), 0, 0
    for each in requests:
        if client.send(each):
            done += time.monotonic() <= until
        else:
            failed += 1
        if time.monotonic() > until:
            return done, failed
    return done, failed + 1  # It ran out of events too early.


def load(pool, served, clients, requests, seconds):
    until = time.monotonic() + seconds
    jobs = [(served.port, requests[number::clients], until) for number in range(clients)]
    answers = pool.starmap(keep_sending, jobs)
    return sum(done for done, _ in answers), sum(failed for _, failed in answers)


def alone(served, requests):
    """Returns the duration and the CPU time, in seconds, of an invocation that runs alone."""
    client, seconds, before = Client(served.port), [], served.cpu()
    for each in requests:
        began = time.perf_counter()
        if not client.send(each):
            sys.exit("an event that was sent alone failed")
        seconds.append(time.perf_counter() - began)
    return statistics.mean(seconds), (served.cpu() - before) / len(requests)


def check(arguments, pool, name, concurrency, first, folder):
    """Prints one case, and returns whether it is as predicted."""
    fields, delay, per_second = CASES[name]
    delay_translator(delay)
    function = str(pathlib.Path(arguments.build, "translateMessage").resolve())
    served = Served(arguments.serve, function, concurrency, folder)
    try:
        warm_up = events(per_second * WARM_UP, first, fields)
        load(pool, served, concurrency, warm_up, WARM_UP)
        service, cpu = alone(served, events(ALONE, first + 100_000, fields))
        requests = events(per_second * arguments.seconds, first + 200_000, fields)
        before, busy, began = served.cpu(), served.all_cpu(), time.monotonic()
        done, failed = load(pool, served, concurrency, requests, arguments.seconds)
        took = time.monotonic() - began
        spent = served.cpu() - before
        left = max(0.01, min(1, 1 - (served.all_cpu() - busy - spent) / took))
    finally:
        served.stop()
        delay_translator(0)
    waiting, computing = concurrency / service, left / cpu if cpu else float("inf")
    predicted, measured = min(waiting, computing), done / arguments.seconds
    ratio = measured / predicted
    is_met = abs(ratio - 1) <= GOAL and not failed
    print(
        f"{name}, {concurrency} at once: alone {1e3 * service:.1f} ms, {1e3 * cpu:.2f} ms CPU, "
        f"{left:.2f} of a CPU left: predicted min({waiting:,.1f}, {computing:,.1f}) = {predicted:,.1f}/s, "
        f"measured {measured:,.1f}/s, ratio {ratio:.2f}, {failed} failed   "
        f"goal: {'met' if is_met else 'MISSED'}{'' if left >= 0.7 else ', but other processes used the CPU: unreliable'}",
        flush=True,
    )
    return is_met


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", help="the folder of our programs")
    parser.add_argument("--serve", help="path of serve (default: in the build folder)")
    parser.add_argument("--at-once", type=int, nargs="+", default=[4, 16])
    parser.add_argument("--seconds", type=int, default=5, help="seconds of each load")
    arguments = parser.parse_args()
    arguments.serve = arguments.serve or f"{arguments.build}/serve"
    if len(CPUS) < 2:
        sys.exit("this benchmark needs two CPUs: with one, clients and Firestore would take the function's time")
    limit = {"integerValue": "100000000"}
    limits = {"perUserPerMinute": limit, "perUserPerDay": limit}
    config = {"config/functions": {"translateMessage": {"mapValue": {"fields": limits}}}}
    write(DOCUMENTS | config)
    write({"conversations/c/messages/m0": MESSAGE})
    # The clients don't use the function's CPU.
    os.sched_setaffinity(0, set(CPUS[:-1]))
    missed, first = 0, 1_000_000
    with (
        tempfile.TemporaryDirectory() as folder,
        multiprocessing.get_context("fork").Pool(max(arguments.at_once)) as pool,
    ):
        for name in CASES:
            for concurrency in arguments.at_once:
                missed += not check(arguments, pool, name, concurrency, first, folder)
                first += 1_000_000
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
