"""What the operations page tells to type when events were given up, with stand-ins for gcloud and curl."""

import json
import os
import re
import subprocess

from conftest import PROJECT

GCLOUD = """#!/bin/bash
case "$*" in
  *" pull "*) cat "$LETTERS" ;;
  *" describe "*) echo "projects/my-project/topics/of-$4" ;;
  *" ack "*) echo "${@: -1}" >> "$ACKNOWLEDGED" ;;
  *print-access-token*) echo secret ;;
esac
"""
CURL = """#!/bin/bash
[[ "${@: -1}" != */of-broken:publish ]] || exit 22
{ echo "${@: -1}"; jq -c .; } >> "$PUBLISHED"
"""


def letter(number, subscription):
    event = {"ce-id": f"event-{number}", "ce-document": f"conversations/c/messages/m{number}"}
    pubsub = {
        "CloudPubSubDeadLetterSourceSubscription": subscription,
        "CloudPubSubDeadLetterSourceDeliveryCount": "100",
    }
    return {"ackId": f"ack-{number}", "message": {"data": "CgM=", "attributes": event | pubsub}}


def test_dead_letters_go_back_to_where_they_came_from(tmp_path):
    page = (PROJECT / "Functions/OPERATIONS.md").read_text()
    blocks = re.findall(r"```sh\n(.*?)```", page.split("## Dead letters")[1], re.DOTALL)
    for name, script in (("gcloud", GCLOUD), ("curl", CURL)):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    letters = [letter(1, "messages-created"), letter(2, "broken"), letter(3, "messages-deleted")]
    (tmp_path / "letters").write_text(json.dumps(letters))
    files = {name.upper(): str(tmp_path / name) for name in ("letters", "published", "acknowledged")}
    run = subprocess.run(
        ["bash", "-c", "\n".join(blocks)], cwd=tmp_path, capture_output=True, text=True,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"} | files,
    )
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
    # What can't be given back stays a dead letter.
    assert (tmp_path / "acknowledged").read_text().split() == ["ack-1", "ack-3"]
