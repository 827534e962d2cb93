"""Listeners in browsers: ours and Google's emulator in one run, over WebChannel and over gRPC.

Tests/ListenLoad is the client: devices on a connection each, all listening to the newest fifty
messages of a conversation, while a writer adds messages. Latency is measured from before a message
is sent until a device has it, CPU is the server's for each message and device.
"""

import argparse
import statistics

import emulators
from listener_speed import load

TURNS = 5
GOOGLE = "Google's"


def cpu(process):
    """Returns the seconds of CPU that a process has used."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def measure(build, side, listeners, commits, web):
    """Runs the load once and returns its figures, with the microseconds of CPU for each delivery."""
    before = cpu(side.process)
    flags = ["--web"] if web else []
    figures = load(build, side, *flags, listeners=listeners, commits=commits, time_limit=60)
    figures["cpu"] = (cpu(side.process) - before) * 1e6 / figures["deliveries"]
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    arguments = parser.parse_args()
    ours, google = emulators.ours(arguments.build), emulators.google()
    if google is None:
        print("Google's emulator or java is missing: only ours is measured")
    kinds = [("ours", ours, True), ("ours, gRPC", ours, False)] + ([(GOOGLE, google, True)] if google else [])
    try:
        for listeners, commits in ((1, 200), (500, 20)):
            runs = {name: [] for name, _, _ in kinds}
            for turn in range(TURNS):
                for name, side, web in kinds:
                    # With many listeners a message takes Google's emulator many seconds.
                    if name == GOOGLE and listeners > 1:
                        if turn == 0:
                            runs[name].append(measure(arguments.build, side, listeners, 3, web))
                    else:
                        runs[name].append(measure(arguments.build, side, listeners, commits, web))
            for key, unit in (("p50", "ms"), ("p99", "ms"), ("cpu", "µs")):
                middle = {name: statistics.median(run[key] for run in each) for name, each in runs.items()}
                text = "  ".join(f"{name} {value:9.2f}" for name, value in middle.items())
                ratios = f"gRPC's x {middle['ours'] / middle['ours, gRPC']:.2f}"
                if google:
                    ratios += f"   Google's / ours {middle[GOOGLE] / middle['ours']:.1f}"
                print(f"{listeners:4} sessions, {key:3} {unit}: {text}   {ratios}", flush=True)
    finally:
        for side in (ours, google):
            if side:
                side.stop()


if __name__ == "__main__":
    main()
