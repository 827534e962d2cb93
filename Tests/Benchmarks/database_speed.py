"""The Realtime Database's speed: from a write to its listeners, a write among many nodes, many sockets, and the end of
all of them at once. Ratios compare two sides in the same run; times depend on the machine."""

import json
import resource
import select
import socket
import statistics
import tempfile
import time

import emulators
from firestore import peer
from realtime.service import Rest

NAME = "speed"
HANDSHAKE = (
    "GET /.ws?v=5&ns={} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Client:
    """A connection that does as little as possible, so that the server's work dominates."""

    def __init__(self, port, name=NAME):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(HANDSHAKE.format(name).encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(65_536)
        self.buffer = self.buffer.split(b"\r\n\r\n", 1)[1]
        self.receive()

    def send(self, action, **body):
        text = json.dumps({"t": "d", "d": {"r": 1, "a": action, "b": body}}).encode()
        length = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0xFE]) + len(text).to_bytes(2, "big")
        self.socket.sendall(b"\x81" + length + b"\0\0\0\0" + text)

    def receive(self):
        """Returns the next message's text."""
        while (text := self.received()) is None:
            self.read()
        return text

    def received(self):
        """Returns the text of the next message that has arrived, or None if none has."""
        # A frame has its length in one byte, or in the two after it. No frame here is longer.
        head = 4 if self.buffer[1:2] == b"\x7e" else 2
        if len(self.buffer) >= head:
            length = self.buffer[1] if head == 2 else int.from_bytes(self.buffer[2:4], "big")
            if len(self.buffer) >= head + length:
                text, self.buffer = self.buffer[head : head + length], self.buffer[head + length :]
                return text
        return None

    def read(self):
        part = self.socket.recv(65_536)
        assert part, "the connection ended"
        self.buffer += part

    def ask(self, action, **body):
        self.send(action, **body)
        while b'"r":1' not in (text := self.receive()):
            pass
        assert b'"s":"ok"' in text, text


def percentiles(times):
    times.sort()
    return times[len(times) // 2], times[len(times) * 99 // 100]


def notify(port, count, rounds):
    """Returns p50 and p99, in milliseconds, of the time from a write to the last of its listeners."""
    writer = Client(port)
    listeners = [Client(port) for _ in range(count)]
    for listener in listeners:
        listener.ask("q", p="/typing", h="")
    poll = select.epoll()
    by_number = {each.socket.fileno(): each for each in listeners}
    for number in by_number:
        poll.register(number, select.EPOLLIN)
    times = []
    for value in range(rounds):
        start = time.perf_counter()
        writer.send("p", p="/typing", d=value)
        missing = count
        while missing:
            for number, _ in poll.poll():
                by_number[number].receive()
                missing -= 1
        times.append(1_000 * (time.perf_counter() - start))
        while b'"r":1' not in writer.receive():
            pass
    for each in [writer, *listeners]:
        each.socket.close()
    return percentiles(times)


def write_among(port, count, rounds):
    """Returns the median milliseconds of a write among a number of nodes."""
    rest = Rest(NAME, f"127.0.0.1:{port}")
    for start in range(0, count, 100_000):
        members = {f"k{number}": {"n": number} for number in range(start, min(start + 100_000, count))}
        assert rest.ask("PATCH", f"many{count}", members, print="silent").status == 204
    client, times = Client(port), []
    for number in range(rounds):
        key = number * 7_919 % count
        start = time.perf_counter()
        client.ask("p", p=f"/many{count}/k{key}/n", d=-number - 1)
        times.append(1_000 * (time.perf_counter() - start))
    client.socket.close()
    return statistics.median(times)


def print_writes(port, where):
    few, many = write_among(port, 1_000, 2_000), write_among(port, 500_000, 2_000)
    print(f"write {where}  among 2,000 nodes {few:.3f} ms, among 1,000,000 {many:.3f} ms: {many / few:.2f} x")


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    port = peer.free_port()
    emulator = emulators.ours(emulators.RELEASE, "--database-port", str(port), only="firestore,database")
    try:
        one, thousand = notify(port, 1, 2_000), notify(port, 1_000, 100)
        print(f"write to listener    1 socket: p50 {one[0]:.2f} ms, p99 {one[1]:.2f} ms")
        print(f"                     1,000 sockets, the last one: p50 {thousand[0]:.1f} ms, p99 {thousand[1]:.1f} ms")
        print_writes(port, "in memory    ")
        rest = Rest(NAME, f"127.0.0.1:{port}")
        rest.ask("DELETE", "")
        sockets = 10_000
        before = emulator.memory()
        clients = [Client(port) for _ in range(sockets)]
        for number, client in enumerate(clients):
            client.ask("q", p="/shared", h="")
            client.ask("o", p=f"/ended/{number}", d={".sv": {"increment": 1}})
        print(f"{sockets:,} sockets       {emulator.memory() - before:.0f} MB more than before")
        watcher = Client(port)
        watcher.ask("q", p="/ended", h="")
        start = time.perf_counter()
        for client in clients:
            client.socket.close()
        closed = time.perf_counter()
        for _ in range(sockets):
            watcher.receive()
        end = time.perf_counter()
        counts = rest.get("ended")
        once = len(counts) == sockets and set(counts if isinstance(counts, list) else counts.values()) == {1}
        print(f"all dropped          {end - start:.2f} s until the last write for the end, {end - closed:.2f} s after the last close; "
              f"each {'once' if once else 'NOT once'}")
        assert once
    finally:
        emulator.stop()
    with tempfile.TemporaryDirectory() as folder:
        emulator = emulators.ours(
            emulators.RELEASE, "--database-port", str(port), "--data", folder, only="firestore,database"
        )
        try:
            print_writes(port, "with --data  ")
        finally:
            emulator.stop()


if __name__ == "__main__":
    main()
