"""The archive and the .deb of `make release`, made from stand-ins for the executables."""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import tarfile

import pytest
from images import PROJECT, products
from releases import make_release, make_stand_ins, release

needs_dpkg = pytest.mark.skipif(
    not all(map(shutil.which, ("dpkg-deb", "dpkg-shlibdeps"))), reason="dpkg-dev is not installed"
)


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    return make_stand_ins(tmp_path_factory.mktemp("stand-ins"))


@pytest.fixture(scope="module")
def archive(stand_ins, tmp_path_factory):
    return make_release(stand_ins, tmp_path_factory.mktemp("release"), VERSION="1.2.3", REVISION="0123abc")


@pytest.fixture(scope="module")
def package(archive):
    package, = archive.parent.glob("*.deb")
    return package


@pytest.fixture(scope="module")
def unpacked(archive, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def files_in(folder):
    """Returns the relative paths of all files in a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


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
        assert all((member.uid, member.gid, member.mode & 0o022) == (0, 0, 0) or member.issym()
                   for member in opened)
    data, doc = "share/worldchat-functions", "share/doc/worldchat-functions"
    assert names >= {*(f"lib/worldchat-functions/{name}" for name in products()), "bin/emulator", "README.md",
                     "VERSION", "SHA256SUMS", "install.sh", f"{data}/schemas/event.schema.json",
                     f"{data}/recordings/translateMessage", f"{data}/project/firebase.json",
                     f"{data}/project/firestore.rules", f"{doc}/copyright", f"{doc}/sbom.cdx.json",
                     f"{doc}/licenses/swift-nio/LICENSE.txt", f"{doc}/licenses/libre2-dev/copyright",
                     "share/bash-completion/completions/emulator", "share/zsh/site-functions/_emulator",
                     "share/fish/vendor_completions.d/emulator.fish"}
    assert not any("machine" in name or name.endswith((".py", ".pyc")) for name in names)


def test_its_readme_names_only_files_that_exist(unpacked):
    readme = (unpacked / "README.md").read_text()
    programs = set(re.findall(r"(?<!\S)\.?/?((?:bin|lib)/[\w/-]+|install\.sh)", readme))
    assert programs >= {"bin/emulator", "lib/worldchat-functions/translateMessage", "install.sh"}
    for name in programs:
        assert os.access(unpacked / name, os.X_OK), name
    others = set(re.findall(r"`((?:share|lib|bin)/[\w./-]+|[A-Z0-9]{5,})`", readme))
    assert others >= {"share/worldchat-functions/recordings", "share/doc/worldchat-functions/sbom.cdx.json",
                      "SHA256SUMS"}
    for name in others:
        assert (unpacked / name).exists(), name


def test_has_the_version_beside_the_emulator(unpacked):
    assert (unpacked / "VERSION").read_text() == "1.2.3 0123abc\n"
    assert (unpacked / "bin/emulator").resolve().with_name("VERSION") == (unpacked / "VERSION").resolve()


def test_has_the_hashes_of_all_its_files(unpacked):
    sums = dict(reversed(line.split("  ")) for line in (unpacked / "SHA256SUMS").read_text().splitlines())
    files = {name for name in files_in(unpacked) if not (unpacked / name).is_symlink()}
    assert set(sums) == files - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256((unpacked / name).read_bytes()).hexdigest() == digest


@needs_dpkg
def test_names_the_packages_of_its_libraries(unpacked):
    packages = dict(line.split() for line in (unpacked / "LIBRARIES").read_text().splitlines())
    assert packages == {"libc.so.6": "libc6"}


def test_has_the_installer_beside_it(archive, unpacked):
    assert os.access(archive.with_name("install.sh"), os.X_OK)
    assert archive.with_name("install.sh").read_bytes() == (unpacked / "install.sh").read_bytes()


@needs_dpkg
class TestDebianPackage:
    def test_is_named_by_version_and_architecture(self, package):
        architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
        assert package.name == f"worldchat-functions_1.2.3_{architecture}.deb"
        digest, name = package.with_name(f"{package.name}.sha256").read_text().split()
        assert (name, digest) == (package.name, hashlib.sha256(package.read_bytes()).hexdigest())

    def test_has_the_files_of_the_archive(self, package, unpacked, tmp_path):
        subprocess.run(["dpkg-deb", "--raw-extract", package, tmp_path], check=True)
        expected = {name.replace("site-functions", "vendor-completions") for name in files_in(unpacked)
                    if name.startswith(("bin/", "lib/", "share/"))}
        assert files_in(tmp_path / "usr") == expected
        assert os.readlink(tmp_path / "usr/bin/emulator") == "../lib/worldchat-functions/emulator"
        listed = subprocess.run(["md5sum", "--quiet", "-c", "DEBIAN/md5sums"], cwd=tmp_path, check=False)
        assert listed.returncode == 0

    def test_depends_on_the_libraries_packages(self, package):
        def field(name):
            return subprocess.check_output(["dpkg-deb", "--field", package, name], text=True).strip()

        assert re.fullmatch(r"libc6 \(>= [\d.]+\), tzdata", field("Depends"))
        assert field("Version") == "1.2.3" and int(field("Installed-Size")) > 100
        owners = subprocess.check_output(["dpkg-deb", "--contents", package], text=True).splitlines()
        assert all(line.split()[1] == "root/root" for line in owners)

    @pytest.mark.parametrize("version, debian", [
        ("1.2.3", "1.2.3"), ("v1.2.3", "1.2.3"), ("1.2.3-4-gab12", "1.2.3+4+gab12"),
        ("1.2.3-dirty", "1.2.3+dirty"), ("1234567", "0.20231114221320.1234567"),
        ("abc1234-dirty", "0.20231114221320.abc1234+dirty"), ("7e10000", "0.20231114221320.7e10000"),
    ])
    def test_version_is_one_of_debian(self, version, debian):
        command = ". Functions/Deployment/project.sh && . Functions/Deployment/debian.sh && debian_version"
        printed = subprocess.check_output(
            ["bash", "-c", command], cwd=PROJECT, text=True,
            env=os.environ | {"VERSION": version, "SOURCE_DATE_EPOCH": "1700000000"})
        assert printed == f"{debian}\n"
        subprocess.run(["dpkg", "--validate-version", debian], check=True)


def test_same_input_same_bytes(archive, stand_ins, tmp_path):
    again = make_release(stand_ins, tmp_path, VERSION="1.2.3", REVISION="0123abc")
    assert again.read_bytes() == archive.read_bytes()
    for package in archive.parent.glob("*.deb"):
        assert (tmp_path / package.name).read_bytes() == package.read_bytes()


@pytest.mark.skipif(not shutil.which("cc"), reason="cc is not installed")
def test_is_not_made_if_its_recordings_fail(stand_ins, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(stand_ins, broken)
    subprocess.run(
        ["cc", "-xc", "-", "-o", broken / "emulator"], check=True, text=True,
        input="#include <string.h>\nint main(int n, char **words) { return strcmp(words[1], \"replay\") == 0; }\n")
    done = release(broken, tmp_path / "output")
    assert done.returncode == 1 and "replaying the archive's recordings failed" in done.stderr
    assert os.listdir(tmp_path / "output") == []


def test_is_not_made_without_completions(stand_ins, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(stand_ins, broken)
    shutil.copy("/bin/false", broken / "emulator")
    done = release(broken, tmp_path / "output")
    assert done.returncode == 1 and "emulator --generate-completion-script bash failed" in done.stderr
    assert os.listdir(tmp_path / "output") == []


def test_names_a_missing_executable(stand_ins, tmp_path):
    partial = tmp_path / "partial"
    shutil.copytree(stand_ins, partial)
    (partial / "askAI").unlink()
    done = release(partial, tmp_path / "output")
    assert done.returncode == 66 and f"no executable {partial}/askAI" in done.stderr


@pytest.mark.skipif(not shutil.which("ruby"), reason="ruby is not installed")
def test_homebrew_s_formula_has_no_syntax_error():
    formula = PROJECT / "Functions/Deployment/homebrew/worldchat-functions.rb"
    subprocess.run(["ruby", "-c", formula], check=True, capture_output=True)


@pytest.mark.parametrize("arguments", [["--binaries"], ["--binaries", ""], ["--outptu", "x"], ["x"]])
def test_refuses_other_options(arguments):
    done = subprocess.run([PROJECT / "Functions/Deployment/release.sh", *arguments],
                          text=True, capture_output=True, check=False)
    assert done.returncode == 64 and done.stdout == ""
