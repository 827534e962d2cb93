"""The images of `deploy.sh image`, made from stand-ins for the executables, and from the real ones,
which run in them."""

import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from images import ENTER, PROJECT, can_enter, make_images, products, run_in, script

pytestmark = pytest.mark.skipif(
    not os.path.exists("/etc/debian_version"), reason="images are made of what Debian has"
)
DOCKERFILE = PROJECT / "Functions/Deployment/Dockerfile"
in_container = pytest.mark.skipif(
    not can_enter(), reason="unshare or ip can't be had, or by root alone"
)
LABEL = "org.opencontainers.image."


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    """A folder with an executable for each product that needs nothing but libc."""
    folder = tmp_path_factory.mktemp("stand-ins")
    for product in [*products(), "serve"]:
        shutil.copy("/bin/true", folder / product)
    return folder


@pytest.fixture(scope="module")
def layout(stand_ins, tmp_path_factory):
    """Images of everything."""
    return make_images(tmp_path_factory.mktemp("images"), stand_ins)


@pytest.fixture(scope="module")
def root(layout, tmp_path_factory):
    """The unpacked image of a function."""
    folder = tmp_path_factory.mktemp("root")
    folder.chmod(0o755)
    layout.unpack("translate-message", folder)
    return folder


def contents(folder):
    """Returns the files of a folder and of its subfolders."""
    return {path.relative_to(folder): path.is_dir() or path.read_bytes() for path in folder.rglob("*")}


def binaries():
    """Returns the folder of the release build, or of the debug build if that is the only complete
    one."""
    for build in ("release", "debug"):
        folder = PROJECT / ".build" / build
        if all((folder / name).exists() for name in products()):
            return folder
    return pytest.skip("neither .build/release nor .build/debug has all products")


class TestLayout:
    def test_has_an_image_for_every_function_and_one_for_the_emulator(self, layout):
        functions = [name for name in products() if name not in ("emulator", "serve")]
        assert len(functions) >= 6
        assert set(layout.manifests) == {
            re.sub("([a-z])([A-Z])", r"\1-\2", name).lower() for name in [*functions, "emulator"]
        }
        assert {"ask-ai", "translate-message", "emulator"} <= set(layout.manifests)

    def test_holds_what_its_descriptors_say_and_nothing_else(self, layout, tmp_path):
        known = set()
        for name, descriptor in layout.manifests.items():
            layout.unpack(name, tmp_path / name)
            manifest, _ = layout.image(name)
            parts = [descriptor, manifest["config"], *manifest["layers"]]
            known |= {part["digest"].removeprefix("sha256:") for part in parts}
        assert known == {blob.name for blob in (layout.folder / "blobs/sha256").iterdir()}

    def test_leaves_nothing_else_behind(self, layout, stand_ins, tmp_path):
        # The inventory of Swift's packages was queried for the images of everything.
        (tmp_path / "tmp").mkdir()
        make_images(tmp_path / "images", stand_ins, "askAI", TMPDIR=str(tmp_path / "tmp"))
        assert os.listdir(tmp_path / "tmp") == []
        assert set(os.listdir(tmp_path / "images")) == {"ask-ai.cdx.json", "blobs", "index.json", "oci-layout"}

    def test_functions_share_the_layer_below(self, layout):
        first, second = (layout.image(name)[0]["layers"] for name in ("ask-ai", "forget-user"))
        assert first[0] == second[0] and first[1] != second[1]

    def test_same_input_same_bytes(self, layout, stand_ins, tmp_path):
        again = make_images(tmp_path / "again", stand_ins, "askAI")
        assert again.manifests["ask-ai"] == layout.manifests["ask-ai"]
        inventory = "ask-ai.cdx.json"
        assert (again.folder / inventory).read_text() == (layout.folder / inventory).read_text()
        later = make_images(tmp_path / "later", stand_ins, "askAI", SOURCE_DATE_EPOCH="1700000000")
        assert later.manifests["ask-ai"] != layout.manifests["ask-ai"]
        _, config = later.image("ask-ai")
        assert config["created"] == "2023-11-14T22:13:20Z"

    def test_an_image_replaces_its_older_one_and_no_other(self, stand_ins, tmp_path):
        before = make_images(tmp_path / "images", stand_ins, "askAI", "forgetUser")
        changed = tmp_path / "changed"
        shutil.copytree(stand_ins, changed)
        shutil.copy("/bin/false", changed / "askAI")
        # The folder that a run leaves when it is killed with -9.
        (tmp_path / "images/new.killed").mkdir()
        after = make_images(tmp_path / "images", changed, "askAI")
        assert after.manifests["forget-user"] == before.manifests["forget-user"]
        assert after.manifests["ask-ai"] != before.manifests["ask-ai"]
        after.unpack("forget-user", tmp_path / "forget-user")
        after.unpack("ask-ai", tmp_path / "ask-ai")
        assert (tmp_path / "ask-ai/app/askAI").read_bytes() == (changed / "askAI").read_bytes()
        gone = before.manifests["ask-ai"]["digest"].removeprefix("sha256:")
        assert not (after.folder / "blobs/sha256" / gone).exists()
        assert not (after.folder / "new.killed").exists()

    @pytest.mark.parametrize("tool, end", [
        ("tar", "exit 2"), ("gzip", "exit 1"), ("sha256sum", "exit 1"), ("gzip", "kill -TERM 0")])
    def test_a_failed_run_leaves_no_partial_image(self, layout, stand_ins, tmp_path, tool, end):
        """The disk is full, or the user interrupts the run."""
        folder, tools, changed = tmp_path / "images", tmp_path / "tools", tmp_path / "changed"
        shutil.copytree(layout.folder, folder)
        shutil.copytree(stand_ins, changed)
        shutil.copy("/bin/false", changed / "askAI")
        tools.mkdir()
        (tools / tool).write_text(f'#!/bin/sh\n{shutil.which(tool)} "$@" | head -c 50\n{end}\n')
        (tools / tool).chmod(0o755)
        done = script(
            "image", "askAI", "--binaries", changed, "--output", folder,
            env={"PATH": f"{tools}:{os.environ['PATH']}"}, start_new_session=True,
        )
        assert done.returncode != 0 and "sha256:" not in done.stdout
        assert contents(folder) == contents(layout.folder)

    def test_one_run_at_a_time(self, layout, stand_ins, tmp_path):
        folder = tmp_path / "images"
        shutil.copytree(layout.folder, folder)
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            done = script("image", "askAI", "--binaries", stand_ins, "--output", folder)
        finally:
            os.close(descriptor)
        assert done.returncode == 75
        assert f"another deploy.sh image is running in {folder}" in done.stderr
        assert contents(folder) == contents(layout.folder)

    @pytest.mark.skipif(not shutil.which("skopeo"), reason="skopeo is not installed")
    def test_skopeo_takes_it(self, layout, tmp_path):
        subprocess.run(
            ["skopeo", "copy", "--quiet", "--insecure-policy", "--preserve-digests",
             f"oci:{layout.folder}:translate-message", f"dir:{tmp_path}/copy"],
            check=True, timeout=60,
        )
        copied = json.loads((tmp_path / "copy/manifest.json").read_text())
        assert copied == layout.image("translate-message")[0]

    @pytest.mark.skipif(not shutil.which("umoci"), reason="umoci is not installed")
    def test_umoci_takes_it(self, layout, tmp_path):
        subprocess.run(
            ["umoci", "unpack", "--rootless", "--image", f"{layout.folder}:translate-message",
             tmp_path / "bundle"],
            check=True, timeout=60, capture_output=True,
        )
        spec = json.loads((tmp_path / "bundle/config.json").read_text())
        assert spec["process"]["args"] == ["/app/translateMessage", "--serve"]


class TestConfiguration:
    def test_of_a_function(self, layout):
        _, config = layout.image("translate-message")
        assert config["os"] == "linux" and config["architecture"] in ("amd64", "arm64")
        run = config["config"]
        assert run["User"] == "65532:65532"
        assert run["Entrypoint"] == ["/app/translateMessage", "--serve"]
        assert "Cmd" not in run or run["Cmd"] == []
        assert "SSL_CERT_DIR=/etc/ssl/certs" in run["Env"]
        # Nothing names the sources of these executables.
        assert run["Labels"][f"{LABEL}revision"] == run["Labels"][f"{LABEL}version"] == "unknown"

    def test_takes_revision_and_version_from_the_environment(self, stand_ins, tmp_path):
        told = {"REVISION": "0123abc", "VERSION": "1.2"}
        _, config = make_images(tmp_path / "images", stand_ins, "askAI", **told).image("ask-ai")
        assert {name: config["config"]["Labels"][LABEL + name.lower()] for name in told} == told

    def test_names_the_revision_of_the_executables(self, stand_ins, tmp_path):
        binaries = tmp_path / "binaries"
        shutil.copytree(stand_ins, binaries)
        (binaries / "revisions").mkdir()
        for name in ("askAI", "serve"):
            (binaries / "revisions" / name).write_text("abc-dirty-12345678\n")
        _, config = make_images(tmp_path / "images", binaries, "askAI").image("ask-ai")
        assert config["config"]["Labels"][f"{LABEL}revision"] == "abc-dirty-12345678"
        assert config["config"]["Labels"][f"{LABEL}version"] != "unknown"
        (binaries / "revisions/serve").write_text("abc\n")
        done = script("image", "askAI", "--binaries", binaries, "--output", tmp_path / "images")
        assert done.returncode == 65 and "aren't of the same revision" in done.stderr

    def test_of_the_emulator(self, layout):
        run = layout.image("emulator")[1]["config"]
        assert run["Entrypoint"] == ["/app/emulator"]
        assert run["Cmd"] == ["start", "--host", "0.0.0.0"]
        assert set(run["ExposedPorts"]) == {"8080/tcp", "5001/tcp", "4000/tcp", "4400/tcp"}

    def test_labels_contain_no_password_of_the_repository(self, tmp_path):
        def source(origin):
            repository = tmp_path / "repository"
            shutil.rmtree(repository, ignore_errors=True)
            subprocess.run(["git", "init", "--quiet", repository], check=True)
            subprocess.run(["git", "remote", "add", "origin", origin], cwd=repository, check=True)
            command = f". {shlex.quote(str(PROJECT))}/Functions/Deployment/project.sh && source_url"
            return subprocess.check_output(["sh", "-c", command], cwd=repository, text=True).strip()

        assert source("https://me:secret@example.com/chat.git") == "https://example.com/chat.git"
        assert source("git@example.com:me/chat.git") == "https://example.com/me/chat.git"
        assert source("/home/me/chat") == ""

    @pytest.mark.parametrize("name", ["emulator", "function"])
    def test_the_dockerfile_says_the_same(self, layout, name):
        image = "emulator" if name == "emulator" else "translate-message"
        run = layout.image(image)[1]["config"]
        stage = docker_stages()[name]
        assert stage["USER"] == [run["User"]]
        assert sorted(stage["ENV"][0].split()) == sorted(run["Env"])
        assert {f"{port}/tcp" for port in stage["EXPOSE"][0].split()} == set(run["ExposedPorts"])
        entrypoint = [part.replace("/app/main", "/app/translateMessage")
                      for part in json.loads(stage["ENTRYPOINT"][0])]
        assert entrypoint == run["Entrypoint"]
        assert json.loads(stage.get("CMD", ["[]"])[0]) == run.get("Cmd", [])
        labels = set(re.findall(r"(org\.[a-z.]+)=", stage["LABEL"][0]))
        assert labels >= set(run["Labels"]) - {f"{LABEL}licenses"}


def docker_stages():
    """Returns the instructions of each stage of the Dockerfile, as {stage: {instruction:
    [arguments]}}."""
    lines = [line for line in DOCKERFILE.read_text().splitlines() if not line.startswith("#")]
    stages = {}
    stage = stages.setdefault("", {})
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        instruction, argument = line.split(maxsplit=1)
        if instruction == "FROM":
            base, name = argument.split(" AS ")
            stage = stages.setdefault(name, {"FROM": [base]})
        else:
            stage.setdefault(instruction, []).append(argument)
    return stages


class TestDockerfile:
    def test_names_an_exact_compiler_and_a_day_of_debian(self):
        stages = docker_stages()
        assert re.fullmatch(r"SWIFT_IMAGE=swift:\d+\.\d+\.\d+-bookworm", stages[""]["ARG"][0])
        assert stages["build"]["FROM"] == ["${SWIFT_IMAGE}"]
        assert re.fullmatch(r"DEBIAN_SNAPSHOT=\d{8}T\d{6}Z", stages["build"]["ARG"][0])

    def test_no_other_file_names_other_versions(self):
        swift, debian = re.search(r"SWIFT_IMAGE=swift:([\d.]+)-(\w+)", DOCKERFILE.read_text()).groups()
        numbers = {"bookworm": "12", "trixie": "13", "forky": "14"}
        folder = DOCKERFILE.parent
        for path in (DOCKERFILE, folder / "rootfs.sh", folder / "README.md", folder / "RELEASE.md",
                     folder.parent / "DEPLOY.md", PROJECT / ".ci/run", PROJECT / "Makefile"):
            text = path.read_text()
            assert set(re.findall(r"swift:(\d[\w.-]*)", text)) <= {f"{swift}-{debian}"}, path
            assert set(re.findall(r"Swift (\d+\.\d+\.\d+)", text)) <= {swift}, path
            assert set(re.findall(f"\\b({'|'.join(numbers)})\\b", text)) <= {debian}, path
            assert set(re.findall(r"Debian (\d+)", text)) <= {numbers[debian]}, path
        tools = re.search(r"swift-tools-version: ([\d.]+)", (PROJECT / "Package.swift").read_text())[1]
        needed = re.search(r"Swift ([\d.]+) or later is missing", (PROJECT / "Makefile").read_text())[1]
        assert needed == tools
        assert [int(part) for part in swift.split(".")] >= [int(part) for part in tools.split(".")]

    def test_copies_from_existing_stages(self):
        stages = docker_stages()
        for name, stage in list(stages.items())[1:]:
            assert stage["FROM"][0] in (*stages, "scratch", "${SWIFT_IMAGE}"), name
            for copy in stage.get("COPY", []):
                if copy.startswith("--from="):
                    assert copy.split()[0].removeprefix("--from=") in stages

    def test_runs_existing_commands(self):
        for stage in docker_stages().values():
            for command in stage.get("RUN", []):
                subprocess.run(["sh", "-n", "-c", command], check=True)
                for path in re.findall(r"(?:\./|Functions/)\S+\.sh", command):
                    assert os.access(PROJECT / path, os.X_OK), path

    def test_points_debian_to_the_snapshot(self, tmp_path):
        sources = tmp_path / "debian.sources"
        sources.write_text("URIs: http://deb.debian.org/debian\nURIs: http://deb.debian.org/debian-security\n")
        command = docker_stages()["build"]["RUN"][0].split("&&")[0]
        command = command.replace("/etc/apt/sources.list.d/debian.sources", str(sources))
        subprocess.run(["sh", "-c", command], check=True, env={"DEBIAN_SNAPSHOT": "DAY", "PATH": os.environ["PATH"]})
        archive = "http://snapshot.debian.org/archive"
        assert sources.read_text() == f"URIs: {archive}/debian/DAY\nURIs: {archive}/debian-security/DAY\n"


class TestRoot:
    def test_belongs_to_root_and_grants_no_rights(self, layout, tmp_path):
        for entry in layout.unpack("translate-message", tmp_path / "root"):
            assert (entry.uid, entry.gid) == (0, 0)
            assert not entry.mode & 0o6000, entry.name
            if not entry.issym() and entry.name != "./tmp":
                assert not entry.mode & 0o022, entry.name

    def test_contains_the_function_its_server_and_no_shell(self, root):
        programs = {path.name for path in (root / "app").iterdir()}
        assert programs >= {"translateMessage", "main"}
        assert programs <= {"translateMessage", "main", "serve"}
        assert ("serve" in programs) == ("serve" in products())
        assert os.readlink(root / "app/main") == "translateMessage"
        assert not (root / "bin").exists() and not (root / "usr/bin").exists()

    def test_the_emulator_has_all_functions(self, layout, tmp_path):
        layout.unpack("emulator", tmp_path / "root")
        programs = {path.name for path in (tmp_path / "root/app").iterdir()}
        assert programs == {*products(), "VERSION"} - {"serve"}
        assert (tmp_path / "root/app/VERSION").read_text() == "unknown unknown\n"

    def test_finds_each_authority_by_its_hash(self, root):
        folder = root / "etc/ssl/certs"
        certificates = list(folder.glob("*.pem"))
        assert len(certificates) > 100
        assert not (folder / "ca-certificates.crt").exists()
        links = {os.readlink(path) for path in folder.iterdir() if path.is_symlink()}
        assert links == {path.name for path in certificates}
        assert {path.stem for path in certificates} == {
            path.removesuffix(".crt") for path in os.listdir("/usr/share/ca-certificates/mozilla")
        }
        for path in certificates[:5]:
            subprocess.run(
                ["openssl", "verify", "-no-CAfile", "-no-CAstore", "-CApath", folder, path],
                check=True, capture_output=True, env=os.environ | {"SSL_CERT_FILE": "/dev/null"},
            )

    def test_has_the_time_zones_once(self, root):
        zones = root / "usr/share/zoneinfo"
        assert (zones / "Europe/Rome").read_bytes()[:4] == b"TZif"
        assert (zones / "Japan").read_bytes() == (zones / "Asia/Tokyo").read_bytes()
        assert not {"posix", "right", "localtime"} & {path.name for path in zones.iterdir()}
        assert all(path.exists() for path in zones.rglob("*"))

    def test_has_no_user_who_could_log_in(self, root):
        users = [line.split(":") for line in (root / "etc/passwd").read_text().splitlines()]
        assert {user[2]: user[6] for user in users} == {"0": "/sbin/nologin", "65532": "/sbin/nologin"}
        assert (root / "etc/nsswitch.conf").read_text() == "hosts: files dns\n"

    def test_has_licenses_and_records_of_packages(self, root):
        records = {path.name for path in (root / "var/lib/dpkg/status.d").iterdir()}
        assert {"libc6", "ca-certificates", "tzdata"} <= records
        for name in [*records, "swift-log"]:
            assert any((root / "usr/share/doc" / name).iterdir()), name


@pytest.fixture(scope="module")
def container(tmp_path_factory):
    """A function's image and its unpacked root, with the real executables."""
    folder = tmp_path_factory.mktemp("container")
    root = folder / "root"
    root.mkdir(mode=0o755)
    images = make_images(folder / "images", binaries(), "translateMessage")
    images.unpack("translate-message", root)
    return images, root


def translate(container, folder, *around):
    """Returns a function's answer to a call in the container. The emulator runs outside of the
    root, on the container's loopback.

    `around` is a command that runs the container's command."""
    images, root = container
    variables = images.image("translate-message")[1]["config"]["Env"]
    call = '{"text":"See you tomorrow!","sourceLang":"en","targetLang":"it"}'
    inside = 'printf %s "$1" | exec env -u GOOGLE_APPLICATION_CREDENTIALS -u SSL_CERT_FILE "${@:2}"'
    done = subprocess.run(
        ["unshare", "-mnpf", "--mount-proc", "sh", "-c", 'ip link set lo up && exec "$0" "$@"',
         binaries() / "emulator", "exec", "--no-triggers", "--firestore-port", "0",
         "--functions-port", "0", "--auth-port", "0", "--ui-port", "0", "--hub-port", "0", "--",
         "bash", "-c", inside, "bash", call,
         *[variable for variable in variables if not variable.startswith("PATH=")], *around,
         "sh", "-c", ENTER, root, "/app/translateMessage"],
        capture_output=True, text=True, timeout=120, check=False, cwd=folder,
    )
    assert done.stdout, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["exitCode"] == done.returncode
    return result


class TestRunning:
    """The real executables in their image: not root, nothing writable, no network."""

    @in_container
    def test_prints_its_manifest(self, container):
        done = run_in(container[1], "/app/main", "--describe")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["name"] == "translateMessage"
        assert done.stderr == ""

    @in_container
    def test_translates_a_message(self, container, tmp_path):
        result = translate(container, tmp_path)
        assert result["status"] == "ok", result
        assert result["usage"]["engines"] == ["phrasebook"]

    @in_container
    def test_trusts_only_the_authorities_of_its_folder(self, container, tmp_path):
        images, root = container
        certificate, key = tmp_path / "own.pem", tmp_path / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=own",
             "-addext", "subjectAltName=IP:127.0.0.1", "-out", certificate, "-keyout", key],
            check=True, capture_output=True,
        )
        around = [sys.executable, "-B", PROJECT / "Tests/Deployment/https_translator.py",
                  certificate, key]
        refused = translate(container, tmp_path, *around)
        assert refused["status"] == "error" and "certificate" in refused["error"]["message"], refused

        trusting = tmp_path / "root"
        shutil.copytree(root, trusting, symlinks=True)
        shutil.copy(certificate, trusting / "etc/ssl/certs")
        subprocess.run(["openssl", "rehash", trusting / "etc/ssl/certs"], check=True)
        result = translate((images, trusting), tmp_path, *around)
        assert result["status"] == "ok", result
        assert result["usage"]["engines"] == ["nmt"]


@in_container
@pytest.mark.skipif(
    not all((PROJECT / ".build/release" / name).exists() for name in products()),
    reason="not everything is in .build/release",
)
def test_the_emulator_s_image_runs_the_demo(tmp_path):
    """The functions run in the same image, and only /tmp must be writable."""
    root = tmp_path / "root"
    root.mkdir(mode=0o755)
    make_images(tmp_path / "images", binaries(), "emulator").unpack("emulator", root)
    ports = [f"--{name}-port=0" for name in ("firestore", "auth", "functions", "ui", "hub")]
    done = run_in(root, "--tmpfs", "/app/emulator", "exec", "--host", "0.0.0.0", "--seed", "demo", *ports,
                  "--", "/app/emulator", "token", "--uid", "marco")
    assert done.returncode == 0, done.stderr
    assert "translateMessage succeeded" in done.stdout + done.stderr


class TestInventory:
    def test_is_cyclonedx(self, layout):
        validation = pytest.importorskip(
            "cyclonedx.validation.json", reason="cyclonedx-python-lib is not installed"
        )
        from cyclonedx.schema import SchemaVersion

        validator = validation.JsonStrictValidator(SchemaVersion.V1_5)
        for name in layout.manifests:
            error = validator.validate_str((layout.folder / f"{name}.cdx.json").read_text())
            assert error is None, (name, error)

    def test_names_debian_s_packages_at_their_versions(self, layout, root):
        parts = components(layout, "translate-message")
        debian = {name: part for name, part in parts.items() if part.get("purl", "").startswith("pkg:deb/")}
        assert set(debian) == set(os.listdir(root / "var/lib/dpkg/status.d"))
        for name in ("libc6", "ca-certificates"):
            installed = subprocess.check_output(["dpkg-query", "-W", "-f", "${Version}", name], text=True)
            assert debian[name]["version"] == installed

    def test_names_the_swift_packages_that_are_linked(self, layout):
        function = components(layout, "translate-message")
        assert "swift-log" in function and "swift" in function
        assert "swift-nio" not in function or "serve" in products()
        emulator = components(layout, "emulator")
        assert {"swift-log", "swift-nio", "grdb.swift", "swift-nio-extras"} <= set(emulator)
        # Only other targets of the package need these packages.
        assert not {"swift-certificates", "swift-http-types"} & set(emulator)
        versions = dict(re.findall(r'/([a-z-]+)", exact: "([0-9.]+)"', (PROJECT / "Package.swift").read_text()))
        for name in ("swift-log", "swift-nio"):
            assert emulator[name]["version"] == versions[name]

    def test_tells_the_executables_by_their_hash(self, layout, stand_ins):
        digest = subprocess.check_output(["sha256sum", stand_ins / "translateMessage"], text=True)[:64]
        part = components(layout, "translate-message")["translateMessage"]
        assert part["type"] == "application"
        assert part["hashes"] == [{"alg": "SHA-256", "content": digest}]

    @pytest.mark.skipif(not shutil.which("cc"), reason="cc is not installed")
    @pytest.mark.parametrize("name", ["libown.so.1", "libc.so"])
    def test_a_library_outside_of_packages_is_named_too(self, stand_ins, tmp_path, name):
        changed = tmp_path / "binaries"
        shutil.copytree(stand_ins, changed)
        library = tmp_path / name
        source = "int own(void) { return 0; }\n"
        subprocess.run(["cc", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-xc", "-", "-o", library],
                       input=source, text=True, check=True)
        subprocess.run(["cc", "-xc", "-", "-xnone", "-o", changed / "askAI", library, f"-Wl,-rpath,{tmp_path}"],
                       input="int own(void); int main(void) { return own(); }\n", text=True, check=True)
        images = make_images(tmp_path / "images", changed, "askAI")
        part = components(images, "ask-ai")[name]
        assert part["type"] == "library" and part["hashes"][0]["alg"] == "SHA-256"


def components(layout, name):
    inventory = json.loads((layout.folder / f"{name}.cdx.json").read_text())
    assert inventory["metadata"]["component"]["name"] == name
    return {part["name"]: part for part in inventory["components"]}


class TestRefusals:
    def refused(self, *arguments, status=64, env=None):
        done = script("image", *arguments, env=env or {})
        assert done.returncode == status, done.stderr
        assert done.stdout == ""
        return done.stderr

    def test_an_unknown_function(self, stand_ins, tmp_path):
        for name in ("translate", "serve", "echoServer", "a b", "../askAI"):
            assert f"no function {name}" in self.refused(name, "--binaries", stand_ins)

    def test_unknown_options_and_options_without_a_folder(self):
        assert "no option --outptu" in self.refused("--outptu", "x")
        assert "--output needs a folder" in self.refused("--output")
        assert "--binaries needs a folder" in self.refused("--binaries", "")

    def test_a_missing_executable(self, tmp_path):
        done = script("image", "askAI", "--binaries", tmp_path, "--output", tmp_path / "images")
        assert done.returncode == 66 and f"no executable {tmp_path}/askAI" in done.stderr
        assert json.loads((tmp_path / "images/index.json").read_text())["manifests"] == []

    def test_a_script_that_would_need_a_shell(self, tmp_path):
        (tmp_path / "askAI").write_text("#!/bin/sh\n")
        (tmp_path / "askAI").chmod(0o755)
        for name in products():
            if name == "serve":
                shutil.copy("/bin/true", tmp_path / name)
        done = script("image", "askAI", "--binaries", tmp_path, "--output", tmp_path / "images")
        assert done.returncode == 65 and "ldd can't read an executable" in done.stderr

    def test_an_output_folder_with_other_files(self, stand_ins, tmp_path):
        (tmp_path / "letter.txt").write_text("mine")
        message = self.refused("askAI", "--binaries", stand_ins, "--output", tmp_path, status=73)
        assert "has files that are not images" in message
        assert os.listdir(tmp_path) == ["letter.txt"]

    def test_other_systems_are_shown_the_dockerfile(self, tmp_path):
        uname = tmp_path / "uname"
        uname.write_text("#!/bin/sh\necho Darwin\n")
        uname.chmod(0o755)
        message = self.refused("askAI", status=69, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
        assert "docker build --platform linux/amd64 -f Functions/Deployment/Dockerfile" in message
        assert "worldchat/translate-message:TAG" in message
