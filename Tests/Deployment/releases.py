"""Makes releases, as `make release` does."""

import os
import shutil
import subprocess

from images import PROJECT, products

RELEASE_BUILD = PROJECT / ".build/release"


def release(binaries, output, **environment):
    """Runs release.sh and returns the result with its output."""
    return subprocess.run(
        [PROJECT / "Functions/Deployment/release.sh", "--binaries", binaries, "--output", output],
        text=True, capture_output=True, timeout=300, check=False, env=os.environ | environment,
    )


def make_release(binaries, output, **environment):
    """Makes a release and returns its archive."""
    done = release(binaries, output, **environment)
    assert done.returncode == 0, done.stderr
    return archive_in(output)


def archive_in(folder):
    archive, = folder.glob("*.tar.gz")
    return archive


def make_stand_ins(folder):
    """Makes an executable for each product that does nothing."""
    for product in products():
        shutil.copy("/bin/true", folder / product)
    return folder
