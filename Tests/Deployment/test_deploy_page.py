"""The commands of the page about deploying, run with stand-ins for gcloud and kubectl."""

import os
import re
import subprocess

from conftest import PROJECT

GCLOUD = """#!/bin/bash
[[ "$*" != *" keys create "* ]] || echo private > "$5"
"""
KUBECTL = """#!/bin/bash
file=${@: -1}
file=${file#--from-file=}
[[ $file == */key.json ]] && cat "$file" > "$TAKEN"
"""


def test_the_key_of_a_cluster_is_left_in_no_folder(tmp_path):
    page = (PROJECT / "Functions/DEPLOY.md").read_text()
    script, = re.findall(r"```sh\n(account=worldchat-cluster.*?)```", page, re.DOTALL)
    for name, text in (("gcloud", GCLOUD), ("kubectl", KUBECTL)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    for name in ("here", "temporary"):
        (tmp_path / name).mkdir()
    # The folder that holds the key for a while is readable by its owner alone.
    watch = 'kubectl() { ls -ld "$keys" | cut -c 1-10; command kubectl "$@"; [[ -z $(ls) ]]; }\n'
    done = subprocess.run(
        ["bash", "-ec", watch + script], cwd=tmp_path / "here", capture_output=True, text=True,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "TAKEN": str(tmp_path / "taken"),
             "TMPDIR": str(tmp_path / "temporary")},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "drwx------\n"
    assert (tmp_path / "taken").read_text() == "private\n"
    assert [*(tmp_path / "here").iterdir(), *(tmp_path / "temporary").iterdir()] == []


def test_private_files_of_the_pages_are_in_no_commit_and_no_image():
    for name, prefix in ((".gitignore", ""), ("Functions/Deployment/Dockerfile.dockerignore", "**/")):
        assert {prefix + "dead.json", prefix + "key.json"} <= set((PROJECT / name).read_text().splitlines())
