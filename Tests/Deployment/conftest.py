"""Fixtures: a copy of deploy.sh, a stand-in for Google's cloud, and scripts as functions."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
STAND_INS = [Path(__file__).with_name(name) for name in ("cloud_stand_in.py", "rest_stand_in.py")]
EVENT = "google.cloud.firestore.document.v1"
REF_EVENT = "google.firebase.database.ref.v1"
OBJECT_EVENT = "google.cloud.storage.object.v1"
MESSAGES = "conversations/{conversationId}/messages/{messageId}"
# Commands of gcloud with one of these words only read, or give back what a read leased.
READING = ("list", "describe", "get-iam-policy", "pull", "print-access-token", "modify-message-ack-deadline")


def manifest(name, **members):
    return {"contract": 1, "name": name, "environment": [{"name": "GOOGLE_CLOUD_PROJECT", "required": True}], **members}


def trigger(kind, document=MESSAGES, **members):
    return {"eventType": f"{EVENT}.{kind}", "document": document, **members}


def ref_trigger(kind, ref, instance="*"):
    return {"eventType": f"{REF_EVENT}.{kind}", "ref": ref, "instance": instance}


def object_trigger(kind, **members):
    return {"eventType": f"{OBJECT_EVENT}.{kind}", **members}


STORAGE_RULES = """rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /avatars/{uid}/{file} {
      allow read: if request.auth != null;
    }
  }
}
"""


class Cloud:
    """Runs deploy.sh against the stand-in, and returns the calls it made."""

    def __init__(self, folder):
        self.root = folder / "project"
        self.functions = folder / "functions"
        self.state_folder = folder / "cloud"
        tools = folder / "tools"
        for path in (self.root / "Shared", self.functions, self.state_folder, tools):
            path.mkdir(parents=True)
        for name in ("deploy.sh", "Package.swift", "firebase.json", "firestore.rules", "firestore.indexes.json",
                     "database.rules.json"):
            shutil.copy(PROJECT / name, self.root)
        self.set_storage({"rules": "storage.rules"})
        (self.root / "storage.rules").write_text(STORAGE_RULES)
        shutil.copytree(PROJECT / "Functions/Deployment", self.root / "Functions/Deployment")
        shutil.copytree(PROJECT / "Shared/Schemas", self.root / "Shared/Schemas")
        # Most of the tests' time is spent in these calls. A module is compiled only once, and env
        # would search for an interpreter each time.
        for path in STAND_INS:
            shutil.copy(path, tools)
        for name in ("gcloud", "curl", "skopeo"):
            (tools / name).write_text(f"#!{sys.executable} -EsS\nfrom cloud_stand_in import main\n\nmain()\n")
            (tools / name).chmod(0o755)
        self.environment = {
            "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(folder), "CLOUD_STAND_IN": str(self.state_folder),
        }

    def add_function(self, name, **members):
        path = self.functions / name
        path.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps(manifest(name, **members))}\nEND\n")
        path.chmod(0o755)

    def set_storage(self, value):
        """Sets the security rules of buckets in firebase.json."""
        path = self.root / "firebase.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"storage": value}))

    def add_image(self, *names, text="", revision="", architecture="amd64"):
        """Adds images as deploy.sh image does. Another text makes another image."""
        path = self.root / "dist/images/index.json"
        blobs = path.parent / "blobs"
        (blobs / "sha256").mkdir(parents=True, exist_ok=True)
        manifests = json.loads(path.read_text())["manifests"] if path.exists() else []
        manifests = [m for m in manifests if m["annotations"]["org.opencontainers.image.ref.name"] not in names]
        for name in names:
            labels = {"org.opencontainers.image.revision": revision}
            config = {"architecture": architecture, "config": {"Labels": labels}, "history": [name + text]}
            digest = add_blob(blobs, {"config": {"digest": add_blob(blobs, config)}})
            manifests.append({"digest": digest, "annotations": {"org.opencontainers.image.ref.name": name}})
        path.write_text(json.dumps({"manifests": manifests}))

    def digest(self, name):
        """Returns the digest of the local image."""
        manifests = json.loads((self.root / "dist/images/index.json").read_text())["manifests"]
        return next(m["digest"] for m in manifests if name in m["annotations"].values())

    def commit(self):
        """Commits all files and returns the commit's hash."""
        (self.root / ".gitignore").write_text("dist/\n")
        name = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
        for command in (["init", "-q"], ["add", "-A"], [*name, "commit", "-q", "-m", "x"]):
            subprocess.run(["git", *command], cwd=self.root, check=True)
        return subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=self.root, text=True).strip()

    def clear(self):
        """Removes the cloud's state and the recorded calls."""
        for path in self.state_folder.iterdir():
            path.unlink()

    def set_env(self, text):
        (self.root / "deploy.env").write_text(text)

    def run(self, command, *arguments, stdin="", settings=True, **environment):
        given = ["--project", "my-project", "--region", "us-central1", "--tag", "t1"] if settings else []
        if settings:
            given += ["--functions", str(self.functions)]
        return subprocess.run(
            [str(self.root / "deploy.sh"), command, *given, *arguments],
            input=stdin, capture_output=True, text=True, env={**self.environment, **environment}, timeout=300,
        )

    def must(self, command, *arguments, **options):
        result = self.run(command, *arguments, **options)
        assert result.returncode == 0, result.stdout + result.stderr
        return result

    # MARK: Recorded calls

    @property
    def calls(self):
        path = self.state_folder / "calls.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    @property
    def changes(self):
        return [call for call in self.calls if is_change(call["argv"])]

    def forget_calls(self):
        (self.state_folder / "calls.jsonl").unlink(missing_ok=True)

    @property
    def state(self):
        path = self.state_folder / "state.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def change_state(self, change):
        state = self.state
        change(state)
        (self.state_folder / "state.json").write_text(json.dumps(state))

    def fail(self, match, count=1):
        (self.state_folder / "fail.json").write_text(json.dumps({"match": match, "count": count}))


def add_blob(folder, value):
    content = json.dumps(value).encode()
    digest = hashlib.sha256(content).hexdigest()
    (folder / "sha256" / digest).write_bytes(content)
    return f"sha256:{digest}"


def is_change(argv):
    if argv[0] == "curl":
        return "--request" in argv and "GET" not in argv
    words = [word for word in argv[1:] if not word.startswith("-")]
    return argv[0] != "gcloud" or not any(word in READING for word in words[:5])


def commands(plan):
    """Returns the commands of a printed plan, which is a script that stops at the first failure."""
    lines = [line for line in plan.splitlines() if line and not line.startswith("#")]
    assert lines.pop(0) == "set -euo pipefail"
    return lines


def project(folder):
    """Returns a project with three functions: one for events and calls, one for events, one for
    calls."""
    cloud = Cloud(folder)
    variables = [{"name": "GOOGLE_CLOUD_PROJECT", "required": True}]
    cloud.add_function(
        "translateMessage", callable=True, concurrency=32, memoryMiB=128, timeoutSeconds=30, retry=True,
        triggers=[trigger("created"), trigger("updated", fields=["text"])],
        writes=[MESSAGES, "translations/{key}"], secrets=["TRANSLATE_KEY"],
        environment=[*variables, {"name": "TRANSLATION_BASE_URL", "required": False},
                     {"name": "TRANSLATION_GLOSSARY", "required": False}],
    )
    cloud.add_function(
        "forgetUser", triggers=[trigger("deleted", "users/{uid}")], writes=["users/{uid}"],
        timeoutSeconds=300, retry=False,
    )
    cloud.add_function("askAI", callable=True, writes=["queries/{id}"], timeoutSeconds=60, secrets=["MODEL_KEY"])
    cloud.add_image("translate-message", "forget-user", "ask-ai")
    cloud.environment |= {"TRANSLATE_KEY": "key-of-translation-1", "MODEL_KEY": "key-of-model-2"}
    return cloud


@pytest.fixture
def cloud(tmp_path):
    return project(tmp_path)


@pytest.fixture(scope="session")
def first_run(tmp_path_factory):
    """The output, the changes and the final state of a first apply."""
    cloud = project(tmp_path_factory.mktemp("first"))
    plan = cloud.must("plan").stdout
    assert cloud.changes == []
    output = cloud.must("apply").stdout
    return {"plan": plan, "output": output, "calls": cloud.calls, "changes": cloud.changes, "state": cloud.state}


@pytest.fixture
def deployed(cloud, first_run):
    """A project that is deployed already."""
    cloud.change_state(lambda state: state.update(json.loads(json.dumps(first_run["state"]))))
    return cloud
