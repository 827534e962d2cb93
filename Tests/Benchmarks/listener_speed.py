"""The cost of a change for its listeners: ours and Google's emulator in one run.

Tests/ListenLoad is the client: devices on a connection each, all listening to the newest fifty
messages of a conversation, while a writer adds messages. Latency is measured from before a message
is sent until a device has it. Bytes are those that a device receives for a message.
"""

import argparse
import json
import subprocess
import sys

import emulators

LATENCY = ("p50", "p95", "p99")


def load(build, side, *flags, **options):
    """Runs the load once and returns its figures."""
    command = [f"{build}/listenLoad", "--address", side.address, *flags]
    for name, value in options.items():
        command += [f"--{name.replace('_', '-')}", str(value)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"{side.name}: listenLoad {options} failed")
    return json.loads(result.stdout)


def compare(build, sides, listeners, commits):
    """Compares the emulators. Each message is sent when all devices have the one before."""
    figures = {
        side.name: load(build, side, listeners=listeners, commits=commits, time_limit=60)
        for side in sides
    }
    for key in (*LATENCY, "bytes"):
        unit = "bytes" if key == "bytes" else "ms"
        values = "  ".join(f"{name} {each[key]:10,.2f}" for name, each in figures.items())
        text = f"{listeners:5,} listeners, {key:5} {unit:6} {values}"
        if len(figures) == 2:
            mine, other = figures["ours"][key], figures["Google's"][key]
            text += f"   x {other / mine:8.2f}   goal 5: {'met' if other / mine >= 5 else 'MISSED'}"
        print(text, flush=True)


def steady(build, side, listeners, collections, seconds):
    """Sends a hundred messages a second, without waiting for the listeners."""
    figures = load(
        build, side, listeners=listeners, collections=collections, rate=100, commits=100 * seconds
    )
    values = "  ".join(f"{key} {figures[key]:8.2f} ms" for key in LATENCY)
    print(
        f"100 messages/s, {listeners:,} listeners of {collections} collections: {values}   "
        f"{figures['deliveries'] / figures['seconds']:,.0f} deliveries/s   "
        f"goal p95 < 20 ms: {'met' if figures['p95'] < 20 else 'MISSED'}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    parser.add_argument("--commits", type=int, default=20, help="messages of each comparison")
    parser.add_argument("--seconds", type=int, default=10, help="seconds of the steady load")
    arguments = parser.parse_args()
    sides = [emulators.ours(arguments.build), emulators.google()]
    sides = [side for side in sides if side is not None]
    if len(sides) == 1:
        print("Google's emulator or java is missing: only ours is measured")
    try:
        for listeners in (1, 100, 1_000):
            compare(arguments.build, sides, listeners, arguments.commits)
        for collections in (100, 10, 1):
            steady(arguments.build, sides[0], 1_000, collections, arguments.seconds)
    finally:
        for side in sides:
            side.stop()


if __name__ == "__main__":
    main()
