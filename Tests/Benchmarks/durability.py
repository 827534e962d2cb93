"""The cost of the option `--data`: the rate of commits with the option and without it, measured in
turns, and the time to load 50,000 documents at the start."""

import argparse
import pathlib
import shutil
import statistics
import sys
import tempfile

import emulators
from firestore.wire import parse
from firestore_speed import DATABASE, Bench, Report, document

# Concurrent writers: connections times streams.
WRITERS = (8, 8)
GOAL = 0.5
GOAL_SECONDS = 1.0


def rates(bench, build, repeat):
    """Returns the commits a second by kind, a list for each side."""
    root = f"{DATABASE}/rates"
    name = f"{root}/documents/c/one"
    increment = {"fieldPath": "n", "increment": {"integerValue": "1"}}
    change = {"update": {"name": name, "fields": document(1)}, "updateTransforms": [increment]}
    create = {"parent": f"{root}/documents", "collectionId": "made", "document": {"fields": document(1)}}
    kinds = {
        "Commit of one": ("Commit", {"database": root, "writes": [change]}),
        "CreateDocument": ("CreateDocument", create),
    }
    found = {kind: {"memory": [], "durable": []} for kind in kinds}
    for _ in range(repeat):
        for side in ("memory", "durable"):
            with tempfile.TemporaryDirectory() as folder:
                options = ["--data", folder] if side == "durable" else []
                emulator = emulators.ours(build, *options)
                try:
                    for kind, (method, request) in kinds.items():
                        message = parse(method, request)
                        emulator.server.send(method, message)
                        rate = bench.rate(emulator.address, method, message, *WRITERS)
                        found[kind][side].append(rate)
                finally:
                    emulator.stop()
    return found


def reopening(bench, build, count, repeat):
    """Returns the seconds from the start to the first answer: after a kill, after orderly ends, and
    without documents."""
    with tempfile.TemporaryDirectory() as folder:
        emulator = emulators.ours(build, "--data", folder)
        bench.load(emulator, "many", count)
        emulator.kill()
        killed = emulators.ours(build, "--data", folder)
        killed.stop()
        closed = []
        for _ in range(repeat):
            emulator = emulators.ours(build, "--data", folder)
            closed.append(emulator.started)
            emulator.stop()
    bare = emulators.ours(build)
    bare.stop()
    return killed.started, statistics.median(closed), bare.started


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    if not shutil.which("h2load"):
        sys.exit("h2load is missing: apt install nghttp2-client, or brew install nghttp2")
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench([], Report(), arguments.repeat, pathlib.Path(folder))
        for kind, sides in rates(bench, arguments.build, arguments.repeat).items():
            memory, durable = (statistics.median(sides[side]) for side in ("memory", "durable"))
            met = durable >= GOAL * memory
            print(
                f"{kind + ', 64 at once':44} per s     memory {memory:10,.0f}  durable {durable:10,.0f}"
                f"   x {durable / memory:.2f}   goal {GOAL:g}: {'met' if met else 'MISSED'}",
                flush=True,
            )
            missed += [kind] * (not met)
        killed, closed, bare = reopening(bench, arguments.build, arguments.documents, arguments.repeat)
        met = max(killed, closed) < GOAL_SECONDS
        print(
            f"{f'{arguments.documents:,} documents, start to ready':44} s         after a kill {killed:.2f}"
            f"  after an orderly end {closed:.2f}  without documents {bare:.2f}"
            f"   goal {GOAL_SECONDS:g}: {'met' if met else 'MISSED'}"
        )
        missed += ["start"] * (not met)
    print(f"goals missed: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
