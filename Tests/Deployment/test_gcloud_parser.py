"""The real gcloud accepts every command with its values. It refuses unknown words and values before
it asks for an account, and without a network."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import PROJECT, commands, object_trigger, ref_trigger, trigger

GCLOUD = shutil.which("gcloud")
pytestmark = pytest.mark.skipif(GCLOUD is None, reason="gcloud isn't installed")
# The errors of a missing account. Some commands crash instead of reporting it, and a login asks for a code.
NO_ACCOUNT = ("You do not currently have an active account selected", "NoActiveAccountException", "PromptForAuthCode")
MANY = Path(__file__).with_name("gcloud_many.py")


def inner_and_outer(line):
    """Yields the gcloud commands of a line of a plan, with placeholders for the output of other
    commands."""
    inner = re.findall(r"\$\((gcloud [^()]*(?:\([^()]*\)[^()]*)*(?:\.basename\(\)\)')?)\)", line)
    for text in inner:
        line = line.replace(f"$({text})", "value")
    line = re.sub(r"\$\{found:[^}]*\}", "value", line)
    for part in [*inner, *re.split(" (?:[|]|&&) ", line)]:
        if part.startswith("gcloud "):
            yield shlex.split(part)[1:]


def refusals(argvs, folder, cwd=PROJECT):
    """Returns the number of distinct commands, and all errors except those of a missing account."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "CLOUDSDK_CONFIG": str(folder),
        "CLOUDSDK_CORE_DISABLE_PROMPTS": "1", "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "1",
    }
    ask = ["gcloud", "info", "--format=value[separator=' '](basic.python_location,installation.sdk_root)"]
    python, root = subprocess.check_output(ask, env=environment, text=True).split()
    distinct = [list(argv) for argv in dict.fromkeys(map(tuple, argvs))]
    done = subprocess.run(
        [*network_less(), python, "-S", MANY, root], cwd=cwd, env=environment, input=json.dumps(distinct),
        capture_output=True, text=True, timeout=300,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert len(said) == len(distinct)
    return len(distinct), [
        f"gcloud {shlex.join(argv)}\n{text}" for argv, text in zip(distinct, said)
        if not any(reason in text for reason in NO_ACCOUNT)
    ]


def network_less():
    prefix = ["unshare", "--map-root-user", "--net"]
    works = shutil.which("unshare") and subprocess.run([*prefix, "true"], capture_output=True).returncode == 0
    return prefix if works else []


DEPLOY = ["run", "deploy", "a", "--image=b", "--region=us-central1", "--project=my-project"]
BIND = ["projects", "add-iam-policy-binding", "my-project", "--member=user:a@b.example", "--role=roles/viewer"]


def test_gcloud_refuses_what_it_does_not_know(tmp_path):
    wrong = {
        "--colour": [*DEPLOY, "--colour=red"],
        # Invalid values are refused, too.
        "--ingress": [*DEPLOY, "--ingress=everywhere"],
        "--timeout": [*DEPLOY, "--timeout=soon"],
        "--max-instances": [*DEPLOY, "--max-instances=many"],
        "--set-env-vars": [*DEPLOY, "--set-env-vars=NAME"],
        "--execution-environment": [*DEPLOY, "--execution-environment=gen9"],
        "--condition": [*BIND, "--condition=when=ever"],
        "--budget-amount": ["billing", "budgets", "create", "--billing-account=012345-6789AB-CDEF01",
                            "--display-name=a", "--budget-amount=much"],
        "--query-scope": ["firestore", "indexes", "composite", "create", "--collection-group=a",
                          "--query-scope=everything", "--field-config=field-path=b,order=ascending"],
    }
    right = [DEPLOY, [*BIND, "--condition=None"]]
    count, why = refusals([*wrong.values(), *right], tmp_path)
    assert count == len(wrong) + len(right)
    assert len(why) == len(wrong), why
    for (flag, argv), text in zip(wrong.items(), why):
        value = next(word for word in argv if word.startswith(flag)).split("=", 1)[1]
        said = text.split("\n", 1)[1]
        assert flag in said or value in said, text


def test_commands_of_the_projects_functions(tmp_path):
    extras = ["--budget=20.50", "--billing-account=012345-6789AB-CDEF01", "--alert-email=a@b.example"]
    lines = []
    elsewhere = ["--database=other", "--region=europe-west4", "--database-location=eur3"]
    for variant in [[*extras, "--app-check"], elsewhere]:
        result = subprocess.run(
            ["./deploy.sh", "plan", "--offline", "--project=my-project", "--region=us-central1", "--tag=t1",
             "--env-file=/dev/null", *variant],
            cwd=PROJECT, capture_output=True, text=True,
        )
        if "no function is built" in result.stderr:
            pytest.skip("no function is built")
        assert result.returncode == 0, result.stderr
        lines += commands(result.stdout)
    count, why = refusals([argv for line in lines for argv in inner_and_outer(line)], tmp_path)
    assert why == []
    assert count > 25


def take_back(state):
    """Changes the deployment so that apply has something to fix: a role with more permissions, one
    for all databases, callers, a secret without a value, and a dead letter."""
    state["deadLetters"] = ["17"]
    state["subscriptions"]["worldchat-dead-letters"]["ackDeadlineSeconds"] = 10
    state["versions"]["MODEL_KEY"] = []
    role = state["roles"]["projects/my-project/roles/worldchatPushSender"]
    role["includedPermissions"] = ["more"]
    state["policies"]["services us-central1/forget-user-event"][0]["members"].append("allUsers")
    for account in state["accounts"]:
        if account.startswith("fn-"):
            binding = {"role": "roles/datastore.user", "members": [f"serviceAccount:{account}"]}
            state["policies"][" my-project"].append(binding)


def test_commands_that_read_and_that_undo(deployed, first_run, tmp_path):
    extras = ("--budget=20", "--billing-account=012345-6789AB-CDEF01", "--alert-email=a@b.example")
    deployed.add_function("ringEverybody", triggers=[trigger("created", "calls/{id}")],
                          environment=[{"name": "FCM_BASE_URL", "required": False}])
    deployed.add_function("mirrorPresence", triggers=[ref_trigger("written", "status/{uid}")],
                          environment=[{"name": "FIREBASE_DATABASE_EMULATOR_HOST", "required": False}])
    deployed.add_function("eraseUploads", triggers=[object_trigger("finalized")], objectWrites=["avatars/{uid}/{file}"],
                          environment=[{"name": "STORAGE_BUCKET", "required": False}])
    deployed.add_image("ring-everybody", "mirror-presence", "erase-uploads", "ask-ai", text="2")
    deployed.must("apply", *extras, "--tag=t2", "--traffic=10")
    deployed.must("apply", *extras, "--tag=t2", "--storage-bucket=another", "--storage-bucket-location=eu")
    deployed.add_function("eraseUploads", triggers=[object_trigger("deleted")])
    deployed.change_state(take_back)
    deployed.must("apply", *extras, "--tag=t2")
    deployed.must("apply", *extras, "--tag=t2", "--budget=30")
    deployed.must("rollback")
    deployed.must("status")
    deployed.must("destroy", "--yes", "--with-secrets")
    calls = [call["argv"][1:] for call in [*first_run["calls"], *deployed.calls] if call["argv"][0] == "gcloud"]
    count, why = refusals(calls, tmp_path)
    assert why == []
    assert count > 40


def commands_of(page):
    """Yields the gcloud commands of a page's code, with placeholders for a reader's or a shell's
    values."""
    page = "\n".join(
        code if code.startswith("```") else code.replace("\n", " ")
        for code in re.findall(r"```.*?```|`[^`]*`", page, re.DOTALL))
    text = re.sub(r"\\\n *", " ", page).replace(r"\|", "|")
    text = re.sub(r"\$\((?:date|jq)[^()]*\)", "2026", text)
    for found in re.findall(r"gcloud [a-z](?:'[^']*'|\"[^\"]*\"|[^'\"`|&;)<>\n#])*", text):
        words = shlex.split(re.sub(r"\$\w+", "value", found))[1:]
        # Shorter ones only mention a command.
        if len(words) > 3:
            yield [re.sub(r"^P$|(?<=/)P$", "my-project", {"R": "us-central1"}.get(word, word)) for word in words]


@pytest.mark.parametrize("page, least", [("OPERATIONS", 15), ("DEPLOY", 5), ("Deployment/README", 1)])
def test_commands_of_the_pages(page, least, tmp_path):
    argvs = list(commands_of((PROJECT / f"Functions/{page}.md").read_text()))
    # Some commands create files.
    count, why = refusals(argvs, tmp_path, cwd=tmp_path)
    assert why == []
    assert count > least
