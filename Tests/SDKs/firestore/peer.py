"""Google's own emulator, where it is installed: the other side of every comparison."""

import contextlib
import glob
import http.client
import os
import random
import shutil
import socket
import subprocess
import time

# The folders that Google's packages for Debian, Homebrew and the plain archive install to.
PLACES = (
    "/usr/lib/google-cloud-sdk",
    "/opt/homebrew/share/google-cloud-sdk",
    "/usr/local/share/google-cloud-sdk",
    os.path.expanduser("~/google-cloud-sdk"),
)
START_SECONDS = 60
MISSING = (
    "the comparison needs Google's emulator and java: install google-cloud-cli-firestore-emulator "
    "and a JRE, or name the emulator's jar in GOOGLE_FIRESTORE_EMULATOR"
)


def find_jar():
    """Returns the path of the emulator, or None if it or java is missing."""
    if not shutil.which("java"):
        return None
    named = os.environ.get("GOOGLE_FIRESTORE_EMULATOR")
    if named:
        return named
    for place in PLACES:
        jars = glob.glob(f"{place}/platform/cloud-firestore-emulator/*.jar")
        if jars:
            return jars[0]
    return None


# The ports that this process has handed out.
given = set()


def free_port():
    """Returns a port for a server that starts later.

    It is below the ephemeral ports of Linux and macOS, which connections and other servers may take
    meanwhile. Each of pytest's workers has a thousand ports, and none is handed out again before
    nearly all were."""
    first = 20_000 + 1_000 * (int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 12)
    if len(given) > 900:
        given.clear()
    for port in random.sample(sorted(set(range(first, first + 1_000)) - given), 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("0.0.0.0", port))
            given.add(port)
            return port
    raise RuntimeError(f"no port from {first} on is free")


def answers(port):
    """Returns whether a server answers that it is ready."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def command(jar, port):
    """Returns the command that starts the emulator."""
    java = ["java", "-Xmx700m", "-Duser.language=en", "-cp", jar]
    main = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
    return [*java, main, "--host=127.0.0.1", f"--port={port}", "--project_id=demo-test"]


def start(jar, port, *options):
    """Starts Google's emulator and waits until it is ready at the port."""
    process = subprocess.Popen(
        [*command(jar, port), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + START_SECONDS
    while not answers(port):
        if process.poll() is not None or time.monotonic() > until:
            process.kill()
            raise RuntimeError("Google's emulator does not start")
        # It doesn't announce when it is ready.
        time.sleep(0.05)
    return process


@contextlib.contextmanager
def running(*options):
    """Yields the address of Google's emulator, which ends with the block. Skips the test if it isn't
    installed."""
    # Benchmarks use the rest of this module without pytest.
    import pytest

    jar = find_jar()
    if jar is None:
        pytest.skip(MISSING)
    port = free_port()
    process = start(jar, port, *options)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
