"""The time until a machine without Swift runs functions: the archive of `make release`, and a
container.

Usage: deployment_speed.py FOLDER LAYOUT, where FOLDER holds the archive

The archive is measured from its download over loopback to the first recorded invocation that
passes; more than ten seconds is an error. Its `install.sh` and a start are measured from the
unpacked archive to the first translated message of the demo. The function's image in an OCI layout is measured from
exec in its root to the worker's first line. It takes turns with the same function outside of the
root, and with a `python3 -I -S` that prints one line. Only the ratios count: times on a shared
machine don't.
"""

import functools
import http.server
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "Tests/Deployment"))
from images import Layout, can_enter  # noqa: E402

DOWNLOADS = 5
STARTS = 100
GOAL_SECONDS = 10
NOBODY = 65532


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def first_fixture(archive):
    """Returns the seconds from the archive's download until its emulator has replayed a recording.
    """
    handler = functools.partial(Files, directory=archive.parent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/{archive.name}"
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            subprocess.run(
                ["bash", "-euo", "pipefail", "-c",
                 'curl --noproxy "*" -sSf "$0" | tar -xz --strip-components 1\n'
                 "recording=(share/worldchat-functions/recordings/translateMessage/*.json)\n"
                 'bin/emulator replay "$recording" >/dev/null', url],
                cwd=folder, check=True,
            )
            seconds = time.perf_counter() - start
        server.shutdown()
    return seconds


def first_translation(archive):
    """Returns the processor seconds and the seconds until an emulator that install.sh has installed
    prints a translated message."""
    services = ("firestore", "auth", "database", "storage", "functions", "ui", "hub")
    ports = [f"--{service}-port=0" for service in services]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-xzf", archive, "--strip-components", "1", "-C", folder], check=True)
        used, start = processor_seconds(), time.perf_counter()
        subprocess.run(["./install.sh", "--prefix", f"{folder}/prefix"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        with subprocess.Popen([f"{folder}/prefix/bin/emulator", "start", "--seed", "demo", *ports], cwd=folder,
                              stdout=subprocess.PIPE, text=True, env=os.environ | {"TMPDIR": folder}) as process:
            shown = any("[phrasebook]" in line for line in process.stdout)
            seconds = time.perf_counter() - start
            process.send_signal(signal.SIGTERM)
            process.stdout.read()
    assert shown, "the emulator has ended without a translated message"
    return processor_seconds() - used, seconds


def processor_seconds():
    """Returns the processor time of all programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def first_line(command, root=None):
    """Returns the milliseconds from exec to the first line of a program that ends with its stdin.
    """

    def enter():
        if root:
            os.chroot(root)
            os.chdir("/")
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    start = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={},
                          preexec_fn=enter, stderr=subprocess.DEVNULL) as process:
        line = process.stdout.readline()
        milliseconds = (time.perf_counter() - start) * 1000
        process.stdin.close()
    assert line and process.returncode == 0, (command, line, process.returncode)
    return milliseconds


def measure_starts(layout):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        root = Path(folder) / "root"
        root.mkdir(mode=0o755)
        Layout(layout).unpack("translate-message", root)
        # This process has its own mount namespace, so the mount ends with the process.
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
        try:
            times = {"inside": [], "outside": [], "python3": []}
            for _ in range(STARTS):
                times["inside"].append(first_line(["/app/main", "--worker"], root))
                times["outside"].append(first_line([root / "app/main", "--worker"]))
                times["python3"].append(first_line(["/usr/bin/python3", "-I", "-S", "-c", "print()"]))
        finally:
            subprocess.run(["umount", root / "proc"], check=True)
    medians = {name: statistics.median(values) for name, values in times.items()}
    inside = medians["inside"]
    print(f"container: {inside:.1f} ms from exec to a worker's first line, "
          f"{inside / medians['outside']:.2f} times the time outside, "
          f"{inside / medians['python3']:.2f} times the time of a bare python3")


def main():
    archives = Path(sys.argv[1]).resolve().glob("*.tar.gz")
    archive = max(archives, key=lambda file: file.stat().st_mtime)
    layout = Path(sys.argv[2]).resolve()
    seconds = statistics.median(first_fixture(archive) for _ in range(DOWNLOADS))
    print(f"archive: {archive.stat().st_size / 1e6:.0f} MB, {seconds:.1f} s from its download to its "
          f"first passed fixture")
    runs = [first_translation(archive) for _ in range(DOWNLOADS)]
    used, elapsed = map(statistics.median, zip(*runs))
    print(f"install.sh and start: {used:.1f} s of processor time and {elapsed:.1f} s from the unpacked "
          f"archive to the first translated message")
    if can_enter():
        command = [sys.executable, "-B", __file__, "--starts", layout]
        subprocess.run(["unshare", "-mnpf", "--mount-proc", *command], check=True)
    else:
        print("container: not measured, as only root can change the root")
    return 0 if seconds <= GOAL_SECONDS else 1


if sys.argv[1] == "--starts":
    measure_starts(sys.argv[2])
else:
    sys.exit(main())
