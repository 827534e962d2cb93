"""The time from a write to a function, and from a message to its translation.

1. Our emulator and Google's deliver the same writes to the same HTTP function, on
   functions-framework, in one run: events a second, and the delay from the write to the event. The
   function of the second round takes as long as one that asks a provider.
2. Our worker path alone: from the commit to the start of the function.
3. Messages a second through translateMessage and sendNotification with a warm cache: none may be
   lost. Also the CPU time of a message by process, and the delay until a listener sees a message's
   translation.
"""

import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import emulators
from emulators import fetch
from firestore import peer
from firestore.wire import parse

PROJECT, DOCUMENTS = emulators.Chat.project, emulators.Chat.documents
TICKS = os.sysconf("SC_CLK_TCK")

# A function that records each event's arrival and write.
RECEIVER = """
import os, time, functions_framework
book = os.open(os.environ["BOOK"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
delay = float(os.environ["DELAY"])
@functions_framework.cloud_event
def receive(event):
    os.write(book, f"{event['document'].rsplit('/', 1)[1]} {time.monotonic()}\\n".encode())
    time.sleep(delay)
"""


def text(value):
    return {"stringValue": value}


# --- one HTTP function ---


@contextlib.contextmanager
def receiver(folder, delay):
    """Runs functions-framework with the function above. Yields its port and the path of its record.
    """
    source, book = folder / "main.py", folder / f"book-{time.monotonic_ns()}"
    source.write_text(RECEIVER)
    book.touch()
    port = peer.free_port()
    command = [
        sys.executable, "-m", "functions_framework", "--source", str(source), "--target", "receive",
        "--signature-type", "cloudevent", "--host", "127.0.0.1", "--port", str(port),
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        env={**os.environ, "BOOK": str(book), "DELAY": str(delay), "THREADS": "32"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not answers(port):
            time.sleep(0.05)
        yield port, book
    finally:
        process.terminate()
        process.wait()


def answers(port):
    """Returns whether a server answers. The request has no event, so even an error counts."""
    try:
        fetch(f"http://127.0.0.1:{port}/robots.txt")
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def register(address):
    """Registers the trigger, by the same route on both sides."""
    fetch(
        f"http://{address}/emulator/v1/projects/{PROJECT}/eventarcTrigger?eventarcTriggerId=receive",
        "POST",
        {
            "eventType": "google.cloud.firestore.document.v1.created",
            "database": "(default)",
            "namespace": "(default)",
            "document": {"value": "events/{id}", "matchType": "PATH_PATTERN"},
        },
        {"Content-Type": "application/json"},
    )


def deliver(side, book, prefix, count):
    """Returns the events a second, and the 99th percentile of the milliseconds from the write to
    the function."""
    commits = [
        parse(
            "Commit",
            {
                "database": DOCUMENTS.removesuffix("/documents"),
                "writes": [{"update": {"name": f"{DOCUMENTS}/events/{prefix}{n}", "fields": {}}}],
            },
        )
        for n in range(count)
    ]
    book.write_text("")
    sent, began = {}, time.monotonic()
    for number, commit in enumerate(commits):
        sent[f"{prefix}{number}"] = time.monotonic()
        side.server.send("Commit", commit)
    arrived = {}
    while len(arrived) < count:
        time.sleep(0.01)
        assert time.monotonic() - began < 300, f"{side.name}: {len(arrived)} of {count} events arrived"
        for line in book.read_text().splitlines():
            name, at = line.split()
            arrived.setdefault(name, float(at))
    seconds = max(arrived.values()) - began
    delays = sorted(1e3 * (arrived[name] - sent[name]) for name in arrived)
    return count / seconds, delays[len(delays) * 99 // 100]


def compare(build, delay, count):
    with tempfile.TemporaryDirectory() as folder, receiver(pathlib.Path(folder), delay) as (port, book):
        functions = f"127.0.0.1:{port}"
        starts = [
            lambda: emulators.ours(build, "--functions-emulator", functions),
            lambda: emulators.google(f"--functions_emulator={functions}"),
        ]
        figures = {}
        for start in starts:
            side = start()
            if side is None:
                print("Google's emulator or java is missing: only ours is measured")
                continue
            try:
                register(side.address)
                # The first events don't count, because an emulator is slower after its start.
                deliver(side, book, "warm", count // 10)
                figures[side.name] = deliver(side, book, "e", count)
            finally:
                side.stop()
    what = f"a function of {delay * 1e3:.0f} ms" if delay else "a function that does nothing"
    for key, unit, better, goal in ((0, "events/s", 1, 10), (1, "ms p99", -1, 3)):
        values = "  ".join(f"{name} {each[key]:10,.1f}" for name, each in figures.items())
        line = f"{what}: {unit:8} {values}"
        if len(figures) == 2:
            ratio = (figures["ours"][key] / figures["Google's"][key]) ** better
            line += f"   x {ratio:8.2f}   goal {goal}: {'met' if ratio >= goal else 'MISSED'}"
        print(line, flush=True)


# --- messages ---


class Chat(emulators.Chat):
    """Our emulator with conversations to write to."""

    def __init__(self, build, conversations):
        super().__init__(build)
        for number in range(conversations):
            members = [text(f"sarah{number}"), text(f"marco{number}")]
            for member, language in zip(members, ("en", "it")):
                profile = {"displayName": member, "primaryLanguage": text(language)}
                self.write(f"users/{member['stringValue']}", profile)
            phone = {"fcmToken": text(f"phone{number}")}
            self.write(f"users/marco{number}/devices/phone", phone)
            conversation = {
                "type": text("one-on-one"),
                "participants": {"arrayValue": {"values": members}},
            }
            self.write(f"conversations/c{number}", conversation)

    def load(self, build, **options):
        """Runs Tests/ListenLoad and returns its figures."""
        command = [f"{build}/listenLoad", "--address", self.side.address, "--translated"]
        for name, value in options.items():
            command += [f"--{name.replace('_', '-')}", str(value)]
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if result.returncode:
            sys.exit(f"listenLoad {options} failed")
        return json.loads(result.stdout)

    def cpu(self):
        """Returns the seconds of CPU by program, including the emulator's children."""
        seconds = {}
        for each in self.processes():
            with contextlib.suppress(FileNotFoundError):
                name, fields = pathlib.Path(f"/proc/{each}/stat").read_text().split("(")[1].rsplit(")", 1)
                spent = sum(map(int, fields.split()[11:13])) / TICKS
                seconds[name] = seconds.get(name, 0) + spent
        return seconds

    def metric(self, line):
        with urllib.request.urlopen(f"{self.ui}/metrics") as page:
            for each in page.read().decode().splitlines():
                if each.startswith(line):
                    return float(each.rsplit(" ", 1)[1])
        return 0.0

    def pushes(self):
        return len(fetch(f"{self.functions}/providers/fcm/inbox")["messages"])


def worker_path(chat):
    name = "function_start_delay_seconds"
    for function in ("translateMessage", "sendNotification"):
        count = chat.metric(f'{name}_count{{function="{function}"}}')
        below = chat.metric(f'{name}_bucket{{function="{function}",le="0.001"}}')
        print(
            f"{function}: {100 * below / count:.0f} % of {count:,.0f} events reached the worker within"
            f" 1 ms of the commit   goal p50 <= 1 ms: {'met' if below / count >= 0.5 else 'MISSED'}",
            flush=True,
        )


def throughput(build, rate, seconds, conversations):
    """Measures a load that is sent at a fixed rate, and its CPU time."""
    chat = Chat(build, conversations)
    try:
        options = {"listeners": conversations, "collections": conversations, "documents": 0}
        # After this load, several workers of each function remember the conversations.
        chat.load(build, commits=5 * conversations, **options)
        fetch(f"{chat.ui}/api/quiet")
        pushed, before, began = chat.pushes(), chat.cpu(), time.monotonic()
        figures = chat.load(build, rate=rate, commits=rate * seconds, time_limit=120, **options)
        assert fetch(f"{chat.ui}/api/quiet?timeoutSeconds=120") == {"quiet": True}
        took, after = time.monotonic() - began, chat.cpu()
        count = rate * seconds
        dead = chat.metric("outbox_dead_letters")
        lost = count - (chat.pushes() - pushed)
        done = count / took
        print(
            f"{rate} messages/s for {seconds} s: {done:,.0f}/s done, {lost} pushes lost, {dead:.0f} dead letters, "
            f"translation seen p50 {figures['p50']:.1f} ms p95 {figures['p95']:.1f} ms   "
            f"goal 500/s: {'met' if done >= 500 and not lost and not dead else 'MISSED'}",
        )
        costs = {name: 1e3 * (spent - before.get(name, 0)) / count for name, spent in after.items()}
        for name, cost in sorted(costs.items()):
            print(f"  {name:18} {cost:6.2f} ms of CPU a message")
        total = sum(costs.values())
        print(f"  {'all':18} {total:6.2f} ms: enough for {2e3 / total:,.0f} messages a second on two cores")
        sys.stdout.flush()
    finally:
        chat.stop()


def visible(build, seconds):
    """Measures a hundred messages a second with a thousand listeners."""
    chat = Chat(build, 100)
    try:
        options = {"listeners": 1_000, "collections": 100, "documents": 0}
        chat.load(build, commits=100, rate=100, **options)
        fetch(f"{chat.ui}/api/quiet")
        figures = chat.load(build, rate=100, commits=100 * seconds, **options)
        values = "  ".join(f"{key} {figures[key]:.1f} ms" for key in ("p50", "p95", "p99"))
        print(
            f"100 messages/s, 1,000 listeners: translation seen {values}   "
            f"goal p95 < 50 ms: {'met' if figures['p95'] < 50 else 'MISSED'}",
            flush=True,
        )
        worker_path(chat)
    finally:
        chat.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    parser.add_argument("--events", type=int, default=2_000, help="events of the comparison")
    parser.add_argument("--seconds", type=int, default=10, help="seconds of each load")
    parser.add_argument("--rate", type=int, default=520, help="messages a second")
    parser.add_argument("--part", choices=["compare", "throughput", "visible"])
    arguments = parser.parse_args()
    if arguments.part in (None, "compare"):
        compare(arguments.build, 0, arguments.events)
        compare(arguments.build, 0.02, arguments.events // 4)
    if arguments.part in (None, "visible"):
        visible(arguments.build, arguments.seconds)
    if arguments.part in (None, "throughput"):
        throughput(arguments.build, arguments.rate, arguments.seconds, 100)


if __name__ == "__main__":
    main()
