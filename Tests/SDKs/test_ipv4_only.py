"""The emulator on a machine whose network has no IPv6."""

import os
import shutil
import subprocess

import pytest

# An interface with an IPv4 address only: then the lookup of the name ::1 fails.
NETWORK = """
set -e
ip link set lo up
ip link add v0 type veth peer name v1
for link in v0 v1; do ip link set $link addrgenmode none; done
ip addr add 192.168.78.5/24 dev v0
for link in v0 v1; do ip link set $link up; done
exec "$@"
"""
NAMESPACE = ["unshare", "--map-root-user", "--net", "sh", "-c", NETWORK, "sh"]


def can_unshare():
    if not shutil.which("unshare") or not shutil.which("ip"):
        return False
    return subprocess.run([*NAMESPACE, "true"], capture_output=True).returncode == 0


@pytest.mark.skipif(not can_unshare(), reason="unshare or ip can't make a network here")
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_emulator_starts(tmp_path, host):
    done = subprocess.run(
        [*NAMESPACE, shutil.which("emulator"), "exec", "--quiet", "--host", host, "--no-rules",
         "--functions", str(tmp_path), "--project", "demo-ipv4", "--",
         "curl", "-sS", "http://127.0.0.1:8080/"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "Ok\n"), done.stderr
