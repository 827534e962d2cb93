"""The commands of the operations page for dead letters and for a new key, with stand-ins for gcloud
and curl."""

import json
import os
import re
import subprocess
import sys

import pytest

from conftest import PROJECT

# A pulled letter is leased: only its puller can acknowledge it, until it is given back or the lease
# ends.
GCLOUD = """
import json, os, sys
from pathlib import Path

words, path = sys.argv[1:], Path(os.environ["SUBSCRIPTION"])
state = json.loads(path.read_text())
leases = state["leases"]
with open(os.environ["ASKED"], "a") as asked:
    print(*words, file=asked)
if "pull" in words:
    state["pulls"] += 1
    pulled = []
    for number, letter in enumerate(state["letters"]):
        if number not in [*leases.values(), *state["acknowledged"]]:
            leases[f"ack-{number}-{state['pulls']}"] = number
            pulled.append({"ackId": f"ack-{number}-{state['pulls']}", "message": letter})
    print(json.dumps(pulled))
elif "describe" in words:
    print(f"projects/my-project/topics/of-{words[3]}")
elif "modify-message-ack-deadline" in words:
    assert words[words.index("--ack-deadline") + 1] == "0"
    for ack in words[words.index("--ack-ids") + 1].split(","):
        del leases[ack]
elif "ack" in words:
    # Pub/Sub doesn't say that it is too late.
    if words[-1] in leases:
        state["acknowledged"].append(leases.pop(words[-1]))
elif words == ["ten", "minutes", "later"]:
    leases.clear()
elif "print-access-token" in words:
    print("secret")
elif words[:2] != ["run", "services"] and words[0] not in ("secrets", "status"):
    sys.exit(f"unexpected: {words}")
path.write_text(json.dumps(state))
"""
CURL = """#!/bin/bash
[[ " $* " == *" Authorization: Bearer secret "* ]] || exit 2
[[ "${@: -1}" != */of-broken:publish ]] || exit 22
{ echo "${@: -1}"; jq -c .; } >> "$PUBLISHED"
"""


def letter(number, subscription):
    event = {"ce-id": f"event-{number}", "ce-document": f"conversations/c/messages/m{number}"}
    pubsub = {
        "CloudPubSubDeadLetterSourceSubscription": subscription,
        "CloudPubSubDeadLetterSourceDeliveryCount": "100",
    }
    return {"data": "CgM=", "attributes": event | pubsub}


def commands_under(title):
    page = (PROJECT / "Functions/OPERATIONS.md").read_text()
    return re.findall(r"```sh\n(.*?)```", page.split(f"## {title}\n")[1].split("\n## ")[0], re.DOTALL)


def run_in(folder, script, letters=(), stdin=""):
    """Runs a script in `here`, with the stand-ins and their records next to it."""
    for name, text in (("gcloud", f"#!{sys.executable} -I\n{GCLOUD}"), ("curl", CURL)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    (folder / "here").mkdir()
    (folder / "subscription").write_text(
        json.dumps({"letters": letters, "leases": {}, "acknowledged": [], "pulls": 0}))
    files = {name.upper(): str(folder / name) for name in ("subscription", "published", "asked")}
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder / "here", capture_output=True, text=True, input=stdin,
        env={"PATH": f"{folder}:{os.environ['PATH']}"} | files,
    )
    assert done.returncode == 0, done.stderr
    # People's messages are left in no folder.
    assert list((folder / "here").iterdir()) == []
    return done


@pytest.mark.parametrize("wait", ["", "gcloud ten minutes later\n"])
def test_dead_letters_are_published_to_their_topics_again(tmp_path, wait):
    letters = [letter(1, "messages-created"), letter(2, "broken"), letter(3, "messages-deleted")]
    run = run_in(tmp_path, wait.join(commands_under("Dead letters")), letters)
    assert "messages-created\tevent-1\tconversations/c/messages/m1" in run.stdout, run.stderr
    published = (tmp_path / "published").read_text().splitlines()
    assert published[0::2] == [
        f"https://pubsub.googleapis.com/v1/projects/my-project/topics/of-messages-{kind}:publish"
        for kind in ("created", "deleted")
    ]
    assert [json.loads(body) for body in published[1::2]] == [
        {"messages": [{"data": "CgM=", "attributes": {
            "ce-id": f"event-{number}", "ce-document": f"conversations/c/messages/m{number}"}}]}
        for number in (1, 3)
    ]
    # A letter that can't be published stays a dead letter.
    assert json.loads((tmp_path / "subscription").read_text())["acknowledged"] == [0, 2]


def test_all_services_have_the_new_key_before_the_old_one_is_disabled(tmp_path):
    script, = commands_under("Keys")
    run_in(tmp_path, script.replace("./deploy.sh", "gcloud"), stdin="a new one\n")
    asked = [line.split()[:3] for line in (tmp_path / "asked").read_text().splitlines()]
    shift = [["run", "services", "update"], ["run", "services", "update-traffic"]]
    assert asked == [
        ["secrets", "versions", "add"], *shift * 4, ["status"],
        *(["secrets", "versions", verb] for verb in ("list", "disable", "destroy")),
    ]
