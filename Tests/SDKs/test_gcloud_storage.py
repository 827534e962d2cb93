"""`gcloud storage`, Google's command line, with our service: no login, and its requests at our address."""

import json
import os
import shutil
import subprocess
import uuid

import pytest
from storage.service import HOST, MIB, crc32c, send

if not shutil.which("gcloud"):
    pytest.skip("gcloud is missing: install google-cloud-cli", allow_module_level=True)

PROJECT = "demo-worldchat"


class CommandLine:
    """The command line with a configuration of its own, in a folder that has the files."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {
            **os.environ,
            "CLOUDSDK_CONFIG": str(folder / "configuration"),
            "CLOUDSDK_CORE_PROJECT": PROJECT,
            "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
            "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "true",
            "CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK": "true",
            "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE": f"http://{HOST}/storage/v1/",
        }
        for name in ("GOOGLE_APPLICATION_CREDENTIALS", "STORAGE_EMULATOR_HOST"):
            self.environment.pop(name, None)

    def run(self, *arguments, code=0):
        """Runs a command, and returns what it prints."""
        done = subprocess.run(
            ["gcloud", "storage", *arguments], env=self.environment, cwd=self.folder, capture_output=True, text=True
        )
        assert done.returncode == code, (arguments, done.stdout, done.stderr)
        return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    return CommandLine(tmp_path_factory.mktemp("gcloud")).run


@pytest.fixture(scope="module")
def folder(command):
    return command.__self__.folder


@pytest.fixture(scope="module")
def bucket(command):
    name = f"bucket-{uuid.uuid4().hex}"
    command("buckets", "create", f"gs://{name}")
    assert f"gs://{name}/" in command("ls").splitlines()
    return name


def test_files_up_and_down(command, folder, bucket):
    (folder / "up/deep").mkdir(parents=True)
    files = {"a.txt": b"a", "ä b.png": os.urandom(100_000), "deep/c.bin": os.urandom(9 * MIB), "empty": b""}
    for name, content in files.items():
        (folder / "up" / name).write_bytes(content)
    command("cp", "--recursive", "up", f"gs://{bucket}/copy")
    listed = command("ls", "--recursive", f"gs://{bucket}/copy/**").split("\n")
    assert sorted(filter(None, listed)) == sorted(f"gs://{bucket}/copy/{name}" for name in files)
    assert command("ls", f"gs://{bucket}/copy/").splitlines()[-1] == f"gs://{bucket}/copy/deep/"
    (folder / "down").mkdir()
    command("cp", "--recursive", f"gs://{bucket}/copy/*", "down")
    for name, content in files.items():
        assert (folder / "down" / name).read_bytes() == content
    found = json.loads(command("objects", "describe", f"gs://{bucket}/copy/deep/c.bin", "--format", "json"))
    assert (found["size"], found["crc32c_hash"]) == (9 * MIB, crc32c(files["deep/c.bin"]))
    command("rm", "--recursive", f"gs://{bucket}/copy/deep")
    assert "matched no objects" in command("ls", f"gs://{bucket}/copy/deep/", code=1)


def test_one_object(command, folder, bucket):
    (folder / "a.txt").write_bytes(b"from gcloud")
    command("cp", "a.txt", f"gs://{bucket}/one.txt", "--cache-control", "no-store", "--custom-metadata", "by=sarah")
    assert command("cat", f"gs://{bucket}/one.txt") == "from gcloud"
    assert command("cat", "--range", "5-", f"gs://{bucket}/one.txt") == "gcloud"
    command("mv", f"gs://{bucket}/one.txt", f"gs://{bucket}/two.txt")
    found = send(HOST, "GET", f"/storage/v1/b/{bucket}/o/two.txt").must().body
    assert (found["contentType"], found["cacheControl"], found["metadata"]["by"]) == ("text/plain", "no-store", "sarah")
    send(HOST, "GET", f"/storage/v1/b/{bucket}/o/one.txt").must(404)
    command("objects", "update", f"gs://{bucket}/two.txt", "--content-type", "text/csv")
    assert "text/csv" in command("objects", "describe", f"gs://{bucket}/two.txt")
    assert "text/csv" in command("ls", "--full", f"gs://{bucket}/two.txt")
    command("objects", "compose", f"gs://{bucket}/two.txt", f"gs://{bucket}/two.txt", f"gs://{bucket}/three.txt")
    assert command("cat", f"gs://{bucket}/three.txt") == "from gcloudfrom gcloud"
    assert "404" in command("objects", "describe", f"gs://{bucket}/none", code=1)
    command("rm", f"gs://{bucket}/two.txt", f"gs://{bucket}/three.txt")
    send(HOST, "GET", f"/storage/v1/b/{bucket}/o/two.txt").must(404)


def test_a_bucket_is_deleted(command, folder):
    name = f"bucket-{uuid.uuid4().hex}"
    (folder / "b.txt").write_bytes(b"b")
    command("buckets", "create", f"gs://{name}")
    command("cp", "b.txt", f"gs://{name}/b.txt")
    command("buckets", "delete", f"gs://{name}", code=1)
    command("rm", "--recursive", f"gs://{name}")
    send(HOST, "GET", f"/storage/v1/b/{name}").must(404)
