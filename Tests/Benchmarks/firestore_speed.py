"""Firestore's speed and memory: ours and Google's emulator in one run, in turns.

Only the ratios count: times on a shared machine don't. Two clients measure: h2load, which is fast
enough to show the server's limits, and grpcio in Python, which many people use and which is itself
the bottleneck. For grpcio, a third server shows the highest possible rate: Tests/EchoServer, our
gRPC layer with methods that only echo.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import emulators
import grpc
from firestore.signed_in import OWNER
from firestore.values import collection, every, fields, order, where
from firestore.wire import SERVICE, message_type, parse

DATABASE = "projects/demo-test/databases"
H2LOAD_SECONDS = 2
# Many short rounds, so that the machine's other work affects all sides alike.
PYTHON_SECONDS = 0.4
PYTHON_ROUNDS = 4


class Report:
    """A table's rows: the name, each side's figure, the ratio of Google's to ours, and the goal."""

    def __init__(self):
        self.rows = []

    def add(self, name, unit, figures, goal=None, lower=False):
        """Adds a row. Figures are lists by side; `lower` means that less is better."""
        medians = {side: statistics.median(each) for side, each in figures.items() if each}
        row = {"name": name, "unit": unit, **medians, "goal": goal}
        if len(medians) == 2:
            mine, other = medians["ours"], [each for s, each in medians.items() if s != "ours"][0]
            row["ratio"] = other / mine if lower else mine / other
        self.rows.append(row)
        print(self.line(row), flush=True)

    def line(self, row):
        sides = [f"{side} {row[side]:10,.2f}" for side in ("ours", "Google's", "echo") if side in row]
        text = f"{row['name']:44} {row['unit']:9} {'  '.join(sides)}"
        if "ratio" in row:
            text += f"   x {row['ratio']:8.2f}"
        if row["goal"] and "ratio" in row:
            text += f"   goal {row['goal']:g}: {'met' if row['ratio'] >= row['goal'] else 'MISSED'}"
        return text


class Bench:
    def __init__(self, sides, report, repeat, folder, authorization=OWNER):
        self.authorization = authorization
        self.sides = sides
        self.report = report
        self.repeat = repeat
        self.folder = pathlib.Path(folder)

    def turns(self, name, unit, measure, goal=None, lower=False, repeat=None):
        """Measures the sides in turns."""
        figures = {side.name: [] for side in self.sides}
        for _ in range(repeat or self.repeat):
            for side in self.sides:
                figures[side.name].append(measure(side))
        self.report.add(name, unit, figures, goal, lower)

    # MARK: h2load

    def h2load(self, address, method, message, *options):
        """Sends a message again and again. Returns the number of answers and the seconds."""
        encoded = message.SerializeToString()
        body = self.folder / "body"
        body.write_bytes(struct.pack(">BI", 0, len(encoded)) + encoded)
        headers = ("content-type: application/grpc", "te: trailers")
        return self.answered(f"http://{address}{SERVICE}{method}", headers, "-d", str(body), *options)

    def answered(self, url, headers, *options):
        """Runs h2load. Returns the number of answers and the seconds."""
        command = ["h2load", *options, "-H", f"authorization: {self.authorization}"]
        command += [part for each in headers for part in ("-H", each)]
        began = time.perf_counter()
        result = subprocess.run([*command, url], stdout=subprocess.PIPE, check=True, text=True)
        taken = time.perf_counter() - began
        counts = re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored", result.stdout)
        if not counts or int(counts[1]) == 0 or int(counts[2]) or int(counts[3]):
            sys.exit(f"h2load: {result.stdout}")
        return int(counts[1]), taken

    def rate(self, address, method, message, clients, streams):
        """Returns the answers a second."""
        options = ("-D", str(H2LOAD_SECONDS), "-c", str(clients), "-m", str(streams))
        return self.h2load(address, method, message, *options)[0] / H2LOAD_SECONDS

    def fast(self, name, method, request, goal):
        message = parse(method, request)
        for side in self.sides:
            # h2load sees only the HTTP status, so the content is checked here.
            side.server.send(method, message)
            # This round doesn't count, because a JVM gets faster while it runs.
            self.rate(side.address, method, message, 4, 8)
        for clients, streams, title in ((1, 1, "one at a time"), (4, 8, "32 at once")):
            self.turns(
                f"{name}, h2load, {title}",
                "per s",
                lambda side: self.rate(side.address, method, message, clients, streams),
                goal,
            )

    def over_rest(self, name, url, body=None):
        """Measures over HTTP/1.1 and JSON. `url` returns the URL on a side."""
        options = ["--h1", "-D", str(H2LOAD_SECONDS)]
        if body is not None:
            file = self.folder / "body.json"
            file.write_text(json.dumps(body))
            options += ["-d", str(file)]
        headers = ["content-type: application/json"]

        def rate(side, clients):
            count, _ = self.answered(url(side), headers, *options, "-c", str(clients))
            return count / H2LOAD_SECONDS

        for clients, title in ((1, "one at a time"), (32, "32 at once")):
            for side in self.sides:
                rate(side, clients)
            self.turns(f"{name}, REST, {title}", "per s", lambda side: rate(side, clients))

    # MARK: Python

    def python(self, call, message, threads):
        """Returns the requests a second of some threads."""
        until = time.perf_counter() + PYTHON_SECONDS

        def work():
            done = 0
            while time.perf_counter() < until:
                call(message)
                done += 1
            return done

        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            return sum(each.result() for each in [pool.submit(work) for _ in range(threads)]) / (
                PYTHON_SECONDS
            )

    def from_python(self, name, method, request, echo):
        """Compares our emulator with the echo server and with Google's."""
        message = parse(method, request)
        metadata = [("authorization", OWNER)]
        calls = {
            side.name: lambda message, call=side.server.call(method): call(
                message, metadata=metadata
            )
            for side in self.sides
        }
        bytes_ = parse_bytes(message.SerializeToString())
        channel = grpc.insecure_channel(echo, options=[("grpc.use_local_subchannel_pool", 1)])
        bare = channel.unary_unary(
            "/test.Echo/Bytes",
            request_serializer=type(bytes_).SerializeToString,
            response_deserializer=type(bytes_).FromString,
        )
        for threads in (1, 8):
            figures = {each: [] for each in [*calls, "echo"]}
            for _ in range(self.repeat * PYTHON_ROUNDS):
                for side, call in calls.items():
                    figures[side].append(self.python(call, message, threads))
                figures["echo"].append(
                    self.python(lambda each: bare(each, metadata=metadata), bytes_, threads)
                )
            title = f"{name}, Python, {threads} thread{'s' * (threads > 1)}"
            self.report.add(
                f"{title}, to echo", "per s", {k: figures[k] for k in ("ours", "echo")}, 0.8
            )
            if len(self.sides) > 1:
                both = {side.name: figures[side.name] for side in self.sides}
                self.report.add(title, "per s", both)
        channel.close()

    # MARK: Data

    def load(self, side, database, count, times=None):
        """Writes numbered documents, 500 a commit."""
        call = side.server.call("Commit")
        root = f"{DATABASE}/{database}"
        for start in range(0, count, 500):
            writes = [
                {"update": {"name": f"{root}/documents/c/{n:07}", "fields": document(n)}}
                for n in range(start, min(start + 500, count))
            ]
            message = parse("Commit", {"database": root, "writes": writes})
            began = time.perf_counter()
            call(message, timeout=60)
            if times is not None:
                times.append(500 / (time.perf_counter() - began))

    def seconds(self, side, method, request, expected=None):
        """Returns the milliseconds until an answer's last message."""
        message = parse(method, request)
        call = side.server.call(method)
        began = time.perf_counter()
        found = sum(1 for _ in call(message, timeout=120))
        taken = time.perf_counter() - began
        if expected is not None and found != expected:
            sys.exit(f"{side.name} returned {found} messages instead of {expected}: {request}")
        return taken * 1000


def parse_bytes(content):
    from google.protobuf import wrappers_pb2

    return wrappers_pb2.BytesValue(value=content)


def document(n):
    """Returns the fields of a document: its number, a group, a text."""
    return fields({"n": n, "group": n % 100, "text": f"document number {n}", "flag": n % 2 == 0})


def queries(count):
    """Returns queries with few results, however many documents there are."""
    middle = count // 2
    return {
        "equality, 1 hit": (collection("c", where=where("n", "EQUAL", middle)), 1),
        "order, limit 10": (collection("c", orderBy=order("-n"), limit=10), 10),
        "filter and order, limit 10": (
            collection(
                "c",
                where=every(where("group", "EQUAL", 7), where("n", "GREATER_THAN", middle)),
                orderBy=order("n"),
                limit=10,
            ),
            min(10, count // 200),
        ),
    }


def run_query(database, structured):
    return {"parent": f"{DATABASE}/{database}/documents", "structuredQuery": structured}


def fresh(bench, build):
    """Replaces the running emulators with new ones."""
    while bench.sides:
        bench.sides.pop().stop()
    for start in (lambda: emulators.ours(build), emulators.google):
        emulator = start()
        if emulator is not None:
            bench.sides.append(emulator)


def starts(bench, build):
    """Measures start time and idle memory, and leaves one of each running."""
    figures = {"ours": ([], []), "Google's": ([], [])}
    for _ in range(bench.repeat):
        fresh(bench, build)
        # "Idle" means after a second without requests.
        time.sleep(1)
        for side in bench.sides:
            figures[side.name][0].append(side.started * 1000)
            figures[side.name][1].append(side.memory())
    bench.report.add("start to ready", "ms", {k: v[0] for k, v in figures.items()}, 20, lower=True)
    bench.report.add("memory, idle", "MB", {k: v[1] for k, v in figures.items()}, 3, lower=True)


def singles(bench, echo):
    root = f"{DATABASE}/singles"
    name = f"{root}/documents/c/one"
    first = {"update": {"name": name, "fields": document(1)}}
    for side in bench.sides:
        side.server.send("Commit", parse("Commit", {"database": root, "writes": [first]}))
    increment = {"fieldPath": "n", "increment": {"integerValue": "1"}}
    change = first | {"updateTransforms": [increment]}
    create = {
        "parent": f"{root}/documents",
        "collectionId": "made",
        "document": {"fields": document(1)},
    }
    bench.fast("GetDocument", "GetDocument", {"name": name}, 3)
    bench.fast("Commit of one", "Commit", {"database": root, "writes": [change]}, 3)
    bench.fast("CreateDocument", "CreateDocument", create, 3)
    bench.over_rest("GetDocument", lambda side: f"http://{side.address}/v1/{name}")
    bench.over_rest(
        "Commit of one",
        lambda side: f"http://{side.address}/v1/{root}/documents:commit",
        {"writes": [change]},
    )
    bench.from_python("GetDocument", "GetDocument", {"name": name}, echo)
    bench.from_python("Commit of one", "Commit", {"database": root, "writes": [change]}, echo)


def collections(bench, count):
    """Measures many documents: writes, reads, streaming, memory and clearing."""
    times = {side.name: [] for side in bench.sides}
    for side in bench.sides:
        bench.load(side, "many", count, times[side.name])
    bench.report.add("Commits of 500 documents", "docs/s", times)
    # Garbage collection gets the same time on either side.
    time.sleep(1)
    weights = {side.name: [side.memory()] for side in bench.sides}
    bench.report.add(f"memory with {count:,} documents", "MB", weights, 3, lower=True)
    for batch in (1, 100):
        names = [f"{DATABASE}/many/documents/c/{n * 7:07}" for n in range(batch)]
        request = {"database": f"{DATABASE}/many", "documents": names}
        bench.turns(
            f"BatchGet of {batch}, Python",
            "ms",
            lambda side: statistics.median(
                bench.seconds(side, "BatchGetDocuments", request, batch) for _ in range(100)
            ),
            lower=True,
        )
    for name, (structured, expected) in queries(count).items():
        bench.turns(
            f"{name} in {count:,}",
            "ms",
            lambda side: statistics.median(
                bench.seconds(side, "RunQuery", run_query("many", structured), expected)
                for _ in range(3 if side.name == "Google's" else 100)
            ),
            100,
            lower=True,
        )
    everything = run_query("many", collection("c"))
    bench.turns(
        f"streaming {count:,}, Python",
        "ms",
        lambda side: bench.seconds(side, "RunQuery", everything, count),
        lower=True,
        repeat=3,
    )
    message = parse("RunQuery", everything)
    bench.turns(
        f"streaming {count:,}, h2load",
        "ms",
        lambda side: bench.h2load(side.address, "RunQuery", message, "-n", "1")[1] * 1000,
        3,
        lower=True,
    )

    def clear(side):
        bench.load(side, "many", count)
        began = time.perf_counter()
        side.server.clear(f"{DATABASE}/many")
        return (time.perf_counter() - began) * 1000

    bench.turns(f"clearing {count:,}", "ms", clear, 50, lower=True, repeat=3)


def flatness(bench, counts):
    """Measures our queries over collections of several sizes: the times should be equal."""
    side = bench.sides[0]
    times = {}
    for count in counts:
        bench.load(side, f"flat{count}", count)
        for name, (structured, expected) in queries(count).items():
            request = run_query(f"flat{count}", structured)
            taken = [bench.seconds(side, "RunQuery", request, expected) for _ in range(200)]
            times.setdefault(name, {})[count] = statistics.median(taken)
    for name, row in times.items():
        cells = "  ".join(f"{count:,}: {taken:.2f} ms" for count, taken in row.items())
        ratio = row[max(row)] / row[min(row)]
        print(f"{name:44} {cells}   largest to smallest {ratio:.2f}", flush=True)
        bench.report.rows.append({"name": f"{name}, by size", "unit": "ms", "sizes": row})
    print(f"memory now: {side.memory():,.0f} MB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--million", action="store_true", help="measure collections up to 1,000,000 documents")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", help="write the figures to a JSON file")
    arguments = parser.parse_args()
    if not shutil.which("h2load"):
        sys.exit("h2load is missing: apt install nghttp2-client, or brew install nghttp2")
    report = Report()
    with tempfile.TemporaryDirectory() as folder, emulators.echo(arguments.build) as echo:
        bench = Bench([], report, arguments.repeat, folder)
        try:
            starts(bench, arguments.build)
            if len(bench.sides) == 1:
                print("Google's emulator or java is missing: only ours is measured")
            singles(bench, echo)
            # The memory must be that of these documents alone.
            fresh(bench, arguments.build)
            collections(bench, arguments.documents)
            flatness(bench, [1_000, 50_000] + [1_000_000] * arguments.million)
        finally:
            for side in bench.sides:
                side.stop()
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(report.rows, indent=2) + "\n")
    missed = [
        row["name"]
        for row in report.rows
        if row.get("goal") and row.get("ratio", row["goal"]) < row["goal"]
    ]
    print(f"goals missed: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
