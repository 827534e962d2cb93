"""Cloud Storage's speed: uploads and downloads, ours and fake-gcs-server in one run, in turns. Ours also with a data
folder, which shows the cost of durability, and over Firebase's API under rules. Ratios compare two sides in the same run;
times depend on the machine."""

import argparse
import contextlib
import json
import multiprocessing
import os
import pathlib
import socket
import statistics
import tempfile
import threading
import time

import emulators
from firestore import peer as google
from firestore.tokens import unsigned
from storage import peer
from storage.service import KIB, MIB, send

PROJECT = "demo-speed"
BUCKET = "speed"
SIZES = {64 * KIB: "64 KiB", 16 * MIB: "16 MiB"}
CLIENTS = (1, 16)
PROCESSES = 2
# A client replaces its own objects, so that the disk doesn't fill up.
OBJECTS = 2
RULES = """
rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o/{client}/{name} {
    allow read: if request.auth.uid != null;
    allow write: if request.auth.uid == client && request.resource.size <= 64 * 1024 * 1024
                 && request.resource.contentType.matches('image/.*');
  }
}
"""


class Side:
    """A server, and the requests of one of its APIs."""

    def __init__(self, name, host, is_firebase=False):
        self.name, self.host, self.is_firebase = name, host, is_firebase

    def upload(self, client, number, size):
        """Returns the head of a request, without its content."""
        place = f"/v0/b/{BUCKET}/o?name" if self.is_firebase else f"/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name"
        return self.head("POST", f"{place}={client}%2F{number}", client, f"Content-Type: image/png\r\nContent-Length: {size}\r\n")

    def download(self, client, number):
        place = "/v0" if self.is_firebase else "/download/storage/v1"
        return self.head("GET", f"{place}/b/{BUCKET}/o/{client}%2F{number}?alt=media", client)

    def head(self, method, target, client, headers=""):
        if self.is_firebase:
            headers += f"Authorization: Firebase {unsigned(client, PROJECT)}\r\n"
        return f"{method} {target} HTTP/1.1\r\nHost: {self.host}\r\n{headers}\r\n".encode()


class Connection:
    """A connection that does as little as possible, so that the server's work dominates."""

    def __init__(self, host):
        address, port = host.split(":")
        self.socket = socket.create_connection((address, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = memoryview(bytearray(1 * MIB))

    def ask(self, head, content=b""):
        """Sends a request, and returns how many bytes its answer's body has."""
        self.socket.sendall(head + content if len(content) < 128 * KIB else head)
        if len(content) >= 128 * KIB:
            self.socket.sendall(content)
        size = 0
        while (end := bytes(self.buffer[:size]).find(b"\r\n\r\n")) < 0:
            size += self.receive(self.buffer[size:])
        fields = bytes(self.buffer[:end]).lower().split(b"\r\n")
        assert fields[0].split(b" ")[1] == b"200", bytes(self.buffer[:size])
        lengths = [int(field[15:]) for field in fields if field.startswith(b"content-length:")]
        assert len(lengths) == 1, fields
        left = lengths[0] - (size - end - 4)
        while left:
            left -= self.receive(self.buffer[: min(left, len(self.buffer))])
        return lengths[0]

    def receive(self, buffer):
        count = self.socket.recv_into(buffer)
        assert count, "the connection ended"
        return count


def work(side, client, size, is_upload, start, seconds, results):
    """Sends requests of one client, one after another, at least one for each object. Adds how many were answered a
    second."""
    content = os.urandom(size) if is_upload else b""
    connection = Connection(side.host)
    heads = [side.upload(client, each, size) if is_upload else side.download(client, each) for each in range(OBJECTS)]
    start.wait()
    count, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until or count < OBJECTS:
        answered = connection.ask(heads[count % OBJECTS], content)
        assert is_upload or answered == size
        count += 1
    results.append(count / (seconds + time.perf_counter() - until))
    connection.socket.close()


def process(side, clients, size, is_upload, start, seconds, pipe):
    results = []
    arguments = (size, is_upload, start, seconds, results)
    threads = [threading.Thread(target=work, args=(side, client, *arguments)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pipe.send(sum(results) if len(results) == len(threads) else None)


def rate(side, count, size, is_upload, seconds):
    """Returns the requests a second of some clients, which several processes share."""
    context = multiprocessing.get_context("fork")
    names = [f"client{number}" for number in range(count)]
    groups = [group for group in (names[each::PROCESSES] for each in range(PROCESSES)) if group]
    start, pipes, processes = context.Barrier(count), [], []
    for group in groups:
        mine, theirs = context.Pipe()
        pipes.append(mine)
        processes.append(context.Process(target=process, args=(side, group, size, is_upload, start, seconds, theirs)))
        processes[-1].start()
    rates = [pipe.recv() for pipe in pipes]
    for each in processes:
        each.join()
    assert None not in rates, f"{side.name} failed"
    return sum(rates)


@contextlib.contextmanager
def ours(build, *options):
    """Yields the address of our emulator with a bucket."""
    port = google.free_port()
    emulator = emulators.ours(
        build, "--project", PROJECT, "--storage-port", str(port), *options, only="firestore,storage,auth"
    )
    try:
        host = f"127.0.0.1:{port}"
        while not peer.answers(host):
            time.sleep(0.01)
        yield emulator, host
    finally:
        emulator.stop()


def sides(stack, build, with_memory):
    """Starts the servers, and returns the sides to measure."""
    found = [Side("fake-gcs-server", stack.enter_context(peer.running())[1])]
    if with_memory:
        found.append(Side("fake-gcs-server in memory", stack.enter_context(peer.running("memory"))[1]))
    if build:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        _, host = stack.enter_context(ours(build, "--auth-port=0"))
        found.append(Side("ours", host))
        _, durable = stack.enter_context(ours(build, "--auth-port=0", "--data", folder))
        found.append(Side("ours with --data", durable))
        _, ruled = stack.enter_context(ours(build, "--auth-port=0"))
        files = [{"name": "storage.rules", "content": RULES}]
        send(ruled, "PUT", "/internal/setRules", {"rules": {"files": files}}).must()
        found.append(Side("ours, /v0 under rules", ruled, is_firebase=True))
    for side in found:
        send(side.host, "POST", f"/storage/v1/b?project={PROJECT}", {"name": BUCKET}).must()
    return found


def measure(found, seconds, rounds):
    rows = []
    for size, words in SIZES.items():
        for is_upload in (True, False):
            for count in CLIENTS:
                figures = {side.name: [] for side in found}
                for round in range(rounds + 1):
                    for side in found:
                        each = rate(side, count, size, is_upload, seconds if round else 0.2)
                        # The first round doesn't count. That of the uploads makes all objects of the downloads.
                        if round:
                            figures[side.name].append(each)
                title = f"{'upload' if is_upload else 'download'}, {words}, {count} at once"
                medians = {name: statistics.median(each) for name, each in figures.items()}
                rows.append({"name": title, **medians})
                print_row(title, medians, size)
    return rows


def print_row(title, medians, size):
    other = medians["fake-gcs-server"]
    print(title)
    for name, each in medians.items():
        ratio = f"   x {each / other:5.2f}" if name.startswith("ours") else ""
        print(f"    {name:28} {each:9,.1f} per s {each * size / MIB:9,.1f} MiB/s{ratio}")
    if "ours" in medians and "ours with --data" in medians:
        print(f"    durability costs             x {medians['ours'] / medians['ours with --data']:5.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs; '' for the other server alone")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true", help="also measure fake-gcs-server in memory")
    parser.add_argument("--json", help="write the figures to a JSON file")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        found = sides(stack, arguments.build, arguments.memory)
        rows = measure(found, arguments.seconds, arguments.rounds)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=2) + "\n")
    behind = [row["name"] for row in rows if row.get("ours", 0) < row["fake-gcs-server"]]
    print(f"behind fake-gcs-server: {', '.join(behind) or 'none'}" if arguments.build else "")


if __name__ == "__main__":
    main()
