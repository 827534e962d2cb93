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
    return CommandLine(tmp_path_factory.mktemp("gcloud"))


@pytest.fixture(scope="module")
def bucket(command):
    name = f"bucket-{uuid.uuid4().hex}"
    command.run("buckets", "create", f"gs://{name}")
    assert f"gs://{name}/" in command.run("ls").splitlines()
    return name


def test_files_up_and_down(command, bucket):
    files = {"a.txt": b"a", "ä b.png": os.urandom(100_000), "deep/c.bin": os.urandom(9 * MIB), "empty": b""}
    (command.folder / "up/deep").mkdir(parents=True)
    for name, content in files.items():
        (command.folder / "up" / name).write_bytes(content)
    command.run("cp", "--recursive", "up", f"gs://{bucket}/copy")
    listed = command.run("ls", "--recursive", f"gs://{bucket}/copy/**").splitlines()
    assert sorted(listed) == sorted(f"gs://{bucket}/copy/{name}" for name in files)
    (command.folder / "down").mkdir()
    command.run("cp", "--recursive", f"gs://{bucket}/copy/*", "down")
    for name, content in files.items():
        assert (command.folder / "down" / name).read_bytes() == content
    found = json.loads(command.run("objects", "describe", f"gs://{bucket}/copy/deep/c.bin", "--format", "json"))
    assert (found["size"], found["crc32c_hash"]) == (9 * MIB, crc32c(files["deep/c.bin"]))
    command.run("rm", "--recursive", f"gs://{bucket}/copy/deep")
    left = send(HOST, "GET", f"/storage/v1/b/{bucket}/o?prefix=copy/").must().body["items"]
    assert sorted(item["name"] for item in left) == ["copy/a.txt", "copy/empty", "copy/ä b.png"]


def test_one_object(command, bucket):
    def found(name):
        return send(HOST, "GET", f"/storage/v1/b/{bucket}/o/{name}")

    one, two, three = (f"gs://{bucket}/{name}.txt" for name in ("one", "two", "three"))
    (command.folder / "a.txt").write_bytes(b"from gcloud")
    command.run("cp", "a.txt", one, "--cache-control", "no-store", "--custom-metadata", "by=sarah")
    assert command.run("cat", "--range", "5-", one) == "gcloud"
    command.run("mv", one, two)
    moved = found("two.txt").must().body
    assert (moved["contentType"], moved["cacheControl"], moved["metadata"]["by"]) == ("text/plain", "no-store", "sarah")
    found("one.txt").must(404)
    command.run("objects", "update", two, "--content-type", "text/csv")
    assert found("two.txt").must().body["contentType"] == "text/csv"
    command.run("objects", "compose", two, two, three)
    assert found("three.txt?alt=media").must().data == b"from gcloudfrom gcloud"
    command.run("rm", two, three)
    found("two.txt").must(404)
    assert "none.txt" in command.run("cat", f"gs://{bucket}/none.txt", code=1)


def test_a_bucket_is_deleted_with_its_objects(command):
    name = f"bucket-{uuid.uuid4().hex}"
    send(HOST, "POST", f"/storage/v1/b?project={PROJECT}", {"name": name}).must()
    send(HOST, "POST", f"/upload/storage/v1/b/{name}/o?uploadType=media&name=a", b"a").must()
    command.run("rm", "--recursive", f"gs://{name}")
    send(HOST, "GET", f"/storage/v1/b/{name}").must(404)
