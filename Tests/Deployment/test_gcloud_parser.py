"""Every command is one that the real gcloud takes: its parser refuses what it doesn't know before it asks
for an account, and without a network."""

import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from conftest import PROJECT, commands

GCLOUD = shutil.which("gcloud")
pytestmark = pytest.mark.skipif(GCLOUD is None, reason="gcloud isn't installed")
# Some commands stumble over it instead of saying so.
NO_ACCOUNT = ("You do not currently have an active account selected", "NoActiveAccountException")


def inner_and_outer(line):
    """The gcloud commands of a line that a plan prints, with something in place of what others find."""
    inner = re.findall(r"\$\((gcloud [^()]*(?:\([^()]*\)[^()]*)*(?:\.basename\(\)\)')?)\)", line)
    for text in inner:
        line = line.replace(f"$({text})", "value")
    for part in [*inner, *line.split(" | ")]:
        if part.startswith("gcloud "):
            yield shlex.split(part)[1:]


def shape(argv):
    """What the parser looks at: two services differ in their names alone."""
    words = [word for word in argv if not word.startswith("-")]
    flags = tuple(sorted(
        word if word.startswith("--event-filters") else word.split("=")[0] for word in argv if word.startswith("-")))
    return tuple(words[:4]) if words[0] == "firestore" else (*words[:3], flags)


def refused(argv, folder):
    """Why a command isn't taken; None if only an account is missing."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "CLOUDSDK_CONFIG": str(folder),
        "CLOUDSDK_CORE_DISABLE_PROMPTS": "1", "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "1",
    }
    result = subprocess.run(
        [*network_less(), GCLOUD, *argv], cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120,
    )
    if any(text in result.stderr for text in NO_ACCOUNT):
        return None
    return f"gcloud {shlex.join(argv)}\n{result.stderr}"


def network_less():
    prefix = ["unshare", "--map-root-user", "--net"]
    works = shutil.which("unshare") and subprocess.run([*prefix, "true"], capture_output=True).returncode == 0
    return prefix if works else []


def all_refused(argvs, folder):
    distinct = list({shape(argv): argv for argv in argvs}.values())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return len(distinct), [why for why in pool.map(lambda argv: refused(argv, folder), distinct) if why]


def test_the_parser_refuses_what_it_does_not_know(tmp_path):
    command = ["run", "deploy", "a", "--image=b", "--region=us-central1", "--project=my-project"]
    assert "unrecognized arguments" in refused([*command, "--colour=red"], tmp_path)
    assert refused(command, tmp_path) is None


def test_commands_of_the_projects_functions(tmp_path):
    extras = ["--budget=20.50", "--billing-account=012345-6789AB-CDEF01", "--alert-email=a@b.example"]
    lines = []
    for variant in [[*extras, "--app-check"], ["--database=other", "--region=europe-west4", "--database-location=eur3"]]:
        result = subprocess.run(
            ["./deploy.sh", "plan", "--offline", "--project=my-project", "--region=us-central1", "--tag=t1",
             "--env-file=/dev/null", *variant],
            cwd=PROJECT, capture_output=True, text=True,
        )
        if "no function is built" in result.stderr:
            pytest.skip("no function is built")
        assert result.returncode == 0, result.stderr
        lines += commands(result.stdout)
    count, why = all_refused([argv for line in lines for argv in inner_and_outer(line)], tmp_path)
    assert why == []
    assert count > 25


def test_commands_that_ask_and_that_go_back(deployed, first_run, tmp_path):
    extras = ("--budget=20", "--billing-account=012345-6789AB-CDEF01", "--alert-email=a@b.example")
    deployed.must("apply", *extras, "--tag=t2", "--traffic=10")
    deployed.must("apply", *extras, "--tag=t2", "--budget=30")
    deployed.must("rollback")
    deployed.must("status")
    deployed.must("destroy", "--yes", "--with-secrets")
    calls = [call["argv"][1:] for call in [*first_run["calls"], *deployed.calls] if call["argv"][0] == "gcloud"]
    count, why = all_refused(calls, tmp_path)
    assert why == []
    assert count > 40


def commands_of(page):
    """Those of a page's blocks and tables, with something in place of what a reader or a shell puts in."""
    text = re.sub(r"\\\n *", " ", page).replace(r"\|", "|")
    text = re.sub(r"\$\((?:date|jq)[^()]*\)", "2026", text)
    for found in re.findall(r"gcloud [a-z](?:'[^']*'|\"[^\"]*\"|[^'\"`|&;)<>\n#])*", text):
        words = shlex.split(re.sub(r"\$\w+", "value", found))[1:]
        # Shorter ones only name a command.
        if len(words) > 3:
            yield [re.sub(r"^P$|(?<=/)P$", "my-project", {"R": "us-central1"}.get(word, word)) for word in words]


def test_commands_of_the_operations_page(tmp_path):
    argvs = list(commands_of((PROJECT / "Functions/OPERATIONS.md").read_text()))
    count, why = all_refused(argvs, tmp_path)
    assert why == []
    assert count > 15
