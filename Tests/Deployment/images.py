"""Reads and unpacks an OCI layout by the specification, without the scripts that made it."""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
NAME = "org.opencontainers.image.ref.name"

# Runs a command in a new root, as a user without rights. The only network is loopback, and the file
# system is read-only. With --tmpfs as the first argument, /tmp is writable.
ENTER = """
set -e
ip link set lo up
mount --rbind "$0" "$0"
mount -o remount,bind,ro "$0"
mount -t proc proc "$0/proc"
mount -t tmpfs tmpfs "$0/dev"
for device in null random urandom zero; do
  : > "$0/dev/$device"
  mount --bind "/dev/$device" "$0/dev/$device"
done
if [ "$1" = --tmpfs ]; then mount -t tmpfs tmpfs "$0/tmp"; shift; fi
exec chroot --userspec=65532:65532 "$0" "$@"
"""


def script(*arguments, **options):
    """Runs deploy.sh and returns the result with its output."""
    environment = os.environ | options.pop("env", {})
    return subprocess.run(
        ["./deploy.sh", *map(str, arguments)], cwd=PROJECT, env=environment, text=True,
        capture_output=True, timeout=300, check=False, **options,
    )


def products():
    """Returns the executables that Package.swift names."""
    command = ". Functions/Deployment/project.sh && products"
    return subprocess.check_output(["sh", "-c", command], cwd=PROJECT, text=True).split()


def make_images(layout, binaries, *names, **environment):
    done = script("image", *names, "--binaries", binaries, "--output", layout, env=environment)
    assert done.returncode == 0, done.stderr
    return Layout(layout)


class Layout:
    def __init__(self, folder):
        self.folder = Path(folder)
        assert json.loads((self.folder / "oci-layout").read_text()) == {
            "imageLayoutVersion": "1.0.0"
        }
        index = json.loads((self.folder / "index.json").read_text())
        assert index["schemaVersion"] == 2 and index["mediaType"] == INDEX
        self.manifests = {each["annotations"][NAME]: each for each in index["manifests"]}
        assert len(self.manifests) == len(index["manifests"])

    def blob(self, descriptor):
        """Returns the blob of a descriptor, after checking its size and digest."""
        algorithm, digest = descriptor["digest"].split(":")
        content = (self.folder / "blobs" / algorithm / digest).read_bytes()
        assert len(content) == descriptor["size"]
        assert hashlib.sha256(content).hexdigest() == digest
        return content

    def image(self, name):
        """Returns the manifest and the configuration of an image."""
        assert self.manifests[name]["mediaType"] == MANIFEST
        manifest = json.loads(self.blob(self.manifests[name]))
        assert manifest["schemaVersion"] == 2 and manifest["mediaType"] == MANIFEST
        return manifest, json.loads(self.blob(manifest["config"]))

    def unpack(self, name, root):
        """Unpacks an image's layers one over the other, checks them, and returns their entries."""
        manifest, config = self.image(name)
        assert len(manifest["layers"]) == len(config["rootfs"]["diff_ids"])
        entries = []
        for layer, diff_id in zip(manifest["layers"], config["rootfs"]["diff_ids"]):
            packed = root.parent / f"{root.name}.tar.gz"
            packed.write_bytes(self.blob(layer))
            unpacked = subprocess.check_output(["gzip", "-dc", packed])
            assert "sha256:" + hashlib.sha256(unpacked).hexdigest() == diff_id
            with tarfile.open(packed) as archive:
                entries += archive.getmembers()
                archive.extractall(root, filter="fully_trusted")
            packed.unlink()
        return entries


def can_enter():
    """Returns whether this user may create namespaces and change the root."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "ip"))):
        return False
    return subprocess.run(["unshare", "-mnpf", "true"], check=False, capture_output=True).returncode == 0


def run_in(root, *command, environment=None, **options):
    """Runs a command in a root file system as a container would, with exactly these variables."""
    return subprocess.run(
        ["unshare", "-mnpf", "sh", "-c", ENTER, root, *command], env=environment or {}, text=True,
        capture_output=True, timeout=60, check=False, **options,
    )
