"""A service under load: `serve` and PyPI's functions-framework with the same trivial function.

The numbers of callers and of workers are the same. Only the ratios count: times on a shared machine
don't. Where other processes keep the cores busy, a request's CPU time says more than the rate. The
sides take turns, each round with a fresh process.

functions-framework is started by its own command, which by default runs gunicorn with threads in
one process. A second row gives it as many processes as ours has. Each process has two threads,
because with one thread gunicorn closes each connection after its answer. On our side the function
is compiled; a second row has the same function in Python. Memory is that of all processes, with
shared pages counted once (PSS) where the system reports that.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import emulators
from firestore import peer

HERE = pathlib.Path(__file__).parent
GREET = emulators.REPOSITORY / ".build/bench/greet"
BODY = json.dumps({"name": "Marco"}).encode()
GREETING = {"greeting": "Hello, Marco!"}
HEADERS = {"Content-Type": "application/json"}
START_SECONDS = 30
TICKS = os.sysconf("SC_CLK_TCK")
# The goals, as factors over functions-framework: requests a second, p99, memory.
GOALS = {"rate": 10, "p99": 3, "memory": 3}


def framework(workers, threads):
    """Returns the command and the variables of functions-framework."""
    environment = {
        "FUNCTION_TARGET": "greet",
        "FUNCTION_SOURCE": str(HERE / "greet.py"),
        "FUNCTION_SIGNATURE_TYPE": "http",
        "WORKERS": str(workers),
        "THREADS": str(threads),
    }
    return [sys.executable, "-m", "functions_framework"], environment


def serve(build, function, workers):
    environment = {"FUNCTION_SIGNATURE_TYPE": "http", "FUNCTION_CONCURRENCY": str(workers)}
    return [f"{build}/serve", str(function)], environment


class Service:
    """A running service. `started` is the seconds from its start to its first answer."""

    def __init__(self, command, environment):
        self.port = peer.free_port()
        began = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            env={**os.environ, **environment, "PORT": str(self.port)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not self.greets():
            if self.process.poll() is not None or time.perf_counter() - began > START_SECONDS:
                self.process.kill()
                raise RuntimeError(f"does not start: {' '.join(command)}")
            time.sleep(0.001)
        self.started = time.perf_counter() - began

    def greets(self):
        try:
            return self.ask() == 200
        except ConnectionRefusedError:
            return False

    def ask(self):
        """Returns the status of a call on a new connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=START_SECONDS)
        try:
            connection.request("POST", "/", BODY, HEADERS | {"Connection": "close"})
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status != 200 or json.loads(body) == GREETING, body
            return answer.status
        finally:
            connection.close()

    def load(self, connections, seconds):
        """Returns the answers a second, and their sorted milliseconds."""
        with tempfile.TemporaryDirectory() as folder:
            body, log = pathlib.Path(folder, "body"), pathlib.Path(folder, "log")
            body.write_bytes(BODY)
            command = ["h2load", "--h1", "-c", str(connections), "-D", str(seconds), "-d", str(body)]
            command += ["-H", "Content-Type: application/json", f"--log-file={log}"]
            done = subprocess.run(
                [*command, f"http://127.0.0.1:{self.port}/"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            lines = [line.split() for line in log.read_text().splitlines()]
        statuses = {line[1] for line in lines}
        if done.returncode or statuses != {"200"}:
            sys.exit(f"h2load: {statuses}\n{done.stdout}")
        return len(lines) / seconds, sorted(int(line[2]) / 1e3 for line in lines)

    def processes(self):
        """Returns the ids of its process and of all descendants."""
        found, listed = [self.process.pid], ps("pid=,ppid=")
        for pid in found:
            found += [child for child, parent in listed if parent == pid]
        return found

    def memory(self):
        """Returns the MB of all its processes: with shared pages counted once, and counted in each.
        """
        pids = self.processes()
        resident = sum(kilobytes for pid, kilobytes in ps("pid=,rss=") if pid in pids) / 1024
        try:
            rollups = [pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids]
            return sum(int(re.search(r"^Pss:\s+(\d+)", text, re.M)[1]) for text in rollups) / 1024, resident
        except OSError:
            return resident, resident

    def cpu(self):
        """Returns the seconds of CPU that all its processes have used, or None if the system
        doesn't report them."""
        ticks = 0
        for pid in self.processes():
            try:
                stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
            except OSError:
                return None
            # The process's own and its ended children's, in user and system mode.
            ticks += sum(map(int, stat.rsplit(")", 1)[1].split()[11:15]))
        return ticks / TICKS

    def end(self):
        self.process.terminate()
        return self.process.wait(START_SECONDS)


def ps(columns):
    output = subprocess.run(["ps", "-A", "-o", columns], stdout=subprocess.PIPE, text=True, check=True)
    return [[int(each) for each in line.split()] for line in output.stdout.splitlines()]


def percentile(values, percent):
    return values[min(len(values) - 1, len(values) * percent // 100)]


def measure(command, environment, connections, seconds):
    service = Service(command, environment)
    try:
        service.load(connections, 1)
        before = service.cpu()
        rate, times = service.load(connections, seconds)
        spent = before is not None and service.cpu() - before
        shared, resident = service.memory()
        return {
            "rate": rate,
            "p50": percentile(times, 50),
            "p99": percentile(times, 99),
            "memory": shared,
            "resident": resident,
            "start": 1e3 * service.started,
            "cpu": 1e6 * spent / len(times),
        }
    finally:
        service.end()


def ending(command, environment, callers, answers):
    """Terminates a service under load, in which each call has a new connection. Returns the number
    of answered calls, the outcomes of calls that were neither answered nor refused, and the exit
    code.
    """
    service = Service(command, environment)
    outcomes, enough = [], threading.Event()

    def keep_calling():
        while True:
            try:
                outcome = service.ask()
            except ConnectionRefusedError:
                return
            except OSError as error:
                outcome = type(error).__name__
            outcomes.append(outcome)
            if len(outcomes) >= answers:
                enough.set()
            if outcome != 200:
                return

    threads = [threading.Thread(target=keep_calling) for _ in range(callers)]
    for thread in threads:
        thread.start()
    enough.wait()
    code = service.end()
    for thread in threads:
        thread.join()
    return outcomes.count(200), [each for each in outcomes if each not in (200, 503)], code


def compare(ours, peers):
    """Prints our ratios to each peer, and returns the goals that are missed."""
    missed = []
    for name, figures in peers.items():
        ratios = {
            "rate": ours["rate"] / figures["rate"],
            "p99": figures["p99"] / ours["p99"],
            "memory": figures["memory"] / ours["memory"],
            "start": figures["start"] / ours["start"],
        }
        if ours["cpu"]:
            ratios["CPU"] = figures["cpu"] / ours["cpu"]
        parts = []
        for what, ratio in ratios.items():
            goal = GOALS.get(what)
            verdict = f" (goal {goal}: {'met' if ratio >= goal else 'MISSED'})" if goal else ""
            parts.append(f"{what} x {ratio:.1f}{verdict}")
            if goal and ratio < goal:
                missed.append(what)
        print(f"serve against {name}: {', '.join(parts)}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=emulators.RELEASE, help="the folder of our programs")
    parser.add_argument("--greet", default=GREET, help="the compiled function")
    parser.add_argument("--workers", type=int, default=8, help="number of workers and of concurrent callers")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    if not shutil.which("h2load"):
        sys.exit("h2load is missing: apt install nghttp2-client, or brew install nghttp2")
    build, workers = arguments.build, arguments.workers
    sides = {
        "serve, compiled": serve(build, arguments.greet, workers),
        "serve, Python": serve(build, HERE / "greet.py", workers),
        f"functions-framework, {workers} threads": framework(1, workers),
        f"functions-framework, {workers} processes": framework(workers, 2),
    }
    rounds = {name: [] for name in sides}
    for _ in range(arguments.repeat):
        for name, (command, environment) in sides.items():
            rounds[name].append(measure(command, environment, workers, arguments.seconds))
    medians = {
        name: {what: statistics.median(each[what] for each in figures) for what in figures[0]}
        for name, figures in rounds.items()
    }
    for name, found in medians.items():
        print(
            f"{name:36} {found['rate']:9,.0f} requests/s  p50 {found['p50']:7.2f}  p99 {found['p99']:7.2f} ms  "
            f"CPU {found['cpu']:5,.0f} us each  memory {found['memory']:6.1f} MB (RSS {found['resident']:6.1f})  "
            f"first answer after {found['start']:6.0f} ms"
        )
    mine = medians.pop("serve, compiled")
    medians.pop("serve, Python")
    missed = compare(mine, medians)
    for name in ("serve, compiled", f"functions-framework, {workers} threads"):
        answered, lost, code = ending(*sides[name], callers=2 * workers, answers=1000)
        is_ours = name.startswith("serve")
        verdict = f"   goal 0: {'MISSED' if lost or code else 'met'}" if is_ours else ""
        print(f"{name}: terminated after {answered} answers, {len(lost)} lost, exit {code}{verdict}")
        missed += ["end"] * bool(is_ours and (lost or code))
    print(f"goals missed: {', '.join(missed) or 'none'}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
