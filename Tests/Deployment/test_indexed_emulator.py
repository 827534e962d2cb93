"""The queries of all functions are answered with only the indexes of firestore.indexes.json."""

import json
import subprocess

import pytest

from conftest import PROJECT

EMULATOR = PROJECT / ".build/debug/emulator"
# The demo writes messages. Then the functions that ask a model are called, and at last a user is
# forgotten.
STORY = r"""
set -e
base="http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents"
as() { printf '{"data":%s,"auth":{"uid":"%s"}}' "$2" "$1"; }
as marco '{"conversationId":"sarah-marco"}' | smartReplies
as marco '{"conversationId":"sarah-marco","query":"Quando ci vediamo per un caffè?"}' | askAI
as marco '{"conversationId":"sarah-marco","query":"Che cosa ha scritto Sarah?"}' | askAI
as sarah '{"uid":"sarah"}' | forgetUser
analysis='{"structuredQuery":{"from":[{"collectionId":"aiAnalysis"}],"where":{"fieldFilter":{"field":{"fieldPath":
  "conversationId"},"op":"EQUAL","value":{"stringValue":"sarah-marco"}}},"orderBy":[{"field":{"fieldPath":"timestamp"},
  "direction":"DESCENDING"}]}}'
curl --silent --show-error --fail "$base:runQuery" -H "Authorization: Bearer owner" -d "$analysis" > /dev/null
"""


def run(indexes):
    return subprocess.run(
        [str(EMULATOR), "exec", "--seed", "demo", "--indexes", str(indexes), "--firestore-port", "0",
         "--functions-port", "0", "--auth-port", "0", "--ui-port", "0", "--hub-port", "0", "--", "sh", "-c", STORY],
        capture_output=True, text=True, timeout=300, cwd=PROJECT,
    )


@pytest.mark.skipif(not EMULATOR.exists(), reason="the emulator isn't built")
def test_functions_query_only_what_has_an_index(tmp_path):
    result = run(PROJECT / "firestore.indexes.json")
    assert "requires an index" not in result.stdout + result.stderr
    assert result.returncode == 0, result.stdout + result.stderr
    # Without the indexes, or without an index of a field in a filter, a query is refused.
    indexes = json.loads((PROJECT / "firestore.indexes.json").read_text())
    indexes["fieldOverrides"].append({"collectionGroup": "translations", "fieldPath": "sourceText", "indexes": []})
    for number, fewer in enumerate([{}, indexes]):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(fewer))
        result = run(file)
        assert result.returncode != 0
        assert "requires an index" in result.stdout + result.stderr
