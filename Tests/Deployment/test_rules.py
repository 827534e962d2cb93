"""Security rules are created once, put in force before anything reads data, and go back."""

import json

from rest_stand_in import answer

RELEASE = "projects/my-project/releases/cloud.firestore"


def requests(cloud):
    """Returns the method and the path of each change of the rules."""
    return [
        (call["argv"][call["argv"].index("--request") + 1], word.split("/my-project/")[1])
        for call in cloud.changes if call["argv"][0] == "curl"
        for word in call["argv"] if word.startswith("https://firebaserules.googleapis.com/v1/")
    ]


def in_force(cloud, release=RELEASE):
    """Returns the content of the rules in force."""
    ruleset = cloud.state["rulesets"][cloud.state["releases"][release]["rulesetName"]]
    file, = ruleset["source"]["files"]
    return file["content"]


def edit(cloud, text):
    rules = cloud.root / "firestore.rules"
    rules.write_text(f"{rules.read_text()}// {text}\n")
    return rules.read_text()


def test_rules_follow_the_database(cloud, first_run):
    words = [" ".join(call["argv"]) for call in first_run["changes"]]
    at = next(number for number, text in enumerate(words) if "firestore databases create" in text)
    assert "https://firebaserules.googleapis.com/v1/projects/my-project/rulesets" in words[at + 1]
    assert words[at + 2].endswith("https://firebaserules.googleapis.com/v1/projects/my-project/releases")
    cloud.change_state(lambda state: state.update(first_run["state"]))
    assert in_force(cloud) == (cloud.root / "firestore.rules").read_text()


def test_rules_are_changed_only_if_the_file_is(deployed):
    cloud = deployed
    assert "# unchanged security rules of database (default)" in cloud.must("apply").stdout
    assert cloud.changes == []
    text = edit(cloud, 'two "quotes", a \\ and a $variable, é')
    cloud.must("apply")
    assert requests(cloud) == [("POST", "rulesets"), ("PATCH", "releases/cloud.firestore")]
    assert in_force(cloud) == text
    cloud.forget_calls()
    cloud.must("apply")
    assert cloud.changes == []


def test_rules_of_256_KiB_are_no_argument(deployed):
    text = edit(deployed, "x" * 256 * 1024)
    deployed.must("apply")
    assert in_force(deployed) == text
    assert "# unchanged security rules" in deployed.must("plan").stdout


def test_the_token_is_no_argument(first_run):
    calls = [call for call in first_run["calls"] if call["argv"][0] == "curl"]
    assert len(calls) > 3
    for call in calls:
        assert call["stdin"].startswith("Authorization: Bearer ya29.")
        assert "ya29." not in " ".join(call["argv"])


def test_invalid_rules_are_refused_with_the_line(deployed):
    before = in_force(deployed)
    number = len(edit(deployed, "a mistake").splitlines())
    result = deployed.run("apply")
    assert result.returncode == 1
    assert f"firestore.rules: [E] {number}:1 - Unexpected 'mistake'." in result.stderr
    assert "this step failed: release security rules of database (default)" in result.stderr
    assert in_force(deployed) == before
    assert requests(deployed) == [("POST", "rulesets")]


def test_a_ruleset_without_a_release_is_used_by_the_next_run(cloud, first_run):
    cloud.fail("rulesetName")
    failed = cloud.run("apply")
    assert failed.returncode == 1 and "release security rules" in failed.stderr
    assert len(cloud.state["rulesets"]) == 1 and "releases" not in cloud.state
    cloud.forget_calls()
    cloud.must("apply")
    assert requests(cloud) == [("POST", "releases")]
    assert cloud.state["releases"].keys() == first_run["state"]["releases"].keys()
    assert in_force(cloud) == (cloud.root / "firestore.rules").read_text()


def test_a_named_database_has_its_own_rules(deployed):
    cloud = deployed
    default = cloud.state["releases"][RELEASE]
    cloud.must("apply", "--database", "other")
    assert requests(cloud) == [("POST", "rulesets"), ("POST", "releases")]
    other = cloud.state["releases"][f"{RELEASE}/other"]
    assert other["rulesetName"] != default["rulesetName"] and cloud.state["releases"][RELEASE] == default
    assert cloud.state["rulesets"][other["rulesetName"]]["attachmentPoint"] == (
        "firestore.googleapis.com/projects/123456789012/databases/other")
    cloud.forget_calls()
    cloud.must("apply", "--database", "other")
    assert cloud.changes == []
    # Each goes back to its own rulesets alone.
    assert "have no ruleset to go back to" in cloud.run("rollback", "--database", "other").stdout
    assert "have no ruleset to go back to" in cloud.run("rollback").stdout


def test_rollback_goes_to_the_ruleset_before(deployed):
    cloud = deployed
    texts = [in_force(cloud), edit(cloud, "second"), None]
    cloud.must("apply")
    texts[2] = edit(cloud, "third")
    cloud.must("apply")
    # A ruleset of another product was created in between.
    cloud.change_state(lambda state: state["rulesets"].update({"projects/my-project/rulesets/storage": {
        "name": "projects/my-project/rulesets/storage", "createTime": "2026-01-01T00:00:02.5Z",
        "metadata": {"services": ["firebase.storage"]}}}))
    for text in texts[1::-1]:
        cloud.forget_calls()
        cloud.must("rollback")
        assert in_force(cloud) == text
        assert requests(cloud) == [("PATCH", "releases/cloud.firestore")]
        assert "different from firestore.rules" in cloud.must("status").stdout
    cloud.forget_calls()
    last = cloud.run("rollback")
    assert last.returncode == 69
    assert "the security rules have no ruleset to go back to" in last.stdout
    assert cloud.changes == []
    # The file's ruleset exists, and apply creates no other.
    cloud.must("apply")
    assert requests(cloud) == [("PATCH", "releases/cloud.firestore")]
    assert in_force(cloud) == texts[2]
    cloud.must("rollback")
    assert in_force(cloud) == texts[1]


def test_a_rollback_of_named_functions_leaves_rules_alone(deployed):
    edit(deployed, "second")
    deployed.must("apply")
    deployed.forget_calls()
    result = deployed.run("rollback", "askAI")
    assert result.returncode == 69 and "rules" not in result.stdout
    assert deployed.changes == []


def test_status_of_rules(deployed):
    assert "\nSecurity rules  id-1, released 2026-01-01T00:00:02.000001Z, as in firestore.rules\n" in (
        deployed.must("status").stdout)
    edit(deployed, "second")
    assert "Security rules  id-1, released 2026-01-01T00:00:02.000001Z, different from firestore.rules" in (
        deployed.must("status").stdout)
    deployed.change_state(lambda state: state.update(releases={}))
    assert "Security rules  none: apps can neither read nor write" in deployed.must("status").stdout


def test_destroy_keeps_rules(deployed):
    before = in_force(deployed)
    assert "with their data and security rules" in deployed.must("destroy", "--yes").stdout
    assert in_force(deployed) == before


def test_a_failed_read_of_rules_stops_apply(deployed):
    deployed.fail("releases/cloud.firestore")
    result = deployed.run("apply")
    assert result.returncode == 1
    assert "reading the project's state failed: https://firebaserules.googleapis.com/v1/" in result.stderr
    assert deployed.changes == []


AUTHORIZATION = "Authorization: Bearer ya29.stand-in"


def ask(state, method, path, body=None, headers=("x-goog-user-project: p",), token=AUTHORIZATION):
    words = [word for header in ("content-type: application/json", *headers) for word in ("--header", header)]
    words += ["--header", "@-"] if token else []
    words += ["--data", body if isinstance(body, str) else json.dumps(body)] if body is not None else []
    url = f"https://firebaserules.googleapis.com/v1/projects/p/{path}"
    text, _ = answer(["curl", "--write-out", "%{http_code}", "--request", method, *words, url], token, state)
    return int(text[-3:])


def test_the_stand_in_refuses_what_google_refuses():
    state = {"apis": {"firebaserules.googleapis.com": {}}}
    source = {"files": [{"name": "firestore.rules", "content": "x"}]}
    release = {"name": "projects/p/releases/cloud.firestore", "rulesetName": "projects/p/rulesets/id-1"}
    assert ask(state, "GET", "releases/cloud.firestore") == 404
    assert ask(state, "POST", "releases", release) == 404
    assert ask(state, "PATCH", "releases/cloud.firestore", {"release": release}) == 404
    for body in ("{", {}, {"source": "x"}, {"source": source, "colour": "red"}, {"source": {"files": [{}]}}):
        assert ask(state, "POST", "rulesets", body) == 400
    assert ask(state, "POST", "rulesets", {"source": source}, token=None) == 403
    assert ask(state, "POST", "rulesets", {"source": source}, token="Authorization: Bearer x") == 401
    assert ask(state, "POST", "rulesets", {"source": source}, headers=()) == 403
    assert ask({}, "POST", "rulesets", {"source": source}) == 403
    assert "rulesets" not in state
    assert ask(state, "POST", "rulesets", {"source": source}) == 200
    assert ask(state, "PATCH", "releases/cloud.firestore", {"release": release}) == 404
    assert ask(state, "POST", "releases", release) == 200
    assert ask(state, "POST", "releases", release) == 409
    assert ask(state, "PATCH", "releases/cloud.firestore", release) == 400
    assert ask(state, "PATCH", "releases/cloud.firestore", {"release": release}) == 200
    assert ask(state, "GET", "releases/cloud.firestore") == 200
