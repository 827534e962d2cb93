"""install.sh and the .deb of `make release`: in temporary folders, with stand-ins for the
executables, and in a root file system without Swift, with the real ones if they are built."""

import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import time

import clean_root
import pytest
from images import can_enter, products
from releases import RELEASE_BUILD, make_release, make_stand_ins

FILES = "lib/worldchat-functions"
RULES = "share/worldchat-functions/project/firestore.rules"
SUMS = "share/worldchat-functions/SHA256SUMS"
in_root = pytest.mark.skipif(
    not can_enter() or not os.path.exists("/etc/debian_version"),
    reason="a root file system of Debian's packages needs Debian, root, unshare and ip",
)
needs_dpkg = pytest.mark.skipif(
    not all(map(shutil.which, ("dpkg-deb", "dpkg-shlibdeps"))), reason="dpkg-dev is not installed"
)


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    """Stand-ins for the executables. One of them needs libcurl."""
    folder = make_stand_ins(tmp_path_factory.mktemp("stand-ins"))
    shutil.copy(shutil.which("curl"), folder / "askAI")
    return folder


@pytest.fixture(scope="module")
def archive(stand_ins, tmp_path_factory):
    return make_release(stand_ins, tmp_path_factory.mktemp("release"), VERSION="1.2.3", REVISION="0123abc")


@pytest.fixture
def unpacked(archive, tmp_path):
    return unpack(archive, tmp_path / "unpacked")


def unpack(archive, folder):
    folder.mkdir()
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def install(folder, *arguments, **environment):
    """Runs the install.sh of a folder."""
    return subprocess.run([folder / "install.sh", *map(str, arguments)], text=True, capture_output=True,
                          env=os.environ | environment, timeout=60, check=False)


def tree(folder):
    """Returns the paths of all files, links and folders in a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def change(folder, name, content):
    """Writes a file of an unpacked archive with its new checksum."""
    (folder / name).write_text(content)
    digest = subprocess.check_output(["sha256sum", name], cwd=folder, text=True)
    sums = [line for line in (folder / "SHA256SUMS").read_text().splitlines() if not line.endswith(f"  {name}")]
    (folder / "SHA256SUMS").write_text("\n".join([*sums, digest]))


class TestInstalling:
    def test_installs_the_files_of_the_archive(self, unpacked, tmp_path):
        prefix = tmp_path / "a prefix"
        done = install(unpacked, "--prefix", prefix)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(f"installed in {prefix}: 1.2.3 0123abc\n")
        assert f'export PATH="{prefix}/bin:$PATH"' in done.stdout
        expected = {name for name in tree(unpacked) if name.partition("/")[0] in ("bin", "lib", "share")}
        assert tree(prefix) == expected | {"share/worldchat-functions/INSTALLED", SUMS}
        assert (prefix / "bin/emulator").resolve() == (prefix / FILES / "emulator").resolve()
        for name in products():
            assert os.access(prefix / FILES / name, os.X_OK)

    def test_installs_from_the_archive_beside_it(self, archive, tmp_path):
        prefix = tmp_path / "prefix"
        done = install(archive.parent, "--prefix", prefix, PATH=f"{prefix}/bin:{os.environ['PATH']}")
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith("Start it: emulator start --seed demo\n")
        assert (prefix / "bin/emulator").exists()

    def test_relative_paths_are_those_of_the_working_folder(self, archive, tmp_path):
        done = subprocess.run([archive.with_name("install.sh"), "--prefix", "here", archive], cwd=tmp_path,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "here/bin/emulator").exists()

    def test_the_folder_of_the_programs_may_be_a_link(self, unpacked, tmp_path):
        prefix, folder = tmp_path / "prefix", tmp_path / "other/bin"
        folder.mkdir(parents=True)
        prefix.mkdir()
        (prefix / "bin").symlink_to(folder)
        assert install(unpacked, "--prefix", prefix).returncode == 0
        assert (folder / "emulator").resolve() == (prefix / FILES / "emulator").resolve(strict=True)
        assert install(unpacked, "--uninstall", "--prefix", prefix).returncode == 0
        assert tree(prefix) == {"bin"} and tree(folder) == set()

    def test_uninstalls_only_its_own_files(self, unpacked, tmp_path):
        prefix = tmp_path / "prefix"
        (prefix / "bin").mkdir(parents=True)
        assert install(unpacked, "--prefix", prefix).returncode == 0
        (prefix / FILES / "mine").write_text("mine")
        done = install(unpacked, "--uninstall", "--prefix", prefix)
        assert (done.returncode, done.stdout) == (0, f"removed from {prefix}\n")
        assert tree(prefix) == {"bin", "lib", FILES, f"{FILES}/mine"}
        again = install(unpacked, "--uninstall", "--prefix", prefix)
        assert again.returncode == 66 and f"nothing is installed in {prefix}" in again.stderr

    def test_replaces_an_older_version(self, unpacked, archive, tmp_path):
        prefix = tmp_path / "prefix"
        older = unpack(archive, tmp_path / "older")
        change(older, f"{FILES}/VERSION", "1.2.2\n")
        change(older, f"{FILES}/dropped", "no longer there")
        assert "1.2.2" in install(older, "--prefix", prefix).stdout
        assert (prefix / FILES / "dropped").exists()
        done = install(unpacked, "--prefix", prefix)
        assert done.returncode == 0, done.stderr
        assert (prefix / FILES / "VERSION").read_text() == "1.2.3 0123abc\n"
        assert not (prefix / FILES / "dropped").exists()
        assert install(unpacked, "--uninstall", "--prefix", prefix).returncode == 0
        assert tree(prefix) == set()

    def test_an_interrupted_installation_can_be_repeated_and_uninstalled(self, unpacked, tmp_path):
        prefix, tools = tmp_path / "prefix", tmp_path / "tools"
        tools.mkdir()
        (tools / "cp").write_text(
            f'#!/bin/sh\n{shutil.which("cp")} "$@"\ncase $1 in */forgetUser) kill -TERM $PPID ;; esac\n')
        (tools / "cp").chmod(0o755)
        done = install(unpacked, "--prefix", prefix, PATH=f"{tools}:{os.environ['PATH']}")
        assert done.returncode == 130
        assert not [name for name in tree(prefix) if name.endswith(".new")]
        assert (prefix / FILES / "emulator").exists() and not (prefix / FILES / "forgetUser").exists()
        assert install(unpacked, "--prefix", prefix).returncode == 0
        assert install(unpacked, "--prefix", prefix, PATH=f"{tools}:{os.environ['PATH']}").returncode == 130
        assert install(unpacked, "--uninstall", "--prefix", prefix).returncode == 0
        assert tree(prefix) == set()


class TestRefusals:
    def refused(self, folder, prefix, *arguments, status, **environment):
        done = install(folder, "--prefix", prefix, *arguments, **environment)
        assert done.returncode == status, done.stdout + done.stderr
        assert done.stdout == "" and not prefix.exists()
        return done.stderr

    @pytest.mark.parametrize("kind", ["changed", "missing", "added"])
    def test_a_file_without_its_checksum(self, unpacked, tmp_path, kind):
        name = f"{FILES}/serve" if kind != "added" else f"{FILES}/other"
        if kind == "missing":
            (unpacked / name).unlink()
        else:
            with open(unpacked / name, "ab") as file:
                file.write(b"x")
        message = self.refused(unpacked, tmp_path / "prefix", status=65)
        assert name in message and "Nothing was installed" in message

    def test_a_damaged_list_of_checksums(self, unpacked, tmp_path):
        sums = unpacked / "SHA256SUMS"
        sums.write_text("\n".join(sums.read_text().splitlines()[:9]) + "\n")
        assert "exactly the files in SHA256SUMS" in self.refused(unpacked, tmp_path / "prefix", status=65)

    @pytest.mark.parametrize("position", [100, -100])
    def test_a_damaged_archive(self, archive, tmp_path, position):
        content = bytearray(archive.read_bytes())
        content[position] ^= 1
        for name in (f"{archive.name}.sha256", "install.sh"):
            shutil.copy(archive.with_name(name), tmp_path)
        (tmp_path / archive.name).write_bytes(content)
        message = self.refused(tmp_path, tmp_path / "prefix", status=65)
        assert f"{archive.name} doesn't have the hash in" in message and "Nothing was installed" in message

    def test_an_archive_without_its_hash_or_none(self, archive, tmp_path):
        shutil.copy(archive.with_name("install.sh"), tmp_path)
        assert "no archive for" in self.refused(tmp_path, tmp_path / "prefix", status=66)
        shutil.copy(archive, tmp_path)
        assert "no " in self.refused(tmp_path, tmp_path / "prefix", status=66)
        assert "no archive other" in self.refused(tmp_path, tmp_path / "prefix", "other", status=66)

    def test_files_of_something_else(self, unpacked, tmp_path):
        prefix = tmp_path / "prefix"
        (prefix / "bin").mkdir(parents=True)
        (prefix / "bin/emulator").symlink_to("/nowhere/emulator")
        done = install(unpacked, "--prefix", prefix)
        assert done.returncode == 73 and f"{prefix}/bin/emulator exists" in done.stderr
        assert tree(prefix) == {"bin", "bin/emulator"}
        assert os.readlink(prefix / "bin/emulator") == "/nowhere/emulator"

    def test_a_changed_file_of_the_project(self, unpacked, archive, tmp_path):
        prefix = tmp_path / "prefix"
        assert install(unpacked, "--prefix", prefix).returncode == 0
        newer = unpack(archive, tmp_path / "newer")
        change(newer, RULES, "// newer")
        with open(prefix / RULES, "a") as file:
            file.write("// mine")
        mine = (prefix / RULES).read_text()
        for folder, arguments in ((unpacked, []), (newer, []), (unpacked, ["--uninstall"])):
            done = install(folder, *arguments, "--prefix", prefix)
            assert (done.returncode, done.stdout) == (73, "")
            assert f"{prefix}/{RULES} has been changed since its installation" in done.stderr
            assert (prefix / RULES).read_text() == mine and (prefix / FILES / "emulator").exists()
        (prefix / RULES).rename(tmp_path / "mine")
        for folder in (newer, unpacked):
            assert install(folder, "--prefix", prefix).returncode == 0
            assert (prefix / RULES).read_text() == (folder / RULES).read_text()
        assert install(unpacked, "--uninstall", "--prefix", prefix).returncode == 0
        assert tree(prefix) == set()

    @pytest.mark.parametrize("output, status, message", [
        ("echo 'x: version `GLIBC_2.99'\"'\"' not found (required by x)'", 69,
         "this system is too old for the programs, which need version `GLIBC_2.99'"),
        ("echo 'not a dynamic executable'; exit 1", 69, "the programs don't run on this system"),
        ("printf '\\tlibcurl.so.4 => not found\\n\\tlibown.so.1 => not found\\n'", 69,
         "missing packages: libcurl4 libown.so.1"),
    ])
    def test_a_system_without_the_libraries(self, unpacked, tmp_path, output, status, message):
        tools = tmp_path / "tools"
        tools.mkdir()
        (tools / "ldd").write_text(f"#!/bin/sh\n{output}\n")
        (tools / "ldd").chmod(0o755)
        path = f"{tools}:{os.environ['PATH']}"
        assert message in self.refused(unpacked, tmp_path / "prefix", status=status, PATH=path)

    @pytest.mark.parametrize("arguments", [["--prefix"], ["--prefix", ""], ["--outptu"], ["a", "b"]])
    def test_other_options(self, unpacked, arguments):
        done = install(unpacked, *arguments)
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
    return make_release(folder / "binaries", folder / "output")


class TestTheReleaseBuild:
    def test_replays_without_swift(self, real, tmp_path):
        folder = unpack(real, tmp_path / "unpacked")
        done = subprocess.run(["bin/emulator", "replay", "share/worldchat-functions/recordings"], cwd=folder,
                              text=True, capture_output=True, check=False, env={"PATH": "/usr/bin:/bin"},
                              timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        assert re.search(r"(\d+) fixtures: \1 same, 0 differ, 0 bad", done.stdout), done.stdout
        for name in products():
            linked = subprocess.check_output(["ldd", folder / FILES / name], text=True)
            assert "swift" not in linked.lower() and "not found" not in linked

    @pytest.mark.skipif(not shutil.which("objdump"), reason="objdump is not installed")
    def test_runs_with_the_libraries_of_debian_12_and_ubuntu_22_04(self, real, tmp_path):
        """Their glibc is 2.36 and 2.35, and both have libstdc++ of GCC 12."""
        latest = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "OPENSSL": (3, 0, 2)}
        folder = unpack(real, tmp_path / "unpacked") / FILES
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

    def test_has_an_inventory(self, real):
        with tarfile.open(real) as opened:
            name, = (member for member in opened.getnames() if member.endswith("/sbom.cdx.json"))
            inventory = json.load(opened.extractfile(name))
        assert {*products(), "libre2-dev", "swift", "swift-nio", "swift-log"} <= {
            part["name"] for part in inventory["components"]
        }

    @needs_dpkg
    def test_depends_on_versions_that_ubuntu_22_04_has(self, real):
        """Ubuntu 24.04's packages have newer versions, and provide these names."""
        package, = real.parent.glob("*.deb")
        depends = subprocess.check_output(["dpkg-deb", "--field", package, "Depends"], text=True)
        least = dict(re.findall(r"([\w.+-]+) \(>= ([^)]+)\)", depends))
        ubuntu = {"libc6": "2.35", "libcurl4": "7.81.0", "libgcc-s1": "12", "libsqlite3-0": "3.37.2",
                  "libssl3": "3.0.2", "libstdc++6": "12", "zlib1g": "1:1.2.11"}
        assert set(least) <= set(ubuntu)
        for name, version in least.items():
            comparison = ["dpkg", "--compare-versions", version, "le", ubuntu[name]]
            assert subprocess.run(comparison, check=False).returncode == 0, (name, version)


@pytest.fixture(scope="module")
def bare_root(tmp_path_factory):
    """A root without the libraries of the programs."""
    return clean_root.make(tmp_path_factory.mktemp("bare") / "root")


@pytest.fixture(scope="module")
def root(archive, tmp_path_factory):
    """A root with the libraries of the programs."""
    names = ["libcurl4", "libsqlite3-0", "libssl3"]
    return clean_root.make(tmp_path_factory.mktemp("root") / "root", names)


@pytest.fixture
def own_root(root, tmp_path):
    subprocess.run(["cp", "-a", root, tmp_path / "root"], check=True)
    return tmp_path / "root"


def put(folder, root):
    """Copies the files of a release to the root's home."""
    for path in folder.iterdir():
        if path.is_file():
            shutil.copy(path, root / "home/user")


def must(root, *words, user="0:0", **options):
    done = clean_root.run_in(root, *words, user=user, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# Unpacks, installs and starts, as the pages say.
INSTALL = "cd && tar -xzf worldchat-functions-*.tar.gz && echo unpacked && worldchat-functions-*/install.sh"
PACKAGE = "apt-get install -y /home/user/worldchat-functions_*.deb"
# What bash does for the Tab key after "emulator sta".
COMPLETE = """
COMP_WORDS=(emulator sta) COMP_CWORD=1 COMP_LINE='emulator sta' COMP_POINT=12
_emulator emulator sta emulator && echo ${COMPREPLY[@]}
"""
START = "cd / && exec emulator start --seed demo"


def first_message(root, script, user):
    """Runs a script that starts the emulator, and returns the seconds until the archive is unpacked,
    and until the first translated message is shown. Then it stops the emulator."""
    environment = clean_root.ENVIRONMENT | {"HOME": "/home/user"}
    environment["PATH"] = f"/home/user/.local/bin:{environment['PATH']}"
    start = time.monotonic()
    with subprocess.Popen(clean_root.command(root, "sh", "-ec", script, user=user), env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        output, unpacked = [], 0
        try:
            for line in process.stdout:
                output.append(line)
                if line == "unpacked\n":
                    unpacked = time.monotonic() - start
                if "[phrasebook]" in line:
                    break
            seconds = time.monotonic() - start
            child, = open(f"/proc/{process.pid}/task/{process.pid}/children").read().split()
            os.kill(int(child), signal.SIGTERM)
            output += process.stdout
        except BaseException:
            process.kill()
            raise
    assert any("[phrasebook]" in line for line in output), "".join(output)
    return unpacked, seconds


@in_root
class TestCleanRoot:
    def test_has_no_compiler(self, root):
        found = clean_root.run_in(root, "sh", "-c", "command -v swift cc gcc clang ld make strip dpkg-shlibdeps curl")
        assert found.stdout == ""
        assert must(root, "dpkg", "--audit") == ""

    def test_install_sh_names_the_packages_that_are_missing(self, bare_root, archive):
        put(archive.parent, bare_root)
        done = clean_root.run_in(bare_root, "sh", "-c", "cd && sh install.sh", user=clean_root.USER)
        assert done.returncode == 69 and "install.sh: nothing was installed\n" in done.stderr
        packages = re.search(r"missing packages: (.*)", done.stderr)[1]
        assert packages == "libcurl4"
        assert f"  sudo apt-get update && sudo apt-get install -y {packages}\n" in done.stderr
        assert not (bare_root / "home/user/.local").exists()

    def test_installs_for_all_users_only_as_root(self, own_root, archive):
        put(archive.parent, own_root)
        refused = clean_root.run_in(own_root, "sh", "/home/user/install.sh", "--prefix", "/usr/local",
                                    user=clean_root.USER)
        assert refused.returncode == 73 and "/usr/local isn't writable" in refused.stderr
        assert "Start it: emulator start" in must(own_root, "sh", "/home/user/install.sh")
        assert must(own_root, "sh", "-c", "command -v emulator") == "/usr/local/bin/emulator\n"

    @needs_dpkg
    def test_the_package_replaces_an_older_one_and_is_removed(self, own_root, archive, stand_ins, tmp_path):
        older = tmp_path / "older"
        make_release(stand_ins, older, VERSION="1.2.2", REVISION="0123abc")
        put(older, own_root)
        must(own_root, "sh", "-c", PACKAGE)
        for path in (own_root / "home/user").iterdir():
            path.unlink()
        put(archive.parent, own_root)
        must(own_root, "sh", "-c", PACKAGE)
        assert must(own_root, "cat", f"/usr/{FILES}/VERSION") == "1.2.3 0123abc\n"
        assert must(own_root, "dpkg", "--verify", "worldchat-functions") == ""
        must(own_root, "apt-get", "remove", "-y", "worldchat-functions")
        assert not (own_root / "usr/bin/emulator").exists() and not (own_root / "usr" / FILES).exists()

    @needs_dpkg
    def test_the_package_is_refused_without_its_libraries(self, bare_root, archive):
        put(archive.parent, bare_root)
        done = clean_root.run_in(bare_root, "sh", "-c", PACKAGE)
        assert done.returncode == 100 and "Depends: libcurl4" in done.stdout + done.stderr
        assert not (bare_root / "usr/bin/emulator").exists()

    def test_install_sh_and_the_demo(self, own_root, real):
        put(real.parent, own_root)
        unpacked, seconds = first_message(own_root, f"{INSTALL} && {START}", clean_root.USER)
        print(f"\ninstall.sh: {seconds - unpacked:.1f} s from the unpacked archive to the first translated "
              f"message, after {unpacked:.1f} s for unpacking")
        self.check(own_root, "/home/user/.local", clean_root.USER, real)
        must(own_root, "sh", "-c", "~/worldchat-functions-*/install.sh --uninstall", user=clean_root.USER)
        assert tree(own_root / "home/user/.local") == set()

    @needs_dpkg
    def test_the_package_and_the_demo(self, own_root, real):
        put(real.parent, own_root)
        _, seconds = first_message(own_root, f"{PACKAGE} && {START}", "0:0")
        print(f"\n.deb: {seconds:.1f} s from the package to the first translated message")
        self.check(own_root, "/usr", "0:0", real)
        must(own_root, "apt-get", "remove", "-y", "worldchat-functions")
        assert not (own_root / "usr/bin/emulator").exists() and not (own_root / "usr" / FILES).exists()

    def check(self, root, prefix, user, archive):
        """Checks the version and the completions of the installed emulator."""
        with tarfile.open(archive) as opened:
            name = f"{archive.name.removesuffix('.tar.gz')}/{FILES}/VERSION"
            version = opened.extractfile(name).read().decode()
        assert must(root, f"{prefix}/bin/emulator", "--version", user=user) == version
        completed = must(root, "bash", "-c", f". {prefix}/share/bash-completion/completions/emulator\n" + COMPLETE,
                         user=user)
        assert completed == "start\n"
        zsh = "site-functions" if prefix != "/usr" else "vendor-completions"
        assert must(root, "head", "-n", "1", f"{prefix}/share/zsh/{zsh}/_emulator").startswith("#compdef emulator")
        assert "complete -c 'emulator'" in must(
            root, "cat", f"{prefix}/share/fish/vendor_completions.d/emulator.fish")
