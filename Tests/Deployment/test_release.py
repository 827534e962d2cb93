"""The archive of `make release`, made from stand-ins for the executables and from the release
build."""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import tarfile

import pytest
from images import PROJECT, products

RELEASE_BUILD = PROJECT / ".build/release"


def release(binaries, output, **environment):
    return subprocess.run(
        [PROJECT / "Functions/Deployment/release.sh", "--binaries", binaries, "--output", output],
        text=True, capture_output=True, timeout=300, check=False, env=os.environ | environment,
    )


def archive_in(folder):
    archive, = folder.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stand-ins")
    for product in products():
        shutil.copy("/bin/true", folder / product)
    return folder


@pytest.fixture(scope="module")
def archive(stand_ins, tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    done = release(stand_ins, folder, VERSION="1.2.3")
    assert done.returncode == 0, done.stderr
    return archive_in(folder)


def test_is_named_by_version_and_machine(archive):
    system = f"{platform.system().lower()}-{platform.machine()}"
    assert archive.name == f"worldchat-functions-1.2.3-{system}.tar.gz"


def test_has_its_hash_beside_it(archive):
    digest, name = (archive.parent / f"{archive.name}.sha256").read_text().split()
    assert name == archive.name
    assert digest == hashlib.sha256(archive.read_bytes()).hexdigest()


def test_holds_everything_in_one_folder(archive):
    with tarfile.open(archive) as opened:
        names = {member.name.partition("/")[2] for member in opened}
        assert {member.name.partition("/")[0] for member in opened} == {
            archive.name.removesuffix(".tar.gz")
        }
        assert all((member.uid, member.gid, member.mode & 0o022) == (0, 0, 0) for member in opened)
    assert names >= {*products(), "README.md", "VERSION", "sbom.cdx.json", "schemas/event.schema.json",
                     "licenses/swift-nio/LICENSE.txt", "licenses/libre2-dev/copyright",
                     "recordings/translateMessage"}
    assert not any("machine" in name or name.endswith((".py", ".pyc")) for name in names)


def test_its_readme_names_only_files_that_exist(archive, tmp_path):
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    folder, = tmp_path.iterdir()
    readme = (folder / "README.md").read_text()
    programs = set(re.findall(r"(?<!\S)\./(\w+)", readme))
    assert programs >= {"emulator", "translateMessage"}
    for name in programs:
        assert os.access(folder / name, os.X_OK), name
    others = set(re.findall(r"`([a-z.]+)`", readme))
    assert others >= {"recordings", "schemas", "licenses", "sbom.cdx.json"}
    for name in others:
        assert (folder / name).exists(), name


def test_same_input_same_bytes(archive, stand_ins, tmp_path):
    assert release(stand_ins, tmp_path, VERSION="1.2.3").returncode == 0
    assert archive_in(tmp_path).read_bytes() == archive.read_bytes()


def test_is_not_made_if_its_recordings_fail(stand_ins, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(stand_ins, broken)
    shutil.copy("/bin/false", broken / "emulator")
    done = release(broken, tmp_path / "output")
    assert done.returncode == 1 and "replaying the archive's recordings failed" in done.stderr
    assert os.listdir(tmp_path / "output") == []


def test_names_a_missing_executable(stand_ins, tmp_path):
    partial = tmp_path / "partial"
    shutil.copytree(stand_ins, partial)
    (partial / "askAI").unlink()
    done = release(partial, tmp_path / "output")
    assert done.returncode == 66 and f"no executable {partial}/askAI" in done.stderr


@pytest.mark.parametrize("arguments", [["--binaries"], ["--binaries", ""], ["--outptu", "x"], ["x"]])
def test_refuses_other_options(arguments):
    done = subprocess.run([PROJECT / "Functions/Deployment/release.sh", *arguments],
                          text=True, capture_output=True, check=False)
    assert done.returncode == 64 and done.stdout == ""


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """The archive of the release build, stripped as `make release` strips it."""
    missing = [name for name in products() if not (RELEASE_BUILD / name).exists()]
    if missing:
        pytest.skip(f"not in .build/release: {', '.join(missing)}")
    folder = tmp_path_factory.mktemp("real")
    (folder / "binaries").mkdir()
    for name in products():
        subprocess.run(["strip", "-o", folder / "binaries" / name, RELEASE_BUILD / name], check=True)
    done = release(folder / "binaries", folder / "output")
    assert done.returncode == 0, done.stderr
    return archive_in(folder / "output")


def test_replays_without_swift(real, tmp_path):
    subprocess.run(["tar", "-xzf", real, "-C", tmp_path], check=True)
    folder, = tmp_path.iterdir()
    done = subprocess.run(["./emulator", "replay", "recordings"], cwd=folder, text=True,
                          capture_output=True, check=False, env={"PATH": "/usr/bin:/bin"}, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"(\d+) fixtures: \1 same, 0 differ, 0 bad", done.stdout), done.stdout
    for name in products():
        linked = subprocess.check_output(["ldd", folder / name], text=True)
        assert "swift" not in linked.lower() and "not found" not in linked


@pytest.mark.skipif(not shutil.which("objdump"), reason="objdump is not installed")
def test_runs_with_the_libraries_of_debian_12_and_ubuntu_22_04(real, tmp_path):
    """Their glibc is 2.36 and 2.35, and both have libstdc++ of GCC 12."""
    latest = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "OPENSSL": (3, 0, 2)}
    with tarfile.open(real) as opened:
        opened.extractall(tmp_path, filter="data")
    folder, = tmp_path.iterdir()
    for name in products():
        symbols = subprocess.check_output(["objdump", "-T", folder / name], text=True)
        for library, version in set(re.findall(r"\((GLIBC|GLIBCXX|CXXABI|OPENSSL)_([0-9.]+)\)", symbols)):
            assert tuple(map(int, version.split("."))) <= latest[library], (name, library, version)
        needed = subprocess.check_output(["objdump", "-p", folder / name], text=True)
        assert set(re.findall(r"NEEDED +(\S+)", needed)) <= {
            "libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libcurl.so.4",
            "libcrypto.so.3", "libsqlite3.so.0", "libz.so.1", "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1",
        }


def test_has_an_inventory(real):
    with tarfile.open(real) as opened:
        name, = (member for member in opened.getnames() if member.endswith("/sbom.cdx.json"))
        inventory = json.load(opened.extractfile(name))
    assert {*products(), "libre2-dev", "swift", "swift-nio", "swift-log"} <= {
        part["name"] for part in inventory["components"]
    }
