"""A disk that is soon full."""

import contextlib
import shutil
import subprocess

import pytest


@contextlib.contextmanager
def small_disk(folder, megabytes=2):
    """Mounts a small file system, if this process may."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(command, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("only root may make a small file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
